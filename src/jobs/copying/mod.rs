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
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "arrow")]
mod rows;
mod run;
mod text;

pub(super) use self::copier::{RecordCopier, check_extension, copy_to_file};
pub use self::error::CopyError;
pub use self::group::{GroupBy, NoKey, NoKeyCounts};
pub(super) use self::group_finder::{GroupFinder, GroupedRecord};
pub(super) use self::keyed_hash::KeyedHash;
pub(super) use self::number::Number;
#[cfg(feature = "parquet")]
pub(super) use self::rows::check_rows;
pub(super) use self::run::{Chooser, RecordNote, copy_records, records_of};

use std::io;

use crate::corpus::{Corpus, RecordView};
use crate::jobs::{Execution, JobError};
use crate::pipeline::End;
use crate::stats::StoppedAfter;

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

/// Some outputs of copied records, whether these are text or rows with typed columns.
trait Outputs<W>: Send {
    /// The number of outputs that are open.
    fn len(&self) -> usize;

    /// Adds an output.
    fn push(&mut self, output: W);

    /// Copies the next record to the output with this index, or to none.
    fn write(&mut self, output: Option<usize>, record: &RecordView<'_>) -> io::Result<()>;

    /// Copies more text of the last record, which was cut off.
    fn rest_of_record(&mut self, _text: &[u8]) -> io::Result<()> {
        Ok(())
    }

    /// Copies the record at a position, from 0, to an output after all were passed to [`Outputs::write`], with none as
    /// their output. Records come in order.
    fn write_late(&mut self, output: usize, position: usize, record: &RecordView<'_>) -> io::Result<()>;

    /// Completes the outputs of a run that ended so.
    fn finish(self: Box<Self>, pass: PassEnd, execution: &Execution) -> Result<Copied<W>, JobError>;
}

/// How a run ended, and after which record it was stopped.
pub(super) type PassEnd = (End, Option<StoppedAfter>);

/// What was copied.
pub(super) struct Copied<W> {
    pub(in crate::jobs) end: End,
    /// The last record of a run that was stopped.
    pub(in crate::jobs) stopped_after: Option<StoppedAfter>,
    pub(in crate::jobs) outputs: Vec<W>,
    /// Whether no output has a record.
    pub(in crate::jobs) is_empty: bool,
}
