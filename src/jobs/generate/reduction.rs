//! Takes clues away from a full grid, one question after another.
//!
//! The cells are taken in a given order, and a clue is taken away if the puzzle stays unique without it. The result is the
//! same whatever is known beforehand, so there is no need to ask about each clue:
//!
//! * A clue that is alone in an unavoidable set is needed.
//! * Whether some clues can be taken away one by one is the same question as whether all of them can go. So the question
//!   is about as many as can be spared half of the time; if they cannot, a binary search finds the first that is needed.
//! * If they cannot, there is another solution, and one of those where it differs from the solution is needed.

use rand_xoshiro::rand_core::Rng;

use crate::puzzle::random::shuffle;
use crate::puzzle::{Order, UnavoidableSets};

/// The answer to the question whether a puzzle is unique.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer<'a> {
    /// It is.
    Unique,
    /// It is not: it has this solution, which may be the known one or another.
    Several(&'a [u8]),
    /// The search gave up. The clues are needed, as far as is known.
    Unknown,
}

/// A puzzle from which clues are taken away.
#[derive(Debug)]
pub(super) struct Reduction {
    pub(super) puzzle: Vec<u8>,
    pub(super) solution: Vec<u8>,
    /// The cells, in the order in which their clues are taken away.
    cells: Vec<u16>,
    clues: usize,
    sets: UnavoidableSets,
    /// The position of the first cell that is not decided.
    next: usize,
    /// The positions of the cells whose clues are taken away in the current question.
    asked: Vec<u16>,
    /// The position after the last cell that the question decides on.
    end: usize,
    /// If known, a number of clues, in the order of the cells, that cannot all be taken away.
    too_many: Option<usize>,
    /// The number of clues that are kept because a search about one clue gave up.
    undecided: u32,
}

impl Reduction {
    /// A grid that is filled before [`Reduction::start`].
    pub(super) fn new(order: Order) -> Reduction {
        Reduction {
            puzzle: vec![0; order.cells()],
            solution: vec![0; order.cells()],
            cells: (0..order.cells() as u16).collect(),
            clues: order.cells(),
            sets: UnavoidableSets::default(),
            next: 0,
            asked: vec![],
            end: 0,
            too_many: None,
            undecided: 0,
        }
    }

    /// Begins with the solution, which was filled in, and a random order of the cells.
    pub(super) fn start(&mut self, order: Order, rng: &mut impl Rng) {
        (0..).zip(&mut self.cells).for_each(|(cell, place)| *place = cell);
        shuffle(rng, &mut self.cells);
        self.puzzle.copy_from_slice(&self.solution);
        self.sets.find(order, &self.solution, &self.puzzle);
        self.clues = self.solution.len();
        self.next = 0;
        self.too_many = None;
        self.undecided = 0;
    }

    /// The number of clues that may not be needed: the search without them gave up.
    pub(super) fn undecided(&self) -> u32 {
        self.undecided
    }

    /// The number of clues that are left.
    pub(super) fn clues(&self) -> usize {
        self.clues
    }

    /// The next puzzle of which it must be known whether it is unique; `None` if there are as few clues as wanted, or
    /// every clue is needed.
    pub(super) fn question(&mut self, fewest: usize) -> Option<&[u8]> {
        if self.too_many == Some(1) {
            // The first of them that no set proves.
            let is_proven = |&cell: &u16| self.sets.prove_needed(usize::from(cell));
            self.next += self.cells[self.next..].iter().take_while(|cell| is_proven(cell)).count() + 1;
            self.too_many = None;
        }
        let most = self.too_many.map_or_else(|| self.group(), |number| number / 2).min(self.clues - fewest);
        self.asked.clear();
        self.end = self.next;
        while self.asked.len() < most && self.end < self.cells.len() {
            let cell = usize::from(self.cells[self.end]);
            if !self.sets.prove_needed(cell) {
                self.asked.push(self.end as u16);
                self.sets.remove(cell);
                self.puzzle[cell] = 0;
            }
            self.end += 1;
        }
        self.next = self.asked.first().map_or(self.end, |&first| first.into());
        (!self.asked.is_empty()).then_some(&self.puzzle)
    }

    /// Takes the answer to the last question.
    pub(super) fn answer(&mut self, answer: Answer<'_>) {
        let asked = self.asked.len();
        if let Answer::Unique = answer {
            self.clues -= asked;
            self.next = self.end;
            self.too_many = self.too_many.map(|number| number - asked);
            return;
        }
        for &position in &self.asked {
            let cell = usize::from(self.cells[usize::from(position)]);
            self.puzzle[cell] = self.solution[cell];
            self.sets.restore(cell);
        }
        if asked == 1 && matches!(answer, Answer::Unknown) {
            self.undecided += 1;
        }
        let differs = |&position: &u16| {
            let cell = usize::from(self.cells[usize::from(position)]);
            matches!(answer, Answer::Several(other) if other[cell] != self.solution[cell])
        };
        self.too_many = Some(self.asked.iter().rposition(differs).map_or(asked, |last| last + 1));
    }

    /// How many clues to take away at once: as many as can be spared half of the time, and one towards the end.
    ///
    /// Measured on 9x9: 27 questions a puzzle, half of them with the answer no. Between twice and half as many at once,
    /// the number of questions changes by less than a tenth.
    fn group(&self) -> usize {
        (self.clues.saturating_sub(self.cells.len() * 3 / 8) / 2).max(1)
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::super::grid::Grids;
    use super::*;
    use crate::engine::{Bounds, EngineKind, Limit, Verdicts};
    use crate::puzzle::Batch;

    /// Compared with the definition: one cell after another, a clue is taken away if the puzzle is unique without it.
    #[test]
    fn clues_are_taken_away_as_if_one_by_one() {
        let kinds = [EngineKind::Bitmask, EngineKind::Auto];
        for (order, fewest) in [(Order::Two, 0), (Order::Two, 6), (Order::Three, 0), (Order::Three, 26)] {
            let (mut batch, mut verdicts) = (Batch::new(order), Verdicts::new());
            let mut grids = Grids::new(order);
            for (seed, kind) in (0..20).zip(kinds.into_iter().cycle()) {
                let mut engine = kind.build().unwrap();
                let mut solve = |puzzle: &[u8]| {
                    batch.clear();
                    batch.push(puzzle);
                    engine.solve(&batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
                    let verdict = verdicts.get(0);
                    verdict.solution.filter(|_| verdict.solutions > 1).map(<[u8]>::to_vec)
                };
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                let mut reduction = Reduction::new(order);
                grids.fill(&mut rng, &mut reduction.solution);
                reduction.start(order, &mut rng);
                let (mut expected, mut clues) = (reduction.solution.clone(), order.cells());
                for cell in reduction.cells.clone().into_iter().map(usize::from) {
                    let mut less = expected.clone();
                    less[cell] = 0;
                    if clues > fewest && solve(&less).is_none() {
                        (expected, clues) = (less, clues - 1);
                    }
                }
                while let Some(question) = reduction.question(fewest) {
                    let several = solve(question);
                    reduction.answer(several.as_deref().map_or(Answer::Unique, Answer::Several));
                }
                assert_eq!(reduction.puzzle, expected, "{order} to {fewest} clues, seed {seed}");
                assert_eq!(reduction.clues(), clues);
            }
        }
    }
}
