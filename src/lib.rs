//! gridmill solves, checks, generates and benchmarks Sudoku puzzles from 4x4 and 6x6 to 25x25: single puzzles, or
//! collections of any size.
//!
//! ```
//! use gridmill::{is_minimal, solve};
//!
//! let puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
//! assert_eq!(solve(puzzle)?.to_string(),
//! "417369825632158947958724316825437169791586432346912758289643571573291684164875293");
//! assert!(is_minimal(puzzle)?);
//! # Ok::<(), gridmill::SolveError>(())
//! ```
//!
//! The functions at this level take one puzzle.
//!
//! Modules for single puzzles, available with `default-features = false`. They use no files and no threads, and need
//! seven other crates:
//!
//! * [`puzzle`]: puzzles, sizes, houses and rules; batches of puzzles; isomorphs.
//! * [`engine`]: the solvers. An engine solves a batch of puzzles; you can replace it with your own.
//! * [`rating`]: how hard a puzzle is for a person, and the steps that solve it.
//! * [`canon`]: canonical forms and classes, for finding isomorphs.
//! * [`generate`](mod@generate): puzzles with one solution, by a spec and a seed.
//! * [`format`](mod@format): the text formats for reading puzzles.
//!
//! The feature `corpus` has modules for collections.
//!
//! The folder `examples` of the repository has complete programs.

// What the documentation hides is for the Python package, tests and benches, and may change in any version: whole modules,
// and parts of the machine. No shown type names a hidden one.

#![cfg_attr(feature = "corpus", doc = include_str!("jobs/collections.md"))]
// Some parts of the modules for single puzzles are only for collections.
#![cfg_attr(not(feature = "corpus"), allow(dead_code, unreachable_pub, unused_imports))]

// The floors. A floor uses only floors above it in this list, and draws its rooms in its `mod.rs`;
// `scripts/check-imports` compares the drawings with the paths in the tree.
//
//   sudoku   one puzzle: rules, texts, solvers, ratings, forms
//   data     reads records from files, streams and arrays, and writes rows
//   run      runs a job over a corpus, to outputs that can be resumed
//   jobs     the jobs; a job knows no other
//   cli      the command line
//
// The way of a record:
//
//   file -> data::corpus -> data::pipeline -> run::machine -> jobs::JOB -> data::rows -> data::output -> file
//           compression,                      sudoku::format, sudoku::engine,            compression
//           sudoku::format finds its end      reads it        canon, rating

#[macro_use]
mod sudoku;
#[cfg(feature = "corpus")]
mod data;
#[cfg(feature = "corpus")]
mod run;

#[cfg(feature = "corpus")]
pub mod jobs;

// For the program and the Python package: not a part of the interface.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;

// The command line uses the library by its name.
extern crate self as gridmill;

pub use self::sudoku::{canon, engine, format, generate, puzzle, rating};
use self::sudoku::{clock, options, single, stop};

#[cfg(feature = "corpus")]
#[doc(hidden)]
pub use self::data::{pipeline, scoring::grids_in};
#[cfg(feature = "corpus")]
pub use self::{
    data::{arrow, compression, corpus, output, rows},
    jobs::cookbook,
    run::stats,
};
#[cfg(feature = "corpus")]
use self::{
    data::{npy, scoring},
    run::{copy, lookup, resume},
};

pub use self::canon::Class;
#[cfg(feature = "corpus")]
pub use self::corpus::Corpus;
pub use self::engine::{Engine, EngineKind};
pub use self::format::{Alphabet, ParsePuzzleError};
pub use self::options::{OptionError, ParseError};
pub use self::puzzle::{CellsError, Pencilmarks, Puzzle, Size, Solution};
pub use self::single::{
    AsPuzzle, CanonError, Explain, RateError, Solutions, SolveError, canonical_form, class, count_solutions, generate,
    is_minimal, rate, rate_with_steps, solutions, solve,
};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
