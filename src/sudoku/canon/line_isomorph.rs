//! An isomorphism in a form that is fast to apply row by row, and the form of a puzzle from all isomorphisms that make
//! its solution the smallest.

use std::array;

use super::form::{Canonical, Form};
use super::lines::{self, PackedLine, PackedLines, line};
use crate::puzzle::{Isomorph, Size};

/// An isomorphism of grids of this side, in a form that is fast to apply row by row.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineIsomorph<const SIDE: usize> {
    /// The value of row `r` and column `c` comes from cell `rows[r] + columns[c]`. One of the two is a multiple of the side:
    /// the column if the grid is reflected, otherwise the row.
    pub(super) rows: [u8; SIDE],
    pub(super) columns: [u8; SIDE],
    pub(super) names: DigitNames,
}

/// The new name of each digit; a blank, 0, stays a blank. Any number of four bits is an index, so none has to be checked.
pub(super) type DigitNames = [u8; 16];

impl<const SIDE: usize> LineIsomorph<SIDE> {
    /// Row number `row` of the isomorph of a grid.
    pub(super) fn line<const CELLS: usize>(&self, grid: &[u8; CELLS], row: usize) -> PackedLine {
        let cell = |column: u8| usize::from(self.rows[row] + column);
        line(self.columns.map(|column| self.names[usize::from(grid[cell(column)] & 15)]))
    }

    /// The isomorphism as a public type.
    fn isomorph(&self) -> Isomorph {
        let side = SIDE as u8;
        let is_reflected = self.rows.iter().all(|&row| row < side);
        let [rows, columns] = [self.rows, self.columns].map(|lines| lines.map(|line| line / side + line % side));
        Isomorph::of_lines(&self.names[1..=SIDE], &rows, &columns, is_reflected)
    }

    /// The isomorph of the solution in bits 0 to 3, and of the puzzle in bits 4 to 7. A cell is read and renamed once for
    /// both: bit 4 tells whether its digit is a clue.
    ///
    /// Not inlined: that saves 4 % of the instructions of a form.
    #[inline(never)]
    fn apply<const CELLS: usize>(&self, puzzle: &[u8; CELLS], solution: &[u8; CELLS], both: &mut [u8; CELLS]) {
        let mut cells = PaddedCells::new(solution);
        for (cell, &clue) in cells.0.iter_mut().zip(puzzle) {
            *cell |= u8::from(clue != 0) << 4;
        }

        // A clue, which has bit 4 as well, gets its name in both halves.
        let mut names = [0; 256];
        names[..16].copy_from_slice(&self.names);
        for (both, name) in names[16..32].iter_mut().zip(self.names) {
            *both = name << 4 | name;
        }

        let columns = self.columns.map(|column| usize::from(column) % ROOM);
        for (line, &row) in both.as_chunks_mut::<SIDE>().0.iter_mut().zip(&self.rows) {
            let cells = cells.after(row);
            for (cell, &column) in line.iter_mut().zip(&columns) {
                *cell = names[usize::from(cells[column])];
            }
        }
    }
}

/// The cells of a grid with room after them: `ROOM` cells follow on each, so that no sum of a row and a column has to be
/// checked.
pub(super) struct PaddedCells([u8; 2 * ROOM]);

pub(super) const ROOM: usize = 128;

impl PaddedCells {
    pub(super) fn new<const CELLS: usize>(grid: &[u8; CELLS]) -> PaddedCells {
        let mut cells = [0; 2 * ROOM];
        cells[..CELLS].copy_from_slice(grid);
        PaddedCells(cells)
    }

    /// The cells from the one at `start` on.
    pub(super) fn after(&self, start: u8) -> &[u8; ROOM] {
        self.0[usize::from(start) % ROOM..].first_chunk().expect("room for as many cells again")
    }
}

/// Keeps the isomorphisms that make the rows from `first` on the smallest. The rows before it are equal.
pub(super) fn keep_smallest<const SIDE: usize, const CELLS: usize>(
    ways: &mut Vec<LineIsomorph<SIDE>>,
    grid: &[u8; CELLS],
    first: usize,
) {
    for row in first..SIDE {
        if ways.len() == 1 {
            break;
        }
        let mut smallest = PackedLine::MAX;
        let mut kept = 0;
        for n in 0..ways.len() {
            let line = ways[n].line(grid, row);
            if line < smallest {
                smallest = line;
                kept = 0;
            }
            if line == smallest {
                ways[kept] = ways[n];
                kept += 1;
            }
        }
        ways.truncate(kept);
    }
}

/// The form of a puzzle from all isomorphisms that make its solution the smallest.
pub(super) fn form<const SIDE: usize, const CELLS: usize>(
    size: Size,
    ways: &[LineIsomorph<SIDE>],
    puzzle: &[u8; CELLS],
    solution: &[u8; CELLS],
) -> Canonical {
    let (automorphisms, puzzle_automorphisms) = (ways.len() as u32, 1);
    let mut both = [0; CELLS];
    ways[0].apply(puzzle, solution, &mut both);
    let mut form = Canonical {
        puzzle: Form::of(size, &both, |both| both >> 4),
        solution: Form::of(size, &both, |both| both & 15),
        automorphisms,
        puzzle_automorphisms,
    };
    if ways.len() > 1 {
        let mut smallest = [PackedLine::MAX; SIDE];
        for way in ways {
            lower(&mut smallest, (0..SIDE).map(|row| way.line(puzzle, row)));
        }
        form.puzzle = lines::form(size, &smallest);

        // Two isomorphisms with the same result on the puzzle differ by one that does not change it.
        let makes_form = |way: &&LineIsomorph<SIDE>| (0..SIDE).all(|row| way.line(puzzle, row) == smallest[row]);
        form.puzzle_automorphisms = ways.iter().filter(makes_form).count() as u32;
    }
    form
}

/// An isomorphism that makes the form of a puzzle, of all those that make its solution the smallest.
pub(super) fn isomorph<const SIDE: usize, const CELLS: usize>(
    ways: &[LineIsomorph<SIDE>],
    puzzle: &[u8; CELLS],
) -> Isomorph {
    let lines = |way: &LineIsomorph<SIDE>| -> PackedLines<SIDE> { array::from_fn(|row| way.line(puzzle, row)) };
    ways.iter().min_by_key(|way| lines(way)).expect("the solution has a smallest isomorph").isomorph()
}

/// Replaces `smallest` by the lines of another grid if that is smaller. Reads no more of the lines than necessary.
fn lower<const SIDE: usize>(smallest: &mut PackedLines<SIDE>, lines: impl Iterator<Item = PackedLine>) {
    let mut smaller = false;
    for (best, line) in smallest.iter_mut().zip(lines) {
        smaller |= line < *best;
        if smaller {
            *best = line;
        } else if line > *best {
            return;
        }
    }
}
