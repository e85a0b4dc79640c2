//! Runs a job with rows: to any writer, to a file that can be resumed, as record batches, to a Parquet file.

use std::io::{self, Write};

use serde_json::json;

use super::copying::records_of;
use super::divided::DividedCorpus;
use super::execution::PipelineRun;
use super::job::{ChunkLimits, RowJob, RunCounts, SerialStage};
#[cfg(feature = "arrow")]
use super::one_by_one::OneByOne;
use super::record_loop::{ChunkNote, RecordLoop, RecordWorker};
use super::replay::RowReplay;
use super::tally::InputTally;
use super::{Event, Execution, Finished, JobError, OptionError, PartialOutput, PipelineFailure, npy_file};
#[cfg(feature = "arrow")]
use crate::arrow::{RecordBatch, SchemaRef, into_io};
#[cfg(feature = "arrow")]
use crate::corpus::RecordReader;
use crate::corpus::{ChunkInput, Corpus, Shard};
use crate::engine::Engine;
#[cfg(feature = "arrow")]
use crate::format::Alphabet;
use crate::pipeline::{Chunk, End};
use crate::resume::{
    FinishedShard, Manifest, ManifestError, OutputError, OutputTarget, Replay, RowFile, RowLayout, RunFiles,
    ShardMetadata, ShardResults,
};
use crate::rows::{OutputFormat, RowContainer, RowParts, RowReader, RowStyle, Table};
use crate::stats::Run;

/// What the workers of a job leave in a chunk.
type Note<J> = ChunkNote<<<J as RowJob>::Stage as SerialStage>::Note>;

/// What a job counts.
type Counts<J> = <<J as RowJob>::Stage as SerialStage>::Counts;

/// Gives a job the methods that run it.
macro_rules! row_job_runs {
    ($job:ident, $report:ty) => {
        impl $job {
            /// The columns that rows can have, in the default order.
            pub const COLUMNS: &'static [$crate::rows::Column] =
                <<$job as $crate::jobs::job::RowJob>::Row as $crate::rows::Row>::COLUMNS;

            /// Sets whether [`run_to`](Self::run_to) continues the partial output of an interrupted run, or starts over if
            /// there is none. By default, it starts over.
            #[must_use]
            pub fn resume(mut self, resume: bool) -> $job {
                self.settings.resume = resume;
                self
            }

            /// Checks the options against those of a corpus, before it is opened: the columns that it keeps, and its shard.
            ///
            /// # Errors
            ///
            /// If options contradict each other, or a column does not exist.
            pub fn check(
                &self,
                keep: &[String],
                shard: Option<$crate::corpus::Shard>,
            ) -> Result<(), $crate::jobs::JobError> {
                $crate::jobs::run::check(self, keep, shard)
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
                output: impl std::io::Write + Send,
                execution: &$crate::jobs::Execution,
            ) -> Result<$crate::jobs::Finished<$report>, $crate::jobs::JobError> {
                $crate::jobs::run::run(self, corpus, output, execution)
            }

            /// Writes the rows to a file, which gets its name when it is complete, or to standard output. The output of a
            /// shard gets metadata beside it, for [`Merge`](crate::jobs::Merge).
            ///
            /// # Errors
            ///
            /// As [`run`](Self::run), and if an output cannot be resumed.
            pub fn run_to(
                self,
                corpus: $crate::corpus::Corpus,
                target: &$crate::resume::OutputTarget,
                execution: &$crate::jobs::Execution,
            ) -> Result<$crate::jobs::Finished<$report>, $crate::jobs::JobError> {
                $crate::jobs::run::run_to(self, corpus, target, execution)
            }

            /// Passes the rows to `each`: batches, in order. The format and the header do not matter; columns that the
            /// corpus keeps have the types of its first input.
            ///
            /// # Errors
            ///
            /// As [`run`](Self::run), and if `each` fails.
            #[cfg(feature = "arrow")]
            pub fn run_table(
                self,
                corpus: $crate::corpus::Corpus,
                each: impl FnMut($crate::arrow::RecordBatch) -> std::io::Result<()> + Send,
                execution: &$crate::jobs::Execution,
            ) -> Result<$crate::jobs::Finished<$report>, $crate::jobs::JobError> {
                $crate::jobs::run::run_table(self, corpus, each, execution)
            }

            /// The types of the columns of the rows of [`run_table`](Self::run_table).
            ///
            /// # Errors
            ///
            /// If the options contradict each other, or the first input cannot be read.
            #[cfg(feature = "arrow")]
            pub fn table_schema(
                &self,
                corpus: &mut $crate::corpus::Corpus,
            ) -> Result<$crate::arrow::SchemaRef, $crate::jobs::JobError> {
                $crate::jobs::run::table_schema(self, corpus)
            }

            /// Makes rows of one puzzle at a time, on the calling thread. Symbols that are not clear are of these
            /// alphabets; `has_answers` says whether answers are given with the puzzles.
            ///
            /// # Errors
            ///
            /// If the options contradict each other, or the engine cannot be built.
            #[cfg(feature = "arrow")]
            pub fn one_by_one(
                self,
                alphabets: Vec<$crate::format::Alphabet>,
                has_answers: bool,
                execution: &$crate::jobs::Execution,
            ) -> Result<$crate::jobs::OneByOne, $crate::jobs::JobError> {
                $crate::jobs::run::one_by_one(self, alphabets, has_answers, execution)
            }
        }
    };
}
pub(crate) use row_job_runs;

