//! The fields of CSV records, and the fields of any format that are copied to the output.
//!
//! The quoting rules are those of the `csv` crate. Most files never use a quote: their fields are found by looking for
//! the next delimiter, and only a record with a quote in it is given to `csv-core`.

use std::fmt::Debug;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use memchr::{memchr, memchr_iter};

/// Reads the fields of a record, in one format.
pub(super) trait FieldReader: Debug + Send {
    /// The fields of a record; none if it is damaged.
    fn read<'a>(&'a mut self, record: &'a [u8]) -> Fields<'a>;
}

/// The fields of one record, one after another in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    pub(super) text: &'a [u8],
    /// Where each field ends.
    pub(super) ends: &'a [usize],
    /// How many bytes there are between two fields.
    pub(super) gap: usize,
    /// Whether all quotes are closed.
    pub(super) is_closed: bool,
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

    /// The field with this index, without its quotes.
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

/// Takes the fields out of a record that are copied to the output.
#[derive(Debug, Default)]
pub struct PassThrough {
    /// `None` if no field is copied.
    reader: Option<Box<dyn FieldReader>>,
    /// The index of each field among those of the reader.
    columns: Vec<usize>,
}

impl PassThrough {
    /// Copies the fields with these indices.
    pub(super) fn new(reader: impl FieldReader + 'static, columns: Vec<usize>) -> PassThrough {
        PassThrough { reader: if columns.is_empty() { None } else { Some(Box::new(reader)) }, columns }
    }

    /// The fields of a record; empty ones where it does not have them.
    pub fn fields<'a>(&'a mut self, record: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let PassThrough { reader, columns } = self;
        let fields = reader.as_mut().map(|reader| reader.read(record));
        columns.iter().map(move |&column| fields.and_then(|fields| fields.get(column)).unwrap_or_default())
    }
}

/// Divides records into fields. Its memory is used again for the next record.
#[derive(Clone, Debug)]
pub(crate) struct CsvFields {
    delimiter: u8,
    /// A reader that knows the rules of quotes. It is made when the first quote comes: that takes as long as splitting
    /// thousands of records.
    reader: Option<Box<Reader>>,
    /// The fields of a record with quotes, end to end.
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl CsvFields {
    /// For fields with this delimiter between them.
    pub(crate) fn new(delimiter: u8) -> CsvFields {
        CsvFields { delimiter, reader: None, text: vec![], ends: vec![] }
    }

    /// The byte between two fields.
    pub(crate) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// Divides a record into its fields.
    pub(crate) fn split<'a>(&'a mut self, record: &'a [u8]) -> Fields<'a> {
        if memchr(b'"', record).is_some() {
            let is_closed = self.unquote(record);
            return Fields { text: &self.text, ends: &self.ends, gap: 0, is_closed };
        }
        self.ends.clear();
        self.ends.extend(memchr_iter(self.delimiter, record));
        self.ends.push(record.len());
        Fields { text: record, ends: &self.ends, gap: 1, is_closed: true }
    }

    /// Returns whether all quotes are closed.
    fn unquote(&mut self, record: &[u8]) -> bool {
        let make = || Box::new(ReaderBuilder::new().delimiter(self.delimiter).build());
        let reader = self.reader.get_or_insert_with(make);
        reader.reset();
        // A byte order mark means something at the start of a stream only: after an empty line, this is not the start.
        reader.read_record(b"\n", &mut [0], &mut [0]);
        // The most there can be: the bytes of the record, and a field after each of them.
        self.text.resize(record.len() + 1, 0);
        self.ends.resize(record.len() + 2, 0);
        let (mut read, mut written, mut fields, mut is_closed) = (0, 0, 0, false);
        loop {
            let (text, ends) = (&mut self.text[written..], &mut self.ends[fields..]);
            // After the last byte, a line end ends the record, unless it is within quotes; no input ends it in any case.
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
            // The line end has become part of the last field.
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
    }

    #[test]
    fn values_are_copied_as_text_or_as_json() {
        let keep = |keys: &[&str], record| kept(JsonFields::pass_through(keys), record);
        let record =
            r#"{"a": "x\n\"é\u00e9", "b": 1.50, "c": [1, {"d": "]"}], "e": null, "f": true, "b": 2e1, "\u0067": "7"}"#;
        assert_eq!(keep(&["b", "a", "b"], record), ["2e1", "x\n\"éé", "2e1"]);
        assert_eq!(keep(&["c", "e", "f", "g", "h"], record), [r#"[1, {"d": "]"}]"#, "", "true", "7", ""]);
        assert_eq!(keep(&["a", "b"], r#"{"a": "\ud800", "b": 1}"#), [r#""\ud800""#, "1"]);
        for damaged in ["", "[]", r#"{"a": 1, "b": 2"#, r#"{"a": 1, "b": 2} {}"#] {
            assert_eq!(keep(&["a", "b"], damaged), ["", ""], "{damaged}");
        }
    }
}
