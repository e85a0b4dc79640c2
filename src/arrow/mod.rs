//! Arrow: reads puzzles from record batches and Parquet files, and writes Parquet files.
//!
//! Workers parse the cells of the columns with puzzles and answers where they are. A record becomes text, a line of CSV,
//! only for who asks for its text.

pub(crate) mod cells;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod records;

pub use arrow_array::{ArrayRef, RecordBatch};
pub use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
