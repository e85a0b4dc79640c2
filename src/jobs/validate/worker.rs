//! Checks each record by itself, and writes its row without the verdict.
//!
//! A [`ValidateWorker`] solves puzzles, scores their answers, tries to remove every clue, finds the class, and looks
//! into the other corpus. It leaves a [`Note`] for each record, by which [`ValidateState`](super::state::ValidateState)
//! completes the row.

use std::sync::Arc;

use crate::canon::{CanonicalForm, Canonicaliser, Key};
use crate::corpus::ChunkInput;
use crate::engine::Limit;
use crate::engine::solver::{Answer, Question, Solver};
use crate::format::{Alphabet, Parser};
use crate::jobs::records::{ChunkParser, ConflictMessage, GaveUpMessage, InputParsers, ParsedRecord};
use crate::jobs::tally::{InputTally, Tallied};
use crate::pipeline::{Chunk, Work};
use crate::puzzle::rules;
use crate::puzzle::{Geometry, Order, Puzzles};
use crate::rating::{Difficulty, Rater, RatingGoal, RatingOptions};
use crate::rows::{RowFields, Status, Subject};

use super::answer::{self, AnswerScore};
use super::columns::{Table, row_fields};
use super::csv_row::RowRecord;
use super::duplicate_index::Repeats;
use super::finding::Finding;
use super::minimality::{ClueTrial, Minimality};
use super::note::{Note, PuzzleColumns, PuzzleNote};
use super::reference_index::{Keys, ReferenceIndex};

/// The optional checks of each record by itself.
#[derive(Clone, Default)]
pub(super) struct Checks {
    /// Whether to look for a redundant clue.
    pub(super) minimal: bool,
    /// The column with ratings to compare, by its index among those that the corpus keeps.
    pub(super) ratings: Option<usize>,
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
    /// CSV without the verdict.
    Csv {
        /// Writes the fields.
        fields: Box<RowFields>,
        /// The columns.
        table: Table,
    },
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
    /// CSV with these columns.
    pub(super) fn csv(table: &Table) -> RowStyle {
        RowStyle::Csv { fields: Box::new(row_fields()), table: table.clone() }
    }

    /// Whether rows have the fields that are carried over from the input of a chunk.
    #[cfg_attr(
        not(feature = "arrow"),
        expect(unused_variables, reason = "only typed columns are carried over as they are")
    )]
    fn needs_kept<N>(&self, chunk: &Chunk<ChunkInput, N>) -> bool {
        match self {
            RowStyle::Csv { table, .. } => !table.kept.is_empty(),
            #[cfg(feature = "arrow")]
            RowStyle::Puzzle => chunk.input.as_ref().is_none_or(|input| input.kept.is_none()),
        }
    }

    /// Writes what there is of a row.
    fn row(&self, record: &RowRecord<'_>, note: &mut Note, output: &mut Vec<u8>) {
        match self {
            RowStyle::Csv { fields, table } => table.push_row(fields, record, note, output),
            #[cfg(feature = "arrow")]
            RowStyle::Puzzle => {
                record.subject.write(output);
                note.row_end = output.len();
                note.kept = record.kept.to_vec();
            }
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
        let needs_kept = style.needs_kept(chunk);
        let mut kept: Vec<Vec<u8>> = vec![];
        let mut output = std::mem::take(&mut chunk.output);
        let mut notes = std::mem::take(&mut chunk.notes);
        for (number, ((line, text), entry)) in chunk.texts().zip(entries).enumerate() {
            let InputParsers { input, parser, answers, pass_through, alphabets } = &mut *reading;
            let file = &*input.name;
            if needs_kept || checks.ratings.is_some() {
                kept.clear();
                kept.extend(pass_through.fields(text).map(<[u8]>::to_vec));
            }
            let kept_in_row = if needs_kept { &*kept } else { &[] };
            let mut note = Note::default();
            match *entry {
                ParsedRecord::Malformed(reason) => {
                    note.add(Finding::Malformed, reason);
                    let subject = Subject::Text(parser.puzzle_text(text));
                    style.row(&RowRecord { file, line, subject, kept: kept_in_row }, &mut note, &mut output);
                }
                ParsedRecord::Puzzle(shape, index) => {
                    let answer = solver.answer(shape.order, index);
                    let alphabet = &alphabets[shape.order.index()];

                    check_solutions(&answer, alphabet, &mut note);
                    let score = check_answer(answers.as_deref_mut(), text, &answer, *alphabet, given, &mut note);
                    if let Some(column) = checks.ratings {
                        check_rating(&kept[column], &answer, rater, &mut note);
                    }
                    let key = checks.key(answer.puzzle);
                    let form = checks.classes.then(|| {
                        CanonicalForm::find(answer.puzzle, answer.known_solutions(), answer.grids, canonicaliser)
                    });
                    if let Some(CanonicalForm::OutOfBound(out_of_bound)) = &form {
                        note.explain(format_args!("no class: {out_of_bound}"));
                    }
                    let class = form.as_ref().and_then(CanonicalForm::class).map(Key::from);
                    if let (Some(against), Some(puzzle), Some(form)) = (&checks.against, key, &form)
                        && let Some((finding, words)) =
                            against.find(&Keys { puzzle, class, solution: form.solution_class().map(Key::from) })
                    {
                        note.add(finding, words);
                    }
                    let minimality = minimality.get(number).filter(|_| answer.known_solutions() == Some(1));
                    if let Some(minimality) = minimality {
                        explain_minimality(minimality, shape.order, &mut note);
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
                    let subject = Subject::Puzzle { cells: answer.puzzle, alphabet, blank: shape.blank };
                    style.row(&RowRecord { file, line, subject, kept: kept_in_row }, &mut note, &mut output);
                }
            }
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

fn explain_minimality(minimality: &Minimality, order: Order, note: &mut Note) {
    let geometry = Geometry::of(order);
    match *minimality {
        Minimality::Minimal => {}
        Minimality::Redundant(cell) => {
            note.add(Finding::NotMinimal, format_args!("{} is redundant", geometry.name(cell)));
        }
        Minimality::Undecided { cell, gave_up_after } => {
            let message = GaveUpMessage { max_branches: gave_up_after, found: 0 };
            note.add(Finding::Undecided, format_args!("without {}: {message}", geometry.name(cell)));
        }
    }
}

/// Scores the answer in the record, if the input has a column for it.
fn check_answer(
    answers: Option<&mut (dyn Parser + 'static)>,
    record: &[u8],
    answer: &Answer<'_>,
    alphabet: Alphabet,
    puzzles: &mut Puzzles,
    note: &mut Note,
) -> Option<AnswerScore> {
    puzzles.clear();
    let given = answers?.parse(record, puzzles);
    let cells = given.map_or(&[][..], |given| puzzles.last(given.order));
    let (score, words) = answer::score(answer, alphabet, given, cells)?;
    if let Some(finding) = score.finding() {
        note.add(finding, words);
    }
    Some(score)
}

/// Compares a rating with ours.
fn check_rating(given: &[u8], answer: &Answer<'_>, rater: &mut Rater, note: &mut Note) {
    let puzzle = answer.puzzle.try_into().ok().filter(|_| answer.known_solutions() == Some(1) && !given.is_empty());
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
