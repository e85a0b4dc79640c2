//! A chunk: numbered text with its output, and where each record lies in it.

use std::ops::Range;

/// Where one record lies in its chunk's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The bytes of the text that are the record.
    pub text: Range<usize>,
    /// The line of the input on which the record starts, from 1.
    pub line: u64,
}

/// Some records on their way from the source through a worker to the output.
///
/// Its buffers are cleared and filled again; their memory stays. Beside output, workers may leave notes of a type `N`.
#[derive(Debug)]
pub struct Chunk<L, N = ()> {
    number: u64,
    /// What the source says about all records of the chunk; set by every source that puts records in.
    pub input: Option<L>,
    /// The text that the records lie in.
    pub text: Vec<u8>,
    /// The records, in the order of the input.
    pub records: Vec<Record>,
    /// How many bytes of the input, as it was stored, this chunk moves on by.
    pub input_bytes: u64,
    /// What the worker makes of the records.
    pub output: Vec<u8>,
    /// What the worker has to say to whoever finishes the chunk, in the order of the input.
    pub notes: Vec<N>,
}

impl<L, N> Chunk<L, N> {
    pub(crate) fn new() -> Chunk<L, N> {
        Chunk { number: 0, input: None, text: vec![], records: vec![], input_bytes: 0, output: vec![], notes: vec![] }
    }

    pub(super) fn start(&mut self, number: u64) {
        self.number = number;
    }

    pub(crate) fn clear(&mut self) {
        self.input = None;
        self.text.clear();
        self.records.clear();
        self.input_bytes = 0;
        self.output.clear();
        self.notes.clear();
    }

    /// The chunk's place in the input, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Each record's text, with the line on which it starts.
    pub fn texts(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.records.iter().map(|record| (record.line, &self.text[record.text.clone()]))
    }
}
