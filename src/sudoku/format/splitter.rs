//! Splits a stream of text into records, a batch at a time, with the line number of each.
//!
//! One thread reads all input, so splitting must be cheap: it finds the ends of records, and nothing more.

use std::ops::Range;

use super::evidence;
pub(super) use super::stream::Preamble;
use super::stream::{
    BatchEnd, BatchLimits, Consumed, LongLine, MAX_RECORD, Skipped, Splitter, count_lines, line_end_length,
};

/// The position of a splitter in its stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct StreamPosition {
    /// The number of bytes of the preamble that are still to be skipped.
    preamble: usize,
    /// The line, from 1, of the next byte after the preamble.
    pub(super) line: u64,
}

impl StreamPosition {
    /// The start of a stream with a preamble.
    pub(super) fn after(preamble: Preamble) -> StreamPosition {
        let lines = if preamble.counts_records { 0 } else { preamble.lines };
        StreamPosition { preamble: preamble.bytes, line: lines + 1 }
    }

    /// The length of the rest of the preamble in the text of this call.
    pub(super) fn skip_preamble(&mut self, text: &[u8]) -> usize {
        let skipped = self.preamble.min(text.len());
        self.preamble -= skipped;
        skipped
    }
}

/// The first [`MAX_RECORD`] bytes of `text`, or all of it: the part where a record must end. If it does not, it is cut
/// off if the window has that many bytes, and incomplete otherwise. So records do not depend on where a text ends.
pub(super) fn window(text: &[u8]) -> &[u8] {
    &text[..text.len().min(MAX_RECORD)]
}

/// The continuation of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextEnd {
    /// None: the input ends, or the record does.
    Input,
    /// Text that is ignored, because a record must not be longer.
    Window,
    /// Text that can be requested.
    More,
}

impl TextEnd {
    /// The continuation of a [`window`]; `at_end` tells whether the stream ends with the text of the window.
    pub(super) fn of_window(window: &[u8], at_end: bool) -> TextEnd {
        match window.len() {
            MAX_RECORD => TextEnd::Window,
            _ if at_end => TextEnd::Input,
            _ => TextEnd::More,
        }
    }
}

/// The first record of a text, if it has a complete one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NextRecord {
    /// The range of the record in the text, and the start of the line where it is found.
    pub(super) record: Option<(Range<usize>, usize)>,
    /// The length of the text that is consumed: the following record starts there.
    pub(super) consumed: usize,
    /// The reason to stop after this: always without a record, and if it is cut off within its last line.
    pub(super) end: Option<BatchEnd>,
}

impl NextRecord {
    /// A record, followed by the text from `next` on.
    pub(super) fn found(text: Range<usize>, next: usize) -> NextRecord {
        NextRecord { record: Some((text.clone(), text.start)), consumed: next, end: None }
    }

    /// The record that starts at `start` and is too long. `line` is the start of its line.
    pub(super) fn cut_off(text: &[u8], start: usize, line: usize) -> NextRecord {
        let end = start + MAX_RECORD;
        // If the line ends just there, the caller has no rest to skip.
        let is_within_line = text[end - 1] != b'\n';
        let stop = is_within_line.then_some(BatchEnd::LongLine(LongLine::Record));
        NextRecord { record: Some((start..end, line)), consumed: end, end: stop }
    }

    /// No record, in a text whose first `consumed` bytes are of no interest.
    pub(super) fn none(consumed: usize, end: BatchEnd) -> NextRecord {
        NextRecord { record: None, consumed, end: Some(end) }
    }

    /// The length of the text before the record.
    fn gap(&self) -> usize {
        self.record.as_ref().map_or(self.consumed, |(text, _)| text.start)
    }

    /// The same, in a text that starts where `place` puts each index.
    pub(super) fn moved(self, place: impl Fn(usize) -> usize) -> NextRecord {
        let record = self.record.map(|(text, line)| (place(text.start)..place(text.end), place(line)));
        NextRecord { record, consumed: place(self.consumed), end: self.end }
    }
}

/// Finds one record at a time, in the text after a preamble.
pub(super) trait FindRecord: Send {
    /// Whether the text between records has lines of its own, such as titles.
    const HAS_TITLES: bool = true;

    /// Whether rows of cells are skipped on purpose, such as the state of a player.
    const SKIPS_ROWS: bool = false;

    /// Finds the first record of `text`; `at_end` tells whether the stream ends with `text`.
    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord;

