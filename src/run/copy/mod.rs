//! Copies records unchanged: the shared part of split, dedupe, sample and validate.
//!
//! ```text
//!   chunk -> workers -> a note for each record -> Chooser -> the index of an output -> RecordCopier
//!              |  parallel: the group, a column      |  serial, in the order of the input
//! ```
//!
//! Rows with typed columns are copied with all their columns, to Parquet files or to a function. The inputs are read
//! again if a [`Chooser`] needs to see all records first.

mod copier;
mod error;
mod group;
mod keyed_hash;
mod rows;
mod run;
mod text;
mod values;

pub(crate) use self::copier::{RecordCopier, check_extension, copy_to_file, copying_job_runs};
pub(crate) use self::error::CopyError;
pub use self::group::{GroupBy, NoKey, NoKeyCounts};
pub(crate) use self::group::{GroupFinder, GroupedRecord};
pub(crate) use self::keyed_hash::KeyedHash;
#[cfg(feature = "parquet")]
pub(crate) use self::rows::keep_rows;
pub(crate) use self::run::{Chooser, RecordNote, copy_records};
pub use self::values::Bins;
pub(crate) use self::values::{FieldNumber, ValueIndex, ValueTable};
