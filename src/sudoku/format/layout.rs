//! The layout of an input: its format, columns and alphabets. It makes splitters and parsers.

use std::fmt;
use std::sync::Arc;

use super::alphabet::{Alphabets, listed};
use super::columns::Table;
use super::definition::TextLayout;
use super::error::Remedy;
#[cfg(feature = "corpus")]
use super::fields::PassThrough;
use super::formats::InputFormat;
use super::formats::lines::ALL_LINES;
#[cfg(feature = "corpus")]
use super::sample::RareSizes;
use super::sample::SampleFacts;
use super::stream::Preamble;
use super::{Parser, Size, Splitter};

/// The layout of an input; the result of [`detect`](super::detect()).
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) format: InputFormat,
    pub(super) text: Arc<dyn TextLayout>,
    pub(super) table: Option<Table>,
    /// The column of answers, if they are read.
    pub(super) answer: Option<usize>,
    pub(super) preamble: Preamble,
    pub(super) alphabets: Alphabets,
    pub(super) sample: SampleFacts,
}

impl Layout {
    /// A layout where each line is a record, even if it is empty or a comment. Nothing has to be detected.
    pub fn all_lines(alphabets: Alphabets) -> Layout {
        Layout {
            format: InputFormat::Lines,
            text: Arc::new(ALL_LINES),
            table: None,
            answer: None,
            preamble: Preamble::default(),
            alphabets,
            sample: SampleFacts::default(),
        }
    }

    /// The layout for the same input with this many lines before the text that was detected.
    pub(crate) fn after_lines(self, lines: u64) -> Layout {
        Layout { preamble: self.preamble.after_lines(lines), ..self }
    }

    /// The layout of the same input in other alphabets.
    pub(crate) fn with_alphabets(&self, alphabets: Alphabets) -> Layout {
        Layout { alphabets, ..self.clone() }
    }

    /// The format of the input.
    pub fn format(&self) -> InputFormat {
        self.format
    }

    /// The alphabets for reading and printing puzzles.
    pub fn alphabets(&self) -> &Alphabets {
        &self.alphabets
    }

    /// Makes a splitter for the input, from its first byte.
    pub fn splitter(&self) -> Box<dyn Splitter> {
        self.text.splitter(self.preamble)
    }

    /// Makes a parser for the records.
    pub fn parser(&self) -> Box<dyn Parser> {
        self.text.parser(self.alphabets, self.puzzle_column())
    }

    /// Makes a parser for the answers in the same records, if there is an [`AnswerColumn`](super::AnswerColumn).
    pub fn answer_parser(&self) -> Option<Box<dyn Parser>> {
        self.answer.map(|answer| self.text.parser(self.alphabets, answer))
    }

    /// The sizes that hardly any puzzle of the input has.
    #[cfg(feature = "corpus")]
    pub(crate) fn rare_sizes(&self) -> RareSizes {
        self.sample.rare
    }

    /// The column with the puzzles; the first column if the input is not a table.
    pub(super) fn puzzle_column(&self) -> usize {
        self.table.as_ref().map_or(0, |table| table.choice.puzzle)
    }

    /// The header of a table, line end included; empty if the input is not a table.
    pub fn header_text(&self) -> &[u8] {
        self.text.header()
    }

    /// The names of the columns to copy to the output, as in the header or the objects.
    pub fn kept_columns(&self) -> impl Iterator<Item = &str> {
        self.table.as_ref().map(Table::kept).into_iter().flatten()
    }

    /// A remark on the columns that are not copied, although all columns of the first input are.
    pub(crate) fn left_out(&self) -> Option<String> {
        self.table.as_ref()?.left_out()
    }

    /// The columns of a table that has names for them. For typed columns, only the columns that are read.
    #[cfg(feature = "cli")]
    pub(crate) fn table(&self) -> Option<&Table> {
        self.table.as_ref()
    }

    /// The delimiter between the fields of CSV.
    #[cfg(feature = "cli")]
    pub(crate) fn delimiter(&self) -> Option<u8> {
        self.text.delimiter()
    }

    /// Whether records are parts of a document, so that a copy of one has no line end.
    #[cfg(feature = "corpus")]
    pub(crate) fn is_document(&self) -> bool {
        self.text.is_document()
    }

    /// Makes a reader of the columns to copy to the output, in the order of [`Layout::kept_columns`].
    #[cfg(feature = "corpus")]
    pub fn pass_through(&self) -> PassThrough {
        let keep = self.table.as_ref().map_or(&[][..], |table| &table.choice.keep);
        self.text.pass_through(keep)
    }

    /// The option that would read a part that is left out: [`Remedy::AnswerColumn`] if a column looks like answers, but
    /// was not requested.
    pub fn remedy(&self) -> Option<Remedy> {
        self.table.as_ref()?.unnamed_answers.map(|_| Remedy::AnswerColumn)
    }
}

/// One line: `grids of 16x16, A-P, blank '-'`.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SampleFacts { sizes, blanks, full, unsolved, .. } = &self.sample;
        let table = self.table.as_ref().map(|table| (table, |at: usize| self.text.column(at, &table.names[at])));
        let columns = table.as_ref().map(|(table, column)| table.describe(sizes, column)).unwrap_or_default();
        f.write_str(&self.text.describe(sizes, &columns))?;
        let has_symbols = self.text.has_symbols();
        let alphabets = sizes.iter().filter_map(|size| self.alphabets.get(*size)).filter(|_| has_symbols);
        for alphabet in alphabets.filter(|alphabet| alphabet.size() > Size::Nine || !alphabet.has_digits()) {
            write!(f, ", {alphabet}")?;
        }
        if has_symbols && !blanks.is_empty() {
            let plural = if blanks.len() == 1 { "" } else { "s" };
            let blanks = blanks.iter().map(|blank| format!("'{}'", char::from(*blank)));
            write!(f, ", blank{plural} {}", listed(blanks, "and"))?;
        }
        match table {
            Some((Table { unnamed_answers: Some(answers), .. }, column)) => {
                write!(f, "; {} looks like answers", column(*answers))?;
            }
            Some((Table { not_read, .. }, _)) if !not_read.is_empty() => {
                write!(f, "; not read: {}", listed(not_read, "and"))?;
            }
            None if self.answer.is_some() => f.write_str(", answers after the puzzles")?,
            _ => {}
        }
        if *full > 0 && *unsolved > 0 && full.abs_diff(*unsolved) <= 1 {
            f.write_str("; half of the records have no blanks: they may be solutions")?;
        }
        Ok(())
    }
}
