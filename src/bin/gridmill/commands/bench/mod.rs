//! `gridmill bench`: compares the speed of engines and other programs, after checking their answers.

mod args;
mod baseline;
mod catalogue;
mod export;
mod report;
mod row;
mod table;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, bail};
use gridmill::corpus::Origin;
use gridmill::engine::{EngineKind, Limit};
use gridmill::format::AnswerColumn;
use gridmill::jobs::Bench;
use gridmill::jobs::bench::BenchEvent;
use gridmill::jobs::bench::{
    CheckError, Clock, Disagreement, DisagreementError, EngineContender, Program, PuzzleSet, Timed, common_clock,
};
use gridmill::pipeline::Stop;
use gridmill::resume::{OutputFile, OutputTarget, RunFiles};

pub(crate) use self::args::BenchArgs;
use self::baseline::{Baseline, Change, Results, SetFact};
use self::catalogue::DataSet;
use self::export::Export;
use self::row::BenchRow;
use super::frame::Run;
#[cfg(unix)]
use crate::args::values::PluginArg;
use crate::args::values::{DurationArg, Percent, Seed, SolverArg};
use crate::signals;
use crate::ui::ending;
use crate::ui::printable::in_one_line;
use crate::ui::progress::{self, Progress, Verbosity};
use crate::ui::screen;
use crate::ui::summary::{Counted, Seconds};

impl Run for BenchArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.input.files()?.output("-o", &OutputTarget::stdout());
        let files = self.page.add_to(self.baseline.iter().fold(files, RunFiles::input));
        Ok(self.export.iter().fold(files, |files, path| files.written("--export", Some(path))))
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        let progress = Progress::without_bar(Verbosity::from_quiet(self.quiet));
        let stop = signals::stop_on_interrupt(&progress);
        match bench(self, &progress, &stop) {
            // The process of a solver was killed.
            Err(_) if stop.is_triggered() => Ok(ExitCode::from(ending::INTERRUPTED)),
            result => result,
        }
    }
}

/// Checks and measures the solvers, and reports.
fn bench(args: &BenchArgs, progress: &Progress, stop: &Stop) -> anyhow::Result<ExitCode> {
    let exports = args.export.iter().map(|path| Export::from_path(path)).collect::<Result<Vec<_>, _>>()?;
    let baseline = args.baseline.as_deref().map(Baseline::read).transpose()?;
    let mut job = job(args, stop)?;
    let origins = args.input.origins()?;
    let facts = origins.iter().map(SetFact::new).collect::<anyhow::Result<Vec<_>>>()?;
    for SetFact { file, data_set, .. } in &facts {
        if let Some(DataSet { name, source, puzzles, .. }) = data_set {
            let puzzles = Counted(*puzzles as u64, "puzzle");
            progress.note(format_args!("{file} is the public data set {name} of {puzzles}: {source}"));
        }
    }
    let seed = isomorphs(args, progress);
    let sets = read_sets(args, &origins, seed, progress)?;
    let observe = |event: BenchEvent<'_>| show(event, progress);
    match job.check(&sets, &observe) {
        Ok(()) => {}
        Err(CheckError::Disagreements(found)) => {
            list(&found);
            return Ok(ExitCode::FAILURE);
        }
        Err(error) => return Err(error.into()),
    }
    if job.contenders() > 1 {
        progress.note("all answers agree");
    }
    let timed = job.time(&sets, &observe)?;
    progress.note(CLOCKS);

    let clock = common_clock(&timed);
    let rows: Vec<BenchRow> = timed.chunks(job.contenders()).flat_map(|timed| rows_of_set(timed, clock)).collect();
    let mut stdout = OutputFile::create(&OutputTarget::stdout(), 1)?;
    stdout.write_all(table::aligned(&rows, screen::stdout_width()).as_bytes()).context("cannot write the table")?;
    stdout.finish()?;
    let results = Results::new(args, seed, facts, &rows);
    exports.iter().try_for_each(|export| export.write(&rows, &results))?;
    if let Some(file) = args.page.file(&origins) {
        file.write(&report::page(&rows, CLOCKS))?;
    }
    let is_slower = baseline.map(|baseline| compare(&baseline, &results, args, progress)).transpose()?;
    Ok(ExitCode::from(u8::from(is_slower == Some(true))))
}

/// What the times in the table are.
const CLOCKS: &str = "one clock for all rows: the CPU time of engines and plugins on one thread and of the processes of other \
                      programs, or, if one has several threads, the wall time; the start of a program is not part of its \
                      times; p50 to max are of single puzzles, with lanes of their shares of a batch";

/// Writes the first disagreements, and how many there are.
fn list(found: &DisagreementError) {
    for disagreement in &found.first {
        let file = in_one_line(&disagreement.file);
        progress::say_lines(Disagreement { file, ..disagreement.clone() });
    }
    if found.total > found.first.len() {
        progress::say(format_args!("and {} more disagreements on {}", found.total - found.first.len(), found.file));
    }
}

