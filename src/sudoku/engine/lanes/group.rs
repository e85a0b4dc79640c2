//! A group: one search node in each lane of a vector, and the results of its last round of propagation. Nodes that
//! propagation leaves without progress are split, each into two children.

use super::layout::{WORDS, triad, word};
use super::vector::{LaneSet, Vector};

/// The puzzle number of a lane without a node.
pub(super) const NO_PUZZLE: u32 = u32::MAX;

/// The number that stands for no slot of [`Waiting`](super::waiting::Waiting).
pub(super) const NO_SLOT: u32 = u32::MAX;

/// One node in each lane. Each word of `V` is, in each lane, a word of the [`layout`](super::layout).
pub(super) struct LaneGroup<V> {
    /// The candidates that are left.
    pub(super) candidates: [V; WORDS],
    /// The row triads that have a candidate for a digit, and the column triads, between rounds.
    pub(super) triads: [[V; 9]; 2],
    /// The row triads that can have a digit according to their band, and the column triads according to their stack.
    pub(super) open: [[V; 9]; 2],
    /// For each `d0`, the boxes where a digit has two or more places.
    pub(super) two_or_more: [V; 3],
    /// The same one repetition earlier.
    pub(super) two_or_more_before: [V; 3],
    /// Has a bit among the low 27 if the node contradicts itself.
    pub(super) contradiction: V,
    /// The number of the node's puzzle, [`NO_PUZZLE`] if the lane is free.
    pub(super) puzzle: V,
    /// The slot of the lane's newest waiting node, [`NO_SLOT`] if it has none.
    pub(super) newest: V,
    /// The rounds that the lane has spent on its puzzle but not yet added to its statistics.
    pub(super) rounds: V,
}

impl<V: Vector> LaneGroup<V> {
    /// A group of free lanes.
    pub(super) fn new(proof: V) -> LaneGroup<V> {
        let zero = proof.splat(0);
        LaneGroup {
            candidates: [zero; WORDS],
            triads: [[zero; 9]; 2],
            open: [[zero; 9]; 2],
            two_or_more: [zero; 3],
            two_or_more_before: [zero; 3],
            contradiction: zero,
            puzzle: proof.splat(NO_PUZZLE),
            newest: proof.splat(NO_SLOT),
            rounds: zero,
        }
    }

    /// The lanes that have a node.
    #[inline(always)]
    pub(super) fn busy(&self) -> LaneSet {
        (!self.puzzle).lanes_with_any()
    }

    /// The lanes that have waiting nodes.
    #[inline(always)]
    pub(super) fn with_waiting(&self) -> LaneSet {
        (!self.newest).lanes_with_any()
    }

    /// Computes the triads of the candidates.
    #[inline(always)]
    pub(super) fn gather_triads(&mut self) {
        self.triads = [[self.puzzle.splat(0); 9]; 2];
        for i in 0..3 {
            for j in 0..3 {
                for d0 in 0..3 {
                    let candidates = self.candidates[word(i, j, d0)];
                    let [row, column] = [triad(i, d0), triad(j, d0)];
                    self.triads[0][row] = self.triads[0][row] | candidates;
                    self.triads[1][column] = self.triads[1][column] | candidates;
                }
            }
        }
    }
}

/// The splits of the nodes of a group, by one rule.
pub(super) trait Splits<V: Vector> {
    /// No split in any lane.
    fn none(proof: V) -> Self;

    /// Chooses splits for the nodes that did not change (`moved`), and returns the lanes whose node can be split. The
    /// splits of the remaining lanes are undefined.
    fn find(&mut self, group: &LaneGroup<V>, moved: V) -> LaneSet;

    /// Removes the splits of some lanes: both their children are the node itself.
    fn remove(&mut self, lanes: LaneSet);

    /// The word `(i, j, d0)` of the two children of each node.
    fn children(&self, candidates: V, i: usize, j: usize, d0: usize) -> (V, V);
}

/// The candidates of the cells at place `(i, j)` of each box, for each `d0`.
#[inline(always)]
pub(super) fn digits<V: Vector>(candidates: &[V; WORDS], i: usize, j: usize) -> [V; 3] {
    [candidates[word(i, j, 0)], candidates[word(i, j, 1)], candidates[word(i, j, 2)]]
}
