//! Puzzles from Python as record batches: texts, cells of a `NumPy` array, and anything with the Arrow interface.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, FixedSizeListArray, RecordBatch, make_array};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use bytes::Bytes;
use gridmill::corpus::Corpus;
use gridmill::format::{Alphabet, AnswerColumn, InputOptions};
use gridmill::puzzle::Size;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyList, PyString};
use pyo3_arrow::ffi::{ArrayIterator, ArrayReader};
use pyo3_arrow::input::AnyArray;

use crate::errors::{arrow_error, corpus_error, stream_error};
use crate::settings::Settings;

/// The name of the only column of puzzles that are not in a table.
const PUZZLE: &str = "puzzle";
/// The name of the column with answers.
const ANSWER: &str = "solution";

/// The number of records in a batch made here.
const BATCH: usize = 1 << 14;

/// The most rows of a table that is read before its run starts.
const SHORT: usize = 1 << 12;

/// The cells of a `NumPy` array: rows of numbers, all of the same length.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Cells {
    rows: ArrayRef,
    size: Size,
}

#[pymethods]
impl Cells {
    /// Makes rows of `cells` numbers each, without a copy. `kind` is `u1`, `i8`, `u8` or `f8`: the kind of the numbers, and
    /// of how many bytes they are.
    #[new]
    fn new(bytes: PyBackedBytes, kind: &str, cells: usize) -> PyResult<Cells> {
        let size = Size::from_cells(cells).ok_or_else(|| {
            PyValueError::new_err(format!("{cells} cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"))
        })?;
        let (item, width) = match kind {
            "u1" => (DataType::UInt8, 1),
            "i8" => (DataType::Int64, 8),
            "u8" => (DataType::UInt64, 8),
            "f8" => (DataType::Float64, 8),
            other => return Err(PyValueError::new_err(format!("no kind of numbers is called '{other}'"))),
        };
        let length = bytes.len() / width;
        let items = ArrayData::builder(item.clone()).len(length).add_buffer(Bytes::from_owner(bytes).into());
        let items = make_array(items.align_buffers(true).build().map_err(arrow_error)?);
        let field = Arc::new(Field::new_list_field(item, false));
        let rows = FixedSizeListArray::try_new(field, cells.cast_signed() as i32, items, None).map_err(arrow_error)?;
        Ok(Cells { rows: Arc::new(rows), size })
    }
}

/// Batches that an iterator of Python gives, at least one. All have the same schema, which the caller has checked.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct BatchIterator(Py<PyAny>);

#[pymethods]
impl BatchIterator {
    #[new]
    fn new(batches: Py<PyAny>) -> BatchIterator {
        BatchIterator(batches)
    }
}

/// Reads batches one by one. An exception of the iterator is the error, so that the caller gets it again.
struct BatchReader {
    batches: Py<PyAny>,
    field: FieldRef,
    first: Option<ArrayRef>,
}

impl BatchReader {
    fn new(batches: &Bound<'_, PyAny>) -> PyResult<BatchReader> {
        let first = BatchReader::read(batches)?;
        let (field, first) = first.ok_or_else(|| PyValueError::new_err("there is no batch"))?;
        Ok(BatchReader { batches: batches.clone().unbind(), field, first: Some(first) })
    }

    fn read(batches: &Bound<'_, PyAny>) -> PyResult<Option<(FieldRef, ArrayRef)>> {
        let Some(batch) = batches.try_iter()?.next().transpose()? else { return Ok(None) };
        let mut reader = batch.extract::<AnyArray>()?.into_reader()?;
        let array = reader.next().transpose().map_err(arrow_error)?;
        Ok(array.map(|array| (reader.field(), array)))
    }
}

impl Iterator for BatchReader {
    type Item = Result<ArrayRef, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        let next = Python::attach(|py| BatchReader::read(self.batches.bind(py)));
        next.map(|next| next.map(|(_, array)| array))
            .map_err(|error| ArrowError::from_external_error(error.into()))
            .transpose()
    }
}

impl ArrayReader for BatchReader {
    fn field(&self) -> FieldRef {
        Arc::clone(&self.field)
    }
}

/// The puzzles of a call, with further columns.
pub(crate) struct Puzzles {
    reader: Box<dyn ArrayReader + Send>,
    /// The alphabet that they were written in here.
    alphabet: Option<Alphabet>,
}

