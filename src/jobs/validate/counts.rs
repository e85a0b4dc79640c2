//! Counts of records, indexed by an enum.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;

use serde::{Serialize, Serializer};

/// An enum whose values can be counted.
pub trait Category: Copy + 'static {
    /// Every value.
    const ALL: &'static [Self];

    /// The place of a value in [`Category::ALL`].
    fn index(self) -> usize;

    /// Its name in summaries.
    fn name(self) -> &'static str;
}

/// How often each value of an enum was counted.
#[derive(Clone, PartialEq, Eq)]
pub struct Counts<E>(Vec<u64>, PhantomData<E>);

impl<E: Category> Counts<E> {
    pub(super) fn add(&mut self, category: E) {
        self.0[category.index()] += 1;
    }

    /// The counts by name, in alphabetical order.
    fn by_name(&self) -> BTreeMap<&'static str, u64> {
        E::ALL.iter().map(|&category| (category.name(), self[category])).collect()
    }
}

/// Nothing counted.
impl<E: Category> Default for Counts<E> {
    fn default() -> Counts<E> {
        Counts(vec![0; E::ALL.len()], PhantomData)
    }
}

impl<E: Category> Index<E> for Counts<E> {
    type Output = u64;

    fn index(&self, category: E) -> &u64 {
        &self.0[category.index()]
    }
}

/// A map with the name of every value, in alphabetical order.
impl<E: Category> Serialize for Counts<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.by_name().serialize(serializer)
    }
}

impl<E: Category> fmt::Debug for Counts<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.by_name().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::{Finding, RecordVerdict};
    use super::*;

    #[test]
    fn summaries_list_all_names_in_alphabetical_order() {
        let mut counts = Counts::default();
        for category in [RecordVerdict::Sound, RecordVerdict::Finding(Finding::Isomorph), RecordVerdict::Sound] {
            counts.add(category);
        }
        assert_eq!(
            serde_json::to_string(&counts).unwrap(),
            "{\"bad-answer\":0,\"conflict\":0,\"duplicate\":0,\"isomorph\":1,\"leak-exact\":0,\"leak-isomorph\":0,\
             \"leak-solution\":0,\"malformed\":0,\"multiple\":0,\"none\":0,\"not-minimal\":0,\"sound\":2,\
             \"wrong-answer\":0}"
        );
    }

    #[test]
    fn every_value_has_a_count_of_its_own() {
        fn check<E: Category>() {
            assert!(E::ALL.iter().map(|category| category.index()).eq(0..E::ALL.len()));
        }
        check::<Finding>();
        check::<RecordVerdict>();
    }
}
