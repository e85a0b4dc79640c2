//! Checks one record at a time, and writes its row.
//!
//! A [`ValidateWorker`] solves puzzles, scores their answers, tries to remove every clue, finds the class, and searches
//! the reference corpus. It leaves a [`Note`] on each record for the serial stage.

use std::ops::ControlFlow;

use super::answer::{self, AnswerScore};
use super::audit::{AuditCounts, AuditedPuzzle, GridForm, has_many_classes};
use super::finding::Finding;
use super::minimality::{ClueTrial, Minimality};
use super::note::{AuditNote, Note, PuzzleColumns, PuzzleNote, TextStart, ValidateRow};
use super::stage::{Checks, ValidateCounts};
use crate::canon::{CanonicalForm, Canonicaliser, Key};
use crate::engine::solver::{Answer, InterruptedError, Solver};
use crate::format::Alphabet;
use crate::lookup::{Keys, Leak, LeakKind};
use crate::pipeline::Stop;
use crate::puzzle::{Geometry, Puzzles, Size, rules};
use crate::rating::{Difficulty, Rater, Rating, RatingGoal, RatingOptions};
use crate::rows::Status;
use crate::run::record_loop::{Emit, RecordWorker, SolvedChunk, SolvedPuzzle, SolvedRecord};
use crate::run::records::{ConflictMessage, GaveUpMessage, GivenAnswer};

/// Checks records. Each thread has its own worker.
pub(crate) struct ValidateWorker {
    checks: Checks,
    trial: ClueTrial,
    canonicaliser: Canonicaliser,
    /// If ratings are asked for.
    rater: Option<Rater>,
    /// The answer that came with a puzzle.
    given: Puzzles,
    /// The counts for an audit that need one record at a time. The serial stage counts everything else.
    counts: ValidateCounts,
}

impl ValidateWorker {
    /// A worker that searches for redundant clues with a separate solver. `stop` interrupts ratings.
    pub(super) fn new(checks: Checks, solver: Solver, stop: Stop) -> ValidateWorker {
        let audit = checks.asked.audit.then(AuditCounts::default);
        let rater = || Rater::with_options(RatingOptions { goal: RatingGoal::Counts, max_er: None }).stop(stop);
        ValidateWorker {
            counts: ValidateCounts { audit, ..ValidateCounts::default() },
            trial: ClueTrial::new(solver),
            canonicaliser: Canonicaliser::new(),
            rater: (checks.asked.audit_ratings || checks.ratings.is_some()).then(rater),
            given: Puzzles::new(),
            checks,
        }
    }

