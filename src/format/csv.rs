//! `csv`: a table with a header, of which one column holds the puzzles.
//!
//! ```text
//! source,question,answer,rating
//! puzzles4_forum_hardest_1905,5...27..9..41......1..5.3...92.6.8...5......66..7..29.8...7...2.......8...9..36..,583…,18
//! ```
//!
//! The rules are those of the `csv` crate: a field may be quoted and then hold anything, a record ends at a line feed or
//! a carriage return outside of quotes, and empty lines are skipped. Most files never use a quote; their records are
//! found by looking for the next line end.

use std::ops::Range;

use memchr::memchr3;

use super::alphabet::Alphabets;
use super::cells;
use super::csv_fields::{CsvFields, QuoteReader};
use super::position::{Preamble, StreamPosition, count_lines, window};
use super::splitter::{NextRecord, batch_of_single_records};
use super::{BatchLimits, Consumed, MAX_RECORD, Malformed, ParsedPuzzle, Parser, Puzzles, Splitter, SymbolPosition};

/// Splits a stream into the records of a table.
#[derive(Clone, Debug)]
pub(super) struct CsvSplitter {
    position: StreamPosition,
    quotes: QuoteReader,
    /// Whether the text starts within a record that is too long.
    in_long_record: bool,
}

impl CsvSplitter {
    /// For a stream with a preamble, which includes the header.
    pub(super) fn new(preamble: Preamble, delimiter: u8) -> CsvSplitter {
        let (position, quotes) = (StreamPosition::after(preamble), QuoteReader::new(delimiter));
        CsvSplitter { position, quotes, in_long_record: false }
    }

    /// Finds the first record of `text`; `at_end` says that the stream ends where `text` does.
    pub(super) fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let mut start = self.position.skip_preamble(text);
        if self.in_long_record {
            let end = self.quotes.rest_of_record_end(&text[start..]);
            let rest = &text[start..end.map_or(text.len(), |end| start + end)];
            self.in_long_record = end.is_none();
            self.position.line += count_lines(rest);
            start += rest.len();
        }
        while let Some(b'\r' | b'\n') = text.get(start) {
            self.position.line += u64::from(text[start] == b'\n');
            start += 1;
        }
        let window = window(&text[start..]);
        let line = self.position.line;
        // The end of the record, and where the next one starts.
        let end = match memchr3(b'\n', b'\r', b'"', window) {
            Some(end) if window[end] == b'"' => self.quotes.record_end(window).map(|end| {
                self.position.line += count_lines(&window[..end]);
                (length_without_line_ends(&window[..end]), end)
            }),
            Some(end) => {
                self.position.line += u64::from(window[end] == b'\n');
                Some((end, end + 1))
            }
            None => None,
        };
        let (end, next) = match end {
            Some(ends) => ends,
            None if window.len() == MAX_RECORD => {
                // The rest of it may start within quotes.
                let end = self.quotes.record_end(window);
                debug_assert_eq!(end, None);
                self.in_long_record = true;
                self.position.line += count_lines(window);
                (MAX_RECORD, MAX_RECORD)
            }
            None if at_end && window.is_empty() => return NextRecord::EndOfInput,
            None if at_end => (window.len(), window.len()),
            None => return NextRecord::Incomplete { consumed: start },
        };
        NextRecord::Found { text: start..start + end, line, next: start + next }
    }
}

impl Splitter for CsvSplitter {
    fn next_batch(
        &mut self,
        text: &[u8],
        at_end: bool,
        limits: BatchLimits,
        record: &mut dyn FnMut(Range<usize>, u64),
    ) -> Consumed {
        batch_of_single_records(text, limits, record, |text| self.next_record(text, at_end))
    }
}

fn length_without_line_ends(record: &[u8]) -> usize {
    record.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1)
}

/// Parses the puzzle in one field of a record.
#[derive(Clone, Debug)]
pub(super) struct CsvParser {
    alphabets: Alphabets,
    fields: CsvFields,
    column: usize,
}

impl CsvParser {
    /// For puzzles in the column with index `column`, in these alphabets.
    pub(super) fn new(alphabets: Alphabets, delimiter: u8, column: usize) -> CsvParser {
        CsvParser { alphabets, fields: CsvFields::new(delimiter), column }
    }
}

impl Parser for CsvParser {
    fn parse(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        if record.len() >= MAX_RECORD {
            return Err(Malformed::TooLong);
        }
        let fields = self.fields.split(record);
        let missing = Malformed::MissingField { fields: fields.len(), column: self.column + 1 };
        let field = fields.get(self.column).ok_or(missing)?;
        let text = field.trim_ascii_start();
        let indent = field.len() - text.len();
        let position = |index| SymbolPosition::Column(indent + index + 1);
        cells::parse(text.trim_ascii_end(), &self.alphabets, puzzles, position)
    }

    fn puzzle_text<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        self.fields.split(record).get(self.column).unwrap_or(record)
    }
}

/// Takes the fields out of a record that are copied to the output.
#[derive(Clone, Debug)]
pub struct PassThrough {
    fields: CsvFields,
    columns: Vec<usize>,
}

impl PassThrough {
    /// For the columns with these indices.
    pub fn new(delimiter: u8, columns: Vec<usize>) -> PassThrough {
        PassThrough { fields: CsvFields::new(delimiter), columns }
    }

