//! Generates puzzles by number: puzzle `index` of a seed is the same on any machine, in any order, from any number of
//! threads.
//!
//! Each attempt at a puzzle has its own random words, derived from the seed, the puzzle's index and the attempt's
//! number. The first attempt with a puzzle that meets the spec gives the result.

use std::collections::VecDeque;
use std::num::NonZeroU32;
use std::ops::ControlFlow;

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use super::RandomGrids;
use super::attempt::{Attempt, Plan};
use super::error::GenerateError;
use super::spec::{PuzzleSpec, Shape, Target};
use crate::engine::{Bounds, Engine, EngineKind, MaxBranches, Verdicts};
use crate::puzzle::{Batch, Grid, Size};
use crate::rating::{Difficulty, Rated, Rater, RatingGoal, RatingOptions, StepCounts};
use crate::stop::{InterruptedError, Stop};

/// Generates puzzles with a single solution; owned by a thread.
///
/// Many attempts run in step, so that an engine gets the next query of each of them in one batch: ten times as fast as
/// one after another.
#[derive(Debug)]
pub struct Generator {
    size: Size,
    seed: u64,
    plan: Plan,
    max_tries: NonZeroU32,
    max_branches: Option<u64>,
    stop: Stop,
    undecided_clues: u64,
    engine: Box<dyn Engine>,
    grids: RandomGrids,
    /// Rates puzzles, if ratings matter.
    rater: Option<Rater>,
    /// The ratings of the puzzles of the last call.
    ratings: Vec<Option<Rated>>,
    /// The weights of these puzzles, and the numbers of trials for them.
    trials: Vec<(Option<u64>, u64)>,
    /// The attempts that run in step.
    slots: Vec<AttemptSlot>,
    batch: Batch,
    verdicts: Verdicts,
}

/// An attempt, with the reuse of its memory.
#[derive(Debug)]
struct AttemptSlot {
    attempt: Attempt,
    /// The index of its puzzle in the range, and the number of the attempt; `None` in a free slot.
    used_for: Option<(usize, u32)>,
}

/// The attempts at one puzzle.
#[derive(Clone, Debug, Default)]
struct AttemptCounts {
    started: u32,
    missed: u32,
    running: u32,
    /// The number of the first attempt known to have given a puzzle.
    first_hit: Option<u32>,
}

impl AttemptCounts {
    /// Whether to start another attempt. As long as no attempt has given a puzzle, as many run at once as have missed.
    ///
    /// So no work is wasted if the first attempt gives a puzzle, and the lanes of an engine are full if only one in
    /// thousands does.
    fn need_another(&self, max_tries: u32) -> bool {
        self.first_hit.is_none() && self.started < max_tries && self.running < self.missed.max(1)
    }
}

impl Generator {
    /// A generator of the puzzles of a seed.
    ///
    /// # Errors
    ///
    /// If there can be no such puzzle.
    pub fn new(size: Size, seed: u64, target: Target) -> Result<Generator, GenerateError> {
        let engine = EngineKind::Auto.build().expect("any CPU has the vectors that auto chooses");
        Generator::with_engine(size, seed, target, engine)
    }

    /// A generator that uses `engine`. The puzzles do not depend on it.
    ///
    /// # Errors
    ///
    /// If there can be no such puzzle.
    pub fn with_engine(
        size: Size,
        seed: u64,
        target: Target,
        engine: Box<dyn Engine>,
    ) -> Result<Generator, GenerateError> {
        Generator::for_spec(PuzzleSpec::new(size, target), seed, engine)
    }

    /// A generator of puzzles that meet a spec.
    ///
    /// # Errors
    ///
    /// If there can be no such puzzle.
    pub fn for_spec(spec: PuzzleSpec, seed: u64, engine: Box<dyn Engine>) -> Result<Generator, GenerateError> {
        spec.check()?;

        let (size, max_tries) = (spec.size, default_tries(&spec));
        let rater = spec.needs_rating().then(|| rater(spec.er.and_then(|er| er.most)));
        let plan = Plan::new(spec);
        let slot = || AttemptSlot { attempt: Attempt::new(&plan), used_for: None };

        Ok(Generator {
            size,
            seed,
            max_tries,
            max_branches: bound(&plan.spec, MaxBranches::default()),
            stop: Stop::new(),
            undecided_clues: 0,
            engine,
            grids: RandomGrids::new(size),
            rater,
            ratings: vec![],
            trials: vec![],
            slots: (0..slots(&plan.spec)).map(|_| slot()).collect(),
            plan,
            batch: Batch::new(size),
            verdicts: Verdicts::new(),
        })
    }

