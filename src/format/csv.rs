//! `csv`: a table with a header, of which one column holds the puzzles.
//!
//! ```text
//! source,question,answer,rating
//! puzzles4_forum_hardest_1905,5...27..9..41......1..5.3...92.6.8...5......66..7..29.8...7...2.......8...9..36..,583…,18
//! ```
//!
//! The rules are those of the `csv` crate: fields may be quoted and then hold anything, a record ends at a line feed or
//! a carriage return outside of quotes, empty lines mean nothing. Most files never use a quote; their records are
//! found by looking for the next line end, and only a record with a quote in it is given to `csv-core`.

use std::ops::Range;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use memchr::{memchr, memchr_iter, memchr3};

use super::alphabet::Alphabets;
use super::cells;
use super::position::{Preamble, StreamPosition, count_lines, window};
use super::splitter::{NextRecord, batch_of_single_records};
use super::{BatchLimits, Consumed, MAX_RECORD, Malformed, ParsedPuzzle, Parser, Puzzles, Splitter, SymbolPosition};

/// Names under which a header may announce the puzzles, in the order of preference.
pub(super) const PUZZLE_NAMES: [&str; 10] =
    ["puzzle", "quizzes", "quiz", "question", "sudoku", "grid", "givens", "board", "initial_board", "input"];

/// Names under which a header may announce the answers, in the order of preference.
const ANSWER_NAMES: [&str; 8] =
    ["solution", "solutions", "answer", "answers", "solved", "solved_board", "output", "target"];

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CsvHeader {
    /// The byte between two fields.
    pub delimiter: u8,
    /// The names of the columns, without white space around them.
    pub names: Vec<String>,
}

impl CsvHeader {
    /// Reads the header that `text` begins with, and says how many bytes it takes. `None` if there is no whole record;
    /// `at_end` says that the text is the complete input.
    ///
    /// Fields are separated by what makes `wanted` or else one of [`PUZZLE_NAMES`] a name of a column, or else by what
    /// makes the most columns: `,`, `;` or a tab.
    pub(super) fn read(text: &[u8], at_end: bool, wanted: Option<&str>) -> Option<(CsvHeader, usize)> {
        // What is not there makes one column, as any other that is not.
        let delimiters =
            [b'\t', b';', b','].into_iter().filter(|&delimiter| delimiter == b',' || text.contains(&delimiter));
        let headers = delimiters.filter_map(|delimiter| {
            let splitter = &mut CsvSplitter::new(Preamble::default(), delimiter);
            let NextRecord::Found { text: record, next, .. } = splitter.next_record(text, at_end) else { return None };
            let mut fields = CsvFields::new(delimiter);
            let name = |name| String::from_utf8_lossy(name).trim().to_owned();
            let names = fields.split(&text[record]).iter().map(name).collect();
            Some((CsvHeader { delimiter, names }, next))
        });
        headers.max_by_key(|(header, _)| (header.puzzle_column(wanted).is_some(), header.names.len()))
    }

    /// The index of the column with the puzzles: the one called `wanted`, or else one of [`PUZZLE_NAMES`].
    pub(super) fn puzzle_column(&self, wanted: Option<&str>) -> Option<usize> {
        match wanted {
            Some(name) => self.column(name),
            None => PUZZLE_NAMES.iter().find_map(|name| self.column(name)),
        }
    }

    /// The index of the column with the answers under one of the names that they are known by, if it is not `puzzle`.
    pub(super) fn answer_column(&self, puzzle: usize) -> Option<usize> {
        ANSWER_NAMES.iter().find_map(|name| self.column(name)).filter(|&answer| answer != puzzle)
    }

    /// The index of the first column with a name, in any case; one that is spelt exactly so goes first.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        let exact = self.names.iter().position(|other| other == name);
        exact.or_else(|| self.names.iter().position(|other| other.eq_ignore_ascii_case(name)))
    }
}

/// Cuts a stream into the records of a table.
#[derive(Clone, Debug)]
pub(super) struct CsvSplitter {
    position: StreamPosition,
    quotes: Quotes,
    /// The text starts within a record that is too long.
    passing: bool,
}

impl CsvSplitter {
    /// A splitter for a stream with a preamble, in which the header belongs.
    pub(super) fn new(preamble: Preamble, delimiter: u8) -> CsvSplitter {
        CsvSplitter { position: StreamPosition::after(preamble), quotes: Quotes::new(delimiter), passing: false }
    }
}

