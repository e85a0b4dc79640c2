//! gridmill solves, checks, generates and benchmarks Sudoku collections of any size.

pub mod canon;
pub mod compression;
pub mod corpus;
pub mod engine;
pub mod format;
pub mod jobs;
pub mod pipeline;
pub mod puzzle;
pub mod resume;
pub mod rows;
pub mod stats;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
