//! Tests of the library through its public interface, in one binary, because linking takes the most time.

// Canonical forms are those of a slow canonicaliser that tries every isomorphism.
mod canon;
// The tables of `docs/columns.md` are those of the jobs.
mod columns;
// Rows in memory that are split, deduplicated or sampled, and those of a Parquet file.
#[cfg(feature = "parquet")]
mod copied_tables;
// Splits, deduplicated corpora and samples, for any mixture of records.
mod copies;
// Files of all shapes that are damaged at one place: nothing is lost in silence.
mod damage;
// Parquet files that are damaged: an error, or rows, but never a panic.
#[cfg(feature = "parquet")]
mod damaged_parquet;
// One suite for all engines, in each width of vectors.
mod engines;
// The programs in `examples/` print what their pages show.
mod examples;
// The functions and types at the root of the crate.
mod front_door;
// Generated puzzles have one solution, and depend on seed and index only.
mod generate;
// Each implication of a chain follows from its causes.
mod implications;
// The lanes engine where it differs from the others: batches, widths, long searches.
mod lanes;
// Lists of solutions in lexicographic order, with every engine.
mod list;
// Rows of one puzzle at a time are those of a table.
mod one_by_one;
// Runs that go on after an interruption.
mod resumed;
// Scores of answers and solutions of states, compared with all grids.
mod models;
// Random texts, for the properties of the fuzz targets that read an input.
mod noise;
// Pencilmark puzzles: their text, and the engine that solves them.
mod pencilmarks;
// The pipeline without Sudoku: order, bounded memory, and that every run ends.
mod pipeline;
// What holds for any input; the fuzz targets call the same functions.
#[path = "../properties/mod.rs"]
pub mod properties;
// Ratings are those of Sudoku Explainer.
mod rating;
// The files and tests that `SECURITY.md` names exist.
mod security;
// The seeds of the fuzz targets, on a stable toolchain.
mod seeds;
// All shapes in which people write puzzles, with noise between them.
mod shapes;
// Canonical forms of 4x4 and 6x6: all grids, all 4x4 puzzles, and a slow canonicaliser.
mod small_canon;
// Copies and new puzzles as batches in memory are those of the jobs that write them.
mod streams;
// Traces lead to the solution.
mod trace;
// Record batches in and out, with the rows of the text path.
mod typed;

use self::properties::support;