    /// Sets the maximum number of branches of a search. If the search without a clue takes more, the clue stays.
    ///
    /// By default, it depends on the size: 100 for 25x25.
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Generator {
        Generator { max_branches: bound(&self.plan.spec, max_branches), ..self }
    }

    /// Rates all puzzles, even if puzzles with any rating meet the spec.
    #[must_use]
    pub(crate) fn rated(self) -> Generator {
        Generator { rater: Some(self.rater.unwrap_or_else(|| rater(None).stop(self.stop.clone()))), ..self }
    }

    /// The size of the puzzles.
    pub(crate) fn size(&self) -> Size {
        self.size
    }

    /// The ratings of the puzzles of the last call, if they are rated.
    pub(crate) fn ratings(&self) -> &[Option<Rated>] {
        &self.ratings
    }

    /// For each puzzle of the last call, its weight if it is known, and the number of trials for it.
    pub(crate) fn trials(&self) -> &[(Option<u64>, u64)] {
        &self.trials
    }

    /// The number of clues of the puzzles of the last call that stayed although they may not be needed.
    pub(crate) fn undecided_clues(&self) -> u64 {
        self.undecided_clues
    }

    /// Sets a signal that interrupts searches and ratings.
    #[must_use]
    pub(crate) fn stop(self, stop: Stop) -> Generator {
        let rater = self.rater.map(|rater| rater.stop(stop.clone()));
        Generator { stop, rater, ..self }
    }

    /// Sets the maximum number of random grids that are tried for a puzzle.
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

    /// Writes the puzzles from number `first` on and their only solutions, as many as the slices have room for. Takes a
    /// tenth of the time that they would take one by one.
    ///
    /// # Errors
    ///
    /// If none of many random grids gave such a puzzle.
    ///
    /// # Panics
    ///
    /// If `puzzles` or `solutions` is not a number of grids of this size, or they are not equally many.
    pub fn puzzles(&mut self, first: u64, puzzles: &mut [u8], solutions: &mut [u8]) -> Result<(), GenerateError> {
        self.work(|index| first + index as u64, puzzles, solutions, |_| ControlFlow::Continue(())).map(|_| ())
    }

    /// Like [`Generator::puzzles`], but with any numbers, by their index. Calls `after_round` often, with the number of
    /// grids since the last call that gave no puzzle. It can end the work. Returns the number of grids that gave none before
    /// each puzzle: it does not depend on the number of attempts at once.
    pub(crate) fn work(
        &mut self,
        number_of: impl Fn(usize) -> u64,
        puzzles: &mut [u8],
        solutions: &mut [u8],
        mut after_round: impl FnMut(u32) -> ControlFlow<()>,
    ) -> Result<ControlFlow<(), u64>, GenerateError> {
        let cells = self.size.cells();
        assert!(puzzles.len() == solutions.len() && puzzles.len().is_multiple_of(cells), "{} grids", self.size);

        let mut counts = vec![AttemptCounts::default(); puzzles.len() / cells];
        let mut open: VecDeque<usize> = (0..counts.len()).collect();
        self.slots.iter_mut().for_each(|slot| slot.used_for = None);
        self.ratings.clear();
        self.ratings.resize_with(counts.len(), || None);
        self.trials.clear();
        self.trials.resize(counts.len(), (None, 0));
        self.undecided_clues = 0;

        loop {
            self.start_attempts(&number_of, &mut open, &mut counts);
            let missed = self.collect_queries(&mut counts, puzzles, solutions)?;
            if after_round(missed).is_break() || self.stop.is_overdue() {
                return Ok(ControlFlow::Break(()));
            }

            // All attempts have ended. Some puzzles may need another one.
            if self.batch.is_empty() {
                match counts.iter().map(|counts| counts.first_hit.map(u64::from)).sum() {
                    Some(missed) => return Ok(ControlFlow::Continue(missed)),
                    None => continue,
                }
            }

            let limit = self.plan.limit();
            let bounds = Bounds { solutions: limit, max_branches: self.max_branches, stop: Some(&self.stop) };
            self.engine.solve(&self.batch, bounds, &mut self.verdicts);
            // The search was interrupted, so the verdicts are not answers.
            if self.stop.is_overdue() {
                return Ok(ControlFlow::Break(()));
            }

            let running = self.slots.iter_mut().filter(|slot| slot.used_for.is_some());
            for (slot, verdict) in running.zip(self.verdicts.iter()) {
                slot.attempt.answer(&verdict);
            }
        }
    }

