//! gridmill solves, checks, generates and benchmarks Sudoku puzzles of 4x4, 9x9, 16x16 and 25x25: one of them, or a
//! collection of any size.
//!
//! ```
//! use gridmill::{Puzzle, is_minimal, solve};
//!
//! let puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
//! assert_eq!(solve(puzzle)?.to_string(), "417369825632158947958724316825437169791586432346912758289643571573291684164875293");
//! assert!(is_minimal(&puzzle.parse::<Puzzle>()?));
//! # Ok::<(), gridmill::SolveError>(())
//! ```
//!
//! The functions at this level take one puzzle. Collections are for the modules:
//!
//! * [`jobs`]: solve, validate, generate or benchmark collections, with all threads, from inputs to an output.
//! * [`puzzle`]: puzzles, sizes, houses and rules; batches of puzzles; isomorphs.
//! * [`engine`]: the solvers. An engine solves a batch of puzzles; your own can take the place of ours.
//! * `arrow`: record batches of Arrow, as inputs and outputs (feature `arrow`), and Parquet files (feature `parquet`).
//! * [`rating`]: how hard a puzzle is for a person, and the steps that solve it.
//! * [`canon`]: canonical forms and classes, by which isomorphs are found.
//! * [`format`](mod@format): the text formats that puzzles are read from.
//! * [`rows`]: the rows that a job writes, and their columns.
//! * [`corpus`]: the inputs of a job: files and streams, compressed or not, or a shard of them.
//! * [`stats`]: what a job counts and measures.
//! * [`resume`]: resumes an interrupted job, and merges shards.
//! * [`compression`]: gzip, zstd, xz and bzip2 streams.
//! * [`pipeline`]: the ordered parallel map that all jobs are made of.
//!
//! The folder `examples` of the repository has complete programs.

#[cfg(feature = "arrow")]
pub mod arrow;
pub mod canon;
mod clock;
pub mod compression;
pub mod corpus;
pub mod engine;
pub mod format;
pub mod jobs;
pub mod pipeline;
pub mod puzzle;
pub mod rating;
pub mod resume;
pub mod rows;
mod single;
pub mod stats;
mod stop;

pub use self::canon::Class;
pub use self::corpus::Corpus;
pub use self::engine::{Engine, EngineKind};
pub use self::format::{Alphabet, ParsePuzzleError};
pub use self::puzzle::{CellsError, Order, Pencilmarks, Puzzle, Solution};
pub use self::single::{
    CanonError, RateError, Solutions, SolveError, canonical_form, class, count_pencilmark_solutions, count_solutions,
    is_minimal, rate, rate_with_steps, solutions, solve, solve_pencilmarks,
};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
