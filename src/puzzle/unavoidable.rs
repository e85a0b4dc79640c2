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

use super::Order;

/// Some places of a line; place 0 is the lowest bit.
type Places = u32;

/// The sets of one solution, and the clues of a puzzle with that solution.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnavoidableSets {
    sets: Vec<UnavoidableSet>,
    /// How many sets a cell is in.
    each: usize,
    /// The sets of each cell, one cell after another.
    of_cells: Vec<u16>,
    /// For each cell, in how many sets it is the only clue.
    alone: Vec<u8>,
}

/// What matters of a set: how many clues it has, and which one if there is one.
#[derive(Clone, Copy, Debug)]
struct UnavoidableSet {
    clues: u16,
    /// The exclusive or of their cells.
    cells: u16,
}

impl UnavoidableSets {
    /// Finds the sets of a solution; `puzzle` has the clues.
    ///
    /// # Panics
    ///
    /// If `solution` does not obey the rules, it may panic or find other sets.
    pub(crate) fn find(&mut self, order: Order, solution: &[u8], puzzle: &[u8]) {
        let (n, side) = (order.get(), order.side());
        self.each = side - 1 + 2 * (n - 1);
        self.sets.clear();
        self.of_cells.resize(order.cells() * self.each, 0);
        self.alone.clear();
        self.alone.resize(order.cells(), 0);

        // For each digit: its column and its box in each row, and as masks its row in each column and in each box.
        let mut columns = [[0_u8; Order::MAX_SIDE]; Order::MAX_SIDE];
        let mut boxes = columns;
        let mut row_in_column: [[Places; Order::MAX_SIDE]; Order::MAX_SIDE] = [[0; Order::MAX_SIDE]; Order::MAX_SIDE];
        let mut row_in_box = row_in_column;
        // For each row, the column of each digit as a mask; for each column, the row.
        let mut column_in_row = row_in_column;
        for (row, cells) in solution.chunks_exact(side).enumerate() {
            for (column, &digit) in cells.iter().enumerate() {
                let digit = usize::from(digit - 1);
                let box_ = row / n * n + column / n;
                columns[digit][row] = column as u8;
                boxes[digit][row] = box_ as u8;
                row_in_column[digit][column] = 1 << row;
                row_in_box[digit][box_] = 1 << row;
                column_in_row[digit][row] = 1 << column;
            }
        }

        // Pairs of digits, whose places are rows.
        let reach = |digit: usize, other: usize, row: usize| {
            row_in_column[other][usize::from(columns[digit][row])] | row_in_box[other][usize::from(boxes[digit][row])]
        };
        self.find_pairs(
            Lines { side, group: side, slot: 0 },
            puzzle,
            |[first, second], row| reach(first, second, row) | reach(second, first, row),
            |digit, row| row * side + usize::from(columns[digit][row]),
        );

        // Pairs of rows of a band, whose places are columns; pairs of columns of a stack, whose places are rows.
        let digit = |row: usize, column: usize| usize::from(solution[row * side + column] - 1);
        self.find_pairs(
            Lines { side, group: n, slot: side - 1 },
            puzzle,
            |[first, second], column| column_in_row[digit(second, column)][first],
            |row, column| row * side + column,
        );
        self.find_pairs(
            Lines { side, group: n, slot: side - 1 + n - 1 },
            puzzle,
            |[first, second], row| row_in_column[digit(row, second)][first],
            |column, row| row * side + column,
        );
    }

    /// Finds the sets of each two lines of a group: with a place, a set has those that `reach` gives for it. `cell_at` is
    /// the cell of a line at a place.
    fn find_pairs(
        &mut self,
        lines: Lines,
        puzzle: &[u8],
        reach: impl Fn([usize; 2], usize) -> Places,
        cell_at: impl Fn(usize, usize) -> usize,
    ) {
        let Lines { side, group, slot } = lines;
        for first in 0..side {
            for second in first / group * group..first {
                let slots = [slot + second % group, slot + first % group - 1];
                let mut left: Places = (1 << side) - 1;
                while left != 0 {
                    let number = self.sets.len() as u16;
                    let (mut clues, mut cells) = (0, 0);

                    // One place, then those that it reaches, until a set is closed.
                    let mut places = left & left.wrapping_neg();
                    let mut new = places;
                    while new != 0 {
                        let place = new.trailing_zeros() as usize;
                        places |= reach([first, second], place);
                        left &= !(1 << place);
                        new = places & left;
                        for (line, slot) in [first, second].into_iter().zip(slots) {
                            let cell = cell_at(line, place);
                            self.of_cells[cell * self.each + slot] = number;
                            let is_clue = u16::from(puzzle[cell] != 0);
                            clues += is_clue;
                            cells ^= cell as u16 * is_clue;
                        }
                    }

                    if clues == 1 {
                        self.alone[usize::from(cells)] += 1;
                    }
                    self.sets.push(UnavoidableSet { clues, cells });
                }
            }
        }
    }

