//! The geometry of grids: houses and peers.
//!
//! Cells are numbered row by row from 0, digits are 1 to the side, and 0 is a blank. Messages count cells, rows, columns
//! and boxes from 1 (`r4c5`, `box 5`).

use std::fmt;
use std::sync::{LazyLock, OnceLock};

use super::Size;

/// The cells of a 9x9 grid, row by row: 0 is a blank, 1 to 9 are digits.
pub type Grid = [u8; Size::Nine.cells()];

/// A row, a column or a box, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum House {
    /// A row, from the top.
    Row(usize),
    /// A column, from the left.
    Column(usize),
    /// A box, row by row.
    Box(usize),
}

impl House {
    /// The kind and a number from 1: `box 5`. Cached, because most events of a trace name a house.
    pub(crate) fn name(self) -> &'static str {
        static NAMES: LazyLock<[Vec<String>; 3]> = LazyLock::new(|| {
            ["row", "column", "box"].map(|kind| (1..=Size::MAX_SIDE).map(|number| format!("{kind} {number}")).collect())
        });
        let (kind, number) = match self {
            House::Row(number) => (0, number),
            House::Column(number) => (1, number),
            House::Box(number) => (2, number),
        };
        &NAMES[kind][number]
    }
}

/// Prints the kind and a number from 1: `box 5`.
impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Appends a number up to the largest side. Written by hand, because nearly every row may name a cell, and `write!`
/// takes ten times as long.
fn push_number(number: usize, text: &mut String) {
    let digit = |digit: usize| char::from(b'0' + digit as u8);
    if number > 9 {
        text.push(digit(number / 10));
    }
    text.push(digit(number % 10));
}

/// The houses and peers of one size. Built once, on first use: building the largest size takes longer than the rest of
/// a start.
#[derive(Debug)]
pub struct Geometry {
    size: Size,
    /// The row, column and box of each cell.
    places: Vec<[u8; 3]>,
    /// The cells of the `3 * side` houses, one house after another: the rows, the columns, the boxes.
    houses: Vec<u16>,
    /// The peers of each cell in ascending order, one cell after another.
    peers: Vec<u16>,
}

impl Geometry {
    /// The geometry of a size.
    pub fn of(size: Size) -> &'static Geometry {
        static ALL: [OnceLock<Geometry>; Size::ALL.len()] = [const { OnceLock::new() }; Size::ALL.len()];
        ALL[size.index()].get_or_init(|| Geometry::build(size))
    }

    fn build(size: Size) -> Geometry {
        let (side, box_rows, box_columns) = (size.side(), size.box_rows(), size.box_columns());
        let places: Vec<[u8; 3]> = (0..size.cells())
            .map(|cell| {
                let (row, column) = (cell / side, cell % side);
                [row, column, row / box_rows * size.stacks() + column / box_columns].map(|house| house as u8)
            })
            .collect();
        let cells = || 0..size.cells() as u16;

        let mut houses = Vec::with_capacity(3 * size.cells());
        for (kind, house) in (0..3).flat_map(|kind| (0..side).map(move |house| (kind, house))) {
            houses.extend(cells().filter(|&cell| usize::from(places[cell as usize][kind]) == house));
        }

        let mut peers = Vec::new();
        for cell in cells() {
            let own = places[cell as usize];
            let shares_a_house = |other: &u16| (0..3).any(|kind| places[*other as usize][kind] == own[kind]);
            peers.extend(cells().filter(|&other| other != cell).filter(shares_a_house));
        }
        Geometry { size, places, houses, peers }
    }

    /// The size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The row of a cell, counted from 0.
    pub fn row(&self, cell: usize) -> usize {
        self.places[cell][0].into()
    }

    /// The column of a cell, counted from 0.
    pub fn column(&self, cell: usize) -> usize {
        self.places[cell][1].into()
    }

    /// The box of a cell, counted from 0.
    pub fn box_of(&self, cell: usize) -> usize {
        self.places[cell][2].into()
    }

    /// Every house with its cells in ascending order: the rows, then the columns, then the boxes.
    pub fn houses(&self) -> impl Iterator<Item = (House, &[u16])> {
        (0..3 * self.size.side()).map(|index| self.house(index))
    }

    /// The house at an index of [`Geometry::houses`], with its cells.
    pub(super) fn house(&self, index: usize) -> (House, &[u16]) {
        let side = self.size.side();
        let house = match index / side {
            0 => House::Row(index),
            1 => House::Column(index - side),
            _ => House::Box(index - 2 * side),
        };
        (house, &self.houses[index * side..][..side])
    }

    /// The cells of the row, the column and the box of `cell`, in this order.
    pub fn houses_of(&self, cell: usize) -> impl Iterator<Item = &[u16]> {
        let side = self.size.side();
        let places = self.places[cell].into_iter().enumerate();
        places.map(move |(kind, place)| &self.houses[(kind * side + usize::from(place)) * side..][..side])
    }

    /// The cells that share a house with `cell`, ascending, without itself: 20 for 9x9.
    pub fn peers(&self, cell: usize) -> &[u16] {
        let each = self.peers.len() / self.size.cells();
        &self.peers[cell * each..][..each]
    }

    /// The name of a cell in messages, counted from 1: `r4c5`.
    pub fn name(&self, cell: usize) -> String {
        let mut name = String::new();
        self.push_name(cell, &mut name);
        name
    }

    /// Appends the [name](Geometry::name) of a cell.
    pub(crate) fn push_name(&self, cell: usize, text: &mut String) {
        text.push('r');
        push_number(self.row(cell) + 1, text);
        text.push('c');
        push_number(self.column(cell) + 1, text);
    }
}

/// A full grid that obeys the rules: each row is the row above it, shifted.
pub(crate) fn shifted_grid(size: Size) -> Vec<u8> {
    let (rows, columns, side) = (size.box_rows(), size.box_columns(), size.side());
    let shift = |row: usize| row % rows * columns + row / rows;
    (0..size.cells()).map(|cell| ((shift(cell / side) + cell % side) % side) as u8 + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_has_its_houses_and_peers() {
        for size in Size::ALL {
            let geometry = Geometry::of(size);
            let side = size.side();
            let others_in_box = (size.box_rows() - 1) * (size.box_columns() - 1);
            assert_eq!(geometry.size(), size);
            assert_eq!(geometry.houses().count(), 3 * side);
            for (_, cells) in geometry.houses() {
                assert_eq!(cells.len(), side);
                for pair in cells.windows(2) {
                    assert!(pair[0] < pair[1]);
                    assert!(geometry.peers(pair[0].into()).contains(&pair[1]));
                }
            }
            for cell in 0..size.cells() {
                assert_eq!(geometry.peers(cell).len(), 2 * (side - 1) + others_in_box);
                let mut shared: Vec<u16> = geometry.houses_of(cell).flatten().copied().collect();
                shared.sort_unstable();
                shared.dedup();
                shared.retain(|&other| usize::from(other) != cell);
                assert_eq!(shared, geometry.peers(cell));
            }
        }
    }

    #[test]
    fn places_are_named_from_one() {
        let geometry = Geometry::of(Size::Nine);
        assert_eq!(geometry.name(31), "r4c5");
        assert_eq!(geometry.box_of(31), 4);
        let names: Vec<String> = geometry.houses().map(|(house, _)| house.to_string()).collect();
        assert_eq!((&*names[0], &*names[9], &*names[26]), ("row 1", "column 1", "box 9"));
    }
}
