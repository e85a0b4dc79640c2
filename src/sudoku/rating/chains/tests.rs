//! Tests of the searches for chains, and states for further tests of chains.

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::thread;

use strum::VariantArray;

use super::run::{Detail, Exclusions};
use super::*;
use crate::rating::{Because, Difficulty, Implication, Rater, Statement};

/// The states of a puzzle before each step that is at least this hard.
pub(super) fn states_of(puzzle: &str, tenths: u16) -> Vec<Candidates> {
    let mut cells = [0; 81];
    cells.iter_mut().zip(puzzle.bytes()).for_each(|(cell, byte)| *cell = byte.saturating_sub(b'0'));
    let mut states = Vec::new();
    Rater::new().rate(&cells, |grid, step| {
        if step.difficulty >= Difficulty::from_tenths(tenths) {
            states.push(grid.clone());
        }
    });
    states
}

/// The states of a very hard puzzle before its hardest steps, where easier chains do not exist.
pub(super) fn hardest_states() -> &'static [Candidates] {
    const PUZZLE: &str = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
    static STATES: LazyLock<Vec<Candidates>> = LazyLock::new(|| states_of(PUZZLE, 95));
    &STATES
}

/// Each search checks the stop before its first assumption, and nested searches once more for each search in a run. The
/// closure rules out static chains in this state, so no search for them starts.
#[test]
fn an_overdue_stop_interrupts_every_search() {
    let puzzle = b".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
    let grid = Candidates::of(&puzzle.map(|byte| if byte == b'.' { 0 } else { byte - b'0' }));
    let mut step = Step::default();
    let mut chains = ChainSearch::default();
    chains.begin(&grid);
    chains.stop.trigger();
    thread::sleep(2 * Stop::GRACE);

    assert_eq!(chains.find_nishio(&grid, &mut step), Err(InterruptedError));
    for &nesting in Nesting::VARIANTS {
        assert_eq!(chains.find_dynamic(&grid, nesting, &mut step), Err(InterruptedError), "{nesting:?}");
        let mut rules = NestedRules::new(nesting, &chains.stop);
        rules.set_state(&grid);
        rules.begin(Detail::Exact);
        let exclude = rules.exclude(&chains.links, &mut [].into_iter(), &mut Exclusions::default());
        assert_eq!(exclude, Err(InterruptedError), "{nesting:?}");
    }
}

/// In a chain of any nesting, a statement is true if its assumptions are, and the conclusion is true.
#[test]
fn implications_hold_in_the_solution() {
    let puzzle = b".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";
    let puzzle = puzzle.map(|byte| if byte == b'.' { 0 } else { byte - b'0' });
    let text: String = puzzle.iter().map(|value| char::from(b'0' + value)).collect();
    let solution = crate::solve(&text).unwrap();
    let mut states = Vec::new();
    Rater::new().rate(&puzzle, |grid, _| states.push(grid.clone()));

    let mut chains = ChainSearch { has_implications: true, ..ChainSearch::default() };
    let mut step = Step::default();
    for (nesting, grid) in Nesting::VARIANTS.iter().flat_map(|&nesting| [0, 60].map(|at| (nesting, &states[at]))) {
        chains.begin(grid);
        if !chains.find_dynamic(grid, nesting, &mut step).unwrap() {
            continue;
        }
        let mut open: Vec<BTreeSet<usize>> = Vec::new();
        for (number, Implication { statement, because }) in step.implications.iter().enumerate() {
            let mut rests_on = BTreeSet::new();
            let mut free_of = BTreeSet::new();
            because.clone().each_number(|cause| rests_on.extend(open[*cause].iter().copied()));
            match because {
                Because::Assumed => rests_on.extend([number]),
                Because::Linked(_) | Because::Technique(..) => {}
                Because::Contradiction { assumption, .. } => free_of.extend([*assumption]),
                Because::Cases { cases, .. } => free_of.extend(cases.iter().map(|case| case[0])),
            }
            rests_on.retain(|assumption| !free_of.contains(assumption));

            let holds = |Statement { cell, digit, is_true }: Statement| {
                (usize::from(solution.cells()[cell]) == digit + 1) == is_true
            };
            let assumed = rests_on.iter().all(|&assumption| holds(step.implications[assumption].statement));
            assert!(!assumed || holds(*statement), "{nesting:?}, {number}: {:?}", step.implications);
            open.push(rests_on);
        }
        assert_eq!(open.last(), Some(&BTreeSet::new()), "{nesting:?}");
    }
}

/// Restricting the starts by the closures loses no chain.
#[test]
fn the_closures_leave_all_chains() {
    let puzzle = b"..86.75...76..58.295..2..3........736.........9.2..65..845.....5.....2......41...";
    let mut states = Vec::new();
    Rater::new().rate(&puzzle.map(|byte| byte.saturating_sub(b'0')), |grid, _| states.push(grid.clone()));

    let (mut step, mut expected) = (Step::default(), Step::default());
    let mut found = [0; 2];
    for grid in &states {
        let mut chains = ChainSearch::default();
        chains.begin(grid);
        let is_found = chains.find_unary(grid, &mut step);

        let mut every = [0; 12];
        (0..chains.links.len()).for_each(|candidate| bits::insert(&mut every, candidate));
        let every = Starts { within: every, cycles: every, on: every, off: every };
        let first = Unary::<12>::default().first(grid, &chains.links, |_| Some(every));
        assert_eq!(is_found, first.is_some());
        if let Some(first) = first {
            write_unary(&chains.links, &first, &mut expected);
            assert_eq!(step, expected);
        }
        let conclusions =
            |all: Vec<UnaryChain>| all.into_iter().map(|chain| (chain.link_kinds, chain.complexity, chain.conclusion));
        let left = chains.wide.all_unary(&chains.links, grid);
        let all = Unary::<12>::default().all(grid, &chains.links, |_| Some(every));
        assert!(conclusions(left).eq(conclusions(all)));
        found[usize::from(is_found)] += 1;
    }
    assert!(found.iter().all(|&count| count > 0), "the cases were not all seen: {found:?}");
}

#[test]
fn a_tenth_is_added_beyond_each_rung() {
    let printed = |complexity| tenths(difficulty(7.0, complexity));
    assert_eq!([2, 6, 7, 8, 9, 10, 11, 14, 15].map(printed), [70, 70, 71, 71, 72, 72, 73, 73, 74]);
    assert_eq!(tenths(difficulty(8.5, 8195)), 85 + 23);
}

#[test]
fn the_order_is_that_of_floating_point() {
    assert!(difficulty(6.6, 7) < difficulty(6.5, 10));
    assert_eq!(tenths(difficulty(6.6, 7)), tenths(difficulty(6.5, 10)));
}
