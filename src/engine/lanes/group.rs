//! A group of lanes: as many nodes of searches as a vector has lanes, and what a round of propagation notes about them.

use super::branch::Split;
use super::layout::{WORDS, triad, word};
use super::vector::{LaneSet, Vector};

/// The puzzle of a lane that has none.
pub(super) const NOBODY: u32 = u32::MAX;

/// One vector of nodes.
///
/// A word of `V` is a word of [`layout`](super::layout) in each lane.
pub(super) struct Group<V> {
    /// The candidates that are left.
    pub(super) candidates: [V; WORDS],
    /// The row triads that have a candidate for a digit, and the column triads, as they are between rounds.
    pub(super) triads: [[V; 9]; 2],
    /// The row triads in which a digit may stand as far as its band is concerned, and the column triads.
    pub(super) open: [[V; 9]; 2],
    /// For each `d0`: the boxes in which a digit has two places or more.
    pub(super) twice: [V; 3],
    /// The same one repetition earlier.
    pub(super) twice_before: [V; 3],
    /// Has a bit among the low 27 if the node contradicts itself.
    pub(super) fault: V,
    /// How the nodes split that branch; of no meaning if none does.
    pub(super) split: Split<V>,
    /// The puzzle that a lane works for, [`NOBODY`] if there is none.
    pub(super) puzzle: V,
    /// The rounds that the lane has spent for its puzzle.
    pub(super) rounds: V,
}

impl<V: Vector> Group<V> {
    /// A group whose lanes all want work.
    pub(super) fn new(proof: V) -> Group<V> {
        let zero = proof.splat(0);
        Group {
            candidates: [zero; WORDS],
            triads: [[zero; 9]; 2],
            open: [[zero; 9]; 2],
            twice: [zero; 3],
            twice_before: [zero; 3],
            fault: zero,
            split: Split::none(proof),
            puzzle: proof.splat(NOBODY),
            rounds: zero,
        }
    }

    /// The lanes that work for a puzzle.
    #[inline(always)]
    pub(super) fn busy(&self) -> LaneSet {
        (!self.puzzle).lanes_with_any()
    }

    /// Gathers the triads of the candidates.
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

/// The candidates of the cells at place `(i, j)` of each box, for each `d0`.
#[inline(always)]
pub(super) fn digits<V: Vector>(candidates: &[V; WORDS], i: usize, j: usize) -> [V; 3] {
    [candidates[word(i, j, 0)], candidates[word(i, j, 1)], candidates[word(i, j, 2)]]
}
