//! Rows of a grid packed into numbers that compare like the rows.

use crate::puzzle::Grid;

/// A row of nine cells, four bits each, the first cell in the highest bits: the smaller number is the smaller row.
pub(super) type PackedLine = u64;

/// The rows of a grid, from top to bottom. These arrays compare like the grids, row by row.
pub(super) type PackedLines = [PackedLine; 9];

/// Packs nine cells.
pub(super) fn line(cells: [u8; 9]) -> PackedLine {
    cells.into_iter().fold(0, |line, cell| line << 4 | PackedLine::from(cell))
}

/// Unpacks nine lines.
pub(super) fn grid(lines: &PackedLines) -> Grid {
    let mut grid = [0; 81];
    for (cells, line) in grid.chunks_exact_mut(9).zip(lines) {
        cells[0] = (line >> 32) as u8;
        cells[1..].copy_from_slice(&spread(*line as u32).to_be_bytes());
    }
    grid
}

/// Spreads groups of four bits to bytes.
fn spread(line: u32) -> u64 {
    let halves = (u64::from(line) | u64::from(line) << 16) & 0x0000_ffff_0000_ffff;
    let bytes = (halves | halves << 8) & 0x00ff_00ff_00ff_00ff;
    (bytes | bytes << 4) & 0x0f0f_0f0f_0f0f_0f0f
}
