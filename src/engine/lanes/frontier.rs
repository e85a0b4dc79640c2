//! The interface of the two containers of nodes that wait for a lane.

use super::group::Group;
use super::vector::LaneSet;

/// Nodes that wait for a lane: the second children of splits, and the roots after them.
pub(super) trait Frontier<V> {
    /// Whether there are too few roots to keep `free` lanes busy.
    fn wants_roots(&self, free: usize) -> bool;

    /// Adds the roots in some lanes of `group`.
    fn push_roots(&mut self, group: &Group<V>, lanes: LaneSet);

    /// Splits nodes of `group`, number `number` of the groups, and gives its `free` lanes new nodes.
    ///
    /// The first child of a `branching` lane's node stays in the lane, the second waits here. A free lane that gets no
    /// node loses its puzzle. Computes the triads of all nodes of the group.
    fn refill(&mut self, group: &mut Group<V>, number: usize, free: LaneSet, branching: LaneSet);

    /// Removes all nodes of `puzzle` and returns their number.
    fn remove(&mut self, puzzle: u32) -> usize;
}
