//! Copies records unchanged: the shared part of split, dedupe, sample and validate.
//!
//! ```text
//!   chunk -> workers -> a note for each record -> Chooser -> the index of an output -> RecordCopier
//!              |  parallel: the group, a column      |  serial, in the order of the input
//! ```
//!
//! The inputs are read again if a [`Chooser`] needs to see all records first, or if rows with typed columns are copied:
//! the first pass reads only the columns with the puzzles, the last pass copies rows with all their columns, to Parquet
//! files or to a function.

mod copier;
mod error;
mod group;
mod group_finder;
mod keyed_hash;
mod rows;
mod run;
mod text;

pub(crate) use self::copier::{RecordCopier, check_extension, copy_to_file, copying_job_runs};
pub(crate) use self::error::CopyError;
pub use self::group::{GroupBy, NoKey, NoKeyCounts};
pub(crate) use self::group_finder::{GroupFinder, GroupedRecord};
pub(crate) use self::keyed_hash::KeyedHash;
#[cfg(feature = "parquet")]
pub(crate) use self::rows::check_rows;
pub(crate) use self::run::{Chooser, RecordNote, copy_records};

use std::cmp::Ordering;
use std::io;

use crate::corpus::{Corpus, RecordView};
use crate::pipeline::End;
use crate::run::{Execution, JobError};
use crate::stats::StoppedAfter;

/// Checks that all inputs can be read twice.
pub(crate) fn check_rereadable(corpus: &Corpus) -> Result<(), CopyError> {
    match corpus.read_once() {
        Some(origin) => Err(CopyError::ReadTwice { input: origin.to_string() }),
        None => Ok(()),
    }
}

/// The outputs of copied records, either text or rows with typed columns.
trait Outputs<W>: Send {
    /// The number of outputs that are open.
    fn len(&self) -> usize;

    /// Adds an output.
    fn push(&mut self, output: W);

    /// Copies the next record to the output with this index, or to none.
    fn write(&mut self, output: Option<usize>, record: &RecordView<'_>) -> io::Result<()>;

    /// Copies more text of the last record, if it was too long for its chunk.
    fn rest_of_record(&mut self, _text: &[u8]) -> io::Result<()> {
        Ok(())
    }

    /// Copies the record at a position, from 0, to an output, after all records were passed to [`Outputs::write`]
    /// without an output. Records must come in order.
    fn write_late(&mut self, output: usize, position: usize, record: &RecordView<'_>) -> io::Result<()>;

    /// Completes the outputs at the end of a run.
    fn finish(self: Box<Self>, pass: PassEnd, execution: &Execution) -> Result<Copied<W>, JobError>;
}

/// The end of a run, and the last record if it was stopped.
pub(crate) type PassEnd = (End, Option<StoppedAfter>);

/// The result of copying records.
pub(crate) struct Copied<W> {
    pub(crate) end: End,
    /// The last record, if the run was stopped.
    pub(crate) stopped_after: Option<StoppedAfter>,
    pub(crate) outputs: Vec<W>,
    /// Whether no output has a record.
    pub(crate) is_empty: bool,
}

/// A number in a field.
///
/// A 64-bit float holds integers up to 2^53 only, and identifiers are often larger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FieldNumber {
    /// An integer.
    Integer(i64),
    /// Another number, or an integer that is too large.
    Real(f64),
}

impl FieldNumber {
    /// The number in a field; `None` if it is not a finite number.
    pub(crate) fn parse(field: &[u8]) -> Option<FieldNumber> {
        let text = str::from_utf8(field.trim_ascii()).ok()?;
        if let Ok(integer) = text.parse() {
            return Some(FieldNumber::Integer(integer));
        }
        // Spreadsheets of many countries write a decimal comma.
        let real = text.parse().or_else(|_| text.replace(',', ".").parse());
        real.ok().filter(|real: &f64| real.is_finite()).map(FieldNumber::Real)
    }

    /// The order of two numbers.
    pub(crate) fn order(self, other: FieldNumber) -> Ordering {
        match (self, other) {
            (FieldNumber::Integer(one), FieldNumber::Integer(other)) => one.cmp(&other),
            (one, other) => one.real().partial_cmp(&other.real()).expect("both are finite"),
        }
    }

    fn real(self) -> f64 {
        match self {
            FieldNumber::Integer(integer) => integer as f64,
            FieldNumber::Real(real) => real,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_compared_exactly() {
        let number = |text: &str| FieldNumber::parse(text.as_bytes()).unwrap();
        let ascending =
            ["-1e300", "-9007199254740993", "-9007199254740992", "-0.5", " 0 ", "0.25", "3", "9007199254740992"];
        let ascending = [&ascending[..], &["9007199254740993", "1e19", "20000000000000000000", "1e300"]].concat();
        for pair in ascending.windows(2) {
            assert_eq!(number(pair[0]).order(number(pair[1])), Ordering::Less, "{pair:?}");
        }
        for (one, other) in [("3", "3.0"), ("1000", "1e3"), ("-0", "0.0"), ("007", "7")] {
            assert_eq!(number(one).order(number(other)), Ordering::Equal, "{one} {other}");
        }
        for text in ["", "x", "inf", "nan", "1 2", "1e999"] {
            assert_eq!(FieldNumber::parse(text.as_bytes()), None, "{text}");
        }
    }
}
