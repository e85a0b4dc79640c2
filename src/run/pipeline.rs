//! Runs the records of a corpus through the workers of a job and its serial stage, and adds up what they counted.

use std::io::{self, Write};

use super::execution::PipelineRun;
use crate::corpus::{ChunkInput, Corpus};
use crate::engine::Engine;
use crate::pipeline::{Chunk, End};
use crate::rows::{RowParts, RowStyle};
use crate::run::job::{ChunkLimits, RowJob, RunCounts, SerialStage};
use crate::run::record_loop::{ChunkNote, RecordLoop, RecordWorker};
use crate::run::tally::InputTally;
use crate::run::{Execution, Finished, JobError};
use crate::stats::Run;

/// What the workers of a job leave in a chunk.
type Note<J> = ChunkNote<<<J as RowJob>::Stage as SerialStage>::Note>;

/// What a job counts.
pub(crate) type Counts<J> = <<J as RowJob>::Stage as SerialStage>::Counts;

/// A run of the pipeline that was not broken.
pub(crate) struct RowRun<J: RowJob> {
    pipeline: PipelineRun<RecordLoop<J::Worker>>,
    stage: J::Stage,
    pub(crate) tally: InputTally,
    /// The number of records whose rows an interrupted run wrote.
    pub(crate) resumed: u64,
}

/// What is reported of a run.
pub(crate) struct Results<C> {
    pub(crate) counts: C,
    pub(crate) run: Run,
    pub(crate) end: End,
}

/// Runs the records of a corpus through the workers and the serial stage. `take` gets the typed columns of each chunk.
pub(crate) fn write_rows<J: RowJob>(
    job: &J,
    style: &RowStyle,
    mut stage: J::Stage,
    corpus: Corpus,
    output: &mut (dyn Write + Send),
    take: &mut (dyn FnMut(RowParts) -> io::Result<()> + Send),
    execution: &Execution,
) -> Result<RowRun<J>, JobError> {
    let engine = job.settings().engine.builder()?;
    let worker = |_| record_loop(job, &stage, style, engine(), execution);
    let workers = (0..execution.threads).map(worker).collect::<Result<Vec<_>, JobError>>()?;

    let source = job.source(corpus, &stage);
    let mut deferred = style.deferred_rows();
    let mut finish = |chunk: &mut Chunk<ChunkInput, Note<J>>| {
        if chunk.records.is_empty() {
            stage.rest_of_record(&chunk.text);
        }
        let Some(ChunkNote { mut parts, mut notes }) = chunk.notes.pop() else { return stage.check() };
        if J::Stage::TAKES_RECORDS {
            for (record, note) in ChunkInput::views(chunk).zip(&mut notes) {
                stage.record(&record, note)?;
                if let Some(deferred) = &mut deferred {
                    deferred.complete(&stage.late_row(note), &chunk.output, &parts);
                }
            }
        }
        if let Some(deferred) = &mut deferred {
            deferred.end(&mut chunk.output, &mut parts);
        }
        stage.leave_out(chunk, &mut parts);
        take(parts)?;
        stage.check()
    };

    let ChunkLimits { first, all } = job.chunk_limits();
    let with_first = first.map(|first| execution.first_chunk(first));
    let execution = with_first.as_ref().unwrap_or(execution);
    let mut pipeline = execution.run(source, workers, output, &mut finish, all)?;
    let tally = std::mem::take(&mut pipeline.tally);
    Ok(RowRun { pipeline, stage, tally, resumed: 0 })
}

/// A worker of a job, with its solver.
pub(crate) fn record_loop<J: RowJob>(
    job: &J,
    stage: &J::Stage,
    style: &RowStyle,
    engine: Box<dyn Engine>,
    execution: &Execution,
) -> Result<RecordLoop<J::Worker>, JobError> {
    let solver = execution.solver(engine, job.settings().max_branches);
    let records = RecordLoop::new(job.worker(stage, execution)?, solver, style.sink(), execution.cpu_time);
    Ok(records.takes_pencilmarks(job.takes_pencilmarks()))
}

impl<J: RowJob> RowRun<J> {
    /// Completes other outputs of the job, and adds up what was counted.
    pub(crate) fn results(
        mut self,
        job: &J,
        execution: &Execution,
    ) -> Result<(InputTally, Results<Counts<J>>), JobError> {
        let end = self.stage.finish(self.pipeline.end, execution)?;
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
    pub(crate) fn finished(self, job: &J, execution: &Execution) -> Result<Finished<J::Report>, JobError> {
        let (tally, Results { counts, run, end }) = self.results(job, execution)?;
        if end == End::Complete {
            execution.notify_of_inputs(&tally);
        }
        Ok(Finished { report: J::report(counts, run), end, partial: None })
    }
}
