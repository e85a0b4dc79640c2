//! The rows of `convert`: their columns, and their puzzles for formats without columns.

use crate::rows::{Column, Field, GridsRow, Kind, Row, column};

/// The row of a record.
pub(crate) struct ConvertRow<'a> {
    pub(crate) file: &'a str,
    /// The number of clues; `None` for a malformed record.
    pub(crate) clues: Option<u64>,
    /// The puzzle to write, or why there is none.
    pub(crate) puzzle: GridsRow<'a>,
}

impl Row for ConvertRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        Column::PUZZLE,
        column!("clues", Kind::Number, "the number of clues; none for a malformed record").nullable(),
        column!("detail", Kind::Text, "why the record is malformed").nullable(),
    ];

    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        match column {
            0 => field.text(self.file),
            1 => field.number(self.puzzle.line),
            2 => field.subject(self.puzzle.subject),
            3 => field.number_if_known(self.clues),
            _ => field.text_if_any(self.puzzle.detail),
        }
    }

    fn grids(&self) -> &GridsRow<'_> {
        &self.puzzle
    }
}
