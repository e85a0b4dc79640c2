//! Finds the ends of CSV records with quotes, and quotes that are never closed.
//!
//! The rules are the `csv` crate's: a quote at the start of a field opens it, two quotes within are one, and anything
//! may follow a closing quote. By these rules, a file that has lost one quote becomes one huge field, up to the next
//! quote or the end. So a field with line ends must be closed properly, or its record is damaged. If it is closed
//! properly, its content does not matter: it is a field, since text that looks like records may be an attack.
//!
//! ```text
//! 4,53..7....,"unclosed        the quote of record 4 would be closed by the one that opens `by hand`,
//! 5,6..195...,"by hand"        and text would follow it
//! ```

use memchr::{memchr, memchr3};

use crate::format::splitter::TextEnd;

/// The result of a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoted {
    /// The record ends before the line end at this index, or at the end of the text.
    Ends(usize),
    /// The quote at `opened` is never closed, or not properly.
    Unclosed {
        /// The index of the quote.
        opened: usize,
        /// The index where the scan ended.
        scanned: usize,
    },
    /// The text ends before the record does.
    Incomplete,
    /// The record continues after the window, and has a quoted field with line ends, or one that continues there.
    TooLong {
        /// The index of the quote that opens it.
        opened: usize,
        /// The place where the window ends.
        end: WindowEnd,
    },
}

/// The place in a record where its first part ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WindowEnd {
    /// Outside of quotes.
    Outside,
    /// Within quotes.
    InQuotes,
    /// After a quote, which closes a field, or is the first of two within one.
    AfterQuote,
}

/// Finds the end of the record at the start of `text`. If the number of `columns` is known, a record of several lines
/// must have as many fields.
pub(super) fn scan(text: &[u8], delimiter: u8, columns: Option<usize>, end: TextEnd) -> Quoted {
    let (mut at, mut fields) = (0, 1);
    // The quote that opened the last field with a line end.
    let mut spanning = None;
    let at = loop {
        if text.get(at) == Some(&b'"') {
            let opened = at;
            at = match closing_quote(text, at + 1) {
                Some(closing) if end == TextEnd::Window && closing + 1 == text.len() => {
                    return Quoted::TooLong { opened, end: WindowEnd::AfterQuote };
                }
                Some(closing) => closing + 1,
                None if end == TextEnd::More => return Quoted::Incomplete,
                None if end == TextEnd::Window => return Quoted::TooLong { opened, end: WindowEnd::InQuotes },
                None => return Quoted::Unclosed { opened, scanned: text.len() },
            };
            let spans_lines = memchr(b'\n', &text[opened..at]).is_some();
            if spans_lines {
                spanning = Some(opened);
                // Text directly after the closing quote: the first quote was not the start of a quoted field.
                if text.get(at).is_some_and(|&byte| byte != delimiter && !matches!(byte, b'\r' | b'\n')) {
                    return Quoted::Unclosed { opened, scanned: at };
                }
            }
        }
        match memchr3(delimiter, b'\n', b'\r', &text[at..]) {
            Some(length) if text[at + length] == delimiter => {
                at += length + 1;
                fields += 1;
            }
            Some(length) => break at + length,
            None if end == TextEnd::More => return Quoted::Incomplete,
            None => break text.len(),
        }
    };

    // The window may have cut off further fields.
    let is_cut = end == TextEnd::Window && at == text.len();
    match spanning {
        Some(opened) if is_cut => Quoted::TooLong { opened, end: WindowEnd::Outside },
        Some(opened) if columns.is_some_and(|columns| columns != fields) => Quoted::Unclosed { opened, scanned: at },
        _ => Quoted::Ends(at),
    }
}

/// The index of the quote that closes a field, in its text from `at` on. A quote at the end of the text closes it.
pub(super) fn closing_quote(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr(b'"', &text[at..])?;
        if text.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_end_after_their_last_field() {
        for (text, expected) in [
            ("a,\"b\nc\",d\nx", Quoted::Ends(9)),
            ("\"a\"b,\"\"\"\n\"\r\nx", Quoted::Ends(10)),
            ("a\"b\nc", Quoted::Ends(3)),
            ("\"a\"", Quoted::Ends(3)),
            ("a,\"b", Quoted::Unclosed { opened: 2, scanned: 4 }),
            ("a,\"b\nc,\"d\"\n", Quoted::Unclosed { opened: 2, scanned: 8 }),
            ("\"a\nb\",\"c\nd", Quoted::Unclosed { opened: 6, scanned: 10 }),
        ] {
            assert_eq!(scan(text.as_bytes(), b',', None, TextEnd::Input), expected, "{text}");
        }
        assert_eq!(scan(b"\"a\nb\",c\n", b',', Some(2), TextEnd::Input), Quoted::Ends(7));
        // The second record has its own quote, which would close the first.
        let text = b"a,\"b\nc,\", d\"\n";
        assert_eq!(scan(text, b',', None, TextEnd::Input), Quoted::Ends(12));
        assert_eq!(scan(text, b',', Some(2), TextEnd::Input), Quoted::Unclosed { opened: 2, scanned: 12 });
        // A line within the field looks like a record, but may be part of a text.
        let text = b"a,\"b\n1.3..........4.2,c\nd,\"\n";
        assert_eq!(scan(text, b',', Some(2), TextEnd::Input), Quoted::Ends(27));
        // The window ends just after a quote.
        let text = b"a,\"b\nc\"";
        assert_eq!(scan(text, b',', None, TextEnd::Input), Quoted::Ends(7));
        let too_long = |end| Quoted::TooLong { opened: 2, end };
        assert_eq!(scan(text, b',', None, TextEnd::Window), too_long(WindowEnd::AfterQuote));
        assert_eq!(scan(&text[..6], b',', None, TextEnd::Window), too_long(WindowEnd::InQuotes));
        assert_eq!(scan(b"a,\"b\nc\",d", b',', None, TextEnd::Window), too_long(WindowEnd::Outside));
        for text in ["\"a", "\"a\n\"", "\"a\n\",b"] {
            assert_eq!(scan(text.as_bytes(), b',', None, TextEnd::More), Quoted::Incomplete, "{text}");
        }
    }
}
