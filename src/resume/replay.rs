//! Resumes an interrupted run: reads the partial output in step with the input.
//!
//! Rows are in the order of the records, one for each, so a partial output shows how far a run has come, however it
//! ended. Each complete row is compared with its record and [replayed](Replay). At the first row that is damaged, torn
//! or missing, the run continues: the rest of the output is cut off, and the corpus is just at that record.
//!
//! ```text
//! rows     | 1 | 2 | 3 | 4 | 5 | to|
//! records  | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | ...
//!                              ^ here the pipeline starts
//! ```

use std::io::{self, Read};
use std::path::PathBuf;

use super::manifest::{Difference, in_words};
use crate::corpus::read_buffer::ReadBuffer;
use crate::corpus::{Corpus, CorpusError, RecordView};
use crate::pipeline::{End, Stop};
use crate::rows::RowEnds;

/// How much of an output is read at a time, in bytes.
const READ: usize = 256 << 10;

/// A longer row is taken for damage: a quote that is never closed must not ask for unlimited memory.
const LONGEST: usize = 64 << 20;

/// Number of rows after which the stop signal is polled.
const PERIOD: u64 = 1 << 12;

/// Takes the rows of an interrupted run into account.
pub(crate) trait Replay {
    /// Replays a row, line end included, of `record`.
    ///
    /// # Errors
    ///
    /// If the row is damaged, or belongs to another record. A damaged row changes nothing.
    fn replay(&mut self, row: &[u8], record: RecordView<'_>) -> Result<(), RowError>;

    /// Takes more text of the last record, which was cut off.
    fn rest_of_record(&mut self, _text: &[u8]) {}
}

/// Replays nothing, for rows that cannot be replayed.
impl<T: Replay> Replay for Option<T> {
    fn replay(&mut self, row: &[u8], record: RecordView<'_>) -> Result<(), RowError> {
        self.as_mut().map_or(Err(RowError::Damaged), |replay| replay.replay(row, record))
    }

    fn rest_of_record(&mut self, text: &[u8]) {
        if let Some(replay) = self {
            replay.rest_of_record(text);
        }
    }
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RowError {
    /// No run writes such a row; a crash may leave it at the end.
    #[error("is damaged")]
    Damaged,
    /// It has the line of another record.
    #[error("is of line {0}, the record of line {1}")]
    Line(u64, u64),
    /// It has the name of another input.
    #[error("is of {0}, the record of {1}")]
    File(String, String),
    /// Another field differs from the record.
    #[error("has another {0} than the record of line {1}")]
    Other(&'static str, u64),
}

/// Why a run cannot be resumed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The output is not a regular file.
    #[error("only a run with an output file can be resumed")]
    NoFile,
    /// The manifest is missing.
    #[error("cannot resume {}: its manifest {} is missing", partial.display(), manifest.display())]
    NoManifest {
        /// The partial output.
        partial: PathBuf,
        /// Its manifest.
        manifest: PathBuf,
    },
    /// The partial output is of a run with other inputs or options.
    #[error("cannot resume {}: {}", partial.display(), in_words(differences))]
    Differs {
        /// The partial output.
        partial: PathBuf,
        /// The differences.
        differences: Vec<Difference>,
    },
    /// The rows cannot be replayed.
    #[error("cannot resume {}", partial.display())]
    Rows {
        /// The partial output.
        partial: PathBuf,
        /// Why.
        source: ReplayError,
    },
}

/// Why the rows of a partial output cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// They cannot be read.
    #[error("cannot read its rows")]
    Read(#[from] io::Error),
    /// The corpus cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// A row belongs to another record.
    #[error("row {row} {fault}")]
    Row {
        /// The number of the row, from 1, without the header.
        row: u64,
        /// The difference.
        fault: RowError,
    },
    /// There are more rows than records.
    #[error("it has more rows than the {0} records of the input")]
    TooMany(u64),
}

/// Reads the complete rows of an output that may be torn anywhere.
pub(super) struct PartialRows<R> {
    reader: R,
    ends: RowEnds,
    buffer: ReadBuffer,
    at_end: bool,
    /// Bytes of the rows that were consumed.
    consumed: u64,
}

impl<R: Read> PartialRows<R> {
    /// Reads the rows of an output; a header counts as the first row.
    pub(super) fn new(reader: R, ends: RowEnds) -> PartialRows<R> {
        PartialRows { reader, ends, buffer: ReadBuffer::new(READ), at_end: false, consumed: 0 }
    }

