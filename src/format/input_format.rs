//! The input formats: their names, descriptions and examples.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A format that puzzles are read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum InputFormat {
    /// One puzzle a line.
    Lines,
    /// As many lines as columns, with or without borders.
    Grids,
    /// An order and the cells as numbers.
    Ints,
    /// A table with a header.
    Csv,
    /// A JSON object a line.
    Jsonl,
    /// A table with typed columns, in a Parquet file or in memory.
    Parquet,
}

impl InputFormat {
    /// All formats of text.
    pub const ALL: [InputFormat; 5] =
        [InputFormat::Lines, InputFormat::Grids, InputFormat::Ints, InputFormat::Csv, InputFormat::Jsonl];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            InputFormat::Lines => "lines",
            InputFormat::Grids => "grids",
            InputFormat::Ints => "ints",
            InputFormat::Csv => "csv",
            InputFormat::Jsonl => "jsonl",
            InputFormat::Parquet => "Parquet",
        }
    }

    /// One line about the format.
    pub fn description(self) -> &'static str {
        match self {
            InputFormat::Lines => "one puzzle a line; a space, tab, comma, semicolon or colon starts a comment",
            InputFormat::Grids => "as many lines as columns, with or without spaces, borders and empty lines between",
            InputFormat::Ints => "an order from 2 to 5, then the cells as numbers with spaces between, 0 for a blank",
            InputFormat::Csv => "a table with a header, of which one column holds the puzzles",
            InputFormat::Jsonl => {
                "one JSON object a line, of which one key has the puzzle: a string, or an array of integers"
            }
            InputFormat::Parquet => "typed columns, of which one holds the puzzles as text or as lists of integers",
        }
    }

    /// A small input in this format; empty if it is not text.
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
            InputFormat::Jsonl => {
                "{\"id\": 7, \"puzzle\": \"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\"}\n"
            }
            InputFormat::Parquet => "",
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
#[error("no input format is called '{0}'; there are lines, grids, ints, csv and jsonl")]
pub struct UnknownFormat(String);

/// Finds a format by its name.
impl FromStr for InputFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<InputFormat, UnknownFormat> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{InputOptions, Puzzles, detect, testing};
    use super::*;

    #[test]
    fn every_example_is_detected_and_is_a_puzzle() {
        for format in InputFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            let layout = detect(format.example().as_bytes(), true, &InputOptions::default()).unwrap();
            assert_eq!(layout.format(), format);
            let records = testing::split(&mut *layout.splitter(), format.example());
            let [(record, _)] = &records[..] else { panic!("{format}") };
            layout.parser().parse(record.as_bytes(), &mut Puzzles::new()).unwrap();
        }
        assert_eq!("sdk".parse::<InputFormat>(), Err(UnknownFormat("sdk".to_owned())));
    }
}
