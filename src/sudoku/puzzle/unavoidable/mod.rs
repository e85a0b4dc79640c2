//! Small unavoidable sets of a solution, which prove cheaply that a clue is needed.
//!
//! A set of cells of a solution is unavoidable if another solution differs from it in exactly these cells. A puzzle
//! with one solution has a clue in each such set, and a clue is needed if it is the only one in a set. Two kinds of
//! such sets are found without a search:
//!
//! * **Two digits.** They are exchanged in a part of the grid that is closed: for each of its cells, it also has the
//!   cells with the other digit in the same row, column and box.
//! * **Two rows of a band,** or two columns of a stack. They are exchanged in places where both have the same digits.
//!
//! ```text
//!   1 . . | 2 . . | . . .      1 and 2 change places: one solution becomes another,
//!   . . . | . . . | . . .      so one of the four cells is a clue
//!   2 . . | 1 . . | . . .
//! ```
//!
//! Both kinds have the same form. A digit has one cell in each row, a row one in each column, a column one in each row.
//! Call these the places of a line, which is a digit, a row or a column. A set then consists of the cells of two lines
//! at certain places.
//!
//! For the clues of one puzzle, sets are not stored. They are followed from a clue, place by place, and mostly end soon
//! at another clue. Only a few are followed: in the other solution, the cell of the clue has another digit, which is not
//! a clue in its row, column or box. For the comparison with many sets of clues, all sets are listed.

use super::{Geometry, Size, with_constant};

/// Some places of a line, or some digits; the first is the lowest bit.
type Mask = u32;

/// A mask for each line, or for each row, column or box.
type Masks = [Mask; Size::MAX_SIDE];

/// A solution, and the clues of a puzzle with that solution.
#[derive(Clone, Debug)]
pub(crate) struct UnavoidableSets {
    size: Size,
    /// The digit of each cell, from 0.
    digits: Vec<u8>,
    /// For each digit, its places.
    places: Vec<DigitPlaces>,
    /// The places of the clues in each row and each column.
    columns_of_row: Masks,
    rows_of_column: Masks,
    /// The digits of the clues in each row, column and box.
    digits_of: [Masks; 3],
}

/// The places of a digit in a solution.
#[derive(Clone, Copy, Debug)]
struct DigitPlaces {
    /// Its column and its box in each row.
    in_row: [[u8; 2]; Size::MAX_SIDE],
    /// Its row in each column and in each box.
    in_column: Masks,
    in_box: Masks,
    /// The rows, the columns and the boxes where it is a clue.
    clues: [Mask; 3],
}

impl DigitPlaces {
    const NONE: DigitPlaces = DigitPlaces {
        in_row: [[0; 2]; Size::MAX_SIDE],
        in_column: [0; Size::MAX_SIDE],
        in_box: [0; Size::MAX_SIDE],
        clues: [0; 3],
    };

    /// Its rows in the column and in the box that another digit has in a row.
    #[inline]
    fn seen_from(&self, other: &DigitPlaces, row: usize) -> Mask {
        let [column, box_] = other.in_row[row].map(usize::from);
        self.in_column[column] | self.in_box[box_]
    }
}

/// Calls a method for the shape of the boxes. With constants, the compiler needs no divisions.
macro_rules! with_shape {
    ($sets:expr, $method:ident($($argument:expr),*)) => {
        with_constant!($sets.size, SIZE => {
            $sets.$method::<{ SIZE.box_rows() }, { SIZE.box_columns() }, { SIZE.side() }>($($argument),*)
        })
    };
}

impl UnavoidableSets {
    /// An empty value, before the first solution.
    pub(crate) fn new() -> UnavoidableSets {
        UnavoidableSets {
            size: Size::Four,
            digits: vec![],
            places: vec![],
            columns_of_row: [0; Size::MAX_SIDE],
            rows_of_column: [0; Size::MAX_SIDE],
            digits_of: [[0; Size::MAX_SIDE]; 3],
        }
    }

    /// Sets the solution; `puzzle` has the clues.
    ///
    /// # Panics
    ///
    /// If a value is above the side. If `solution` does not obey the rules, the proofs are meaningless.
    pub(crate) fn set(&mut self, size: Size, solution: &[u8], puzzle: &[u8]) {
        self.size = size;
        self.digits.resize(size.cells(), 0);
        self.places.resize(size.side(), DigitPlaces::NONE);
        with_shape!(self, fill(solution, puzzle));
    }

