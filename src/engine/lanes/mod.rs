//! The lane-parallel engine for 9x9: sixteen puzzles at once in AVX-512 registers, eight in AVX2, four in NEON and
//! elsewhere.
//!
//! Each lane of a vector holds a node of some puzzle's search tree; the root is the puzzle itself (`cells`, `roots`). All
//! lanes are propagated together, without branches (`propagate`, in the bit layout of `layout`). After a few repetitions
//! the search classifies the node of each lane (`search`): it is solved, it contradicts itself, it makes no progress and
//! must be split (`branch`), or it needs more propagation. Nodes without a lane are on one common `stack`, from which any
//! free lane takes them, or are `waiting` for the lane that made them.
//!
//! The verdict on a puzzle does not depend on the width of the vectors or the puzzles beside it. The outcome of a node
//! depends on its candidates alone, so a tree that is searched completely is always the same tree. A search that stops at
//! its limit is different: the part of the tree that it has seen depends on the order. So it has no number of branches,
//! and which solutions it has found means nothing. If the branches are bounded, one lane searches each puzzle, so that it
//! depends on the puzzle alone which searches give up.

mod branch;
mod cells;
mod group;
mod layout;
mod propagate;
mod roots;
mod rotate;
mod search;
mod stack;
mod vector;
mod waiting;

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use self::branch::{FirstCell, MostConstrained, Splits};
use self::cells::CellVector;
use self::roots::Roots;
use self::search::{Search, SearchStats, Sharing};
use self::stack::Stack;
#[cfg(target_arch = "x86_64")]
use self::vector::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use self::vector::avx512::{Avx512, Avx512Bw};
#[cfg(target_arch = "aarch64")]
use self::vector::neon::Neon;
use self::vector::portable::Portable;
use self::waiting::Waiting;
use super::bitmask::Bitmask;
use super::{Bounds, Engine, SearchEnd, SolutionCells, SolutionCount, Verdicts};
use crate::clock::Stopwatch;
use crate::puzzle::{Batch, Order};

/// The vectors to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Simd {
    /// The widest that this CPU has.
    #[default]
    Auto,
    /// 512 bits, sixteen lanes: Intel from Ice Lake, AMD from Zen 4 on.
    Avx512,
    /// 512 bits, sixteen lanes, with the first extensions of AVX-512 alone: Intel from Skylake-SP on.
    Avx512Bw,
    /// 256 bits, eight lanes: Intel from Haswell, AMD from Excavator on.
    Avx2,
    /// 128 bits, four lanes: any ARM CPU of 64 bits.
    Neon,
    /// 128 bits, four lanes, on any machine.
    Portable,
}

impl Simd {
    /// All values, in the order of their names in messages.
    pub const ALL: [Simd; 6] = [Simd::Auto, Simd::Avx512, Simd::Avx512Bw, Simd::Avx2, Simd::Neon, Simd::Portable];

    /// The widest vectors that this CPU has.
    pub fn detect() -> Simd {
        Width::widest().simd()
    }

    /// The name: `auto`, `avx512`, `avx512bw`, `avx2`, `neon` or `portable`.
    pub const fn name(self) -> &'static str {
        match self {
            Simd::Auto => "auto",
            Simd::Avx512 => "avx512",
            Simd::Avx512Bw => "avx512bw",
            Simd::Avx2 => "avx2",
            Simd::Neon => "neon",
            Simd::Portable => "portable",
        }
    }
}

impl fmt::Display for Simd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Simd {
    type Err = SimdError;

    fn from_str(name: &str) -> Result<Simd, SimdError> {
        Simd::ALL.into_iter().find(|simd| simd.name() == name).ok_or_else(|| SimdError::Unknown(name.into()))
    }
}

/// Why vectors are not available.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdError {
    /// No vectors have this name.
    #[error("'{0}' is none of auto, avx512, avx512bw, avx2, neon, portable")]
    Unknown(String),
    /// This CPU does not have the instructions.
    #[error("this CPU has no {0}; it can do {best}", best = Simd::detect())]
    Unavailable(Simd),
}

