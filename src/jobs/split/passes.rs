//! The passes of a split over its inputs: one for shares, two for exact sizes and for Parquet.

use std::io::{self, Write};

use super::Split;
use super::exact_sizes::ExactSizes;
use super::part_outputs::PartOutputs;
use super::parts::{PartSizes, part_of};
use super::report::{ValueIndex, ValueTable};
use crate::corpus::{ChunkInput, Corpus};
use crate::jobs::copy::{
    CopyError, GroupedRecord, KeyedHash, NoKey, PassEnd, Piece, check_rereadable, kept_column, pieces, read_again,
};
use crate::jobs::{Execution, JobError};
use crate::pipeline::{Chunk, End};
use crate::stats::StoppedAfter;

/// How the passes ended.
pub(super) struct Passed {
    pub(super) end: End,
    /// The last record of a run that was stopped.
    pub(super) stopped_after: Option<StoppedAfter>,
    /// The values of the column, if one is read.
    pub(super) values: ValueTable,
}

/// What a worker finds out about a record.
pub(super) struct SplitNote {
    /// The hash of its group, or why it has none.
    group: Result<u64, NoKey>,
    /// Where its value ends in the output of the chunk, which has all values end to end.
    value_end: usize,
}

impl Split {
    /// Writes records when their groups are known.
    pub(super) fn split_at_once<W: Write + Send>(
        &self,
        corpus: Corpus,
        part_of: impl Fn(u64) -> usize + Sync,
        outputs: &mut PartOutputs<W, impl FnMut() -> io::Result<W> + Send>,
        execution: &Execution,
    ) -> Result<Passed, JobError> {
        let mut values = ValueTable::default();
        let each = |chunk: &mut Chunk<ChunkInput, SplitNote>| {
            let mut notes = notes(chunk);
            for piece in pieces(chunk) {
                match piece {
                    Piece::Rest(text) => outputs.rest_of_record(text)?,
                    Piece::Record(record) => {
                        let (group, value) = notes.next().expect("there is a note for each record");
                        let value = self.column.is_some().then(|| values.index(value));
                        outputs.write(group.map(|hash| Some(part_of(hash))), value, &record)?;
                    }
                }
            }
            Ok(())
        };
        let (end, stopped_after) = self.find_groups(corpus, each, execution)?;
        Ok(Passed { end, stopped_after, values })
    }

    /// Finds all groups first, and reads the inputs again when the groups of each part are chosen. Takes 16 bytes of
    /// memory a record.
    pub(super) fn split_in_two_passes<W: Write + Send>(
        &self,
        corpus: Corpus,
        outputs: &mut PartOutputs<W, impl FnMut() -> io::Result<W> + Send>,
        execution: &Execution,
    ) -> Result<Passed, JobError> {
        check_rereadable(&corpus)?;
        let again = corpus.open_again()?;
        let ((end, stopped_after), seen) = self.see_groups(corpus, execution)?;
        if end == End::Stopped {
            return Ok(Passed { end, stopped_after, values: seen.table });
        }
        let mut choices = seen.choices(self.chooser(&seen)?);
        let each = |piece: Piece<'_>| {
            let record = match piece {
                Piece::Rest(text) => return outputs.rest_of_record(text),
                Piece::Record(record) => record,
            };
            let (part, value) = choices.next().ok_or_else(|| io::Error::other(CopyError::Changed))?;
            outputs.write(part, value, &record)
        };
        let end = read_again(again, each, execution)?;
        if end == End::Complete && choices.next().is_some() {
            return Err(CopyError::Changed.into());
        }
        drop(choices);
        Ok(Passed { end, stopped_after: None, values: seen.table })
    }

    /// Finds the groups of all records.
    pub(super) fn see_groups(&self, corpus: Corpus, execution: &Execution) -> Result<(PassEnd, SeenGroups), JobError> {
        let mut seen = SeenGroups::default();
        let each = |chunk: &mut Chunk<ChunkInput, SplitNote>| {
            for (group, value) in notes(chunk) {
                seen.push(group, self.column.is_some().then_some(value));
            }
            Ok(())
        };
        let end = self.find_groups(corpus, each, execution)?;
        Ok((end, seen))
    }

    /// A function from the hashes of groups to parts.
    pub(super) fn chooser(
        &self,
        seen: &SeenGroups,
    ) -> Result<impl Fn(u64) -> Option<usize> + Send + use<'_>, CopyError> {
        let exact = match &self.parts.sizes {
            PartSizes::Records(sizes) => Some(ExactSizes::choose(seen.groups().collect(), sizes, &self.parts)?),
            PartSizes::Shares { .. } => None,
        };
        Ok(move |hash| match (&exact, &self.parts.sizes) {
            (None, PartSizes::Shares { ends, whole }) => Some(part_of(hash, ends, *whole)),
            (exact, _) => exact.as_ref().and_then(|exact| exact.part_of(hash)),
        })
    }

    /// Finds the group of each record; `each` is called with every chunk.
    fn find_groups(
        &self,
        corpus: Corpus,
        each: impl FnMut(&mut Chunk<ChunkInput, SplitNote>) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<PassEnd, JobError> {
        let column = self.column.as_deref().map(|column| kept_column(&corpus, column)).transpose()?;
        let hash = KeyedHash::new(self.seed);
        let note = |record: GroupedRecord<'_>, values: &mut Vec<u8>| {
            values.extend_from_slice(record.value);
            SplitNote { group: record.key.map(|key| hash.of_key(key)), value_end: values.len() }
        };
        self.groups.run(corpus, column, note, each, execution)
    }
}

