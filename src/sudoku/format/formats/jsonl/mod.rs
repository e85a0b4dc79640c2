//! `jsonl`: a JSON object on each line, with the puzzle as the value of a key; or a document with objects, arrays or
//! texts.
//!
//! ```text
//! {"id": 7, "puzzle": "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"}
//! {"id": 8, "puzzle": [0, 0, 0, 0, 0, 0, 0, 5, 2, 0, 0, ...], "level": null}
//! ```
//!
//! A puzzle is a string, as in a field of CSV, or an array of cells. Lines with nothing but white space are skipped;
//! every other line is a record. In a [document], the records are the objects with the key of the puzzle, or all lists and
//! texts that are puzzles. The keys of a layout are the keys that occur in the sample; a path such as `metadata.puzzle`
//! leads to a key of an object within.

mod detection;
mod document;
mod likeness;
mod object;

use std::borrow::Cow;

use memchr::memchr;

use self::document::{DocumentSplitter, SoughtRecords};
use self::object::KeyPath;
use super::csv::records::FieldParser;
use super::lines::LineSplitter;
use crate::format::alphabet::Alphabets;
use crate::format::columns::WantedColumns;
use crate::format::definition::{Format, FoundLayout, Start, TextLayout};
use crate::format::fields::{FieldReader, Fields, PassThrough};
use crate::format::malformed::JsonType;
use crate::format::splitter::{FindRecord, Preamble};
use crate::format::{DetectError, Malformed, ParsedPuzzle, Parser, Puzzles, Size, Splitter, list, refusal, spaced};

/// The format.
#[derive(Debug)]
pub(super) struct Jsonl;

impl Format for Jsonl {
    /// A text with an object, or with an array whose first line is not a puzzle. Arrays that `NumPy` prints have no
    /// commas.
    fn is_likely(&self, start: Start<'_>) -> bool {
        let text = start.text().trim_ascii();
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii_end();
        let is_puzzle = || list::parse(line, &Alphabets::default(), &mut Puzzles::new()).is_ok();
        match text.first() {
            // A key or the end of the object follows. Without this, texts that begin with a brace would be JSON.
            Some(b'{') => matches!(text[1..].trim_ascii_start().first(), None | Some(b'"' | b'\'' | b'}')),
            Some(b'[') => {
                let first = memchr(b']', text).map_or(text, |end| &text[..end]);
                let has_elements = first.iter().any(|byte| b",{\"".contains(byte));
                // `[Puzzle]` is a section of an `.sdk` file, and `[0, 4, ...]` may be a puzzle on a line.
                has_elements && !refusal::starts_with_section(text) && !is_puzzle()
            }
            _ => false,
        }
    }

    fn layout(&self, start: Start<'_>, wanted: WantedColumns<'_>) -> Result<FoundLayout, DetectError> {
        detection::layout(start, wanted)
    }
}

/// The records of JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
enum JsonRecords {
    /// Lines, which are objects.
    ObjectLines,
    /// Lines, each a puzzle.
    ListLines,
    /// Parts of a document.
    Document(SoughtRecords),
}

impl JsonRecords {
    /// Whether the records are objects. Otherwise, each is a puzzle.
    fn has_keys(&self) -> bool {
        !matches!(self, JsonRecords::ListLines | JsonRecords::Document(SoughtRecords::Values { .. }))
    }

    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter> {
        match self {
            JsonRecords::Document(wanted) => Box::new(DocumentSplitter::new(wanted.clone()).after(preamble)),
            _ => Box::new(LineSplitter::filled_lines(preamble)),
        }
    }
}

/// JSON with keys as columns.
#[derive(Debug)]
struct JsonlLayout {
    records: JsonRecords,
    /// Whether a line has several records. If so, they are counted in place of lines.
    share_lines: bool,
    /// The keys of the objects, and after these, paths of keys with dots.
    keys: Vec<String>,
    /// The number of keys without the paths.
    direct: usize,
}

/// The keys of a path.
fn path_of(name: &str) -> KeyPath {
    name.split('.').map(str::to_owned).collect()
}

impl JsonlLayout {
    /// The path to the values of a column.
    fn path(&self, key: usize) -> KeyPath {
        if key < self.direct { vec![self.keys[key].clone()] } else { path_of(&self.keys[key]) }
    }

