//! Where forcing chains and cycles may start.

use super::bits::{Bits, has, insert};
use super::links::{CandidateGroup, CandidateIndex, Links, MAX_CANDIDATES};

/// A set of candidates of any state.
pub(super) type CandidateSet = Bits<{ MAX_CANDIDATES.div_ceil(64) }>;

/// Where forcing chains and cycles may start.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnarySources {
    /// The candidates that contradict themselves, which are all that forcing chains and cycles remove.
    pub(super) removed: CandidateSet,
    /// The candidates that are false if one of these is true. A candidate that a cycle eliminates contradicts the cycle
    /// in both directions, so assuming it makes every candidate of the cycle false.
    pub(super) sources: CandidateSet,
}

impl UnarySources {
    /// Chains may start anywhere.
    pub(super) const ALL: UnarySources = UnarySources {
        removed: [u64::MAX; MAX_CANDIDATES.div_ceil(64)],
        sources: [u64::MAX; MAX_CANDIDATES.div_ceil(64)],
    };

    /// The candidates of the grid of the run that chains may start from. A candidate is true if all others of its cell
    /// are removed.
    pub(super) fn starts<const W: usize>(&self, links: &Links, inner_links: &Links) -> Starts<W> {
        let mut starts = Starts { within: [0; W], cycles: [0; W], on: [0; W], off: [0; W] };
        let mut candidate = 0;
        while candidate < inner_links.len() {
            let group = CandidateGroup::of_cell(inner_links.cell(candidate));
            let of_cell = candidate..candidate + inner_links.members[group.index()].len();
            candidate = of_cell.end;

            let in_state = |candidate| links.index(inner_links.cell(candidate), inner_links.digit(candidate));
            let stay = |candidate: &CandidateIndex| !has(&self.removed, in_state(*candidate));
            let staying = of_cell.clone().filter(stay).count();

            for candidate in of_cell {
                if has(&self.sources, in_state(candidate)) {
                    insert(&mut starts.cycles, candidate);
                }
                if !stay(&candidate) {
                    insert(&mut starts.on, candidate);
                }
                if staying == usize::from(stay(&candidate)) {
                    insert(&mut starts.off, candidate);
                }
            }
        }
        starts.within = starts.cycles;
        starts
    }
}

/// The candidates that chains may start from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Starts<const W: usize> {
    /// Those that chains may have: no chain leads from others to these.
    pub(super) within: Bits<W>,
    /// Those that may be part of a cycle.
    pub(super) cycles: Bits<W>,
    /// Those that may lead to their opposite if they are true, and those if they are false.
    pub(super) on: Bits<W>,
    pub(super) off: Bits<W>,
}
