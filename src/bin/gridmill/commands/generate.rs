//! `gridmill generate`: puzzles with exactly one solution.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use gridmill::jobs::Generate;
use gridmill::jobs::generate::{Content, GenerateError, GenerateJobError, GenerateReport, Target};
use gridmill::pipeline::End;
use gridmill::rating::ErRange;
use gridmill::resume::FileType;
use indicatif::HumanCount;

use crate::args::GenerateArgs;
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::summary::{Counted, Seconds};

pub(crate) fn run(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let mut job = Generate::new(args.count)
        .order(args.order)
        .seed(args.seed)
        .target(args.clues.map_or(Target::Minimal, Target::Clues))
        .content(content(args)?)
        .max_branches(args.run.max_branches)
        .engine(args.run.engine());
    if let Some(max_tries) = args.max_tries {
        job = job.max_tries(max_tries);
    }
    if let Some(er) = args.er.or(args.level.map(ErRange::from)) {
        job = job.er(er);
    }
    let progress = Progress::of_puzzles(&args.report, args.count);
    let finished = job.run_to(&args.output.target(), &args.run.execution(&progress));
    progress.finish();
    let finished = finished.map_err(in_words)?;
    if let Some(report) = &finished.report {
        progress.note(sentence(report, args));
        if let Some(path) = &args.summary {
            ending::write_json(report, path)?;
        }
    }
    if finished.end == End::Stopped {
        return Ok(ending::stopped(&finished, None, &progress));
    }
    Ok(ExitCode::SUCCESS)
}

/// The columns that the options and the extension of the file ask for.
fn content(args: &GenerateArgs) -> anyhow::Result<Content> {
    args.output.check_parquet()?;
    match (args.output.target().file_type(), args.with_solution) {
        (None | Some(FileType::Csv | FileType::Parquet), true) => Ok(Content::PuzzlesWithSolutions),
        (Some(FileType::Csv), false) => Ok(Content::PuzzleColumn),
        (None | Some(FileType::Text | FileType::Parquet), false) => Ok(Content::Puzzles),
        (Some(text @ FileType::Text), true) => {
            bail!("{}, but --with-solution writes CSV; name it .csv", args.output.named(text))
        }
        (Some(other), _) => {
            bail!("{}, but generate writes lines or CSV; name it .txt or .csv", args.output.named(other))
        }
    }
}

/// The numbers of puzzles, clues and grids, and the time.
fn sentence(report: &GenerateReport, args: &GenerateArgs) -> String {
    let clues = match (report.clues.first_key_value(), report.clues.last_key_value()) {
        (Some((fewest, _)), Some((most, _))) if fewest < most => format!("; {fewest} to {most} clues"),
        (_, Some((most, _))) => format!("; {most} clues"),
        _ => String::new(),
    };
    let missed = match report.missed {
        0 => String::new(),
        missed if args.er.is_some() || args.level.is_some() => {
            format!("; {} gave no such puzzle: one in {:.1} did", Counted(missed, "grid"), grids_for_one(report))
        }
        missed => format!("; {} gave no puzzle with so few", Counted(missed, "grid")),
    };
    let undecided = match report.undecided_clues {
        0 => String::new(),
        1 => "; 1 clue was kept because the search without it gave up".to_owned(),
        clues => format!("; {clues} clues were kept because the searches without them gave up"),
    };
    format!(
        "{} in {}: {} a second, {} with {}{clues}{missed}{undecided}",
        Counted(report.puzzles, "puzzle"),
        Seconds(report.wall_seconds),
        HumanCount(report.puzzles_per_second as u64),
        Counted(report.threads as u64, "thread"),
        report.engine,
    )
}

/// The number of grids that it took for a puzzle, on average.
fn grids_for_one(report: &GenerateReport) -> f64 {
    (report.missed + report.puzzles) as f64 / report.puzzles.max(1) as f64
}

/// Errors with the options that help.
fn in_words(error: GenerateJobError) -> anyhow::Error {
    match error {
        GenerateJobError::Generate(error @ GenerateError::OutOfReach { .. }) => {
            anyhow!("{error}; ask for more clues, or raise --max-tries")
        }
        GenerateJobError::Generate(error @ GenerateError::ErOutOfReach { .. }) => {
            anyhow!("{error}; ask for a wider range, or raise --max-tries")
        }
        error => error.into(),
    }
}
