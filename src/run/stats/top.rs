//! The greatest of many items, such as the slowest puzzles of a run.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use super::Mergeable;

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

    /// Adds an item, which is built only if it is kept. `is_above` tells whether it is greater than another item.
    pub(super) fn add_with(&mut self, is_above: impl FnOnce(&T) -> bool, item: impl FnOnce() -> T) {
        let is_full = self.heap.len() >= self.most;
        if !is_full || self.heap.peek().is_some_and(|Reverse(least)| is_above(least)) {
            self.add(item());
        }
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
    fn only_items_that_are_kept_are_made() {
        let mut made = Vec::new();
        let mut top = Top::new(2);
        for item in [5, 3, 3, 2, 7, 4] {
            top.add_with(
                |&least| item > least,
                || {
                    made.push(item);
                    item
                },
            );
        }
        assert_eq!(made, [5, 3, 7]);
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