    fn fill<const ROWS: usize, const COLUMNS: usize, const SIDE: usize>(&mut self, solution: &[u8], puzzle: &[u8]) {
        let [digits_of_row, digits_of_column, digits_of_box] = &mut self.digits_of;
        for masks in [&mut self.rows_of_column, digits_of_column, digits_of_box] {
            masks[..SIDE].fill(0);
        }
        for digit in &mut self.places {
            digit.clues = [0; 3];
        }

        let (solution, _) = solution.as_chunks::<SIDE>();
        let (puzzle, _) = puzzle.as_chunks::<SIDE>();
        let (digits, _) = self.digits.as_chunks_mut::<SIDE>();
        let places = &mut self.places[..SIDE];
        for (row, ((solution, puzzle), digits)) in solution.iter().zip(puzzle).zip(digits).enumerate() {
            let (mut columns_of_row, mut digits_of_this_row) = (0, 0);
            for column in 0..SIDE {
                let box_ = row / ROWS * ROWS + column / COLUMNS;
                let clue = Mask::from(puzzle[column] != 0);
                let digit = usize::from(solution[column] - 1);
                digits[column] = digit as u8;
                let places = &mut places[digit];
                places.in_row[row] = [column as u8, box_ as u8];
                places.in_column[column] = 1 << row;
                places.in_box[box_] = 1 << row;
                places.clues[0] |= clue << row;
                places.clues[1] |= clue << column;
                places.clues[2] |= clue << box_;
                columns_of_row |= clue << column;
                self.rows_of_column[column] |= clue << row;
                digits_of_this_row |= clue << digit;
                digits_of_column[column] |= clue << digit;
                digits_of_box[box_] |= clue << digit;
            }
            self.columns_of_row[row] = columns_of_row;
            digits_of_row[row] = digits_of_this_row;
        }
    }

    /// Removes a clue, or puts it back.
    pub(crate) fn toggle(&mut self, cell: usize) {
        with_shape!(self, flip(cell));
    }

    fn flip<const ROWS: usize, const COLUMNS: usize, const SIDE: usize>(&mut self, cell: usize) {
        let houses = houses::<ROWS, COLUMNS, SIDE>(cell);
        let [row, column, _] = houses;
        let digit = usize::from(self.digits[cell]);
        self.columns_of_row[row] ^= 1 << column;
        self.rows_of_column[column] ^= 1 << row;
        for ((clues, digits), house) in self.places[digit].clues.iter_mut().zip(&mut self.digits_of).zip(houses) {
            *clues ^= 1 << house;
            digits[house] ^= 1 << digit;
        }
    }

    /// The digits that are not clues in the row, column and box of a cell, bit 0 for digit 1.
    pub(crate) fn open_digits(&self, cell: usize) -> u32 {
        with_shape!(self, open(cell))
    }

    #[inline]
    fn open<const ROWS: usize, const COLUMNS: usize, const SIDE: usize>(&self, cell: usize) -> u32 {
        let [row, column, box_] = houses::<ROWS, COLUMNS, SIDE>(cell);
        let [rows, columns, boxes] = &self.digits_of;
        !(rows[row] | columns[column] | boxes[box_]) & ((1 << SIDE) - 1)
    }

    /// A digit, from 0, that may replace a clue in another solution: its row, column and box do not have it as a clue.
    /// Prefers a digit with a single cell in two of these houses, because it displaces fewer cells.
    pub(crate) fn likely_digit(&self, clue: usize) -> Option<usize> {
        with_shape!(self, find_likely(clue))
    }

    fn find_likely<const ROWS: usize, const COLUMNS: usize, const SIDE: usize>(&self, clue: usize) -> Option<usize> {
        let [row, column, box_] = houses::<ROWS, COLUMNS, SIDE>(clue);
        let open = self.open::<ROWS, COLUMNS, SIDE>(clue);
        let mut left = open;
        while left != 0 {
            let digit = left.trailing_zeros() as usize;
            let DigitPlaces { in_row, in_column, in_box, .. } = &self.places[digit];
            if usize::from(in_row[row][1]) == box_ || in_column[column] == in_box[box_] {
                return Some(digit);
            }
            left &= left - 1;
        }
        (open != 0).then(|| open.trailing_zeros() as usize)
    }

