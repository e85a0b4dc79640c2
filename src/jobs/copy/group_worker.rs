//! Finds the group of each record: the worker of `split` and `dedupe`.

use crate::canon::Canonicaliser;
use crate::corpus::ChunkInput;
use crate::engine::Limit;
use crate::engine::solver::{Question, Solver};
use crate::jobs::key::Key;
use crate::jobs::records::{ChunkParser, ParsedRecord};
use crate::jobs::tally::{InputTally, Tallied};
use crate::pipeline::{Chunk, Work};

use super::group::{GroupBy, NoKey};

/// A record with the key of its group.
pub(in crate::jobs) struct GroupedRecord<'a> {
    /// The key, or why it has none.
    pub(in crate::jobs) key: Result<Key, NoKey>,
    /// Its value in the column that the job reads; empty if it reads none.
    pub(in crate::jobs) value: &'a [u8],
}

/// Turns chunks of records into notes. Each thread has its own.
///
/// `note` makes a note of a record. It may append to the output of the chunk, which is not written anywhere, and is the
/// place for texts that notes point to.
pub(in crate::jobs) struct GroupWorker<F> {
    by: GroupBy,
    /// The index of the column that is read, among those that are kept.
    column: Option<usize>,
    note: F,
    records: ChunkParser,
    solver: Solver,
    canonicaliser: Canonicaliser,
}

impl<F> GroupWorker<F> {
    /// A worker that solves with `solver`.
    pub(in crate::jobs) fn new(by: GroupBy, column: Option<usize>, solver: Solver, note: F) -> GroupWorker<F> {
        let (records, canonicaliser) = (ChunkParser::default(), Canonicaliser::new());
        GroupWorker { by, column, note, records, solver, canonicaliser }
    }
}

impl<F> Tallied for GroupWorker<F> {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl<F, N> Work<ChunkInput, N> for GroupWorker<F>
where
    F: FnMut(GroupedRecord<'_>, &mut Vec<u8>) -> N + Send,
{
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, N>) {
        let GroupWorker { by, column, note, records, solver, canonicaliser } = self;
        records.parse(chunk, solver);
        if *by != GroupBy::Puzzle && solver.solve(Question::Count(Limit::UNIQUE)).is_err() {
            return;
        }
        let Some((reading, entries)) = records.parts() else { return };
        let (mut output, mut notes) = (std::mem::take(&mut chunk.output), std::mem::take(&mut chunk.notes));
        for ((_, text), entry) in chunk.texts().zip(entries) {
            let key = match *entry {
                ParsedRecord::Malformed(_) => Err(NoKey::Malformed),
                ParsedRecord::Puzzle(shape, index) if *by == GroupBy::Puzzle => {
                    Ok(Key::of_cells(solver.puzzles_mut().batch(shape.order).puzzle(index)))
                }
                ParsedRecord::Puzzle(shape, index) => by.key(&solver.answer(shape.order, index), canonicaliser),
            };
            let value = column.and_then(|column| reading.pass_through.fields(text).nth(column));
            notes.push(note(GroupedRecord { key, value: value.unwrap_or_default() }, &mut output));
        }
        chunk.output = output;
        chunk.notes = notes;
    }
}
