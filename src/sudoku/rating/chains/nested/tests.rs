//! Compares pairs of runs that must have the same consequences.

use super::NestedRules;
use crate::rating::chains::bits::{is_empty, without};
use crate::rating::chains::links::{Links, MAX_CANDIDATES};
use crate::rating::chains::run::{ChainKind, Detail, ImplicationRun};
use crate::rating::chains::statement::Literal;
use crate::rating::chains::tests::hardest_states;
use crate::rating::technique::Nesting;
use crate::stop::Stop;

/// An outline without a contradiction contains the exact run, and equals it if no chains exclude anything.
#[test]
fn outlines_have_all_that_exact_runs_have() {
    let mut links = Links::default();
    let mut run = ImplicationRun::<12>::default();
    let [mut same, mut outlines, mut ended] = [0; 3];
    for state in hardest_states().iter().step_by(9) {
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

/// If one of the two candidates of a group is false, the same follows as if the other is true.
#[test]
fn the_same_follows_from_both_sides_of_a_link() {
    let mut links = Links::default();
    let [mut run, mut other_run] = [(); 2].map(|()| ImplicationRun::<12>::default());
    let [mut same, mut ended] = [0; 2];
    for state in hardest_states().iter().step_by(30) {
        links.build(state);
        let mut rules = NestedRules::new(Nesting::ForcingChains, &Stop::new());
        rules.set_state(state);
        for candidate in 0..links.len() {
            let others = links.strong(candidate).into_iter().map(usize::from);
            for other in others.filter(|&other| other < MAX_CANDIDATES) {
                let mut follow = |run: &mut ImplicationRun<12>, assumption| {
                    run.follow(&links, ChainKind::Dynamic, assumption, u32::MAX, &mut rules, Detail::Outline).unwrap();
                };
                follow(&mut run, Literal::new(candidate, false));
                follow(&mut other_run, Literal::new(other, true));
                assert_eq!(run.contradiction.is_some(), other_run.contradiction.is_some());
                if run.contradiction.is_none() {
                    same += 1;
                    assert_eq!((run.on, run.off), (other_run.on, other_run.off));
                } else {
                    ended += 1;
                }
            }
        }
    }
    assert!(same > 0 && ended > 0, "the cases were not all seen: {same}, {ended}");
}
