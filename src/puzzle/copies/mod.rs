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
mod permutation;

use self::arrangement::{Arrangement, LineKinds, Part};
use self::colours::{Clues, Colours};
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

/// The puzzle or its reflection, with its different arrangements.
#[derive(Clone, Debug)]
struct Form {
    is_reflected: bool,
    kinds: LineKinds,
    clues: Clues,
    colours: Colours,
    /// The number of arrangements that do not change it, except for the names of digits if these may change.
    automorphisms: u128,
    /// The number of different arrangements.
    arrangements: u128,
}

impl Copies {
    /// The isomorphs that the isomorphisms of these kinds make of a puzzle.
    ///
    /// # Panics
    ///
    /// If `puzzle` is not `order.cells()` values from 0 to the side.
    pub(crate) fn new(order: Order, puzzle: &[u8], kinds: &[IsomorphKind], seed: u64) -> Copies {
        let side = order.side();
        let (mut digits, others): (Vec<u8>, Vec<u8>) = (1..=side as u8).partition(|digit| puzzle.contains(digit));
        let renames_digits = kinds.contains(&IsomorphKind::Digits);
        let names = (side - digits.len() + 1..=side).map(|names| names as u128);
        let namings = if renames_digits { names.product() } else { 1 };
        digits.extend(others);

        let line_kinds = LineKinds::new(order, kinds);
        let mut forms = vec![Form::new(line_kinds, renames_digits, puzzle, false)];
        if kinds.contains(&IsomorphKind::Transpose) {
            let reflection: Vec<u8> = (0..order.cells()).map(|cell| puzzle[cell % side * side + cell / side]).collect();
            let reflection = Form::new(line_kinds, renames_digits, &reflection, true);
            if !reflection.is_arrangement_of(&forms[0]) {
                forms.push(reflection);
            }
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
        let [upper, lower] = [1, 2].map(|half| mix(self.seed ^ mix(naming as u64 ^ half)));
        let start = (u128::from(upper) << 64 | u128::from(lower)) % self.arrangements;
        [naming, (arrangement + start) % self.arrangements]
    }

    fn make(&self, mut naming: u128, mut arrangement: u128) -> Isomorph {
        let mut names = self.digits.clone();
        let mut digits = vec![0; names.len() + 1];
        for (at, &digit) in self.digits.iter().enumerate() {
            let left = (names.len() - at) as u128;
            if naming > 0 {
                names.swap(at, at + (naming % left) as usize);
                naming /= left;
            }
            digits[usize::from(digit)] = names[at];
        }

        let mut forms = self.forms.iter();
        let mut form = forms.next().expect("the puzzle itself is one");
        while arrangement >= form.arrangements {
            arrangement -= form.arrangements;
            form = forms.next().expect("the number is below that of all arrangements");
        }
        let (side, lines) = (self.order.side(), form.arrange(arrangement));
        let sources = (0..self.order.cells()).map(|cell| {
            let (row, column) = (lines[cell / side], lines[side + cell % side] - side);
            if form.is_reflected { column * side + row } else { row * side + column }
        });
        Isomorph::new(digits, sources.collect())
    }
}

impl Form {
    fn new(kinds: LineKinds, renames_digits: bool, grid: &[u8], is_reflected: bool) -> Form {
        let clues = Clues::new(kinds, renames_digits, grid);
        let colours = clues.colours();
        let mut automorphisms = 1;
        if !colours.are_different(kinds.lines()) {
            // Those that leave all parts before in place take a part to one of so many others.
            let mut choices = Choices { clues: &clues, colours: colours.clone() };
            kinds.arrange(|parts, at| {
                automorphisms *= u128::from(choices.like(parts, at).count_ones());
                choices.take(parts[at]);
            });
        }
        let arrangements = kinds.arrangements() / automorphisms;
        Form { is_reflected, kinds, clues, colours, automorphisms, arrangements }
    }

    fn is_arrangement_of(&self, other: &Form) -> bool {
        other.clues.can_become(other.colours.clone(), &self.clues, self.colours.clone())
    }

