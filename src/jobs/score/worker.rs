//! Finds the grids in the answers of a chunk, compares them with their puzzles, and writes a row for each record.
//!
//! Most puzzles have one solution, and a grid is compared with it. For puzzles with several solutions, an engine gets
//! two questions, each for all records of the chunk at once: first, which grids with blanks can be completed; then, for
//! the remaining grids, the list of all solutions, to find the nearest.

use std::fmt::Write;
use std::num::NonZeroU64;
use std::ops::{ControlFlow, Range};

use super::{FoundAnswer, Grade, GridCounts, GridFacts, ScoreCounts, ScoreFormula, ScoreRow};
use crate::engine::Limit;
use crate::engine::solver::{Answer, InterruptedError, Question, Solver};
use crate::format::{Alphabet, Malformed};
use crate::puzzle::{Geometry, Size, rules};
use crate::run::record_loop::{Emit, RecordWorker, SolvedChunk, SolvedRecord};
use crate::run::records::{ConflictMessage, GivenAnswer, ParsedRecord};
use crate::scoring::{AnswerRules, Assessment, FoundGrid, GridFinder, NoGrid, agreeing_blanks};

/// The maximum number of solutions of a puzzle to compare with a grid. If there are more, the nearest is unknown.
const MAX_SOLUTIONS: Limit = Limit::new(NonZeroU64::new(1000).expect("the limit is positive"));

/// Scores answers.
pub(crate) struct ScoreWorker {
    formula: ScoreFormula,
    finder: GridFinder,
    /// The solver for questions about puzzles with several solutions.
    solver: Solver,
    /// The verdicts on the answers of the chunk, in order, and the number of them whose rows are written.
    answers: Vec<JudgedAnswer>,
    written: usize,
    /// The cells of the grids of all answers, one grid after another.
    cells: Vec<u8>,
    detail: String,
    counts: ScoreCounts,
}

/// The verdict on an answer to a puzzle.
struct JudgedAnswer {
    grade: Grade,
    grid: Result<JudgedGrid, NoGrid>,
}

/// A grid that was found in an answer.
struct JudgedGrid {
    facts: GridFacts,
    /// The range of its cells.
    cells: Range<usize>,
}

/// A question about the answer to a puzzle with several solutions.
struct OpenAnswer {
    /// The index of the answer in the chunk.
    answer: usize,
    size: Size,
    /// The index of the question among the puzzles of its size.
    question: usize,
    /// The index of the puzzle among the puzzles of its size.
    puzzle: usize,
}

impl ScoreWorker {
    /// A worker with a solver for its own questions.
    pub(super) fn new(formula: ScoreFormula, rules: AnswerRules, solver: Solver) -> ScoreWorker {
        ScoreWorker {
            formula,
            finder: GridFinder::with_rules(rules),
            solver,
            answers: vec![],
            written: 0,
            cells: vec![],
            detail: String::new(),
            counts: ScoreCounts::default(),
        }
    }

    /// Judges the text of an answer.
    fn judge(&mut self, alphabet: Alphabet, answer: &Answer<'_>, text: &[u8]) -> JudgedAnswer {
        let has_solutions = answer.known_solutions() != Some(0);
        let found = match self.finder.find(alphabet, answer.puzzle, text) {
            Ok(found) => found,
            Err(reason) => {
                let grade = match reason {
                    _ if !has_solutions => Grade::None,
                    NoGrid::Chat(_) => Grade::Malformed,
                    _ => Grade::NoGrid,
                };
                return JudgedAnswer { grade, grid: Err(reason) };
            }
        };
        let FoundGrid { place, start, cells: grid, grids, another_solves } = found;

        let assessment = Assessment::of(alphabet.size(), answer.puzzle, grid);
        let Assessment { blanks, filled, changed, .. } = assessment;
        let solves = assessment.solves();
        let right = match answer.known_solutions() {
            _ if solves => Some(blanks),
            Some(1) => Some(agreeing_blanks(answer.puzzle, grid, answer.grids)),
            _ => None,
        };
        let is_incomplete = changed == 0 && !assessment.is_full();
        let is_solvable = match answer.known_solutions() {
            _ if !is_incomplete => None,
            _ if !assessment.may_become_solution() => Some(false),
            Some(0) => Some(false),
            Some(1) => right.map(|right| right == filled),
            _ => None,
        };
        let grade = match () {
            () if !has_solutions => Grade::None,
            () if changed > 0 => Grade::Changed,
            () if is_incomplete => Grade::Incomplete,
            () if solves => Grade::Solved,
            () => Grade::Wrong,
        };

        let cells = self.cells.len()..self.cells.len() + grid.len();
        self.cells.extend_from_slice(grid);
        let counts = GridCounts { assessment, right, is_solvable };
        let is_another_right = (!solves).then_some(another_solves);
        let facts = GridFacts { place, start, grids, is_another_right, counts };
        JudgedAnswer { grade, grid: Ok(JudgedGrid { facts, cells }) }
    }

