//! Splits a CSV table into records, and parses the puzzle in one field of each record.
//!
//! ```text
//! source,question,answer,rating
//! puzzles4_forum_hardest_1905,5...27..9..41......1..5.3...92.6.8...5......66..7..29.8...7...2.......8...9..36..,583…,18
//! ```
//!
//! The rules are the `csv` crate's: a field may be quoted and then contain anything, a record ends at a line feed or a
//! carriage return outside quotes, and empty lines are skipped. Most files never use a quote; their records are found
//! by searching for the next line end. A record with a quote that is never closed ends with the line of the quote.

use memchr::{memchr, memchr3, memrchr};

use super::quotes::{self, Quoted, WindowEnd};
use crate::format::alphabet::Alphabets;
use crate::format::evidence;
use crate::format::fields::CsvFields;
use crate::format::splitter::{FindRecord, NextRecord, TextEnd, window};
use crate::format::stream::count_lines;
use crate::format::{BatchEnd, LongLine, MAX_RECORD, Malformed, ParsedPuzzle, Parser, Puzzles, Size, spaced};

/// Splits a stream into the records of a table.
#[derive(Clone, Debug)]
pub(super) struct CsvSplitter {
    delimiter: u8,
    /// The number of columns, if known.
    columns: Option<usize>,
    /// Whether a field may be a free-text answer: none of its lines is then a record, however long it is.
    pub(super) has_answers: bool,
    /// The number of records with a quoted line that looks like a record, and the line of the first one.
    with_records: Option<(u64, u64)>,
    /// The length of the text, from the start of the next call, that cannot properly close a field with line ends. It
    /// was scanned for the quote of an earlier record, in vain. Scanning it again for each of its lines would take
    /// quadratic time.
    without_long_fields: usize,
    /// The rest of a record that is too long is skipped: where it begins.
    rest: Option<WindowEnd>,
}

impl CsvSplitter {
    /// A splitter for records with this delimiter.
    pub(super) fn new(delimiter: u8, columns: Option<usize>) -> CsvSplitter {
        CsvSplitter { delimiter, columns, has_answers: false, with_records: None, without_long_fields: 0, rest: None }
    }
}

impl FindRecord for CsvSplitter {
    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let mut start = 0;
        while let Some(begin) = self.rest {
            let length = self.pass_over(&text[start..], begin, at_end);
            start += length;
            if self.rest.is_some() && (length == 0 || start == text.len()) {
                return if at_end {
                    NextRecord::none(text.len(), BatchEnd::EndOfInput)
                } else {
                    NextRecord::none(start, BatchEnd::Incomplete)
                };
            }
        }
        start += text[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        self.without_long_fields = self.without_long_fields.saturating_sub(start);
        if at_end && start == text.len() {
            return NextRecord::none(text.len(), BatchEnd::EndOfInput);
        }

        let end = memchr3(b'\n', b'\r', b'"', window(&text[start..]));
        let has_quotes = end.is_some_and(|end| text[start + end] == b'"');
        let record = if has_quotes {
            self.end_of_quoted(&text[start..], at_end)
        } else {
            end_of_line(&text[start..], end, at_end)
        };
        let is_cut = record.end == Some(BatchEnd::LongLine(LongLine::Record));
        self.without_long_fields = if is_cut { 0 } else { self.without_long_fields.saturating_sub(record.consumed) };
        record.moved(|at| start + at)
    }

    fn note_lines(&mut self, record: &[u8], line: u64) {
        if record.len() >= MAX_RECORD || self.has_record(record) {
            self.with_records.get_or_insert((0, line)).0 += 1;
        }
    }

    fn remark(&self) -> Option<String> {
        let (records, line) = self.with_records?;
        let [plural, have] = if records == 1 { ["", "has"] } else { ["s", "have"] };
        let fields = format!("{records} record{plural} {have} a quoted field with lines that look like records");
        Some(format!("{fields}; they are read as part of the field; the first is on line {line}"))
    }
}

