//! What the jobs share that copy records: split, dedupe and sample.
//!
//! ```text
//!   chunk -> GroupWorker, ... -> a note for each record -> the job chooses an output -> RecordWriter
//!              |  parallel: the key of the group, a column       |  serial, in the order of the input
//! ```
//!
//! A job that can choose only when it has seen all records reads the inputs again; see [`read_again`].

mod error;
mod extension;
mod group;
mod group_worker;
mod keyed_hash;
mod record_writer;
mod second_pass;

pub use self::error::CopyError;
pub(super) use self::extension::check_extension;
pub use self::group::{GroupBy, NoKey, NoKeyCounts};
pub(super) use self::group_worker::{GroupWorker, GroupedRecord};
pub(super) use self::keyed_hash::KeyedHash;
pub(super) use self::record_writer::{RawRecord, RecordWriters, TableCheck};
pub(super) use self::second_pass::{Piece, check_rereadable, copy_failure, pieces, read_again};
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
