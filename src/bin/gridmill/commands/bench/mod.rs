//! `gridmill bench`: compares the speed of engines and other programs, after checking their answers.

mod args;
mod baseline;
mod catalogue;
mod export;
mod report;
mod row;
mod slowest;
mod table;

use std::io::Write;
use std::process::ExitCode;

use anyhow::Context;
use gridmill::corpus::Origin;
use gridmill::format::AnswerColumn;
use gridmill::jobs::Bench;
use gridmill::jobs::bench::{BenchEvent, BenchRow, CheckError, PuzzleSet, common_clock, write_puzzle_times};
use gridmill::pipeline::Stop;
use gridmill::resume::{OutputFile, OutputTarget, ReservedFile, RunFiles};
use indicatif::HumanCount;

pub(crate) use self::args::BenchArgs;
use self::baseline::{Baseline, Change, Results, SetFact};
use self::catalogue::DataSet;
use self::export::Export;
use self::row::RowWords;
use super::frame::Run;
use crate::args::values::{DurationArg, Percent};
use crate::report::machine::Machine;
use crate::signals;
use crate::ui::disagreements;
use crate::ui::ending;
use crate::ui::progress::{self, Progress, Verbosity};
use crate::ui::screen;
use crate::ui::summary::{Counted, Seconds};

impl Run for BenchArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.input.files()?.output("-o", &OutputTarget::stdout());
        let files = self.page.add_to(self.baseline.iter().fold(files, RunFiles::input));
        let files = self.times.iter().fold(files, |files, target| files.output("--times", target));
        let files = self.disagreements.iter().fold(files, |files, target| files.output("--disagreements", target));
        Ok(self.export.iter().fold(files, |files, path| files.written("--export", Some(path))))
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        let progress = Progress::of_tasks(self.progress, Verbosity::from_quiet(self.quiet));
        let stop = signals::stop_on_interrupt(&progress);
        let result = bench(self, &progress, &stop);
        progress.finish();
        match result {
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

    let reference = job.solvers().reference_index();
    let observe = |event: BenchEvent<'_>| show(event, reference, progress);
    let sets = match job.check(sets, &observe) {
        Ok(sets) => sets,
        Err(CheckError::Disagreements(found)) => {
            progress.finish();
            disagreements::list(&found.first, found.total, args.disagreements.as_ref());
            return Ok(ExitCode::FAILURE);
        }
        Err(error) => return Err(error.into()),
    };
    if job.solvers().len() > 1 {
        progress.note("all answers agree");
    }

    // Before the measurement, so that a file that cannot be written is found at once.
    let times_file = args.times.clone().map(ReservedFile::new).transpose()?;
    progress.note(format_args!("measuring on {}", Machine::this()));
    let timed = job.time(&sets, &observe)?;
    progress.finish();

    let rows = BenchRow::of_sets(&sets, &timed, reference, args.top);
    let mut stdout = OutputFile::create(&OutputTarget::stdout(), 1)?;
    let text = table::aligned(&rows, screen::stdout_width()) + &slowest::text(&rows, screen::stdout_width());
    stdout.write_all(text.as_bytes()).context("cannot write the table")?;
    stdout.finish()?;

    if let Some(file) = times_file {
        write_puzzle_times(file, &sets, &timed)?;
    }
    if args.times.is_some() || args.top > 0 {
        note_untimed(&rows, progress);
    }
    let results = Results::new(job.options(args.shuffle, seed), facts, &rows);
    exports.iter().try_for_each(|export| export.write(&rows, &results))?;
    if let Some(file) = args.page.file(&origins) {
        file.write(&report::page(&rows))?;
    }
    let is_slower = baseline.map(|baseline| compare(&baseline, &results, args, progress)).transpose()?;
    Ok(ExitCode::from(u8::from(is_slower == Some(true))))
}

/// Notes which solvers have no times of single puzzles.
fn note_untimed(rows: &[BenchRow], progress: &Progress) {
    let mut names: Vec<&str> = vec![];
    for row in rows.iter().filter(|row| row.max_nanos.is_none()) {
        if !names.contains(&&*row.label) {
            names.push(&row.label);
            progress.note(format_args!("{} is timed as a whole, so there are no times of its puzzles", row.label));
        }
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

/// Shows what is being done, and how the solvers compare with the reference as soon as a set is timed.
fn show(event: BenchEvent<'_>, reference: usize, progress: &Progress) {
    match event {
        BenchEvent::Checking { set, contender, start, end } => {
            if start == 0 {
                progress.note(format_args!("{set}: checking the answers of {contender}"));
            }
            progress.task(format_args!("{set}: checking {contender} on puzzles {} to {end}", start + 1));
        }
        // Also with --quiet: it is not what was asked for.
        BenchEvent::Limited { set, contender, timed, puzzles } => progress.warn(format_args!(
            "{set}: all solvers get only the first {} of {}: for all of them, {contender} needs more time than --seconds",
            HumanCount(timed as u64),
            HumanCount(puzzles as u64),
        )),
        BenchEvent::Timing { set, puzzles } => {
            progress.note(format_args!("{set}: timing {}", Counted(puzzles as u64, "puzzle")));
        }
        BenchEvent::Running { set, contender, round: 0 } => {
            progress.task(format_args!("{set}: warming up {contender}"));
        }
        BenchEvent::Running { set, contender, round } => {
            progress.task(format_args!("{set}: round {round}, timing {contender}"));
        }
        BenchEvent::Timed { contenders } => {
            let (clock, reference_times) = (common_clock(contenders), &contenders[reference].measurement);
            let rows: Vec<BenchRow> =
                contenders.iter().map(|timed| BenchRow::new(timed, reference_times, clock)).collect();
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
            for (_, row) in rows.iter().enumerate().filter(|(index, _)| *index != reference) {
                progress.note(row.sentence(&rows[reference]));
            }
        }
        _ => {}
    }
}

/// The job with its solvers.
fn job(args: &BenchArgs, stop: &Stop) -> anyhow::Result<Bench> {
    let timeout = args.solvers.timeout.map(|DurationArg(timeout)| timeout);
    let solvers = args.solvers.solvers(&args.threads, timeout, stop)?;
    let disagreements = args.disagreements.clone().map(ReservedFile::new).transpose()?;
    Ok(Bench::new(solvers).limit(args.solvers.limit()).budget(args.seconds.0).disagreements(disagreements))
}

/// The seed of the random isomorphs, if they are wanted.
fn isomorphs(args: &BenchArgs, progress: &Progress) -> Option<u64> {
    let seed = args.isomorphs?.number();
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
