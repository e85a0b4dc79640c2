//! The lane-parallel engine for 9x9: sixteen puzzles at once in AVX-512 registers, eight in AVX2, four elsewhere.
//!
//! Each lane of a vector is a node of some puzzle's search, first of all the puzzle itself (`roots`). All lanes are
//! propagated together, without a branch (`propagate`, in the words of `layout`); after a few repetitions each lane is
//! looked at (`search`): it is solved, at a dead end, stuck and to be split (`branch`), or wants more of the same. Nodes
//! that have no lane wait (`frontier`), usually on one common `stack` that feeds whatever lane is free.
//!
//! What is told of a puzzle does not depend on the width of the vectors or the puzzles beside it. A node's fate is a
//! matter of its candidates alone, so a tree that is searched whole is always the same tree. A search that is cut off
//! at its limit is different: what it has seen by then depends on the order. So its verdict comes from another search,
//! `stacks`, in which nothing but the puzzle itself decides about the order.

mod branch;
mod frontier;
mod group;
mod layout;
mod load;
mod propagate;
mod puzzle_stacks;
mod roots;
mod search;
mod stack;
mod vector;

use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use thiserror::Error;

use self::puzzle_stacks::PuzzleStacks;
use self::roots::Roots;
use self::search::{AtLimit, Effort, GROUPS, Search};
use self::stack::Stack;
use self::vector::Vector;
use self::vector::portable::Portable;
#[cfg(target_arch = "x86_64")]
use self::vector::{avx2::Avx2, avx512::Avx512};
use super::bitmask::Bitmask;
use super::{Cost, Count, Engine, Limit, Verdicts};
use crate::puzzle::Batch;
use crate::puzzle::Order;

/// Which vectors to use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Simd {
    /// The widest that this CPU has.
    #[default]
    Auto,
    /// 512 bits, sixteen lanes: Intel from Ice Lake, AMD from Zen 4 on.
    Avx512,
    /// 256 bits, eight lanes: Intel from Haswell, AMD from Excavator on.
    Avx2,
    /// 128 bits, four lanes, whatever the machine.
    Portable,
}

impl Simd {
    /// All that can be asked for by name.
    pub const ALL: [Simd; 4] = [Simd::Auto, Simd::Avx512, Simd::Avx2, Simd::Portable];

    /// The widest vectors that this CPU has.
    pub fn detect() -> Simd {
        Width::widest().simd()
    }

    /// The name: `auto`, `avx512`, `avx2` or `portable`.
    pub const fn name(self) -> &'static str {
        match self {
            Simd::Auto => "auto",
            Simd::Avx512 => "avx512",
            Simd::Avx2 => "avx2",
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

/// Why vectors cannot be had.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SimdError {
    /// No vectors have this name.
    #[error("'{0}' is none of auto, avx512, avx2, portable")]
    Unknown(String),
    /// This CPU does not have the instructions.
    #[error("this CPU has no {0}; it can do {best}", best = Simd::detect())]
    Unavailable(Simd),
}

/// The lane-parallel engine. Puzzles of other sizes than 9x9 go to an engine that knows them.
pub struct Lanes {
    width: Width,
    other_sizes: Bitmask,
    stack: Stack,
    numbers: Vec<u32>,
    efforts: Vec<Effort>,
}

impl Lanes {
    /// An engine that uses the vectors that are asked for.
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
            efforts: vec![],
        }
    }

    /// The vectors that it uses, never [`Simd::Auto`].
    pub fn simd(&self) -> Simd {
        self.width.simd()
    }

    fn search<V: Vector>(&mut self, proof: V, batch: &Batch, limit: Limit, verdicts: &mut Verdicts) {
        let (solutions, _) = verdicts.make_room(batch).as_chunks_mut();
        self.numbers.clear();
        self.numbers.extend(0..batch.len() as u32);
        // With a limit of 1, whatever has a solution would be cut off.
        let mut in_order = if limit == Limit::FIRST { self.numbers.clone() } else { vec![] };
        if limit > Limit::FIRST {
            self.stack.clear();
            proof.call(Search {
                proof,
                frontier: &mut self.stack,
                roots: Roots::new(batch, &mut self.numbers),
                limit,
                at_limit: AtLimit::SetAside,
                efforts: &mut self.efforts,
                solutions,
                set_aside: &mut in_order,
            });
        }
        if !in_order.is_empty() {
            proof.call(Search {
                proof,
                frontier: &mut PuzzleStacks::new(GROUPS, V::LANES),
                roots: Roots::new(batch, &mut in_order),
                limit,
                at_limit: AtLimit::Conclude,
                efforts: &mut self.efforts,
                solutions,
                set_aside: &mut vec![],
            });
        }
    }
}

impl Engine for Lanes {
    fn solve(&mut self, batch: &Batch, limit: Limit, verdicts: &mut Verdicts) {
        if batch.order() != Order::Three {
            return self.other_sizes.solve(batch, limit, verdicts);
        }
        let start = Instant::now();
        self.efforts.clear();
        self.efforts.resize(batch.len(), Effort::BEGUN);
        match self.width {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512(proof) => self.search(proof, batch, limit, verdicts),
            #[cfg(target_arch = "x86_64")]
            Width::Avx2(proof) => self.search(proof, batch, limit, verdicts),
            Width::Portable(proof) => self.search(proof, batch, limit, verdicts),
        }
        conclude(&self.efforts, start.elapsed().as_nanos() as u64, verdicts);
    }
}

/// Notes what was found out about each puzzle. Its share of the batch's time is by the rounds that lanes spent on it; the
/// shares add up to the whole.
fn conclude(efforts: &[Effort], nanos: u64, verdicts: &mut Verdicts) {
    let total: u64 = efforts.iter().map(|effort| effort.rounds).sum();
    // With 64 bits after the point.
    let nanos_per_round = (u128::from(nanos) << 64) / u128::from(total.max(1));
    let (mut rounds, mut shared) = (0, 0);
    verdicts.set_counts(efforts.iter().map(|effort| {
        rounds += effort.rounds;
        let until = if rounds == total { nanos } else { ((u128::from(rounds) * nanos_per_round) >> 64) as u64 };
        let nanos = until - std::mem::replace(&mut shared, until);
        Count { solutions: effort.solutions, cost: Cost { branches: effort.leaves - 1, nanos } }
    }));
}

/// The first value of a vector type, which proves that the CPU can do it.
#[derive(Clone, Copy)]
enum Width {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
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
            Simd::Avx2 => Avx2::detect().map(Width::Avx2),
            #[cfg(not(target_arch = "x86_64"))]
            Simd::Avx512 | Simd::Avx2 => None,
        };
        width.ok_or(SimdError::Unavailable(simd))
    }

    fn widest() -> Width {
        let best = [Simd::Avx512, Simd::Avx2].into_iter().find_map(|simd| Width::new(simd).ok());
        best.unwrap_or(Width::Portable(Portable::zero()))
    }

    fn simd(self) -> Simd {
        match self {
            #[cfg(target_arch = "x86_64")]
            Width::Avx512(_) => Simd::Avx512,
            #[cfg(target_arch = "x86_64")]
            Width::Avx2(_) => Simd::Avx2,
            Width::Portable(_) => Simd::Portable,
        }
    }
}
