//! The lane-parallel engine for 9x9: sixteen puzzles at once in AVX-512 registers, eight in AVX2, four elsewhere.
//! Puzzles of 16x16 and 25x25 have a search of their own in `planes`, one at a time.
//!
//! Each lane of a vector holds a node of a puzzle's search tree; the root is the puzzle itself (`cells`, `roots`). All
//! lanes are propagated together, without branches (`propagate`, in the bit layout of `layout`). After a few
//! repetitions the search classifies the node of each lane (`search`): it is solved, it contradicts itself, it makes no
//! progress and must be split (`most_constrained`; `first_cell` if solutions are found in order), or it needs more
//! propagation. Nodes without a lane are on one common `stack` that feeds all free lanes, or are `waiting` for the lane
//! that made them.
//!
//! The verdict on a puzzle depends neither on the width of the vectors nor on the other puzzles in the batch. The
//! outcome of a node depends only on its candidates, so a tree that is searched completely is always the same tree. If
//! a search stops at its limit, the searched part of the tree depends on the order, so its number of branches is
//! unknown and its choice of solutions arbitrary. If the branches are bounded, each puzzle is searched by one lane, so
//! that only the puzzle decides whether its search gives up.

mod cells;
mod first_cell;
mod group;
mod layout;
mod most_constrained;
mod planes;
mod propagate;
mod roots;
mod rotate;
mod search;
mod simd;
mod stack;
mod vector;
mod waiting;

use std::fmt;

use self::cells::CellVector;
use self::first_cell::FirstCell;
use self::group::Splits;
use self::most_constrained::MostConstrained;
use self::planes::Planes;
use self::roots::Roots;
use self::search::{LaneSearch, RootStages, SearchStats, Sharing};
pub use self::simd::{Simd, SimdError};
use self::simd::{Width, WidthTask};
use self::stack::Stack;
use self::waiting::Waiting;
use super::bitmask::Bitmask;
use super::{Bounds, Engine, Limit, SearchEnd, SolutionCells, SolutionCount, Verdicts};
use crate::clock::Stopwatch;
use crate::puzzle::{Batch, Size};

/// The minimum number of puzzles in a batch that is timed by the CPU clock. For a smaller batch, reading that clock
/// would take too large a part of the time.
const CPU_CLOCK_FROM: usize = 64;

/// Search depth first if the previous batch had fewer than so many splits for each search that stopped at its limit. With
/// 30 splits, that is up to 1.4 times as fast; with 300, it takes up to 1.2 times as long.
const SPLITS_TO_LIMIT: u64 = 64;

/// Propagate roots in two stages if at least 1 in `CONTRADICTORY_FROM` puzzles of the previous batch turned out to have
/// no solution without a split.
const CONTRADICTORY_FROM: usize = 2;

/// The lane-parallel engine. [`Bitmask`] solves the sizes other than 9x9; 16x16 and 25x25 only if one solution is
/// enough.
pub struct Lanes {
    width: Width,
    planes: Planes,
    other_sizes: Bitmask,
    stack: Stack,
    /// Roots after the first of two stages.
    started: Stack,
    numbers: Vec<u32>,
    stats: Vec<SearchStats>,
    /// The strategies that suit the last batch.
    sharing: Sharing,
    stages: RootStages,
}

impl Lanes {
    /// An engine that uses the given vectors.
    ///
    /// # Errors
    ///
    /// [`SimdError`] if this CPU does not have them.
    pub fn new(simd: Simd) -> Result<Lanes, SimdError> {
        Ok(Lanes { width: Width::new(simd)?, ..Lanes::widest() })
    }

    /// An engine that uses the widest vectors that this CPU has.
    pub fn widest() -> Lanes {
        Lanes {
            width: Width::widest(),
            planes: Planes::new(),
            other_sizes: Bitmask::new(),
            stack: Stack::new(),
            started: Stack::new(),
            numbers: vec![],
            stats: vec![],
            sharing: Sharing::Always,
            stages: RootStages::One,
        }
    }

