//! Where nodes wait for a lane.

use super::group::Group;
use super::roots::Roots;
use super::vector::LaneSet;

/// Nodes that wait for a lane: the second children of splits, and the roots after them.
pub(super) trait Frontier<V> {
    /// Splits nodes and hands out nodes in `group`, which is number `number` of the groups. The first child of a
    /// `branching` lane's node stays in the lane, the second waits here; a `free` lane gets another node, or nobody's if
    /// there is none. Then gathers the triads of all nodes that are in the lanes.
    fn exchange(
        &mut self,
        group: &mut Group<V>,
        number: usize,
        free: LaneSet,
        branching: LaneSet,
        roots: &mut Roots<V, impl Iterator<Item = u32>>,
    );

    /// Forgets all nodes of `puzzle`, which is in lane `lane` of group `number`, and says how many there were.
    fn forget(&mut self, puzzle: u32, number: usize, lane: usize) -> usize;
}
