//! Copies the puzzles of a chunk, and writes the rows of the copies. Each thread has its own workers.

use std::ops::{ControlFlow, Range};

use serde::{Deserialize, Serialize};

use super::AugmentOptions;
use super::copies::{Copies, mix};
use crate::corpus::RowRange;
use crate::engine::Limit;
use crate::engine::solver::Question;
use crate::format::Alphabet;
use crate::pipeline::Stop;
use crate::puzzle::{Isomorph, Puzzles, Size};
use crate::rows::{Kind, Row, Subject, column, row};
use crate::run::record_loop::{Emit, RecordWorker, SolvedPuzzle, SolvedRecord};
use crate::run::records::{AnswerWorth, InputParsers};
use crate::stats::{RunCounts, merge_fields};

/// The source of a puzzle's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// None: copies have no answer.
    Absent,
    /// The record.
    Given,
    /// The record, or the engine if the input has no answers.
    GivenOrFound,
}

/// Numbers of records and of copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AugmentCounts {
    /// The puzzles with copies.
    pub puzzles: u64,
    /// The copies, without the puzzles themselves.
    pub copies: u64,
    /// The puzzles with fewer copies than requested: these are all their isomorphs of the requested kinds.
    pub fewer: u64,
    /// The records that are not puzzles.
    pub malformed: u64,
    /// The puzzles whose answer is not a full grid of the same size, and the puzzles without an answer that do not have
    /// exactly one solution.
    pub unanswered: u64,
    /// The puzzles that were left out because their answer changes a clue or breaks a rule.
    pub wrong_answers: u64,
}

impl RunCounts for AugmentCounts {
    fn records(&self) -> u64 {
        self.puzzles + self.malformed + self.unanswered + self.wrong_answers
    }
}

merge_fields!(AugmentCounts: puzzles, copies, fewer, malformed, unanswered, wrong_answers);

/// Finds the copies of records.
pub(super) struct Copier {
    answers: Answers,
    /// Whether puzzles with wrong answers are copied.
    unchecked: bool,
    /// The number of copies of each puzzle.
    wanted: u64,
    copies: Copies,
    /// The key for deriving seeds from the numbers of records.
    key: u64,
    /// The answer that came with a puzzle.
    given: Puzzles,
    pub(super) counts: AugmentCounts,
}

/// A puzzle with its answer, and its copies in this chunk.
pub(super) struct CopiedRecord<'a> {
    pub(super) puzzle: SolvedPuzzle<'a>,
    /// `None` if answers are absent.
    pub(super) answer: Option<&'a [u8]>,
    /// Whether the first copy is among them.
    pub(super) is_first: bool,
    pub(super) copies: NextCopies<'a>,
}

/// The copies of a record in this chunk, one after another.
pub(super) struct NextCopies<'a> {
    copies: &'a mut Copies,
    numbers: Range<u64>,
    rows: &'a RowRange,
    counts: &'a mut AugmentCounts,
}

impl Copier {
    pub(super) fn new(job: &AugmentOptions, answers: Answers, stop: Stop) -> Copier {
        Copier {
            answers,
            unchecked: job.unchecked,
            wanted: job.copies as u64,
            copies: Copies::new(&job.kind, stop),
            key: mix(job.seed),
            given: Puzzles::new(),
            counts: AugmentCounts::default(),
        }
    }

    /// The question about the puzzles of an input.
    pub(super) fn question(&self, parsers: &InputParsers) -> Option<Question> {
        let solves = self.answers == Answers::GivenOrFound && parsers.answers.is_none();
        solves.then_some(Question::Count(Limit::UNIQUE))
    }

    /// The copies of a record; `None` if it is left out. Breaks if a stop is overdue.
    pub(super) fn copy<'a>(&'a mut self, record: SolvedRecord<'a>) -> ControlFlow<(), Option<CopiedRecord<'a>>> {
        let (number, rows) = (record.number, record.rows);
        let Copier { answers, unchecked, wanted, copies, key, given, counts } = self;

        // Count a record only with its first rows.
        let is_first = rows.is_first();
        let (puzzle, answer) = match puzzle_and_answer(record, *answers, *unchecked, given) {
            Ok(found) => found,
            Err(reason) => {
                rows.end();
                match reason {
                    LeftOut::Malformed => counts.malformed += u64::from(is_first),
                    LeftOut::Unanswered => counts.unanswered += u64::from(is_first),
                    LeftOut::WrongAnswer => counts.wrong_answers += u64::from(is_first),
                }
                return ControlFlow::Continue(None);
            }
        };
        counts.puzzles += u64::from(is_first);

        let mut numbers = rows.range.start.min(*wanted)..rows.range.end.min(*wanted);
        if copies.start(puzzle.shape.size, puzzle.cells(), *key ^ number, numbers.start)? < numbers.start {
            numbers.end = numbers.start;
        }
        ControlFlow::Continue(Some(CopiedRecord {
            puzzle,
            answer,
            is_first,
            copies: NextCopies { copies, numbers, rows, counts },
        }))
    }
}

