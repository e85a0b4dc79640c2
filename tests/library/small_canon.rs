//! Canonical forms of 4x4 and 6x6: all grids and all 4x4 puzzles, counted by class, and a slow canonicaliser that tries
//! every arrangement.

use std::array;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use gridmill::canon::{Canonicaliser, Class, Form};
use gridmill::puzzle::{Geometry, Isomorph, Size};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const SIZES: [Size; 2] = [Size::Four, Size::Six];

/// The orders of lines that keep blocks of `height` lines together.
fn line_orders(side: usize, height: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![vec![]];
    for place in 0..side {
        let follows = |order: &[usize], line: usize| {
            !order.contains(&line) && (place % height == 0 || line / height == order[place - 1] / height)
        };
        orders = orders
            .iter()
            .flat_map(|order: &Vec<usize>| {
                (0..side).filter(|&line| follows(order, line)).map(|line| [&order[..], &[line]].concat())
            })
            .collect();
    }
    orders
}

/// All arrangements of the cells of a size: for each cell, the one that its value comes from.
fn arrangements(size: Size) -> Vec<Vec<usize>> {
    let side = size.side();
    let rows = line_orders(side, size.box_rows());
    let columns = line_orders(side, size.box_columns());
    let mut all = vec![];
    for (rows, columns) in rows.iter().flat_map(|rows| columns.iter().map(move |columns| (rows, columns))) {
        let source = |cell: usize| (rows[cell / side], columns[cell % side]);
        all.push((0..size.cells()).map(|cell| source(cell).0 * side + source(cell).1).collect());
        if size.has_square_boxes() {
            all.push((0..size.cells()).map(|cell| source(cell).1 * side + source(cell).0).collect());
        }
    }
    all
}

/// The number of isomorphisms: arrangements, and names of the digits.
fn group_order(size: Size) -> usize {
    let arrangements = if size == Size::Four { 128 } else { 3456 };
    arrangements * (1..=size.side()).product::<usize>()
}

/// The smallest grid that a naming of the digits makes of an arranged grid, and the names.
fn named(grid: &[u8], arrangement: &[usize]) -> (Vec<u8>, [u8; 10]) {
    let (mut names, mut last) = ([0; 10], 0);
    let mut name = |digit: u8| {
        let name = &mut names[usize::from(digit)];
        if digit > 0 && *name == 0 {
            last += 1;
            *name = last;
        }
        *name
    };
    (arrangement.iter().map(|&cell| name(grid[cell])).collect(), names)
}

/// The smallest isomorph of `key`, how many arrangements lead to it, and the smallest grid that they make of `puzzle`.
fn slow(arrangements: &[Vec<usize>], key: &[u8], puzzle: &[u8]) -> (Vec<u8>, u32, Vec<u8>) {
    let smallest = arrangements.iter().map(|arrangement| named(key, arrangement).0).min().expect("arrangements");
    let ways = arrangements.iter().map(|arrangement| (arrangement, named(key, arrangement)));
    let carried: Vec<Vec<u8>> = ways
        .filter(|(_, (grid, _))| *grid == smallest)
        .map(|(arrangement, (_, names))| arrangement.iter().map(|&cell| names[usize::from(puzzle[cell])]).collect())
        .collect();
    (smallest, carried.len() as u32, carried.into_iter().min().expect("at least one way"))
}

/// All solved grids that start with these cells.
fn grids(size: Size, start: &[u8]) -> Vec<Vec<u8>> {
    fn fill(geometry: &Geometry, grid: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
        let (cell, size) = (grid.len(), geometry.size());
        if cell == size.cells() {
            return found.push(grid.clone());
        }
        let earlier = geometry.peers(cell).iter().map(|&peer| usize::from(peer)).filter(|&peer| peer < cell);
        let seen = earlier.fold(0_u32, |seen, peer| seen | 1 << grid[peer]);
        for digit in (1..=size.side() as u8).filter(|digit| seen >> digit & 1 == 0) {
            grid.push(digit);
            fill(geometry, grid, found);
            grid.pop();
        }
    }
    let mut found = vec![];
    fill(Geometry::of(size), &mut start.to_vec(), &mut found);
    found
}

