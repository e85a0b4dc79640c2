//! Splits JSON that does not have one object on each line: an array of records, an answer of a web service, an object
//! over many lines.
//!
//! ```text
//! {"newboard": {"grids": [{"value": [[5, 3, 0, ...], ...], "difficulty": "Easy"}, ...], "results": 5}}
//! ```
//!
//! A record is every object that has the key of the puzzle, at any depth; or every list and text that is a puzzle. All
//! other lists and texts that are puzzles or close to one are records, too, which the parser does not take. An object is
//! held back until its key is seen, because the text before the key belongs to the record.
//!
//! Damage is local. A quote that does not open a sound string is skipped. An object ends where the next one starts in
//! place of a key. A bracket that closes another kind closes all brackets down to its own kind.

use std::collections::VecDeque;
use std::ops::Range;

use memchr::{memchr3, memmem};

use super::likeness::{self, MAX_LENGTH};
use super::object::{KeyPath, string_text};
use crate::format::columns::is_named_as_answer;
use crate::format::splitter::{FindRecord, NextRecord};
use crate::format::{BatchEnd, MAX_RECORD, Size};

/// The records of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SoughtRecords {
    /// The objects with this key.
    MemberKey(KeyPath),
    /// The objects that have a puzzle with any key.
    AnyKey,
    /// The lists and texts. `fours` tells whether any 4x4 grid is one: numbers of 16 digits may look like it.
    Values { fours: bool },
}

/// The maximum number of brackets whose kinds are stored.
const MAX_DEPTH: usize = 32;

/// The maximum number of brackets in each other in a list of cells: rows, objects for cells, and lists in these.
const MAX_DEPTH_OF_CELLS: usize = 4;

/// The maximum number of elements of a list of cells that are not cells.
const MAX_DAMAGED: usize = 2;

/// The length of the shortest list that could be a puzzle: of 4x4, without spaces.
const SHORTEST_LIST: usize = 2 * Size::Four.cells() + 1;

/// The maximum length of the white space after a string that is read to see what follows.
const MAX_SPACE: usize = 1 << 10;

/// Splits a stream into the records of a document. Positions are counted from the start of the stream.
#[derive(Clone, Debug)]
pub(super) struct DocumentSplitter {
    wanted: SoughtRecords,
    /// The open brackets.
    levels: Vec<OpenBracket>,
    /// The number of open brackets within these.
    deeper: usize,
    /// The index of the open bracket that is a record.
    record: Option<usize>,
    /// The records that were found, in order. They wait for the brackets around them.
    found: VecDeque<FoundValue>,
    /// The position of the text.
    base: usize,
    /// The position of the next token.
    at: usize,
}

/// An open bracket.
#[derive(Clone, Debug)]
struct OpenBracket {
    is_object: bool,
    /// The start of the record that it may be.
    start: Option<usize>,
    /// The last key of an object, until its value was read.
    key: Option<MemberKey>,
    /// Whether records were found in it.
    has_records: bool,
    /// The kind of the objects without the key in a list.
    elements: Option<Kind>,
}

/// A key of an object.
#[derive(Clone, Debug, Default)]
struct MemberKey {
    name: String,
    /// Its start, if its values are answers, while lists and texts are wanted.
    answer: Option<usize>,
}

/// A record that was found.
#[derive(Clone, Debug)]
struct FoundValue {
    text: Range<usize>,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An object with the key.
    Object,
    /// A list or a text.
    Value,
    /// An object without the key, within this number of brackets. It is a record if its siblings are.
    Element(usize),
}

/// A token at the start of a text.
#[derive(Clone, Copy, Debug)]
struct Token {
    length: usize,
    /// The number of bytes that show where it ends.
    seen: usize,
}

impl DocumentSplitter {
    /// A splitter for these records.
    pub(super) fn new(wanted: SoughtRecords) -> DocumentSplitter {
        DocumentSplitter { wanted, levels: vec![], deeper: 0, record: None, found: VecDeque::new(), base: 0, at: 0 }
    }

