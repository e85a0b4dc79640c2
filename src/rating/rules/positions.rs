//! Reads positions for the tests of the techniques.
//!
//! A position is 81 words, row by row: a value, or the candidates of a blank. Those of the tests are cut from the
//! reference program's solutions of puzzles of our own.

use super::super::candidates::Candidates;
use super::super::sets::DigitSet;
use super::super::step::Step;

/// The grid of a position.
pub(super) fn position(text: &str) -> Candidates {
    with(text, &[])
}

/// The grid of a position in which some cells have other candidates: `("r4c7", "249")`.
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

/// What a rule finds: `XY-Wing|42|r3c9-1,r5c7-1`.
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
