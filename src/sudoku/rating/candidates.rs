//! The grid of candidates that a person who solves a puzzle pencils in.
//!
//! The same candidates are stored three times, so that each technique reads the layout that suits it:
//!
//! ```text
//! digits[cell]          9 bits    the digits that the cell may have
//! cells[digit]         81 bits    the cells that may have the digit
//! places[digit][house]  9 bits    the places of the house that may have the digit
//! ```
//!
//! A cell with a value has no candidates. In a contradictory grid, an empty cell may have none either.

use super::houses::{CELLS, HOUSES, HOUSES_OF, PEERS, PLACES_OF};
use super::sets::{CellSet, DigitSet};
use crate::puzzle::{Grid, Pencilmarks};

/// The values and the candidates of a 9x9 grid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidates {
    /// The value of each cell, 1 to 9, or 0.
    values: Grid,
    blanks: CellSet,
    digits: [DigitSet; 81],
    cells: [CellSet; 9],
    /// Padded, so that loops over the houses become vector instructions.
    places: [[DigitSet; LANES]; 9],
    /// The number of blanks of each house.
    house_blanks: [u8; HOUSES],
    /// The number of cells that still need each digit.
    missing: [u8; 9],
}

impl Candidates {
    /// The candidates of each blank: the digits that do not occur among its peers.
    pub fn of(puzzle: &Grid) -> Candidates {
        let mut candidates = Candidates::all();
        for (cell, &value) in puzzle.iter().enumerate() {
            if value != 0 {
                candidates.place(cell, usize::from(value) - 1);
            }
        }
        candidates
    }

    /// An empty grid: each cell may have any digit.
    fn all() -> Candidates {
        Candidates {
            values: [0; 81],
            blanks: CellSet((1 << 81) - 1),
            digits: [DigitSet::ALL; 81],
            cells: [CellSet((1 << 81) - 1); 9],
            places: [ALL_PLACES; 9],
            house_blanks: [9; HOUSES],
            missing: [9; 9],
        }
    }

    /// The grid of a pencilmark puzzle: it has no values, only the candidates of each cell.
    pub fn from_digits(digits: &[DigitSet; 81]) -> Candidates {
        let mut candidates = Candidates::all();
        for (cell, &given) in digits.iter().enumerate() {
            candidates.remove_all(cell, DigitSet::ALL.without(given));
        }
        candidates
    }

    /// The grid with these values, and with these cells as candidates of each digit.
    pub(super) fn from_cells(values: &Grid, cells: &[CellSet; 9]) -> Candidates {
        let mut grid = Candidates {
            values: *values,
            blanks: CellSet((1 << 81) - 1),
            digits: [DigitSet::EMPTY; 81],
            cells: *cells,
            places: [[DigitSet::EMPTY; LANES]; 9],
            house_blanks: [9; HOUSES],
            missing: [9; 9],
        };

        for (cell, &value) in values.iter().enumerate().filter(|&(_, &value)| value != 0) {
            grid.fill(cell, usize::from(value) - 1);
        }

        // The candidates are not derived from the values: steps may have removed more.
        for (digit, &cells) in cells.iter().enumerate() {
            for cell in cells {
                grid.digits[cell].insert(digit);
                for kind in 0..3 {
                    grid.places[digit][usize::from(HOUSES_OF[cell][kind])].insert(usize::from(PLACES_OF[cell][kind]));
                }
            }
        }
        grid
    }

    /// Updates the counts when a blank gets a value.
    fn fill(&mut self, cell: usize, digit: usize) {
        self.blanks.remove(cell);
        // A contradictory puzzle may have a digit more than nine times.
        self.missing[digit] = self.missing[digit].saturating_sub(1);
        for house in HOUSES_OF[cell] {
            self.house_blanks[usize::from(house)] -= 1;
        }
    }

    /// The values: 1 to 9, or 0 for a blank.
    pub fn values(&self) -> &Grid {
        &self.values
    }

    /// The cells without a value.
    pub fn blanks(&self) -> CellSet {
        self.blanks
    }

    /// The digits that a cell may have.
    pub fn digits(&self, cell: usize) -> DigitSet {
        self.digits[cell]
    }

    /// The cells that may have a digit.
    pub fn cells(&self, digit: usize) -> CellSet {
        self.cells[digit]
    }

    /// The places of a house that may have a digit.
    pub(super) fn places(&self, house: usize, digit: usize) -> DigitSet {
        self.places[digit][house]
    }

    /// The places of each digit of a house.
    pub(super) fn places_of(&self, house: usize) -> [DigitSet; 9] {
        std::array::from_fn(|digit| self.places[digit][house])
    }

    /// The places of each house that may have a digit. The entries after the last house are empty.
    pub(super) fn places_by_house(&self, digit: usize) -> &[DigitSet; LANES] {
        &self.places[digit]
    }

    /// The number of blanks of a house.
    pub(super) fn blanks_of(&self, house: usize) -> usize {
        usize::from(self.house_blanks[house])
    }

    /// The number of cells that still need a digit.
    pub(super) fn missing(&self, digit: usize) -> usize {
        usize::from(self.missing[digit])
    }

    /// The cells by the number of their candidates.
    pub(super) fn sizes(&self) -> Sizes {
        let [mut one, mut two, mut three, mut four] = [CellSet::EMPTY; 4];
        // Count the digits of all cells at once: each digit moves its cells up by one level. From the top down, so that
        // no cell moves twice for a digit.
        for &cells in &self.cells {
            four = four.or(three.and(cells));
            three = three.or(two.and(cells));
            two = two.or(one.and(cells));
            one = one.or(cells);
        }
        Sizes { one: one.without(two), two: two.without(three), three: three.without(four), more: four }
    }

