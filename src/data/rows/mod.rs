//! Writes output rows in every output format.
//!
//! A job describes its rows once: by a list of [`Column`]s, and a function that returns the value of each (`Row`). CSV,
//! JSON lines and Arrow are written from this description; other formats from the grids of a row.
//!
//! ```text
//!   Row::COLUMNS, Row::field ---> csv, jsonl: text of a chunk
//!        |                   |--> typed: record batches
//!        |                   \--> values: one record at a time
//!        \-> Table: the columns of a run
//!   Row::grids -----------------> formats: text of a chunk
//! ```

mod builders;
mod column;
mod csv;
mod ends;
mod fields;
mod formats;
mod jsonl;
mod row;
mod sink;
mod subject;
#[cfg(test)]
mod tests;
mod typed;
mod values;

pub use self::column::{Column, Kind};
pub(crate) use self::column::{Table, column};
pub(crate) use self::ends::RowEnds;
pub use self::formats::OutputFormat;
pub(crate) use self::row::{Decimal, Field, GridsRow, NamedCounts, Row, row};
pub(crate) use self::sink::{RowContainer, RowParts, RowSink, RowStyle};
pub use self::subject::Status;
pub(crate) use self::subject::Subject;
pub(crate) use self::typed::schema;
pub use self::values::Value;
pub(crate) use self::values::values_by_name;
