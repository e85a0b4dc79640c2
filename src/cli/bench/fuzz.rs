//! Compares the answers of solvers on puzzles of all kinds, which are made from a seed, until the run is stopped.
//! A seed makes the same puzzles on any machine.

use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use strum::VariantArray;

use super::check::{CheckError, Disagreement, Disagreements, Place, PuzzleKind, Reason, Said};
use super::contender::{Contender, ContenderAnswer, ProgramError, ProgramFailure, Solvers};
use super::set::PuzzleSet;
use crate::engine::bitmask::Bitmask;
use crate::engine::{Bounds, Engine, Limit, SearchEnd, Verdicts};
use crate::format::Alphabets;
use crate::generate::RandomGrids;
use crate::output::ReservedFile;
use crate::pipeline::{End, Stop};
use crate::puzzle::random::{below, shuffle};
use crate::puzzle::{Batch, Geometry, Size};

/// A batch that takes less time than this, or than a few starts of the programs, is followed by one of twice the size; after a
/// slower one, the size is halved.
const BATCH_TIME: Duration = Duration::from_millis(250);

/// A batch may take the time of this number of starts of all programs.
const STARTS_A_BATCH: u32 = 4;

/// The most puzzles in a batch.
const MAX_BATCH: u64 = 1024;

/// Compares the answers of solvers with the reference's, on puzzles that it makes.
#[derive(Debug)]
pub(crate) struct Fuzz {
    solvers: Solvers,
    /// How far solutions are counted.
    pub(crate) limit: Limit,
    /// The size of the puzzles.
    pub(crate) size: Size,
    /// Their kinds, which take turns: at least one.
    pub(crate) kinds: Vec<PuzzleKind>,
    seed: u64,
    /// The number of puzzles after which it ends.
    pub(crate) count: u64,
    /// The time after which it ends.
    pub(crate) time: Duration,
    start: Instant,
    /// A table for all disagreements.
    pub(crate) disagreements: Option<ReservedFile>,
    /// Ends the run. The solvers should have it, too.
    pub(crate) stop: Stop,
    /// The solver that the stop interrupted, with its puzzles.
    stopped_on: Option<String>,
}

/// Something that happened.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub(crate) enum FuzzEvent<'a> {
    /// Some puzzles were compared.
    Compared {
        /// The number of all puzzles so far.
        puzzles: u64,
        /// The number of all disagreements so far.
        disagreements: usize,
    },
    /// Solvers disagree; only the first disagreements are reported.
    Disagreed(&'a Disagreement),
    /// A puzzle that made a solver fail is about to be reduced.
    Reducing(&'a Place),
    /// It was reduced.
    Reduced(&'a Disagreement),
}

/// Results of [`Fuzz`].
#[derive(Clone, Debug)]
pub(crate) struct FuzzReport {
    /// The puzzles of each kind.
    pub(crate) kinds: Vec<KindCounts>,
    /// The number of disagreements that were reported as events.
    pub(crate) listed: usize,
    /// The time of the run.
    pub(crate) time: Duration,
    /// Whether it was stopped before the given number of puzzles or the given time.
    pub(crate) end: End,
    /// The program that was interrupted, with its puzzles, in words.
    pub(crate) stopped_on: Option<String>,
}

/// The number of puzzles of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KindCounts {
    /// The kind.
    pub(crate) kind: PuzzleKind,
    /// The number of its puzzles.
    pub(crate) puzzles: u64,
    /// The number of disagreements on them.
    pub(crate) disagreements: u64,
}

impl FuzzReport {
    /// The number of all puzzles.
    pub(crate) fn puzzles(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.puzzles).sum()
    }

    /// The number of all disagreements.
    pub(crate) fn disagreements(&self) -> u64 {
        self.kinds.iter().map(|kind| kind.disagreements).sum()
    }
}

