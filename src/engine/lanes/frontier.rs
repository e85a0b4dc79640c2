//! Where nodes wait for a lane.

use super::group::Group;
use super::vector::LaneSet;

/// Nodes that wait for a lane: the second children of splits, and the roots after them.
pub(super) trait Frontier<V> {
    /// Whether there are too few roots to keep `free` lanes busy.
    fn wants_roots(&self, free: usize) -> bool;

    /// Adds roots, those in some lanes of `group`.
    fn push_roots(&mut self, group: &Group<V>, lanes: LaneSet);

    /// Splits nodes and hands out nodes in `group`, which is number `number` of the groups. The first child of a
    /// `branching` lane's node stays in the lane, the second waits here; a `free` lane gets another node, or nobody's if
    /// there is none. Then gathers the triads of all nodes that are in the lanes.
    fn exchange(&mut self, group: &mut Group<V>, number: usize, free: LaneSet, branching: LaneSet);

    /// Forgets all nodes of `puzzle` and says how many there were.
    fn forget(&mut self, puzzle: u32) -> usize;
}
