//! The orders of rows and columns that some kinds of isomorphisms allow.

use std::ops::Range;
use std::sync::OnceLock;

use super::super::isomorph::{Lines, identity};
use super::super::{IsomorphKind, Size};

/// What may change places. Bands and lines of rows come first, those of columns second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineKinds {
    pub(super) size: Size,
    bands: [bool; 2],
    lines: [bool; 2],
}

/// The rows or the columns of a size, and their bands or stacks.
#[derive(Clone, Copy, Debug)]
struct Axis {
    /// The number of the first line, and of the first band.
    first_line: usize,
    first_band: usize,
    bands: usize,
    lines_of_band: usize,
}

/// What a place is filled with. Columns are numbered after rows, stacks after bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Band(usize),
    Line(usize),
}

/// The rows and the columns that come to each place.
pub(super) type Arrangement = [Lines; 2];

/// An order of the rows, or of the columns, of a small grid.
type SmallOrder = [u8; Size::Nine.side()];

impl LineKinds {
    /// Those among these kinds.
    pub(super) fn new(size: Size, kinds: &[IsomorphKind]) -> LineKinds {
        let has = |kind| kinds.contains(&kind);
        LineKinds {
            size,
            bands: [IsomorphKind::Bands, IsomorphKind::Stacks].map(has),
            lines: [IsomorphKind::Rows, IsomorphKind::Columns].map(has),
        }
    }

    /// The number of rows and columns.
    pub(super) fn lines(self) -> usize {
        2 * self.size.side()
    }

    /// The number of arrangements.
    pub(super) fn arrangements(self) -> u128 {
        (0..2).map(|axis| self.orders(axis)).product()
    }

    /// The rows (axis 0) or the columns (axis 1).
    fn axis(self, axis: usize) -> Axis {
        let size = self.size;
        match axis {
            0 => Axis { first_line: 0, first_band: 0, bands: size.bands(), lines_of_band: size.box_rows() },
            _ => Axis {
                first_line: size.side(),
                first_band: size.bands(),
                bands: size.stacks(),
                lines_of_band: size.box_columns(),
            },
        }
    }

    /// The axis of a line.
    fn axis_of(self, line: usize) -> usize {
        usize::from(line >= self.size.side())
    }

    /// The band or stack of a line.
    pub(super) fn band_of(self, line: usize) -> usize {
        let Axis { first_line, first_band, lines_of_band, .. } = self.axis(self.axis_of(line));
        first_band + (line - first_line) / lines_of_band
    }

    /// The lines of each band and, after them, of each stack.
    pub(super) fn lines_of_bands(self) -> impl Iterator<Item = Range<usize>> {
        [0, 1].into_iter().flat_map(move |axis| {
            let Axis { first_line, bands, lines_of_band, .. } = self.axis(axis);
            (0..bands).map(move |band| first_line + band * lines_of_band).map(move |line| line..line + lines_of_band)
        })
    }

    /// The number of orders of the rows (axis 0) or of the columns (axis 1).
    fn orders(self, axis: usize) -> u128 {
        let Axis { bands, lines_of_band, .. } = self.axis(axis);
        let orders = |parts: usize| (1..=parts as u128).product::<u128>();
        let orders_of_bands = if self.bands[axis] { orders(bands) } else { 1 };
        orders_of_bands * if self.lines[axis] { orders(lines_of_band).pow(bands as u32) } else { 1 }
    }

    /// Arranges all lines. `choose` moves one of some parts, from an index on, to this index: that at the index itself if
    /// everything stays in place.
    pub(super) fn arrange(self, mut choose: impl FnMut(&mut [Part], usize)) -> Arrangement {
        [0, 1].map(|axis| self.arrange_axis(axis, &mut choose))
    }

