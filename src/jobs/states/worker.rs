//! Counts the solutions of the states of a chunk, and writes a row for each record.
//!
//! A state of a puzzle with one solution has that solution or none. For all other puzzles, the states of the chunk go
//! to an engine together.

use std::fmt::Write;
use std::mem;
use std::ops::ControlFlow;

use super::moves::{self, Move, MovesError};
use super::true_candidates::{CandidateSearch, find_candidates};
use super::{MovesStatus, StateCounts, StateFacts, StateRow};
use crate::engine::Limit;
use crate::engine::solver::{Answer, InterruptedError, Question, Solver};
use crate::format::Alphabet;
use crate::puzzle::{Geometry, Size, rules};
use crate::rows::Status;
use crate::run::record_loop::{Emit, RecordWorker, SolvedChunk, SolvedRecord};
use crate::run::records::{ConflictMessage, GivenAnswer, ParsedRecord};
use crate::scoring::{Assessment, GridFinder, NoGrid, agreeing_blanks, open_digits, set_of, singles};

/// The requested properties of states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wanted {
    /// The index of the column of moves among the kept columns.
    pub(super) moves: Option<usize>,
    /// The number of the first row and column in moves, if it is known.
    pub(super) moves_from: Option<usize>,
    pub(super) forced: bool,
    pub(super) candidates: bool,
}

/// Examines states.
pub(crate) struct StateWorker {
    wanted: Wanted,
    finder: GridFinder,
    solver: Solver,
    /// The states of the chunk's puzzles, in order, and the number of them whose rows are written.
    states: Vec<Result<State, NoGrid>>,
    written: usize,
    /// The cells of each state, followed by the same cells with any missing clues filled in.
    cells: Vec<u8>,
    detail: String,
    counts: StateCounts,
}

/// A state of a puzzle.
struct State {
    size: Size,
    /// The start of its cells.
    start: usize,
    facts: StateFacts,
}

/// The result of searching for a solution.
enum AnySolution {
    Found(Vec<u8>),
    None,
    Unknown,
}

impl State {
    /// Its cells.
    fn cells<'a>(&self, cells: &'a [u8]) -> &'a [u8] {
        &cells[self.start..][..self.size.cells()]
    }

    /// Its cells, with any missing clues filled in.
    fn completed<'a>(&self, cells: &'a [u8]) -> &'a [u8] {
        &cells[self.start + self.size.cells()..][..self.size.cells()]
    }
}

impl StateWorker {
    /// A worker with a solver for its own questions.
    pub(super) fn new(wanted: Wanted, solver: Solver) -> StateWorker {
        StateWorker {
            wanted,
            finder: GridFinder::default(),
            solver,
            states: vec![],
            written: 0,
            cells: vec![],
            detail: String::new(),
            counts: StateCounts::default(),
        }
    }

    /// Examines a state (the puzzle if there is no text), and counts its solutions if that needs no search.
    fn look(&mut self, alphabet: Alphabet, puzzle: &Answer<'_>, text: Option<&[u8]>) -> Result<State, NoGrid> {
        let (size, start) = (alphabet.size(), self.cells.len());
        let cells = match text {
            Some(text) => self.finder.find(alphabet, puzzle.puzzle, text)?.cells,
            None => puzzle.puzzle,
        };
        self.cells.extend_from_slice(cells);
        let completed = cells.iter().zip(puzzle.puzzle).map(|(&value, &clue)| if value == 0 { clue } else { value });
        self.cells.extend(completed);

        let assessment = Assessment::of(size, puzzle.puzzle, cells);
        let right = (puzzle.known_solutions() == Some(1)).then(|| agreeing_blanks(puzzle.puzzle, cells, puzzle.grids));
        let mut state = State { size, start, facts: StateFacts { assessment, ..StateFacts::default() } };
        let completed = state.completed(&self.cells);
        let facts = &mut state.facts;
        facts.wrong = right.map(|right| assessment.filled - right);
        facts.solutions = match puzzle.known_solutions() {
            _ if assessment.conflicts > 0 || !rules::keeps_clues(puzzle.puzzle, completed) => Some(0),
            Some(0) => Some(0),
            Some(1) => Some(u64::from(facts.wrong == Some(0))),
            solutions if assessment.filled == 0 => solutions,
            _ => None,
        };
        if self.wanted.candidates && puzzle.known_solutions() == Some(1) && facts.solutions == Some(1) {
            facts.candidates = Some(puzzle.grids.iter().map(|&digit| set_of(digit)).collect());
        }
        facts.forced = self.wanted.forced.then(|| singles(size, &open_digits(size, completed)));
        Ok(state)
    }

