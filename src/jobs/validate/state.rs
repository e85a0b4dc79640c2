//! The serial part of a validation: completes the rows in the order of the input, and counts what was found.
//!
//! A verdict is known only here, since duplicates depend on earlier records. Workers leave each row without it:
//!
//! ```text
//! chunk.output  line,puzzle | ,clues,solutions,answer,class⏎ line,puzzle | ,clues,...
//!                           ^ note.verdict_at                            ^
//! ```

use std::sync::Arc;

use crate::corpus::Input;
use crate::format::line_end_length;
use crate::pipeline::Chunk;
use crate::rows::{FileColumn, RowFields};

use super::columns;
use super::duplicate_index::{DuplicateIndex, Repeats};
use super::note::Note;
use super::rejects::Rejects;
use super::score::CorpusScore;

/// Everything that is carried from one record of a corpus to the next.
pub(super) struct ValidateState {
    pub(super) index: DuplicateIndex,
    pub(super) score: CorpusScore,
    fields: RowFields,
    /// The completed rows of a chunk.
    rows: Vec<u8>,
}

impl ValidateState {
    /// The state before the first record. `file` as for the rows.
    pub(super) fn new(repeats: Repeats, file: FileColumn) -> ValidateState {
        ValidateState {
            index: DuplicateIndex::new(repeats, file),
            score: CorpusScore::default(),
            fields: RowFields::new(file),
            rows: Vec::new(),
        }
    }

    /// Takes the next chunk in the order of the input: looks its records up among the earlier ones, completes its rows,
    /// and copies every record that is not sound to `rejects`.
    ///
    /// This is serial, so it only looks up, counts and copies.
    pub(super) fn finish(&mut self, chunk: &mut Chunk<Arc<Input>, Note>, rejects: &mut Rejects) {
        if chunk.records.is_empty() {
            rejects.rest_of_record(&chunk.text);
        }
        let Some(input) = &chunk.input else { return };
        let mut copied = 0;
        for (index, (record, note)) in chunk.records.iter().zip(&mut chunk.notes).enumerate() {
            if let Some(puzzle) = &note.puzzle {
                let repeats = self.index.enter(input, record.line, puzzle.key, puzzle.columns.class);
                for (finding, words) in repeats.into_iter().flatten() {
                    note.add(finding, words);
                }
            }
            let mut row = self.fields.row(&mut self.rows);
            row.append(&chunk.output[copied..note.verdict_at]);
            copied = note.verdict_at;
            columns::push_verdict(note.findings, &note.detail, &mut row);
            row.end();
            self.score.count(note);
            if note.findings.is_empty() {
                rejects.skip();
            } else {
                let next = chunk.records.get(index + 1).map_or(chunk.text.len(), |next| next.text.start);
                let after = &chunk.text[record.text.end..next];
                rejects.copy(input, &chunk.text[record.text.clone()], &after[..line_end_length(after)]);
            }
        }
        self.rows.extend_from_slice(&chunk.output[copied..]);
        std::mem::swap(&mut chunk.output, &mut self.rows);
        self.rows.clear();
    }

    /// The score of all records so far.
    pub(super) fn into_score(mut self) -> CorpusScore {
        self.score.classes = self.index.classes();
        self.score
    }
}
