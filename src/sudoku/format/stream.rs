//! A stream of text as its splitter sees it: batches of records, the start of the stream, and the lines that are skipped.

use std::fmt;
use std::ops::Range;

use crate::options::Counted;

/// The maximum length of a record, in bytes. Text of at least this length, line end included, is not a puzzle in any
/// format: the record is cut off here, the rest of its line is skipped, and it becomes one malformed row. This bounds
/// the memory that hostile input can request.
///
/// A record's text has this length if it was cut off, and is shorter otherwise, so a parser can detect it.
pub const MAX_RECORD: usize = 1 << 20;

/// Splits a stream into records.
pub trait Splitter: Send {
    /// Finds the records at the start of `text`, and calls `record` with the range of each in `text` and the number,
    /// from 1, of its first line in the stream.
    ///
    /// The first call gets the start of the stream. Each later call gets text that starts [`Consumed::bytes`] after the
    /// start of the text before. A text may end anywhere; `at_end` tells whether the stream ends with `text`.
    ///
    /// Every record is found once, however the stream is divided into texts. A range has no line end at its end, and is
    /// at most [`MAX_RECORD`] long. The text between the ranges has no cells of a puzzle, except in comments and after
    /// `end`. A line end after a record is consumed with it.
    ///
    /// A call consumes something if `text` has [`MAX_RECORD`] bytes or more, and does not end with
    /// [`BatchEnd::Incomplete`] if `at_end` is set. After [`BatchEnd::LongLine`] the caller skips the rest of the line
    /// with [`rest_of_line`] and calls again.
    fn next_batch(
        &mut self,
        text: &[u8],
        at_end: bool,
        limits: BatchLimits,
        record: &mut dyn FnMut(Range<usize>, u64),
    ) -> Consumed;

    /// The lines so far that were skipped, and a sentence about the records so far that a user should know.
    fn notes(&self) -> (Skipped, Option<String>) {
        (Skipped::default(), None)
    }
}

/// The limits of a batch.
#[derive(Clone, Copy, Debug)]
pub struct BatchLimits {
    /// The maximum number of records.
    pub records: usize,
    /// The batch ends with the first record that ends after this many bytes of text.
    pub bytes: usize,
}

impl BatchLimits {
    /// No limits: a batch is as large as its text.
    pub const NONE: BatchLimits = BatchLimits { records: usize::MAX, bytes: usize::MAX };
}

/// The text that a batch consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consumed {
    /// The length of the consumed text; the text of the next call starts after it.
    pub bytes: usize,
    /// The reason why the batch ended.
    pub end: BatchEnd,
}

/// The reason why a batch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchEnd {
    /// It reached one of its limits.
    Limit,
    /// The text ends before its next record does: call again with more text.
    Incomplete,
    /// The consumed text ends within a line that is too long.
    LongLine(LongLine),
    /// The input has no more records.
    EndOfInput,
}

/// The kind of a line that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongLine {
    /// The last line of the last record, which was cut off.
    Record,
    /// A comment or a title.
    Comment,
}

/// The length of the rest of a line at the start of `text`, line end included; `None` if the line does not end there.
pub fn rest_of_line(text: &[u8]) -> Option<usize> {
    memchr::memchr(b'\n', text).map(|end| end + 1)
}

/// Counts the line ends in `text`.
pub(crate) fn count_lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// The length of the line end at the start of `text`, with the blanks before it; 0 if it starts with anything else.
pub(crate) fn line_end_length(text: &[u8]) -> usize {
    let blanks = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\x0c')).count();
    match &text[blanks..] {
        [b'\r', b'\n', ..] => blanks + 2,
        [b'\r' | b'\n', ..] => blanks + 1,
        _ => 0,
    }
}

/// The start of a stream, before its first record: a byte order mark, a header, a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Preamble {
    pub(super) bytes: usize,
    pub(super) lines: u64,
    /// The comments in it, and before it.
    pub(super) skipped: Skipped,
    /// Whether the number of a record counts records, not lines, because a line has several records.
    pub(super) counts_records: bool,
}

impl Preamble {
    /// A preamble of these bytes.
    pub(super) fn new(bytes: &[u8]) -> Preamble {
        let mut skipped = Skipped::default();
        let comments = bytes.split_inclusive(|&byte| byte == b'\n').filter(|line| line.starts_with(b"#"));
        comments.for_each(|line| skipped.add(line));
        Preamble { bytes: bytes.len(), lines: count_lines(bytes), skipped, counts_records: false }
    }

    /// The same preamble after this many lines that the splitter does not see.
    pub(super) fn after_lines(self, lines: u64) -> Preamble {
        Preamble { lines: self.lines + lines, ..self }
    }
}

/// The lines that an input has besides its records, by kind. Empty lines and borders are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Lines that start with `#`.
    pub comments: u64,
    /// Comments with the cells of a puzzle.
    pub puzzles: u64,
    /// Titles and other lines of text.
    pub titles: u64,
    /// The line of `end`, if text follows.
    pub end: Option<u64>,
}

impl Skipped {
    /// Whether a part of the input that could be a puzzle was skipped.
    pub fn has_puzzles(&self) -> bool {
        self.puzzles > 0 || self.end.is_some()
    }
}

/// `2 comments and 1 other line skipped; 1 comment has cells of a puzzle; the text after 'end' on line 4 is not read`
impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Skipped { comments, puzzles, titles, end } = self;
        let counted = |count: u64, thing| (count > 0).then(|| Counted(count, thing).to_string());
        let lines = [counted(comments, "comment"), counted(titles, "other line")].into_iter().flatten();
        let lines: Vec<String> = lines.collect();
        let skipped = (!lines.is_empty()).then(|| format!("{} skipped", lines.join(" and ")));
        let have = if puzzles == 1 { "has" } else { "have" };
        let cells = counted(puzzles, "comment").map(|comments| format!("{comments} {have} cells of a puzzle"));
        let end = end.map(|line| format!("the text after 'end' on line {line} is not read"));
        f.write_str(&[skipped, cells, end].into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}
