//! The different arrangements of a grid, each of which can be made by its number.

use super::arrangement::{Arrangement, LineKinds, Part, take_digit};
use super::colours::{Clues, Colours};

/// The puzzle or its reflection, with its different arrangements.
#[derive(Clone, Debug)]
pub(super) struct Form {
    pub(super) is_reflected: bool,
    kinds: LineKinds,
    /// The number of different arrangements.
    pub(super) arrangements: u128,
    /// What makes arrangements the same; `None` if all of them are different.
    symmetries: Option<Symmetries>,
}

/// The arrangements that do not change a grid, except for the names of digits if these may change.
#[derive(Clone, Debug)]
pub(super) struct Symmetries {
    clues: Clues,
    colours: Colours,
    /// How many there are.
    automorphisms: u128,
}

impl Form {
    pub(super) fn new(kinds: LineKinds, is_reflected: bool, symmetries: Option<Symmetries>) -> Form {
        let automorphisms = symmetries.as_ref().map_or(1, |symmetries| symmetries.automorphisms);
        let arrangements = kinds.arrangements() / automorphisms;
        Form { is_reflected, kinds, arrangements, symmetries: symmetries.filter(|_| automorphisms > 1) }
    }

    /// The different arrangement with this number; everything stays in place in the first.
    ///
    /// Of the parts that can come to a place, each set of those that automorphisms exchange takes as many of the numbers
    /// as it has parts, and its first part stands for all. Automorphisms that move this part are not considered after it.
    pub(super) fn arrange(&self, number: u128) -> Arrangement {
        let (mut number, mut arrangements) = (number, self.arrangements);
        let mut automorphisms = self.symmetries.as_ref().map_or(1, |symmetries| symmetries.automorphisms);
        let mut choices = self.symmetries.as_ref().map(Symmetries::choices);
        self.kinds.arrange(|parts, at| {
            let left = parts.len() - at;
            let Some(choices) = choices.as_mut().filter(|_| automorphisms > 1) else {
                parts.swap(at, at + take_digit(&mut number, left));
                return;
            };
            let mut taken = 0_u32;
            for index in at..parts.len() {
                if taken >> index & 1 == 1 {
                    continue;
                }
                let like = choices.like(parts, index) & !taken;
                let share = arrangements * u128::from(like.count_ones()) / left as u128;
                if number < share {
                    choices.take(parts[index]);
                    automorphisms /= u128::from(like.count_ones());
                    arrangements = share;
                    parts.swap(at, index);
                    return;
                }
                number -= share;
                taken |= like;
            }
            unreachable!("the shares of all parts add up to the number of arrangements");
        })
    }
}

impl Symmetries {
    /// Finds them.
    pub(super) fn new(kinds: LineKinds, clues: Clues) -> Symmetries {
        let colours = clues.colours();
        let mut symmetries = Symmetries { clues, colours, automorphisms: 1 };
        if !symmetries.colours.are_different(kinds.lines()) {
            // Those that leave all parts before in place take a part to one of so many others.
            let (mut choices, mut automorphisms) = (symmetries.choices(), 1);
            kinds.arrange(|parts, at| {
                automorphisms *= u128::from(choices.like(parts, at).count_ones());
                choices.take(parts[at]);
            });
            symmetries.automorphisms = automorphisms;
        }
        symmetries
    }

    /// Whether arrangements of the grid make another one.
    pub(super) fn make(&self, other: &Symmetries) -> bool {
        self.clues.can_become(self.colours.clone(), &other.clues, other.colours.clone())
    }

    fn choices(&self) -> Choices<'_> {
        Choices { clues: &self.clues, colours: self.colours.clone() }
    }
}

/// What automorphisms may still exchange, after some parts were taken.
struct Choices<'a> {
    clues: &'a Clues,
    colours: Colours,
}

impl Choices<'_> {
    /// The indices, as bits, of the parts from an index on that automorphisms exchange with the part at the index, and
    /// its own.
    fn like(&self, parts: &[Part], index: usize) -> u32 {
        let told_apart = |part| {
            let mut colours = self.colours.clone();
            colours.tell_apart(part);
            colours
        };
        let is_like = |&other: &usize| {
            let [part, other] = [parts[index], parts[other]];
            part == other
                || self.colours.are_same(part, other)
                    && (self.clues.stay_with_exchanged(part, other)
                        || self.clues.can_become(told_apart(part), self.clues, told_apart(other)))
        };
        (index..parts.len()).filter(is_like).fold(0, |set, other| set | 1 << other)
    }

    /// From now on, a part stays in place.
    fn take(&mut self, part: Part) {
        self.colours.tell_apart(part);
        self.clues.refine(&mut self.colours);
    }
}
