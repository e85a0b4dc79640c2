//! Answers one question about puzzles of any size with one engine.
//!
//! An engine takes batches of one size and counts solutions. The solver calls it once for each size and lists solutions
//! in lexicographic order if the question asks for them.

use std::ops::Range;

use super::bitmask::Bitmask;
pub use super::question::{Answer, Question};
use super::{
    Bounds, Cost, Engine, FirstSolutions, Limit, ListOutcome, Lister, MaxBranches, SearchEnd, Verdict, Verdicts,
};
use crate::puzzle::{Batch, Grid, Pencilmarks, Puzzles, Size, shifted_grid};
pub use crate::stop::InterruptedError;
use crate::stop::Stop;

/// The number of 9x9 puzzles that an engine solves before its first batch: enough to fill the lanes of any vector.
const WARM_UP: usize = 16;

/// Collects puzzles of all sizes, and answers one question about each of them.
#[derive(Debug)]
pub struct Solver {
    engine: Box<dyn Engine>,
    max_branches: MaxBranches,
    stop: Stop,
    lister: Lister,
    first_solutions: FirstSolutions,
    puzzles: Puzzles,
    answers: [SizeAnswers; Size::ALL.len()],
    pencilmarks: PencilmarkSolver,
}

/// Pencilmark puzzles and the verdicts on them. They have an engine of their own, since no other engine can solve them.
#[derive(Debug, Default)]
struct PencilmarkSolver {
    puzzles: Vec<Pencilmarks>,
    engine: Bitmask,
    verdicts: Verdicts,
}

/// The answers for the puzzles of one size.
#[derive(Debug, Default)]
struct SizeAnswers {
    verdicts: Verdicts,
    /// One entry for each puzzle, or empty if only a count was asked for.
    lists: Vec<Option<List>>,
    /// The cell values of the listed solutions of all puzzles, one solution after another.
    listed: Vec<u8>,
    /// Whether the engine has solved puzzles of this size.
    is_warm: bool,
}

/// The listed solutions of a puzzle that has several.
#[derive(Debug)]
struct List {
    grids: Range<usize>,
    more: bool,
    end: SearchEnd,
    cost: Cost,
}

impl Solver {
    /// A solver without puzzles, whose searches never give up.
    pub fn new(engine: Box<dyn Engine>) -> Solver {
        Solver {
            engine,
            max_branches: MaxBranches::Unlimited,
            stop: Stop::new(),
            lister: Lister::new(),
            first_solutions: FirstSolutions::new(),
            puzzles: Puzzles::new(),
            answers: Default::default(),
            pencilmarks: PencilmarkSolver::default(),
        }
    }

    /// Removes all puzzles and keeps the memory.
    pub fn clear(&mut self) {
        self.puzzles.clear();
        self.pencilmarks.puzzles.clear();
    }

    /// Adds a puzzle and returns its index among the puzzles of its size.
    ///
    /// # Panics
    ///
    /// As [`Batch::push`].
    pub fn push(&mut self, size: Size, puzzle: &[u8]) -> usize {
        self.puzzles.push(size, puzzle)
    }

    /// The puzzles.
    pub(crate) fn puzzles(&self) -> &Puzzles {
        &self.puzzles
    }

    /// Removes all puzzles, and returns the empty lists of puzzles and of pencilmark puzzles to fill.
    pub(crate) fn refill(&mut self) -> (&mut Puzzles, &mut Vec<Pencilmarks>) {
        self.clear();
        (&mut self.puzzles, &mut self.pencilmarks.puzzles)
    }

