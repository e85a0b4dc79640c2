//! The position of a splitter in its stream, and its line numbers.

use super::MAX_RECORD;

/// The start of a stream, before its first record: a byte order mark, a header, a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preamble {
    bytes: usize,
    lines: u64,
}

impl Preamble {
    /// A preamble of these bytes.
    pub fn new(bytes: &[u8]) -> Preamble {
        Preamble { bytes: bytes.len(), lines: count_lines(bytes) }
    }
}

/// Where in its stream a splitter is.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamPosition {
    /// How many bytes of the preamble are still to be skipped.
    preamble: usize,
    /// The line, from 1, of the next byte after the preamble.
    pub(super) line: u64,
}

impl StreamPosition {
    /// The start of a stream with a preamble.
    pub(super) fn after(preamble: Preamble) -> StreamPosition {
        StreamPosition { preamble: preamble.bytes, line: preamble.lines + 1 }
    }

    /// The length of the preamble, or what is left of it, in the text of this call.
    pub(super) fn skip_preamble(&mut self, text: &[u8]) -> usize {
        let skipped = self.preamble.min(text.len());
        self.preamble -= skipped;
        skipped
    }
}

/// The part of `text` that a record from its beginning may take: a record with no end in here is cut off at its end
/// if it has [`MAX_RECORD`] bytes, and otherwise not wholly read. So the answer is the same wherever a text ends.
pub(super) fn window(text: &[u8]) -> &[u8] {
    &text[..text.len().min(MAX_RECORD)]
}

/// How many lines end in `text`.
pub(super) fn count_lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}
