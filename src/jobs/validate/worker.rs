//! What can be said of each record by itself: text -> batch -> verdicts -> findings -> rows.
//!
//! An [`ValidateWorker`] is a worker: it solves, judges answers, tries every clue, finds the class, looks into the other
//! corpus, and writes the row as if nothing came before. Its notes let the [`DuplicateIndex`](super::DuplicateIndex) correct that.

use std::fmt::Display;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

use crate::canon::Canonicaliser;
use crate::corpus::Input;
use crate::engine::solver::{Answer, Question, Solver};
use crate::engine::{Engine, Limit};
use crate::format::Alphabet;
use crate::jobs::canon::Form;
use crate::jobs::records::{ConflictMessage, Entry, Reading, Records};
use crate::pipeline::{Chunk, Work};
use crate::puzzle::rules;
use crate::puzzle::{Geometry, Order};
use crate::rows::{FileColumn, RowFields, RowText, Status, Subject};

use super::answer::{self, Score};
use super::finding::{Finding, Findings};
use super::minimality::ClueTrial;
use super::reference_index::{Keys, ReferenceIndex};

/// The columns behind those that say which record it is.
pub const COLUMNS: &str = "verdict,findings,detail,clues,solutions,answer,class";

/// What is asked of each record by itself, beside whether it has one solution.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Whether every clue is needed.
    pub minimal: bool,
    /// What of it is in another corpus.
    pub against: Option<Arc<ReferenceIndex>>,
}

/// What an inspector found out about one record.
#[derive(Debug, Default)]
pub struct Note {
    /// All findings but those that depend on the records before.
    pub(super) findings: Findings,
    /// The findings in words.
    pub(super) detail: String,
    /// Where the row's verdict, findings and detail stand in the chunk's output.
    pub(super) span: Range<usize>,
    /// `None` for what is no puzzle.
    pub(super) puzzle: Option<PuzzleNote>,
}

impl Note {
    /// What there is to note of a record that is no puzzle.
    pub(super) fn of_malformed() -> Note {
        Note { findings: Findings::from_iter([Finding::Malformed]), ..Note::default() }
    }
}

/// What an inspector found out about a puzzle.
#[derive(Debug)]
pub(super) struct PuzzleNote {
    pub(super) keys: Keys,
    pub(super) order: Order,
    pub(super) clues: usize,
    pub(super) status: Status,
    pub(super) answer: Option<Score>,
    /// Of a puzzle with one solution, if it was looked for.
    pub(super) minimality: Option<Minimality>,
}

/// Whether a puzzle needs every clue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Minimality {
    Minimal,
    NotMinimal,
}

/// Turns chunks of records into rows and notes.
pub struct ValidateWorker {
    checks: Checks,
    records: Records,
    solver: Solver,
    trial: ClueTrial,
    canonicaliser: Canonicaliser,
    fields: RowFields,
    /// The cells of an answer.
    cells: Vec<u8>,
}

impl ValidateWorker {
    /// A worker that solves with engines that `engine` makes.
    pub fn new(checks: Checks, engine: impl Fn() -> Box<dyn Engine>, file: FileColumn) -> ValidateWorker {
        ValidateWorker {
            checks,
            records: Records::default(),
            solver: Solver::new(engine()),
            trial: ClueTrial::new(engine()),
            canonicaliser: Canonicaliser::new(),
            fields: RowFields::new(file),
            cells: Vec::new(),
        }
    }
}

