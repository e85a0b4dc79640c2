//! Checks each record by itself, and writes its row without the verdict.
//!
//! A [`ValidateWorker`] solves puzzles, scores their answers, tries to remove every clue, finds the class, and looks
//! into the other corpus. It leaves a [`Note`] for each record, by which [`ValidateState`](super::ValidateState)
//! completes the row.

use std::sync::Arc;

use crate::canon::Canonicaliser;
use crate::corpus::ChunkInput;
use crate::engine::Limit;
use crate::engine::solver::{Answer, Question, Solver};
use crate::format::Alphabet;
use crate::jobs::canon::CanonicalForm;
use crate::jobs::key::Key;
use crate::jobs::records::{ChunkParser, ConflictMessage, GaveUpMessage, InputParsers, ParsedRecord};
use crate::jobs::tally::{InputTally, Tallied};
use crate::pipeline::{Chunk, Work};
use crate::puzzle::rules;
use crate::puzzle::{Geometry, Puzzles};
use crate::rating::{Difficulty, Rater, RatingGoal, RatingOptions};
use crate::rows::{RowFields, Status, Subject};

use super::answer::{self, AnswerScore};
use super::columns::{self, PuzzleColumns};
use super::duplicate_index::Repeats;
use super::finding::Finding;
use super::minimality::{ClueTrial, Minimality};
use super::note::{Note, PuzzleNote};
use super::reference_index::{Keys, ReferenceIndex};

/// The optional checks of each record by itself.
#[derive(Clone, Default)]
pub(super) struct Checks {
    /// Whether to look for a redundant clue.
    pub(super) minimal: bool,
    /// Whether to compare ratings with the first column that is kept.
    pub(super) ratings: bool,
    /// Whether rows have classes. To find them takes longer than to solve.
    pub(super) classes: bool,
    /// The repetitions to look for later, by the keys of the puzzles.
    pub(super) repeats: Repeats,
    /// The other corpus, to look for leaks into it.
    pub(super) against: Option<Arc<ReferenceIndex>>,
}

impl Checks {
    /// The key of a puzzle, if it is to be looked up.
    pub(super) fn key(&self, cells: &[u8]) -> Option<Key> {
        (self.repeats.duplicates || self.against.is_some()).then(|| Key::of_cells(cells))
    }
}

/// What a worker writes of a row.
#[derive(Debug)]
pub(super) enum RowStyle {
    /// CSV without the verdict, which begins with these fields.
    Csv(Box<RowFields>),
    /// Only the puzzle: the columns are built later.
    #[cfg(feature = "arrow")]
    Puzzle,
}

/// Turns chunks of records into incomplete rows and notes. Each thread has its own.
pub(super) struct ValidateWorker {
    checks: Checks,
    records: ChunkParser,
    solver: Solver,
    trial: ClueTrial,
    canonicaliser: Canonicaliser,
    rater: Rater,
    style: RowStyle,
    /// The answer beside a puzzle.
    given: Puzzles,
}

impl ValidateWorker {
    /// A worker that solves with solvers that `solver` makes.
    pub(super) fn new(checks: Checks, solver: impl Fn() -> Solver, style: RowStyle) -> ValidateWorker {
        ValidateWorker {
            checks,
            records: ChunkParser::default(),
            solver: solver(),
            trial: ClueTrial::new(solver()),
            canonicaliser: Canonicaliser::new(),
            rater: Rater::with_options(RatingOptions { goal: RatingGoal::Counts, max_er: None }),
            style,
            given: Puzzles::new(),
        }
    }
}

impl RowStyle {
    /// Writes the start of a row; returns where it ends in the output.
    fn start(&self, file: &str, line: u64, subject: Subject<'_>, output: &mut Vec<u8>) -> usize {
        match self {
            RowStyle::Csv(fields) => {
                let mut row = fields.row(output);
                row.start(file, line, subject);
                row.end();
            }
            #[cfg(feature = "arrow")]
            RowStyle::Puzzle => subject.write(output),
        }
        output.len()
    }

    /// Writes the last columns of a row.
    fn end(&self, note: &Note, output: &mut Vec<u8>) {
        match self {
            RowStyle::Csv(fields) => {
                let mut row = fields.row(output);
                columns::push_puzzle(note.puzzle.as_ref().map(|puzzle| &puzzle.columns), &mut row);
                row.end();
            }
            #[cfg(feature = "arrow")]
            RowStyle::Puzzle => {}
        }
    }
}

