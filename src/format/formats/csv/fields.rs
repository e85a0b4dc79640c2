//! Divides CSV records into fields.
//!
//! The quoting rules are those of the `csv` crate. Most files never use a quote: their fields are found by looking for
//! the next delimiter, and only a record with a quote in it is given to `csv-core`.

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use memchr::{memchr, memchr_iter};

use crate::format::pass_through::{FieldReader, Fields};

/// A `csv-core` reader, which knows the rules of quotes. It is made when the first quote comes: that takes as long as
/// splitting thousands of records.
#[derive(Clone, Debug)]
struct QuoteReader {
    delimiter: u8,
    reader: Option<Box<Reader>>,
}

impl QuoteReader {
    fn new(delimiter: u8) -> QuoteReader {
        QuoteReader { delimiter, reader: None }
    }

    /// Makes the reader ready for a record that is not the first of its stream.
    fn restart(&mut self) -> &mut Reader {
        let make = || Box::new(ReaderBuilder::new().delimiter(self.delimiter).build());
        let reader = self.reader.get_or_insert_with(make);
        reader.reset();
        // A byte order mark means something at the start of a stream only: after an empty line, this is not the start.
        reader.read_record(b"\n", &mut [0], &mut [0]);
        reader
    }
}

/// Divides records into fields. Its memory is used again for the next record.
#[derive(Clone, Debug)]
pub(crate) struct CsvFields {
    quotes: QuoteReader,
    /// The fields of a record with quotes, end to end.
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl CsvFields {
    /// For fields with this delimiter between them.
    pub(crate) fn new(delimiter: u8) -> CsvFields {
        CsvFields { quotes: QuoteReader::new(delimiter), text: vec![], ends: vec![] }
    }

    /// The byte between two fields.
    pub(crate) fn delimiter(&self) -> u8 {
        self.quotes.delimiter
    }

    /// Divides a record into its fields.
    pub(crate) fn split<'a>(&'a mut self, record: &'a [u8]) -> Fields<'a> {
        if memchr(b'"', record).is_some() {
            let is_closed = self.unquote(record);
            return Fields { text: &self.text, ends: &self.ends, gap: 0, is_closed };
        }
        self.ends.clear();
        self.ends.extend(memchr_iter(self.quotes.delimiter, record));
        self.ends.push(record.len());
        Fields { text: record, ends: &self.ends, gap: 1, is_closed: true }
    }

    /// Returns whether all quotes are closed.
    fn unquote(&mut self, record: &[u8]) -> bool {
        let reader = self.quotes.restart();
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