impl Fuzz {
    /// Compares solvers on 9x9 puzzles of all kinds, counting solutions up to two, until it is stopped.
    pub(crate) fn new(solvers: Solvers, seed: u64) -> Fuzz {
        Fuzz {
            solvers,
            limit: Limit::UNIQUE,
            size: Size::Nine,
            kinds: PuzzleKind::VARIANTS.to_vec(),
            seed,
            count: u64::MAX,
            time: Duration::MAX,
            start: Instant::now(),
            disagreements: None,
            stop: Stop::new(),
            stopped_on: None,
        }
    }

    /// Compares the solvers.
    ///
    /// # Errors
    ///
    /// If a program cannot be run, or the table cannot be written. If a program fails on a puzzle, that is a
    /// disagreement.
    pub(crate) fn run(mut self, observe: &dyn Fn(FuzzEvent<'_>)) -> Result<FuzzReport, CheckError> {
        let stop = self.stop.clone();
        // From here on, a signal ends the run with a report.
        let _listener = stop.listen();
        self.start = Instant::now();
        let (mut found, mut failed) = (Disagreements::of_made(self.disagreements.take()), vec![]);
        let count = |&kind: &PuzzleKind| KindCounts { kind, puzzles: 0, disagreements: 0 };
        let mut kinds: Vec<KindCounts> = self.kinds.iter().map(count).collect();

        let compared = self.compare_batches(&mut kinds, &mut found, &mut failed, observe);
        for (solver, puzzle, mut disagreement) in failed {
            if compared.is_ok() {
                observe(FuzzEvent::Reducing(&disagreement.place));
                disagreement.reduced = self.reduced(solver, &puzzle, &disagreement);
            }
            if disagreement.reduced.is_some() {
                observe(FuzzEvent::Reduced(&disagreement));
            }
            found.add(disagreement)?;
        }
        let (first, _) = found.finish_after(compared.is_ok())?;
        compared?;
        let end = if stop.is_triggered() { End::Stopped } else { End::Complete };
        Ok(FuzzReport { kinds, listed: first.len(), time: self.start.elapsed(), end, stopped_on: self.stopped_on })
    }

    /// Whether the run was not stopped, and less than `parts` quarters of the time are over.
    fn has_time(&self, parts: u32) -> bool {
        self.start.elapsed() < self.time / 4 * parts && !self.stop.is_triggered()
    }

    /// Compares the solvers on batches of puzzles, up to their number, until the time is over, or the run is stopped. The
    /// first puzzles that made a solver fail go to `failed`: as each try may take the maximum time, they are reduced when
    /// all puzzles were compared, or in the last quarter of the time.
    fn compare_batches(
        &mut self,
        kinds: &mut [KindCounts],
        found: &mut Disagreements,
        failed: &mut Vec<(usize, MadePuzzle, Disagreement)>,
        observe: &dyn Fn(FuzzEvent<'_>),
    ) -> Result<(), CheckError> {
        let mut maker = PuzzleMaker::new(self.size, self.seed, self.kinds.clone());
        let (mut done, mut size) = (0, 1);
        while done < self.count && self.has_time(if failed.is_empty() { 4 } else { 3 }) {
            let batch_start = Instant::now();
            let end = done + size.min(self.count - done);
            let puzzles: Vec<MadePuzzle> = (done + 1..=end).map(|number| maker.make(number)).collect();
            let Some(answers) = self.all_answers(&puzzles)? else { break };

            for (index, puzzle) in puzzles.iter().enumerate() {
                let counts = &mut kinds[puzzle.kind_index];
                counts.puzzles += 1;
                for (solver, mut disagreement) in self.compare(index, puzzle, &answers) {
                    counts.disagreements += 1;
                    let has_failed = matches!(disagreement.reason, Reason::Failed(_));
                    let is_listed = found.lists_after(failed.len());
                    if is_listed {
                        disagreement.reduced =
                            if has_failed { None } else { self.reduced(solver, puzzle, &disagreement) };
                        observe(FuzzEvent::Disagreed(&disagreement));
                    }
                    if is_listed && has_failed {
                        failed.push((solver, puzzle.clone(), disagreement));
                    } else {
                        found.add(disagreement)?;
                    }
                }
            }
            done = end;
            observe(FuzzEvent::Compared { puzzles: done, disagreements: found.total() + failed.len() });

            let has_failed = answers.iter().flatten().any(Result::is_err);
            let time = batch_start.elapsed();
            size = if has_failed {
                // The next puzzle that makes a process hang is found sooner in a small batch.
                1
            } else if time < BATCH_TIME || time < self.starts(&puzzles[0]) * STARTS_A_BATCH {
                (2 * size).min(MAX_BATCH)
            } else {
                (size / 2).max(1)
            };
        }
        Ok(())
    }

    /// The time that all programs take to start, which is measured once.
    fn starts(&mut self, puzzle: &MadePuzzle) -> Duration {
        let set = PuzzleSet::of("no puzzles", [(self.size, 1, &*puzzle.cells)]);
        self.solvers.all.iter_mut().filter_map(|solver| solver.start_up(&set)).map(|start| start.wall).sum()
    }

    /// The answers of each solver to some puzzles; `None` if the run was stopped.
    fn all_answers(&mut self, puzzles: &[MadePuzzle]) -> Result<Option<Vec<Vec<Answered>>>, ProgramError> {
        let (limit, size) = (self.limit, self.size);
        let all = self.solvers.all.iter_mut().map(|solver| answers(&mut **solver, size, puzzles, limit));
        let all: Result<_, ProgramError> = all.collect();
        if self.stop.is_triggered() {
            self.stopped_on = all.err().map(|error| error.to_string());
            return Ok(None);
        }
        all.map(Some)
    }

    /// Compares what the solvers say about a puzzle; returns each disagreement with the position of its solver.
    fn compare(&self, index: usize, puzzle: &MadePuzzle, answers: &[Vec<Answered>]) -> Vec<(usize, Disagreement)> {
        let (reference, size) = (self.solvers.reference, self.size);
        let alphabet = Alphabets::default().for_printing(size);
        let said = |solver: usize| {
            let name = self.solvers.all[solver].label();
            match &answers[solver][index] {
                Ok(answer) => Said::new(name, answer, alphabet),
                Err(_) => Said::nothing(name),
            }
        };
        let reason = |solver: usize| match (&answers[reference][index], &answers[solver][index]) {
            (_, Err(why)) => Some(Reason::Failed(why.clone())),
            (Ok(expected), Ok(answer)) if solver != reference => {
                Reason::to_disagree(size, &puzzle.cells, expected, answer, self.limit)
            }
            _ => None,
        };
        let disagreement = |solver: usize| {
            let (place, cells) = (puzzle.place.clone(), alphabet.text(&puzzle.cells, b'.'));
            let (solver, reason, reference) = (said(solver), reason(solver)?, said(reference));
            Some(Disagreement { place, puzzle: cells, reference, solver, reason, reduced: None })
        };
        (0..answers.len()).filter_map(|solver| Some((solver, disagreement(solver)?))).collect()
    }

    /// Removes clues of a puzzle while a solver and the reference disagree in the same way, or the solver fails in the same
    /// way, until the time is over. Returns the smaller puzzle; `None` if no clue could be removed.
    fn reduced(&mut self, solver: usize, puzzle: &MadePuzzle, disagreement: &Disagreement) -> Option<String> {
        let (reference, limit, size) = (self.solvers.reference, self.limit, self.size);
        let counted = |solutions: Option<u64>| solutions.map(|count| count.min(limit.get()));
        let mut left = puzzle.cells.clone();
        for cell in 0..left.len() {
            if !self.has_time(4) {
                break;
            }
            let clue = std::mem::replace(&mut left[cell], 0);
            if clue == 0 {
                continue;
            }
            let set = PuzzleSet::of(&puzzle.place.to_string(), [(size, 1, &*left)]);
            let mut answer = |solver: usize| {
                let answers = self.solvers.all[solver].answer(&set, limit);
                answers.map(|mut answers| answers.answers.pop().expect("each puzzle has an answer"))
            };
            let is_same = match (answer(solver), &disagreement.reason) {
                (Err(error), Reason::Failed(why)) => *why == error.to_string(),
                (Err(_), _) | (_, Reason::Failed(_)) => false,
                (Ok(answer_now), reason) => answer(reference).is_ok_and(|expected| {
                    Reason::to_disagree(size, &left, &expected, &answer_now, limit).as_ref() == Some(reason)
                        && counted(expected.solutions) == counted(disagreement.reference.solutions)
                        && counted(answer_now.solutions) == counted(disagreement.solver.solutions)
                }),
            };
            if !is_same {
                left[cell] = clue;
            }
        }
        let alphabet = Alphabets::default().for_printing(size);
        (left != puzzle.cells).then(|| alphabet.text(&left, b'.'))
    }
}

/// An answer, or the reason why the solver failed.
type Answered = Result<ContenderAnswer, String>;

/// The answers of a solver. If its process fails, each half of the puzzles is tried again, until the puzzle is found
/// that makes it fail.
fn answers(
    solver: &mut dyn Contender,
    size: Size,
    puzzles: &[MadePuzzle],
    limit: Limit,
) -> Result<Vec<Answered>, ProgramError> {
    let name = match puzzles {
        [first, .., last] => format!("the puzzles from {} to {}", first.place, last.place),
        puzzles => puzzles.iter().map(|puzzle| puzzle.place.to_string()).collect(),
    };
    let set = PuzzleSet::of(&name, (1..).zip(puzzles).map(|(number, puzzle)| (size, number, &*puzzle.cells)));
    let error = match solver.answer(&set, limit) {
        Ok(answers) => return Ok(answers.answers.into_iter().map(Ok).collect()),
        Err(error) if !error.failure.may_depend_on_puzzle() => return Err(error),
        Err(error) if puzzles.len() == 1 => return Ok(vec![Err(error.to_string())]),
        // A program that writes each answer at once hangs on the puzzle after them, which does not have to be tried again.
        Err(ProgramError { command, failure: ProgramFailure::TimedOut { timeout, answered }, .. })
            if (1..puzzles.len()).contains(&answered) =>
        {
            let failure = ProgramFailure::TimedOut { timeout, answered: 0 };
            let error = ProgramError { command, file: puzzles[answered].place.to_string(), failure };
            let mut all = answers(solver, size, &puzzles[..answered], limit)?;
            all.push(Err(error.to_string()));
            if answered + 1 < puzzles.len() {
                all.extend(answers(solver, size, &puzzles[answered + 1..], limit)?);
            }
            return Ok(all);
        }
        Err(error) => error,
    };

    // Each half tells whether one of its puzzles is the cause. If no half fails, the whole is the cause: the process was
    // too slow for it, or fails at random.
    let (first, second) = puzzles.split_at(puzzles.len() / 2);
    let mut all = answers(solver, size, first, limit)?;
    all.extend(answers(solver, size, second, limit)?);
    let is_slow = matches!(error.failure, ProgramFailure::TimedOut { .. });
    if !is_slow && all.iter().all(Result::is_ok) {
        all.pop();
        all.push(Err(format!("{error}; on a part of them it does not fail")));
    }
    Ok(all)
}

/// A clue of a large puzzle stays if the search without it takes more branches.
const MAX_BRANCHES: u64 = 100;

/// Makes the puzzles of a seed.
#[derive(Debug)]
pub(super) struct PuzzleMaker {
    size: Size,
    seed: u64,
    /// The kinds, which take turns.
    kinds: Vec<PuzzleKind>,
    grids: RandomGrids,
    engine: Bitmask,
    batch: Batch,
    verdicts: Verdicts,
}

/// A puzzle that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MadePuzzle {
    pub(super) place: Place,
    /// The index of its kind in the list of kinds.
    pub(super) kind_index: usize,
    pub(super) cells: Vec<u8>,
}

impl PuzzleMaker {
    /// Makes puzzles of these kinds, which must not be empty.
    pub(super) fn new(size: Size, seed: u64, kinds: Vec<PuzzleKind>) -> PuzzleMaker {
        assert!(!kinds.is_empty(), "puzzles are of some kind");
        let (batch, verdicts) = (Batch::new(size), Verdicts::new());
        PuzzleMaker { size, seed, kinds, grids: RandomGrids::new(size), engine: Bitmask::new(), batch, verdicts }
    }

