//! The fields of CSV records, and the fields of any format that are copied to the output.
//!
//! Quotes follow the rules of the `csv` crate. Most files never use a quote: their fields are found by searching for
//! the next delimiter, and only a record with a quote is passed to `csv-core`.

use std::fmt::Debug;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use memchr::memchr2_iter;

/// Reads the fields of a record, in one format.
pub(super) trait FieldReader: Debug + Send {
    /// The fields of a record; empty if it is damaged.
    fn read<'a>(&'a mut self, record: &'a [u8]) -> Fields<'a>;
}

/// The fields of one record, concatenated in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    pub(super) text: &'a [u8],
    /// The end of each field.
    pub(super) ends: &'a [usize],
    /// The number of bytes between two fields.
    pub(super) gap: usize,
    /// Whether all quotes are closed.
    pub(super) is_closed: bool,
    /// Whether a field `="text"` is the formula of a spreadsheet for this text.
    pub(super) has_formulas: bool,
}

impl<'a> Fields<'a> {
    /// The number of fields.
    pub(crate) fn len(self) -> usize {
        self.ends.len()
    }

    /// Whether all quotes are closed.
    pub(crate) fn is_closed(self) -> bool {
        self.is_closed
    }

    /// The field with this index, without its quotes and its formula.
    pub(crate) fn get(self, index: usize) -> Option<&'a [u8]> {
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] + self.gap };
        let field = &self.text[start..end];
        let formula = if self.has_formulas { field.strip_prefix(b"=\"") } else { None };
        let text = formula.and_then(|formula| formula.strip_suffix(b"\""));
        text.filter(|text| !text.contains(&b'"')).or(Some(field))
    }

    /// All fields.
    pub(crate) fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        (0..self.len()).filter_map(move |index| self.get(index))
    }
}

/// Extracts the fields of a record that are copied to the output.
#[derive(Debug, Default)]
pub struct PassThrough {
    /// `None` if no field is copied.
    reader: Option<Box<dyn FieldReader>>,
    /// For each field, its index among the fields of the reader.
    columns: Vec<usize>,
}

impl PassThrough {
    /// Copies the fields with these indices.
    pub(super) fn new(reader: impl FieldReader + 'static, columns: Vec<usize>) -> PassThrough {
        PassThrough { reader: if columns.is_empty() { None } else { Some(Box::new(reader)) }, columns }
    }

    /// The fields of a record; empty fields where the record lacks them.
    pub fn fields<'a>(&'a mut self, record: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let PassThrough { reader, columns } = self;
        let fields = reader.as_mut().map(|reader| reader.read(record));
        columns.iter().map(move |&column| fields.and_then(|fields| fields.get(column)).unwrap_or_default())
    }
}