/// The grids that have 1, 2, 3 and so on in their first row: one of `side!` that differ by the names of their digits.
fn named_grids(size: Size) -> Vec<Vec<u8>> {
    let first_row: Vec<u8> = (1..=size.side() as u8).collect();
    grids(size, &first_row)
}

/// Each isomorphism of a class takes its form to a grid of the class, so the class has as many grids as there are
/// isomorphisms, divided by the automorphisms. The number of classes of 4x4 and of 6x6 is known, too.
#[test]
fn all_grids_fall_into_2_classes_of_4x4_and_49_of_6x6() {
    for (size, all, classes) in [(Size::Four, 288, 2), (Size::Six, 28_200_960, 49)] {
        let mut canonicaliser = Canonicaliser::new();
        let mut counts: BTreeMap<Form, (usize, usize)> = BTreeMap::new();
        for grid in named_grids(size) {
            let form = canonicaliser.of_unique(&grid, &grid);
            assert_eq!(form.puzzle, form.solution);
            let (automorphisms, count) = counts.entry(form.solution).or_insert((form.automorphisms as usize, 0));
            assert_eq!(*automorphisms, form.automorphisms as usize);
            *count += 1;
        }

        let namings: usize = (1..=size.side()).product();
        for (form, (automorphisms, count)) in &counts {
            assert_eq!(count * namings * automorphisms, group_order(size), "{form}");
            assert_eq!(named(form, &(0..size.cells()).collect::<Vec<_>>()).0, form[..]);
        }
        assert_eq!(counts.values().map(|(_, count)| count * namings).sum::<usize>(), all);
        assert_eq!(counts.len(), classes);
    }
}

/// All 4x4 puzzles with exactly one solution. Those of one solution are its sets of clues that no other grid has; two of
/// them are isomorphs if and only if an automorphism of the solution takes one set to the other.
#[test]
fn all_4x4_puzzles_with_one_solution_fall_into_4710_classes() {
    let grids = grids(Size::Four, &[]);
    let arrangements = arrangements(Size::Four);
    let mut canonicaliser = Canonicaliser::new();
    let mut puzzles = 0;
    let mut classes = vec![];
    let mut ids = BTreeSet::new();

    let forms: BTreeSet<Form> = grids.iter().map(|grid| canonicaliser.of_unique(grid, grid).solution).collect();
    for solution in &forms {
        let set = |has: &dyn Fn(usize) -> bool| (0..16).fold(0_u16, |set, cell| set | u16::from(has(cell)) << cell);
        let differences: Vec<u16> = (grids.iter().map(|other| set(&|cell| other[cell] != solution[cell])))
            .filter(|&difference| difference != 0)
            .collect();
        let automorphisms: Vec<&Vec<usize>> =
            arrangements.iter().filter(|arrangement| named(solution, arrangement).0 == solution[..]).collect();
        let smallest_image = |clues: u16| {
            automorphisms
                .iter()
                .map(|sources| set(&|cell| clues >> sources[cell] & 1 == 1))
                .min()
                .expect("the identity")
        };

        let mut form_of_image: HashMap<u16, Form> = HashMap::new();
        let mut unique = 0;
        for clues in (0..=u16::MAX).filter(|clues| differences.iter().all(|difference| clues & difference != 0)) {
            let puzzle: Vec<u8> = (0..16).map(|cell| solution[cell] * (clues >> cell & 1) as u8).collect();
            let form = canonicaliser.of_unique(&puzzle, solution);
            assert_eq!((form.solution, form.automorphisms as usize), (*solution, automorphisms.len()));
            assert_eq!(*form_of_image.entry(smallest_image(clues)).or_insert(form.puzzle), form.puzzle);
            unique += 1;
        }

        puzzles += unique * group_order(Size::Four) / automorphisms.len();
        let forms: BTreeSet<&Form> = form_of_image.values().collect();
        assert_eq!(forms.len(), form_of_image.len(), "isomorphs only have the same form");
        ids.extend(forms.iter().map(|form| Class::of(form)));
        classes.push(forms.len());
    }

    classes.sort_unstable();
    assert_eq!(classes, [1465, 3245]);
    assert_eq!(puzzles, 13_579_680);
    assert_eq!(ids.len(), 1465 + 3245);
}

