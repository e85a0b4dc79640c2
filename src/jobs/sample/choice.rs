//! Chooses the records of a sample, in the order of the input.

use std::io;
use std::sync::Arc;

use super::Sample;
use super::strata::{Candidate, MOST_VALUES, Strata};
use super::worker::SampleNote;
use crate::corpus::{ChunkInput, RecordView};
use crate::jobs::copy::{CopyError, KeyedHash, Piece, pieces};
use crate::pipeline::Chunk;

/// The records that are chosen so far.
pub(super) struct Choice<'a> {
    job: &'a Sample,
    hash: KeyedHash,
    /// The number of records so far.
    pub(super) position: u64,
    pub(super) strata: Strata,
    /// The last record, with its value, if it was chosen and is so long that more of it may follow.
    pending: Option<(Vec<u8>, Candidate)>,
}

impl Choice<'_> {
    pub(super) fn new(job: &Sample) -> Choice<'_> {
        let (hash, strata) = (KeyedHash::new(job.seed), Strata::new(job.size));
        Choice { job, hash, position: 0, strata, pending: None }
    }

    /// Takes the next chunk in the order of the input.
    pub(super) fn add(&mut self, chunk: &Chunk<ChunkInput, SampleNote>) -> io::Result<()> {
        let (mut notes, mut start) = (chunk.notes.iter(), 0);
        for piece in pieces(chunk) {
            let record = match piece {
                Piece::Rest(text) => {
                    if let Some((_, candidate)) = &mut self.pending {
                        candidate.append(text);
                    }
                    continue;
                }
                Piece::Record(record) => record,
            };
            self.add_pending();
            let note = notes.next().expect("there is a note for each record");
            let value = &chunk.output[start..note.value_end];
            start = note.value_end;
            self.position += 1;
            if !note.holds {
                continue;
            }
            let (position, hash) = (self.position, self.hash.of_position(self.position));
            let candidate = || Candidate::new(hash, position, &record);
            if record.line_end.is_empty() {
                // It may have been cut off.
                self.pending = Some((value.to_vec(), candidate()));
            } else {
                self.strata.add(value, hash, position, candidate);
            }
            if self.strata.len() > MOST_VALUES {
                let column = self.job.column.clone().unwrap_or_default();
                return Err(io::Error::other(CopyError::TooManyValues { column, most: MOST_VALUES }));
            }
        }
        Ok(())
    }

    /// Takes the last record, once it is complete.
    pub(super) fn add_pending(&mut self) {
        if let Some((value, candidate)) = self.pending.take() {
            self.strata.add(&value, candidate.hash, candidate.position, || candidate);
        }
    }
}

impl Candidate {
    fn new(hash: u64, position: u64, record: &RecordView<'_>) -> Candidate {
        let text = [record.text, record.line_end].concat();
        let (input, text_length) = (Arc::clone(record.input), record.text.len());
        Candidate { hash, position, input, line: record.line, text, text_length }
    }

    /// Appends more of the record.
    fn append(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.text_length = self.text.len();
    }
}
