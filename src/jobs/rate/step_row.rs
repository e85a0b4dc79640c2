//! The row of a step of `rate`.
//!
//! ```text
//! [file,]line,puzzle,step,technique,difficulty,cells,digits,houses,eliminations,placements,candidates,implications,
//! kept ...
//! ```
#![expect(clippy::inline_always, reason = "as for all rows")]

use crate::jobs::rated::decimal;
use crate::rating::{Candidates, Step, cell_name};
use crate::rows::{Column, Field, Kind, Row, Subject, column};

/// One step of the solution of a puzzle.
pub(crate) struct StepRow<'a> {
    /// The name of the input.
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) subject: Subject<'a>,
    /// The number of the step, from 1.
    pub(super) number: u64,
    /// The candidates before the step.
    pub(super) candidates: &'a Candidates,
    pub(super) step: &'a Step,
}

impl Row for StepRow<'_> {
    const COLUMNS: &'static [Column] = &[
        Column::FILE,
        Column::LINE,
        Column::PUZZLE,
        column!("step", Kind::Number, "the number of the step, from 1"),
        column!("technique", Kind::Text, "its technique"),
        column!("difficulty", Kind::Decimal, "its difficulty"),
        column!("cells", Kind::Texts, "the cells of its pattern, such as r4c5"),
        column!("digits", Kind::Text, "the digits of its pattern, such as {4,7}"),
        column!("houses", Kind::Texts, "the houses of its pattern, such as box 5"),
        column!("eliminations", Kind::Texts, "the candidates that it removes, such as r4c6<>{4,7}"),
        column!("placements", Kind::Texts, "the digits that it places, such as r4c5=7"),
        column!("candidates", Kind::Text, "all candidates before the step: 729 symbols"),
        column!("implications", Kind::Texts, "what follows in a chain, and from what: r4c5=7, r4c6<>7:0"),
    ];

    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        let step = self.step;
        match column {
            0 => field.text(self.file),
            1 => field.number(self.line),
            2 => field.subject(self.subject),
            3 => field.number(self.number),
            4 => field.text(&step.technique.to_string()),
            5 => field.decimal(decimal(step.difficulty)),
            6 => field.texts(step.cells.into_iter().map(cell_name)),
            7 => field.text(&step.digits.to_string()),
            8 => field.texts(step.houses.iter().map(ToString::to_string)),
            9 => field.texts(step.eliminations.iter().map(ToString::to_string)),
            10 => field.texts(step.placement.iter().map(ToString::to_string)),
            11 => field.text(&self.candidates.to_string()),
            _ => field.texts(step.implications.iter().map(ToString::to_string)),
        }
    }
}