impl Puzzles {
    /// Takes what `gridmill._arguments` has let through.
    pub(crate) fn new(puzzles: &Bound<'_, PyAny>, settings: &Settings) -> PyResult<Puzzles> {
        if let Ok(texts) = puzzles.cast::<PyList>() {
            return Ok(Puzzles { reader: in_batches(&texts_of(texts)?), alphabet: None });
        }
        if let Ok(cells) = puzzles.cast::<Cells>() {
            let cells = cells.get();
            let alphabet = settings.alphabet_for_printing(cells.size);
            return Ok(Puzzles { reader: in_batches(&cells.rows), alphabet: Some(alphabet) });
        }
        if let Ok(batches) = puzzles.cast::<BatchIterator>() {
            return Ok(Puzzles {
                reader: Box::new(BatchReader::new(batches.get().0.bind(puzzles.py()))?),
                alphabet: None,
            });
        }
        let is_short = puzzles.len().is_ok_and(|rows| rows <= SHORT);
        // An array that was given away before makes the Arrow crate panic.
        let reader = catch_unwind(AssertUnwindSafe(|| {
            let reader = puzzles.extract::<AnyArray>()?.into_reader()?;
            Ok(if is_short { read(reader) } else { reader })
        }));
        let reader = reader.unwrap_or_else(|_| {
            Err(PyValueError::new_err("the Arrow array cannot be read: it was released, or is not a valid array"))
        })?;
        Ok(Puzzles { reader, alphabet: None })
    }

    pub(crate) fn is_table(&self) -> bool {
        matches!(self.reader.field().data_type(), DataType::Struct(_))
    }

    /// The records of a job that copies columns to its rows, and reads the columns `read`; `answer` tells whether it
    /// reads the answers of a table.
    pub(crate) fn records(self, settings: &Settings, answer: AnswerColumn, read: &[String]) -> PyResult<Records> {
        let others = read.iter().filter(|name| !settings.keep.contains(name));
        self.records_with(settings, answer, settings.keep.iter().chain(others).cloned().collect())
    }

    /// The records of a job that reads some columns, and copies all to its rows, or none.
    pub(crate) fn records_with(
        self,
        settings: &Settings,
        answer: AnswerColumn,
        columns: Vec<String>,
    ) -> PyResult<Records> {
        if self.is_table() {
            return Ok(of_table(self.reader, settings.options(answer, columns)));
        }
        check_no_names(settings, &columns)?;
        Ok(self.column(settings))
    }

    /// The records, without answers or further columns. If the puzzles are not a table, names of columns are for other
    /// puzzles.
    pub(crate) fn only_puzzles(self, settings: &Settings) -> Records {
        if self.is_table() { of_table(self.reader, settings.puzzle_options()) } else { self.column(settings) }
    }

    fn column(self, settings: &Settings) -> Records {
        let options = self.column_options(settings, AnswerColumn::Ignored);
        let schema = Arc::new(Schema::new(vec![renamed(&self.reader.field(), PUZZLE)]));
        let batches = {
            let schema = Arc::clone(&schema);
            self.reader.map(move |array| RecordBatch::try_new(Arc::clone(&schema), vec![array?]))
        };
        Records { schema, batches: Box::new(batches), options }
    }

    /// The records of puzzles with their answers, which errors call `noun`.
    pub(crate) fn with_answers(self, answers: Puzzles, noun: &str, settings: &Settings) -> PyResult<Records> {
        if self.is_table() || answers.is_table() {
            return Err(PyValueError::new_err(format!(
                "{noun}s belong to puzzles that are not a table; of a table, name the column with {noun}_column"
            )));
        }
        check_no_names(settings, &[])?;
        let options = self.column_options(settings, AnswerColumn::Named(ANSWER.to_owned()));
        let fields = vec![renamed(&self.reader.field(), PUZZLE), renamed(&answers.reader.field(), ANSWER)];
        let schema = Arc::new(Schema::new(fields));
        let (puzzles, answers) = (arrays(self.reader)?, arrays(answers.reader)?);
        let count = |arrays: &[ArrayRef]| arrays.iter().map(Array::len).sum::<usize>();
        if count(&puzzles) != count(&answers) {
            return Err(PyValueError::new_err(format!(
                "there are {} puzzles and {} {noun}s",
                count(&puzzles),
                count(&answers)
            )));
        }
        let batches: Vec<_> = pairs(puzzles, answers)
            .into_iter()
            .map(|(puzzles, answers)| RecordBatch::try_new(Arc::clone(&schema), vec![puzzles, answers]))
            .collect();
        Ok(Records { schema, batches: Box::new(batches.into_iter()), options })
    }

    /// The options for puzzles that are not a table: the names of its columns are ours.
    fn column_options(&self, settings: &Settings, answer: AnswerColumn) -> InputOptions {
        let mut options = settings.input_options(answer);
        options.puzzle_column = Some(PUZZLE.to_owned());
        options.alphabets.extend(self.alphabet);
        options
    }
}

/// Records in memory, and how they are read.
pub(crate) struct Records {
    pub(crate) schema: SchemaRef,
    batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send>,
    pub(crate) options: InputOptions,
}

