//! All unavoidable sets of two lines in a solution, for the comparison with many sets of clues.

use super::super::{Geometry, Size};

/// Cells of a grid of up to 128 cells, as bits.
pub(crate) type CellSet = u128;

/// The kinds of lines.
const ROWS: usize = 0;
const COLUMNS: usize = 1;
const BOXES: usize = 2;
const DIGITS: usize = 3;

/// Replaces `sets` by the sets of two digits, of two rows of a band and of two columns of a stack, the smallest first.
pub(crate) fn find_two_line_sets(size: Size, solution: &[u8], sets: &mut Vec<CellSet>) {
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
