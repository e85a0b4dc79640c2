//! Finds grids in running text, such as the documents of a text corpus.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use gridmill::format::Alphabets;
use gridmill::grids_in;
use gridmill::jobs::Execution;
use gridmill::puzzle::Size;
use pyo3::prelude::*;

use crate::batches::Batches;
use crate::errors::arrow_error;
use crate::interrupt;
use crate::values::named;

/// The grids of a size in some texts: the number of the text, the byte at which the grid starts, and its cells.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
pub(crate) fn find(py: Python<'_>, texts: Vec<String>, size: &str) -> PyResult<Batches> {
    let alphabet = Alphabets::default().for_printing(named::<Size>("size", "size", size)?);
    let (mut lines, mut starts, mut puzzles) = (vec![], vec![], vec![]);
    interrupt::run_until(py, Execution::new(), None, |_, stop| {
        for (line, text) in (1_u64..).zip(&texts).take_while(|_| !stop.is_triggered()) {
            for (start, cells) in grids_in(alphabet, text) {
                lines.push(line);
                starts.push(start as u64);
                puzzles.push(alphabet.text(&cells, b'.'));
            }
        }
        Ok(())
    })?;

    let columns: [(&str, ArrayRef); 3] = [
        ("line", Arc::new(UInt64Array::from(lines))),
        ("start", Arc::new(UInt64Array::from(starts))),
        ("puzzle", Arc::new(StringArray::from(puzzles))),
    ];
    let batch = RecordBatch::try_from_iter(columns).map_err(arrow_error)?;
    Ok(Batches::new(batch.schema(), vec![batch]))
}
