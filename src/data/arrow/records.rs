//! The records of record batches: the puzzle, the answer, and the columns to copy.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BooleanArray, LargeStringArray, RecordBatch, RecordBatchOptions, StringArray};
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::nullif::nullif;

use super::cells::{CellColumn, can_hold_chats, can_hold_puzzles, has_texts, in_words, printed_size};
use super::in_utc;
use crate::format::{
    ALL_COLUMNS, Alphabets, AnswerColumn, ColumnChoice, DetectError, InputOptions, Malformed, ParsedPuzzle, Parser,
    Table, choose_columns, is_named_as_answer,
};
use crate::puzzle::Puzzles;

/// The maximum number of records, and of their bytes, that show which column has puzzles.
const SAMPLE: usize = 500;
const SAMPLE_BYTES: usize = 1 << 20;

/// A column of a schema, or a field of the structs in one.
#[derive(Clone, Debug)]
struct TableColumn {
    /// The index of the column, then of the field in the structs of each level.
    path: Vec<usize>,
    /// Its type. The name of a field is `column.field`.
    field: Field,
}

impl TableColumn {
    /// The columns of a schema, then the fields inside of them, unless a column is called `column.field`.
    fn all(schema: &SchemaRef) -> Vec<TableColumn> {
        let columns = schema.fields().iter().enumerate();
        let columns = columns.map(|(index, field)| TableColumn { path: vec![index], field: (**field).clone() });
        let (mut all, mut at): (Vec<_>, _) = (columns.collect(), 0);
        while let Some(TableColumn { path, field: outer }) = all.get(at).cloned() {
            at += 1;
            let DataType::Struct(fields) = outer.data_type() else { continue };
            let inside = fields.iter().enumerate().map(|(index, field)| TableColumn {
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
            let Some(nulls) = outer.nulls() else { return Ok(Arc::clone(values)) };
            nullif(values, &BooleanArray::new(!nulls.inner(), None))
        })
    }

    /// Checks that it can hold puzzles or, if it has free answers, chats. In a list of texts, an answer would be
    /// ambiguous.
    fn check_cells(&self, of_answers: bool) -> Result<(), DetectError> {
        let (name, data_type) = (self.field.name().clone(), self.field.data_type());
        if of_answers && has_texts(data_type) {
            return Err(DetectError::SeveralAnswers { name });
        }
        if of_answers && can_hold_chats(data_type) {
            return Ok(());
        }
        let (of_type, cure) = in_words(data_type);
        let error = DetectError::ColumnType { name, of_type, cure: cure.to_owned() };
        if can_hold_puzzles(data_type) { Ok(()) } else { Err(error) }
    }
}

/// The columns of a schema that a run reads.
#[derive(Clone, Debug)]
pub(crate) struct RecordColumns {
    /// Puzzle, answer, then the columns to copy.
    columns: Vec<TableColumn>,
    /// The same columns as a table.
    pub(crate) table: Table,
    /// All columns of the input, also those that are not read.
    pub(crate) schema: SchemaRef,
}

impl RecordColumns {
    /// Chooses the columns according to the options. `sample` gives the first rows of some columns of the schema, for
    /// finding puzzles by their content.
    ///
    /// A field of structs has to be named, unless no column has puzzles: then it is found as columns are.
    pub(crate) fn choose(
        schema: &SchemaRef,
        options: &InputOptions,
        sample: impl Fn(&[usize]) -> Option<RecordBatch>,
    ) -> Result<RecordColumns, DetectError> {
        let (all, outer) = (TableColumn::all(schema), schema.fields().len());
        let names: Vec<String> = all.iter().map(|column| column.field.name().clone()).collect();
        let able = (0..all.len()).filter(|&column| can_hold_puzzles(all[column].field.data_type())).collect::<Vec<_>>();
        let able_outer = &able[..able.partition_point(|&column| column < outer)];
        let choose = |able: &[usize], options: &InputOptions| {
            let columns = able.iter().map(|&column| all[column].clone()).collect();
            let columns = RecordColumns { columns, table: Table::default(), schema: Arc::clone(schema) };
            let projection = columns.projection();
            let lines = || columns.clone().projected(&projection).lines(&sample(&projection)?).ok();
            choose_columns(&names, able, || lines().unwrap_or_default(), options)
        };

        let mut table = choose(able_outer, options);
        if matches!(table, Err(DetectError::NoPuzzleColumn { .. })) {
            table = choose(&able, options);
        }
        // If only one column can hold puzzles, it needs no usual name.
        if let (Err(DetectError::NoPuzzleColumn { .. }), [only]) = (&table, able_outer)
            && (outer == 1 || !is_named_as_answer(&names[*only]))
        {
            let puzzle_column = Some(names[*only].clone());
            table = choose(&[], &InputOptions { puzzle_column, ..options.clone() });
        }

        let mut table = table?;
        let ColumnChoice { puzzle, answer, mut keep } = table.choice;
        if options.reads_others {
            keep.retain(|&column| !matches!(all[column].field.data_type(), DataType::Struct(_)));
        } else if options.keep == [ALL_COLUMNS] && schema.index_of(ALL_COLUMNS).is_err() {
            keep.retain(|&column| column < outer);
        }
        all[puzzle].check_cells(false)?;
        answer.map_or(Ok(()), |answer| all[answer].check_cells(options.answer != AnswerColumn::ByName))?;

        let columns: Vec<usize> = [puzzle].into_iter().chain(answer).chain(keep).collect();
        let answer = answer.map(|_| 1);
        table.choice = ColumnChoice { puzzle: 0, answer, keep: (1 + answer.unwrap_or(0)..columns.len()).collect() };
        table.names = columns.iter().chain(&table.unnamed_answers).map(|&column| names[column].clone()).collect();
        table.unnamed_answers = table.unnamed_answers.map(|_| columns.len());
        let columns = columns.into_iter().map(|column| all[column].clone()).collect();
        Ok(RecordColumns { columns, table, schema: Arc::clone(schema) })
    }