    /// Checks a puzzle.
    fn check(
        &mut self,
        puzzle: &SolvedPuzzle<'_>,
        record: &mut SolvedRecord<'_>,
        note: &mut Note,
    ) -> Result<(), InterruptedError> {
        let ValidateWorker { checks, trial, canonicaliser, rater, given, counts } = self;
        let (answer, alphabet, shape) = (puzzle.answer(), puzzle.alphabet, puzzle.shape);

        check_solutions(&answer, alphabet, note);
        let CheckedAnswer { score, grid: stored } = check_answer(record.answer.take(), &answer, *alphabet, given, note);

        // A rating takes a hundred times as long as everything else, so it is made only if it is used.
        let rating = checks.ratings.map(|column| record.fields.get(column).unwrap_or_default().trim_ascii());
        let rating = rating.filter(|rating| !rating.is_empty());
        let rater = rater.as_mut().filter(|_| checks.asked.audit_ratings || rating.is_some());
        let rated = rater.map(|rater| rate(&answer, rater)).transpose()?.flatten();
        if let (Some(given), Some(rated)) = (rating, &rated) {
            check_rating(given, rated, note);
        }

        // Find the class.
        let key = checks.key(answer.puzzle);
        let find = || CanonicalForm::find(answer.puzzle, answer.known_solutions(), answer.grids, canonicaliser);
        let form = checks.asked.classes.then(find);
        if let Some(CanonicalForm::OutOfBound(error)) = &form {
            note.explain(format_args!("no class: {error}"));
        }
        let class = form.as_ref().and_then(CanonicalForm::class).map(Key::from);

        // With several solutions, any answer that is not bad is a solution, and its grid stands for it.
        let is_solution = stored && score.is_none() && matches!(answer.known_solutions(), Some(2..));
        let stored = stored.then(|| given.last(shape.size));
        let of_stored = stored.filter(|_| is_solution && checks.asked.classes);
        let of_stored = of_stored.map(|grid| CanonicalForm::find(grid, Some(1), grid, canonicaliser));

        // Look for a leak. A certificate compares puzzles of small sizes as they are: any two sets share their classes.
        if let (Some(against), Some(puzzle)) = (&checks.against, key) {
            let solution = of_stored.as_ref().or(form.as_ref()).and_then(CanonicalForm::solution_class).map(Key::from);
            let by_class = !checks.certifies || has_many_classes(shape.size);
            let [class, solution] = [class, solution].map(|key| key.filter(|_| by_class));
            if let Some(leak) = against.find(&Keys { puzzle, class, solution }) {
                add_leak(&leak, note);
            }
        }

        let minimality = trial.found(record.index).filter(|_| answer.known_solutions() == Some(1));
        if let Some(minimality) = minimality {
            explain_minimality(minimality, shape.size, note);
        }

        let mut puzzle = PuzzleNote {
            key,
            size: shape.size,
            lacks_class: checks.asked.classes && class.is_none(),
            columns: PuzzleColumns {
                clues: shape.clues.into(),
                solutions: answer.known_solutions(),
                answer: score,
                class,
            },
            is_minimal: minimality.and_then(Minimality::is_minimal),
            audit: None,
        };

        if let (Some(counts), Some(form)) = (&mut counts.audit, form) {
            let grid = count(counts, &puzzle, &answer, &form, stored, of_stored.as_ref());
            let er = rated.filter(|_| checks.asked.audit_ratings).map(|rating| rating.er);
            if let Some(er) = er {
                counts.add_rating(er);
            }
            puzzle.audit = Some(Box::new(AuditNote { grid, start: TextStart::of(answer.puzzle), er }));
        }
        note.puzzle = Some(puzzle);
        Ok(())
    }
}

impl RecordWorker for ValidateWorker {
    type Note = Note;
    type Counts = ValidateCounts;

    fn needs_fields(&self) -> bool {
        self.checks.ratings.is_some()
    }