    /// Reads the next token. Returns false if the text has to be longer for that.
    fn read_token(&mut self, text: &[u8], at_end: bool) -> bool {
        let start = self.at;
        let Some(rest @ [first, ..]) = text.get(start - self.base..) else { return false };
        let is_list = *first == b'[' && self.is_sought();
        let token = if is_list { list(rest, at_end) } else { token(rest, at_end) };
        let seen = token.map_or(rest.len(), |token| token.seen);
        if let Some(cut) = self.limit_records(start + seen).filter(|_| seen > 1) {
            self.at = cut;
            return true;
        }
        let Some(Token { length, seen }) = token else { return false };

        self.at += length;
        let token = &rest[..length];
        match first {
            b'[' if length > 1 && likeness::is_list(token, self.takes_fours()) => {
                self.read_puzzle(start..self.at, text);
            }
            // Its cells are too few or too many for a puzzle, unless it is a list of puzzles.
            b'[' if self.takes_values() && length >= SHORTEST_LIST && !token[1..].contains(&b'[') => {
                self.push_element(start..self.at);
            }
            b'[' | b'{' => {
                self.at = start + 1;
                self.open(start, *first == b'{');
            }
            b']' | b'}' => self.close_kind(start, *first == b'}'),
            b':' => self.levels.last_mut().into_iter().for_each(|top| _ = top.key.get_or_insert_default()),
            b',' => self.end_value(),
            b'"' if length > 1 && rest[..seen].ends_with(b":") => self.read_key(start, token),
            _ if first.is_ascii_whitespace() || token == b"\"" => {}
            _ => self.read_scalar(start, token, text),
        }
        true
    }

    /// Makes containers of brackets that are longer than a record, and cuts off a record. Returns the end of one that was
    /// cut off.
    fn limit_records(&mut self, end: usize) -> Option<usize> {
        // All that is held starts in the text.
        let last = end.checked_sub(MAX_RECORD).filter(|last| *last >= self.base)?;
        self.found.retain(|found| !matches!(found.kind, Kind::Element(_)) || found.text.start > last);
        let cut = self.record.and_then(|record| self.levels[record].start.take_if(|start| *start <= last));
        for level in &mut self.levels {
            level.start.take_if(|start| *start <= last);
            level.key.iter_mut().for_each(|key| _ = key.answer.take_if(|start| *start <= last));
        }
        let cut = cut?..cut? + MAX_RECORD;
        self.push(cut.clone(), Kind::Object);
        Some(cut.end)
    }

    /// Opens a bracket.
    fn open(&mut self, start: usize, is_object: bool) {
        if self.levels.len() == MAX_DEPTH {
            self.deeper += 1;
            return;
        }
        // A bracket in place of a key: the end of the object before is lost.
        while self.levels.last().is_some_and(|top| top.is_object && top.key.is_none()) {
            self.close(start);
        }
        let answer = self.levels.last().and_then(|top| top.key.as_ref()?.answer);
        let may_be_record = self.record.is_none() && if self.takes_values() { answer.is_some() } else { is_object };
        let start = may_be_record.then_some(answer.unwrap_or(start));
        self.levels.push(OpenBracket { is_object, start, key: None, has_records: false, elements: None });
    }

