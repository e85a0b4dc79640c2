//! Arrow: reads puzzles from record batches and Parquet files, and writes Parquet files.
//!
//! A record of a batch is passed on as text: its puzzle, its answer and the columns that are kept, as a line of CSV. So
//! all parts of gridmill that read text read typed columns, too.

pub(crate) mod cells;
#[cfg(feature = "parquet")]
pub(crate) mod parquet;
pub(crate) mod records;

pub use arrow_array::{ArrayRef, RecordBatch};
pub use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