    /// The first records of a batch as lines of CSV.
    fn lines(&self, batch: &RecordBatch) -> Result<Vec<Vec<u8>>, ArrowError> {
        let first = batch.slice(0, SAMPLE.min(batch.num_rows()));
        let records = self.records(&first, self.columns.len(), Alphabets::default())?;
        Ok((0..records.within(SAMPLE, SAMPLE_BYTES)).map(|record| records.get(record).to_csv()).collect())
    }

    /// The indices of the columns that are read in the schema, ascending.
    pub(crate) fn projection(&self) -> Vec<usize> {
        let indices: BTreeSet<usize> = self.columns.iter().map(|column| column.path[0]).collect();
        indices.into_iter().collect()
    }

    /// The columns of batches that have only the columns of a projection of the schema.
    ///
    /// # Panics
    ///
    /// If a column that is read is not in the projection.
    pub(crate) fn projected(mut self, projection: &[usize]) -> RecordColumns {
        for TableColumn { path, .. } in &mut self.columns {
            path[0] = projection.iter().position(|&other| other == path[0]).expect("it has all columns");
        }
        self
    }

    /// The index of the column with the puzzles in the schema.
    pub(crate) fn puzzle(&self) -> usize {
        self.columns[0].path[0]
    }

    /// The number of columns with cells: the puzzle and, if it is read, the answer.
    fn cells(&self) -> usize {
        1 + usize::from(self.table.choice.answer.is_some())
    }

    /// The line of the names, as a header for the records.
    pub(crate) fn header(&self) -> Vec<u8> {
        csv_line(self.columns.iter().map(|column| column.field.name()))
    }

    /// The types of the columns to copy.
    pub(crate) fn kept(&self) -> Vec<Field> {
        self.columns[self.cells()..].iter().map(|column| column.field.clone()).collect()
    }

