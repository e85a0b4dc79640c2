//! Runs the records of a corpus through the workers of a job and its serial stage, and adds up their counts.

use std::io::{self, Write};
use std::mem;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::execution::PipelineRun;
use super::job::{ChunkLimits, Counts, Job, JobParts, SerialStage};
use super::record_loop::{ChunkResults, DoneRecords, RecordLoop, results_of};
use super::tally::{InputCounts, InputTally};
use super::{Execution, Finished, JobError, PipelineFailure, RecordSource, RowJob};
use crate::corpus::{ChunkInput, Corpus};
use crate::output::{Checkpoint, RunningSum};
use crate::pipeline::{Chunk, End};
use crate::resume::OpenRows;
use crate::rows::{RowParts, RowStyle};
use crate::stats::{Mergeable, Run, RunCounts};

/// A run of the pipeline that did not fail.
pub(crate) struct RowRun<J: JobParts> {
    pipeline: PipelineRun<RecordLoop<J::Worker>>,
    stage: J::Stage,
    progress: DoneSoFar<Counts<J>>,
    /// The number of records that an interrupted run has done.
    resumed: u64,
}

/// The counts and measurements of a run, for its report.
pub(crate) struct Results<C> {
    pub(crate) counts: C,
    pub(crate) run: Run,
    pub(crate) end: End,
}

/// The destination of rows.
pub(super) enum RowOutput<'a, C> {
    Stream(&'a mut (dyn Write + Send)),
    /// A file, with the records that an interrupted run has done.
    File(&'a mut OpenRows, DoneSoFar<C>),
}

/// The records that are done.
pub(super) struct DoneSoFar<C> {
    pub(super) records: u64,
    pub(super) input: RunningSum,
    /// `None` before the first record.
    pub(super) counts: Option<C>,
    pub(super) tally: InputTally,
}

/// The counts of the records that are done, as saved in a checkpoint.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedState<C> {
    pub(super) counts: C,
    pub(super) inputs: Vec<InputCounts>,
    pub(super) stage: Value,
}

impl<C> Default for DoneSoFar<C> {
    fn default() -> DoneSoFar<C> {
        DoneSoFar { records: 0, input: RunningSum::default(), counts: None, tally: InputTally::default() }
    }
}

impl<C: RunCounts> DoneSoFar<C> {
    fn add(&mut self, records: u64, done: DoneRecords<C>) {
        self.records += records;
        self.input.append(&done.input);
        self.tally.merge(done.tally);
        self.counts.merge(Some(done.counts));
    }

    fn checkpoint(&self, stage: &Value) -> Checkpoint {
        let state = json!({ "counts": self.counts, "inputs": self.tally.counts(), "stage": stage });
        Checkpoint::new(self.records, self.input.get(), state)
    }
}

/// The tally of the inputs of a run, and the source of its records.
pub(super) fn records_of<J: Job>(
    rows: &RowJob<J>,
    stage: &J::Stage,
    corpus: Corpus,
) -> (InputTally, Box<RecordSource>) {
    (InputTally::new(&corpus), rows.job.source(corpus, stage))
}