    /// Starts attempts in free slots; `open` has the puzzles that may need another one, in the order of their turns.
    fn start_attempts(
        &mut self,
        number_of: &impl Fn(usize) -> u64,
        open: &mut VecDeque<usize>,
        counts: &mut [AttemptCounts],
    ) {
        let max_tries = if self.plan.spec.fits_any_grid() { 1 } else { self.max_tries.get() };

        for slot in self.slots.iter_mut().filter(|slot| slot.used_for.is_none()) {
            // One look at each open puzzle; it comes last in the next turn, unless it is made.
            let mut turns = 0..open.len();
            let Some(number) = turns.find_map(|_| {
                let number = open.pop_front()?;
                let counts = &counts[number];
                if counts.first_hit.is_none() {
                    open.push_back(number);
                }
                counts.need_another(max_tries).then_some(number)
            }) else {
                return;
            };

            let attempt = counts[number].started;
            counts[number].started += 1;
            counts[number].running += 1;
            let rng = random_words(self.seed, number_of(number), attempt);
            slot.attempt.start(&self.plan, &mut self.grids, rng);
            slot.used_for = Some((number, attempt));
        }
    }

    /// Fills the batch with the next query of each attempt. Writes the puzzles of attempts that have ended, and returns
    /// how many have ended without one. An overdue stop ends that early.
    fn collect_queries(
        &mut self,
        counts: &mut [AttemptCounts],
        puzzles: &mut [u8],
        solutions: &mut [u8],
    ) -> Result<u32, GenerateError> {
        let cells = self.size.cells();
        let mut missed = 0;
        self.batch.clear();

        for slot in &mut self.slots {
            let Some((number, attempt)) = slot.used_for else { continue };
            let counts = &mut counts[number];

            // The result is always the first attempt that gives a puzzle, so it does not depend on the number of
            // attempts at once.
            let is_superseded = counts.first_hit.is_some_and(|hit| hit < attempt);
            if !is_superseded && let Some(query) = slot.attempt.query(&self.plan) {
                self.batch.push(query);
                continue;
            }

            slot.used_for = None;
            counts.running -= 1;
            if is_superseded {
                continue;
            }

            let made = slot.attempt.puzzle();

            // A puzzle that is made has to be rated before it is known whether it meets the spec.
            let rated =
                made.as_ref().zip(self.rater.as_mut()).map(|((puzzle, ..), rater)| rate(rater, puzzle)).transpose();
            let Ok(rated) = rated else { break };
            let is_wanted = rated.as_ref().is_none_or(|rated| self.plan.spec.takes(rated));
            if let Some((puzzle, solution, undecided)) = made.filter(|_| is_wanted) {
                counts.first_hit = Some(attempt);
                self.undecided_clues += u64::from(undecided);
                puzzles[number * cells..][..cells].copy_from_slice(puzzle);
                solutions[number * cells..][..cells].copy_from_slice(solution);
                self.ratings[number] = rated;
                self.trials[number] = (slot.attempt.weight(), (u64::from(attempt) + 1) * slot.attempt.trials());
            } else {
                missed += 1;
                counts.missed += 1;
                if counts.missed == self.max_tries.get() {
                    let spec = Box::new(self.plan.spec.clone());
                    return Err(GenerateError::OutOfReach { spec, tries: counts.missed });
                }
            }
        }
        Ok(missed)
    }
}

