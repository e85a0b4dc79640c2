//! A chunk: a number, the text of some records, and their output.

use std::ops::Range;

/// The position of one record in the text of its chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The range of its bytes in the text.
    pub text: Range<usize>,
    /// The line of the input on which the record starts, from 1.
    pub line: u64,
}

/// Some records on their way from the source through a worker to the output.
///
/// A chunk is used again and again; its buffers are cleared but keep their memory. `I` is the type of the source's
/// [`Input`](super::Source::Input), `N` the type of the workers' notes.
#[derive(Debug)]
pub struct Chunk<I, N = ()> {
    number: u64,
    /// The input that all records of the chunk are from; set by the source if the chunk has records.
    pub input: Option<I>,
    /// The text of the records and between them, to the line end of the last. Without records, more text of the last
    /// record of the chunk before, which was cut off.
    pub text: Vec<u8>,
    /// The records, in the order of the input.
    pub records: Vec<Record>,
    /// How many bytes of the stored input were consumed for this chunk, for progress.
    pub input_bytes: u64,
    /// The output of the worker.
    pub output: Vec<u8>,
    /// Notes from the worker for the `finish` function of the run, in the order of the records.
    pub notes: Vec<N>,
}

impl<I, N> Chunk<I, N> {
    pub(crate) fn new() -> Chunk<I, N> {
        Chunk { number: 0, input: None, text: vec![], records: vec![], input_bytes: 0, output: vec![], notes: vec![] }
    }

    pub(super) fn set_number(&mut self, number: u64) {
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

    /// The position of the chunk in the input, from 0.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The line and the text of each record.
    pub fn texts(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.records.iter().map(|record| (record.line, &self.text[record.text.clone()]))
    }
}
