//! Puzzles by number: puzzle `index` of a seed is the same on any machine, in any order, from any number of threads.
//!
//! Each try for a puzzle has random words of its own, derived from the seed, its index and its number. The puzzle is that
//! of the first try that gives one of the wished kind.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::ops::ControlFlow;

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use super::attempt::{Attempt, Plan};
use super::error::GenerateError;
use super::grid::Grids;
use super::target::Target;
use super::wish::{Shape, Wish};
use crate::engine::{Bounds, Engine, EngineKind, MaxBranches, Verdicts};
use crate::puzzle::{Batch, Grid, Order};
use crate::rating::{Rater, RatingGoal, RatingOptions};
use crate::stop::Stop;

/// Generates puzzles with a single solution; owned by a thread.
///
/// Many puzzles are made in step, so that an engine gets a question about each of them in one batch.
#[derive(Debug)]
pub struct Generator {
    order: Order,
    seed: u64,
    plan: Plan,
    max_tries: NonZeroU32,
    max_branches: Option<u64>,
    stop: Stop,
    undecided_clues: u64,
    engine: Box<dyn Engine>,
    grids: Grids,
    /// What rates puzzles, if the wish has a range of ER.
    rater: Option<Rater>,
    /// Grids in work.
    slots: Vec<Slot>,
    batch: Batch,
    verdicts: Verdicts,
}

/// A grid in work.
#[derive(Debug)]
struct Slot {
    attempt: Attempt,
    /// The puzzle that it is for, by its position in the range, and the number of the try; `None` in a free slot.
    try_of: Option<(usize, u32)>,
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
    /// If there can be no such puzzle.
    pub fn new(order: Order, seed: u64, target: Target) -> Result<Generator, GenerateError> {
        let engine = EngineKind::Auto.build().expect("any CPU has the vectors that auto chooses");
        Generator::with_engine(order, seed, target, engine)
    }

    /// A generator that asks `engine`. The puzzles do not depend on it.
    ///
    /// # Errors
    ///
    /// If there can be no such puzzle.
    pub fn with_engine(
        order: Order,
        seed: u64,
        target: Target,
        engine: Box<dyn Engine>,
    ) -> Result<Generator, GenerateError> {
        Generator::for_wish(Wish::new(order, target), seed, engine)
    }

    /// A generator of puzzles of a kind.
    ///
    /// # Errors
    ///
    /// If there can be no such puzzle.
    pub fn for_wish(wish: Wish, seed: u64, engine: Box<dyn Engine>) -> Result<Generator, GenerateError> {
        wish.check()?;
        let (order, max_tries) = (wish.order, default_tries(&wish));
        let plan = Plan::new(wish);
        let slot = || Slot { attempt: Attempt::new(&plan), try_of: None };
        Ok(Generator {
            order,
            seed,
            max_tries,
            max_branches: MaxBranches::default().for_order(order),
            stop: Stop::new(),
            undecided_clues: 0,
            engine,
            grids: Grids::new(order),
            rater: plan
                .wish
                .er
                .map(|er| Rater::with_options(RatingOptions { goal: RatingGoal::Counts, max_er: er.most })),
            slots: (0..slots(order)).map(|_| slot()).collect(),
            plan,
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

    /// Writes puzzle number `index` and its only solution.
    ///
    /// # Errors
    ///
    /// If none of many random grids gave such a puzzle.
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
    /// If none of many random grids gave such a puzzle.
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
        self.slots.iter_mut().for_each(|slot| slot.try_of = None);
        loop {
            self.start_tries(first, &mut open, &mut tries);
            self.batch.clear();
            let mut missed = 0;
            for slot in &mut self.slots {
                let Some((number, attempt)) = slot.try_of else { continue };
                let tries = &mut tries[number];
                let is_late = tries.first_hit.is_some_and(|hit| hit < attempt);
                if !is_late && let Some(question) = slot.attempt.question(&self.plan) {
                    self.batch.push(question);
                    continue;
                }
                slot.try_of = None;
                tries.in_work -= 1;
                if is_late {
                    continue;
                }
                let made = slot.attempt.puzzle();
                let wanted = made.filter(|(puzzle, ..)| has_wanted_er(&self.plan.wish, self.rater.as_mut(), puzzle));
                if let Some((puzzle, solution, undecided)) = wanted {
                    tries.first_hit = Some(attempt);
                    self.undecided_clues += u64::from(undecided);
                    puzzles[number * cells..][..cells].copy_from_slice(puzzle);
                    solutions[number * cells..][..cells].copy_from_slice(solution);
                } else {
                    missed += 1;
                    tries.missed += 1;
                    if tries.missed == self.max_tries.get() {
                        let wish = Box::new(self.plan.wish.clone());
                        return Err(GenerateError::OutOfReach { wish, tries: tries.missed });
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
            let limit = self.plan.limit();
            let bounds = Bounds { solutions: limit, max_branches: self.max_branches, stop: Some(&self.stop) };
            self.engine.solve(&self.batch, bounds, &mut self.verdicts);
            if self.stop.is_overdue() {
                return Ok(ControlFlow::Break(()));
            }
            let asking = self.slots.iter_mut().filter(|slot| slot.try_of.is_some());
            for (slot, verdict) in asking.zip(self.verdicts.iter()) {
                slot.attempt.answer(&verdict);
            }
        }
    }

    /// Starts tries in free slots; `open` has the puzzles that may want another one, in the order of their turns.
    fn start_tries(&mut self, first: u64, open: &mut VecDeque<usize>, tries: &mut [Tries]) {
        let max_tries = if self.plan.wish.is_always_granted() { 1 } else { self.max_tries.get() };
        for slot in self.slots.iter_mut().filter(|slot| slot.try_of.is_none()) {
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
            let rng = random_words(self.seed, first + number as u64, attempt);
            slot.attempt.start(&self.plan, &mut self.grids, rng);
            slot.try_of = Some((number, attempt));
        }
    }
}

/// Whether the ER of a puzzle is that of a wish, or the wish has none.
fn has_wanted_er(wish: &Wish, rater: Option<&mut Rater>, puzzle: &[u8]) -> bool {
    let (Some(er), Some(rater)) = (wish.er, rater) else { return true };
    let puzzle: &Grid = puzzle.try_into().expect("only 9x9 puzzles are rated");
    er.contains(&rater.rate(puzzle, |_, _| ()))
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

/// How many grids are tried for a puzzle of a kind that is rare: some seconds' worth, and at most a minute.
fn default_tries(wish: &Wish) -> NonZeroU32 {
    let tries = match (wish.order, &wish.shape) {
        // A climb takes up to a thousand questions, and each some 100 us in a pattern of 18 clues.
        (Order::Two | Order::Three, Shape::Pattern(_)) if wish.er.is_none() => 200,
        // To rate a puzzle takes longer than to make it.
        (Order::Three, _) if wish.er.is_some() => 100_000,
        (Order::Two | Order::Three, _) => 1_000_000,
        (Order::Four, _) => 40,
        (Order::Five, _) => 10,
    };
    NonZeroU32::new(tries).expect("a number above 0")
}
