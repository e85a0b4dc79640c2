//! `gridmill solve`: a corpus through the pipeline, into rows and a summary.

use std::fs;
use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use gridmill::corpus::{Corpus, Input};
use gridmill::engine::{EngineChoice, Limit};
use gridmill::format::Wanted;
use gridmill::pipeline::{self, Chunk, ChunkSize, End, Stop};
use gridmill::rows::{Column, Columns, Listing, OutputFormat, Status};
use gridmill::solver::Question;
use gridmill::stats::{Run, StoppedAfter, Summary, Tally};
use gridmill::worker::Worker;

use crate::cli;
use crate::output::Output;
use crate::progress::{Progress, Talk};
use crate::report::Report;

/// How many solutions `--all` lists of one puzzle unless `--limit` says otherwise.
const CAP: Limit = Limit::new(NonZeroU64::new(1000).unwrap());

/// The most records in a chunk: enough to keep every lane of an engine busy.
const CHUNK: NonZeroUsize = NonZeroUsize::new(2048).unwrap();

/// The same where each record may become many solutions, so that a chunk's output stays small.
const LISTING_CHUNK: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// The exit code of a run that Ctrl-C ended, as shells have it.
const INTERRUPTED: u8 = 130;

pub(crate) fn run(arguments: &cli::Solve) -> anyhow::Result<ExitCode> {
    let question = question(arguments);
    let origins = arguments.input.origins();
    let columns = columns(arguments, origins.len())?;
    let threads = super::threads(arguments.threads);
    let engine = EngineChoice { kind: arguments.engine, simd: arguments.simd };
    let engines: Vec<_> = (0..threads).map(|_| engine.build()).collect::<Result<_, _>>()?;
    let talk = if arguments.quiet { Talk::Quiet } else { Talk::Normal };

    let progress = Progress::start(arguments.progress, talk, Corpus::size(&origins));
    let announce = progress.clone();
    let corpus = Corpus::open(
        origins,
        Wanted { keep: arguments.keep.clone(), ..arguments.input.wanted() },
        Box::new(move |input: &Input| announce.note(format_args!("{}: {}", input.name, input.layout))),
    )?;
    let mut output = Output::create(arguments.output.as_deref())?;

    let listing = if matches!(question, Question::All(_)) { Listing::All } else { Listing::One };
    let writer = || arguments.to.writer(columns.clone(), listing);
    if !arguments.no_header {
        let mut header = Vec::new();
        writer().header(&mut header);
        output.write_all(&header).context("cannot write the output")?;
    }
    let workers =
        engines.into_iter().map(|engine| Worker::new(question, engine, writer(), Tally::new(arguments.top))).collect();
    let chunk = match (arguments.chunk, listing) {
        (Some(records), _) => ChunkSize::Fixed(records),
        (None, Listing::One) => ChunkSize::Adaptive { most: CHUNK },
        (None, Listing::All) => ChunkSize::Adaptive { most: LISTING_CHUNK },
    };
    let stop = stop_on_ctrl_c(&progress)?;

    let start = Instant::now();
    let mut last = None;
    let written = |chunk: &Chunk<Arc<Input>>| {
        progress.advance(chunk.records.len(), chunk.input_bytes);
        last = chunk.label.clone().zip(chunk.records.last().map(|record| record.line));
    };
    let outcome = pipeline::run(corpus, workers, &mut output, written, chunk, &stop);
    let wall = start.elapsed();
    progress.finish();
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(error) => {
            let error = anyhow::Error::new(error);
            return Err(match output.partial() {
                Some(partial) => anyhow!("{error:#}; the rows so far are in {}", partial.display()),
                None => error,
            });
        }
    };

    let stopped_after = match outcome.end {
        End::Complete => None,
        End::Stopped => last.map(|(input, line)| StoppedAfter { file: input.name.clone(), line }),
    };
    let mut tally = Tally::new(arguments.top);
    for worker in outcome.workers {
        tally.merge(worker.into_tally());
    }
    let summary = tally.summary(Run {
        wall,
        reader_cpu: outcome.stages.reader,
        workers_cpu: outcome.stages.workers,
        writer_cpu: outcome.stages.writer,
        threads,
        engine: engine.resolved().to_string(),
        limit: question.limit().get(),
        stopped_after,
    });
    progress.note(Report(&summary));
    if let Some(path) = &arguments.summary {
        write_summary(&summary, path)?;
    }
    if outcome.end == End::Stopped {
        let place = summary.stopped_after.as_ref().map(|place| format!(" after line {} of {}", place.line, place.file));
        let rows = output.partial().map(|partial| format!("; the rows so far are in {}", partial.display()));
        progress.note(format_args!("stopped{}{}", place.unwrap_or_default(), rows.unwrap_or_default()));
        return Ok(ExitCode::from(INTERRUPTED));
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

/// The first Ctrl-C lets the run finish what it has begun, the second ends it at once.
fn stop_on_ctrl_c(progress: &Progress) -> anyhow::Result<Stop> {
    let stop = Stop::new();
    let (trigger, progress, again) = (stop.clone(), progress.clone(), AtomicBool::new(false));
    let on_ctrl_c = move || {
        if again.swap(true, Ordering::Relaxed) {
            process::exit(i32::from(INTERRUPTED));
        }
        trigger.trigger();
        progress.note("stopping; once more to quit at once");
    };
    ctrlc::set_handler(on_ctrl_c).context("cannot listen to Ctrl-C")?;
    Ok(stop)
}

fn write_summary(summary: &Summary, path: &Path) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(summary)? + "\n";
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
