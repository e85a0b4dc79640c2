//! Groups of records: the property that their records share, the reasons why a record belongs to no group, and the
//! worker that finds the group of each record.

use std::ops::ControlFlow;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use strum::{Display, IntoStaticStr, VariantArray};

use super::run::RecordNote;
use crate::canon::{CanonicalForm, Canonicaliser, Key};
use crate::engine::solver::{Answer, Question};
use crate::engine::{Limit, MaxBranches};
use crate::run::record_loop::{Emit, RecordLoop, RecordWorker, SolvedRecord};
use crate::run::records::InputParsers;
use crate::run::{EngineSource, Execution, JobError};

/// The property that the records of a group share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum GroupBy {
    /// The puzzle, of any size.
    Puzzle,
    /// The class of the puzzle: the puzzles are isomorphs.
    #[default]
    Class,
    /// The class of the solution: the solutions are isomorphs.
    Solution,
}

impl GroupBy {
    /// The key of a puzzle's group. The solutions of the puzzle must be counted up to two.
    pub(crate) fn key(self, answer: &Answer<'_>, canonicaliser: &mut Canonicaliser) -> Result<Key, NoKey> {
        let form = CanonicalForm::find(answer.puzzle, answer.known_solutions(), answer.grids, canonicaliser);
        let class = if self == GroupBy::Solution { form.solution_class() } else { form.class() };
        class.map(Key::from).ok_or(match form {
            CanonicalForm::Unique(_) | CanonicalForm::Clues(_) => NoKey::NotUnique,
            CanonicalForm::Undecided => NoKey::Undecided,
            CanonicalForm::OutOfBound(_) => NoKey::OutOfBound,
            CanonicalForm::OtherSize => NoKey::OtherSize,
        })
    }
}

/// The reason why a record belongs to no group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum NoKey {
    /// It is not a puzzle.
    Malformed,
    /// It is not 4x4, 6x6 or 9x9, so it has no class.
    #[strum(serialize = "not 4x4, 6x6 or 9x9")]
    OtherSize,
    /// It does not have exactly one solution, so its solution has no class.
    #[strum(serialize = "without exactly one solution")]
    NotUnique,
    /// The number of its solutions is unknown.
    Undecided,
    /// The search for its canonical form reached the work bound.
    #[strum(serialize = "beyond the work bound")]
    OutOfBound,
}

/// The number of records in no group, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoKeyCounts([u64; NoKey::VARIANTS.len()]);

impl NoKeyCounts {
    /// Counts a record.
    pub(crate) fn count(&mut self, reason: NoKey) {
        self.0[reason as usize] += 1;
    }

    /// The number of all these records.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The reasons that occurred, with the number of records for each.
    pub fn iter(&self) -> impl Iterator<Item = (NoKey, u64)> {
        NoKey::VARIANTS.iter().copied().zip(self.0).filter(|&(_, count)| count > 0)
    }
}

/// Serializes as a map from the names of the reasons that occurred.
impl Serialize for NoKeyCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (reason, count) in self.iter() {
            map.serialize_entry(<&str>::from(reason), &count)?;
        }
        map.end()
    }
}

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
    /// The key, or the reason why it belongs to no group.
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
