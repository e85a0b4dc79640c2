//! Going on with a run that broke off: its rows are its journal.
//!
//! Rows are in the order of the records, one for each, so a partial output tells by itself how far a run has come,
//! however it ended. It is read back in step with the corpus: each whole row is held against its record and
//! [recalled](Replay), and both are passed over. Where the first row is damaged, or torn off, or missing, the run goes
//! on: what follows in the output is cut off, and the corpus is just there.
//!
//! ```text
//! rows     | 1 | 2 | 3 | 4 | 5 | to|
//! records  | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | ...
//!                              ^ here the pipeline starts
//! ```

use std::io::{self, Read};

use memchr::memchr;

use crate::corpus::read_buffer::ReadBuffer;
use crate::corpus::{Corpus, CorpusError, RecordView};
use crate::pipeline::{End, Stop};
use crate::rows::RowEnds;

/// How much of an output is read at a time.
const READ: usize = 256 << 10;

/// What is longer than this is taken for damage: a quote that is never closed must not ask for memory without end.
const LONGEST: usize = 64 << 20;

/// After how many rows it is asked whether to stop.
const PERIOD: u64 = 1 << 12;

/// Takes up what rows of an earlier run say.
pub trait Replay {
    /// Takes up a row, line end included, and the record that it should be of.
    ///
    /// # Errors
    ///
    /// If the row is damaged, or of another record. A damaged row changes nothing.
    fn recall(&mut self, row: &[u8], record: RecordView<'_>) -> Result<(), RowFault>;
}

/// Takes up nothing: for rows of a kind that is never read back.
impl<T: Replay> Replay for Option<T> {
    fn recall(&mut self, row: &[u8], record: RecordView<'_>) -> Result<(), RowFault> {
        self.as_mut().map_or(Err(RowFault::Damaged), |recall| recall.recall(row, record))
    }
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowFault {
    /// It is not as any run writes it: what a crash may leave at the end.
    #[error("is damaged")]
    Damaged,
    /// It is of another line.
    #[error("is of line {0}, the record of line {1}")]
    Line(u64, u64),
    /// It is of another input.
    #[error("is of {0}, the record of {1}")]
    File(String, String),
    /// It does not fit its record in some other way.
    #[error("has another {0} than the record of line {1}")]
    Other(&'static str, u64),
}

/// Why an output cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The rows so far cannot be read.
    #[error("cannot read the rows so far")]
    Read(#[source] io::Error),
    /// The corpus cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A row is not of the record that it should be of.
    #[error("row {row} {fault}")]
    Row {
        /// The number of the row, from 1, without the header.
        row: u64,
        /// What is wrong with it.
        fault: RowFault,
    },
    /// There are more rows than records.
    #[error("there are more than the {0} rows that the input has records")]
    TooMany(u64),
}

/// The whole rows of an output that may be torn off anywhere.
pub struct PartialRows<R> {
    reader: R,
    ends: RowEnds,
    inflow: ReadBuffer,
    at_end: bool,
    /// How many bytes the rows have that were passed over.
    passed: u64,
}

impl<R: Read> PartialRows<R> {
    /// The rows of an output, the header, where there is one, being the first.
    pub fn new(reader: R, ends: RowEnds) -> PartialRows<R> {
        PartialRows { reader, ends, inflow: ReadBuffer::new(READ), at_end: false, passed: 0 }
    }

    /// Passes over the next row, line end included, if `is_good` says so. Says whether it did; if not, the output is
    /// whole up to where it was.
    ///
    /// # Errors
    ///
    /// If the output cannot be read, or `is_good` fails.
    pub fn pass(&mut self, is_good: impl FnOnce(&[u8]) -> Result<bool, ResumeError>) -> Result<bool, ResumeError> {
        let Some(length) = self.row_length().map_err(ResumeError::Read)? else { return Ok(false) };
        if !is_good(&self.inflow.bytes()[..length])? {
            return Ok(false);
        }
        self.passed += length as u64;
        self.inflow.pass(length);
        Ok(true)
    }

    /// How many bytes of the output were passed over: all of them are whole rows.
    pub fn length(&self) -> u64 {
        self.passed
    }

    /// How long the next row is; `None` if it does not end.
    fn row_length(&mut self) -> io::Result<Option<usize>> {
        let mut ends = self.ends.clone();
        let mut searched = 0;
        loop {
            let bytes = self.inflow.bytes();
            if let Some(length) = ends.find(&bytes[searched..]) {
                return Ok(Some(searched + length));
            }
            searched = bytes.len();
            if self.at_end || searched > LONGEST {
                return Ok(None);
            }
            self.at_end = self.inflow.read_more(&mut self.reader)? == 0;
        }
    }
}

/// Reads rows back in step with their records, until one is not whole, and passes over both.
///
/// `records` counts on from how many were recalled before. `progress` is called now and then with the corpus; the
/// answer says whether all of that was done, or somebody triggered `stop`.
///
/// # Errors
///
/// If the rows or the corpus cannot be read, or a whole row is not of its record.
pub fn replay<R: Read>(
    journal: &mut PartialRows<R>,
    corpus: &mut Corpus,
    recall: &mut impl Replay,
    records: &mut u64,
    stop: &Stop,
    mut progress: impl FnMut(&Corpus),
) -> Result<End, ResumeError> {
    loop {
        let row = *records + 1;
        let passed = journal.pass(|text| {
            let record = corpus.peek()?.ok_or(ResumeError::TooMany(*records))?;
            // A crash of the system may leave zeros where rows were to be.
            if memchr(0, text).is_some() && memchr(0, record.text).is_none() {
                return Ok(false);
            }
            match recall.recall(text, record) {
                Ok(()) => Ok(true),
                Err(RowFault::Damaged) => Ok(false),
                Err(fault) => Err(ResumeError::Row { row, fault }),
            }
        })?;
        if !passed {
            return Ok(End::Complete);
        }
        corpus.pass();
        *records = row;
        if row.is_multiple_of(PERIOD) {
            progress(corpus);
            if stop.is_triggered() {
                return Ok(End::Stopped);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::OutputFormat;

    /// Gives some bytes at a time.
    struct Dribble<'a>(&'a [u8], usize);

    impl Read for Dribble<'_> {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(bytes.len());
            bytes[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    /// Rows from short to longer than what is read at a time, and a torn one.
    #[test]
    fn whole_rows_are_passed_over_until_one_is_bad() {
        let row = |n: usize| format!("{n},\"{}\n\"\n", "x".repeat(n * n * n % 600_000));
        let rows: Vec<String> = (0..90).map(row).collect();
        let text = rows.concat() + "90,\"torn\n";
        for size in [777, READ, usize::MAX] {
            let mut journal = PartialRows::new(Dribble(text.as_bytes(), size), OutputFormat::Csv.ends());
            let mut length = 0;
            for row in &rows {
                assert!(!journal.pass(|_| Ok(false)).unwrap(), "it stays the next one");
                assert!(journal.pass(|text| Ok(*text == *row.as_bytes())).unwrap());
                length += row.len() as u64;
                assert_eq!(journal.length(), length);
            }
            assert!(!journal.pass(|_| Ok(true)).unwrap());
        }
    }

    /// A quote that is never closed.
    #[test]
    fn what_has_no_end_is_not_kept_in_memory() {
        let mut journal = PartialRows::new(io::repeat(b'"').take(3).chain(io::repeat(0)), OutputFormat::Csv.ends());
        assert!(!journal.pass(|_| Ok(true)).unwrap());
        assert!(journal.inflow.memory() <= 4 * LONGEST);
    }
}
