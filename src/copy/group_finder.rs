//! Finds the group of each record, for jobs that choose outputs by groups.

use crate::canon::{Canonicaliser, Key};
use crate::corpus::ChunkInput;
use crate::engine::solver::{Question, Solver};
use crate::engine::{Limit, MaxBranches};
use crate::pipeline::{Chunk, Work};
use crate::run::records::{ChunkParser, ParsedRecord};
use crate::run::tally::{InputTally, Tallied};
use crate::run::{EngineSource, Execution, JobError};

use super::group::{GroupBy, NoKey};
use super::run::RecordNote;

/// How groups are found.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupFinder {
    pub(crate) by: GroupBy,
    pub(crate) engine: EngineSource,
    pub(crate) max_branches: MaxBranches,
}

impl GroupFinder {
    /// Workers that make a note on each record.
    ///
    /// `column` is the index of a column that is read, among those that are kept. `note` may append to the output of the
    /// chunk, which is not written anywhere: the chooser gets it as the text of the record.
    pub(crate) fn workers<N, F>(
        &self,
        column: Option<usize>,
        note: F,
        execution: &Execution,
    ) -> Result<Vec<GroupWorker<F>>, JobError>
    where
        F: Fn(GroupedRecord<'_>, &mut Vec<u8>) -> N + Copy,
    {
        let engine = self.engine.builder()?;
        let worker = |_| GroupWorker {
            by: self.by,
            column,
            note,
            records: ChunkParser::default(),
            solver: execution.solver(engine(), self.max_branches),
            canonicaliser: Canonicaliser::new(),
        };
        Ok((0..execution.threads).map(worker).collect())
    }
}

/// A record with the key of its group.
#[derive(Clone, Copy)]
pub(crate) struct GroupedRecord<'a> {
    /// The key, or why it has none.
    pub(crate) key: Result<Key, NoKey>,
    /// Its value in the column that the job reads; empty if it reads none.
    pub(crate) value: &'a [u8],
}

/// Turns chunks of records into notes. Each thread has its own.
pub(crate) struct GroupWorker<F> {
    by: GroupBy,
    column: Option<usize>,
    note: F,
    records: ChunkParser,
    solver: Solver,
    canonicaliser: Canonicaliser,
}

impl<F> Tallied for GroupWorker<F> {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl<F, N> Work<ChunkInput, RecordNote<N>> for GroupWorker<F>
where
    F: Fn(GroupedRecord<'_>, &mut Vec<u8>) -> N + Send,
{
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, RecordNote<N>>) {
        let GroupWorker { by, column, note, records, solver, canonicaliser } = self;
        records.parse(chunk, solver);
        if *by != GroupBy::Puzzle && solver.solve(Question::Count(Limit::UNIQUE)).is_err() {
            return;
        }
        let Some((reading, entries)) = records.parts() else { return };

        let (mut output, mut notes) = (std::mem::take(&mut chunk.output), std::mem::take(&mut chunk.notes));
        for (record, entry) in ChunkInput::contents(chunk).zip(entries) {
            let key = match *entry {
                ParsedRecord::Malformed(_) | ParsedRecord::Pencilmarks(_) => Err(NoKey::Malformed),
                ParsedRecord::Puzzle(shape, index) if *by == GroupBy::Puzzle => {
                    Ok(Key::of_cells(solver.puzzles_mut().batch(shape.size).puzzle(index)))
                }
                ParsedRecord::Puzzle(shape, index) => by.key(&solver.answer(shape.size, index), canonicaliser),
            };
            let value =
                column.and_then(|column| record.fields(&mut reading.pass_through).nth(column)).unwrap_or_default();
            let note = note(GroupedRecord { key, value }, &mut output);
            notes.push(RecordNote { note, text_end: output.len() });
        }
        chunk.output = output;
        chunk.notes = notes;
    }
}
