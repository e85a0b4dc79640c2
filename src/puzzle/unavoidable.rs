//! Small unavoidable sets of a solution, which prove cheaply that a clue is needed.
//!
//! A set of cells of a solution is unavoidable if another solution differs from it in these cells only. A puzzle with one
//! solution has a clue in each of them, and a clue that is alone in one is needed. Two kinds of such sets are found
//! without a search:
//!
//! * **Two digits.** They change places in a part of the grid that is closed: for each of its cells, it also has those cells of
//!   the other digit that are in the same row, column or box.
//! * **Two rows of a band,** or two columns of a stack. They change places where both have the same digits.
//!
//! ```text
//!   1 . . | 2 . . | . . .      1 and 2 change places: one solution becomes another,
//!   . . . | . . . | . . .      so one of the four cells is a clue
//!   2 . . | 1 . . | . . .
//! ```
//!
//! Both kinds are of one form. A digit has one cell in each row, a row one in each column, a column one in each row.
//! Call these the places of a line, which is a digit, a row or a column. A set then consists of the cells of two lines
//! at certain places.
//!
//! Sets are not stored. Those of a clue are found from the clue on, place by place, and mostly end soon at another clue.
//! Few of them have to be looked at: in the other solution, the cell of the clue has another digit, which is no clue in
//! its row, column or box.

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
    /// For each digit, its column and its box in each row, and its row in each column and in each box.
    column_in_row: Vec<u8>,
    box_in_row: Vec<u8>,
    row_in_column: Vec<u8>,
    row_in_box: Vec<u8>,
    /// Where each line has clues.
    rows_of_digit: Masks,
    columns_of_row: Masks,
    rows_of_column: Masks,
    /// The digits of the clues in each row, column and box.
    digits_of: [Masks; 3],
}

impl UnavoidableSets {
    /// Those of no solution yet.
    pub(crate) fn new() -> UnavoidableSets {
        UnavoidableSets {
            size: Size::Four,
            digits: vec![],
            column_in_row: vec![],
            box_in_row: vec![],
            row_in_column: vec![],
            row_in_box: vec![],
            rows_of_digit: [0; Size::MAX_SIDE],
            columns_of_row: [0; Size::MAX_SIDE],
            rows_of_column: [0; Size::MAX_SIDE],
            digits_of: [[0; Size::MAX_SIDE]; 3],
        }
    }

    /// Takes a solution; `puzzle` has the clues.
    ///
    /// # Panics
    ///
    /// If `solution` does not obey the rules, what is proved means nothing, and a value above the side panics.
    pub(crate) fn set(&mut self, size: Size, solution: &[u8], puzzle: &[u8]) {
        let (geometry, side) = (Geometry::of(size), size.side());
        self.size = size;
        let tables = [
            &mut self.digits,
            &mut self.column_in_row,
            &mut self.box_in_row,
            &mut self.row_in_column,
            &mut self.row_in_box,
        ];
        for table in tables {
            table.resize(size.cells(), 0);
        }
        let [rows, columns, boxes] = &mut self.digits_of;
        let masks = [&mut self.rows_of_digit, &mut self.columns_of_row, &mut self.rows_of_column, rows, columns, boxes];
        for masks in masks {
            masks.fill(0);
        }

        for cell in 0..size.cells() {
            let (row, column, box_) = (geometry.row(cell), geometry.column(cell), geometry.box_of(cell));
            let digit = usize::from(solution[cell] - 1);
            self.digits[cell] = digit as u8;
            self.column_in_row[digit * side + row] = column as u8;
            self.box_in_row[digit * side + row] = box_ as u8;
            self.row_in_column[digit * side + column] = row as u8;
            self.row_in_box[digit * side + box_] = row as u8;
            self.flip([row, column, box_], digit, Mask::from(puzzle[cell] != 0));
        }
    }

    /// Takes a clue away, or puts it back.
    pub(crate) fn toggle(&mut self, cell: usize) {
        let geometry = Geometry::of(self.size);
        let (row, column, digit) = (geometry.row(cell), geometry.column(cell), usize::from(self.digits[cell]));
        self.flip([row, column, geometry.box_of(cell)], digit, 1);
    }

    /// Changes whether a cell is a clue if `clue` is 1; does nothing if it is 0.
    fn flip(&mut self, [row, column, box_]: [usize; 3], digit: usize, clue: Mask) {
        self.rows_of_digit[digit] ^= clue << row;
        self.columns_of_row[row] ^= clue << column;
        self.rows_of_column[column] ^= clue << row;
        for (digits, house) in self.digits_of.iter_mut().zip([row, column, box_]) {
            digits[house] ^= clue << digit;
        }
    }

