//! Finds the group of each record, for jobs that choose outputs by group.

use std::ops::ControlFlow;

use super::group::{GroupBy, NoKey};
use super::run::RecordNote;
use crate::canon::{Canonicaliser, Key};
use crate::engine::solver::Question;
use crate::engine::{Limit, MaxBranches};
use crate::run::record_loop::{Emit, RecordLoop, RecordWorker, SolvedRecord};
use crate::run::records::InputParsers;
use crate::run::{EngineSource, Execution, JobError};

/// The settings for finding groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupFinder {
    pub(crate) by: GroupBy,
    pub(crate) engine: EngineSource,
    pub(crate) max_branches: MaxBranches,
}

impl GroupFinder {
    /// Workers that make a note on each record.
    ///
    /// `column` is the index of a column among the kept ones. `note` may append to the output of the chunk, which is
    /// never written: the chooser gets it as the text of the record.
    pub(crate) fn workers<N, F>(
        &self,
        column: Option<usize>,
        note: F,
        execution: &Execution,
    ) -> Result<Vec<RecordLoop<GroupWorker<F>>>, JobError>
    where
        N: Send + 'static,
        F: Fn(GroupedRecord<'_>, &mut Vec<u8>) -> N + Copy + Send,
    {
        let worker = || GroupWorker { by: self.by, column, note, canonicaliser: Canonicaliser::new(), counts: () };
        RecordLoop::without_rows(worker, &self.engine, self.max_branches, execution)
    }
}

/// A record with the key of its group.
#[derive(Clone, Copy)]
pub(crate) struct GroupedRecord<'a> {
    /// The key, or the reason why there is none.
    pub(crate) key: Result<Key, NoKey>,
    /// Its value in the column that the job reads; empty if it reads none.
    pub(crate) value: &'a [u8],
}

/// Makes notes on records. Each thread has its own worker.
pub(crate) struct GroupWorker<F> {
    by: GroupBy,
    column: Option<usize>,
    note: F,
    canonicaliser: Canonicaliser,
    counts: (),
}

impl<N: Send + 'static, F: Fn(GroupedRecord<'_>, &mut Vec<u8>) -> N + Send> RecordWorker for GroupWorker<F> {
    type Note = RecordNote<N>;
    type Counts = ();

    fn question(&self, _parsers: &InputParsers) -> Option<Question> {
        (self.by != GroupBy::Puzzle).then_some(Question::Count(Limit::UNIQUE))
    }

    fn needs_fields(&self) -> bool {
        self.column.is_some()
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, RecordNote<N>>) -> ControlFlow<()> {
        let key = match record.puzzle {
            Err(_) => Err(NoKey::Malformed),
            Ok(puzzle) if self.by == GroupBy::Puzzle => Ok(Key::of_cells(puzzle.cells())),
            Ok(puzzle) => self.by.key(&puzzle.answer(), &mut self.canonicaliser),
        };
        let value = self.column.and_then(|column| record.fields.get(column)).unwrap_or_default();
        let note = (self.note)(GroupedRecord { key, value }, emit.output());
        let text_end = emit.output().len();
        emit.note(RecordNote { note, text_end });
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut () {
        &mut self.counts
    }
}
