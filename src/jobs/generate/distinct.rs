//! Drops puzzles that are isomorphs of earlier puzzles, or of puzzles in other corpora.

use std::collections::HashSet;
use std::sync::Arc;

use super::GenerateError;
use crate::canon::Class;
use crate::corpus::Corpus;
use crate::engine::MaxBranches;
use crate::lookup::{Demand, KeyUse, NamedClassSet, ReferenceIndex};
use crate::run::{EngineSource, Execution, JobError};

/// The number of dropped puzzles in a row after which no new one is expected. If one in a thousand were new, a run of
/// this length would happen once in 20,000 runs.
const MAX_REPEATS: u64 = 10_000;

/// The classes of the puzzles of a corpus, and those in sets.
#[derive(Clone)]
pub struct KnownClasses(Arc<ReferenceIndex>);

impl KnownClasses {
    /// Reads a corpus, if there is one. `None` if the run was stopped.
    ///
    /// # Errors
    ///
    /// If the engine cannot be built, an input cannot be read, has records but no puzzle, or has malformed records that are
    /// not allowed.
    pub fn read(
        corpus: Option<Corpus>,
        sets: Vec<NamedClassSet>,
        allows_malformed: bool,
        engine: &EngineSource,
        max_branches: MaxBranches,
        execution: &Execution,
    ) -> Result<Option<KnownClasses>, JobError> {
        let demand = Demand { key_use: KeyUse::NotIn, allows_malformed };
        let index = ReferenceIndex::read(corpus, sets, demand, engine, max_branches, execution)?;
        Ok(index.map(|index| KnownClasses(Arc::new(index))))
    }
}

impl std::fmt::Debug for KnownClasses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KnownClasses").finish_non_exhaustive()
    }
}

/// Looks for isomorphs among the puzzles of a run, taken in order.
pub(super) struct RepeatFilter {
    /// Whether isomorphs of earlier puzzles are dropped.
    distinct: bool,
    /// The puzzles whose isomorphs are dropped.
    known: Option<KnownClasses>,
    seen: HashSet<Class>,
    repeats: u64,
    in_a_row: u64,
}

impl RepeatFilter {
    pub(super) fn new(distinct: bool, known: Option<KnownClasses>) -> RepeatFilter {
        RepeatFilter { distinct, known, seen: HashSet::new(), repeats: 0, in_a_row: 0 }
    }

    /// Adds the class of the next puzzle, if classes are needed. Returns whether the puzzle is new.
    ///
    /// # Errors
    ///
    /// After too many puzzles in a row that are not new.
    pub(super) fn is_new(&mut self, class: Option<Class>) -> Result<bool, GenerateError> {
        let Some(class) = class else { return Ok(true) };
        let is_known = self.known.as_ref().is_some_and(|known| known.0.has_class(class));
        let is_new = !is_known && (!self.distinct || self.seen.insert(class));

        if is_new {
            self.in_a_row = 0;
        } else {
            self.repeats += 1;
            self.in_a_row += 1;
        }

        if self.in_a_row == MAX_REPEATS {
            return Err(GenerateError::OnlyRepeats { puzzles: MAX_REPEATS });
        }
        Ok(is_new)
    }

    /// The number of puzzles that are not new.
    pub(super) fn repeats(&self) -> u64 {
        self.repeats
    }

    /// The number of puzzles since the last new one.
    pub(super) fn in_a_row(&self) -> u64 {
        self.in_a_row
    }
}
