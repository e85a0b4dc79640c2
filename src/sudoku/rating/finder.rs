//! Finds the next step of a solution: the first step in the reference order of techniques.

use strum::VariantArray;

use self::Search::{Chains, Rule};
use super::candidates::Candidates;
use super::chains::ChainSearch;
use super::difficulty::Difficulty;
use super::rules::{Degree, Wing, aligned_exclusion, bug, fish, house_set, locking, single, unique_loop, wing};
use super::step::Step;
use super::technique::{Nesting, Technique, UniquenessKind};
use crate::stop::InterruptedError;

/// A search for the first step of some techniques.
#[derive(Clone, Copy)]
enum Search {
    /// A search for a pattern in the grid.
    Rule(fn(&Candidates, &mut Step) -> bool),
    /// A search for chains, which may be interrupted.
    Chains(fn(&mut ChainSearch, &Candidates, &mut Step) -> Result<bool, InterruptedError>),
}

/// The searches in the reference order, each with its easiest technique, which is a lower bound for the difficulty of
/// its steps. Some find several techniques: all their steps come before the steps of the next search.
///
/// Difficulties do not always ascend: a unique loop may be harder than a naked quad.
static ORDER: [(Technique, Search); 30] = [
    (Technique::HiddenSingle, Rule(single::find_hidden)),
    (Technique::DirectPointing, Rule(locking::find_direct)),
    (Technique::DirectHiddenPair, Rule(|grid, step| house_set::find_direct(grid, Degree::Pair, step))),
    (Technique::NakedSingle, Rule(single::find_naked)),
    (Technique::DirectHiddenTriplet, Rule(|grid, step| house_set::find_direct(grid, Degree::Triplet, step))),
    (Technique::Pointing, Rule(locking::find)),
    (Technique::NakedPair, Rule(|grid, step| house_set::find_naked(grid, Degree::Pair, step))),
    (Technique::XWing, Rule(|grid, step| fish::find(grid, Degree::Pair, step))),
    (Technique::HiddenPair, Rule(|grid, step| house_set::find_hidden(grid, Degree::Pair, step))),
    (Technique::NakedTriplet, Rule(|grid, step| house_set::find_naked(grid, Degree::Triplet, step))),
    (Technique::Swordfish, Rule(|grid, step| fish::find(grid, Degree::Triplet, step))),
    (Technique::HiddenTriplet, Rule(|grid, step| house_set::find_hidden(grid, Degree::Triplet, step))),
    (Technique::XyWing, Rule(|grid, step| wing::find(grid, Wing::Xy, step))),
    (Technique::XyzWing, Rule(|grid, step| wing::find(grid, Wing::Xyz, step))),
    (Technique::UniqueLoop { kind: UniquenessKind::OneCell, cells: 4 }, Rule(unique_loop::find)),
    (Technique::NakedQuad, Rule(|grid, step| house_set::find_naked(grid, Degree::Quad, step))),
    (Technique::Jellyfish, Rule(|grid, step| fish::find(grid, Degree::Quad, step))),
    (Technique::HiddenQuad, Rule(|grid, step| house_set::find_hidden(grid, Degree::Quad, step))),
    (Technique::Bug(UniquenessKind::OneCell), Rule(bug::find)),
    (Technique::AlignedPairExclusion, Rule(aligned_exclusion::find_pair)),
    (
        Technique::XCycle,
        Chains(|chains, grid, step| {
            // The searches after this one use the same links. None of them runs without this one: it has the easiest
            // steps.
            chains.begin(grid);
            Ok(chains.find_unary(grid, step))
        }),
    ),
    (Technique::AlignedTripletExclusion, Rule(aligned_exclusion::find_triplet)),
    (Technique::Nishio, Chains(ChainSearch::find_nishio)),
    (Technique::CellForcingChains, Chains(ChainSearch::find_multiple)),
    dynamic_chains::<0>(),
    dynamic_chains::<1>(),
    dynamic_chains::<2>(),
    dynamic_chains::<3>(),
    dynamic_chains::<4>(),
    dynamic_chains::<5>(),
];

/// The search for dynamic chains of a nesting.
const fn dynamic_chains<const NESTING: usize>() -> (Technique, Search) {
    let nesting = Nesting::VARIANTS[NESTING];
    let find =
        |chains: &mut ChainSearch, grid: &_, step: &mut _| chains.find_dynamic(grid, Nesting::VARIANTS[NESTING], step);
    (Technique::DynamicCellForcingChains(nesting), Chains(find))
}

/// The result of a search for the next step.
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
    pub(super) chains: ChainSearch,
}

impl Finder {
    /// Finds the first step of a state. Techniques that have no step within the bound are not searched for.
    pub(super) fn find(&mut self, grid: &Candidates, bound: Option<Difficulty>) -> Result<NextStep, InterruptedError> {
        // Searches for chains also ask for it themselves, as the hard ones take long.
        self.chains.stop.check()?;
        let bound = bound.map_or(u16::MAX, Difficulty::tenths);
        // The easiest steps of the searches ascend, so only the last searches are left out.
        for &(_, search) in ORDER.iter().filter(|(easiest, _)| easiest.least_tenths() <= bound) {
            let found = match search {
                Rule(find) => find(grid, &mut self.step),
                Chains(find) => find(&mut self.chains, grid, &mut self.step)?,
            };
            if found {
                // A later search might have an easier step. The reference program would still take this one next.
                let is_within = self.step.difficulty.tenths() <= bound;
                return Ok(if is_within { NextStep::Found } else { NextStep::AboveBound });
            }
        }
        // If the searches that were left out find nothing either, ER is 20.0, which is also above the bound.
        Ok(if bound == u16::MAX { NextStep::None } else { NextStep::AboveBound })
    }
}
