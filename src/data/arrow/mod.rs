//! Arrow: reads puzzles from record batches, Parquet files and arrays of `NumPy`, and writes Parquet files.
//!
//! Workers parse the cells in the columns of puzzles and answers in place. A record is converted to text, a line of
//! CSV, only when its text is requested.

pub(crate) mod cells;
pub(crate) mod npy;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod records;

use std::io;
use std::sync::Arc;

use arrow_array::Array;
pub use arrow_array::{ArrayRef, RecordBatch};
use arrow_cast::{CastOptions, cast, cast_with_options};
pub use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

/// Converts an error of reading batches, without the words that Arrow adds around another error.
pub(crate) fn into_io(error: ArrowError) -> io::Error {
    match error {
        ArrowError::ExternalError(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}

/// UTC as an offset. Other time zones can only be read with a database of all time zones.
const UTC_OFFSET: &str = "+00:00";

/// The error of a column that cannot be written, because the inputs have different types for it.
#[derive(Debug, thiserror::Error)]
#[error("column '{column}' has other values than in the first input: {source}")]
struct ColumnCastError {
    column: String,
    source: ArrowError,
}

/// Converts a column to the type of a field, unless a value does not have that type.
pub(crate) fn cast_column(column: &ArrayRef, field: &Field) -> Result<ArrayRef, ArrowError> {
    let options = CastOptions { safe: false, ..CastOptions::default() };
    let converted = in_utc(column).and_then(|column| {
        // The name of UTC is also a time zone that cannot be read.
        let to = match field.data_type() {
            DataType::Timestamp(unit, Some(zone)) if **zone == *"UTC" => {
                DataType::Timestamp(*unit, Some(UTC_OFFSET.into()))
            }
            other => other.clone(),
        };
        cast(&cast_with_options(&column, &to, &options)?, field.data_type())
    });
    converted.map_err(|source| {
        ArrowError::from_external_error(Box::new(ColumnCastError { column: field.name().clone(), source }))
    })
}

/// Converts points in time to UTC, if a column has any.
fn in_utc(column: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    match column.data_type() {
        DataType::Timestamp(unit, Some(_)) => cast(column, &DataType::Timestamp(*unit, Some(UTC_OFFSET.into()))),
        _ => Ok(Arc::clone(column)),
    }
}
