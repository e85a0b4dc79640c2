//! Where a splitter is in its stream: what every splitter has to keep, whatever its format.

use super::MAX_RECORD;

/// What stands in a stream before its first record and is not to be cut: a byte order mark, a header, a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Preamble {
    bytes: usize,
    lines: u64,
}

impl Preamble {
    /// The head of a stream that begins with these bytes.
    pub fn new(bytes: &[u8]) -> Preamble {
        Preamble { bytes: bytes.len(), lines: count_lines(bytes) }
    }
}

/// The place that a splitter has come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamPosition {
    /// Bytes of the head that are still to be passed over.
    ahead: usize,
    /// The line, from 1, of the next byte after the head.
    pub(super) line: u64,
}

impl StreamPosition {
    /// The beginning of a stream with a head.
    pub(super) fn after(head: Preamble) -> StreamPosition {
        StreamPosition { ahead: head.bytes, line: head.lines + 1 }
    }

    /// Whether nothing of the head is still to be passed over.
    pub(super) fn is_behind_head(&self) -> bool {
        self.ahead == 0
    }

    /// Where records begin in the text of this call: after what of the head is in it.
    pub(super) fn enter(&mut self, text: &[u8]) -> usize {
        let passed = self.ahead.min(text.len());
        self.ahead -= passed;
        passed
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
