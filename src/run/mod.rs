//! Runs a job with rows: to any writer, to a file that can be resumed, as record batches, or to a Parquet file.

mod divided;
mod execution;
pub(crate) mod job;
#[cfg(feature = "parquet")]
pub(crate) mod parquet_file;
mod pipeline;
pub(crate) mod rated;
mod read_records;
pub(crate) mod record_loop;
pub(crate) mod records;
pub(crate) mod settings;
mod skip;
pub(crate) mod table_file;
mod tables;
pub(crate) mod tally;
mod to_file;

use std::io::Write;

pub(crate) use self::divided::DividedCorpus;
pub(crate) use self::execution::RecordSource;
pub use self::execution::{
    BrokenRun, Event, Execution, Finished, JobError, Observer, OptionError, PartialOutput, PipelineFailure,
};
use self::job::{RowJob, SerialStage};
use self::pipeline::{RowOutput, write_rows};
pub use self::read_records::{GivenPuzzle, ReadRecord, read_records};
use self::record_loop::RecordWorker;
pub use self::settings::EngineSource;
pub use self::tables::OneByOne;
pub(crate) use self::tables::{one_by_one, run_table, table_schema};
pub use self::tally::NoPuzzle;
use self::to_file::check_no_array;
pub(crate) use self::to_file::{merged, run_to};
use crate::corpus::{Corpus, Shard};
use crate::pipeline::End;
use crate::resume::OutputError;
use crate::rows::{Column, RowContainer, RowStyle, Table};
use crate::stats::Run;

/// Gives a job the methods that run it.
macro_rules! row_job_runs {
    ($job:ident, $report:ty) => {
        setters!($job {
            /// Sets whether [`run_to`](Self::run_to) continues the partial output of an interrupted run, if it exists.
            /// By default, it starts over.
            resume(resume: bool) => settings.resume = resume;
        });

        impl $crate::run::job::HasSettings for $job {
            fn settings(&self) -> &$crate::run::settings::RowSettings {
                &self.settings
            }
        }

        impl $job {
            /// The columns that rows can have, in the default order.
            pub const COLUMNS: &'static [$crate::rows::Column] =
                <<$job as $crate::run::job::RowJob>::Row as $crate::rows::Row>::COLUMNS;

            /// Checks the options against a corpus that is not open yet: the columns that it keeps, and its shard.
            ///
            /// # Errors
            ///
            /// If options contradict each other, or a column does not exist.
            pub fn check(
                &self,
                keep: &[String],
                shard: Option<$crate::corpus::Shard>,
            ) -> Result<(), $crate::run::JobError> {
                $crate::run::check(self, keep, shard)
            }

            /// Writes the rows, in the order of the records, after a header if the format has one.
            ///
            /// # Errors
            ///
            /// If the options contradict each other, the engine cannot be built, an input cannot be read, or an output
            /// cannot be written.
            pub fn run(
                self,
                corpus: $crate::corpus::Corpus,
                mut output: impl std::io::Write + Send,
                execution: &$crate::run::Execution,
            ) -> Result<$crate::run::Finished<$report>, $crate::run::JobError> {
                $crate::run::run(self, corpus, &mut output, execution)
            }

            /// Writes the rows to standard output, or to a file that gets its name when it is complete. The output of a
            /// shard also gets a metadata file, for [`Merge`](crate::jobs::Merge).
            ///
            /// # Errors
            ///
            /// As [`run`](Self::run), and if an output cannot be resumed.
            pub fn run_to(
                self,
                corpus: $crate::corpus::Corpus,
                target: &$crate::resume::OutputTarget,
                execution: &$crate::run::Execution,
            ) -> Result<$crate::run::Finished<$report>, $crate::run::JobError> {
                $crate::run::run_to(self, corpus, target, execution)
            }

            /// Passes the rows to `each`: batches, in order. The format and the header are ignored; columns that the
            /// corpus keeps have the types of its first input.
            ///
            /// # Errors
            ///
            /// As [`run`](Self::run), and if `each` fails.
            pub fn run_table(
                self,
                corpus: $crate::corpus::Corpus,
                mut each: impl FnMut($crate::arrow::RecordBatch) -> std::io::Result<()> + Send,
                execution: &$crate::run::Execution,
            ) -> Result<$crate::run::Finished<$report>, $crate::run::JobError> {
                $crate::run::run_table(self, corpus, &mut each, execution)
            }

            /// The types of the columns of the rows of [`run_table`](Self::run_table).
            ///
            /// # Errors
            ///
            /// If the options contradict each other, or the first input cannot be read.
            pub fn table_schema(
                &self,
                corpus: &mut $crate::corpus::Corpus,
            ) -> Result<$crate::arrow::SchemaRef, $crate::run::JobError> {
                $crate::run::table_schema(self, corpus)
            }

            /// Makes rows of one puzzle at a time, on the calling thread. `alphabets` settles ambiguous symbols;
            /// `has_answers` tells whether puzzles come with answers.
            ///
            /// # Errors
            ///
            /// If the options contradict each other, or the engine cannot be built.
            pub fn one_by_one(
                self,
                alphabets: Vec<$crate::format::Alphabet>,
                has_answers: bool,
                execution: &$crate::run::Execution,
            ) -> Result<$crate::run::OneByOne, $crate::run::JobError> {
                $crate::run::one_by_one(self, alphabets, has_answers, execution)
            }
        }
    };
}
pub(crate) use row_job_runs;

