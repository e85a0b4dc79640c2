//! The position of a splitter in its stream, and its line numbers.

use super::MAX_RECORD;

/// The start of a stream, before its first record: a byte order mark, a header, a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Preamble {
    bytes: usize,
    lines: u64,
}

impl Preamble {
    /// A preamble of these bytes.
    pub(super) fn new(bytes: &[u8]) -> Preamble {
        Preamble { bytes: bytes.len(), lines: count_lines(bytes) }
    }

    /// The same preamble after this many lines, which the splitter does not get to see.
    pub(super) fn after_lines(self, lines: u64) -> Preamble {
        Preamble { lines: self.lines + lines, ..self }
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

/// The first [`MAX_RECORD`] bytes of `text`, or all of it: the part in which a record has to end. A record without an
/// end in here is cut off if the window has that many bytes, and incomplete otherwise. So records do not depend on where
/// a text ends.
pub(super) fn window(text: &[u8]) -> &[u8] {
    &text[..text.len().min(MAX_RECORD)]
}

/// What comes after a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEnd {
    /// Nothing: the input ends, or the record does.
    Input,
    /// Text that is not looked at: a record may be no longer.
    Window,
    /// Text that can be asked for.
    More,
}

impl TextEnd {
    /// What comes after a [`window`]; `at_end` says that the stream ends where the text of the window does.
    pub(super) fn of_window(window: &[u8], at_end: bool) -> TextEnd {
        match window.len() {
            MAX_RECORD => TextEnd::Window,
            _ if at_end => TextEnd::Input,
            _ => TextEnd::More,
        }
    }
}

/// Counts the line ends in `text`.
pub(crate) fn count_lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}
