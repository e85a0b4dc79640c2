//! The serial part of a validation: completes the rows in the order of the input, and counts what was found.
//!
//! A verdict is known only here, since duplicates depend on earlier records.

use crate::corpus::ChunkInput;
use crate::jobs::copying::records_of;
use crate::pipeline::Chunk;
use crate::rows::{FileColumn, RowFields};

use super::columns::{Table, row_fields};
use super::duplicate_index::{DuplicateIndex, Repeats};
use super::example::{Example, Examples};
use super::note::Note;
use super::outputs::RecordOutputs;
use super::score::CorpusScore;
#[cfg(feature = "arrow")]
use super::typed::TypedVerdicts;
#[cfg(feature = "arrow")]
use crate::arrow::RecordBatch;
#[cfg(feature = "arrow")]
use crate::jobs::typed::Batch;

/// Everything that is carried from one record of a corpus to the next.
pub(super) struct ValidateState {
    pub(super) index: DuplicateIndex,
    pub(super) score: CorpusScore,
    pub(super) examples: Examples,
    rows: CompletedRows,
}

/// The completed rows of a chunk.
pub(super) enum CompletedRows {
    /// CSV.
    Csv { table: Table, fields: Box<RowFields>, rows: Vec<u8> },
    /// Typed columns.
    #[cfg(feature = "arrow")]
    Typed(TypedVerdicts),
}

impl CompletedRows {
    /// CSV with these columns.
    pub(super) fn csv(table: &Table) -> CompletedRows {
        CompletedRows::Csv { table: table.clone(), fields: Box::new(row_fields()), rows: vec![] }
    }
}

impl ValidateState {
    /// The state before the first record of so many inputs.
    pub(super) fn new(repeats: Repeats, inputs: usize, rows: CompletedRows) -> ValidateState {
        let index = DuplicateIndex::new(repeats, FileColumn::for_inputs(inputs));
        ValidateState { index, score: CorpusScore::default(), examples: Examples::default(), rows }
    }

    /// Takes the next chunk in the order of the input: looks its records up among the earlier ones, completes its rows,
    /// and copies its records.
    ///
    /// This is serial, so it only looks up, counts and copies.
    pub(super) fn finish(&mut self, chunk: &mut Chunk<ChunkInput, Note>, copies: &mut RecordOutputs) {
        if chunk.records.is_empty() {
            copies.rest_of_record(&chunk.text);
        }
        let mut notes = std::mem::take(&mut chunk.notes);
        let mut start = 0;
        for (record, note) in records_of(chunk).zip(&mut notes) {
            if let Some(puzzle) = &note.puzzle {
                let repeats = self.index.enter(record.input, record.line, puzzle.key, puzzle.columns.class);
                for (finding, words) in repeats.into_iter().flatten() {
                    note.add(finding, words);
                }
            }
            match &mut self.rows {
                CompletedRows::Csv { table, fields, rows } => {
                    table.push_complete(fields, &chunk.output, start, note, rows);
                }
                #[cfg(feature = "arrow")]
                CompletedRows::Typed(rows) => {
                    rows.row(&record.input.name, record.line, &chunk.output[start..note.row_end], note);
                }
            }
            start = note.row_end;
            self.examples.see(record, note.findings, &note.detail);
            self.score.count(note);
            copies.copy(note.findings, &record);
        }
        chunk.notes = notes;
        chunk.output.clear();
        match &mut self.rows {
            CompletedRows::Csv { rows, .. } => std::mem::swap(&mut chunk.output, rows),
            #[cfg(feature = "arrow")]
            CompletedRows::Typed(_) => {}
        }
    }

    /// The typed rows so far, which are removed. `kept` are the columns that are carried over, if they are typed.
    #[cfg(feature = "arrow")]
    pub(super) fn take_rows(&mut self, kept: Option<&RecordBatch>) -> Option<Batch> {
        if let CompletedRows::Typed(rows) = &mut self.rows { Some(rows.finish(kept)) } else { None }
    }

    /// The score of all records so far, and an example of each verdict but sound.
    pub(super) fn into_score(mut self) -> (CorpusScore, Vec<Example>) {
        self.score.classes = self.index.classes();
        (self.score, self.examples.into_vec())
    }
}
