//! Compares solvers: their speed on puzzle sets, after checking their answers against each other; and their answers on
//! puzzles of all kinds, which are made from a seed.
//!
//! ```text
//!   job.rs          times solvers on sets
//!   fuzz.rs         compares their answers on puzzles from a seed
//!   made_puzzles.rs   makes these puzzles
//!   set.rs          the puzzles of a file; shuffled, or as isomorphs
//!   solvers.rs      the contenders, including the reference
//!   contender.rs    the trait of all solvers: answer a set, be timed on a set
//!     engine.rs       an engine of this crate, on one thread or several
//!     program.rs      any other program, through its standard input and output
//!     plugin.rs       a function of a shared library, in a process that measures it
//!     process.rs      runs a process of one of these two
//!   check.rs        finds disagreements with the reference, in a sample of a set if a solver is slow
//!     disagreement.rs, disagreements.rs   one disagreement, and a table of all
//!   measure.rs      warm-up, then rounds with a run of each contender
//!   row.rs          the results of solvers as rows, and the times of single puzzles
//!   statistics.rs   speeds and their quotients, with their uncertainty
//! ```
//!
//! Nothing here prints: the caller reports what was [`Timed`].

use std::time::Duration;

mod check;
mod contender;
mod disagreement;
mod disagreements;
mod engine;
mod error;
mod fuzz;
mod job;
mod made_puzzles;
mod measure;
mod plugin;
mod process;
mod program;
mod row;
mod set;
mod solvers;
mod statistics;

pub use self::check::{CheckError, DisagreementError};
pub use self::contender::{Contender, ContenderAnswer, RunTime, SetAnswers};
pub use self::disagreement::{Disagreement, Place, PuzzleKind, Reason, Said};
pub use self::engine::{EngineContender, StartError};
pub use self::error::{ProgramError, ProgramFailure};
pub use self::fuzz::{Fuzz, FuzzEvent, FuzzReport, KindCounts};
pub use self::job::{Bench, BenchOptions};
pub use self::measure::{Clock, PuzzleResult, Timed, common_clock};
pub use self::plugin::{Plugin, PluginAnswer, PluginTimes};
pub use self::program::Program;
pub use self::row::{BenchResult, BenchRow, SlowPuzzle, write_puzzle_times};
pub use self::set::{PuzzleSet, SetError};
pub use self::solvers::{Solvers, UnknownSolver};
pub use self::statistics::{Estimate, Pairing, Speed, quotient};

/// Something that happened in a bench.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum BenchEvent<'a> {
    /// A contender is about to answer some puzzles of a set.
    Checking {
        /// The name of the set.
        set: &'a str,
        /// The name of the contender.
        contender: &'a str,
        /// The number of puzzles answered so far.
        start: usize,
        /// The number of puzzles answered afterwards.
        end: usize,
    },
    /// A contender gets only a random sample of a set.
    Limited {
        /// The name of the set.
        set: &'a str,
        /// The name of the contender.
        contender: &'a str,
        /// The number of puzzles in the sample.
        timed: usize,
        /// The number of puzzles in the set.
        puzzles: usize,
        /// The time that all of them would take it, which is too long; `None` if the sample is as large as another one.
        expected: Option<Duration>,
    },
    /// Contenders are about to be timed on a set of puzzles.
    Timing {
        /// Its name.
        set: &'a str,
        /// The number of its puzzles.
        puzzles: usize,
    },
    /// A contender is about to start a run.
    Running {
        /// The name of the set.
        set: &'a str,
        /// The name of the contender.
        contender: &'a str,
        /// The number of the round, from 1; 0 is the warm-up.
        round: usize,
    },
    /// All contenders were timed on a set.
    Timed {
        /// Their times, in order.
        contenders: &'a [Timed],
    },
}
