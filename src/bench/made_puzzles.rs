//! Makes puzzles of all kinds from a seed: the same ones on any machine.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Place, PuzzleKind};
use crate::engine::bitmask::Bitmask;
use crate::engine::{Bounds, Engine, Limit, SearchEnd, Verdicts};
use crate::generate::RandomGrids;
use crate::puzzle::random::{below, shuffle};
use crate::puzzle::{Batch, Geometry, Size};

/// A clue of a large puzzle stays if the search without it takes more branches.
const MAX_BRANCHES: u64 = 100;

/// Makes the puzzles of a seed.
#[derive(Debug)]
pub(super) struct PuzzleMaker {
    size: Size,
    seed: u64,
    /// The kinds, which take turns.
    kinds: Vec<PuzzleKind>,
    grids: RandomGrids,
    engine: Bitmask,
    batch: Batch,
    verdicts: Verdicts,
}

/// A puzzle that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MadePuzzle {
    pub(super) place: Place,
    /// The index of its kind in the list of kinds.
    pub(super) kind_index: usize,
    pub(super) cells: Vec<u8>,
}

impl PuzzleMaker {
    /// Makes puzzles of these kinds, which must not be empty.
    pub(super) fn new(size: Size, seed: u64, kinds: Vec<PuzzleKind>) -> PuzzleMaker {
        assert!(!kinds.is_empty(), "puzzles are of some kind");
        let (batch, verdicts) = (Batch::new(size), Verdicts::new());
        PuzzleMaker { size, seed, kinds, grids: RandomGrids::new(size), engine: Bitmask::new(), batch, verdicts }
    }

    /// Makes the puzzle with a number, from 1; it does not depend on the puzzles before.
    pub(super) fn make(&mut self, number: u64) -> MadePuzzle {
        let kind_index = (number.wrapping_sub(1) % self.kinds.len() as u64) as usize;
        let kind = self.kinds[kind_index];
        // Hashing the seed keeps the puzzles of seeds apart: `seed + number` would give one seed the puzzles of
        // another, only shifted.
        let start = Xoshiro256PlusPlus::seed_from_u64(self.seed).next_u64();
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(start.wrapping_add(number));

        let mut grid = vec![0; self.size.cells()];
        self.grids.fill(rng, &mut grid);
        let place = Place::Made { seed: self.seed, number, kind };
        MadePuzzle { place, kind_index, cells: self.puzzle(kind, &grid, rng) }
    }

    /// A puzzle of a kind, made from a grid.
    fn puzzle(&mut self, kind: PuzzleKind, grid: &[u8], rng: &mut impl Rng) -> Vec<u8> {
        let cells = grid.len();
        let mut random_cells: Vec<usize> = (0..cells).collect();
        shuffle(rng, &mut random_cells);

        let mut puzzle = match kind {
            PuzzleKind::Empty | PuzzleKind::FewClues | PuzzleKind::RandomClues => vec![0; cells],
            PuzzleKind::Full | PuzzleKind::NearlyFull | PuzzleKind::FullClash => grid.to_vec(),
            PuzzleKind::Several
            | PuzzleKind::Unique
            | PuzzleKind::Minimal
            | PuzzleKind::ChangedClue
            | PuzzleKind::Clash => self.minimal(grid, &random_cells),
        };

        // Cells in another order than for the minimal puzzle.
        shuffle(rng, &mut random_cells);
        let add_clues = |puzzle: &mut [u8], clues: usize| {
            random_cells[..clues].iter().for_each(|&cell| puzzle[cell] = grid[cell]);
        };
        match kind {
            PuzzleKind::Empty | PuzzleKind::Full | PuzzleKind::Minimal => {}
            PuzzleKind::FewClues => add_clues(&mut puzzle, 1 + below(rng, cells / 5)),
            PuzzleKind::Unique => add_clues(&mut puzzle, 1 + below(rng, cells / 3)),
            PuzzleKind::ChangedClue => {
                add_clues(&mut puzzle, 1 + below(rng, cells / 3));
                self.change_clue(&mut puzzle, &random_cells, rng);
            }
            PuzzleKind::NearlyFull => {
                let blanks = 1 + below(rng, 5);
                random_cells[..blanks].iter().for_each(|&cell| puzzle[cell] = 0);
            }
            PuzzleKind::Several => {
                let fewer = 1 + below(rng, 3);
                let clues = random_cells.iter().filter(|&&cell| puzzle[cell] > 0).take(fewer).copied();
                clues.collect::<Vec<_>>().into_iter().for_each(|cell| puzzle[cell] = 0);
            }
            PuzzleKind::RandomClues => {
                let tries = cells / 5 + below(rng, cells * 2 / 5);
                for &cell in &random_cells[..tries] {
                    let digit = 1 + below(rng, self.size.side()) as u8;
                    if self.fits(&puzzle, cell, digit) {
                        puzzle[cell] = digit;
                    }
                }
            }
            PuzzleKind::Clash | PuzzleKind::FullClash => {
                let clue = random_cells.iter().copied().find(|&cell| puzzle[cell] > 0).expect("there are clues");
                let peers = Geometry::of(self.size).peers(clue);
                puzzle[usize::from(peers[below(rng, peers.len())])] = puzzle[clue];
            }
        }
        puzzle
    }