    /// The fields in these columns, in the order of the indices; empty where the record has too few fields.
    pub fn fields<'a>(&'a mut self, record: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let PassThrough { fields, columns } = self;
        let fields = (!columns.is_empty()).then(|| fields.split(record));
        columns.iter().map(move |&column| fields.and_then(|fields| fields.get(column)).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing;
    use super::*;

    const PUZZLE: &str = "5...27..9..41......1..5.3...92.6.8...5......66..7..29.8...7...2.......8...9..36..";

    fn parse(column: usize, record: &str) -> Result<String, String> {
        let alphabets = Alphabets::default();
        testing::parse(&mut CsvParser::new(alphabets, b',', column), &alphabets, record.as_bytes())
    }

    #[test]
    fn records_have_their_text_and_their_line() {
        let text = "\u{feff}puzzle,note\r\n\r\n1,\"a\nb\"\r\n2,c\r\n\"3\"\"\",\"\"\r\n4\"5,6\n\u{feff}\"\n\"\"";
        let mut splitter = CsvSplitter::new(Preamble::new(&text.as_bytes()[..16]), b',');
        let records = testing::split(&mut splitter, text);
        let expected =
            [("1,\"a\nb\"", 3), ("2,c", 5), ("\"3\"\"\",\"\"", 6), ("4\"5,6", 7), ("\u{feff}\"", 8), ("\"\"", 9)];
        assert_eq!(records, expected.map(|(record, line)| (record.to_owned(), line)));
        let mut pass_through = PassThrough::new(b',', vec![1, 0, 7]);
        let kept = pass_through.fields(records[2].0.as_bytes()).map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(kept, [&b""[..], b"3\"", b""]);
    }

    #[test]
    fn puzzles_are_parsed_in_their_column() {
        let good = Ok(PUZZLE.to_owned());
        assert_eq!(parse(1, &format!("a,{PUZZLE},b,18")), good);
        assert_eq!(parse(1, &format!("\"a,b\",\" {PUZZLE}\"")), good);
        assert_eq!(parse(0, "34..12.....3....,"), Ok("34..12.....3....".to_owned()));
        for (record, reason) in [
            ("a", "1 field; the puzzle is in column 2"),
            ("a,", "0 cells; a puzzle has 16, 81, 256 or 625"),
            (&format!("a,{PUZZLE} ED=1"), "86 cells; a puzzle has 16, 81, 256 or 625"),
            (&format!("a,{}", PUZZLE.replace('1', "q")), "column 13: 'q' is no digit"),
            (&format!("a,\"{}\"", PUZZLE.replace('1', "\"\"")), "column 13: '\"' is no digit"),
        ] {
            assert_eq!(parse(1, record), Err(reason.to_owned()), "{record}");
        }
        let mut parser = CsvParser::new(Alphabets::default(), b',', 1);
        assert_eq!(parser.puzzle_text(b"a,\"b\"\"c\",d"), b"b\"c");
        assert_eq!(parser.puzzle_text(b"a"), b"a");
    }

    #[test]
    fn a_long_record_is_one_record() {
        let long = "1".repeat(2 * MAX_RECORD);
        for (text, line) in [
            (format!("a\n{long}\nb"), 3),
            (format!("a\n1,\"{long}\n\"\"\n\"\nb"), 5),
            (format!("a\n1,\"{long}\n\"\r\nb"), 4),
        ] {
            for size in [30_000, text.len()] {
                let records =
                    testing::split_bytes(&mut CsvSplitter::new(Preamble::default(), b','), text.as_bytes(), &[size]);
                let shape: Vec<_> = records.iter().map(|(text, line)| (text.len(), *line)).collect();
                assert_eq!(shape, [(1, 1), (MAX_RECORD, 2), (1, line)]);
                let result = CsvParser::new(Alphabets::default(), b',', 0).parse(&records[1].0, &mut Puzzles::new());
                assert_eq!(result, Err(Malformed::TooLong));
            }
        }
    }

    /// The records that the `csv` crate reads.
    fn by_the_csv_crate(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
        let fields = |record: ::csv::ByteRecord| record.iter().map(<[u8]>::to_vec).collect();
        reader.byte_records().map(|record| fields(record.unwrap())).collect()
    }

    proptest! {
        #[test]
        fn any_bytes_in_any_pieces(
            text in testing::noise(&[PUZZLE, "\n\u{feff}\"", ",", "\"", ",\"", "\",", "\"\n", "\r\n", "\"\""]),
            sizes in testing::pieces(),
        ) {
            let mark = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let splitter = || Box::new(CsvSplitter::new(Preamble::new(&text[..mark]), b',')) as Box<dyn Splitter>;
            testing::check_pieces(splitter, &mut CsvParser::new(Alphabets::default(), b',', 1), &text, &sizes)?;
            let records = testing::split_bytes(&mut *splitter(), &text, &[text.len().max(1)]);
            let mut fields = CsvFields::new(b',');
            let split = |(record, _): &(Vec<u8>, u64)| fields.split(record).iter().map(<[u8]>::to_vec).collect();
            let ours: Vec<Vec<Vec<u8>>> = records.iter().map(split).collect();
            prop_assert_eq!(ours, by_the_csv_crate(&text));
        }
    }
}