    /// Answers the question about all puzzles. The solutions of a pencilmark puzzle are counted, whatever the question.
    ///
    /// Before its first batch of a size, the engine solves some easy puzzles: its first calls take some 30 µs longer,
    /// which would be counted as the time of the first puzzles.
    ///
    /// # Errors
    ///
    /// If the [stop](Solver::stop) interrupts it.
    pub fn solve(&mut self, question: Question) -> Result<(), InterruptedError> {
        for (size, answers) in Size::ALL.into_iter().zip(&mut self.answers) {
            let batch = self.puzzles.batch(size);
            if batch.is_empty() {
                continue;
            }

            if !std::mem::replace(&mut answers.is_warm, true) {
                self.engine.solve(&warm_up(size), Bounds::new(Limit::UNIQUE), &mut answers.verdicts);
            }

            let max_branches = self.max_branches.for_size(size);
            let bounds = Bounds { solutions: question.limit(), max_branches, stop: Some(&self.stop) };
            self.engine.solve(batch, bounds, &mut answers.verdicts);

            match question {
                Question::Any | Question::Count(_) => answers.lists.clear(),
                Question::First => answers.find_first(batch, &mut *self.engine, bounds, &mut self.first_solutions),
                Question::All(cap) => answers.list(batch, &mut *self.engine, bounds, &mut self.lister, cap),
            }

            if bounds.is_stopped() {
                return Err(InterruptedError);
            }
        }

        // Pencilmark puzzles are 9x9.
        let max_branches = self.max_branches.for_size(Size::Nine);
        let bounds = Bounds { solutions: question.limit(), max_branches, stop: Some(&self.stop) };
        let PencilmarkSolver { puzzles, engine, verdicts } = &mut self.pencilmarks;
        engine.solve_pencilmarks(puzzles, bounds, verdicts);
        if bounds.is_stopped() { Err(InterruptedError) } else { Ok(()) }
    }

    /// Pencilmark puzzle `index`, and its answer from the last call of [`Solver::solve`].
    pub(crate) fn pencilmark_answer(&self, index: usize) -> (&Pencilmarks, Answer<'_>) {
        const NO_CLUES: Grid = [0; Size::Nine.cells()];
        let PencilmarkSolver { puzzles, verdicts, .. } = &self.pencilmarks;
        (&puzzles[index], self.answer_of(verdicts.get(index), Size::Nine, &NO_CLUES))
    }

    /// The answer for puzzle `index` of a size, from the last call of [`Solver::solve`].
    // Without inlining, the answer is returned through memory, which takes as long as the rest of the function.
    #[inline(always)]
    pub fn answer(&self, size: Size, index: usize) -> Answer<'_> {
        let SizeAnswers { verdicts, lists, listed, .. } = &self.answers[size.index()];
        let verdict = verdicts.get(index);
        let puzzle = self.puzzles.batch(size).puzzle(index);

        if let Some(Some(List { grids, more, end, cost })) = lists.get(index) {
            let grids = &listed[grids.clone()];
            // Of several solutions, only the first may be listed.
            let solutions = verdict.solutions.max((grids.len() / size.cells()) as u64);
            let gave_up_after = self.gave_up_after(*end, size);
            let grids = if gave_up_after.is_none() { grids } else { &[] };
            return Answer { puzzle, solutions, gave_up_after, grids, more: *more, cost: verdict.cost + *cost };
        }

        self.answer_of(verdict, size, puzzle)
    }

    /// The answer for a puzzle whose solutions are not listed.
    #[inline(always)]
    fn answer_of<'a>(&self, verdict: Verdict<'a>, size: Size, puzzle: &'a [u8]) -> Answer<'a> {
        let gave_up_after = self.gave_up_after(verdict.end, size);
        let is_unique = verdict.solutions == 1 && gave_up_after.is_none();
        let grids = verdict.solution.filter(|_| is_unique).unwrap_or_default();
        Answer { puzzle, solutions: verdict.solutions, gave_up_after, grids, more: false, cost: verdict.cost }
    }

    /// The maximum number of branches of a search that gave up.
    fn gave_up_after(&self, end: SearchEnd, size: Size) -> Option<u64> {
        if end == SearchEnd::GaveUp { self.max_branches.for_size(size) } else { None }
    }
}

setters!(Solver {
    /// Sets the maximum number of branches of a search. A list of solutions takes several searches.
    max_branches(max_branches: MaxBranches) => max_branches = max_branches;

    /// Sets a signal that interrupts [`Solver::solve`].
    stop(stop: Stop) => stop = stop;
});

impl SizeAnswers {
    /// Lists the first solutions, up to a cap, of the puzzles that have several.
    fn list(&mut self, batch: &Batch, engine: &mut dyn Engine, bounds: Bounds<'_>, lister: &mut Lister, cap: Limit) {
        let SizeAnswers { verdicts, lists, listed, .. } = self;
        lists.clear();
        listed.clear();
        for (puzzle, verdict) in batch.puzzles().zip(verdicts.iter()) {
            lists.push((verdict.solutions > 1).then(|| {
                let start = listed.len();
                let ListOutcome { more, end, cost } = lister.list(engine, batch.size(), bounds, puzzle, cap, listed);
                List { grids: start..listed.len(), more, end, cost }
            }));
        }
    }

