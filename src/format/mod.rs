//! Reads puzzles from text: detects the format, splits the text into records, and parses the records.
//!
//! [`detect()`] looks at the start of an input and returns its [`Layout`], which makes a [`Splitter`] and [`Parser`]s.
//! One thread splits, so a splitter only finds where records end; all worker threads parse. `lines`, `grids`, `ints`,
//! `csv` and `jsonl` have a file each.

mod alphabet;
mod answers;
mod cells;
mod csv;
mod csv_fields;
mod csv_header;
mod csv_quotes;
mod detect;
mod field;
mod grid_lookahead;
mod grid_parser;
mod grid_scanner;
mod grids;
mod guess;
mod input_format;
mod input_options;
mod ints;
mod json_grid;
mod json_object;
mod jsonl;
mod layout;
mod lines;
mod malformed;
mod no_corpus;
mod parser;
mod pass_through;
mod position;
mod puzzle;
mod sample;
mod spaced;
mod splitter;
#[cfg(test)]
mod testing;
#[cfg(feature = "arrow")]
mod typed;
mod unsupported;

pub use alphabet::{Alphabet, Alphabets, UnknownAlphabet};
pub(crate) use csv_fields::CsvFields;
#[cfg(feature = "arrow")]
pub(crate) use csv_header::ColumnChoice;
pub(crate) use detect::comments_length;
pub use detect::{DetectError, detect};
pub use input_format::{InputFormat, UnknownFormat};
pub use input_options::{AnswerColumn, InputOptions};
pub use layout::Layout;
pub use malformed::{JsonType, Malformed, Symbol, SymbolPosition};
pub use no_corpus::NoCorpus;
pub use parser::{ParsedPuzzle, Parser};
pub use pass_through::PassThrough;
pub(crate) use position::count_lines;
pub use puzzle::ParsePuzzleError;
pub use sample::UnclearAlphabet;
pub(crate) use splitter::line_end_length;
pub use splitter::{BatchEnd, BatchLimits, Consumed, LongLine, MAX_RECORD, Splitter, rest_of_line};
#[cfg(feature = "arrow")]
pub(crate) use typed::choose_columns;

use crate::puzzle::{Order, Puzzles};
