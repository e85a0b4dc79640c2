//! Reads puzzles from text: detects the format, splits the text into records, and parses the records.
//!
//! [`puzzles()`] reads all puzzles of a text; [`str::parse`] reads a single [`Puzzle`](crate::Puzzle). [`InputFormat`]
//! lists the formats, and [`InputOptions`] has what detection cannot know, for the inputs of a job.

// `detect` examines the start of an input and returns its `Layout`, which makes a `Splitter` and `Parser`s. One thread
// splits, so a splitter only finds the ends of records; all worker threads parse.
//
// `formats` has a file or a folder for each format. To add a format, add one there, and a row to its table. All other
// files are shared by the formats.

mod alphabet;
mod cells;
pub(crate) mod characters;
mod columns;
mod definition;
mod detect;
mod error;
mod evidence;
#[cfg(feature = "corpus")]
mod fields;
mod formats;
mod layout;
mod links;
mod list;
mod malformed;
mod puzzle;
mod puzzles;
mod refusal;
mod sample;
mod spaced;
mod splitter;
mod stream;
mod symbols;
#[cfg(test)]
mod testing;

pub use alphabet::{Alphabet, Alphabets, Blank};
pub use columns::AnswerColumn;
#[doc(hidden)]
pub use definition::{ParsedPuzzle, Parser};
pub use detect::InputOptions;
#[doc(hidden)]
pub use detect::detect;
pub use error::DetectError;
pub use error::{NoCorpusError, Remedy, UnclearAlphabetError};
#[cfg(feature = "corpus")]
pub(crate) use fields::PassThrough;
pub use formats::InputFormat;
#[doc(hidden)]
pub use layout::Layout;
pub use malformed::Malformed;
pub use malformed::{JsonType, Symbol, SymbolPosition};
pub use puzzle::ParsePuzzleError;
pub use puzzles::{ReadError, puzzles};
#[doc(hidden)]
pub use stream::{BatchEnd, BatchLimits, Consumed, LongLine, MAX_RECORD, Skipped, Splitter, rest_of_line};

#[cfg(all(feature = "cli", feature = "parquet"))]
pub(crate) use self::columns::{puzzle_column, usual_answer_column};
#[cfg(feature = "corpus")]
pub(crate) use self::{
    columns::{ALL_COLUMNS, ColumnChoice, Table, is_named_as_answer},
    detect::{alphabets_of_record, choose_columns, comments_length, typed_layout},
    formats::typed::{TypedOrigin, grid_in},
    sample::RareSizes,
    stream::{count_lines, line_end_length},
};
use crate::puzzle::{Puzzles, Size};
