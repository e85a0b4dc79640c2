//! Splits JSON that does not have one object on each line: an array of records, an answer of a web service, an object
//! over many lines.
//!
//! ```text
//! {"newboard": {"grids": [{"value": [[5, 3, 0, ...], ...], "difficulty": "Easy"}, ...], "results": 5}}
//! ```
//!
//! The records are all values of one kind at one depth: here, the objects within three brackets. Everything else is
//! skipped. If a bracket is missing or added, the record with it is malformed, or the next bracket that closes another
//! kind is a malformed record: damage is never skipped.

use crate::format::MAX_RECORD;
use crate::format::splitter::{FindRecord, NextRecord};

/// Splits a stream into the values at one place of a document.
#[derive(Clone, Debug)]
pub(super) struct DocumentSplitter {
    /// The first byte of the records: `{`, `[` or `"`.
    first: u8,
    /// The number of brackets around them.
    depth: usize,
    brackets: Brackets,
}

impl DocumentSplitter {
    /// A splitter for records with this first byte, within `depth` brackets.
    pub(super) fn new(first: u8, depth: usize) -> DocumentSplitter {
        DocumentSplitter { first, depth, brackets: Brackets::default() }
    }
}

/// The brackets that are open at some byte.
#[derive(Clone, Copy, Debug, Default)]
struct Brackets {
    /// The number of brackets, and the quote.
    open: usize,
    /// A bit for each of the first 64 brackets: whether it is a brace.
    braces: u64,
    in_string: bool,
    is_escaped: bool,
}

impl Brackets {
    /// Processes the next byte. A bracket that closes another kind closes all down to its own kind, but none of the
    /// first `kept` brackets. Returns false for such a bracket.
    fn take(&mut self, byte: u8, kept: usize) -> bool {
        let before = self.open;
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' => self.is_escaped = self.in_string,
            b'"' => {
                // A string is a level, too, because records can be strings.
                self.in_string = !self.in_string;
                self.open = if self.in_string { self.open + 1 } else { self.open - 1 };
            }
            _ if self.in_string => {}
            b'[' | b'{' => {
                if let Some(bit) = 1_u64.checked_shl(self.open as u32) {
                    self.braces = if byte == b'{' { self.braces | bit } else { self.braces & !bit };
                }
                self.open += 1;
            }
            b']' | b'}' => {
                // The kinds of deeper brackets are not stored, so any bracket closes them.
                let closes = |level: &usize| *level >= 64 || (self.braces >> level & 1 == 1) == (byte == b'}');
                self.open = (kept..self.open).rev().find(closes).unwrap_or(self.open);
                return self.open + 1 == before;
            }
            _ => {}
        }
        true
    }
}

impl FindRecord for DocumentSplitter {
    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        let (first, depth) = (self.first, self.depth);
        let (mut brackets, mut start) = (self.brackets, None);
        for (at, &byte) in text.iter().enumerate() {
            let before = brackets;
            // Damage within a record must not close the brackets around it.
            let is_sound = brackets.take(byte, if start.is_some() { depth } else { 0 });
            if start.is_none() && !is_sound {
                return self.found(&text[..=at], at, brackets);
            }
            if start.is_none() && before.open == depth && brackets.open > depth && byte == first {
                // If the text ends within the record, the next call starts at its first byte again.
                (start, self.brackets) = (Some(at), before);
            }
            // A record that is too long ends here, and the rest of it is skipped.
            if let Some(start) = start
                && (brackets.open == depth || at + 1 - start == MAX_RECORD)
            {
                return self.found(&text[..=at], start, brackets);
            }
        }

        match start {
            Some(start) if at_end => self.found(text.trim_ascii_end(), start, Brackets::default()),
            Some(start) => NextRecord::Incomplete { consumed: start },
            // A record without text: the document was truncated between two records.
            None if at_end && brackets.open > 0 => self.found(text, text.len(), Brackets::default()),
            None if at_end => NextRecord::EndOfInput,
            None => {
                self.brackets = brackets;
                NextRecord::Incomplete { consumed: text.len() }
            }
        }
    }
}