    /// Takes a clue away.
    pub(crate) fn remove(&mut self, cell: usize) {
        for &set in &self.of_cells[cell * self.each..][..self.each] {
            let set = &mut self.sets[usize::from(set)];
            set.clues -= 1;
            set.cells ^= cell as u16;
            if set.clues == 1 {
                self.alone[usize::from(set.cells)] += 1;
            }
        }
    }

    /// Puts a clue back that was taken away.
    pub(crate) fn restore(&mut self, cell: usize) {
        for &set in &self.of_cells[cell * self.each..][..self.each] {
            let set = &mut self.sets[usize::from(set)];
            if set.clues == 1 {
                self.alone[usize::from(set.cells)] -= 1;
            }
            set.clues += 1;
            set.cells ^= cell as u16;
        }
    }

    /// Whether a clue is the only one in a set, and so is needed.
    pub(crate) fn prove_needed(&self, cell: usize) -> bool {
        self.alone[cell] > 0
    }
}

/// The lines of one kind.
#[derive(Clone, Copy)]
struct Lines {
    side: usize,
    /// How many lines form a group in which each two have sets: all digits, the rows of a band.
    group: usize,
    /// The first of the sets of a cell that are of this kind.
    slot: usize,
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::puzzle::rules;

    fn grid(text: &str) -> Vec<u8> {
        text.bytes().map(|digit| digit - b'0').collect()
    }

    fn solutions() -> Vec<(Order, Vec<u8>)> {
        vec![
            (Order::Two, grid("1234341221434321")),
            (Order::Three, grid("316478952798253641254169378461895237523617489987342516875924163639581724142736895")),
            (Order::Three, grid("123456789456789123789123456231564897564897231897231564312645978645978312978312645")),
        ]
    }

    /// The cells of each set.
    fn sets(sets: &UnavoidableSets) -> Vec<Vec<usize>> {
        let mut cells = vec![vec![]; sets.sets.len()];
        for (index, &set) in sets.of_cells.iter().enumerate() {
            cells[usize::from(set)].push(index / sets.each);
        }
        cells
    }

    /// Two values, or two lines, change places in a set, and the grid is another solution.
    #[test]
    fn sets_are_unavoidable() {
        for (order, solution) in solutions() {
            let mut found = UnavoidableSets::default();
            found.find(order, &solution, &solution);
            let side = order.side();
            let mut kinds = HashSet::new();
            for cells in sets(&found) {
                let mut other = solution.clone();
                let digits: HashSet<u8> = cells.iter().map(|&cell| solution[cell]).collect();
                let rows: HashSet<usize> = cells.iter().map(|&cell| cell / side).collect();
                if digits.len() == 2 {
                    let sum: u8 = digits.iter().sum();
                    for &cell in &cells {
                        other[cell] = sum - solution[cell];
                    }
                } else if rows.len() == 2 {
                    let sum: usize = rows.iter().sum();
                    for &cell in &cells {
                        other[cell] = solution[(sum - cell / side) * side + cell % side];
                    }
                } else {
                    let columns: HashSet<usize> = cells.iter().map(|&cell| cell % side).collect();
                    let sum: usize = columns.iter().sum();
                    for &cell in &cells {
                        other[cell] = solution[cell / side * side + sum - cell % side];
                    }
                }
                assert!(rules::is_solution(order, &vec![0; other.len()], &other), "{cells:?}");
                assert!(cells.iter().all(|&cell| other[cell] != solution[cell]), "{cells:?}");
                kinds.insert((digits.len() == 2, rows.len() == 2));
            }
            assert!(order == Order::Two || kinds.len() >= 3);
        }
    }

    #[test]
    fn the_only_clue_of_a_set_is_needed() {
        for (order, solution) in solutions() {
            let mut found = UnavoidableSets::default();
            found.find(order, &solution, &solution);
            let all = sets(&found);
            let mut clues: Vec<usize> = (0..order.cells()).collect();
            let mut removed = vec![];
            let check = |found: &UnavoidableSets, clues: &[usize]| {
                for &cell in clues {
                    let alone = |set: &Vec<usize>| set.iter().filter(|cell| clues.contains(cell)).eq([&cell]);
                    assert_eq!(found.prove_needed(cell), all.iter().any(alone), "{cell} of {clues:?}");
                }
            };
            // Every seventh of the clues that are left, as long as no set loses its last one.
            for step in 0..order.cells() {
                let cell = clues[step * 7 % clues.len()];
                if !found.prove_needed(cell) {
                    found.remove(cell);
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
            let mut again = UnavoidableSets::default();
            again.find(order, &solution, &puzzle);
            check(&again, &clues);
            while let Some(cell) = removed.pop() {
                found.restore(cell);
                clues.push(cell);
                check(&found, &clues);
            }
            assert!(clues.iter().all(|&cell| !found.prove_needed(cell)));
        }
    }
}
