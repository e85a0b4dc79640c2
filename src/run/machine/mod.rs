//! Runs a job with rows: to any writer, to a file that can be resumed, as record batches, or to a Parquet file.

mod divided;
mod execution;
pub(crate) mod job;
#[cfg(feature = "parquet")]
pub(crate) mod parquet_file;
mod pipeline;
pub(crate) mod rated;
pub(crate) mod record_loop;
pub(crate) mod records;
pub(crate) mod settings;
mod tables;
pub(crate) mod tally;
mod to_file;

use std::io::Write;

pub(crate) use self::divided::DividedCorpus;
pub(crate) use self::execution::RecordSource;
pub use self::execution::{BrokenRun, Event, Execution, Finished, JobError, Observer, PipelineFailure};
use self::job::SerialStage;
pub use self::job::{Job, RowJob};
use self::pipeline::{RowOutput, records_of, write_rows};
use self::record_loop::RecordWorker;
pub use self::records::{GivenPuzzle, ReadRecord, read_records};
pub use self::settings::EngineSource;
pub use self::tables::OneByOne;
pub use self::tally::InputCounts;
use self::to_file::check_no_array;
use crate::corpus::{Corpus, Shard};
use crate::options::OptionError;
use crate::output::OutputError;
pub use crate::output::PartialOutput;
use crate::pipeline::End;
use crate::rows::{Column, RowContainer, RowStyle, Table};
use crate::stats::Run;

impl<J: Job> RowJob<J> {
    /// Checks the options against a corpus that is not open yet: against the columns that it keeps, and its shard.
    ///
    /// # Errors
    ///
    /// If options contradict each other, or a column does not exist.
    pub fn check(&self, keep: &[String], shard: Option<Shard>) -> Result<(), JobError> {
        let RowJob { job, settings } = self;
        settings.check_format(J::FORMATS, if job.keeps_in_words() { &[] } else { keep })?;
        settings.table(&job.columns(1), &|_| true, keep)?;
        if let (Some(_), Some(other_rows)) = (shard, J::other_rows(self)) {
            return Err(OptionError::new(format!("`shard` needs a row for each record{other_rows}")).into());
        }
        if shard.is_some() && settings.format.is_array() {
            let format = settings.format;
            let reason = format!("shards in the format {format} cannot be merged; jsonl can, and so can csv");
            return Err(OptionError::new(reason).into());
        }
        if let (true, Some(obstacle)) = (settings.resume, self.obstacle_to_resume()) {
            return Err(not_resumable(obstacle).into());
        }
        J::check(self, shard)
    }

    /// Writes the rows, in the order of the records, after a header if the format has one.
    ///
    /// # Errors
    ///
    /// If the options contradict each other, the engine cannot be built, an input cannot be read, or an output cannot be
    /// written.
    pub fn run(
        self,
        corpus: Corpus,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<J::Report>, JobError> {
        check_no_array(self.settings.format)?;
        self.write_text(corpus, &mut output, execution)
    }

    /// The reason why a run cannot be resumed, in a few words that continue "a run"; `None` if it can.
    pub(crate) fn obstacle_to_resume(&self) -> Option<&'static str> {
        J::obstacle_to_resume(self).or(self.settings.format.obstacle_to_resume())
    }

    /// Writes the rows as text in any format.
    fn write_text(
        mut self,
        mut corpus: Corpus,
        output: &mut (dyn Write + Send),
        execution: &Execution,
    ) -> Result<Finished<J::Report>, JobError> {
        let style = self.text_style(&mut corpus)?;
        let mut stage = self.job.stage(&corpus, execution)?;
        output.write_all(&self.header_text(&style)).map_err(OutputError::Write)?;
        if J::prepare(&mut self, &mut stage, execution)? == End::Stopped {
            return self.stopped(stage, None, execution);
        }

        let (rows, records) = (RowOutput::Stream(output), records_of(&self, &stage, corpus));
        let run = write_rows(&self, &style, stage, records, rows, &mut |_| Ok(()), execution)?;
        let finished = run.finished(&self, execution)?;
        if finished.end == End::Complete {
            output.write_all(style.footer()).map_err(OutputError::Write)?;
        }
        Ok(finished)
    }

    /// The columns of a run.
    fn table(&self, corpus: &mut Corpus) -> Result<Table, JobError> {
        self.check(&corpus.options().keep, corpus.selected_shard())?;
        let columns = self.job.columns(corpus.origins().len());
        // Asked before the table is made, as the answer may need the corpus, and may be an error.
        let mut default = vec![];
        for column in &columns {
            let is_useless = column.name == Column::FILE.name && corpus.origins().len() <= 1;
            if !is_useless && self.job.is_default(column, corpus)? {
                default.push(column.name);
            }
        }
        let table = self.settings.table(&columns, &|column| default.contains(&column.name), &corpus.options().keep)?;

        self.job.check_corpus(corpus)?;
        // Built once for nothing, so that a CPU without the engine's vectors is found before an output is opened.
        self.settings.engine.build()?;
        Ok(table)
    }

    /// The style of the rows as text.
    fn text_style(&self, corpus: &mut Corpus) -> Result<RowStyle, JobError> {
        let (table, container) = (self.table(corpus)?, RowContainer::Text(self.settings.format));
        Ok(RowStyle { table, container, defers_late: self.job.defers_late() })
    }

    /// The text before the first row.
    fn header_text(&self, style: &RowStyle) -> Vec<u8> {
        style.header(self.settings.header)
    }

    /// The result of a run that was stopped before its first new row.
    fn stopped(
        &self,
        stage: J::Stage,
        partial: Option<PartialOutput>,
        execution: &Execution,
    ) -> Result<Finished<J::Report>, JobError> {
        // The counts of a new worker are the counts of no records.
        let mut counts = J::worker(self, &stage, execution)?.counts().clone();
        stage.add_counts(&mut counts);
        Ok(Finished::new(counts, Run::default(), End::Stopped, partial))
    }
}

/// The error for a run that cannot be resumed, with the words that follow "a run".
fn not_resumable(obstacle: &str) -> OptionError {
    OptionError::new(format!("a run {obstacle} cannot be resumed"))
}

/// The index of a column among the columns that a corpus keeps.
///
/// # Errors
///
/// If the column is not kept.
pub(crate) fn kept_column(corpus: &Corpus, name: &str) -> Result<usize, OptionError> {
    let index = corpus.options().keep.iter().position(|kept| kept == name);
    index.ok_or_else(|| OptionError::new(format!("the column {name} was not read")))
}
