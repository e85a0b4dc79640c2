//! Writes the rows of a job to a Parquet file.

use std::io;

use super::{Execution, Finished, JobError, PartialOutput};
use crate::arrow::parquet::{ParquetOutput, ParquetStyle, check_outputs};
use crate::arrow::{RecordBatch, SchemaRef};
use crate::compression::PageCompression;
use crate::output::{OutputError, OutputFile, OutputTarget};
use crate::pipeline::End;

/// A function that receives record batches.
pub(crate) type Each<'a> = &'a mut (dyn FnMut(RecordBatch) -> io::Result<()> + Send);

/// Opens a file, runs a job that passes its rows on, and gives the file its name. If the job is stopped, its rows so
/// far become a complete Parquet file with the name of a partial one; without rows, no file is left.
pub(crate) fn write<R>(
    target: &OutputTarget,
    compression: PageCompression,
    schema: SchemaRef,
    execution: &Execution,
    run: impl FnOnce(Each<'_>) -> Result<Finished<R>, JobError>,
) -> Result<Finished<R>, JobError> {
    let (mut parquet, partial) = create(target, compression, schema, execution)?;
    let mut rows = 0;
    let finished = run(&mut |batch| {
        rows += batch.num_rows();
        parquet.write(&batch)
    });

    close(parquet, rows > 0, finished.as_ref().ok().map(|finished| finished.end))?;
    let partial = partial.filter(|_| rows > 0);
    match finished {
        Ok(complete) if complete.end == End::Complete => Ok(complete),
        Ok(stopped) => Ok(Finished { partial, ..stopped }),
        Err(error) => Err(error.with_rows(partial)),
    }
}

/// Opens a file, and returns it with the output that has its rows until it is complete.
fn create(
    target: &OutputTarget,
    compression: PageCompression,
    schema: SchemaRef,
    execution: &Execution,
) -> Result<(ParquetOutput<OutputFile>, Option<PartialOutput>), JobError> {
    check_outputs(&schema, 1).map_err(write_error)?;
    let output = OutputFile::create(target, execution.threads)?;
    let partial = output.partial();
    let style = ParquetStyle { compression, threads: execution.threads };
    Ok((ParquetOutput::new(output, schema, style).map_err(write_error)?, partial))
}

/// Closes a file after a run that ended like `end`, or failed.
fn close(parquet: ParquetOutput<OutputFile>, has_rows: bool, end: Option<End>) -> Result<(), JobError> {
    let output = parquet.finish().map_err(write_error);
    match end {
        Some(End::Complete) => output?.finish()?,
        _ if !has_rows => output?.discard()?,
        // The rows so far must be readable.
        Some(End::Stopped) => drop(output?),
        // An error of the run matters more than an error of closing its file.
        None => {}
    }
    Ok(())
}

fn write_error(error: io::Error) -> JobError {
    OutputError::Write(error).into()
}
