//! The orders of rows and columns that some kinds of isomorphisms allow.

use super::super::{IsomorphKind, Order};

/// What may change places. Bands and lines of rows come first, those of columns second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineKinds {
    pub(super) order: Order,
    bands: [bool; 2],
    lines: [bool; 2],
}

/// What a place is filled with. Columns are numbered after rows, stacks after bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Band(usize),
    Line(usize),
}

/// For each place of a line, the line that comes there.
pub(super) type Arrangement = [usize; 2 * Order::MAX_SIDE];

impl LineKinds {
    /// Those among these kinds.
    pub(super) fn new(order: Order, kinds: &[IsomorphKind]) -> LineKinds {
        let has = |kind| kinds.contains(&kind);
        LineKinds {
            order,
            bands: [IsomorphKind::Bands, IsomorphKind::Stacks].map(has),
            lines: [IsomorphKind::Rows, IsomorphKind::Columns].map(has),
        }
    }

    /// The number of rows and columns.
    pub(super) fn lines(self) -> usize {
        2 * self.order.side()
    }

    /// The number of arrangements.
    pub(super) fn arrangements(self) -> u128 {
        let n = self.order.get();
        let orders: u128 = (1..=n as u128).product();
        let bands = |axis: usize| if self.bands[axis] { orders } else { 1 };
        let lines = |axis: usize| if self.lines[axis] { orders.pow(n as u32) } else { 1 };
        (0..2).map(|axis| bands(axis) * lines(axis)).product()
    }

    /// Arranges all lines. `choose` moves one of some parts, from an index on, to this index: that at the index itself if
    /// everything stays in place.
    pub(super) fn arrange(self, mut choose: impl FnMut(&mut [Part], usize)) -> Arrangement {
        let n = self.order.get();
        let mut arrangement = [0; 2 * Order::MAX_SIDE];
        let mut place = 0;
        let mut fill = |parts: &mut [Part], may_change: bool| {
            if may_change {
                // The last one is left.
                (0..parts.len() - 1).for_each(|at| choose(parts, at));
            }
        };
        for axis in 0..2 {
            let mut bands = [Part::Band(0); Order::Five.get()];
            let bands = &mut bands[..n];
            (axis * n..).zip(&mut *bands).for_each(|(number, band)| *band = Part::Band(number));
            fill(bands, self.bands[axis]);
            for &band in &*bands {
                let Part::Band(number) = band else { unreachable!("bands are arranged first") };
                let mut lines = [Part::Line(0); Order::Five.get()];
                let lines = &mut lines[..n];
                (number * n..).zip(&mut *lines).for_each(|(number, line)| *line = Part::Line(number));
                fill(lines, self.lines[axis]);
                for &line in &*lines {
                    let Part::Line(number) = line else { unreachable!("these are lines") };
                    arrangement[place] = number;
                    place += 1;
                }
            }
        }
        arrangement
    }

    /// Whether the same may change in columns as in rows.
    pub(super) fn are_same_for_columns(self) -> bool {
        self.bands[0] == self.bands[1] && self.lines[0] == self.lines[1]
    }

    /// Whether a line is a row or a column, and a number that is the same for two of them if one may come to the place of
    /// the other.
    pub(super) fn fixed_place(self, line: usize) -> (usize, u64) {
        let (n, side) = (self.order.get(), self.order.side());
        let (axis, line) = (line / side, line % side);
        let band = if self.bands[axis] { 0 } else { line / n + 1 };
        let within = if self.lines[axis] { 0 } else { line % n + 1 };
        (axis, (band + (n + 1) * within) as u64)
    }

    /// Whether this is an allowed arrangement: bands stay together, and what may not change stays in place.
    pub(super) fn allow(self, places: &[usize]) -> bool {
        let n = self.order.get();
        let stays = |line: usize| self.fixed_place(line) == self.fixed_place(places[line]);
        let stays_together = |lines: &[usize]| lines.iter().all(|line| line / n == lines[0] / n);
        (0..places.len()).all(stays) && places.chunks(n).all(stays_together)
    }
}

/// Takes the lowest digit off a number with digits of different bases.
pub(super) fn take_digit(number: &mut u128, base: usize) -> usize {
    // Most numbers are small, and 128 bits take long to divide.
    let (rest, digit) = match u64::try_from(*number) {
        Ok(small) => (u128::from(small / base as u64), small % base as u64),
        Err(_) => (*number / base as u128, (*number % base as u128) as u64),
    };
    *number = rest;
    digit as usize
}
