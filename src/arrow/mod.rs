//! Arrow: reads puzzles from record batches, Parquet files and arrays of `NumPy`, and writes Parquet files.
//!
//! Workers parse the cells of the columns with puzzles and answers where they are. A record becomes text, a line of CSV,
//! only for who asks for its text.

mod casts;
mod cell_size;
pub(crate) mod cells;
pub(crate) mod npy;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod records;

use std::io;

pub(crate) use self::casts::cast_column;
pub use arrow_array::{ArrayRef, RecordBatch};
pub use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

/// Why batches cannot be read, without the words around another error.
pub(crate) fn into_io(error: ArrowError) -> io::Error {
    match error {
        ArrowError::ExternalError(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
