//! Splits JSON that does not have one object on each line: an array of records, an answer of a web service, an object
//! over many lines.
//!
//! ```text
//! {"newboard": {"grids": [{"value": [[5, 3, 0, ...], ...], "difficulty": "Easy"}, ...], "results": 5}}
//! ```
//!
//! A record is every object that has the key of the puzzle, at any depth; or every list and text that is a puzzle. All
//! other lists and texts that are puzzles, answers or close to one are records, too, which the parser does not take. An
//! object is held back until its key is seen, and while an object around it may be the record.
//!
//! Damage is local. A quote that does not open a sound string is skipped. An object ends where the next one starts in
//! place of a key. A bracket that closes another kind closes all brackets down to its own kind.

use std::collections::VecDeque;
use std::ops::Range;

use memchr::memchr3;

use super::likeness::{self, NEARLY_NINE};
use super::object::{Path, string_text};
use crate::format::columns::is_named_as_answer;
use crate::format::splitter::{FindRecord, NextRecord};
use crate::format::{MAX_RECORD, Size};

/// The records of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The objects with this key.
    Key(Path),
    /// The objects that have a puzzle with any key.
    AnyKey,
    /// The lists and texts. `fours` tells whether any 4x4 grid is one: numbers of 16 digits may look like it.
    Values { fours: bool },
}

/// The maximum number of brackets whose kinds are stored.
const MAX_DEPTH: usize = 32;

/// The maximum length of the white space after a string that is read to see what follows.
const MAX_SPACE: usize = 1 << 10;

/// Splits a stream into the records of a document. Positions are counted from the start of the stream.
#[derive(Clone, Debug)]
pub(super) struct DocumentSplitter {
    wanted: Wanted,
    /// Whether the numbers of lines count the records, because a line has several.
    counts_records: bool,
    /// The open brackets.
    levels: Vec<Level>,
    /// The number of open brackets within these.
    deeper: usize,
    /// The records that were found, in order. They wait for the brackets around them.
    found: VecDeque<Found>,
    /// The position of the text.
    base: usize,
    /// The position of the next token.
    at: usize,
    /// Whether that is within a string that is not read.
    in_string: bool,
}

/// An open bracket.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each tells another fact about the bracket")]
struct Level {
    start: usize,
    is_object: bool,
    role: Role,
    /// Whether a colon came after the last key. Otherwise, an object expects a key.
    expects_value: bool,
    key: Key,
    /// The puzzle of a record: its cells, or none if it is only close to a puzzle.
    puzzle: Option<Vec<u8>>,
    /// Whether an object has the key of the puzzle, a list has objects with it, or the values are answers.
    is_special: bool,
    /// Whether records were found in it.
    has_records: bool,
    /// The cells of a list that are not in a record: their number, their rows, and their range.
    cells: usize,
    rows: usize,
    range: Range<usize>,
    /// The number of objects without records in a list, which may be cells.
    objects: usize,
}

/// The last key of an object.
#[derive(Clone, Copy, Debug, Default)]
struct Key {
    start: usize,
    /// A bit for each wanted key that it is.
    matches: u64,
    /// Whether it is a usual name of answers.
    is_answer: bool,
}

/// The relation of a bracket to the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It may be a record.
    Candidate,
    /// It is around records.
    Container,
    /// It is a part of a record.
    Part,
}

/// A record that was found.
#[derive(Clone, Debug)]
struct Found {
    text: Range<usize>,
    kind: Kind,
    /// The cells of its puzzle.
    cells: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An object with the key.
    Object,
    /// A list or a text.
    Value,
    /// An object without the key, which is a record if its list has objects with the key.
    Element,
}

/// The first token of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// A token of this length, and the number of bytes that show it.
    Found(usize, usize),
    /// A quote that does not open a string, which this number of bytes shows.
    Stray(usize),
    /// A token that is longer than a record, and the length of its start.
    Long(usize),
    Incomplete,
}

impl DocumentSplitter {
    /// A splitter for these records.
    pub(super) fn new(wanted: Wanted, counts_records: bool) -> DocumentSplitter {
        let (levels, found) = (vec![], VecDeque::new());
        DocumentSplitter { wanted, counts_records, levels, deeper: 0, found, base: 0, at: 0, in_string: false }
    }

