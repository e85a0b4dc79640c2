//! Keys with the record where each was first seen, how many records have it, and in which inputs they are.
//!
//! ```text
//!   FirstSeen   every key:                    its first location         30 to 40 bytes a key
//!   repeats     every key of several records: their number, and inputs   up to 60 bytes a key
//! ```
//!
//! A record adds to one of the two, never to both.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::score::{Classes, LargeClass};
use crate::canon::Key;
use crate::jobs::first_seen::{Files, FirstSeen, Location};
use crate::puzzle::Size;

/// How many of the largest classes a score names.
const LARGEST: usize = 5;

/// Keys of one kind: puzzles, classes of puzzles, or classes of solved grids.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyIndex {
    seen: FirstSeen,
    /// The keys of several records, by the location of the first.
    repeats: HashMap<Location, Repeats>,
    /// The number of keys of each size.
    sizes: [u64; Size::ALL.len()],
    /// The number of keys of each size in each input, of the first [`InputSet::MAX`] ones.
    inputs: Vec<[u64; Size::ALL.len()]>,
}

/// The records of one key.
#[derive(Clone, Copy, Debug)]
struct Repeats {
    records: u32,
    size: Size,
    inputs: InputSet,
}

/// Some of the first inputs of a run, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InputSet(u64);

impl InputSet {
    /// Inputs with higher numbers are left out.
    const MAX: usize = u64::BITS as usize;

    fn of(input: usize) -> InputSet {
        InputSet(if input < Self::MAX { 1 << input } else { 0 })
    }

    fn iter(self) -> impl Iterator<Item = usize> + Clone {
        (0..Self::MAX).filter(move |&input| self.0 >> input & 1 != 0)
    }
}

impl KeyIndex {
    /// The maximum number of inputs that can be compared.
    pub(super) const MAX_INPUTS: usize = InputSet::MAX;

    /// Adds the key of a record, and returns the location of the first record with it, if there is an earlier one.
    pub(super) fn insert(&mut self, key: Key, size: Size, location: Location) -> Option<Location> {
        let first = self.seen.insert(key, location);
        let input = InputSet::of(location.file());
        let is_new_in_input = match first {
            None => {
                self.sizes[size.index()] += 1;
                true
            }
            Some(first) => {
                let one = Repeats { records: 1, size, inputs: InputSet::of(first.file()) };
                let repeats = self.repeats.entry(first).or_insert(one);
                repeats.records = repeats.records.saturating_add(1);
                let before = repeats.inputs;
                repeats.inputs = InputSet(before.0 | input.0);
                before != repeats.inputs
            }
        };
        if let (true, Some(index)) = (is_new_in_input, input.iter().next()) {
            self.inputs.resize(self.inputs.len().max(index + 1), [0; Size::ALL.len()]);
            self.inputs[index][size.index()] += 1;
        }
        first
    }

    /// The number of keys of a size.
    pub(super) fn len(&self, size: Size) -> u64 {
        self.sizes[size.index()]
    }

    /// The number of keys of a size in an input.
    pub(super) fn in_input(&self, input: usize, size: Size) -> u64 {
        self.inputs.get(input).map_or(0, |sizes| sizes[size.index()])
    }

    /// The number of keys of a size that two inputs share, for each pair that shares any, the earlier input first.
    pub(super) fn shared(&self) -> BTreeMap<(usize, usize, Size), u64> {
        let mut shared = BTreeMap::new();
        for &Repeats { size, inputs, .. } in self.repeats.values().filter(|repeats| repeats.inputs.0.count_ones() > 1) {
            for first in inputs.iter() {
                for second in inputs.iter().filter(|&second| second > first) {
                    *shared.entry((first, second, size)).or_default() += 1;
                }
            }
        }
        shared
    }

    /// The keys as classes, by their number of records.
    pub(super) fn classes(&self, files: &Files) -> Classes {
        let mut classes = Classes { classes: self.seen.len() as u64, ..Classes::default() };
        let single = self.seen.len() - self.repeats.len();
        if single > 0 {
            classes.sizes.insert(1, single as u64);
        }
        for repeats in self.repeats.values() {
            *classes.sizes.entry(repeats.records).or_default() += 1;
        }

        let mut largest: Vec<(Location, u32)> =
            self.repeats.iter().map(|(&first, repeats)| (first, repeats.records)).collect();
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
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compared with sets, also for inputs above the maximum.
        #[test]
        fn keys_are_counted_by_input(records in proptest::collection::vec((0..5_usize, 0..20_u64), 0..200)) {
            let inputs = [0, 1, 2, 63, 64];
            let (mut index, mut sets) = (KeyIndex::default(), vec![BTreeSet::new(); 65]);
            for (line, (input, key)) in (1..).zip(records) {
                index.insert(Key::from_halves([key << 59, key]), Size::Nine, Location::new(inputs[input], line));
                sets[inputs[input]].insert(key);
            }
            let all: BTreeSet<u64> = sets.iter().flatten().copied().collect();
            prop_assert_eq!(index.len(Size::Nine), all.len() as u64);
            let shared = index.shared();
            for first in [0, 1, 2, 63] {
                prop_assert_eq!(index.in_input(first, Size::Nine), sets[first].len() as u64);
                for second in [1, 2, 63].into_iter().filter(|&second| second > first) {
                    let both = sets[first].intersection(&sets[second]).count() as u64;
                    prop_assert_eq!(shared.get(&(first, second, Size::Nine)).copied().unwrap_or(0), both);
                }
            }
            prop_assert_eq!(index.in_input(64, Size::Nine), 0);
        }
    }
}
