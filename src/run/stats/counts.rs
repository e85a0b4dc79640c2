//! Counts for the values of an enum.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::VariantArray;

use super::Mergeable;
use crate::rating::Level;
use crate::rows::Status;

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
}
