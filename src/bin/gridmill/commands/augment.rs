//! `gridmill augment`: random isomorphs of each puzzle of a corpus.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::bail;
use gridmill::format::AnswerColumn;
use gridmill::jobs::Augment;
use gridmill::jobs::augment::{AugmentCounts, AugmentReport};
use gridmill::pipeline::End;
use gridmill::resume::FileType;
use gridmill::rows::OutputFormat;

use crate::args::{AugmentArgs, AugmentFormat};
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::summary::{Counted, Seconds};

pub(crate) fn run(args: &AugmentArgs) -> anyhow::Result<ExitCode> {
    let job = job(args)?;
    let origins = args.input.origins()?;
    let progress = Progress::of_inputs(&args.report, &origins);
    let answer = args.answer_column.clone().map_or(AnswerColumn::ByName, AnswerColumn::Named);
    let corpus = args.input.open(origins, answer, &args.keep, &progress)?;
    let execution = args.run.execution(&progress);
    let finished = match (args.to, &args.output.output) {
        (Some(AugmentFormat::Hrm), Some(directory)) => job.run_to_training_set(corpus, directory, args.set, &execution),
        _ => job.run_to(corpus, &args.output.target(), &execution),
    };
    progress.finish();
    let finished = finished.map_err(ending::in_words)?;
    let report = &finished.report;
    if finished.end == End::Stopped && report.stopped_after.is_none() {
        return Ok(ending::stopped(&finished, None, &progress));
    }
    progress.note(sentence(report));
    if let Some(path) = &args.summary {
        ending::write_json(report, path)?;
    }
    if finished.end == End::Stopped {
        if args.to == Some(AugmentFormat::Hrm) {
            progress.note("no file of the set was written");
        }
        return Ok(ending::stopped(&finished, report.stopped_after.as_ref(), &progress));
    }
    Ok(ExitCode::SUCCESS)
}

/// The format of the rows; that of NPY files does not matter.
fn format(args: &AugmentArgs) -> anyhow::Result<OutputFormat> {
    let chosen = match args.to {
        None => None,
        Some(AugmentFormat::Csv) => Some(OutputFormat::Csv),
        Some(AugmentFormat::Jsonl) => Some(OutputFormat::Jsonl),
        Some(AugmentFormat::Hrm) => {
            return match (&args.output.output, args.origin || !args.keep.is_empty(), args.output.compress) {
                (None, ..) => bail!("--to hrm needs -o with the name of a directory"),
                (_, true, _) => bail!("--to hrm has no columns for --origin and --keep"),
                (.., Some(_)) => bail!("--to hrm writes NPY files, which are not compressed; leave out --compress"),
                _ => Ok(OutputFormat::Csv),
            };
        }
    };
    match args.output.target().file_type() {
        Some(text @ FileType::Text) => bail!("{}, but augment writes a table; name it .csv", args.output.named(text)),
        _ => args.output.format(chosen),
    }
}

/// The job that the options describe.
fn job(args: &AugmentArgs) -> anyhow::Result<Augment> {
    let mut job = Augment::new(args.copies).seed(args.seed).format(format(args)?);
    job = job.engine(args.run.engine()).max_branches(args.run.max_branches);
    if !args.kind.is_empty() {
        job = job.kinds(args.kind.iter().copied());
    }
    Ok(job.original(args.original).origin(args.origin))
}

/// The numbers of copies and puzzles, and of records that have none.
fn sentence(report: &AugmentReport) -> String {
    let AugmentCounts { puzzles, copies, fewer, malformed, unanswered } = report.counts;
    let copies = match copies {
        1 => "1 copy".to_owned(),
        copies => format!("{} copies", indicatif::HumanCount(copies)),
    };
    let mut sentence = format!("{copies} of {} in {}", Counted(puzzles, "puzzle"), Seconds(report.wall_seconds));
    let mut add = |count: u64, what: &'static str, why: &str| {
        if count > 0 {
            write!(sentence, "; {} {why}", Counted(count, what)).expect("a string takes any text");
        }
    };
    add(fewer, "puzzle", "with fewer, for lack of other isomorphs");
    add(malformed, "record", "left out: no puzzle");
    add(unanswered, "record", "left out: no full grid as its answer");
    sentence
}
