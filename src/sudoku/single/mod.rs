//! Functions for single puzzles, which the crate exports at its root.
//!
//! A call solves one puzzle at a time, in some microseconds for 9x9. A [job](crate::jobs) or an
//! [engine](crate::engine) solves many at once, up to thirty times as fast.

mod explain;

use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};
use std::num::NonZeroU64;
use std::slice;

pub use self::explain::Explain;
use crate::canon::{Canonicaliser, Class, Form, OutOfBoundError};
use crate::engine::bitmask::Bitmask;
use crate::engine::lanes::Lanes;
use crate::engine::{Bounds, Engine, Limit, Lister, Verdict, Verdicts};
use crate::format::ParsePuzzleError;
use crate::generate::{GenerateError, Generator, PuzzleSpec};
use crate::puzzle::{Batch, Grid, Pencilmarks, Puzzle, Size, Solution};
use crate::rating::{Candidates, Rater, Rating, RatingGoal, RatingOptions, Step};

/// A puzzle as an argument of the functions for single puzzles: a [`Puzzle`], or a text that [parses](str::parse) as
/// one.
pub trait AsPuzzle {
    /// The puzzle.
    ///
    /// # Errors
    ///
    /// If the text is not a puzzle.
    fn as_puzzle(&self) -> Result<Cow<'_, Puzzle>, ParsePuzzleError>;
}

impl AsPuzzle for Puzzle {
    fn as_puzzle(&self) -> Result<Cow<'_, Puzzle>, ParsePuzzleError> {
        Ok(Cow::Borrowed(self))
    }
}

impl AsPuzzle for str {
    fn as_puzzle(&self) -> Result<Cow<'_, Puzzle>, ParsePuzzleError> {
        self.parse().map(Cow::Owned)
    }
}

impl AsPuzzle for String {
    fn as_puzzle(&self) -> Result<Cow<'_, Puzzle>, ParsePuzzleError> {
        self.as_str().as_puzzle()
    }
}

/// The error of [`solve`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The text is not a puzzle.
    #[error(transparent)]
    Parse(#[from] ParsePuzzleError),
    /// The puzzle has no solution.
    #[error("the puzzle has no solution")]
    NoSolution,
    /// The puzzle has more than one solution. [`solutions`] lists them.
    #[error("the puzzle has several solutions")]
    SeveralSolutions,
}

/// Solves a puzzle of any size that has exactly one solution.
///
/// ```
/// use gridmill::{SolveError, solve};
///
/// assert_eq!(solve("1.3..........4.2")?.to_string(), "1234432121433412");
/// assert_eq!(solve("1..............."), Err(SolveError::SeveralSolutions));
/// assert_eq!(solve("11.............."), Err(SolveError::NoSolution));
/// assert_eq!(solve("1..").unwrap_err().to_string(), "3 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625");
/// # Ok::<(), SolveError>(())
/// ```
///
/// # Errors
///
/// If the text is not a puzzle, or the puzzle has no solution or several.
pub fn solve(puzzle: &(impl AsPuzzle + ?Sized)) -> Result<Solution, SolveError> {
    let puzzle = puzzle.as_puzzle()?;
    only_solution(puzzle.size(), ask(&puzzle, Limit::UNIQUE).get(0))
}

/// The solution of a puzzle that has exactly one.
fn only_solution(size: Size, verdict: Verdict<'_>) -> Result<Solution, SolveError> {
    match verdict.solution {
        Some(cells) if verdict.solutions == 1 => Ok(Solution::new(size, cells)),
        Some(_) => Err(SolveError::SeveralSolutions),
        None => Err(SolveError::NoSolution),
    }
}

/// Counts the solutions of a puzzle, up to a limit.
///
/// A puzzle with few clues has too many solutions to count. A million solutions of a 9x9 puzzle take about a second. A
/// puzzle whose clues [contradict each other](Puzzle::conflict) has no solution.
///
/// ```
/// use gridmill::count_solutions;
///
/// let empty = "................";
/// assert_eq!(count_solutions(empty, 100)?, 100);
/// assert_eq!(count_solutions(empty, u64::MAX)?, 288);
/// assert_eq!(count_solutions("11..............", 100)?, 0);
/// assert!(count_solutions("11", 100).is_err());
/// # Ok::<(), gridmill::ParsePuzzleError>(())
/// ```
///
/// # Errors
///
/// If the text is not a puzzle.
pub fn count_solutions(puzzle: &(impl AsPuzzle + ?Sized), limit: u64) -> Result<u64, ParsePuzzleError> {
    let puzzle = puzzle.as_puzzle()?;
    Ok(NonZeroU64::new(limit).map_or(0, |limit| ask(&puzzle, Limit::new(limit)).get(0).solutions))
}

