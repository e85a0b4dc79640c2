//! Runs a job whose rows become record batches: all of them, or one at a time.

use std::io;

use super::pipeline::{record_loop, write_rows};
use super::{stopped, table};
use crate::arrow::{RecordBatch, SchemaRef, into_io};
use crate::corpus::{Corpus, RecordReader};
use crate::format::Alphabet;
use crate::jobs::job::RowJob;
use crate::jobs::one_by_one::OneByOne;
use crate::jobs::{Execution, Finished, JobError};
use crate::pipeline::End;
use crate::rows::{RowContainer, RowParts, RowStyle};

/// Passes the rows of a job to `each`.
pub(crate) fn run_table<J: RowJob>(
    mut job: J,
    mut corpus: Corpus,
    each: &mut (dyn FnMut(RecordBatch) -> io::Result<()> + Send),
    execution: &Execution,
) -> Result<Finished<J::Report>, JobError> {
    let style = batch_style(&job, &mut corpus)?;
    let mut stage = job.stage(&corpus, execution)?;
    if job.prepare(&mut stage, execution)? == End::Stopped {
        return Ok(stopped::<J>(stage, None));
    }
    let mut pass_on = |parts: RowParts| parts.into_batches().try_for_each(|batch| each(batch.map_err(into_io)?));
    let run = write_rows(&job, &style, stage, corpus, &mut io::sink(), &mut pass_on, execution)?;
    run.map_err(|source| JobError::pipeline(source, None, false))?.finished(&job, execution)
}

/// Prepares a job for one record at a time.
pub(crate) fn one_by_one<J: RowJob>(
    mut job: J,
    alphabets: Vec<Alphabet>,
    has_answers: bool,
    execution: &Execution,
) -> Result<OneByOne, JobError> {
    let execution = &execution.without_report();
    let (reader, mut corpus) = RecordReader::new(alphabets, has_answers)?;
    // Workers know all that is late: a record that is alone repeats no other.
    let style = RowStyle { table: table(&job, &mut corpus)?, container: RowContainer::Values, defers_late: false };
    let mut stage = job.stage(&corpus, execution)?;
    if job.prepare(&mut stage, execution)? == End::Stopped {
        return Ok(OneByOne::stopped());
    }
    let engine = job.settings().engine.build()?;
    Ok(OneByOne::new(reader, record_loop(&job, &stage, &style, engine, execution)?))
}

/// The schema of the rows of a job.
pub(crate) fn table_schema<J: RowJob>(job: &J, corpus: &mut Corpus) -> Result<SchemaRef, JobError> {
    let style = batch_style(job, corpus)?;
    let RowContainer::Batches(schema) = style.container else { unreachable!("it is the style of batches") };
    Ok(schema)
}

/// How the rows of a job become record batches.
fn batch_style<J: RowJob>(job: &J, corpus: &mut Corpus) -> Result<RowStyle, JobError> {
    let table = table(job, corpus)?;
    let schema = crate::rows::schema(&table, corpus.kept_fields());
    Ok(RowStyle { table, container: RowContainer::Batches(schema), defers_late: job.defers_late() })
}