    /// Reads the next token. Returns false if the text has to be longer for that.
    fn read_token(&mut self, text: &[u8], at_end: bool) -> bool {
        let start = self.at;
        let Some(rest @ [first, ..]) = text.get(start - self.base..) else { return false };
        if self.in_string {
            self.skip_string(rest);
            return true;
        }
        let token = match first {
            b'"' => string(rest, at_end),
            b',' | b':' | b'[' | b']' | b'{' | b'}' => Token::Found(1, 1),
            _ if first.is_ascii_whitespace() => Token::Found(1, 1),
            _ => word(rest, at_end),
        };
        let (length, seen) = match token {
            Token::Found(length, seen) => (length, seen),
            Token::Stray(seen) => (1, seen),
            Token::Long(length) => (length, length),
            Token::Incomplete => (0, rest.len()),
        };

        if let Some(cut) = self.limit_records(start + seen).filter(|_| seen > 1) {
            // The rest of the token belongs to a record that was cut off, perhaps within an escape.
            let is_escape = text[..cut - self.base].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1;
            self.at = cut + usize::from(is_escape);
            self.in_string = *first == b'"';
            return true;
        }
        self.at += length;
        match (first, token) {
            (_, Token::Incomplete) => return false,
            (_, Token::Long(_)) => self.in_string = *first == b'"',
            (_, Token::Stray(_)) => {}
            (b'{' | b'[', _) => self.open(start, *first == b'{', text),
            (b'}' | b']', _) => self.close_kind(start, *first == b'}', text),
            (b':', _) => self.set_expects_value(true),
            (b',', _) => {
                self.set_expects_value(false);
                self.levels.last_mut().into_iter().for_each(|top| top.key = Key::default());
            }
            (b'"', _) if rest[length..].trim_ascii_start().first() == Some(&b':') => {
                self.read_key(start, &rest[..length]);
            }
            _ if first.is_ascii_whitespace() => {}
            _ => self.read_scalar(start, &rest[..length]),
        }
        true
    }

    /// Skips a string to its quote or a line end.
    fn skip_string(&mut self, rest: &[u8]) {
        self.at += match memchr3(b'"', b'\\', b'\n', rest) {
            Some(at) if rest[at] == b'\\' => at + 2,
            Some(at) => {
                self.in_string = false;
                at + 1
            }
            None => rest.len(),
        };
    }

    /// Makes containers of brackets that are longer than a record, and cuts off records. Returns the end of a record
    /// that was cut off.
    fn limit_records(&mut self, end: usize) -> Option<usize> {
        // All that is held starts in the text.
        if end < self.base + MAX_RECORD {
            return None;
        }
        let is_old = |level: &&mut Level| level.cells < NEARLY_NINE.end && level.range.start + MAX_RECORD <= end;
        self.levels.iter_mut().filter(is_old).for_each(|level| level.cells = 0);
        let is_long = |level: &Level| level.role == Role::Candidate && level.start + MAX_RECORD <= end;
        while let Some(at) = self.levels.iter().position(is_long) {
            let Level { start, ref mut role, ref mut puzzle, .. } = self.levels[at];
            if puzzle.take().is_some() {
                self.levels[at..].iter_mut().for_each(|level| level.role = Role::Part);
                self.push(start..start + MAX_RECORD, Kind::Object, vec![]);
                return Some(start + MAX_RECORD);
            }
            *role = Role::Container;
            self.found.retain(|found| found.kind != Kind::Element || found.text.start < start);
        }
        None
    }

    fn set_expects_value(&mut self, expects_value: bool) {
        self.levels.last_mut().into_iter().for_each(|top| top.expects_value = expects_value);
    }

    /// Whether the next token is within a record.
    fn is_in_record(&self) -> bool {
        self.levels.iter().any(|level| level.puzzle.is_some() || level.role == Role::Part)
    }