    /// A parser for the grids with a key.
    fn parser_of(&self, alphabets: Alphabets, key: usize) -> JsonlParser {
        let path = self.records.has_keys().then(|| self.path(key));
        JsonlParser { in_document: self.is_document(), ..JsonlParser::new(alphabets, path) }
    }
}

impl TextLayout for JsonlLayout {
    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter> {
        self.records.splitter(Preamble { counts_records: self.share_lines, ..preamble })
    }

    fn parser(&self, alphabets: Alphabets, key: usize) -> Box<dyn Parser> {
        Box::new(self.parser_of(alphabets, key))
    }

    fn columns(&self) -> usize {
        self.keys.len()
    }

    fn column(&self, _index: usize, name: &str) -> String {
        if self.records.has_keys() { format!("key '{}'", name.escape_debug()) } else { "each array or text".to_owned() }
    }

    fn is_document(&self) -> bool {
        matches!(self.records, JsonRecords::Document(_))
    }

    fn pass_through(&self, keys: &[usize]) -> PassThrough {
        // After all keys comes one for the keys that the sample does not have.
        let known = keys.contains(&self.keys.len()).then(|| self.keys[..self.direct].to_vec());
        let keys = keys.iter().filter(|&&key| key < self.keys.len());
        JsonFields::pass_through(keys.map(|&key| self.path(key)), known)
    }

    fn describe(&self, _sizes: &[Size], columns: &str) -> String {
        let format = if self.is_document() { "JSON" } else { "JSON lines" };
        format!("{format}, {columns}")
    }
}

/// Parses the puzzle that is the value at one path.
#[derive(Clone, Debug)]
struct JsonlParser {
    alphabets: Alphabets,
    /// The path to its key; `None` if the record is the puzzle.
    path: Option<[KeyPath; 1]>,
    /// Whether a record may be a value that is not expected where it is.
    in_document: bool,
    /// The text of the last requested puzzle, if it has escapes.
    text: String,
}

impl JsonlParser {
    /// A parser for puzzles in these alphabets, at this path or without one.
    fn new(alphabets: Alphabets, path: Option<KeyPath>) -> JsonlParser {
        JsonlParser { alphabets, path: path.map(|path| [path]), in_document: false, text: String::new() }
    }

    /// The value at the path, as JSON; `None` if the object lacks a key.
    fn value<'a>(&self, record: &'a [u8]) -> Result<Option<&'a str>, Malformed> {
        let is_outside = || match (record.first(), &self.path) {
            (None | Some(b'{'), Some(_)) => false,
            // The key of answers is before them.
            (first, None) => first == Some(&b'"') && object::json(record).is_err(),
            (Some(_), Some(_)) => record.len() >= Size::Four.cells(),
        };
        if self.in_document && is_outside() {
            return Err(Malformed::Outside);
        }
        let Some(path) = &self.path else { return object::json(record).map(Some) };
        let mut value = None;
        object::read_values(record, path, |_, json| value = json)?;
        Ok(value)
    }
}

impl Parser for JsonlParser {
    fn read(&mut self, record: &[u8], puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        let json = self.value(record)?.ok_or(Malformed::MissingKey)?;
        match JsonType::of(json) {
            JsonType::String => {
                let text = object::string_text(json).ok_or(Malformed::UnpairedSurrogate)?;
                let (text, trimmed) = (text.as_bytes(), text.trim_ascii_start());
                let start = text.len() - trimmed.len();
                spaced::parse_field(text, (start, trimmed.trim_ascii_end().as_bytes()), &self.alphabets, puzzles)
            }
            JsonType::Array => list::parse(json.as_bytes(), &self.alphabets, puzzles),
            JsonType::Number => match FieldParser(self.alphabets).read(json.as_bytes(), puzzles) {
                Err(reason @ (Malformed::LostZeros { .. } | Malformed::RoundedNumber)) => Err(reason),
                parsed => parsed.map_err(|_| Malformed::WrongJsonType { found: JsonType::Number }),
            },
            found => Err(Malformed::WrongJsonType { found }),
        }
    }

    fn field<'a>(&'a mut self, record: &'a [u8]) -> Option<&'a [u8]> {
        let json = self.value(record).ok().flatten()?;
        Some(match JsonType::of(json) {
            JsonType::String => match object::string_text(json).unwrap_or_else(|| object::lossy_text(json).into()) {
                Cow::Borrowed(text) => text.as_bytes(),
                Cow::Owned(text) => {
                    self.text = text;
                    self.text.as_bytes()
                }
            },
            _ => json.as_bytes(),
        })
    }
}

