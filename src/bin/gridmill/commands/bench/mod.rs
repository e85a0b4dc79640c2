//! `gridmill bench`: compares the speed of engines and other programs, after checking their answers.

mod chart;
mod export;
mod row;
mod table;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use gridmill::engine::{EngineKind, Limit};
use gridmill::format::AnswerColumn;
use gridmill::jobs::bench::{self, CheckError, Contender, Disagreement, EngineContender, Program, PuzzleSet};
use gridmill::resume::{OutputFile, OutputTarget};
use indicatif::HumanCount;

use self::export::Export;
use self::row::BenchRow;
use crate::args::{self, Seed};
use crate::ui::progress::{self, Progress, Verbosity};

pub(crate) fn run(arguments: &args::BenchArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::without_bar(Verbosity::from_quiet(arguments.quiet));
    let limit = Limit::new(arguments.limit);
    let exports = arguments.export.iter().map(|path| Export::from_path(path)).collect::<Result<Vec<_>, _>>()?;
    let mut contenders = contenders(arguments)?;
    let sets = read_sets(arguments, &progress)?;

    if let Some(disagreement) = find_disagreement(&sets, &mut contenders, limit)? {
        progress::say(disagreement);
        return Ok(ExitCode::FAILURE);
    }
    if contenders.len() > 1 {
        progress.note("all answers agree");
    }
    // Before the measurement, so that a file that cannot be written is found at once.
    let outputs = exports.iter().map(Export::create).collect::<Result<Vec<_>, _>>()?;
    let rows = measure(&sets, &mut contenders, limit, arguments.seconds.0, &progress)?;

    let mut stdout = OutputFile::create(&OutputTarget::stdout(), 1)?;
    stdout.write_all(table::aligned(&rows).as_bytes()).context("cannot write the table")?;
    stdout.finish()?;
    for (export, mut output) in exports.iter().zip(outputs) {
        output.write_all(&export.format.serialize(&rows)?).context("cannot write an export")?;
        output.finish()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Every engine with every number of threads, then the other programs.
fn contenders(arguments: &args::BenchArgs) -> anyhow::Result<Vec<Box<dyn Contender>>> {
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    let each = || EngineKind::ALL.into_iter().filter(|&kind| kind != EngineKind::Auto).collect();
    let engines: Vec<EngineKind> = if arguments.engines.is_empty() { each() } else { arguments.engines.clone() };
    for &engine in &engines {
        for &threads in &arguments.threads {
            let contender = EngineContender::new(engine, threads.into())?;
            contenders.push(Box::new(contender));
        }
    }
    for command in &arguments.solver {
        contenders.push(Box::new(Program::new(command.clone())));
    }
    Ok(contenders)
}

/// Compares the answers of all contenders on every set; returns the first disagreement.
fn find_disagreement(
    sets: &[PuzzleSet],
    contenders: &mut [Box<dyn Contender>],
    limit: Limit,
) -> anyhow::Result<Option<Box<Disagreement>>> {
    for set in sets {
        match bench::check(set, contenders, limit) {
            Ok(()) => {}
            Err(CheckError::Disagreement(disagreement)) => return Ok(Some(disagreement)),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(None)
}

/// Times all contenders on every set, each for about `budget`; notes how they compare with the first one.
fn measure(
    sets: &[PuzzleSet],
    contenders: &mut [Box<dyn Contender>],
    limit: Limit,
    budget: Duration,
    progress: &Progress,
) -> anyhow::Result<Vec<BenchRow>> {
    let mut rows = Vec::new();
    for set in sets {
        progress.note(format_args!("{}: timing {} puzzles", set.name(), HumanCount(set.len() as u64)));
        let measurements = bench::measure(set, contenders, limit, budget)?;
        let rows_of_set: Vec<BenchRow> = contenders
            .iter()
            .zip(&measurements)
            .map(|(contender, measurement)| BenchRow::new(set, &**contender, measurement, &measurements[0]))
            .collect();
        for row in &rows_of_set[1..] {
            progress.note(row.sentence(&rows_of_set[0]));
        }
        rows.extend(rows_of_set);
    }
    progress.note(
        "clock: CPU is the CPU time of an engine on one thread; wall is the wall time of several threads, or of another \
         program with its start; ratios are of wall times unless both sides have CPU times",
    );
    Ok(rows)
}

/// Reads the puzzles of every file; shuffles them or replaces them by isomorphs if that is wanted.
fn read_sets(arguments: &args::BenchArgs, progress: &Progress) -> anyhow::Result<Vec<PuzzleSet>> {
    let mut sets = Vec::new();
    for origin in arguments.input.origins() {
        sets.push(PuzzleSet::read(origin, arguments.input.options(AnswerColumn::Ignored, &[]), progress.announcer())?);
    }
    if let Some(seed) = arguments.isomorphs {
        let seed = match seed {
            Seed::Given(seed) => seed,
            // Only 32 bits, so that it is short enough to type.
            Seed::Random => RandomState::new().hash_one(0) >> 32,
        };
        progress.note(format_args!("random isomorphs; --isomorphs={seed} gives the same again"));
        sets = sets.iter().map(|set| set.isomorphs(seed)).collect();
    }
    if let Some(seed) = arguments.shuffle {
        sets = sets.iter().map(|set| set.shuffled(seed)).collect();
    }
    Ok(sets)
}
