//! Checks that need earlier records: duplicates and isomorphs.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use crate::canon::Key;
use crate::corpus::Input;
use crate::jobs::first_seen::{Files, FirstSeen, Location};

use super::finding::Finding;
use super::score::{Classes, LargeClass};

/// How many of the largest classes a score names.
const LARGEST: usize = 5;

/// Which repetitions to look for among earlier records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Repeats {
    /// The same puzzle, of any size.
    pub(super) duplicates: bool,
    /// An isomorph; among 4x4, 6x6 and 9x9 puzzles only.
    pub(super) isomorphs: bool,
}

/// The puzzles and classes of all records so far, each with its first location.
///
/// A record takes up to 40 bytes for each of the [`Repeats`]. While a table grows, the old one is in memory as well.
pub(super) struct DuplicateIndex {
    repeats: Repeats,
    /// Whether locations are named with their file: there are several.
    names_files: bool,
    files: Files,
    puzzles: FirstSeen,
    classes: FirstSeen,
    /// The number of records in each class that has several, by the location of its first. A record takes an entry in
    /// `classes` if its class is new, and at most one here if not: never both.
    several: HashMap<Location, u32>,
}

impl DuplicateIndex {
    pub(super) fn new(repeats: Repeats, names_files: bool) -> DuplicateIndex {
        DuplicateIndex {
            repeats,
            names_files,
            files: Files::default(),
            puzzles: FirstSeen::default(),
            classes: FirstSeen::default(),
            several: HashMap::new(),
        }
    }

    /// Adds a puzzle by its keys, which may be missing where they are not looked up, and returns which earlier records it repeats, in the order in which details list them.
    pub(super) fn enter(
        &mut self,
        input: &Arc<Input>,
        line: u64,
        puzzle: Option<Key>,
        class: Option<Key>,
    ) -> [Option<(Finding, String)>; 2] {
        let location = self.files.location(input, line);
        let puzzle = puzzle.filter(|_| self.repeats.duplicates);
        let same = puzzle.and_then(|puzzle| self.puzzles.insert(puzzle, location));
        let class = class.filter(|_| self.repeats.isomorphs);
        let isomorph = class.and_then(|class| self.classes.insert(class, location));
        if let Some(first) = isomorph {
            *self.several.entry(first).or_insert(1) += 1;
        }
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

    /// The classes so far, if isomorphs are looked for.
    pub(super) fn classes(&self) -> Option<Classes> {
        if !self.repeats.isomorphs {
            return None;
        }
        let mut classes = Classes { classes: self.classes.len() as u64, ..Classes::default() };
        let single = self.classes.len() - self.several.len();
        if single > 0 {
            classes.sizes.insert(1, single as u64);
        }
        for &size in self.several.values() {
            *classes.sizes.entry(size).or_default() += 1;
        }
        let mut largest: Vec<(Location, u32)> = self.several.iter().map(|(&first, &size)| (first, size)).collect();
        largest.sort_unstable_by_key(|&(first, size)| (Reverse(size), first));
        largest.truncate(LARGEST);
        let keys: HashMap<Location, Key> = self
            .classes
            .iter()
            .map(|(key, first)| (first, key))
            .filter(|(first, _)| largest.iter().any(|(location, _)| location == first))
            .collect();
        classes.largest = largest
            .into_iter()
            .map(|(first, records)| LargeClass {
                class: keys[&first].to_string(),
                file: self.files.name(first).to_owned(),
                line: first.line(),
                records,
            })
            .collect();
        Some(classes)
    }
}