    /// Asks which of some grids can be completed, and stores the consequences.
    fn ask_whether_solvable(&mut self, asked: &mut [OpenAnswer]) -> Result<(), InterruptedError> {
        self.solver.clear();
        for asked in &mut *asked {
            let Ok(grid) = &self.answers[asked.answer].grid else { continue };
            asked.question = self.solver.push(asked.size, &self.cells[grid.cells.clone()]);
        }
        self.solver.solve(Question::Any)?;

        for asked in asked {
            let Ok(grid) = &mut self.answers[asked.answer].grid else { continue };
            let solutions = self.solver.answer(asked.size, asked.question).known_solutions();
            grid.facts.counts.is_solvable = solutions.map(|solutions| solutions > 0);
            if grid.facts.counts.is_solvable == Some(true) {
                grid.facts.counts.right = Some(grid.facts.counts.assessment.filled);
            }
        }
        Ok(())
    }

    /// Lists the solutions of some puzzles, and counts the blanks that are filled as in the nearest one.
    fn find_nearest(&mut self, asked: &mut Vec<OpenAnswer>, solved: &Solver) -> Result<(), InterruptedError> {
        // Listing many solutions in order takes long, so count them first.
        self.ask_about_puzzles(asked, solved, Question::Count(MAX_SOLUTIONS.saturating_add(1)))?;
        asked.retain(|asked| {
            let solutions = self.solver.answer(asked.size, asked.question).known_solutions();
            solutions.is_some_and(|solutions| solutions <= MAX_SOLUTIONS.get())
        });
        self.ask_about_puzzles(asked, solved, Question::All(MAX_SOLUTIONS))?;

        for asked in asked {
            let Ok(grid) = &mut self.answers[asked.answer].grid else { continue };
            let answer = self.solver.answer(asked.size, asked.question);
            if answer.more || answer.gave_up_after.is_some() {
                continue;
            }
            let cells = &self.cells[grid.cells.clone()];
            let solutions = answer.grids.chunks_exact(asked.size.cells());
            grid.facts.counts.right = solutions.map(|solution| agreeing_blanks(answer.puzzle, cells, solution)).max();
        }
        Ok(())
    }

    /// Asks a question about the puzzles of some answers.
    fn ask_about_puzzles(
        &mut self,
        asked: &mut [OpenAnswer],
        solved: &Solver,
        question: Question,
    ) -> Result<(), InterruptedError> {
        self.solver.clear();
        for asked in asked {
            let puzzle = solved.answer(asked.size, asked.puzzle).puzzle;
            asked.question = self.solver.push(asked.size, puzzle);
        }
        self.solver.solve(question)
    }

    /// Writes the reason for a grade, if there is one.
    fn explain(&mut self, judged: &JudgedAnswer, puzzle: &Answer<'_>, alphabet: &Alphabet) {
        let size = alphabet.size();
        let conflict_in = |grid: &[u8]| rules::conflict(size, grid).map(|conflict| ConflictMessage(conflict, alphabet));
        let conflict = match (judged.grade, &judged.grid) {
            (Grade::None, _) => conflict_in(puzzle.puzzle),
            (Grade::Wrong, Ok(grid)) => conflict_in(&self.cells[grid.cells.clone()]),
            (_, Err(reason)) => {
                let _ = write!(self.detail, "{reason}");
                None
            }
            (Grade::Changed, Ok(grid)) => {
                if let Some(cell) = grid.facts.counts.assessment.first_changed {
                    let _ = write!(self.detail, "the clue in {} is changed", Geometry::of(size).name(cell));
                }
                None
            }
            _ => None,
        };
        if let Some(conflict) = conflict {
            conflict.push_to(&mut self.detail);
        }
    }
}