    /// Makes the puzzle with a number, from 1; it does not depend on the puzzles before.
    pub(super) fn make(&mut self, number: u64) -> MadePuzzle {
        let kind_index = (number.wrapping_sub(1) % self.kinds.len() as u64) as usize;
        let kind = self.kinds[kind_index];
        // Hashing the seed keeps the puzzles of seeds apart: `seed + number` would give one seed the puzzles of
        // another, only shifted.
        let start = Xoshiro256PlusPlus::seed_from_u64(self.seed).next_u64();
        let rng = &mut Xoshiro256PlusPlus::seed_from_u64(start.wrapping_add(number));

        let mut grid = vec![0; self.size.cells()];
        self.grids.fill(rng, &mut grid);
        let place = Place::Made { seed: self.seed, number, kind };
        MadePuzzle { place, kind_index, cells: self.puzzle(kind, &grid, rng) }
    }

    /// A puzzle of a kind, made from a grid.
    fn puzzle(&mut self, kind: PuzzleKind, grid: &[u8], rng: &mut impl Rng) -> Vec<u8> {
        let cells = grid.len();
        let mut random_cells: Vec<usize> = (0..cells).collect();
        shuffle(rng, &mut random_cells);

        let mut puzzle = match kind {
            PuzzleKind::Empty | PuzzleKind::FewClues | PuzzleKind::RandomClues => vec![0; cells],
            PuzzleKind::Full | PuzzleKind::NearlyFull | PuzzleKind::FullClash => grid.to_vec(),
            PuzzleKind::Several
            | PuzzleKind::Unique
            | PuzzleKind::Minimal
            | PuzzleKind::ChangedClue
            | PuzzleKind::Clash => self.minimal(grid, &random_cells),
        };

        // Cells in another order than for the minimal puzzle.
        shuffle(rng, &mut random_cells);
        let add_clues = |puzzle: &mut [u8], clues: usize| {
            random_cells[..clues].iter().for_each(|&cell| puzzle[cell] = grid[cell]);
        };
        match kind {
            PuzzleKind::Empty | PuzzleKind::Full | PuzzleKind::Minimal => {}
            PuzzleKind::FewClues => add_clues(&mut puzzle, 1 + below(rng, cells / 5)),
            PuzzleKind::Unique => add_clues(&mut puzzle, 1 + below(rng, cells / 3)),
            PuzzleKind::ChangedClue => {
                add_clues(&mut puzzle, 1 + below(rng, cells / 3));
                self.change_clue(&mut puzzle, &random_cells, rng);
            }
            PuzzleKind::NearlyFull => {
                let blanks = 1 + below(rng, 5);
                random_cells[..blanks].iter().for_each(|&cell| puzzle[cell] = 0);
            }
            PuzzleKind::Several => {
                let fewer = 1 + below(rng, 3);
                let clues = random_cells.iter().filter(|&&cell| puzzle[cell] > 0).take(fewer).copied();
                clues.collect::<Vec<_>>().into_iter().for_each(|cell| puzzle[cell] = 0);
            }
            PuzzleKind::RandomClues => {
                let tries = cells / 5 + below(rng, cells * 2 / 5);
                for &cell in &random_cells[..tries] {
                    let digit = 1 + below(rng, self.size.side()) as u8;
                    if self.fits(&puzzle, cell, digit) {
                        puzzle[cell] = digit;
                    }
                }
            }
            PuzzleKind::Clash | PuzzleKind::FullClash => {
                let clue = random_cells.iter().copied().find(|&cell| puzzle[cell] > 0).expect("there are clues");
                let peers = Geometry::of(self.size).peers(clue);
                puzzle[usize::from(peers[below(rng, peers.len())])] = puzzle[clue];
            }
        }
        puzzle
    }

