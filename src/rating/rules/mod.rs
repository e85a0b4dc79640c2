//! The techniques that are not chains, one file for each family, in the order in which the reference program looks for
//! them.
//!
//! Each has a function that finds the first step in the reference order, writes it and returns true.

pub(super) mod aligned_exclusion;
pub(super) mod bug;
pub(super) mod fish;
pub(super) mod hidden_set;
pub(super) mod locking;
pub(super) mod naked_set;
pub(super) mod single;
pub(super) mod singles;
#[cfg(test)]
mod testing;
mod tuples;
pub(super) mod unique_loop;
pub(super) mod wing;

pub(super) use self::tuples::Degree;
pub(super) use self::wing::Wing;
use super::candidates::Candidates;
use super::step::Elimination;
use super::technique::Technique;

/// A pattern that a technique found, on which a dynamic chain may rest.
///
/// The cells come in the order in which the reference program looks at them, and the digits of a cell in ascending
/// order.
pub(super) trait ChainPattern {
    /// The technique that the pattern belongs to.
    fn technique(&self) -> Technique;

    /// The candidates that the pattern removes from the grid in which it was found.
    fn eliminations(&self, grid: &Candidates) -> impl Iterator<Item = Elimination>;

    /// The candidates of `before` that are no longer in the grid and without whose absence the pattern would not exist:
    /// the parents of its eliminations in a chain. There are none if `before` has the pattern already.
    fn parents(&self, before: &Candidates, grid: &Candidates) -> impl Iterator<Item = Elimination>;
}
