//! One puzzle: its rules, texts, solvers, ratings and forms. This floor is the library without default features; it
//! knows no files, and its threads are those of its caller.
//!
//! ```text
//!   options    the errors of options and of their values; numbers as people write them
//!   clock      the CPU time of a thread, the wall clock, a stopwatch
//!   stop       a signal that ends a run early
//!   puzzle     sizes, houses, rules, batches of puzzles, isomorphs
//!   engine     lanes, bitmask, dlx; lists of solutions
//!   canon      canonical forms and classes of 4x4, 6x6 and 9x9 puzzles
//!   rating     how hard a 9x9 puzzle is for a person, and the steps that solve it
//!   format     detects, splits and parses input text
//!   generate   puzzles with one solution, and random grids
//!   single     the functions for one puzzle, at the root of the library
//! ```
//!
//! A room uses only rooms above it.

#[macro_use]
mod macros;

pub mod canon;
pub(crate) mod clock;
pub mod engine;
pub mod format;
pub mod generate;
pub(crate) mod options;
pub mod puzzle;
pub mod rating;
pub(crate) mod single;
pub(crate) mod stop;
