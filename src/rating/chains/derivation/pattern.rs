//! The derivation of what a technique other than chains excludes.

use super::Derivation;
use crate::rating::candidates::Candidates;
use crate::rating::implications::{Because, Statement};
use crate::rating::rules::ChainPattern;
use crate::rating::step::Elimination;

/// Derives what a pattern of `grid` excludes from what `state` has more.
pub(in crate::rating::chains) fn of_pattern(
    pattern: &impl ChainPattern,
    state: &Candidates,
    grid: &Candidates,
) -> Derivation {
    let candidates = |Elimination { cell, digits }| digits.into_iter().map(move |digit| (cell, digit));
    let mut derivation = Derivation::default();
    let parents = pattern.parents(state, grid).flat_map(candidates);
    let parents: Vec<usize> = parents.map(|candidate| derivation.given(candidate)).collect();

    for (cell, digit) in pattern.eliminations(grid).flat_map(candidates) {
        let because = Because::Technique(pattern.technique(), parents.clone());
        derivation.conclude(Statement { cell, digit, is_true: false }, because);
    }
    derivation
}
