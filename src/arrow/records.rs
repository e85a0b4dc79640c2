//! The records of record batches: the puzzle, the answer, and the columns to copy.

use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch, StringArray};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use memchr::{memchr, memchr3};

use super::cells::{CellColumn, can_hold_puzzles, has_texts, printed_size};
use super::in_utc;
use crate::format::{
    Alphabets, AnswerColumn, ColumnChoice, DetectError, InputOptions, Malformed, ParsedPuzzle, Parser, choose_columns,
};
use crate::puzzle::Puzzles;

/// The columns of a schema that a run reads.
#[derive(Clone, Debug)]
pub(crate) struct RecordColumns {
    schema: SchemaRef,
    /// The index of each column in the schema: puzzle, answer, then the columns to copy.
    indices: Vec<usize>,
    has_answer: bool,
}

impl RecordColumns {
    /// Chooses the columns according to the options.
    pub(crate) fn choose(schema: SchemaRef, options: &InputOptions) -> Result<RecordColumns, DetectError> {
        let names = schema.fields().iter().map(|field| field.name().clone()).collect();
        let ColumnChoice { puzzle, answer, keep } =
            choose_columns(names, |column| can_hold_puzzles(schema.field(column).data_type()), options)?;
        for index in [Some(puzzle), answer].into_iter().flatten() {
            let field = schema.field(index);
            // In a list of texts, the answer is ambiguous.
            let is_list =
                Some(index) == answer && options.answer != AnswerColumn::ByName && has_texts(field.data_type());
            if is_list || !can_hold_puzzles(field.data_type()) {
                let (name, of_type) = (field.name().clone(), field.data_type().to_string());
                return Err(DetectError::ColumnType { name, of_type });
            }
        }
        let indices = [puzzle].into_iter().chain(answer).chain(keep).collect();
        Ok(RecordColumns { schema, indices, has_answer: answer.is_some() })
    }

    /// The indices of the columns in the schema, ascending.
    pub(crate) fn projection(&self) -> Vec<usize> {
        let mut indices = self.indices.clone();
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    /// The columns of batches that have only the columns of the [projection](RecordColumns::projection).
    pub(crate) fn projected(&self, schema: SchemaRef) -> RecordColumns {
        let projection = self.projection();
        let position = |index| projection.iter().position(|&other| other == index).expect("it has all columns");
        let indices = self.indices.iter().map(|&index| position(index)).collect();
        RecordColumns { schema, indices, has_answer: self.has_answer }
    }

    /// The index of the column with the puzzles in the schema.
    pub(crate) fn puzzle(&self) -> usize {
        self.indices[0]
    }

    /// The names of the fields of a record.
    pub(crate) fn names(&self) -> Vec<String> {
        self.indices.iter().map(|&index| self.schema.field(index).name().clone()).collect()
    }

    /// The indices of the fields of a record.
    pub(crate) fn fields(&self) -> ColumnChoice {
        let answer = self.has_answer.then_some(1);
        ColumnChoice { puzzle: 0, answer, keep: (1 + usize::from(self.has_answer)..self.indices.len()).collect() }
    }

    /// The line of the names, as a header for the records.
    pub(crate) fn header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        for (index, name) in self.names().iter().enumerate() {
            push_field(index, name.as_bytes(), &mut header);
        }
        header.push(b'\n');
        header
    }

    /// The types of the columns to copy.
    pub(crate) fn kept(&self) -> Vec<Field> {
        self.kept_indices().iter().map(|&index| self.schema.field(index).clone()).collect()
    }

    /// The records of a batch. Lists are printed in `alphabets`.
    pub(crate) fn open(&self, batch: &RecordBatch, alphabets: Alphabets) -> Result<TypedRecords, ArrowError> {
        let cells = |&index: &usize| CellColumn::new(batch.column(index));
        let (cell_indices, kept) = self.indices.split_at(1 + usize::from(self.has_answer));
        let cells = cell_indices.iter().map(cells).collect::<Result<_, _>>()?;
        let kept = batch.project(kept)?;

        // Check that the types can be printed.
        KeptTexts::print(&kept.slice(0, 0))?;
        Ok(TypedRecords { cells, alphabets, kept, first: 0, texts: OnceLock::new() })
    }

