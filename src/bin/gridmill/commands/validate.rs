//! `gridmill validate`: a verdict on every record of a corpus, and a scorecard.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use gridmill::corpus::Origin;
use gridmill::format::AnswerColumn;
use gridmill::jobs::validate::{Finding, Findings, ValidateError};
use gridmill::jobs::{CopyError, JobError, OptionError, Validate};
use gridmill::pipeline::End;
use gridmill::resume::OutputTarget;

use crate::args::{ValidateArgs, origins, read_once};
use crate::report::{self, ReportFile};
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::scorecard::Scorecard;

pub(crate) fn run(args: &ValidateArgs) -> anyhow::Result<ExitCode> {
    args.output.check_csv("validate")?;
    let fail_on = fail_on(args)?;
    let inputs = args.input.origins()?;
    let others = if args.against.is_empty() { vec![] } else { origins(&args.against)? };
    let all: Vec<Origin> = others.iter().chain(&inputs).cloned().collect();
    read_once(&all)?;
    let progress = Progress::of_inputs(&args.report, &all);
    let mut job = job(args).fail_on(fail_on);
    job.check(&kept_columns(args), args.long_run.shard).map_err(in_words)?;
    if !others.is_empty() {
        job = job.against(args.input.open(others, AnswerColumn::Ignored, &[], &progress)?);
    }
    let answer = args.answer_column.clone().map_or(AnswerColumn::ByName, AnswerColumn::Named);
    let corpus = args.input.open(inputs, answer, &kept_columns(args), &progress)?;
    let corpus = match args.long_run.shard {
        Some(shard) => corpus.shard(shard),
        None => corpus,
    };
    let execution = args.run.execution(&progress);

    let page = ReportFile::create(args.page.as_deref())?;
    let finished = job.run_to(corpus, &args.output.target(), &execution);
    progress.finish();
    let finished = finished.map_err(in_words)?;
    let found = &finished.report;
    if finished.end == End::Stopped && found.stopped_after.is_none() {
        return Ok(ending::stopped(&finished, None, &progress));
    }
    let copied = |path| Option::filter(path, |_| finished.end == End::Complete);
    let (accepts, rejects) = (copied(args.accepts.as_deref()), copied(args.rejects.as_deref()));
    progress.report(Scorecard { report: found, accepts, rejects });
    if let Some(path) = &args.summary {
        ending::write_json(found, path)?;
    }
    if let Some(page) = page {
        page.write(&report::validate::page(found, &all)?.html()?)?;
    }
    if finished.end == End::Stopped {
        return Ok(ending::stopped(&finished, found.stopped_after.as_ref(), &progress));
    }
    Ok(ExitCode::from(u8::from(!found.failed_on.is_empty())))
}

/// The job that the options describe, without its corpora and outputs.
fn job(args: &ValidateArgs) -> Validate {
    let job = Validate::new().engine(args.run.engine()).max_branches(args.run.max_branches);
    let mut job = job.resume(args.long_run.resume);
    if let Some(column) = &args.rating_column {
        job = job.ratings(column);
    }
    if let Some(columns) = &args.columns {
        job = job.columns(columns);
    }
    if let Some(path) = &args.accepts {
        job = job.accepts(OutputTarget::file(path));
    }
    if let Some(path) = &args.rejects {
        job = job.rejects(OutputTarget::file(path));
    }
    job.minimal(args.minimal).classes(args.classes).duplicates(args.duplicates).isomorphs(args.isomorphs)
}

/// The columns of the input that rows have: those that are kept, and that with ratings.
fn kept_columns(args: &ValidateArgs) -> Vec<String> {
    let rating = args.rating_column.iter().filter(|rating| !args.keep.contains(rating));
    args.keep.iter().chain(rating).cloned().collect()
}

/// The findings that make the exit code 1. A finding that is not looked for is a mistake: the check would never fail.
fn fail_on(args: &ValidateArgs) -> anyhow::Result<Findings> {
    let Some(groups) = &args.fail_on else {
        let other = [Finding::NotMinimal, Finding::Duplicate, Finding::Isomorph];
        return Ok(Finding::ALL.into_iter().filter(|finding| !other.contains(finding)).collect());
    };
    for &finding in groups.iter().filter(|group| group.len() < Finding::ALL.len()).copied().flatten() {
        let (looked_for, option) = match finding {
            Finding::NotMinimal => (args.minimal, "--minimal"),
            Finding::WrongRating => (args.rating_column.is_some(), "--rating-column"),
            Finding::Duplicate => (args.duplicates, "--duplicates"),
            Finding::Isomorph => (args.isomorphs, "--isomorphs"),
            finding if Finding::LEAKS.contains(&finding) => (!args.against.is_empty(), "--against"),
            _ => continue,
        };
        if !looked_for {
            bail!("--fail-on {} needs {option}", finding.name());
        }
    }
    Ok(groups.iter().copied().flatten().copied().collect())
}

/// Options that contradict each other, by their names on the command line.
fn in_words(error: JobError) -> anyhow::Error {
    match error {
        JobError::Job(error) if matches!(error.downcast_ref(), Some(ValidateError::RepeatsInShard)) => {
            anyhow!("--duplicates and --isomorphs need the complete corpus: a shard does not see the others")
        }
        JobError::Options(OptionError::NeedsColumns(_)) => {
            anyhow!("--resume needs the columns findings, solutions, answer and class; --columns must have them")
        }
        JobError::Copy(CopyError::ParquetShard) => {
            anyhow!("--accepts and --rejects do not copy from a shard of Parquet files; leave out --shard")
        }
        error => ending::in_words(error),
    }
}