    /// Removes the cells of a grid in this order, as long as there is only one solution.
    fn minimal(&mut self, grid: &[u8], cells: &[usize]) -> Vec<u8> {
        let max_branches = (self.size > Size::Nine).then_some(MAX_BRANCHES);
        let bounds = Bounds { max_branches, ..Bounds::new(Limit::UNIQUE) };
        let mut puzzle = grid.to_vec();
        for &cell in cells {
            puzzle[cell] = 0;
            self.batch.clear();
            self.batch.push(&puzzle);
            self.engine.solve(&self.batch, bounds, &mut self.verdicts);

            let verdict = self.verdicts.get(0);
            if (verdict.solutions, verdict.end) != (1, SearchEnd::Complete) {
                puzzle[cell] = grid[cell];
            }
        }
        puzzle
    }

    /// Replaces the digit of a clue by another one without a clash; leaves the puzzle as it is if all clash.
    fn change_clue(&self, puzzle: &mut [u8], cells: &[usize], rng: &mut impl Rng) {
        let mut digits: Vec<u8> = (1..).take(self.size.side()).collect();
        shuffle(rng, &mut digits);
        for &cell in cells.iter().filter(|&&cell| puzzle[cell] > 0) {
            let is_other = |&digit: &u8| digit != puzzle[cell] && self.fits(puzzle, cell, digit);
            if let Some(digit) = digits.iter().copied().find(is_other) {
                puzzle[cell] = digit;
                return;
            }
        }
    }

    /// Whether a digit in a cell clashes with no clue.
    fn fits(&self, puzzle: &[u8], cell: usize, digit: u8) -> bool {
        Geometry::of(self.size).peers(cell).iter().all(|&peer| puzzle[usize::from(peer)] != digit)
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;
    use crate::puzzle::rules;

    /// The numbers of solutions that a puzzle of each kind may have, counted up to 2.
    fn possible(kind: PuzzleKind) -> std::ops::RangeInclusive<u64> {
        match kind {
            PuzzleKind::Empty | PuzzleKind::Several => 2..=2,
            PuzzleKind::FewClues | PuzzleKind::NearlyFull => 1..=2,
            PuzzleKind::Unique | PuzzleKind::Minimal | PuzzleKind::Full => 1..=1,
            PuzzleKind::ChangedClue | PuzzleKind::RandomClues => 0..=2,
            PuzzleKind::Clash | PuzzleKind::FullClash => 0..=0,
        }
    }

    #[test]
    fn puzzles_are_of_their_kind_and_the_same_for_a_seed() {
        for size in [Size::Four, Size::Nine] {
            let mut maker = PuzzleMaker::new(size, 7, PuzzleKind::VARIANTS.to_vec());
            let puzzles: Vec<MadePuzzle> = (1..=330).map(|number| maker.make(number)).collect();
            let mut engine = Bitmask::new();
            let (mut none, mut verdicts) = (0, Verdicts::new());
            for (index, MadePuzzle { cells, kind_index, .. }) in puzzles.iter().enumerate() {
                assert_eq!(*kind_index, index % PuzzleKind::VARIANTS.len());
                let mut batch = Batch::new(size);
                batch.push(cells);
                engine.solve(&batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
                let (kind, solutions) = (PuzzleKind::VARIANTS[*kind_index], verdicts.get(0).solutions);
                assert!(possible(kind).contains(&solutions), "{kind:?}: {solutions} {cells:?}");
                let clashes = matches!(kind, PuzzleKind::Clash | PuzzleKind::FullClash);
                assert_eq!(rules::conflict(size, cells).is_some(), clashes, "{kind:?}: {cells:?}");
                none += u64::from(kind == PuzzleKind::ChangedClue && solutions == 0);
            }
            assert!(none > 0, "{size}");

            // The puzzle depends on its number, not on the puzzles before; another seed gives different puzzles.
            assert_eq!(PuzzleMaker::new(size, 7, PuzzleKind::VARIANTS.to_vec()).make(330), puzzles[329]);
            let other = PuzzleMaker::new(size, 8, PuzzleKind::VARIANTS.to_vec()).make(10);
            assert!(puzzles.iter().all(|puzzle| puzzle.cells != other.cells || size == Size::Four));
        }
    }
}
