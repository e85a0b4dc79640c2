//! Puzzles by number: puzzle `index` of a seed is the same on any machine, in any order, from any number of threads.
//!
//! Each try for a puzzle has random words of its own, derived from the seed, its index and its number. The puzzle is that
//! of the first try with as few clues as wanted.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::ops::ControlFlow;

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use thiserror::Error;

use super::grid::Grids;
use super::reduction::{Answer, Reduction};
use crate::engine::{Bounds, Engine, EngineKind, Limit, MaxBranches, SearchEnd, Verdicts};
use crate::puzzle::{Batch, Grid, Order};
use crate::rating::{ErRange, Rater, RatingGoal, RatingOptions};
use crate::stop::Stop;

/// How far clues are taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Until just so many are left.
    Clues(usize),
    /// Until none can be spared: without any one of them there are more solutions.
    Minimal,
}

/// Why there is no such puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GenerateError {
    /// No unique puzzle has so few clues, or none is known.
    #[error("no {order} puzzle with a single solution has {clues} clues; the fewest known are {fewest}")]
    TooFewClues {
        /// The size.
        order: Order,
        /// The clues asked for.
        clues: usize,
        /// The fewest that any puzzle has.
        fewest: usize,
    },
    /// There are more clues than cells.
    #[error("a {order} puzzle has no room for {clues} clues, only for {cells}", cells = order.cells())]
    TooManyClues {
        /// The size.
        order: Order,
        /// The clues asked for.
        clues: usize,
    },
    /// None came up.
    #[error("{tries} random grids gave no {order} puzzle with {clues} clues")]
    OutOfReach {
        /// The size.
        order: Order,
        /// The clues asked for.
        clues: usize,
        /// How many grids were tried.
        tries: u32,
    },
    /// Only 9x9 puzzles have an ER.
    #[error("{0} puzzles have no rating, only 9x9 puzzles have")]
    NotRated(Order),
    /// No puzzle with such a rating came up.
    #[error("{tries} random grids gave no puzzle with an ER of {er}")]
    ErOutOfReach {
        /// The range that was asked for.
        er: ErRange,
        /// How many grids were tried.
        tries: u32,
    },
}

/// Generates puzzles with a single solution; owned by a thread.
///
/// Many puzzles are made in step, so that an engine gets a question about each of them in one batch.
#[derive(Debug)]
pub struct Generator {
    order: Order,
    seed: u64,
    target: Target,
    max_tries: NonZeroU32,
    /// The ratings to be had, and what finds them.
    wanted: Option<(ErRange, Rater)>,
    max_branches: Option<u64>,
    stop: Stop,
    undecided_clues: u64,
    engine: Box<dyn Engine>,
    grids: Grids,
    /// Grids in work.
    slots: Vec<Slot>,
    batch: Batch,
    verdicts: Verdicts,
}

/// A grid in work.
#[derive(Debug)]
struct Slot {
    reduction: Reduction,
    /// The puzzle that it is for, by its position in the range, and the number of the try; `None` in a free slot.
    attempt: Option<(usize, u32)>,
}

/// The tries for one puzzle.
#[derive(Clone, Debug, Default)]
struct Tries {
    started: u32,
    missed: u32,
    in_work: u32,
    /// The first try that is known to have given a puzzle.
    first_hit: Option<u32>,
}

impl Tries {
    /// Whether another one should start: as long as none has given a puzzle, as many at once as have missed.
    ///
    /// So nothing is done in vain where the first one gives a puzzle, and the lanes of an engine are full where one in
    /// thousands does.
    fn wants_another(&self, max_tries: u32) -> bool {
        self.first_hit.is_none() && self.started < max_tries && self.in_work < self.missed.max(1)
    }
}

impl Generator {
    /// A generator of the puzzles of a seed.
    ///
    /// # Errors
    ///
    /// If there can be no puzzle with so many clues.
    pub fn new(order: Order, seed: u64, target: Target) -> Result<Generator, GenerateError> {
        let engine = EngineKind::Auto.build().expect("any CPU has the vectors that auto chooses");
        Generator::with_engine(order, seed, target, engine)
    }

    /// A generator that asks `engine`. The puzzles do not depend on it.
    ///
    /// # Errors
    ///
    /// If there can be no puzzle with so many clues.
    pub fn with_engine(
        order: Order,
        seed: u64,
        target: Target,
        engine: Box<dyn Engine>,
    ) -> Result<Generator, GenerateError> {
        check(order, target)?;
        let slot = || Slot { reduction: Reduction::new(order), attempt: None };
        Ok(Generator {
            order,
            seed,
            target,
            max_tries: default_tries(order),
            wanted: None,
            max_branches: MaxBranches::default().for_order(order),
            stop: Stop::new(),
            undecided_clues: 0,
            engine,
            grids: Grids::new(order),
            slots: (0..slots(order)).map(|_| slot()).collect(),
            batch: Batch::new(order),
            verdicts: Verdicts::new(),
        })
    }

