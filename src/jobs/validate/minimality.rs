//! Finds redundant clues.
//!
//! A clue is needed if the puzzle without it has another solution. The search for one asks cheap questions first, and
//! the engine gets those about many clues of many puzzles together:
//!
//! 1. Is the clue alone in an unavoidable set that is found without a search? This settles half of the clues that are
//!    needed, and the engine gets no question.
//! 2. Is there another solution with a certain digit in place of the clue, and differences in a few other digits only?
//!    The puzzle with this digit, and with all cells of most other digits filled in, is solved quickly. This settles half
//!    of the others that are needed.
//! 3. Is there one with this digit in place of the clue, or with that one, ...? The search has as many clues as the
//!    puzzle. If there is none for any digit, the clue is redundant.

use crate::engine::solver::{InterruptedError, Question, Solver};
use crate::jobs::records::ParsedRecord;
use crate::puzzle::{Geometry, Size, UnavoidableSets};

/// About how many questions the engine gets at a time.
const QUESTIONS: usize = 4096;

/// How many of nine digits are left open in the first question.
const OPEN_NINTHS: usize = 7;

/// Finds redundant clues. Each worker has its own.
pub(super) struct ClueTrial {
    solver: Solver,
    /// The questions in the solver.
    asked: Vec<Asked>,
    /// What is known so far of each record.
    minimality: Vec<Minimality>,
    sets: UnavoidableSets,
    /// The digits, those with the most clues first.
    digits: Vec<u8>,
    cells: Vec<u8>,
}

/// Whether a puzzle with one solution needs every clue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Minimality {
    /// It does.
    Minimal,
    /// It does not need the clue in this cell, the first of such clues.
    Redundant(usize),
    /// No clue is known to be redundant, but the search about the one in this cell, the first of such clues, gave up
    /// after so many branches.
    Undecided { cell: usize, gave_up_after: u64 },
}

impl Minimality {
    fn add_redundant(&mut self, cell: usize) {
        let first = if let Minimality::Redundant(first) = *self { first.min(cell) } else { cell };
        *self = Minimality::Redundant(first);
    }

    fn add_undecided(&mut self, cell: usize, gave_up_after: u64) {
        match *self {
            Minimality::Redundant(_) => {}
            Minimality::Undecided { cell: first, .. } if first < cell => {}
            _ => *self = Minimality::Undecided { cell, gave_up_after },
        }
    }

    /// Whether every clue is needed; `None` if that is not known.
    pub(super) fn is_minimal(self) -> Option<bool> {
        match self {
            Minimality::Minimal => Some(true),
            Minimality::Redundant(_) => Some(false),
            Minimality::Undecided { .. } => None,
        }
    }
}

/// A question about one clue of a puzzle.
#[derive(Clone, Copy)]
struct Asked {
    /// The record, by its number in the chunk.
    record: usize,
    size: Size,
    /// The puzzle, by its number among those of its size.
    puzzle: usize,
    cell: usize,
    /// The digit in place of the clue; 0 in the first question.
    digit: u8,
    /// The question, by its number among those of its size.
    question: usize,
}

impl ClueTrial {
    pub(super) fn new(solver: Solver) -> ClueTrial {
        ClueTrial {
            solver,
            asked: vec![],
            minimality: vec![],
            sets: UnavoidableSets::new(),
            digits: vec![],
            cells: vec![],
        }
    }

    /// Finds the minimality of each record of a chunk that is a puzzle with one solution.
    pub(super) fn find(&mut self, entries: &[ParsedRecord], solved: &Solver) -> Result<(), InterruptedError> {
        self.minimality.clear();
        self.minimality.resize(entries.len(), Minimality::Minimal);
        for (record, entry) in entries.iter().enumerate() {
            let ParsedRecord::Puzzle(shape, puzzle) = *entry else { continue };
            let answer = solved.answer(shape.size, puzzle);
            if answer.known_solutions() != Some(1) {
                continue;
            }
            self.sets.set(shape.size, answer.grids, answer.puzzle);
            self.rank_digits(shape.size, answer.puzzle);
            for cell in 0..answer.puzzle.len() {
                if answer.puzzle[cell] == 0 || self.sets.prove_needed(cell) {
                    continue;
                }
                if !self.fill_in(shape.size, answer.puzzle, answer.grids, cell) {
                    // Its row, column and box have all other digits. What is not settled yet is asked about clues before it.
                    self.minimality[record].add_redundant(cell);
                    break;
                }
                let question = self.solver.push(shape.size, &self.cells);
                self.asked.push(Asked { record, size: shape.size, puzzle, cell, digit: 0, question });
            }
            if self.asked.len() >= QUESTIONS {
                self.settle(solved)?;
            }
        }
        self.settle(solved)
    }

    /// The minimality of a record, by its index in the chunk; it means nothing unless the record is a puzzle with one
    /// solution.
    pub(super) fn found(&self, record: usize) -> Option<Minimality> {
        self.minimality.get(record).copied()
    }

    /// Sorts the digits by their clues.
    fn rank_digits(&mut self, size: Size, clues: &[u8]) {
        let mut counts = [0_u16; Size::MAX_SIDE + 1];
        for &clue in clues {
            counts[usize::from(clue)] += 1;
        }
        self.digits.clear();
        self.digits.extend(1..=size.side() as u8);
        self.digits.sort_by_key(|&digit| std::cmp::Reverse(counts[usize::from(digit)]));
    }

