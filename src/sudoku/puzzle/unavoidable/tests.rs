//! Tests of unavoidable sets against a search by the definition.

use super::*;
use crate::puzzle::{Geometry, rules};

fn grid(text: &str) -> Vec<u8> {
    text.bytes().map(|digit| digit - b'0').collect()
}

fn solutions() -> Vec<(Size, Vec<u8>)> {
    vec![
        (Size::Four, grid("1234341221434321")),
        (Size::Six, grid("123456456123231564564231312645645312")),
        (Size::Nine, grid("316478952798253641254169378461895237523617489987342516875924163639581724142736895")),
        (Size::Nine, grid("123456789456789123789123456231564897564897231897231564312645978645978312978312645")),
    ]
}

/// Each set of cells, by the definition, with the other solution.
fn sets(size: Size, solution: &[u8]) -> Vec<(Vec<usize>, Vec<u8>)> {
    let (geometry, side) = (Geometry::of(size), size.side());
    let cells = |is_in: &dyn Fn(usize) -> bool| (0..size.cells()).filter(|&cell| is_in(cell)).collect::<Vec<_>>();
    let (mut sets, pairs) = (vec![], (0..side).flat_map(|second| (0..second).map(move |first| (first, second))));
    for (first, second) in pairs {
        let digits = [first as u8 + 1, second as u8 + 1];
        let two = cells(&|cell| digits.contains(&solution[cell]));
        for set in parts(two, |cell, other| geometry.peers(cell).contains(&(other as u16))) {
            let mut other = solution.to_vec();
            for &cell in &set {
                other[cell] = digits[0] + digits[1] - solution[cell];
            }
            sets.push((set, other));
        }

        let lines: [fn(&Geometry, usize) -> usize; 2] = [Geometry::row, Geometry::column];
        for (line, of_band) in lines.into_iter().zip([size.box_rows(), size.box_columns()]) {
            let line = |cell| line(geometry, cell);
            if first / of_band != second / of_band {
                continue;
            }
            let two = cells(&|cell| [first, second].contains(&line(cell)));
            // The neighbouring cell in the other line.
            let beside = |cell: usize| {
                let step = if line(1) == 0 { side } else { 1 } * (second - first);
                if line(cell) == first { cell + step } else { cell - step }
            };
            for set in parts(two, |cell, other| beside(cell) == other || solution[cell] == solution[other]) {
                let mut other = solution.to_vec();
                for &cell in &set {
                    other[cell] = solution[beside(cell)];
                }
                sets.push((set, other));
            }
        }
    }
    sets
}

/// The connected parts of some cells.
fn parts(mut cells: Vec<usize>, are_linked: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut parts = vec![];
    while let Some(cell) = cells.pop() {
        let mut part = vec![cell];
        let mut next = 0;
        while next < part.len() {
            part.extend(cells.extract_if(.., |other| are_linked(part[next], *other)).collect::<Vec<_>>());
            next += 1;
        }
        parts.push(part);
    }
    parts
}

#[test]
fn the_only_clue_of_a_set_is_needed() {
    for (size, solution) in solutions() {
        let all = sets(size, &solution);
        for (cells, other) in &all {
            assert!(rules::is_solution(size, &vec![0; other.len()], other), "{cells:?}");
            assert!((0..other.len()).all(|cell| cells.contains(&cell) == (other[cell] != solution[cell])), "{cells:?}");
        }

        let mut found = UnavoidableSets::new();
        found.set(size, &solution, &solution);
        let mut clues: Vec<usize> = (0..size.cells()).collect();
        let mut removed = vec![];
        let check = |found: &UnavoidableSets, clues: &[usize]| {
            for &cell in clues {
                let alone = |set: &Vec<usize>| set.iter().filter(|cell| clues.contains(cell)).eq([&cell]);
                let is_alone = all.iter().any(|(set, _)| alone(set));
                assert_eq!(found.prove_needed(cell), is_alone, "{cell} of {clues:?}");
            }
        };
        // Remove every seventh of the remaining clues, as long as each set keeps one.
        for step in 0..size.cells() {
            let cell = clues[step * 7 % clues.len()];
            if !found.prove_needed(cell) {
                found.toggle(cell);
                clues.retain(|&clue| clue != cell);
                removed.push(cell);
                check(&found, &clues);
            }
        }
        assert!(clues.iter().any(|&cell| found.prove_needed(cell)));
        let mut puzzle = solution.clone();
        for &cell in &removed {
            puzzle[cell] = 0;
        }
        let mut again = UnavoidableSets::new();
        again.set(size, &solution, &puzzle);
        check(&again, &clues);
        while let Some(cell) = removed.pop() {
            found.toggle(cell);
            clues.push(cell);
            check(&found, &clues);
        }
        assert!(clues.iter().all(|&cell| !found.prove_needed(cell)));
    }
}

