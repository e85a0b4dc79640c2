//! The 27 houses of a 9x9 grid and the peers of each cell, as tables of bits.
//!
//! Houses are numbered in the order of the reference program: boxes, columns, rows.
//!
//! ```text
//! houses   0 ..  8   boxes, row by row        places 0 .. 8 of a box: row by row
//! houses   9 .. 17   columns, from the left   places of a column: from the top
//! houses  18 .. 26   rows, from the top       places of a row: from the left
//! ```

use super::sets::CellSet;
use crate::puzzle::House;

/// The number of houses.
pub(super) const HOUSES: usize = 27;
/// The index of the first column.
pub(super) const COLUMNS: usize = 9;
/// The index of the first row.
pub(super) const ROWS: usize = 18;

/// The cells of each house, in the order of their places.
pub(super) const CELLS: [[u8; 9]; HOUSES] = cells();
/// The cells of each house, as a set.
pub(super) const HOUSE_CELLS: [CellSet; HOUSES] = house_cells();
/// The box, the column and the row of each cell.
pub(super) const HOUSES_OF: [[u8; 3]; 81] = houses_of();
/// The three houses of each cell, a bit each.
pub(super) const HOUSE_BITS: [u32; 81] = house_bits();
/// The place of each cell in its box, its column and its row.
pub(super) const PLACES_OF: [[u8; 3]; 81] = places_of();
/// The 20 cells that share a house with a cell.
pub(super) const PEERS: [CellSet; 81] = peers();
/// The kinds of houses, as indices into [`HOUSES_OF`], in the reference order for the houses of a cell.
pub(super) const BOX_ROW_COLUMN: [usize; 3] = [0, 2, 1];

const fn cells() -> [[u8; 9]; HOUSES] {
    let mut cells = [[0; 9]; HOUSES];
    let mut house = 0;
    while house < 9 {
        let mut place = 0;
        while place < 9 {
            cells[house][place] = ((house / 3 * 3 + place / 3) * 9 + house % 3 * 3 + place % 3) as u8;
            cells[COLUMNS + house][place] = (place * 9 + house) as u8;
            cells[ROWS + house][place] = (house * 9 + place) as u8;
            place += 1;
        }
        house += 1;
    }
    cells
}

const fn house_cells() -> [CellSet; HOUSES] {
    let mut sets = [CellSet::EMPTY; HOUSES];
    let mut house = 0;
    while house < HOUSES {
        let mut place = 0;
        while place < 9 {
            sets[house] = sets[house].or(CellSet::of(CELLS[house][place] as usize));
            place += 1;
        }
        house += 1;
    }
    sets
}

const fn houses_of() -> [[u8; 3]; 81] {
    let mut houses = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        houses[cell] = [(row / 3 * 3 + column / 3) as u8, (COLUMNS + column) as u8, (ROWS + row) as u8];
        cell += 1;
    }
    houses
}

const fn house_bits() -> [u32; 81] {
    let mut bits = [0; 81];
    let mut cell = 0;
    while cell < 81 {
        let [nonet, column, row] = HOUSES_OF[cell];
        bits[cell] = 1 << nonet | 1 << column | 1 << row;
        cell += 1;
    }
    bits
}

const fn places_of() -> [[u8; 3]; 81] {
    let mut places = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell / 9, cell % 9);
        places[cell] = [(row % 3 * 3 + column % 3) as u8, row as u8, column as u8];
        cell += 1;
    }
    places
}

const fn peers() -> [CellSet; 81] {
    let mut peers = [CellSet::EMPTY; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut kind = 0;
        while kind < 3 {
            peers[cell] = peers[cell].or(HOUSE_CELLS[HOUSES_OF[cell][kind] as usize]);
            kind += 1;
        }
        peers[cell] = peers[cell].without(CellSet::of(cell));
        cell += 1;
    }
    peers
}

/// Converts a house to the type that the other modules of the crate use.
pub(super) const fn house(index: usize) -> House {
    match index {
        0..COLUMNS => House::Box(index),
        COLUMNS..ROWS => House::Column(index - COLUMNS),
        _ => House::Row(index - ROWS),
    }
}

/// The cells of a set that share a house with a cell, in the reference order: its box, its row, its column.
pub(super) fn peers_in_order(cell: usize, set: CellSet) -> impl Iterator<Item = usize> {
    let [nonet, column, row] = HOUSES_OF[cell].map(|house| HOUSE_CELLS[usize::from(house)]);
    let peers = set.and(PEERS[cell]);
    // Four peers in the box share the row or the column, too; each peer comes only once.
    let rest = peers.without(nonet);
    peers.and(nonet).into_iter().chain(rest.and(row)).chain(rest.and(column))
}

/// The houses that contain all of the cells, in the order box, row, column.
pub(super) fn houses_of_all(cells: CellSet) -> impl Iterator<Item = usize> {
    BOX_ROW_COLUMN
        .into_iter()
        .map(move |kind| usize::from(HOUSES_OF[cells.first()][kind]))
        .filter(move |&house| cells.without(HOUSE_CELLS[house]).is_empty())
}