/// Checks the options of a job against those of a corpus.
pub(crate) fn check<J: RowJob>(job: &J, keep: &[String], shard: Option<Shard>) -> Result<(), JobError> {
    let settings = job.settings();
    settings.check_format(J::FORMATS, keep)?;
    let table = settings.table(&job.columns(1), |_| true, keep)?;

    if settings.resume || shard.is_some() {
        let has_reader = settings.format.has_columns() || job.text_reader().is_some();
        if job.has_other_rows() || !has_reader {
            return Err(OptionError::NotOneRowARecord.into());
        }
    }
    let is_replayable = job.resume_columns().iter().all(|name| table.has(name));
    if settings.resume && settings.format.has_columns() && !is_replayable {
        return Err(OptionError::NeedsColumns(job.resume_columns()).into());
    }
    job.check(shard)
}

/// Writes the rows of a job.
pub(crate) fn run<J: RowJob>(
    job: J,
    corpus: Corpus,
    output: impl Write + Send,
    execution: &Execution,
) -> Result<Finished<J::Report>, JobError> {
    npy_file::check(job.settings().format)?;
    write_text(job, corpus, output, execution)
}

/// Writes the rows of a job, in whatever format.
fn write_text<J: RowJob>(
    mut job: J,
    mut corpus: Corpus,
    mut output: impl Write + Send,
    execution: &Execution,
) -> Result<Finished<J::Report>, JobError> {
    let style = text_style(&job, &mut corpus)?;
    let mut stage = job.stage(&corpus, execution)?;
    output.write_all(&header(&job, &style)).map_err(OutputError::Write)?;
    if job.prepare(&mut stage, execution)? == End::Stopped {
        return Ok(stopped::<J>(stage, None));
    }

    let run = write_rows(&job, &style, stage, corpus, &mut output, |_| Ok(()), execution)?;
    let finished = run.map_err(|source| JobError::pipeline(source, None, false))?.finished(&job, execution)?;
    if finished.end == End::Complete {
        output.write_all(style.footer()).map_err(OutputError::Write)?;
    }
    Ok(finished)
}