impl CsvSplitter {
    /// A record with quotes, at the start of a text.
    fn end_of_quoted(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let mut seen = window(text);
        let mut after = TextEnd::of_window(seen, at_end);
        // No field with line ends can start here, so the record ends with its line.
        if self.without_long_fields > 0
            && let Some(end) = memchr(b'\n', seen)
        {
            (seen, after) = (&seen[..=end], TextEnd::Input);
        }

        let found = quotes::scan(seen, self.delimiter, self.columns, after);
        match found {
            Quoted::Incomplete => NextRecord::none(0, BatchEnd::Incomplete),
            Quoted::Ends(end) => end_of_line(text, (end < seen.len()).then_some(end), at_end),
            Quoted::TooLong { end, .. } if self.has_answers => {
                self.rest = Some(end);
                NextRecord::found(0..MAX_RECORD, MAX_RECORD)
            }
            Quoted::TooLong { opened, .. } | Quoted::Unclosed { opened, .. } => {
                let scanned = if let Quoted::Unclosed { scanned, .. } = found { scanned } else { seen.len() };
                let Some(end) = memchr(b'\n', &seen[opened..]) else { return end_of_line(text, None, at_end) };
                let end = opened + end;
                let scanned_lines = memrchr(b'\n', &seen[..scanned]).map_or(0, |last| last + 1);
                self.without_long_fields = self.without_long_fields.max(scanned_lines);
                let length = end - usize::from(text[..end].ends_with(b"\r"));
                NextRecord::found(0..length, end + 1)
            }
        }
    }

    /// Skips the rest of a record that is too long, up to the end of the text. Returns the length that was skipped.
    fn pass_over(&mut self, text: &[u8], begin: WindowEnd, at_end: bool) -> usize {
        let (in_quotes, begin) = match (begin, text.first()) {
            (WindowEnd::Outside, _) => (false, 0),
            (WindowEnd::InQuotes, _) => (true, 0),
            (WindowEnd::AfterQuote, None) => return 0,
            (WindowEnd::AfterQuote, Some(&next)) => (next == b'"', usize::from(next == b'"')),
        };
        let after = match quotes::closing_quote(text, begin).filter(|_| in_quotes) {
            // It may be the first quote of a pair.
            Some(quote) if quote + 1 == text.len() && !at_end => {
                self.rest = Some(WindowEnd::InQuotes);
                return quote;
            }
            Some(quote) => quote + 1,
            None if in_quotes => {
                self.rest = Some(WindowEnd::InQuotes);
                return text.len();
            }
            None => 0,
        };

        let seen = window(&text[after..]);
        let end = TextEnd::of_window(seen, at_end);
        let (rest, length) = match quotes::scan(seen, self.delimiter, None, end) {
            Quoted::Incomplete => (Some(WindowEnd::Outside), 0),
            Quoted::TooLong { end, .. } => (Some(end), seen.len()),
            // At the end of the window, the record may go on.
            Quoted::Ends(length) => {
                let goes_on = end == TextEnd::Window && length == seen.len();
                (goes_on.then_some(WindowEnd::Outside), length)
            }
            Quoted::Unclosed { opened, .. } => {
                (None, memchr(b'\n', &seen[opened..]).map_or(seen.len(), |end| opened + end))
            }
        };
        self.rest = rest;
        after + length
    }

    /// Whether a line of a record, after the first, looks like a record with a puzzle.
    fn has_record(&self, record: &[u8]) -> bool {
        record.split(|&byte| byte == b'\n').skip(1).any(|line| {
            let fields = || line.split(|&byte| byte == self.delimiter).map(<[u8]>::trim_ascii);
            // In a table with one column, sixteen cells may be a row of a 16x16 grid.
            let is_puzzle = |size| self.columns != Some(1) || size > Size::Four;
            self.columns == Some(fields().count())
                && fields().any(|field| !field.contains(&b' ') && Size::from_cells(field.len()).is_some_and(is_puzzle))
        })
    }
}

/// The record at the start of `text`. It ends at the line end with this index, or at the end of `text`.
fn end_of_line(text: &[u8], end: Option<usize>, at_end: bool) -> NextRecord {
    match end.map(|end| (end, &text[end..])) {
        Some((_, [b'\r'])) if !at_end => NextRecord::none(0, BatchEnd::Incomplete),
        Some((end, [b'\r', b'\n', ..])) => NextRecord::found(0..end, end + 2),
        Some((end, _)) => NextRecord::found(0..end, end + 1),
        None if text.len() >= MAX_RECORD => NextRecord::cut_off(text, 0, 0),
        None if at_end => NextRecord::found(0..text.len(), text.len()),
        None => NextRecord::none(0, BatchEnd::Incomplete),
    }
}

/// Parses the text of one field.
#[derive(Clone, Debug)]
pub(in crate::sudoku::format::formats) struct FieldParser(pub(in crate::sudoku::format::formats) Alphabets);

impl Parser for FieldParser {
    fn read(&mut self, field: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        let text = without_quotes(field);
        spaced::parse_field(field, text, &self.0, puzzles).map_err(|reason| match (reason, size_of_number(text.1)) {
            (Malformed::CellCount { cells }, Some(size)) => Malformed::LostZeros { digits: cells, size },
            (Malformed::CellCount { .. }, None) if is_rounded_number(text.1) => Malformed::RoundedNumber,
            (reason, _) => reason,
        })
    }

