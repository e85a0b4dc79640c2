//! The row of a copy.

use crate::format::Alphabet;
use crate::rows::{Column, Field, Kind, Row, Subject, column};

/// A copy of a puzzle with its answer.
pub(crate) struct CopyRow<'a> {
    pub(super) puzzle: &'a [u8],
    /// `None` if the input has no answers.
    pub(super) answer: Option<&'a [u8]>,
    pub(super) alphabet: &'a Alphabet,
    pub(super) blank: u8,
    pub(super) origin: Origin<'a>,
}

/// The record that a copy is of.
#[derive(Clone, Copy)]
pub(super) enum Origin<'a> {
    /// Its line, if there is one input.
    Line(u64),
    /// `NAME:LINE`.
    Location(&'a str),
}

impl Row for CopyRow<'_> {
    const COLUMNS: &'static [Column] = &[
        column!("puzzle", Kind::Text, "the copy in one line"),
        column!("solution", Kind::Text, "the copy of the answer, if the input has answers").nullable(),
        column!("origin", Kind::Number, "the line of the record, after the name of its input if there are several"),
    ];

    #[expect(clippy::inline_always, reason = "as for all rows")]
    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        let &CopyRow { puzzle, answer, alphabet, blank, origin } = self;
        match column {
            0 => field.subject(Subject::Puzzle { cells: puzzle, alphabet, blank }),
            1 => match answer {
                Some(answer) => field.symbols(alphabet, answer, blank),
                None => field.null(),
            },
            _ => match origin {
                Origin::Line(line) => field.number(line),
                Origin::Location(location) => field.text(location),
            },
        }
    }
}
