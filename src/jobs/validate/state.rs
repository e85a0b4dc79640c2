//! The serial part of a validation: completes the rows in the order of the input, and counts what was found.
//!
//! A verdict is known only here, since duplicates depend on earlier records. Workers leave each row without it:
//!
//! ```text
//! chunk.output  line,puzzle | ,clues,solutions,answer,class⏎ line,puzzle | ,clues,...
//!                           ^ note.verdict_at                            ^
//! ```

use crate::corpus::ChunkInput;
use crate::format::line_end_length;
use crate::pipeline::Chunk;
use crate::rows::{FileColumn, RowFields};

use super::columns;
use super::duplicate_index::{DuplicateIndex, Repeats};
use super::example::{Example, Examples, RowStart};
use super::note::Note;
use super::rejects::Rejects;
use super::score::CorpusScore;
#[cfg(feature = "arrow")]
use super::typed::TypedVerdicts;
#[cfg(feature = "arrow")]
use crate::jobs::typed::Batch;

/// Everything that is carried from one record of a corpus to the next.
pub(super) struct ValidateState {
    pub(super) index: DuplicateIndex,
    pub(super) score: CorpusScore,
    examples: Examples,
    rows: CompletedRows,
}

/// The completed rows of a chunk.
pub(super) enum CompletedRows {
    /// CSV.
    Csv { fields: Box<RowFields>, rows: Vec<u8> },
    /// Typed columns.
    #[cfg(feature = "arrow")]
    Typed(TypedVerdicts),
}

impl ValidateState {
    /// The state before the first record. `file` as for the rows.
    pub(super) fn new(repeats: Repeats, file: FileColumn) -> ValidateState {
        ValidateState::with_rows(
            repeats,
            file,
            CompletedRows::Csv { fields: Box::new(RowFields::new(file)), rows: vec![] },
        )
    }

    /// The state before the first record, with other rows.
    pub(super) fn with_rows(repeats: Repeats, file: FileColumn, rows: CompletedRows) -> ValidateState {
        let (index, score) = (DuplicateIndex::new(repeats, file), CorpusScore::default());
        ValidateState { index, score, examples: Examples::default(), rows }
    }

    /// Takes the next chunk in the order of the input: looks its records up among the earlier ones, completes its rows,
    /// and copies every record that is not sound to `rejects`.
    ///
    /// This is serial, so it only looks up, counts and copies.
    pub(super) fn finish(&mut self, chunk: &mut Chunk<ChunkInput, Note>, rejects: &mut Rejects) {
        if chunk.records.is_empty() {
            rejects.rest_of_record(&chunk.text);
        }
        let Some(ChunkInput { input, .. }) = &chunk.input else { return };
        let mut copied = 0;
        for (index, (record, note)) in chunk.records.iter().zip(&mut chunk.notes).enumerate() {
            if let Some(puzzle) = &note.puzzle {
                let repeats = self.index.enter(input, record.line, puzzle.key, puzzle.columns.class);
                for (finding, words) in repeats.into_iter().flatten() {
                    note.add(finding, words);
                }
            }
            let start = &chunk.output[copied..note.verdict_at];
            copied = note.verdict_at;
            match &mut self.rows {
                CompletedRows::Csv { fields, rows } => {
                    // The last columns of the row before stand first. They have no line end but that of the row.
                    let own = match memchr::memchr(b'\n', start) {
                        Some(end) if index > 0 => &start[end + 1..],
                        _ => start,
                    };
                    self.examples.see(&input.name, record.line, RowStart::Csv(own), note);
                    let mut row = fields.row(rows);
                    row.append(start);
                    columns::push_verdict(note.findings, &note.detail, &mut row);
                    row.end();
                }
                #[cfg(feature = "arrow")]
                CompletedRows::Typed(rows) => {
                    self.examples.see(&input.name, record.line, RowStart::Puzzle(start), note);
                    rows.row(&input.name, record.line, start, note);
                }
            }
            self.score.count(note);
            if note.findings.is_empty() {
                rejects.skip();
            } else {
                let next = chunk.records.get(index + 1).map_or(chunk.text.len(), |next| next.text.start);
                let after = &chunk.text[record.text.end..next];
                rejects.copy(input, &chunk.text[record.text.clone()], &after[..line_end_length(after)]);
            }
        }
        match &mut self.rows {
            CompletedRows::Csv { rows, .. } => {
                rows.extend_from_slice(&chunk.output[copied..]);
                std::mem::swap(&mut chunk.output, rows);
                rows.clear();
            }
            #[cfg(feature = "arrow")]
            CompletedRows::Typed(_) => chunk.output.clear(),
        }
    }

    /// The typed rows so far, which are removed.
    #[cfg(feature = "arrow")]
    pub(super) fn take_rows(&mut self) -> Option<Batch> {
        if let CompletedRows::Typed(rows) = &mut self.rows { Some(rows.finish()) } else { None }
    }

    /// The score of all records so far, and an example of each verdict but sound.
    pub(super) fn into_score(mut self) -> (CorpusScore, Vec<Example>) {
        self.score.classes = self.index.classes();
        (self.score, self.examples.into_vec())
    }
}