    /// Notes a record with several lines, and the number of its first line.
    fn note_lines(&mut self, _record: &[u8], _line: u64) {}

    /// A sentence about the records so far that a user should know.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Makes a splitter for a stream with a preamble.
    fn after(self, preamble: Preamble) -> RecordSplitter<Self>
    where
        Self: Sized,
    {
        let position = StreamPosition::after(preamble);
        let Preamble { skipped, counts_records, .. } = preamble;
        RecordSplitter { find: self, position, counts_records, ahead: Ahead::default(), skipped }
    }
}

/// Splits a stream into records that are found one at a time. Cells of a puzzle between two records are a record, too.
pub(super) struct RecordSplitter<F> {
    find: F,
    position: StreamPosition,
    /// As in the [`Preamble`].
    counts_records: bool,
    ahead: Ahead,
    skipped: Skipped,
}

/// The part of the next text that [`FindRecord`] has seen already.
#[derive(Debug, Default)]
struct Ahead {
    /// The number of bytes without a record.
    gap: usize,
    /// The record after them.
    next: Option<NextRecord>,
    /// Whether the gap is the rest of a record that was cut off.
    is_rest: bool,
}

impl<F: FindRecord> RecordSplitter<F> {
    /// Finds the next record of `text`, or cells of a puzzle before it.
    fn next(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let Ahead { gap, next, is_rest } = std::mem::take(&mut self.ahead);
        let mut next = next.unwrap_or_else(|| self.find.next_record(&text[gap..], at_end).moved(|at| at + gap));
        let end = next.gap();
        if is_rest {
            self.ahead.is_rest = next.record.is_none();
            return next;
        }

        // The text may end within the cells of a puzzle.
        let open = if next.end == Some(BatchEnd::Incomplete) { evidence::open_cells(&text[..end]) } else { 0 };
        let find_lost = if F::SKIPS_ROWS { evidence::puzzle_in } else { evidence::lost_in };
        if let Some(lost) = find_lost(&text[..end - open]) {
            let after = lost.end;
            let (gap, next) = match next.end {
                Some(BatchEnd::Incomplete | BatchEnd::EndOfInput) => (end - after, None),
                _ => (0, Some(next.moved(|at| at.saturating_sub(after)))),
            };
            self.ahead = Ahead { gap, next, is_rest: false };
            return NextRecord::found(lost, after);
        }

        // Borders and comments after a record belong to the next gap.
        self.ahead.gap = match &next.record {
            Some((record, _)) if next.end.is_none() => {
                next.consumed - record.end - line_end_length(&text[record.end..next.consumed])
            }
            _ => open,
        };
        next.consumed -= self.ahead.gap;
        if F::HAS_TITLES {
            self.skipped.add(&text[..next.gap()]);
        }
        next
    }
}

impl<F: FindRecord> Splitter for RecordSplitter<F> {
    fn next_batch(
        &mut self,
        text: &[u8],
        at_end: bool,
        limits: BatchLimits,
        record: &mut dyn FnMut(Range<usize>, u64),
    ) -> Consumed {
        let mut bytes = self.position.skip_preamble(text);
        for _ in 0..limits.records {
            let rest = &text[bytes..];
            let NextRecord { record: found, consumed, end } = self.next(rest, at_end);
            let before = found.as_ref().map_or(0, |(_, line)| *line);
            // Titles, comments and empty lines before the record.
            let (skipped, lines) = if self.counts_records {
                (0, u64::from(found.is_some()))
            } else {
                (count_lines(&rest[..before]), count_lines(&rest[before..consumed]))
            };
            self.position.line += skipped;
            let line = self.position.line;
            if let Some((range, _)) = found {
                // A record of several lines may have swallowed the next ones.
                if lines > u64::from(rest[..consumed].ends_with(b"\n")) {
                    self.find.note_lines(&rest[range.clone()], line);
                }
                self.ahead.is_rest |= range.len() == MAX_RECORD && end.is_none();
                record(bytes + range.start..bytes + range.end, line);
            }
            self.position.line += lines;
            bytes += consumed;
            if let Some(end) = end {
                // The caller skips the end of a long line.
                self.position.line += u64::from(matches!(end, BatchEnd::LongLine(_)));
                return Consumed { bytes, end };
            }
            if bytes >= limits.bytes {
                break;
            }
        }
        Consumed { bytes, end: BatchEnd::Limit }
    }

    fn notes(&self) -> (Skipped, Option<String>) {
        (self.skipped, self.find.remark())
    }
}