    fn start(&mut self, chunk: SolvedChunk<'_>) -> ControlFlow<()> {
        let is_stopped = self.checks.asked.minimal && self.trial.find(chunk.records, chunk.solver).is_err();
        if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn record(&mut self, mut record: SolvedRecord<'_>, emit: &mut Emit<'_, Note>) -> ControlFlow<()> {
        let mut note = Note::default();
        match record.puzzle {
            Ok(puzzle) => {
                if self.check(&puzzle, &mut record, &mut note).is_err() {
                    return ControlFlow::Break(());
                }
            }
            Err(reason) => note.add(Finding::Malformed, reason),
        }
        let (file, line, subject) = (&*record.input.name, record.line, record.subject);
        emit.row(&ValidateRow { file, line, subject, note: &note });
        emit.note(note);
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut ValidateCounts {
        &mut self.counts
    }
}

/// Counts a puzzle for an audit, and returns the class of its solved grid. `form` is the form of the puzzle, `stored`
/// the full grid that is its answer, and `of_stored` the form of that grid, if it is one of several solutions.
fn count(
    counts: &mut AuditCounts,
    puzzle: &PuzzleNote,
    answer: &Answer<'_>,
    form: &CanonicalForm,
    stored: Option<&[u8]>,
    of_stored: Option<&CanonicalForm>,
) -> Option<Key> {
    let status = puzzle.columns.status();
    let grid = if status == Status::Unique { Some(answer.grids) } else { stored.filter(|_| of_stored.is_some()) };

    let form_of_grid = of_stored.unwrap_or(form);
    let canonical = form_of_grid.unique();
    counts.add(&AuditedPuzzle {
        size: puzzle.size,
        cells: answer.puzzle,
        status,
        has_answer: stored.is_some(),
        lacks_class: puzzle.lacks_class && !matches!(form, CanonicalForm::OtherSize),
        grid,
        form: canonical.map(|canonical| GridForm {
            automorphisms: canonical.automorphisms,
            of_puzzle: of_stored.is_none().then_some(canonical.puzzle_automorphisms),
        }),
    });
    form_of_grid.solution_class().map(Key::from)
}

/// Adds the finding that the reference corpus has a puzzle.
fn add_leak(leak: &Leak, note: &mut Note) {
    let what = match leak.kind {
        LeakKind::Exact => "same as",
        LeakKind::Isomorph => "isomorph of",
        LeakKind::Solution => "solution isomorphic to a grid of",
    };
    let finding = Finding::of_leak(leak.kind);
    match leak.line {
        Some(line) => note.add(finding, format_args!("leak: {what} {}:{line}", leak.file)),
        None => note.add(finding, format_args!("leak: {what} a puzzle of {}", leak.file)),
    }
}

fn check_solutions(answer: &Answer<'_>, alphabet: &Alphabet, note: &mut Note) {
    if let Some(max_branches) = answer.gave_up_after {
        note.add(Finding::Undecided, GaveUpMessage { max_branches, found: answer.solutions });
        return;
    }
    match Status::from_solutions(answer.solutions) {
        Status::Multiple => note.findings.insert(Finding::Multiple),
        Status::None => match rules::conflict(alphabet.size(), answer.puzzle) {
            Some(conflict) => note.add(Finding::Conflict, ConflictMessage(conflict, alphabet)),
            None => note.findings.insert(Finding::None),
        },
        Status::Unique | Status::Undecided | Status::Malformed => {}
    }
}

fn explain_minimality(minimality: Minimality, size: Size, note: &mut Note) {
    let geometry = Geometry::of(size);
    match minimality {
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

/// The properties of the answer in a record.
#[derive(Clone, Copy, Debug, Default)]
struct CheckedAnswer {
    score: Option<AnswerScore>,
    /// Whether it is a full grid of the puzzle's size: the last one of its size in `given`.
    grid: bool,
}

/// Scores the answer in the record, if the input has a column of answers.
fn check_answer(
    given: Option<GivenAnswer<'_>>,
    answer: &Answer<'_>,
    alphabet: Alphabet,
    puzzles: &mut Puzzles,
    note: &mut Note,
) -> CheckedAnswer {
    puzzles.clear();
    let Some(given) = given else { return CheckedAnswer::default() };
    let given = given.parse(puzzles);
    let cells = given.map_or(&[][..], |given| puzzles.last(given.size));
    let grid = given.is_ok_and(|given| given.size == alphabet.size()) && !cells.contains(&0);
    let Some((score, words)) = answer::score(answer, alphabet, given, cells) else {
        return CheckedAnswer { score: None, grid };
    };
    if let Some(finding) = score.finding() {
        note.add(finding, words);
    }
    CheckedAnswer { score: Some(score), grid }
}

/// The rating of a 9x9 puzzle with one solution.
fn rate(answer: &Answer<'_>, rater: &mut Rater) -> Result<Option<Rating>, InterruptedError> {
    let puzzle = answer.puzzle.try_into().ok().filter(|_| answer.known_solutions() == Some(1));
    let Some(puzzle) = puzzle else { return Ok(None) };
    Ok(Some(rater.rate(puzzle, |_, _| ()).unless_interrupted()?))
}

/// Compares a rating with ours: an ER, or `ER/EP/ED` in the notation of Sudoku Explainer, sometimes after `ED=`.
fn check_rating(given: &[u8], rating: &Rating, note: &mut Note) {
    let given = String::from_utf8_lossy(given);
    let numbers = given.trim_start_matches("ED=").replace(',', ".");
    let numbers: Result<Vec<Difficulty>, _> = numbers.split('/').map(|number| number.trim().parse()).collect();
    let ours = [("ER", rating.er), ("EP", rating.ep), ("ED", rating.ed)];
    match numbers {
        Ok(numbers) if numbers.len() == 1 || numbers.len() == ours.len() => {
            if let Some((given, (name, ours))) = numbers.iter().zip(ours).find(|(given, (_, ours))| *given != ours) {
                note.add(Finding::WrongRating, format_args!("its rating is {given}, but its {name} {ours}"));
            }
        }
        Ok(_) => note.add(Finding::UnreadableRating, format_args!("'{given}' is not a rating: write ER, or ER/EP/ED")),
        Err(error) => note.add(Finding::UnreadableRating, error),
    }
}
