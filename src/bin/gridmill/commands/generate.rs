//! `gridmill generate`: puzzles with exactly one solution.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use gridmill::corpus::{Corpus, CorpusError};
use gridmill::format::{DetectError, InputOptions, NoCorpusError, UnclearAlphabetError};
use gridmill::jobs::generate::{
    ClueRange, GenerateError, GenerateJobError, GenerateReport, KnownClasses, Pattern, Shape, Target,
};
use gridmill::jobs::{EngineSource, Generate, JobError};
use gridmill::pipeline::End;
use gridmill::rating::ErRange;
use gridmill::resume::FileType;
use gridmill::rows::OutputFormat;
use indicatif::HumanCount;

use crate::args::{GenerateArgs, origins};
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::summary::{Counted, Seconds};

pub(crate) fn run(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let mut job = Generate::new(args.count)
        .order(args.order)
        .seed(args.seed)
        .target(target(args))
        .format(format(args)?)
        .solutions(args.with_solution)
        .distinct(args.distinct)
        .max_branches(args.run.max_branches)
        .engine(args.run.engine());
    if let Some(symmetry) = args.symmetry {
        job = job.shape(Shape::Symmetric(symmetry));
    }
    if let Some(pattern) = pattern(args)? {
        job = job.order(pattern.order()).shape(Shape::Pattern(pattern));
    }
    if let Some(max_tries) = args.max_tries {
        job = job.max_tries(max_tries);
    }
    if let Some(er) = args.er.or(args.level.map(ErRange::from)) {
        job = job.er(er);
    }
    job.check()?;
    if !args.not_in.is_empty() {
        let Some(known) = known_classes(args)? else { return Ok(ExitCode::from(ending::INTERRUPTED)) };
        job = job.not_in(known);
    }
    let progress = Progress::of_puzzles(&args.report, args.count);
    let job = job.observer(progress.observer_of_generate());
    let finished = job.run_to(&args.output.target(), &args.run.execution(&progress));
    progress.finish();
    let finished = finished.map_err(in_words)?;
    let report = &finished.report;
    progress.note(sentence(report));
    if let Some(path) = &args.summary {
        ending::write_json(report, path)?;
    }
    if finished.end == End::Stopped {
        return Ok(ending::stopped(&finished, None, &progress));
    }
    Ok(ExitCode::SUCCESS)
}

/// How far clues are taken away.
fn target(args: &GenerateArgs) -> Target {
    match (args.clues, args.minimal) {
        (Some(clues), true) => Target::MinimalRange(clues),
        (Some(ClueRange { fewest, most }), false) if fewest == most => Target::Clues(most),
        (Some(clues), false) => Target::Range(clues),
        (None, true) => Target::Minimal,
        (None, false) if args.symmetry.is_none() && args.pattern.is_none() => Target::Minimal,
        (None, false) => Target::Fewest,
    }
}

/// The pattern of `--pattern`.
fn pattern(args: &GenerateArgs) -> anyhow::Result<Option<Pattern>> {
    let Some(path) = &args.pattern else { return Ok(None) };
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let pattern = text.parse().map_err(|error| anyhow!("{} is no pattern of clues: {error}", path.display()))?;
    Ok(Some(pattern))
}

/// The classes of the puzzles of `--not-in`; `None` if reading them was stopped.
fn known_classes(args: &GenerateArgs) -> anyhow::Result<Option<KnownClasses>> {
    let old = origins(&args.not_in)?;
    let progress = Progress::of_inputs(&args.report, &old);
    let corpus = Corpus::open(old, InputOptions::default()).map_err(cannot_compare)?.on_open(progress.announcer());
    let engine = EngineSource::from(args.run.engine());
    let known = KnownClasses::read(corpus, &engine, args.run.max_branches, &args.run.execution(&progress));
    progress.finish();
    known.map_err(|error| match error {
        JobError::NothingToCompare(inputs) => {
            let inputs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
            anyhow!("cannot look for isomorphs in --not-in: {}", inputs.join("; "))
        }
        error => ending::in_words(error),
    })
}

