//! Compares canonical forms with those of a slow canonicaliser that tries every isomorphism, above all on grids with
//! many automorphisms.

use std::array;
use std::collections::{BTreeMap, BTreeSet};

use gridmill::canon::{Canonicaliser, Class, Form, OutOfBoundError};
use gridmill::puzzle::{Grid, Isomorph, Size};
use proptest::prelude::*;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

type Random = Xoshiro256PlusPlus;

/// The canonical form by clues; no puzzle here reaches the bound.
fn form_of_clues(puzzle: &Grid) -> Grid {
    grid(&Canonicaliser::new().of_clues(puzzle, Canonicaliser::BOUND).expect("a form within the bound"))
}

/// The cells of a form.
fn grid(form: &Form) -> Grid {
    form[..].try_into().expect("81 cells")
}

/// Keeps each cell of a grid with a probability.
fn some_cells(grid: &Grid, probability: f64, random: &mut Random) -> Grid {
    grid.map(|value| if random.random_bool(probability) { value } else { 0 })
}

/// A solved grid made by filling cells one after another, the one with the fewest candidates first, at random.
fn solved(random: &mut Random) -> Grid {
    fn fill(grid: &mut Grid, random: &mut Random) -> bool {
        let sees = |a: usize, b: usize| a / 9 == b / 9 || a % 9 == b % 9 || (a / 27, a % 9 / 3) == (b / 27, b % 9 / 3);
        let candidates = |grid: &Grid, cell: usize| -> Vec<u8> {
            (1..=9).filter(|&digit| !(0..81).any(|peer| sees(cell, peer) && grid[peer] == digit)).collect()
        };
        let blanks = (0..81).filter(|&cell| grid[cell] == 0);
        let Some(cell) = blanks.min_by_key(|&cell| candidates(grid, cell).len()) else { return true };
        let mut digits = candidates(grid, cell);
        digits.shuffle(random);
        for digit in digits {
            grid[cell] = digit;
            if fill(grid, random) {
                return true;
            }
        }
        grid[cell] = 0;
        false
    }
    let mut grid = [0; 81];
    assert!(fill(&mut grid, random));
    grid
}

/// A solved grid with a permutation of three for each row of a band and stack. With the coordinates in base 3, a digit
/// is
///
/// ```text
///     high = stack + row in band       low = permutation[row in band][stack](column in stack + band)
/// ```
///
/// The permutations are free, and the more regular they are, the more automorphisms the grid has.
fn woven(permutations: &[[[usize; 3]; 3]; 3]) -> Grid {
    array::from_fn(|cell| {
        let (row, column) = (cell / 9, cell % 9);
        let high = (column / 3 + row % 3) % 3;
        let low = permutations[row % 3][column / 3][(column + row / 3) % 3];
        (3 * high + low + 1) as u8
    })
}

/// The grid with the most automorphisms.
fn most_symmetric() -> Grid {
    woven(&[[[0, 1, 2]; 3]; 3])
}

/// Woven grids with different numbers of automorphisms, by that number.
fn symmetric_grids(random: &mut Random) -> BTreeMap<u32, Grid> {
    let mut canonicaliser = Canonicaliser::new();
    let mut permutation = || {
        let mut permutation = [0, 1, 2];
        permutation.shuffle(random);
        permutation
    };
    let mut grids: Vec<Grid> =
        (0..500).map(|_| woven(&array::from_fn(|_| array::from_fn(|_| permutation())))).collect();
    grids.push(most_symmetric());
    grids.into_iter().map(|grid| (canonicaliser.of_unique(&grid, &grid).automorphisms, grid)).collect()
}

/// The orders of nine lines that keep bands together.
fn line_orders() -> Vec<[usize; 9]> {
    let permutations = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let order = |n: usize| {
        array::from_fn(|i| 3 * permutations[n / 216][i / 3] + permutations[n / [36, 6, 1][i / 3] % 6][i % 3])
    };
    (0..1296).map(order).collect()
}

/// Tries all `2 * 6^8` orders of lines, naming digits as they first appear, and returns the smallest form of `key`, how
/// many orders lead to it, and the smallest form that they make of `puzzle`.
fn slow(key: &Grid, puzzle: &Grid) -> (Grid, u32, Grid) {
    let orders = line_orders();
    let mut best = ([9; 81], 0, [9; 81]);
    for reflected in [false, true] {
        let turn = |grid: &Grid| -> Grid {
            array::from_fn(|cell| grid[if reflected { 9 * (cell % 9) + cell / 9 } else { cell }])
        };
        let (key, puzzle) = (turn(key), turn(puzzle));
        for rows in &orders {
            for columns in &orders {
                let mut names = [0; 10];
                let mut last = 0;
                let mut form = [0; 81];
                let mut smaller = false;
                let worse = (0..81).any(|cell| {
                    let digit = usize::from(key[9 * rows[cell / 9] + columns[cell % 9]]);
                    if digit > 0 && names[digit] == 0 {
                        last += 1;
                        names[digit] = last;
                    }
                    form[cell] = names[digit];
                    smaller |= form[cell] < best.0[cell];
                    !smaller && form[cell] > best.0[cell]
                });
                if worse {
                    continue;
                }
                if smaller {
                    best = (form, 0, [9; 81]);
                }
                let carried = array::from_fn(|cell| names[usize::from(puzzle[9 * rows[cell / 9] + columns[cell % 9]])]);
                best.1 += 1;
                best.2 = best.2.min(carried);
            }
        }
    }
    best
}

