//! Writes the rows of a job to an array of `NumPy`.

use super::{Finished, JobError};
use crate::pipeline::End;
use crate::resume::{NpyLayout, NpyRows, OutputError, OutputTarget};
use crate::rows::OutputFormat;

/// Checks that rows that are written to any output are not in the format of `NumPy`, whose start is known last.
pub(super) fn check(format: OutputFormat) -> Result<(), JobError> {
    if format == OutputFormat::Npy { Err(OutputError::ArrayNotToFile.into()) } else { Ok(()) }
}

/// Opens a file, runs a job that writes its rows there, and gives the file its name. A job that was stopped leaves none.
pub(super) fn write<R, E: From<JobError>>(
    target: &OutputTarget,
    layout: NpyLayout,
    run: impl FnOnce(&mut NpyRows) -> Result<Finished<R>, E>,
) -> Result<Finished<R>, E> {
    let mut rows = NpyRows::create(target, layout).map_err(JobError::from)?;
    let finished = run(&mut rows)?;
    if finished.end == End::Complete {
        rows.finish().map_err(JobError::from)?;
    }
    Ok(finished)
}