/// Writes the rows of a job to a file or to standard output.
pub(crate) fn run_to<J: RowJob>(
    mut job: J,
    mut corpus: Corpus,
    target: &OutputTarget,
    execution: &Execution,
) -> Result<Finished<J::Report>, JobError> {
    check_files(&job, &corpus, target)?;
    #[cfg(feature = "parquet")]
    if let Some(pages) = target.pages() {
        return parquet::run_to(job, corpus, target, pages, execution);
    }
    if job.settings().format == OutputFormat::Npy {
        return npy_file::write(target, job.npy_layout(), |rows| write_text(job, corpus, rows, execution));
    }
    let style = text_style(&job, &mut corpus)?;
    let (resume, shard) = (job.settings().resume, corpus.selected_shard());

    // A shard that an earlier run has finished is not computed again.
    if resume && shard.is_some() {
        match RowFile::finished_shard(target, || manifest(&job, &style.table, &corpus, target))? {
            Some(FinishedShard { metadata, is_damaged: false }) => {
                execution.notify(Event::AlreadyFinished);
                let report = merged::<J, _>(&[metadata], |_, source| RowFile::form_error(target, source))?;
                return Ok(Finished { report, end: End::Complete, partial: None });
            }
            Some(_) => execution.notify(Event::DamagedShard),
            None => {}
        }
    }

    let reader = reader(&job, &style.table);
    let is_replayable = reader.is_some();
    // Without them there is no metadata, and so nothing to merge.
    if shard.is_some() && target.partial_path().is_some() && !is_replayable {
        return Err(OptionError::NeedsColumns(job.resume_columns()).into());
    }
    let mut stage = job.stage(&corpus, execution)?;
    let layout = RowLayout { header: header(&job, &style), ends: job.settings().format.ends() };
    let manifest = is_replayable.then_some(|| manifest(&job, &style.table, &corpus, target));
    let mut rows = RowFile::open(target, resume, layout, execution.threads, manifest)?;
    if let (true, false, Some(partial)) = (resume, rows.awaits_replay(), rows.partial()) {
        execution.notify(Event::NothingToResume { partial: &partial });
    }
    let partial = rows.partial().map(|path| PartialOutput { path, resumable: is_replayable });
    if job.prepare(&mut stage, execution)? == End::Stopped {
        return Ok(stopped::<J>(stage, partial));
    }

    // The rows of an interrupted run come first.
    let mut replay = reader.map(|reader| RowReplay::<J>::new(reader, &mut stage));
    let end = start(&mut rows, &mut corpus, &mut replay, execution)?;
    let replayed = replay.map(RowReplay::into_tally).unwrap_or_default();
    stage.check().map_err(OutputError::Write)?;
    if end == End::Stopped {
        return Ok(stopped::<J>(stage, partial));
    }

    let run = write_rows(&job, &style, stage, corpus, &mut rows, |_| Ok(()), execution)?;
    let mut run = run.map_err(|source| JobError::pipeline(source, rows.partial(), is_replayable))?;
    run.tally.merge(replayed);
    run.resumed = rows.replayed();
    let (tally, Results { counts, run, end }) = run.results(&job, execution)?;

    if end == End::Complete {
        rows.write_all(style.footer()).map_err(OutputError::Write)?;
        // The rows last: as long as they have no name, the run can be resumed, and does the rest again.
        rows.finish(|manifest, output| {
            let results = ShardResults { counts: json!(counts), run: json!(run) };
            Some(ShardMetadata { shard: shard?, manifest, output, records: counts.records(), results })
        })?;
        execution.notify_of_inputs(&tally);
    }
    let partial = if end == End::Stopped { partial } else { None };
    Ok(Finished { report: J::report(counts, run), end, partial })
}

/// Passes the rows of a job to `each`.
#[cfg(feature = "arrow")]
pub(crate) fn run_table<J: RowJob>(
    mut job: J,
    mut corpus: Corpus,
    mut each: impl FnMut(RecordBatch) -> io::Result<()> + Send,
    execution: &Execution,
) -> Result<Finished<J::Report>, JobError> {
    let style = batch_style(&job, &mut corpus)?;
    let mut stage = job.stage(&corpus, execution)?;
    if job.prepare(&mut stage, execution)? == End::Stopped {
        return Ok(stopped::<J>(stage, None));
    }
    let pass_on = |parts: RowParts| parts.into_batches().try_for_each(|batch| each(batch.map_err(into_io)?));
    let run = write_rows(&job, &style, stage, corpus, io::sink(), pass_on, execution)?;
    run.map_err(|source| JobError::pipeline(source, None, false))?.finished(&job, execution)
}

/// Prepares a job for one record at a time.
#[cfg(feature = "arrow")]
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
#[cfg(feature = "arrow")]
pub(crate) fn table_schema<J: RowJob>(job: &J, corpus: &mut Corpus) -> Result<SchemaRef, JobError> {
    let style = batch_style(job, corpus)?;
    let RowContainer::Batches(schema) = style.container else { unreachable!("it is the style of batches") };
    Ok(schema)
}

/// Adds up the results of shards.
///
/// # Errors
///
/// If the results of a shard are not those of the job: what `form` makes of its index and the error.
pub(crate) fn merged<J: RowJob, E>(
    shards: &[ShardMetadata],
    form: impl Fn(usize, serde_json::Error) -> E,
) -> Result<J::Report, E> {
    let mut sum: Option<(Counts<J>, Run)> = None;
    for (index, shard) in shards.iter().enumerate() {
        let ShardResults { counts, run } = shard.results.clone();
        let counts: Counts<J> = serde_json::from_value(counts).map_err(|error| form(index, error))?;
        let run: Run = serde_json::from_value(run).map_err(|error| form(index, error))?;
        match &mut sum {
            None => sum = Some((counts, run)),
            Some((all, total)) => {
                all.merge(counts);
                total.merge(&run);
            }
        }
    }
    let (counts, run) = sum.expect("there are shards");
    Ok(J::report(counts, run))
}