    /// Consumes the next row, line end included, if `accept` accepts it. Returns whether it did.
    ///
    /// # Errors
    ///
    /// If the output cannot be read, or `accept` fails.
    pub(super) fn next(
        &mut self,
        accept: impl FnOnce(&[u8]) -> Result<bool, ReplayError>,
    ) -> Result<bool, ReplayError> {
        let Some(length) = self.row_length()? else { return Ok(false) };
        if !accept(&self.buffer.bytes()[..length])? {
            return Ok(false);
        }
        self.consumed += length as u64;
        self.buffer.consume(length);
        Ok(true)
    }

    /// The number of bytes that were consumed, all of them complete rows.
    pub(super) fn consumed(&self) -> u64 {
        self.consumed
    }

    /// The length of the next row; `None` if it does not end.
    fn row_length(&mut self) -> io::Result<Option<usize>> {
        let mut ends = self.ends.clone();
        let mut searched = 0;
        loop {
            let bytes = self.buffer.bytes();
            if let Some(length) = ends.find(&bytes[searched..]) {
                return Ok(Some(searched + length));
            }
            searched = bytes.len();
            if self.at_end || searched > LONGEST {
                return Ok(None);
            }
            self.at_end = self.buffer.fill(&mut self.reader)? == 0;
        }
    }
}

/// Replays rows in step with their records until one is not complete; the corpus moves past both.
///
/// `records` counts on from the number of records that were replayed before. `progress` is called now and then. Returns
/// whether all complete rows were replayed, or somebody triggered `stop`.
///
/// # Errors
///
/// If the rows or the corpus cannot be read, or a complete row belongs to another record.
pub(super) fn replay<R: Read>(
    rows: &mut PartialRows<R>,
    corpus: &mut Corpus,
    replay: &mut dyn Replay,
    records: &mut u64,
    stop: &Stop,
    progress: impl Fn(&Corpus),
) -> Result<End, ReplayError> {
    loop {
        let row = *records + 1;
        let replayed = rows.next(|text| {
            let record = corpus.peek()?.ok_or(ReplayError::TooMany(*records))?;
            match replay.replay(text, record) {
                Ok(()) => Ok(true),
                Err(RowError::Damaged) => Ok(false),
                Err(fault) => Err(ReplayError::Row { row, fault }),
            }
        })?;
        if !replayed {
            return Ok(End::Complete);
        }
        corpus.consume();
        corpus.consume_rest(|text| replay.rest_of_record(text))?;
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

    /// Reads a few bytes at a time.
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
    fn complete_rows_are_read_until_one_is_rejected() {
        let row = |n: usize| format!("{n},\"{}\n\"\n", "x".repeat(n * n * n % 600_000));
        let rows: Vec<String> = (0..90).map(row).collect();
        let text = rows.concat() + "90,\"torn\n";
        for size in [777, READ, usize::MAX] {
            let mut rows_read = PartialRows::new(Dribble(text.as_bytes(), size), OutputFormat::Csv.ends());
            let mut length = 0;
            for row in &rows {
                assert!(!rows_read.next(|_| Ok(false)).unwrap(), "a rejected row stays the next one");
                assert!(rows_read.next(|text| Ok(*text == *row.as_bytes())).unwrap());
                length += row.len() as u64;
                assert_eq!(rows_read.consumed(), length);
            }
            assert!(!rows_read.next(|_| Ok(true)).unwrap());
        }
    }

    /// A quote that is never closed.
    #[test]
    fn a_row_without_an_end_takes_bounded_memory() {
        let mut rows_read = PartialRows::new(io::repeat(b'"').take(3).chain(io::repeat(0)), OutputFormat::Csv.ends());
        assert!(!rows_read.next(|_| Ok(true)).unwrap());
        assert!(rows_read.buffer.memory() <= 4 * LONGEST);
    }
}