/// Runs records through the workers and the serial stage. `take` gets the typed columns of each chunk.
pub(crate) fn write_rows<J: Job>(
    rows: &RowJob<J>,
    style: &RowStyle,
    mut stage: J::Stage,
    (tally, source): (InputTally, Box<RecordSource>),
    mut output: RowOutput<'_, Counts<J>>,
    take: &mut (dyn FnMut(RowParts) -> io::Result<()> + Send),
    execution: &Execution,
) -> Result<RowRun<J>, JobError> {
    let resumed = if let RowOutput::File(_, progress) = &output { progress.records } else { 0 };
    let hands_over = matches!(&output, RowOutput::File(file, _) if file.is_resumable());
    let worker = |_| {
        let records = record_loop(rows, &stage, style, execution)?;
        Ok(if hands_over { records.handing_over(resumed == 0) } else { records })
    };
    // Before the first record is read, so that a job that cannot have workers writes nothing.
    let workers = (0..execution.threads).map(worker).collect::<Result<Vec<_>, JobError>>()?;

    let (mut deferred, mut separator) = (style.deferred_rows(), style.separator());
    let mut saved = vec![];
    let mut finish = |chunk: &mut Chunk<ChunkInput>| {
        // The text of a chunk without records continues the last record.
        if chunk.records.is_empty() {
            stage.rest_of_record(&chunk.text)?;
        }
        let ChunkResults { is_complete, mut parts, mut notes, done } = mem::take(results_of::<J::Worker>(chunk));
        stage.check()?;
        if !is_complete {
            return Ok(());
        }

        saved.clear();
        if J::Stage::TAKES_RECORDS {
            for (record, note) in ChunkInput::views(chunk).zip(&mut notes) {
                stage.record(&record, note, &mut saved)?;
                if let Some(deferred) = &mut deferred {
                    deferred.complete(&stage.late_row(note), &chunk.output, &parts);
                }
            }
        }
        if let Some(deferred) = &mut deferred {
            deferred.end(&mut chunk.output, &mut parts);
        }
        // After the late columns: a record is left out with its complete rows.
        let all = chunk.records.len();
        stage.leave_out(chunk, &mut parts);
        take(parts)?;

        let text = chunk.output.strip_prefix(separator).unwrap_or(&chunk.output);
        if !text.is_empty() {
            separator = b"";
        }
        match &mut output {
            RowOutput::Stream(stream) => stream.write_all(text)?,
            RowOutput::File(file, progress) => {
                let records = ChunkInput::new_records(chunk) as u64;
                file.write(text, records)?;
                // A run that can be resumed leaves out records only after a failure, all of a chunk: they are not done.
                if let Some(done) = done.filter(|_| chunk.records.len() == all) {
                    progress.add(records, done);
                }
                // A chunk without new records may end within a record, so nothing is complete there.
                if records > 0 {
                    file.end_records(&saved, || progress.checkpoint(&stage.state()))?;
                }
            }
        }
        results_of::<J::Worker>(chunk).notes = notes;
        Ok(())
    };

    let ChunkLimits { first, all } = J::chunk_limits(rows);
    let with_first = first.map(|first| execution.first_chunk(first));
    let execution = with_first.as_ref().unwrap_or(execution);
    let start = Instant::now();
    let run = execution.run(tally, source, workers, &mut finish, Some(all));

    // A serial stage may have taken records whose rows could not be written.
    let is_consistent = run.is_ok() || !J::Stage::TAKES_RECORDS;
    if let RowOutput::File(file, progress) = &mut output
        && is_consistent
        // Without new records, the last checkpoint of the interrupted run still holds.
        && progress.records > resumed
    {
        // Errors are ignored: without this checkpoint, resuming the run only takes longer.
        let _ = file.leave(progress.checkpoint(&stage.state()));
    }
    let mut pipeline = run?;
    let flushed = match &mut output {
        RowOutput::Stream(stream) => stream.flush(),
        RowOutput::File(file, _) => file.flush(),
    };
    flushed.map_err(PipelineFailure::Write)?;
    // With the flush, which may wait for a slow disk.
    pipeline.wall = start.elapsed();
    let progress = if let RowOutput::File(_, progress) = output { progress } else { DoneSoFar::default() };
    Ok(RowRun { pipeline, stage, progress, resumed })
}

/// A worker of a job, with its solver.
pub(crate) fn record_loop<J: Job>(
    rows: &RowJob<J>,
    stage: &J::Stage,
    style: &RowStyle,
    execution: &Execution,
) -> Result<RecordLoop<J::Worker>, JobError> {
    let solver = execution.solver(rows.settings.engine.build()?, rows.settings.max_branches);
    let worker = J::worker(rows, stage, execution)?;
    let records = RecordLoop::new(worker, solver, style.sink(), execution.cpu_time);
    Ok(records.takes_pencilmarks(J::takes_pencilmarks(rows)))
}

impl<J: Job> RowRun<J> {
    /// Completes other outputs of the job, and adds up what was counted.
    pub(crate) fn results(
        mut self,
        rows: &RowJob<J>,
        execution: &Execution,
    ) -> Result<(InputTally, Results<Counts<J>>), JobError> {
        self.stage.finish(self.pipeline.end)?;
        let engine = rows.settings.engine.name();
        let run = self.pipeline.measured(execution, engine, J::limit(rows), self.resumed);

        let PipelineRun { mut workers, mut tally, end, .. } = self.pipeline;
        tally.merge(self.progress.tally);
        // Start with the workers' counts: their lists of the slowest and hardest puzzles have the length that this run
        // asks for.
        let mut counts = None;
        for worker in &mut workers {
            counts.merge(Some(worker.counts().clone()));
        }
        counts.merge(self.progress.counts);
        let mut counts = counts.expect("there are workers");
        self.stage.add_counts(&mut counts);
        Ok((tally, Results { counts, run, end }))
    }

    /// The result of a run whose output is not a file.
    pub(crate) fn finished(self, rows: &RowJob<J>, execution: &Execution) -> Result<Finished<J::Report>, JobError> {
        let (tally, Results { counts, run, end }) = self.results(rows, execution)?;
        if end == End::Complete {
            execution.notify_of_inputs(&tally);
        }
        Ok(Finished::new(counts, run, end, None))
    }
}
