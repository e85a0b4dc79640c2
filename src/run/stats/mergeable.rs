//! Merges counts: the counts of two workers, of two shards, or of a run and the interrupted run before it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::time::Duration;

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