/// A rater that ends above a bound.
fn rater(max_er: Option<Difficulty>) -> Rater {
    Rater::with_options(RatingOptions { goal: RatingGoal::Counts, max_er })
}

/// Rates a puzzle.
fn rate(rater: &mut Rater, puzzle: &[u8]) -> Result<Rated, InterruptedError> {
    let puzzle: &Grid = puzzle.try_into().expect("only 9x9 puzzles are rated");
    let mut steps = StepCounts::default();
    let rating = rater.rate(puzzle, |_, step| steps.add(step)).unless_interrupted()?;
    Ok(Rated::new(rating, steps))
}

/// The random words of one attempt.
fn random_words(seed: u64, index: u64, attempt: u32) -> Xoshiro256PlusPlus {
    let key = SplitMix64::seed_from_u64(seed).next_u64();
    let key = SplitMix64::seed_from_u64(key ^ index).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(key ^ u64::from(attempt))
}

/// The number of attempts that run in step: enough to fill the lanes of an engine, and more, so that few lanes are idle
/// at the end of a batch. Larger puzzles are solved one by one.
fn slots(spec: &PuzzleSpec) -> usize {
    match spec.size {
        // Most trials need no engine, and those after the first puzzle are in vain.
        _ if spec.has_known_probability() => 32,
        // The tables of 512 attempts at 9x9 would not fit into a cache of 1 MiB.
        Size::Four | Size::Six | Size::Eight | Size::Nine => 128,
        _ => 1,
    }
}

/// The maximum number of branches of a search.
///
/// Removing the clues of a 25x25 puzzle takes a thousand searches, nearly half of which reach any limit. With the usual
/// limit, a puzzle takes hours; with 1,000 branches, six seconds; with 100, half a second, for as many clues.
fn bound(spec: &PuzzleSpec, max_branches: MaxBranches) -> Option<u64> {
    let removes_clues = !matches!(spec.shape, Shape::Pattern(_));
    match max_branches {
        _ if spec.has_known_probability() => None,
        MaxBranches::BySize if spec.size == Size::TwentyFive && removes_clues => Some(100),
        max_branches => max_branches.for_size(spec.size),
    }
}

/// The maximum number of grids that are tried for a puzzle of a rare kind: some seconds' worth, at most a minute.
fn default_tries(spec: &PuzzleSpec) -> NonZeroU32 {
    let tries = match spec.size {
        // One in 250 gives a puzzle, and an unbiased one in some 8,000.
        _ if spec.has_known_probability() => u32::MAX,
        Size::Four | Size::Six | Size::Eight | Size::Nine => match spec.shape {
            // Hill climbing takes up to a thousand queries, and each some 100 us in a pattern of 18 clues.
            Shape::Pattern(_) if spec.needs_rating() => 1_000,
            Shape::Pattern(_) => 200,
            // To rate a puzzle takes longer than to make it.
            _ if spec.needs_rating() => 100_000,
            _ => 1_000_000,
        },
        Size::Ten => 1_000,
        Size::Twelve => 200,
        Size::Sixteen => 40,
        Size::TwentyFive => 10,
    };
    NonZeroU32::new(tries).expect("a number above 0")
}

#[cfg(test)]
mod tests {
    use super::super::spec::Pattern;
    use super::*;
    use crate::rating::Level;

    /// A pattern takes long for each grid, so that the bound for ratings would be hours.
    #[test]
    fn rated_puzzles_of_a_pattern_have_a_bound_of_their_own() {
        let pattern: Pattern =
            "x.x...x.x.x..x......x.x.x..x..x.x..x.x.x...x...x..x..x.x..x..x..x..x..x.....x....".parse().unwrap();
        let spec = PuzzleSpec::new(Size::Nine, Target::Clues(26));
        let of_level = PuzzleSpec { er: Some(Level::Extreme.into()), ..spec.clone() };
        let of_pattern = |spec: &PuzzleSpec| PuzzleSpec { shape: Shape::Pattern(pattern.clone()), ..spec.clone() };
        let tries =
            [&spec, &of_level, &of_pattern(&spec), &of_pattern(&of_level)].map(|spec| default_tries(spec).get());
        assert_eq!(tries, [1_000_000, 100_000, 200, 1_000]);
    }
}
