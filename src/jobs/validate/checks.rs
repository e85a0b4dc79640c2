//! What is checked of each record by itself.

use std::sync::Arc;

use super::duplicate_index::Repeats;
use crate::canon::Key;
use crate::jobs::reference_index::ReferenceIndex;

/// The optional checks of each record by itself.
#[derive(Clone, Default)]
pub(super) struct Checks {
    /// Whether to look for a redundant clue.
    pub(super) minimal: bool,
    /// Whether 9x9 puzzles with one solution are rated for an audit.
    pub(super) audit_ratings: bool,
    /// The column with ratings to compare, by its index among those that the corpus keeps.
    pub(super) ratings: Option<usize>,
    /// Whether rows have classes. To find them takes longer than to solve.
    pub(super) classes: bool,
    /// The repetitions to look for later, by the keys of the puzzles.
    pub(super) repeats: Repeats,
    /// The other corpus, to look for leaks into it.
    pub(super) against: Option<Arc<ReferenceIndex>>,
}

impl Checks {
    /// The key of a puzzle, if it is to be looked up.
    pub(super) fn key(&self, cells: &[u8]) -> Option<Key> {
        (self.repeats.duplicates || self.repeats.audit || self.against.is_some()).then(|| Key::of_cells(cells))
    }
}