    /// Closes all brackets down to one of a kind.
    fn close_kind(&mut self, at: usize, is_object: bool) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(level) = self.levels.iter().rposition(|level| level.is_object == is_object) else { return };
        while self.levels.len() > level + 1 {
            self.close(at);
        }
        self.close(at + 1);
    }

    /// Closes the last bracket.
    fn close(&mut self, end: usize) {
        let depth = self.levels.len() - 1;
        let level = self.levels.remove(depth);
        self.end_value();
        if self.record == Some(depth) {
            self.record = None;
            level.start.into_iter().for_each(|start| self.push(start..end, Kind::Object));
        } else if self.record.is_none() {
            // No sibling of these elements is a record.
            if level.elements == Some(Kind::Element(depth + 1)) {
                self.found.retain(|found| found.kind != Kind::Element(depth + 1));
            }
            if !level.has_records {
                self.push_element(level.start.unwrap_or(end)..end);
            }
        }
    }

    /// Adds an object or cells without a puzzle: a record if no bracket is around it, or if its siblings are records.
    fn push_element(&mut self, text: Range<usize>) {
        match self.levels.last() {
            _ if self.wanted == SoughtRecords::AnyKey => {}
            None => self.push(text, Kind::Value),
            Some(list) if list.is_object || text.is_empty() => {}
            Some(_) => {
                let depth = self.levels.len();
                let kind = *self.levels[depth - 1].elements.get_or_insert(Kind::Element(depth));
                self.found.push_back(FoundValue { text, kind });
            }
        }
    }

    fn takes_values(&self) -> bool {
        matches!(self.wanted, SoughtRecords::Values { .. })
    }

    fn takes_fours(&self) -> bool {
        self.wanted == SoughtRecords::Values { fours: true }
    }

    fn end_value(&mut self) {
        self.levels.last_mut().into_iter().for_each(|top| top.key = None);
    }

    /// Reads a key.
    fn read_key(&mut self, start: usize, token: &[u8]) {
        let name = str::from_utf8(token).ok().and_then(string_text).unwrap_or_default().into_owned();
        let answer = (self.takes_values() && is_named_as_answer(&name)).then_some(start);
        // A map from puzzles.
        if self.record.is_none() && likeness::is_text(token, self.takes_fours()) {
            self.push(start..start + token.len(), Kind::Value);
        }
        if let Some(top) = self.levels.last_mut() {
            top.key = Some(MemberKey { name, answer });
        }
    }

    /// Reads a text, a number or a word.
    fn read_scalar(&mut self, start: usize, token: &[u8], text: &[u8]) {
        let range = start..start + token.len();
        if self.is_sought() && likeness::is_text(token, self.takes_fours()) {
            self.read_puzzle(range, text);
        } else if self.record.is_none() && self.takes_values() && likeness::is_part(token) {
            self.push_element(range);
        }
        self.end_value();
    }

    /// Whether a puzzle as the next value is a record, or makes one.
    fn is_sought(&self) -> bool {
        self.record.is_none() || matches!(self.wanted, SoughtRecords::MemberKey(_)) && self.record_with_key().is_some()
    }

    /// The index of the object that is a record if the next value, the last one of its keys, is a puzzle; or of the
    /// answers with the next value.
    fn record_with_key(&self) -> Option<usize> {
        match &self.wanted {
            SoughtRecords::MemberKey(path) => {
                let first = self.levels.len().checked_sub(path.len())?;
                let names = self.levels[first..].iter().map(|level| level.key.as_ref().map(|key| &key.name));
                names.eq(path.iter().map(Some)).then_some(first)
            }
            SoughtRecords::AnyKey => self.levels.last()?.key.as_ref().map(|_| self.levels.len() - 1),
            SoughtRecords::Values { .. } => self.levels.iter().position(|level| level.start.is_some()),
        }
    }

    /// Reads a puzzle: it makes the object around it a record, or is one.
    fn read_puzzle(&mut self, range: Range<usize>, text: &[u8]) {
        let text = |range: &Range<usize>| &text[range.start - self.base..range.end - self.base];
        let puzzle = text(&range);
        let has_copy = |other: &Range<usize>| memmem::find(text(other), puzzle).is_some();
        let start = |level: usize| self.levels[level].start;
        match (self.record, self.record_with_key()) {
            (Some(record), _) => {
                // An object within it, or the next one: the end of the record is lost.
                let damaged = start(record).map(|start| start..range.start).filter(|record| !has_copy(record));
                if let Some(damaged) = damaged {
                    self.record = None;
                    self.levels.iter_mut().for_each(|level| level.start = None);
                    self.push(damaged, Kind::Value);
                    self.push(range, Kind::Value);
                }
            }
            (None, Some(record))
                if let Some(start) = start(record)
                    && !self.found.iter().any(|found| {
                        found.kind == Kind::Object && found.text.start > start && !has_copy(&found.text)
                    }) =>
            {
                self.record = Some(record);
            }
            _ => {
                let answer = self.levels.last().and_then(|top| top.key.as_ref()?.answer);
                self.push(answer.unwrap_or(range.start)..range.end, Kind::Value);
            }
        }
        self.end_value();
    }

    /// Adds a record. An object takes the place of the records in it. Objects around a list with it are no records.
    fn push(&mut self, text: Range<usize>, kind: Kind) {
        let depth = self.levels.len();
        if kind == Kind::Object {
            while self.found.pop_back_if(|found| found.text.start >= text.start).is_some() {}
            let in_lists = self.levels.iter().rposition(|level| !level.is_object).map_or(0, |list| list + 1);
            self.levels[..in_lists].iter_mut().for_each(|level| level.start = None);
        }
        if kind == Kind::Object || self.takes_values() {
            let list = self.levels.last_mut().filter(|top| !top.is_object);
            if list.and_then(|list| list.elements.replace(Kind::Value)) == Some(Kind::Element(depth)) {
                let elements = self.found.iter_mut().filter(|found| found.kind == Kind::Element(depth));
                elements.for_each(|found| found.kind = Kind::Value);
            }
        }
        self.levels.iter_mut().for_each(|level| level.has_records = true);
        self.found.push_back(FoundValue { text, kind });
    }

    /// Takes the first record that was found, unless a bracket around it may be the record.
    fn next_found(&mut self, text: &[u8]) -> Option<NextRecord> {
        let is_around =
            |level: &OpenBracket, found: &FoundValue| level.start.is_some_and(|start| start <= found.text.start);
        let FoundValue { text: Range { start, end }, .. } = self.found.pop_front_if(|found| {
            !matches!(found.kind, Kind::Element(_)) && !self.levels.iter().any(|level| is_around(level, found))
        })?;
        let (first, next) = (start - self.base, end - self.base);
        self.base = end;
        Some(NextRecord::found(first..first + text[first..next].trim_ascii_end().len(), next))
    }

    /// The start of the text that may still be a part of a record.
    fn held(&self) -> usize {
        let levels = self.levels.iter().flat_map(|level| [level.start, level.key.as_ref().and_then(|key| key.answer)]);
        let found = self.found.front().map(|found| found.text.start);
        levels.chain([found]).flatten().fold(self.at, usize::min)
    }

    /// Closes all brackets at the end of a text.
    fn finish(&mut self, text: &[u8]) {
        let end = self.base + text.len();
        let is_open = !self.levels.is_empty();
        while !self.levels.is_empty() {
            self.close(end);
        }
        // A record without text: the document was truncated between two records.
        if is_open && self.found.back().is_none_or(|last| last.text.end < end) {
            self.push(end..end, Kind::Value);
        }
    }
}

