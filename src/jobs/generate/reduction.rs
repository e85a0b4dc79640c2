//! Takes clues away from a full grid, one question after another.
//!
//! The cells are taken in a given order, and a clue is taken away if the puzzle stays unique without it. With a symmetry,
//! the clues of an orbit go together, or stay. The result is the same whatever is known beforehand, so there is no need to
//! ask about each clue:
//!
//! * A clue that is alone in an unavoidable set is needed.
//! * Whether some clues can be taken away one by one is the same question as whether all of them can go. So the question
//!   is about as many as can be spared half of the time; if they cannot, a binary search finds the first that is needed.
//! * If they cannot, there is another solution, and one of those where it differs from the solution is needed.

use std::sync::Arc;

use rand_xoshiro::rand_core::Rng;

use crate::puzzle::random::shuffle;
use crate::puzzle::{Orbit, Orbits, Order, UnavoidableSets};

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
    /// The cells that lose their clues together.
    orbits: Arc<Orbits>,
    /// The orbits, in the order in which their clues are taken away.
    turns: Vec<Orbit>,
    clues: usize,
    sets: UnavoidableSets,
    /// The turn of the first orbit that is not decided.
    next: usize,
    /// The turns of the orbits whose clues are taken away in the current question.
    asked: Vec<u16>,
    /// The turn after the last orbit that the question decides on.
    end: usize,
    /// If known, a number of orbits, in the order of their turns, that cannot all be taken away.
    too_many: Option<usize>,
    /// The number of clues that are kept because a search without them gave up.
    undecided: u32,
}

impl Reduction {
    /// A grid that is filled before one of the functions that start.
    pub(super) fn new(order: Order, orbits: &Arc<Orbits>) -> Reduction {
        Reduction {
            puzzle: vec![0; order.cells()],
            solution: vec![0; order.cells()],
            orbits: Arc::clone(orbits),
            turns: vec![],
            clues: order.cells(),
            sets: UnavoidableSets::default(),
            next: 0,
            asked: vec![],
            end: 0,
            too_many: None,
            undecided: 0,
        }
    }

    /// Starts with the solution, which was filled in, and a random order of the orbits.
    pub(super) fn start(&mut self, order: Order, orbits: &Arc<Orbits>, rng: &mut impl Rng) {
        self.orbits = Arc::clone(orbits);
        self.turns.clear();
        self.turns.extend_from_slice(orbits.all());
        shuffle(rng, &mut self.turns);
        self.puzzle.copy_from_slice(&self.solution);
        self.begin(order);
    }

    /// Starts with the clues of the puzzle, which was filled in with its solution, in the order of the cells. Each is one
    /// of the orbits `single`.
    pub(super) fn start_with_clues(&mut self, order: Order, single: &Arc<Orbits>) {
        self.orbits = Arc::clone(single);
        let clues = single.all().iter().zip(&self.puzzle).filter(|&(_, &value)| value != 0);
        self.turns.clear();
        self.turns.extend(clues.map(|(orbit, _)| orbit));
        self.begin(order);
    }

