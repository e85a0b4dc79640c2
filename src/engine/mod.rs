//! Engines: a batch of puzzles in, a batch of verdicts out.
//!
//! An engine knows Sudoku, and nothing of threads, files or text. Each thread owns one; its scratch memory is reused
//! from puzzle to puzzle and from batch to batch.

pub mod bitmask;
pub mod dlx;
mod hall;
#[expect(clippy::inline_always, reason = "only what is inlined is compiled with the instructions of a vector type")]
#[expect(clippy::needless_range_loop, reason = "the indices are coordinates, of several arrays at once")]
pub mod lanes;
mod lexicographic;
mod verdict;

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

use self::lanes::{Simd, SimdError};
pub use self::lexicographic::{Lister, Listing};
pub use self::verdict::{Cost, Verdict, Verdicts};
use crate::batch::Batch;

/// Solves batches of puzzles.
///
/// The call is once for some thousand puzzles, so engines of all kinds stand behind `dyn Engine` at no cost.
pub trait Engine: Send {
    /// Solves every puzzle of `batch`, counting solutions up to `limit`; one verdict a puzzle, in order.
    ///
    /// `verdicts` is made to fit the batch; what it held before is gone. Any values of a [`Batch`] are fine: a puzzle
    /// whose clues contradict each other has no solution.
    fn solve(&mut self, batch: &Batch, limit: Limit, verdicts: &mut Verdicts);
}

/// The engines by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EngineKind {
    /// The fastest for each size: lanes for 9x9, bit masks for the others.
    #[default]
    Auto,
    /// Many 9x9 puzzles at once in the lanes of vectors: [`lanes::Lanes`]. Other sizes go to [`bitmask::Bitmask`].
    Lanes,
    /// Backtracking on bit masks: [`bitmask::Bitmask`].
    Bitmask,
    /// Dancing links: [`dlx::Dlx`].
    Dlx,
}

impl EngineKind {
    /// Every kind.
    pub const ALL: [EngineKind; 4] = [EngineKind::Auto, EngineKind::Lanes, EngineKind::Bitmask, EngineKind::Dlx];

    /// The name people call it by: `bitmask`.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKind::Auto => "auto",
            EngineKind::Lanes => "lanes",
            EngineKind::Bitmask => "bitmask",
            EngineKind::Dlx => "dlx",
        }
    }

    /// An engine of this kind, for one thread, with the widest vectors that the CPU has.
    pub fn build(self) -> Box<dyn Engine> {
        match self {
            EngineKind::Auto | EngineKind::Lanes => Box::new(lanes::Lanes::widest()),
            EngineKind::Bitmask => Box::new(bitmask::Bitmask::new()),
            EngineKind::Dlx => Box::new(dlx::Dlx::new()),
        }
    }

    /// The same with vectors of some width, which only the lanes engine cares for.
    ///
    /// # Errors
    ///
    /// If the CPU does not have them.
    pub fn build_with(self, simd: Simd) -> Result<Box<dyn Engine>, SimdError> {
        match self {
            EngineKind::Auto | EngineKind::Lanes => Ok(Box::new(lanes::Lanes::new(simd)?)),
            EngineKind::Bitmask | EngineKind::Dlx => Ok(self.build()),
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<EngineKind, UnknownEngine> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownEngine(name.to_owned()))
    }
}

/// There is no engine of this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no engine is called '{0}'; there are {names}", names = EngineKind::ALL.map(EngineKind::name).join(", "))]
pub struct UnknownEngine(String);

/// How far solutions are counted before a search stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limit(NonZeroU64);

impl Limit {
    /// Stop at the first solution.
    pub const FIRST: Limit = Limit(NonZeroU64::MIN);

    /// Stop at the second: enough to know whether a puzzle is unique.
    pub const UNIQUE: Limit = Limit(NonZeroU64::MIN.saturating_add(1));

    /// Stop at solution number `count`.
    pub const fn new(count: NonZeroU64) -> Limit {
        Limit(count)
    }

    /// The number of solutions to stop at, at least 1.
    pub const fn get(self) -> u64 {
        self.0.get()
    }
}
