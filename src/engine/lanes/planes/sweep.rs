//! A sweep: singles and locked candidates in all rows, columns, boxes and cells at once.
//!
//! All operations but one work on the digits side by side, one a lane. Only the test of how many digits a cell has left
//! goes across lanes.

use std::ops::Range;

use super::super::vector::Vector;
use super::{Rows, box_ends, boxes_with_any, spread};

/// What a sweep has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A cell, or a digit in a house, has no candidate left; or two digits have to be in one cell, or a digit twice in a
    /// house.
    Contradiction,
    /// Candidates were eliminated.
    Changed,
    /// Nothing was eliminated, and some cell has several candidates.
    Stable,
    /// Nothing was eliminated, and each cell has one candidate: a solution.
    Solved,
}

/// Eliminates candidates of all digits by singles and locked candidates.
///
/// A digit whose places in a box are all in one row or column is excluded from the rest of that line; a digit whose places
/// in a line are all in one box is excluded from the rest of that box. A single, naked or hidden, excludes the other
/// digits of its cell and the other places of its houses.
#[inline(always)]
pub(super) fn sweep<V: Vector, const ORDER: usize, const SIDE: usize, const DIGITS: usize>(
    proof: V,
    rows: &mut Rows<SIDE, DIGITS>,
) -> Outcome {
    let zero = proof.splat(0);
    let (one, line) = (proof.splat(1), proof.splat((1 << SIDE) - 1));
    let ends = proof.splat(box_ends::<ORDER>());
    let (mut changed, mut bad) = (zero, zero);
    // The columns with at least one and at least two digits, over all lanes of the same number.
    let (mut once, mut twice) = ([zero; SIDE], [zero; SIDE]);
    let mut singles: Rows<SIDE, DIGITS> = [[0; DIGITS]; SIDE];

    for lane in (0..DIGITS).step_by(V::LANES) {
        let mut fewest = line;
        let mut wrong = zero;
        // For each band, the columns with at least one and at least two places.
        let (mut in_band, mut twice_in_band) = ([zero; ORDER], [zero; ORDER]);
        for band in 0..ORDER {
            let mut segments = [zero; ORDER];
            let mut claims = [zero; ORDER];
            let (mut boxes, mut boxes_twice, mut claimed, mut claimed_twice) = (zero, zero, zero, zero);
            for i in 0..ORDER {
                let row = proof.load(&rows[band * ORDER + i][lane..]);
                fewest = fewest.min(row);
                let segment = boxes_with_any::<V, ORDER>(proof, row);
                boxes_twice = boxes_twice | (boxes & segment);
                boxes = boxes | segment;
                // The only box of the row with the digit.
                let claim = segment ^ segment.where_any(segment & segment.minus(one));
                claimed_twice = claimed_twice | (claimed & claim);
                claimed = claimed | claim;
                (segments[i], claims[i]) = (segment, claim);
            }
            wrong = wrong | (boxes ^ ends) | claimed_twice;
            for i in 0..ORDER {
                let row = proof.load(&rows[band * ORDER + i][lane..]);
                // The boxes that have the digit in this row alone.
                let only_here = segments[i] & !boxes_twice;
                wrong = wrong | (only_here & only_here.minus(one));
                let open = (only_here | (ends ^ ends.where_any(only_here))) & !(claimed & !claims[i]);
                let left = row & spread::<V, ORDER>(open);
                changed = changed | (row ^ left);
                left.store(&mut rows[band * ORDER + i][lane..]);
                twice_in_band[band] = twice_in_band[band] | (in_band[band] & left);
                in_band[band] = in_band[band] | left;
            }
        }

        let (mut columns, mut columns_twice, mut pointed, mut pointed_twice, mut twice_below) =
            (zero, zero, zero, zero, zero);
        let mut points = [zero; ORDER];
        for band in 0..ORDER {
            points[band] = only_in_box::<V, ORDER>(proof, in_band[band]);
            pointed_twice = pointed_twice | (pointed & points[band]);
            pointed = pointed | points[band];
            columns_twice = columns_twice | (columns & in_band[band]);
            columns = columns | in_band[band];
            twice_below = twice_below | twice_in_band[band];
        }
        wrong = wrong | (columns ^ line) | pointed_twice;
        let not_twice = !(columns_twice | twice_below);
        for band in 0..ORDER {
            // The columns that have the digit in this band alone.
            let only_here = in_band[band] & !columns_twice;
            let boxes = boxes_with_any::<V, ORDER>(proof, only_here);
            wrong = wrong | (only_here & only_here.minus(boxes));
            let open = (only_here | !spread::<V, ORDER>(boxes)) & !(pointed & !points[band]);
            let once_in_box = only_in_box::<V, ORDER>(proof, in_band[band] & open) & !twice_in_band[band];
            for r in band * ORDER..(band + 1) * ORDER {
                let row = proof.load(&rows[r][lane..]);
                let left = row & open;
                changed = changed | (row ^ left);
                left.store(&mut rows[r][lane..]);
                let single = (left & (not_twice | once_in_box)) | (left ^ left.where_any(left & left.minus(one)));
                single.store(&mut singles[r][lane..]);
                twice[r] = twice[r] | (once[r] & left);
                once[r] = once[r] | left;
            }
        }
        wrong = wrong | (line ^ line.where_any(fewest));
        // Lanes without a digit have no places.
        bad = bad | (wrong & proof.load(&super::is_digit::<SIDE, DIGITS>()[lane..]));
    }
    across_lanes::<V, SIDE>(proof, &mut once, &mut twice);
    let mut several = zero;
    for r in 0..SIDE {
        bad = bad | (once[r] ^ line);
        several = several | twice[r];
    }
    if !bad.lanes_with_any().is_empty() {
        return Outcome::Contradiction;
    }

    let (mut taken, mut taken_twice) = ([zero; SIDE], [zero; SIDE]);
    for lane in (0..DIGITS).step_by(V::LANES) {
        let (mut columns, mut columns_twice) = (zero, zero);
        for r in 0..SIDE {
            let row = proof.load(&rows[r][lane..]);
            let single = proof.load(&singles[r][lane..]) | (row & !twice[r]);
            single.store(&mut singles[r][lane..]);
            bad = bad | (single & single.minus(one));
            columns_twice = columns_twice | (columns & single);
            columns = columns | single;
            taken_twice[r] = taken_twice[r] | (taken[r] & single);
            taken[r] = taken[r] | single;
        }
        bad = bad | columns_twice;
    }
    across_lanes::<V, SIDE>(proof, &mut taken, &mut taken_twice);
    for r in 0..SIDE {
        bad = bad | taken_twice[r];
    }
    for lane in (0..DIGITS).step_by(V::LANES) {
        let columns = any_row::<V, SIDE, DIGITS>(proof, &singles, lane, 0..SIDE);
        for band in 0..ORDER {
            let band_rows = band * ORDER..(band + 1) * ORDER;
            let in_band = any_row::<V, SIDE, DIGITS>(proof, &singles, lane, band_rows.clone());
            let open = !(columns | spread::<V, ORDER>(boxes_with_any::<V, ORDER>(proof, in_band)));
            for r in band_rows {
                let (row, single) = (proof.load(&rows[r][lane..]), proof.load(&singles[r][lane..]));
                let open = open & !taken[r];
                let left = row & (single | (open ^ open.where_any(single)));
                changed = changed | (row ^ left);
                left.store(&mut rows[r][lane..]);
            }
        }
    }
    if !bad.lanes_with_any().is_empty() {
        Outcome::Contradiction
    } else if !changed.lanes_with_any().is_empty() {
        Outcome::Changed
    } else if !several.lanes_with_any().is_empty() {
        Outcome::Stable
    } else {
        Outcome::Solved
    }
}

