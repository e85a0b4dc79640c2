//! Benchmarks: contenders on puzzle sets, checked against each other, then timed in turn.
//!
//! ```text
//!   set.rs          the puzzles of a file; shuffled, or as isomorphs
//!   contender.rs    what is compared: answers a set, is timed on a set
//!     engine.rs       an engine of this crate, on one thread or several
//!     program.rs      any other program, by lines through its standard input and output
//!   check.rs        stops at the first puzzle on which two contenders disagree
//!   measure.rs      warm-up and interleaved rounds
//!   statistics.rs   median, spread, and ratios with their uncertainty
//! ```
//!
//! Nothing here prints; what to make of a [`Measurement`] is for the caller to say.

mod check;
mod contender;
mod engine;
mod measure;
mod program;
mod set;
pub mod statistics;

pub use self::check::{CheckError, Disagreement, check};
pub use self::contender::{Answers, Contender, ContenderAnswer, Lap};
pub use self::engine::{EngineContender, StartError};
pub use self::measure::{Clock, Measurement, Observed, measure, ratio};
pub use self::program::{Program, ProgramError};
pub use self::set::{Piece, PuzzleSet, SetError};
