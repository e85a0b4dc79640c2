//! Rows, read back: what a [`RowWriter`](super::RowWriter) wrote of each record.
//!
//! A row that no writer can have written is damaged, and reads as `None`: the wrong number of fields, a number that is
//! none. Rows are read at some millions a second, so what is not asked for is not taken apart.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr2;

use super::columns::{Column, Columns};
use super::ends::RowEnds;
use super::fields::shown;
use super::row::{Status, Subject};
use super::{Listing, OutputFormat};
use crate::format::CsvFields;

/// What a row says of its record; `None` for what it has no column for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowRead<'a> {
    /// The name of the input.
    pub file: Option<Cow<'a, [u8]>>,
    /// The line on which the record starts.
    pub line: Option<u64>,
    /// The puzzle, or the text that is none.
    pub puzzle: Option<Cow<'a, [u8]>>,
    /// What became of it.
    pub status: Option<Status>,
    /// How many solutions were counted.
    pub solutions: Option<u64>,
    /// Why, where there is a why; otherwise empty.
    pub detail: Option<Cow<'a, [u8]>>,
}

/// Reads rows of one output format with known columns.
pub trait RowReader: Send {
    /// Reads a row, line end included; `None` if it is damaged.
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<RowRead<'a>>;
}

impl OutputFormat {
    /// Where rows of it end.
    pub fn ends(self) -> RowEnds {
        if self == OutputFormat::Csv { RowEnds::of_csv() } else { RowEnds::of_lines() }
    }

    /// A reader of what [`OutputFormat::writer`] writes; `None` if that is not one row a record.
    ///
    /// `printed` is the status of a puzzle of which nothing but a solution is printed, where that is sure.
    pub fn reader(self, columns: &Columns, listing: Listing, printed: Option<Status>) -> Option<Box<dyn RowReader>> {
        match (self, listing) {
            (OutputFormat::Csv, _) => Some(Box::new(CsvReader {
                fields: CsvFields::new(b','),
                columns: columns.headers().count(),
                places: Places::of(columns),
            })),
            (OutputFormat::Jsonl, _) => Some(Box::new(JsonlReader::new(columns))),
            (OutputFormat::Lines, Listing::One) => Some(Box::new(LinesReader { printed })),
            (OutputFormat::Lines | OutputFormat::Grids | OutputFormat::Listing, _) => None,
        }
    }
}

impl Subject<'_> {
    /// Appends what rows have in their column for puzzles, without quotes.
    pub(crate) fn write(&self, output: &mut Vec<u8>) {
        match *self {
            Subject::Puzzle { cells, alphabet, blank } => alphabet.write(cells, blank, output),
            Subject::Text(text) => output.extend_from_slice(shown(text).as_bytes()),
        }
    }
}

/// Reads a number as it is printed.
pub(crate) fn number(digits: &[u8]) -> Option<u64> {
    let value = digits.iter().try_fold(0_u64, |value, &byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 { None } else { value.checked_mul(10)?.checked_add(u64::from(digit)) }
    });
    value.filter(|_| !digits.is_empty())
}

fn status(name: &[u8]) -> Option<Status> {
    Status::ALL.into_iter().find(|status| status.name().as_bytes() == name)
}

/// The indices of the columns that are read.
struct Places([Option<usize>; Column::ALL.len()]);

impl Places {
    fn of(columns: &Columns) -> Places {
        let is_read = |column| column != Column::Solution;
        Places(Column::ALL.map(|column| columns.own.iter().position(|&own| own == column && is_read(own))))
    }

    fn of_column(&self, column: Column) -> Option<usize> {
        self.0[column as usize]
    }

    /// Reads a row by its fields, or finds that one of them is damaged.
    fn read<'a>(&self, field: impl Fn(usize) -> Option<Cow<'a, [u8]>>) -> Option<RowRead<'a>> {
        let text = |column: Column| {
            Some(match self.of_column(column) {
                Some(place) => Some(field(place)?),
                None => None,
            })
        };
        let figure = |column: Column| {
            Some(match self.of_column(column) {
                Some(place) => Some(number(&field(place)?)?),
                None => None,
            })
        };
        // These are of the other run, but a row that has them damaged was not written by it.
        figure(Column::Branches)?;
        figure(Column::Nanos)?;
        Some(RowRead {
            file: text(Column::File)?,
            line: figure(Column::Line)?,
            puzzle: text(Column::Puzzle)?,
            status: match self.of_column(Column::Status) {
                Some(place) => Some(status(&field(place)?)?),
                None => None,
            },
            solutions: figure(Column::Solutions)?,
            detail: text(Column::Detail)?,
        })
    }
}