    fn pencilmarks<'a>(&'a mut self, field: &'a [u8]) -> &'a [u8] {
        without_quotes(field).1
    }
}

/// The size of a puzzle whose digits, with 0 for blanks, were stored as a number, so that leading zeros are lost: less
/// than a row is missing.
fn size_of_number(text: &[u8]) -> Option<Size> {
    let is_close = |size: &Size| (1..size.side()).contains(&size.cells().saturating_sub(text.len()));
    let size = Size::ALL.into_iter().find(is_close).filter(|&size| size <= Size::Nine)?;
    let is_number = text.iter().all(u8::is_ascii_digit) && !text.starts_with(b"0") && text.contains(&b'0');
    is_number.then_some(size)
}

/// Whether a text is a number with an exponent, such as `7.0E+79`.
fn is_rounded_number(text: &[u8]) -> bool {
    // Most texts have none, and this finds it out fast in a text of a megabyte, too.
    let has_exponent = memchr::memchr2(b'e', b'E', text).is_some();
    has_exponent && str::from_utf8(text).is_ok_and(|text| text.parse::<f64>().is_ok_and(f64::is_finite))
}

/// Parses the puzzle in one field of a record.
#[derive(Clone, Debug)]
pub(super) struct CsvParser {
    field: FieldParser,
    fields: CsvFields,
    column: usize,
    /// The number of columns.
    columns: usize,
}

impl CsvParser {
    /// A parser for puzzles in these alphabets, in the column with index `column`.
    pub(super) fn new(alphabets: Alphabets, delimiter: u8, column: usize, columns: usize) -> CsvParser {
        CsvParser { field: FieldParser(alphabets), fields: CsvFields::new(delimiter), column, columns }
    }
}

impl Parser for CsvParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        let fields = self.fields.split(record);
        if !fields.is_closed() {
            return Err(unclosed_quote(record, self.fields.delimiter()));
        }
        let missing = Malformed::MissingField { fields: fields.len(), column: self.column + 1 };
        let field = fields.get(self.column).ok_or(missing)?;

        // A further field may be the rest of a comment that contains a comma. If a field is missing, each may be in
        // another column.
        let puzzle = without_quotes(field).1;
        let is_other = |index: &usize| *index != self.column && fields.len() != self.columns;
        let mut others = (0..fields.len()).filter(is_other).filter_map(|other| fields.get(other));
        if others.any(|other| has_puzzle(other, puzzle, &mut self.field)) {
            return Err(Malformed::MoreCells);
        }
        let parsed = self.field.parse(field, puzzles)?;
        // With a field too few, a full grid is likely to be the answer.
        if fields.len() < self.columns && parsed.is_full() {
            puzzles.pop(parsed.size);
            return Err(missing);
        }
        Ok(parsed)
    }

    fn pencilmarks<'a>(&'a mut self, record: &'a [u8]) -> &'a [u8] {
        without_quotes(self.puzzle_text(record)).1
    }

    fn field<'a>(&'a mut self, record: &'a [u8]) -> Option<&'a [u8]> {
        self.fields.split(record).get(self.column)
    }
}

/// Whether a field has another puzzle, in any form.
fn has_puzzle(field: &[u8], puzzle: &[u8], parser: &mut FieldParser) -> bool {
    let parsed = parser.parse(field, &mut Puzzles::new());
    let is_unsolved = parsed.is_ok_and(|parsed| (1..parsed.size.cells()).contains(&parsed.clues.into()));
    evidence::has_more_cells(puzzle, field) || is_unsolved && without_quotes(field).1 != puzzle
}

/// The text of a field without surrounding white space and quotes, and its start. A quoted field still has quotes if
/// white space precedes them: `7, "53..7....", easy`; or if it is a formula: `"=""53..7...."""`.
fn without_quotes(field: &[u8]) -> (usize, &[u8]) {
    let text = field.trim_ascii_start();
    let text = text.strip_prefix(b"=").filter(|formula| formula.starts_with(b"\"")).unwrap_or(text);
    let start = field.len() - text.len();
    let text = text.trim_ascii_end();
    let quoted = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
    // In spreadsheets, a leading quote makes a number a text.
    match quoted.or(text.strip_prefix(b"'")) {
        Some(quoted) => (start + 1, quoted.trim_ascii_end()),
        None => (start, text),
    }
}

