//! What the jobs share that copy records: split, dedupe and sample.
//!
//! ```text
//!   chunk -> GroupWorker, ... -> a note for each record -> the job chooses an output -> RecordWriter
//!              |  parallel: the key of the group, a column       |  serial, in the order of the input
//! ```
//!
//! A job that can choose only when it has seen all records reads the inputs again, and so does every job on Parquet: the
//! first pass reads the puzzles, the second copies rows with all their columns.

mod error;
mod extension;
mod group;
mod group_worker;
mod keyed_hash;
mod number;
#[cfg(feature = "parquet")]
mod parquet_rows;
mod passes;
mod record_writer;
mod to_file;

pub use self::error::CopyError;
pub(super) use self::extension::check_extension;
pub use self::group::{GroupBy, NoKey, NoKeyCounts};
pub(super) use self::group_worker::{GroupFinder, GroupedRecord};
pub(super) use self::keyed_hash::KeyedHash;
pub(super) use self::number::parse_number;
#[cfg(feature = "parquet")]
pub(super) use self::parquet_rows::copy_parquet_rows;
pub(super) use self::passes::{PassEnd, Piece, check_rereadable, copy_failure, end_of, pieces, read_again};
pub(super) use self::record_writer::{RecordWriters, TableCheck, records_of};
pub(super) use self::to_file::copy_to_file;
use crate::corpus::Corpus;

/// The index of a column among those that a corpus keeps.
///
/// # Errors
///
/// If the column is not kept.
pub(super) fn kept_column(corpus: &Corpus, name: &str) -> Result<usize, CopyError> {
    let index = corpus.options().keep.iter().position(|kept| kept == name);
    index.ok_or_else(|| CopyError::NotKept(name.to_owned()))
}
