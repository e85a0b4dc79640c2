//! `gridmill solve`: a row for each record of a corpus, and a summary.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use gridmill::engine::Limit;
use gridmill::engine::solver::Question;
use gridmill::format::AnswerColumn;
use gridmill::jobs::solve::LISTING_LIMIT;
use gridmill::jobs::{JobError, OptionError, Solve};
use gridmill::pipeline::End;
use gridmill::rows::{OutputFormat, Status};
use gridmill::stats::Summary;

use crate::args::{SolveArgs, first_or_count};
use crate::report::{self, ReportFile};
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::summary::Report;

pub(crate) fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let format = args.output.format(args.to)?;
    let job = job(args, format)?;
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
        page.write(&report::solve::page(summary, &inputs)?.html()?)?;
    }
    if finished.end == End::Stopped {
        return Ok(ending::stopped(&finished, summary.stopped_after.as_ref(), &progress));
    }
    Ok(ExitCode::from(u8::from(args.strict && has_unsound(summary))))
}

fn has_unsound(summary: &Summary) -> bool {
    summary.rows[Status::Unique] < summary.records
}

/// The job that the options describe.
fn job(args: &SolveArgs, format: OutputFormat) -> anyhow::Result<Solve> {
    let question = question(args, format);
    if args.long_run.resume && args.strict && !shows_status(args, question, format) {
        bail!("--resume with --strict needs rows that show the status of each record: a column status or solutions");
    }
    let job = Solve::new()
        .question(question)
        .engine(args.run.engine())
        .max_branches(args.run.max_branches)
        .format(format)
        .header(!args.no_header)
        .slowest(args.top)
        .resume(args.long_run.resume);
    Ok(match &args.columns {
        Some(columns) => job.columns(columns),
        None => job,
    })
}

fn question(args: &SolveArgs, format: OutputFormat) -> Question {
    let limit = args.limit.map(Limit::new);
    if args.all || (format == OutputFormat::Listing && !args.first) {
        Question::All(limit.unwrap_or(LISTING_LIMIT))
    } else {
        first_or_count(args.first, limit)
    }
}

/// Whether the rows show what status their records have.
fn shows_status(args: &SolveArgs, question: Question, format: OutputFormat) -> bool {
    let is_status = |column: &String| column == "status" || column == "solutions";
    match &args.columns {
        Some(columns) => columns.iter().any(is_status),
        // Of a puzzle with several solutions, the first may stand in its line.
        None => format != OutputFormat::Lines || question != Question::First,
    }
}

/// Options that contradict each other, by their names on the command line.
fn in_words(error: JobError, args: &SolveArgs) -> anyhow::Error {
    match error {
        JobError::Options(OptionError::NoColumns(format)) => {
            anyhow!("the format {} has no columns; --columns and --keep are for csv and jsonl", format.name())
        }
        JobError::Options(OptionError::NotOneRowARecord) => {
            let option = if args.long_run.resume { "--resume" } else { "--shard" };
            anyhow!("{option} needs a row for each record: --to csv or jsonl, or lines without --all")
        }
        error => ending::in_words(error),
    }
}