    fn kept_indices(&self) -> &[usize] {
        &self.indices[1 + usize::from(self.has_answer)..]
    }
}

/// Successive records of a batch.
#[derive(Clone, Debug)]
pub(crate) struct TypedRecords {
    /// The columns with the puzzles and the answers, of the complete batch.
    cells: Arc<[CellColumn]>,
    alphabets: Alphabets,
    /// The columns that are copied to the output, of these records.
    kept: RecordBatch,
    /// The row of the first record in the batch.
    first: usize,
    /// The columns to copy as texts, once they were requested.
    texts: OnceLock<KeptTexts>,
}

impl TypedRecords {
    /// A single record with these texts for the puzzle and, if there is one, for the answer. `kept` has one row.
    pub(crate) fn of_texts<'a>(
        texts: impl Iterator<Item = &'a str>,
        alphabets: Alphabets,
        kept: RecordBatch,
    ) -> TypedRecords {
        let cells = texts.map(|text| CellColumn::One(text.to_owned())).collect();
        TypedRecords { cells, alphabets, kept, first: 0, texts: OnceLock::new() }
    }

    /// The number of records.
    pub(crate) fn len(&self) -> usize {
        self.kept.num_rows()
    }

    /// The columns that are copied to the output, a row for each record.
    pub(crate) fn kept(&self) -> &RecordBatch {
        &self.kept
    }

    /// The puzzles as they are written, a text for each record; `None` if the column has lists, or 2 GiB of texts.
    pub(crate) fn puzzles_as_written(&self) -> Option<StringArray> {
        match &self.cells[CellsOf::Puzzle as usize] {
            CellColumn::Texts(texts) => {
                let texts = cast(&texts.slice(self.first, self.len()), &DataType::Utf8).ok()?;
                Some(texts.as_string().clone())
            }
            _ => None,
        }
    }

    /// Sets the alphabets for printing lists.
    pub(crate) fn set_alphabets(&mut self, alphabets: Alphabets) {
        self.alphabets = alphabets;
    }

    /// Removes the first records, and returns them.
    pub(crate) fn take(&mut self, records: usize) -> TypedRecords {
        let taken = self.first_records(records);
        *self = self.slice(taken.len(), self.len() - taken.len());
        taken
    }

    /// The number of records to take next: at most `records`, ending with the one that reaches `bytes`.
    pub(crate) fn within(&self, records: usize, bytes: usize) -> usize {
        let (mut number, mut seen) = (0, 0);
        while number < self.len().min(records) && (seen < bytes || number == 0) {
            seen += self.get(number).size();
            number += 1;
        }
        number
    }

    /// The first records.
    pub(crate) fn first_records(&self, records: usize) -> TypedRecords {
        self.slice(0, records.min(self.len()))
    }

    /// Some successive records.
    pub(crate) fn slice(&self, start: usize, length: usize) -> TypedRecords {
        TypedRecords {
            cells: Arc::clone(&self.cells),
            alphabets: self.alphabets,
            kept: self.kept.slice(start, length),
            first: self.first + start,
            texts: OnceLock::new(),
        }
    }

    /// The texts of the first puzzles, up to `records`, and up to this number of [bytes](TypedRecords::within).
    pub(crate) fn puzzle_texts(&self, records: usize, bytes: usize) -> Vec<String> {
        let text = |index| self.get(index).cell_text(CellsOf::Puzzle, &mut String::new()).to_owned();
        (0..self.within(records, bytes)).map(text).collect()
    }

    /// The record with this index.
    pub(crate) fn get(&self, index: usize) -> TypedRecord<'_> {
        TypedRecord { records: self, index }
    }
}

/// A record of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedRecord<'a> {
    records: &'a TypedRecords,
    index: usize,
}

/// A column of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellsOf {
    Puzzle,
    Answer,
}