impl FindRecord for DocumentSplitter {
    const HAS_TITLES: bool = false;

    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        loop {
            if let Some(record) = self.next_found(text) {
                return record;
            }
            if self.read_token(text, at_end) {
                continue;
            }
            if let Some(record) = self.next_found(text) {
                return record;
            }
            if !at_end {
                let base = self.base;
                self.base = self.held().clamp(base, base + text.len());
                return NextRecord::none(self.base - base, BatchEnd::Incomplete);
            }
            if self.levels.is_empty() && self.found.is_empty() {
                return NextRecord::none(text.len(), BatchEnd::EndOfInput);
            }
            self.finish(text);
        }
    }
}

/// The token at the start of a text; `None` if the text has to be longer. A quote that does not open a string is a token.
fn token(text: &[u8], at_end: bool) -> Option<Token> {
    match text[0] {
        b'"' => string(text, at_end),
        byte if byte.is_ascii_whitespace() || b",:[]{}".contains(&byte) => Some(Token { length: 1, seen: 1 }),
        _ => word(text, at_end),
    }
}

/// The string at the start of a text. A string has no line end and is followed by a comma, a colon or a bracket that
/// closes.
fn string(text: &[u8], at_end: bool) -> Option<Token> {
    let window = &text[..text.len().min(MAX_RECORD)];
    let mut at = 1;
    let end = loop {
        match window.get(at..).and_then(|rest| memchr3(b'"', b'\\', b'\n', rest)).map(|found| at + found) {
            Some(found) if window[found] == b'"' => break found + 1,
            Some(found) if window[found] == b'\n' => return Some(Token { length: 1, seen: found + 1 }),
            Some(found) => at = found + 2,
            None if at_end || window.len() == MAX_RECORD => return Some(Token { length: 1, seen: window.len() }),
            None => return None,
        }
    };
    let space = text[end..].iter().take(MAX_SPACE).position(|byte| !byte.is_ascii_whitespace());
    match space.map(|space| end + space) {
        Some(next) if b",:]}".contains(&text[next]) => Some(Token { length: end, seen: next + 1 }),
        Some(next) => Some(Token { length: 1, seen: next + 1 }),
        None if at_end || text.len() - end >= MAX_SPACE => Some(Token { length: end, seen: end }),
        None => None,
    }
}

/// The number or word at the start of a text. It may have escaped quotes, of a string whose first quote is skipped.
fn word(text: &[u8], at_end: bool) -> Option<Token> {
    let window = &text[..text.len().min(MAX_RECORD)];
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",:[]{}\"".contains(byte);
    let mut at = 0;
    loop {
        match window.get(at..).and_then(|rest| rest.iter().position(|byte| is_end(byte) || *byte == b'\\')) {
            Some(found) if window[at + found] == b'\\' => at += found + 2,
            Some(found) => return Some(Token { length: at + found, seen: at + found + 1 }),
            None if at_end || window.len() == MAX_RECORD => {
                return Some(Token { length: window.len(), seen: window.len() });
            }
            None => return None,
        }
    }
}