    fn begin(&mut self, order: Order) {
        self.sets.find(order, &self.solution, &self.puzzle);
        self.clues = self.puzzle.iter().filter(|&&value| value != 0).count();
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

    /// Makes the next puzzle of which it must be known whether it is unique. Returns false if there are as few clues as
    /// wanted, or every orbit is needed.
    pub(super) fn ask(&mut self, fewest: usize) -> bool {
        let mut room = self.clues - fewest;
        if self.too_many == Some(1) {
            // The first of them that no set proves.
            while !self.take(self.next, room) {
                self.next += 1;
            }
            self.put_back(self.next);
            self.next += 1;
            self.too_many = None;
        }
        let most = self.too_many.map_or_else(|| self.group(), |number| number / 2);
        self.asked.clear();
        self.end = self.next;
        while self.asked.len() < most && room > 0 && self.end < self.turns.len() {
            if self.take(self.end, room) {
                self.asked.push(self.end as u16);
                room -= self.turns[self.end].len();
            }
            self.end += 1;
        }
        self.next = self.asked.first().map_or(self.end, |&first| first.into());
        !self.asked.is_empty()
    }

    /// Takes the answer to the last question.
    pub(super) fn answer(&mut self, answer: Answer<'_>) {
        let asked = self.asked.len();
        if let Answer::Unique = answer {
            self.clues -= self.asked.iter().map(|&turn| self.turns[usize::from(turn)].len()).sum::<usize>();
            self.next = self.end;
            self.too_many = self.too_many.map(|number| number - asked);
            return;
        }
        for index in 0..asked {
            self.put_back(self.asked[index].into());
        }
        let cells = |&turn: &u16| self.orbits.cells(self.turns[usize::from(turn)]);
        if asked == 1 && matches!(answer, Answer::Unknown) {
            self.undecided += cells(&self.asked[0]).len() as u32;
        }
        let differs = |turn: &u16| match answer {
            Answer::Several(other) => cells(turn).iter().any(|&cell| {
                let cell = usize::from(cell);
                other[cell] != self.solution[cell]
            }),
            Answer::Unique | Answer::Unknown => false,
        };
        let too_many = self.asked.iter().rposition(differs).map_or(asked, |last| last + 1);
        if too_many == 1 {
            // The first orbit of the question is needed.
            self.next += 1;
            self.too_many = None;
        } else {
            self.too_many = Some(too_many);
        }
    }

    /// Takes away the clues of the orbit at a turn, unless it has more than `room` cells, or something proves that one of
    /// its clues is needed.
    fn take(&mut self, turn: usize, room: usize) -> bool {
        let cells = self.orbits.cells(self.turns[turn]);
        if cells.len() > room {
            return false;
        }
        for (index, cell) in cells.iter().map(|&cell| usize::from(cell)).enumerate() {
            if self.sets.prove_needed(cell) {
                cells[..index].iter().for_each(|&taken| self.sets.restore(taken.into()));
                return false;
            }
            self.sets.remove(cell);
        }
        for &cell in cells {
            self.puzzle[usize::from(cell)] = 0;
        }
        true
    }

    /// Puts back the clues of the orbit at a turn.
    fn put_back(&mut self, turn: usize) {
        for cell in self.orbits.cells(self.turns[turn]).iter().map(|&cell| usize::from(cell)) {
            self.puzzle[cell] = self.solution[cell];
            self.sets.restore(cell);
        }
    }

    /// How many orbits to take away at once: as many as can be spared half of the time, and one towards the end.
    ///
    /// Measured on 9x9 without a symmetry: 27 questions a puzzle, half of them with the answer no. Between twice and half
    /// as many at once, the number of questions changes by less than a tenth.
    fn group(&self) -> usize {
        let cells = self.puzzle.len();
        (self.clues.saturating_sub(cells * 3 / 8) / 2 * self.orbits.all().len() / cells).max(1)
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::super::grid::Grids;
    use super::*;
    use crate::engine::{Bounds, EngineKind, Limit, Verdicts};
    use crate::puzzle::{Batch, Symmetry};

    /// Compared with the definition: one orbit after another, its clues are taken away if the puzzle is unique without
    /// them.
    #[test]
    fn clues_are_taken_away_as_if_one_by_one() {
        let kinds = [EngineKind::Bitmask, EngineKind::Auto];
        let cases = [
            (Order::Two, 0, None),
            (Order::Two, 6, None),
            (Order::Three, 0, None),
            (Order::Three, 26, None),
            (Order::Two, 5, Some(Symmetry::Diagonal)),
            (Order::Three, 0, Some(Symmetry::Rot180)),
            (Order::Three, 29, Some(Symmetry::Vertical)),
            (Order::Three, 30, Some(Symmetry::Full)),
        ];
        for (order, fewest, symmetry) in cases {
            let orbits = Arc::new(Orbits::new(order, symmetry));
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
                let mut reduction = Reduction::new(order, &orbits);
                grids.fill(&mut rng, &mut reduction.solution);
                reduction.start(order, &orbits, &mut rng);
                let (mut expected, mut clues) = (reduction.solution.clone(), order.cells());
                for cells in reduction.turns.iter().map(|&orbit| orbits.cells(orbit)) {
                    let mut less = expected.clone();
                    for &cell in cells {
                        less[usize::from(cell)] = 0;
                    }
                    if clues >= fewest + cells.len() && solve(&less).is_none() {
                        (expected, clues) = (less, clues - cells.len());
                    }
                }
                while reduction.ask(fewest) {
                    let several = solve(&reduction.puzzle);
                    reduction.answer(several.as_deref().map_or(Answer::Unique, Answer::Several));
                }
                assert_eq!(reduction.puzzle, expected, "{order} to {fewest} clues, {symmetry:?}, seed {seed}");
                assert_eq!(reduction.clues(), clues);
            }
        }
    }
}
