//! Copies the puzzles of a chunk. Each thread has its own workers.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::copies::CopyMaker;
use super::row::{CopyRow, Origin};
use crate::engine::Limit;
use crate::engine::solver::Question;
use crate::jobs::job::RunCounts;
use crate::jobs::record_loop::{Emit, RecordWorker, SolvedPuzzle, SolvedRecord};
use crate::jobs::records::InputParsers;
use crate::puzzle::{Isomorph, Order, Puzzles};

/// Where the answer of a puzzle comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// Nowhere: copies have none.
    Absent,
    /// From its record.
    Given,
    /// From its record, or from the engine if the input has no answers.
    GivenOrFound,
}

/// Numbers of records and of copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AugmentCounts {
    /// The puzzles of which there are copies.
    pub puzzles: u64,
    /// Their copies, without the puzzles themselves.
    pub copies: u64,
    /// The puzzles with fewer copies than wanted, because they have no more isomorphs of these kinds.
    pub fewer: u64,
    /// The records that are no puzzles.
    pub malformed: u64,
    /// The puzzles whose answers are no full grids of the same size, or which have no answer and not one solution.
    pub unanswered: u64,
}

impl RunCounts for AugmentCounts {
    fn records(&self) -> u64 {
        self.puzzles + self.malformed + self.unanswered
    }

    fn merge(&mut self, other: AugmentCounts) {
        self.puzzles += other.puzzles;
        self.copies += other.copies;
        self.fewer += other.fewer;
        self.malformed += other.malformed;
        self.unanswered += other.unanswered;
    }
}

/// Draws the copies of records.
pub(super) struct Copier {
    answers: Answers,
    copies: CopyMaker,
    /// The answer beside a puzzle.
    given: Puzzles,
    pub(super) counts: AugmentCounts,
}

/// A puzzle with its answer, and the isomorphisms that make copies of it: the first is the identity.
pub(super) struct Copied<'a> {
    pub(super) puzzle: SolvedPuzzle<'a>,
    /// It is there unless answers are absent.
    pub(super) answer: Option<&'a [u8]>,
    pub(super) isomorphs: &'a [Isomorph],
}

impl Copier {
    pub(super) fn new(answers: Answers, copies: CopyMaker) -> Copier {
        Copier { answers, copies, given: Puzzles::new(), counts: AugmentCounts::default() }
    }

    /// What is asked of the puzzles of an input.
    pub(super) fn question(&self, parsers: &InputParsers) -> Option<Question> {
        let solves = self.answers == Answers::GivenOrFound && parsers.answers.is_none();
        solves.then_some(Question::Count(Limit::UNIQUE))
    }

    /// The copies of a record; `None` if it is left out. Breaks if the run was stopped.
    pub(super) fn copy<'a>(&'a mut self, record: SolvedRecord<'a>) -> ControlFlow<(), Option<Copied<'a>>> {
        let Copier { answers, copies, given, counts } = self;
        let Ok(puzzle) = record.puzzle else {
            counts.malformed += 1;
            return ControlFlow::Continue(None);
        };

        let answer = match (*answers, record.answer) {
            (Answers::Absent, _) => None,
            (Answers::GivenOrFound, None) => {
                let found = puzzle.answer();
                (found.known_solutions() == Some(1)).then_some(found.grids)
            }
            (Answers::Given | Answers::GivenOrFound, answer) => {
                // A full grid of this size.
                given.clear();
                let parsed = answer.and_then(|answer| answer.parse(given).ok());
                let order = puzzle.shape.order;
                let is_full = |shape: &crate::format::ParsedPuzzle| {
                    shape.order == order && usize::from(shape.clues) == order.cells()
                };
                parsed.filter(is_full).map(|_| given.last(order))
            }
        };
        if *answers != Answers::Absent && answer.is_none() {
            counts.unanswered += 1;
            return ControlFlow::Continue(None);
        }

        let wanted = copies.wanted();
        let Some(isomorphs) = copies.draw(puzzle.shape.order, puzzle.cells(), record.line) else {
            return ControlFlow::Break(());
        };
        let made = isomorphs.len() - 1;
        counts.puzzles += 1;
        counts.copies += made as u64;
        counts.fewer += u64::from(made < wanted);
        ControlFlow::Continue(Some(Copied { puzzle, answer, isomorphs }))
    }
}

/// Writes the rows of copies.
pub(crate) struct AugmentWorker {
    pub(super) copier: Copier,
    /// Whether the puzzle itself comes before its copies.
    pub(super) original: bool,
    /// Whether origins name the input.
    pub(super) names_inputs: bool,
}

impl RecordWorker for AugmentWorker {
    type Note = ();
    type Counts = AugmentCounts;

    fn question(&self, parsers: &InputParsers) -> Option<Question> {
        self.copier.question(parsers)
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ()>) -> ControlFlow<()> {
        let (file, line) = (&*record.input.name, record.line);
        let Some(copied) = self.copier.copy(record)? else { return ControlFlow::Continue(()) };
        let SolvedPuzzle { shape, alphabet, .. } = copied.puzzle;
        let location = if self.names_inputs { format!("{file}:{line}") } else { String::new() };
        let origin = if self.names_inputs { Origin::Location(&location) } else { Origin::Line(line) };

        let (mut puzzle, mut answer) = ([0; Order::MAX_CELLS], [0; Order::MAX_CELLS]);
        let cells = shape.order.cells();
        let (puzzle, answer) = (&mut puzzle[..cells], &mut answer[..cells]);
        for isomorph in &copied.isomorphs[usize::from(!self.original)..] {
            isomorph.apply_into(copied.puzzle.cells(), puzzle);
            let answer = copied.answer.map(|given| {
                isomorph.apply_into(given, answer);
                &*answer
            });
            emit.row(&CopyRow { puzzle, answer, alphabet, blank: shape.blank, origin });
        }
        ControlFlow::Continue(())
    }

    fn into_counts(self) -> AugmentCounts {
        self.copier.counts
    }
}
