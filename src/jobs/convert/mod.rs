//! Writes the puzzles of a corpus in another format, without solving them.

mod picture;

use std::fmt::Write;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::corpus::Corpus;
use crate::engine::solver::Question;
use crate::format::Malformed;
use crate::output::OutputTarget;
use crate::puzzle::Puzzle;
use crate::rows::{Column, GridsRow, Kind, OutputFormat, Row, Status, column, row};
use crate::run::job::{Independent, Job, JobParts};
use crate::run::record_loop::{Emit, RecordWorker, SolvedPuzzle, SolvedRecord};
use crate::run::records::InputParsers;
use crate::run::{Execution, Finished, JobError, ReadRecord, RowJob};
use crate::stats::{RunCounts, merge_fields};

/// Writes the puzzles of a corpus in another format, without solving them.
///
/// In tables, every record has a row, malformed or not. Other formats have a comment for a record that is malformed or
/// that the format cannot represent, so reading the output gives the puzzles and no other records.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Convert, Execution};
/// use gridmill::rows::OutputFormat;
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let mut text = Vec::new();
/// let job = Convert::new().format(OutputFormat::Sdk);
/// let report = job.run(corpus, &mut text, &Execution::new())?.report;
/// assert_eq!(report.puzzles, 1000);
/// assert!(text.starts_with(b"[Puzzle]\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Convert = RowJob<ConvertOptions>;

/// The options of [`Convert`], as plain data.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ConvertOptions {}

impl Convert {
    /// Writes CSV with all columns.
    pub fn new() -> Convert {
        Convert::default()
    }

    /// Draws the puzzles of a corpus as one SVG picture, of at most 100 puzzles, in a file or on standard output.
    /// `skipped` is called with each record that is not drawn, and the reason.
    ///
    /// # Errors
    ///
    /// If an input cannot be read, there are no puzzles or too many, or the file is an input or cannot be written.
    #[doc(hidden)]
    pub fn draw(
        corpus: Corpus,
        target: &OutputTarget,
        skipped: impl FnMut(&ReadRecord<'_>, Malformed),
    ) -> Result<Finished<ConvertCounts>, JobError> {
        picture::draw(corpus, target, skipped)
    }

    /// Draws one puzzle as an SVG picture.
    #[doc(hidden)]
    pub fn picture(puzzle: &Puzzle) -> String {
        picture::of_puzzle(puzzle)
    }
}

/// The number of records by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConvertCounts {
    /// Puzzles that were written.
    pub puzzles: u64,
    /// Puzzles that the format cannot represent.
    pub not_written: u64,
    /// Malformed records.
    pub malformed: u64,
}

impl RunCounts for ConvertCounts {
    fn records(&self) -> u64 {
        let ConvertCounts { puzzles, not_written, malformed } = *self;
        puzzles + not_written + malformed
    }
}

merge_fields!(ConvertCounts: puzzles, not_written, malformed);

/// The row of a record.
pub(crate) struct ConvertRow<'a> {
    file: &'a str,
    /// The number of clues; `None` for a malformed record.
    clues: Option<u64>,
    /// The puzzle to write, or the reason why the record has none.
    puzzle: GridsRow<'a>,
}

impl Row for ConvertRow<'_> {
    row! {
        |self, field|

        Column::FILE => field.text(self.file);
        Column::LINE => field.number(self.puzzle.line);
        Column::PUZZLE => field.subject(self.puzzle.subject);
        column!("clues", Kind::Number, "the number of clues; none for a malformed record").nullable() =>
            field.number_if_known(self.clues);
        column!("detail", Kind::Text, "why the record is malformed").nullable() =>
            field.text_if_any(self.puzzle.detail);
    }

    fn grids(&self) -> &GridsRow<'_> {
        &self.puzzle
    }
}

/// Writes the rows of records, and counts them.
pub(crate) struct ConvertWorker {
    format: OutputFormat,
    detail: String,
    counts: ConvertCounts,
}

impl RecordWorker for ConvertWorker {
    type Note = ();
    type Counts = ConvertCounts;

    fn question(&self, _parsers: &InputParsers) -> Option<Question> {
        None
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, ()>) -> ControlFlow<()> {
        self.detail.clear();
        let shape = record.puzzle.as_ref().map(|puzzle| puzzle.shape);
        match shape.map(|shape| (self.format.facts().obstacle)(shape.size)) {
            Ok(None) => self.counts.puzzles += 1,
            Ok(Some(obstacle)) => {
                self.detail.push_str(obstacle);
                self.counts.not_written += 1;
            }
            Err(reason) => {
                write!(self.detail, "{reason}").expect("a string takes any text");
                self.counts.malformed += 1;
            }
        }

        let printed = record.puzzle.as_ref().map_or(&[][..], SolvedPuzzle::cells);
        emit.row(&ConvertRow {
            file: &record.input.name,
            clues: shape.ok().map(|shape| shape.clues.into()),
            puzzle: GridsRow {
                line: record.line,
                after_gap: !record.is_first && shape.is_ok_and(|shape| shape.after_blank_line),
                status: shape.is_err().then_some(Status::Malformed),
                detail: &self.detail,
                ..GridsRow::new(record.subject, if self.detail.is_empty() { printed } else { &[] })
            },
        });
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut ConvertCounts {
        &mut self.counts
    }
}

impl Job for ConvertOptions {
    const NAME: &'static str = "convert";
    const FORMATS: &'static [OutputFormat] = OutputFormat::OF_PUZZLES;

    type Report = ConvertCounts;
}

impl JobParts for ConvertOptions {
    type Row = ConvertRow<'static>;
    type Worker = ConvertWorker;
    type Stage = Independent<ConvertCounts>;

    fn stage(&mut self, _corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        Ok(Independent::with(()))
    }

    fn worker(rows: &RowJob<Self>, _stage: &Self::Stage, _execution: &Execution) -> Result<ConvertWorker, JobError> {
        Ok(ConvertWorker { format: rows.settings.format, detail: String::new(), counts: ConvertCounts::default() })
    }
}
