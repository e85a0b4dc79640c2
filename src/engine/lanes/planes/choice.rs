//! The choice of a guess, and the weights that it depends on.

use super::super::vector::Vector;
use super::{Rows, box_ends};

/// A digit in a cell, all as indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub row: usize,
    pub column: usize,
    pub digit: usize,
}

/// The kinds of constraints. A cell has one digit; a digit has one place in a row, in a column and in a box.
const KINDS: usize = 4;

/// What remains of the largest number after each contradiction that a constraint caused: the least is the heaviest.
///
/// By kind. Cells are by row and column, the others by house and digit.
pub(super) type Weights<const SIDE: usize, const DIGITS: usize> = [Rows<SIDE, DIGITS>; KINDS];

/// A constraint: its kind, a row or a house, and a column or a digit.
type Constraint = (usize, usize, usize);

/// Makes the first constraint heavier that has no option left. To do so for all of them was measured to be worse.
#[inline(never)]
pub(super) fn blame<const ORDER: usize, const SIDE: usize, const DIGITS: usize>(
    rows: &Rows<SIDE, DIGITS>,
    weights: &mut Weights<SIDE, DIGITS>,
) {
    if let Some((kind, house, second)) = first_empty::<ORDER, SIDE, DIGITS>(rows) {
        weights[kind][house][second] -= 1;
    }
}

/// The first constraint without options. There is none if two digits have to be in one cell, or a digit twice in a house.
fn first_empty<const ORDER: usize, const SIDE: usize, const DIGITS: usize>(
    rows: &Rows<SIDE, DIGITS>,
) -> Option<Constraint> {
    let line = (1 << SIDE) - 1;
    let mut columns = [0; DIGITS];
    for (r, row) in rows.iter().enumerate() {
        let empty = line & !row.iter().fold(0, |any, digit| any | digit);
        if empty != 0 {
            return Some((0, r, empty.trailing_zeros() as usize));
        }
        columns.iter_mut().zip(row).for_each(|(columns, digit)| *columns |= digit);
    }
    for (r, row) in rows.iter().enumerate() {
        if let Some(d) = row[..SIDE].iter().position(|&digit| digit == 0) {
            return Some((1, r, d));
        }
    }
    if let Some(d) = columns[..SIDE].iter().position(|&columns| columns != line) {
        return Some((2, (!columns[d]).trailing_zeros() as usize, d));
    }
    for band in 0..ORDER {
        for d in 0..SIDE {
            let in_band = rows[band * ORDER..][..ORDER].iter().fold(0, |any, row| any | row[d]);
            let is_empty = |i: &usize| in_band >> (i * ORDER) & ((1 << ORDER) - 1) == 0;
            if let Some(i) = (0..ORDER).find(is_empty) {
                return Some((3, band * ORDER + i, d));
            }
        }
    }
    None
}

/// The candidates of the heaviest constraint with two options, or of those with the fewest options if none has two.
#[inline(always)]
pub(super) fn choose<V: Vector, const ORDER: usize, const SIDE: usize, const DIGITS: usize>(
    proof: V,
    rows: &Rows<SIDE, DIGITS>,
    weights: &Weights<SIDE, DIGITS>,
    options: &mut Vec<Candidate>,
) {
    let (zero, all) = (proof.splat(0), proof.splat(u32::MAX));
    let mut best = (all, zero);
    let (mut once, mut twice, mut thrice) = ([zero; SIDE], [zero; SIDE], [zero; SIDE]);
    for lane in (0..DIGITS).step_by(V::LANES) {
        for r in 0..SIDE {
            let row = proof.load(&rows[r][lane..]);
            thrice[r] = thrice[r] | (twice[r] & row);
            twice[r] = twice[r] | (once[r] & row);
            once[r] = once[r] | row;
        }
    }
    for r in 0..SIDE {
        let mut counts = (once[r], twice[r], thrice[r]);
        for distance in [8, 4, 2, 1] {
            if distance < V::LANES {
                let indices = super::sweep::swapped(proof, distance);
                let other = (counts.0.compress(indices), counts.1.compress(indices), counts.2.compress(indices));
                counts = add(counts, other);
            }
        }
        twice[r] = counts.1 & !counts.2;
    }
    for lane in (0..DIGITS).step_by(V::LANES) {
        let column = proof.load(&COLUMNS[lane..]);
        for r in 0..SIDE {
            best = lighter(proof, best, twice[r] & column, &weights[0][r][lane..], lane * 128 + r);
        }
    }
    let one = proof.splat(1);
    let ends = proof.splat(box_ends::<ORDER>());
    for lane in (0..DIGITS).step_by(V::LANES) {
        let is_digit = proof.load(&super::is_digit::<SIDE, DIGITS>()[lane..]);
        let key = (32 + lane) * 128;
        let mut columns = (zero, zero, zero);
        for band in 0..ORDER {
            let mut in_band = (zero, zero, zero);
            for r in band * ORDER..(band + 1) * ORDER {
                let row = proof.load(&rows[r][lane..]);
                in_band = add(in_band, (row, zero, zero));
                let but_first = row & row.minus(one);
                let two = but_first ^ but_first.where_any(but_first & but_first.minus(one));
                best = lighter(proof, best, two, &weights[1][r][lane..], key + 32 + r);
            }
            columns = add(columns, in_band);
            let mut in_boxes = (zero, zero, zero);
            for _ in 0..ORDER {
                in_boxes = add(in_boxes, (in_band.0 & ends, in_band.1 & ends, in_band.2 & ends));
                in_band = (in_band.0.shr::<1>(), in_band.1.shr::<1>(), in_band.2.shr::<1>());
            }
            let two = in_boxes.1 & !in_boxes.2 & is_digit;
            for i in 0..ORDER {
                let box_ = band * ORDER + i;
                let two = two & proof.splat(1 << (i * ORDER));
                best = lighter(proof, best, two, &weights[3][box_][lane..], key + 96 + box_);
            }
        }
        let two = columns.1 & !columns.2 & is_digit;
        for c in 0..SIDE {
            best = lighter(proof, best, two & proof.splat(1 << c), &weights[2][c][lane..], key + 64 + c);
        }
    }
    let (mut weights_of, mut keys) = ([u32::MAX; 16], [0; 16]);
    best.0.store(&mut weights_of);
    best.1.store(&mut keys);
    let (weight, key) =
        (0..V::LANES).map(|lane| (weights_of[lane], keys[lane] + 128 * lane as u32)).min().expect("lanes");
    if weight == u32::MAX {
        fewest::<ORDER, SIDE, DIGITS>(rows, weights, options);
    } else {
        let key = key as usize;
        list::<ORDER, SIDE, DIGITS>(rows, (key / 32 % 4, key % 32, key / 128 % 32), options);
    }
}

