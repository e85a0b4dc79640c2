//! Writes the canonical form of every puzzle of a corpus.

use std::io::Write;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::canon::{CanonicalForm, Canonicaliser, Key};
use crate::corpus::Corpus;
use crate::format::Alphabet;
use crate::puzzle::Isomorph;
use crate::rows::{Column, Kind, Row, Subject, column, row};
use crate::run::job::{Independent, Job, RowJob};
use crate::run::record_loop::{Emit, RecordWorker, SolvedRecord};
use crate::run::{Execution, JobError, Rows};
use crate::stats::{RunCounts, merge_fields};

/// Writes the canonical form, its solution, the class and the number of automorphisms of every puzzle.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Canon, Execution};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let mut rows = Vec::new();
/// let report = Canon::new().columns(["line", "class"]).run(corpus, &mut rows, &Execution::new())?.report;
/// assert_eq!(report.unique, 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Canon = Rows<CanonOptions>;

/// The options of [`Canon`].
#[doc(hidden)]
#[derive(Clone, Debug, Default, Serialize)]
pub struct CanonOptions {}

impl Canon {
    /// Solves with the fastest engine, and writes CSV with all columns.
    pub fn new() -> Canon {
        Canon::default()
    }
}

/// The number of records by kind of canonical form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanonCounts {
    /// Puzzles with one solution.
    pub unique: u64,
    /// Puzzles with no solution or several, whose clues have a form.
    pub clues: u64,
    /// Puzzles whose search gave up: the form depends on whether they have one solution.
    pub undecided: u64,
    /// Puzzles whose form was not found within [`Canonicaliser::BOUND`].
    pub out_of_bound: u64,
    /// Puzzles that are not 4x4, 6x6 or 9x9.
    pub other_sizes: u64,
    /// Malformed records.
    pub malformed: u64,
}

impl RunCounts for CanonCounts {
    fn records(&self) -> u64 {
        let CanonCounts { unique, clues, undecided, out_of_bound, other_sizes, malformed } = *self;
        unique + clues + undecided + out_of_bound + other_sizes + malformed
    }
}

merge_fields!(CanonCounts: unique, clues, undecided, out_of_bound, other_sizes, malformed);

impl CanonCounts {
    /// The counter for a form.
    fn of(&mut self, form: &CanonicalForm) -> &mut u64 {
        match form {
            CanonicalForm::Unique(_) => &mut self.unique,
            CanonicalForm::Clues(_) => &mut self.clues,
            CanonicalForm::Undecided => &mut self.undecided,
            CanonicalForm::OutOfBound(_) => &mut self.out_of_bound,
            CanonicalForm::OtherSize => &mut self.other_sizes,
        }
    }
}

/// All sizes with forms use the same digits.
const DIGITS: Alphabet = Alphabet::OF_NINE;

/// The row of a record.
pub(crate) struct CanonRow<'a> {
    file: &'a str,
    line: u64,
    subject: Subject<'a>,
    /// `None` for a malformed record.
    form: Option<&'a CanonicalForm>,
    /// `None` if it is not asked for.
    mapping: Option<&'a Isomorph>,
    /// The reason why there is no form.
    detail: &'a str,
}

impl Row for CanonRow<'_> {
    row! {
        |self, field| { let unique = self.form.and_then(CanonicalForm::unique); }

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.line);
        Column::PUZZLE => field.subject(self.subject);
        column!("canonical", Kind::Text, "the canonical form of the puzzle, in one line").nullable() =>
            field.symbols_if_known(&DIGITS, self.form.and_then(CanonicalForm::puzzle).map(|form| &form[..]), b'.');
        column!("canonical_solution", Kind::Text, "the solution of the canonical form, if it has just one")
            .nullable() => field.symbols_if_known(&DIGITS, unique.map(|unique| &unique.solution[..]), b'.');
        column!("class", Kind::Text, "the class: a hash of the canonical form").nullable() =>
            match self.form.and_then(CanonicalForm::class) {
                Some(class) => field.plain(&Key::from(class).digits()),
                None => field.null(),
            };
        column!("automorphisms", Kind::Number, "the number of isomorphisms that keep the solution as it is")
            .nullable() => field.number_if_known(unique.map(|unique| unique.automorphisms.into()));
        column!("band", Kind::Number, "the number of the first band of `canonical_solution`, 1 to 416; 9x9 only")
            .nullable() => field.number_if_known(self.form.and_then(CanonicalForm::band).map(u64::from));
        column!("mapping", Kind::Text, "how the puzzle becomes its canonical form").nullable() => match self.mapping {
            Some(mapping) => field.plain(&in_digits(mapping)),
            None => field.null(),
        };
        column!("detail", Kind::Text, "why there is no canonical form").nullable() => field.text_if_any(self.detail);
    }
}

