//! The serial part of a validation: looks records up among earlier ones, and counts the findings.
//!
//! If repetitions are searched for, a verdict is complete only here, since it depends on earlier records. The findings
//! and keys of an interrupted run were saved: keys are entered and records copied again.

use std::io::{self, Read};
use std::mem;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::AskedChecks;
use super::audit::{AuditCounts, CorpusKeys, FileOrders};
use super::examples::{Example, Examples};
use super::finding::FailOn;
use super::note::{AuditNote, Note, RecordKeys, SavedNote, ValidateRow};
use super::outputs::RecordOutputs;
use super::repeats::DuplicateIndex;
use super::score::CorpusScore;
use crate::canon::Key;
use crate::corpus::{RecordView, Remarks};
use crate::lookup::{ClassSetCounts, ComparedInputs, NamedClassSet, ReferenceIndex};
use crate::pipeline::End;
use crate::rows::Row;
use crate::run::JobError;
use crate::run::job::SerialStage;
use crate::stats::{Mergeable, RunCounts, merge_fields};

/// The state that is carried from one record of a corpus to the next.
pub(crate) struct ValidateStage {
    pub(super) checks: Checks,
    pub(super) index: DuplicateIndex,
    /// `Some` in an audit.
    pub(super) orders: Option<FileOrders>,
    pub(super) counts: ValidateCounts,
    pub(super) examples: Examples,
    /// Grows while the corpus is read.
    pub(super) remarks: Remarks,
    /// The outputs for records; `None` if none are asked for, or once they are complete.
    pub(super) copies: Option<RecordOutputs>,
}

/// The sets of classes that puzzles were compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgainstSets {
    /// The number of sets.
    pub sets: u64,
    /// The number of their classes.
    pub classes: u64,
    /// The number of classes of grids; `None` if a set of an older gridmill has none.
    pub grids: Option<u64>,
    /// The number of puzzles that the sets lack because they have no class.
    pub without_class: u64,
    /// The number of puzzles whose grids the sets lack, because they do not have exactly one solution.
    pub without_grid: u64,
    /// The number of malformed records in their corpora.
    pub malformed: u64,
}

impl AgainstSets {
    /// The sums over several sets; `None` for no set.
    fn of(sets: &[NamedClassSet]) -> Option<AgainstSets> {
        let grids = sets.iter().map(|named| named.set.grids()).sum();
        let mut sum = AgainstSets { sets: sets.len() as u64, grids, ..AgainstSets::default() };
        for NamedClassSet { set, .. } in sets {
            sum.classes += set.len() as u64;
            sum.without_class += set.counts().without_class;
            sum.without_grid += set.counts().without_grid;
            sum.malformed += set.counts().malformed;
        }
        (sum.sets > 0).then_some(sum)
    }
}

/// The counts of a validation.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ValidateCounts {
    pub(super) score: CorpusScore,
    /// The number of records of the reference corpus, and of malformed ones among them.
    pub(super) against: Option<(u64, u64)>,
    /// The sets of classes that puzzles were compared with.
    pub(super) against_sets: Option<AgainstSets>,
    /// The parts of inputs that were not looked at, in words.
    pub(super) unread: Vec<String>,
    /// The findings and alarms that the report lists if they occur.
    pub(super) fail_on: FailOn,
    /// The workers' counts for an audit. Not saved, since an audit needs a single run without shards.
    #[serde(skip)]
    pub(super) audit: Option<AuditCounts>,
    /// The serial stage's counts for the audit.
    #[serde(skip)]
    pub(super) keys: Option<CorpusKeys>,
    /// Whether puzzles were rated for the audit.
    #[serde(skip)]
    pub(super) audit_ratings: bool,
    /// The examples of a single run: merged shards have none.
    #[serde(skip)]
    pub(super) examples: Vec<Example>,
    /// The inputs to compare with, for a certificate.
    #[serde(skip)]
    pub(super) compared: ComparedInputs,
}

impl RunCounts for ValidateCounts {
    fn records(&self) -> u64 {
        self.score.records
    }
}

merge_fields!(ValidateCounts: score, audit);

impl ValidateStage {
    /// Counts a record whose findings are complete, and copies it to its output.
    fn count(&mut self, record: &RecordView<'_>, note: &Note) -> io::Result<()> {
        self.examples.see(*record, note.findings, &note.detail);
        self.counts.score.count(note);
        self.copies.as_mut().map_or(Ok(()), |copies| copies.copy(note.findings, record))
    }
}

