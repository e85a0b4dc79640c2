//! What is compared: something that answers the puzzles of a set, and can be timed at it.

use std::time::Duration;

use super::{ProgramError, PuzzleSet};
use crate::engine::{Cost, Limit};
use crate::format::Alphabet;

/// One of those that are compared with each other.
pub trait Contender {
    /// What people call it.
    fn name(&self) -> &str;

    /// How many threads it is given; `None` for a program, which does as it likes.
    fn threads(&self) -> Option<usize>;

    /// What people call it beside others of the same name: `bitmask on 2 threads`.
    fn label(&self) -> String {
        match self.threads() {
            Some(threads) if threads > 1 => format!("{} on {threads} threads", self.name()),
            _ => self.name().to_owned(),
        }
    }

    /// Answers every puzzle of a set, in order, counting solutions up to `limit`.
    ///
    /// # Errors
    ///
    /// If it is a program that does not do what it should.
    fn answer(&mut self, set: &PuzzleSet, limit: Limit) -> Result<Answers, ProgramError>;

    /// Takes the time of as many passes through a set, all of them together.
    ///
    /// # Errors
    ///
    /// As [`Contender::answer`].
    fn time(&mut self, set: &PuzzleSet, limit: Limit, passes: usize) -> Result<Lap, ProgramError>;
}

/// What a contender knows about every puzzle of a set, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// One for each puzzle.
    pub answers: Vec<ContenderAnswer>,
    /// What each puzzle took; empty for a program, which does not tell.
    pub costs: Vec<Cost>,
}

/// What a contender says about one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContenderAnswer {
    /// How many solutions it counted; `None` if it only gave one.
    pub solutions: Option<u64>,
    /// A solution, if it gave one.
    pub solution: Option<Box<[u8]>>,
}

impl ContenderAnswer {
    /// The answer as people read it, with the symbols of an alphabet.
    pub(super) fn text(&self, alphabet: Alphabet) -> String {
        let count = match self.solutions {
            Some(1) => "1 solution".to_owned(),
            Some(count) => format!("{count} solutions"),
            None => "a solution".to_owned(),
        };
        let grid = self.solution.as_ref().map(|cells| format!(": {}", alphabet.text(cells, b'.')));
        count + &grid.unwrap_or_default()
    }
}

/// How long something took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lap {
    /// By the clock on the wall.
    pub wall: Duration,
    /// CPU time, where all of the work was done by the calling thread.
    pub cpu: Option<Duration>,
}
