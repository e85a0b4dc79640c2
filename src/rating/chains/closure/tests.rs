//! Compares what the closure tells with what searches find.

use super::*;
use crate::rating::chains::multiple::{FirstOfEach, ForState, Multiple};
use crate::rating::chains::run::{ChainKind, Detail, ImplicationRun, Literal, NoRules};
use crate::rating::chains::tests::states_of;
use crate::rating::chains::unary::{Unary, UnaryChain};
use crate::rating::sets::CellSet;
use crate::stop::Stop;

const PUZZLE: &str = "..86.75...76..58.295..2..3........736.........9.2..65..845.....5.....2......41...";

/// In what is left after each dynamic run, the closure finds what the searches find.
#[test]
fn the_closure_finds_where_static_chains_are() {
    let mut found = [[0; 2]; 2];
    for before in &states_of(PUZZLE, 85) {
        let mut links = Links::default();
        links.build(before);
        let mut closure = Closure::<12>::default();
        closure.begin(&links, LinkKinds::Xy);
        assert!(closure.groups_before(&links, before).is_none_or(|groups| groups == GroupSet::EMPTY));

        for candidate in 0..links.len() {
            let mut run = ImplicationRun::<12>::default();
            run.follow(
                &links,
                ChainKind::Dynamic,
                Literal::new(candidate, true),
                u32::MAX,
                &mut NoRules,
                Detail::Exact,
            )
            .unwrap();
            if run.contradiction.is_some() {
                continue;
            }

            let mut grid = before.clone();
            members(&run.off).for_each(|other| grid.remove(links.cell(other), links.digit(other)));
            let mut left = Links::default();
            left.build(&grid);

            let mut every = [0; 12];
            (0..left.len()).for_each(|candidate| insert(&mut every, candidate));
            let every = Starts { within: every, cycles: every, on: every, off: every };
            let all = Unary::<12>::default().all(&grid, &left, |_| Some(every));
            let excluded = closure.excluded_by_unary(&links, &grid, &run.off).unwrap();
            let has_unary = !is_empty(&excluded);
            let mut by_chains = [0; 12];
            for chain in &all {
                for (digit, cells) in chain.removed(&left).iter().enumerate() {
                    cells.into_iter().for_each(|cell| insert(&mut by_chains, links.index(cell, digit)));
                }
            }
            assert_eq!(excluded, by_chains);
            assert_eq!(has_unary, !all.is_empty());
            found[0][usize::from(has_unary)] += 1;
            if !has_unary {
                let mut proofs = [FirstOfEach::default(), FirstOfEach::default()];
                let groups = [GroupSet::ALL, closure.groups(&links, &grid, &run.off).0];
                for (proofs, groups) in proofs.iter_mut().zip(&groups) {
                    proofs.begin(&left);
                    let mut taken = ForState(proofs, &left);
                    let mut multiple = Multiple::<12>::default();
                    let stop = Stop::new();
                    multiple.search(&left, ChainKind::Static, groups, &mut NoRules, &mut taken, &stop).unwrap();
                }
                let [every, fewer] = proofs.map(|proofs| proofs.sorted());
                assert_eq!(every.len(), fewer.len());
                assert!(every.iter().zip(&fewer).all(|(a, b)| a.proof == b.proof && a.complexity == b.complexity));
                found[1][usize::from(!every.is_empty())] += 1;
            }
        }
    }
    assert!(found.iter().flatten().all(|&count| count > 0), "the cases were not all seen: {found:?}");
}

/// After each dynamic run, the links that are reduced are those of what is left, and chains may start where the closure of
/// these links says so.
#[test]
fn the_closure_finds_where_chains_start_after_a_run() {
    let mut found = [0; 3];
    let mut fewer = 0;
    for before in &states_of(PUZZLE, 85) {
        let mut links = Links::default();
        links.build(before);
        let mut reduced = links.clone();
        for candidate in 0..links.len() {
            let mut run = ImplicationRun::<12>::default();
            let assumption = Literal::new(candidate, true);
            run.follow(&links, ChainKind::Dynamic, assumption, u32::MAX, &mut NoRules, Detail::Exact).unwrap();
            if run.contradiction.is_some() {
                continue;
            }

            let mut grid = before.clone();
            members(&run.off).for_each(|other| grid.remove(links.cell(other), links.digit(other)));
            let mut left = Links::default();
            left.build(&grid);
            reduced.reduce(&links, members(&run.off));
            let number = |inner: usize| links.index(left.cell(inner), left.digit(inner));
            for inner in 0..left.len() {
                let strong = left.strong(inner).map(|other| {
                    if usize::from(other) < MAX_CANDIDATES { number(usize::from(other)) as u16 } else { other }
                });
                assert_eq!(reduced.strong(number(inner)), strong);
            }
            assert!(members(&run.off).all(|other| reduced.strong(other) == [MAX_CANDIDATES as u16; 4]));

            for (place, link_kinds) in [LinkKinds::X, LinkKinds::Y, LinkKinds::Xy].into_iter().enumerate() {
                let [mut closure, mut of_left] = [Closure::<12>::default(), Closure::default()];
                closure.begin(&links, link_kinds);
                let excluded = closure.excluded_by_unary(&links, &grid, &run.off).unwrap();
                let starts = closure.starts_after(&reduced, &run.off, &excluded);
                of_left.begin(&left, link_kinds);
                let expected = of_left.starts_before(&left);

                let sets = |starts: Starts<12>| [starts.within, starts.cycles, starts.on, starts.off];
                let expected = expected.map(|starts| {
                    sets(starts).map(|set| {
                        let mut renumbered = [0; 12];
                        members(&set).for_each(|inner| insert(&mut renumbered, number(inner)));
                        renumbered
                    })
                });
                assert_eq!(starts.map(sets), expected);
                found[place] += usize::from(starts.is_some());
            }

            // Chains that exclude nothing more than earlier ones are all that is left out.
            let mut closures = [LinkKinds::X, LinkKinds::Y, LinkKinds::Xy].map(|link_kinds| {
                let mut closure = Closure::<12>::default();
                closure.begin(&links, link_kinds);
                closure
            });
            let excluded = closures[2].excluded_by_unary(&links, &grid, &run.off).unwrap();
            let mut starts = |link_kinds: LinkKinds| {
                let closure = &mut closures[link_kinds as usize];
                let excluded = closure.excluded_by_unary(&links, &grid, &run.off).unwrap();
                closure.starts_after(&reduced, &run.off, &excluded)
            };
            let mut unary = Unary::<12>::default();
            let all = unary.all(&grid, &reduced, &mut starts);
            unary.set_state(&links);
            let first = unary.first_of_each(&grid, &reduced, &excluded, &mut starts);
            let that_exclude = |chains: Vec<UnaryChain>| {
                let mut before = [CellSet::EMPTY; 9];
                let mut excludes_more = |chain: &UnaryChain| {
                    let removed = chain.removed(&reduced);
                    let is_more = (0..9).any(|digit| !removed[digit].without(before[digit]).is_empty());
                    (0..9).for_each(|digit| before[digit] = before[digit].or(removed[digit]));
                    is_more
                };
                let chains = chains.into_iter().filter(|chain| excludes_more(chain));
                chains.map(|chain| (chain.link_kinds, chain.complexity, chain.conclusion)).collect::<Vec<_>>()
            };
            fewer += usize::from(first.len() < all.len());
            assert_eq!(that_exclude(first), that_exclude(all));
        }
    }
    assert!(fewer > 0 && found.iter().all(|&count| count > 0), "the cases were not all seen: {fewer}, {found:?}");
}
