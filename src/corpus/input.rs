//! The inputs of a corpus: where they come from, and what workers need to know of them.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

#[cfg(feature = "arrow")]
use crate::arrow::RecordBatch;
use crate::compression::Compression;
use crate::format::Layout;

/// Properties of an input that the workers need.
#[derive(Debug)]
pub struct Input {
    /// The path as the user gave it, or `-` for standard input.
    pub name: String,
    /// The compression, if it is compressed.
    pub compression: Option<Compression>,
    /// How puzzles are written in it.
    pub layout: Layout,
}

/// The input of the records of a chunk.
#[derive(Clone, Debug)]
pub struct ChunkInput {
    /// The input.
    pub input: Arc<Input>,
    /// The columns that are copied to the output, a row for each record, if the input has typed columns.
    #[cfg(feature = "arrow")]
    pub kept: Option<RecordBatch>,
}

impl ChunkInput {
    /// For records of text.
    pub(crate) fn of_text(input: &Arc<Input>) -> ChunkInput {
        ChunkInput {
            input: Arc::clone(input),
            #[cfg(feature = "arrow")]
            kept: None,
        }
    }
}

/// The source of an input: standard input or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// Record batches in memory.
    #[cfg(feature = "arrow")]
    Memory,
}

/// The path of a file, `-`, or `memory`. A byte that is not UTF-8 is written as `\xff`, so that different files have different
/// names.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = match self {
            Origin::Stdin => return f.write_str("-"),
            #[cfg(feature = "arrow")]
            Origin::Memory => return f.write_str("memory"),
            Origin::File(path) => path,
        };
        for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
            f.write_str(chunk.valid())?;
            chunk.invalid().iter().try_for_each(|byte| write!(f, "\\x{byte:02x}"))?;
        }
        Ok(())
    }
}

/// The next record of a corpus, as returned by [`Corpus::peek`](super::Corpus::peek).
#[derive(Clone, Copy, Debug)]
pub struct RecordView<'a> {
    /// The input that it is from.
    pub input: &'a Arc<Input>,
    /// The line on which it starts, from 1.
    pub line: u64,
    /// Its text.
    pub text: &'a [u8],
    /// The line end after it; empty if it has none, or if the record was cut off.
    pub line_end: &'a [u8],
}