impl CsvSplitter {
    /// Finds the first record of `text`; `at_end` says that the stream ends where `text` does.
    pub(super) fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let mut at = self.position.skip_preamble(text);
        if self.passing {
            let end = record_end(self.quotes.reader(), &text[at..]);
            let passed = &text[at..end.map_or(text.len(), |end| at + end)];
            self.passing = end.is_none();
            self.position.line += count_lines(passed);
            at += passed.len();
        }
        while let Some(b'\r' | b'\n') = text.get(at) {
            self.position.line += u64::from(text[at] == b'\n');
            at += 1;
        }
        let window = window(&text[at..]);
        let line = self.position.line;
        let end = match memchr3(b'\n', b'\r', b'"', window) {
            Some(end) if window[end] == b'"' => record_end(self.quotes.restarted(), window).map(|end| {
                self.position.line += count_lines(&window[..end]);
                (content_length(&window[..end]), end)
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
                // What is left is read by the rules, which may begin within quotes.
                let end = record_end(self.quotes.restarted(), window);
                debug_assert_eq!(end, None);
                self.passing = true;
                self.position.line += count_lines(window);
                (MAX_RECORD, MAX_RECORD)
            }
            None if at_end && window.is_empty() => return NextRecord::EndOfInput,
            None if at_end => (window.len(), window.len()),
            None => return NextRecord::Incomplete { consumed: at },
        };
        NextRecord::Found { text: at..at + end, line, next: at + next }
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

/// How long a record is without the line ends after it.
fn content_length(record: &[u8]) -> usize {
    record.iter().rposition(|byte| !matches!(byte, b'\r' | b'\n')).map_or(0, |last| last + 1)
}

/// Reads by the rules of quotes. Made when the first quote comes: that takes as long as cutting thousands of records.
#[derive(Clone, Debug)]
struct Quotes {
    delimiter: u8,
    reader: Option<Box<Reader>>,
}

impl Quotes {
    fn new(delimiter: u8) -> Quotes {
        Quotes { delimiter, reader: None }
    }

    /// A reader that goes on where it was.
    fn reader(&mut self) -> &mut Reader {
        let make = || Box::new(ReaderBuilder::new().delimiter(self.delimiter).build());
        self.reader.get_or_insert_with(make)
    }

    /// A reader that is ready for a record from within a stream.
    fn restarted(&mut self) -> &mut Reader {
        let reader = self.reader();
        reader.reset();
        // A byte order mark means something at the start of a stream only: an empty line makes this some later place.
        reader.read_record(b"\n", &mut [0], &mut [0]);
        reader
    }
}

/// Reads on to the end of a record and says where it is, line end included, if it is in `text`.
fn record_end(reader: &mut Reader, text: &[u8]) -> Option<usize> {
    let (mut output, mut ends) = ([0; 512], [0; 64]);
    let mut read = 0;
    // Without input the reader would take the record to end here.
    while read < text.len() {
        let (result, input, ..) = reader.read_record(&text[read..], &mut output, &mut ends);
        read += input;
        match result {
            ReadRecordResult::Record => return Some(read),
            ReadRecordResult::InputEmpty | ReadRecordResult::End => return None,
            ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {}
        }
    }
    None
}

/// Takes records apart into fields, with memory that is used again.
#[derive(Clone, Debug)]
pub(crate) struct CsvFields {
    quotes: Quotes,
    /// The fields of a record with quotes, end to end.
    text: Vec<u8>,
    ends: Vec<usize>,
}

/// The fields of one record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitFields<'a> {
    text: &'a [u8],
    ends: &'a [usize],
    /// How many bytes there are between two fields.
    gap: usize,
}

impl<'a> SplitFields<'a> {
    /// How many fields there are; at least one.
    pub(crate) fn len(self) -> usize {
        self.ends.len()
    }

    /// The field number `index`, from 0, without its quotes.
    pub(crate) fn get(self, index: usize) -> Option<&'a [u8]> {
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] + self.gap };
        Some(&self.text[start..end])
    }

    /// All fields.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).filter_map(move |index| self.get(index))
    }
}

impl CsvFields {
    /// Fields with a delimiter between them.
    pub(crate) fn new(delimiter: u8) -> CsvFields {
        CsvFields { quotes: Quotes::new(delimiter), text: vec![], ends: vec![] }
    }

    /// The fields of a record.
    pub(crate) fn split<'a>(&'a mut self, record: &'a [u8]) -> SplitFields<'a> {
        if memchr(b'"', record).is_some() {
            self.unquote(record);
            return SplitFields { text: &self.text, ends: &self.ends, gap: 0 };
        }
        self.ends.clear();
        self.ends.extend(memchr_iter(self.quotes.delimiter, record));
        self.ends.push(record.len());
        SplitFields { text: record, ends: &self.ends, gap: 1 }
    }