    /// Opens a bracket.
    fn open(&mut self, mut start: usize, is_object: bool, text: &[u8]) {
        if self.levels.len() == MAX_DEPTH {
            self.deeper += 1;
            return;
        }
        // A bracket in place of a key: the end of the object before is lost.
        while self.levels.last().is_some_and(|top| top.is_object && !top.expects_value) {
            self.close(start, text);
        }

        let (is_values, is_keyed) = (self.takes_values(), matches!(self.wanted, Wanted::Key(_)));
        let parent = self.levels.last();
        let is_special = is_values && parent.is_some_and(|parent| parent.key.is_answer);
        let is_part = parent.is_some_and(|parent| {
            // An object in a record may be the next one, if a brace is lost; its lists have to be read then.
            let may_be_next = if is_object { parent.is_object } else { parent.puzzle.is_none() };
            parent.role == Role::Part || self.is_in_record() && !(is_keyed && may_be_next)
        });
        let role = if is_part {
            Role::Part
        } else if is_values && is_object && !is_special {
            Role::Container
        } else {
            Role::Candidate
        };
        if let Some(parent) = parent.filter(|_| is_special) {
            start = parent.key.start;
        }
        self.levels.push(Level::new(start, is_object, role, is_special));
    }

    /// Closes all brackets down to one of a kind.
    fn close_kind(&mut self, at: usize, is_object: bool, text: &[u8]) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        let Some(level) = self.levels.iter().rposition(|level| level.is_object == is_object) else { return };
        while self.levels.len() > level + 1 {
            self.close(at, text);
        }
        self.close(at + 1, text);
    }

    /// Closes the last bracket.
    fn close(&mut self, end: usize, text: &[u8]) {
        let Some(level) = self.levels.pop() else { return };
        let range = level.start..end;
        let is_candidate = level.role == Role::Candidate && !self.is_in_record();
        let has_objects =
            || self.found.iter().any(|found| found.kind == Kind::Object && found.text.start >= range.start);
        if level.role == Role::Part {
            // The record ends with a bracket around it.
        } else if let Some(cells) = level.puzzle {
            self.replace(range, Kind::Object, cells);
        } else if !level.is_object {
            self.close_list(&level, end, text);
        } else if level.is_special && is_candidate && !has_objects() {
            self.replace(range, Kind::Object, vec![]);
        } else if !level.has_records && (is_candidate || self.levels.is_empty()) {
            // The start of a container may be gone.
            self.push_element(if is_candidate { range } else { end..end });
        }
        if let Some(list) = self.levels.last_mut().filter(|top| level.is_object && !level.has_records && !top.is_object)
        {
            // An object may be a cell.
            list.objects += 1;
        }
        self.set_expects_value(false);
    }

    /// Judges a list that is closed.
    fn close_list(&mut self, level: &Level, end: usize, text: &[u8]) {
        let Level { start, cells, .. } = *level;
        self.found.retain(|found| found.kind != Kind::Element || found.text.start < start);
        if level.role == Role::Container {
            return if NEARLY_NINE.contains(&cells) {
                self.push(level.range.clone(), Kind::Value, vec![]);
            } else if self.levels.is_empty() && !level.has_records {
                self.push_element(end..end);
            };
        }

        let is_sought = cells + level.objects >= Size::Four.cells() && self.is_sought();
        let puzzle =
            || likeness::of_list(&text[start - self.base..end - self.base], cells, level.rows, self.takes_fours());
        match is_sought.then(puzzle).flatten() {
            Some(puzzle) => {
                // Its rows may be as long as 4x4 puzzles.
                self.found.retain(|found| found.text.start < start);
                self.read_value(start..end, Some(puzzle), 0);
            }
            None if self.levels.is_empty() && !level.has_records => self.push_element(start..end),
            None => self.read_value(start..end, None, cells),
        }
    }

    fn takes_values(&self) -> bool {
        matches!(self.wanted, Wanted::Values { .. })
    }

    fn takes_fours(&self) -> bool {
        self.wanted == Wanted::Values { fours: true }
    }

    /// Reads a key.
    fn read_key(&mut self, start: usize, token: &[u8]) {
        let name = str::from_utf8(token).ok().and_then(string_text).unwrap_or_default();
        let is_match = |key: &String| u64::from(*key == name);
        let matches = match &self.wanted {
            Wanted::Key(path) => path.iter().zip(0..64).fold(0, |bits, (key, bit)| bits | is_match(key) << bit),
            _ => 0,
        };
        if let Some(top) = self.levels.last_mut() {
            top.key = Key { start, matches, is_answer: is_named_as_answer(&name) };
        }
        // A map from puzzles.
        if self.wanted != Wanted::AnyKey
            && !self.is_in_record()
            && let Some(cells) = likeness::of_text(token, self.takes_fours())
        {
            self.push(start..start + token.len(), Kind::Value, cells);
        }
    }

    /// Reads a text, a number or a word.
    fn read_scalar(&mut self, start: usize, token: &[u8]) {
        let puzzle = if self.is_sought() { likeness::of_text(token, self.takes_fours()) } else { None };
        self.read_value(start..start + token.len(), puzzle, likeness::cells_of(token));
    }

    /// Whether a puzzle as the next value is a record, or makes one.
    fn is_sought(&self) -> bool {
        !self.is_in_record() || self.record_with_key(true).is_some()
    }

    /// The index of the object that is a record if the next value, the last one of its keys, is a puzzle.
    fn record_with_key(&self, is_puzzle: bool) -> Option<usize> {
        let keys = match &self.wanted {
            Wanted::Key(path) => path.len(),
            Wanted::AnyKey if is_puzzle => 1,
            _ => return None,
        };
        let first = self.levels.len().checked_sub(keys)?;
        let has_key = |(level, key): (&Level, u32)| {
            level.is_object && (self.wanted == Wanted::AnyKey || level.key.matches >> key & 1 == 1)
        };
        let is_candidate = self.levels.get(first)?.role == Role::Candidate;
        (is_candidate && self.levels[first..].iter().zip(0..).all(has_key)).then_some(first)
    }

    /// Reads a value: a puzzle, or a part of a list with this number of cells.
    fn read_value(&mut self, mut range: Range<usize>, puzzle: Option<Vec<u8>>, cells: usize) {
        let record = self.record_with_key(puzzle.is_some());
        let (is_values, is_in_record) = (self.takes_values(), self.is_in_record());
        if let Some(top) = self.levels.last_mut() {
            if !top.is_object && puzzle.is_none() {
                top.add_cells(&range, cells);
            }
            if is_values && top.key.is_answer {
                range.start = top.key.start;
            }
        }
        self.set_expects_value(false);
        match (record, puzzle) {
            (Some(record), Some(cells)) => self.set_puzzle(record, range, cells),
            (Some(record), None) => self.levels[record].is_special = true,
            (None, Some(cells)) if !is_in_record && self.wanted != Wanted::AnyKey => {
                self.push(range, Kind::Value, cells);
            }
            _ => {}
        }
    }

    /// Makes an object a record, unless it is a copy of the record around it, or has another record.
    fn set_puzzle(&mut self, mut record: usize, range: Range<usize>, cells: Vec<u8>) {
        if let Some(around) = self.levels[..record].iter().rposition(|level| level.puzzle.is_some()) {
            if cells.is_empty() || self.levels[around].puzzle.as_ref() == Some(&cells) {
                self.levels[record..].iter_mut().for_each(|level| level.role = Role::Part);
                return;
            }
            // The end of the object around it is lost.
            let damaged = self.levels.remove(around);
            self.replace(damaged.start..self.levels[around].start, Kind::Object, vec![]);
            record -= 1;
        }
        let start = self.levels[record].start;
        let is_other = |found: &Found| {
            found.kind == Kind::Object && found.text.start > start && !found.cells.is_empty() && found.cells != cells
        };
        if self.found.iter().any(is_other) {
            self.levels[record].role = Role::Container;
            self.push(range, Kind::Value, cells);
        } else {
            self.levels[record].puzzle = Some(cells);
        }
    }

    /// Adds a record in place of those in its text.
    fn replace(&mut self, text: Range<usize>, kind: Kind, cells: Vec<u8>) {
        self.found.retain(|found| found.text.start < text.start);
        self.push(text, kind, cells);
    }

    /// Adds an object or list without a puzzle: a record if no bracket is around it, or if records are beside it.
    fn push_element(&mut self, text: Range<usize>) {
        match self.levels.last() {
            _ if self.wanted == Wanted::AnyKey => {}
            None => self.push(text, Kind::Value, vec![]),
            Some(list) if list.is_object => {}
            Some(list) if list.is_special => self.push(text, Kind::Value, vec![]),
            Some(list) if list.role == Role::Candidate => {
                self.found.push_back(Found { text, kind: Kind::Element, cells: vec![] });
            }
            Some(_) => {}
        }
    }

    /// Adds a record. The brackets around it become containers, except objects that may be the record themselves.
    fn push(&mut self, text: Range<usize>, kind: Kind, cells: Vec<u8>) {
        if self.takes_values()
            && let Some(answers) = self.levels.iter_mut().find(|level| level.is_special)
        {
            answers.puzzle = Some(vec![]);
            return;
        }
        let is_row = kind == Kind::Value && cells.len() == Size::Sixteen.side();
        let top = self.levels.len().wrapping_sub(1);
        for (at, list) in self.levels.iter_mut().enumerate().filter(|(_, level)| !level.is_object) {
            if is_row && at == top && list.role == Role::Candidate {
                list.add_cells(&text, cells.len());
                continue;
            }
            if NEARLY_NINE.contains(&list.cells) {
                // A list whose end is lost.
                self.found.push_back(Found { text: list.range.clone(), kind: Kind::Value, cells: vec![] });
            }
            list.cells = 0;
        }
        self.found.push_back(Found { text, kind, cells });

        let (mut is_in_list, mut is_direct) = (false, true);
        for level in self.levels.iter_mut().rev() {
            let objects =
                || self.found.iter().filter(|found| found.kind == Kind::Object && found.text.start > level.start);
            let is_container = if level.is_object {
                kind == Kind::Object && (is_in_list || objects().count() > 1)
            } else {
                !(is_direct && is_row)
            };
            if !level.is_object {
                level.is_special |= is_direct && kind == Kind::Object;
                is_in_list = true;
                for found in &mut self.found {
                    if found.kind == Kind::Element && found.text.start > level.start && level.is_special {
                        found.kind = Kind::Value;
                    }
                }
            }
            level.has_records = true;
            if is_container && level.role == Role::Candidate {
                level.role = Role::Container;
            }
            is_direct = false;
        }
    }

    /// Takes the first record that was found, unless a bracket around it may be the record.
    fn next_found(&mut self, text: &[u8]) -> Option<NextRecord> {
        let first = self.found.front()?;
        let is_around = |level: &Level| level.role == Role::Candidate && level.start <= first.text.start;
        if self.levels.iter().any(is_around) {
            return None;
        }
        let Found { text: Range { start, end }, .. } = self.found.pop_front()?;
        let (first, next) = (start - self.base, end - self.base);
        self.base = end;
        Some(NextRecord::found(first..first + text[first..next].trim_ascii_end().len(), next))
    }

    /// The start of the text that may still be a part of a record.
    fn held(&self) -> usize {
        let level = |level: &Level| match level.role {
            Role::Candidate => Some(level.start),
            Role::Container if (1..NEARLY_NINE.end).contains(&level.cells) => Some(level.range.start),
            _ => None,
        };
        let levels = self.levels.iter().filter_map(level);
        let found = self.found.iter().map(|found| found.text.start);
        let key = self
            .levels
            .last()
            .filter(|top| top.expects_value && top.key.is_answer && self.takes_values())
            .map(|top| top.key.start);
        levels.chain(found.take(1)).chain(key).fold(self.at, usize::min)
    }

    /// Closes all brackets at the end of a text.
    fn finish(&mut self, text: &[u8]) {
        let end = self.base + text.trim_ascii_end().len();
        let is_open = !self.levels.is_empty();
        while !self.levels.is_empty() {
            self.close(end, text);
        }
        // A record without text: the document was truncated between two records.
        if is_open && self.found.back().is_none_or(|last| last.text.end < end) {
            let end = self.base + text.len();
            self.found.push_back(Found { text: end..end, kind: Kind::Value, cells: vec![] });
        }
    }
}

