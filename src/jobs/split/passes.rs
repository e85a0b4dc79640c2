//! The passes of a split over its inputs: one for shares, two for exact sizes.

use std::io::{self, Write};

use super::Split;
use super::exact_sizes::ExactSizes;
use super::part_outputs::PartOutputs;
use super::report::{ValueIndex, ValueTable};
use crate::corpus::{ChunkInput, Corpus};
use crate::jobs::copy::{
    CopyError, GroupWorker, GroupedRecord, KeyedHash, NoKey, Piece, TableCheck, check_rereadable, copy_failure,
    kept_column, pieces, read_again,
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
    pub(super) fn split_exactly<W: Write + Send>(
        &self,
        corpus: Corpus,
        sizes: &[Option<u64>],
        outputs: &mut PartOutputs<W, impl FnMut() -> io::Result<W> + Send>,
        execution: &Execution,
    ) -> Result<Passed, JobError> {
        check_rereadable(&corpus)?;
        let again = corpus.open_again()?;
        let mut seen = SeenGroups::default();
        let each = |chunk: &mut Chunk<ChunkInput, SplitNote>| {
            for (group, value) in notes(chunk) {
                seen.push(group, self.column.is_some().then_some(value));
            }
            Ok(())
        };
        let (end, stopped_after) = self.find_groups(corpus, each, execution)?;
        let SeenGroups { hashes, reasons, values, table } = seen;
        if end == End::Stopped {
            return Ok(Passed { end, stopped_after, values: table });
        }
        let with_group = hashes.iter().copied().filter(|&hash| hash != SeenGroups::NONE).collect();
        let chosen = ExactSizes::choose(with_group, sizes, &self.parts)?;

        let (mut position, mut reasons) = (0, reasons.into_iter());
        let each = |piece: Piece<'_>| {
            let record = match piece {
                Piece::Rest(text) => return outputs.rest_of_record(text),
                Piece::Record(record) => record,
            };
            let hash = *hashes.get(position).ok_or_else(|| io::Error::other(CopyError::Changed))?;
            let reason = if hash == SeenGroups::NONE { reasons.next() } else { None };
            let part = reason.map_or_else(|| Ok(chosen.part_of(hash)), Err);
            outputs.write(part, values.get(position).copied(), &record)?;
            position += 1;
            Ok(())
        };
        let end = read_again(again, each, execution)?;
        if end == End::Complete && position != hashes.len() {
            return Err(CopyError::Changed.into());
        }
        Ok(Passed { end, stopped_after: None, values: table })
    }

    /// Runs the corpus through workers that find the group of each record; `each` is called with every chunk.
    fn find_groups(
        &self,
        corpus: Corpus,
        mut each: impl FnMut(&mut Chunk<ChunkInput, SplitNote>) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<(End, Option<StoppedAfter>), JobError> {
        let column = self.column.as_deref().map(|column| kept_column(&corpus, column)).transpose()?;
        let hash = KeyedHash::new(self.seed);
        let note = move |record: GroupedRecord<'_>, values: &mut Vec<u8>| {
            values.extend_from_slice(record.value);
            SplitNote { group: record.key.map(|key| hash.of_key(key)), value_end: values.len() }
        };
        let engine = self.engine.builder()?;
        let solver = || execution.solver(engine(), self.max_branches);
        let workers = (0..execution.threads).map(|_| GroupWorker::new(self.by, column, solver(), note)).collect();
        let mut table = TableCheck::default();
        let finish = |chunk: &mut Chunk<ChunkInput, SplitNote>| {
            if let Some(ChunkInput { input, .. }) = &chunk.input {
                table.check(input).map_err(io::Error::other)?;
            }
            each(chunk)
        };
        let run = execution.run(corpus, workers, io::sink(), finish, None).map_err(copy_failure)?;
        if run.end == End::Complete {
            run.tally.notify(execution);
        }
        Ok((run.end, run.stopped_after))
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

/// The groups of all records, by their positions.
#[derive(Default)]
struct SeenGroups {
    /// The hash of each group, or [`NONE`](SeenGroups::NONE).
    hashes: Vec<u64>,
    /// Why records have no group, for those.
    reasons: Vec<NoKey>,
    /// The values, if a column is read.
    values: Vec<ValueIndex>,
    table: ValueTable,
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
}
