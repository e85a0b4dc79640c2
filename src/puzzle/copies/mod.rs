//! All different isomorphs of a puzzle, in a random order, of which each can be made by itself.
//!
//! Isomorphisms that make the same grid of a puzzle are counted once. They are numbered so that a number stands for a
//! grid: digits that the puzzle does not have get no names, and where automorphisms (isomorphisms that do not change the
//! puzzle) exchange lines, one of these is taken for all. So no grid has to be remembered to know the next one, and the
//! number of isomorphs is known before the first.
//!
//! ```text
//!   number of a copy -> Permutation -> names of the digits, an arrangement of lines -> Isomorph
//! ```

mod arrangement;
mod colours;
mod form;
mod permutation;
#[cfg(test)]
mod tests;

use self::arrangement::{LineKinds, take_digit};
use self::colours::Clues;
use self::form::{Form, Symmetries};
use self::permutation::{Permutation, mix};
use super::{Isomorph, IsomorphKind, Order};

/// The isomorphs of a puzzle that differ from it and from each other, in a random order that depends on a seed.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    order: Order,
    /// The digits of the puzzle, and after them the others.
    digits: Vec<u8>,
    /// The number of ways to name the digits of the puzzle.
    namings: u128,
    /// The puzzle, and its reflection if that gives other isomorphs.
    forms: Vec<Form>,
    /// The number of different arrangements of all forms.
    arrangements: u128,
    permutation: Permutation,
    seed: u64,
}

impl Copies {
    /// The isomorphs that the isomorphisms of these kinds make of a puzzle.
    ///
    /// # Panics
    ///
    /// If `puzzle` is not `order.cells()` values from 0 to the side.
    pub(crate) fn new(order: Order, puzzle: &[u8], kinds: &[IsomorphKind], seed: u64) -> Copies {
        let side = order.side();
        let own = puzzle.iter().fold(0_u32, |set, digit| set | 1 << digit);
        let mut digits: Vec<u8> = (1..=side as u8).collect();
        digits.sort_by_key(|digit| own >> digit & 1 == 0);
        let renames_digits = kinds.contains(&IsomorphKind::Digits);
        let others = side - (own >> 1).count_ones() as usize;
        let namings = if renames_digits { (others + 1..=side).map(|names| names as u128).product() } else { 1 };

        let (line_kinds, reflects) = (LineKinds::new(order, kinds), kinds.contains(&IsomorphKind::Transpose));
        let clues = Clues::new(line_kinds, renames_digits, puzzle);
        let form = |is_reflected, symmetries| Form::new(line_kinds, is_reflected, symmetries);
        let mut forms = Vec::new();
        if clues.are_asymmetric(reflects) {
            forms.push(form(false, None));
            forms.extend(reflects.then(|| form(true, None)));
        } else {
            let symmetries = Symmetries::new(line_kinds, clues);
            let reflection = reflects.then(|| {
                let cells = (0..order.cells()).map(|cell| puzzle[cell % side * side + cell / side]);
                Symmetries::new(line_kinds, Clues::new(line_kinds, renames_digits, &cells.collect::<Vec<u8>>()))
            });
            let reflection = reflection.filter(|reflection| !symmetries.make(reflection));
            forms.push(form(false, Some(symmetries)));
            forms.extend(reflection.map(|reflection| form(true, Some(reflection))));
        }
        let arrangements = forms.iter().map(|form| form.arrangements).sum();

        let bound = namings.saturating_mul(arrangements).min(Permutation::MAX_BOUND);
        Copies { order, digits, namings, forms, arrangements, permutation: Permutation::new(bound, seed), seed }
    }

    /// The number of copies, or [`u64::MAX`] if there are more.
    pub(crate) fn number(&self) -> u64 {
        (self.namings.saturating_mul(self.arrangements) - 1).try_into().unwrap_or(u64::MAX)
    }

    /// The isomorphism that makes the copy with this number.
    pub(crate) fn isomorph(&self, number: u64) -> Isomorph {
        debug_assert!(number < self.number());
        // The first position is free: what is there takes the position of the puzzle itself.
        let [naming, arrangement] = match self.choice(u128::from(number) + 1) {
            [0, 0] => self.choice(0),
            choice => choice,
        };
        self.make(naming, arrangement)
    }

    /// The names of the digits and the arrangement at a position of the random order. The puzzle itself has `[0, 0]`.
    fn choice(&self, position: u128) -> [u128; 2] {
        let choice = self.permutation.get(position);
        let (naming, arrangement) = (choice % self.namings, choice / self.namings);
        // Of a 25x25 puzzle, the permutation reaches a part of the arrangements only: another one for each naming.
        let bits = u128::from(mix(self.seed ^ mix(naming as u64)));
        let shift = (u128::BITS - self.arrangements.leading_zeros()).saturating_sub(64);
        let start = (bits * (self.arrangements >> shift)) >> 64 << shift;
        let sum = arrangement + start;
        [naming, if sum < self.arrangements { sum } else { sum - self.arrangements }]
    }

    fn make(&self, mut naming: u128, mut arrangement: u128) -> Isomorph {
        let mut names = [0; Order::MAX_SIDE];
        let names = &mut names[..self.digits.len()];
        names.copy_from_slice(&self.digits);
        let mut digits = vec![0; names.len() + 1];
        for (at, &digit) in self.digits.iter().enumerate() {
            names.swap(at, at + take_digit(&mut naming, names.len() - at));
            digits[usize::from(digit)] = names[at];
        }

        let mut forms = self.forms.iter();
        let mut form = forms.next().expect("the puzzle itself is one");
        while arrangement >= form.arrangements {
            arrangement -= form.arrangements;
            form = forms.next().expect("the number is below that of all arrangements");
        }
        let (side, lines) = (self.order.side(), form.arrange(arrangement));
        let (rows, columns) = lines[..2 * side].split_at(side);
        let mut sources = Vec::with_capacity(self.order.cells());
        for &row in rows {
            let source = |column: usize| if form.is_reflected { column * side + row } else { row * side + column };
            sources.extend(columns.iter().map(|column| source(column - side)));
        }
        Isomorph::new(digits, sources)
    }
}