/// The set with each column.
const COLUMNS: [u32; 32] = {
    let (mut columns, mut c) = ([0; 32], 0);
    while c < 32 {
        columns[c] = 1 << c;
        c += 1;
    }
    columns
};

/// The lighter of the best constraints so far, as weights and keys, and those of `two`. Of equals, the first.
#[inline(always)]
fn lighter<V: Vector>(proof: V, best: (V, V), two: V, weights: &[u32], key: usize) -> (V, V) {
    let all = proof.splat(u32::MAX);
    let weight = proof.load(weights) | (all ^ all.where_any(two));
    let least = best.0.min(weight);
    let better = all.where_any(best.0 ^ least);
    (least, better.select(proof.splat(key as u32), best.1))
}

/// Adds counts up to three: the bits that are at least one, two and three.
#[inline(always)]
fn add<V: Vector>(a: (V, V, V), b: (V, V, V)) -> (V, V, V) {
    (a.0 | b.0, a.1 | b.1 | (a.0 & b.0), a.2 | b.2 | (a.1 & b.0) | (a.0 & b.1))
}

/// The candidates of the heaviest of the constraints with the fewest options, at least two.
#[inline(never)]
fn fewest<const ORDER: usize, const SIDE: usize, const DIGITS: usize>(
    rows: &Rows<SIDE, DIGITS>,
    weights: &Weights<SIDE, DIGITS>,
    options: &mut Vec<Candidate>,
) {
    let mut counts = [[[0; DIGITS]; SIDE]; KINDS];
    for (r, row) in rows.iter().enumerate() {
        for (d, columns) in row[..SIDE].iter().enumerate() {
            counts[1][r][d] = columns.count_ones();
            for i in 0..ORDER {
                let in_box = columns >> (i * ORDER) & ((1 << ORDER) - 1);
                counts[3][r / ORDER * ORDER + i][d] += in_box.count_ones();
            }
            for c in 0..SIDE {
                counts[0][r][c] += u32::from(columns & COLUMNS[c] != 0);
            }
        }
        for c in 0..SIDE {
            for d in 0..SIDE {
                counts[2][c][d] += u32::from(row[d] & COLUMNS[c] != 0);
            }
        }
    }
    let mut best = (u32::MAX, u32::MAX, (0, 0, 0));
    for kind in 0..KINDS {
        for house in 0..SIDE {
            for second in 0..SIDE {
                let count = counts[kind][house][second];
                if count > 1 && count <= best.0 {
                    best = best.min((count, weights[kind][house][second], (kind, house, second)));
                }
            }
        }
    }
    list::<ORDER, SIDE, DIGITS>(rows, best.2, options);
}

/// The options of a constraint.
fn list<const ORDER: usize, const SIDE: usize, const DIGITS: usize>(
    rows: &Rows<SIDE, DIGITS>,
    (kind, house, second): Constraint,
    options: &mut Vec<Candidate>,
) {
    let nth = |i: usize| match kind {
        0 => Candidate { row: house, column: second, digit: i },
        1 => Candidate { row: house, column: i, digit: second },
        2 => Candidate { row: i, column: house, digit: second },
        _ => Candidate {
            row: house / ORDER * ORDER + i / ORDER,
            column: house % ORDER * ORDER + i % ORDER,
            digit: second,
        },
    };
    options.clear();
    options.extend((0..SIDE).map(nth).filter(|c| rows[c.row][c.digit] >> c.column & 1 != 0));
}

/// The number of candidates that a candidate excludes.
pub(super) fn excluded<const ORDER: usize, const SIDE: usize, const DIGITS: usize>(
    rows: &Rows<SIDE, DIGITS>,
    Candidate { row, column, digit }: Candidate,
) -> u32 {
    let box_ = ((1 << ORDER) - 1) << (column / ORDER * ORDER);
    let in_cell: u32 = rows[row].iter().map(|columns| columns >> column & 1).sum();
    let in_column: u32 = rows.iter().map(|row| row[digit] >> column & 1).sum();
    let in_box: u32 = rows[row / ORDER * ORDER..][..ORDER].iter().map(|row| (row[digit] & box_).count_ones()).sum();
    in_cell + rows[row][digit].count_ones() + in_column + in_box
}
