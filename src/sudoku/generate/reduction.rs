//! Removes clues from a full grid, as far as the puzzle stays unique.
//!
//! The cells are taken in a given order, and a clue is removed if the puzzle stays unique without it. With a symmetry,
//! all clues of an orbit are removed or none. Each order leads to only one result, so the queries are free to vary, and
//! not every clue needs one (27 queries a puzzle on 9x9, instead of 81):
//!
//! * The only clue in an unavoidable set is needed.
//! * Clues can be removed one by one if and only if all of them can be removed together. So a query removes so many
//!   that it succeeds half of the time; if it fails, a binary search finds the first clue that is needed.
//! * If a query fails, there is another solution, and at least one of the clues where it differs is needed.

use std::sync::Arc;

use rand_xoshiro::rand_core::Rng;

use crate::puzzle::random::shuffle;
use crate::puzzle::{Orbit, Orbits, Size, UnavoidableSets};

/// Whether a puzzle is unique.
#[derive(Clone, Copy, Debug)]
pub(super) enum Uniqueness<'a> {
    /// It is.
    Unique,
    /// It is not: it has this solution, which may be the known one or another.
    Several(&'a [u8]),
    /// The search gave up. The clues then count as needed.
    Unknown,
}

/// A puzzle that loses clues.
#[derive(Debug)]
pub(super) struct Reduction {
    pub(super) puzzle: Vec<u8>,
    pub(super) solution: Vec<u8>,
    /// The cells that lose their clues together.
    orbits: Arc<Orbits>,
    /// The orbits, in the order of their removal.
    turns: Vec<Orbit>,
    clues: usize,
    sets: UnavoidableSets,
    /// The turn of the first undecided orbit.
    next: usize,
    /// The turns of the orbits that the current query removes.
    tentative: Vec<u16>,
    /// The turn after the last orbit that the query decides about.
    end: usize,
    /// An exclusive upper bound for the number of further orbits that can be removed together, if known.
    too_many: Option<usize>,
    /// The number of clues that stayed because the search without them gave up.
    undecided: u32,
}

impl Reduction {
    /// A reduction without a grid. The caller fills in a solution before one of the functions that start.
    pub(super) fn new(size: Size, orbits: &Arc<Orbits>) -> Reduction {
        Reduction {
            puzzle: vec![0; size.cells()],
            solution: vec![0; size.cells()],
            orbits: Arc::clone(orbits),
            turns: vec![],
            clues: size.cells(),
            sets: UnavoidableSets::new(),
            next: 0,
            tentative: vec![],
            end: 0,
            too_many: None,
            undecided: 0,
        }
    }

    /// Starts with the solution, already filled in, and a random order of the orbits.
    pub(super) fn start(&mut self, size: Size, orbits: &Arc<Orbits>, rng: &mut impl Rng) {
        self.orbits = Arc::clone(orbits);
        self.turns.clear();
        self.turns.extend_from_slice(orbits.all());
        shuffle(rng, &mut self.turns);
        self.puzzle.copy_from_slice(&self.solution);
        self.begin(size);
    }

    /// Starts with the clues of the puzzle, already filled in with its solution, in the order of the cells. The orbits
    /// `single` have one cell each.
    pub(super) fn start_with_clues(&mut self, size: Size, single: &Arc<Orbits>) {
        self.orbits = Arc::clone(single);
        let clues = single.all().iter().zip(&self.puzzle).filter(|&(_, &value)| value != 0);
        self.turns.clear();
        self.turns.extend(clues.map(|(orbit, _)| orbit));
        self.begin(size);
    }

    fn begin(&mut self, size: Size) {
        self.sets.set(size, &self.solution, &self.puzzle);
        self.clues = self.puzzle.iter().filter(|&&value| value != 0).count();
        self.next = 0;
        self.too_many = None;
        self.undecided = 0;
    }

    /// The number of clues that stayed although they may not be needed.
    pub(super) fn undecided(&self) -> u32 {
        self.undecided
    }

    /// The number of clues that are left.
    pub(super) fn clues(&self) -> usize {
        self.clues
    }

    /// Prepares the next puzzle to search for a second solution. Returns false if there are `fewest` clues, or every
    /// orbit is needed.
    pub(super) fn prepare_query(&mut self, fewest: usize) -> bool {
        let mut room = self.clues - fewest;

        // A binary search has ended at the next orbit: it is needed. Before it, there may be orbits that an unavoidable
        // set proves to be needed.
        if self.too_many == Some(1) {
            while !self.remove(self.next, room) {
                self.next += 1;
            }
            self.put_back(self.next);
            self.next += 1;
            self.too_many = None;
        }

        let most = self.too_many.map_or_else(|| self.orbits_at_once(), |number| number / 2);
        self.tentative.clear();
        self.end = self.next;
        while self.tentative.len() < most && room > 0 && self.end < self.turns.len() {
            if self.remove(self.end, room) {
                self.tentative.push(self.end as u16);
                room -= self.turns[self.end].len();
            }
            self.end += 1;
        }

        // The orbits before the first that was removed are needed.
        self.next = self.tentative.first().map_or(self.end, |&first| first.into());
        !self.tentative.is_empty()
    }

