//! The techniques that are not chains, one file for each family, in the reference order.
//!
//! Each has a function that finds the first step in the reference order, writes it and returns true.

pub(super) mod aligned_exclusion;
pub(super) mod bug;
pub(super) mod fish;
pub(super) mod house_set;
pub(super) mod locking;
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

/// The pattern of a technique, as a premise for dynamic chains.
///
/// Cells are visited in the order of the reference program, and the digits of a cell in ascending order.
pub(super) trait ChainPattern {
    /// The technique that the pattern belongs to.
    fn technique(&self) -> Technique;

    /// The candidates that the pattern removes from its grid.
    fn eliminations(&self, grid: &Candidates) -> impl Iterator<Item = Elimination>;

    /// The candidates of `before` that are gone from the grid and whose absence the pattern requires: the parents of
    /// its eliminations in a chain. Empty if `before` has the pattern already.
    fn parents(&self, before: &Candidates, grid: &Candidates) -> impl Iterator<Item = Elimination>;
}
