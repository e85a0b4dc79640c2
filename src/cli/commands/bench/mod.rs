//! `gridmill bench`: compares the speed of engines and other programs, after checking their answers.

mod results;
mod table;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{ArgGroup, Args};
use gridmill::corpus::Origin;
use gridmill::format::AnswerColumn;
use gridmill::output::{OutputFile, OutputTarget, ReservedFile, RunFiles};
use gridmill::pipeline::Stop;
use indicatif::HumanCount;

use self::results::{Export, Load, Results, SetFact, SpeedChange, SpeedVerdict};
use super::frame::Run;
use super::fuzz::{say_disagreement, say_others};
use crate::cli::args::values::{number, percent, seconds, seed, table_file, up_to};
use crate::cli::args::{InputArgs, PageArgs, ProgressArgs, SolversArgs, without_record};
use crate::cli::bench::{
    Bench, BenchEvent, BenchResult, BenchRow, CheckError, PuzzleSet, SetError, common_clock, write_puzzle_times,
};
use crate::cli::call::Exit;
use crate::cli::report::facts::Machine;
use crate::cli::signals;
use crate::cli::ui::progress::{self, Progress};
use crate::cli::ui::screen;
use crate::cli::ui::summary::{Counted, Seconds};

const EXAMPLES: &str = "\
Examples:
  Compare all engines on a file, and draw a chart:
    gridmill bench puzzles.txt --export chart.svg
  Compare a program of your own with the bitmask engine:
    gridmill bench puzzles.txt --engines bitmask --solver mine=./my-solver
  Compare with another program, and name the puzzles that take it longest:
    gridmill bench puzzles.txt --engines bitmask --solver mine=./my-solver --reference mine --top 5
  Compare two versions of it, and fail if the second one is more than 5 % slower:
    gridmill bench puzzles.txt --solver a=./my-solver --solver b=./my-solver --compare a b || true
  Compare one thread with two:
    gridmill bench puzzles.txt --engines lanes --threads 1,2";

/// Compare the speed of engines and other solvers, after checking their answers.
///
/// The table on standard output has a row for each file and solver: puzzles per second, the speed relative to the
/// reference, guesses per puzzle, and percentiles of the times of single puzzles.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    group = ArgGroup::new("other").args(["baseline", "compare"]).multiple(true),
    mut_arg("progress", |progress| progress.help("When to show what is measured at the moment, and how long it has taken so far")),
    mut_arg("quiet", |quiet| quiet.help("Print only the table and errors, no notes").long_help(None::<&str>)),
)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    solvers: SolversArgs,

    /// Number of threads of an engine or a plugin; several numbers are compared
    #[arg(long, value_name = "N,M", value_delimiter = ',', default_value = "1", value_parser = up_to::<1024>, help_heading = "Solvers")]
    threads: Vec<u16>,

    /// CPU time for each solver on each file, in seconds, approximately
    ///
    /// A solver that needs longer for all puzzles gets a random sample of the file, and a line says so. 0 is the shortest
    /// measurement of all puzzles, however long that takes.
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds, help_heading = "Measuring")]
    seconds: Duration,

    /// Take the puzzles in a random order
    #[arg(long, value_name = "SEED", value_parser = number::<u64>, help_heading = "Measuring")]
    shuffle: Option<u64>,

    /// Replace each puzzle by a random isomorph: relabelled, permuted, transposed
    ///
    /// Without a seed each run takes different ones.
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true, default_missing_value = "random", value_parser = seed, help_heading = "Measuring")]
    isomorphs: Option<u64>,

    /// Also write the table as .csv or .md, all results as .json, a chart as .svg; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    export: Vec<PathBuf>,

    /// Also write the time of each solver for each puzzle, as .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE", value_parser = table_file, help_heading = "Reporting")]
    times: Option<OutputTarget>,

    /// Name the K slowest puzzles of each solver: below the table, in the results as .json and in the report
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true, value_parser = number::<usize>, help_heading = "Reporting")]
    top: usize,

    /// Write all puzzles that solvers disagree about, with their answers, as .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE", value_parser = table_file, hide_short_help = true, help_heading = "Reporting")]
    disagreements: Option<OutputTarget>,

    /// Compare with the results that an earlier run exported as .json
    ///
    /// The speed of each solver relative to the reference is compared with its relative speed in the earlier run.
    #[arg(long, value_name = "OLD.json", help_heading = "Reporting")]
    baseline: Option<PathBuf>,

    /// Exit with 1 if the solver NEW is slower than OLD by more than 5 %, and with 3 if that is not certain
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], help_heading = "Reporting")]
    compare: Vec<String>,

    /// Exit with 1 if a solver is slower than in the baseline by more than this, and with 3 if that is not certain
    ///
    /// With --compare, the tolerance for NEW.
    #[arg(long, value_name = "PERCENT", value_parser = percent, requires = "other", help_heading = "Reporting")]
    fail_if_slower: Option<f64>,

    #[command(flatten)]
    page: PageArgs,

    #[command(flatten)]
    progress: ProgressArgs,
}