    /// Fills in the boxes that share no band or stack with the clue, or with the cells in its column and row that the
    /// digit in its place displaces.
    pub(crate) fn fill_boxes_apart(&self, clue: usize, digit: usize, cells: &mut [u8]) {
        with_shape!(self, fill_apart(clue, digit, cells));
    }

    fn fill_apart<const ROWS: usize, const COLUMNS: usize, const SIDE: usize>(
        &self,
        clue: usize,
        digit: usize,
        cells: &mut [u8],
    ) {
        let [row, column, _] = houses::<ROWS, COLUMNS, SIDE>(clue);
        let DigitPlaces { in_row, in_column, .. } = &self.places[digit];
        let bands = [row, in_column[column].trailing_zeros() as usize].map(|row| row / ROWS);
        let stacks = [column, in_row[row][0].into()].map(|column| column / COLUMNS);

        let (digits, _) = self.digits.as_chunks::<SIDE>();
        let (cells, _) = cells.as_chunks_mut::<SIDE>();
        for (row, (cells, digits)) in cells.iter_mut().zip(digits).enumerate() {
            if !bands.contains(&(row / ROWS)) {
                for column in 0..SIDE {
                    let value = digits[column] + 1;
                    cells[column] = if stacks.contains(&(column / COLUMNS)) { cells[column] } else { value };
                }
            }
        }
    }

    /// Whether a clue is the only one in a set, and therefore needed.
    pub(crate) fn prove_needed(&self, clue: usize) -> bool {
        with_shape!(self, is_alone(clue))
    }

    fn is_alone<const ROWS: usize, const COLUMNS: usize, const SIDE: usize>(&self, clue: usize) -> bool {
        let open = self.open::<ROWS, COLUMNS, SIDE>(clue);
        let houses = houses::<ROWS, COLUMNS, SIDE>(clue);
        open != 0
            && (self.is_alone_in_digits::<SIDE>(houses, open)
                || self.is_alone_in_rows::<ROWS, SIDE>(houses, open)
                || self.is_alone_in_columns::<COLUMNS, SIDE>(houses, open))
    }

    /// Whether the clue in these houses is the only one in a set of its digit and one of the open digits.
    #[inline]
    fn is_alone_in_digits<const SIDE: usize>(&self, [row, column, box_]: [usize; 3], open: Mask) -> bool {
        let places = &self.places[..SIDE];
        let own = &places[self.digit_at::<SIDE>(row, column)];
        let others = own.clues[0] & !(1 << row);

        // Find the cells that the first step blocks without a branch: few cells are left after it.
        let first_step = |other: &DigitPlaces| other.in_column[column] | other.in_box[box_] | own.seen_from(other, row);
        let (mut left, mut digits) = (0, open);
        while digits != 0 {
            let digit = digits.trailing_zeros();
            let other = &places[digit as usize];
            left |= Mask::from(first_step(other) & (others | other.clues[0]) == 0) << digit;
            digits &= digits - 1;
        }

        while left != 0 {
            let other = &places[left.trailing_zeros() as usize];
            if are_free([own, other], row, first_step(other), others | other.clues[0]) {
                return true;
            }
            left &= left - 1;
        }
        false
    }

    /// Whether it is the only clue in a set of its row and another row of the band that has an open digit there.
    #[inline]
    fn is_alone_in_rows<const ROWS: usize, const SIDE: usize>(&self, [row, column, _]: [usize; 3], open: Mask) -> bool {
        let clues = self.columns_of_row[row] & !(1 << column);
        (row / ROWS * ROWS..).take(ROWS).any(|other| {
            let next = |column| self.places[self.digit_at::<SIDE>(other, column)].in_row[row][0].into();
            let is_open = open >> self.digit_at::<SIDE>(other, column) & 1 != 0;
            is_open && is_free::<SIDE>(column, clues | self.columns_of_row[other], next)
        })
    }

