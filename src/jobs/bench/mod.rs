//! Compares the speed of solvers on puzzle sets, after checking their answers against each other.
//!
//! ```text
//!   job.rs          the job, from sets to times
//!   set.rs          the puzzles of a file; shuffled, or as isomorphs
//!   contender.rs    the trait of all solvers: answer a set, be timed on a set
//!     engine.rs       an engine of this crate, on one thread or several
//!     program.rs      any other program, through its standard input and output
//!     plugin.rs       a function of a shared library, in a process that measures it
//!     process.rs      runs a process of one of these two
//!   check.rs        finds the puzzles on which two contenders disagree
//!   measure.rs      warm-up, then rounds in which all contenders take turns
//!   statistics.rs   quartiles, and ratios with their uncertainty
//! ```
//!
//! Nothing here prints: the caller reports the [`Measurement`]s.

mod check;
mod contender;
mod engine;
mod error;
mod job;
mod measure;
mod plugin;
mod process;
mod program;
mod set;
mod statistics;

use self::check::check;
pub use self::check::{CheckError, Disagreement, DisagreementError};
pub use self::contender::{Contender, ContenderAnswer, RunTime, SetAnswers};
pub use self::engine::{EngineContender, StartError};
pub use self::error::ProgramError;
pub use self::job::{Bench, Timed, common_clock};
use self::measure::measure;
pub use self::measure::{Clock, Measurement, PerPuzzleStats, ratio};
pub use self::plugin::{Plugin, PluginAnswer, PluginTimes};
pub use self::program::Program;
pub use self::set::{PuzzleSet, SetError};
pub use self::statistics::{Estimate, Quartiles};

/// Something that happened in a bench.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum BenchEvent<'a> {
    /// A contender is about to answer the puzzles of a set.
    Checking {
        /// The name of the set.
        set: &'a str,
        /// The name of the contender.
        contender: &'a str,
    },
    /// A set of puzzles is about to be timed.
    Timing {
        /// Its name.
        set: &'a str,
        /// The number of its puzzles.
        puzzles: usize,
    },
    /// All contenders were timed on a set.
    Timed {
        /// Their times, in order.
        contenders: &'a [Timed],
    },
}