    /// Makes the first question about a clue: the puzzle with another digit in its place, and with some other digits
    /// filled in completely. Digits with few clues stay open. Returns false if there is no other digit.
    fn fill_in(&mut self, size: Size, clues: &[u8], solution: &[u8], cell: usize) -> bool {
        let open = self.sets.open_digits(cell);
        let Some(&other) = self.digits.iter().rev().find(|&&digit| open >> (digit - 1) & 1 != 0) else { return false };

        let filled = size.side() - size.side() * OPEN_NINTHS / 9;
        self.cells.clear();
        self.cells.extend_from_slice(clues);
        for &digit in self.digits.iter().filter(|&&digit| digit != clues[cell] && digit != other).take(filled) {
            for (cell, &value) in self.cells.iter_mut().zip(solution) {
                *cell = if value == digit { digit } else { *cell };
            }
        }
        self.cells[cell] = other;
        true
    }

    /// Asks about the next digit that no other clue rules out. After the last one, the clue is redundant.
    fn ask(&mut self, asked: Asked, solved: &Solver) {
        let Asked { record, size, puzzle, cell, digit, .. } = asked;
        let clues = solved.answer(size, puzzle).puzzle;
        let peers = Geometry::of(size).peers(cell);
        let is_open =
            |digit: &u8| *digit != clues[cell] && peers.iter().all(|&peer| clues[usize::from(peer)] != *digit);
        if let Some(digit) = (digit + 1..=size.side() as u8).find(is_open) {
            self.cells.clear();
            self.cells.extend_from_slice(clues);
            self.cells[cell] = digit;
            let question = self.solver.push(size, &self.cells);
            self.asked.push(Asked { digit, question, ..asked });
        } else {
            self.minimality[record].add_redundant(cell);
        }
    }

    /// Asks until every clue is settled.
    fn settle(&mut self, solved: &Solver) -> Result<(), InterruptedError> {
        while !self.asked.is_empty() {
            self.answer(solved)?;
        }
        Ok(())
    }

    /// Solves all questions, and asks the next ones about the clues without a solution.
    fn answer(&mut self, solved: &Solver) -> Result<(), InterruptedError> {
        let mut open = std::mem::take(&mut self.asked);
        self.solver.solve(Question::Any).inspect_err(|_| self.solver.clear())?;
        open.retain(|asked| {
            let minimality = &mut self.minimality[asked.record];
            if matches!(*minimality, Minimality::Redundant(first) if first < asked.cell) {
                return false;
            }
            let answer = self.solver.answer(asked.size, asked.question);
            let Some(gave_up_after) = answer.gave_up_after else { return answer.solutions == 0 };
            if asked.digit > 0 {
                minimality.add_undecided(asked.cell, gave_up_after);
            }
            asked.digit == 0
        });
        self.solver.clear();
        for asked in open {
            self.ask(asked, solved);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{EngineKind, Limit};
    use crate::format::ParsedPuzzle;
    use crate::jobs::generate::{Generator, Target};

    /// Compared with the definition: a clue is redundant if the puzzle has one solution without it.
    #[test]
    fn the_first_redundant_clue_is_found() {
        let empty = || Solver::new(EngineKind::Auto.build().unwrap());
        for (size, clues) in [(Size::Four, [5, 7]), (Size::Nine, [26, 30]), (Size::Sixteen, [120, 150])] {
            let (mut asked, mut entries, mut expected) = (empty(), vec![], vec![]);
            let (mut puzzle, mut solution) = (vec![0; size.cells()], vec![0; size.cells()]);
            let targets = clues.map(Target::Clues).into_iter().chain([Target::Minimal]);
            for (target, count) in targets.zip([20, 20, if size == Size::Sixteen { 0 } else { 20 }]) {
                let mut generator = Generator::new(size, 1, target).unwrap();
                for number in 0..if size == Size::Sixteen { count.min(2) } else { count } {
                    generator.puzzle(number, &mut puzzle, &mut solution).unwrap();
                    let shape = ParsedPuzzle { size, blank: b'.', clues: 0, after_blank_line: true };
                    entries.push(ParsedRecord::Puzzle(shape, asked.push(size, &puzzle)));
                    let is_redundant = |cell: &usize| {
                        let (mut judge, mut less) = (empty(), puzzle.clone());
                        less[*cell] = 0;
                        judge.push(size, &less);
                        judge.solve(Question::Count(Limit::UNIQUE)).unwrap();
                        puzzle[*cell] != 0 && judge.answer(size, 0).solutions == 1
                    };
                    expected.push((0..size.cells()).find(is_redundant));
                    assert!(target != Target::Minimal || expected[expected.len() - 1].is_none());
                }
            }
            asked.solve(Question::Count(Limit::UNIQUE)).unwrap();
            assert!(expected.iter().any(Option::is_some));
            let expected = expected.into_iter().map(|cell| cell.map_or(Minimality::Minimal, Minimality::Redundant));
            let mut trial = ClueTrial::new(empty());
            trial.find(&entries, &asked).unwrap();
            assert_eq!(trial.minimality, expected.collect::<Vec<_>>());
        }
    }
}
