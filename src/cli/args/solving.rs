//! The options for solving and comparing puzzles, and the number of threads.

use std::fmt::Debug;
use std::num::NonZeroU16;

use clap::{Arg, Args};
use gridmill::engine::lanes::Simd;
use gridmill::engine::{EngineKind, MaxBranches};
use gridmill::jobs::{Execution, GroupBy};

use super::values::{max_branches, named, one_of, positive, up_to};
use crate::cli::signals;
use crate::cli::ui::progress::Progress;

const UNDECIDED: &str = "Give up on a puzzle that takes more than N guesses: it is undecided";

/// The help of `--max-branches`. Its first line and the consequence depend on the command.
pub(super) fn max_branches_help(first: &str, consequence: &str) -> String {
    format!(
        "{first}\n\n{consequence} By default, only sizes above 9x9 have a bound, of some seconds; `none` lifts the bound."
    )
}

/// The options for processing records.
pub(crate) trait WorkArgs: Args + Debug {
    /// The engine, and the maximum number of guesses of a search. Ignored by a job that solves nothing.
    fn engine_and_bound(&self) -> (EngineKind, MaxBranches);

    /// The execution of the job: it reports to `progress`, and Ctrl-C stops it.
    fn execution(&self, progress: &Progress) -> Execution;
}

/// How puzzles are solved.
#[derive(Debug, Args)]
pub(crate) struct SolvingArgs {
    /// Engine; auto takes lanes for 9x9 and bitmask for other sizes
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = one_of(&EngineKind::ALL, EngineKind::into), hide_short_help = true, help_heading = "Solving")]
    engine: EngineKind,

    /// Vectors of the lanes engine; auto takes the widest that the CPU has
    #[arg(long, value_name = "WIDTH", default_value = "auto", value_parser = named::<Simd>(), hide_short_help = true, help_heading = "Solving")]
    simd: Simd,

    #[arg(
        long,
        value_name = "N|none",
        default_value = "default",
        hide_default_value = true,
        hide_short_help = true,
        value_parser = max_branches,
        help_heading = "Solving",
        help = UNDECIDED,
        long_help = max_branches_help(UNDECIDED, "Which puzzles are undecided depends on the engine."),
    )]
    pub(crate) max_branches: MaxBranches,

    #[command(flatten)]
    execution: ExecutionArgs,
}

impl WorkArgs for SolvingArgs {
    fn engine_and_bound(&self) -> (EngineKind, MaxBranches) {
        (self.engine(), self.max_branches)
    }

    fn execution(&self, progress: &Progress) -> Execution {
        self.execution.execution(progress)
    }
}

impl WorkArgs for ExecutionArgs {
    fn engine_and_bound(&self) -> (EngineKind, MaxBranches) {
        (EngineKind::Auto, MaxBranches::default())
    }

    fn execution(&self, progress: &Progress) -> Execution {
        let mut execution = Execution::new().stop(signals::stop_on_interrupt(progress)).observer(progress.observer());
        if let Some(threads) = self.threads {
            execution = execution.threads(threads.into());
        }
        if let Some(records) = self.chunk {
            execution = execution.chunk_size(records.into());
        }
        execution
    }
}

/// How a job is executed.
#[derive(Debug, Args)]
pub(crate) struct ExecutionArgs {
    /// Number of worker threads, at most two per CPU [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = up_to::<1024>, hide_short_help = true, help_heading = "Execution")]
    threads: Option<u16>,

    /// Number of records in a chunk [default: adapts to the puzzles]
    ///
    /// A thread takes one chunk at a time. The output does not depend on the size of the chunks, but memory does: the most
    /// is 65,535.
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU16>, hide_short_help = true, help_heading = "Execution")]
    chunk: Option<NonZeroU16>,
}

impl SolvingArgs {
    /// The chosen engine with its vectors; `--simd` changes nothing for engines without vectors.
    pub(crate) fn engine(&self) -> EngineKind {
        match (self.engine, self.simd) {
            (EngineKind::Auto, Simd::Auto) => EngineKind::Auto,
            (EngineKind::Auto | EngineKind::Lanes(_), simd) => EngineKind::Lanes(simd),
            (kind, _) => kind,
        }
    }

    /// The execution with `threads` threads, unless another number was given.
    pub(crate) fn execution_by(&self, threads: usize, progress: &Progress) -> Execution {
        let execution = self.execution(progress);
        if self.execution.threads.is_none() { execution.threads(threads) } else { execution }
    }
}

/// The property that the records of a group share.
#[derive(Debug, Args)]
pub(crate) struct GroupArgs {
    #[arg(long, value_name = "WHAT", default_value = "class", value_parser = named::<GroupBy>())]
    pub(crate) by: GroupBy,
}

/// Puts `--by` under a heading, with the subject of the comparison, and the treatment of records that cannot be compared.
pub(crate) fn describe_by(by: Arg, heading: &'static str, subject: &'static str, incomparable: &str) -> Arg {
    by.help_heading(heading).help(subject).long_help(format!(
        "{subject}\n\n{incomparable} These are malformed records; with `class`, also puzzles that are not 4x4, 6x6 or 9x9; with \
         `solution`, also puzzles without exactly one solution."
    ))
}
