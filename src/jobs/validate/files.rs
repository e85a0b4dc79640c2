//! The inputs of a run by number, so that a place in any of them fits into a word.

use std::sync::Arc;

use super::first_seen::Location;
use crate::corpus::Input;

/// The inputs that have been begun, in order.
#[derive(Debug, Default)]
pub(super) struct Files(Vec<Arc<Input>>);

impl Files {
    /// The place of a record of the latest input, or of one that begins with it.
    pub(super) fn place(&mut self, input: &Arc<Input>, line: u64) -> Location {
        if !self.0.last().is_some_and(|last| Arc::ptr_eq(last, input)) {
            self.0.push(Arc::clone(input));
        }
        Location::new(self.0.len() - 1, line)
    }

    /// The name of the input that a place is in.
    pub(super) fn name(&self, place: Location) -> &str {
        &self.0[place.file()].name
    }
}