/// The error for the quote in a record that is never closed.
fn unclosed_quote(record: &[u8], delimiter: u8) -> Malformed {
    let opened = match quotes::scan(record, delimiter, None, TextEnd::Input) {
        Quoted::Unclosed { opened, .. } => opened,
        Quoted::Ends(_) | Quoted::Incomplete | Quoted::TooLong { .. } => record.len(),
    };
    let start = memrchr(b'\n', &record[..opened]).map_or(0, |end| end + 1);
    let line = count_lines(&record[..opened]) as usize + 1;
    Malformed::UnclosedQuote { line, column: opened - start + 1 }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::format::splitter::Preamble;
    use crate::format::testing;

    const PUZZLE: &str = "5...27..9..41......1..5.3...92.6.8...5......66..7..29.8...7...2.......8...9..36..";

    fn parse(column: usize, record: &str) -> Result<String, String> {
        let alphabets = Alphabets::default();
        testing::parse(&mut CsvParser::new(alphabets, b',', column, 3), &alphabets, record.as_bytes())
    }

    #[test]
    fn records_have_their_text_and_their_line() {
        let text = "\u{feff}puzzle,note\r\n\r\n1,\"a\nb\"\r\n2,c\r\n\"3\"\"\",\"\"\r\n4\"5,6\n\u{feff}\"\n\"\"";
        let mut splitter = CsvSplitter::new(b',', None).after(Preamble::new(&text.as_bytes()[..16]));
        let records = testing::split(&mut splitter, text);
        let expected =
            [("1,\"a\nb\"", 3), ("2,c", 5), ("\"3\"\"\",\"\"", 6), ("4\"5,6", 7), ("\u{feff}\"", 8), ("\"\"", 9)];
        assert_eq!(records, expected.map(|(record, line)| (record.to_owned(), line)));
    }

    #[test]
    fn puzzles_are_parsed_in_their_column() {
        let good = Ok(PUZZLE.to_owned());
        assert_eq!(parse(1, &format!("a,{PUZZLE},b,18")), good);
        assert_eq!(parse(1, &format!("\"a,b\",\" {PUZZLE}\"")), good);
        assert_eq!(parse(1, &format!("7,\"=\"\"{PUZZLE}\"\"\"")), good);
        assert_eq!(parse(1, &format!("7,=\"{PUZZLE}\"")), good);
        assert_eq!(parse(1, &format!("7,'{PUZZLE}")), good);
        assert_eq!(parse(0, "34..12.....3....,"), Ok("34..12.....3....".to_owned()));
        // As after the puzzle of a line: an answer, the same puzzle, and a word as long as a puzzle.
        for further in ["123456789".repeat(9), PUZZLE.to_owned(), "x".repeat(81)] {
            assert_eq!(parse(1, &format!("a,{PUZZLE},b,{further}")), good, "{further}");
        }
        for (record, reason) in [
            ("a", "1 field; the puzzle is in column 2"),
            ("a,", "0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (
                "a,30200010002400",
                "14 digits; a 4x4 puzzle has 16, and zeros at its start may have been lost, as in numbers of a spreadsheet",
            ),
            ("a,7.0E+79", "a number that a spreadsheet has rounded: most digits of the puzzle are lost"),
            ("a,03020001000240", "14 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (
                &format!("a,{PUZZLE},b,c,{},d", PUZZLE.replace('9', ".")),
                "more cells follow the puzzle; the line end between two puzzles may be lost, or a symbol is wrong",
            ),
            (
                &format!("a,{},b,{}", "1.3.5..8.".repeat(81), "1.3...7.9".repeat(81)),
                "more cells follow the puzzle; the line end between two puzzles may be lost, or a symbol is wrong",
            ),
            (&format!("a,{PUZZLE} ED=1"), "86 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
            (&format!("a,{}", PUZZLE.replace('1', "q")), "column 13: 'q' is not a digit"),
            (&format!("a,\"{}\"", PUZZLE.replace('1', "\"\"")), "column 13: '\"' is not a digit"),
        ] {
            assert_eq!(parse(1, record), Err(reason.to_owned()), "{record}");
        }
        let mut parser = CsvParser::new(Alphabets::default(), b',', 1, 2);
        assert_eq!(parser.puzzle_text(b"a,\"b\"\"c\",d"), b"b\"c");
        assert_eq!(parser.puzzle_text(b"a"), b"a");
    }

    #[test]
    fn an_unclosed_quote_costs_one_record() {
        let good = |id: u32| format!("{id},{PUZZLE},\"by hand, {id}\"");
        let lines = |stray: &str| {
            let lines: Vec<_> = (1..9).map(|id| if id == 4 { stray.to_owned() } else { good(id) }).collect();
            lines.join("\n")
        };
        let header = Preamble::default();
        for (stray, reason) in [
            (
                format!("4,{PUZZLE},\"unclosed"),
                "column 85: the quote that opens a field here is never closed; reading goes on at the next line",
            ),
            (
                format!("4,\"{PUZZLE},x"),
                "column 3: the quote that opens a field here is never closed; reading goes on at the next line",
            ),
        ] {
            for text in [lines(&stray), lines(&stray).replace('\n', "\r\n"), lines(&stray).replace("by hand", ",")] {
                let records = testing::split(&mut CsvSplitter::new(b',', Some(3)).after(header), &text);
                assert_eq!(
                    records.iter().map(|(_, line)| *line).collect::<Vec<_>>(),
                    (1..9).collect::<Vec<_>>(),
                    "{text}"
                );
                assert_eq!(records[3].0, stray);
                let results: Vec<_> = records.iter().map(|(record, _)| parse(1, record)).collect();
                assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 7);
                assert_eq!(results[3], Err(reason.to_owned()));
            }
        }
        let text = format!("1,\"a\nb\",\"{PUZZLE}\n{}", good(2));
        let records = testing::split(&mut CsvSplitter::new(b',', Some(3)).after(header), &text);
        assert_eq!(records.iter().map(|(_, line)| *line).collect::<Vec<_>>(), [1, 3]);
        let reason = "line 2 of the record, column 4: the quote that opens a field here is never closed; reading goes on at the next line";
        assert_eq!(parse(1, &records[0].0), Err(reason.to_owned()));
    }

    /// Each line opens a quote that all later lines leave open.
    #[test]
    fn many_unclosed_quotes_take_linear_time() {
        let text = "x\",\"\n".repeat(300_000);
        let records = testing::split(&mut CsvSplitter::new(b',', None).after(Preamble::default()), &text);
        assert!(!records.is_empty());
    }

    #[test]
    fn a_long_record_is_one_record() {
        let long = "1".repeat(2 * MAX_RECORD);
        for (has_answers, text, rest) in [
            (false, format!("a\n{long}\nb"), &[(1, 3)][..]),
            // The limit is within quotes: reading continues at the next line.
            (false, format!("a\n1,\"{long}\n\"\"\n\"\nb"), &[(2, 3), (1, 4), (1, 5)]),
            // Within an answer, it does not.
            (true, format!("a\n{long}\nb"), &[(1, 3)]),
            (true, format!("a\n1,\"{long}\n\"\"\n\"\nb"), &[(1, 5)]),
            (true, format!("a\n1,\"{long}\n2,x\n\",\"\n3,x\n\"\nb"), &[(1, 7)]),
            (true, format!("a\n1,\"\n\",{long}{long},\"\n3,x\n\"\nb"), &[(1, 6)]),
            (true, format!("a\n1,\"{long}\n2,x"), &[]),
        ] {
            for size in [30_000, text.len()] {
                let splitter = CsvSplitter { has_answers, ..CsvSplitter::new(b',', None) };
                let splitter = &mut splitter.after(Preamble::default());
                let records = testing::split_bytes(splitter, text.as_bytes(), &[size]);
                let shape: Vec<_> = records.iter().map(|(text, line)| (text.len(), *line)).collect();
                assert_eq!(shape, [&[(1, 1), (MAX_RECORD, 2)], rest].concat());
                let result = CsvParser::new(Alphabets::default(), b',', 0, 1).parse(&records[1].0, &mut Puzzles::new());
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
        fn records_and_fields_are_those_of_the_csv_crate(
            pieces in vec(select(&[PUZZLE, "\u{feff}", "a", " ", ",", "\"", ",\"", "\",", "\"\n", "\n", "\r", "\"\""]), 0..40),
        ) {
            let text = pieces.concat().into_bytes();
            let mark = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
            let mut splitter = CsvSplitter::new(b',', None).after(Preamble::new(&text[..mark]));
            let records = testing::split_bytes(&mut splitter, &text, &[text.len().max(1)]);
            let mut fields = CsvFields::new(b',');
            let split = |(record, _): &(Vec<u8>, u64)| fields.split(record).iter().map(<[u8]>::to_vec).collect();
            let ours: Vec<Vec<Vec<u8>>> = records.iter().map(split).collect();
            let theirs = by_the_csv_crate(&text);
            // This splitter requires that a field with a line end is closed properly.
            if !theirs.iter().flatten().any(|field| field.contains(&b'\n')) {
                prop_assert_eq!(ours, theirs);
            }
        }
    }
}