    /// Whether each cell has a value.
    pub fn is_solved(&self) -> bool {
        self.blanks.is_empty()
    }

    /// Removes a candidate; nothing happens if it is not there.
    pub(super) fn remove(&mut self, cell: usize, digit: usize) {
        self.digits[cell].remove(digit);
        self.cells[digit].remove(cell);
        for kind in 0..3 {
            self.places[digit][usize::from(HOUSES_OF[cell][kind])].remove(usize::from(PLACES_OF[cell][kind]));
        }
    }

    /// Removes several candidates of a cell.
    pub(super) fn remove_all(&mut self, cell: usize, digits: DigitSet) {
        for digit in digits.and(self.digits[cell]) {
            self.remove(cell, digit);
        }
    }

    /// Gives a cell a value. Removes all its candidates, and the digit from its peers.
    pub(super) fn place(&mut self, cell: usize, digit: usize) {
        if self.values[cell] == 0 {
            self.fill(cell, digit);
        }
        self.values[cell] = digit as u8 + 1;
        self.remove_all(cell, DigitSet::ALL);
        self.cells[digit] = self.cells[digit].without(PEERS[cell]);
        // A mask for each house, not a change for each peer: 32 lanes are four vector operations, which halves the time
        // for the candidates of an easy puzzle.
        for (places, &lost) in self.places[digit].iter_mut().zip(&PEER_PLACES[cell]) {
            *places = places.without(lost);
        }
        for &peer in &PEER_LIST[cell] {
            self.digits[usize::from(peer)].remove(digit);
        }
    }
}

/// The candidates of a pencilmark puzzle. The grid has no values, even where a cell has one candidate.
impl From<&Pencilmarks> for Candidates {
    fn from(puzzle: &Pencilmarks) -> Candidates {
        Candidates::from_digits(&std::array::from_fn(|cell| DigitSet(puzzle.digits(cell))))
    }
}

/// The cells with one, two, three and more candidates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub one: CellSet,
    pub two: CellSet,
    pub three: CellSet,
    pub more: CellSet,
}

/// The number of houses, rounded up to fill vectors.
pub(super) const LANES: usize = 32;

/// Nine places in each house.
const ALL_PLACES: [DigitSet; LANES] = {
    let mut places = [DigitSet::EMPTY; LANES];
    let mut house = 0;
    while house < HOUSES {
        places[house] = DigitSet::ALL;
        house += 1;
    }
    places
};

/// For each cell, the places of its peers in each house.
static PEER_PLACES: [[DigitSet; LANES]; 81] = {
    let mut peer_places = [[DigitSet::EMPTY; LANES]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut house = 0;
        while house < HOUSES {
            let mut place = 0;
            while place < 9 {
                if PEERS[cell].contains(CELLS[house][place] as usize) {
                    peer_places[cell][house] = peer_places[cell][house].or(DigitSet::of(place));
                }
                place += 1;
            }
            house += 1;
        }
        cell += 1;
    }
    peer_places
};

/// The peers of each cell, one by one.
static PEER_LIST: [[u8; 20]; 81] = {
    let mut lists = [[0; 20]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (mut peer, mut count) = (0, 0);
        while peer < 81 {
            if PEERS[cell].contains(peer) {
                lists[cell][count] = peer as u8;
                count += 1;
            }
            peer += 1;
        }
        cell += 1;
    }
    lists
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the three layouts have the same candidates, and that the counts of blanks are right.
    fn check(grid: &Candidates) {
        for cell in 0..81 {
            assert_eq!(grid.blanks().contains(cell), grid.values()[cell] == 0);
            for digit in 0..9 {
                let is_candidate = grid.digits(cell).contains(digit);
                assert_eq!(grid.cells(digit).contains(cell), is_candidate);
                for kind in 0..3 {
                    let [house, place] = [HOUSES_OF, PLACES_OF].map(|table| usize::from(table[cell][kind]));
                    assert_eq!(grid.places(house, digit).contains(place), is_candidate);
                }
            }
        }
        for (house, cells) in CELLS.iter().enumerate() {
            let blanks = cells.iter().filter(|&&cell| grid.blanks().contains(usize::from(cell))).count();
            assert_eq!(grid.blanks_of(house), blanks);
        }
        for digit in 0..9 {
            let placed = grid.values().iter().filter(|&&value| usize::from(value) == digit + 1).count();
            assert_eq!(grid.missing(digit), 9 - placed);
        }
    }

    #[test]
    fn a_placement_takes_the_digit_from_the_peers_and_the_other_digits_from_the_cell() {
        let mut grid = Candidates::of(&[0; 81]);
        for (cell, digit) in [(0, 0), (13, 4), (40, 0), (80, 8), (33, 2)] {
            let before = grid.clone();
            grid.place(cell, digit);
            check(&grid);
            for other in 0..81 {
                let lost = before.digits(other).without(grid.digits(other));
                let expected = match other {
                    _ if other == cell => before.digits(other),
                    _ if PEERS[cell].contains(other) => before.digits(other).and(DigitSet::of(digit)),
                    _ => DigitSet::EMPTY,
                };
                assert_eq!(lost, expected);
            }
            grid.remove(7, 6);
            check(&grid);
        }
        let cells = std::array::from_fn(|digit| grid.cells(digit));
        assert_eq!(Candidates::from_cells(grid.values(), &cells), grid);
    }
}
