//! Finds XY-wings and XYZ-wings: a pivot with two or three digits and two pincers with two digits each.
//!
//! ```text
//!   x y   .   .  |  x z   .   .        pivot r1c1 = {x,y}, pincers r1c4 = {x,z} and r3c2 = {y,z}
//!    .    .   .  |  -z   -z  -z
//!   -z   y z -z  |   .    .   .        The pivot is x or y, so one of the pincers is z.
//! ```
//!
//! The cells that see both pincers lose z. In an XYZ-wing the pivot is {x,y,z}, so these cells must see the pivot too.
//! Source: Sudoku Explainer 1.2.1.

use super::super::candidates::Candidates;
use super::super::houses::{PEERS, peers_in_order};
use super::super::sets::{CellSet, DigitSet};
use super::super::step::Step;
use super::super::technique::Technique;

/// The two wings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sudoku::rating) enum Wing {
    /// The pivot has two digits: 4.2.
    Xy,
    /// The pivot has three digits: 4.4.
    Xyz,
}

/// Finds the first wing: by pivot, then by pincers in the order of the pivot's peers.
pub(in crate::sudoku::rating) fn find(grid: &Candidates, wing: Wing, step: &mut Step) -> bool {
    let sizes = grid.sizes();
    let pivots = match wing {
        Wing::Xy => sizes.two,
        Wing::Xyz => sizes.three,
    };

    for pivot in pivots {
        let pincers = pincers(grid, wing, pivot, sizes.two);
        // Any wing answers the test; `write` takes the first one in the reference order.
        if pincers.len() >= 2 && is_wing(grid, wing, pivot, pincers) && write(grid, wing, pivot, pincers, step) {
            return true;
        }
    }
    false
}

/// The peers of a pivot that can be a pincer: two digits, one or both of them the pivot's.
fn pincers(grid: &Candidates, wing: Wing, pivot: usize, two: CellSet) -> CellSet {
    let peers = two.and(PEERS[pivot]);
    let (mut once, mut twice) = (CellSet::EMPTY, CellSet::EMPTY);
    for digit in grid.digits(pivot) {
        twice = twice.or(once.and(grid.cells(digit)));
        once = once.or(grid.cells(digit));
    }

    match wing {
        Wing::Xy => peers.and(once.without(twice)),
        Wing::Xyz => peers.and(twice),
    }
}

/// Whether two of the pincers remove a candidate.
fn is_wing(grid: &Candidates, wing: Wing, pivot: usize, pincers: CellSet) -> bool {
    let own = grid.digits(pivot);
    let mut later = pincers;
    for first in pincers {
        later.remove(first);
        let digits = grid.digits(first);
        // The pincers share z. In an XY-wing, the second pincer has the other digit of the pivot.
        let wing_mates = match wing {
            Wing::Xy => later.and(grid.cells(digits.without(own).first())).without(grid.cells(digits.and(own).first())),
            Wing::Xyz => later,
        };
        if wing_mates.into_iter().any(|second| removed(grid, wing, pivot, first, second).is_some()) {
            return true;
        }
    }
    false
}

/// The digit that two pincers remove, and the cells that lose it.
fn removed(grid: &Candidates, wing: Wing, pivot: usize, first: usize, second: usize) -> Option<(usize, CellSet)> {
    let common = grid.digits(first).and(grid.digits(second));
    // The shared digit z is not a candidate of the pivot of an XY-wing, and is one in an XYZ-wing.
    let outside = common.and(grid.digits(pivot)).is_empty();
    if common.len() != 1 || outside != (wing == Wing::Xy) {
        return None;
    }
    let digit = common.first();
    let mut cells = PEERS[first].and(PEERS[second]).and(grid.cells(digit));
    if wing == Wing::Xyz {
        cells = cells.and(PEERS[pivot]);
    }
    (!cells.is_empty()).then_some((digit, cells))
}

fn write(grid: &Candidates, wing: Wing, pivot: usize, pincers: CellSet, step: &mut Step) -> bool {
    for first in peers_in_order(pivot, pincers) {
        for second in peers_in_order(pivot, pincers) {
            let Some((digit, cells)) = removed(grid, wing, pivot, first, second) else { continue };
            step.begin(match wing {
                Wing::Xy => Technique::XyWing,
                Wing::Xyz => Technique::XyzWing,
            });
            step.eliminate(cells, digit);
            step.cells = [pivot, first, second].into_iter().collect();
            step.digits = grid.digits(pivot).or(DigitSet::of(digit));
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, position, with};
    use super::*;

    const XY: &str = "
        1 5 4 2 6 8 7 3 9
        7 2 9 5 3 1 8 4 6
        8 6 3 9 4 7 12 25 15
        3 49 6 7 1 5 24 29 8
        5 49 7 8 2 3 146 69 14
        2 8 1 4 9 6 5 7 3
        6 3 2 1 5 4 9 8 7
        4 7 5 6 8 9 3 1 2
        9 1 8 3 7 2 46 56 45";

    const XYZ: &str = "
        2 3 5 7 6 4 1 9 8
        6 8 4 135 139 39 7 2 35
        7 1 9 235 23 8 4 6 35
        8 9 1 34 347 37 6 5 2
        5 4 2 6 8 1 9 3 7
        3 6 7 9 5 2 8 4 1
        9 5 8 13 13 6 2 7 4
        4 27 6 8 27 5 3 1 9
        1 27 3 24 2479 79 5 8 6";

    /// The pivot r4c7 is 2 or 4, so r3c7 or r5c9 is 1. With three digits, it is not a pivot.
    #[test]
    fn two_pincers_share_a_digit() {
        let xy = |grid: &Candidates| found(grid, |grid, step| find(grid, Wing::Xy, step));
        assert_eq!(xy(&position(XY)).as_deref(), Some("XY-Wing|42|r3c9-1,r5c7-1"));
        assert_eq!(xy(&position(XYZ)), None);
        let without = with(XY, &[("r3c9", "5"), ("r5c7", "46")]);
        assert_eq!(xy(&without).as_deref(), Some("XY-Wing|42|r5c9-4"), "nothing to remove, but by the next");
    }

    /// The pivot r2c5 is 1, 3 or 9, so r2c5, r7c5 or r2c6 is 3.
    #[test]
    fn a_pivot_may_have_the_digit_too() {
        let xyz = |grid: &Candidates| found(grid, |grid, step| find(grid, Wing::Xyz, step));
        assert_eq!(xyz(&position(XYZ)).as_deref(), Some("XYZ-Wing|44|r3c5-3"));
        assert_eq!(xyz(&with(XYZ, &[("r2c5", "39")])), None, "the pivot has two digits");
        let without = with(XYZ, &[("r3c5", "2")]);
        assert_eq!(xyz(&without).as_deref(), Some("XYZ-Wing|44|r4c4-3"), "nothing to remove, but by the next");
    }
}
