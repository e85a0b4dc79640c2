//! Compares outlines of runs with exact runs.

use super::NestedRules;
use crate::rating::candidates::Candidates;
use crate::rating::chains::bits::{is_empty, without};
use crate::rating::chains::links::Links;
use crate::rating::chains::run::{ChainKind, Detail, ImplicationRun, Literal};
use crate::rating::technique::Nesting;
use crate::rating::{Difficulty, Rater};
use crate::stop::Stop;

const PUZZLE: &str = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

/// The states before the hardest steps, in which there are no easier chains.
fn states() -> Vec<Candidates> {
    let mut puzzle = [0; 81];
    puzzle.iter_mut().zip(PUZZLE.bytes()).for_each(|(cell, byte)| *cell = byte.saturating_sub(b'0'));
    let mut states = Vec::new();
    Rater::new().rate(&puzzle, |grid, step| {
        if step.difficulty >= Difficulty::from_tenths(95) {
            states.push(grid.clone());
        }
    });
    states
}

/// An outline without a contradiction has all that the exact run has, and is that run if no chains exclude anything.
#[test]
fn outlines_have_all_that_exact_runs_have() {
    let mut links = Links::default();
    let mut run = ImplicationRun::<12>::default();
    let [mut same, mut outlines, mut ended] = [0; 3];
    for state in states().iter().step_by(3) {
        links.build(state);
        for nesting in [Nesting::ForcingChains, Nesting::MultipleForcingChains] {
            let mut rules = NestedRules::new(nesting, &Stop::new());
            rules.set_state(state);
            let assumptions =
                (0..links.len()).flat_map(|candidate| [true, false].map(|on| Literal::new(candidate, on)));
            for assumption in assumptions {
                let mut follow = |detail| {
                    run.follow(&links, ChainKind::Dynamic, assumption, u32::MAX, &mut rules, detail).unwrap();
                    (run.on, run.off, run.contradiction, run.is_outline)
                };
                let outline = follow(Detail::Outline);
                let exact = follow(Detail::Exact);

                assert!(!exact.3);
                if !outline.3 {
                    same += 1;
                    assert_eq!(outline, exact);
                } else if outline.2.is_none() {
                    outlines += 1;
                    assert_eq!(exact.2, None);
                    assert!(is_empty(&without(&exact.0, &outline.0)) && is_empty(&without(&exact.1, &outline.1)));
                } else {
                    ended += 1;
                }
            }
        }
    }
    assert!(same > 0 && outlines > 0 && ended > 0, "the cases were not all seen: {same}, {outlines}, {ended}");
}