    /// Counts the solutions of the states at these indices.
    fn count_solutions(&mut self, open: &[usize]) -> Result<(), InterruptedError> {
        let StateWorker { solver, states, cells, .. } = self;
        solver.clear();
        let mut asked = vec![];
        for &index in open {
            if let Ok(state) = &states[index] {
                asked.push((index, state.size, solver.push(state.size, state.completed(cells))));
            }
        }
        solver.solve(Question::Count(Limit::UNIQUE))?;

        for (index, size, question) in asked {
            if let Ok(state) = &mut states[index] {
                state.facts.solutions = solver.answer(size, question).known_solutions();
            }
        }
        Ok(())
    }

    /// Finds the true candidates of states that have solutions, unless the only solution is known.
    fn find_candidates(&mut self) -> Result<(), InterruptedError> {
        let StateWorker { solver, states, cells, .. } = self;
        let mut states: Vec<&mut State> = states.iter_mut().flatten().collect();
        let has_solutions = |facts: &StateFacts| facts.solutions.is_some_and(|solutions| solutions > 0);
        states.retain(|state| state.facts.candidates.is_none() && has_solutions(&state.facts));
        let search = |state: &&mut State| CandidateSearch::new(state.size, state.completed(cells));
        let mut searches: Vec<_> = states.iter().map(search).collect();
        find_candidates(&mut searches, solver)?;

        for (state, search) in states.into_iter().zip(searches) {
            state.facts.candidates = search.found();
        }
        Ok(())
    }

    /// The status of some moves, and the number of the first wrong one, from 1; 0 if there is no solution before it.
    fn follow(
        &mut self,
        puzzle: &Answer<'_>,
        state: &State,
        moves: &[Move],
    ) -> Result<(MovesStatus, Option<u64>), InterruptedError> {
        let mut grid = state.completed(&self.cells).to_vec();
        let mut solution = match self.any_solution(state.size, puzzle, &grid)? {
            AnySolution::Found(solution) => solution,
            AnySolution::None => return Ok((MovesStatus::Wrong, Some(0))),
            AnySolution::Unknown => return Ok((MovesStatus::Undecided, None)),
        };

        for (number, &Move { cell, value }) in (1..).zip(moves) {
            // A removed clue still counts.
            grid[cell] = if value == 0 { puzzle.puzzle[cell] } else { value };
            // As long as one solution agrees with all moves, no search is needed.
            if value == 0 || solution[cell] == value {
                continue;
            }
            match self.any_solution(state.size, puzzle, &grid)? {
                AnySolution::Found(found) => solution = found,
                AnySolution::None => return Ok((MovesStatus::Wrong, Some(number))),
                AnySolution::Unknown => return Ok((MovesStatus::Undecided, None)),
            }
        }
        Ok((MovesStatus::Right, None))
    }

    /// A solution of a puzzle that agrees with all cells of a grid.
    fn any_solution(&mut self, size: Size, puzzle: &Answer<'_>, grid: &[u8]) -> Result<AnySolution, InterruptedError> {
        if puzzle.known_solutions() == Some(1) {
            let agrees = rules::keeps_clues(grid, puzzle.grids);
            return Ok(if agrees { AnySolution::Found(puzzle.grids.to_vec()) } else { AnySolution::None });
        }
        if !rules::keeps_clues(puzzle.puzzle, grid) {
            return Ok(AnySolution::None);
        }
        self.solver.clear();
        let question = self.solver.push(size, grid);
        self.solver.solve(Question::Any)?;
        let answer = self.solver.answer(size, question);
        Ok(match answer.known_solutions() {
            None => AnySolution::Unknown,
            Some(0) => AnySolution::None,
            Some(_) => AnySolution::Found(answer.grids.to_vec()),
        })
    }

