//! Where forcing chains and cycles may start.

use super::bits::Bits;
use super::links::MAX_CANDIDATES;

/// A set of candidates of any state.
pub(super) type CandidateSet = Bits<{ MAX_CANDIDATES.div_ceil(64) }>;

/// The candidates that chains may start from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Starts<const W: usize> {
    /// Those that a forcing chain, or a cycle that removes something, may have. No true candidate among the others leads to
    /// a true one among these.
    pub(super) within: Bits<W>,
    /// Those that may be part of a cycle that removes something.
    pub(super) cycles: Bits<W>,
    /// Those that may lead to their opposite if they are true, and those if they are false.
    pub(super) on: Bits<W>,
    pub(super) off: Bits<W>,
}
