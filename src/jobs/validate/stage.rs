//! The serial part of a validation: looks records up among earlier ones, and counts what was found.
//!
//! A verdict is known only here if repeats are looked for, since they depend on earlier records. The rows of an
//! interrupted run are counted here, too: findings that need no search are found again, and the row must name the same.
//! Redundant clues, leaked solutions and wrong ratings would take a search: these are taken from the row.

use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::answer::AnswerScore;
use super::audit::{AuditCounts, CorpusKeys, FileOrders};
use super::duplicate_index::{DuplicateIndex, RecordKeys, Repeats};
use super::finding::{Finding, Findings, RecordVerdict};
use super::note::{AuditNote, Note, PuzzleColumns, PuzzleNote, ValidateRow};
use super::outputs::RecordOutputs;
use super::score::CorpusScore;
use crate::canon::Key;
use crate::corpus::RecordView;
use crate::format::ParsedPuzzle;
use crate::lookup::NamedClassSet;
use crate::lookup::{Keys, ReferenceIndex};
use crate::pipeline::End;
use crate::puzzle::rules;
use crate::resume::RowError;
use crate::rows::{ReadRow, Row, Status, number_of};
use crate::run::job::{ReplayedRecord, RunCounts, SerialStage};
use crate::run::replay::RecordReader;
use crate::run::{Execution, JobError};

/// Everything that is carried from one record of a corpus to the next.
pub(crate) struct ValidateStage {
    pub(super) checks: Checks,
    pub(super) index: DuplicateIndex,
    /// `Some` in an audit.
    pub(super) orders: Option<FileOrders>,
    pub(super) counts: ValidateCounts,
    pub(super) examples: Examples,
    /// The outputs for records; `None` when they are complete.
    pub(super) copies: Option<RecordOutputs>,
}

/// Sets of classes that puzzles were looked for in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgainstSets {
    /// The number of sets.
    pub sets: u64,
    /// The number of their classes.
    pub classes: u64,
    /// The number of puzzles that are not in the sets because they have no class.
    pub without_class: u64,
    /// The number of records of their corpora that are malformed.
    pub malformed: u64,
}

impl AgainstSets {
    /// The sums of some sets; `None` if there are none.
    fn of(sets: &[NamedClassSet]) -> Option<AgainstSets> {
        let mut sum = AgainstSets { sets: sets.len() as u64, ..AgainstSets::default() };
        for NamedClassSet { set, .. } in sets {
            sum.classes += set.len() as u64;
            sum.without_class += set.counts().without_class;
            sum.malformed += set.counts().malformed;
        }
        (sum.sets > 0).then_some(sum)
    }
}

/// What a validation counts.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ValidateCounts {
    pub(super) score: CorpusScore,
    /// The number of records of the reference corpus, and of those that are malformed.
    pub(super) against: Option<(u64, u64)>,
    /// The sets of classes that puzzles were looked for in.
    pub(super) against_sets: Option<AgainstSets>,
    /// The findings that the report names if they occur.
    pub(super) fail_on: Findings,
    /// Whether the report names alarms, too.
    pub(super) fail_on_alarms: bool,
    /// What the workers count for an audit; it is of one run, so that shards have none.
    #[serde(skip)]
    pub(super) audit: Option<AuditCounts>,
    /// What the serial stage counts for it.
    #[serde(skip)]
    pub(super) keys: Option<CorpusKeys>,
    /// Whether puzzles were rated for it.
    #[serde(skip)]
    pub(super) audit_ratings: bool,
    /// Those of one run: merged shards have none.
    #[serde(skip)]
    pub(super) examples: Vec<Example>,
}

impl RunCounts for ValidateCounts {
    fn records(&self) -> u64 {
        self.score.records
    }

    fn merge(&mut self, other: ValidateCounts) {
        self.score.merge(other.score);
        match (&mut self.audit, other.audit) {
            (Some(own), Some(other)) => own.merge(other),
            (own, other) => *own = own.take().or(other),
        }
    }
}

impl ValidateStage {
    /// Counts a record whose findings are all known, and copies it to the output for it.
    fn count(&mut self, record: &RecordView<'_>, findings: Findings, note: &Note, detail: &str) {
        self.examples.see(*record, findings, detail);
        self.counts.score.count(note);
        if let Some(copies) = &mut self.copies {
            copies.copy(findings, record);
        }
    }
}

impl SerialStage for ValidateStage {
    type Note = Note;
    type Counts = ValidateCounts;

