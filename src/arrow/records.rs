//! The records of record batches: the puzzle, the answer, and the columns to copy.

use std::fmt::Write;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions, StringArray};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::nullif::nullif;
use memchr::{memchr, memchr3};

use super::cells::{CellColumn, can_hold_puzzles, has_texts, in_words, printed_size};
use super::in_utc;
use crate::format::{
    ALL_COLUMNS, Alphabets, AnswerColumn, ColumnChoice, DetectError, InputOptions, Malformed, ParsedPuzzle, Parser,
    Table, choose_columns, usual_columns,
};
use crate::puzzle::Puzzles;

/// The maximum number of records, and of their bytes, that show which column has puzzles.
const SAMPLE: usize = 500;
const SAMPLE_BYTES: usize = 1 << 20;

/// A column of a schema, or a field of the structs in one.
#[derive(Clone, Debug)]
struct Column {
    /// The index of the column, then of the field in the structs of each level.
    path: Vec<usize>,
    /// Its type. The name of a field is `column.field`.
    field: Field,
}

impl Column {
    /// The columns of a schema, then the fields inside of them, unless a column is called `column.field`.
    fn all(schema: &SchemaRef) -> Vec<Column> {
        let columns = schema.fields().iter().enumerate();
        let columns = columns.map(|(index, field)| Column { path: vec![index], field: (**field).clone() });
        let (mut all, mut at): (Vec<_>, _) = (columns.collect(), 0);
        while let Some(Column { path, field: outer }) = all.get(at).cloned() {
            at += 1;
            let DataType::Struct(fields) = outer.data_type() else { continue };
            let inside = fields.iter().enumerate().map(|(index, field)| Column {
                path: [&path[..], &[index]].concat(),
                field: Field::new(format!("{}.{}", outer.name(), field.name()), field.data_type().clone(), true),
            });
            all.extend(inside.filter(|column| schema.index_of(column.field.name()).is_err()));
        }
        all
    }

    /// Its values in a batch. Where a struct is null, so are its fields.
    fn values(&self, batch: &RecordBatch) -> Result<ArrayRef, ArrowError> {
        let column = Arc::clone(batch.column(self.path[0]));
        self.path[1..].iter().try_fold(column, |outer, &field| {
            let values = outer.as_struct().column(field);
            match outer.nulls() {
                Some(nulls) => nullif(values, &BooleanArray::new(!nulls.inner(), None)),
                None => Ok(Arc::clone(values)),
            }
        })
    }

    /// Its name inside of structs.
    fn last_name(&self) -> &str {
        let name = self.field.name();
        if self.path.len() == 1 { name } else { name.rsplit('.').next().unwrap_or(name) }
    }

    /// Checks that it can hold puzzles. In a list of texts, an answer would be ambiguous.
    fn check_cells(&self, of_answers: bool) -> Result<(), DetectError> {
        let (name, data_type) = (self.field.name().clone(), self.field.data_type());
        if of_answers && has_texts(data_type) {
            return Err(DetectError::SeveralAnswers { name });
        }
        let (of_type, cure) = in_words(data_type);
        if can_hold_puzzles(data_type) {
            Ok(())
        } else {
            Err(DetectError::ColumnType { name, of_type, cure: cure.to_owned() })
        }
    }
}

/// The columns of a schema that a run reads.
#[derive(Clone, Debug)]
pub(crate) struct RecordColumns {
    /// Puzzle, answer, then the columns to copy.
    columns: Vec<Column>,
    has_answer: bool,
    /// Whether the puzzles were found by the content of their column.
    is_found: bool,
    /// A column that looks like answers but was not requested.
    unnamed_answers: Option<String>,
    /// Phrases for the columns that look like puzzles and are not read.
    pub(crate) not_read: Vec<String>,
}

impl RecordColumns {
    /// Chooses the columns according to the options. `sample` gives the first rows of some columns, with their places
    /// in it, for finding puzzles by their content.
    ///
    /// A field of structs has to be named, unless no column has puzzles: then it is found as columns are.
    pub(crate) fn choose(
        schema: &SchemaRef,
        options: &InputOptions,
        sample: impl Fn(&RecordColumns) -> Option<(RecordColumns, RecordBatch)>,
    ) -> Result<RecordColumns, DetectError> {
        let all = Column::all(schema);
        let outer = schema.fields().len();
        let able = |columns: Range<usize>| -> Vec<usize> {
            columns.filter(|&column| can_hold_puzzles(all[column].field.data_type())).collect()
        };
        let choose = |names: &[String], able: &[usize], options: &InputOptions| {
            let columns = RecordColumns::of(able.iter().map(|&column| all[column].clone()).collect());
            let lines = || sample(&columns).and_then(|(columns, batch)| columns.lines(&batch).ok());
            choose_columns(names.to_vec(), able, || lines().unwrap_or_default(), options)
        };

        let names: Vec<String> = all.iter().map(|column| column.field.name().clone()).collect();
        let mut table = choose(&names, &able(0..outer), options);
        if matches!(table, Err(DetectError::NoPuzzleColumn { .. })) && all.len() > outer {
            let last: Vec<String> = all.iter().map(|column| column.last_name().to_owned()).collect();
            let by_name = options.answer == AnswerColumn::ByName;
            let answer = if by_name { AnswerColumn::ByName } else { AnswerColumn::Ignored };
            let found = InputOptions { answer, keep: vec![], ..options.clone() };
            if let Ok((Table { choice, .. }, _)) = choose(&last, &able(0..all.len()), &found) {
                let mut named = InputOptions { puzzle_column: Some(names[choice.puzzle].clone()), ..options.clone() };
                if let (true, Some(answer)) = (by_name, choice.answer) {
                    named.answer = AnswerColumn::Named(names[answer].clone());
                }
                table = choose(&names, &[], &named);
            }
        }
        // If only one column can hold puzzles, it needs no usual name.
        let (_, answer) = usual_columns(&names[..outer]);
        let mut others = able(0..outer);
        others.retain(|&column| Some(column) != answer || outer == 1);
        if let (Err(DetectError::NoPuzzleColumn { .. }), [only]) = (&table, &others[..]) {
            let puzzle_column = Some(names[*only].clone());
            table = choose(&names, &[], &InputOptions { puzzle_column, ..options.clone() });
        }

        let (Table { choice, is_found, unnamed_answers, .. }, not_read) = table?;
        let ColumnChoice { puzzle, answer, mut keep } = choice;
        if options.keep == [ALL_COLUMNS] && schema.index_of(ALL_COLUMNS).is_err() {
            keep.retain(|&column| column < outer);
        }
        for index in [Some(puzzle), answer].into_iter().flatten() {
            let of_answers = Some(index) == answer && options.answer != AnswerColumn::ByName;
            all[index].check_cells(of_answers)?;
        }
        let indices = [puzzle].into_iter().chain(answer).chain(keep);
        Ok(RecordColumns {
            columns: indices.map(|index| all[index].clone()).collect(),
            has_answer: answer.is_some(),
            is_found,
            unnamed_answers: unnamed_answers.map(|column| names[column].clone()),
            not_read: not_read.into_iter().map(|column| format!("'{}'", names[column])).collect(),
        })
    }

