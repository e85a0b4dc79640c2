//! Copies records as they are: what split, dedupe, sample and validate share.
//!
//! ```text
//!   chunk -> workers -> a note for each record -> Chooser -> the index of an output -> RecordCopier
//!              |  parallel: the group, a column      |  serial, in the order of the input
//! ```
//!
//! The inputs are read again if a [`Chooser`] needs to see all records first, and if rows with typed columns are copied:
//! the first pass reads only the columns with the puzzles, the last one copies rows with all their columns. They go to
//! Parquet files, or to a function.

mod copier;
mod error;
mod group;
mod group_finder;
mod keyed_hash;
mod number;
mod outputs;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "arrow")]
mod rows;
mod run;
mod text;
mod to_file;

pub(super) use self::copier::RecordCopier;
pub use self::error::CopyError;
pub use self::group::{GroupBy, NoKey, NoKeyCounts};
pub(super) use self::group_finder::{GroupFinder, GroupedRecord};
pub(super) use self::keyed_hash::KeyedHash;
pub(super) use self::number::Number;
pub(super) use self::outputs::Copied;
#[cfg(feature = "parquet")]
pub(super) use self::rows::check_rows;
pub(super) use self::run::{Chooser, RecordNote, copy_records, records_of};
pub(super) use self::to_file::{check_extension, copy_to_file};
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

/// Checks that the inputs can be read twice.
pub(super) fn check_rereadable(corpus: &Corpus) -> Result<(), CopyError> {
    match corpus.read_once() {
        Some(origin) => Err(CopyError::ReadTwice { input: origin.to_string() }),
        None => Ok(()),
    }
}