/// The columns that are the only ones of their box in the set.
#[inline(always)]
fn only_in_box<V: Vector, const ORDER: usize>(proof: V, columns: V) -> V {
    let but_first = columns & columns.minus(proof.splat(box_ends::<ORDER>()));
    columns & !spread::<V, ORDER>(boxes_with_any::<V, ORDER>(proof, but_first))
}

/// The columns of any of these rows.
#[inline(always)]
fn any_row<V: Vector, const SIDE: usize, const DIGITS: usize>(
    proof: V,
    rows: &Rows<SIDE, DIGITS>,
    lane: usize,
    range: Range<usize>,
) -> V {
    let mut columns = proof.splat(0);
    for r in range {
        columns = columns | proof.load(&rows[r][lane..]);
    }
    columns
}

/// Replaces each lane by the sum over all lanes: the bits that are in at least one lane, and in at least two.
#[inline(always)]
fn across_lanes<V: Vector, const SIDE: usize>(proof: V, once: &mut [V; SIDE], twice: &mut [V; SIDE]) {
    if SIDE <= 16 {
        // Two rows fit into a word.
        let low = proof.splat(0xFFFF);
        for r in 0..SIDE / 2 {
            let other = r + SIDE / 2;
            let (o, t) = across::<V>(proof, once[r] | once[other].shl::<16>(), twice[r] | twice[other].shl::<16>());
            (once[r], twice[r]) = (o & low, t & low);
            (once[other], twice[other]) = (o.shr::<16>(), t.shr::<16>());
        }
    } else {
        for r in 0..SIDE {
            (once[r], twice[r]) = across::<V>(proof, once[r], twice[r]);
        }
    }
}

#[inline(always)]
fn across<V: Vector>(proof: V, mut once: V, mut twice: V) -> (V, V) {
    for distance in [8, 4, 2, 1] {
        if distance < V::LANES {
            let indices = swapped(proof, distance);
            let (other, other_twice) = (once.compress(indices), twice.compress(indices));
            (once, twice) = (once | other, twice | other_twice | (once & other));
        }
    }
    (once, twice)
}

/// The indices to exchange lanes of a distance, a power of two, with each other.
#[inline(always)]
pub(super) fn swapped<V: Vector>(proof: V, distance: usize) -> V {
    /// For each distance, its logarithm being the index. More lanes than a narrow vector has do no harm.
    const SWAPPED: [[u32; 16]; 4] = {
        let mut swapped = [[0; 16]; 4];
        let mut i = 0;
        while i < 64 {
            swapped[i / 16][i % 16] = (i % 16) as u32 ^ 1 << (i / 16);
            i += 1;
        }
        swapped
    };
    proof.load(&SWAPPED[distance.trailing_zeros() as usize])
}
