//! Repetitions: duplicates, isomorphs, and the counts of keys for an audit.
//!
//! A [`DuplicateIndex`] has three tables of keys: puzzles, classes of puzzles, classes of solved grids. A [`KeyIndex`] has the
//! location where each key was first seen, and the number of its records in each input:
//!
//! ```text
//!   FirstSeen   every key:                    its first location           30 to 40 bytes for each key
//!   repeats     every key of several records: their number in each input   up to 60 bytes for each key and input
//! ```
//!
//! A record adds to one of the two, never to both.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::AskedChecks;
use super::finding::Finding;
use super::note::RecordKeys;
use super::score::{Classes, LargeClass};
use crate::canon::Key;
use crate::corpus::Input;
use crate::lookup::{Files, FirstSeen, Location};
use crate::puzzle::Size;

/// The puzzles and classes of all records so far, each with its first location.
///
/// A record takes up to 40 bytes for each kind of key. While a table grows, the old one is in memory as well.
pub(super) struct DuplicateIndex {
    asked: AskedChecks,
    /// Whether locations include the file, because the corpus has several.
    names_files: bool,
    pub(super) files: Files,
    pub(super) puzzles: KeyIndex,
    pub(super) classes: KeyIndex,
    pub(super) grids: KeyIndex,
}

impl DuplicateIndex {
    pub(super) fn new(asked: AskedChecks, names_files: bool) -> DuplicateIndex {
        DuplicateIndex {
            asked,
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
        let AskedChecks { duplicates, isomorphs, audit, .. } = self.asked;
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

    /// A location in words: `line 7`, or `train.csv:7` if the corpus has several inputs.
    fn name(&self, location: Location) -> String {
        let line = location.line();
        if self.names_files { format!("{}:{line}", self.files.name(location)) } else { format!("line {line}") }
    }

    /// The classes of puzzles so far, if they are collected.
    pub(super) fn puzzle_classes(&self) -> Option<Classes> {
        let is_counted = self.asked.isomorphs || self.asked.audit;
        is_counted.then(|| self.classes.classes(&self.files))
    }
}

/// The number of largest classes in a score.
const LARGEST: usize = 5;

/// Keys of one kind: puzzles, classes of puzzles, or classes of solved grids.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyIndex {
    seen: FirstSeen,
    /// The records of each repeated key in each input, by the location of the key's first record.
    repeats: HashMap<(Location, usize), KeyRecords>,
    /// The records and keys of each size.
    all: Spreads,
    /// The records and keys of each size in each input.
    inputs: Vec<Spreads>,
}

/// The records of one key in an input.
#[derive(Clone, Copy, Debug)]
struct KeyRecords {
    records: u32,
    size: Size,
}

/// The distribution of the records of one size over keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Spread {
    pub(super) records: u64,
    /// The number of distinct keys.
    pub(super) keys: u64,
    /// The records that share their key with another record.
    pub(super) repeated: u64,
    /// The records of the most frequent key.
    pub(super) largest: u64,
}

type Spreads = [Spread; Size::ALL.len()];

/// The overlap of an input with other inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Overlap {
    /// The shared keys.
    pub(super) keys: u64,
    /// The records with a shared key.
    pub(super) records: u64,
}

/// The counts of the keys of all records.
#[derive(Clone, Debug)]
pub(super) struct KeyCounts {
    pub(super) all: Spreads,
    pub(super) inputs: Vec<Spreads>,
    /// The overlap of an input with another input, or (`None`) with any other, for each size.
    pub(super) shared: BTreeMap<(usize, Option<usize>, Size), Overlap>,
}

impl Spread {
    /// Counts the records of a key.
    fn add_key(&mut self, records: u64) {
        self.largest = self.largest.max(records);
        if records > 1 {
            self.repeated += records;
        }
    }
}

impl KeyIndex {
    /// The maximum number of inputs that are compared with each other. Inputs with higher indices are not compared.
    pub(super) const MAX_INPUTS: usize = 64;

    /// Adds the key of a record, and returns the location of the first record with it, if that is an earlier one.
    pub(super) fn insert(&mut self, key: Key, size: Size, location: Location) -> Option<Location> {
        let (first, input) = (self.seen.insert(key, location), location.file());
        let is_new_in_input = first.is_none_or(|first| {
            self.repeats.entry((first, first.file())).or_insert(KeyRecords { records: 1, size });
            let repeats = self.repeats.entry((first, input)).or_insert(KeyRecords { records: 0, size });
            repeats.records = repeats.records.saturating_add(1);
            repeats.records == 1
        });

        self.inputs.resize(self.inputs.len().max(input + 1), Spreads::default());
        let spreads = [(&mut self.all, first.is_none()), (&mut self.inputs[input], is_new_in_input)];
        for (spreads, is_new) in spreads {
            let spread = &mut spreads[size.index()];
            spread.records += 1;
            spread.keys += u64::from(is_new);
            spread.largest = spread.largest.max(1);
        }
        first
    }

