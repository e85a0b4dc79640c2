//! The errors of jobs that copy records.

use std::collections::TryReserveError;
use std::io;
use std::path::PathBuf;

use crate::format::InputFormat;
use crate::run::JobError;

/// The error for records that cannot be copied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// Rows were requested, but the records are text.
    #[error("{input} has no columns with types: its records can be copied as text only")]
    NoTypes {
        /// The name of the input.
        input: String,
    },
    /// Two inputs have different headers or formats.
    #[error("{input} has another format or header than {first}: their records do not fit into one file")]
    OtherTable {
        /// The name of the input.
        input: String,
        /// The name of the first input.
        first: String,
    },
    /// The extension of an output names a different format than the records have.
    #[error("records are copied as they are, as {format}, and {} has another extension; `gridmill convert --keep all` changes the format", path.display())]
    OtherExtension {
        /// The output.
        path: PathBuf,
        /// The format of the inputs.
        format: InputFormat,
    },
    /// Parquet cannot be written to standard output.
    #[error("cannot write Parquet to standard output; name a file that ends in .parquet")]
    ParquetToStdout,
    /// All parts would go to one file.
    #[error("{} is the name of a file, but each part has its own; put {{part}} into the name, or name a directory", .0.display())]
    OneFile(PathBuf),
    /// Parts cannot be written to standard output.
    #[error("parts are not written to standard output; name a directory, or a file with {{part}} in its name")]
    PartsToStdout,
    /// A file that is not a part would look like one.
    #[error("{} is not a part of this split; move it away, or give the output another name", .0.display())]
    OtherPart(PathBuf),
    /// An input must be read twice, but can be read only once.
    #[error("{input} would have to be read twice; write it to a file first")]
    ReadTwice {
        /// The name of the input.
        input: String,
    },
    /// An input has changed since the first pass.
    #[error("the inputs have changed while they were read")]
    Changed,
    /// A part cannot get enough records.
    #[error(
        "{part} should have {wanted} records, but no more than {found} of those left can go into it without dividing a class"
    )]
    TooFew {
        /// The name of the part.
        part: String,
        /// The requested number of records.
        wanted: u64,
        /// The number of records that it can get.
        found: u64,
    },
    /// The sample does not fit into memory.
    #[error("the sample takes more memory than there is; take fewer records")]
    NoMemory,
    /// A column has too many values to stratify a sample.
    #[error(
        "the column {column} has more than {limit} values; only a column of categories, or bins of numbers, can be stratified"
    )]
    TooManyValues {
        /// The column.
        column: String,
        /// The maximum number of values.
        limit: usize,
    },
}

impl From<TryReserveError> for CopyError {
    fn from(_: TryReserveError) -> CopyError {
        CopyError::NoMemory
    }
}

impl From<CopyError> for JobError {
    fn from(error: CopyError) -> JobError {
        JobError::of_run(error)
    }
}

/// The error of a run that fails while it reads the inputs.
impl From<CopyError> for io::Error {
    fn from(error: CopyError) -> io::Error {
        io::Error::other(error)
    }
}