/// Divides records into fields. Its memory is reused for the next record.
#[derive(Clone, Debug)]
pub(crate) struct CsvFields {
    delimiter: u8,
    /// A reader that knows the rules of quotes. It is created for the first quote, because that takes as long as
    /// splitting thousands of records.
    reader: Option<Box<Reader>>,
    /// The fields of a record with quotes, concatenated.
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl CsvFields {
    /// A divider for fields with this delimiter.
    pub(crate) fn new(delimiter: u8) -> CsvFields {
        CsvFields { delimiter, reader: None, text: vec![], ends: vec![] }
    }

    /// The byte between two fields.
    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Divides a record into its fields.
    pub(crate) fn split<'a>(&'a mut self, record: &'a [u8]) -> Fields<'a> {
        self.ends.clear();
        for at in memchr2_iter(self.delimiter, b'"', record) {
            if record[at] == b'"' {
                let is_closed = self.unquote(record);
                return Fields { text: &self.text, ends: &self.ends, gap: 0, is_closed, has_formulas: true };
            }
            self.ends.push(at);
        }
        self.ends.push(record.len());
        Fields { text: record, ends: &self.ends, gap: 1, is_closed: true, has_formulas: false }
    }

    /// Divides a record with quotes. Returns whether all quotes are closed.
    fn unquote(&mut self, record: &[u8]) -> bool {
        let make = || Box::new(ReaderBuilder::new().delimiter(self.delimiter).build());
        let reader = self.reader.get_or_insert_with(make);
        reader.reset();
        // The reader would skip a byte order mark at the start of its stream. An empty line first makes the record
        // start later.
        reader.read_record(b"\n", &mut [0], &mut [0]);

        // The maximum: all bytes of the record, and a field after each.
        self.text.resize(record.len() + 1, 0);
        self.ends.resize(record.len() + 2, 0);
        let (mut read, mut written, mut fields, mut is_closed) = (0, 0, 0, false);
        loop {
            let (text, ends) = (&mut self.text[written..], &mut self.ends[fields..]);
            // A line end after the last byte ends the record, unless it is within quotes; the end of input ends it in
            // any case.
            let rest = match record.len().checked_sub(read) {
                Some(0) => b"\n",
                Some(_) => &record[read..],
                None => &[][..],
            };

            let (result, input, output, ended) = reader.read_record(rest, text, ends);
            read += input;
            written += output;
            fields += ended;
            is_closed |= result == ReadRecordResult::Record && read == record.len() + 1 && !rest.is_empty();
            if matches!(result, ReadRecordResult::Record | ReadRecordResult::End) {
                break;
            }
        }
        self.ends.truncate(fields);
        if let (false, Some(end)) = (is_closed, self.ends.last_mut()) {
            // The line end has become a part of the last field.
            *end -= 1;
        }
        is_closed
    }
}

impl FieldReader for CsvFields {
    fn read<'a>(&'a mut self, record: &'a [u8]) -> Fields<'a> {
        self.split(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::formats::jsonl::JsonFields;

    fn kept(mut pass_through: PassThrough, record: &str) -> Vec<String> {
        pass_through.fields(record.as_bytes()).map(|field| String::from_utf8(field.to_vec()).unwrap()).collect()
    }

    #[test]
    fn fields_are_copied_without_quotes() {
        assert_eq!(kept(PassThrough::new(CsvFields::new(b','), vec![1, 0, 7]), "\"3\"\"\",\"\""), ["", "3\"", ""]);
        assert_eq!(kept(PassThrough::new(CsvFields::new(b','), vec![]), "3"), [""; 0]);
        assert_eq!(
            kept(PassThrough::new(CsvFields::new(b','), vec![0, 1]), "=\"07\",\"=\"\"=a,b\"\"\""),
            ["07", "=a,b"]
        );
    }

    #[test]
    fn values_are_copied_as_text_or_as_json() {
        let keep = |keys: &[&str], record| {
            kept(
                JsonFields::pass_through(keys.iter().map(|key| key.split('/').map(str::to_owned).collect()), None),
                record,
            )
        };
        let record =
            r#"{"a": "x\n\"é\u00e9", "b": 1.50, "c": [1, {"d": "]"}], "e": null, "f": true, "b": 2e1, "\u0067": "7"}"#;
        assert_eq!(keep(&["b", "a", "b"], record), ["2e1", "x\n\"éé", "2e1"]);
        assert_eq!(keep(&["c", "e", "f", "g", "h"], record), [r#"[1, {"d": "]"}]"#, "", "true", "7", ""]);
        assert_eq!(keep(&["a", "b"], r#"{"a": "\ud800", "b": 1}"#), [r#""\ud800""#, "1"]);
        let nested = r#"{"a": {"b": 1, "c": {"d": "x"}}, "e": 2}"#;
        assert_eq!(
            keep(&["a/b", "e", "a/c/d", "a/x", "a/b/c", "a/c"], nested),
            ["1", "2", "x", "", "", r#"{"d": "x"}"#]
        );
        for damaged in ["", "[]", r#"{"a": 1, "b": 2"#, r#"{"a": 1, "b": 2} {}"#] {
            assert_eq!(keep(&["a", "b"], damaged), ["", ""], "{damaged}");
        }
    }
}
