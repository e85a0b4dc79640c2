//! Helpers for the tests of all formats: they split texts that arrive in pieces, and parse records.

use super::alphabet::Alphabets;
use super::{BatchEnd, BatchLimits, Parser, Puzzles, Splitter, rest_of_line};

/// The text of a record and the number of its first line.
pub(super) type FoundRecord = (Vec<u8>, u64);

/// Splits a text that arrives in pieces of `sizes[0]` bytes, `sizes[1]` bytes, and so on, over and over.
pub(super) fn split_bytes(splitter: &mut dyn Splitter, text: &[u8], sizes: &[usize]) -> Vec<FoundRecord> {
    let mut records = Vec::new();
    let (mut start, mut end) = (0, 0);
    let mut sizes = sizes.iter().copied().cycle();
    loop {
        let seen = &text[start..end];
        let limits = BatchLimits { records: 1, ..BatchLimits::NONE };
        let consumed = splitter.next_batch(seen, end == text.len(), limits, &mut |record, line| {
            records.push((seen[record].to_vec(), line));
        });
        start += consumed.bytes;
        match consumed.end {
            BatchEnd::Limit => {}
            BatchEnd::Incomplete => end = text.len().min(end + sizes.next().unwrap()),
            BatchEnd::LongLine(_) => {
                start += rest_of_line(&text[start..]).unwrap_or(text.len() - start);
                end = end.max(start);
            }
            BatchEnd::EndOfInput => return records,
        }
    }
}

/// Splits a text that arrives in one piece.
pub(super) fn split(splitter: &mut dyn Splitter, text: &str) -> Vec<(String, u64)> {
    let records = split_bytes(splitter, text.as_bytes(), &[text.len()]);
    records.into_iter().map(|(record, line)| (String::from_utf8(record).unwrap(), line)).collect()
}

/// The cells of a record, printed in `alphabets` with `.` for blanks, or the reason why it is not a puzzle.
pub(super) fn parse(parser: &mut dyn Parser, alphabets: &Alphabets, record: &[u8]) -> Result<String, String> {
    let mut puzzles = Puzzles::new();
    let size = parser.parse(record, &mut puzzles).map_err(|reason| reason.to_string())?.size;
    let alphabet = alphabets.for_printing(size);
    Ok(alphabet.text(puzzles.last(size), b'.'))
}
