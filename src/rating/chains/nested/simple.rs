//! What the simple techniques exclude.

use std::ops::ControlFlow;

use super::{NestedRules, Record};
use crate::rating::candidates::Candidates;
use crate::rating::chains::derivation::of_pattern;
use crate::rating::chains::links::Links;
use crate::rating::chains::run::Exclusions;
use crate::rating::rules::{ChainPattern, Degree, fish, hidden_set, locking, naked_set};
use crate::rating::step::Elimination;

impl NestedRules {
    /// Tries the simple techniques, one after another, until one of them excludes something.
    pub(super) fn simple(&mut self, links: &Links, excluded: &mut Exclusions) {
        let grid = &self.grid;
        let mut target = Target { links, before: &self.before, grid, excluded, record: self.record.as_mut() };
        let _ = locking::each(grid, |pattern| target.add(&pattern));
        if target.excluded.is_empty() {
            let _ = hidden_set::each(grid, Degree::Pair, |pattern| target.add(&pattern));
        }
        if target.excluded.is_empty() {
            let _ = naked_set::each(grid, Degree::Pair, |pattern| target.add(&pattern));
        }
        if target.excluded.is_empty() {
            let _ = fish::each_x_wing(grid, |pattern| target.add(&pattern));
        }
    }
}

/// Takes what patterns exclude.
struct Target<'a> {
    links: &'a Links,
    before: &'a Candidates,
    grid: &'a Candidates,
    excluded: &'a mut Exclusions,
    record: Option<&'a mut Record>,
}

impl Target<'_> {
    /// Adds what a pattern excludes.
    fn add(&mut self, pattern: &impl ChainPattern) -> ControlFlow<()> {
        let Target { links, before, grid, .. } = *self;
        let candidates = |elimination: Elimination| {
            elimination.digits.into_iter().map(move |digit| links.index(elimination.cell, digit))
        };
        let reason = self.record.as_mut().map_or(0, |record| record.keep(|state| of_pattern(pattern, state, grid)));
        self.excluded.add(
            pattern.eliminations(grid).flat_map(candidates),
            pattern.parents(before, grid).flat_map(candidates),
            None,
            reason,
        );
        ControlFlow::Continue(())
    }
}
