//! Branching: splits the nodes that propagation leaves without progress, each into two children.

mod first_cell;
mod most_constrained;

pub(super) use self::first_cell::FirstCell;
pub(super) use self::most_constrained::MostConstrained;
use super::group::Group;
use super::vector::{LaneSet, Vector};

/// The splits of the nodes of a group, by one rule.
pub(super) trait Splits<V: Vector> {
    /// No split in any lane.
    fn none(proof: V) -> Self;

    /// Chooses the splits of the nodes in which nothing `moved`, and returns the lanes whose node can be split. The splits
    /// of the other lanes are undefined.
    fn find(&mut self, group: &Group<V>, moved: V) -> LaneSet;

    /// Removes the splits of some lanes: both children are the node itself.
    fn remove(&mut self, lanes: LaneSet);

    /// The word `(i, j, d0)` of the two children of each node.
    fn children(&self, candidates: V, i: usize, j: usize, d0: usize) -> (V, V);
}