impl Run for BenchArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.input.files()?.output("-o", &OutputTarget::stdout());
        let files = self.page.add_to(self.baseline.iter().fold(files, RunFiles::input));
        let files = self.times.iter().fold(files, |files, target| files.output("--times", target));
        let files = self.disagreements.iter().fold(files, |files, target| files.output("--disagreements", target));
        Ok(self.export.iter().fold(files, |files, path| files.written("--export", Some(path))))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let progress = self.progress.of_tasks();
        let stop = signals::stop_on_interrupt(&progress);
        let result = bench(self, &progress, &stop);
        progress.finish();
        match result {
            // The process of a solver was killed.
            Err(_) if stop.is_triggered() => Ok(Exit::Interrupted),
            result => result,
        }
    }
}

/// Checks and measures the solvers, and reports.
fn bench(args: &BenchArgs, progress: &Progress, stop: &Stop) -> anyhow::Result<Exit> {
    if args.input.files.is_empty() && io::stdin().is_terminal() {
        bail!(
            "name a file of puzzles: gridmill bench puzzles.txt; to make one: gridmill generate -n 100000 -o puzzles.txt"
        );
    }

    // Options that contradict each other are refused before any puzzle is read.
    let load = Load::at_start();
    let exports = args.export.iter().map(|path| Export::from_path(path)).collect::<Result<Vec<_>, _>>()?;
    let baseline = args.baseline.as_deref().map(Results::read).transpose()?;
    let mut job = job(args, stop)?;
    let pair = match &args.compare[..] {
        [old, new] => {
            let other_run = |error| anyhow!("{error}; --baseline OLD.json compares with another run");
            let position = |name| job.solvers().position(name).map_err(other_run);
            Some([position(old)?, position(new)?])
        }
        _ => None,
    };
    job = job.same(pair);
    if let Some(baseline) = &baseline {
        baseline.check_limit(args.solvers.limit().get())?;
        if args.fail_if_slower.is_some() && job.solvers().len() == 1 {
            bail!(
                "with one solver there is nothing to compare with in the same run, so a busy machine would count as a slower \
                 solver: add another one as the reference, such as --engines bitmask"
            );
        }
    }

    let origins = args.input.origins()?;
    let facts = origins.iter().map(SetFact::new).collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(seed) = args.isomorphs {
        progress.note(format_args!("random isomorphs; --isomorphs={seed} gives the same again"));
    }
    let sets = read_sets(args, &origins, progress)?;
    if let Some(baseline) = &baseline {
        // The same puzzles as in the baseline.
        let labels = job.solvers().labels();
        let size = |fact| labels.iter().map(move |label| baseline.size(fact, label));
        job = job.sizes(facts.iter().flat_map(size).collect());
    }

    let reference = job.solvers().reference;
    let observe = |event: BenchEvent<'_>| show(event, reference, progress);
    let sets = match job.check(&sets, &observe) {
        Ok(sets) => sets,
        Err(CheckError::Disagreements(found)) => {
            progress.finish();
            found.first.iter().for_each(say_disagreement);
            say_others(found.total as u64, found.first.len(), args.disagreements.as_ref());
            return Ok(Exit::Failed);
        }
        Err(error) => return Err(error.into()),
    };
    if job.solvers().len() > 1 {
        progress.note("all answers agree");
    }

    // Done before the measurement, so that a file that cannot be written is found at once.
    let times_file = args.times.clone().map(ReservedFile::new).transpose()?;
    progress.note(format_args!("measuring on {}", Machine::this()));
    let timed = job.time(&sets, &observe)?;
    progress.finish();

    // The table is printed before any file is written, so that a full disk does not lose it.
    let results = BenchResult::of_sets(&timed, job.solvers(), args.top);
    let mut stdout = OutputFile::create(&OutputTarget::stdout(), 1)?;
    let text = table::aligned(&results, screen::stdout_width()) + &table::slowest(&results, screen::stdout_width());
    stdout.write_all(text.as_bytes()).context("cannot write the table")?;
    stdout.finish()?;

    if let Some(file) = times_file {
        write_puzzle_times(file, &timed)?;
    }
    if args.times.is_some() || args.top > 0 {
        note_untimed(&results, progress);
    }
    let options = job.options(args.shuffle, args.isomorphs);
    let results = Results::new(options, facts, args.solvers.files(), load, results);
    exports.iter().try_for_each(|export| export.write(&results))?;
    if let Some(file) = args.page.file(&origins) {
        file.write(&table::page(&results.rows))?;
    }
    let labels = job.solvers().labels();
    let pair = pair.map(|pair| pair.map(|solver| labels[solver].clone()));
    Ok(judge(baseline.as_ref(), pair, &results, args, progress).exit())
}

