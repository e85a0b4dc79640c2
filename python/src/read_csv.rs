//! Reads rows that were written as CSV back into a table: what is text in Parquet is text, even if it has digits only.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::builder::LargeStringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use gridmill::compression::{Compression, Decoder};
use gridmill::puzzle::Size;
use gridmill::rows::Kind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batches::Batches;
use crate::columns;

/// The number of rows of a batch.
const BATCH: usize = 1 << 16;

/// The rows of a file, which may be compressed. Columns of gridmill have their types. A column that is not of gridmill has
/// integers, numbers or truth values if all its values are, and cannot be puzzles; else it has texts. Empty values are null.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "a path of Python is converted to an owned one")]
pub(crate) fn read_csv(py: Python<'_>, path: PathBuf) -> PyResult<Batches> {
    py.detach(|| {
        let failed =
            |error: io::Error| PyErr::from(io::Error::new(error.kind(), format!("{}: {error}", path.display())));
        let file = BufReader::new(File::open(&path).map_err(failed)?);
        let text: Box<dyn Read> = match Compression::from_extension(&path) {
            Some(compression) => Box::new(Decoder::new(file, compression)),
            None => Box::new(file),
        };
        read(text).map_err(|error| PyValueError::new_err(format!("{}: {error}", path.display())))
    })
}

fn read(text: impl Read) -> Result<Batches, ArrowError> {
    let damaged = |error: csv::Error| ArrowError::CsvError(error.to_string());
    let mut reader = csv::Reader::from_reader(text);
    let names: Vec<String> = reader.headers().map_err(damaged)?.iter().map(str::to_owned).collect();
    let builders = || names.iter().map(|_| LargeStringBuilder::new()).collect::<Vec<_>>();

    // The chunks of each column.
    let mut columns: Vec<Vec<ArrayRef>> = vec![vec![]; names.len()];
    let mut finish = |builders: Vec<LargeStringBuilder>| {
        for (chunks, mut builder) in columns.iter_mut().zip(builders) {
            chunks.push(Arc::new(builder.finish()) as ArrayRef);
        }
    };
    let (mut batch, mut row, mut rows) = (builders(), csv::StringRecord::new(), 0);
    while reader.read_record(&mut row).map_err(damaged)? {
        for (builder, field) in batch.iter_mut().zip(&row) {
            builder.append_option(Some(field).filter(|field| !field.is_empty()));
        }
        rows += 1;
        if rows % BATCH == 0 {
            finish(std::mem::replace(&mut batch, builders()));
        }
    }
    finish(batch);

    let columns: Vec<Vec<ArrayRef>> = names.iter().zip(columns).map(|(name, chunks)| typed(name, chunks)).collect();
    let field = |(name, chunks): (&String, &Vec<ArrayRef>)| Field::new(name, chunks[0].data_type().clone(), true);
    let schema = Arc::new(Schema::new(names.iter().zip(&columns).map(field).collect::<Vec<_>>()));
    let batch = |chunk: usize| {
        RecordBatch::try_new(Arc::clone(&schema), columns.iter().map(|chunks| Arc::clone(&chunks[chunk])).collect())
    };
    let batches = (0..columns.first().map_or(0, Vec::len)).map(batch).collect::<Result<_, _>>()?;
    Ok(Batches::new(schema, batches))
}

/// The chunks of a column in the type of its values, if that loses nothing.
fn typed(name: &str, chunks: Vec<ArrayRef>) -> Vec<ArrayRef> {
    let data_type = match columns::kind_of(name) {
        Some(Kind::Number) => DataType::UInt64,
        Some(Kind::Decimal) => DataType::Float64,
        None => match type_of_values(&chunks) {
            Some(data_type) => data_type,
            None => return chunks,
        },
        Some(_) => return chunks,
    };
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let cast = chunks.iter().map(|chunk| cast_with_options(chunk, &data_type, &options)).collect::<Result<_, _>>();
    cast.unwrap_or(chunks)
}

/// The type of the values of a column if it is not text. A column of puzzles is text, whatever its values look like: of
/// digits that a number cannot hold, or all as long as a puzzle. So are numbers that begin with a 0.
fn type_of_values(chunks: &[ArrayRef]) -> Option<DataType> {
    let values = || chunks.iter().flat_map(|chunk| chunk.as_string::<i64>().iter().flatten());
    values().next()?;
    let is_long = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && text.len() >= Size::Four.cells();
    if values().any(is_long) || values().all(|text| Size::from_cells(text.len()).is_some()) {
        return None;
    }

    let begins_with_zero = |text: &str| text.len() > 1 && text.starts_with('0') && !text.starts_with("0.");
    let is_number = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        digits.starts_with(|first: char| first.is_ascii_digit()) && !begins_with_zero(digits)
    };
    if values().all(|text| is_number(text) && text.parse::<i64>().is_ok()) {
        Some(DataType::Int64)
    } else if values().all(|text| is_number(text) && text.parse::<f64>().is_ok()) {
        Some(DataType::Float64)
    } else if values().all(|text| ["true", "false"].iter().any(|name| text.eq_ignore_ascii_case(name))) {
        Some(DataType::Boolean)
    } else {
        None
    }
}
