//! Errors of reading a corpus, and the progress before them.

use std::fmt;
use std::io;

use crate::compression::Compression;
use crate::format::DetectError;

/// The error for a corpus that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// An input cannot be opened.
    #[error("cannot open {name}")]
    Open {
        /// The name of the input.
        name: String,
        /// The cause.
        source: io::Error,
    },
    /// Reading an input failed.
    #[error("cannot read {name} beyond byte {byte}, after {progress}")]
    Read {
        /// The name of the input.
        name: String,
        /// The number of bytes of the stored (possibly compressed) input that were read.
        byte: u64,
        /// The records that were read before the failure.
        progress: ReadProgress,
        /// The cause.
        source: io::Error,
    },
    /// Reading an input with typed columns failed.
    #[error("cannot read {name} beyond {progress}")]
    Batch {
        /// The name of the input.
        name: String,
        /// The records that were read before the failure.
        progress: ReadProgress,
        /// The cause.
        source: io::Error,
    },
    /// A compressed input contains another compressed stream.
    #[error("{name} is compressed twice, with {inner} and then with {outer}; unpack it once")]
    CompressedTwice {
        /// The name of the input.
        name: String,
        /// The compression of the input.
        outer: Compression,
        /// The compression of its decompressed content.
        inner: Compression,
    },
    /// The format of an input cannot be detected, or is not the requested one.
    #[error("{name}")]
    Detect {
        /// The name of the input.
        name: String,
        /// The cause.
        source: DetectError,
    },
}

/// The progress of reading an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadProgress {
    /// The number of records.
    pub records: u64,
    /// The number of the last record's first line, from 1.
    pub line: u64,
}

/// `4711 records (the last on line 4712)`.
impl fmt::Display for ReadProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ReadProgress { records: 0, .. } => f.write_str("no record"),
            ReadProgress { records: 1, line } => write!(f, "1 record (on line {line})"),
            ReadProgress { records, line } => write!(f, "{records} records (the last on line {line})"),
        }
    }
}
