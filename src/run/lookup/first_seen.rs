//! A hash table from keys to the locations where they were first seen, or to other small values, for many millions of
//! keys.
//!
//! A key is 128 bits of a cryptographic hash, so its upper bits give its slot in a table of any size:
//!
//! ```text
//! slots   | . | key, location | key, location | . | . | key, location | ...    keys ascend, except in collisions
//!               ^ at key / 2^64 * slots, or the next free slot
//! ```
//!
//! So a full table does not have to double. It grows in place by a quarter, and takes 30 to 40 bytes for each key.

use std::num::NonZeroU64;
use std::sync::Arc;

use crate::canon::Key;
use crate::corpus::Input;

/// The location of a record: the number of its input, below 2^24, and its line, below 2^40.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Location(NonZeroU64);

impl Location {
    const LINE_BITS: u32 = 40;

    /// The location of the record on `line`, counted from 1, of input number `file`.
    ///
    /// # Panics
    ///
    /// If the line or the number is too large.
    pub(crate) fn new(file: usize, line: u64) -> Location {
        assert!((1..1 << Self::LINE_BITS).contains(&line) && file < 1 << 24, "line {line} of input {file}");
        let location = NonZeroU64::new((file as u64) << Self::LINE_BITS | line);
        Location(location.expect("lines count from 1"))
    }

    /// The number of the input.
    pub(crate) fn file(self) -> usize {
        (self.0.get() >> Self::LINE_BITS) as usize
    }

    /// The line, from 1.
    pub(crate) fn line(self) -> u64 {
        self.0.get() & ((1 << Self::LINE_BITS) - 1)
    }
}

/// The inputs of a run so far, in order. Their indices keep a [`Location`] within 64 bits.
#[derive(Debug, Default)]
pub(crate) struct Files(Vec<Arc<Input>>);

impl Files {
    /// The location of a record in the latest input, or in a new one.
    pub(crate) fn location(&mut self, input: &Arc<Input>, line: u64) -> Location {
        if !self.0.last().is_some_and(|last| Arc::ptr_eq(last, input)) {
            self.0.push(Arc::clone(input));
        }
        Location::new(self.0.len() - 1, line)
    }

    /// The names of the inputs, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|input| &*input.name)
    }

    /// The name of a location's input.
    pub(crate) fn name(&self, location: Location) -> &str {
        &self.0[location.file()].name
    }
}

/// Keys with their first value: the location where each was first seen, for instance.
#[derive(Clone, Debug)]
pub(crate) struct FirstSeen<V = Location> {
    slots: Vec<Slot<V>>,
    len: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot<V> {
    key: Key,
    /// `None` in a free slot. It takes no space if `V` is never 0.
    value: Option<V>,
}

impl<V> Default for FirstSeen<V> {
    fn default() -> FirstSeen<V> {
        FirstSeen { slots: vec![], len: 0 }
    }
}

impl<V: Copy> FirstSeen<V> {
    const FREE: Slot<V> = Slot { key: Key::ZERO, value: None };

    /// The number of keys.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The first value of a key.
    pub(crate) fn get(&self, key: Key) -> Option<V> {
        self.slots.get(self.index(key)?)?.value
    }

    /// Adds a key. If it is there already, returns its first value.
    pub(crate) fn insert(&mut self, key: Key, value: V) -> Option<V> {
        if let Some(first) = self.get(key) {
            return Some(first);
        }
        if self.len * 5 >= self.slots.len() * 4 {
            self.grow();
        }
        self.place(Slot { key, value: Some(value) });
        self.len += 1;
        None
    }

    /// Every key with its first value, in unspecified order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key, V)> {
        self.slots.iter().filter_map(|slot| Some((slot.key, slot.value?)))
    }

    /// The index of the slot with the key, or of the free slot where it belongs; `None` in a table without slots.
    fn index(&self, key: Key) -> Option<usize> {
        let mut index = self.home(key);
        loop {
            let slot = self.slots.get(index)?;
            if slot.value.is_none() || slot.key == key {
                return Some(index);
            }
            index = if index + 1 == self.slots.len() { 0 } else { index + 1 };
        }
    }

    /// The index of a key's slot without a collision.
    fn home(&self, key: Key) -> usize {
        ((u128::from(key.upper()) * self.slots.len() as u128) >> 64) as usize
    }

    /// Adds slots without a second table. For large tables, the operating system remaps the memory without a copy.
    fn grow(&mut self) {
        let old = self.slots.len();
        let slots = (old + old / 4).max(1024);
        self.slots.reserve_exact(slots - old);
        self.slots.resize(slots, Self::FREE);

        // Move all keys to the end, in their order.
        let mut start = slots;
        for index in (0..old).rev() {
            if self.slots[index].value.is_some() {
                start -= 1;
                self.slots.swap(index, start);
            }
        }

        // Move each key to its slot, which is usually further to the front. The remaining keys follow once the end is
        // free.
        let mut left = vec![];
        for next in start..slots {
            let slot = std::mem::replace(&mut self.slots[next], Self::FREE);
            if self.home(slot.key) <= next { self.place(slot) } else { left.push(slot) }
        }
        for slot in left {
            self.place(slot);
        }
    }

    fn place(&mut self, slot: Slot<V>) {
        let index = self.index(slot.key).expect("there are slots");
        self.slots[index] = slot;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    /// Different cells for different numbers.
    fn cells(number: u64) -> [u8; 16] {
        std::array::from_fn(|digit| (number >> (4 * digit) & 15) as u8)
    }

    #[test]
    fn locations_keep_their_file_and_line() {
        for (file, line) in [(0, 1), (0, (1 << 40) - 1), ((1 << 24) - 1, 77)] {
            let location = Location::new(file, line);
            assert_eq!((location.file(), location.line()), (file, line));
        }
    }

    /// At all sizes but the smallest.
    #[test]
    fn a_key_takes_at_most_forty_bytes() {
        let mut seen = FirstSeen::default();
        for n in 1..100_000_u64 {
            assert_eq!(seen.insert(Key::of_cells(&cells(n)), Location::new(0, n)), None);
            let bytes = seen.slots.capacity() * size_of::<Slot<Location>>();
            assert!(n < 1000 || bytes <= 40 * seen.len(), "{bytes} bytes for {n} keys");
        }
        for n in 1..100_000_u64 {
            assert_eq!(seen.get(Key::of_cells(&cells(n))), Some(Location::new(0, n)));
        }
    }

    proptest! {
        /// Compares the table with a map, for keys that collide, also at its end.
        #[test]
        fn the_first_location_is_kept(keys in proptest::collection::vec((0..4_u64, 0..700_u64), 0..3000)) {
            let (mut seen, mut map) = (FirstSeen::default(), HashMap::new());
            for (line, (upper, lower)) in (1..).zip(keys) {
                let key = Key::from_halves([upper.wrapping_sub(2) << 62, lower]);
                let location = Location::new(0, line);
                let first = *map.entry(key).or_insert(location);
                prop_assert_eq!(seen.insert(key, location), (first != location).then_some(first));
            }
            prop_assert_eq!(seen.len(), map.len());
            prop_assert!(seen.iter().all(|(key, location)| map[&key] == location));
            prop_assert_eq!(seen.iter().count(), map.len());
        }
    }
}
