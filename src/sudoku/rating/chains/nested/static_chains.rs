//! Finds out where the grid of a run has static chains, if anywhere.
//!
//! Most searches would find nothing: five of six for forcing chains, four of five for multiple chains.

use crate::rating::candidates::Candidates;
use crate::rating::chains::bits::{Bits, is_empty};
use crate::rating::chains::closure::Closure;
use crate::rating::chains::links::{CandidateSet, GroupSet, LinkKinds, Links};

/// The closure of the state, in sets of the smallest size that has room for its candidates.
#[derive(Debug, Default)]
pub(super) struct Closures {
    narrow: Closure<2>,
    middle: Closure<4>,
    wide: Closure<12>,
    /// Whether the closure of the current state has been computed.
    pub(super) is_ready: bool,
}

/// The static chains in the grid of a run.
pub(super) enum StaticChains {
    None,
    /// Forcing chains or cycles, and perhaps further chains; the candidates that these exclude, if known.
    Unary(Option<CandidateSet>),
    /// Only chains from these groups; the candidates that these exclude.
    Groups(GroupSet, CandidateSet),
}

impl Closures {
    /// The static chains in `grid`, the state of `links` without the removed candidates. Chains from several
    /// assumptions are included only `with_groups`.
    pub(super) fn static_chains(
        &mut self,
        links: &Links,
        grid: &Candidates,
        removed: &CandidateSet,
        with_groups: bool,
    ) -> StaticChains {
        fn find<const W: usize>(
            closure: &mut Closure<W>,
            is_ready: bool,
            links: &Links,
            grid: &Candidates,
            removed: &CandidateSet,
            with_groups: bool,
        ) -> StaticChains {
            if !is_ready {
                closure.begin(links, LinkKinds::Xy);
            }

            let Some(excluded) = closure.excluded_by_unary(links, grid, removed) else {
                return StaticChains::Unary(None);
            };
            if !is_empty(&excluded) {
                return StaticChains::Unary(Some(widen(&excluded)));
            }
            if !with_groups {
                return StaticChains::None;
            }

            let (groups, excluded) = closure.groups(links, grid, removed);
            if groups == GroupSet::EMPTY { StaticChains::None } else { StaticChains::Groups(groups, widen(&excluded)) }
        }

        // The closure of a state waits until a run asks for it: simple techniques may be enough for all runs.
        let is_ready = std::mem::replace(&mut self.is_ready, true);
        match links.len() {
            0..=128 => find(&mut self.narrow, is_ready, links, grid, removed, with_groups),
            129..=256 => find(&mut self.middle, is_ready, links, grid, removed, with_groups),
            _ => find(&mut self.wide, is_ready, links, grid, removed, with_groups),
        }
    }
}

/// Converts a set of candidates to the size with room for the candidates of any state.
fn widen<const W: usize>(bits: &Bits<W>) -> CandidateSet {
    std::array::from_fn(|word| bits.get(word).copied().unwrap_or(0))
}