/// Checks the options of a job against the options of a corpus.
pub(crate) fn check<J: RowJob>(job: &J, keep: &[String], shard: Option<Shard>) -> Result<(), JobError> {
    let settings = job.settings();
    settings.check_format(J::FORMATS, keep)?;
    settings.table(&job.columns(1), |_| true, keep)?;
    if shard.is_some() && job.has_other_rows() {
        return Err(OptionError::NotOneRowARecord.into());
    }
    if let (true, Some(obstacle)) = (settings.resume, job.obstacle_to_resume()) {
        return Err(OptionError::NotResumable(obstacle).into());
    }
    job.check(shard)
}

/// Writes the rows of a job.
pub(crate) fn run<J: RowJob>(
    job: J,
    corpus: Corpus,
    output: &mut (dyn Write + Send),
    execution: &Execution,
) -> Result<Finished<J::Report>, JobError> {
    check_no_array(job.settings().format)?;
    write_text(job, corpus, output, execution)
}

/// Writes the rows of a job, in any format.
fn write_text<J: RowJob>(
    mut job: J,
    mut corpus: Corpus,
    output: &mut (dyn Write + Send),
    execution: &Execution,
) -> Result<Finished<J::Report>, JobError> {
    let style = text_style(&job, &mut corpus)?;
    let mut stage = job.stage(&corpus, execution)?;
    output.write_all(&header(&job, &style)).map_err(OutputError::Write)?;
    if job.prepare(&mut stage, execution)? == End::Stopped {
        return stopped(&job, stage, None, execution);
    }

    let rows = RowOutput::Stream(output);
    let run = write_rows(&job, &style, stage, corpus, rows, &mut |_| Ok(()), execution)?;
    let finished = run.finished(&job, execution)?;
    if finished.end == End::Complete {
        output.write_all(style.footer()).map_err(OutputError::Write)?;
    }
    Ok(finished)
}

/// The columns of a run.
fn table<J: RowJob>(job: &J, corpus: &mut Corpus) -> Result<Table, JobError> {
    check(job, &corpus.options().keep, corpus.selected_shard())?;
    let columns = job.columns(corpus.origins().len());
    let mut is_default = Vec::with_capacity(columns.len());
    for column in &columns {
        is_default.push(job.is_default(column, corpus)?);
    }
    let is_default = |column: &Column| {
        let number = columns.iter().position(|other| other == column);
        number.is_some_and(|number| is_default[number])
    };
    let table = job.settings().table(&columns, is_default, &corpus.options().keep)?;

    job.check_corpus(corpus)?;
    job.settings().engine.build()?;
    Ok(table)
}

/// The style of the rows of a job as text.
fn text_style<J: RowJob>(job: &J, corpus: &mut Corpus) -> Result<RowStyle, JobError> {
    let (table, container) = (table(job, corpus)?, RowContainer::Text(job.settings().format));
    Ok(RowStyle { table, container, defers_late: job.defers_late() })
}

/// The text before the first row.
fn header<J: RowJob>(job: &J, style: &RowStyle) -> Vec<u8> {
    style.header(job.settings().header)
}

/// The result of a run that was stopped before its first new row.
fn stopped<J: RowJob>(
    job: &J,
    stage: J::Stage,
    partial: Option<PartialOutput>,
    execution: &Execution,
) -> Result<Finished<J::Report>, JobError> {
    let mut counts = job.worker(&stage, execution)?.counts().clone();
    stage.add_counts(&mut counts);
    Ok(Finished { report: J::report(counts, Run::default()), end: End::Stopped, partial })
}
