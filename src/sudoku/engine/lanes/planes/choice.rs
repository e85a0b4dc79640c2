//! The choice of the constraint to branch on: the heaviest constraint with two options.

use super::super::vector::Vector;
use super::constraint::{Constraint, ConstraintKind, Weights};
use super::layout::{HALF, Rows, box_starts, but_first, is_digit, one_row, parts, where_any, word_of};

/// The heaviest constraint with two options. If there is none, the heaviest of the cells with the fewest candidates.
/// Ties go to the lowest key.
#[inline(always)]
pub(super) fn choose<V: Vector, const ORDER: usize, const WORDS: usize, const DIGITS: usize>(
    proof: V,
    rows: &Rows<WORDS, DIGITS>,
    weights: &Weights<DIGITS>,
) -> Constraint {
    let zero = proof.splat(0);
    let mut best = (proof.splat(u32::MAX), zero);

    // Cells with two digits: the numbers of digits are sums over all lanes.
    let mut digits = [(zero, zero, zero); WORDS];
    for w in 0..WORDS {
        for lane in (0..DIGITS).step_by(V::LANES) {
            digits[w] = add(digits[w], (proof.load(&rows[w][lane..]), zero, zero));
        }
        for distance in [8, 4, 2, 1] {
            if distance < V::LANES {
                let (one, two, three) = digits[w];
                digits[w] = add(digits[w], (one.exchange(distance), two.exchange(distance), three.exchange(distance)));
            }
        }
    }

    for lane in (0..DIGITS).step_by(V::LANES) {
        for part in 0..parts::<ORDER>() {
            let column = proof.load(&COLUMNS[part][lane..]);
            for w in 0..WORDS {
                let house = part * WORDS + w;
                let two = digits[w].1 & !digits[w].2 & column;
                let weights = weights.of::<ORDER>(ConstraintKind::Cell, house);
                best = heavier(proof, best, two, &weights[lane..], key(ConstraintKind::Cell, house, lane));
            }
        }
    }

    // Digits with two places in a house: each lane has its own digit, so nothing is computed across lanes.
    let starts = proof.splat(box_starts::<ORDER>());
    for lane in (0..DIGITS).step_by(V::LANES) {
        let is_digit = proof.load(&is_digit::<ORDER, DIGITS>()[lane..]);
        let mut in_columns = (zero, zero, zero);
        for band in 0..WORDS / ORDER {
            let mut in_band = (zero, zero, zero);
            for w in band * ORDER..(band + 1) * ORDER {
                let row = proof.load(&rows[w][lane..]);
                in_band = add(in_band, (row, zero, zero));

                let second_on = but_first::<V, ORDER>(proof, row);
                let two = second_on ^ where_any::<V, ORDER>(second_on, but_first::<V, ORDER>(proof, second_on));
                for part in 0..parts::<ORDER>() {
                    let house = part * WORDS + w;
                    let two = two & proof.splat(one_row::<ORDER>() << (part * HALF));
                    let weights = weights.of::<ORDER>(ConstraintKind::Row, house);
                    best = heavier(proof, best, two, &weights[lane..], key(ConstraintKind::Row, house, lane));
                }
            }

            in_columns = add(in_columns, in_band);

            // The columns of a box are added up at its first.
            let mut in_boxes = (zero, zero, zero);
            for _ in 0..ORDER {
                in_boxes = add(in_boxes, (in_band.0 & starts, in_band.1 & starts, in_band.2 & starts));
                in_band = (in_band.0.shr::<1>(), in_band.1.shr::<1>(), in_band.2.shr::<1>());
            }

            let two = in_boxes.1 & !in_boxes.2 & is_digit;
            for part in 0..parts::<ORDER>() {
                for i in 0..ORDER {
                    let house = part * WORDS + band * ORDER + i;
                    let two = two & proof.splat(1 << (part * HALF + i * ORDER));
                    let weights = weights.of::<ORDER>(ConstraintKind::Box, house);
                    best = heavier(proof, best, two, &weights[lane..], key(ConstraintKind::Box, house, lane));
                }
            }
        }

        if parts::<ORDER>() == 2 {
            let (one, two, three) = in_columns;
            in_columns = add(in_columns, (one.shr::<16>(), two.shr::<16>(), three.shr::<16>()));
        }

        let two = in_columns.1 & !in_columns.2 & is_digit;
        for house in 0..ORDER * ORDER {
            let two = two & proof.splat(1 << house);
            let weights = weights.of::<ORDER>(ConstraintKind::Column, house);
            best = heavier(proof, best, two, &weights[lane..], key(ConstraintKind::Column, house, lane));
        }
    }

    // The heaviest of all lanes.
    let (mut weights_of_best, mut keys) = ([u32::MAX; 16], [0; 16]);
    best.0.store(&mut weights_of_best);
    best.1.store(&mut keys);
    let mut heaviest = (u32::MAX, 0);
    for lane in 0..V::LANES {
        heaviest = heaviest.min((weights_of_best[lane], keys[lane] + key(ConstraintKind::Cell, 0, lane)));
    }

    if heaviest.0 == u32::MAX {
        fewest::<ORDER, WORDS, DIGITS>(rows, weights)
    } else {
        let key = heaviest.1 as usize;
        Constraint { kind: ConstraintKind::ALL[key / 32 % 4], house: key % 32, second: key / 128 % 32 }
    }
}

