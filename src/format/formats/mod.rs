//! The input formats. A format of text is a file or a folder here, with its [`Format`], splitter and parser; and a line
//! in [`FORMATS`].

mod candidates;
#[cfg(feature = "corpus")]
pub(super) mod csv;
mod grids;
mod hodoku;
mod ints;
#[cfg(feature = "corpus")]
pub(super) mod jsonl;
pub(super) mod lines;
#[cfg(feature = "corpus")]
mod npy;
pub(super) mod opensudoku;
#[cfg(feature = "corpus")]
mod parquet;
#[cfg(feature = "arrow")]
pub(super) mod typed;
mod vote;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::alphabet::listed;
use super::definition::Format;

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
    #[cfg(feature = "corpus")]
    Csv,
    /// A JSON object a line.
    #[cfg(feature = "corpus")]
    Jsonl,
    /// Grids of candidates: pencilmark puzzles.
    Candidates,
    /// Lines of HoDoKu's library.
    Hodoku,
    /// The XML of OpenSudoku.
    OpenSudoku,
    /// A table with typed columns, in a Parquet file or in memory.
    #[cfg(feature = "corpus")]
    Parquet,
    /// Arrays of `NumPy`.
    #[cfg(feature = "corpus")]
    Npy,
}

/// The formats of text. An input is in the last of them that takes it for its own; the first takes any text.
pub(super) const FORMATS: &[(InputFormat, &dyn Format)] = &[
    (InputFormat::Lines, &lines::Lines),
    (InputFormat::Grids, &grids::Grids),
    (InputFormat::Ints, &ints::Ints),
    #[cfg(feature = "corpus")]
    (InputFormat::Csv, &csv::Csv),
    #[cfg(feature = "corpus")]
    (InputFormat::Jsonl, &jsonl::Jsonl),
    (InputFormat::Candidates, &candidates::Candidates),
    (InputFormat::Hodoku, &hodoku::Hodoku),
    (InputFormat::OpenSudoku, &opensudoku::OpenSudoku),
];

/// The formats of typed columns, which are no text.
#[cfg(feature = "corpus")]
const TYPED: [(InputFormat, &dyn Format); 2] =
    [(InputFormat::Parquet, &parquet::Parquet), (InputFormat::Npy, &npy::Npy)];
#[cfg(not(feature = "corpus"))]
const TYPED: [(InputFormat, &dyn Format); 0] = [];

impl InputFormat {
    /// All formats of text.
    pub const ALL: [InputFormat; FORMATS.len()] = {
        let mut all = [InputFormat::Lines; FORMATS.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = FORMATS[index].0;
            index += 1;
        }
        all
    };

    /// All formats: those of text, then those of typed columns.
    pub const WITH_TYPED: [InputFormat; FORMATS.len() + TYPED.len()] = {
        let mut all = [InputFormat::Lines; FORMATS.len() + TYPED.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = if index < FORMATS.len() { FORMATS[index].0 } else { TYPED[index - FORMATS.len()].0 };
            index += 1;
        }
        all
    };

    /// Whether records have typed columns, and are no text.
    pub fn is_typed(self) -> bool {
        TYPED.iter().any(|(format, _)| *format == self)
    }

    /// What defines the format.
    pub(super) fn definition(self) -> &'static dyn Format {
        let found = FORMATS.iter().chain(&TYPED).find(|(format, _)| *format == self);
        found.expect("each format is in one of the lists").1
    }

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.definition().name()
    }

    /// One line about the format.
    pub fn description(self) -> &'static str {
        self.definition().description()
    }

    /// A small input in this format; empty if it is not text.
    pub fn example(self) -> &'static str {
        self.definition().example()
    }

    /// The usual extension of a file in this format, without a dot.
    pub fn extension(self) -> &'static str {
        self.definition().extension()
    }

    /// Whether an input is a table, whose columns have names.
    pub(super) fn has_columns(self) -> bool {
        self.definition().has_columns()
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
#[error("no input format is called '{0}'; there are {all}", all = listed(InputFormat::WITH_TYPED, "and"))]
pub struct ParseInputFormatError(String);

/// Finds a format by its name.
impl FromStr for InputFormat {
    type Err = ParseInputFormatError;

    fn from_str(name: &str) -> Result<InputFormat, ParseInputFormatError> {
        let found = Self::WITH_TYPED.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| ParseInputFormatError(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{InputOptions, Malformed, Puzzles, detect, testing};

    #[test]
    fn every_example_is_detected_and_is_a_puzzle() {
        for format in InputFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            let layout = detect(format.example().as_bytes(), true, &InputOptions::default()).unwrap();
            assert_eq!(layout.format(), format);
            let records = testing::split(&mut *layout.splitter(), format.example());
            let [(record, _)] = &records[..] else { panic!("{format}") };
            let parsed = layout.parser().parse(record.as_bytes(), &mut Puzzles::new());
            assert!(matches!(parsed, Ok(_) | Err(Malformed::Pencilmarks)), "{format}: {parsed:?}");
        }
        for format in [InputFormat::Parquet, InputFormat::Npy] {
            assert_eq!((format.name().parse(), format.is_typed()), (Ok(format), true));
        }
        assert_eq!("sdk".parse::<InputFormat>(), Err(ParseInputFormatError("sdk".to_owned())));
    }
}
