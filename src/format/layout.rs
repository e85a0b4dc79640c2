//! The layout of an input: its format, columns and alphabets, from which splitters and parsers are made.

use std::fmt;
use std::sync::Arc;

use super::alphabet::{Alphabets, listed};
use super::columns::Table;
use super::definition::{TextLayout, UnnamedAnswers};
use super::error::Remedy;
#[cfg(feature = "corpus")]
use super::fields::PassThrough;
use super::formats::InputFormat;
use super::formats::lines::AllLines;
use super::sample::SampleFacts;
use super::splitter::Preamble;
use super::{Parser, Size, Splitter};

/// The layout of an input, as [`detect`](super::detect()) finds it.
#[derive(Clone, Debug)]
pub struct Layout {
    format: InputFormat,
    pub(super) text: Arc<dyn TextLayout>,
    preamble: Preamble,
    pub(super) alphabets: Alphabets,
    pub(super) sample: SampleFacts,
}

impl Layout {
    pub(super) fn new(
        format: InputFormat,
        text: Box<dyn TextLayout>,
        preamble: Preamble,
        alphabets: Alphabets,
        sample: SampleFacts,
    ) -> Layout {
        Layout { format, text: text.into(), preamble, alphabets, sample }
    }

    /// Lines each of which is a record, even if it is empty or a comment. Nothing has to be detected.
    pub fn all_lines(alphabets: Alphabets) -> Layout {
        let (preamble, facts) = (Preamble::default(), SampleFacts::default());
        Layout::new(InputFormat::Lines, Box::new(AllLines), preamble, alphabets, facts)
    }

    /// The layout of an input that has this many lines before the text that was detected.
    #[cfg(feature = "corpus")]
    pub(crate) fn after_lines(self, lines: u64) -> Layout {
        Layout { preamble: self.preamble.after_lines(lines), ..self }
    }

    /// The layout of an input in other alphabets.
    #[cfg(feature = "corpus")]
    pub(crate) fn with_alphabets(&self, alphabets: Alphabets) -> Layout {
        Layout { alphabets, ..self.clone() }
    }

    /// The format of the input.
    pub fn format(&self) -> InputFormat {
        self.format
    }

    /// The alphabets that puzzles are read and printed in.
    pub fn alphabets(&self) -> &Alphabets {
        &self.alphabets
    }

    /// Makes a splitter for the input, from its first byte.
    pub fn splitter(&self) -> Box<dyn Splitter> {
        self.text.splitter(self.preamble)
    }

    /// Makes a parser for the records.
    pub fn parser(&self) -> Box<dyn Parser> {
        self.text.parser(self.alphabets)
    }

    /// Makes a parser for the answers in the same records, if there is an [`AnswerColumn`](super::AnswerColumn).
    pub fn answer_parser(&self) -> Option<Box<dyn Parser>> {
        self.text.answer_parser(self.alphabets)
    }

    /// The header of a table, line end included; empty if the input is none.
    pub fn header_text(&self) -> &[u8] {
        self.text.header()
    }

    /// The names of the columns that are copied to the output, as the header or the objects have them.
    pub fn kept_columns(&self) -> impl Iterator<Item = &str> {
        self.text.table().map(Table::kept).into_iter().flatten()
    }

    /// The columns of a table that has names for them; of typed columns, those that are read.
    #[cfg(feature = "card")]
    pub(crate) fn table(&self) -> Option<&Table> {
        self.text.table()
    }

    /// The byte between the fields of CSV.
    #[cfg(feature = "card")]
    pub(crate) fn delimiter(&self) -> Option<u8> {
        self.text.delimiter()
    }

    /// Makes a reader of the columns that are copied to the output, in the order of [`Layout::kept_columns`].
    #[cfg(feature = "corpus")]
    pub fn pass_through(&self) -> PassThrough {
        self.text.pass_through()
    }

    /// The option that reads what is left out: [`Remedy::AnswerColumn`] if a column looks like answers, and nobody has
    /// named it.
    pub fn remedy(&self) -> Option<Remedy> {
        let unread = |answers| matches!(answers, UnnamedAnswers::In(_));
        self.text.unnamed_answers().is_some_and(unread).then_some(Remedy::AnswerColumn)
    }
}

/// One line: `grids of 16x16, A-P, blank '-'`.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SampleFacts { sizes, blanks, .. } = &self.sample;
        f.write_str(&self.text.describe(sizes))?;
        if !self.text.has_symbols() {
            return Ok(());
        }

        // Smaller sizes have one alphabet.
        for size in sizes.iter().filter(|size| **size > Size::Nine) {
            if let Some(alphabet) = self.alphabets.get(*size) {
                write!(f, ", {alphabet}")?;
            }
        }
        if !blanks.is_empty() {
            let plural = if blanks.len() == 1 { "" } else { "s" };
            let blanks = blanks.iter().map(|blank| format!("'{}'", char::from(*blank)));
            write!(f, ", blank{plural} {}", listed(blanks, "and"))?;
        }
        match self.text.unnamed_answers() {
            Some(UnnamedAnswers::AfterPuzzles) => f.write_str(", answers after the puzzles"),
            Some(UnnamedAnswers::In(column)) => write!(f, "; {column} looks like answers"),
            None => Ok(()),
        }
    }
}