/// An error of an input of `--not-in`, which has no options such as `--from`.
fn cannot_compare(error: CorpusError) -> anyhow::Error {
    let CorpusError::Detect { name, source } = error else { return error.into() };
    let why = match source {
        DetectError::NoCorpus(no_corpus) => {
            let NoCorpusError { line, reason, .. } = *no_corpus;
            format!("not a puzzle file: no record is close to a puzzle, line {line}: {reason}")
        }
        DetectError::NoPuzzleColumn { columns } => {
            let columns = columns.join(", ");
            format!("which column holds the puzzles is not clear; call it puzzle, the input has {columns}")
        }
        DetectError::Alphabet(UnclearAlphabetError { order }) => {
            format!("the alphabet of the {order} puzzles is not clear; only 9x9 puzzles are compared, leave them out")
        }
        source => source.to_string(),
    };
    anyhow!("cannot look for isomorphs in --not-in: {name}: {why}")
}

/// The columns that the options and the extension of the file ask for.
fn format(args: &GenerateArgs) -> anyhow::Result<OutputFormat> {
    args.output.check_parquet()?;
    match (args.output.target().file_type(), args.with_solution) {
        (None | Some(FileType::Csv | FileType::Parquet), true) => Ok(OutputFormat::Csv),
        (Some(FileType::Csv), false) => Ok(OutputFormat::Csv),
        (None | Some(FileType::Text | FileType::Parquet), false) => Ok(OutputFormat::Lines),
        (Some(text @ FileType::Text), true) => {
            bail!("{}, but --with-solution writes CSV; name it .csv", args.output.named(text))
        }
        (Some(other), _) => {
            bail!("{}, but generate writes lines or CSV; name it .txt or .csv", args.output.named(other))
        }
    }
}

/// The numbers of puzzles, clues and grids, and the time.
fn sentence(report: &GenerateReport) -> String {
    let clues = match (report.clues.first_key_value(), report.clues.last_key_value()) {
        (Some((fewest, _)), Some((most, _))) if fewest < most => format!("; {fewest} to {most} clues"),
        (_, Some((most, _))) => format!("; {most} clues"),
        _ => String::new(),
    };
    let missed = match report.missed {
        0 => String::new(),
        missed if report.puzzles == 0 => format!("; {} gave no such puzzle", Counted(missed, "grid")),
        missed => {
            let grids = (missed + report.puzzles) as f64 / report.puzzles as f64;
            format!("; {} gave no such puzzle: one in {grids:.1} did", Counted(missed, "grid"))
        }
    };
    let repeats = match report.repeats {
        0 => String::new(),
        repeats => {
            let new = 100.0 * report.puzzles as f64 / (report.puzzles + repeats) as f64;
            format!("; {} dropped: {new:.1} % of the puzzles were new", Counted(repeats, "isomorph"))
        }
    };
    let undecided = match report.undecided_clues {
        0 => String::new(),
        1 => "; 1 clue was kept because the search without it gave up".to_owned(),
        clues => format!("; {clues} clues were kept because the searches without them gave up"),
    };
    format!(
        "{} in {}: {} a second, {} with {}{clues}{missed}{repeats}{undecided}",
        Counted(report.puzzles, "puzzle"),
        Seconds(report.wall_seconds),
        HumanCount(report.puzzles_per_second as u64),
        Counted(report.threads as u64, "thread"),
        report.engine,
    )
}

/// Errors with the options that help.
fn in_words(error: GenerateJobError) -> anyhow::Error {
    let GenerateJobError::Broken { broken, .. } = error else { return error.into() };
    let help = match &broken.error {
        GenerateError::OutOfReach { spec, .. } if spec.er.is_some() => "; ask for a wider range, or raise --max-tries",
        GenerateError::OutOfReach { spec, .. } => match spec.target {
            Target::Clues(_) | Target::Range(_) => "; ask for more clues, or raise --max-tries",
            Target::Minimal | Target::MinimalRange(_) | Target::Fewest => "; raise --max-tries to search longer",
        },
        _ => "",
    };
    ending::broken_run(anyhow!("{}{help}", broken.error), broken.partial.as_ref())
}
