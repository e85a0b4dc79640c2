//! Finds the canonical forms of a corpus: the worker of `gridmill canon`.

use std::io::Write;

use crate::canon::{Canonical, Canonicaliser, Class, OutOfBoundError};
use crate::corpus::ChunkInput;
use crate::engine::Limit;
use crate::engine::solver::{Answer, Question, Solver};
use crate::format::Alphabet;
use crate::jobs::records::{ChunkParser, ParsedRecord};
use crate::jobs::tally::{InputTally, Tallied};
use crate::pipeline::{Chunk, Work};
use crate::puzzle::Grid;
use crate::rows::{RowFields, RowText, Subject};

/// The canonical form of a puzzle, or why there is none.
#[derive(Clone, Debug)]
pub(crate) enum CanonicalForm {
    /// The puzzle has one solution.
    Unique(Canonical),
    /// It has none or several: the form of the clues.
    Clues(Grid),
    /// It is not known how many solutions it has.
    Undecided,
    /// The form of the clues takes too much work.
    OutOfBound(OutOfBoundError),
    /// It is not 9x9.
    OtherSize,
}

impl CanonicalForm {
    /// Finds the form of a puzzle whose solutions were counted up to two at least.
    pub(crate) fn find(answer: &Answer<'_>, canonicaliser: &mut Canonicaliser) -> CanonicalForm {
        let Ok(puzzle) = answer.puzzle.try_into() else { return CanonicalForm::OtherSize };
        if answer.gave_up_after.is_some() {
            return CanonicalForm::Undecided;
        }
        if answer.solutions == 1 {
            let solution = answer.grids.try_into().expect("the solution of a unique puzzle is there");
            return CanonicalForm::Unique(canonicaliser.of_unique(puzzle, solution));
        }
        match canonicaliser.of_clues(puzzle, Canonicaliser::BOUND) {
            Ok(form) => CanonicalForm::Clues(form),
            Err(out_of_bound) => CanonicalForm::OutOfBound(out_of_bound),
        }
    }

    /// The form as a puzzle.
    pub(crate) fn puzzle(&self) -> Option<&Grid> {
        match self {
            CanonicalForm::Unique(canonical) => Some(&canonical.puzzle),
            CanonicalForm::Clues(form) => Some(form),
            CanonicalForm::Undecided | CanonicalForm::OutOfBound(_) | CanonicalForm::OtherSize => None,
        }
    }

    /// The form with its solution, if there is one.
    pub(super) fn unique(&self) -> Option<&Canonical> {
        if let CanonicalForm::Unique(canonical) = self { Some(canonical) } else { None }
    }

    /// The class of the puzzle.
    pub(crate) fn class(&self) -> Option<Class> {
        self.puzzle().map(Class::of)
    }
}

/// The number of records by kind of canonical form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CanonCounts {
    /// Puzzles with one solution.
    pub unique: u64,
    /// Puzzles with no solution or several, whose clues have a form.
    pub clues: u64,
    /// Puzzles whose search gave up: their form depends on whether they have one solution.
    pub undecided: u64,
    /// Puzzles whose form was not found within [`Canonicaliser::BOUND`].
    pub out_of_bound: u64,
    /// Puzzles that are not 9x9.
    pub other_sizes: u64,
    /// Malformed records.
    pub malformed: u64,
}

impl CanonCounts {
    /// Adds the counts of another worker.
    pub fn add(&mut self, other: CanonCounts) {
        self.unique += other.unique;
        self.clues += other.clues;
        self.undecided += other.undecided;
        self.out_of_bound += other.out_of_bound;
        self.other_sizes += other.other_sizes;
        self.malformed += other.malformed;
    }

    /// Counts a record; `None` is a malformed one.
    fn count(&mut self, form: Option<&CanonicalForm>) {
        *match form {
            Some(CanonicalForm::Unique(_)) => &mut self.unique,
            Some(CanonicalForm::Clues(_)) => &mut self.clues,
            Some(CanonicalForm::Undecided) => &mut self.undecided,
            Some(CanonicalForm::OutOfBound(_)) => &mut self.out_of_bound,
            Some(CanonicalForm::OtherSize) => &mut self.other_sizes,
            None => &mut self.malformed,
        } += 1;
    }
}

