//! Reads puzzles from text: detects the format, splits the text into records, and parses the records.
//!
//! [`detect()`] looks at the start of an input and returns its [`Layout`], which makes a [`Splitter`] and [`Parser`]s.
//! One thread splits, so a splitter only finds where records end; all worker threads parse.
//!
//! `formats` has a file or a folder for each format. To add one, write another file there, and a row of its table. The
//! other files are shared by the formats.

mod alphabet;
mod cells;
mod columns;
mod definition;
mod detect;
mod error;
mod formats;
mod layout;
mod malformed;
mod no_corpus;
mod parser;
#[cfg(feature = "corpus")]
mod pass_through;
mod position;
mod puzzle;
mod sample;
mod spaced;
mod splitter;
#[cfg(test)]
mod testing;
mod unsupported;

pub use alphabet::{Alphabet, Alphabets, ParseAlphabetError};
pub use columns::AnswerColumn;
#[cfg(feature = "arrow")]
pub(crate) use columns::{ColumnChoice, usual_columns};
pub use detect::InputOptions;
#[cfg(feature = "corpus")]
pub(crate) use detect::comments_length;
#[doc(hidden)]
pub use detect::detect;
#[cfg(feature = "arrow")]
pub(crate) use detect::{alphabets_of_record, choose_columns, typed_layout};
pub use error::{DetectError, NoCorpusError, Remedy, UnclearAlphabetError};
#[cfg(feature = "corpus")]
pub(crate) use formats::csv::fields::CsvFields;
#[cfg(feature = "arrow")]
pub(crate) use formats::typed::TypedOrigin;
pub use formats::{InputFormat, ParseInputFormatError};
// For the command line, the Python package, tests and benches: no part of the interface.
#[doc(hidden)]
pub use layout::Layout;
pub use malformed::Malformed;
#[doc(hidden)]
pub use malformed::{JsonType, Symbol, SymbolPosition};
#[doc(hidden)]
pub use parser::{ParsedPuzzle, Parser};
#[cfg(feature = "corpus")]
#[doc(hidden)]
pub use pass_through::PassThrough;
#[cfg(feature = "corpus")]
pub(crate) use position::count_lines;
pub use puzzle::ParsePuzzleError;
#[cfg(feature = "corpus")]
pub(crate) use splitter::line_end_length;
#[doc(hidden)]
pub use splitter::{BatchEnd, BatchLimits, Consumed, LongLine, MAX_RECORD, Splitter, rest_of_line};

use crate::puzzle::{Puzzles, Size};
