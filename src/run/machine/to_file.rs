//! Runs a job to a file: resumes an interrupted run, describes a shard for a merge, writes Parquet.
//!
//! A resumed run skips the records that are done: it checks that they are unchanged, and restores their counts.
//!
//! ```text
//! rows     |      as at the checkpoint      | cut off
//! records  | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | ...
//!                                          ^ here the pipeline starts
//! ```

use serde_json::json;

use super::execution::CHUNK;
use super::job::{Counts, Job, JobParts, SerialStage, given_options};
use super::pipeline::{DoneSoFar, Results, RowOutput, SavedState, records_of, write_rows};
use super::record_loop::sum_of;
use super::tally::InputTally;
use super::{Event, Execution, Finished, JobError, RecordSource, RowJob};
use crate::corpus::{ChunkInput, Corpus};
use crate::output::{
    Interrupted, ManifestError, NpyLayout, NpyRows, OutputError, OutputTarget, Resumable, RunFiles, RunningSum,
};
use crate::pipeline::{Chunk, End, Filled};
use crate::resume::{FinishedShard, Manifest, RowFile, ShardMetadata, ShardResults, exactly};
use crate::rows::{OutputFormat, Table};
use crate::stats::{Mergeable, Run, RunCounts};

impl<J: Job> RowJob<J> {
    /// Writes the rows to a file, which gets its name when it is complete, or to standard output. The output of a shard
    /// gets a file with metadata, for [`Merge`](crate::jobs::Merge).
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run), and if an output cannot be resumed.
    pub fn run_to(
        mut self,
        mut corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<J::Report>, JobError> {
        self.check_files(&corpus, target)?;
        #[cfg(feature = "parquet")]
        if let Some(pages) = target.pages() {
            return self.write_parquet(corpus, target, pages, execution);
        }
        if self.settings.format == OutputFormat::Npy {
            return write_array(target, self.job.npy_layout(), |rows| self.write_text(corpus, rows, execution));
        }
        let style = self.text_style(&mut corpus)?;
        let (resume, shard) = (self.settings.resume, corpus.selected_shard());

        // A shard that an earlier run has finished is not computed again.
        if resume && shard.is_some() {
            match FinishedShard::find(target, &|| self.manifest(&style.table, &corpus, target))? {
                Some(FinishedShard { path, metadata, is_damaged: false }) => {
                    execution.notify(Event::AlreadyFinished);
                    let form = |_, source| ManifestError::Form { path: path.clone(), source };
                    return Ok(RowJob::<J>::merged([&metadata], form).map_err(OutputError::from)?);
                }
                Some(_) => execution.notify(Event::DamagedShard),
                None => {}
            }
        }

        // Before the output is opened: that may empty an earlier partial output, and this may fail.
        let mut stage = self.job.stage(&corpus, execution)?;
        let block = self.block();
        let resumable = || {
            let manifest = self.manifest(&style.table, &corpus, target)?;
            let (has_notes, pace) = (J::Stage::SAVES_NOTES, execution.pace);
            Ok((Resumable { manifest: manifest.to_json(), has_notes, pace }, manifest))
        };
        let resumable = self.obstacle_to_resume().is_none().then_some(&resumable as &dyn Fn() -> _);
        let mut rows = RowFile::open(target, resume, execution.threads, resumable)?;
        let partial = rows.partial();
        // Not an error: the same command starts a run and resumes it, so that a script can repeat it.
        if let (true, None, Some(partial)) = (resume, rows.interrupted(), &partial) {
            execution.notify(Event::NothingToResume { partial: &partial.path });
        }
        let verify = |rows: &mut Interrupted| rows.verify(&execution.stop);
        if J::prepare(&mut self, &mut stage, execution)? == End::Stopped
            || rows.interrupted().map_or(Ok(End::Complete), verify)? == End::Stopped
        {
            return self.stopped(stage, partial, execution);
        }

        // A chunk must not go past the end of a frame.
        if target.compression.is_some() {
            corpus = corpus.in_blocks(block);
        }
        // The records of an interrupted run come first.
        let (tally, mut source) = records_of(&self, &stage, corpus);
        let Some(progress) = skip::<J>(rows.interrupted().as_deref(), &mut *source, &mut stage, execution)? else {
            return self.stopped(stage, partial, execution);
        };
        if let (Some(_), Some(partial)) = (rows.interrupted(), &partial) {
            execution.notify(Event::Resuming { partial: &partial.path, records: progress.records });
        }
        // The first change of an interrupted run's rows. Until here, a stop or an error loses nothing.
        let mut rows = rows.start(&self.header_text(&style), block)?;

        let output = RowOutput::File(&mut rows, progress);
        let run = write_rows(&self, &style, stage, (tally, source), output, &mut |_| Ok(()), execution);
        let results = run.and_then(|run| run.results(&self, execution));
        let (tally, Results { counts, run, end }) = match results {
            Ok(results) => results,
            Err(error) => return Err(error.with_rows(rows.into_partial()?)),
        };
        if end == End::Stopped {
            return Ok(Finished::new(counts, run, end, rows.into_partial()?));
        }

        // Not for a run that was stopped: its rows end where more rows will follow.
        // The rows last: as long as they have no name, the run can be resumed, and does the rest again.
        rows.finish(style.footer(), &|manifest, output| {
            let results = ShardResults { counts: json!(counts), run: json!(run) };
            Some(ShardMetadata { shard: shard?, manifest, output, records: counts.records(), results })
        })?;
        execution.notify_of_inputs(&tally);
        Ok(Finished::new(counts, run, end, None))
    }

    /// Writes the rows to a Parquet file.
    #[cfg(feature = "parquet")]
    fn write_parquet(
        self,
        mut corpus: Corpus,
        target: &OutputTarget,
        pages: crate::compression::PageCompression,
        execution: &Execution,
    ) -> Result<Finished<J::Report>, JobError> {
        if self.settings.resume {
            return Err(super::not_resumable("that writes Parquet").into());
        }
        let schema = self.table_schema(&mut corpus)?;
        super::parquet_file::write(target, pages, schema, execution, |each| self.run_table(corpus, each, execution))
    }

    /// The number of records after which a frame of compressed text ends. If runs cannot be resumed, one frame is
    /// enough.
    fn block(&self) -> u64 {
        if self.obstacle_to_resume().is_none() { J::chunk_limits(self).all.get() as u64 } else { u64::MAX }
    }

    /// Checks that no output of a job is one of its inputs.
    fn check_files(&self, corpus: &Corpus, target: &OutputTarget) -> Result<(), OutputError> {
        let reference = self.job.reference().map_or(&[][..], Corpus::origins);
        target.check_inputs(RunFiles::new().corpus(corpus.origins()).corpus(reference))
    }

    /// The manifest of a run: all that the bytes of the rows depend on.
    fn manifest(&self, table: &Table, corpus: &Corpus, target: &OutputTarget) -> Result<Manifest, ManifestError> {
        let mut options = self.settings.in_manifest(table);
        if let Some(compression) = target.compression {
            options.insert("compress".into(), json!(compression));
        }
        if let Some(option) = J::ANSWER_OPTION {
            options.insert(option.into(), json!(corpus.options().answer.name()));
        }
        options.extend(given_options(&self.job, self.settings.max_branches));
        Manifest::read(J::NAME, corpus, self.job.reference(), options, self.block())
    }

    /// Adds up the results of shards.
    ///
    /// # Errors
    ///
    /// If the results of a shard do not fit the job: the error that `form` makes from its index and the cause.
    pub(crate) fn merged<'a, E>(
        shards: impl IntoIterator<Item = &'a ShardMetadata>,
        form: impl Fn(usize, serde_json::Error) -> E,
    ) -> Result<Finished<J::Report>, E> {
        let mut sum: Option<(Counts<J>, Run)> = None;
        for (index, shard) in shards.into_iter().enumerate() {
            let ShardResults { counts, run } = &shard.results;
            let counts: Counts<J> = exactly(counts).map_err(|error| form(index, error))?;
            let run: Run = exactly(run).map_err(|error| form(index, error))?;
            match &mut sum {
                None => sum = Some((counts, run)),
                Some((all, total)) => {
                    all.merge(counts);
                    total.merge(&run);
                }
            }
        }
        let (counts, run) = sum.expect("there are shards");
        Ok(Finished::new(counts, run, End::Complete, None))
    }
}