    /// The digits, from the lowest bit, that are no clue in the row, column and box of a cell.
    pub(crate) fn open_digits(&self, cell: usize) -> u32 {
        let geometry = Geometry::of(self.size);
        let [rows, columns, boxes] = &self.digits_of;
        let given = rows[geometry.row(cell)] | columns[geometry.column(cell)] | boxes[geometry.box_of(cell)];
        !given & ((1 << self.size.side()) - 1)
    }

    /// Whether a clue is the only one in a set, and so is needed.
    pub(crate) fn prove_needed(&self, clue: usize) -> bool {
        with_constant!(self.size, SIZE => self.is_alone::<{ SIZE.box_rows() }, { SIZE.box_columns() }>(clue))
    }

    /// [`prove_needed`](UnavoidableSets::prove_needed) for a shape of boxes: with constants, there are no divisions.
    fn is_alone<const ROWS: usize, const COLUMNS: usize>(&self, clue: usize) -> bool {
        let side = ROWS * COLUMNS;
        let (row, column) = (clue / side, clue % side);
        let (first_row, first_column) = (row / ROWS * ROWS, column / COLUMNS * COLUMNS);
        let mut open = self.open_digits(clue);
        let digit_at = |row: usize, column: usize| usize::from(self.digits[row * side + column]);
        let is_open = |digit: usize| open >> digit & 1 != 0;

        // A row of the band, then a column of the stack.
        for other in first_row..first_row + ROWS {
            if is_open(digit_at(other, column)) {
                let blocked = self.columns_of_row[other] | self.columns_of_row[row] & !(1 << column);
                let next = |column| self.column_in_row[digit_at(other, column) * side + row];
                if is_free(side, column, blocked, next) {
                    return true;
                }
            }
        }
        for other in first_column..first_column + COLUMNS {
            if is_open(digit_at(row, other)) {
                let blocked = self.rows_of_column[other] | self.rows_of_column[column] & !(1 << row);
                let next = |row| self.row_in_column[digit_at(row, other) * side + column];
                if is_free(side, row, blocked, next) {
                    return true;
                }
            }
        }

        let digit = digit_at(row, column);
        while open != 0 {
            let other = open.trailing_zeros() as usize;
            let blocked = self.rows_of_digit[other] | self.rows_of_digit[digit] & !(1 << row);
            if self.are_free(side, row, blocked, [digit, other]) {
                return true;
            }
            open &= open - 1;
        }
        false
    }

    /// Whether the set of two digits in a row, and in all rows that it reaches, has no blocked row.
    #[inline]
    fn are_free(&self, side: usize, row: usize, blocked: Mask, digits: [usize; 2]) -> bool {
        let [of_first, of_second] = digits.map(|digit| digit * side);
        // Where the second digit is in the column and the box of the first.
        let reach = |first: usize, second: usize, row: usize| {
            let (column, box_) = (self.column_in_row[first + row], self.box_in_row[first + row]);
            let rows = [self.row_in_column[second + usize::from(column)], self.row_in_box[second + usize::from(box_)]];
            1 << rows[0] | 1 << rows[1]
        };

        let mut rows: Mask = 1 << row;
        let mut new = rows;
        while new != 0 {
            let row = new.trailing_zeros() as usize;
            let reached = reach(of_first, of_second, row) | reach(of_second, of_first, row);
            if reached & blocked != 0 {
                return false;
            }
            new = new & (new - 1) | reached & !rows;
            rows |= reached;
        }
        true
    }
}