    /// Arranges the rows or the columns.
    fn arrange_axis(self, axis: usize, choose: &mut impl FnMut(&mut [Part], usize)) -> Lines {
        let Axis { first_line, first_band, bands, lines_of_band } = self.axis(axis);
        let mut lines_at: Lines = identity();
        let mut fill = |parts: &mut [Part], may_change: bool| {
            if may_change {
                // The last one is left.
                (0..parts.len() - 1).for_each(|at| choose(parts, at));
            }
        };

        let mut parts = [Part::Band(0); Size::MAX_BOX_SIDE];
        let bands = &mut parts[..bands];
        (first_band..).zip(&mut *bands).for_each(|(number, band)| *band = Part::Band(number));
        fill(bands, self.bands[axis]);

        for (own, &band) in lines_at.chunks_exact_mut(lines_of_band).zip(&*bands) {
            let Part::Band(number) = band else { unreachable!("bands are arranged first") };
            let first_of_band = first_line + (number - first_band) * lines_of_band;
            let mut parts = [Part::Line(0); Size::MAX_BOX_SIDE];
            let lines = &mut parts[..lines_of_band];
            (first_of_band..).zip(&mut *lines).for_each(|(number, line)| *line = Part::Line(number));
            fill(lines, self.lines[axis]);
            for (place, &line) in own.iter_mut().zip(&*lines) {
                let Part::Line(number) = line else { unreachable!("these are lines") };
                *place = (number - first_line) as u8;
            }
        }
        lines_at
    }

    /// The arrangement with this number, if none is left out.
    pub(super) fn arrangement(self, mut number: u128) -> Arrangement {
        if let (Some(rows), Some(columns)) = (self.small_orders(0), self.small_orders(1)) {
            let (number, rows_number) = (number as usize / rows.len(), number as usize % rows.len());
            return [&rows[rows_number], &columns[number]].map(|order| {
                let mut lines: Lines = identity();
                lines[..order.len()].copy_from_slice(order);
                lines
            });
        }
        self.arrange(|parts, at| choose_by(&mut number, parts, at))
    }

    /// All orders of the rows or of the columns, by number, of sizes that have few. They are made once.
    fn small_orders(self, axis: usize) -> Option<&'static [SmallOrder]> {
        const SIZES: usize = Size::Nine.index() + 1;
        static TABLES: [[[OnceLock<Vec<SmallOrder>>; 4]; 2]; SIZES] =
            [const { [const { [const { OnceLock::new() }; 4] }; 2] }; SIZES];
        let changes = 2 * usize::from(self.bands[axis]) + usize::from(self.lines[axis]);
        let table = &TABLES.get(self.size.index())?[axis][changes];
        Some(table.get_or_init(|| {
            let order = |mut number: u128| {
                let lines = self.arrange_axis(axis, &mut |parts, at| choose_by(&mut number, parts, at));
                std::array::from_fn(|place| lines[place])
            };
            (0..self.orders(axis)).map(order).collect()
        }))
    }

    /// Whether the same may change in columns as in rows.
    pub(super) fn are_same_for_columns(self) -> bool {
        self.bands[0] == self.bands[1] && self.lines[0] == self.lines[1]
    }

    /// Whether a line is a row or a column, and a number that is the same for two of them if one may come to the place of
    /// the other.
    pub(super) fn fixed_place(self, line: usize) -> (usize, u64) {
        let axis = self.axis_of(line);
        let Axis { first_line, bands, lines_of_band, .. } = self.axis(axis);
        let line = line - first_line;
        let band = if self.bands[axis] { 0 } else { line / lines_of_band + 1 };
        let within = if self.lines[axis] { 0 } else { line % lines_of_band + 1 };
        (axis, (band + (bands + 1) * within) as u64)
    }

    /// Whether this is an allowed arrangement: bands stay together, and what may not change stays in place.
    pub(super) fn allow(self, places: &[usize]) -> bool {
        let stays = |line: usize| self.fixed_place(line) == self.fixed_place(places[line]);
        let stays_together = |lines: Range<usize>| {
            let band = self.band_of(places[lines.start]);
            places[lines].iter().all(|&line| self.band_of(line) == band)
        };
        (0..places.len()).all(stays) && self.lines_of_bands().all(stays_together)
    }
}

/// Moves the part that the lowest digit of a number says to an index, of those from there on.
pub(super) fn choose_by(number: &mut u128, parts: &mut [Part], at: usize) {
    let left = parts.len() - at;
    parts.swap(at, at + take_digit(number, left as u128) as usize);
}

/// Takes the lowest digit off a number with digits of different bases.
pub(super) fn take_digit(number: &mut u128, base: u128) -> u128 {
    // Most numbers are small, and 128 bits take long to divide.
    let (rest, digit) = match (u64::try_from(*number), u64::try_from(base)) {
        (Ok(small), Ok(base)) => (u128::from(small / base), u128::from(small % base)),
        _ => (*number / base, *number % base),
    };
    *number = rest;
    digit
}