    /// The different arrangement with this number; everything stays in place in the first.
    ///
    /// Of the parts that can come to a place, each set of those that automorphisms exchange takes as many of the numbers
    /// as it has parts, and its first part stands for all. Automorphisms that move this part are not considered after it.
    fn arrange(&self, number: u128) -> Arrangement {
        let (mut number, mut arrangements) = (number, self.arrangements);
        let mut automorphisms = self.automorphisms;
        let mut choices = (automorphisms > 1).then(|| Choices { clues: &self.clues, colours: self.colours.clone() });
        self.kinds.arrange(|parts, at| {
            let left = (parts.len() - at) as u128;
            let Some(choices) = choices.as_mut().filter(|_| automorphisms > 1) else {
                parts.swap(at, at + (number % left) as usize);
                number /= left;
                return;
            };
            let mut taken = 0_u32;
            for index in at..parts.len() {
                if taken >> index & 1 == 1 {
                    continue;
                }
                let like = choices.like(parts, index) & !taken;
                let share = arrangements * u128::from(like.count_ones()) / left;
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::puzzle::random::below;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    fn image(isomorph: &Isomorph, grid: &[u8]) -> Vec<u8> {
        let mut image = vec![0; grid.len()];
        isomorph.apply_into(grid, &mut image);
        image
    }

    /// All isomorphs by these kinds: those of products of exchanges of two digits, lines or bands, and the reflection of
    /// the puzzle before them.
    fn all_isomorphs(order: Order, puzzle: &[u8], kinds: &[IsomorphKind]) -> HashSet<Vec<u8>> {
        let (n, side) = (order.get(), order.side());
        let mut steps: Vec<Box<dyn Fn(&[u8]) -> Vec<u8>>> = vec![];
        let exchange = |line: usize, [a, b]: [usize; 2]| match line {
            line if line == a => b,
            line if line == b => a,
            line => line,
        };
        let lines = |kind: IsomorphKind,
                     is_row: bool,
                     of_line: fn(usize, usize) -> usize,
                     with: fn(usize, usize, usize) -> usize| {
            let mut steps: Vec<Box<dyn Fn(&[u8]) -> Vec<u8>>> = vec![];
            if kinds.contains(&kind) {
                for pair in (0..side).flat_map(|a| (0..a).map(move |b| [b, a])) {
                    if kind != IsomorphKind::Bands && kind != IsomorphKind::Stacks && pair[0] / n != pair[1] / n {
                        continue;
                    }
                    let source = move |line: usize| with(n, exchange(of_line(n, line), pair), line);
                    steps.push(Box::new(move |grid: &[u8]| {
                        (0..side * side)
                            .map(|cell| {
                                let (row, column) = (cell / side, cell % side);
                                if is_row {
                                    grid[source(row) * side + column]
                                } else {
                                    grid[row * side + source(column)]
                                }
                            })
                            .collect()
                    }));
                }
            }
            steps
        };
        let (line, of_line): (fn(usize, usize) -> usize, fn(usize, usize, usize) -> usize) =
            (|_, line| line, |_, line, _| line);
        let (band, in_band): (fn(usize, usize) -> usize, fn(usize, usize, usize) -> usize) =
            (|n, line| line / n, |n, band, line| if band < n { band * n + line % n } else { line });
        steps.extend(lines(IsomorphKind::Rows, true, line, of_line));
        steps.extend(lines(IsomorphKind::Columns, false, line, of_line));
        steps.extend(lines(IsomorphKind::Bands, true, band, in_band));
        steps.extend(lines(IsomorphKind::Stacks, false, band, in_band));
        if kinds.contains(&IsomorphKind::Digits) {
            for pair in (1..=side).flat_map(|a| (1..a).map(move |b| [b, a])) {
                steps.push(Box::new(move |grid: &[u8]| {
                    grid.iter().map(|&digit| exchange(digit.into(), pair) as u8).collect()
                }));
            }
        }

        let mut found: HashSet<Vec<u8>> = HashSet::from([puzzle.to_vec()]);
        if kinds.contains(&IsomorphKind::Transpose) {
            found.insert((0..side * side).map(|cell| puzzle[cell % side * side + cell / side]).collect());
        }
        let mut new: Vec<Vec<u8>> = found.iter().cloned().collect();
        while let Some(grid) = new.pop() {
            for step in &steps {
                let next = step(&grid);
                if found.insert(next.clone()) {
                    new.push(next);
                }
            }
        }
        found
    }

    #[track_caller]
    fn has_all_copies(order: Order, puzzle: &[u8], kinds: &[IsomorphKind]) {
        let expected = all_isomorphs(order, puzzle, kinds);
        let copies = Copies::new(order, puzzle, kinds, 5);
        assert_eq!(copies.number(), expected.len() as u64 - 1, "{puzzle:?} {kinds:?}");
        let mut found: HashSet<Vec<u8>> =
            (0..copies.number()).map(|number| image(&copies.isomorph(number), puzzle)).collect();
        assert!(!found.contains(puzzle), "{puzzle:?} {kinds:?}");
        found.insert(puzzle.to_vec());
        assert_eq!(found, expected, "{puzzle:?} {kinds:?}");
    }

    /// Every subset of the kinds, on puzzles with few clues and on full grids, which have many automorphisms.
    #[test]
    fn all_isomorphs_of_4x4_puzzles_are_made_once() {
        let grid = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut puzzles: Vec<Vec<u8>> = vec![vec![0; 16], grid.to_vec()];
        for clues in [1, 2, 2, 3, 4, 4, 5, 6, 8, 12] {
            let mut puzzle = vec![0; 16];
            (0..clues).for_each(|_| {
                let cell = below(&mut rng, 16);
                puzzle[cell] = grid[cell];
            });
            puzzles.push(puzzle);
        }
        for set in 0..64_u32 {
            let kinds: Vec<IsomorphKind> = IsomorphKind::ALL
                .into_iter()
                .enumerate()
                .filter(|(bit, _)| set >> bit & 1 == 1)
                .map(|(_, kind)| kind)
                .collect();
            let puzzles = if set == 63 || set % 5 == 0 { &puzzles[..] } else { &puzzles[..6] };
            puzzles.iter().for_each(|puzzle| has_all_copies(Order::Two, puzzle, &kinds));
        }
    }

    #[test]
    fn all_isomorphs_of_9x9_puzzles_are_made_once() {
        use IsomorphKind::{Bands, Columns, Rows, Stacks, Transpose};
        let text = b"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
        let puzzle: Vec<u8> = text.iter().map(|&symbol| if symbol == b'.' { 0 } else { symbol - b'0' }).collect();
        has_all_copies(Order::Three, &puzzle, &[Rows]);
        has_all_copies(Order::Three, &puzzle, &[Bands, Stacks, Transpose]);
        has_all_copies(Order::Three, &puzzle, &[Rows, Transpose]);
        let clue = |cells: &[(usize, u8)]| {
            let mut puzzle = vec![0; 81];
            cells.iter().for_each(|&(cell, digit)| puzzle[cell] = digit);
            puzzle
        };
        has_all_copies(Order::Three, &clue(&[]), &IsomorphKind::ALL);
        has_all_copies(Order::Three, &clue(&[(40, 5)]), &IsomorphKind::ALL);
        has_all_copies(Order::Three, &clue(&[(0, 1), (10, 2)]), &IsomorphKind::ALL);
        has_all_copies(Order::Three, &clue(&[(0, 1), (40, 1), (80, 2)]), &[Rows, Columns, Bands]);
    }

    /// 9!/1! ways to name 8 of 9 digits, 3!^8 * 2 arrangements without automorphisms.
    #[test]
    fn isomorphs_of_all_sizes_are_counted() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        for order in Order::ALL {
            let (n, side) = (order.get(), order.side());
            let digit = |cell: usize| (cell / side % n * n + cell / side / n + cell % side) % side + 1;
            let puzzle: Vec<u8> =
                (0..order.cells()).map(|cell| if below(&mut rng, 3) == 0 { digit(cell) as u8 } else { 0 }).collect();
            let copies = Copies::new(order, &puzzle, &IsomorphKind::ALL, 1);
            let expected = match order {
                Order::Two => None,
                Order::Three => Some(1_218_998_108_160 - 1),
                Order::Four | Order::Five => Some(u64::MAX),
            };
            assert!(expected.is_none_or(|expected| expected == copies.number()), "{order}: {}", copies.number());
            let number = copies.number().min(2000);
            let made: HashSet<Vec<u8>> = (0..number).map(|number| image(&copies.isomorph(number), &puzzle)).collect();
            assert_eq!(made.len() as u64, number, "{order}");
            // Each copy can be taken back.
            assert!((0..number.min(50)).all(|number| {
                let isomorph = copies.isomorph(number);
                image(&isomorph.inverse(), &image(&isomorph, &puzzle)) == puzzle
            }));
        }
    }
}