impl RecordWorker for ScoreWorker {
    type Note = ();
    type Counts = ScoreCounts;

    /// Judges the answers to all puzzles of the chunk.
    fn start(&mut self, chunk: SolvedChunk<'_>) -> ControlFlow<()> {
        self.answers.clear();
        self.cells.clear();
        self.written = 0;

        let (solver, mut incomplete, mut distant) = (chunk.solver, vec![], vec![]);
        chunk.each_answer(|record, alphabets, text| {
            let ParsedRecord::Puzzle(shape, index) = *record else { return };
            let answer = solver.answer(shape.size, index);
            let text = text.map(GivenAnswer::text).unwrap_or_default();
            let judged = self.judge(alphabets[shape.size.index()], &answer, text);

            let asked = OpenAnswer { answer: self.answers.len(), size: shape.size, question: 0, puzzle: index };
            if let Ok(JudgedGrid { facts: GridFacts { counts, .. }, .. }) = &judged.grid
                && counts.right.is_none()
                && judged.grade != Grade::None
            {
                let is_open = judged.grade == Grade::Incomplete && counts.is_solvable.is_none();
                if is_open { &mut incomplete } else { &mut distant }.push(asked);
            }
            self.answers.push(judged);
        });

        // A grid with blanks that can be completed is right so far. All others are compared with every solution.
        let mut asked = || {
            if !incomplete.is_empty() {
                self.ask_whether_solvable(&mut incomplete)?;
                let has_no_right = |grid: &JudgedGrid| grid.facts.counts.right.is_none();
                let is_distant = |asked: &OpenAnswer| self.answers[asked.answer].grid.as_ref().is_ok_and(has_no_right);
                distant.extend(incomplete.drain(..).filter(is_distant));
            }
            if distant.is_empty() { Ok(()) } else { self.find_nearest(&mut distant, solver) }
        };
        if asked().is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    #[inline]
    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ()>) -> ControlFlow<()> {
        self.detail.clear();
        let mut row = ScoreRow {
            file: &record.input.name,
            line: record.line,
            subject: record.subject,
            grade: Grade::Malformed,
            score: None,
            found: None,
            grid: None,
            detail: "",
        };
        let puzzle = match record.puzzle {
            Ok(puzzle) => puzzle,
            Err(reason) => {
                let _ = write!(self.detail, "{reason}");
                // A long answer makes its record too long, so the record counts as one without a grid.
                if reason == Malformed::TooLong {
                    row.grade = Grade::NoGrid;
                }
                row.score = ScoreFormula::without_grid(row.grade);
                self.counts.add(row.grade, row.score);
                emit.row(&ScoreRow { detail: &self.detail, ..row });
                return ControlFlow::Continue(());
            }
        };

        // Taken out, as the explanation is written into `self`.
        let answers = std::mem::take(&mut self.answers);
        let judged = &answers[self.written];
        self.written += 1;
        self.explain(judged, &puzzle.answer(), puzzle.alphabet);

        let grid = judged.grid.as_ref();
        row.grade = judged.grade;
        row.score = self.formula.score(judged.grade, puzzle.shape, grid.ok().map(|grid| grid.facts.counts));
        row.found = grid.map_or_else(|reason| reason.place(), |grid| Some(grid.facts.place));
        row.grid = grid.ok().map(|&JudgedGrid { facts, ref cells }| FoundAnswer {
            facts,
            cells: &self.cells[cells.clone()],
            alphabet: puzzle.alphabet,
        });
        self.counts.add(row.grade, row.score);
        emit.row(&ScoreRow { detail: &self.detail, ..row });
        self.answers = answers;
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut ScoreCounts {
        &mut self.counts
    }
}