/// The columns of a run.
fn table<J: RowJob>(job: &J, corpus: &mut Corpus) -> Result<Table, JobError> {
    check(job, &corpus.options().keep, corpus.selected_shard())?;
    let columns = job.columns(corpus.origins().len());
    let mut is_default = Vec::with_capacity(columns.len());
    for column in &columns {
        is_default.push(job.is_default(column, corpus)?);
    }
    let is_default = |column: &crate::rows::Column| {
        let number = columns.iter().position(|other| other == column);
        number.is_some_and(|number| is_default[number])
    };
    let table = job.settings().table(&columns, is_default, &corpus.options().keep)?;

    job.check_corpus(corpus)?;
    job.settings().engine.build()?;
    Ok(table)
}

/// How the rows of a job are written as text.
fn text_style<J: RowJob>(job: &J, corpus: &mut Corpus) -> Result<RowStyle, JobError> {
    let (table, container) = (table(job, corpus)?, RowContainer::Text(job.settings().format));
    Ok(RowStyle { table, container, defers_late: job.defers_late() })
}

/// The text before the first row.
fn header<J: RowJob>(job: &J, style: &RowStyle) -> Vec<u8> {
    style.header(job.settings().header)
}

/// How they become record batches.
#[cfg(feature = "arrow")]
fn batch_style<J: RowJob>(job: &J, corpus: &mut Corpus) -> Result<RowStyle, JobError> {
    let table = table(job, corpus)?;
    let schema = crate::rows::schema(&table, corpus.kept_fields());
    Ok(RowStyle { table, container: RowContainer::Batches(schema), defers_late: job.defers_late() })
}

/// Reads back the rows of a run, if there is one for each record and they say what was counted.
fn reader<J: RowJob>(job: &J, table: &Table) -> Option<Box<dyn RowReader>> {
    if job.has_other_rows() || !job.is_resumable() {
        return None;
    }
    let format = job.settings().format;
    if !format.has_columns() {
        return job.text_reader();
    }
    let is_replayable = job.resume_columns().iter().all(|name| table.has(name));
    if is_replayable { format.reader(table) } else { None }
}

/// Checks that the outputs of a job are none of its inputs.
fn check_files<J: RowJob>(job: &J, corpus: &Corpus, target: &OutputTarget) -> Result<(), OutputError> {
    let reference = job.reference().map_or(&[][..], Corpus::origins);
    target.check_inputs(RunFiles::new().corpus(corpus.origins()).corpus(reference))
}

/// The manifest of a run: all that the bytes of the rows depend on.
fn manifest<J: RowJob>(
    job: &J,
    table: &Table,
    corpus: &Corpus,
    target: &OutputTarget,
) -> Result<Manifest, ManifestError> {
    let mut options = job.settings().in_manifest(table);
    if let Some(compression) = target.compression {
        options.insert("compress".into(), json!(compression));
    }
    options.extend(job.in_manifest(corpus));
    Manifest::read(J::NAME, corpus, job.reference(), options)
}

/// Replays the rows of an interrupted run, if there are any; [`End::Stopped`] if that was stopped.
fn start(
    rows: &mut RowFile,
    corpus: &mut Corpus,
    replay: &mut dyn Replay,
    execution: &Execution,
) -> Result<End, JobError> {
    let resumes = rows.awaits_replay();
    let progress = |corpus: &Corpus| execution.notify(Event::Replaying { input_bytes: corpus.consumed_bytes() });
    if rows.start(corpus, replay, &execution.stop, progress)? == End::Stopped {
        return Ok(End::Stopped);
    }
    if let (true, Some(partial)) = (resumes, rows.partial()) {
        progress(corpus);
        execution.notify(Event::Resuming { partial: &partial, rows: rows.replayed() });
    }
    Ok(End::Complete)
}

/// A run of the pipeline that was not broken.
struct RowRun<J: RowJob> {
    pipeline: PipelineRun<RecordLoop<J::Worker>>,
    stage: J::Stage,
    tally: InputTally,
    /// The number of records whose rows an interrupted run wrote.
    resumed: u64,
}

/// What is reported of a run.
struct Results<C> {
    counts: C,
    run: Run,
    end: End,
}

