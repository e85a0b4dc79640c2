//! Compares what is known without following an assumption with what follows.

use super::{Memory, Multiple};
use crate::rating::Candidates;
use crate::rating::chains::First;
use crate::rating::chains::links::{GroupSet, Links, MAX_CANDIDATES};
use crate::rating::chains::nested::NestedRules;
use crate::rating::chains::run::{ChainKind, Detail, ImplicationRun, Literal, NoRules, Rules};
use crate::rating::chains::tests::hardest_states;
use crate::rating::technique::Nesting;
use crate::stop::Stop;

/// What is remembered of a state is what follows in a later one.
#[test]
fn what_is_remembered_follows() {
    fn check<R: Rules>(kind: ChainKind, states: &[Candidates], rules: impl Fn(&Candidates) -> R) {
        let mut links = Links::default();
        let mut run = ImplicationRun::<12>::default();
        let mut memory = Memory::<12>::default();
        let [mut known, mut forgotten] = [0; 2];
        for state in states {
            links.build(state);
            memory.begin(&links);
            let mut rules = rules(state);
            for assumption in (0..2 * links.len()).map(|number| Literal::new(number / 2, number % 2 == 0)) {
                run.follow(&links, kind, assumption, u32::MAX, &mut rules, Detail::Outline).unwrap();
                match memory.known(assumption) {
                    Some(sides) => {
                        known += 1;
                        assert_eq!((sides, run.contradiction), ([run.on, run.off], None));
                    }
                    None => forgotten += 1,
                }
                memory.keep(assumption, &run);
            }
        }
        assert!(known > 0 && forgotten > 0, "the cases were not all seen: {known}, {forgotten}");
    }

    let states = &hardest_states()[..4];
    check(ChainKind::Nishio, states, |_| NoRules);
    check(ChainKind::Dynamic, states, |_| NoRules);
    for nesting in [Nesting::Simple, Nesting::ForcingChains, Nesting::MultipleForcingChains] {
        check(ChainKind::Dynamic, states, |state| {
            let mut rules = NestedRules::new(nesting, &Stop::new());
            rules.set_state(state);
            rules
        });
    }
}

/// From one of two candidates of a group being false follows what does from the other one being true.
#[test]
fn the_same_follows_from_both_sides_of_a_link() {
    let mut links = Links::default();
    let [mut run, mut other_run] = [(); 2].map(|()| ImplicationRun::<12>::default());
    let [mut same, mut ended] = [0; 2];
    for state in hardest_states().iter().step_by(15) {
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

/// The first proof is the same when other searches are remembered.
#[test]
fn memories_do_not_change_the_first_proof() {
    let mut links = Links::default();
    let mut remembering = Multiple::<12>::default();
    for state in hardest_states().iter().take(8) {
        links.build(state);
        let [first, expected] = [true, false].map(|remembers| {
            let mut alone = Multiple::<12>::default();
            let multiple = if remembers { &mut remembering } else { &mut alone };
            if remembers {
                multiple.remember(ChainKind::Dynamic, Nesting::Simple);
            }
            let mut rules = NestedRules::new(Nesting::Simple, &Stop::new());
            rules.set_state(state);
            let mut first = First::default();
            let stop = Stop::new();
            multiple.search(&links, ChainKind::Dynamic, &GroupSet::ALL, &mut rules, &mut first, &stop).unwrap();
            first.0.map(|first| (first.rank(), first.proof))
        });
        assert_eq!(first, expected);
    }
}
