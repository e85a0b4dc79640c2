//! The passes of `dedupe` over its inputs: one to keep the first record of each group, two to keep the best.

use std::io::{self, Write};
use std::sync::Arc;

use super::Dedupe;
use super::best_records::{Best, BestRecords};
use super::dropped::Dropped;
use crate::canon::Key;
use crate::corpus::{ChunkInput, Corpus, Input, RecordView};
use crate::jobs::copy::{
    CopyError, GroupedRecord, NoKey, NoKeyCounts, PassEnd, Piece, RecordWriters, check_rereadable, kept_column,
    parse_number, pieces, read_again,
};
use crate::jobs::first_seen::{Files, FirstSeen, Location};
use crate::jobs::{Execution, JobError};
use crate::pipeline::{Chunk, End};
use crate::resume::OutputError;

/// What a worker finds out about a record: the key of its group, and its number in the column that is read.
type DedupeNote = (Result<Key, NoKey>, Option<f64>);

fn note(record: GroupedRecord<'_>, _: &mut Vec<u8>) -> DedupeNote {
    (record.key, parse_number(record.value))
}

/// The records of a run by what became of them.
#[derive(Debug, Default)]
pub(super) struct DedupeCounts {
    pub(super) kept: u64,
    pub(super) dropped: u64,
    pub(super) no_key: NoKeyCounts,
    pub(super) without_number: u64,
}

/// Writes records to the output or to the table of those that are dropped, and counts them.
pub(super) struct KeptOutput<W: Write> {
    writers: RecordWriters<W>,
    dropped: Dropped,
    files: Files,
    counts: DedupeCounts,
}

impl<W: Write> KeptOutput<W> {
    /// Writes the header of the inputs to the output.
    pub(super) fn new(table: &Arc<Input>, output: W, dropped: Dropped) -> io::Result<KeptOutput<W>> {
        let writers = RecordWriters::new(Arc::clone(table), [output])?;
        Ok(KeptOutput { writers, dropped, files: Files::default(), counts: DedupeCounts::default() })
    }

    fn keep(&mut self, record: &RecordView<'_>) -> io::Result<()> {
        self.counts.kept += 1;
        self.writers.write(Some(0), record)
    }

    fn drop(&mut self, record: &RecordView<'_>, repeated: Location) -> io::Result<()> {
        self.counts.dropped += 1;
        self.writers.write(None, record)?;
        self.dropped.write(record, repeated, &self.files)
    }

    /// Reads the inputs again, to copy the best record of each group.
    pub(super) fn copy_best(
        &mut self,
        corpus: Corpus,
        best: &BestRecords,
        execution: &Execution,
    ) -> Result<End, JobError>
    where
        W: Send,
    {
        let mut positions = 0..best.len();
        let each = |piece: Piece<'_>| {
            let record = match piece {
                Piece::Rest(text) => return self.writers.rest_of_record(text),
                Piece::Record(record) => record,
            };
            let position = positions.next().ok_or_else(|| io::Error::other(CopyError::Changed))?;
            self.files.location(record.input, record.line);
            match best.repeated_by(position) {
                None => self.keep(&record),
                Some(best) => self.drop(&record, best),
            }
        };
        let end = read_again(corpus, each, execution)?;
        if end == End::Complete && !positions.is_empty() {
            return Err(CopyError::Changed.into());
        }
        Ok(end)
    }

    /// Writes what is buffered, and completes the table if the run is complete; returns the counts and the output.
    pub(super) fn finish(self, end: End) -> Result<(DedupeCounts, W), JobError> {
        let mut outputs = self.writers.into_outputs().map_err(OutputError::Write)?;
        let mut output = outputs.pop().expect("there is one output");
        output.flush().map_err(OutputError::Write)?;
        if end == End::Complete {
            self.dropped.finish()?;
        }
        Ok((self.counts, output))
    }
}

impl Dedupe {
    /// Keeps the first record of each group.
    pub(super) fn keep_first<W: Write + Send>(
        &self,
        corpus: Corpus,
        output: &mut KeptOutput<W>,
        execution: &Execution,
    ) -> Result<PassEnd, JobError> {
        let mut seen = FirstSeen::default();
        let each = |chunk: &mut Chunk<ChunkInput, DedupeNote>| {
            let mut notes = chunk.notes.iter();
            for piece in pieces(chunk) {
                let record = match piece {
                    Piece::Rest(text) => {
                        output.writers.rest_of_record(text)?;
                        continue;
                    }
                    Piece::Record(record) => record,
                };
                let &(key, _) = notes.next().expect("there is a note for each record");
                let location = output.files.location(record.input, record.line);
                if let Err(reason) = key {
                    output.counts.no_key.count(reason);
                }
                match key.ok().and_then(|key| seen.insert(key, location)) {
                    None => output.keep(&record)?,
                    Some(first) => output.drop(&record, first)?,
                }
            }
            Ok(())
        };
        self.groups.run(corpus, None, note, each, execution)
    }

    /// Finds the best record of each group, and reads the inputs again to copy those.
    pub(super) fn keep_best<W: Write + Send>(
        &self,
        corpus: Corpus,
        column: &str,
        best: Best,
        output: &mut KeptOutput<W>,
        execution: &Execution,
    ) -> Result<PassEnd, JobError> {
        check_rereadable(&corpus)?;
        let again = corpus.open_again()?;
        let ((end, stopped_after), best) =
            self.find_best(corpus, Some((column, best)), &mut output.counts, execution)?;
        if end == End::Stopped {
            return Ok((end, stopped_after));
        }
        Ok((output.copy_best(again, &best, execution)?, None))
    }

    /// Finds the best record of each group, or the first without a column.
    pub(super) fn find_best(
        &self,
        corpus: Corpus,
        column: Option<(&str, Best)>,
        counts: &mut DedupeCounts,
        execution: &Execution,
    ) -> Result<(PassEnd, BestRecords), JobError> {
        let index = column.map(|(column, _)| kept_column(&corpus, column)).transpose()?;
        // Without a column there are no values, and then the first record is the best.
        let mut best = BestRecords::new(column.map_or(Best::Largest, |(_, best)| best));
        let mut files = Files::default();
        let each = |chunk: &mut Chunk<ChunkInput, DedupeNote>| {
            let Some(ChunkInput { input, .. }) = &chunk.input else { return Ok(()) };
            for (record, &(key, value)) in chunk.records.iter().zip(&chunk.notes) {
                counts.without_number += u64::from(value.is_none());
                if let Err(reason) = key {
                    counts.no_key.count(reason);
                }
                best.push(key.ok(), files.location(input, record.line), value);
            }
            Ok(())
        };
        let end = self.groups.run(corpus, index, note, each, execution)?;
        Ok((end, best))
    }
}
