//! Finds the ends of rows in text that is read piece by piece.

use memchr::{memchr, memchr2};

use super::OutputFormat;

/// Finds the ends of rows in text that is read piece by piece.
///
/// A row ends at a line feed; in CSV, at a line feed outside quotes. The state between two pieces tells whether the
/// text so far ends within quotes.
#[derive(Clone, Debug)]
pub(crate) struct RowEnds {
    quotes: QuoteState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuoteState {
    /// Quotes have no meaning.
    Ignored,
    /// The text so far ends outside quotes.
    Outside,
    /// The text so far ends within quotes.
    Inside,
}

impl OutputFormat {
    /// Finds the ends of rows in this format.
    pub(crate) fn ends(self) -> RowEnds {
        RowEnds { quotes: if self.is_csv() { QuoteState::Outside } else { QuoteState::Ignored } }
    }
}

impl RowEnds {
    /// The end in `text`, after the line feed, of the row that `text` begins or continues; `None` if the row does not
    /// end in `text`.
    ///
    /// The text of the next call must begin at that end or, after `None`, at the end of `text`.
    pub(crate) fn find(&mut self, text: &[u8]) -> Option<usize> {
        if self.quotes == QuoteState::Ignored {
            return memchr(b'\n', text).map(|end| end + 1);
        }
        let mut at = 0;
        loop {
            let found = match self.quotes {
                QuoteState::Inside => memchr(b'"', &text[at..])?,
                QuoteState::Outside | QuoteState::Ignored => memchr2(b'"', b'\n', &text[at..])?,
            };
            at += found + 1;
            if text[at - 1] == b'\n' {
                return Some(at);
            }
            // An escaped quote is two quotes, which close and reopen a quoted part, so toggling handles it.
            self.quotes = if self.quotes == QuoteState::Inside { QuoteState::Outside } else { QuoteState::Inside };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rows of a text that is read in pieces of `size` bytes, and the rest of the text.
    fn rows(mut ends: RowEnds, text: &[u8], size: usize) -> (Vec<Vec<u8>>, Vec<u8>) {
        let (mut rows, mut row) = (vec![], vec![]);
        for mut piece in text.chunks(size) {
            while let Some(end) = ends.find(piece) {
                row.extend_from_slice(&piece[..end]);
                rows.push(std::mem::take(&mut row));
                piece = &piece[end..];
            }
            row.extend_from_slice(piece);
        }
        (rows, row)
    }

    proptest! {
        /// Compared with the `csv` crate.
        #[test]
        fn csv_rows_end_where_records_end(
            fields in proptest::collection::vec(proptest::collection::vec("[a\",\n\r]{0,4}", 3), 0..20),
            cut_off in 0..9_usize,
            size in 1..9_usize,
        ) {
            let written: Vec<Vec<u8>> = fields.iter().map(|record| {
                let mut writer = csv::Writer::from_writer(vec![]);
                writer.write_record(record).unwrap();
                writer.into_inner().unwrap()
            }).collect();
            let mut text = written.concat();
            prop_assert_eq!(rows(OutputFormat::Csv.ends(), &text, size), (written.clone(), vec![]));
            // Even if the text is truncated, all complete rows are found.
            let left = text.len().saturating_sub(cut_off);
            text.truncate(left);
            let complete = written.iter().scan(0, |end, row| { *end += row.len(); Some(*end) }).filter(|&end| end <= left).count();
            let (found, rest) = rows(OutputFormat::Csv.ends(), &text, size);
            prop_assert_eq!(&found[..], &written[..complete]);
            prop_assert_eq!(found.concat().len() + rest.len(), left);
        }
    }

    #[test]
    fn quotes_mean_nothing_in_lines() {
        let (rows, rest) = rows(OutputFormat::Jsonl.ends(), b"a\"\n\n\"b\nc", 2);
        assert_eq!((rows, rest), (vec![b"a\"\n".to_vec(), b"\n".to_vec(), b"\"b\n".to_vec()], b"c".to_vec()));
    }
}