    /// Sets the most branches of a search. A clue stays if the search without it needs more.
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Generator {
        Generator { max_branches: max_branches.for_order(self.order), ..self }
    }

    /// The number of clues so far that may not be needed: the searches without them gave up.
    pub(super) fn undecided_clues(&self) -> u64 {
        self.undecided_clues
    }

    /// Sets a signal that interrupts a search.
    #[must_use]
    pub(super) fn stop(self, stop: Stop) -> Generator {
        Generator { stop, ..self }
    }

    /// Sets how many random grids are tried for a puzzle.
    #[must_use]
    pub fn max_tries(self, max_tries: NonZeroU32) -> Generator {
        Generator { max_tries, ..self }
    }

    /// Rates puzzles, and takes only those with such an ER. The number of [tries](Generator::max_tries) becomes 100,000.
    ///
    /// # Errors
    ///
    /// If the puzzles are not 9x9.
    pub fn er(self, er: ErRange) -> Result<Generator, GenerateError> {
        if self.order != Order::Three {
            return Err(GenerateError::NotRated(self.order));
        }
        let rater = Rater::with_options(RatingOptions { goal: RatingGoal::Counts, max_er: er.most });
        let max_tries = NonZeroU32::new(100_000).expect("a number above 0");
        Ok(Generator { wanted: Some((er, rater)), max_tries, ..self })
    }

    /// Writes puzzle number `index` and its only solution.
    ///
    /// # Errors
    ///
    /// If none of many random grids gave a puzzle with so few clues, or with such an ER.
    ///
    /// # Panics
    ///
    /// If `puzzle` or `solution` is not a grid of this size.
    pub fn puzzle(&mut self, index: u64, puzzle: &mut [u8], solution: &mut [u8]) -> Result<(), GenerateError> {
        self.puzzles(index, puzzle, solution)
    }

    /// Writes the puzzles from number `first` on, one after another, and their only solutions: as many as there is room
    /// for. Takes a fraction of the time that one by one take.
    ///
    /// # Errors
    ///
    /// If none of many random grids gave a puzzle with so few clues, or with such an ER.
    ///
    /// # Panics
    ///
    /// If `puzzles` or `solutions` is not a number of grids of this size, or they are not equally many.
    pub fn puzzles(&mut self, first: u64, puzzles: &mut [u8], solutions: &mut [u8]) -> Result<(), GenerateError> {
        self.work(first, puzzles, solutions, |_| ControlFlow::Continue(())).map(|_| ())
    }

