//! What rows tell of the run that wrote them: the tally of a run that is resumed.

use serde::{Deserialize, Serialize};

use super::{PuzzleSource, RunStats};
use crate::engine::Cost;
use crate::rows::Status;

/// What is told of a puzzle that was solved before; `None` where it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RebuiltPuzzle {
    /// What became of it.
    pub status: Option<Status>,
    /// How many clues it has.
    pub clues: usize,
    /// What solving took, in nanoseconds.
    pub nanos: Option<u64>,
    /// How often the search guessed.
    pub branches: Option<u64>,
}

/// The part of a run that was taken from the rows of an earlier one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resumed {
    /// How many records were done already.
    pub records: u64,
    /// Figures that are without these records, because their rows do not tell.
    pub without: Vec<Figure>,
}

impl Resumed {
    /// Both parts together.
    #[must_use]
    pub fn and(mut self, other: Resumed) -> Resumed {
        self.records += other.records;
        self.without.extend(other.without);
        self.without.sort_unstable();
        self.without.dedup();
        self
    }
}

/// A figure of a [`Summary`](super::Summary), by its name in there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Rows by status.
    Rows,
    /// Puzzles that have more solutions than were listed.
    NotAllListed,
    /// Times, with their histogram.
    Nanos,
    /// Guesses.
    Branches,
    /// The slowest puzzles.
    Slowest,
}

impl Figure {
    /// Its name in a summary.
    pub const fn name(self) -> &'static str {
        match self {
            Figure::Rows => "rows",
            Figure::NotAllListed => "not_all_listed",
            Figure::Nanos => "nanos",
            Figure::Branches => "branches",
            Figure::Slowest => "slowest",
        }
    }
}

impl RunStats {
    /// Counts a puzzle that was solved before, as far as it is told of; `place` as for [`RunStats::add_puzzle`].
    pub fn add_rebuilt(&mut self, told: RebuiltPuzzle, place: impl FnOnce() -> PuzzleSource) {
        if let RebuiltPuzzle { status: Some(status), clues, nanos: Some(nanos), branches: Some(branches) } = told {
            return self.add_puzzle(status, clues, Cost { branches, nanos }, place);
        }
        match told.status {
            Some(status) => self.rows[status as usize] += 1,
            None => self.unknown_status += 1,
        }
        self.clues.resize(self.clues.len().max(told.clues + 1), 0);
        self.clues[told.clues] += 1;
        told.nanos.into_iter().for_each(|nanos| self.nanos.add(nanos));
        told.branches.into_iter().for_each(|branches| self.branches.add(branches));
    }
}