impl Pencilmarks {
    /// Solves a puzzle that has exactly one solution.
    ///
    /// ```
    /// use gridmill::SolveError;
    /// use gridmill::puzzle::{Grid, Pencilmarks};
    ///
    /// let mut puzzle: Grid = [0; 81];
    /// assert_eq!(Pencilmarks::from(&puzzle).solve(), Err(SolveError::SeveralSolutions));
    /// puzzle[..2].fill(1);
    /// assert_eq!(Pencilmarks::from(&puzzle).solve(), Err(SolveError::NoSolution));
    /// ```
    ///
    /// # Errors
    ///
    /// If the puzzle has no solution or several.
    pub fn solve(&self) -> Result<Solution, SolveError> {
        only_solution(Size::Nine, ask_pencilmarks(self, Limit::UNIQUE).get(0))
    }

    /// Counts the solutions of the puzzle, up to a limit.
    ///
    /// ```
    /// use gridmill::puzzle::Pencilmarks;
    ///
    /// let empty = Pencilmarks::from(&[0; 81]);
    /// assert_eq!(empty.count_solutions(1000), 1000);
    /// assert_eq!(empty.count_solutions(0), 0);
    /// ```
    pub fn count_solutions(&self, limit: u64) -> u64 {
        NonZeroU64::new(limit).map_or(0, |limit| ask_pencilmarks(self, Limit::new(limit)).get(0).solutions)
    }
}

/// The verdict on one pencilmark puzzle, which the vector engine cannot solve.
fn ask_pencilmarks(puzzle: &Pencilmarks, limit: Limit) -> Verdicts {
    let mut verdicts = Verdicts::new();
    Bitmask::new().solve_pencilmarks(slice::from_ref(puzzle), Bounds::new(limit), &mut verdicts);
    verdicts
}

/// The solutions of a puzzle in lexicographic order, the smallest grid first.
///
/// The iterator searches lazily: first for a single solution, then for more and more at once, up to some thousand. Its
/// memory does not grow with their number. For counting, [`count_solutions`] is faster.
///
/// ```
/// use gridmill::solutions;
///
/// let puzzle = "1...............";
/// let first: Vec<String> = solutions(puzzle)?.take(2).map(|solution| solution.to_string()).collect();
/// assert_eq!(first, ["1234341221434321", "1234341223414123"]);
/// assert_eq!(solutions(puzzle)?.count(), 72);
/// # Ok::<(), gridmill::ParsePuzzleError>(())
/// ```
///
/// # Errors
///
/// If the text is not a puzzle.
pub fn solutions(puzzle: &(impl AsPuzzle + ?Sized)) -> Result<Solutions, ParsePuzzleError> {
    let puzzle = puzzle.as_puzzle()?;
    let mut lister = Lister::new();
    lister.start(puzzle.cells());
    Ok(Solutions { size: puzzle.size(), engine: Box::new(Lanes::widest()), lister })
}

/// An iterator over the [`solutions`] of a puzzle.
#[must_use = "solutions are found when the iterator is asked for them"]
pub struct Solutions {
    size: Size,
    engine: Box<dyn Engine>,
    lister: Lister,
}

impl Iterator for Solutions {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        let cells = self.lister.next(&mut *self.engine, self.size)?;
        Some(Solution::new(self.size, cells))
    }
}

impl std::iter::FusedIterator for Solutions {}

impl Debug for Solutions {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").field("size", &self.size).field("lister", &self.lister).finish_non_exhaustive()
    }
}