    /// Whether it is the only clue in a set of its column and another column of the stack that has an open digit there.
    #[inline]
    fn is_alone_in_columns<const COLUMNS: usize, const SIDE: usize>(
        &self,
        [row, column, _]: [usize; 3],
        open: Mask,
    ) -> bool {
        let clues = self.rows_of_column[column] & !(1 << row);
        (column / COLUMNS * COLUMNS..).take(COLUMNS).any(|other| {
            let row_of = |digit: usize| self.places[digit].in_column[column].trailing_zeros() as usize;
            let next = |row| row_of(self.digit_at::<SIDE>(row, other));
            let is_open = open >> self.digit_at::<SIDE>(row, other) & 1 != 0;
            is_open && is_free::<SIDE>(row, clues | self.rows_of_column[other], next)
        })
    }

    /// The digit of a cell, from 0.
    #[inline]
    fn digit_at<const SIDE: usize>(&self, row: usize, column: usize) -> usize {
        self.digits[row * SIDE + column].into()
    }
}

/// Whether the set of two digits has no blocked row, from `row` on. The first step reaches the rows in `reached`.
#[inline]
fn are_free([first, second]: [&DigitPlaces; 2], row: usize, mut reached: Mask, blocked: Mask) -> bool {
    let mut rows: Mask = 1 << row;
    loop {
        if reached & blocked != 0 {
            return false;
        }
        let new = reached & !rows;
        if new == 0 {
            return true;
        }
        let row = new.trailing_zeros() as usize;
        rows |= 1 << row;
        reached |= first.seen_from(second, row) | second.seen_from(first, row);
    }
}

/// The row, column and box of a cell.
#[inline]
fn houses<const ROWS: usize, const COLUMNS: usize, const SIDE: usize>(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / SIDE, cell % SIDE);
    [row, column, row / ROWS * ROWS + column / COLUMNS]
}

/// Whether no place from `start` on is blocked, until `next` comes back to `start`.
#[inline]
fn is_free<const SIDE: usize>(start: usize, blocked: Mask, next: impl Fn(usize) -> usize) -> bool {
    let mut place = start;
    for _ in 0..SIDE {
        place = next(place);
        if blocked >> place & 1 != 0 {
            return false;
        }
        if place == start {
            return true;
        }
    }
    false
}

/// Cells of a grid of up to 128 cells, as bits.
pub(crate) type CellSet = u128;

/// Replaces `sets` by the sets of two digits, of two rows of a band and of two columns of a stack, the smallest first.
pub(crate) fn find_two_line_sets(size: Size, solution: &[u8], sets: &mut Vec<CellSet>) {
    // The kinds of lines.
    const ROWS: usize = 0;
    const COLUMNS: usize = 1;
    const BOXES: usize = 2;
    const DIGITS: usize = 3;

    // The cells of each row, column, box and digit.
    let geometry = Geometry::of(size);
    let mut lines = [[0; Size::MAX_SIDE]; 4];
    let places =
        |cell| [geometry.row(cell), geometry.column(cell), geometry.box_of(cell), usize::from(solution[cell] - 1)];
    for cell in 0..size.cells() {
        lines.iter_mut().zip(places(cell)).for_each(|(lines, line)| lines[line] |= 1 << cell);
    }

    sets.clear();
    let kinds: [(usize, usize, &[usize]); 3] = [
        (DIGITS, size.side(), &[ROWS, COLUMNS, BOXES]),
        (ROWS, size.box_rows(), &[COLUMNS, DIGITS]),
        (COLUMNS, size.box_columns(), &[ROWS, DIGITS]),
    ];
    for (kind, group, joined) in kinds {
        for first in 0..size.side() {
            for second in first + 1..(first / group + 1) * group {
                // Cells that share one of the other lines change together.
                let mut left: CellSet = lines[kind][first] | lines[kind][second];
                while left != 0 {
                    let (mut set, mut new) = (0, left & left.wrapping_neg());
                    while new != 0 {
                        set |= new;
                        let places = places(new.trailing_zeros() as usize);
                        new &= new - 1;
                        let reached = joined.iter().fold(0, |cells, &kind| cells | lines[kind][places[kind]]);
                        new |= reached & left & !set;
                    }
                    left &= !set;
                    sets.push(set);
                }
            }
        }
    }
    sets.sort_unstable_by_key(|set| set.count_ones());
}

#[cfg(test)]
mod tests;
