//! Parquet: a table with typed columns, of which one holds the puzzles.

use crate::format::DetectError;
use crate::format::columns::WantedColumns;
use crate::format::definition::{Format, Start, TextLayout};

/// The format. It is no text, so it cannot be detected in one.
#[derive(Debug)]
pub(super) struct Parquet;

impl Format for Parquet {
    fn name(&self) -> &'static str {
        "parquet"
    }

    fn description(&self) -> &'static str {
        "typed columns, of which one holds the puzzles as text or as lists of integers"
    }

    fn example(&self) -> &'static str {
        ""
    }

    fn extension(&self) -> &'static str {
        "parquet"
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
