//! Grids for the tests of the techniques, and the findings as text.

use proptest::prelude::*;

use crate::puzzle::Grid;
use crate::rating::candidates::Candidates;
use crate::rating::houses::CELLS;
use crate::rating::sets::DigitSet;
use crate::rating::step::Step;

/// A grid where each cell may have any digit.
pub(super) fn all() -> Candidates {
    Candidates::of(&[0; 81])
}

/// The grid of a puzzle of 81 characters.
pub(super) fn read(puzzle: &str) -> Candidates {
    assert_eq!(puzzle.len(), 81);
    let puzzle: Grid = std::array::from_fn(|cell| puzzle.as_bytes()[cell].saturating_sub(b'0'));
    Candidates::of(&puzzle)
}

/// Removes a digit from a house, except from some places.
pub(super) fn keep_places(grid: &mut Candidates, house: usize, digit: usize, places: &[usize]) {
    for place in (0..9).filter(|place| !places.contains(place)) {
        grid.remove(usize::from(CELLS[house][place]), digit);
    }
}

/// Removes all digits of a cell except some.
pub(super) fn keep_digits(grid: &mut Candidates, cell: usize, digits: &[usize]) {
    grid.remove_all(cell, DigitSet::ALL.without(digits.iter().copied().collect()));
}

/// A grid that may be contradictory, and the same grid after it has lost some candidates.
pub(super) fn grids() -> impl Strategy<Value = [Candidates; 2]> {
    let masks = || prop::collection::vec(0u16..512, 81);
    (prop::collection::vec((0usize..81, 0usize..9), 0..60), masks(), masks(), masks()).prop_map(
        |(values, first, second, third)| {
            let mut before = all();
            for (cell, digit) in values {
                if before.digits(cell).contains(digit) {
                    before.place(cell, digit);
                }
            }
            for (cell, &digits) in first.iter().enumerate() {
                before.remove_all(cell, DigitSet(digits));
            }
            let mut grid = before.clone();
            for (cell, (second, third)) in second.iter().zip(third).enumerate() {
                grid.remove_all(cell, DigitSet(second & third));
            }
            [before, grid]
        },
    )
}

/// The grid of a position: 81 words, row by row, each either a value or the candidates of a blank. The positions in
/// tests come from the reference program's solutions of our own puzzles.
pub(super) fn position(text: &str) -> Candidates {
    with(text, &[])
}

/// The grid of a position after changing the candidates of some cells: `("r4c7", "249")`.
pub(super) fn with(text: &str, changes: &[(&str, &str)]) -> Candidates {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    for &(name, digits) in changes {
        let name = name.as_bytes();
        words[usize::from(name[1] - b'1') * 9 + usize::from(name[3] - b'1')] = digits;
    }
    let digits: Vec<DigitSet> =
        words.iter().map(|word| word.bytes().map(|digit| usize::from(digit - b'1')).collect()).collect();
    let mut grid = Candidates::from_digits(digits.as_slice().try_into().expect("81 words"));
    for (cell, digits) in digits.into_iter().enumerate() {
        if digits.len() == 1 {
            grid.place(cell, digits.first());
        }
    }
    grid
}

/// The findings of a rule as text: `XY-Wing|42|r3c9-1,r5c7-1`.
pub(super) fn found(grid: &Candidates, find: impl Fn(&Candidates, &mut Step) -> bool) -> Option<String> {
    let mut step = Step::default();
    let name = |cell: usize| format!("r{}c{}", cell / 9 + 1, cell % 9 + 1);
    find(grid, &mut step).then(|| {
        let eliminations: Vec<String> = step
            .eliminations
            .iter()
            .map(|elimination| {
                let digits: String = elimination.digits.into_iter().map(|digit| (digit + 1).to_string()).collect();
                format!("{}-{digits}", name(elimination.cell))
            })
            .collect();
        format!("{}|{}|{}", step.technique, step.difficulty.tenths(), eliminations.join(","))
    })
}