/// Extracts the values at some paths from records.
#[derive(Clone, Debug)]
pub(in crate::sudoku::format) struct JsonFields {
    paths: Vec<KeyPath>,
    /// The keys of the sample, if the values with all other keys are a field, too.
    known: Option<Vec<String>>,
    /// The text of each value in the last record, one after another; empty if it is missing or `null`.
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl JsonFields {
    /// Copies the values at these paths. A path may occur several times.
    pub(in crate::sudoku::format) fn pass_through(
        kept: impl Iterator<Item = KeyPath>,
        known: Option<Vec<String>>,
    ) -> PassThrough {
        let paths: Vec<KeyPath> = kept.collect();
        let columns = (0..paths.len() + usize::from(known.is_some())).collect();
        PassThrough::new(JsonFields { paths, known, text: vec![], ends: vec![] }, columns)
    }
}

impl FieldReader for JsonFields {
    /// The text of each value: a string's text, and other values as JSON.
    fn read<'a>(&'a mut self, record: &'a [u8]) -> Fields<'a> {
        let JsonFields { paths, known, text, ends } = self;
        // If a key occurs twice, the last value counts.
        let mut values = vec![None; paths.len()];
        let read = object::read_values(record, paths, |index, json| values[index] = json);

        text.clear();
        ends.clear();
        // In a damaged record, apparent values may not be values.
        for value in values.into_iter().filter(|_| read.is_ok()) {
            if let Some(json) = value.filter(|json| JsonType::of(json) != JsonType::Null) {
                text.extend_from_slice(object::string_text(json).as_deref().unwrap_or(json).as_bytes());
            }
            ends.push(text.len());
        }
        if let Some(known) = known {
            for (key, json) in object::members(record).unwrap_or_default() {
                let json = if known.contains(&key) { "" } else { json };
                text.extend_from_slice(object::string_text(json).as_deref().unwrap_or(json).as_bytes());
            }
            ends.push(text.len());
        }
        Fields { text, ends, gap: 0, is_closed: true, has_formulas: false }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::format::MAX_RECORD;
    use crate::format::{AnswerColumn, InputFormat, InputOptions, detect, testing};

    const PUZZLE: &str = "5...27..9..41......1..5.3...92.6.8...5......66..7..29.8...7...2.......8...9..36..";

    fn splitter() -> LineSplitter {
        LineSplitter::filled_lines(Preamble::default())
    }

    fn parser() -> JsonlParser {
        JsonlParser::new(Alphabets::default(), Some(vec!["puzzle".to_owned()]))
    }

    fn parse(record: &str) -> Result<String, String> {
        testing::parse(&mut parser(), &Alphabets::default(), record.as_bytes())
    }

    fn array(puzzle: &str) -> String {
        let cells: Vec<String> = puzzle.replace('.', "0").chars().map(String::from).collect();
        format!("[{}]", cells.join(","))
    }

    #[test]
    fn records_are_the_lines_that_are_not_empty() {
        let records = testing::split(&mut splitter(), "{\"a\": 1}\r\n\r\n \t\n# b\nend\n  {}");
        assert_eq!(
            records,
            [("{\"a\": 1}", 1), ("# b", 4), ("end", 5), ("  {}", 6)].map(|(text, line)| (text.into(), line))
        );
    }

    #[test]
    fn a_puzzle_is_a_string_or_an_array() {
        let rows: Vec<String> = PUZZLE.as_bytes().chunks(9).map(|row| array(str::from_utf8(row).unwrap())).collect();
        let escaped = PUZZLE.replace('7', "\\u0037");
        let grid: Vec<&str> = PUZZLE.as_bytes().chunks(9).map(|row| str::from_utf8(row).unwrap()).collect();
        for value in [
            format!("\"{PUZZLE}\""),
            format!("\" {PUZZLE}\\n\""),
            format!("\"{escaped}\""),
            format!("\"{}\"", grid.join("\\n")),
            format!("\"{}\"", array(PUZZLE)),
            array(PUZZLE),
            format!("[{}]", rows.join(", ")),
        ] {
            for record in [
                format!("{{\"puzzle\": {value}}}"),
                format!(" {{\"a\":[{{\"puzzle\":1}}],\"puzzle\" :{value} ,\"b\":\"}}\"}} "),
                format!("{{\"puzzle\":7,\"\\u0070uzzle\":{value}}}"),
            ] {
                assert_eq!(parse(&record), Ok(PUZZLE.to_owned()), "{record}");
            }
        }
    }

    #[test]
    fn a_record_without_a_puzzle_says_why() {
        let invalid = |column| format!("column {column}: the line is not valid JSON here; it may have been cut off");
        for (record, reason) in [
            ("[1]", "the line is not a JSON object".to_owned()),
            ("7", "the line is not a JSON object".to_owned()),
            ("# a", invalid(1)),
            ("{\"puzzle\": \"1", invalid(13)),
            ("{\"puzzle\": 1}}", invalid(14)),
            ("{\"puzzle\": 01}", invalid(13)),
            ("{\"puzzle\" 1}", invalid(11)),
            ("{}", "the object does not have the key of the puzzle".to_owned()),
            ("{\"Puzzle\": 1}", "the object does not have the key of the puzzle".to_owned()),
            ("{\"puzzle\": 1}", "the value is a number; a grid is a string or an array of integers".to_owned()),
            ("{\"puzzle\": null}", "the value is null; a grid is a string or an array of integers".to_owned()),
            ("{\"puzzle\": {}}", "the value is an object; a grid is a string or an array of integers".to_owned()),
            (
                "{\"puzzle\": false}",
                "the value is true or false; a grid is a string or an array of integers".to_owned(),
            ),
            ("{\"puzzle\": \"\\ud800\"}", "the string has an escape for half a character".to_owned()),
            ("{\"puzzle\": \" 1q\"}", "2 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625".to_owned()),
            ("{\"puzzle\": \" 1.3.....q....4.2\"}", "column 10: 'q' is not a digit from 1 to 4".to_owned()),
            ("{\"puzzle\": [1, 2]}", "2 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625".to_owned()),
        ] {
            assert_eq!(parse(record), Err(reason), "{record}");
        }
        let mut puzzles = Puzzles::new();
        assert_eq!(parser().parse(b"{\"a\": \"\xff\"}", &mut puzzles), Err(Malformed::InvalidJson { column: 8 }));
        assert_eq!(parser().parse(&vec![b'{'; MAX_RECORD], &mut puzzles), Err(Malformed::TooLong));
        // Nesting within values does not count against a limit of depth.
        let deep = format!("{{\"a\": {}{}, \"puzzle\": \"{PUZZLE}\"}}", "[".repeat(10_000), "]".repeat(10_000));
        assert_eq!(parse(&deep), Ok(PUZZLE.to_owned()));
    }

    #[test]
    fn the_text_of_a_puzzle_is_its_value() {
        for (record, text) in [
            ("{\"puzzle\": \"1\\u0032\"}", "12"),
            ("{\"puzzle\": \"12\"}", "12"),
            ("{\"puzzle\": [1, 2 ]}", "[1, 2 ]"),
            ("{\"puzzle\": \"\\ud800 \\udc00\\udbff\\ud83d\\ude00.\"}", "\u{FFFD} \u{FFFD}\u{FFFD}\u{1F600}."),
            ("{\"b\": 1}", "{\"b\": 1}"),
            ("{\"puzzle\": 1", "{\"puzzle\": 1"),
        ] {
            assert_eq!(parser().puzzle_text(record.as_bytes()), text.as_bytes());
        }
    }

    /// Counts the sound and the malformed records of a text.
    fn count(text: &str) -> Result<(usize, usize), DetectError> {
        let layout = detect(text.as_bytes(), true, &InputOptions::default())?;
        let (mut parser, mut puzzles) = (layout.parser(), Puzzles::new());
        let records = testing::split(&mut *layout.splitter(), text);
        let sound = records.iter().filter(|(record, _)| parser.parse(record.as_bytes(), &mut puzzles).is_ok()).count();
        Ok((sound, records.len() - sound))
    }

    #[test]
    fn a_lost_bracket_of_a_document_is_noticed() {
        let rows: Vec<String> = PUZZLE.as_bytes().chunks(9).map(|row| array(str::from_utf8(row).unwrap())).collect();
        let object = format!("{{\"puzzle\": [{}], \"id\": 7}}", rows.join(",\n"));
        let text = format!("{{\"all\": [{}]}}\n", [object.as_str(); 4].join(",\n"));
        assert_eq!(count(&text), Ok((4, 0)));
        for (at, bracket) in text.match_indices(['[', ']', '{', '}']) {
            let damaged = [&text[..at], &text[at + 1..]].concat();
            let is_noticed = count(&damaged).map_or(true, |(sound, malformed)| sound == 4 || malformed > 0);
            assert!(is_noticed, "{bracket} at {at}");
        }
    }

    #[test]
    fn a_damaged_line_of_arrays_is_one_malformed_record() {
        let lines = [&array(PUZZLE)[..9], &array(PUZZLE), &array(PUZZLE), &array(PUZZLE)];
        for order in [[0, 1, 2, 3], [1, 0, 2, 3], [1, 2, 3, 0]] {
            let text = order.map(|line| lines[line]).join("\n");
            let layout = detect(text.as_bytes(), true, &InputOptions::default()).unwrap();
            let (mut parser, mut puzzles) = (layout.parser(), Puzzles::new());
            let records = testing::split(&mut *layout.splitter(), &text);
            let sound = records.iter().map(|(record, _)| parser.parse(record.as_bytes(), &mut puzzles).is_ok());
            assert_eq!(sound.collect::<Vec<_>>(), order.map(|line| line > 0), "{text}");
        }
    }

    #[test]
    fn keys_are_chosen_as_columns_are() {
        let shown = |text: &str, options: &InputOptions| {
            let layout = detect(text.as_bytes(), true, options);
            layout.map_or_else(|error| format!("! {error}"), |layout| layout.to_string())
        };
        let four = "1.3..........4.2";
        let by_name = InputOptions { answer: AnswerColumn::ByName, ..InputOptions::default() };
        let full = "1234341221434321";
        for (text, expected) in [
            (format!("{{\"id\":1,\"quizzes\":\"{PUZZLE}\"}}"), "JSON lines, puzzle in key 'quizzes', blank '.'"),
            (
                format!("\n# a\n{{\"id\":1}}\nx\n{{\"Solution\":0,\"input\":\"{four}\"}}"),
                "JSON lines, puzzle in key 'input', answer in key 'Solution', 4x4, blank '.'",
            ),
            (
                format!("{{\"puzzle\":{},\"a\\nb\":{}}}", array(four), array(full)),
                "JSON lines, puzzle in key 'puzzle', 4x4, blank '0'; key 'a\\nb' looks like answers",
            ),
            (
                format!("{{\"puzzle\":[{}]}}", (0..256).map(|n| (n % 17).to_string()).collect::<Vec<_>>().join(",")),
                "JSON lines, puzzle in key 'puzzle', 16x16, blank '0'",
            ),
            (
                "{\"a\":1,\"b\":2,\"a\":3}\n{\"c\":1".to_owned(),
                "! which column holds the puzzles is not clear; the input has a, b",
            ),
            ("[{'a': 1}]".to_owned(), "! the input begins like JSON, but is not valid JSON on line 1, column 3"),
            (
                "{\"a\":\n1}".to_owned(),
                "! the input is JSON without puzzles near its start, which is not read; \
                 write a line for each puzzle, for example with jq -c '.[]'",
            ),
        ] {
            assert_eq!(shown(&text, &by_name), expected, "{text}");
        }
        let named = |name: &str| InputOptions { puzzle_column: Some(name.to_owned()), ..InputOptions::default() };
        let text = format!("{{\"puzzle\":1,\"B\":\"{four}\"}}");
        assert_eq!(shown(&text, &named("b")), "JSON lines, puzzle in key 'B', 4x4, blank '.'");
        assert_eq!(shown(&text, &named("c")), "! no column is called 'c'; the input has puzzle, B");
        let forced = InputOptions { format: Some(InputFormat::Jsonl), ..named("c") };
        assert_eq!(shown("x", &forced), "JSON lines, puzzle in key 'c'");
    }

    proptest! {
        #[test]
        fn the_last_value_of_the_key_is_read_of_any_object(
            pieces in vec(select(&["\n{\"puzzle\":", "\"puzzle\":[1,2", "[", "],", "{", "}", ":", "1", "\"", "\\n", "null"]), 0..40),
        ) {
            let text = pieces.concat().into_bytes();
            for (record, _) in testing::split_bytes(&mut splitter(), &text, &[text.len().max(1)]) {
                let object = serde_json::from_slice::<serde_json::Map<_, _>>(&record).ok();
                let value = parser().value(&record).ok().flatten().and_then(|json| serde_json::from_str(json).ok());
                if let Some(object) = object {
                    prop_assert_eq!(object.get("puzzle"), value.as_ref());
                }
            }
        }
    }
}