#[test]
fn all_sets_of_two_lines_are_listed() {
    for (size, solution) in solutions() {
        let bits = |(cells, _): (Vec<usize>, _)| cells.into_iter().fold(0, |bits, cell| bits | 1 << cell);
        let mut expected: Vec<CellSet> = sets(size, &solution).into_iter().map(bits).collect();
        let mut found = vec![];
        find_two_line_sets(size, &solution, &mut found);
        assert!(found.is_sorted_by_key(|set| set.count_ones()), "{size}");
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{size}");
    }
}

/// Compares with the definitions, cell by cell, in puzzles with every n-th cell, and in puzzles without these cells.
#[test]
fn a_likely_digit_is_open_and_boxes_apart_are_filled_in() {
    for (size, solution) in solutions() {
        for step in 2..8 {
            let is_nth = |cell: usize| cell.is_multiple_of(step);
            for puzzle in [true, false].map(|of_nth| kept(&solution, |cell| is_nth(cell) == of_nth)) {
                for clue in (0..size.cells()).filter(|&cell| puzzle[cell] != 0) {
                    check_first_question(size, &solution, &puzzle, clue);
                }
            }
        }
    }
}

/// Keeps the cells where `is_kept` is true, and blanks the rest.
fn kept(solution: &[u8], is_kept: impl Fn(usize) -> bool) -> Vec<u8> {
    solution.iter().enumerate().map(|(cell, &value)| if is_kept(cell) { value } else { 0 }).collect()
}

fn check_first_question(size: Size, solution: &[u8], puzzle: &[u8], clue: usize) {
    let geometry = Geometry::of(size);
    let mut sets = UnavoidableSets::new();
    sets.set(size, solution, puzzle);

    let seen = |digit: usize| -> Vec<usize> {
        let peers = geometry.peers(clue).iter().map(|&peer| usize::from(peer));
        peers.filter(|&peer| usize::from(solution[peer]) == digit + 1).collect()
    };
    let is_open =
        |digit: &usize| *digit + 1 != usize::from(solution[clue]) && seen(*digit).iter().all(|&cell| puzzle[cell] == 0);
    let open: Vec<usize> = (0..size.side()).filter(is_open).collect();
    let fewest = open.iter().map(|&digit| seen(digit).len()).min();
    let digit = sets.likely_digit(clue);
    assert!(digit.is_none_or(|digit| open.contains(&digit)), "{clue} of {size}");
    assert_eq!(digit.map(|digit| seen(digit).len()), fewest, "{clue} of {size}");

    let band = |cell: usize| geometry.row(cell) / size.box_rows();
    let stack = |cell: usize| geometry.column(cell) / size.box_columns();
    for digit in open {
        let mut filled = puzzle.to_vec();
        sets.fill_boxes_apart(clue, digit, &mut filled);
        let mut used = seen(digit);
        used.push(clue);
        for (cell, &value) in filled.iter().enumerate() {
            let is_apart = used.iter().all(|&used| band(used) != band(cell) && stack(used) != stack(cell));
            assert_eq!(value, if is_apart { solution[cell] } else { puzzle[cell] }, "{cell}, {clue} of {size}");
        }
    }
}
