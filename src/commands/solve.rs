//! `gridmill solve`: a corpus through the pipeline, into rows and a summary.

use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::process::ExitCode;

use anyhow::{Context, bail};
use gridmill::engine::Limit;
use gridmill::format::AnswerColumn;
use gridmill::pipeline::{ChunkSize, End};
use gridmill::rows::{Column, Columns, Listing, OutputFormat, Status};
use gridmill::solver::Question;
use gridmill::stats::{Run, Tally};
use gridmill::worker::Worker;

use super::mill;
use crate::cli;
use crate::report::Report;

/// How many solutions `--all` lists of one puzzle unless `--limit` says otherwise.
const CAP: Limit = Limit::new(NonZeroU64::new(1000).unwrap());

/// The most records in a chunk where each may become many solutions, so that a chunk's output stays small.
const LISTING_CHUNK: NonZeroUsize = NonZeroUsize::new(16).unwrap();

pub(crate) fn run(arguments: &cli::Solve) -> anyhow::Result<ExitCode> {
    let question = question(arguments);
    let origins = mill::origins(&arguments.input.files);
    let columns = columns(arguments, origins.len())?;
    let threads = super::threads(arguments.running.threads);
    let engine = arguments.running.engine();
    let build = engine.builder()?;

    let progress = mill::progress(&arguments.talking, &origins);
    let wanted = mill::wanted(&arguments.input, AnswerColumn::Ignored, &arguments.keep);
    let corpus = mill::open(origins, wanted, &progress)?;
    let mut output = arguments.destination.create(threads)?;

    let listing = if matches!(question, Question::All(_)) { Listing::All } else { Listing::One };
    let writer = || arguments.to.writer(columns.clone(), listing);
    if !arguments.no_header {
        let mut header = Vec::new();
        writer().header(&mut header);
        output.write_all(&header).context("cannot write the output")?;
    }
    let workers = (0..threads).map(|_| Worker::new(question, build(), writer(), Tally::new(arguments.top))).collect();
    let size = match (arguments.running.chunk, listing) {
        (None, Listing::All) => ChunkSize::Adaptive { most: LISTING_CHUNK },
        _ => mill::chunk_size(&arguments.running),
    };
    let stop = mill::stop_on_ctrl_c(&progress)?;

    let milled = mill::run(corpus, workers, &mut output, |_| Ok(()), size, &progress, &stop);
    progress.finish();
    let milled = milled.map_err(|error| mill::broken(error, &output))?;

    let mut tally = Tally::new(arguments.top);
    for worker in milled.workers {
        tally.merge(worker.into_tally());
    }
    let summary = tally.summary(Run {
        wall: milled.wall,
        reader_cpu: milled.stages.reader,
        workers_cpu: milled.stages.workers,
        writer_cpu: milled.stages.writer,
        threads,
        engine: engine.resolved().to_string(),
        limit: question.limit().get(),
        stopped_after: milled.stopped_after,
    });
    progress.note(Report(&summary));
    if let Some(path) = &arguments.summary {
        mill::write_summary(&summary, path)?;
    }
    if milled.end == End::Stopped {
        return Ok(mill::stopped(summary.stopped_after.as_ref(), &output, &progress));
    }
    output.finish()?;
    let unsound = summary.records - summary.rows[Status::Unique.name()];
    Ok(ExitCode::from(u8::from(arguments.strict && unsound > 0)))
}

fn question(arguments: &cli::Solve) -> Question {
    match arguments.limit.map(Limit::new) {
        limit if arguments.all => Question::All(limit.unwrap_or(CAP)),
        None if arguments.to == OutputFormat::Listing && !arguments.first => Question::All(CAP),
        Some(limit) if arguments.to == OutputFormat::Listing => Question::All(limit),
        // One solution says nothing of a second: whoever stops at the first wants to see it.
        Some(Limit::FIRST) => Question::First,
        Some(limit) => Question::Count(limit),
        None if arguments.first => Question::First,
        None => Question::Count(Limit::UNIQUE),
    }
}

/// The columns that were asked for; by default all of them, the file only if there are several.
fn columns(arguments: &cli::Solve, inputs: usize) -> anyhow::Result<Columns> {
    if !arguments.to.has_columns() && (arguments.columns.is_some() || !arguments.keep.is_empty()) {
        bail!("--to {} has no columns; --columns and --keep are for csv and jsonl", arguments.to.name());
    }
    let default = || Column::ALL.into_iter().filter(|&column| column != Column::File || inputs > 1).collect();
    Ok(Columns::new(arguments.columns.clone().unwrap_or_else(default), &arguments.keep))
}