    /// Serial, so it only looks up, counts and copies.
    fn record(&mut self, record: &RecordView<'_>, note: &mut Note) -> io::Result<()> {
        let is_looked_up = self.checks.repeats != Repeats::default();
        if let Some(puzzle) = note.puzzle.as_ref().filter(|_| is_looked_up) {
            let audit = puzzle.audit.as_deref();
            let location = self.index.location(record.input, record.line);
            let grid = audit.and_then(|audit| audit.grid);
            let keys = RecordKeys { puzzle: puzzle.key, class: puzzle.columns.class, grid };
            let repeats = self.index.enter(location, puzzle.size, keys);
            if let (Some(orders), Some(&AuditNote { start, er, .. })) = (&mut self.orders, audit) {
                orders.add(location, puzzle.columns.clues, start, er);
            }
            for (finding, words) in repeats.into_iter().flatten() {
                note.add(finding, words);
            }
        }
        self.count(record, note.findings, note, &note.detail);
        Ok(())
    }

    fn rest_of_record(&mut self, text: &[u8]) {
        if let Some(copies) = &mut self.copies {
            copies.rest_of_record(text);
        }
    }

    fn check(&mut self) -> io::Result<()> {
        self.copies.as_mut().map_or(Ok(()), RecordOutputs::check)
    }

    fn late_row<'a>(&'a self, note: &'a Note) -> impl Row + 'a {
        ValidateRow::late(note)
    }

    fn replay(&mut self, row: &ReadRow<'_>, record: &ReplayedRecord<'_>) -> Result<(), RowError> {
        let row = VerdictRow::read(row).ok_or(RowError::Damaged)?;
        let mut note = Note::default();
        match (row.findings.contains(Finding::Malformed), record.puzzle) {
            (true, None) => note.findings.insert(Finding::Malformed),
            (false, Some((shape, cells))) => {
                let puzzle = self.puzzle_again(&row, shape, cells);
                if row.clues.is_some_and(|clues| clues != u64::from(shape.clues)) {
                    return Err(record.differs("number of clues"));
                }
                note.findings = self.find_again(&puzzle, cells, row.findings);
                let view = record.view;
                let location = self.index.location(view.input, view.line);
                let keys = RecordKeys { puzzle: puzzle.key, class: puzzle.columns.class, grid: None };
                let repeats = self.index.enter(location, puzzle.size, keys);
                repeats.into_iter().flatten().for_each(|(finding, _)| note.findings.insert(finding));
                note.puzzle = Some(puzzle);
            }
            _ => return Err(record.differs("verdict")),
        }

        if note.findings != row.findings {
            return Err(record.differs("list of findings"));
        }
        if row.verdict.is_some_and(|verdict| verdict != note.findings.verdict()) {
            return Err(record.differs("verdict"));
        }
        self.count(&record.view, note.findings, &note, &row.detail);
        Ok(())
    }

    fn finish(&mut self, end: End, execution: &Execution) -> Result<End, JobError> {
        let copies = self.copies.take().filter(|_| end == End::Complete);
        copies.map_or(Ok(end), |copies| copies.finish(execution))
    }

    fn into_counts(self) -> ValidateCounts {
        let ValidateStage { checks, index, orders, mut counts, examples, .. } = self;
        counts.score.classes = index.puzzle_classes();
        counts.keys = orders.map(|orders| CorpusKeys::new(&index, &orders));
        if let Some(index) = checks.against {
            counts.against = (index.records() > 0).then(|| (index.records(), index.malformed()));
            counts.against_sets = AgainstSets::of(index.sets());
        }
        counts.examples = examples.into_vec();
        counts
    }
}

/// A row that was read back. A column that the rows do not have is `None`.
struct VerdictRow {
    verdict: Option<RecordVerdict>,
    findings: Findings,
    detail: String,
    clues: Option<u64>,
    solutions: Option<u64>,
    answer: Option<AnswerScore>,
    class: Option<Key>,
}

impl VerdictRow {
    /// The values of a row; `None` if it is damaged.
    fn read(row: &ReadRow<'_>) -> Option<VerdictRow> {
        const fn number(name: &str) -> usize {
            number_of(ValidateRow::COLUMNS, name)
        }

        let verdict = row.name(number("verdict"), &RecordVerdict::NAMES).map(|index| RecordVerdict::ALL[index]);
        let answer = row.name(number("answer"), AnswerScore::NAMES).map(|index| AnswerScore::VARIANTS[index]);
        let class = row.get(number("class")).filter(|class| !class.is_empty());
        Some(VerdictRow {
            verdict,
            findings: Findings::from_names(&row.items(number("findings"))?)?,
            detail: String::from_utf8_lossy(row.get(number("detail")).unwrap_or_default()).into_owned(),
            clues: row.number(number("clues")),
            solutions: row.number(number("solutions")),
            answer,
            class: match class {
                Some(class) => Some(str::from_utf8(class).ok()?.parse().ok()?),
                None => None,
            },
        })
    }
}

