//! Runs of the jobs that write a row for each record and sum the records up: `solve` and `rate`.

use super::tally::InputTally;
use super::{Execution, Finished, JobError, PipelineFailure, PipelineRun, resumable};
use crate::corpus::Corpus;
use crate::engine::Limit;
use crate::pipeline::End;
use crate::resume::{JobName, OutputTarget, Replay, Resume, RowFile, RowLayout, RowOptions, ShardMetadata};
use crate::stats::{Run, RunStats, Summary};

/// A worker that counts the records of its chunks.
pub(super) trait CountingWorker {
    /// The statistics of its records.
    fn into_stats(self) -> RunStats;
}

/// A replay that counts the records of rows.
pub(super) trait CountingReplay: Replay {
    /// The statistics of all rows so far, and their records by input.
    fn into_parts(self) -> (RunStats, InputTally);
}

/// What a job adds to its summary.
#[derive(Clone, Debug)]
pub(super) struct Summing {
    /// Statistics without records.
    pub(super) empty: RunStats,
    /// The name of the engine.
    pub(super) engine: String,
    /// The most solutions that are counted.
    pub(super) limit: Limit,
}

impl Summing {
    /// The result of a run without earlier rows.
    pub(super) fn finished<W: CountingWorker>(self, run: PipelineRun<W>, execution: &Execution) -> Finished<Summary> {
        let end = run.end;
        if end == End::Complete {
            run.tally.notify(execution);
        }
        let earlier = self.empty.clone();
        let (stats, run) = self.sum(run, earlier, 0, execution);
        Finished { report: Some(stats.summary(run)), end, partial: None }
    }

    /// Adds the statistics of the workers to those of the rows that were replayed, `resumed` of them.
    fn sum<W: CountingWorker>(
        self,
        run: PipelineRun<W>,
        mut earlier: RunStats,
        resumed: u64,
        execution: &Execution,
    ) -> (RunStats, Run) {
        let measured = run.measured(execution, self.engine, self.limit, resumed);
        for worker in run.workers {
            earlier.merge(worker.into_stats());
        }
        (earlier, measured)
    }
}

/// A run whose output can be resumed, and gets metadata beside it if it is that of a shard.
pub(super) struct SummarisedRun<'a, R> {
    pub(super) job: JobName,
    pub(super) options: RowOptions,
    pub(super) layout: RowLayout,
    pub(super) target: &'a OutputTarget,
    pub(super) resume: Resume,
    /// Reads back the rows of an interrupted run, if that is possible.
    pub(super) replay: Option<R>,
    pub(super) summing: Summing,
}

impl<R: CountingReplay> SummarisedRun<'_, R> {
    /// Runs the job: `pipeline` writes the rows of the records that are left.
    pub(super) fn run<W: CountingWorker>(
        self,
        mut corpus: Corpus,
        pipeline: impl FnOnce(Corpus, &mut RowFile) -> Result<Result<PipelineRun<W>, PipelineFailure>, JobError>,
        execution: &Execution,
    ) -> Result<Finished<Summary>, JobError> {
        let SummarisedRun { job, options, layout, target, resume, mut replay, summing } = self;
        let manifest = || resumable::manifest(job, &corpus, None, options.clone());
        let shard = corpus.selected_shard();
        if let Some(finished) = resumable::finished_shard(target, resume, shard, execution, manifest)? {
            return Ok(finished);
        }
        let mut rows = resumable::open(target, resume, layout, execution, manifest)?;
        let is_replayable = replay.is_some();
        let partial = resumable::partial(&rows, is_replayable);
        if resumable::start(&mut rows, &mut corpus, &mut replay, execution)? == End::Stopped {
            return Ok(Finished { report: None, end: End::Stopped, partial });
        }
        let run = pipeline(corpus, &mut rows)?;
        let mut run = run.map_err(|source| JobError::pipeline(source, rows.partial(), is_replayable))?;

        let end = run.end;
        let replayed = replay.map(CountingReplay::into_parts);
        let (stats, tally) = replayed.unwrap_or_else(|| (summing.empty.clone(), InputTally::default()));
        run.tally.merge(tally);
        let tally = std::mem::take(&mut run.tally);
        let (stats, run) = summing.sum(run, stats, rows.replayed(), execution);
        if end == End::Complete {
            let metadata = |manifest, output| {
                let (stats, run) = (stats.clone(), run.clone());
                Some(ShardMetadata { shard: shard?, manifest, output, records: stats.records(), stats, run })
            };
            rows.finish(metadata)?;
            tally.notify(execution);
        }
        let partial = if end == End::Stopped { partial } else { None };
        Ok(Finished { report: Some(stats.summary(run)), end, partial })
    }
}