impl Level {
    /// A bracket that was just opened.
    fn new(start: usize, is_object: bool, role: Role, is_special: bool) -> Level {
        let (key, range) = (Key::default(), start..start);
        let (expects_value, puzzle, has_records, cells, rows) = (false, None, false, 0, 0);
        Level {
            start,
            is_object,
            role,
            expects_value,
            key,
            puzzle,
            is_special,
            has_records,
            cells,
            rows,
            range,
            objects: 0,
        }
    }

    /// Adds a cell or a row of a list.
    fn add_cells(&mut self, range: &Range<usize>, cells: usize) {
        if cells == 0 {
            return;
        }
        let start = if self.cells == 0 { range.start } else { self.range.start };
        self.range = start..range.end;
        self.cells += cells;
        self.rows += usize::from(cells > 1);
    }
}

impl FindRecord for DocumentSplitter {
    fn next_record(&mut self, text: &[u8], at_end: bool) -> NextRecord {
        loop {
            if let Some(record) = self.next_found(text) {
                return record;
            }
            if self.read_token(text, at_end) {
                continue;
            }
            if !at_end {
                let base = self.base;
                self.base = self.held().clamp(base, base + text.len());
                return NextRecord::Incomplete { consumed: self.base - base };
            }
            if self.levels.is_empty() && self.found.is_empty() {
                return NextRecord::EndOfInput;
            }
            self.finish(text);
        }
    }