    fn unquote(&mut self, record: &[u8]) {
        let reader = self.quotes.restarted();
        // Room for all there can be: the bytes of the record, and a field after each of them.
        self.text.resize(record.len() + 1, 0);
        self.ends.resize(record.len() + 2, 0);
        let (mut read, mut written, mut fields) = (0, 0, 0);
        loop {
            let (text, ends) = (&mut self.text[written..], &mut self.ends[fields..]);
            let (result, input, output, ended) = reader.read_record(&record[read..], text, ends);
            read += input;
            written += output;
            fields += ended;
            // The call after the last byte, with no input, ends the record.
            if matches!(result, ReadRecordResult::Record | ReadRecordResult::End) {
                break;
            }
        }
        self.ends.truncate(fields);
    }
}

/// Reads the puzzle's field of a record.
#[derive(Clone, Debug)]
pub(super) struct CsvParser {
    alphabets: Alphabets,
    fields: CsvFields,
    column: usize,
}

impl CsvParser {
    /// A parser for the puzzles in the column with index `column`, written in these alphabets.
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
        let missing = Malformed::NoField { fields: fields.len(), column: self.column + 1 };
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

/// Takes the columns out of a record that are to be passed through.
#[derive(Clone, Debug)]
pub struct PassThrough {
    fields: CsvFields,
    columns: Vec<usize>,
}

impl PassThrough {
    /// A keeper of the columns with these indices.
    pub fn new(delimiter: u8, columns: Vec<usize>) -> PassThrough {
        PassThrough { fields: CsvFields::new(delimiter), columns }
    }

    /// The fields of `record` that are kept, in the order in which they were asked for; empty where it has none.
    pub fn keep<'a>(&'a mut self, record: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
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
    fn headers_name_the_puzzles_and_the_delimiter() {
        for (text, delimiter, column) in [
            ("quizzes,solutions\n0", b',', Some(0)),
            ("puzzle,solution\r\n", b',', Some(0)),
            ("id,puzzle,solution,clues,difficulty\n", b',', Some(1)),
            ("source,question,answer,rating\n", b',', Some(1)),
            ("id;Puzzle;solution, or label\n", b';', Some(1)),
            ("input\tgrid\n", b'\t', Some(1)),
            ("\"id, or name\",\"SUDOKU\" \n", b',', Some(1)),
            ("puzzle\n", b',', Some(0)),
            ("\"a\nb\",Quiz\n", b',', Some(1)),
            ("a,b;c\n", b',', None),
        ] {
            let (header, length) = CsvHeader::read(text.as_bytes(), true, None).unwrap();
            assert_eq!((header.delimiter, header.puzzle_column(None)), (delimiter, column), "{text:?}");
            assert!(text[length..].trim_start().len() <= 1, "{text:?}");
        }
        let (header, _) = CsvHeader::read(b"puzzle,A,a", true, Some("a")).unwrap();
        assert_eq!(header.puzzle_column(Some("a")), Some(2));
        assert_eq!(header.puzzle_column(Some("b")), None);
        assert_eq!(CsvHeader::read(b"puzzle,solution", false, None), None);
        assert_eq!(CsvHeader::read(b"", true, None), None);
    }

    #[test]
    fn records_keep_their_text_and_know_their_line() {
        let text = "\u{feff}puzzle,note\r\n\r\n1,\"a\nb\"\r\n2,c\r\n\"3\"\"\",\"\"\r\n4\"5,6\n\u{feff}\"\n\"\"";
        let mut splitter = CsvSplitter::new(Preamble::new(&text.as_bytes()[..16]), b',');
        let records = testing::split(&mut splitter, text);
        let expected =
            [("1,\"a\nb\"", 3), ("2,c", 5), ("\"3\"\"\",\"\"", 6), ("4\"5,6", 7), ("\u{feff}\"", 8), ("\"\"", 9)];
        assert_eq!(records, expected.map(|(record, line)| (record.to_owned(), line)));
        let mut keeper = PassThrough::new(b',', vec![1, 0, 7]);
        let kept = keeper.keep(records[2].0.as_bytes()).map(<[u8]>::to_vec).collect::<Vec<_>>();
        assert_eq!(kept, [&b""[..], b"3\"", b""]);
    }

    #[test]
    fn puzzles_are_read_from_their_column() {
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
    fn a_record_without_end_is_one_record() {
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

    /// The records that the `csv` crate sees, with the line on which each starts.
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
