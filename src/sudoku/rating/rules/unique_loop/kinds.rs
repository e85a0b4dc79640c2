//! Types 1 to 4 of unique loops: the deductions from their extra candidates.
//!
//! ```text
//! type 1   one cell has extra candidates           it loses the digits of the loop
//! type 2   all extra candidates are one digit      the cells that see them all lose it
//! type 3   two cells of a house have them          with cells of the house they make a naked set, or the digits of
//!                                                  the loop make a hidden set: the usual eliminations
//! type 4   a digit of the loop has no other place  the two cells lose the other digit of the loop
//!          in a house of the two cells
//! ```

use super::super::super::candidates::Candidates;
use super::super::super::houses::{CELLS, HOUSE_CELLS, PEERS, house, houses_of_all};
use super::super::super::sets::{CellSet, DigitSet, subsets};
use super::super::super::step::Step;
use super::super::super::technique::{Technique, UniquenessKind};
use super::PairCells;

/// Collects the uses of loops and keeps the easiest.
pub(super) struct Uses<'a> {
    grid: &'a Candidates,
    step: &'a mut Step,
    best: Option<(f64, UniquenessKind)>,
}

/// A loop with extra candidates.
#[derive(Clone, Copy)]
struct Loop {
    pair: DigitSet,
    cells: CellSet,
    /// The cells with extra candidates.
    extra: CellSet,
    /// The extra candidates.
    digits: DigitSet,
}

impl Loop {
    /// The difficulty without the part that a set adds. The reference program compares sums in floating point, so they
    /// are added here in the same order.
    fn difficulty(self) -> f64 {
        let rectangle = Technique::UniqueLoop { kind: UniquenessKind::OneCell, cells: 4 }.least_difficulty();
        match self.cells.len() {
            4 => rectangle,
            6 => rectangle + 0.1,
            8 => rectangle + 0.2,
            _ => rectangle + 0.3 + 0.2,
        }
    }
}