    /// The status of the moves of a state, and the number of the first wrong one. If the moves could not be checked,
    /// `detail` gets the reason.
    fn check_moves(
        &mut self,
        moves: &[u8],
        puzzle: &Answer<'_>,
        state: &State,
        alphabet: Alphabet,
    ) -> Result<(MovesStatus, Option<u64>), InterruptedError> {
        let text = String::from_utf8_lossy(moves);
        // All moves are read before any is judged.
        let moves = match moves::parse(&text, alphabet, self.wanted.moves_from.unwrap_or(1)) {
            Ok(moves) => moves,
            Err(error) => return Ok(self.unreadable(error)),
        };
        let found = self.follow(puzzle, state, &moves)?;
        if found.0 == MovesStatus::Undecided {
            self.detail.push_str("a search for the first wrong move gave up");
        }

        // Programs count from 0. If that makes several moves right, they are not called wrong: by chance, a digit is right
        // in one of nine cells, and three digits in one of 729.
        if found.0 == MovesStatus::Wrong
            && self.wanted.moves_from.is_none()
            && moves.len() >= 3
            && let Ok(moves) = moves::parse(&text, alphabet, 0)
            && self.follow(puzzle, state, &moves)?.0 == MovesStatus::Right
        {
            return Ok(self.unreadable(MovesError::MayCountFromZero));
        }
        Ok(found)
    }

    fn unreadable(&mut self, error: MovesError) -> (MovesStatus, Option<u64>) {
        let gap = if self.detail.is_empty() { "" } else { "; " };
        let _ = write!(self.detail, "{gap}{error}");
        (MovesStatus::Unreadable, None)
    }

    /// Writes the reason why a state has no solution, if there is one.
    fn explain(&mut self, puzzle: &Answer<'_>, state: &State, alphabet: &Alphabet) {
        let completed = state.completed(&self.cells);
        let changed = puzzle.puzzle.iter().zip(completed).position(|(&clue, &value)| clue != 0 && clue != value);
        if let Some(cell) = changed {
            let _ = write!(self.detail, "the clue in {} is changed", Geometry::of(state.size).name(cell));
        } else if let Some(conflict) = rules::conflict(state.size, completed) {
            ConflictMessage(conflict, alphabet).push_to(&mut self.detail);
        }
    }
}

impl RecordWorker for StateWorker {
    type Note = ();
    type Counts = StateCounts;

    fn needs_fields(&self) -> bool {
        self.wanted.moves.is_some()
    }

    /// Examines all states of the chunk.
    fn start(&mut self, chunk: SolvedChunk<'_>) -> ControlFlow<()> {
        self.states.clear();
        self.cells.clear();
        self.written = 0;

        let (solver, mut open) = (chunk.solver, vec![]);
        chunk.each_answer(|record, alphabets, text| {
            let ParsedRecord::Puzzle(shape, index) = *record else { return };
            let text = text.map(GivenAnswer::text);
            let state = self.look(alphabets[shape.size.index()], &solver.answer(shape.size, index), text);
            if state.as_ref().is_ok_and(|state| state.facts.solutions.is_none()) {
                open.push(self.states.len());
            }
            self.states.push(state);
        });

        let counted = if open.is_empty() { Ok(()) } else { self.count_solutions(&open) };
        let found = counted.and_then(|()| if self.wanted.candidates { self.find_candidates() } else { Ok(()) });
        if found.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    #[inline]
    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ()>) -> ControlFlow<()> {
        self.detail.clear();
        let mut row = StateRow {
            file: &record.input.name,
            line: record.line,
            subject: record.subject,
            status: Status::Malformed,
            alphabet: &Alphabet::OF_NINE,
            state: None,
            moves: None,
            first_wrong: None,
            detail: "",
        };
        let puzzle = match record.puzzle {
            Ok(puzzle) => puzzle,
            Err(reason) => {
                let _ = write!(self.detail, "{reason}");
                self.counts.add(row.status);
                emit.row(&StateRow { detail: &self.detail, ..row });
                return ControlFlow::Continue(());
            }
        };

        row.alphabet = puzzle.alphabet;
        let state = mem::replace(&mut self.states[self.written], Err(NoGrid::Nowhere));
        let answer = puzzle.answer();
        self.written += 1;
        if let Ok(state) = &state {
            row.status = Status::from_known(state.facts.solutions);
            if row.status == Status::None {
                self.explain(&answer, state, puzzle.alphabet);
            }
            if let Some(column) = self.wanted.moves {
                let moves = record.fields.get(column).unwrap_or_default();
                match self.check_moves(moves, &answer, state, *puzzle.alphabet) {
                    Ok((status, first_wrong)) => (row.moves, row.first_wrong) = (Some(status), first_wrong),
                    Err(InterruptedError) => return ControlFlow::Break(()),
                }
            }
        }
        if let Err(reason) = &state {
            let _ = write!(self.detail, "{reason}");
        }
        self.counts.add(row.status);
        let state = state.as_ref().ok().map(|state| (state.cells(&self.cells), &state.facts));
        emit.row(&StateRow { state, detail: &self.detail, ..row });
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut StateCounts {
        &mut self.counts
    }
}