/// A constraint as a number: whether it is a cell, then the lane, the kind and the house.
#[inline(always)]
const fn key(kind: ConstraintKind, house: usize, lane: usize) -> u32 {
    ((if matches!(kind, ConstraintKind::Cell) { 0 } else { 32 } + lane) * 128 + kind as usize * 32 + house) as u32
}

/// The set with each column, for each row of a word.
const COLUMNS: [[u32; 32]; 2] = {
    let (mut columns, mut c) = ([[0; 32]; 2], 0);
    while c < 32 {
        columns[0][c] = 1 << c;
        columns[1][c] = if c < HALF { 1 << (c + HALF) } else { 0 };
        c += 1;
    }
    columns
};

/// The heavier of the best constraint so far and the constraints in `two`, as weights and keys. Ties go to the first.
#[inline(always)]
fn heavier<V: Vector>(proof: V, best: (V, V), two: V, weights: &[u32], key: u32) -> (V, V) {
    let all = proof.splat(u32::MAX);
    let weight = proof.load(weights) | (all ^ all.where_any(two));
    let least = best.0.min(weight);
    let better = all.where_any(best.0 ^ least);
    (least, better.select(proof.splat(key), best.1))
}

/// Adds counts up to three: the bits that are at least one, two and three.
#[inline(always)]
fn add<V: Vector>(a: (V, V, V), b: (V, V, V)) -> (V, V, V) {
    (a.0 | b.0, a.1 | b.1 | (a.0 & b.0), a.2 | b.2 | (a.1 & b.0) | (a.0 & b.1))
}

/// The heaviest of the cells with the fewest candidates, at least two.
///
/// Only grids with few clues come here. On 25x25 with 100 to 230 clues, counting the places of digits in rows as well
/// takes up to 1.35 times as long in all; counting only them takes forty times as many branches with 31 clues.
#[inline(always)]
fn fewest<const ORDER: usize, const WORDS: usize, const DIGITS: usize>(
    rows: &Rows<WORDS, DIGITS>,
    weights: &Weights<DIGITS>,
) -> Constraint {
    let side = ORDER * ORDER;
    let mut best = None;
    for house in 0..side {
        let (word, first) = word_of::<WORDS>(house);
        let mut numbers = [0; DIGITS];
        for digit in rows[word] {
            let columns = digit >> first;
            for (c, number) in numbers.iter_mut().enumerate() {
                *number += u32::from(columns & 1 << c != 0);
            }
        }

        let remaining = weights.of::<ORDER>(ConstraintKind::Cell, house);
        for second in 0..side {
            let cell = (numbers[second], remaining[second], house, second);
            if cell.0 > 1 && best.is_none_or(|best| cell < best) {
                best = Some(cell);
            }
        }
    }

    let (_, _, house, second) = best.expect("a cell with several candidates");
    Constraint { kind: ConstraintKind::Cell, house, second }
}
