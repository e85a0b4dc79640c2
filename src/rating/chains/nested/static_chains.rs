//! Tells where the grid of a run has static chains, or that it has none.
//!
//! Most searches would find nothing: five of six for forcing chains, four of five for multiple ones.

use crate::rating::candidates::Candidates;
use crate::rating::chains::bits::{Bits, is_empty, members};
use crate::rating::chains::closure::Closure;
use crate::rating::chains::link_kinds::LinkKinds;
use crate::rating::chains::links::{GroupSet, Links, MAX_CANDIDATES};
use crate::rating::chains::starts::CandidateSet;
use crate::rating::chains::unary::{Unary, UnaryChain};

/// The closures of the state in sets of the smallest size that has room for its candidates.
#[derive(Debug, Default)]
pub(super) struct Closures {
    narrow: StateClosures<2>,
    middle: StateClosures<4>,
    wide: StateClosures<12>,
    /// The links of the grid of the run, with the numbers that candidates have in the state.
    reduced: Links,
    /// The candidates that are not in the reduced links.
    reduced_by: CandidateSet,
    /// Whether the closure is that of the state.
    pub(super) is_ready: bool,
}

/// The closures of a state, and searches for chains by what they tell.
#[derive(Debug, Default)]
struct StateClosures<const W: usize> {
    all: Closure<W>,
    /// By links of one digit, and by strong links in cells, if they are those of the state.
    by_digit: Closure<W>,
    by_cell: Closure<W>,
    has_kinds: bool,
    unary: Unary<W>,
}

/// Which static chains there are in the grid of a run.
pub(super) enum StaticChains {
    None,
    /// Forcing chains or cycles, and perhaps others; which candidates these exclude, if it is known.
    Unary(Option<CandidateSet>),
    /// Only chains from these groups; which candidates these exclude.
    Groups(GroupSet, CandidateSet),
}

/// Calls a method of the closures that have room for the candidates.
macro_rules! fitting {
    ($closures:expr, $links:expr, $method:ident($($argument:expr),*)) => {
        match $links.len() {
            0..=128 => $closures.narrow.$method($links $(, $argument)*),
            129..=256 => $closures.middle.$method($links $(, $argument)*),
            _ => $closures.wide.$method($links $(, $argument)*),
        }
    };
}

impl Closures {
    /// The static chains in `grid`, which is the state of `links` without the removed candidates; those that need
    /// several assumptions only `with_groups`.
    pub(super) fn static_chains(
        &mut self,
        links: &Links,
        grid: &Candidates,
        removed: &CandidateSet,
        with_groups: bool,
    ) -> StaticChains {
        if !std::mem::replace(&mut self.is_ready, true) {
            self.reduced.clone_from(links);
            self.reduced_by = [0; MAX_CANDIDATES.div_ceil(64)];
            fitting!(self, links, begin());
        }
        fitting!(self, links, static_chains(grid, removed, with_groups))
    }

    /// The links without the removed candidates.
    pub(super) fn reduced(&mut self, links: &Links, removed: &CandidateSet) -> &Links {
        if self.reduced_by != *removed {
            self.reduced_by = *removed;
            self.reduced.reduce(links, members(removed));
        }
        &self.reduced
    }

    /// The forcing chains and cycles in `grid`, in the reference order, as candidates of the reduced links; some that
    /// exclude nothing more than earlier ones are missing. [`Closures::static_chains`] is called before, and has found
    /// that they exclude the candidates in `excluded`.
    pub(super) fn unary_chains(
        &mut self,
        links: &Links,
        grid: &Candidates,
        removed: &CandidateSet,
        excluded: &CandidateSet,
    ) -> Vec<UnaryChain> {
        self.reduced(links, removed);
        fitting!(self, links, unary_chains(&self.reduced, grid, removed, excluded))
    }
}

impl<const W: usize> StateClosures<W> {
    fn begin(&mut self, links: &Links) {
        self.all.begin(links, LinkKinds::Xy);
        self.has_kinds = false;
    }

    fn static_chains(
        &mut self,
        links: &Links,
        grid: &Candidates,
        removed: &CandidateSet,
        with_groups: bool,
    ) -> StaticChains {
        let Some(excluded) = self.all.excluded_by_unary(links, grid, removed) else {
            return StaticChains::Unary(None);
        };
        if !is_empty(&excluded) {
            return StaticChains::Unary(Some(widen(&excluded)));
        }
        if !with_groups {
            return StaticChains::None;
        }

        let (groups, excluded) = self.all.groups(links, grid, removed);
        if groups == GroupSet::EMPTY { StaticChains::None } else { StaticChains::Groups(groups, widen(&excluded)) }
    }

    fn unary_chains(
        &mut self,
        links: &Links,
        reduced: &Links,
        grid: &Candidates,
        removed: &CandidateSet,
        excluded: &CandidateSet,
    ) -> Vec<UnaryChain> {
        let StateClosures { all, by_digit, by_cell, has_kinds, unary } = self;
        if !std::mem::replace(has_kinds, true) {
            by_digit.begin(links, LinkKinds::X);
            unary.set_state(links);
            by_cell.begin(links, LinkKinds::Y);
        }
        let excluded = std::array::from_fn(|word| excluded[word]);
        unary.first_of_each(grid, reduced, &excluded, |link_kinds| {
            let closure = match link_kinds {
                LinkKinds::X => &mut *by_digit,
                LinkKinds::Y => &mut *by_cell,
                LinkKinds::Xy => return all.starts_after(reduced, removed, &excluded),
            };
            let excluded = closure.excluded_by_unary(links, grid, removed)?;
            closure.starts_after(reduced, removed, &excluded)
        })
    }
}

/// A set of candidates in the size that has room for those of any state.
fn widen<const W: usize>(bits: &Bits<W>) -> CandidateSet {
    std::array::from_fn(|word| bits.get(word).copied().unwrap_or(0))
}
