//! `csv`: a table with a header and a column of puzzles.

mod quotes;
pub(super) mod records;

use memchr::memchr;

use self::records::{CsvParser, CsvSplitter, FieldParser};
use super::vote::{Vote, vote};
use crate::format::alphabet::Alphabets;
use crate::format::columns::{AnswerColumn, Table, WantedColumns, puzzle_column};
use crate::format::definition::{Format, FoundLayout, Start, TextLayout};
use crate::format::evidence;
use crate::format::fields::{CsvFields, PassThrough};
use crate::format::splitter::{FindRecord, NextRecord, Preamble};
use crate::format::{BatchLimits, DetectError, Parser, Puzzles, Size, Splitter, sample};

/// The format.
#[derive(Debug)]
pub(super) struct Csv;

impl Format for Csv {
    /// Whether the text begins with a header that has a usual name for puzzles.
    fn is_likely(&self, start: Start<'_>) -> bool {
        let (text, is_complete) = (start.text(), start.is_complete);
        let Some((header, length)) = CsvHeader::read(text, is_complete, None) else { return false };
        let records = &text[length..];
        if puzzle_column(&header.names, None).is_some() {
            // The word may also be the title of a grid.
            return vote(records, is_complete) != Some(Vote::Grids)
                || header.names.len() > 1 && has_records_of(&header, records, is_complete);
        }

        is_header(&header, records, is_complete) && vote(text, is_complete) != Some(Vote::Grids)
    }

    fn layout(&self, start: Start<'_>, wanted: WantedColumns<'_>) -> Result<FoundLayout, DetectError> {
        let (header, length) = if start.is_complete && start.text().is_empty() {
            (CsvHeader { text: vec![], delimiter: b',', names: wanted.names() }, 0)
        } else {
            CsvHeader::read(start.text(), start.is_complete, wanted.puzzle).ok_or(DetectError::NoHeader)?
        };
        let CsvHeader { text, delimiter, names } = header;
        if evidence::lost_in(&text).is_some() {
            return Err(DetectError::PuzzleInHeader);
        }
        let records = &start.text()[length..];
        let has_answers = matches!(wanted.answer, AnswerColumn::Response | AnswerColumn::Named(_));
        let text = Box::new(CsvLayout { header: text, delimiter, columns: names.len(), has_answers });
        let records = sample::records(text.splitter(Preamble::default()), records, start.is_complete);
        let table = Table::choose(names, wanted, |names| sample::puzzle_column(&*text, &records, names))?;
        Ok(FoundLayout { text, table: Some(table), preamble: start.comments + length })
    }
}

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CsvHeader {
    /// Its text, line end included.
    text: Vec<u8>,
    /// The byte between two fields.
    delimiter: u8,
    /// The names of the columns, without the white space and the quotes around them.
    names: Vec<String>,
}

impl CsvHeader {
    /// Reads the header at the start of `text`, and returns it with its length. `None` if the text ends before the
    /// header does; `at_end` tells whether the text is the complete input.
    ///
    /// A line such as `sep=;` before the header, as written by Excel, names the delimiter. Otherwise it is `,`, `;`,
    /// `|` or a tab: preferably one that makes a column called `puzzle`, then one that makes a column with another
    /// usual name, then the one that makes the most columns.
    fn read(text: &[u8], at_end: bool, puzzle: Option<&str>) -> Option<(CsvHeader, usize)> {
        let (named, start) = named_delimiter(text).map_or((None, 0), |(delimiter, length)| (Some(delimiter), length));
        // Every delimiter that does not occur makes one column, so the comma represents all of them.
        let occurs = |&delimiter: &u8| delimiter == b',' || text.contains(&delimiter);
        let all = || [b'|', b'\t', b';', b','].into_iter().filter(occurs).collect();
        let delimiters: Vec<u8> = named.map_or_else(all, |delimiter| vec![delimiter]);
        let headers = delimiters.into_iter().filter_map(|delimiter| {
            let splitter = &mut CsvSplitter::new(delimiter, None);
            let record = splitter.next_record(&text[start..], at_end);
            let NextRecord { record: Some((record, _)), consumed, end: None } = record else { return None };
            let length = start + consumed;
            let mut fields = CsvFields::new(delimiter);
            let columns = fields.split(&text[start..][record]).iter().map(column_name).collect();
            Some((CsvHeader { text: text[..length].to_vec(), delimiter, names: columns }, length))
        });
        // The right delimiter gives the puzzle column its name; if several do, it gives the most columns.
        headers.max_by_key(|(header, _)| (puzzle_column(&header.names, puzzle).is_some(), header.names.len()))
    }
}

/// The name in a field, without white space around its quotes.
fn column_name(field: &[u8]) -> String {
    let name = String::from_utf8_lossy(field);
    let name = name.trim();
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name).trim().to_owned()
}