    /// As [`Generator::puzzles`]. Calls `after_round` often, with the number of grids since the last call that gave no
    /// puzzle. It may break off the work.
    pub(super) fn work(
        &mut self,
        first: u64,
        puzzles: &mut [u8],
        solutions: &mut [u8],
        mut after_round: impl FnMut(u32) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, GenerateError> {
        let cells = self.order.cells();
        assert!(puzzles.len() == solutions.len() && puzzles.len().is_multiple_of(cells), "{} grids", self.order);
        let mut tries = vec![Tries::default(); puzzles.len() / cells];
        let mut open: VecDeque<usize> = (0..tries.len()).collect();
        let enough = if let Target::Clues(clues) = self.target { clues } else { 0 };
        self.slots.iter_mut().for_each(|slot| slot.attempt = None);
        loop {
            self.start_tries(first, &mut open, &mut tries);
            self.batch.clear();
            let mut missed = 0;
            for slot in &mut self.slots {
                let Some((number, attempt)) = slot.attempt else { continue };
                let tries = &mut tries[number];
                let is_late = tries.first_hit.is_some_and(|hit| hit < attempt);
                if !is_late && let Some(question) = slot.reduction.question(enough) {
                    self.batch.push(question);
                    continue;
                }
                slot.attempt = None;
                tries.in_work -= 1;
                if is_late {
                    continue;
                }
                let clues = slot.reduction.clues();
                let has_clues = self.target == Target::Minimal || self.target == Target::Clues(clues);
                if has_clues && is_wanted(&mut self.wanted, &slot.reduction.puzzle) {
                    tries.first_hit = Some(attempt);
                    self.undecided_clues += u64::from(slot.reduction.undecided());
                    puzzles[number * cells..][..cells].copy_from_slice(&slot.reduction.puzzle);
                    solutions[number * cells..][..cells].copy_from_slice(&slot.reduction.solution);
                } else {
                    missed += 1;
                    tries.missed += 1;
                    if tries.missed == self.max_tries.get() {
                        return Err(match (&self.wanted, self.target) {
                            (&Some((er, _)), _) => GenerateError::ErOutOfReach { er, tries: tries.missed },
                            (None, Target::Clues(clues)) => {
                                GenerateError::OutOfReach { order: self.order, clues, tries: tries.missed }
                            }
                            (None, Target::Minimal) => unreachable!("any grid has a minimal puzzle"),
                        });
                    }
                }
            }
            if after_round(missed).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if self.batch.is_empty() {
                if tries.iter().all(|tries| tries.first_hit.is_some()) {
                    return Ok(ControlFlow::Continue(()));
                }
                continue;
            }
            let bounds = Bounds { solutions: Limit::UNIQUE, max_branches: self.max_branches, stop: Some(&self.stop) };
            self.engine.solve(&self.batch, bounds, &mut self.verdicts);
            if self.stop.is_overdue() {
                return Ok(ControlFlow::Break(()));
            }
            let asking = self.slots.iter_mut().filter(|slot| slot.attempt.is_some());
            for (slot, verdict) in asking.zip(self.verdicts.iter()) {
                slot.reduction.answer(match (verdict.end, verdict.solution) {
                    (SearchEnd::Complete, _) => Answer::Unique,
                    (SearchEnd::AtLimit, Some(solution)) => Answer::Several(solution),
                    (SearchEnd::AtLimit, None) | (SearchEnd::GaveUp, _) => Answer::Unknown,
                });
            }
        }
    }

    /// Starts tries in free slots; `open` has the puzzles that may want another one, in the order of their turns.
    fn start_tries(&mut self, first: u64, open: &mut VecDeque<usize>, tries: &mut [Tries]) {
        let needs_one = self.target == Target::Minimal && self.wanted.is_none();
        let max_tries = if needs_one { 1 } else { self.max_tries.get() };
        for slot in self.slots.iter_mut().filter(|slot| slot.attempt.is_none()) {
            let mut turns = 0..open.len();
            let Some(number) = turns.find_map(|_| {
                let number = open.pop_front()?;
                let tries = &tries[number];
                if tries.first_hit.is_none() {
                    open.push_back(number);
                }
                tries.wants_another(max_tries).then_some(number)
            }) else {
                return;
            };
            let attempt = tries[number].started;
            tries[number].started += 1;
            tries[number].in_work += 1;
            let mut rng = random_words(self.seed, first + number as u64, attempt);
            let Slot { reduction, .. } = slot;
            self.grids.fill(&mut rng, &mut reduction.solution);
            reduction.start(self.order, &mut rng);
            slot.attempt = Some((number, attempt));
        }
    }
}

/// Whether a puzzle has one of the ratings to be had.
fn is_wanted(wanted: &mut Option<(ErRange, Rater)>, puzzle: &[u8]) -> bool {
    let Some((er, rater)) = wanted else { return true };
    let puzzle: &Grid = puzzle.try_into().expect("only 9x9 puzzles are rated");
    er.contains(&rater.rate(puzzle, |_, _| ()))
}

/// Checks that there can be puzzles with so many clues.
fn check(order: Order, target: Target) -> Result<(), GenerateError> {
    let Target::Clues(clues) = target else { return Ok(()) };
    let fewest = fewest_clues(order);
    if clues < fewest {
        return Err(GenerateError::TooFewClues { order, clues, fewest });
    }
    if clues > order.cells() {
        return Err(GenerateError::TooManyClues { order, clues });
    }
    Ok(())
}

/// The random words for one try.
fn random_words(seed: u64, index: u64, attempt: u32) -> Xoshiro256PlusPlus {
    let key = SplitMix64::seed_from_u64(seed).next_u64();
    let key = SplitMix64::seed_from_u64(key ^ index).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(key ^ u64::from(attempt))
}

/// How many grids are in work at once: enough to fill the lanes of an engine, and more so that few lanes wait at the end
/// of a batch. Engines solve larger puzzles one by one.
fn slots(order: Order) -> usize {
    match order {
        // With 512, their tables do not fit into a cache of 1 MiB any more.
        Order::Two | Order::Three => 128,
        Order::Four | Order::Five => 1,
    }
}

/// The fewest clues of a unique puzzle: proved up to 9x9 ("There is no 16-Clue Sudoku", Experimental Mathematics 23,
/// 2014), the fewest known above.
fn fewest_clues(order: Order) -> usize {
    match order {
        Order::Two => 4,
        Order::Three => 17,
        Order::Four => 55,
        Order::Five => 151,
    }
}

/// How many grids are tried for a puzzle with few clues: some seconds' worth, and at most a minute.
fn default_tries(order: Order) -> NonZeroU32 {
    let tries = match order {
        Order::Two | Order::Three => 1_000_000,
        Order::Four => 40,
        Order::Five => 10,
    };
    NonZeroU32::new(tries).expect("a number above 0")
}
