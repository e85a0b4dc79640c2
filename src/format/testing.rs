//! Shared by the tests of all formats: splits texts that arrive in pieces, parses records, and makes random texts.

use proptest::prelude::*;

use super::alphabet::Alphabets;
use super::{BatchEnd, BatchLimits, Consumed, MAX_RECORD, Parser, Puzzles, Size, Splitter, rest_of_line};

/// The text of a record and the line that it starts on.
pub(super) type FoundRecord = (Vec<u8>, u64);

/// One record in each batch.
const ONE: BatchLimits = BatchLimits { records: 1, ..BatchLimits::NONE };

/// Splits a text that arrives in pieces of `sizes[0]` bytes, `sizes[1]` bytes, and so on, over and over.
pub(super) fn split_bytes(splitter: &mut dyn Splitter, text: &[u8], sizes: &[usize]) -> Vec<FoundRecord> {
    split_batches(splitter, text, sizes, ONE)
}

/// Splits a text that arrives in one piece.
pub(super) fn split(splitter: &mut dyn Splitter, text: &str) -> Vec<(String, u64)> {
    let records = split_bytes(splitter, text.as_bytes(), &[text.len()]);
    records.into_iter().map(|(record, line)| (String::from_utf8(record).unwrap(), line)).collect()
}

/// Splits a text that arrives in pieces, in batches within these limits. Checks the contract of
/// [`Splitter::next_batch`].
fn split_batches(splitter: &mut dyn Splitter, text: &[u8], sizes: &[usize], limits: BatchLimits) -> Vec<FoundRecord> {
    let mut records = Vec::new();
    let (mut start, mut end) = (0, 0);
    let mut sizes = sizes.iter().copied().cycle();
    loop {
        let (seen, at_end) = (&text[start..end], end == text.len());
        let (before, mut end_of_last) = (records.len(), 0);
        let consumed = splitter.next_batch(seen, at_end, limits, &mut |record, line| {
            assert!(end_of_last <= record.start && record.len() <= MAX_RECORD);
            end_of_last = record.end;
            records.push((seen[record].to_vec(), line));
        });
        assert!(end_of_last <= consumed.bytes && consumed.bytes <= seen.len());
        let found = records.len() - before;
        assert!(found <= limits.records);
        start += consumed.bytes;
        match consumed.end {
            BatchEnd::Limit => assert!(found > 0 && consumed.bytes > 0, "the same batch would come again"),
            BatchEnd::Incomplete => {
                assert!(!at_end, "more is asked for, and there is none");
                assert!(consumed.bytes > 0 || seen.len() < MAX_RECORD, "an unbounded text is asked for");
                end = text.len().min(end + sizes.next().unwrap());
            }
            BatchEnd::LongLine(_) => {
                start += rest_of_line(&text[start..]).unwrap_or(text.len() - start);
                end = end.max(start);
            }
            BatchEnd::EndOfInput => {
                let again = splitter.next_batch(b"", true, limits, &mut |_, _| panic!("a record after the end"));
                assert_eq!(again, Consumed { bytes: 0, end: BatchEnd::EndOfInput });
                return records;
            }
        }
    }
}

/// The cells of a record, printed in `alphabets` with `.` for blanks, or the reason why it is no puzzle.
pub(super) fn parse(parser: &mut dyn Parser, alphabets: &Alphabets, record: &[u8]) -> Result<String, String> {
    let mut puzzles = Puzzles::new();
    let size = parser.parse(record, &mut puzzles).map_err(|reason| reason.to_string())?.size;
    let alphabet = alphabets.for_printing(size);
    Ok(alphabet.text(puzzles.last(size), b'.'))
}

/// Random bytes, most of which have a meaning in some format, and `samples` between them.
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

/// The sizes of the pieces in which a stream arrives.
pub(super) fn pieces() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![Just(vec![1]), proptest::collection::vec(1..100_usize, 1..20)]
}

/// Checks that the records do not depend on the pieces in which a stream arrives, and that a parser takes all of them.
pub(super) fn check_pieces(
    splitter: impl Fn() -> Box<dyn Splitter>,
    parser: &mut dyn Parser,
    text: &[u8],
    sizes: &[usize],
) -> Result<(), TestCaseError> {
    let records = split_batches(&mut *splitter(), text, &[text.len().max(1)], BatchLimits::NONE);
    for limits in [ONE, BatchLimits { records: 3, bytes: 100 }] {
        prop_assert_eq!(&split_batches(&mut *splitter(), text, sizes, limits), &records);
    }
    for (record, line) in records {
        prop_assert!(line <= 1 + text.len() as u64);
        let mut puzzles = Puzzles::new();
        let parsed = parser.parse(&record, &mut puzzles);
        for size in Size::ALL {
            let is_parsed = parsed.is_ok_and(|puzzle| puzzle.size == size);
            prop_assert_eq!(puzzles.batch(size).len(), usize::from(is_parsed));
        }
        if let Ok(puzzle) = parsed {
            let clues = puzzles.last(puzzle.size).iter().filter(|&&cell| cell > 0).count();
            prop_assert_eq!(clues, usize::from(puzzle.clues));
        }
        parser.puzzle_text(&record);
    }
    Ok(())
}
