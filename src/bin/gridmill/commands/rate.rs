//! `gridmill rate`: how hard the puzzles of a corpus are for a person.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use gridmill::format::AnswerColumn;
use gridmill::jobs::rate::RateRows;
use gridmill::jobs::{JobError, OptionError, Rate};
use gridmill::pipeline::End;
use gridmill::resume::FileType;
use gridmill::rows::{OutputFormat};

use crate::args::{Only, RateArgs};
use crate::report::{self, ReportFile};
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::summary::Report;

pub(crate) fn run(args: &RateArgs) -> anyhow::Result<ExitCode> {
    let job = job(args, args.output.format(args.to)?);
    if args.steps && !args.keep.is_empty() && args.output.target().file_type() == Some(FileType::Parquet) {
        bail!("--keep with --steps needs csv or jsonl output, not Parquet");
    }
    job.check(&args.keep, args.long_run.shard).map_err(|error| in_words(error, args))?;
    let origins = args.input.origins()?;
    let progress = Progress::of_inputs(&args.report, &origins);
    let inputs = origins.clone();
    let corpus = args.input.open(origins, AnswerColumn::Ignored, &args.keep, &progress)?;
    let corpus = match args.long_run.shard {
        Some(shard) => corpus.shard(shard),
        None => corpus,
    };
    let execution = args.run.execution(&progress);

    let page = ReportFile::create(args.page.as_deref())?;
    let finished = job.run_to(corpus, &args.output.target(), &execution);
    progress.finish();
    let finished = finished.map_err(|error| in_words(error, args))?;
    let summary = &finished.report;
    if finished.end == End::Stopped && summary.stopped_after.is_none() {
        return Ok(ending::stopped(&finished, None, &progress));
    }
    progress.report(Report(summary));
    if let Some(path) = &args.summary {
        ending::write_json(summary, path)?;
    }
    if let Some(page) = page {
        page.write(&report::rate::page(summary, &inputs)?.html()?)?;
    }
    if finished.end == End::Stopped {
        return Ok(ending::stopped(&finished, summary.stopped_after.as_ref(), &progress));
    }
    Ok(ExitCode::SUCCESS)
}

/// What rows are for.
fn rows(args: &RateArgs) -> RateRows {
    match args.only {
        Some(Only::Er) => RateRows::Er,
        None if args.steps => RateRows::Steps,
        None => RateRows::Puzzles,
    }
}

/// The job that the options describe.
fn job(args: &RateArgs, format: OutputFormat) -> Rate {
    let mut job = Rate::new()
        .rows(rows(args))
        .engine(args.run.engine())
        .max_branches(args.run.max_branches)
        .format(format)
        .header(!args.no_header)
        .slowest(args.top)
        .resume(args.long_run.resume);
    if let Some(max_er) = args.max_er {
        job = job.max_er(max_er);
    }
    if let Some(isomorphs) = args.isomorphs {
        job = job.isomorphs(isomorphs, args.seed);
    }
    job
}

/// Options that contradict each other, by their names on the command line.
fn in_words(error: JobError, args: &RateArgs) -> anyhow::Error {
    match error {
        JobError::Options(OptionError::NotOneRowARecord) => {
            let option = if args.long_run.resume { "--resume" } else { "--shard" };
            anyhow!("{option} needs a row for each record, but --steps writes one for each step")
        }
        JobError::Options(OptionError::NoSuchFormat(_)) => match args.output.target().file_type() {
            Some(file_type) => anyhow!("{}, but rate writes csv and jsonl", args.output.named(file_type)),
            None => error.into(),
        },
        error => ending::in_words(error),
    }
}