/// Notes how the rows compare with the baseline; returns whether one is slower by more than is allowed.
fn compare(baseline: &Baseline, results: &Results, args: &BenchArgs, progress: &Progress) -> anyhow::Result<bool> {
    if let Some(cpu) = baseline.other_cpu() {
        // Also with --quiet: it makes the comparison worthless.
        progress::say(format_args!("the baseline is of another CPU: {cpu}"));
    }
    let mut is_slower = false;
    for Change { what, ratio } in baseline.changes(results)? {
        let percent = (1.0 - ratio) * 100.0;
        let (amount, way) = (percent.abs(), if percent > 0.0 { "slower" } else { "faster" });
        if args.fail_if_slower.is_some_and(|Percent(most)| percent > most) {
            is_slower = true;
            progress::say_error(format_args!("{what} is {amount:.1} % slower than in the baseline"));
        } else {
            progress.note(format_args!("{what} is {amount:.1} % {way} than in the baseline"));
        }
    }
    Ok(is_slower)
}

/// The contenders on one set, compared with the first.
fn rows_of_set(timed: &[Timed], clock: Clock) -> Vec<BenchRow> {
    timed.iter().map(|contender| BenchRow::new(contender, &timed[0].measurement, clock)).collect()
}

/// Notes how the contenders compare with the first as soon as a set is timed.
fn show(event: BenchEvent<'_>, progress: &Progress) {
    match event {
        BenchEvent::Checking { set, contender } => {
            progress.note(format_args!("{set}: checking the answers of {contender}"));
        }
        BenchEvent::Timing { set, puzzles } => {
            progress.note(format_args!("{set}: timing {}", Counted(puzzles as u64, "puzzle")));
        }
        BenchEvent::Timed { contenders } => {
            let rows = rows_of_set(contenders, common_clock(contenders));
            for row in &rows {
                if let Some(undecided) = row.undecided.filter(|&undecided| undecided > 0) {
                    progress.note(format_args!("{} gave up on {undecided} of {} puzzles", row.label, row.puzzles));
                }
            }
            for row in &rows {
                if let Some(start) = row.start_seconds {
                    progress.note(format_args!(
                        "{} takes {} to start, which is not counted",
                        row.label,
                        Seconds(start)
                    ));
                }
            }
            for row in &rows[1..] {
                progress.note(row.sentence(&rows[0]));
            }
        }
        _ => {}
    }
}

/// Checks that no two solvers have the same name, by which a baseline finds them. The same command may be given twice.
fn check_names(args: &BenchArgs) -> anyhow::Result<()> {
    let mut names: Vec<String> = args.engines.iter().map(ToString::to_string).collect();
    names.dedup();
    let programs = args.solver.iter().filter(|solver| solver.name != solver.command).map(|solver| &solver.name);
    #[cfg(unix)]
    let programs = programs.chain(args.plugin.iter().map(|plugin| &plugin.name));
    for name in programs {
        if names.contains(name) {
            bail!("two solvers are called '{name}'");
        }
        names.push(name.clone());
    }
    Ok(())
}

/// The job with a contender for every engine and number of threads, then for every other program, then for every plugin
/// and number of threads.
fn job(args: &BenchArgs, stop: &Stop) -> anyhow::Result<Bench> {
    check_names(args)?;
    let mut job = Bench::new().limit(Limit::new(args.limit)).budget(args.seconds.0);
    let each = || EngineKind::ALL.into_iter().filter(|&kind| kind != EngineKind::Auto).collect();
    let engines: Vec<EngineKind> = if args.engines.is_empty() { each() } else { args.engines.clone() };
    for &engine in &engines {
        for &threads in &args.threads {
            job = job.contender(EngineContender::new(engine, threads.into())?.max_branches(args.max_branches));
        }
    }
    for SolverArg { name, command } in &args.solver {
        let program = Program::new(command.clone()).named(name).stop(stop.clone());
        job = job.contender(match args.timeout {
            Some(DurationArg(timeout)) => program.timeout(timeout),
            None => program,
        });
    }
    #[cfg(unix)]
    for PluginArg { name, path } in &args.plugin {
        for &threads in &args.threads {
            let plugin = path.solver(name, threads.into())?.stop(stop.clone());
            job = job.contender(match args.timeout {
                Some(DurationArg(timeout)) => plugin.timeout(timeout),
                None => plugin,
            });
        }
    }
    Ok(job)
}

/// The seed of the random isomorphs, if they are wanted.
fn isomorphs(args: &BenchArgs, progress: &Progress) -> Option<u64> {
    let seed = match args.isomorphs? {
        Seed::Given(seed) => seed,
        // Only 32 bits, so that it is short enough to type.
        Seed::Random => RandomState::new().hash_one(0) >> 32,
    };
    progress.note(format_args!("random isomorphs; --isomorphs={seed} gives the same again"));
    Some(seed)
}

/// Reads the puzzles of every file; shuffles them or replaces them by isomorphs if that is wanted.
fn read_sets(
    args: &BenchArgs,
    origins: &[Origin],
    isomorphs: Option<u64>,
    progress: &Progress,
) -> anyhow::Result<Vec<PuzzleSet>> {
    let mut sets = Vec::new();
    for origin in origins {
        let options = args.input.options(AnswerColumn::Ignored, &[]);
        sets.push(PuzzleSet::read(origin.clone(), options, progress.announcer())?);
    }
    if let Some(seed) = isomorphs {
        sets = sets.iter().map(|set| set.isomorphs(seed)).collect();
    }
    if let Some(seed) = args.shuffle {
        sets = sets.iter().map(|set| set.shuffled(seed)).collect();
    }
    Ok(sets)
}
