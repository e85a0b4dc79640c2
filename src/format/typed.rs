//! The layout of a table with typed columns, whose records are written as CSV when they are read.

use super::DetectError;
use super::csv_header::{ColumnChoice, CsvHeader};
use super::input_options::{AnswerColumn, InputOptions};
use super::layout::{Layout, SampleFacts, Storage, TextLayout};
use super::position::Preamble;

/// Chooses the columns to read of a table, by its column names. The only column of a table holds the puzzles, whatever
/// its name.
pub(crate) fn choose_columns(names: Vec<String>, options: &InputOptions) -> Result<ColumnChoice, DetectError> {
    let only = names.len() == 1 && options.puzzle_column.is_none();
    let header = CsvHeader { text: vec![], delimiter: b',', names };
    if only && header.puzzle_column(None).is_none() {
        let options = InputOptions { puzzle_column: Some(header.names[0].clone()), ..options.clone() };
        return header.choose(&options);
    }
    header.choose(options)
}

impl Layout {
    /// The layout of records that have these columns, written as CSV. `sample` has the first of them, or all if
    /// `is_complete`; `header` is the line of their names.
    pub(crate) fn of_columns(
        header: Vec<u8>,
        names: Vec<String>,
        columns: ColumnChoice,
        sample: &[u8],
        is_complete: bool,
        options: &InputOptions,
    ) -> Result<Layout, DetectError> {
        let ColumnChoice { puzzle, answer, keep } = columns;
        let header = CsvHeader { text: header, delimiter: b',', names };
        let mut layout = Layout {
            text: TextLayout::Csv { storage: Storage::Columns, header, puzzle, answer, keep },
            preamble: Preamble::default(),
            alphabets: options.alphabets.iter().copied().collect(),
            sample: SampleFacts::default(),
        };
        layout.learn_from(sample, is_complete, &AnswerColumn::Ignored)?;
        Ok(layout)
    }
}
