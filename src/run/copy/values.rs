//! The values of a column that records are stratified by.

use std::collections::HashMap;

use super::error::CopyError;

/// The maximum number of values of a column.
const MAX_VALUES: usize = 10_000;

/// The index of a value in a [`ValueTable`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ValueIndex(u32);

impl ValueIndex {
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// The values of a column, in the order of their first occurrence.
#[derive(Debug)]
pub(crate) struct ValueTable {
    /// The name of the column.
    pub(crate) column: String,
    indices: HashMap<Vec<u8>, ValueIndex>,
}

impl ValueTable {
    /// No values of this column.
    pub(crate) fn new(column: &str) -> ValueTable {
        ValueTable { column: column.to_owned(), indices: HashMap::new() }
    }

    /// The index of a value.
    ///
    /// # Errors
    ///
    /// If it is one value too many.
    pub(crate) fn index(&mut self, value: &[u8]) -> Result<ValueIndex, CopyError> {
        if let Some(&index) = self.indices.get(value) {
            return Ok(index);
        }
        let index = ValueIndex(self.indices.len() as u32);
        if self.indices.len() == MAX_VALUES {
            return Err(CopyError::TooManyValues { column: self.column.clone(), limit: MAX_VALUES });
        }
        self.indices.insert(value.to_vec(), index);
        Ok(index)
    }

    /// The values by index.
    pub(crate) fn texts(&self) -> Vec<&[u8]> {
        let mut texts = vec![&[][..]; self.indices.len()];
        self.indices.iter().for_each(|(text, index)| texts[index.get()] = text);
        texts
    }
}