/// Whether a puzzle is minimal: it has exactly one solution, and would have several without any of its clues.
///
/// It takes one search for each clue.
///
/// ```
/// use gridmill::is_minimal;
///
/// assert!(is_minimal("1.3..........4.2")?);
/// assert!(!is_minimal("123..........4.2")?);
/// # Ok::<(), gridmill::ParsePuzzleError>(())
/// ```
///
/// # Errors
///
/// If the text is not a puzzle.
pub fn is_minimal(puzzle: &(impl AsPuzzle + ?Sized)) -> Result<bool, ParsePuzzleError> {
    let puzzle = puzzle.as_puzzle()?;
    // The puzzle without each of its clues in turn.
    let mut batch = Batch::new(puzzle.size());
    let mut cells = puzzle.cells().to_vec();
    for cell in 0..cells.len() {
        let clue = std::mem::take(&mut cells[cell]);
        if clue != 0 {
            batch.push(&cells);
            cells[cell] = clue;
        }
    }

    let mut verdicts = ask(&puzzle, Limit::UNIQUE);
    if verdicts.get(0).solutions != 1 {
        return Ok(false);
    }
    Lanes::widest().solve(&batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
    Ok(verdicts.iter().all(|without_a_clue| without_a_clue.solutions > 1))
}

/// A random puzzle that meets a spec, with exactly one solution: the first that `gridmill generate` prints for the seed.
///
/// ```
/// use gridmill::generate::{PuzzleSpec, Target};
/// use gridmill::{Size, generate, is_minimal};
///
/// let puzzle = generate(PuzzleSpec::new(Size::Nine, Target::Minimal), 7)?;
/// assert_eq!(is_minimal(&puzzle), Ok(true));
///
/// let with_12_clues = generate(PuzzleSpec::new(Size::Six, Target::Clues(12)), 7)?;
/// assert_eq!(with_12_clues.clues(), 12);
/// # Ok::<(), gridmill::generate::GenerateError>(())
/// ```
///
/// # Errors
///
/// If there can be no such puzzle, or none of many random grids gave one.
pub fn generate(spec: PuzzleSpec, seed: u64) -> Result<Puzzle, GenerateError> {
    let [mut puzzle, mut solution] = [(); 2].map(|()| vec![0; spec.size.cells()]);
    Generator::for_spec(spec, seed, Box::new(Lanes::widest()))?.puzzle(0, &mut puzzle, &mut solution)?;
    Ok(Puzzle::try_from(&*puzzle).expect("a generator makes puzzles"))
}

/// The error of [`canonical_form`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CanonError {
    /// The text is not a puzzle.
    #[error(transparent)]
    Parse(#[from] ParsePuzzleError),
    /// Canonical forms are only defined for 4x4, 6x6 and 9x9 puzzles.
    #[error("a {0} puzzle has no canonical form, only 4x4, 6x6 and 9x9 puzzles have")]
    Size(Size),
    /// The puzzle has several solutions or none, and has so many symmetries that finding its form takes too long. No
    /// such puzzle is known.
    #[error(transparent)]
    OutOfBound(#[from] OutOfBoundError),
}

/// The canonical form of a 4x4, 6x6 or 9x9 puzzle: the same for all its isomorphs, and for no other puzzle.
///
/// Isomorphs differ in the names of digits, the order of rows, columns, bands and stacks, and by transposition (not for
/// 6x6); see [`canon`](crate::canon) for the definition. `gridmill canon` prints the same forms.
///
/// ```
/// use gridmill::canonical_form;
///
/// let form = canonical_form(".9.1...........59..24..51..478........2.9..8..192........5.83.....62.....35.....2")?;
/// assert_eq!(form.to_string(), "1.....7..4.67....2...2.1.....4..5.1.7.1...4..965......3.2.4..........84....3..2.5");
/// assert_eq!(canonical_form(&form)?, form);
/// # Ok::<(), gridmill::CanonError>(())
/// ```
///
/// # Errors
///
/// If the text is not a puzzle, the puzzle has another size, or finding its form takes more than
/// [`Canonicaliser::BOUND`] steps.
pub fn canonical_form(puzzle: &(impl AsPuzzle + ?Sized)) -> Result<Puzzle, CanonError> {
    Ok(Puzzle::try_from(&*form_of(&*puzzle.as_puzzle()?)?).expect("a form is an isomorph of a puzzle"))
}

/// The class of a 4x4, 6x6 or 9x9 puzzle: a hash of its [`canonical_form`], for comparing and storing.
///
/// ```
/// use gridmill::class;
///
/// let puzzle = ".9.1...........59..24..51..478........2.9..8..192........5.83.....62.....35.....2";
/// let upside_down: String = puzzle.chars().rev().collect();
/// assert_eq!(class(puzzle)?.to_string(), "059919c19f08f4d4833232c3fc79745c");
/// assert_eq!(class(&upside_down)?, class(puzzle)?);
/// # Ok::<(), gridmill::CanonError>(())
/// ```
///
/// # Errors
///
/// As [`canonical_form`].
pub fn class(puzzle: &(impl AsPuzzle + ?Sized)) -> Result<Class, CanonError> {
    Ok(Class::of(&form_of(&*puzzle.as_puzzle()?)?))
}

/// The error of [`rate`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RateError {
    /// The text is not a puzzle.
    #[error(transparent)]
    Parse(#[from] ParsePuzzleError),
    /// Only 9x9 puzzles can be rated.
    #[error("a {0} puzzle has no rating, only 9x9 puzzles have")]
    Size(Size),
    /// The puzzle has no solution.
    #[error("the puzzle has no solution")]
    NoSolution,
    /// The puzzle has more than one solution.
    #[error("the puzzle has several solutions")]
    SeveralSolutions,
}

/// Rates a 9x9 puzzle: how hard it is for a person. `gridmill rate` prints the same ratings.
///
/// ```
/// use gridmill::rate;
/// use gridmill::rating::Level;
///
/// let rating = rate("17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..")?;
/// assert_eq!(rating.er.to_string(), "1.5");
/// assert_eq!(rating.level(), Some(Level::Easy));
/// # Ok::<(), gridmill::RateError>(())
/// ```
///
/// # Errors
///
/// If the text is not a puzzle, or the puzzle is not 9x9, or does not have exactly one solution.
pub fn rate(puzzle: &(impl AsPuzzle + ?Sized)) -> Result<Rating, RateError> {
    rate_to(RatingGoal::Steps, puzzle, |_, _| ())
}

/// Rates a 9x9 puzzle, and passes each step of its solution to `each`, with the candidates before the step. Steps of
/// chains have their [implications](Step::implications).
///
/// ```
/// use gridmill::rate_with_steps;
///
/// let puzzle = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..";
/// let mut placed = Vec::new();
/// rate_with_steps(puzzle, |_, step| placed.extend(step.placement.map(|placement| placement.to_string())))?;
/// assert_eq!(placed.len(), 55);
/// # Ok::<(), gridmill::RateError>(())
/// ```
///
/// # Errors
///
/// As [`rate`].
pub fn rate_with_steps(
    puzzle: &(impl AsPuzzle + ?Sized),
    each: impl FnMut(&Candidates, &Step),
) -> Result<Rating, RateError> {
    rate_to(RatingGoal::Implications, puzzle, each)
}

fn rate_to(
    goal: RatingGoal,
    puzzle: &(impl AsPuzzle + ?Sized),
    each: impl FnMut(&Candidates, &Step),
) -> Result<Rating, RateError> {
    let puzzle = &*puzzle.as_puzzle()?;
    let cells: &Grid = puzzle.cells().try_into().map_err(|_| RateError::Size(puzzle.size()))?;
    // The steps of a rating prove nothing about the number of solutions, so an engine counts them first.
    match ask(puzzle, Limit::UNIQUE).get(0).solutions {
        0 => Err(RateError::NoSolution),
        1 => Ok(Rater::with_options(RatingOptions { goal, max_er: None }).rate(cells, each)),
        _ => Err(RateError::SeveralSolutions),
    }
}

fn form_of(puzzle: &Puzzle) -> Result<Form, CanonError> {
    if !Canonicaliser::has_forms(puzzle.size()) {
        return Err(CanonError::Size(puzzle.size()));
    }
    // The definition has two kinds of forms, for puzzles with one solution and for the other ones.
    let verdicts = ask(puzzle, Limit::UNIQUE);
    let verdict = verdicts.get(0);
    let mut canonicaliser = Canonicaliser::new();
    match verdict.solution {
        Some(solution) if verdict.solutions == 1 => Ok(canonicaliser.of_unique(puzzle.cells(), solution).puzzle),
        _ => Ok(canonicaliser.of_clues(puzzle.cells(), Canonicaliser::BOUND)?),
    }
}

/// The verdict on one puzzle.
fn ask(puzzle: &Puzzle, limit: Limit) -> Verdicts {
    let mut batch = Batch::new(puzzle.size());
    batch.push(puzzle.cells());
    let mut verdicts = Verdicts::new();
    Lanes::widest().solve(&batch, Bounds::new(limit), &mut verdicts);
    verdicts
}