impl DocumentSplitter {
    /// A record from `start` to the end of a text.
    fn found(&mut self, text: &[u8], start: usize, brackets: Brackets) -> NextRecord {
        self.brackets = brackets;
        NextRecord::found(start..text.len(), text.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::splitter::Preamble;
    use crate::format::testing;

    fn split(text: &str, first: char, depth: usize) -> Vec<(String, u64)> {
        let splitter = || DocumentSplitter::new(first as u8, depth).after(Preamble::default());
        let records = testing::split(&mut splitter(), text);
        for size in [1, 2, 3, 7] {
            let pieces = testing::split_bytes(&mut splitter(), text.as_bytes(), &[size]);
            let pieces: Vec<_> =
                pieces.into_iter().map(|(text, line)| (String::from_utf8(text).unwrap(), line)).collect();
            assert_eq!(pieces, records, "{text}");
        }
        records
    }

    #[test]
    fn records_are_the_values_at_one_place() {
        let text = "{\"a\": [\n{\"b\": \"}]\\\\\\\"{\", \"c\": {}},\n\n{\"b\":\n[1, 2]}], \"d\": [\"x\", {\"b\": 3";
        for (first, depth, records) in [
            ('{', 0, &[(text, 1)][..]),
            ('{', 1, &[("", 5)]),
            ('{', 2, &[("{\"b\": \"}]\\\\\\\"{\", \"c\": {}}", 2), ("{\"b\":\n[1, 2]}", 4), ("{\"b\": 3", 5)]),
            ('[', 1, &[(&text[6..=text.find("], \"d").unwrap()], 1), ("[\"x\", {\"b\": 3", 5)]),
            ('[', 3, &[("[1, 2]", 5), ("", 5)]),
            ('"', 2, &[("\"x\"", 5), ("", 5)]),
        ] {
            let expected: Vec<_> = records.iter().map(|&(text, line)| (text.to_owned(), line)).collect();
            assert_eq!(split(text, first, depth), expected, "{first} {depth}");
        }
        assert_eq!(split("[]]}\"]", '"', 0), ["]", "}", "\"]"].map(|text| (text.to_owned(), 1)));
        assert_eq!(split("[1]\n[2]", '[', 0), [("[1]".to_owned(), 1), ("[2]".to_owned(), 2)]);
    }

    #[test]
    fn a_missing_bracket_damages_one_record() {
        let records = ["{\"a\": [[1, 2], [3]]}", "{\"a\": [[4], [5, 6]]}", "{\"a\": [[7], [8]]}"];
        let text = records.join(",\n");
        let document = |text: &str| format!("{{\"all\": [{text}], \"n\": 3}}");
        for (at, _) in text.match_indices(']') {
            let found = split(&document(&[&text[..at], &text[at + 1..]].concat()), '{', 2);
            let sound = found.iter().filter(|(text, _)| records.contains(&&**text)).count();
            assert_eq!((found.len(), sound), (3, 2), "without the bracket at {at}");
        }
        // The end of a document that was truncated between two records.
        assert_eq!(
            split("[[1],\n[2],\n", '[', 1),
            [("[1]", 1), ("[2]", 2), ("", 3)].map(|(text, line)| (text.into(), line))
        );
    }

    #[test]
    fn a_long_record_is_one_record() {
        let text = format!("[[\"{}\"],\n[1]]", "x".repeat(2 * MAX_RECORD));
        for size in [30_000, text.len()] {
            let splitter = &mut DocumentSplitter::new(b'[', 1).after(Preamble::default());
            let records = testing::split_bytes(splitter, text.as_bytes(), &[size]);
            let shape: Vec<_> = records.iter().map(|(text, line)| (text.len(), *line)).collect();
            assert_eq!(shape, [(MAX_RECORD, 1), (3, 2)]);
        }
    }
}
