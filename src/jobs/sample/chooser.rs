//! Chooses the records of a sample, in the order of the input.

use std::collections::TryReserveError;
use std::io;
use std::sync::Arc;

use super::Sample;
use super::strata::{Candidate, MAX_VALUES, Strata};
use super::worker::Eligibility;
use crate::copy::{Chooser, CopyError, KeyedHash};
use crate::corpus::{RecordContent, RecordView};

/// The records that are chosen so far, with their texts, so that the inputs are read only once.
pub(super) struct SampleChooser<'a> {
    job: &'a Sample,
    hash: KeyedHash,
    /// The number of records so far.
    pub(super) records: u64,
    /// The number of records with wrong answers that meet all conditions.
    pub(super) wrong_answers: u64,
    strata: Strata,
    /// The last record, with its value, if it is a candidate and so long that more text of it may follow.
    pending: Option<(Vec<u8>, Candidate)>,
}

impl SampleChooser<'_> {
    pub(super) fn new(job: &Sample) -> SampleChooser<'_> {
        let (hash, strata) = (KeyedHash::new(job.seed), Strata::new(job.size));
        SampleChooser { job, hash, records: 0, wrong_answers: 0, strata, pending: None }
    }

    /// The candidates among all records.
    pub(super) fn into_strata(mut self) -> Result<Strata, CopyError> {
        self.add_pending()?;
        Ok(self.strata)
    }

    /// Adds the last record, once it is complete.
    fn add_pending(&mut self) -> Result<(), CopyError> {
        let Some((value, candidate)) = self.pending.take() else { return Ok(()) };
        self.strata.add(&value, candidate.hash, candidate.position, || Ok(candidate)).map_err(no_memory)
    }
}

fn no_memory(_: TryReserveError) -> CopyError {
    CopyError::NoMemory
}

impl Chooser for SampleChooser<'_> {
    type Note = Eligibility;

    /// Collects the candidates; `value` is their value in the column of the strata. Records are copied only when the
    /// sample is complete, so none has an output before.
    fn see(&mut self, note: Eligibility, value: &[u8], record: &RecordView<'_>) -> io::Result<Option<usize>> {
        self.add_pending()?;
        self.records += 1;
        match note {
            Eligibility::Eligible => {}
            Eligibility::Unmatched => return Ok(None),
            Eligibility::WrongAnswer => {
                self.wrong_answers += 1;
                return Ok(None);
            }
        }

        let (position, hash) = (self.records, self.hash.of_position(self.records));
        let candidate = || Candidate::new(hash, position, record);
        if record.line_end.is_empty() {
            // More text of it may follow.
            self.pending = Some((value.to_vec(), candidate().map_err(no_memory)?));
        } else {
            self.strata.add(value, hash, position, candidate).map_err(no_memory)?;
        }
        if self.strata.len() > MAX_VALUES {
            let column = self.job.column.clone().unwrap_or_default();
            return Err(CopyError::TooManyValues { column, limit: MAX_VALUES }.into());
        }
        Ok(None)
    }

    fn rest_of_record(&mut self, text: &[u8]) {
        if let Some((_, candidate)) = &mut self.pending {
            candidate.append(text);
        }
    }
}

impl Candidate {
    fn new(hash: u64, position: u64, record: &RecordView<'_>) -> Result<Candidate, TryReserveError> {
        let own = record.text();
        let mut text = Vec::new();
        text.try_reserve_exact(own.len() + record.line_end.len())?;
        text.extend_from_slice(&own);
        text.extend_from_slice(record.line_end);
        let (input, text_length) = (Arc::clone(record.input), own.len());
        Ok(Candidate { hash, position, input, line: record.line, text, text_length })
    }

    /// Appends more of the record.
    fn append(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
        self.text_length = self.text.len();
    }

    /// The record.
    pub(super) fn record(&self) -> RecordView<'_> {
        let (text, line_end) = self.text.split_at(self.text_length);
        RecordView { input: &self.input, line: self.line, content: RecordContent::Text(text), line_end }
    }
}