impl SerialStage for ValidateStage {
    type Note = Note;
    type Counts = ValidateCounts;

    /// This part is serial, so it only looks up, counts and copies.
    fn record(&mut self, record: &RecordView<'_>, note: &mut Note, saved: &mut Vec<u8>) -> io::Result<()> {
        let asked = &self.checks.asked;
        let is_looked_up = asked.finds_repeats() || asked.audit;
        let size = note.puzzle.as_ref().map(|puzzle| puzzle.size);
        let mut to_save = SavedNote { size, ..SavedNote::default() };

        // Enter the keys, which earlier records may have, too.
        if let Some(puzzle) = note.puzzle.as_ref().filter(|_| is_looked_up) {
            let audit = puzzle.audit.as_deref();
            let location = self.index.location(record.input, record.line);
            let grid = audit.and_then(|audit| audit.grid);
            let keys = RecordKeys { puzzle: puzzle.key, class: puzzle.columns.class, grid };
            let repeats = self.index.enter(location, puzzle.size, keys);
            to_save.keys = keys;
            if let (Some(orders), Some(&AuditNote { start, er, .. })) = (&mut self.orders, audit) {
                orders.add(location, puzzle.columns.clues, start, er);
            }
            for (finding, words) in repeats.into_iter().flatten() {
                note.add(finding, words);
            }
        }

        // All findings are known now. A resumed run enters the keys and copies the record again, without the searches.
        to_save.findings = note.findings;
        to_save.write(self.checks.asked.finds_repeats(), saved);
        self.count(record, note)
    }

    fn rest_of_record(&mut self, text: &[u8]) -> io::Result<()> {
        self.copies.as_mut().map_or(Ok(()), |copies| copies.rest_of_record(text))
    }

    fn late_row<'a>(&'a self, note: &'a Note) -> impl Row + 'a {
        ValidateRow::late(note)
    }

    fn state(&self) -> Value {
        json!({ "score": self.counts.score, "examples": self.examples })
    }

    fn set_state(&mut self, mut state: Value) -> serde_json::Result<()> {
        self.counts.score = serde_json::from_value(state["score"].take())?;
        self.examples = serde_json::from_value(state["examples"].take())?;
        Ok(())
    }

    fn restore(&mut self, record: &RecordView<'_>, saved: &mut dyn Read) -> io::Result<()> {
        let SavedNote { findings, size, keys } = SavedNote::read(self.checks.asked.finds_repeats(), saved)?;
        if let Some(size) = size {
            let location = self.index.location(record.input, record.line);
            self.index.enter(location, size, keys);
        }
        self.copies.as_mut().map_or(Ok(()), |copies| copies.copy(findings, record))
    }

    fn finish(&mut self, end: End) -> Result<(), JobError> {
        let copies = self.copies.take().filter(|_| end == End::Complete);
        copies.map_or(Ok(()), RecordOutputs::finish)
    }

    fn add_counts(self, counts: &mut ValidateCounts) {
        let ValidateStage { checks, index, orders, counts: mut own, examples, remarks, .. } = self;
        own.unread = remarks.get();
        own.score.classes = index.puzzle_classes();
        own.keys = orders.map(|orders| CorpusKeys::new(&index, &orders));

        // A reference corpus of sets alone has no records.
        if let Some(index) = checks.against {
            own.compared = index.compared.clone();
            let ClassSetCounts { records, malformed, .. } = own.compared.counts;
            own.against = (records > 0).then_some((records, malformed));
            own.against_sets = AgainstSets::of(index.sets());
            own.unread.extend_from_slice(&index.compared.unread);
        }
        own.examples = examples.into_vec();

        // The counts of the workers are added to the counts of this stage, which has the options.
        own.merge(mem::take(counts));
        *counts = own;
    }
}

/// The checks of a run.
#[derive(Clone)]
pub(super) struct Checks {
    /// The checks that are asked for, and the search for classes if another check needs it.
    pub(super) asked: AskedChecks,
    /// The index of the column with ratings to compare, among the kept columns.
    pub(super) ratings: Option<usize>,
    /// Whether puzzles of sizes with few classes leak only as they are.
    pub(super) certifies: bool,
    /// The reference corpus, to search for leaks.
    pub(super) against: Option<Arc<ReferenceIndex>>,
}

impl Checks {
    /// The key of a puzzle, if it will be looked up.
    pub(super) fn key(&self, cells: &[u8]) -> Option<Key> {
        (self.asked.duplicates || self.asked.audit || self.against.is_some()).then(|| Key::of_cells(cells))
    }
}