/// Checks that rows for an arbitrary writer are not in the format of `NumPy`, whose header is known only at the end.
pub(super) fn check_no_array(format: OutputFormat) -> Result<(), JobError> {
    if format == OutputFormat::Npy { Err(OutputError::ArrayNotToFile.into()) } else { Ok(()) }
}

/// Opens a file, runs a job that writes its rows there, and gives the file its name. If the job is stopped, no file is
/// left.
fn write_array<R>(
    target: &OutputTarget,
    layout: NpyLayout,
    run: impl FnOnce(&mut NpyRows) -> Result<Finished<R>, JobError>,
) -> Result<Finished<R>, JobError> {
    let mut rows = NpyRows::create(target, layout)?;
    let finished = run(&mut rows)?;
    // Otherwise, the file goes with `rows`, as it has no name yet.
    if finished.end == End::Complete {
        rows.finish()?;
    }
    Ok(finished)
}

/// Skips the records up to the last checkpoint of an interrupted run; `None` if it was stopped meanwhile. Writes nothing.
///
/// # Errors
///
/// If the records of the input have changed.
fn skip<J: JobParts>(
    interrupted: Option<&Interrupted>,
    source: &mut RecordSource,
    stage: &mut J::Stage,
    execution: &Execution,
) -> Result<Option<DoneSoFar<Counts<J>>>, JobError> {
    let Some((file, checkpoint)) = interrupted.and_then(|file| Some((file, file.checkpoint()?))) else {
        return Ok(Some(DoneSoFar::default()));
    };
    let (mut notes, mut chunk) = (file.notes()?, Chunk::new());
    let (mut sum, mut texts, mut skipped, mut input_bytes) = (RunningSum::default(), vec![], 0, 0);
    while skipped < checkpoint.records {
        chunk.clear();
        // Not past the checkpoint: the records after it are for the workers.
        let records = usize::try_from(checkpoint.records - skipped).unwrap_or(usize::MAX);
        if source.fill(&mut chunk, CHUNK.get().min(records))? == Filled::Nothing {
            return Err(file.changed_input(checkpoint.records).into());
        }
        sum.append(&sum_of(&chunk, &mut texts));
        if chunk.records.is_empty() {
            stage.rest_of_record(&chunk.text).map_err(OutputError::Write)?;
        }
        if J::Stage::TAKES_RECORDS {
            for record in ChunkInput::views(&chunk) {
                stage.restore(&record, &mut notes).map_err(OutputError::Write)?;
            }
        }

        skipped += chunk.records.len() as u64;
        input_bytes += chunk.input_bytes;
        execution.notify(Event::Skipping { input_bytes });
        if execution.stop.is_triggered() {
            return Ok(None);
        }
    }
    // One checksum covers all records, so a change is found only at the end. Nothing was written until now.
    if sum.get() != checkpoint.input {
        return Err(file.changed_input(checkpoint.records).into());
    }

    let SavedState { counts, inputs, stage: state } =
        serde_json::from_value(checkpoint.state.clone()).map_err(|source| file.form_error(source))?;
    stage.set_state(state).map_err(|source| file.form_error(source))?;
    let mut tally = InputTally::default();
    tally.append(inputs);
    Ok(Some(DoneSoFar { records: skipped, input: sum, counts: Some(counts), tally }))
}