/// The new names of the digits, and for each row and column the one that comes to its place, from 1; `r` in front for a
/// reflection about the main diagonal before: `r312456789-123564897-213456789`.
fn in_digits(mapping: &Isomorph) -> Vec<u8> {
    let mut text = if mapping.is_reflected() { b"r".to_vec() } else { vec![] };
    text.extend(mapping.digits().iter().map(|digit| b'0' + digit));
    for lines in [mapping.rows(), mapping.columns()] {
        text.push(b'-');
        text.extend(lines.iter().map(|line| b'1' + line));
    }
    text
}

/// Finds the canonical forms of records.
pub(crate) struct CanonWorker {
    canonicaliser: Canonicaliser,
    has_mapping: bool,
    detail: Vec<u8>,
    counts: CanonCounts,
}

impl RecordWorker for CanonWorker {
    type Note = ();
    type Counts = CanonCounts;

    #[inline]
    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ()>) -> ControlFlow<()> {
        self.detail.clear();
        let mut mapping = None;
        let form = record.puzzle.map(|puzzle| {
            let answer = puzzle.answer();
            let form =
                CanonicalForm::find(answer.puzzle, answer.known_solutions(), answer.grids, &mut self.canonicaliser);
            if self.has_mapping {
                mapping = form.isomorph(answer.puzzle, answer.grids, &mut self.canonicaliser);
            }
            form
        });

        let written = match &form {
            Ok(CanonicalForm::Unique(_) | CanonicalForm::Clues(_)) => Ok(()),
            Ok(CanonicalForm::Undecided) => write!(self.detail, "{UNDECIDED}"),
            Ok(CanonicalForm::OutOfBound(error)) => write!(self.detail, "{error}"),
            Ok(CanonicalForm::OtherSize) => write!(self.detail, "only 4x4, 6x6 and 9x9 puzzles have a canonical form"),
            Err(reason) => write!(self.detail, "{reason}"),
        };
        written.expect("memory takes any text");

        match &form {
            Ok(form) => *self.counts.of(form) += 1,
            Err(_) => self.counts.malformed += 1,
        }
        emit.row(&CanonRow {
            file: &record.input.name,
            line: record.line,
            subject: record.subject,
            form: form.as_ref().ok(),
            mapping: mapping.as_ref(),
            detail: str::from_utf8(&self.detail).expect("it was written as text"),
        });
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut CanonCounts {
        &mut self.counts
    }
}

/// The detail for an unknown number of solutions.
const UNDECIDED: &str = "undecided: the search for solutions gave up";

impl Job for CanonOptions {
    const NAME: &'static str = "canon";

    type Report = CanonCounts;
}

impl RowJob for CanonOptions {
    type Row = CanonRow<'static>;
    type Worker = CanonWorker;
    type Stage = Independent<CanonCounts>;

    fn is_default(&self, column: &Column, corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(match column.name {
            "file" => corpus.origins().len() > 1,
            name => !["band", "mapping"].contains(&name),
        })
    }

    fn stage(&mut self, _corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(()))
    }

    fn worker(rows: &Rows<Self>, _stage: &Self::Stage, _execution: &Execution) -> Result<CanonWorker, JobError> {
        let (canonicaliser, counts) = (Canonicaliser::new(), CanonCounts::default());
        let has_mapping = rows.settings.has_column("mapping", false);
        Ok(CanonWorker { canonicaliser, has_mapping, detail: vec![], counts })
    }
}