impl NextCopies<'_> {
    /// Writes the next copy to `copy`, and returns its isomorphism. Breaks if a stop is overdue.
    pub(super) fn next(&mut self, copy: &mut [u8]) -> ControlFlow<(), Option<Isomorph>> {
        if self.numbers.next().is_none() {
            return ControlFlow::Continue(None);
        }
        let isomorph = self.copies.next(copy)?;
        if isomorph.is_some() {
            self.counts.copies += 1;
        } else {
            self.counts.fewer += 1;
            self.numbers.start = self.numbers.end;
            self.rows.end();
        }
        ControlFlow::Continue(isomorph)
    }
}

/// The reason why a record has no copies.
enum LeftOut {
    Malformed,
    Unanswered,
    WrongAnswer,
}

/// The puzzle of a record, and its answer unless answers are absent.
fn puzzle_and_answer<'a>(
    record: SolvedRecord<'a>,
    answers: Answers,
    unchecked: bool,
    given: &'a mut Puzzles,
) -> Result<(SolvedPuzzle<'a>, Option<&'a [u8]>), LeftOut> {
    let puzzle = record.puzzle.map_err(|_| LeftOut::Malformed)?;
    let size = puzzle.shape.size;
    let answer = match (answers, record.answer) {
        (Answers::Absent, _) => None,
        (Answers::Given, None) => return Err(LeftOut::Unanswered),
        (Answers::GivenOrFound, None) => {
            let found = puzzle.answer();
            let is_unique = found.known_solutions() == Some(1);
            Some(if is_unique { found.grids } else { return Err(LeftOut::Unanswered) })
        }
        (Answers::Given | Answers::GivenOrFound, Some(answer)) => match answer.judge(size, puzzle.cells(), given) {
            AnswerWorth::Missing | AnswerWorth::NoGrid => return Err(LeftOut::Unanswered),
            AnswerWorth::Wrong if !unchecked => return Err(LeftOut::WrongAnswer),
            AnswerWorth::Wrong | AnswerWorth::Solves => Some(given.last(size)),
        },
    };
    Ok((puzzle, answer))
}

/// Writes the rows of copies.
pub(crate) struct AugmentWorker {
    pub(super) copier: Copier,
    /// Whether the puzzle comes before its copies.
    pub(super) original: bool,
    /// Whether origins name the input.
    pub(super) names_inputs: bool,
}

impl RecordWorker for AugmentWorker {
    type Note = ();
    type Counts = AugmentCounts;

    fn question(&self, parsers: &InputParsers) -> Option<Question> {
        self.copier.question(parsers)
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ()>) -> ControlFlow<()> {
        let (file, line) = (&*record.input.name, record.line);
        let Some(copied) = self.copier.copy(record)? else { return ControlFlow::Continue(()) };
        let CopiedRecord { puzzle: SolvedPuzzle { shape, alphabet, .. }, answer: given, is_first, mut copies } = copied;
        let location = if self.names_inputs { format!("{file}:{line}") } else { String::new() };
        let origin = if self.names_inputs { CopyOrigin::Location(&location) } else { CopyOrigin::Line(line) };

        let (mut puzzle, mut answer) = ([0; Size::MAX_CELLS], [0; Size::MAX_CELLS]);
        let cells = shape.size.cells();
        let (puzzle, answer) = (&mut puzzle[..cells], &mut answer[..cells]);
        if self.original && is_first {
            let puzzle = copied.puzzle.cells();
            emit.row(&CopyRow { puzzle, answer: given, alphabet, blank: shape.blank, origin });
        }
        while let Some(isomorph) = copies.next(puzzle)? {
            let answer = given.map(|given| {
                isomorph.apply_into(given, answer);
                &*answer
            });
            emit.row(&CopyRow { puzzle, answer, alphabet, blank: shape.blank, origin });
        }
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut AugmentCounts {
        &mut self.copier.counts
    }
}

/// A copy of a puzzle with its answer.
pub(crate) struct CopyRow<'a> {
    pub(super) puzzle: &'a [u8],
    /// `None` if the input has no answers.
    pub(super) answer: Option<&'a [u8]>,
    pub(super) alphabet: &'a Alphabet,
    pub(super) blank: u8,
    pub(super) origin: CopyOrigin<'a>,
}

/// The origin of a copy.
#[derive(Clone, Copy)]
pub(super) enum CopyOrigin<'a> {
    /// The line of the only input.
    Line(u64),
    /// `NAME:LINE`.
    Location(&'a str),
}

impl Row for CopyRow<'_> {
    row! {
        |self, field| { let &CopyRow { puzzle, answer, alphabet, blank, origin } = self; }

        column!("puzzle", Kind::Text, "the copy in one line") =>
            field.subject(Subject::Puzzle { cells: puzzle, alphabet, blank });
        column!("solution", Kind::Text, "the copy of the answer, if the input has answers").nullable() =>
            field.symbols_if_known(alphabet, answer, blank);
        column!("origin", Kind::Number, "the line of the record, after the name of its input if there are several") =>
            match origin {
                CopyOrigin::Line(line) => field.number(line),
                CopyOrigin::Location(location) => field.text(location),
            };
    }
}
