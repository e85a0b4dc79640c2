//! gridmill mills Sudoku corpora: millions of puzzles in, one verdict a puzzle out, in order.

pub mod batch;
pub mod clock;
pub mod corpus;
pub mod engine;
pub mod format;
pub mod geometry;
pub mod pipeline;
pub mod rows;
pub mod rules;
pub mod solver;
pub mod stats;
pub mod worker;