/// The group and the value of each record of a chunk.
fn notes(chunk: &Chunk<ChunkInput, SplitNote>) -> impl Iterator<Item = (Result<u64, NoKey>, &[u8])> {
    let mut start = 0;
    chunk.notes.iter().map(move |note| {
        let value = &chunk.output[start..note.value_end];
        start = note.value_end;
        (note.group, value)
    })
}

/// The groups of all records, in order.
#[derive(Default)]
pub(super) struct SeenGroups {
    /// The hash of each group, or [`NONE`](SeenGroups::NONE).
    hashes: Vec<u64>,
    /// Why records have no group, for those.
    reasons: Vec<NoKey>,
    /// The values, if a column is read.
    values: Vec<ValueIndex>,
    pub(super) table: ValueTable,
}

impl SeenGroups {
    /// Stands for a record without a group. A group with this hash is taken for one with the next.
    const NONE: u64 = 0;

    fn push(&mut self, group: Result<u64, NoKey>, value: Option<&[u8]>) {
        match group {
            Ok(hash) => self.hashes.push(hash.max(SeenGroups::NONE + 1)),
            Err(reason) => {
                self.hashes.push(SeenGroups::NONE);
                self.reasons.push(reason);
            }
        }
        self.values.extend(value.map(|value| self.table.index(value)));
    }

    /// The number of records.
    #[cfg(feature = "parquet")]
    pub(super) fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether every record has a group.
    #[cfg(feature = "parquet")]
    pub(super) fn all_have_groups(&self) -> bool {
        self.reasons.is_empty()
    }

    /// The hash of the group of each record that has one.
    fn groups(&self) -> impl Iterator<Item = u64> {
        self.hashes.iter().copied().filter(|&hash| hash != SeenGroups::NONE)
    }

    /// The part of each record, or why it has no group, and its value.
    pub(super) fn choices(
        &self,
        part_of: impl Fn(u64) -> Option<usize>,
    ) -> impl Iterator<Item = (Result<Option<usize>, NoKey>, Option<ValueIndex>)> {
        let mut reasons = self.reasons.iter();
        self.hashes.iter().enumerate().map(move |(position, &hash)| {
            let reason = if hash == SeenGroups::NONE { reasons.next() } else { None };
            let part = reason.map_or_else(|| Ok(part_of(hash)), |&reason| Err(reason));
            (part, self.values.get(position).copied())
        })
    }
}
