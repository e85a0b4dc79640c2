//! Rates puzzles: how hard they are for a person.
//!
//! The rater applies the easiest available step, again and again, until the puzzle is solved. The hardest of these
//! steps is the rating.
//!
//! Difficulties follow Sudoku Explainer 1.2.1, the *reference program* here. If several steps are equally hard, the
//! choice between them may change the rating. So this module tries [techniques](Technique), and each technique visits
//! digits, cells and houses, in the order of the reference program: the *reference order*.

mod candidates;
mod chains;
mod difficulty;
mod finder;
mod houses;
mod implications;
mod rated;
mod rules;
mod sets;
mod step;
mod technique;
pub(crate) mod words;

use self::finder::{Finder, NextStep};
use self::rules::singles::{Singles, SinglesPlaced};
use crate::puzzle::Grid;
use crate::stop::{InterruptedError, Stop};

pub use self::candidates::Candidates;
pub use self::difficulty::{Difficulty, ErRange, Level};
pub use self::implications::{Because, Implication, Statement};
pub(crate) use self::rated::{Rated, StepCounts};
pub use self::sets::{CellMembers, CellSet, DigitMembers, DigitSet};
pub use self::step::{Elimination, Placement, Step};
pub use self::technique::{Nesting, Technique, TechniqueName, UniquenessKind};
pub(crate) use self::words::Explanation;
#[cfg(feature = "cli")]
pub(crate) use self::words::Mark;
pub(crate) use self::words::Paint;
pub use self::words::StepGrids;
#[cfg(feature = "corpus")]
pub(crate) use self::words::cell_name;
#[doc(hidden)]
pub use self::words::sentence;

/// The rating of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The difficulty of the hardest step: ER. If the rating ended above a bound, this is the bound.
    pub er: Difficulty,
    /// The difficulty of the hardest step up to and including the first placement, called the pearl: EP; 0 if unknown.
    pub ep: Difficulty,
    /// The difficulty of the first step, called the diamond: ED; 0 if unknown.
    pub ed: Difficulty,
    /// The number of hidden singles that were placed all at once and not given to the caller as steps.
    pub singles_at_once: u32,
    /// The reason why the rating ended.
    pub end: RatingEnd,
}

/// The reason why a rating ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatingEnd {
    /// The puzzle is solved.
    Solved,
    /// The next step is harder than the [bound](RatingOptions::max_er).
    AboveBound,
    /// No technique finds a step. ER is 20.0.
    Unsolved,
    /// Interrupted by [`Rater::stop`]; the rating covers the steps found so far.
    Interrupted,
}

/// The steps that a [`Rater`] gives to its caller.
///
/// The rating is the same whatever the caller gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RatingGoal {
    /// Every step.
    #[default]
    Steps,
    /// Every step; steps of chains have their [implications](Step::implications).
    Implications,
    /// Every step but hidden singles. These are placed all at once and [counted](Rating::singles_at_once), which makes
    /// the rating of easy puzzles several times as fast. Neither their number nor their difficulty depends on the order
    /// of placement.
    Counts,
}

/// Options of a [`Rater`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RatingOptions {
    /// The steps that the caller gets.
    pub goal: RatingGoal,
    /// The rating ends at the first step that is harder.
    pub max_er: Option<Difficulty>,
}

impl Rating {
    /// The rating of a puzzle that no technique solves.
    pub const UNSOLVED: Difficulty = Difficulty::from_tenths(200);

    /// The level: always known if the puzzle is solved. Above a bound, only if all ERs above it share a level.
    ///
    /// ```
    /// use gridmill::rate;
    /// use gridmill::rating::Level;
    ///
    /// let puzzle = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..";
    /// assert_eq!(rate(puzzle)?.level(), Some(Level::Easy));
    /// # Ok::<(), gridmill::RateError>(())
    /// ```
    pub fn level(&self) -> Option<Level> {
        match self.end {
            RatingEnd::Solved | RatingEnd::Unsolved => Some(Level::of(self.er)),
            RatingEnd::AboveBound => Level::above(self.er),
            RatingEnd::Interrupted => None,
        }
    }

    /// The rating of a solved grid, which is also the start of every other rating.
    fn without_steps() -> Rating {
        let [er, ep, ed] = [Difficulty::default(); 3];
        Rating { er, ep, ed, singles_at_once: 0, end: RatingEnd::Solved }
    }

    /// Adds a step.
    fn add(&mut self, difficulty: Difficulty, places_digit: bool) {
        let Rating { er, ep, ed, .. } = self;
        // ER grows with each step, so its value at the first step is ED, and its value at the first placement is EP. No
        // step has the difficulty 0, so 0 means that it is still unknown.
        *er = difficulty.max(*er);
        if *ed == Difficulty::default() {
            *ed = *er;
        }
        if *ep == Difficulty::default() && places_digit {
            *ep = *er;
        }
    }

