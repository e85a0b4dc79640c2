//! The rows of a job as Arrow record batches, for Python.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray, UInt64Array};
use arrow_cast::cast;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, SchemaRef};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyCapsule, PyList, PyString};
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};

use crate::errors::arrow_error;
use crate::grids::{Content, Grids};

/// Record batches of one schema. `gridmill.Table` wraps them.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Batches {
    schema: SchemaRef,
    chunks: Vec<RecordBatch>,
    rows: usize,
}

impl Batches {
    pub(crate) fn new(schema: SchemaRef, chunks: Vec<RecordBatch>) -> Batches {
        let rows = chunks.iter().map(RecordBatch::num_rows).sum();
        Batches { schema, chunks, rows }
    }

    /// `count` rows from `start` on, without a copy.
    fn range(&self, mut start: usize, mut count: usize) -> Vec<RecordBatch> {
        let mut slices = Vec::new();
        for chunk in &self.chunks {
            let rows = chunk.num_rows().saturating_sub(start).min(count);
            if rows > 0 {
                slices.push(chunk.slice(start, rows));
            }
            start = start.saturating_sub(chunk.num_rows());
            count -= rows;
        }
        slices
    }

    fn index_of(&self, name: &str) -> PyResult<usize> {
        self.schema.index_of(name).map_err(|_| {
            PyKeyError::new_err(format!("no column is called '{name}'; there are {}", self.columns().join(", ")))
        })
    }

    /// The chunks of a column.
    fn column(&self, name: &str) -> PyResult<impl Iterator<Item = &ArrayRef>> {
        let index = self.index_of(name)?;
        Ok(self.chunks.iter().map(move |batch| batch.column(index)))
    }
}

#[pymethods]
impl Batches {
    fn __len__(&self) -> usize {
        self.rows
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.schema.as_ref())?)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let field = Arc::new(Field::new_struct("", self.schema.fields().clone(), false));
        let batches: Vec<_> =
            self.chunks.iter().map(|batch| Ok(Arc::new(StructArray::from(batch.clone())) as ArrayRef)).collect();
        Ok(to_stream_pycapsule(py, Box::new(ArrayIterator::new(batches, field)), requested_schema)?)
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The values of a column as Python objects: `int`, `float`, `str`, `None`, or lists of `str`.
    fn values<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let values = PyList::empty(py);
        for chunk in self.column(name)? {
            append(&values, chunk, name)?;
        }
        Ok(values)
    }

    /// The grids of a column: their cells, a byte each, row after row, and the number of cells of a grid.
    fn grids<'py>(&self, py: Python<'py>, name: &str) -> PyResult<(Bound<'py, PyByteArray>, usize)> {
        let chunks: Vec<ArrayRef> = self.column(name)?.map(|chunk| texts(chunk, name)).collect::<PyResult<_>>()?;
        let content = if name.ends_with("solution") { Content::Solutions } else { Content::Puzzles };
        let texts = || chunks.iter().flat_map(|chunk| chunk.as_string::<i32>().iter());
        let grids = Grids::detect(texts().flatten(), content).map_err(PyValueError::new_err)?;
        let cells = grids.cells();
        let bytes = PyByteArray::new_with(py, self.rows * cells, |bytes| {
            for (text, cells) in texts().zip(bytes.chunks_exact_mut(cells)) {
                grids.read(text.unwrap_or_default(), cells);
            }
            Ok(())
        })?;
        Ok((bytes, cells))
    }

    /// Every `step`-th row from `start` on, `count` rows in all.
    fn rows(&self, start: usize, step: isize, count: usize) -> PyResult<Batches> {
        if step == 1 {
            return Ok(Batches::new(Arc::clone(&self.schema), self.range(start, count)));
        }
        self.take((0..count).map(|row| start.wrapping_add_signed(step * row.cast_signed()) as u64).collect())
    }

    /// The rows with these indices.
    fn take(&self, indices: Vec<u64>) -> PyResult<Batches> {
        let rows = concat_batches(&self.schema, &self.chunks).map_err(arrow_error)?;
        let rows = take_record_batch(&rows, &UInt64Array::from(indices)).map_err(arrow_error)?;
        Ok(Batches::new(Arc::clone(&self.schema), vec![rows]))
    }

    /// Some of the columns, in this order.
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    fn select(&self, names: Vec<String>) -> PyResult<Batches> {
        let indices: Vec<usize> = names.iter().map(|name| self.index_of(name)).collect::<PyResult<_>>()?;
        let schema = self.schema.project(&indices).map_err(arrow_error)?;
        let chunks = self.chunks.iter().map(|chunk| chunk.project(&indices)).collect::<Result<_, _>>();
        Ok(Batches::new(Arc::new(schema), chunks.map_err(arrow_error)?))
    }

    /// Whether both have the same columns, with the same values.
    fn __eq__(&self, other: &Batches) -> PyResult<bool> {
        let rows = |batches: &Batches| concat_batches(&batches.schema, &batches.chunks).map_err(arrow_error);
        Ok(self.schema.fields() == other.schema.fields()
            && self.rows == other.rows
            && rows(self)?.columns() == rows(other)?.columns())
    }

    /// The rows as a stream of Arrow's IPC format.
    fn to_ipc<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut writer = StreamWriter::try_new(Vec::new(), &self.schema).map_err(arrow_error)?;
        for chunk in &self.chunks {
            writer.write(chunk).map_err(arrow_error)?;
        }
        Ok(PyBytes::new(py, &writer.into_inner().map_err(arrow_error)?))
    }

    /// The rows of such a stream.
    #[staticmethod]
    fn from_ipc(bytes: &[u8]) -> PyResult<Batches> {
        let reader = StreamReader::try_new(bytes, None).map_err(arrow_error)?;
        let schema = reader.schema();
        let chunks = reader.collect::<Result<_, _>>().map_err(arrow_error)?;
        Ok(Batches::new(schema, chunks))
    }
}

