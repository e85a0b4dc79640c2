//! Verdicts as record batches, or in a Parquet file.

use std::io;

use super::answer::AnswerScore;
use super::columns::COLUMNS;
use super::finding::RecordVerdict;
use super::note::Note;
use super::rejects::Rejects;
use super::state::{CompletedRows, ValidateState};
use super::worker::RowStyle;
use super::{Validate, ValidateReport};
use crate::arrow::columns::{ColumnType, RowColumns, Values, schema};
use crate::arrow::{RecordBatch, SchemaRef};
use crate::corpus::Corpus;
use crate::jobs::typed::{Batch, first_columns, push_first_columns};
use crate::jobs::{Execution, Finished, JobError};
#[cfg(feature = "parquet")]
use crate::jobs::{OptionError, resumable, typed::parquet_file};
use crate::pipeline::End;
#[cfg(feature = "parquet")]
use crate::resume::{OutputTarget, Resume};
use crate::rows::{FileColumn, Subject};

/// The names of all verdicts.
const VERDICTS: [&str; RecordVerdict::ALL.len()] = {
    let mut names = [""; RecordVerdict::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = RecordVerdict::ALL[index].name();
        index += 1;
    }
    names
};

/// The names of all scores of answers.
const ANSWERS: [&str; 3] = [AnswerScore::Right.name(), AnswerScore::Wrong.name(), AnswerScore::Bad.name()];

impl Validate {
    /// The types of the columns of the rows.
    pub fn table_schema(&self, corpus: &Corpus) -> SchemaRef {
        schema(&columns(FileColumn::for_inputs(corpus.origins().len())), vec![])
    }

    /// Passes a row for each record to `each`: batches of some thousand rows, in order.
    ///
    /// # Errors
    ///
    /// As [`Validate::run`], and if `each` fails.
    pub fn run_table(
        mut self,
        corpus: Corpus,
        mut each: impl FnMut(RecordBatch) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<ValidateReport>, JobError> {
        let file = self.prepare(&corpus)?;
        let Some(checks) = self.checks(execution)? else {
            return Ok(Finished { report: None, end: End::Stopped, partial: None });
        };
        let rows = CompletedRows::Typed(TypedVerdicts::new(file));
        let state = ValidateState::with_rows(self.repeats, file, rows);
        let mut rejects = Rejects::new(self.rejects.take());
        let pass_on = |state: &mut ValidateState| match state.take_rows() {
            Some(rows) => each(rows.map_err(io::Error::other)?),
            None => Ok(()),
        };
        let style = || RowStyle::Puzzle;
        let run = self.pipeline(corpus, &checks, style, state, io::sink(), &mut rejects, pass_on, execution)?;
        let run = run.map_err(|source| JobError::pipeline(source, None, false))?;
        self.finished(run, rejects, &checks, execution)
    }

    /// Writes the rows to a Parquet file.
    #[cfg(feature = "parquet")]
    pub(super) fn run_to_parquet(
        self,
        corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<ValidateReport>, JobError> {
        resumable::check_files(&corpus, self.against.as_ref(), target)?;
        if self.resume == Resume::Yes {
            return Err(OptionError::ParquetNotResumable.into());
        }
        let schema = self.table_schema(&corpus);
        parquet_file::write(target, schema, execution, |each| self.run_table(corpus, each, execution))
    }
}

/// The columns of the rows.
fn columns(file: FileColumn) -> Vec<(&'static str, ColumnType, Values)> {
    let [verdict, findings, detail, clues, solutions, answer, class] = COLUMNS;
    let own = [
        (verdict, ColumnType::Name(&VERDICTS), Values::Required),
        (findings, ColumnType::Text, Values::Required),
        (detail, ColumnType::Text, Values::Optional),
        (clues, ColumnType::Number, Values::Optional),
        (solutions, ColumnType::Number, Values::Optional),
        (answer, ColumnType::Name(&ANSWERS), Values::Optional),
        (class, ColumnType::Text, Values::Optional),
    ];
    first_columns(file).chain(own).collect()
}

/// Appends rows to typed columns.
pub(super) struct TypedVerdicts {
    file: FileColumn,
    columns: RowColumns,
}

impl TypedVerdicts {
    fn new(file: FileColumn) -> TypedVerdicts {
        TypedVerdicts { file, columns: RowColumns::of(&columns(file)) }
    }

    /// Appends the row of a record.
    pub(super) fn row(&mut self, file: &str, line: u64, puzzle: &[u8], note: &Note) {
        let own = push_first_columns(self.file, file, line, Subject::Text(puzzle), self.columns.columns());
        let [verdict, findings, detail, clues, solutions, answer, class] = own else {
            panic!("the columns are those of the schema")
        };
        let record_verdict = note.findings.verdict();
        verdict.name(RecordVerdict::ALL.into_iter().position(|other| other == record_verdict));
        let names = if note.findings.is_empty() { String::new() } else { note.findings.to_string() };
        findings.text(Some(names.as_bytes()));
        detail.text(Some(note.detail.as_bytes()).filter(|detail| !detail.is_empty()));
        let known = note.puzzle.as_ref().map(|puzzle| &puzzle.columns);
        clues.number(known.map(|known| known.clues as u64));
        solutions.number(known.and_then(|known| known.solutions));
        answer.name(known.and_then(|known| known.answer).map(|score| score as usize));
        let name = known.and_then(|known| known.class).map(|class| class.to_string());
        class.text(name.as_deref().map(str::as_bytes));
    }

    /// The rows so far.
    pub(super) fn finish(&mut self) -> Batch {
        self.columns.finish(None)
    }
}