impl<'a> Uses<'a> {
    pub(super) fn new(grid: &'a Candidates, step: &'a mut Step) -> Uses<'a> {
        Uses { grid, step, best: None }
    }

    /// Whether a use was found. The step then has the easiest.
    pub(super) fn any(&self) -> bool {
        self.best.is_some()
    }

    /// Collects the uses of one loop.
    pub(super) fn of_loop(&mut self, &PairCells { pair, two, .. }: &PairCells, cells: CellSet) {
        let extra = cells.without(two);
        let digits = extra.into_iter().fold(DigitSet::EMPTY, |digits, cell| digits.or(self.grid.digits(cell)));
        let found = Loop { pair, cells, extra, digits: digits.without(pair) };

        match extra.len() {
            0 => {} // The puzzle has two solutions.
            1 => self.one_cell(found),
            2 => {
                if found.digits.len() == 1 {
                    self.one_digit(found);
                } else {
                    self.sets(found);
                }
                self.locked(found);
            }
            _ => self.one_digit(found),
        }
    }

    /// Starts the step if this use is easier than the best so far. Ties go to the use that was found first.
    fn begin(&mut self, found: Loop, kind: UniquenessKind, difficulty: f64) -> bool {
        if self.best.is_some_and(|best| best <= (difficulty, kind)) {
            return false;
        }
        self.best = Some((difficulty, kind));
        let cells = found.cells.len() as u8;
        self.step.begin_with(Technique::UniqueLoop { kind, cells }, (difficulty * 10.0).round() as u16);
        self.step.cells = found.cells;
        self.step.digits = found.pair;
        true
    }

    /// Type 1.
    fn one_cell(&mut self, found: Loop) {
        if self.begin(found, UniquenessKind::OneCell, found.difficulty()) {
            self.step.eliminate_digits(found.extra.first(), found.pair);
        }
    }

    /// Type 2.
    fn one_digit(&mut self, found: Loop) {
        let digit = found.digits.first();
        let cells = found.extra.into_iter().fold(self.grid.cells(digit), |cells, cell| cells.and(PEERS[cell]));
        if !cells.is_empty() && self.begin(found, UniquenessKind::OneDigit, found.difficulty()) {
            self.step.digits.insert(digit);
            self.step.eliminate(cells, digit);
        }
    }

    /// Type 4. If both digits of the loop are locked, the first one counts; if several houses lock it, the last one
    /// counts.
    fn locked(&mut self, found: Loop) {
        for locked in found.pair {
            let others = self.grid.cells(locked).without(found.extra);
            let Some(index) =
                houses_of_all(found.extra).filter(|&house| others.and(HOUSE_CELLS[house]).is_empty()).last()
            else {
                continue;
            };
            if self.begin(found, UniquenessKind::Locked, found.difficulty()) {
                let removed = found.pair.without(DigitSet::of(locked));
                self.step.eliminate(found.extra, removed.first());
                self.step.houses.push(house(index));
            }
            return;
        }
    }

    /// Type 3: by size, then by house, naked sets first.
    fn sets(&mut self, found: Loop) {
        for size in found.digits.len()..=7 {
            for index in houses_of_all(found.extra) {
                let blanks = self.grid.blanks_of(index);
                if size * 2 <= blanks {
                    self.naked_sets(found, size, index);
                }
                if size * 2 < blanks {
                    self.hidden_sets(found, size, index);
                }
            }
        }
    }

    /// Naked sets: `size - 1` cells of a house that, with the extra candidates, have `size` digits in all. Each digit
    /// is in one of these cells or in both cells of the loop.
    fn naked_sets(&mut self, found: Loop, size: usize, index: usize) {
        let difficulty = found.difficulty() + (size - 1) as f64 * 0.1;
        let in_both = found.extra.into_iter().fold(found.digits, |digits, cell| digits.and(self.grid.digits(cell)));
        let house_cells = HOUSE_CELLS[index].without(found.extra);
        let may_be_in_set = |&place: &usize| {
            let cell = usize::from(CELLS[index][place]);
            let digits = self.grid.digits(cell);
            house_cells.contains(cell) && digits.len() >= 2 && digits.or(found.digits).len() <= size
        };

        for subset in subsets((0..9).filter(may_be_in_set).collect(), size - 1) {
            let cells: CellSet = subset.into_iter().map(|place| usize::from(CELLS[index][place])).collect();
            let digits = cells.into_iter().fold(DigitSet::EMPTY, |digits, cell| digits.or(self.grid.digits(cell)));
            let set = digits.or(found.digits);
            if set.len() != size || digits.or(in_both) != set {
                continue;
            }

            let rest = house_cells.without(cells);
            if rest.into_iter().any(|cell| !self.grid.digits(cell).and(set).is_empty())
                && self.begin(found, UniquenessKind::Set, difficulty)
            {
                for cell in rest {
                    self.step.eliminate_digits(cell, self.grid.digits(cell).and(set));
                }
                self.step.cells = found.cells.or(cells);
                self.step.digits = found.pair.or(set);
                self.step.houses.push(house(index));
            }
        }
    }

    /// Hidden sets: `size` digits, including the digits of the loop, with `size` places in a house: one of the two
    /// cells and `size - 1` further cells.
    fn hidden_sets(&mut self, found: Loop, size: usize, index: usize) {
        let difficulty = found.difficulty() + (size - 2) as f64 * 0.1;
        let rest = DigitSet::ALL.without(found.pair).without(found.digits);
        let may_be_in_set = |&digit: &usize| !self.grid.places(index, digit).is_empty();

        for subset in subsets(rest.into_iter().filter(may_be_in_set).collect(), size - 2) {
            let set = found.pair.or(subset);
            let places = set.into_iter().fold(CellSet::EMPTY, |cells, digit| cells.or(self.grid.cells(digit)));
            let cells = places.and(HOUSE_CELLS[index]).without(found.extra);
            if cells.len() == size - 1
                && cells.into_iter().any(|cell| !self.grid.digits(cell).without(set).is_empty())
                && self.begin(found, UniquenessKind::Set, difficulty)
            {
                for cell in cells {
                    self.step.eliminate_digits(cell, self.grid.digits(cell).without(set));
                }
                self.step.cells = found.cells.or(cells);
                self.step.digits = set.or(found.digits);
                self.step.houses.push(house(index));
            }
        }
    }
}
