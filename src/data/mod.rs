//! Collections: reads records from files, streams and arrays, and writes rows.
//!
//! ```text
//!   npy           the header of an array of NumPy
//!   compression   gzip, zstd, xz and bzip2 streams
//!   pipeline      reads chunks, works on them in parallel, passes them on in order
//!   arrow         record batches, Parquet files, NumPy arrays: puzzles as text or cells, rows as columns
//!   scoring       the grid in a free text, and its score
//!   corpus        the inputs of a run as a source of chunks; shards
//!   rows          the columns of output rows, and their text in each format
//!   output        output files that get their names when they are complete; their checkpoints
//! ```
//!
//! A room uses only rooms above it, and the floor below, `sudoku`.

pub mod arrow;
pub mod compression;
pub mod corpus;
pub(crate) mod npy;
pub mod output;
pub mod pipeline;
pub mod rows;
pub(crate) mod scoring;
