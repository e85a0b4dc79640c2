//! The layout of an input: all that has to be known to cut it into records and to read these.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::alphabet::Alphabets;
use super::csv::{CsvParser, CsvSplitter, PassThrough};
use super::csv_header::CsvHeader;
use super::grid_parser::GridParser;
use super::grids::GridSplitter;
use super::ints::{IntsParser, IntsSplitter};
use super::lines::{LineParser, LineSplitter};
use super::position::Preamble;
use super::{Order, Parser, Splitter};

/// The formats that puzzles are read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InputFormat {
    /// One puzzle a line.
    Lines,
    /// As many lines as columns, with or without borders.
    Grids,
    /// An order and the cells as numbers.
    Ints,
    /// A table with a header.
    Csv,
}

impl InputFormat {
    /// All formats.
    pub const ALL: [InputFormat; 4] = [InputFormat::Lines, InputFormat::Grids, InputFormat::Ints, InputFormat::Csv];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            InputFormat::Lines => "lines",
            InputFormat::Grids => "grids",
            InputFormat::Ints => "ints",
            InputFormat::Csv => "csv",
        }
    }

    /// One line about the format.
    pub fn description(self) -> &'static str {
        match self {
            InputFormat::Lines => "one puzzle a line; behind a space, tab, comma, semicolon or colon, a comment",
            InputFormat::Grids => "as many lines as columns, with or without spaces, borders and empty lines between",
            InputFormat::Ints => "an order from 2 to 5, then the cells as numbers with spaces between, 0 for a blank",
            InputFormat::Csv => "a table with a header, of which one column holds the puzzles",
        }
    }

    /// A small input in this format.
    pub fn example(self) -> &'static str {
        match self {
            InputFormat::Lines => {
                "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4...... a comment\n"
            }
            InputFormat::Grids => {
                "4 . . | . . . | 8 . 5\n. 3 . | . . . | . . .\n. . . | 7 . . | . . .\n------+-------+------\n\
                 . 2 . | . . . | . 6 .\n. . . | . 8 . | 4 . .\n. . . | . 1 . | . . .\n------+-------+------\n\
                 . . . | 6 . 3 | . 7 .\n5 . . | 2 . . | . . .\n1 . 4 | . . . | . . .\n"
            }
            InputFormat::Ints => "2\n1 0 0 4\n0 0 1 0\n0 1 0 0\n4 0 0 1\n",
            InputFormat::Csv => {
                "id,puzzle\n7,4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n"
            }
        }
    }
}

/// The name of the format.
impl fmt::Display for InputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No input format has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no input format is called '{0}'; there are lines, grids, ints and csv")]
pub struct UnknownFormat(String);

/// Finds a format by its name.
impl FromStr for InputFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<InputFormat, UnknownFormat> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// All that is known of one input; the work of [`detect`](super::detect::detect).
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) text: TextLayout,
    pub(super) head: Preamble,
    pub(super) alphabets: Alphabets,
    pub(super) seen: SampleFacts,
}

/// A format with its particulars.
#[derive(Clone, Debug)]
pub(super) enum TextLayout {
    Lines,
    /// Lines of which each is a record, whatever it holds.
    AllLines,
    Grids,
    Ints,
    Csv {
        header: CsvHeader,
        /// The index of the column with the puzzles.
        puzzle: usize,
        /// The index of the column with the answers, if there is one and it is wanted.
        answer: Option<usize>,
        /// The indices of the columns that are passed through.
        keep: Vec<usize>,
    },
}

/// What puzzles a sample has.
#[derive(Clone, Debug, Default)]
pub(super) struct SampleFacts {
    /// Their sizes, ascending.
    pub(super) orders: Vec<Order>,
    /// Their blank symbols.
    pub(super) blanks: Vec<u8>,
}

impl Layout {
    /// Lines of which each is a record, also one that is empty or a comment; nothing has to be recognised.
    pub fn of_all_lines(alphabets: Alphabets) -> Layout {
        Layout { text: TextLayout::AllLines, head: Preamble::default(), alphabets, seen: SampleFacts::default() }
    }

