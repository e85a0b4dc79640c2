//! A sweep: singles and locked candidates in all rows, columns, boxes and cells at once.
//!
//! Nearly all operations work on the digits independently, one in each lane. Only two things are computed across lanes:
//! the number of digits that a cell has left, and whether a single takes it.

use super::super::vector::Vector;
use super::layout::{
    Rows, box_starts, boxes_with_any, but_first, in_each_part, is_digit, min, one_row, only, only_in_box, other_part,
    spread, where_any,
};

/// The result of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SweepOutcome {
    /// A cell, or a digit in a house, has no candidate left; or two digits must be in one cell, or a digit twice in a
    /// house.
    Contradiction,
    /// Singles have eliminated candidates, or locked candidates the last ones.
    Changed,
    /// Some cell has several candidates, and no single has eliminated any. If only locked candidates did, another sweep
    /// would seldom find more than a guess does: without it, nodes take a tenth less time.
    Stable,
    /// Nothing was eliminated, and each cell has one candidate: a solution.
    ///
    /// No house was without a digit, and there are as many candidates as cells, so no house has a digit twice.
    Solved,
}

/// Eliminates candidates of all digits by singles and locked candidates.
///
/// A digit whose places in a box are all in one row or column is excluded from the rest of that line; a digit whose places
/// in a line are all in one box is excluded from the rest of that box. A single, naked or hidden, excludes the other
/// digits of its cell and the other places of its houses.
#[inline(always)]
#[expect(clippy::too_many_lines, reason = "the parts share most of their vectors")]
pub(super) fn sweep<V: Vector, const ORDER: usize, const WORDS: usize, const DIGITS: usize>(
    proof: V,
    rows: &mut Rows<WORDS, DIGITS>,
) -> SweepOutcome {
    let zero = proof.splat(0);
    let line = proof.splat(in_each_part::<ORDER>(one_row::<ORDER>()));
    let starts = proof.splat(box_starts::<ORDER>());
    let (mut changed, mut bad) = (zero, zero);
    // The columns with at least one and at least two digits, over all lanes with the same index.
    let (mut once, mut twice) = ([zero; WORDS], [zero; WORDS]);
    let mut singles: Rows<WORDS, DIGITS> = [[0; DIGITS]; WORDS];

    for lane in (0..DIGITS).step_by(V::LANES) {
        let mut before = [zero; WORDS];
        for w in 0..WORDS {
            before[w] = proof.load(&rows[w][lane..]);
        }

        // The rows: a digit with one box in a row, or with one row in a box, is locked.
        let mut row = before;
        let (mut fewest, mut wrong) = (line, zero);
        // For each band, the columns with at least one and at least two places.
        let (mut in_band, mut twice_in_band) = ([zero; ORDER], [zero; ORDER]);
        for band in 0..WORDS / ORDER {
            let (mut segments, mut claims) = ([zero; ORDER], [zero; ORDER]);
            let (mut boxes, mut boxes_twice, mut claimed, mut claimed_twice) = (zero, zero, zero, zero);
            for i in 0..ORDER {
                let row = row[band * ORDER + i];
                fewest = min::<V, ORDER>(fewest, row);
                let segment = boxes_with_any::<V, ORDER>(proof, row);
                boxes_twice = boxes_twice | (boxes & segment);
                boxes = boxes | segment;
                // The only box of the row with the digit.
                let claim = only::<V, ORDER>(proof, segment);
                claimed_twice = claimed_twice | (claimed & claim);
                claimed = claimed | claim;
                (segments[i], claims[i]) = (segment, claim);
            }

            wrong = wrong | (boxes ^ starts) | claimed_twice;
            for i in 0..ORDER {
                let row = &mut row[band * ORDER + i];
                // The boxes that have the digit in no other row of the band.
                let only_here = segments[i] & !boxes_twice;
                wrong = wrong | but_first::<V, ORDER>(proof, only_here);
                let elsewhere = claimed & !claims[i];
                let open = (only_here | (starts ^ where_any::<V, ORDER>(starts, only_here))) & !elsewhere;
                *row = *row & spread::<V, ORDER>(open);
                twice_in_band[band] = twice_in_band[band] | (in_band[band] & *row);
                in_band[band] = in_band[band] | *row;
            }
        }

        // The columns: in how many bands each has the digit.
        let (mut columns, mut columns_twice, mut pointed, mut pointed_twice) = (zero, zero, zero, zero);
        // The columns with two places in one band.
        let mut twice_below = zero;
        let mut points = [zero; ORDER];
        for band in 0..WORDS / ORDER {
            points[band] = only_in_box::<V, ORDER>(proof, in_band[band]);
            pointed_twice = pointed_twice | (pointed & points[band]);
            pointed = pointed | points[band];
            columns_twice = columns_twice | (columns & in_band[band]);
            columns = columns | in_band[band];
            twice_below = twice_below | twice_in_band[band];
        }

        // A word of a 16x16 puzzle has two rows, in its halves: both count.
        let (other, other_twice) =
            (other_part::<V, ORDER>(proof, columns), other_part::<V, ORDER>(proof, columns_twice));
        columns_twice = columns_twice | other_twice | (columns & other);
        columns = columns | other;
        let other = other_part::<V, ORDER>(proof, pointed);
        pointed_twice = pointed_twice | (pointed & other);
        pointed = pointed | other;
        twice_below = twice_below | other_part::<V, ORDER>(proof, twice_below);
        wrong = wrong | (columns ^ line) | pointed_twice;

        // The remaining candidates of these digits, and their singles. The digits of each cell are counted on the way.
        let not_twice = !(columns_twice | twice_below);
        for band in 0..WORDS / ORDER {
            // The columns that have the digit in no other band.
            let only_here = in_band[band] & !columns_twice;
            let boxes = boxes_with_any::<V, ORDER>(proof, only_here);
            wrong = wrong | (only_here & only_here.minus(boxes));
            let open = (only_here | !spread::<V, ORDER>(boxes)) & !(pointed & !points[band]);
            let once_in_box = only_in_box::<V, ORDER>(proof, in_band[band] & open) & !twice_in_band[band];
            for w in band * ORDER..(band + 1) * ORDER {
                let left = row[w] & open;
                changed = changed | (before[w] ^ left);
                left.store(&mut rows[w][lane..]);
                let single = (left & (not_twice | once_in_box)) | only::<V, ORDER>(proof, left);
                single.store(&mut singles[w][lane..]);
                twice[w] = twice[w] | (once[w] & left);
                once[w] = once[w] | left;
            }
        }

        wrong = wrong | (line ^ where_any::<V, ORDER>(line, fewest));
        // Lanes without a digit have no places.
        bad = bad | (wrong & proof.load(&is_digit::<ORDER, DIGITS>()[lane..]));
    }

    // Across the lanes: cells without a digit, and cells with several.
    let mut several = zero;
    for w in 0..WORDS {
        (once[w], twice[w]) = count_across(once[w], twice[w]);
        bad = bad | (once[w] ^ line);
        several = several | twice[w];
    }
    if !bad.lanes_with_any().is_empty() {
        return SweepOutcome::Contradiction;
    }

    // The singles of all digits, now with the cells that have one digit left.
    let (mut taken, mut sum) = ([zero; WORDS], zero);
    for lane in (0..DIGITS).step_by(V::LANES) {
        let (mut columns, mut columns_twice) = (zero, zero);
        for w in 0..WORDS {
            let row = proof.load(&rows[w][lane..]);
            let single = proof.load(&singles[w][lane..]) | (row & !twice[w]);
            single.store(&mut singles[w][lane..]);
            bad = bad | but_first::<V, ORDER>(proof, single);
            columns_twice = columns_twice | (columns & single);
            columns = columns | single;
            sum = sum.plus(single);
            taken[w] = taken[w] | single;
        }
        bad = bad | columns_twice | (columns & other_part::<V, ORDER>(proof, columns));
    }

    sum = sum_across(sum);
    for w in 0..WORDS {
        taken[w] = any_across(taken[w]);
        // Two digits in one cell are one bit less in the union than in the sum. A sum that wraps to the same word only
        // hides them until one of the digits has no place.
        sum = sum.minus(taken[w]);
    }
    bad = bad | sum;

    // Singles exclude the other digits of their cells and the other places of their houses.
    let mut changed_by_singles = zero;
    for lane in (0..DIGITS).step_by(V::LANES) {
        let (mut in_band, mut columns) = ([zero; ORDER], zero);
        for band in 0..WORDS / ORDER {
            for w in band * ORDER..(band + 1) * ORDER {
                in_band[band] = in_band[band] | proof.load(&singles[w][lane..]);
            }
            columns = columns | in_band[band];
        }
        columns = columns | other_part::<V, ORDER>(proof, columns);
        for band in 0..WORDS / ORDER {
            let open = !(columns | spread::<V, ORDER>(boxes_with_any::<V, ORDER>(proof, in_band[band])));
            for w in band * ORDER..(band + 1) * ORDER {
                let (row, single) = (proof.load(&rows[w][lane..]), proof.load(&singles[w][lane..]));
                let open = open & !taken[w];
                let left = row & (single | (open ^ where_any::<V, ORDER>(open, single)));
                changed_by_singles = changed_by_singles | (row ^ left);
                left.store(&mut rows[w][lane..]);
            }
        }
    }

    if !bad.lanes_with_any().is_empty() {
        SweepOutcome::Contradiction
    } else if !changed_by_singles.lanes_with_any().is_empty() {
        SweepOutcome::Changed
    } else if !several.lanes_with_any().is_empty() {
        SweepOutcome::Stable
    } else if !changed.lanes_with_any().is_empty() {
        SweepOutcome::Changed
    } else {
        SweepOutcome::Solved
    }
}

/// Adds the counts of all lanes: the bits that are in at least one lane, and in at least two.
#[inline(always)]
fn count_across<V: Vector>(mut once: V, mut twice: V) -> (V, V) {
    for distance in [8, 4, 2, 1] {
        if distance < V::LANES {
            let (other, other_twice) = (once.exchange(distance), twice.exchange(distance));
            (once, twice) = (once | other, twice | other_twice | (once & other));
        }
    }
    (once, twice)
}

/// The bits that are in any lane.
#[inline(always)]
fn any_across<V: Vector>(mut words: V) -> V {
    for distance in [8, 4, 2, 1] {
        if distance < V::LANES {
            words = words | words.exchange(distance);
        }
    }
    words
}

/// The sum of all lanes, wrapping.
#[inline(always)]
fn sum_across<V: Vector>(mut words: V) -> V {
    for distance in [8, 4, 2, 1] {
        if distance < V::LANES {
            words = words.plus(words.exchange(distance));
        }
    }
    words
}
