//! The errors of jobs that copy records.

use std::io;
use std::path::PathBuf;

use crate::format::InputFormat;
use crate::run::JobError;

/// Why records cannot be copied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// Rows with typed columns are copied in a second pass, which does not know the shard.
    #[error("the records of a shard of Parquet files cannot be copied")]
    ParquetShard,
    /// Rows are wanted, and the records are text.
    #[error("{input} has no columns with types: its records can be copied as text only")]
    NoTypes {
        /// The name of the input.
        input: String,
    },
    /// Two inputs have other headers or formats.
    #[error("{input} has another format or header than {first}: their records do not fit into one file")]
    OtherTable {
        /// The name of the input.
        input: String,
        /// The name of the first input.
        first: String,
    },
    /// The name of an output stands for another format than the records have.
    #[error("records are copied as they are, as {format}, and {} has another extension", path.display())]
    OtherExtension {
        /// The output.
        path: PathBuf,
        /// The format of the inputs.
        format: InputFormat,
    },
    /// Parquet is not written to standard output.
    #[error("cannot write Parquet to standard output; name a file that ends in .parquet")]
    ParquetToStdout,
    /// All parts would go to one file.
    #[error("{} is the name of a file, but each part has its own; put {{part}} into the name, or name a directory", .0.display())]
    OneFile(PathBuf),
    /// Parts are files.
    #[error("parts are not written to standard output; name a directory, or a file with {{part}} in its name")]
    PartsToStdout,
    /// A file would be taken for a part that is not one.
    #[error("{} is not a part of this split; move it away, or give the output another name", .0.display())]
    OtherPart(PathBuf),
    /// A column is needed that the corpus was not opened with.
    #[error("the column {0} was not read")]
    NotKept(String),
    /// An input is needed twice and can be read once only.
    #[error("{input} would have to be read twice; write it to a file first")]
    ReadTwice {
        /// The name of the input.
        input: String,
    },
    /// An input has changed since it was read first.
    #[error("the inputs have changed while they were read")]
    Changed,
    /// A part cannot get as many records as it should have.
    #[error(
        "{part} should have {wanted} records, but no more than {found} of those left can go into it without dividing a class"
    )]
    TooFew {
        /// The name of the part.
        part: String,
        /// How many it should have.
        wanted: u64,
        /// How many it can have.
        found: u64,
    },
    /// The sample does not fit into memory.
    #[error("the sample takes more memory than there is; take fewer records")]
    NoMemory,
    /// A column has more values than a sample can be shared among.
    #[error("the column {column} has more than {limit} values; only a column of categories can be stratified")]
    TooManyValues {
        /// The column.
        column: String,
        /// The maximum number of values.
        limit: usize,
    },
}

impl From<CopyError> for JobError {
    fn from(error: CopyError) -> JobError {
        JobError::of_job(error)
    }
}

/// The error of a run that fails while it reads the inputs.
impl From<CopyError> for io::Error {
    fn from(error: CopyError) -> io::Error {
        io::Error::other(error)
    }
}
