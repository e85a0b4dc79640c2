//! XY-wing and XYZ-wing: a pivot with two or three digits and two pincers with two digits each.
//!
//! ```text
//!   x y   .   .  |  x z   .   .        pivot r1c1 = {x,y}, pincers r1c4 = {x,z} and r3c2 = {y,z}
//!    .    .   .  |  -z   -z  -z
//!   -z   y z -z  |   .    .   .        The pivot is x or y, so one of the pincers is z.
//! ```
//!
//! The cells that see both pincers lose z. In an XYZ-wing the pivot is {x,y,z}, so that they have to see it, too.
//! Source: Sudoku Explainer 1.2.1; the techniques are older than it and have no known author.

use super::super::candidates::Candidates;
use super::super::houses::{PEERS, peers_in_order};
use super::super::sets::{CellSet, DigitSet};
use super::super::step::Step;
use super::super::technique::Technique;

/// The two wings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rating) enum Wing {
    /// The pivot has two digits: 4.2.
    Xy,
    /// The pivot has three digits: 4.4.
    Xyz,
}

/// Finds the first wing: by pivot, then by pincers in the order of the pivot's peers.
pub(in crate::rating) fn find(grid: &Candidates, wing: Wing, step: &mut Step) -> bool {
    let sizes = grid.sizes();
    let pivots = match wing {
        Wing::Xy => sizes.two,
        Wing::Xyz => sizes.three,
    };
    for pivot in pivots {
        let pincers = pincers(grid, wing, pivot, sizes.two);
        if pincers.len() >= 2 && is_wing(grid, wing, pivot, pincers) && write(grid, wing, pivot, pincers, step) {
            return true;
        }
    }
    false
}

/// The peers of a pivot with two digits that can be a pincer: one digit of the pivot and another, or two of the pivot.
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
        // The pincers share z. That of an XY-wing has the other digit of the pivot, too.
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
            let (technique, tenths) = match wing {
                Wing::Xy => (Technique::XyWing, 42),
                Wing::Xyz => (Technique::XyzWing, 44),
            };
            step.begin(technique, tenths);
            step.eliminate(cells, digit);
            step.cells = [pivot, first, second].into_iter().collect();
            step.digits = grid.digits(pivot).or(DigitSet::of(digit));
            return true;
        }
    }
    false
}