impl<'a> TypedRecord<'a> {
    /// The approximate number of bytes of the cells and of the columns to copy.
    pub(crate) fn size(self) -> usize {
        let TypedRecords { cells, kept, first, .. } = self.records;
        let cells: usize = cells.iter().map(|column| column.size(first + self.index)).sum();
        let rows = || self.index..self.index + 1;
        cells + kept.columns().iter().map(|column| printed_size(column, rows())).sum::<usize>()
    }

    /// Adds the puzzle in a column to `puzzles`. `buffer` is used if its text has to be built.
    pub(crate) fn parse(
        self,
        column: CellsOf,
        parser: &mut dyn Parser,
        buffer: &mut String,
        puzzles: &mut Puzzles,
    ) -> Result<ParsedPuzzle, Malformed> {
        let TypedRecords { cells, alphabets, first, .. } = self.records;
        cells[column as usize].parse(first + self.index, alphabets, parser, buffer, puzzles)
    }

    /// The text in a column. `buffer` is used if it has to be built.
    pub(crate) fn cell_text(self, column: CellsOf, buffer: &'a mut String) -> &'a str {
        self.text_of(&self.records.cells[column as usize], buffer)
    }

    fn text_of<'b>(self, column: &'b CellColumn, buffer: &'b mut String) -> &'b str {
        column.text(self.records.first + self.index, &self.records.alphabets, buffer)
    }

    /// The columns to copy, as texts. The first call prints the columns of all records.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'a [u8]> {
        let TypedRecords { kept, texts, .. } = self.records;
        let texts = texts.get_or_init(|| KeptTexts::print(kept).expect("the types were checked with the batch"));
        (0..kept.num_columns()).map(move |column| texts.get(self.index * kept.num_columns() + column))
    }

    /// All columns that are read, as a line of CSV without a line end.
    pub(crate) fn to_csv(self) -> Vec<u8> {
        let (mut line, mut buffer) = (Vec::new(), String::new());
        for (index, column) in self.records.cells.iter().enumerate() {
            push_field(index, self.text_of(column, &mut buffer).as_bytes(), &mut line);
        }
        for (index, field) in (self.records.cells.len()..).zip(self.fields()) {
            push_field(index, field, &mut line);
        }
        line
    }
}

/// The texts of columns, concatenated row by row.
#[derive(Clone, Debug, Default)]
struct KeptTexts {
    text: String,
    /// The end of each text.
    ends: Vec<usize>,
}

impl KeptTexts {
    fn print(kept: &RecordBatch) -> Result<KeptTexts, ArrowError> {
        let options = FormatOptions::new().with_display_error(true);
        let formatter = |column| ArrayFormatter::try_new(column, &options);
        let readable = kept.columns().iter().map(in_utc).collect::<Result<Vec<_>, _>>()?;
        let formatters = readable.iter().map(|column| formatter(column.as_ref())).collect::<Result<Vec<_>, _>>()?;

        let mut texts = KeptTexts::default();
        for row in 0..kept.num_rows() {
            for (column, formatter) in kept.columns().iter().zip(&formatters) {
                if column.is_valid(row) {
                    write!(texts.text, "{}", formatter.value(row)).expect("a string takes any text");
                }
                texts.ends.push(texts.text.len());
            }
        }
        Ok(texts)
    }

    fn get(&self, index: usize) -> &[u8] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text.as_bytes()[start..self.ends[index]]
    }
}

/// Appends a field, quoted if necessary, after a comma unless it is the first.
fn push_field(index: usize, field: &[u8], text: &mut Vec<u8>) {
    if index > 0 {
        text.push(b',');
    }
    if memchr3(b'"', b',', b'\n', field).or_else(|| memchr(b'\r', field)).is_none() {
        text.extend_from_slice(field);
        return;
    }
    let start = text.len() + 1;
    text.push(b'"');
    text.resize(start + 2 * field.len(), 0);
    let (_, _, written) = csv_core::quote(field, &mut text[start..], b'"', b'"', true);
    text.truncate(start + written);
    text.push(b'"');
}