    /// The records of a batch. Lists are printed in `alphabets`.
    pub(crate) fn open(&self, batch: &RecordBatch, alphabets: Alphabets) -> Result<TypedRecords, ArrowError> {
        let records = self.records(batch, self.cells(), alphabets)?;
        // Check that the types can be printed.
        printed(&records.kept.slice(0, 0))?;
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
        Ok(TypedRecords {
            cells,
            alphabets,
            kept,
            batch: Some(Arc::new(batch.clone())),
            first: 0,
            texts: OnceLock::new(),
        })
    }
}

/// Successive records of a batch.
#[derive(Clone, Debug)]
pub(crate) struct TypedRecords {
    /// The columns with the puzzles and the answers, of the complete batch.
    cells: Arc<[CellColumn]>,
    /// The alphabets for printing lists.
    pub(crate) alphabets: Alphabets,
    /// The columns that are copied to the output, of these records.
    kept: RecordBatch,
    /// The complete batch, as it was read; `None` for a record of texts.
    batch: Option<Arc<RecordBatch>>,
    /// The row of the first record in the batch.
    first: usize,
    /// The columns to copy as texts, row by row, once they were requested.
    texts: OnceLock<LargeStringArray>,
}

impl TypedRecords {
    /// A single record with these texts for the puzzle and, if there is one, for the answer. `kept` has one row.
    pub(crate) fn of_texts<'a>(
        texts: impl Iterator<Item = &'a str>,
        alphabets: Alphabets,
        kept: RecordBatch,
    ) -> TypedRecords {
        let cells = texts.map(|text| CellColumn::One(text.to_owned())).collect();
        TypedRecords { cells, alphabets, kept, batch: None, first: 0, texts: OnceLock::new() }
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
        let CellColumn::Texts(texts) = &self.cells[CellsOf::Puzzle as usize] else { return None };
        let texts = cast(&texts.slice(self.first, self.len()), &DataType::Utf8).ok()?;
        Some(texts.as_string().clone())
    }

    /// Removes the first records, and returns them.
    pub(crate) fn take(&mut self, records: usize) -> TypedRecords {
        let taken = self.slice(0, records.min(self.len()));
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

    /// Some successive records.
    pub(crate) fn slice(&self, start: usize, length: usize) -> TypedRecords {
        TypedRecords {
            cells: Arc::clone(&self.cells),
            alphabets: self.alphabets,
            kept: self.kept.slice(start, length),
            batch: self.batch.clone(),
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
    /// The batch of the record, and its row there; `None` for a record of texts.
    pub(crate) fn row(self) -> Option<(&'a Arc<RecordBatch>, usize)> {
        self.records.batch.as_ref().map(|batch| (batch, self.records.first + self.index))
    }

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
        let TypedRecords { cells, alphabets, first, .. } = self.records;
        cells[column as usize].text(first + self.index, alphabets, buffer)
    }

    /// The columns to copy, as texts. The first call prints the columns of all records.
    pub(crate) fn fields(self) -> impl Iterator<Item = &'a [u8]> {
        let TypedRecords { kept, texts, .. } = self.records;
        let texts = texts.get_or_init(|| printed(kept).expect("the types were checked with the batch"));
        (0..kept.num_columns()).map(move |column| texts.value(self.index * kept.num_columns() + column).as_bytes())
    }

    /// All columns that are read, as a line of CSV without a line end.
    pub(crate) fn to_csv(self) -> Vec<u8> {
        let TypedRecords { cells, alphabets, first, .. } = self.records;
        let text = |column: &CellColumn| {
            column.text(first + self.index, alphabets, &mut String::new()).to_owned().into_bytes()
        };
        let mut line = csv_line(cells.iter().map(text).chain(self.fields().map(<[u8]>::to_vec)));
        line.pop();
        line
    }
}

/// The texts of columns, row by row.
fn printed(kept: &RecordBatch) -> Result<LargeStringArray, ArrowError> {
    let options = FormatOptions::new().with_display_error(true);
    let readable = kept.columns().iter().map(in_utc).collect::<Result<Vec<_>, _>>()?;
    let formatters = readable.iter().map(|column| ArrayFormatter::try_new(column.as_ref(), &options));
    let formatters = formatters.collect::<Result<Vec<_>, _>>()?;

    let mut texts = LargeStringBuilder::new();
    for row in 0..kept.num_rows() {
        for formatter in &formatters {
            write!(texts, "{}", formatter.value(row)).expect("a string takes any text");
            texts.append_value("");
        }
    }
    Ok(texts.finish())
}

/// A line of CSV, with its line end.
fn csv_line(fields: impl IntoIterator<Item: AsRef<[u8]>>) -> Vec<u8> {
    // By default, each line would get a buffer of 8 KiB.
    let mut writer = csv::WriterBuilder::new().buffer_capacity(256).from_writer(vec![]);
    writer.write_record(fields).expect("memory takes any text");
    writer.into_inner().expect("memory takes any text")
}
