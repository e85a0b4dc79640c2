//! Which keys have been seen, and where first: a table for many millions of them in bounded memory.
//!
//! A key is 128 bits of a cryptographic hash, so its upper bits say where in the table it belongs, whatever the
//! table's size:
//!
//! ```text
//! slots   | . | key, place | key, place | . | . | key, place | ...      the keys ascend, but for those near together
//!               ^ at key / 2^64 * slots, or the next that is free
//! ```
//!
//! So the table need not double when it is full; it grows by a quarter, in one pass from its front to its back, and
//! takes 30 to 40 bytes a key. While it grows, the old one is there as well.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use crate::canon::Class;

/// 128 bits that stand for a puzzle, or for a class of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key([u64; 2]);

impl Key {
    /// The key of a puzzle of any size by its cell values: the first half of their SHA-256.
    pub(super) fn of_cells(cells: &[u8]) -> Key {
        let hash: [u8; 32] = Sha256::digest(cells).into();
        Key::from_bytes(std::array::from_fn(|byte| hash[byte]))
    }

    fn from_bytes(bytes: [u8; 16]) -> Key {
        let bits = u128::from_be_bytes(bytes);
        Key([(bits >> 64) as u64, bits as u64])
    }
}

/// As a [`Class`] is printed: 32 hexadecimal digits.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.0[0], self.0[1])
    }
}

/// Reads 32 hexadecimal digits.
impl FromStr for Key {
    type Err = ParseIntError;

    fn from_str(digits: &str) -> Result<Key, ParseIntError> {
        // One digit too many is as wrong as one that is none.
        let digits = if digits.len() == 32 { digits } else { "" };
        u128::from_str_radix(digits, 16).map(|bits| Key::from_bytes(bits.to_be_bytes()))
    }
}

impl From<Class> for Key {
    fn from(class: Class) -> Key {
        Key::from_bytes(class.bytes())
    }
}

/// Where a record stands: the number of its input, below 2^24, and its line, below 2^40.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Location(u64);

impl Location {
    const LINE_BITS: u32 = 40;

    /// The place of the record on `line`, counted from 1, of input number `file`.
    ///
    /// # Panics
    ///
    /// If the line or the number is too large.
    pub(super) fn new(file: usize, line: u64) -> Location {
        assert!((1..1 << Self::LINE_BITS).contains(&line) && file < 1 << 24, "line {line} of input {file}");
        Location((file as u64) << Self::LINE_BITS | line)
    }

    /// The number of the input.
    pub(super) fn file(self) -> usize {
        (self.0 >> Self::LINE_BITS) as usize
    }

    /// The line, from 1.
    pub(super) fn line(self) -> u64 {
        self.0 & ((1 << Self::LINE_BITS) - 1)
    }
}

/// Keys with the place where each was seen first.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstSeen {
    slots: Vec<Slot>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: Key,
    /// `FREE` if there is no key; no place is 0.
    place: Location,
}

const FREE: Slot = Slot { key: Key([0; 2]), place: Location(0) };

impl FirstSeen {
    /// How many keys there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Where a key was seen first, if it was.
    pub(super) fn get(&self, key: Key) -> Option<Location> {
        let slot = self.slots.get(self.index(key)?)?;
        (slot.place != FREE.place).then_some(slot.place)
    }

    /// Adds a key that is seen at `place`, unless it was seen before: then says where first.
    pub(super) fn insert(&mut self, key: Key, place: Location) -> Option<Location> {
        if let Some(first) = self.get(key) {
            return Some(first);
        }
        if self.len * 5 >= self.slots.len() * 4 {
            self.grow();
        }
        let index = self.index(key).expect("a table that has grown has slots");
        self.slots[index] = Slot { key, place };
        self.len += 1;
        None
    }

    /// Every key with the place where it was seen first, in no order that means anything.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Key, Location)> {
        self.slots.iter().filter(|slot| slot.place != FREE.place).map(|slot| (slot.key, slot.place))
    }

    /// The slot that has the key, or else the one that is free for it; `None` if there are no slots at all.
    fn index(&self, key: Key) -> Option<usize> {
        let slots = self.slots.len();
        let mut index = ((u128::from(key.0[0]) * slots as u128) >> 64) as usize;
        loop {
            let slot = self.slots.get(index)?;
            if slot.place == FREE.place || slot.key == key {
                return Some(index);
            }
            index = if index + 1 == slots { 0 } else { index + 1 };
        }
    }

    fn grow(&mut self) {
        let slots = (self.slots.len() + self.slots.len() / 4).max(1024);
        let old = std::mem::replace(&mut self.slots, vec![FREE; slots]);
        for slot in old.into_iter().filter(|slot| slot.place != FREE.place) {
            let index = self.index(slot.key).expect("there are slots");
            self.slots[index] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keys_are_read_as_they_are_printed() {
        let key = Key::of_cells(b"cells");
        assert_eq!(key.to_string().parse(), Ok(key));
        for text in
            ["", "1", &key.to_string()[1..], &format!("0{key}"), &key.to_string().replace(&key.to_string()[..1], "x")]
        {
            assert!(text.parse::<Key>().is_err(), "{text}");
        }
    }

    #[test]
    fn places_come_back_as_they_went_in() {
        for (file, line) in [(0, 1), (0, (1 << 40) - 1), ((1 << 24) - 1, 77)] {
            let place = Location::new(file, line);
            assert_eq!((place.file(), place.line()), (file, line));
        }
    }

    /// At all sizes from where the table is no longer small.
    #[test]
    fn a_key_takes_forty_bytes_at_the_most() {
        let mut seen = FirstSeen::default();
        for n in 1..100_000_u64 {
            assert_eq!(seen.insert(Key::of_cells(&n.to_ne_bytes()), Location::new(0, n)), None);
            let bytes = seen.slots.len() * size_of::<Slot>();
            assert!(n < 1000 || bytes <= 40 * seen.len(), "{bytes} bytes for {n} keys");
        }
        for n in 1..100_000_u64 {
            assert_eq!(seen.get(Key::of_cells(&n.to_ne_bytes())), Some(Location::new(0, n)));
        }
    }

    proptest! {
        /// Against a map, with keys that crowd together, also at the table's end.
        #[test]
        fn the_first_place_is_kept(keys in proptest::collection::vec((0..4_u64, 0..700_u64), 0..3000)) {
            let (mut seen, mut map) = (FirstSeen::default(), HashMap::new());
            for (line, (upper, lower)) in (1..).zip(keys) {
                let key = Key([upper.wrapping_sub(2) << 62, lower]);
                let place = Location::new(0, line);
                let first = *map.entry(key.0).or_insert(place);
                prop_assert_eq!(seen.insert(key, place), (first != place).then_some(first));
            }
            prop_assert_eq!(seen.len(), map.len());
            prop_assert!(seen.iter().all(|(key, place)| map[&key.0] == place));
            prop_assert_eq!(seen.iter().count(), map.len());
        }
    }
}
