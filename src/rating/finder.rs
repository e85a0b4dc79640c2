//! Finds the next step of a solution: the first in the reference order of techniques.

use super::candidates::Candidates;
use super::chains::ChainSearch;
use super::rules::{
    Degree, Wing, aligned_exclusion, bug, fish, hidden_set, hidden_single, locking, naked_set, naked_single,
    unique_loop, wing,
};
use super::step::{Difficulty, Step};
use super::technique::{Nesting, Technique, UniquenessKind};

/// Finds the first step by some techniques, and writes it.
type Find = fn(&Candidates, &mut Step, &mut ChainSearch) -> bool;

/// The searches in the reference order. Some find several techniques: all their steps come before those of the next
/// search. Each has the easiest of its techniques, which says how easy its steps may be.
///
/// The order is not quite that of difficulties: a unique loop may be harder than a naked quad.
static ORDER: [(Technique, Find); 30] = [
    (Technique::HiddenSingle, |grid, step, _| hidden_single::find(grid, step)),
    (Technique::DirectPointing, |grid, step, _| locking::find_direct(grid, step)),
    (Technique::DirectHiddenPair, |grid, step, _| hidden_set::find_direct(grid, Degree::Pair, step)),
    (Technique::NakedSingle, |grid, step, _| naked_single::find(grid, step)),
    (Technique::DirectHiddenTriplet, |grid, step, _| hidden_set::find_direct(grid, Degree::Triplet, step)),
    (Technique::Pointing, |grid, step, _| locking::find(grid, step)),
    (Technique::NakedPair, |grid, step, _| naked_set::find(grid, Degree::Pair, step)),
    (Technique::XWing, |grid, step, _| fish::find(grid, Degree::Pair, step)),
    (Technique::HiddenPair, |grid, step, _| hidden_set::find(grid, Degree::Pair, step)),
    (Technique::NakedTriplet, |grid, step, _| naked_set::find(grid, Degree::Triplet, step)),
    (Technique::Swordfish, |grid, step, _| fish::find(grid, Degree::Triplet, step)),
    (Technique::HiddenTriplet, |grid, step, _| hidden_set::find(grid, Degree::Triplet, step)),
    (Technique::XyWing, |grid, step, _| wing::find(grid, Wing::Xy, step)),
    (Technique::XyzWing, |grid, step, _| wing::find(grid, Wing::Xyz, step)),
    (Technique::UniqueLoop { kind: UniquenessKind::OneCell, cells: 4 }, |grid, step, _| unique_loop::find(grid, step)),
    (Technique::NakedQuad, |grid, step, _| naked_set::find(grid, Degree::Quad, step)),
    (Technique::Jellyfish, |grid, step, _| fish::find(grid, Degree::Quad, step)),
    (Technique::HiddenQuad, |grid, step, _| hidden_set::find(grid, Degree::Quad, step)),
    (Technique::Bug(UniquenessKind::OneCell), |grid, step, _| bug::find(grid, step)),
    (Technique::AlignedPairExclusion, |grid, step, _| aligned_exclusion::find_pair(grid, step)),
    (Technique::XCycle, |grid, step, chains| {
        chains.begin(grid);
        chains.find_unary(grid, step)
    }),
    (Technique::AlignedTripletExclusion, |grid, step, _| aligned_exclusion::find_triplet(grid, step)),
    (Technique::Nishio, |_, step, chains| chains.find_nishio(step)),
    (Technique::CellForcingChains, |grid, step, chains| chains.find_multiple(grid, step)),
    dynamic_chains::<0>(),
    dynamic_chains::<1>(),
    dynamic_chains::<2>(),
    dynamic_chains::<3>(),
    dynamic_chains::<4>(),
    dynamic_chains::<5>(),
];

/// The search for dynamic chains of a nesting.
const fn dynamic_chains<const NESTING: usize>() -> (Technique, Find) {
    (Technique::DynamicCellForcingChains(Nesting::ALL[NESTING]), |grid, step, chains| {
        chains.find_dynamic(grid, Nesting::ALL[NESTING], step)
    })
}

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
        for &(easiest, find) in &ORDER {
            if easiest.least_tenths() <= bound && find(grid, &mut self.step, &mut self.chains) {
                let is_within = self.step.difficulty.tenths() <= bound;
                return if is_within { NextStep::Found } else { NextStep::AboveBound };
            }
        }
        if bound == u16::MAX { NextStep::None } else { NextStep::AboveBound }
    }
}