    /// Processes the answer to the last query.
    pub(super) fn answer(&mut self, answer: Uniqueness<'_>) {
        let removed = self.tentative.len();
        if let Uniqueness::Unique = answer {
            self.clues -= self.tentative.iter().map(|&turn| self.turns[usize::from(turn)].len()).sum::<usize>();
            self.next = self.end;
            self.too_many = self.too_many.map(|number| number - removed);
            return;
        }

        for index in 0..removed {
            self.put_back(self.tentative[index].into());
        }
        let cells = |&turn: &u16| self.orbits.cells(self.turns[usize::from(turn)]);
        if removed == 1 && matches!(answer, Uniqueness::Unknown) {
            self.undecided += cells(&self.tentative[0]).len() as u32;
        }

        // Some orbit up to the last one where the other solution differs has to stay.
        let differs = |turn: &u16| match answer {
            Uniqueness::Several(other) => cells(turn).iter().any(|&cell| {
                let cell = usize::from(cell);
                other[cell] != self.solution[cell]
            }),
            Uniqueness::Unique | Uniqueness::Unknown => false,
        };
        let too_many = self.tentative.iter().rposition(differs).map_or(removed, |last| last + 1);
        if too_many == 1 {
            // The first orbit of the query is needed.
            self.next += 1;
            self.too_many = None;
        } else {
            self.too_many = Some(too_many);
        }
    }

    /// Removes the clues of the orbit at a turn, unless it has more than `room` cells, or one of its clues is the only
    /// one in an unavoidable set.
    fn remove(&mut self, turn: usize, room: usize) -> bool {
        let cells = self.orbits.cells(self.turns[turn]);
        if cells.len() > room {
            return false;
        }

        for (index, cell) in cells.iter().map(|&cell| usize::from(cell)).enumerate() {
            if self.sets.prove_needed(cell) {
                cells[..index].iter().for_each(|&removed| self.sets.toggle(removed.into()));
                return false;
            }
            self.sets.toggle(cell);
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
            self.sets.toggle(cell);
        }
    }

    /// The number of orbits to remove at once: so many that a query succeeds half of the time, and one towards the end.
    ///
    /// Measured on 9x9 without a symmetry: 27 queries a puzzle, half of them with the answer no. Between twice and half
    /// as many at once, the number of queries changes by less than a tenth.
    fn orbits_at_once(&self) -> usize {
        let cells = self.puzzle.len();
        (self.clues.saturating_sub(cells * 3 / 8) / 2 * self.orbits.all().len() / cells).max(1)
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;
    use crate::engine::{Bounds, EngineKind, Limit, Verdicts};
    use crate::generate::RandomGrids;
    use crate::puzzle::{Batch, Symmetry};

    /// Compares with the definition: takes one orbit after the other, and removes its clues if the puzzle stays unique.
    #[test]
    fn clues_are_removed_as_if_one_by_one() {
        let kinds = [EngineKind::Bitmask, EngineKind::Auto];
        let cases = [
            (Size::Four, 0, None),
            (Size::Four, 6, None),
            (Size::Nine, 0, None),
            (Size::Nine, 26, None),
            (Size::Four, 5, Some(Symmetry::Diagonal)),
            (Size::Nine, 0, Some(Symmetry::Rot180)),
            (Size::Nine, 29, Some(Symmetry::Vertical)),
            (Size::Nine, 30, Some(Symmetry::Full)),
        ];
        for (size, fewest, symmetry) in cases {
            let orbits = Arc::new(Orbits::new(size, symmetry));
            let (mut batch, mut verdicts) = (Batch::new(size), Verdicts::new());
            let mut grids = RandomGrids::new(size);
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
                let mut reduction = Reduction::new(size, &orbits);
                grids.fill(&mut rng, &mut reduction.solution);
                reduction.start(size, &orbits, &mut rng);
                let (mut expected, mut clues) = (reduction.solution.clone(), size.cells());
                for cells in reduction.turns.iter().map(|&orbit| orbits.cells(orbit)) {
                    let mut less = expected.clone();
                    for &cell in cells {
                        less[usize::from(cell)] = 0;
                    }
                    if clues >= fewest + cells.len() && solve(&less).is_none() {
                        (expected, clues) = (less, clues - cells.len());
                    }
                }
                while reduction.prepare_query(fewest) {
                    let several = solve(&reduction.puzzle);
                    reduction.answer(several.as_deref().map_or(Uniqueness::Unique, Uniqueness::Several));
                }
                assert_eq!(reduction.puzzle, expected, "{size} to {fewest} clues, {symmetry:?}, seed {seed}");
                assert_eq!(reduction.clues(), clues);
            }
        }
    }
}