    fn counts_records(&self) -> bool {
        self.counts_records
    }
}

/// The string at the start of a text. A string has no line end and is followed by a comma, a colon or a bracket that
/// closes.
fn string(text: &[u8], at_end: bool) -> Token {
    let window = &text[..text.len().min(MAX_RECORD)];
    let mut at = 1;
    let end = loop {
        match window.get(at..).and_then(|rest| memchr3(b'"', b'\\', b'\n', rest)).map(|found| at + found) {
            Some(found) if window[found] == b'"' => break found + 1,
            Some(found) if window[found] == b'\n' => return Token::Stray(found + 1),
            Some(found) => at = found + 2,
            None if window.len() == MAX_RECORD => return Token::Long(at.max(MAX_RECORD)),
            None if at_end => return Token::Stray(text.len()),
            None => return Token::Incomplete,
        }
    };
    let next = text[end..].iter().take(MAX_SPACE).position(|byte| !byte.is_ascii_whitespace());
    match next {
        Some(next) if b",:]}".contains(&text[end + next]) => Token::Found(end, end + next + 1),
        Some(next) => Token::Stray(end + next + 1),
        None if at_end || text.len() - end >= MAX_SPACE => Token::Found(end, end + MAX_SPACE),
        None => Token::Incomplete,
    }
}

