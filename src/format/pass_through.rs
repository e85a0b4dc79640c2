//! Takes the fields out of a record that are copied to the output.

use std::fmt::Debug;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::formats::csv::fields::CsvFields;
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
