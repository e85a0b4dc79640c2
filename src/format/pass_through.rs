//! Takes the fields out of a record that are copied to the output.

use super::csv_fields::{CsvFields, SplitFields};
use super::jsonl::JsonFields;

/// Takes the fields out of a record that are copied to the output.
#[derive(Clone, Debug)]
pub struct PassThrough {
    reader: FieldReader,
    /// The index of each field among those of the reader.
    columns: Vec<usize>,
}

/// Reads fields in one format.
#[derive(Clone, Debug)]
enum FieldReader {
    Csv(CsvFields),
    Json(JsonFields),
}

/// The fields of one record.
#[derive(Clone, Copy)]
enum Fields<'a> {
    Csv(SplitFields<'a>),
    Json(&'a [Vec<u8>]),
}

impl<'a> Fields<'a> {
    fn get(self, index: usize) -> Option<&'a [u8]> {
        match self {
            Fields::Csv(fields) => fields.get(index),
            Fields::Json(texts) => texts.get(index).map(Vec::as_slice),
        }
    }
}

impl PassThrough {
    /// For CSV: the columns with these indices.
    pub fn new(delimiter: u8, columns: Vec<usize>) -> PassThrough {
        PassThrough { reader: FieldReader::Csv(CsvFields::new(delimiter)), columns }
    }

    /// For JSON lines: the values of these keys, of which some may be the same.
    pub(super) fn of_keys<'a>(keys: impl Iterator<Item = &'a str>) -> PassThrough {
        let mut different: Vec<String> = vec![];
        let index = |key: &str| {
            different.iter().position(|other| other == key).unwrap_or_else(|| {
                different.push(key.to_owned());
                different.len() - 1
            })
        };
        let columns = keys.map(index).collect();
        PassThrough { reader: FieldReader::Json(JsonFields::new(different)), columns }
    }

    /// The fields in these columns, in the order of the indices; empty where the record has too few fields.
    pub fn fields<'a>(&'a mut self, record: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let PassThrough { reader, columns } = self;
        let fields = (!columns.is_empty()).then(|| match reader {
            FieldReader::Csv(fields) => Fields::Csv(fields.split(record)),
            FieldReader::Json(fields) => Fields::Json(fields.read(record)),
        });
        columns.iter().map(move |&column| fields.and_then(|fields| fields.get(column)).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(mut pass_through: PassThrough, record: &str) -> Vec<String> {
        pass_through.fields(record.as_bytes()).map(|field| String::from_utf8(field.to_vec()).unwrap()).collect()
    }

    #[test]
    fn fields_are_copied_without_quotes() {
        assert_eq!(kept(PassThrough::new(b',', vec![1, 0, 7]), "\"3\"\"\",\"\""), ["", "3\"", ""]);
        assert_eq!(kept(PassThrough::new(b',', vec![]), "3"), [""; 0]);
    }

    #[test]
    fn values_are_copied_as_text_or_as_json() {
        let keep = |keys: &[&str], record| kept(PassThrough::of_keys(keys.iter().copied()), record);
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