    /// The counts of all keys.
    pub(super) fn counts(&self) -> KeyCounts {
        let (mut all, mut inputs, mut shared) = (self.all, self.inputs.clone(), BTreeMap::new());
        let mut repeats: Vec<_> = self.repeats.iter().collect();
        repeats.sort_unstable_by_key(|&(place, _)| place);
        for of_key in repeats.chunk_by(|a, b| a.0.0 == b.0.0) {
            let size = of_key[0].1.size;
            all[size.index()].add_key(of_key.iter().map(|(_, repeats)| u64::from(repeats.records)).sum());
            for &(&(_, input), &KeyRecords { records, .. }) in of_key {
                inputs[input][size.index()].add_key(records.into());
                let others = of_key.iter().map(|((_, other), _)| *other).filter(|&other| other != input);
                let compared = others.clone().filter(|other| input.max(*other) < Self::MAX_INPUTS);
                for other in compared.map(Some).chain(others.take(1).map(|_| None)) {
                    let overlap: &mut Overlap = shared.entry((input, other, size)).or_default();
                    overlap.keys += 1;
                    overlap.records += u64::from(records);
                }
            }
        }
        KeyCounts { all, inputs, shared }
    }

    /// The keys as classes, by their number of records.
    pub(super) fn classes(&self, files: &Files) -> Classes {
        let mut totals: HashMap<Location, u32> = HashMap::new();
        for (&(first, _), repeats) in &self.repeats {
            let total = totals.entry(first).or_default();
            *total = total.saturating_add(repeats.records);
        }
        let mut classes = Classes { classes: self.seen.len() as u64, ..Classes::default() };
        let single = self.seen.len() - totals.len();
        if single > 0 {
            classes.sizes.insert(1, single as u64);
        }
        for &records in totals.values() {
            *classes.sizes.entry(records).or_default() += 1;
        }

        let mut largest: Vec<(Location, u32)> = totals.into_iter().collect();
        largest.sort_unstable_by_key(|&(first, size)| (Reverse(size), first));
        largest.truncate(LARGEST);
        let keys: HashMap<Location, Key> = self
            .seen
            .iter()
            .map(|(key, first)| (first, key))
            .filter(|(first, _)| largest.iter().any(|(location, _)| location == first))
            .collect();
        classes.largest = largest
            .into_iter()
            .map(|(first, records)| LargeClass {
                class: keys[&first].to_string(),
                file: files.name(first).to_owned(),
                line: first.line(),
                records,
            })
            .collect();
        classes
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compared with lists of all records, also for inputs above the maximum.
        #[test]
        fn records_are_counted_by_key_and_input(mut records in proptest::collection::vec((0..5_usize, 0..20_u64), 0..200)) {
            let inputs = [0, 1, 2, 63, 64];
            records.sort_by_key(|&(input, _)| input);
            let mut index = KeyIndex::default();
            for (line, &(input, key)) in (1..).zip(&records) {
                index.insert(Key::from_halves([key << 59, key]), Size::Nine, Location::new(inputs[input], line));
            }
            let counts = index.counts();
            let keys = |input: Option<usize>| -> Vec<u64> {
                records.iter().filter(|record| input.is_none_or(|input| record.0 == input)).map(|record| record.1).collect()
            };
            for input in (0..5).map(Some).chain([None]) {
                let of_key = |key: u64| keys(input).iter().filter(|&&other| other == key).count() as u64;
                let frequencies: Vec<u64> = (0..20).map(of_key).filter(|&records| records > 0).collect();
                let expected = Spread {
                    records: frequencies.iter().sum(),
                    keys: frequencies.len() as u64,
                    repeated: frequencies.iter().filter(|&&records| records > 1).sum(),
                    largest: frequencies.iter().copied().max().unwrap_or(0),
                };
                let found = input.map_or(Some(counts.all), |input| counts.inputs.get(inputs[input]).copied());
                prop_assert_eq!(found.unwrap_or_default()[Size::Nine.index()], expected);
            }
            for input in 0..5 {
                for other in (0..5).filter(|&other| other != input).map(Some).chain([None]) {
                    let others: Vec<u64> = match other {
                        Some(other) => keys(Some(other)),
                        None => (0..5).filter(|&other| other != input).flat_map(|other| keys(Some(other))).collect(),
                    };
                    let mut shared = keys(Some(input));
                    shared.retain(|key| others.contains(key));
                    let records = shared.len() as u64;
                    shared.sort_unstable();
                    shared.dedup();
                    let mut expected = Overlap { keys: shared.len() as u64, records };
                    if other.is_some() && (input == 4 || other == Some(4)) {
                        expected = Overlap::default();
                    }
                    let place = (inputs[input], other.map(|other| inputs[other]), Size::Nine);
                    prop_assert_eq!(counts.shared.get(&place).copied().unwrap_or_default(), expected);
                }
            }
        }
    }
}
