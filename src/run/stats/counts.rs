//! Counts, and how they are added up: of two workers, of two shards, or of a run and the interrupted run before it.

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BinaryHeap};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::VariantArray;

use crate::rating::Level;
use crate::rows::Status;

/// Counts that can be added up.
pub(crate) trait Mergeable {
    /// Adds the counts of other records.
    fn merge(&mut self, other: Self);
}

/// Merges the values of a type by merging each of its fields.
macro_rules! merge_fields {
    ($type:ident: $($field:ident),+) => {
        impl $crate::stats::Mergeable for $type {
            fn merge(&mut self, other: $type) {
                $($crate::stats::Mergeable::merge(&mut self.$field, other.$field);)+
            }
        }
    };
}
pub(crate) use merge_fields;

impl Mergeable for () {
    fn merge(&mut self, (): ()) {}
}

impl Mergeable for u64 {
    fn merge(&mut self, other: u64) {
        *self += other;
    }
}

impl Mergeable for Duration {
    fn merge(&mut self, other: Duration) {
        *self += other;
    }
}

impl<T: Mergeable> Mergeable for Option<T> {
    fn merge(&mut self, other: Option<T>) {
        match (self, other) {
            (Some(own), Some(other)) => own.merge(other),
            (own, other) => *own = own.take().or(other),
        }
    }
}

/// Counts by their indices. A missing count is zero.
impl Mergeable for Vec<u64> {
    fn merge(&mut self, other: Vec<u64>) {
        // A list that merges with a shorter one has the counts of both.
        self.resize(self.len().max(other.len()), 0);
        self.iter_mut().zip(other).for_each(|(own, other)| *own += other);
    }
}

impl<const N: usize> Mergeable for [u64; N] {
    fn merge(&mut self, other: [u64; N]) {
        self.iter_mut().zip(other).for_each(|(own, other)| *own += other);
    }
}

impl<K: Ord, V: Mergeable> Mergeable for BTreeMap<K, V> {
    fn merge(&mut self, other: BTreeMap<K, V>) {
        for (key, value) in other {
            match self.entry(key) {
                Entry::Occupied(mut own) => own.get_mut().merge(value),
                Entry::Vacant(own) => _ = own.insert(value),
            }
        }
    }
}

/// An enum with names whose values can be counted in [`Counts`].
pub trait Category: Copy + Into<&'static str> + VariantArray {
    /// The index of the value among all.
    fn index(self) -> usize;
}

impl Category for Status {
    fn index(self) -> usize {
        self as usize
    }
}

impl Category for Level {
    fn index(self) -> usize {
        self as usize
    }
}

/// A count for each value of an enum, from 0.
///
/// Read a count by `counts[value]` and increment it by `counts[value] += 1`. The JSON is an object with every name in
/// alphabetical order; a name that is missing from JSON has the count 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts<C> {
    counts: Vec<u64>,
    category: PhantomData<C>,
}

impl<C: Category> Counts<C> {
    /// The sum of all counts.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl<C: Category> Default for Counts<C> {
    fn default() -> Counts<C> {
        Counts { counts: vec![0; C::VARIANTS.len()], category: PhantomData }
    }
}

impl<C: Category> Index<C> for Counts<C> {
    type Output = u64;

    fn index(&self, value: C) -> &u64 {
        &self.counts[value.index()]
    }
}

impl<C: Category> IndexMut<C> for Counts<C> {
    fn index_mut(&mut self, value: C) -> &mut u64 {
        &mut self.counts[value.index()]
    }
}

impl<C: Category> Mergeable for Counts<C> {
    fn merge(&mut self, other: Counts<C>) {
        self.counts.merge(other.counts);
    }
}

impl<C: Category> Serialize for Counts<C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // In alphabetical order, whatever the order of the values.
        let named: BTreeMap<&str, u64> = C::VARIANTS.iter().map(|&value| (value.into(), self[value])).collect();
        named.serialize(serializer)
    }
}

impl<'de, C: Category> Deserialize<'de> for Counts<C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Counts<C>, D::Error> {
        let named = BTreeMap::<String, u64>::deserialize(deserializer)?;
        let mut counts = Counts::default();
        for &value in C::VARIANTS {
            counts[value] = named.get(value.into()).copied().unwrap_or(0);
        }
        Ok(counts)
    }
}

/// The greatest items so far, with the least of them on top of the heap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Top<T: Ord> {
    /// The maximum number of items.
    most: usize,
    heap: BinaryHeap<Reverse<T>>,
}

impl<T: Ord> Top<T> {
    /// Keeps the `most` greatest items.
    pub(super) fn new(most: usize) -> Top<T> {
        Top { most, heap: BinaryHeap::new() }
    }

    /// The maximum number of items.
    pub(super) fn most(&self) -> usize {
        self.most
    }

    /// Whether an item would be kept; `is_above` tells whether it is greater than another item. Most are not, and making
    /// one copies texts.
    #[inline]
    pub(super) fn keeps(&self, is_above: impl FnOnce(&T) -> bool) -> bool {
        self.heap.len() < self.most || self.heap.peek().is_some_and(|Reverse(least)| is_above(least))
    }

    /// Adds an item.
    pub(super) fn add(&mut self, item: T) {
        self.heap.push(Reverse(item));
        if self.heap.len() > self.most {
            self.heap.pop();
        }
    }

    /// The items, greatest first.
    pub(super) fn into_sorted(self) -> Vec<T> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(item)| item).collect()
    }
}

impl<T: Ord> Mergeable for Top<T> {
    fn merge(&mut self, other: Top<T>) {
        other.heap.into_iter().for_each(|Reverse(item)| self.add(item));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_every_name_in_alphabetical_order() {
        let mut counts = Counts::default();
        counts[Status::Unique] += 7;
        counts[Status::None] += 1;
        let mut twice = counts.clone();
        twice.merge(counts.clone());
        assert_eq!((twice[Status::Unique], twice[Status::Multiple], twice.total()), (14, 0, 16));
        let json = serde_json::to_string(&counts).unwrap();
        assert_eq!(json, r#"{"malformed":0,"multiple":0,"none":1,"undecided":0,"unique":7}"#);
        assert_eq!(serde_json::from_str::<Counts<Status>>(&json).unwrap(), counts);
        assert_eq!(serde_json::from_str::<Counts<Status>>("{}").unwrap(), Counts::default());
    }

    #[test]
    fn every_status_is_at_its_index() {
        assert!(Status::VARIANTS.iter().enumerate().all(|(index, status)| status.index() == index));
    }

    #[test]
    fn only_greater_items_are_kept() {
        let mut top = Top::new(2);
        let mut added = vec![5, 3, 3, 2, 7, 4];
        added.retain(|&item| {
            let is_kept = top.keeps(|&least| item > least);
            if is_kept {
                top.add(item);
            }
            is_kept
        });
        assert_eq!(added, [5, 3, 7]);
        let mut other = Top::new(2);
        other.add(6);
        other.add(1);
        top.merge(other);
        assert_eq!(top.into_sorted(), [7, 6]);
        let mut none = Top::new(0);
        none.add(1);
        assert!(none.into_sorted().is_empty());
    }
}
