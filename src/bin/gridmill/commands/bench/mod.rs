//! `gridmill bench`: engines and other programs on files of puzzles, checked against each other, then timed in turn.

mod chart;
mod export;
mod row;
mod table;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use gridmill::engine::{EngineChoice, EngineKind, Limit};
use gridmill::format::AnswerColumn;
use gridmill::jobs::bench::{self, CheckError, Contender, EngineContender, Program, PuzzleSet};
use gridmill::resume::{OutputFile, OutputTarget};
use indicatif::HumanCount;

use self::export::Export;
use self::row::BenchRow;
use crate::args::{self, Seed};
use crate::ui::progress::{self, Progress, Verbosity};

pub(crate) fn run(arguments: &args::BenchArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::without_bar(Verbosity::from_quiet(arguments.quiet));
    let limit = Limit::new(arguments.limit);
    let exports = arguments.export.iter().map(|path| Export::to(path)).collect::<Result<Vec<_>, _>>()?;
    let mut contenders = contenders(arguments)?;
    let sets = read(arguments, &progress)?;

    for set in &sets {
        match bench::check(set, &mut contenders, limit) {
            Ok(()) => {}
            Err(CheckError::Disagreement(disagreement)) => {
                progress::say(disagreement);
                return Ok(ExitCode::FAILURE);
            }
            Err(CheckError::Program(error)) => return Err(error.into()),
        }
    }
    if contenders.len() > 1 {
        progress.note("all answers agree");
    }
    let outputs = exports.iter().map(Export::create).collect::<Result<Vec<_>, _>>()?;

    let mut rows = Vec::new();
    for set in &sets {
        progress.note(format_args!("{}: timing {} puzzles", set.name(), HumanCount(set.len() as u64)));
        let measurements = bench::measure(set, &mut contenders, limit, arguments.seconds.0)?;
        let measured = contenders.iter().zip(&measurements);
        let of_set: Vec<BenchRow> =
            measured.map(|(who, what)| BenchRow::new(set, &**who, what, &measurements[0])).collect();
        for row in &of_set[1..] {
            progress.note(row.sentence(&of_set[0]));
        }
        rows.extend(of_set);
    }
    progress.note(
        "clock: CPU is the thread's CPU time, for an engine on one thread; wall is for several threads and for other \
         programs, whose start counts; ratios are by the wall where only one side has CPU time",
    );

    let mut stdout = OutputFile::create(&OutputTarget::stdout(), 1)?;
    stdout.write_all(table::aligned(&rows).as_bytes()).context("cannot write the table")?;
    stdout.finish()?;
    for (export, mut output) in exports.iter().zip(outputs) {
        output.write_all(&export.format.text(&rows)?).context("cannot write an export")?;
        output.finish()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Every engine with every number of threads, then the other programs.
fn contenders(arguments: &args::BenchArgs) -> anyhow::Result<Vec<Box<dyn Contender>>> {
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    let each =
        || EngineKind::ALL.into_iter().filter(|&kind| kind != EngineKind::Auto).map(EngineChoice::from).collect();
    let engines: Vec<EngineChoice> = if arguments.engines.is_empty() { each() } else { arguments.engines.clone() };
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

/// The puzzles of every file, as they are wanted, with notes that say how to have the same again.
fn read(arguments: &args::BenchArgs, progress: &Progress) -> anyhow::Result<Vec<PuzzleSet>> {
    let mut sets = Vec::new();
    for origin in arguments.input.origins() {
        sets.push(PuzzleSet::read(origin, arguments.input.options(AnswerColumn::Ignored, &[]), progress.announcer())?);
    }
    if let Some(seed) = arguments.isomorphs {
        let seed = match seed {
            Seed::Given(seed) => seed,
            // Short, for whoever wants to type it again.
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