/// Puzzles on grids with many automorphisms: thousands of isomorphs, one form for each puzzle.
#[test]
fn every_isomorph_on_a_symmetric_grid_has_the_same_form() {
    let mut random = Random::seed_from_u64(1);
    let mut canonicaliser = Canonicaliser::new();
    for (automorphisms, grid) in symmetric_grids(&mut random) {
        for clues in [0.25, 0.35, 0.6] {
            let puzzle = some_cells(&grid, clues, &mut random);
            let form = canonicaliser.of_unique(&puzzle, &grid);
            assert_eq!(form.automorphisms, automorphisms);
            for _ in 0..1000 {
                let isomorph = Isomorph::random(Size::Nine, &mut random);
                assert_eq!(canonicaliser.of_unique(&isomorph.apply(&puzzle), &isomorph.apply(&grid)), form);
            }
        }
    }
}

#[test]
fn forms_on_symmetric_grids_are_those_of_the_slow_canonicaliser() {
    let mut random = Random::seed_from_u64(2);
    let grids = symmetric_grids(&mut random);
    assert!(grids.len() >= 5 && grids.contains_key(&648), "{:?}", grids.keys());
    for solution in grids.values() {
        let puzzle = some_cells(solution, 0.3, &mut random);
        let form = Canonicaliser::new().of_unique(&puzzle, solution);
        assert_eq!((grid(&form.solution), form.automorphisms, grid(&form.puzzle)), slow(solution, &puzzle));
    }
}

#[test]
fn forms_on_random_grids_are_those_of_the_slow_canonicaliser() {
    let mut random = Random::seed_from_u64(3);
    for _ in 0..4 {
        let solution = solved(&mut random);
        let puzzle = some_cells(&solution, 0.3, &mut random);
        let form = Canonicaliser::new().of_unique(&puzzle, &solution);
        assert_eq!((grid(&form.solution), form.automorphisms, grid(&form.puzzle)), slow(&solution, &puzzle));
    }
}

/// A grid with a value for each row and column.
fn pattern(value: impl Fn(usize, usize) -> usize) -> Grid {
    array::from_fn(|cell| value(cell / 9, cell % 9) as u8)
}

/// Puzzles with many automorphisms of many kinds, contradictory ones among them.
fn symmetric_clues() -> Vec<Grid> {
    let up_to = |largest| most_symmetric().map(|value| if value > largest { 0 } else { value });
    vec![
        pattern(|row, column| if row == column { row + 1 } else { 0 }),
        pattern(|row, column| if row / 3 == column / 3 { 1 + row % 3 * 3 + column % 3 } else { 0 }),
        pattern(|row, column| if row < 1 { column + 1 } else { 0 }),
        pattern(|row, column| (row + column) % 9 + 1),
        pattern(|row, column| if row % 3 == column % 3 { row / 3 + 1 } else { 0 }),
        pattern(|row, column| if row < 3 && column > 5 { 1 + (row * 4 + column) % 5 } else { 0 }),
        up_to(1),
        up_to(4),
        up_to(7),
        up_to(9),
    ]
}

#[test]
fn forms_of_symmetric_clues_are_those_of_the_slow_canonicaliser() {
    for puzzle in symmetric_clues() {
        assert_eq!(form_of_clues(&puzzle), slow(&puzzle, &puzzle).0, "{puzzle:?}");
    }
}

/// Clues that hardly any isomorphism changes: they would take the slow canonicaliser long.
#[test]
fn forms_of_the_most_symmetric_clues_are_known() {
    let cases = [
        (pattern(|_, _| 0), pattern(|_, _| 0)),
        (pattern(|_, _| 7), pattern(|_, _| 1)),
        (pattern(|row, column| if (row, column) == (4, 7) { 5 } else { 0 }), pattern(|row, column| row * column / 64)),
        (pattern(|_, column| column + 1), pattern(|row, _| row + 1)),
        (pattern(|_, column| if column == 5 { 3 } else { 0 }), pattern(|row, _| row / 8)),
    ];
    for (puzzle, form) in cases {
        assert_eq!(form_of_clues(&puzzle), form);
        assert_eq!(form_of_clues(&puzzle.map(|value| if value == 0 { 0 } else { 10 - value })), form);
    }
}