/// The list at the start of a text, if it has cells, rows, or objects for cells, and hardly anything else; otherwise its
/// bracket.
fn list(text: &[u8], at_end: bool) -> Option<Token> {
    let window = &text[..text.len().min(MAX_LENGTH)];
    let is_all = at_end || window.len() == MAX_LENGTH;
    let (mut at, mut depth, mut objects, mut others) = (0, 0, 0_usize, 0);
    while let Some(first) = window.get(at) {
        let Token { length, seen } = token(&window[at..], is_all)?;
        let next = &window[at..at + length];
        at += length;
        let may_be_cells = match first {
            b'[' | b'{' => {
                depth += 1;
                objects += usize::from(*first == b'{');
                depth <= if objects > 0 { MAX_DEPTH_OF_CELLS } else { 2 }
            }
            b']' | b'}' if depth == 1 => return Some(Token { length: at, seen: at }),
            b']' | b'}' => {
                depth -= 1;
                objects = objects.saturating_sub(usize::from(*first == b'}'));
                true
            }
            _ if *first == b',' || first.is_ascii_whitespace() => true,
            _ if objects > 0 => length <= Size::MAX_SIDE + 2,
            _ => match likeness::cells_of(next) {
                // A cell may be damaged.
                0 if length < Size::Four.cells() => {
                    others += 1;
                    others <= MAX_DAMAGED
                }
                cells => cells == 1 || cells > 1 && depth == 1,
            },
        };
        if !may_be_cells {
            return Some(Token { length: 1, seen: at - length + seen });
        }
    }
    is_all.then_some(Token { length: 1, seen: window.len() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::splitter::Preamble;
    use crate::format::testing;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const OTHER: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    const FULL: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn key(path: &str) -> SoughtRecords {
        SoughtRecords::MemberKey(path.split('.').map(str::to_owned).collect())
    }

    const VALUES: SoughtRecords = SoughtRecords::Values { fours: false };

    /// The records of a text where P, Q and S stand for two puzzles and a solution.
    fn split(text: &str, wanted: &SoughtRecords) -> Vec<(String, u64)> {
        let splitter = || DocumentSplitter::new(wanted.clone()).after(Preamble::default());
        let text = text.replace('P', PUZZLE).replace('Q', OTHER).replace('S', FULL);
        let records = testing::split(&mut splitter(), &text);
        for size in [1, 2, 3, 7, 100] {
            let pieces = testing::split_bytes(&mut splitter(), text.as_bytes(), &[size]);
            let pieces: Vec<_> =
                pieces.into_iter().map(|(text, line)| (String::from_utf8(text).unwrap(), line)).collect();
            assert_eq!(pieces, records, "{size}: {text}");
        }
        let short = |text: String| text.replace(PUZZLE, "P").replace(OTHER, "Q").replace(FULL, "S");
        records.into_iter().map(|(text, line)| (short(text), line)).collect()
    }

    fn texts(text: &str, wanted: &SoughtRecords) -> Vec<String> {
        split(text, wanted).into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn records_are_the_objects_with_the_key() {
        let puzzle = key("puzzle");
        for (text, records) in [
            (r#"[{"puzzle":"P"}, {"puzzle":"Q"}]"#, &[r#"{"puzzle":"P"}"#, r#"{"puzzle":"Q"}"#][..]),
            (r#"{"a":[{"puzzle":"P"}],"b":{"c":[{"puzzle":"Q"}]}}"#, &[r#"{"puzzle":"P"}"#, r#"{"puzzle":"Q"}"#]),
            (r#"{"0":{"puzzle":"P"},"1":{"puzzle":"Q"}}"#, &[r#"{"puzzle":"P"}"#, r#"{"puzzle":"Q"}"#]),
            (r#"{"b":"}]\\\"{","pu\u007azle":"P","c":{}}"#, &[r#"{"b":"}]\\\"{","pu\u007azle":"P","c":{}}"#]),
            // Copies of a puzzle: the outer one is the record.
            (r#"[{"puzzle":"P","m":{"puzzle":"P"}}]"#, &[r#"{"puzzle":"P","m":{"puzzle":"P"}}"#]),
            (r#"[{"m":{"puzzle":"P"},"puzzle":"P"}]"#, &[r#"{"m":{"puzzle":"P"},"puzzle":"P"}"#]),
            (r#"[{"m":{"puzzle":"Q"},"puzzle":"P"}]"#, &[r#"{"puzzle":"Q"}"#, r#""P""#]),
            (r#"[{"puzzle":"P","m":{"puzzle":"Q"}}]"#, &[r#"{"puzzle":"P","m":{"puzzle":"#, r#""Q""#]),
            // Objects without a puzzle, in a list with other objects.
            (
                r#"[{"id":0},{"puzzle":"P"},{"puzzle":null},{"id":3}]"#,
                &[r#"{"id":0}"#, r#"{"puzzle":"P"}"#, r#"{"puzzle":null}"#, r#"{"id":3}"#],
            ),
            (r#"{"a":[{"id":0}],"b":[{"puzzle":"P"}]}"#, &[r#"{"puzzle":"P"}"#]),
            (r#"{"puzzle":9,"b":[{"puzzle":"P"}]}"#, &[r#"{"puzzle":"P"}"#]),
            // Values outside of the records.
            (r#"{"a":["P"],"b":[{"puzzle":"Q"}],"c":"S"}"#, &[r#""P""#, r#"{"puzzle":"Q"}"#, r#""S""#]),
            (r#"{"id":1234567890123456,"b":[{"puzzle":"Q"}]}"#, &[r#"{"puzzle":"Q"}"#]),
            (r#"{"P":"x","b":{"puzzle":"Q"}}"#, &[r#""P""#, r#"{"puzzle":"Q"}"#]),
            // Values without anything in them, on lines of their own.
            ("{\"a\":{\"puzzle\":\"P\"}}\n{\"a\":null}\n[1]", &[r#"{"puzzle":"P"}"#, r#"{"a":null}"#, ""]),
            (r#"[{"puzzle":"P"},"#, &[r#"{"puzzle":"P"}"#, ""]),
        ] {
            assert_eq!(texts(text, &puzzle), records, "{text}");
        }
        let nested = r#"[{"id":1,"m":{"puzzle":"P"}}, {"m":{"puzzle":"Q"},"x":{}}]"#;
        assert_eq!(
            texts(nested, &key("m.puzzle")),
            [r#"{"id":1,"m":{"puzzle":"P"}}"#, r#"{"m":{"puzzle":"Q"},"x":{}}"#]
        );
        assert_eq!(
            split("[\n{\"puzzle\":\n\"P\"},\n\n{\"puzzle\":\"Q\"}]", &puzzle).iter().map(|r| r.1).collect::<Vec<_>>(),
            [2, 5]
        );
    }

    #[test]
    fn records_are_the_lists_and_texts_that_are_puzzles() {
        let list = format!(
            "[{}]",
            PUZZLE.replace('.', "0").split("").filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(",")
        );
        let rows: Vec<_> = (0..9).map(|row| format!("[{}]", &list[1 + 18 * row..18 + 18 * row])).collect();
        let rows = format!("[{}]", rows.join(", "));
        let lost = rows.replacen(']', "", 1);
        let sixteen = format!("[[{}], [{}]]", "1,0,0,0,0,0,0,2,0,0,0,0,0,3,0,0", "2,0,0,0,0,0,0,2,0,0,0,0,0,3,0,0");
        let part = "[1,0,0,0,0,0,0,2,0,0,0,0,0,3,0,0,4]";
        for (text, records) in [
            (r#"{"a":["P"],"b":{"c":"Q","d":[1,2]}}"#.to_owned(), vec![r#""P""#.to_owned(), r#""Q""#.to_owned()]),
            (format!("[{list}, {list}]"), vec![list.clone(), list.clone()]),
            (format!("[[{rows}], {{\"a\": {rows}}}]"), vec![rows.clone(), rows.clone()]),
            (
                format!("[{rows}, {lost}, {rows}]"),
                vec![rows.clone(), lost[1..].to_owned(), rows.clone(), String::new()],
            ),
            (
                format!("[{list}, {}, {list}]", &list[2..]),
                vec![list.clone(), list[3..list.len() - 1].to_owned(), list.clone()],
            ),
            // Parts of puzzles, next to puzzles and elsewhere.
            (format!("[{part}, {list}, {part}]"), vec![part.to_owned(), list.clone(), part.to_owned()]),
            (format!("{{\"a\": {part}, \"b\": [{part}, [{part}]], \"c\": [{list}]}}"), vec![list.clone()]),
            (
                format!(r#"["P", "{0}", "easy", {{"a": "{0}"}}]"#, &PUZZLE[..40]),
                vec![r#""P""#.into(), format!("{:?}", &PUZZLE[..40])],
            ),
            (
                sixteen,
                vec!["[1,0,0,0,0,0,0,2,0,0,0,0,0,3,0,0]".to_owned(), "[2,0,0,0,0,0,0,2,0,0,0,0,0,3,0,0]".to_owned()],
            ),
            (
                r#"{"p":["P"],"solutions":["S"],"answer":"S"}"#.to_owned(),
                vec![r#""P""#.into(), r#""solutions":["S"]"#.into(), r#""answer":"S""#.into()],
            ),
        ] {
            assert_eq!(texts(&text, &VALUES), records, "{text}");
        }
    }

    /// Each puzzle has a record of its own, or is in a damaged one.
    #[test]
    fn damage_costs_one_record() {
        let record = |cells, id| format!("{{\"puzzle\":\"{cells}\",\"id\":{id},\"x\":\"y\"}}");
        let records = ["P", "Q", "S", "P", "Q"]
            .map(|cells| record(cells, "7").replace('P', PUZZLE).replace('Q', OTHER).replace('S', FULL));
        for between in [", ", ",\n", ",\n\n "] {
            let list = records.join(between);
            for text in [format!("[{list}]"), format!("{{\"a\":{{\"b\":[{list}]}}}}"), list.replace(",{", "{")] {
                let text =
                    if between == ",\n\n " { text.replace("\"id", "\n\"id").replace("\"}", "\"\n}") } else { text };
                for (at, _) in text.match_indices(['"', '{', '}', '[', ']', ',', ':']) {
                    let edits = ["", "\"", "\"\"", "{", "}", "[", "]", "\n", "{{"]
                        .map(|new| [&text[..at], new, &text[at + 1..]].concat());
                    for damaged in edits {
                        let splitter = &mut DocumentSplitter::new(key("puzzle")).after(Preamble::default());
                        let found = testing::split(splitter, &damaged);
                        let sound = found
                            .iter()
                            .filter(|(record, _)| {
                                serde_json::from_str::<serde_json::Value>(record)
                                    .is_ok_and(|value| value.get("puzzle").is_some())
                            })
                            .count();
                        for cells in [PUZZLE, OTHER, FULL] {
                            let expected = damaged.matches(cells).count();
                            let seen = found.iter().map(|(record, _)| record.matches(cells).count()).sum::<usize>();
                            assert!(seen >= expected, "{damaged}\n{found:#?}");
                        }
                        assert!(sound >= 3, "{sound}: {damaged}\n{found:#?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_long_record_is_one_record() {
        let long = "x\\\"".repeat(MAX_RECORD);
        let after = "{\"puzzle\":\"1.3..........4.2\"}";
        for (start, shape) in [
            ("{\"puzzle\":\"1.3..........4.2\",\"x\":\"", &[MAX_RECORD, after.len()][..]),
            // It is not known whether this is an object with a puzzle.
            ("{\"x\":\"", &[after.len()]),
        ] {
            let text = format!("[{start}{long}\", \"y\": {{\"z\": 1}}}},\n{after}]");
            for size in [30_000, 700_000, text.len()] {
                let splitter = &mut DocumentSplitter::new(key("puzzle")).after(Preamble::default());
                let records = testing::split_bytes(splitter, text.as_bytes(), &[size]);
                let lengths: Vec<_> = records.iter().map(|(text, _)| text.len()).collect();
                assert_eq!(lengths, shape, "{start} {size}");
            }
        }
    }

    #[test]
    fn texts_without_records_take_linear_time() {
        for piece in ["[", "{\"a\":", "\"", "\\\"", "\"\\", "[1,", "{},", "\"x\" \"", "{\"puzzle\":1,", "]", "12 "] {
            let text = piece.repeat((2 << 20) / piece.len());
            for wanted in [key("puzzle"), VALUES] {
                let splitter = &mut DocumentSplitter::new(wanted).after(Preamble::default());
                testing::split_bytes(splitter, text.as_bytes(), &[128 << 10]);
            }
        }
    }
}