    /// The format of the input.
    pub fn format(&self) -> InputFormat {
        match self.text {
            TextLayout::Lines | TextLayout::AllLines => InputFormat::Lines,
            TextLayout::Grids => InputFormat::Grids,
            TextLayout::Ints => InputFormat::Ints,
            TextLayout::Csv { .. } => InputFormat::Csv,
        }
    }

    /// The alphabets that puzzles are read in, and to be printed in.
    pub fn alphabets(&self) -> &Alphabets {
        &self.alphabets
    }

    /// A splitter for the input, from its first byte on.
    pub fn splitter(&self) -> Box<dyn Splitter> {
        match &self.text {
            TextLayout::Lines => Box::new(LineSplitter::new(self.head)),
            TextLayout::AllLines => Box::new(LineSplitter::of_all()),
            TextLayout::Grids => Box::new(GridSplitter::new(self.head)),
            TextLayout::Ints => Box::new(IntsSplitter::new(self.head)),
            TextLayout::Csv { header, .. } => Box::new(CsvSplitter::new(self.head, header.delimiter)),
        }
    }

    /// A parser for the input's records.
    pub fn parser(&self) -> Box<dyn Parser> {
        match &self.text {
            TextLayout::Lines | TextLayout::AllLines => Box::new(LineParser::new(self.alphabets)),
            TextLayout::Grids => Box::new(GridParser::new(self.alphabets)),
            TextLayout::Ints => Box::new(IntsParser::new(self.alphabets)),
            TextLayout::Csv { header, puzzle, .. } => {
                Box::new(CsvParser::new(self.alphabets, header.delimiter, *puzzle))
            }
        }
    }

    /// A parser for the answers beside the puzzles: grids as they are written in the column for them, if there is one
    /// and it is [wanted](super::AnswerColumn).
    pub fn answer_parser(&self) -> Option<Box<dyn Parser>> {
        match &self.text {
            TextLayout::Csv { header, answer: Some(answer), .. } => {
                Some(Box::new(CsvParser::new(self.alphabets, header.delimiter, *answer)))
            }
            _ => None,
        }
    }

    /// The names of the columns that are passed through, as the header has them.
    pub fn kept(&self) -> impl Iterator<Item = &str> {
        let (names, keep) = match &self.text {
            TextLayout::Csv { header, keep, .. } => (&header.names[..], &keep[..]),
            _ => (&[][..], &[][..]),
        };
        keep.iter().map(|&column| &*names[column])
    }

    /// What takes the columns to be passed through out of a record: as many fields as [`Layout::kept`] has names.
    pub fn keeper(&self) -> PassThrough {
        match &self.text {
            TextLayout::Csv { header, keep, .. } => PassThrough::new(header.delimiter, keep.clone()),
            _ => PassThrough::new(b',', vec![]),
        }
    }
}

/// What was recognised, in one line: `grids of 16x16, A-P, blank '-'`.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SampleFacts { orders, blanks } = &self.seen;
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
            TextLayout::Csv { header, puzzle, answer, .. } => {
                write!(f, "CSV with a header, puzzle in column {} '{}'", puzzle + 1, header.names[*puzzle])?;
                if let Some(answer) = answer {
                    write!(f, ", answer in column {} '{}'", answer + 1, header.names[*answer])?;
                }
                if orders.as_slice() != [Order::Three] && !orders.is_empty() {
                    write!(f, ", {sizes}")?;
                }
            }
            TextLayout::Lines | TextLayout::AllLines | TextLayout::Grids => {
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
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Puzzles;
    use super::super::detect::{Wanted, detect};
    use super::super::testing;
    use super::*;

    #[test]
    fn every_example_is_recognised_and_is_a_puzzle() {
        for format in InputFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            let text = format.example().as_bytes();
            let layout = detect(text, true, &Wanted::default()).unwrap();
            assert_eq!(layout.format(), format);
            let [(record, 1 | 2)] = &testing::split(&mut *layout.splitter(), format.example())[..] else {
                panic!("{format}")
            };
            layout.parser().parse(record.as_bytes(), &mut Puzzles::new()).unwrap();
        }
        assert_eq!("sdk".parse::<InputFormat>(), Err(UnknownFormat("sdk".to_owned())));
    }
}
