//! gridmill mills Sudoku corpora: millions of puzzles in, one verdict a puzzle out, in order.
//!
//! Three parts that meet in one place: the [`pipeline`] knows bytes and threads, an [`engine`] knows Sudoku, the
//! [formats](mod@format) and [`rows`] know text, and the [`worker`] brings them together. The library never prints and never
//! exits; the binary of the same name does.

pub mod batch;
pub mod bench;
pub mod canon;
pub mod clock;
pub mod compression;
pub mod corpus;
pub mod engine;
pub mod format;
pub mod forms;
pub mod generate;
pub mod geometry;
mod inflow;
pub mod isomorph;
pub mod journal;
pub mod manifest;
pub mod pipeline;
pub mod random;
pub mod recall;
mod records;
pub mod rows;
pub mod rules;
pub mod shard;
pub mod solver;
pub mod stats;
pub mod transform;
pub mod validate;
pub mod worker;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