/// The fewest puzzles of a batch that is timed by the CPU clock: for fewer, to read it would take too large a part of the
/// time.
const CPU_CLOCK_FROM: usize = 64;

/// The searches of a batch are depth first if at least one of so many of the batch before stopped at its limit. At one in
/// eight, both ways of [`Sharing`] take about the same time.
const MANY_LIMIT_HITS: usize = 8;

/// The lane-parallel engine. Puzzles of other sizes than 9x9 are solved by [`Bitmask`].
pub struct Lanes {
    width: Width,
    other_sizes: Bitmask,
    stack: Stack,
    numbers: Vec<u32>,
    stats: Vec<SearchStats>,
    /// The number of searches of the last batch that stopped at their limit.
    limit_hits: usize,
}

impl Lanes {
    /// An engine that uses the given vectors.
    ///
    /// # Errors
    ///
    /// [`SimdError::Unavailable`] if this CPU does not have them.
    pub fn new(simd: Simd) -> Result<Lanes, SimdError> {
        Ok(Lanes { width: Width::new(simd)?, ..Lanes::widest() })
    }

    /// An engine that uses the widest vectors that this CPU has.
    pub fn widest() -> Lanes {
        Lanes {
            width: Width::widest(),
            other_sizes: Bitmask::new(),
            stack: Stack::new(),
            numbers: vec![],
            stats: vec![],
            limit_hits: 0,
        }
    }

    /// The vectors that the engine uses, never [`Simd::Auto`].
    pub fn simd(&self) -> Simd {
        self.width.simd()
    }

    /// Solves a batch of 9x9 with the vectors of the engine.
    fn solve_9x9(&mut self, batch: &Batch, goal: Goal, bounds: Bounds<'_>, verdicts: &mut Verdicts) {
        let start = if batch.len() < CPU_CLOCK_FROM { Stopwatch::wall() } else { Stopwatch::cpu() };
        self.stats.clear();
        self.stats.resize(batch.len(), SearchStats::AT_ROOT);
        match self.width {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512(proof) => self.search_for(proof, goal, batch, bounds, verdicts),
            #[cfg(target_arch = "x86_64")]
            Width::Avx512Bw(proof) => self.search_for(proof, goal, batch, bounds, verdicts),
            #[cfg(target_arch = "x86_64")]
            Width::Avx2(proof) => self.search_for(proof, goal, batch, bounds, verdicts),
            #[cfg(target_arch = "aarch64")]
            Width::Neon(proof) => self.search_for(proof, goal, batch, bounds, verdicts),
            Width::Portable(proof) => self.search_for(proof, goal, batch, bounds, verdicts),
        }
        if bounds.is_stopped() {
            return verdicts.reset(batch);
        }
        set_counts(verdicts, &self.stats, start.elapsed().as_nanos() as u64);
    }

    fn search_for<V: CellVector>(
        &mut self,
        proof: V,
        goal: Goal,
        batch: &Batch,
        bounds: Bounds<'_>,
        verdicts: &mut Verdicts,
    ) {
        let sharing = match goal {
            Goal::First => Sharing::InOrder,
            Goal::Any if bounds.max_branches.is_some() => Sharing::Never,
            Goal::Any if self.limit_hits * MANY_LIMIT_HITS >= batch.len() => Sharing::IfLong,
            Goal::Any => Sharing::Always,
        };
        match goal {
            Goal::First => self.search::<V, FirstCell<V>>(proof, sharing, batch, bounds, verdicts),
            Goal::Any => self.search::<V, MostConstrained<V>>(proof, sharing, batch, bounds, verdicts),
        }
    }

