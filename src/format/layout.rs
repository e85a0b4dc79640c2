//! The layout of an input: its format, columns and alphabets, from which splitters and parsers are made.

use std::fmt;

use super::alphabet::Alphabets;
use super::csv::{CsvParser, CsvSplitter};
use super::csv_header::{ColumnChoice, CsvHeader};
use super::csv_quotes::Columns;
use super::grid_parser::GridParser;
use super::grids::GridSplitter;
use super::input_format::InputFormat;
use super::ints::{IntsParser, IntsSplitter};
use super::jsonl::JsonlParser;
use super::lines::{LineAnswerParser, LineParser, LineSplitter};
use super::position::Preamble;
use super::{Order, Parser, PassThrough, Splitter};

/// The layout of an input, as [`detect`](super::detect()) finds it.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) text: TextLayout,
    pub(super) preamble: Preamble,
    pub(super) alphabets: Alphabets,
    pub(super) sample: SampleFacts,
}

/// A format with what is specific to it.
#[derive(Clone, Debug)]
pub(super) enum TextLayout {
    Lines {
        /// Whether answers come after the puzzles and are to be read.
        has_answers: bool,
    },
    /// Lines each of which is a record, with any content.
    AllLines,
    Grids,
    Ints,
    Csv {
        storage: Storage,
        header: CsvHeader,
        /// The index of the column with the puzzles.
        puzzle: usize,
        /// The index of the column with the answers, if there is one and it is to be read.
        answer: Option<usize>,
        /// The indices of the columns that are copied to the output.
        keep: Vec<usize>,
    },
    Jsonl {
        /// The keys of the objects: the columns.
        keys: Vec<String>,
        choice: ColumnChoice,
    },
}

/// What a table is stored in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// Text.
    Text,
    /// Typed columns: the records are written as CSV when they are read.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "only Arrow has them"))]
    Columns,
}

/// Properties of the puzzles in a sample.
#[derive(Clone, Debug, Default)]
pub(super) struct SampleFacts {
    /// Their sizes, ascending.
    pub(super) orders: Vec<Order>,
    /// Their blank symbols.
    pub(super) blanks: Vec<u8>,
    /// The index of a column that looks like answers, and that nobody has named.
    pub(super) unnamed_answers: Option<usize>,
}

impl Layout {
    /// Lines each of which is a record, even if it is empty or a comment. Nothing has to be detected.
    pub fn all_lines(alphabets: Alphabets) -> Layout {
        Layout { text: TextLayout::AllLines, preamble: Preamble::default(), alphabets, sample: SampleFacts::default() }
    }

    /// The layout of an input that has this many lines before the text that was detected.
    pub(crate) fn after_lines(self, lines: u64) -> Layout {
        Layout { preamble: self.preamble.after_lines(lines), ..self }
    }

    /// The format of the input.
    pub fn format(&self) -> InputFormat {
        match self.text {
            TextLayout::Lines { .. } | TextLayout::AllLines => InputFormat::Lines,
            TextLayout::Grids => InputFormat::Grids,
            TextLayout::Ints => InputFormat::Ints,
            TextLayout::Csv { storage: Storage::Text, .. } => InputFormat::Csv,
            TextLayout::Csv { storage: Storage::Columns, .. } => InputFormat::Parquet,
            TextLayout::Jsonl { .. } => InputFormat::Jsonl,
        }
    }

    /// The alphabets that puzzles are read and printed in.
    pub fn alphabets(&self) -> &Alphabets {
        &self.alphabets
    }

    /// Makes a splitter for the input, from its first byte.
    pub fn splitter(&self) -> Box<dyn Splitter> {
        match &self.text {
            TextLayout::Lines { .. } => Box::new(LineSplitter::new(self.preamble)),
            TextLayout::AllLines => Box::new(LineSplitter::all_lines()),
            TextLayout::Grids => Box::new(GridSplitter::new(self.preamble)),
            TextLayout::Ints => Box::new(IntsSplitter::new(self.preamble)),
            TextLayout::Csv { header, puzzle, .. } => {
                let columns = Columns { count: header.names.len(), puzzle: *puzzle };
                Box::new(CsvSplitter::new(self.preamble, header.delimiter, Some(columns)))
            }
            TextLayout::Jsonl { .. } => Box::new(LineSplitter::filled_lines(self.preamble)),
        }
    }

    /// Makes a parser for the records.
    pub fn parser(&self) -> Box<dyn Parser> {
        match &self.text {
            TextLayout::Lines { .. } | TextLayout::AllLines => Box::new(LineParser::new(self.alphabets)),
            TextLayout::Grids => Box::new(GridParser::new(self.alphabets)),
            TextLayout::Ints => Box::new(IntsParser::new(self.alphabets)),
            TextLayout::Csv { header, puzzle, .. } => {
                Box::new(CsvParser::new(self.alphabets, header.delimiter, *puzzle))
            }
            TextLayout::Jsonl { keys, choice } => Box::new(JsonlParser::new(self.alphabets, &keys[choice.puzzle])),
        }
    }