    /// Adds hidden singles that were placed all at once.
    fn add_singles(&mut self, singles: SinglesPlaced) {
        if singles.placed > 0 {
            // The first single is the easiest one, and fills a cell: it may be the diamond and the pearl.
            self.add(singles.first, true);
            self.er = self.er.max(singles.hardest);
            self.singles_at_once += singles.placed as u32;
        }
    }

    /// Ends it before the puzzle is solved, with this ER.
    fn end_with(&mut self, end: RatingEnd, er: Option<Difficulty>) {
        self.er = er.unwrap_or(self.er);
        self.end = end;
    }

    /// Fails if the rating was interrupted, so that a job can give up with `?`.
    pub(crate) fn unless_interrupted(self) -> Result<Rating, InterruptedError> {
        if self.end == RatingEnd::Interrupted { Err(InterruptedError) } else { Ok(self) }
    }
}

/// Rates puzzles, one after another, with memory that is allocated once.
#[derive(Debug, Default)]
pub struct Rater {
    options: RatingOptions,
    /// On the heap: 26 kB that would move with each worker.
    finder: Box<Finder>,
}

impl Rater {
    /// A rater that finds every step, however hard.
    pub fn new() -> Rater {
        Rater::default()
    }

    /// A rater with options.
    pub fn with_options(options: RatingOptions) -> Rater {
        let mut finder = Box::<Finder>::default();
        finder.chains.has_implications = options.goal == RatingGoal::Implications;
        Rater { options, finder }
    }

    /// Sets a signal that interrupts a rating once it is [overdue](Stop::is_overdue).
    #[must_use]
    pub fn stop(mut self, stop: Stop) -> Rater {
        self.finder.chains.stop = stop;
        self
    }

    /// Rates a puzzle that has exactly one solution, and gives each step to `each` before it is applied.
    ///
    /// A puzzle without a unique solution ends as [`RatingEnd::Unsolved`], or gets an arbitrary fill.
    pub fn rate(&mut self, puzzle: &Grid, each: impl FnMut(&Candidates, &Step)) -> Rating {
        if self.options.goal == RatingGoal::Counts {
            let mut singles = Singles::of(puzzle);
            let mut rating = Rating::without_steps();
            rating.add_singles(singles.solve(self.options.max_er));
            // Nearly all easy puzzles end here, before a grid of candidates is built.
            if singles.is_filled() {
                return rating;
            }
            return self.take_steps(singles.candidates(), rating, each);
        }
        self.rate_candidates(Candidates::of(puzzle), each)
    }

    /// Rates a grid of candidates that has exactly one solution, as [`Rater::rate`] does a puzzle.
    pub fn rate_candidates(&mut self, candidates: Candidates, each: impl FnMut(&Candidates, &Step)) -> Rating {
        self.take_steps(candidates, Rating::without_steps(), each)
    }

    /// Applies step after step, until the puzzle is solved or no step within the bound is found.
    fn take_steps(
        &mut self,
        mut grid: Candidates,
        mut rating: Rating,
        mut each: impl FnMut(&Candidates, &Step),
    ) -> Rating {
        // `Solved` is also the end of a rating that still goes on: every other end stops it.
        while rating.end == RatingEnd::Solved && !grid.is_solved() {
            match self.finder.find(&grid, self.options.max_er) {
                Err(InterruptedError) => rating.end = RatingEnd::Interrupted,
                Ok(NextStep::AboveBound) => rating.end_with(RatingEnd::AboveBound, self.options.max_er),
                Ok(NextStep::None) => rating.end_with(RatingEnd::Unsolved, Some(Rating::UNSOLVED)),
                Ok(NextStep::Found) => {
                    let step = &self.finder.step;
                    let is_single = step.technique == Technique::HiddenSingle;

                    // A single after another kind of step is often the first of many.
                    if is_single && self.options.goal == RatingGoal::Counts {
                        let mut singles = Singles::from_candidates(&grid);
                        rating.add_singles(singles.solve(self.options.max_er));
                        grid = singles.candidates();
                    } else {
                        rating.add(step.difficulty, step.placement.is_some());
                        each(&grid, step);
                        step.apply(&mut grid);
                    }
                }
            }
        }
        rating
    }
}

/// The candidates of a 9x9 puzzle.
impl From<&Grid> for Candidates {
    fn from(puzzle: &Grid) -> Candidates {
        Candidates::of(puzzle)
    }
}
