//! `gridmill solve`: a corpus through the pipeline, into rows and a summary.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;
use gridmill::corpus::Origin;
use gridmill::corpus::Shard;
use gridmill::engine::Limit;
use gridmill::engine::solver::Question;
use gridmill::format::AnswerColumn;
use gridmill::jobs::solve::Worker;
use gridmill::jobs::solve::replay::SolveReplay;
use gridmill::pipeline::{ChunkSize, End};
use gridmill::resume::ShardMetadata;
use gridmill::resume::manifest::Manifest;
use gridmill::rows::{Column, Columns, Listing, OutputFormat, Status};
use gridmill::stats::{Figure, Resumed, Run, RunStats, Summary};

use super::mill::{self, PartialOutput};
use super::resume::{self, Kept, Plan};
use crate::args::{self, LongRunArgs};
use crate::ui::progress::Progress;
use crate::ui::summary::Report;

/// How many solutions `--all` lists of one puzzle unless `--limit` says otherwise.
const CAP: Limit = Limit::new(NonZeroU64::new(1000).unwrap());

/// The most records in a chunk where each may become many solutions, so that a chunk's output stays small.
const LISTING_CHUNK: NonZeroUsize = NonZeroUsize::new(16).unwrap();

pub(crate) fn run(arguments: &args::SolveArgs) -> anyhow::Result<ExitCode> {
    let question = question(arguments);
    let origins = mill::origins(&arguments.input.files);
    let columns = columns(arguments, origins.len())?;
    let listing = if matches!(question, Question::All(_)) { Listing::All } else { Listing::One };
    let mut recall = recaller(arguments, question, &columns, listing)?;
    let threads = super::threads(arguments.running.threads);
    let engine = arguments.running.engine();
    let build = engine.builder()?;

    let progress = mill::progress(&arguments.talking, &origins);
    let wanted = mill::wanted(&arguments.input, AnswerColumn::Ignored, &arguments.keep);
    let corpus = mill::open(origins.clone(), wanted, &progress)?;
    let mut corpus = corpus.shard(arguments.long_run.shard.unwrap_or(Shard::WHOLE));
    let stop = mill::stop_on_ctrl_c(&progress)?;

    let writer = || arguments.to.writer(columns.clone(), listing);
    let mut header = Vec::new();
    if !arguments.no_header {
        writer().header(&mut header);
    }
    let plan = Plan {
        destination: &arguments.destination,
        long_run: &arguments.long_run,
        kept: Kept::of(&arguments.destination, &arguments.long_run, || {
            manifest(arguments, &origins, question, &columns)
        })?,
        header,
        ends: arguments.to.ends(),
        threads,
    };
    if let Some(label) = plan.finished()? {
        progress.note("this shard is done already");
        let summary = label.tally.summary(label.run);
        tell(arguments, &summary, &progress)?;
        return Ok(verdict(arguments, &summary));
    }
    let leavings = if recall.is_some() { PartialOutput::Resumable } else { PartialOutput::Rows };
    let begun = plan.begin(&progress)?;
    let partial = begun.partial().map(Path::to_owned);
    let Some(mut rows) = begun.catch_up(&mut corpus, &mut recall, &progress, &stop)? else {
        return Ok(mill::stopped(None, partial.as_deref(), leavings, &progress));
    };
    let without = recall.as_ref().map_or(vec![], |recall| recall.without(listing == Listing::All));
    let resumed = (rows.recalled > 0).then_some(Resumed { records: rows.recalled, without });

    let workers =
        (0..threads).map(|_| Worker::new(question, build(), writer(), RunStats::new(arguments.top))).collect();
    let size = match (arguments.running.chunk, listing) {
        (None, Listing::All) => ChunkSize::Adaptive { most: LISTING_CHUNK },
        _ => mill::chunk_size(&arguments.running),
    };
    let milled = mill::run(corpus, workers, &mut rows.output, |_| Ok(()), size, &progress, &stop);
    progress.finish();
    let milled = milled.map_err(|error| mill::broken(error, rows.output.partial(), leavings))?;

    let mut tally = recall.map_or_else(|| RunStats::new(arguments.top), SolveReplay::into_tally);
    for worker in milled.workers {
        tally.merge(worker.into_tally());
    }
    let run = Run {
        pipelines: 1,
        wall: milled.wall,
        reader_cpu: milled.stages.reader,
        workers_cpu: milled.stages.workers,
        writer_cpu: milled.stages.writer,
        threads,
        engine: engine.resolved().to_string(),
        limit: question.limit().get(),
        stopped_after: milled.stopped_after,
        resumed,
    };
    let label = arguments.long_run.shard.zip(rows.kept.as_ref()).map(|(shard, kept)| ShardMetadata {
        shard,
        manifest: kept.manifest.clone(),
        records: tally.records(),
        tally: tally.clone(),
        run: run.clone(),
    });
    let summary = tally.summary(run);
    tell(arguments, &summary, &progress)?;
    if milled.end == End::Stopped {
        return Ok(mill::stopped(summary.stopped_after.as_ref(), rows.output.partial(), leavings, &progress));
    }
    rows.finish(label.as_ref())?;
    Ok(verdict(arguments, &summary))
}

