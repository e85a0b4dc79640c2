//! Solves the records of a chunk, and writes a row for each.

use std::fmt::Write;
use std::ops::ControlFlow;

use super::row::SolveRow;
use crate::engine::solver::Question;
use crate::format::Malformed;
use crate::puzzle::rules;
use crate::rows::{GridsRow, Status};
use crate::run::record_loop::{Emit, RecordWorker, SolvedChunk, SolvedPuzzle, SolvedRecord};
use crate::run::records::{ConflictMessage, GaveUpMessage, InputParsers};
use crate::stats::{PuzzleSource, RunStats};

/// The `detail` of a puzzle with more solutions than were listed.
const MORE_SOLUTIONS: &str = "there are more";

/// Writes the rows of records, and counts them.
pub(crate) struct SolveWorker {
    question: Question,
    detail: String,
    stats: RunStats,
}

impl SolveWorker {
    /// A worker that asks `question` of every puzzle.
    pub(super) fn new(question: Question, stats: RunStats) -> SolveWorker {
        SolveWorker { question, detail: String::new(), stats }
    }

    /// Handles a malformed record. These are rare.
    #[cold]
    fn malformed(&mut self, record: &SolvedRecord<'_>, reason: Malformed, emit: &mut Emit<'_, ()>) {
        self.stats.add_malformed();
        self.detail.clear();
        let _ = write!(self.detail, "{reason}");
        emit.row(&SolveRow {
            file: &record.input.name,
            status: Status::Malformed,
            solved: GridsRow {
                line: record.line,
                subject: record.subject,
                printed: &[],
                after_gap: !record.is_first,
                status: Some(Status::Malformed),
                solutions: Some(0),
                detail: &self.detail,
            },
            lists: matches!(self.question, Question::All(_)),
            branches: Some(0),
            nanos: 0,
        });
    }
}

impl RecordWorker for SolveWorker {
    type Note = ();
    type Counts = RunStats;

    fn question(&self, _parsers: &InputParsers) -> Option<Question> {
        Some(self.question)
    }

    fn start(&mut self, chunk: SolvedChunk<'_>) -> ControlFlow<()> {
        self.stats.add_engine_cpu(chunk.engine_cpu);
        ControlFlow::Continue(())
    }

    #[inline]
    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ()>) -> ControlFlow<()> {
        let puzzle = match record.puzzle {
            Ok(puzzle) => puzzle,
            Err(reason) => {
                self.malformed(&record, reason, emit);
                return ControlFlow::Continue(());
            }
        };
        let SolvedPuzzle { shape, alphabet, .. } = puzzle;
        let answer = puzzle.answer();
        let solutions = answer.known_solutions();
        let status = Status::from_known(solutions);

        // Explain why there is no solution, or not all of them. Most records have no detail and need no work.
        let detail = if let Some(max_branches) = answer.gave_up_after {
            self.detail.clear();
            let _ = write!(self.detail, "{}", GaveUpMessage { max_branches, found: answer.solutions });
            &*self.detail
        } else if status == Status::None
            && let Some(conflict) = rules::conflict(shape.size, answer.puzzle)
        {
            self.detail.clear();
            ConflictMessage(conflict, alphabet).push_to(&mut self.detail);
            &*self.detail
        } else if answer.more {
            self.stats.add_not_all_listed();
            MORE_SOLUTIONS
        } else {
            ""
        };

        let (file, line, subject) = (&*record.input.name, record.line, record.subject);
        self.stats.add_puzzle(status, shape.clues.into(), answer.cost, || PuzzleSource {
            file: file.to_owned(),
            line,
            puzzle: subject.to_text(),
        });
        emit.row(&SolveRow {
            file,
            status,
            solved: GridsRow {
                line,
                subject,
                printed: answer.grids,
                after_gap: shape.after_blank_line && !record.is_first,
                status: Some(status),
                solutions,
                detail,
            },
            lists: matches!(self.question, Question::All(_)),
            branches: answer.cost.branches,
            nanos: answer.cost.nanos,
        });
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut RunStats {
        &mut self.stats
    }
}