impl ValidateStage {
    /// What is known of a puzzle by its row.
    fn puzzle_again(&self, row: &VerdictRow, shape: ParsedPuzzle, cells: &[u8]) -> PuzzleNote {
        let VerdictRow { solutions, answer, class, .. } = *row;
        let columns = PuzzleColumns { clues: shape.clues.into(), solutions, answer, class };
        let was_checked = self.checks.minimal && columns.status() == Status::Unique;
        let is_decided = was_checked && !row.findings.contains(Finding::Undecided);
        PuzzleNote {
            key: self.checks.key(cells),
            size: shape.size,
            lacks_class: self.checks.classes && columns.class.is_none(),
            columns,
            is_minimal: is_decided.then(|| !row.findings.contains(Finding::NotMinimal)),
            audit: None,
        }
    }

    /// The findings on a puzzle by itself; of those that the row names, the ones that would take a search are believed.
    fn find_again(&self, puzzle: &PuzzleNote, cells: &[u8], named: Findings) -> Findings {
        let status = puzzle.columns.status();
        let on_solutions = match status {
            Status::Multiple => Some(Finding::Multiple),
            Status::None if rules::conflict(puzzle.size, cells).is_some() => Some(Finding::Conflict),
            Status::None => Some(Finding::None),
            Status::Undecided => Some(Finding::Undecided),
            // Then a search for a redundant clue gave up.
            Status::Unique if self.checks.minimal && named.contains(Finding::Undecided) => Some(Finding::Undecided),
            Status::Unique | Status::Malformed => None,
        };
        let on_answer = puzzle.columns.answer.and_then(AnswerScore::finding);

        let is_rated = self.checks.ratings.is_some() && status == Status::Unique;
        let is_on_rating = |&finding: &Finding| is_rated && named.contains(finding);
        let on_rating = [Finding::WrongRating, Finding::UnreadableRating].into_iter().find(is_on_rating);
        let redundant = (puzzle.is_minimal == Some(false)).then_some(Finding::NotMinimal);
        let leak = self.checks.against.as_ref().zip(puzzle.key).and_then(|(against, key)| {
            let keys = Keys { puzzle: key, class: puzzle.columns.class, solution: None };
            let has_solution = matches!(status, Status::Unique | Status::Multiple);
            let solution = has_solution && named.contains(Finding::LeakSolution);
            let found = against.find(&keys).map(|leak| Finding::of_leak(leak.kind));
            found.or(solution.then_some(Finding::LeakSolution))
        });
        [on_solutions, on_answer, on_rating, redundant, leak].into_iter().flatten().collect()
    }
}

/// The longest text of a record that is kept, in characters: a puzzle of 25x25 fits.
const LONGEST: usize = 700;

/// The first record of a corpus with a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The finding.
    pub finding: Finding,
    /// The name of the input.
    pub file: String,
    /// The line on which the record starts, from 1.
    pub line: u64,
    /// The puzzle on one line; the start of the text of a malformed record.
    pub puzzle: String,
    /// All findings of the record in words, as in its row.
    pub detail: String,
}

/// The examples so far. Their records are printed as rows print them.
#[derive(Default)]
pub(super) struct Examples {
    records: RecordReader,
    /// By the index of the finding.
    first: [Option<Example>; Finding::ALL.len()],
}

impl Examples {
    /// Keeps a record if it is the first with one of its findings. `detail` is that of its row.
    pub(super) fn see(&mut self, record: RecordView<'_>, findings: Findings, detail: &str) {
        for finding in findings.iter() {
            let example = &mut self.first[finding as usize];
            if example.is_some() {
                continue;
            }
            self.records.read(record);
            let puzzle = String::from_utf8_lossy(&self.records.puzzle_text).chars().take(LONGEST).collect();
            let (file, line) = (record.input.name.clone(), record.line);
            *example = Some(Example { finding, file, line, puzzle, detail: detail.to_owned() });
        }
    }

    /// The examples, in the order of the findings.
    pub(super) fn into_vec(self) -> Vec<Example> {
        self.first.into_iter().flatten().collect()
    }
}

/// The optional checks of each record by itself.
#[derive(Clone, Default)]
pub(super) struct Checks {
    /// Whether to look for a redundant clue.
    pub(super) minimal: bool,
    /// Whether 9x9 puzzles with one solution are rated for an audit.
    pub(super) audit_ratings: bool,
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
        (self.repeats.duplicates || self.repeats.audit || self.against.is_some()).then(|| Key::of_cells(cells))
    }
}