    /// Makes a parser for the answers in the same records, if there is an [`AnswerColumn`](super::AnswerColumn).
    pub fn answer_parser(&self) -> Option<Box<dyn Parser>> {
        match &self.text {
            TextLayout::Lines { has_answers: true } => Some(Box::new(LineAnswerParser::new(self.alphabets))),
            TextLayout::Csv { header, answer: Some(answer), .. } => {
                Some(Box::new(CsvParser::new(self.alphabets, header.delimiter, *answer)))
            }
            TextLayout::Jsonl { keys, choice: ColumnChoice { answer: Some(answer), .. } } => {
                Some(Box::new(JsonlParser::new(self.alphabets, &keys[*answer])))
            }
            _ => None,
        }
    }

    /// The header of a table, line end included; empty if the input is none.
    pub fn header_text(&self) -> &[u8] {
        match &self.text {
            TextLayout::Csv { header, .. } => &header.text,
            _ => &[],
        }
    }

    /// The names of the columns that are copied to the output, as the header or the objects have them.
    pub fn kept_columns(&self) -> impl Iterator<Item = &str> {
        let (names, keep) = match &self.text {
            TextLayout::Csv { header, keep, .. } => (&header.names[..], &keep[..]),
            TextLayout::Jsonl { keys, choice } => (&keys[..], &choice.keep[..]),
            _ => (&[][..], &[][..]),
        };
        keep.iter().map(|&column| &*names[column])
    }

    /// Makes a reader of the columns that are copied to the output, in the order of [`Layout::kept_columns`].
    pub fn pass_through(&self) -> PassThrough {
        match &self.text {
            TextLayout::Csv { header, keep, .. } => PassThrough::new(header.delimiter, keep.clone()),
            TextLayout::Jsonl { .. } => PassThrough::of_keys(self.kept_columns()),
            _ => PassThrough::new(b',', vec![]),
        }
    }
}

/// One line: `grids of 16x16, A-P, blank '-'`.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SampleFacts { orders, blanks, unnamed_answers } = &self.sample;
        let listed = |items: Vec<String>| match items.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        };
        let sizes = listed(orders.iter().map(ToString::to_string).collect());
        match &self.text {
            TextLayout::Ints if orders.is_empty() => return write!(f, "integers"),
            TextLayout::Ints => {
                let numbers = listed(orders.iter().map(|order| order.get().to_string()).collect());
                return write!(f, "integers, order {numbers}");
            }
            TextLayout::Csv { storage: Storage::Columns, header, puzzle, answer, .. } => {
                write!(f, "{}, puzzle in column '{}'", self.format(), header.names[*puzzle])?;
                if let Some(answer) = answer {
                    write!(f, ", answer in column '{}'", header.names[*answer])?;
                }
                if orders.as_slice() != [Order::Three] && !orders.is_empty() {
                    write!(f, ", {sizes}")?;
                }
            }
            TextLayout::Csv { header, puzzle, answer, .. } => {
                write!(f, "CSV with a header, puzzle in column {} '{}'", puzzle + 1, header.names[*puzzle])?;
                if let Some(answer) = answer {
                    write!(f, ", answer in column {} '{}'", answer + 1, header.names[*answer])?;
                }
                if orders.as_slice() != [Order::Three] && !orders.is_empty() {
                    write!(f, ", {sizes}")?;
                }
            }
            TextLayout::Jsonl { keys, choice } => {
                write!(f, "JSON lines, puzzle in key '{}'", keys[choice.puzzle].escape_debug())?;
                if let Some(answer) = choice.answer {
                    write!(f, ", answer in key '{}'", keys[answer].escape_debug())?;
                }
                if orders.as_slice() != [Order::Three] && !orders.is_empty() {
                    write!(f, ", {sizes}")?;
                }
            }
            TextLayout::Lines { .. } | TextLayout::AllLines | TextLayout::Grids => {
                write!(f, "{}", self.format())?;
                if !orders.is_empty() {
                    write!(f, " of {sizes}")?;
                }
            }
        }
        for order in orders.iter().filter(|order| **order > Order::Three) {
            if let Some(alphabet) = self.alphabets.get(*order) {
                write!(f, ", {alphabet}")?;
            }
        }
        if !blanks.is_empty() {
            let plural = if blanks.len() == 1 { "" } else { "s" };
            let blanks = blanks.iter().map(|blank| format!("'{}'", char::from(*blank))).collect();
            write!(f, ", blank{plural} {}", listed(blanks))?;
        }
        match (&self.text, *unnamed_answers) {
            (TextLayout::Lines { has_answers: true }, _) => write!(f, ", answers after the puzzles")?,
            (TextLayout::Csv { header, .. }, Some(column)) => {
                let name = &header.names[column];
                write!(f, "; column {} '{name}' looks like answers, --answer-column checks it", column + 1)?;
            }
            (TextLayout::Jsonl { keys, .. }, Some(key)) => {
                let name = keys[key].escape_debug();
                write!(f, "; key '{name}' looks like answers, --answer-column checks it")?;
            }
            _ => {}
        }
        Ok(())
    }
}