/// Notes the solvers without times of single puzzles.
fn note_untimed(results: &[BenchResult], progress: &Progress) {
    let mut names: Vec<String> = vec![];
    for row in results.iter().map(|result| &result.row).filter(|row| row.max_nanos.is_none()) {
        if !names.contains(&row.label()) {
            names.push(row.label());
            progress.note(format_args!(
                "{} does not answer each puzzle before it reads the next, so there are no times of its puzzles",
                row.label()
            ));
        }
    }
}

/// The tolerance of `--compare`, in percent.
const TOLERANCE: f64 = 5.0;

/// Notes how the results compare with the baseline, and two solvers with each other. Returns the worst verdict.
fn judge(
    baseline: Option<&Results>,
    pair: Option<[String; 2]>,
    results: &Results,
    args: &BenchArgs,
    progress: &Progress,
) -> SpeedVerdict {
    // Without a tolerance, a change is only noted.
    let mut changes: Vec<(SpeedChange, Option<f64>)> = vec![];
    if let Some(baseline) = baseline {
        if let Some(cpu) = baseline.other_cpu() {
            // Shown even with --quiet, because it makes the comparison worthless.
            progress::say(format_args!("the baseline is of another CPU: {cpu}"));
        }
        changes.extend(results.changes_since(baseline).into_iter().map(|change| (change, args.fail_if_slower)));
    }
    if let Some([old, new]) = pair {
        let tolerance = args.fail_if_slower.unwrap_or(TOLERANCE);
        changes.extend(results.changes_between(&old, &new).into_iter().map(|change| (change, Some(tolerance))));
    }

    let mut worst = SpeedVerdict::NotSlower;
    for (change, tolerance) in changes {
        let verdict = tolerance.map_or(SpeedVerdict::NotSlower, |tolerance| change.verdict(tolerance));
        let words = tolerance.map_or_else(|| change.to_string(), |tolerance| change.in_words(tolerance));
        // Shown even with --quiet if it is not as it should be: a solver with a new name would never be compared again.
        if verdict > SpeedVerdict::NotSlower || change.times.is_err() {
            progress::say_error(words);
        } else {
            progress.note(words);
        }
        worst = worst.max(verdict);
    }
    worst
}