impl Records {
    /// A corpus that is read once.
    pub(crate) fn corpus(self) -> PyResult<Corpus> {
        let Records { schema, batches, options } = self;
        Corpus::from_batches(schema, batches, options).map_err(|error| corpus_error(&error))
    }

    /// A corpus that can be read again. All records are fetched at once, without the global interpreter lock.
    pub(crate) fn table(self, py: Python<'_>) -> PyResult<Corpus> {
        let Records { schema, batches, options } = self;
        let batches = py.detach(|| batches.collect::<Result<Vec<_>, _>>()).map_err(|error| stream_error(&error))?;
        Corpus::from_table(schema, batches, options).map_err(|error| corpus_error(&error))
    }
}

/// Checks that no columns are named for puzzles that are not a table. `columns` are the ones that a job reads.
pub(crate) fn check_no_names(settings: &Settings, columns: &[String]) -> PyResult<()> {
    let names = match columns {
        [] if !settings.names_columns() => return Ok(()),
        [] => String::new(),
        columns => format!("; these puzzles are not a table, and have no column {}", columns.join(", ")),
    };
    Err(PyValueError::new_err(format!(
        "puzzle_column, answer_column, response_column, state_column and keep are for tables{names}"
    )))
}

/// The rows of a table.
fn of_table(reader: Box<dyn ArrayReader + Send>, options: InputOptions) -> Records {
    let field = reader.field();
    let DataType::Struct(fields) = field.data_type() else { unreachable!("the rows of a table are structs") };
    let schema = Arc::new(Schema::new(fields.clone()));
    let batches = reader.map(|array| {
        let array = array?;
        let rows = array.as_struct();
        if rows.null_count() > 0 {
            return Err(ArrowError::InvalidArgumentError("a row of the table is null".to_owned()));
        }
        Ok(RecordBatch::from(rows))
    });
    Records { schema, batches: Box::new(batches), options }
}

/// The texts of a list of `str`, `None`, and what has the cells of a puzzle. A lone surrogate becomes `?`, which no puzzle
/// has.
fn texts_of(list: &Bound<'_, PyList>) -> PyResult<ArrayRef> {
    let mut texts = LargeStringBuilder::with_capacity(list.len(), 81 * list.len());
    for (index, item) in list.iter().enumerate() {
        if item.is_none() {
            texts.append_null();
        } else if let Ok(text) = item.cast::<PyString>() {
            texts.append_value(text.to_string_lossy());
        } else {
            let text = item.py().import("gridmill._inputs")?.call_method1("text_of", (&item,));
            let text = text.map_err(|error| {
                PyTypeError::new_err(format!("item {index} of the list {}", error.value(item.py())))
            })?;
            texts.append_value(text.cast::<PyString>()?.to_string_lossy());
        }
    }
    Ok(Arc::new(texts.finish()))
}

/// The slices of an array.
fn in_batches(array: &ArrayRef) -> Box<dyn ArrayReader + Send> {
    let field = Arc::new(Field::new(PUZZLE, array.data_type().clone(), true));
    let starts = (0..array.len()).step_by(BATCH);
    let batches: Vec<_> = starts.map(|start| Ok(array.slice(start, BATCH.min(array.len() - start)))).collect();
    Box::new(ArrayIterator::new(batches, field))
}

/// All arrays of a table that knows its length, so that its run knows that they are in memory, and starts no thread.
fn read(reader: Box<dyn ArrayReader + Send>) -> Box<dyn ArrayReader + Send> {
    let (field, arrays) = (reader.field(), reader.collect::<Vec<_>>());
    Box::new(ArrayIterator::new(arrays.into_iter(), field))
}

/// The field under another name. Nulls are allowed: they are malformed records.
fn renamed(field: &FieldRef, name: &str) -> FieldRef {
    Arc::new(field.as_ref().clone().with_name(name).with_nullable(true))
}

fn arrays(reader: Box<dyn ArrayReader + Send>) -> PyResult<Vec<ArrayRef>> {
    reader.collect::<Result<_, _>>().map_err(arrow_error)
}

/// The chunks of two columns of the same length, cut where either of them is.
fn pairs(puzzles: Vec<ArrayRef>, answers: Vec<ArrayRef>) -> Vec<(ArrayRef, ArrayRef)> {
    let mut pairs = Vec::with_capacity(puzzles.len().max(answers.len()));
    let (mut puzzles, mut answers) = (VecDeque::from(puzzles), VecDeque::from(answers));
    while let (Some(left), Some(right)) = (puzzles.pop_front(), answers.pop_front()) {
        let rows = left.len().min(right.len());
        pairs.push((left.slice(0, rows), right.slice(0, rows)));
        if left.len() > rows {
            puzzles.push_front(left.slice(rows, left.len() - rows));
        }
        if right.len() > rows {
            answers.push_front(right.slice(rows, right.len() - rows));
        }
    }
    pairs
}
