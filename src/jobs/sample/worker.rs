//! Checks the conditions of a sample, and the answer, on each record: the worker of `gridmill sample`.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::condition::Condition;
use crate::copy::RecordNote;
use crate::engine::solver::Question;
use crate::puzzle::Puzzles;
use crate::run::record_loop::{Emit, RecordWorker, SolvedRecord};
use crate::run::records::{AnswerWorth, InputParsers};

/// The conditions with the indices of their columns among the kept columns; `None` for the number of clues.
pub(super) type ColumnConditions = Arc<[(Condition, Option<usize>)]>;

/// Whether a record may be in the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eligibility {
    /// It may be in the sample.
    Eligible,
    /// It does not meet all conditions.
    Unmatched,
    /// It meets all conditions, but its answer is not a solution.
    WrongAnswer,
}

/// Notes whether each record is eligible, and appends its value in the column of the strata to the output of the chunk.
/// Each thread has its own worker.
pub(super) struct SampleWorker {
    pub(super) conditions: ColumnConditions,
    /// The index of the column of the strata among the kept columns.
    pub(super) stratify: Option<usize>,
    pub(super) checks_answers: bool,
    /// The answer that came with a puzzle.
    pub(super) given: Puzzles,
    pub(super) counts: (),
}

impl RecordWorker for SampleWorker {
    type Note = RecordNote<Eligibility>;
    type Counts = ();

    fn question(&self, _parsers: &InputParsers) -> Option<Question> {
        None
    }

    fn needs_fields(&self) -> bool {
        self.stratify.is_some() || self.conditions.iter().any(|(_, column)| column.is_some())
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, RecordNote<Eligibility>>) -> ControlFlow<()> {
        let clues = record.puzzle.as_ref().ok().map(|puzzle| puzzle.shape.clues);
        let holds = |(condition, column): &(Condition, Option<usize>)| match column {
            None => condition.holds_for_clues(clues),
            Some(column) => record.fields.get(*column).is_some_and(|field| condition.holds_for_field(field)),
        };
        let note = match (record.puzzle, record.answer) {
            _ if !self.conditions.iter().all(holds) => Eligibility::Unmatched,
            (Ok(puzzle), Some(answer)) if self.checks_answers => {
                match answer.judge(puzzle.shape.size, puzzle.cells(), &mut self.given) {
                    AnswerWorth::Missing | AnswerWorth::Solves => Eligibility::Eligible,
                    AnswerWorth::NoGrid | AnswerWorth::Wrong => Eligibility::WrongAnswer,
                }
            }
            _ => Eligibility::Eligible,
        };

        let value = self.stratify.and_then(|column| record.fields.get(column));
        emit.output().extend_from_slice(value.unwrap_or_default());
        let text_end = emit.output().len();
        emit.note(RecordNote { note, text_end });
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut () {
        &mut self.counts
    }
}