    /// Finds the first solution of each puzzle that has several.
    fn find_first(
        &mut self,
        batch: &Batch,
        engine: &mut dyn Engine,
        bounds: Bounds<'_>,
        first_solutions: &mut FirstSolutions,
    ) {
        let SizeAnswers { verdicts, lists, listed, .. } = self;
        let cells = batch.size().cells();
        lists.clear();
        listed.clear();

        // Collect the puzzles with several solutions, and any solution of each.
        let mut puzzles = vec![];
        for (puzzle, verdict) in batch.puzzles().zip(verdicts.iter()) {
            let several = verdict.solution.filter(|_| verdict.solutions > 1);
            lists.push(several.map(|grid| {
                let start = listed.len();
                puzzles.extend_from_slice(puzzle);
                listed.extend_from_slice(grid);
                List { grids: start..start + cells, more: false, end: SearchEnd::Complete, cost: Cost::default() }
            }));
        }

        let found = first_solutions.find(engine, batch.size(), bounds, &puzzles, listed);
        for (list, (end, cost)) in lists.iter_mut().flatten().zip(found) {
            (list.end, list.cost) = (end, cost);
        }
    }
}

/// Copies of an easy puzzle. Two of its rows are blank and can be exchanged, so that a search has to guess. In the
/// remaining rows every second cell is blank, so that the search needs as much memory as for most puzzles.
fn warm_up(size: Size) -> Batch {
    let side = size.side();
    let mut puzzle = shifted_grid(size);
    let is_blank = |cell: usize| cell < 2 * side || (cell / side + cell % side).is_multiple_of(2);
    puzzle.iter_mut().enumerate().filter(|(cell, _)| is_blank(*cell)).for_each(|(_, value)| *value = 0);

    let mut batch = Batch::new(size);
    let copies = if size == Size::Nine { WARM_UP } else { 1 };
    (0..copies).for_each(|_| batch.push(&puzzle));
    batch
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;
    use crate::engine::EngineKind;

    /// An engine that records the puzzles that it gets, and finds no solutions.
    #[derive(Debug, Default)]
    struct Counter(Arc<Mutex<Vec<(Size, usize)>>>);

    impl Engine for Counter {
        fn solve(&mut self, batch: &Batch, _: Bounds<'_>, verdicts: &mut Verdicts) {
            verdicts.reset(batch);
            self.0.lock().unwrap().push((batch.size(), batch.len()));
        }
    }

    #[test]
    fn an_engine_is_warm_before_the_first_puzzle_of_a_size() {
        let counter = Counter::default();
        let calls = Arc::clone(&counter.0);
        let mut solver = Solver::new(Box::new(counter));
        for sizes in [&[Size::Nine][..], &[Size::Four, Size::Nine]] {
            solver.clear();
            for &size in sizes {
                solver.push(size, &vec![0; size.cells()]);
            }
            solver.solve(Question::Count(Limit::UNIQUE)).unwrap();
        }
        let [two, three] = [Size::Four, Size::Nine];
        assert_eq!(*calls.lock().unwrap(), [(three, WARM_UP), (three, 1), (two, 1), (two, 1), (three, 1)]);
    }

    #[test]
    fn puzzles_to_warm_up_with_need_a_guess_and_no_more() {
        for size in Size::ALL {
            for kind in EngineKind::ALL {
                let mut verdicts = Verdicts::new();
                kind.build().unwrap().solve(&warm_up(size), Bounds::new(Limit::UNIQUE), &mut verdicts);
                assert!(verdicts.iter().all(|verdict| verdict.solutions == 2), "{size}");
                if size != Size::Nine || !matches!(kind, EngineKind::Auto | EngineKind::Lanes(_)) {
                    let bounds = Bounds::new(Limit::UNIQUE).max_branches(0);
                    kind.build().unwrap().solve(&warm_up(size), bounds, &mut verdicts);
                    assert!(verdicts.iter().all(|verdict| verdict.end == SearchEnd::GaveUp), "{size}");
                }
            }
        }
    }
}