struct CsvReader {
    fields: CsvFields,
    columns: usize,
    places: Places,
}

impl RowReader for CsvReader {
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<RowRead<'a>> {
        let fields = self.fields.split(row.strip_suffix(b"\n")?);
        // A row without columns is written as an empty field.
        if fields.len() != self.columns.max(1) {
            return None;
        }
        self.places.read(|index| fields.get(index).map(Cow::Borrowed))
    }
}

/// Takes apart what [`Jsonl`](super::table::Jsonl) wrote: no JSON in general, but objects with these keys in this order
/// and without white space.
struct JsonlReader {
    /// What stands before each value.
    keys: Vec<Vec<u8>>,
    places: Places,
    values: Vec<Range<usize>>,
}

impl JsonlReader {
    fn new(columns: &Columns) -> JsonlReader {
        let key = |(index, name): (usize, &str)| {
            let mut key = vec![if index == 0 { b'{' } else { b',' }];
            serde_json::to_writer(&mut key, name).expect("a string becomes JSON, and a vector takes it");
            key.push(b':');
            key
        };
        let keys = columns.headers().enumerate().map(key).collect();
        JsonlReader { keys, places: Places::of(columns), values: vec![] }
    }

    /// Finds the values; `None` if the row is no such object.
    fn split(&mut self, row: &[u8]) -> Option<()> {
        self.values.clear();
        let mut at = 0;
        for key in &self.keys {
            at += row.get(at..)?.starts_with(key).then_some(key.len())?;
            let end = at + value_length(&row[at..])?;
            self.values.push(at..end);
            at = end;
        }
        let end: &[u8] = if self.keys.is_empty() { b"{}\n" } else { b"}\n" };
        (&row[at..] == end).then_some(())
    }
}

/// How long the value is that `text` begins with.
fn value_length(text: &[u8]) -> Option<usize> {
    match text.first()? {
        b'"' => string_length(text),
        b'[' => {
            let mut at = 1;
            loop {
                match text.get(at)? {
                    b']' => return Some(at + 1),
                    b',' => at += 1,
                    b'"' => at += string_length(&text[at..])?,
                    _ => return None,
                }
            }
        }
        _ => memchr2(b',', b'}', text),
    }
}

/// How long the string is that `text` begins with, quotes included.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

/// The text of a value: that of a string, nothing for `null`, the digits of a number.
fn value_text(value: &[u8]) -> Option<Cow<'_, [u8]>> {
    match value {
        b"null" => Some(Cow::Borrowed(b"")),
        [b'"', text @ .., b'"'] if !text.contains(&b'\\') => Some(Cow::Borrowed(text)),
        [b'"', ..] => serde_json::from_slice::<String>(value).ok().map(|text| Cow::Owned(text.into_bytes())),
        _ => Some(Cow::Borrowed(value)),
    }
}

impl RowReader for JsonlReader {
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<RowRead<'a>> {
        self.split(row)?;
        self.places.read(|index| value_text(&row[self.values[index].clone()]))
    }
}

/// Solutions, and comments that say `# line 2: multiple ...`.
struct LinesReader {
    printed: Option<Status>,
}

impl RowReader for LinesReader {
    fn read<'a>(&'a mut self, row: &'a [u8]) -> Option<RowRead<'a>> {
        let text = row.strip_suffix(b"\n")?;
        let Some(comment) = text.strip_prefix(b"# line ") else {
            let is_grid = !text.is_empty() && text.iter().all(u8::is_ascii_alphanumeric);
            return is_grid.then(|| RowRead { status: self.printed, ..RowRead::default() });
        };
        let (line, rest) = comment.split_at(comment.iter().position(|&byte| byte == b':')?);
        let word = rest.strip_prefix(b": ")?.split(|byte| matches!(byte, b':' | b' ')).next()?;
        Some(RowRead { line: Some(number(line)?), status: Some(status(word)?), ..RowRead::default() })
    }
}