/// The number or word at the start of a text.
fn word(text: &[u8], at_end: bool) -> Token {
    let window = &text[..text.len().min(MAX_RECORD)];
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",:[]{}\"".contains(byte);
    let mut at = 0;
    loop {
        match window.get(at..).and_then(|rest| rest.iter().position(|byte| is_end(byte) || *byte == b'\\')) {
            // Quotes of a string whose first quote is skipped.
            Some(found) if window[at + found] == b'\\' => at += found + 2,
            Some(found) => return Token::Found(at + found, at + found + 1),
            None if window.len() == MAX_RECORD => return Token::Long(at.max(MAX_RECORD)),
            None if at_end => return Token::Found(text.len(), text.len()),
            None => return Token::Incomplete,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::splitter::Preamble;
    use crate::format::testing;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const OTHER: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    const FULL: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn key(path: &str) -> Wanted {
        Wanted::Key(path.split('.').map(str::to_owned).collect())
    }

    const VALUES: Wanted = Wanted::Values { fours: false };

    /// The records of a text, in which P, Q and S stand for two puzzles and a solution.
    fn split(text: &str, wanted: &Wanted) -> Vec<(String, u64)> {
        let splitter = || DocumentSplitter::new(wanted.clone(), false).after(Preamble::default());
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

    fn texts(text: &str, wanted: &Wanted) -> Vec<String> {
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
            (r#"[{"puzzle":"P","m":{"puzzle":"Q"}}]"#, &[r#"{"puzzle":"P","m":"#, r#"{"puzzle":"Q"}"#]),
            // Objects without a puzzle, in a list with others.
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
            ("{\"a\":{\"puzzle\":\"P\"}}\n{\"a\":null}\n[1]", &[r#"{"puzzle":"P"}"#, r#"{"a":null}"#, "[1]"]),
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
                        let splitter = &mut DocumentSplitter::new(key("puzzle"), false).after(Preamble::default());
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
                let splitter = &mut DocumentSplitter::new(key("puzzle"), false).after(Preamble::default());
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
                let splitter = &mut DocumentSplitter::new(wanted, false).after(Preamble::default());
                testing::split_bytes(splitter, text.as_bytes(), &[128 << 10]);
            }
        }
    }
}
