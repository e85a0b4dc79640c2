//! The header of a CSV table: its delimiter, and the names of its columns.

use memchr::memchr;

use super::fields::CsvFields;
use super::records::CsvSplitter;
use crate::format::columns::puzzle_column;
use crate::format::position::Preamble;
use crate::format::splitter::{FindRecord, NextRecord};

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CsvHeader {
    /// Its text, line end included.
    pub(super) text: Vec<u8>,
    /// The byte between two fields.
    pub(super) delimiter: u8,
    /// The names of the columns, without the white space and the quotes around them.
    pub(super) names: Vec<String>,
}

impl CsvHeader {
    /// Reads the header at the start of `text`, and returns it with its length. `None` if the text ends before it does;
    /// `at_end` says that the text is the complete input.
    ///
    /// A line such as `sep=;` before the header, which Excel writes, names the delimiter. Otherwise it is `,`, `;`, `|`
    /// or a tab: one that gives a column the name `puzzle`, or else a usual one, or else the one that makes
    /// the most columns.
    pub(super) fn read(text: &[u8], at_end: bool, puzzle: Option<&str>) -> Option<(CsvHeader, usize)> {
        let (named, start) = named_delimiter(text).map_or((None, 0), |(delimiter, length)| (Some(delimiter), length));
        // Each delimiter that does not occur makes one column; the comma stands for all of them.
        let occurs = |&delimiter: &u8| delimiter == b',' || text.contains(&delimiter);
        let all = || [b'|', b'\t', b';', b','].into_iter().filter(occurs).collect();
        let delimiters: Vec<u8> = named.map_or_else(all, |delimiter| vec![delimiter]);
        let headers = delimiters.into_iter().filter_map(|delimiter| {
            let splitter = &mut CsvSplitter::new(Preamble::default(), delimiter, None);
            let record = splitter.next_record(&text[start..], at_end);
            let NextRecord::Found { text: record, next, .. } = record else { return None };
            let length = start + next;
            let mut fields = CsvFields::new(delimiter);
            let columns = fields.split(&text[start..][record]).iter().map(column_name).collect();
            Some((CsvHeader { text: text[..length].to_vec(), delimiter, names: columns }, length))
        });
        headers.max_by_key(|(header, _)| (puzzle_column(&header.names, puzzle).is_some(), header.names.len()))
    }
}

/// The name in a field, which may have white space around its quotes.
fn column_name(field: &[u8]) -> String {
    let name = String::from_utf8_lossy(field);
    let name = name.trim();
    name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name).trim().to_owned()
}

/// The delimiter that a line such as `sep=;` names, and the length of that line.
fn named_delimiter(text: &[u8]) -> Option<(u8, usize)> {
    let end = memchr(b'\n', text)?;
    match text[..end].trim_ascii_end().strip_prefix(b"sep=")? {
        &[delimiter] if !delimiter.is_ascii_alphanumeric() => Some((delimiter, end + 1)),
        // A tab is white space, and was trimmed.
        [] if text[..end].contains(&b'\t') => Some((b'\t', end + 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(CsvHeader::read(b"", true, None), None);
    }
}
