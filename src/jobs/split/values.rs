//! Numbers the values of a column.

use std::collections::HashMap;

/// The maximum number of values of a column.
pub(super) const MAX_VALUES: usize = 10_000;

/// The number of a value in a [`ValueTable`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ValueIndex(u32);

impl ValueIndex {
    pub(super) fn get(self) -> usize {
        self.0 as usize
    }
}

/// The values of a column, in the order in which they occur.
#[derive(Debug, Default)]
pub(super) struct ValueTable {
    indices: HashMap<Vec<u8>, ValueIndex>,
}

impl ValueTable {
    /// The number of a value; `None` if there are too many.
    pub(super) fn index(&mut self, value: &[u8]) -> Option<ValueIndex> {
        if let Some(&index) = self.indices.get(value) {
            return Some(index);
        }
        let index = ValueIndex(self.indices.len() as u32);
        if self.indices.len() == MAX_VALUES {
            return None;
        }
        self.indices.insert(value.to_vec(), index);
        Some(index)
    }

    /// The values by their numbers.
    pub(super) fn texts(&self) -> Vec<&[u8]> {
        let mut texts = vec![&[][..]; self.indices.len()];
        self.indices.iter().for_each(|(text, index)| texts[index.get()] = text);
        texts
    }
}