#[test]
fn forms_of_random_clues_are_those_of_the_slow_canonicaliser() {
    let mut random = Random::seed_from_u64(5);
    for clues in [0.05, 0.1, 0.2, 0.5] {
        let puzzle = some_cells(&solved(&mut random), clues, &mut random);
        assert_eq!(form_of_clues(&puzzle), slow(&puzzle, &puzzle).0, "{puzzle:?}");
        let noise = some_cells(&array::from_fn(|_| random.random_range(1..=9)), clues, &mut random);
        assert_eq!(form_of_clues(&noise), slow(&noise, &noise).0, "{noise:?}");
    }
}

/// The number of steps that a puzzle takes, found by bisection.
fn work(puzzle: &Grid) -> u64 {
    let mut canonicaliser = Canonicaliser::new();
    let (mut low, mut high) = (0, Canonicaliser::BOUND);
    while low < high {
        let middle = u64::midpoint(low, high);
        match canonicaliser.of_clues(puzzle, middle) {
            Ok(_) => high = middle,
            Err(OutOfBoundError { .. }) => low = middle + 1,
        }
    }
    low
}

#[test]
fn a_bound_is_reached_by_all_isomorphs_or_by_none() {
    let mut random = Random::seed_from_u64(6);
    let mut canonicaliser = Canonicaliser::new();
    for puzzle in symmetric_clues() {
        let work = work(&puzzle);
        for _ in 0..5 {
            let isomorph = Isomorph::random(Size::Nine, &mut random).apply(&puzzle);
            assert_eq!(canonicaliser.of_clues(&isomorph, work - 1), Err(OutOfBoundError { bound: work - 1 }));
            assert_eq!(canonicaliser.of_clues(&isomorph, work), canonicaliser.of_clues(&puzzle, work));
        }
    }
}

/// Puzzles that differ in one clue have different classes.
#[test]
fn puzzles_that_differ_have_different_forms() {
    let mut random = Random::seed_from_u64(7);
    let mut canonicaliser = Canonicaliser::new();
    for _ in 0..20 {
        let grid = solved(&mut random);
        // A grid without automorphisms has as many classes of puzzles as it has sets of clues.
        assert_eq!(canonicaliser.of_unique(&grid, &grid).automorphisms, 1);
        let puzzle = some_cells(&grid, 0.3, &mut random);
        let toggled = (0..81).map(|cell| {
            let mut puzzle = puzzle;
            puzzle[cell] = if puzzle[cell] == 0 { grid[cell] } else { 0 };
            puzzle
        });
        let classes: BTreeSet<Class> =
            toggled.map(|puzzle| Class::of(&canonicaliser.of_unique(&puzzle, &grid).puzzle)).collect();
        assert_eq!(classes.len(), 81);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn isomorphs_have_the_same_form(seed in any::<u64>(), clues in 0.1..0.9) {
        let mut random = Random::seed_from_u64(seed);
        let mut canonicaliser = Canonicaliser::new();
        let grid = solved(&mut random);
        let puzzle = some_cells(&grid, clues, &mut random);
        let unique = canonicaliser.of_unique(&puzzle, &grid);
        let by_clues = form_of_clues(&puzzle);
        for _ in 0..10 {
            let isomorph = Isomorph::random(Size::Nine, &mut random);
            let other = isomorph.apply(&puzzle);
            prop_assert_eq!(&canonicaliser.of_unique(&other, &isomorph.apply(&grid)), &unique);
            prop_assert_eq!(form_of_clues(&other), by_clues);
        }
        // The canonical form of a form is the form.
        prop_assert_eq!(&canonicaliser.of_unique(&unique.puzzle, &unique.solution), &unique);
        prop_assert_eq!(form_of_clues(&by_clues), by_clues);
        prop_assert!(by_clues[..] <= unique.puzzle[..]);
    }

    /// Random clues, with contradictions, repeated digits and blank lines.
    #[test]
    fn isomorphs_of_any_clues_have_the_same_form(
        seed in any::<u64>(),
        cells in prop::collection::vec((0..81_usize, 1..=3_u8), 0..30),
    ) {
        let mut random = Random::seed_from_u64(seed);
        let mut puzzle = [0; 81];
        for (cell, digit) in cells {
            puzzle[cell] = digit;
        }
        let form = form_of_clues(&puzzle);
        for _ in 0..10 {
            prop_assert_eq!(form_of_clues(&Isomorph::random(Size::Nine, &mut random).apply(&puzzle)), form);
        }
        prop_assert_eq!(form_of_clues(&form), form);
    }
}
