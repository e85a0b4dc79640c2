//! Arrays of `NumPy`: integers, one for each cell.

use crate::format::DetectError;
use crate::format::columns::WantedColumns;
use crate::format::definition::{Format, Start, TextLayout};

/// The format. It is no text, so it cannot be detected in one.
#[derive(Debug)]
pub(super) struct Npy;

impl Format for Npy {
    fn name(&self) -> &'static str {
        "npy"
    }

    fn description(&self) -> &'static str {
        "NumPy arrays (.npy, .npz) of integers, a row of cells for each puzzle"
    }

    fn example(&self) -> &'static str {
        ""
    }

    fn extension(&self) -> &'static str {
        "npy"
    }

    fn has_columns(&self) -> bool {
        true
    }

    fn is_likely(&self, _start: Start<'_>) -> Result<bool, DetectError> {
        Ok(false)
    }

    fn layout(&self, _: Start<'_>, _: WantedColumns<'_>) -> Result<(Box<dyn TextLayout>, usize), DetectError> {
        Err(DetectError::NotTyped { format: self.name() })
    }
}
