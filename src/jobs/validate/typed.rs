//! Verdicts as record batches, or in a Parquet file.

use std::io;

use super::answer::AnswerScore;
use super::columns::{Table, ValidateColumn};
use super::finding::RecordVerdict;
use super::note::Note;
use super::outputs::RecordOutputs;
use super::state::{CompletedRows, ValidateState};
use super::worker::RowStyle;
use super::{Validate, ValidateReport};
use crate::arrow::columns::{ColumnType, RowColumns, Values, schema};
use crate::arrow::{RecordBatch, SchemaRef};
use crate::corpus::{ChunkInput, Corpus};
use crate::jobs::typed::{Batch, kept_fields};
use crate::jobs::{Execution, Finished, JobError};
#[cfg(feature = "parquet")]
use crate::jobs::{OptionError, resumable, typed::parquet_file};
use crate::pipeline::End;
#[cfg(feature = "parquet")]
use crate::resume::{OutputTarget, Resume};

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
    ///
    /// # Errors
    ///
    /// If the options contradict each other.
    pub fn table_schema(&self, corpus: &Corpus) -> Result<SchemaRef, JobError> {
        Ok(self.prepare(corpus)?.schema(corpus))
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
        let table = self.prepare(&corpus)?;
        let mut copies = RecordOutputs::open(&self.copies, &corpus, execution)?;
        let Some(checks) = self.checks(&corpus, execution)? else {
            return Ok(Finished { report: None, end: End::Stopped, partial: None });
        };
        let rows = CompletedRows::Typed(TypedVerdicts::new(&table, table.schema(&corpus)));
        let state = ValidateState::new(self.repeats, corpus.origins().len(), rows);
        let pass_on = |state: &mut ValidateState, input: Option<&ChunkInput>| match state
            .take_rows(input.and_then(|input| input.kept.as_ref()))
        {
            Some(rows) => each(rows.map_err(io::Error::other)?),
            None => Ok(()),
        };
        let style = || RowStyle::Puzzle;
        let run = self.pipeline(corpus, &checks, style, state, io::sink(), &mut copies, pass_on, execution)?;
        let run = run.map_err(|source| JobError::pipeline(source, None, false))?;
        self.finished(run, copies, &checks, execution)
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
        let schema = self.table_schema(&corpus)?;
        parquet_file::write(target, schema, execution, |each| self.run_table(corpus, each, execution))
    }
}

impl Table {
    fn schema(&self, corpus: &Corpus) -> SchemaRef {
        let own: Vec<_> = self.own.iter().map(|&column| typed(column)).collect();
        schema(&own, kept_fields(corpus, &self.kept))
    }
}

/// The name and the type of a column, and whether it may have nulls.
fn typed(column: ValidateColumn) -> (&'static str, ColumnType, Values) {
    let (column_type, values) = match column {
        ValidateColumn::Line => (ColumnType::Number, Values::Required),
        ValidateColumn::File | ValidateColumn::Puzzle | ValidateColumn::Findings => {
            (ColumnType::Text, Values::Required)
        }
        ValidateColumn::Verdict => (ColumnType::Name(&VERDICTS), Values::Required),
        ValidateColumn::Answer => (ColumnType::Name(&ANSWERS), Values::Optional),
        ValidateColumn::Clues | ValidateColumn::Solutions => (ColumnType::Number, Values::Optional),
        ValidateColumn::Detail | ValidateColumn::Class => (ColumnType::Text, Values::Optional),
    };
    (column.name(), column_type, values)
}

/// Appends rows to typed columns.
pub(super) struct TypedVerdicts {
    own: Vec<ValidateColumn>,
    columns: RowColumns,
}

impl TypedVerdicts {
    fn new(table: &Table, schema: SchemaRef) -> TypedVerdicts {
        let types: Vec<ColumnType> = table.own.iter().map(|&column| typed(column).1).collect();
        TypedVerdicts { own: table.own.clone(), columns: RowColumns::new(schema, &types) }
    }

    /// Appends the row of a record.
    pub(super) fn row(&mut self, file: &str, line: u64, puzzle: &[u8], note: &Note) {
        let known = note.puzzle.as_ref().map(|puzzle| &puzzle.columns);
        let (own, kept) = self.columns.columns().split_at_mut(self.own.len());
        for (column, builder) in self.own.iter().zip(own) {
            match column {
                ValidateColumn::File => builder.text(Some(file.as_bytes())),
                ValidateColumn::Line => builder.number(Some(line)),
                ValidateColumn::Puzzle => builder.text(Some(puzzle)),
                ValidateColumn::Verdict => {
                    let verdict = note.findings.verdict();
                    builder.name(RecordVerdict::ALL.into_iter().position(|other| other == verdict));
                }
                ValidateColumn::Findings if note.findings.is_empty() => builder.text(Some(b"")),
                ValidateColumn::Findings => builder.text(Some(note.findings.to_string().as_bytes())),
                ValidateColumn::Detail => {
                    builder.text(Some(note.detail.as_bytes()).filter(|detail| !detail.is_empty()));
                }
                ValidateColumn::Clues => builder.number(known.map(|known| known.clues as u64)),
                ValidateColumn::Solutions => builder.number(known.and_then(|known| known.solutions)),
                ValidateColumn::Answer => {
                    builder.name(known.and_then(|known| known.answer).map(|score| score as usize));
                }
                ValidateColumn::Class => {
                    let name = known.and_then(|known| known.class).map(|class| class.to_string());
                    builder.text(name.as_deref().map(str::as_bytes));
                }
            }
        }
        for (builder, field) in kept.iter_mut().zip(&note.kept) {
            builder.text(Some(String::from_utf8_lossy(field).as_bytes()));
        }
    }

    /// The rows so far. `kept` are the columns that are carried over, if no row had them as texts.
    pub(super) fn finish(&mut self, kept: Option<&RecordBatch>) -> Batch {
        self.columns.finish(kept)
    }
}
