//! Compares the closure with the results of searches.

use super::*;
use crate::rating::chains::multiple::{FirstOfEach, ForState, Multiple};
use crate::rating::chains::run::{ChainKind, Detail, ImplicationRun, NoRules};
use crate::rating::chains::statement::Literal;
use crate::rating::chains::tests::states_of;
use crate::rating::chains::unary::Unary;
use crate::stop::Stop;

const PUZZLE: &str = "..86.75...76..58.295..2..3........736.........9.2..65..845.....5.....2......41...";

/// In the grid that each dynamic run leaves, the closure finds the same as searches.
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
