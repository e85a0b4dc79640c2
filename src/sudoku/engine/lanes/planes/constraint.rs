//! Constraints, their options, and a weight for each that grows with the contradictions that it causes.

use super::layout::{HALF, Rows, in_each_part, one_row, parts, word_of};

/// A digit in a cell, all as indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlaneCandidate {
    pub row: usize,
    pub column: usize,
    pub digit: usize,
}

impl PlaneCandidate {
    /// Whether it is a candidate of a state.
    pub(super) fn is_in<const WORDS: usize, const DIGITS: usize>(&self, rows: &Rows<WORDS, DIGITS>) -> bool {
        let (word, first) = word_of::<WORDS>(self.row);
        rows[word][self.digit] >> (first + self.column) & 1 != 0
    }
}

/// A cell, which has one digit; or a digit in a row, a column or a box, which has one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constraint {
    pub kind: ConstraintKind,
    /// The row of a cell, or the house.
    pub house: usize,
    /// The column of a cell, or the digit.
    pub second: usize,
}

/// The kinds of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConstraintKind {
    Cell,
    Row,
    Column,
    Box,
}

impl ConstraintKind {
    pub(super) const ALL: [ConstraintKind; 4] =
        [ConstraintKind::Cell, ConstraintKind::Row, ConstraintKind::Column, ConstraintKind::Box];
}

impl Constraint {
    /// The candidate for a digit of the cell or a place of the house.
    pub(super) fn option<const ORDER: usize>(self, i: usize) -> PlaneCandidate {
        let Constraint { kind, house, second } = self;
        match kind {
            ConstraintKind::Cell => PlaneCandidate { row: house, column: second, digit: i },
            ConstraintKind::Row => PlaneCandidate { row: house, column: i, digit: second },
            ConstraintKind::Column => PlaneCandidate { row: i, column: house, digit: second },
            ConstraintKind::Box => PlaneCandidate {
                row: house / ORDER * ORDER + i / ORDER,
                column: house % ORDER * ORDER + i % ORDER,
                digit: second,
            },
        }
    }

    /// A constraint without options, if there is one. After a contradiction there may be none: two digits must be in
    /// one cell, or a digit twice in a house.
    pub(super) fn first_empty<const ORDER: usize, const WORDS: usize, const DIGITS: usize>(
        rows: &Rows<WORDS, DIGITS>,
    ) -> Option<Constraint> {
        let (side, line) = (ORDER * ORDER, one_row::<ORDER>());
        let mut columns = [0; DIGITS];
        for (w, digits) in rows.iter().enumerate() {
            let any = digits.iter().fold(0, |any, digit| any | digit);
            for part in 0..parts::<ORDER>() {
                let empty = line & !(any >> (part * HALF));
                if empty != 0 {
                    let (house, second) = (part * WORDS + w, empty.trailing_zeros() as usize);
                    return Some(Constraint { kind: ConstraintKind::Cell, house, second });
                }
            }

            columns.iter_mut().zip(digits).for_each(|(columns, digit)| *columns |= digit);
        }

        for house in 0..side {
            let (word, first) = word_of::<WORDS>(house);
            if let Some(second) = rows[word][..side].iter().position(|columns| columns >> first & line == 0) {
                return Some(Constraint { kind: ConstraintKind::Row, house, second });
            }
        }

        for (second, columns) in columns[..side].iter().enumerate() {
            let any = if ORDER == 4 { columns | columns >> HALF } else { *columns };
            if any & line != line {
                return Some(Constraint { kind: ConstraintKind::Column, house: any.trailing_ones() as usize, second });
            }
        }

        for band in 0..ORDER {
            let (word, first) = word_of::<WORDS>(band * ORDER);
            for second in 0..side {
                let in_band = rows[word..][..ORDER].iter().fold(0, |any, row| any | row[second]) >> first;
                let is_empty = |i: &usize| in_band >> (i * ORDER) & ((1 << ORDER) - 1) == 0;
                if let Some(i) = (0..ORDER).find(is_empty) {
                    return Some(Constraint { kind: ConstraintKind::Box, house: band * ORDER + i, second });
                }
            }
        }

        None
    }
}

/// The number of candidates in the four constraints of a candidate.
pub(super) fn number_around<const ORDER: usize, const WORDS: usize, const DIGITS: usize>(
    rows: &Rows<WORDS, DIGITS>,
    PlaneCandidate { row, column, digit }: PlaneCandidate,
) -> u32 {
    let (word, first) = word_of::<WORDS>(row);
    let line = one_row::<ORDER>() << first;
    let segment = ((1 << ORDER) - 1) << (first + column / ORDER * ORDER);
    let in_cell: u32 = rows[word].iter().map(|columns| columns >> (first + column) & 1).sum();
    let in_column: u32 = rows.iter().map(|row| (row[digit] & in_each_part::<ORDER>(1 << column)).count_ones()).sum();
    let band = &rows[word / ORDER * ORDER..][..ORDER];
    let in_box: u32 = band.iter().map(|row| (row[digit] & segment).count_ones()).sum();
    in_cell + (rows[word][digit] & line).count_ones() + in_column + in_box
}

/// The weights of all constraints.
///
/// A weight grows when its constraint has a part in a contradiction. Later contradictions count more, so that the weights
/// soon fit the part of the tree that is searched.
#[derive(Debug)]
pub(super) struct Weights<const DIGITS: usize> {
    /// [`LIGHTEST`] minus the weight, so the least is the heaviest. By kind and house; for cells, by row.
    remaining: Vec<[u32; DIGITS]>,
    /// The weight that the next contradiction adds.
    step: u32,
}

/// The remaining weight of a constraint that caused no contradiction.
const LIGHTEST: u32 = u32::MAX - 1;

/// The first step, and the limit at which all weights are divided by their ratio. Each step is larger than the one
/// before by the fraction 1 / `STEP_GROWTH`; twice the sum of all steps fits into 32 bits.
const FIRST_STEP: u32 = 1 << 12;
const LAST_STEP: u32 = 1 << 24;
const STEP_GROWTH: u32 = 32;

impl<const DIGITS: usize> Weights<DIGITS> {
    pub(super) fn new() -> Self {
        Weights { remaining: vec![], step: FIRST_STEP }
    }

    /// Makes the constraints of a grid equal.
    pub(super) fn reset(&mut self, order: usize) {
        self.remaining.clear();
        self.remaining.resize(ConstraintKind::ALL.len() * order * order, [LIGHTEST; DIGITS]);
        self.step = FIRST_STEP;
    }

    /// The rest for all cells of a row, or all digits of a house.
    #[inline(always)]
    pub(super) fn of<const ORDER: usize>(&self, kind: ConstraintKind, house: usize) -> &[u32; DIGITS] {
        &self.remaining[kind as usize * ORDER * ORDER + house]
    }

    /// Makes the constraints that had a part in a contradiction heavier.
    pub(super) fn blame<const ORDER: usize>(&mut self, constraints: impl IntoIterator<Item = Constraint>) {
        for Constraint { kind, house, second } in constraints {
            self.remaining[kind as usize * ORDER * ORDER + house][second] -= self.step;
        }
        self.step += self.step / STEP_GROWTH;
        if self.step > LAST_STEP {
            let ratio = LAST_STEP / FIRST_STEP;
            self.step /= ratio;
            for remaining in self.remaining.iter_mut().flatten() {
                *remaining = LIGHTEST - (LIGHTEST - *remaining) / ratio;
            }
        }
    }
}