/// The delimiter in a line such as `sep=;`, and the length of that line.
fn named_delimiter(text: &[u8]) -> Option<(u8, usize)> {
    let end = memchr(b'\n', text)?;
    match text[..end].trim_ascii_end().strip_prefix(b"sep=")? {
        &[delimiter] if !delimiter.is_ascii_alphanumeric() => Some((delimiter, end + 1)),
        // A tab is white space, so it was trimmed.
        [] if text[..end].contains(&b'\t') => Some((b'\t', end + 1)),
        _ => None,
    }
}

/// Whether, among the first records after a header (fewer than the rows of a grid), one has the same number of fields.
fn has_records_of(header: &CsvHeader, text: &[u8], is_complete: bool) -> bool {
    let mut splitter = CsvSplitter::new(header.delimiter, None).after(Preamble::default());
    let mut fields = CsvFields::new(header.delimiter);
    // Several records, because the first may be damaged.
    let (mut found, limits) = (false, BatchLimits { records: 8, ..BatchLimits::NONE });
    splitter.next_batch(text, is_complete, limits, &mut |record, _| {
        found |= fields.split(&text[record]).len() == header.names.len();
    });
    found
}

/// Whether a line is a header with unusual names: it consists of words, and the next record has the same number of
/// fields, and a puzzle in one of them.
fn is_header(header: &CsvHeader, text: &[u8], is_complete: bool) -> bool {
    let splitter = &mut CsvSplitter::new(header.delimiter, None);
    let next = splitter.next_record(text, is_complete);
    let NextRecord { record: Some((record, _)), end: None, .. } = next else { return false };
    let (mut fields, mut parser) = (CsvFields::new(header.delimiter), FieldParser(Alphabets::default()));
    let fields = fields.split(&text[record]);
    header.names.len() > 1
        && fields.len() == header.names.len()
        && header.names.iter().all(|name| name.is_empty() || is_name(name))
        && fields.iter().any(|field| parser.parse(field, &mut Puzzles::new()).is_ok())
}

/// Whether a text looks like a name rather than a damaged puzzle.
fn is_name(text: &str) -> bool {
    // A puzzle may begin with `x` for a blank.
    text.len() < MAX_NAME && text.starts_with(|first: char| first.is_alphabetic() && !matches!(first, 'x' | 'X'))
}

/// The maximum length of a name.
const MAX_NAME: usize = 40;

/// A table as text.
#[derive(Debug)]
pub(super) struct CsvLayout {
    /// The text of the header, line end included.
    pub(super) header: Vec<u8>,
    pub(super) delimiter: u8,
    pub(super) columns: usize,
    /// Whether answers are read that are not stored solutions.
    pub(super) has_answers: bool,
}

impl TextLayout for CsvLayout {
    fn splitter(&self, preamble: Preamble) -> Box<dyn Splitter> {
        let mut splitter = CsvSplitter::new(self.delimiter, Some(self.columns));
        splitter.has_answers = self.has_answers;
        Box::new(splitter.after(preamble))
    }

    fn parser(&self, alphabets: Alphabets, column: usize) -> Box<dyn Parser> {
        Box::new(CsvParser::new(alphabets, self.delimiter, column, self.columns))
    }

    fn columns(&self) -> usize {
        self.columns
    }

    fn column(&self, index: usize, name: &str) -> String {
        format!("column {} '{name}'", index + 1)
    }

    fn header(&self) -> &[u8] {
        &self.header
    }

    #[cfg(feature = "cli")]
    fn delimiter(&self) -> Option<u8> {
        Some(self.delimiter)
    }

    fn pass_through(&self, columns: &[usize]) -> PassThrough {
        PassThrough::new(CsvFields::new(self.delimiter), columns.to_vec())
    }

    fn describe(&self, _sizes: &[Size], columns: &str) -> String {
        format!("CSV with a header, {columns}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{InputOptions, detect};

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
            ("id , \" Puzzle \" , \" solution \"\n", b',', Some(1)),
            ("sep=;\r\nid;puzzle\r\n", b';', Some(1)),
            ("sep=\t\nid,puzzle;\tquiz\n", b'\t', Some(1)),
            ("id|puzzle|labels\n", b'|', Some(1)),
            ("inputs,labels\n", b',', Some(0)),
            ("a,b;c\n", b',', None),
        ] {
            let (header, length) = CsvHeader::read(text.as_bytes(), true, None).unwrap();
            assert_eq!((header.delimiter, puzzle_column(&header.names, None)), (delimiter, column), "{text:?}");
            assert!(text[length..].trim_start().len() <= 1, "{text:?}");
        }
        let (header, _) = CsvHeader::read(b"puzzle,A,a", true, Some("a")).unwrap();
        assert_eq!(puzzle_column(&header.names, Some("a")), Some(2));
        assert_eq!(puzzle_column(&header.names, Some("b")), None);
        assert_eq!(CsvHeader::read(b"puzzle,solution", false, None), None);

        let text = format!("id,puzzle,puzzle\n1,{0},{0}\n", "1.3..........4.2");
        let error = detect(text.as_bytes(), true, &InputOptions::default()).unwrap_err();
        assert_eq!(error, DetectError::SameName { name: "puzzle".to_owned() });
        assert_eq!(CsvHeader::read(b"", true, None), None);
    }
}