/// A puzzle with its size: cells of a solved grid, which comes with it, or clues of few kinds of rows and columns, which
/// mostly contradict each other: many rows, columns, bands and stacks are copies.
fn any_puzzle() -> impl Strategy<Value = (Size, Vec<u8>, Option<Vec<u8>>)> {
    (prop::sample::select(&SIZES[..]), any::<u64>(), 0.0..1.0).prop_map(|(size, seed, clues)| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let side = size.side();
        if random.random_bool(0.5) {
            let solution = random_grid(size, &mut random);
            let puzzle = solution.iter().map(|&digit| if random.random_bool(clues) { digit } else { 0 }).collect();
            return (size, puzzle, Some(solution));
        }

        let digits = random.random_range(1..=side as u8);
        let table: [u8; 9] =
            array::from_fn(|_| if random.random_bool(clues) { random.random_range(1..=digits) } else { 0 });
        let kinds: Vec<usize> = (0..2 * side).map(|_| random.random_range(0..3)).collect();
        let cell = |cell: usize| table[3 * kinds[cell / side] + kinds[side + cell % side]];
        (size, (0..size.cells()).map(cell).collect(), None)
    })
}

/// An isomorph of any grid, or of the regular grid, which has many automorphisms.
fn random_grid(size: Size, random: &mut Xoshiro256PlusPlus) -> Vec<u8> {
    static GRIDS: LazyLock<[Vec<Vec<u8>>; 2]> = LazyLock::new(|| SIZES.map(named_grids));
    let (side, box_rows) = (size.side(), size.box_rows());
    let regular =
        |cell: usize| (cell / side % box_rows * size.box_columns() + cell / side / box_rows + cell) % side + 1;
    let grids = GRIDS.iter().find(|grids| grids[0].len() == size.cells()).expect("grids of each size");
    let grid = if random.random_bool(0.5) {
        grids[random.random_range(0..grids.len())].clone()
    } else {
        (0..size.cells()).map(|cell| regular(cell) as u8).collect()
    };

    let mut image = vec![0; grid.len()];
    Isomorph::random(size, random).apply_into(&grid, &mut image);
    image
}

fn form_of_clues(puzzle: &[u8]) -> Form {
    Canonicaliser::new().of_clues(puzzle, Canonicaliser::BOUND).expect("a form within the bound")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// By clues and by the solution, as if that were the only one.
    #[test]
    fn forms_are_those_of_the_slow_canonicaliser((size, puzzle, solution) in any_puzzle()) {
        let arrangements = arrangements(size);
        prop_assert_eq!(arrangements.len() * (1..=size.side()).product::<usize>(), group_order(size));
        prop_assert_eq!(&form_of_clues(&puzzle)[..], slow(&arrangements, &puzzle, &puzzle).0);
        if let Some(solution) = solution {
            let form = Canonicaliser::new().of_unique(&puzzle, &solution);
            let found = (form.solution.to_vec(), form.automorphisms, form.puzzle.to_vec());
            prop_assert_eq!(found, slow(&arrangements, &solution, &puzzle));
            prop_assert_eq!(group_order(size) % form.automorphisms as usize, 0);
        }
    }

    #[test]
    fn isomorphs_have_the_same_form((size, puzzle, solution) in any_puzzle(), seed: u64) {
        let mut canonicaliser = Canonicaliser::new();
        let form = form_of_clues(&puzzle);
        prop_assert_eq!((form.size(), form_of_clues(&form)), (size, form));
        let unique = solution.as_ref().map(|solution| canonicaliser.of_unique(&puzzle, solution));
        if let Some(unique) = &unique {
            prop_assert_eq!(&canonicaliser.of_unique(&unique.puzzle, &unique.solution), unique);
        }

        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for _ in 0..20 {
            let isomorphism = Isomorph::random(size, &mut random);
            let image = |grid: &[u8]| {
                let mut image = vec![0; grid.len()];
                isomorphism.apply_into(grid, &mut image);
                image
            };
            prop_assert_eq!(form_of_clues(&image(&puzzle)), form);
            let other = solution.as_ref().map(|solution| canonicaliser.of_unique(&image(&puzzle), &image(solution)));
            prop_assert_eq!(&other, &unique);
        }
    }
}
