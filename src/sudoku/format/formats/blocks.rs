//! Splits a text into blocks of rows, for grids where each line alone shows its kind:
//! [`candidates`](super::candidates), and [`grids`](super::grids) in a style.
//!
//! All rows up to the next empty line, title, or second consecutive border are one record. If there are twice as many
//! as in a grid, the first half is a separate grid. So an extra or missing row makes one record malformed, and no grid
//! takes a row of another.

use memchr::memchr;

use crate::format::splitter::{FindRecord, NextRecord, window};
use crate::format::{BatchEnd, LongLine, MAX_RECORD};

/// The kind of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BlockLine {
    /// An empty line.
    #[default]
    Blank,
    /// A title: the grid ends.
    Title,
    /// A rule between rows, or around a grid.
    Border,
    /// A rule below the header of a table: the row before it, if there is one, is not a row of the grid.
    HeaderEnd,
    /// A `#` line.
    Comment,
    /// A row, perhaps a damaged one.
    Row,
}

/// Distinguishes the rows of grids from other lines.
pub(super) trait Rows: Send {
    /// The kind of a line, without its line end.
    fn kind(&self, line: &[u8]) -> BlockLine;

    /// The number of rows of a grid.
    fn side(&self) -> usize;

    /// The bands, if empty lines separate them.
    fn bands(&self) -> Option<BandGaps> {
        None
    }
}

/// The empty lines between bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BandGaps {
    /// The number of rows of a band.
    pub(super) height: usize,
    /// Whether grids are separated by two empty lines instead of one.
    pub(super) are_apart: bool,
}

/// Splits a stream into blocks of rows.
#[derive(Clone, Debug)]
pub(super) struct BlockSplitter<R>(pub(super) R);

/// The lines of a record so far.
#[derive(Debug, Default)]
struct Block {
    rows: usize,
    /// The number of rows before the first border within the block; 0 without such a border.
    rows_before_border: usize,
    /// The kind of the last line.
    last: BlockLine,
    /// Whether an empty line is missing between two bands, or is within a band. Then only the end of the block shows
    /// where a grid ends.
    has_wrong_bands: bool,
    /// The end of the last row.
    end: usize,
    /// The end of the first grid's last row, and the start of the line after it.
    grid: Option<(usize, usize)>,
}

impl<R: Rows> BlockSplitter<R> {
    /// Whether a line of this kind comes after the block.
    fn ends(&self, block: &Block, kind: BlockLine) -> bool {
        match kind {
            BlockLine::Title => true,
            BlockLine::Blank => self.0.bands().is_none_or(|bands| bands.are_apart && block.last == BlockLine::Blank),
            // With a border after each row, borders mean nothing.
            BlockLine::Border => {
                block.last == BlockLine::Border || block.rows >= self.0.side() && block.rows_before_border != 1
            }
            BlockLine::HeaderEnd | BlockLine::Comment | BlockLine::Row => false,
        }
    }

    /// Whether a line of this kind fits the bands of the block.
    fn fits_bands(&self, block: &Block, kind: BlockLine) -> bool {
        let Some(BandGaps { height, .. }) = self.0.bands().filter(|_| block.rows > 0) else { return true };
        let is_full = block.rows.is_multiple_of(height);
        match kind {
            BlockLine::Blank => is_full,
            BlockLine::Row => is_full == (block.last == BlockLine::Blank),
            _ => true,
        }
    }
}

impl<R: Rows> FindRecord for BlockSplitter<R> {
    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let (mut start, mut next, mut block, side) = (0, 0, Block::default(), self.0.side());
        loop {
            let window = window(&text[start..]);
            let rest = &window[next - start..];
            let (line, after) = match memchr(b'\n', rest) {
                Some(length) => (&rest[..length], next + length + 1),
                None if window.len() == MAX_RECORD => {
                    // The record is too long, but may start with a complete grid.
                    return match block.grid {
                        Some((end, next)) => NextRecord::found(start..end, next),
                        None if next == start && rest[0] == b'#' => {
                            NextRecord::none(start + MAX_RECORD, BatchEnd::LongLine(LongLine::Comment))
                        }
                        None => NextRecord::cut_off(text, start, start),
                    };
                }
                None if !at_end => return NextRecord::none(start, BatchEnd::Incomplete),
                None if rest.is_empty() && block.rows == 0 => {
                    return NextRecord::none(text.len(), BatchEnd::EndOfInput);
                }
                None if rest.is_empty() => return NextRecord::found(start..block.end, next),
                None => (rest, next + rest.len()),
            };
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let kind = self.0.kind(line);
            if block.rows > 0 && self.ends(&block, kind) {
                return NextRecord::found(start..block.end, next);
            }

            if !self.fits_bands(&block, kind) {
                // Later grids become separate records.
                if let Some((end, next)) = block.grid.filter(|_| block.rows > side) {
                    return NextRecord::found(start..end, next);
                }
                (block.has_wrong_bands, block.grid) = (true, None);
            }
            // The row before was part of a header.
            if kind == BlockLine::HeaderEnd && block.rows == 1 {
                block = Block::default();
            }
            if kind == BlockLine::Row {
                block.rows += 1;
                block.end = next + line.len();
                if block.rows == side && !block.has_wrong_bands {
                    block.grid = Some((block.end, after));
                }
                // Two grids without a gap: the first one is a record, and the second one will be the next.
                if let Some((end, next)) = block.grid.filter(|_| block.rows == 2 * side) {
                    return NextRecord::found(start..end, next);
                }
            } else if block.rows == 0 {
                start = after;
            }
            if kind == BlockLine::Border && block.rows_before_border == 0 {
                block.rows_before_border = block.rows;
            }
            block.last = kind;
            next = after;
        }
    }
}
