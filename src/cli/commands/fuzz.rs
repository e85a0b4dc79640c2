//! `gridmill fuzz`: compares the answers of solvers on puzzles of all kinds, made from a seed.

use std::time::Duration;

use crate::cli::bench::{Disagreement, Fuzz, FuzzEvent, FuzzReport, Place, PuzzleKind};
use clap::Args;
use gridmill::output::{OutputTarget, ReservedFile, RunFiles};
use gridmill::pipeline::{End, Stop};
use gridmill::puzzle::Size;
use indicatif::HumanCount;

use super::frame::Run;
use crate::cli::args::values::{named, number, seconds, seed, table_file};
use crate::cli::args::{ProgressArgs, SolversArgs};
use crate::cli::call::Exit;
use crate::cli::signals;
use crate::cli::ui::printable::in_one_line;
use crate::cli::ui::progress::{self, Progress};
use crate::cli::ui::summary::{Counted, Seconds};

const EXAMPLES: &str = "\
Examples:
  Compare a program of your own with the bitmask engine on 1000 puzzles:
    gridmill fuzz --count 1000 --engines bitmask --solver mine=./my-solver --kinds unique,minimal
  Compare all engines for two seconds, and write all puzzles on which they disagree:
    gridmill fuzz --seconds 2 --disagreements wrong.csv";

/// The maximum time of a program for some puzzles, unless --timeout is given.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Compare the answers of solvers on random puzzles of all kinds, until Ctrl-C.
///
/// It makes puzzles with no, one and several solutions, and compares the answers of each solver with the reference's.
/// If they disagree, or a program fails, the puzzle is printed with the answers, reduced to as few clues as possible;
/// then the exit code is 1.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("progress", |progress| progress.help("When to show the number of puzzles compared so far")),
    mut_arg("quiet", |quiet| quiet.help("Print only disagreements and errors").long_help(None::<&str>)),
)]
pub(crate) struct FuzzArgs {
    #[command(flatten)]
    solvers: SolversArgs,

    /// Size of the puzzles
    #[arg(long, default_value = "9x9", value_parser = named::<Size>(), help_heading = "Puzzles")]
    size: Size,

    /// Kinds of puzzles, which take turns [default: all of them]
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = named::<PuzzleKind>(), help_heading = "Puzzles")]
    kinds: Vec<PuzzleKind>,

    /// Seed of the puzzles; the same one makes the same puzzles
    #[arg(long, value_name = "SEED", default_value = "random", value_parser = seed, help_heading = "Puzzles")]
    seed: u64,

    /// End after N puzzles
    #[arg(short = 'n', long, value_name = "N", value_parser = number::<u64>, help_heading = "Puzzles")]
    count: Option<u64>,

    /// End after S seconds
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Puzzles")]
    seconds: Option<Duration>,

    /// Write all puzzles that solvers disagree about, with their answers, as .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE", value_parser = table_file, help_heading = "Reporting")]
    disagreements: Option<OutputTarget>,

    #[command(flatten)]
    progress: ProgressArgs,
}

impl Run for FuzzArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let add = |files: RunFiles, target| files.output("--disagreements", target);
        Ok(self.disagreements.iter().fold(RunFiles::new(), add))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let progress = self.progress.of_tasks();
        let stop = signals::stop_on_interrupt(&progress);
        let (seed, job) = (self.seed, self.fuzz(&stop)?);
        progress.note(format_args!("the puzzles of seed {seed}; --seed {seed} makes the same again"));
        let report = job.run(&|event| show(event, &progress));
        progress.finish();

        let report = report?;
        if let Some(interrupted) = &report.stopped_on {
            progress.note(interrupted);
        }
        say_others(report.disagreements(), report.listed, self.disagreements.as_ref());
        progress.report(|| summary(&report, seed));
        Ok(match report.end {
            _ if report.disagreements() > 0 => Exit::Failed,
            End::Stopped => Exit::Interrupted,
            End::Complete => Exit::Success,
        })
    }
}

impl FuzzArgs {
    /// The job.
    fn fuzz(&self, stop: &Stop) -> anyhow::Result<Fuzz> {
        let timeout = self.solvers.timeout.unwrap_or(TIMEOUT);
        let solvers = self.solvers.solvers(&[1], Some(timeout), stop)?;
        let disagreements = self.disagreements.clone().map(ReservedFile::new).transpose()?;
        let mut job = Fuzz::new(solvers, self.seed);
        if !self.kinds.is_empty() {
            job.kinds.clone_from(&self.kinds);
        }
        job.limit = self.solvers.limit();
        job.size = self.size;
        job.count = self.count.unwrap_or(job.count);
        job.time = self.seconds.unwrap_or(job.time);
        job.disagreements = disagreements;
        job.stop = stop.clone();
        Ok(job)
    }
}

fn show(event: FuzzEvent<'_>, progress: &Progress) {
    match event {
        FuzzEvent::Compared { puzzles, disagreements } => {
            let (puzzles, found) = (Counted(puzzles, "puzzle"), Counted(disagreements as u64, "disagreement"));
            progress.task(format_args!("{puzzles}, {found}"));
        }
        FuzzEvent::Disagreed(disagreement) => progress.aside(|| say_disagreement(disagreement)),
        FuzzEvent::Reducing(place) => progress.task(format_args!("reducing {place}")),
        FuzzEvent::Reduced(Disagreement { place, solver, reduced, .. }) => progress.aside(|| {
            let (name, reduced) = (&solver.name, reduced.as_deref().unwrap_or_default());
            progress::say_lines(format_args!(
                "{name} fails in the same way on {place} with fewer clues\n  reduced  {reduced}"
            ));
        }),
    }
}

/// Writes a disagreement.
pub(super) fn say_disagreement(disagreement: &Disagreement) {
    let mut disagreement = disagreement.clone();
    if let Place::Line { file, .. } = &mut disagreement.place {
        *file = in_one_line(&*file);
    }
    progress::say_lines(disagreement);
}

/// Writes the number of disagreements that are not listed, and the name of the file that has all.
pub(super) fn say_others(total: u64, listed: usize, table: Option<&OutputTarget>) {
    let others = total - listed as u64;
    match table.and_then(|table| table.path.as_deref()) {
        Some(path) => {
            let total = Counted(total, "disagreement");
            progress::say(format_args!("{total}, all of them in {}", path.display()));
        }
        None if others > 0 => {
            let others = HumanCount(others);
            progress::say(format_args!("and {others} more disagreements; --disagreements FILE writes all of them"));
        }
        None => {}
    }
}

/// The numbers of puzzles that were compared, in a few lines.
fn summary(report: &FuzzReport, seed: u64) -> String {
    let (puzzles, time) = (Counted(report.puzzles(), "puzzle"), Seconds(report.time.as_secs_f64()));
    let disagreements = Counted(report.disagreements(), "disagreement");
    let kinds = report.kinds.iter().map(|kind| {
        let found = Counted(kind.disagreements, "disagreement");
        let found = if kind.disagreements > 0 { format!("  {found}") } else { String::new() };
        format!("\n  {:12}  {:>11}{found}", kind.kind, HumanCount(kind.puzzles).to_string())
    });
    format!("{puzzles} of seed {seed} in {time}: {disagreements}{}", kinds.collect::<String>())
}
