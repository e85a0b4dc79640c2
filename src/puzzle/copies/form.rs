//! The different arrangements of a grid, each of which can be made by its number.

use super::super::{IsomorphKind, Size};
use super::arrangement::{Arrangement, LineKinds, Part, choose_by};
use super::colours::{Clues, Colours};

/// The different arrangements of a puzzle, reflected or not.
#[derive(Clone, Debug)]
pub(crate) struct Arrangements {
    /// The puzzle, and its reflection if that gives other isomorphs.
    forms: Vec<Form>,
    /// The number of arrangements of all forms.
    number: u128,
}

/// The puzzle or its reflection, with its different arrangements.
#[derive(Clone, Debug)]
struct Form {
    is_reflected: bool,
    kinds: LineKinds,
    /// The number of different arrangements.
    arrangements: u128,
    /// What makes arrangements the same; `None` if all of them are different.
    symmetries: Option<Box<Symmetries>>,
}

/// The arrangements that do not change a grid, except for the names of digits if these may change.
#[derive(Clone, Debug)]
struct Symmetries {
    clues: Clues,
    colours: Colours,
    /// How many there are.
    automorphisms: u128,
}

impl Arrangements {
    /// The arrangements of a puzzle; `renames_digits` says whether its digits may change, too.
    pub(super) fn new(size: Size, puzzle: &[u8], kinds: &[IsomorphKind], renames_digits: bool) -> Arrangements {
        let (line_kinds, reflects) = (LineKinds::new(size, kinds), may_reflect(size, kinds));
        let clues = Clues::new(line_kinds, renames_digits, puzzle);
        if clues.are_asymmetric(reflects) {
            return Arrangements::of_asymmetric(size, kinds);
        }

        let side = size.side();
        let symmetries = Symmetries::new(line_kinds, clues);
        let reflection = reflects.then(|| {
            let cells = (0..size.cells()).map(|cell| puzzle[cell % side * side + cell / side]);
            Symmetries::new(line_kinds, Clues::new(line_kinds, renames_digits, &cells.collect::<Vec<u8>>()))
        });
        let reflection = reflection.filter(|reflection| !symmetries.make(reflection));
        let form = |is_reflected, symmetries| Form::new(line_kinds, is_reflected, Some(symmetries));
        let mut forms = vec![form(false, symmetries)];
        forms.extend(reflection.map(|reflection| form(true, reflection)));
        Arrangements::of_forms(forms)
    }

    /// The arrangements of a puzzle without automorphisms.
    pub(crate) fn of_asymmetric(size: Size, kinds: &[IsomorphKind]) -> Arrangements {
        let reflections = if may_reflect(size, kinds) { &[false, true][..] } else { &[false] };
        let form = |&is_reflected| Form::new(LineKinds::new(size, kinds), is_reflected, None);
        Arrangements::of_forms(reflections.iter().map(form).collect())
    }

    fn of_forms(forms: Vec<Form>) -> Arrangements {
        let number = forms.iter().map(|form| form.arrangements).sum();
        Arrangements { forms, number }
    }

    /// The number of arrangements, reflected and not.
    pub(crate) fn number(&self) -> u128 {
        self.number
    }

    /// Whether the grid is reflected in the arrangement with this number, and the lines that come to each place after that.
    pub(super) fn get(&self, mut number: u128) -> (bool, Arrangement) {
        let mut forms = self.forms.iter();
        let mut form = forms.next().expect("the puzzle itself is one");
        while number >= form.arrangements {
            number -= form.arrangements;
            form = forms.next().expect("the number is below that of all arrangements");
        }
        (form.is_reflected, form.arrange(number))
    }
}

/// Whether isomorphisms of these kinds reflect grids of a size.
fn may_reflect(size: Size, kinds: &[IsomorphKind]) -> bool {
    size.has_square_boxes() && kinds.contains(&IsomorphKind::Transpose)
}

impl Form {
    fn new(kinds: LineKinds, is_reflected: bool, symmetries: Option<Symmetries>) -> Form {
        let automorphisms = symmetries.as_ref().map_or(1, |symmetries| symmetries.automorphisms);
        let arrangements = kinds.arrangements() / automorphisms;
        let symmetries = symmetries.filter(|_| automorphisms > 1).map(Box::new);
        Form { is_reflected, kinds, arrangements, symmetries }
    }

    /// The different arrangement with this number; everything stays in place in the first.
    ///
    /// Of the parts that can come to a place, each set of those that automorphisms exchange takes as many of the numbers
    /// as it has parts, and its first part stands for all. Automorphisms that move this part are not considered after it.
    fn arrange(&self, mut number: u128) -> Arrangement {
        let Some(symmetries) = &self.symmetries else { return self.kinds.arrangement(number) };
        let (mut arrangements, mut automorphisms) = (self.arrangements, symmetries.automorphisms);
        let mut choices = symmetries.choices();
        self.kinds.arrange(|parts, at| {
            if automorphisms == 1 {
                choose_by(&mut number, parts, at);
                return;
            }
            let left = parts.len() - at;
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
    fn new(kinds: LineKinds, clues: Clues) -> Symmetries {
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
    fn make(&self, other: &Symmetries) -> bool {
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