    /// The vectors that the engine uses, never [`Simd::Auto`].
    pub fn simd(&self) -> Simd {
        self.width.simd()
    }

    /// Solves a batch of 9x9 puzzles with the vectors of the engine.
    fn solve_9x9(&mut self, batch: &Batch, goal: Goal, bounds: Bounds<'_>, verdicts: &mut Verdicts) {
        let start = if batch.len() < CPU_CLOCK_FROM { Stopwatch::wall() } else { Stopwatch::cpu() };
        self.stats.clear();
        self.stats.resize(batch.len(), SearchStats::AT_ROOT);

        self.width.run(LanesTask { lanes: self, goal, batch, bounds, verdicts });

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
        match goal {
            Goal::First => self.search::<V, FirstCell<V>>(proof, Sharing::InOrder, batch, bounds, verdicts),
            Goal::Any => {
                let sharing = if bounds.max_branches.is_some() { Sharing::Never } else { self.sharing };
                self.search::<V, MostConstrained<V>>(proof, sharing, batch, bounds, verdicts);

                // Choose the strategies for the next batch, which is probably similar.
                let (mut at_limit, mut splits, mut contradictory) = (0, 0, 0);
                for stats in &self.stats {
                    at_limit += u64::from(stats.end == SearchEnd::AtLimit);
                    // A search that was interrupted may have no leaf.
                    splits += stats.leaves.saturating_sub(1);
                    contradictory += usize::from(stats.solutions == 0 && stats.leaves == 1);
                }
                self.sharing = if at_limit * SPLITS_TO_LIMIT > splits { Sharing::IfLong } else { Sharing::Always };
                let is_two = contradictory * CONTRADICTORY_FROM >= batch.len();
                self.stages = if is_two { RootStages::Two } else { RootStages::One };
            }
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
        self.started.clear();
        self.numbers.clear();
        self.numbers.extend(0..batch.len() as u32);

        proof.call(LaneSearch {
            proof,
            splits: [S::none(proof), S::none(proof)],
            roots: Roots::new(batch, &mut self.numbers),
            stages: self.stages,
            started: &mut self.started,
            stack: &mut self.stack,
            waiting: Waiting::new(),
            is_drained: false,
            sharing,
            bounds,
            stats: &mut self.stats,
            solutions,
            all_solutions: all,
        });
    }
}

/// The searches of a batch, with vectors of any width.
struct LanesTask<'a> {
    lanes: &'a mut Lanes,
    goal: Goal,
    batch: &'a Batch,
    bounds: Bounds<'a>,
    verdicts: &'a mut Verdicts,
}

impl WidthTask for LanesTask<'_> {
    fn run<V: CellVector>(self, proof: V) {
        let LanesTask { lanes, goal, batch, bounds, verdicts } = self;
        if batch.size() == Size::Nine {
            lanes.search_for(proof, goal, batch, bounds, verdicts);
        } else {
            lanes.planes.solve(proof, batch, bounds, verdicts);
        }
    }
}

/// The solutions to search for.
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
        if batch.size() == Size::Nine {
            self.solve_9x9(batch, Goal::Any, bounds, verdicts);
            return;
        }
        // Which solution is found first must not depend on the CPU: generated puzzles are made from it.
        if !Planes::can_solve(batch.size()) || bounds.solutions == Limit::FIRST {
            return self.other_sizes.solve(batch, bounds, verdicts);
        }
        self.width.run(LanesTask { lanes: self, goal: Goal::Any, batch, bounds, verdicts });
    }

    fn solve_in_order(&mut self, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts) -> bool {
        if batch.size() == Size::Nine {
            self.solve_9x9(batch, Goal::First, bounds, verdicts);
        }
        batch.size() == Size::Nine
    }
}

/// Sets the counts and costs of all puzzles. The batch's time is divided among them in proportion to the rounds that
/// lanes spent on each; the parts add up exactly.
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
