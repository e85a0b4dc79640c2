//! Numbers the inputs of a run, so that a location in any of them fits into 64 bits.

use std::sync::Arc;

use super::first_seen::Location;
use crate::corpus::Input;

/// The inputs so far, in order.
#[derive(Debug, Default)]
pub(super) struct Files(Vec<Arc<Input>>);

impl Files {
    /// The location of a record in the latest input, or in a new one.
    pub(super) fn location(&mut self, input: &Arc<Input>, line: u64) -> Location {
        if !self.0.last().is_some_and(|last| Arc::ptr_eq(last, input)) {
            self.0.push(Arc::clone(input));
        }
        Location::new(self.0.len() - 1, line)
    }

    /// The name of a location's input.
    pub(super) fn name(&self, location: Location) -> &str {
        &self.0[location.file()].name
    }
}