    fn search<V: CellVector, S: Splits<V>>(
        &mut self,
        proof: V,
        sharing: Sharing,
        batch: &Batch,
        bounds: Bounds<'_>,
        verdicts: &mut Verdicts,
    ) {
        let SolutionCells { first, all } = verdicts.solution_cells(batch);
        let (solutions, _) = first.as_chunks_mut();
        self.stack.clear();
        self.numbers.clear();
        self.numbers.extend(0..batch.len() as u32);
        proof.call(Search {
            proof,
            splits: [S::none(proof), S::none(proof)],
            roots: Roots::new(batch, &mut self.numbers),
            stack: &mut self.stack,
            waiting: Waiting::new(),
            sharing,
            bounds,
            stats: &mut self.stats,
            solutions,
            all_solutions: all,
        });
        self.limit_hits = self.stats.iter().filter(|stats| stats.end == SearchEnd::AtLimit).count();
    }
}

/// The solutions that a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// Any, with as few nodes as possible.
    Any,
    /// The first ones in lexicographic order.
    First,
}

/// Prints the vectors, not the scratch memory.
impl fmt::Debug for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lanes").field("simd", &self.simd()).finish_non_exhaustive()
    }
}

impl Engine for Lanes {
    fn solve(&mut self, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts) {
        if batch.order() == Order::Three {
            self.solve_9x9(batch, Goal::Any, bounds, verdicts);
        } else {
            self.other_sizes.solve(batch, bounds, verdicts);
        }
    }

    fn solve_in_order(&mut self, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts) -> bool {
        if batch.order() == Order::Three {
            self.solve_9x9(batch, Goal::First, bounds, verdicts);
        }
        batch.order() == Order::Three
    }
}

/// Sets the counts and costs of all puzzles. The batch's time is divided among them in proportion to the rounds that
/// lanes spent on each; the parts add up to it.
fn set_counts(verdicts: &mut Verdicts, stats: &[SearchStats], nanos: u64) {
    let total: u64 = stats.iter().map(|stats| stats.rounds).sum();
    // A fixed-point number with 64 fractional bits.
    let nanos_per_round = (u128::from(nanos) << 64) / u128::from(total.max(1));
    let (mut rounds, mut shared) = (0, 0);
    verdicts.set_counts(stats.iter().map(|stats| {
        rounds += stats.rounds;
        let until = if rounds == total { nanos } else { ((u128::from(rounds) * nanos_per_round) >> 64) as u64 };
        let nanos = until - std::mem::replace(&mut shared, until);
        SolutionCount::new(stats.solutions, stats.end, stats.leaves - 1, nanos)
    }));
}

/// The first value of a vector type, which proves that the CPU has its instructions.
#[derive(Clone, Copy)]
enum Width {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx512Bw(Avx512Bw),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    Portable(Portable),
}

impl Width {
    fn new(simd: Simd) -> Result<Width, SimdError> {
        let width = match simd {
            Simd::Auto => Some(Width::widest()),
            Simd::Portable => Some(Width::Portable(Portable::zero())),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => Avx512::detect().map(Width::Avx512),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512Bw => Avx512Bw::detect().map(Width::Avx512Bw),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => Avx2::detect().map(Width::Avx2),
            #[cfg(target_arch = "aarch64")]
            Simd::Neon => Some(Width::Neon(Neon::zero())),
            #[cfg(not(target_arch = "x86_64"))]
            Simd::Avx512 | Simd::Avx512Bw | Simd::Avx2 => None,
            #[cfg(not(target_arch = "aarch64"))]
            Simd::Neon => None,
        };
        width.ok_or(SimdError::Unavailable(simd))
    }

    fn widest() -> Width {
        let best = [Simd::Avx512, Simd::Avx512Bw, Simd::Avx2].into_iter().find_map(|simd| Width::new(simd).ok());
        best.unwrap_or(Width::Portable(Portable::zero()))
    }

    fn simd(self) -> Simd {
        match self {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512(_) => Simd::Avx512,
            #[cfg(target_arch = "x86_64")]
            Width::Avx512Bw(_) => Simd::Avx512Bw,
            #[cfg(target_arch = "x86_64")]
            Width::Avx2(_) => Simd::Avx2,
            #[cfg(target_arch = "aarch64")]
            Width::Neon(_) => Simd::Neon,
            Width::Portable(_) => Simd::Portable,
        }
    }
}
