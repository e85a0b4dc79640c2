//! Compares outlines of runs with exact runs.

use super::NestedRules;
use crate::rating::chains::bits::{has, is_empty, members, without};
use crate::rating::chains::links::Links;
use crate::rating::chains::run::{ChainKind, Detail, ImplicationRun, Literal, Rules};
use crate::rating::chains::tests::hardest_states;
use crate::rating::technique::Nesting;
use crate::stop::Stop;

/// An outline without a contradiction has all that the exact run has, and is that run if no chains exclude anything.
#[test]
fn outlines_have_all_that_exact_runs_have() {
    let mut links = Links::default();
    let mut run = ImplicationRun::<12>::default();
    let [mut same, mut outlines, mut ended] = [0; 3];
    for state in hardest_states().iter().step_by(3) {
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

/// A limit of runs that leaves out some statements of most runs.
const LIMIT: u32 = 12;

/// Traced one by one when a proof needs them, chains are those that are traced at once, and bounds of them hold. A limit
/// leaves out only what is more complex.
#[test]
fn chains_are_the_same_when_they_are_traced_later() {
    let mut links = Links::default();
    let [mut later, mut at_once, mut limited] = [(); 3].map(|()| ImplicationRun::<12>::default());
    let [mut with_chains, mut left_out] = [0; 2];
    for state in hardest_states().iter().step_by(18) {
        links.build(state);
        let [mut rules, mut recording] = [(); 2].map(|()| NestedRules::new(Nesting::ForcingChains, &Stop::new()));
        rules.set_state(state);
        recording.set_state(state);
        recording.record(state);
        for assumption in (0..links.len()).map(|candidate| Literal::new(candidate, candidate % 2 == 0)) {
            let follow = |run: &mut ImplicationRun<12>, rules: &mut NestedRules, limit| {
                run.follow(&links, ChainKind::Dynamic, assumption, limit, rules, Detail::Exact).unwrap();
            };
            follow(&mut later, &mut rules, u32::MAX);
            follow(&mut at_once, &mut recording, u32::MAX);
            follow(&mut limited, &mut rules, LIMIT);
            assert_eq!((later.on, later.off, later.contradiction), (at_once.on, at_once.off, at_once.contradiction));
            if !later.has_untraced() {
                continue;
            }

            let literals = [(true, later.on), (false, later.off)];
            for literal in literals.iter().flat_map(|(on, side)| members(side).map(|index| Literal::new(index, *on))) {
                let end = later.node_of(literal);
                let bounds = (later.least(end), later.count(&links, end), later.least_of_chains([end].into_iter()));
                later.trace_chains(&links, end, &mut rules);
                let count = later.count(&links, end);
                let complexity = rules.nested_complexity(&links, [(&later, end)].into_iter());
                assert_eq!(at_once.node_of(literal), end);
                assert_eq!(count, at_once.count(&links, end));
                assert_eq!(complexity, recording.nested_complexity(&links, [(&at_once, end)].into_iter()));
                assert!(bounds.0 <= count && bounds.1 <= count && bounds.2 <= complexity);

                let is_there = has(if literal.on { &limited.on } else { &limited.off }, literal.index());
                assert!(is_there || limited.is_cut && count + complexity > LIMIT, "{count} {complexity}");
                with_chains += usize::from(complexity > 0);
                left_out += usize::from(!is_there);
            }
        }
    }
    assert!(with_chains > 0 && left_out > 0, "the cases were not all seen: {with_chains}, {left_out}");
}
