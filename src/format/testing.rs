//! What the tests of all formats share: cutting a whole text, in any pieces.

use std::ops::Range;

use proptest::prelude::*;

use super::alphabet::{Alphabets, NINE};
use super::{Cut, Left, MAX_RECORD, Malformed, ParsedPuzzle, Parser, Splitter};

/// A record with the line that it starts on.
pub(super) type FoundRecord = (String, u64);

/// All records of `text`, of which the splitter gets to see `sizes[0]` bytes more, then `sizes[1]`, and round again.
///
/// Checks the contract of [`Cut`] on the way.
pub(super) fn cut_bytes(splitter: &mut dyn Splitter, text: &[u8], sizes: &[usize]) -> Vec<(Vec<u8>, u64)> {
    let mut records = Vec::new();
    let (mut start, mut end) = (0, 0);
    let mut sizes = sizes.iter().copied().cycle();
    loop {
        let seen = &text[start..end];
        match splitter.cut(seen, end == text.len()) {
            Cut::Record { text, line, next } => {
                assert!(text.end <= next && next <= seen.len() && text.len() <= MAX_RECORD);
                assert!(next > 0, "a record that takes nothing");
                records.push((seen[text].to_vec(), line));
                start += next;
            }
            Cut::More { next } => {
                assert!(end < text.len() || next > 0, "more is asked for, and there is none");
                assert!(next > 0 || seen.len() < MAX_RECORD, "an unbounded text is asked for");
                start += next;
                end = text.len().min(end + sizes.next().unwrap());
            }
            Cut::End => {
                assert_eq!(splitter.cut(b"", true), Cut::End);
                return records;
            }
        }
    }
}

/// The same by [`Splitter::cut_some`], a few at a time.
fn cut_some_bytes(splitter: &mut dyn Splitter, text: &[u8], sizes: &[usize]) -> Vec<(Vec<u8>, u64)> {
    let (most, enough) = (3, 100);
    let mut records = Vec::new();
    let (mut start, mut end) = (0, 0);
    let mut sizes = sizes.iter().copied().cycle();
    loop {
        let seen = &text[start..end];
        let before = records.len();
        let mut take = |record: Range<usize>, line| records.push((seen[record].to_vec(), line));
        let passed = splitter.cut_some(seen, end == text.len(), most, enough, &mut take);
        assert!(passed.records <= passed.bytes && records.len() - before <= most);
        start += passed.bytes;
        match passed.left {
            Left::Text => assert!(records.len() > before, "it would never end"),
            Left::Torn => end = text.len().min(end + sizes.next().unwrap()),
            Left::Nothing => return records,
        }
    }
}

/// All records of `text`, seen at once.
pub(super) fn cut(splitter: &mut dyn Splitter, text: &str) -> Vec<FoundRecord> {
    let records = cut_bytes(splitter, text.as_bytes(), &[text.len()]);
    records.into_iter().map(|(record, line)| (String::from_utf8(record).unwrap(), line)).collect()
}

/// The cells of a record written in `alphabets` with `.` for blanks, or the reason why it is no puzzle.
pub(super) fn parse(parser: &mut dyn Parser, alphabets: &Alphabets, record: &[u8]) -> Result<String, String> {
    let mut cells = vec![99; 7];
    let shape = parser.parse(record, &mut cells);
    check_at_once(parser, record, shape, &cells);
    let shape = shape.map_err(|reason| reason.to_string())?;
    assert_eq!(cells.len(), shape.order.cells());
    let alphabet = alphabets.for_printing(shape.order);
    let print = |&cell: &u8| if cell == 0 { '.' } else { char::from(alphabet.symbol(cell)) };
    Ok(cells.iter().map(print).collect())
}

/// What is read at once is what is parsed.
fn check_at_once(parser: &mut dyn Parser, record: &[u8], shape: Result<ParsedPuzzle, Malformed>, cells: &[u8]) {
    let mut nine = [0; NINE];
    if let Some(at_once) = parser.parse_nine(record, &mut nine) {
        assert_eq!((Ok(at_once), &nine[..]), (shape, cells));
    }
}

/// Bytes that mean something to some format, in runs and among others, with whole `samples` strewn in.
pub(super) fn noise(samples: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let symbols = b"\n\r\t ,;:.0_-*xX123456789ABCGPY|+=\"#end\0\xff\xef\xbb\xbf".to_vec();
    let piece = prop_oneof![
        4 => proptest::sample::select(symbols).prop_map(|byte| vec![byte]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        2 => (proptest::sample::select(b"\n.-*0123 ".to_vec()), 1..30_usize).prop_map(|(byte, n)| vec![byte; n]),
        3 => proptest::sample::select(samples).prop_map(|sample| sample.as_bytes().to_vec()),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// Sizes of the pieces in which a stream arrives.
pub(super) fn pieces() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![Just(vec![1]), proptest::collection::vec(1..100_usize, 1..20)]
}

/// Whatever the pieces of a stream, its records are the same; a parser takes any of them without panic.
pub(super) fn check_pieces(
    splitter: impl Fn() -> Box<dyn Splitter>,
    parser: &mut dyn Parser,
    text: &[u8],
    sizes: &[usize],
) -> Result<(), TestCaseError> {
    let records = cut_bytes(&mut *splitter(), text, &[text.len().max(1)]);
    prop_assert_eq!(&cut_bytes(&mut *splitter(), text, sizes), &records);
    prop_assert_eq!(&cut_some_bytes(&mut *splitter(), text, sizes), &records);
    for (record, line) in records {
        prop_assert!(line <= 1 + text.len() as u64);
        let mut cells = vec![];
        let shape = parser.parse(&record, &mut cells);
        check_at_once(parser, &record, shape, &cells);
        if let Ok(shape) = shape {
            prop_assert_eq!(cells.len(), shape.order.cells());
            prop_assert_eq!(cells.iter().filter(|&&cell| cell > 0).count(), usize::from(shape.clues));
            prop_assert!(cells.iter().all(|&cell| usize::from(cell) <= shape.order.side()));
        }
        parser.puzzle_text(&record);
    }
    Ok(())
}
