//! Where rows end, in text that comes piece by piece.

use memchr::{memchr, memchr2};

/// Finds the ends of rows. A row ends at a line feed; in CSV, only at one outside of quotes.
#[derive(Clone, Debug)]
pub struct RowEnds {
    quotes: QuoteState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuoteState {
    /// They mean nothing.
    Plain,
    /// The text before ended outside of quotes.
    Closed,
    /// The text before ended within quotes.
    Open,
}

impl RowEnds {
    /// The ends of lines.
    pub(super) fn of_lines() -> RowEnds {
        RowEnds { quotes: QuoteState::Plain }
    }

    /// The ends of CSV records.
    pub(super) fn of_csv() -> RowEnds {
        RowEnds { quotes: QuoteState::Closed }
    }

    /// Where the row ends that `text` goes on with, behind its line feed; `None` if all of the text belongs to it.
    ///
    /// The next text has to start there, or where this one ends.
    pub fn find(&mut self, text: &[u8]) -> Option<usize> {
        if self.quotes == QuoteState::Plain {
            return memchr(b'\n', text).map(|end| end + 1);
        }
        let mut at = 0;
        loop {
            let found = match self.quotes {
                QuoteState::Open => memchr(b'"', &text[at..])?,
                QuoteState::Closed | QuoteState::Plain => memchr2(b'"', b'\n', &text[at..])?,
            };
            at += found + 1;
            if text[at - 1] == b'\n' {
                return Some(at);
            }
            // Two quotes within quotes close and open them again, which comes to the same.
            self.quotes = if self.quotes == QuoteState::Open { QuoteState::Closed } else { QuoteState::Open };
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rows of a text that comes in pieces, and what is left of it.
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
        /// Against the `csv` crate: what it wrote is cut where it began a record.
        #[test]
        fn csv_is_cut_as_it_was_written(
            fields in proptest::collection::vec(proptest::collection::vec("[a\",\n\r]{0,4}", 3), 0..20),
            torn in 0..9_usize,
            size in 1..9_usize,
        ) {
            let written: Vec<Vec<u8>> = fields.iter().map(|record| {
                let mut writer = csv::Writer::from_writer(vec![]);
                writer.write_record(record).unwrap();
                writer.into_inner().unwrap()
            }).collect();
            let mut text = written.concat();
            prop_assert_eq!(rows(RowEnds::of_csv(), &text, size), (written.clone(), vec![]));
            // Of a text that is torn off, all rows are found but the torn ones.
            let left = text.len().saturating_sub(torn);
            text.truncate(left);
            let whole = written.iter().scan(0, |end, row| { *end += row.len(); Some(*end) }).filter(|&end| end <= left).count();
            let (cut, rest) = rows(RowEnds::of_csv(), &text, size);
            prop_assert_eq!(&cut[..], &written[..whole]);
            prop_assert_eq!(cut.concat().len() + rest.len(), left);
        }
    }

    #[test]
    fn lines_know_no_quotes() {
        let (rows, rest) = rows(RowEnds::of_lines(), b"a\"\n\n\"b\nc", 2);
        assert_eq!((rows, rest), (vec![b"a\"\n".to_vec(), b"\n".to_vec(), b"\"b\n".to_vec()], b"c".to_vec()));
    }
}
