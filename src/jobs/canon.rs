//! Writes the canonical form of every puzzle of a corpus, or the set of all classes.

use std::fmt::{Display, Write};
use std::ops::ControlFlow;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::canon::{CanonicalForm, Canonicaliser, Key};
use crate::corpus::Corpus;
use crate::format::Alphabet;
use crate::lookup::{ClassKey, ClassSet, ClassSetCounts, Demand, KeyUse, find_keys};
use crate::output::{OutputError, OutputFile, OutputTarget, RunFiles};
use crate::pipeline::End;
use crate::puzzle::Isomorph;
use crate::rows::{Column, Kind, Row, Subject, column, row};
use crate::run::job::{Independent, Job, JobParts};
use crate::run::record_loop::{Emit, RecordWorker, SolvedRecord};
use crate::run::settings::RowSettings;
use crate::run::{Execution, Finished, JobError, RowJob};
use crate::stats::{RunCounts, RunFacts, merge_fields};

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
pub type Canon = RowJob<CanonOptions>;

/// The options of [`Canon`], as plain data.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CanonOptions {}

impl Canon {
    /// Solves with the fastest engine, and writes CSV with all columns.
    pub fn new() -> Canon {
        Canon::default()
    }

    /// Writes the set of the classes of a corpus to a file, which gets its name when it is complete. The set lets anybody
    /// find leaks without seeing the puzzles; if its classes are hashed with a `key`, only the owner of the key can.
    ///
    /// ```
    /// use gridmill::corpus::Corpus;
    /// use gridmill::jobs::{Canon, ClassSet, Execution};
    /// use gridmill::output::OutputTarget;
    ///
    /// let directory = tempfile::tempdir()?;
    /// let file = directory.path().join("hidden.classes");
    /// let hidden = Corpus::open_path("data/easy.txt")?;
    /// let report = Canon::new().write_classes(hidden, &OutputTarget::file(&file), None, false, &Execution::new())?.report;
    /// assert_eq!(report.classes, 1000);
    ///
    /// let set = ClassSet::read(std::io::BufReader::new(std::fs::File::open(file)?), None)?;
    /// let puzzle = std::fs::read_to_string("data/easy.txt")?.lines().next().unwrap().to_owned();
    /// assert!(set.has(gridmill::class(&puzzle)?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the corpus cannot be read or has no puzzle, if an input has records but no puzzle, or malformed records and
    /// `allow_malformed` is false, if the output is an input, or if it cannot be written.
    pub fn write_classes(
        self,
        corpus: Corpus,
        target: &OutputTarget,
        key: Option<ClassKey>,
        allow_malformed: bool,
        execution: &Execution,
    ) -> Result<Finished<ClassesReport>, JobError> {
        let (start, RowSettings { engine, max_branches, .. }) = (Instant::now(), self.settings);
        target.check_inputs(RunFiles::new().corpus(corpus.origins()))?;

        let (mut kinds, mut counts) = ([Vec::<Key>::new(), vec![]], ClassSetCounts::default());
        let demand = Demand { key_use: KeyUse::ClassSet, allows_malformed: allow_malformed };
        let found = find_keys(corpus, demand, &engine, max_branches, execution, |_, notes| {
            for keys in notes {
                counts.add(keys.as_ref());
                kinds[0].extend(keys.as_ref().and_then(|keys| keys.puzzle.class));
                kinds[1].extend(keys.iter().flat_map(|keys| &keys.grids));
            }
        })?;
        if found.is_none() {
            let (report, run) = (ClassesReport::default(), RunFacts::default());
            return Ok(Finished { report, run, end: End::Stopped, partial: None });
        }

        let set = ClassSet::new(kinds, counts, key);
        let mut output = OutputFile::create(target, execution.threads)?;
        set.write(&mut output).map_err(OutputError::Write)?;
        output.finish()?;
        let report = ClassesReport { classes: set.len() as u64, grids: set.grids().unwrap_or(0), counts };
        let run = execution.facts(start, counts.records, engine.name(), None);
        Ok(Finished { report, run, end: End::Complete, partial: None })
    }
}

/// Results of [`Canon::write_classes`].
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct ClassesReport {
    /// The number of classes in the set.
    pub classes: u64,
    /// The number of classes of grids in the set: solutions, answers and full grids in other columns.
    pub grids: u64,
    /// The records of the corpus.
    #[serde(flatten)]
    pub counts: ClassSetCounts,
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
    detail: String,
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
            // The isomorphism takes longer than the form, and most runs do not show it.
            if self.has_mapping {
                mapping = form.isomorph(answer.puzzle, answer.grids, &mut self.canonicaliser);
            }
            form
        });

        // Count the record, and say why it has no form.
        let counts = &mut self.counts;
        let (count, reason): (_, Option<&dyn Display>) = match &form {
            Ok(CanonicalForm::Unique(_)) => (&mut counts.unique, None),
            Ok(CanonicalForm::Clues(_)) => (&mut counts.clues, None),
            Ok(CanonicalForm::Undecided) => (&mut counts.undecided, Some(&UNDECIDED)),
            Ok(CanonicalForm::OutOfBound(error)) => (&mut counts.out_of_bound, Some(error)),
            Ok(CanonicalForm::OtherSize) => (&mut counts.other_sizes, Some(&OTHER_SIZE)),
            Err(reason) => (&mut counts.malformed, Some(reason)),
        };
        *count += 1;
        if let Some(reason) = reason {
            write!(self.detail, "{reason}").expect("a string takes any text");
        }

        emit.row(&CanonRow {
            file: &record.input.name,
            line: record.line,
            subject: record.subject,
            form: form.as_ref().ok(),
            mapping: mapping.as_ref(),
            detail: &self.detail,
        });
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut CanonCounts {
        &mut self.counts
    }
}

/// The details for an unknown number of solutions, and for other sizes.
const UNDECIDED: &str = "undecided: the search for solutions gave up";
const OTHER_SIZE: &str = "only 4x4, 6x6 and 9x9 puzzles have a canonical form";

impl Job for CanonOptions {
    const NAME: &'static str = "canon";

    type Report = CanonCounts;
}

impl JobParts for CanonOptions {
    type Row = CanonRow<'static>;
    type Worker = CanonWorker;
    type Stage = Independent<CanonCounts>;

    fn is_default(&self, column: &Column, _corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(!["band", "mapping"].contains(&column.name))
    }

    fn stage(&mut self, _corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(()))
    }

    fn worker(rows: &RowJob<Self>, _stage: &Self::Stage, _execution: &Execution) -> Result<CanonWorker, JobError> {
        let (canonicaliser, counts) = (Canonicaliser::new(), CanonCounts::default());
        let has_mapping = rows.settings.has_column("mapping", false);
        Ok(CanonWorker { canonicaliser, has_mapping, detail: String::new(), counts })
    }
}
