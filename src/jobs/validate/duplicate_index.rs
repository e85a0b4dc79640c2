//! Checks that need earlier records: duplicates, isomorphs, and the counts of keys for an audit.

use std::io::{self, Read};
use std::sync::Arc;

use crate::canon::Key;
use crate::corpus::Input;
use crate::lookup::{Files, Location};
use crate::puzzle::Size;

use super::finding::{Finding, Findings};
use super::key_index::KeyIndex;
use super::score::Classes;

/// The repetitions to find among earlier records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Repeats {
    /// The same puzzle, of any size.
    pub(super) duplicates: bool,
    /// An isomorph, only among 4x4, 6x6 and 9x9 puzzles.
    pub(super) isomorphs: bool,
    /// Count all keys, for an audit.
    pub(super) audit: bool,
}

impl Repeats {
    /// Whether puzzles are looked up.
    pub(super) fn any(self) -> bool {
        self.duplicates || self.isomorphs
    }
}

/// The keys of a puzzle for lookups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RecordKeys {
    pub(super) puzzle: Option<Key>,
    pub(super) class: Option<Key>,
    /// The class of its solved grid.
    pub(super) grid: Option<Key>,
}

/// A saved record, for a run that is resumed: three bytes, and two keys if puzzles are looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SavedNote {
    pub(super) findings: Findings,
    /// `None` for a malformed record.
    pub(super) size: Option<Size>,
    pub(super) keys: RecordKeys,
}

impl SavedNote {
    pub(super) fn write(&self, has_keys: bool, saved: &mut Vec<u8>) {
        saved.extend(self.findings.bits().to_le_bytes());
        saved.push(self.size.map_or(u8::MAX, |size| size.index() as u8));
        if has_keys {
            for key in [self.keys.puzzle, self.keys.class] {
                saved.extend(key.unwrap_or(Key::ZERO).bytes());
            }
        }
    }

    pub(super) fn read(has_keys: bool, saved: &mut dyn Read) -> io::Result<SavedNote> {
        let mut bytes = [0; 3];
        saved.read_exact(&mut bytes)?;
        let [low, high, size] = bytes;
        let mut key = || {
            let mut bytes = [0; 16];
            if has_keys {
                saved.read_exact(&mut bytes)?;
            }
            io::Result::Ok(Some(Key::from_bytes(bytes)).filter(|&key| key != Key::ZERO))
        };
        Ok(SavedNote {
            findings: Findings::from_bits(u16::from_le_bytes([low, high])),
            size: Size::ALL.get(usize::from(size)).copied(),
            keys: RecordKeys { puzzle: key()?, class: key()?, grid: None },
        })
    }
}

/// The puzzles and classes of all records so far, each with its first location.
///
/// A record takes up to 40 bytes for each kind of key. While a table grows, the old one is in memory as well.
pub(super) struct DuplicateIndex {
    repeats: Repeats,
    /// Whether locations include the file, because there are several.
    names_files: bool,
    pub(super) files: Files,
    pub(super) puzzles: KeyIndex,
    pub(super) classes: KeyIndex,
    pub(super) grids: KeyIndex,
}

impl DuplicateIndex {
    pub(super) fn new(repeats: Repeats, names_files: bool) -> DuplicateIndex {
        DuplicateIndex {
            repeats,
            names_files,
            files: Files::default(),
            puzzles: KeyIndex::default(),
            classes: KeyIndex::default(),
            grids: KeyIndex::default(),
        }
    }

    /// The location of a record in the latest input, or in a new one.
    pub(super) fn location(&mut self, input: &Arc<Input>, line: u64) -> Location {
        self.files.location(input, line)
    }

    /// Adds a puzzle by its keys, which may be missing where they are not looked up. Returns the earlier records that
    /// it repeats, in the order of the details.
    pub(super) fn enter(&mut self, location: Location, size: Size, keys: RecordKeys) -> [Option<(Finding, String)>; 2] {
        let Repeats { duplicates, isomorphs, audit } = self.repeats;
        let mut first = |index: fn(&mut DuplicateIndex) -> &mut KeyIndex, key: Option<Key>, is_counted, is_reported| {
            let first = key.filter(|_| is_counted).and_then(|key| index(self).insert(key, size, location));
            first.filter(|_| is_reported)
        };
        let same = first(|index| &mut index.puzzles, keys.puzzle, duplicates || audit, duplicates);
        let isomorph = first(|index| &mut index.classes, keys.class, isomorphs || audit, isomorphs);
        first(|index| &mut index.grids, keys.grid, audit, false);

        // Every duplicate is also an isomorph of the same record; only the stronger finding counts.
        let isomorph = isomorph.filter(|_| isomorph != same);
        [
            same.map(|first| (Finding::Duplicate, format!("duplicate of {}", self.name(first)))),
            isomorph.map(|first| (Finding::Isomorph, format!("isomorph of {}", self.name(first)))),
        ]
    }

    /// A location in words: `line 7`, or `train.csv:7` if there are several inputs.
    fn name(&self, location: Location) -> String {
        let line = location.line();
        if self.names_files { format!("{}:{line}", self.files.name(location)) } else { format!("line {line}") }
    }

    /// The classes of puzzles so far, if they are collected.
    pub(super) fn puzzle_classes(&self) -> Option<Classes> {
        let is_counted = self.repeats.isomorphs || self.repeats.audit;
        is_counted.then(|| self.classes.classes(&self.files))
    }
}
