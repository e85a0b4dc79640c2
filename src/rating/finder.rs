//! Finds the next step of a solution: the first in the reference order of techniques.

use super::candidates::Candidates;
use super::chains::ChainSearch;
use super::rules::{
    Degree, Wing, aligned_exclusion, bug, fish, hidden_set, hidden_single, locking, naked_set, naked_single,
    unique_loop, wing,
};
use super::step::{Difficulty, Step};
use super::technique::Nesting;

/// A group of techniques that are searched for together: all their steps come before those of the next group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    HiddenSingle,
    DirectLocking,
    DirectHiddenPair,
    NakedSingle,
    DirectHiddenTriplet,
    Locking,
    NakedPair,
    XWing,
    HiddenPair,
    NakedTriplet,
    Swordfish,
    HiddenTriplet,
    XyWing,
    XyzWing,
    UniqueLoop,
    NakedQuad,
    Jellyfish,
    HiddenQuad,
    Bug,
    AlignedPair,
    UnaryChain,
    AlignedTriplet,
    Nishio,
    MultipleChains,
    DynamicChains(Nesting),
}

/// The searches in the reference order, each with the difficulty of its easiest step in tenths.
///
/// The order is not quite that of difficulties: a unique loop may be harder than a naked quad.
const ORDER: [(Search, u16); 30] = [
    (Search::HiddenSingle, 10),
    (Search::DirectLocking, 17),
    (Search::DirectHiddenPair, 20),
    (Search::NakedSingle, 23),
    (Search::DirectHiddenTriplet, 25),
    (Search::Locking, 26),
    (Search::NakedPair, 30),
    (Search::XWing, 32),
    (Search::HiddenPair, 34),
    (Search::NakedTriplet, 36),
    (Search::Swordfish, 38),
    (Search::HiddenTriplet, 40),
    (Search::XyWing, 42),
    (Search::XyzWing, 44),
    (Search::UniqueLoop, 45),
    (Search::NakedQuad, 50),
    (Search::Jellyfish, 52),
    (Search::HiddenQuad, 54),
    (Search::Bug, 56),
    (Search::AlignedPair, 62),
    (Search::UnaryChain, 65),
    (Search::AlignedTriplet, 75),
    (Search::Nishio, 75),
    (Search::MultipleChains, 80),
    (Search::DynamicChains(Nesting::None), 85),
    (Search::DynamicChains(Nesting::Simple), 90),
    (Search::DynamicChains(Nesting::ForcingChains), 95),
    (Search::DynamicChains(Nesting::MultipleForcingChains), 100),
    (Search::DynamicChains(Nesting::DynamicForcingChains), 105),
    (Search::DynamicChains(Nesting::DynamicForcingChainsPlus), 110),
];

/// What a search for the next step found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextStep {
    Found,
    /// The next step is harder than the bound.
    AboveBound,
    /// No technique finds a step.
    None,
}

/// Finds steps, with memory that is allocated once.
#[derive(Debug, Default)]
pub(super) struct Finder {
    pub(super) step: Step,
    chains: ChainSearch,
}

impl Finder {
    /// Finds the first step of a state. Techniques that have no step within the bound are not searched for.
    pub(super) fn find(&mut self, grid: &Candidates, bound: Option<Difficulty>) -> NextStep {
        let bound = bound.map_or(u16::MAX, Difficulty::tenths);
        for (search, easiest) in ORDER {
            if search == Search::UnaryChain && easiest <= bound {
                self.chains.begin(grid);
            }
            if easiest <= bound && self.search(search, grid) {
                let is_within = self.step.difficulty.tenths() <= bound;
                return if is_within { NextStep::Found } else { NextStep::AboveBound };
            }
        }
        if bound == u16::MAX { NextStep::None } else { NextStep::AboveBound }
    }

    fn search(&mut self, search: Search, grid: &Candidates) -> bool {
        let Finder { step, chains } = self;
        match search {
            Search::HiddenSingle => hidden_single::find(grid, step),
            Search::DirectLocking => locking::find_direct(grid, step),
            Search::DirectHiddenPair => hidden_set::find_direct(grid, Degree::Pair, step),
            Search::NakedSingle => naked_single::find(grid, step),
            Search::DirectHiddenTriplet => hidden_set::find_direct(grid, Degree::Triplet, step),
            Search::Locking => locking::find(grid, step),
            Search::NakedPair => naked_set::find(grid, Degree::Pair, step),
            Search::XWing => fish::find(grid, Degree::Pair, step),
            Search::HiddenPair => hidden_set::find(grid, Degree::Pair, step),
            Search::NakedTriplet => naked_set::find(grid, Degree::Triplet, step),
            Search::Swordfish => fish::find(grid, Degree::Triplet, step),
            Search::HiddenTriplet => hidden_set::find(grid, Degree::Triplet, step),
            Search::XyWing => wing::find(grid, Wing::Xy, step),
            Search::XyzWing => wing::find(grid, Wing::Xyz, step),
            Search::UniqueLoop => unique_loop::find(grid, step),
            Search::NakedQuad => naked_set::find(grid, Degree::Quad, step),
            Search::Jellyfish => fish::find(grid, Degree::Quad, step),
            Search::HiddenQuad => hidden_set::find(grid, Degree::Quad, step),
            Search::Bug => bug::find(grid, step),
            Search::AlignedPair => aligned_exclusion::find_pair(grid, step),
            Search::UnaryChain => chains.find_unary(grid, step),
            Search::AlignedTriplet => aligned_exclusion::find_triplet(grid, step),
            Search::Nishio => chains.find_nishio(step),
            Search::MultipleChains => chains.find_multiple(grid, step),
            Search::DynamicChains(nesting) => chains.find_dynamic(grid, nesting, step),
        }
    }
}