    /// Removes the cells of a grid in this order, and keeps those without which the puzzle has a second solution.
    fn minimal(&mut self, grid: &[u8], cells: &[usize]) -> Vec<u8> {
        let max_branches = (self.size > Size::Nine).then_some(MAX_BRANCHES);
        let bounds = Bounds { max_branches, ..Bounds::new(Limit::UNIQUE) };
        let mut puzzle = grid.to_vec();
        for &cell in cells {
            puzzle[cell] = 0;
            self.batch.clear();
            self.batch.push(&puzzle);
            self.engine.solve(&self.batch, bounds, &mut self.verdicts);

            let verdict = self.verdicts.get(0);
            if (verdict.solutions, verdict.end) != (1, SearchEnd::Complete) {
                puzzle[cell] = grid[cell];
            }
        }
        puzzle
    }

    /// Replaces the digit of a clue by another one without a clash; leaves the puzzle as it is if all clash.
    fn change_clue(&self, puzzle: &mut [u8], cells: &[usize], rng: &mut impl Rng) {
        let mut digits: Vec<u8> = (1..).take(self.size.side()).collect();
        shuffle(rng, &mut digits);
        for &cell in cells.iter().filter(|&&cell| puzzle[cell] > 0) {
            let is_other = |&digit: &u8| digit != puzzle[cell] && self.fits(puzzle, cell, digit);
            if let Some(digit) = digits.iter().copied().find(is_other) {
                puzzle[cell] = digit;
                return;
            }
        }
    }