impl Tallied for ValidateWorker {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl Work<ChunkInput, Note> for ValidateWorker {
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, Note>) {
        self.records.parse(chunk, &mut self.solver);
        if self.solver.solve(Question::Count(Limit::UNIQUE)).is_err() {
            return;
        }
        let ValidateWorker { checks, records, solver, trial, canonicaliser, rater, style, given } = self;
        let Some((reading, entries)) = records.parts() else { return };
        let minimality = if checks.minimal { trial.minimality(entries, solver) } else { Ok(&[][..]) };
        let Ok(minimality) = minimality else { return };
        let mut output = std::mem::take(&mut chunk.output);
        let mut notes = std::mem::take(&mut chunk.notes);
        for (number, ((line, text), entry)) in chunk.texts().zip(entries).enumerate() {
            let mut note = Note::default();
            match *entry {
                ParsedRecord::Malformed(reason) => {
                    let subject = Subject::Text(reading.parser.puzzle_text(text));
                    note.verdict_at = style.start(&reading.input.name, line, subject, &mut output);
                    note.add(Finding::Malformed, reason);
                }
                ParsedRecord::Puzzle(shape, index) => {
                    let answer = solver.answer(shape.order, index);
                    let alphabet = reading.alphabets[shape.order.index()];
                    let subject = Subject::Puzzle { cells: answer.puzzle, alphabet: &alphabet, blank: shape.blank };
                    note.verdict_at = style.start(&reading.input.name, line, subject, &mut output);

                    check_solutions(&answer, &alphabet, &mut note);
                    let score = check_answer(reading, text, &answer, alphabet, given, &mut note);
                    if checks.ratings {
                        check_rating(reading, text, &answer, rater, &mut note);
                    }
                    let key = checks.key(answer.puzzle);
                    let form = checks.classes.then(|| CanonicalForm::find(&answer, canonicaliser));
                    if let Some(CanonicalForm::OutOfBound(out_of_bound)) = &form {
                        note.explain(format_args!("no class: {out_of_bound}"));
                    }
                    let class = form.as_ref().and_then(CanonicalForm::class).map(Key::from);
                    if let (Some(against), Some(puzzle), Some(form)) = (&checks.against, key, &form)
                        && let Some((finding, words)) =
                            against.find(&Keys { puzzle, class, solution: Keys::of_solution(form) })
                    {
                        note.add(finding, words);
                    }
                    let minimality = minimality.get(number).filter(|_| answer.known_solutions() == Some(1));
                    let geometry = Geometry::of(shape.order);
                    match minimality {
                        Some(&Minimality::Redundant(cell)) => {
                            note.add(Finding::NotMinimal, format_args!("{} is redundant", geometry.name(cell)));
                        }
                        Some(&Minimality::Undecided { cell, gave_up_after }) => {
                            let message = GaveUpMessage { max_branches: gave_up_after, found: 0 };
                            let words = format_args!("without {}: {message}", geometry.name(cell));
                            note.add(Finding::Undecided, words);
                        }
                        Some(Minimality::Minimal) | None => {}
                    }
                    note.puzzle = Some(PuzzleNote {
                        key,
                        order: shape.order,
                        lacks_class: checks.classes && class.is_none(),
                        columns: PuzzleColumns {
                            clues: shape.clues.into(),
                            solutions: answer.known_solutions(),
                            answer: score,
                            class,
                        },
                        is_minimal: minimality.and_then(|minimality| minimality.is_minimal()),
                    });
                }
            }
            style.end(&note, &mut output);
            notes.push(note);
        }
        chunk.output = output;
        chunk.notes = notes;
    }
}

fn check_solutions(answer: &Answer<'_>, alphabet: &Alphabet, note: &mut Note) {
    if let Some(max_branches) = answer.gave_up_after {
        note.add(Finding::Undecided, GaveUpMessage { max_branches, found: answer.solutions });
        return;
    }
    match Status::from_solutions(answer.solutions) {
        Status::Multiple => note.findings.insert(Finding::Multiple),
        Status::None => match rules::conflict(alphabet.order(), answer.puzzle) {
            Some(conflict) => note.add(Finding::Conflict, ConflictMessage(conflict, alphabet)),
            None => note.findings.insert(Finding::None),
        },
        Status::Unique | Status::Undecided | Status::Malformed => {}
    }
}

/// Scores the answer in the record, if the input has a column for it.
fn check_answer(
    reading: &mut InputParsers,
    record: &[u8],
    answer: &Answer<'_>,
    alphabet: Alphabet,
    puzzles: &mut Puzzles,
    note: &mut Note,
) -> Option<AnswerScore> {
    puzzles.clear();
    let given = reading.answers.as_mut()?.parse(record, puzzles);
    let cells = given.map_or(&[][..], |given| puzzles.last(given.order));
    let (score, words) = answer::score(answer, alphabet, given, cells)?;
    if let Some(finding) = score.finding() {
        note.add(finding, words);
    }
    Some(score)
}

/// Compares the rating in the record, the first field that is kept, with ours.
fn check_rating(reading: &mut InputParsers, record: &[u8], answer: &Answer<'_>, rater: &mut Rater, note: &mut Note) {
    let Some(given) = reading.pass_through.fields(record).next().filter(|given| !given.is_empty()) else { return };
    let puzzle = answer.puzzle.try_into().ok().filter(|_| answer.known_solutions() == Some(1));
    let Some(puzzle) = puzzle else { return };
    match String::from_utf8_lossy(given).parse::<Difficulty>() {
        Err(error) => note.add(Finding::WrongRating, error),
        Ok(given) => {
            let er = rater.rate(puzzle, |_, _| ()).er;
            if given != er {
                note.add(Finding::WrongRating, format_args!("its rating is {given}, but its ER {er}"));
            }
        }
    }
}
