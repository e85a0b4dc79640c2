//! `gridmill bench`: compares the speed of engines and other programs, after checking their answers.

mod export;
mod report;
mod row;
mod table;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use gridmill::engine::{EngineKind, Limit};
use gridmill::format::AnswerColumn;
use gridmill::jobs::bench::{CheckError, Disagreement, EngineContender, Program, PuzzleSet, Timed};
use gridmill::jobs::{Bench, Event, Execution};
use gridmill::resume::{OutputFile, OutputTarget};

use self::export::Export;
use self::row::BenchRow;
use crate::args::{BenchArgs, Seed};
use crate::report::ReportFile;
use crate::ui::printable::in_one_line;
use crate::ui::progress::{self, Progress, Verbosity};
use crate::ui::screen;

pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::without_bar(Verbosity::from_quiet(args.quiet));
    let exports = args.export.iter().map(|path| Export::from_path(path)).collect::<Result<Vec<_>, _>>()?;
    let mut job = job(args)?;
    let sets = read_sets(args, &progress)?;
    match job.check(&sets) {
        Ok(()) => {}
        Err(CheckError::Disagreement(disagreement)) => {
            progress::say_lines(Disagreement { file: in_one_line(&disagreement.file), ..*disagreement });
            return Ok(ExitCode::FAILURE);
        }
        Err(error) => return Err(error.into()),
    }
    if job.contenders() > 1 {
        progress.note("all answers agree");
    }
    // Before the measurement, so that a file that cannot be written is found at once.
    let outputs = exports.iter().map(Export::create).collect::<Result<Vec<_>, _>>()?;
    let page = ReportFile::create(args.page.as_deref())?;
    let timed = job.time(&sets, &Execution::new().observer(observer(&progress)))?;
    progress.note(format_args!("clock: {CLOCKS}"));

    let rows: Vec<BenchRow> = timed.chunks(job.contenders()).flat_map(rows_of_set).collect();
    let mut stdout = OutputFile::create(&OutputTarget::stdout(), 1)?;
    stdout.write_all(table::aligned(&rows, screen::stdout_width()).as_bytes()).context("cannot write the table")?;
    stdout.finish()?;
    for (export, mut output) in exports.iter().zip(outputs) {
        output.write_all(&export.format.serialize(&rows)?).context("cannot write an export")?;
        output.finish()?;
    }
    if let Some(page) = page {
        page.write(&report::page(&rows, &args.input.origins()?, CLOCKS)?.html()?)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What the times in the table are.
const CLOCKS: &str = "CPU is the CPU time of an engine on one thread; wall is the wall time of several threads, or of \
                      another program with its start; ratios are of wall times unless both sides have CPU times; p50 \
                      to max are of single puzzles, with lanes of their shares of a batch";

/// The contenders on one set, compared with the first.
fn rows_of_set(timed: &[Timed]) -> Vec<BenchRow> {
    timed.iter().map(|contender| BenchRow::new(contender, &timed[0].measurement)).collect()
}

/// Notes how the contenders compare with the first as soon as a set is timed.
fn observer(progress: &Progress) -> impl Fn(Event<'_>) + Send + Sync + use<> {
    let (progress, show) = (progress.clone(), progress.observer());
    move |event| match event {
        Event::Timed { contenders } => {
            let rows = rows_of_set(contenders);
            for row in &rows {
                if let Some(undecided) = row.undecided.filter(|&undecided| undecided > 0) {
                    progress.note(format_args!("{} gave up on {undecided} of {} puzzles", row.label, row.puzzles));
                }
            }
            for row in &rows[1..] {
                progress.note(row.sentence(&rows[0]));
            }
        }
        event => show(event),
    }
}

/// The job with a contender for every engine and number of threads, then for every other program.
fn job(args: &BenchArgs) -> anyhow::Result<Bench> {
    let mut job = Bench::new().limit(Limit::new(args.limit)).budget(args.seconds.0);
    let each = || EngineKind::ALL.into_iter().filter(|&kind| kind != EngineKind::Auto).collect();
    let engines: Vec<EngineKind> = if args.engines.is_empty() { each() } else { args.engines.clone() };
    for &engine in &engines {
        for &threads in &args.threads {
            job = job.contender(EngineContender::new(engine, threads.into())?.max_branches(args.max_branches));
        }
    }
    for command in &args.solver {
        job = job.contender(Program::new(command.clone()));
    }
    Ok(job)
}

/// Reads the puzzles of every file; shuffles them or replaces them by isomorphs if that is wanted.
fn read_sets(args: &BenchArgs, progress: &Progress) -> anyhow::Result<Vec<PuzzleSet>> {
    let mut sets = Vec::new();
    for origin in args.input.origins()? {
        sets.push(PuzzleSet::read(origin, args.input.options(AnswerColumn::Ignored, &[]), progress.announcer())?);
    }
    if let Some(seed) = args.isomorphs {
        let seed = match seed {
            Seed::Given(seed) => seed,
            // Only 32 bits, so that it is short enough to type.
            Seed::Random => RandomState::new().hash_one(0) >> 32,
        };
        progress.note(format_args!("random isomorphs; --isomorphs={seed} gives the same again"));
        sets = sets.iter().map(|set| set.isomorphs(seed)).collect();
    }
    if let Some(seed) = args.shuffle {
        sets = sets.iter().map(|set| set.shuffled(seed)).collect();
    }
    Ok(sets)
}