    /// Whether a digit in a cell clashes with no clue.
    fn fits(&self, puzzle: &[u8], cell: usize, digit: u8) -> bool {
        Geometry::of(self.size).peers(cell).iter().all(|&peer| puzzle[usize::from(peer)] != digit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::rules;

    /// The numbers of solutions that a puzzle of each kind may have, counted up to 2.
    fn possible(kind: PuzzleKind) -> std::ops::RangeInclusive<u64> {
        match kind {
            PuzzleKind::Empty | PuzzleKind::Several => 2..=2,
            PuzzleKind::FewClues | PuzzleKind::NearlyFull => 1..=2,
            PuzzleKind::Unique | PuzzleKind::Minimal | PuzzleKind::Full => 1..=1,
            PuzzleKind::ChangedClue | PuzzleKind::RandomClues => 0..=2,
            PuzzleKind::Clash | PuzzleKind::FullClash => 0..=0,
        }
    }

    #[test]
    fn puzzles_are_of_their_kind_and_the_same_for_a_seed() {
        for size in [Size::Four, Size::Nine] {
            let mut maker = PuzzleMaker::new(size, 7, PuzzleKind::VARIANTS.to_vec());
            let puzzles: Vec<MadePuzzle> = (1..=330).map(|number| maker.make(number)).collect();
            let mut engine = Bitmask::new();
            let (mut none, mut verdicts) = (0, Verdicts::new());
            for (index, MadePuzzle { cells, kind_index, .. }) in puzzles.iter().enumerate() {
                assert_eq!(*kind_index, index % PuzzleKind::VARIANTS.len());
                let mut batch = Batch::new(size);
                batch.push(cells);
                engine.solve(&batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
                let (kind, solutions) = (PuzzleKind::VARIANTS[*kind_index], verdicts.get(0).solutions);
                assert!(possible(kind).contains(&solutions), "{kind:?}: {solutions} {cells:?}");
                let clashes = matches!(kind, PuzzleKind::Clash | PuzzleKind::FullClash);
                assert_eq!(rules::conflict(size, cells).is_some(), clashes, "{kind:?}: {cells:?}");
                none += u64::from(kind == PuzzleKind::ChangedClue && solutions == 0);
            }
            assert!(none > 0, "{size}");

            // The puzzle depends on its number, not on the puzzles before; another seed gives different puzzles.
            assert_eq!(PuzzleMaker::new(size, 7, PuzzleKind::VARIANTS.to_vec()).make(330), puzzles[329]);
            let other = PuzzleMaker::new(size, 8, PuzzleKind::VARIANTS.to_vec()).make(10);
            assert!(puzzles.iter().all(|puzzle| puzzle.cells != other.cells || size == Size::Four));
        }
    }
}