/// One row: all fields of one record.
pub(super) struct CanonRow<'a> {
    /// The name of the input.
    pub(super) file: &'a str,
    /// The line on which the record starts.
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    /// `None` for a malformed record.
    pub(super) form: Option<&'a CanonicalForm>,
}

/// Takes the rows of a worker.
pub(super) trait CanonSink: Send {
    /// What it leaves in a chunk beside the output.
    type Note: Send + 'static;

    /// Takes a row; appends it to `output` if it is text.
    fn row(&mut self, row: &CanonRow<'_>, output: &mut Vec<u8>);

    /// Ends the rows of a chunk.
    fn end(&mut self, chunk: &mut Chunk<ChunkInput, Self::Note>);
}

/// Rows of CSV, which begin with these fields, go to the output of their chunk.
impl CanonSink for RowFields {
    type Note = ();

    fn row(&mut self, row: &CanonRow<'_>, output: &mut Vec<u8>) {
        let mut text = RowFields::row(self, output);
        text.start(row.file, row.line, row.subject);
        push_columns(row.form, &mut text);
        text.end();
    }

    fn end(&mut self, _chunk: &mut Chunk<ChunkInput>) {}
}

/// Turns chunks of records into rows with canonical forms. Each thread has its own.
pub(super) struct CanonWorker<S> {
    records: ChunkParser,
    solver: Solver,
    canonicaliser: Canonicaliser,
    rows: S,
    counts: CanonCounts,
}

/// The columns after `file`, `line` and `puzzle`, in order.
pub(super) const COLUMNS: [&str; 4] = ["canonical", "canonical_solution", "class", "automorphisms"];

impl<S: CanonSink> CanonWorker<S> {
    /// A worker that solves with `solver` and passes rows on.
    pub(super) fn new(solver: Solver, rows: S) -> CanonWorker<S> {
        CanonWorker {
            records: ChunkParser::default(),
            solver,
            canonicaliser: Canonicaliser::new(),
            rows,
            counts: CanonCounts::default(),
        }
    }

    /// The counts of this worker.
    pub(super) fn counts(&self) -> CanonCounts {
        self.counts
    }
}

impl<S> Tallied for CanonWorker<S> {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl<S: CanonSink> Work<ChunkInput, S::Note> for CanonWorker<S> {
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, S::Note>) {
        self.records.parse(chunk, &mut self.solver);
        let solved = self.solver.solve(Question::Count(Limit::UNIQUE));
        let (Ok(()), Some((reading, entries))) = (solved, self.records.parts()) else { return };
        let mut output = std::mem::take(&mut chunk.output);
        for ((line, text), entry) in chunk.texts().zip(entries) {
            let (subject, form) = match *entry {
                ParsedRecord::Malformed(_) => (Subject::Text(reading.parser.puzzle_text(text)), None),
                ParsedRecord::Puzzle(shape, index) => {
                    let answer = self.solver.answer(shape.order, index);
                    let alphabet = &reading.alphabets[shape.order.index()];
                    let subject = Subject::Puzzle { cells: answer.puzzle, alphabet, blank: shape.blank };
                    (subject, Some(CanonicalForm::find(&answer, &mut self.canonicaliser)))
                }
            };
            let row = CanonRow { file: &reading.input.name, line, subject, form: form.as_ref() };
            self.rows.row(&row, &mut output);
            self.counts.count(form.as_ref());
        }
        chunk.output = output;
        self.rows.end(chunk);
    }
}

/// Appends [`COLUMNS`], with a comma before each, and the line end. What there is not stays empty.
fn push_columns(form: Option<&CanonicalForm>, row: &mut RowText<'_>) {
    let [_, nine, ..] = Alphabet::ALL;
    let unique = form.and_then(CanonicalForm::unique);
    row.push(b',');
    if let Some(puzzle) = form.and_then(CanonicalForm::puzzle) {
        row.symbols(&nine, puzzle, b'.');
    }
    row.push(b',');
    if let Some(canonical) = unique {
        row.symbols(&nine, &canonical.solution, b'.');
    }
    row.push(b',');
    if let Some(class) = form.and_then(CanonicalForm::class) {
        write!(row, "{class}").expect("memory takes any text");
    }
    row.push(b',');
    if let Some(canonical) = unique {
        row.number(canonical.automorphisms.into());
    }
    row.push(b'\n');
}