impl Work<Arc<Input>, Note> for ValidateWorker {
    fn work(&mut self, chunk: &mut Chunk<Arc<Input>, Note>) {
        self.records.read(chunk, &mut self.solver);
        self.solver.solve(Question::Count(Limit::UNIQUE));
        let ValidateWorker { checks, records, solver, trial, canonicaliser, fields, cells } = self;
        let Some((reading, entries)) = records.parts() else { return };
        let redundant = if checks.minimal { trial.first_redundant(entries, solver) } else { &[] };
        let mut output = std::mem::take(&mut chunk.output);
        let mut notes = std::mem::take(&mut chunk.notes);
        for (number, ((line, text), entry)) in chunk.texts().zip(entries).enumerate() {
            let (shape, index) = match *entry {
                Entry::Puzzle(shape, index) => (shape, index),
                Entry::Malformed(reason) => {
                    let note = Note::of_malformed();
                    let detail = reason.to_string();
                    let mut row = fields.row(&mut output);
                    row.start(&reading.input.name, line, Subject::Text(reading.parser.puzzle_text(text)));
                    let span = push_verdict(note.findings, &detail, &mut row);
                    row.append(b",,,,\n");
                    row.end();
                    notes.push(Note { detail, span, ..note });
                    continue;
                }
            };
            let answer = solver.answer(shape.order, index);
            let alphabet = reading.alphabets[shape.order.index()];
            let subject = Subject::Puzzle { cells: answer.puzzle, alphabet: &alphabet, blank: shape.blank };

            let (mut findings, mut detail) = (Findings::default(), String::new());
            count_solutions(&answer, &alphabet, &mut findings, &mut detail);
            let score = judge(reading, text, &answer, &alphabet, cells, &mut findings, &mut detail);
            let form = Form::of(&answer, canonicaliser);
            if let Form::OutOfBound(out_of_bound) = &form {
                say(&mut detail, format_args!("no class: {out_of_bound}"));
            }
            let keys = Keys::of(answer.puzzle, &form);
            if let Some((finding, words)) = checks.against.as_ref().and_then(|against| against.find(&keys)) {
                findings.insert(finding);
                say(&mut detail, words);
            }
            let status = Status::of(answer.solutions);
            let minimality = redundant.get(number).filter(|_| status == Status::Unique).map(|&redundant| {
                let Some(cell) = redundant else { return Minimality::Minimal };
                findings.insert(Finding::NotMinimal);
                say(&mut detail, format_args!("{} is redundant", Geometry::of(shape.order).name(cell)));
                Minimality::NotMinimal
            });

            let mut row = fields.row(&mut output);
            row.start(&reading.input.name, line, subject);
            let span = push_verdict(findings, &detail, &mut row);
            row.push(b',');
            row.number(shape.clues.into());
            row.push(b',');
            row.number(answer.solutions);
            row.push(b',');
            row.append(score.map_or("", Score::name).as_bytes());
            row.push(b',');
            if let Some(class) = keys.class {
                write!(row, "{class}").expect("memory takes any text");
            }
            row.push(b'\n');
            row.end();
            let puzzle =
                PuzzleNote { keys, order: shape.order, clues: shape.clues.into(), status, answer: score, minimality };
            notes.push(Note { findings, detail, span, puzzle: Some(puzzle) });
        }
        chunk.output = output;
        chunk.notes = notes;
    }
}

/// Appends another phrase to a detail.
pub(super) fn say(detail: &mut String, phrase: impl Display) {
    use std::fmt::Write;
    let gap = if detail.is_empty() { "" } else { "; " };
    write!(detail, "{gap}{phrase}").expect("a string takes any text");
}

/// Appends the three fields that may have to be written again, and says where they stand.
fn push_verdict(findings: Findings, detail: &str, row: &mut RowText<'_>) -> Range<usize> {
    row.push(b',');
    let start = row.output_len();
    write_verdict(findings, detail, row);
    start..row.output_len()
}

/// Appends the fields of the columns `verdict`, `findings` and `detail`.
pub(super) fn write_verdict(findings: Findings, detail: &str, row: &mut RowText<'_>) {
    row.append(findings.verdict().as_bytes());
    row.push(b',');
    write!(row, "{findings}").expect("memory takes any text");
    row.push(b',');
    row.quoted(detail.as_bytes());
}

fn count_solutions(answer: &Answer<'_>, alphabet: &Alphabet, findings: &mut Findings, detail: &mut String) {
    match Status::of(answer.solutions) {
        Status::Multiple => findings.insert(Finding::Multiple),
        Status::None => match rules::conflict(alphabet.order(), answer.puzzle) {
            Some(conflict) => {
                findings.insert(Finding::Conflict);
                say(detail, ConflictMessage(conflict, alphabet));
            }
            None => findings.insert(Finding::None),
        },
        Status::Unique | Status::Malformed => {}
    }
}

/// Judges the answer beside a puzzle, if the input has a column for it.
fn judge(
    reading: &mut Reading,
    record: &[u8],
    answer: &Answer<'_>,
    alphabet: &Alphabet,
    cells: &mut Vec<u8>,
    findings: &mut Findings,
    detail: &mut String,
) -> Option<Score> {
    let given = reading.answers.as_mut()?.parse(record, cells);
    let (score, words) = answer::judge(answer, *alphabet, given, cells)?;
    if let Some(finding) = score.finding() {
        findings.insert(finding);
        say(detail, words);
    }
    Some(score)
}