/// Appends the values of an array to a list.
fn append(values: &Bound<'_, PyList>, array: &ArrayRef, name: &str) -> PyResult<()> {
    let data_type = array.data_type();
    if data_type.is_signed_integer() {
        let integers = cast(array, &DataType::Int64).map_err(arrow_error)?;
        return integers.as_primitive::<Int64Type>().iter().try_for_each(|value| values.append(value));
    }
    if data_type.is_unsigned_integer() {
        let integers = cast(array, &DataType::UInt64).map_err(arrow_error)?;
        return integers.as_primitive::<UInt64Type>().iter().try_for_each(|value| values.append(value));
    }
    if data_type.is_floating() {
        let floats = cast(array, &DataType::Float64).map_err(arrow_error)?;
        return floats.as_primitive::<Float64Type>().iter().try_for_each(|value| values.append(value));
    }
    if let Some(flags) = array.as_boolean_opt() {
        return flags.iter().try_for_each(|value| values.append(value));
    }
    let py = values.py();
    if let Some(lists) = array.as_list_opt::<i32>() {
        return lists.iter().try_for_each(|items| {
            let list = items.map(|items| {
                let list = PyList::empty(py);
                append(&list, &items, name).map(|()| list)
            });
            values.append(list.transpose()?)
        });
    }
    let texts = texts(array, name)?;
    texts.as_string::<i32>().iter().try_for_each(|text| values.append(text.map(|text| PyString::new(py, text))))
}

/// A column of texts, as plain strings.
fn texts(array: &ArrayRef, name: &str) -> PyResult<ArrayRef> {
    let is_text = |data_type: &DataType| matches!(data_type, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    match array.data_type() {
        DataType::Utf8 => Ok(Arc::clone(array)),
        DataType::Dictionary(_, values) if is_text(values) => as_utf8(array),
        data_type if is_text(data_type) => as_utf8(array),
        data_type => Err(PyTypeError::new_err(format!("column '{name}' holds {data_type}, not text; use to_arrow()"))),
    }
}

fn as_utf8(array: &ArrayRef) -> PyResult<ArrayRef> {
    cast(array, &DataType::Utf8).map_err(arrow_error)
}