    /// Some columns, the first one with the puzzles.
    fn of(columns: Vec<Column>) -> RecordColumns {
        RecordColumns { columns, has_answer: false, is_found: false, unnamed_answers: None, not_read: vec![] }
    }

    /// The first records of a batch as lines of CSV.
    fn lines(&self, batch: &RecordBatch) -> Result<Vec<Vec<u8>>, ArrowError> {
        let records =
            self.records(&batch.slice(0, SAMPLE.min(batch.num_rows())), self.columns.len(), Alphabets::default())?;
        Ok((0..records.within(SAMPLE, SAMPLE_BYTES)).map(|record| records.get(record).to_csv()).collect())
    }

    /// The indices of the columns in the schema, ascending.
    pub(crate) fn projection(&self) -> Vec<usize> {
        let mut indices: Vec<usize> = self.columns.iter().map(|column| column.path[0]).collect();
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    /// The columns of batches that have only the columns of the [projection](RecordColumns::projection).
    pub(crate) fn projected(mut self) -> RecordColumns {
        let projection = self.projection();
        for Column { path, .. } in &mut self.columns {
            path[0] = projection.iter().position(|&other| other == path[0]).expect("it has all columns");
        }
        self
    }

    /// The index of the column with the puzzles in the schema.
    pub(crate) fn puzzle(&self) -> usize {
        self.columns[0].path[0]
    }

    pub(crate) fn has_answer(&self) -> bool {
        self.has_answer
    }

    /// Reads the answers from a column of the schema.
    pub(crate) fn set_answer(&mut self, schema: &SchemaRef, index: usize) {
        let answer = Column { path: vec![index], field: schema.field(index).clone() };
        self.columns.splice(1..1 + usize::from(self.has_answer), [answer]);
        (self.has_answer, self.unnamed_answers) = (true, None);
    }

    /// The columns as a table.
    pub(crate) fn table(&self) -> Table {
        let answer = self.has_answer.then_some(1);
        let keep = (1 + usize::from(self.has_answer)..self.columns.len()).collect();
        let names = self.columns.iter().map(|column| column.field.name()).chain(&self.unnamed_answers);
        Table {
            names: names.cloned().collect(),
            choice: ColumnChoice { puzzle: 0, answer, keep },
            is_found: self.is_found,
            unnamed_answers: self.unnamed_answers.as_ref().map(|_| self.columns.len()),
            not_read: self.not_read.clone(),
        }
    }

    /// The line of the names, as a header for the records.
    pub(crate) fn header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        for (index, column) in self.columns.iter().enumerate() {
            push_field(index, column.field.name().as_bytes(), &mut header);
        }
        header.push(b'\n');
        header
    }

    /// The types of the columns to copy.
    pub(crate) fn kept(&self) -> Vec<Field> {
        self.columns[1 + usize::from(self.has_answer)..].iter().map(|column| column.field.clone()).collect()
    }

    /// The records of a batch. Lists are printed in `alphabets`.
    pub(crate) fn open(&self, batch: &RecordBatch, alphabets: Alphabets) -> Result<TypedRecords, ArrowError> {
        let records = self.records(batch, 1 + usize::from(self.has_answer), alphabets)?;
        // Check that the types can be printed.
        KeptTexts::print(&records.kept.slice(0, 0))?;
        Ok(records)
    }

    /// The records of a batch, with the cells of the first columns.
    fn records(&self, batch: &RecordBatch, cells: usize, alphabets: Alphabets) -> Result<TypedRecords, ArrowError> {
        let (cells, kept) = self.columns.split_at(cells);
        let cells = cells.iter().map(|column| CellColumn::new(&column.values(batch)?)).collect::<Result<_, _>>()?;
        let fields: Vec<Field> = kept.iter().map(|column| column.field.clone()).collect();
        let values = kept.iter().map(|column| column.values(batch)).collect::<Result<_, _>>()?;
        let rows = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let kept = RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), values, &rows)?;
        Ok(TypedRecords { cells, alphabets, kept, first: 0, texts: OnceLock::new() })
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
