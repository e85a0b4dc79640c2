//! Counts for an audit that need one record at a time. Each worker has its own counts; they are added up at the end.

use std::collections::BTreeMap;

use strum::VariantArray;

use super::cells::CellCounts;
use crate::generate::BandCounts;
use crate::puzzle::{Orbits, Size, Symmetry};
use crate::rating::Difficulty;
use crate::rows::Status;
use crate::stats::merge_fields;

/// All counts of the records of a corpus, by size.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct AuditCounts {
    sizes: BTreeMap<Size, SizeCounts>,
    /// The rated puzzles by their ER, if puzzles are rated.
    pub(super) er: BTreeMap<Difficulty, u64>,
}

/// The puzzles of one size.
#[derive(Clone, Debug)]
pub(super) struct SizeCounts {
    symmetry_test: SymmetryTest,
    pub(super) cells: CellCounts,
    pub(super) several: u64,
    /// The puzzles with several solutions that have a stored answer.
    pub(super) several_answered: u64,
    /// The puzzles without a class, although their size has classes.
    pub(super) without_class: u64,
    /// The puzzles with one solution, whose automorphisms are known.
    pub(super) unique: u64,
    /// Among these, the puzzles with more than one automorphism.
    pub(super) automorphic: u64,
    /// The solved grids with a class.
    pub(super) grids: u64,
    /// Among these, the grids with more than one automorphism.
    pub(super) automorphic_grids: u64,
    /// The bands of solved 9x9 grids.
    pub(super) bands: BandCounts,
    /// Puzzles by the symmetries of their clues; a puzzle may have several.
    pub(super) symmetries: [u64; Symmetry::VARIANTS.len()],
    /// The puzzles without any symmetry.
    pub(super) asymmetric: u64,
}

/// A puzzle to count.
pub(in super::super) struct AuditedPuzzle<'a> {
    pub(in super::super) size: Size,
    pub(in super::super) cells: &'a [u8],
    pub(in super::super) status: Status,
    /// Whether a full grid is stored as its answer.
    pub(in super::super) has_answer: bool,
    /// Whether it has no class, although its size has classes.
    pub(in super::super) lacks_class: bool,
    /// Its solved grid: the solution or, with several solutions, the stored answer.
    pub(in super::super) grid: Option<&'a [u8]>,
    /// The canonical form of that grid, if its size has classes.
    pub(in super::super) form: Option<GridForm>,
}

/// The canonical form of a solved grid.
#[derive(Clone, Copy)]
pub(in super::super) struct GridForm {
    pub(in super::super) automorphisms: u32,
    /// The automorphisms of the puzzle; `None` if it does not have exactly one solution.
    pub(in super::super) of_puzzle: Option<u32>,
}

merge_fields!(AuditCounts: sizes, er);
merge_fields!(BandCounts: counts);
merge_fields!(
    SizeCounts: cells, several, several_answered, without_class, unique, automorphic, grids, automorphic_grids, bands,
    symmetries, asymmetric
);

impl AuditCounts {
    /// Counts a puzzle.
    pub(in super::super) fn add(&mut self, puzzle: &AuditedPuzzle<'_>) {
        let counts = self.sizes.entry(puzzle.size).or_insert_with(|| SizeCounts::new(puzzle.size));
        counts.add(puzzle);
    }

    /// Counts the ER of a puzzle.
    pub(in super::super) fn add_rating(&mut self, er: Difficulty) {
        *self.er.entry(er).or_default() += 1;
    }

    /// The sizes of the corpus, smallest first.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (Size, &SizeCounts)> {
        self.sizes.iter().map(|(&size, counts)| (size, counts))
    }
}

impl SizeCounts {
    fn new(size: Size) -> SizeCounts {
        SizeCounts {
            symmetry_test: SymmetryTest::new(size),
            cells: CellCounts::new(size),
            several: 0,
            several_answered: 0,
            without_class: 0,
            unique: 0,
            automorphic: 0,
            grids: 0,
            automorphic_grids: 0,
            bands: BandCounts::default(),
            symmetries: [0; Symmetry::VARIANTS.len()],
            asymmetric: 0,
        }
    }

    fn add(&mut self, puzzle: &AuditedPuzzle<'_>) {
        self.cells.add_puzzle(puzzle.cells);
        if puzzle.status == Status::Multiple {
            self.several += 1;
            self.several_answered += u64::from(puzzle.has_answer);
        }

        self.without_class += u64::from(puzzle.lacks_class);

        let symmetries = self.symmetry_test.of(puzzle.cells);
        self.symmetries.iter_mut().zip(symmetries).for_each(|(count, has)| *count += u64::from(has));
        self.asymmetric += u64::from(!symmetries.contains(&true));

        if let Some(grid) = puzzle.grid {
            self.cells.add_grid(grid);
        }
        let Some(form) = puzzle.form else { return };
        self.grids += 1;
        self.automorphic_grids += u64::from(form.automorphisms > 1);
        if let Some(automorphisms) = form.of_puzzle {
            self.unique += 1;
            self.automorphic += u64::from(automorphisms > 1);
        }
        if let (Size::Nine, Some(Ok(grid))) = (puzzle.size, puzzle.grid.map(TryInto::try_into)) {
            self.bands.add(grid);
        }
    }
}

/// Tests patterns of one size for all symmetries.
#[derive(Clone, Debug)]
struct SymmetryTest {
    orbits: Vec<Orbits>,
}

impl SymmetryTest {
    fn new(size: Size) -> SymmetryTest {
        SymmetryTest { orbits: Symmetry::VARIANTS.iter().map(|&symmetry| Orbits::new(size, Some(symmetry))).collect() }
    }

    /// For each symmetry, whether the clues of a puzzle have it.
    fn of(&self, puzzle: &[u8]) -> [bool; Symmetry::VARIANTS.len()] {
        let is_clue = |&cell: &u16| puzzle[usize::from(cell)] != 0;
        let is_kept = |orbits: &Orbits| {
            orbits.all().iter().all(|&orbit| {
                let cells = orbits.cells(orbit);
                cells.iter().all(|cell| is_clue(cell) == is_clue(&cells[0]))
            })
        };
        let mut found = [false; Symmetry::VARIANTS.len()];
        found.iter_mut().zip(&self.orbits).for_each(|(found, orbits)| *found = is_kept(orbits));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symmetry_is_found_in_its_own_patterns() {
        for size in Size::ALL {
            let test = SymmetryTest::new(size);
            assert_eq!(test.of(&vec![0; size.cells()]), [true; 7]);
            let corner: Vec<u8> = (0..size.cells()).map(|cell| u8::from(cell == 1)).collect();
            assert_eq!(test.of(&corner), [false; 7]);
            // All cells of one orbit.
            for (index, symmetry) in Symmetry::VARIANTS.iter().copied().enumerate() {
                let orbits = Orbits::new(size, Some(symmetry));
                let mut puzzle = vec![0; size.cells()];
                orbits.cells(orbits.all()[1]).iter().for_each(|&cell| puzzle[usize::from(cell)] = 1);
                assert!(test.of(&puzzle)[index], "{size} {symmetry}");
            }
        }
    }
}