/// Shows the current work, and the ratios to the reference as soon as a set is timed.
fn show(event: BenchEvent<'_>, reference: usize, progress: &Progress) {
    match event {
        BenchEvent::Checking { set, contender, start, end } => {
            if start == 0 {
                progress.note(format_args!("{set}: checking the answers of {contender}"));
            }
            progress.task(format_args!("{set}: checking {contender} on puzzles {} to {end}", start + 1));
        }
        // Shown even with --quiet, because the measurement differs from the one that was asked for.
        BenchEvent::Limited { set, contender, timed, puzzles, expected } => {
            let [timed, puzzles] = [timed, puzzles].map(|count| HumanCount(count as u64));
            let why = expected.map_or("to compare it on the same puzzles".to_owned(), |expected| {
                format!("all of them would take it about {}, longer than --seconds", Seconds(expected.as_secs_f64()))
            });
            progress.warn(format_args!("{set}: {contender} is timed on a random sample, {timed} of {puzzles}: {why}"));
        }
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
            let results = BenchResult::of_set(contenders, reference, common_clock(contenders), 0);
            let rows: Vec<BenchRow> = results.into_iter().map(|result| result.row).collect();
            for row in &rows {
                if let Some(undecided) = row.undecided.filter(|&undecided| undecided > 0) {
                    progress.note(format_args!("{} gave up on {undecided} of {} puzzles", row.label(), row.puzzles));
                }
            }
            for row in rows.iter().filter(|row| row.puzzles_per_second.is_none()) {
                let why = match (row.puzzles < 100, row.puzzles < row.file_puzzles) {
                    (true, false) => "with fewer than 100 puzzles",
                    (true, true) => "with fewer than 100 puzzles; more --seconds help",
                    _ => "as a block of the sample takes less time than the start; more --seconds help",
                };
                progress.warn(format_args!("{} on {}: the speed is unknown, {why}", row.label(), row.file));
            }
            for row in &rows {
                if let Some(start) = row.start_seconds {
                    progress.note(format_args!(
                        "{} takes {} to start, which is not counted",
                        row.label(),
                        Seconds(start)
                    ));
                }
            }
            let is_compared = |index: usize, row: &BenchRow| index != reference && row.ratio.is_some();
            for (_, row) in rows.iter().enumerate().filter(|(index, row)| is_compared(*index, row)) {
                progress.note(table::sentence(row, &rows[reference]));
            }
        }
    }
}

/// The job with its solvers.
fn job(args: &BenchArgs, stop: &Stop) -> anyhow::Result<Bench> {
    let solvers = args.solvers.solvers(&args.threads, args.solvers.timeout, stop)?;
    let disagreements = args.disagreements.clone().map(ReservedFile::new).transpose()?;
    Ok(Bench::new(solvers).limit(args.solvers.limit()).budget(args.seconds).disagreements(disagreements))
}

/// Reads the puzzles of every file; shuffles them or replaces them by isomorphs if that is wanted.
fn read_sets(args: &BenchArgs, origins: &[Origin], progress: &Progress) -> anyhow::Result<Vec<PuzzleSet>> {
    let mut sets = Vec::new();
    for origin in origins {
        let options = args.input.options(AnswerColumn::Ignored, &[]);
        let set = PuzzleSet::read(origin.clone(), options, progress.announcer()).map_err(|error| match &error {
            SetError::Malformed { file, .. } => anyhow!("{error}{}", without_record(file)),
            _ => error.into(),
        });
        sets.push(set?);
    }
    if let Some(seed) = args.isomorphs {
        sets = sets.iter().map(|set| set.isomorphs(seed)).collect();
    }
    if let Some(seed) = args.shuffle {
        sets = sets.iter().map(|set| set.shuffled(seed)).collect();
    }
    Ok(sets)
}