fn tell(arguments: &args::SolveArgs, summary: &Summary, progress: &Progress) -> anyhow::Result<()> {
    progress.note(Report(summary));
    arguments.summary.as_deref().map_or(Ok(()), |path| mill::write_summary(summary, path))
}

fn verdict(arguments: &args::SolveArgs, summary: &Summary) -> ExitCode {
    let unsound = summary.records - summary.rows[Status::Unique.name()];
    ExitCode::from(u8::from(arguments.strict && unsound > 0))
}

/// What takes up the rows of an earlier run, if that can be done with rows of this kind.
fn recaller(
    arguments: &args::SolveArgs,
    question: Question,
    columns: &Columns,
    listing: Listing,
) -> anyhow::Result<Option<SolveReplay>> {
    let LongRunArgs { resume, shard } = arguments.long_run;
    // A first solution may be one of several.
    let printed = (question != Question::First).then_some(Status::Unique);
    let Some(reader) = arguments.to.reader(columns, listing, printed) else {
        if resume || shard.is_some() {
            let option = if resume { "--resume" } else { "--shard" };
            bail!("{option} needs a row for each record: --to csv or jsonl, or lines without --all");
        }
        return Ok(None);
    };
    let recall = SolveReplay::new(reader, RunStats::new(arguments.top));
    if resume && arguments.strict && recall.without(false).contains(&Figure::Rows) {
        bail!("--resume with --strict needs rows that tell what became of each record: a column status or solutions");
    }
    Ok(Some(recall))
}

/// What the rows depend on.
fn manifest(
    arguments: &args::SolveArgs,
    origins: &[Origin],
    question: Question,
    columns: &Columns,
) -> anyhow::Result<Manifest> {
    let limit = match question {
        Question::Count(limit) | Question::All(limit) => Some(limit.get().to_string()),
        Question::Any | Question::First => None,
    };
    let names: Vec<&str> = columns.own.iter().map(|column| column.name()).collect();
    let has_columns = arguments.to.has_columns();
    let own = [
        ("--limit", limit),
        ("--first", resume::flag(question == Question::First)),
        ("--all", resume::flag(matches!(question, Question::All(_)))),
        ("--to", Some(arguments.to.name().to_owned())),
        ("--columns", has_columns.then(|| names.join(","))),
        ("--keep", (!arguments.keep.is_empty()).then(|| arguments.keep.join(","))),
        ("--no-header", resume::flag(arguments.no_header)),
    ];
    let args::SolveArgs { input, running, destination, long_run, .. } = arguments;
    resume::manifest(
        "solve",
        origins,
        &[],
        resume::options(input, running, destination, long_run).into_iter().chain(own),
    )
}

fn question(arguments: &args::SolveArgs) -> Question {
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
fn columns(arguments: &args::SolveArgs, inputs: usize) -> anyhow::Result<Columns> {
    if !arguments.to.has_columns() && (arguments.columns.is_some() || !arguments.keep.is_empty()) {
        bail!("--to {} has no columns; --columns and --keep are for csv and jsonl", arguments.to.name());
    }
    let default = || Column::ALL.into_iter().filter(|&column| column != Column::File || inputs > 1).collect();
    Ok(Columns::new(arguments.columns.clone().unwrap_or_else(default), &arguments.keep))
}