/// Runs the records of a corpus through the workers and the serial stage. `take` gets the typed columns of each chunk.
fn write_rows<J: RowJob>(
    job: &J,
    style: &RowStyle,
    mut stage: J::Stage,
    corpus: Corpus,
    output: impl Write + Send,
    mut take: impl FnMut(RowParts) -> io::Result<()> + Send,
    execution: &Execution,
) -> Result<Result<RowRun<J>, PipelineFailure>, JobError> {
    let engine = job.settings().engine.builder()?;
    let worker = |_| record_loop(job, &stage, style, engine(), execution);
    let workers = (0..execution.threads).map(worker).collect::<Result<Vec<_>, JobError>>()?;

    let mut deferred = style.deferred_rows();
    let finish = |chunk: &mut Chunk<ChunkInput, Note<J>>| {
        if chunk.records.is_empty() {
            stage.rest_of_record(&chunk.text);
        }
        let Some(ChunkNote { mut parts, mut notes }) = chunk.notes.pop() else { return stage.check() };
        if J::Stage::TAKES_RECORDS {
            for (record, note) in records_of(chunk).zip(&mut notes) {
                stage.record(&record, note)?;
                if let Some(deferred) = &mut deferred {
                    deferred.complete(&stage.late_row(note), &chunk.output, &parts);
                }
            }
        }
        if let Some(deferred) = &mut deferred {
            deferred.end(&mut chunk.output, &mut parts);
        }
        take(parts)?;
        stage.check()
    };

    let ChunkLimits { first, all } = job.chunk_limits();
    let with_first = first.map(|first| execution.first_chunk(first));
    let corpus = DividedCorpus::new(corpus, job.rows_of_record());
    let run = with_first.as_ref().unwrap_or(execution).run(corpus, workers, output, finish, all);
    Ok(run.map(|mut pipeline| {
        let tally = std::mem::take(&mut pipeline.tally);
        RowRun { pipeline, stage, tally, resumed: 0 }
    }))
}

/// A worker of a job, with its solver.
fn record_loop<J: RowJob>(
    job: &J,
    stage: &J::Stage,
    style: &RowStyle,
    engine: Box<dyn Engine>,
    execution: &Execution,
) -> Result<RecordLoop<J::Worker>, JobError> {
    let solver = execution.solver(engine, job.settings().max_branches);
    Ok(RecordLoop::new(job.worker(stage, execution)?, solver, style.sink(), execution.cpu_time))
}

impl<J: RowJob> RowRun<J> {
    /// Completes other outputs of the job, and adds up what was counted.
    fn results(mut self, job: &J, execution: &Execution) -> Result<(InputTally, Results<Counts<J>>), JobError> {
        let mut end = self.pipeline.end;
        if end == End::Complete {
            end = self.stage.finish(execution)?;
        }
        let mut run = self.pipeline.measured(execution, job.settings().engine.name(), job.limit(), self.resumed);
        if end == End::Complete {
            run.stopped_after = None;
        }

        let mut counts = self.stage.into_counts();
        for worker in self.pipeline.workers {
            counts.merge(worker.into_worker().into_counts());
        }
        Ok((self.tally, Results { counts, run, end }))
    }

    /// The result of a run whose output is not a file.
    fn finished(self, job: &J, execution: &Execution) -> Result<Finished<J::Report>, JobError> {
        let (tally, Results { counts, run, end }) = self.results(job, execution)?;
        if end == End::Complete {
            execution.notify_of_inputs(&tally);
        }
        Ok(Finished { report: J::report(counts, run), end, partial: None })
    }
}

/// The result of a run that was stopped before its first new row.
fn stopped<J: RowJob>(stage: J::Stage, partial: Option<PartialOutput>) -> Finished<J::Report> {
    Finished { report: J::report(stage.into_counts(), Run::default()), end: End::Stopped, partial }
}

/// Writes the rows of a job to a Parquet file.
#[cfg(feature = "parquet")]
mod parquet {
    use super::{Corpus, Execution, Finished, JobError, OptionError, OutputTarget, RowJob, run_table, table_schema};
    use crate::compression::PageCompression;
    use crate::jobs::parquet_file;

    pub(super) fn run_to<J: RowJob>(
        job: J,
        mut corpus: Corpus,
        target: &OutputTarget,
        pages: PageCompression,
        execution: &Execution,
    ) -> Result<Finished<J::Report>, JobError> {
        if job.settings().resume {
            return Err(OptionError::ParquetNotResumable.into());
        }
        let schema = table_schema(&job, &mut corpus)?;
        parquet_file::write(target, pages, schema, execution, |each| run_table(job, corpus, each, execution))
    }
}