/// Whether no place is blocked from `start` on until `next` comes back to it.
#[inline]
fn is_free(side: usize, start: usize, blocked: Mask, next: impl Fn(usize) -> u8) -> bool {
    let mut place = start;
    for _ in 0..side {
        place = next(place).into();
        if blocked >> place & 1 != 0 {
            return false;
        }
        if place == start {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::rules;

    fn grid(text: &str) -> Vec<u8> {
        text.bytes().map(|digit| digit - b'0').collect()
    }

    fn solutions() -> Vec<(Size, Vec<u8>)> {
        vec![
            (Size::Four, grid("1234341221434321")),
            (Size::Six, grid("123456456123231564564231312645645312")),
            (Size::Nine, grid("316478952798253641254169378461895237523617489987342516875924163639581724142736895")),
            (Size::Nine, grid("123456789456789123789123456231564897564897231897231564312645978645978312978312645")),
        ]
    }

    /// Each set of cells, by the definition, with the other solution.
    fn sets(size: Size, solution: &[u8]) -> Vec<(Vec<usize>, Vec<u8>)> {
        let (geometry, side) = (Geometry::of(size), size.side());
        let cells = |is_in: &dyn Fn(usize) -> bool| (0..size.cells()).filter(|&cell| is_in(cell)).collect::<Vec<_>>();
        let (mut sets, pairs) = (vec![], (0..side).flat_map(|second| (0..second).map(move |first| (first, second))));
        for (first, second) in pairs {
            let digits = [first as u8 + 1, second as u8 + 1];
            let two = cells(&|cell| digits.contains(&solution[cell]));
            for set in parts(two, |cell, other| geometry.peers(cell).contains(&(other as u16))) {
                let mut other = solution.to_vec();
                for &cell in &set {
                    other[cell] = digits[0] + digits[1] - solution[cell];
                }
                sets.push((set, other));
            }

            let lines: [fn(&Geometry, usize) -> usize; 2] = [Geometry::row, Geometry::column];
            for (line, of_band) in lines.into_iter().zip([size.box_rows(), size.box_columns()]) {
                let line = |cell| line(geometry, cell);
                if first / of_band != second / of_band {
                    continue;
                }
                let two = cells(&|cell| [first, second].contains(&line(cell)));
                // The cell beside it in the other line.
                let beside = |cell: usize| {
                    let step = if line(1) == 0 { side } else { 1 } * (second - first);
                    if line(cell) == first { cell + step } else { cell - step }
                };
                for set in parts(two, |cell, other| beside(cell) == other || solution[cell] == solution[other]) {
                    let mut other = solution.to_vec();
                    for &cell in &set {
                        other[cell] = solution[beside(cell)];
                    }
                    sets.push((set, other));
                }
            }
        }
        sets
    }

    /// The connected parts of some cells.
    fn parts(mut cells: Vec<usize>, are_linked: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
        let mut parts = vec![];
        while let Some(cell) = cells.pop() {
            let mut part = vec![cell];
            let mut next = 0;
            while next < part.len() {
                part.extend(cells.extract_if(.., |other| are_linked(part[next], *other)).collect::<Vec<_>>());
                next += 1;
            }
            parts.push(part);
        }
        parts
    }

    #[test]
    fn the_only_clue_of_a_set_is_needed() {
        for (size, solution) in solutions() {
            let all = sets(size, &solution);
            for (cells, other) in &all {
                assert!(rules::is_solution(size, &vec![0; other.len()], other), "{cells:?}");
                assert!(
                    (0..other.len()).all(|cell| cells.contains(&cell) == (other[cell] != solution[cell])),
                    "{cells:?}"
                );
            }

            let mut found = UnavoidableSets::new();
            found.set(size, &solution, &solution);
            let mut clues: Vec<usize> = (0..size.cells()).collect();
            let mut removed = vec![];
            let check = |found: &UnavoidableSets, clues: &[usize]| {
                for &cell in clues {
                    let alone = |set: &Vec<usize>| set.iter().filter(|cell| clues.contains(cell)).eq([&cell]);
                    let is_alone = all.iter().any(|(set, _)| alone(set));
                    assert_eq!(found.prove_needed(cell), is_alone, "{cell} of {clues:?}");
                }
            };
            // Every seventh of the clues that are left, as long as no set loses its last one.
            for step in 0..size.cells() {
                let cell = clues[step * 7 % clues.len()];
                if !found.prove_needed(cell) {
                    found.toggle(cell);
                    clues.retain(|&clue| clue != cell);
                    removed.push(cell);
                    check(&found, &clues);
                }
            }
            assert!(clues.iter().any(|&cell| found.prove_needed(cell)));
            let mut puzzle = solution.clone();
            for &cell in &removed {
                puzzle[cell] = 0;
            }
            let mut again = UnavoidableSets::new();
            again.set(size, &solution, &puzzle);
            check(&again, &clues);
            while let Some(cell) = removed.pop() {
                found.toggle(cell);
                clues.push(cell);
                check(&found, &clues);
            }
            assert!(clues.iter().all(|&cell| !found.prove_needed(cell)));
        }
    }
}
