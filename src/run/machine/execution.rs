//! The execution of a job: threads, chunk size, stop signal and observer; and the one place where a job runs a
//! pipeline.

use std::error::Error;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::tally::{InputCounts, InputTally, Tallied};
use crate::corpus::{ChunkInput, CorpusError};
use crate::engine::lanes::SimdError;
use crate::engine::solver::Solver;
use crate::engine::{Engine, Limit, MaxBranches};
use crate::options::OptionError;
use crate::output::{CheckpointPace, OutputError, PartialOutput};
use crate::pipeline::{
    self, Chunk, ChunkSize, End, Finish, Outcome, PipelineError, Source, Stages, Stop, Work, thread_cpu_time,
};
use crate::stats::{Run, RunCounts, RunFacts, StoppedAfter};

/// The maximum number of records in a chunk: enough to fill every lane of an engine.
pub(super) const CHUNK: NonZeroUsize = NonZeroUsize::new(4096).unwrap();

/// The number of records in the first chunks, small in case records take long.
const FIRST_CHUNK: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// The maximum number of worker threads for each CPU. More threads would only take turns, each with memory of its own.
/// One would be too few for a process with a quota of one and a half CPUs, which counts as one.
const THREADS_PER_CPU: usize = 2;

/// The execution of a job. It never changes the output.
///
/// ```
/// use gridmill::jobs::Execution;
///
/// let execution = Execution::new().threads(2);
/// ```
#[derive(Clone)]
pub struct Execution {
    pub(crate) threads: usize,
    chunk: Option<NonZeroUsize>,
    /// The number of records in the first chunks, unless the chunk size is set.
    first_chunk: NonZeroUsize,
    pub(crate) stop: Stop,
    /// The CPU time of the calling thread, for reports.
    pub(crate) cpu_time: fn() -> Duration,
    observer: Option<Arc<Observer>>,
    /// The pace of the checkpoints of a run that can be resumed.
    pub(super) pace: CheckpointPace,
}

/// A function that is called with the events of a job, possibly from other threads.
pub type Observer = dyn Fn(Event<'_>) + Send + Sync;

/// An event of a job.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The rows of a chunk were written.
    Written {
        /// The number of its records.
        records: usize,
        /// The number of bytes of the inputs that it consumed, as stored.
        input_bytes: u64,
    },
    /// Records that an interrupted run has done were skipped.
    Skipping {
        /// The number of bytes of the inputs that were consumed, as stored.
        input_bytes: u64,
    },
    /// There was no partial output to resume.
    NothingToResume {
        /// Its path.
        partial: &'a Path,
    },
    /// The job resumes after the rows of an interrupted run.
    Resuming {
        /// The partial output.
        partial: &'a Path,
        /// The number of records that are done.
        records: u64,
    },
    /// Random grids gave no puzzle that meets the specification.
    Missed {
        /// The number of grids.
        grids: u32,
    },
    /// Puzzles were left out, because they are isomorphs of earlier ones.
    LeftOut {
        /// The number of puzzles.
        puzzles: u64,
    },
    /// The shard was finished by an earlier run.
    AlreadyFinished,
    /// The job is complete, and this input has no puzzle.
    NoPuzzle(&'a InputCounts),
    /// Some records of an input to compare with are malformed, so they are not compared.
    NotCompared(&'a InputCounts),
    /// The shard was finished by an earlier run, but its output was changed or damaged since: it is computed again.
    DamagedShard,
}

impl Execution {
    /// One thread for each CPU, and a chunk size that adapts to the time that puzzles take.
    pub fn new() -> Execution {
        let threads = cpus();
        let (first_chunk, cpu_time) = (FIRST_CHUNK, thread_cpu_time as fn() -> Duration);
        let (stop, pace) = (Stop::new(), CheckpointPace::default());
        Execution { threads, chunk: None, first_chunk, stop, cpu_time, observer: None, pace }
    }

    /// Sets the number of worker threads, which is limited to two for each CPU.
    ///
    /// # Panics
    ///
    /// If it is 0.
    #[must_use]
    pub fn threads(self, threads: usize) -> Execution {
        assert!(threads > 0, "a job needs a thread");
        // The output is the same for any number, so a large one is not an error.
        Execution { threads: threads.min(THREADS_PER_CPU * cpus()), ..self }
    }

    /// Writes a checkpoint after each chunk, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn checkpoint_each_chunk(self) -> Execution {
        Execution { pace: CheckpointPace::EachChunk, ..self }
    }

    /// Sets the number of records in the first chunks, unless the size is set.
    pub(crate) fn first_chunk(&self, records: NonZeroUsize) -> Execution {
        Execution { first_chunk: records, ..self.clone() }
    }

    /// The number of worker threads.
    pub fn thread_count(&self) -> usize {
        self.threads
    }

    /// A solver that the stop signal interrupts.
    pub(crate) fn solver(&self, engine: Box<dyn Engine>, max_branches: MaxBranches) -> Solver {
        Solver::new(engine).max_branches(max_branches).stop(self.stop.clone())
    }

    /// The same execution without the observer, for a second pass over the inputs.
    pub(crate) fn without_observer(&self) -> Execution {
        Execution { observer: None, ..self.clone() }
    }

    /// The same execution for a job without a report. It does not read the CPU clock, which takes 0.4 µs.
    pub(crate) fn without_report(&self) -> Execution {
        Execution { cpu_time: || Duration::ZERO, ..self.without_observer() }
    }

    /// The facts of a run that began at `start`.
    pub(crate) fn facts(
        &self,
        start: Instant,
        records: u64,
        engine: String,
        stopped_after: Option<StoppedAfter>,
    ) -> RunFacts {
        let wall = start.elapsed();
        Run { wall, threads: self.threads, engine, stopped_after, ..Run::default() }.facts(records)
    }

    pub(crate) fn notify(&self, event: Event<'_>) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }

    /// Reports each input of a complete run that has no puzzle.
    pub(crate) fn notify_of_inputs(&self, tally: &InputTally) {
        for input in tally.without_puzzle() {
            self.notify(Event::NoPuzzle(&input));
        }
    }

    /// Runs the records of some inputs through workers. `finish` is called with each chunk, in order.
    pub(crate) fn run<W: Work<ChunkInput> + Tallied>(
        &self,
        mut tally: InputTally,
        source: Box<RecordSource>,
        mut workers: Vec<W>,
        finish: Finish<'_, ChunkInput>,
        most: Option<NonZeroUsize>,
    ) -> Result<PipelineRun<W>, PipelineFailure> {
        let start = Instant::now();
        // Kept by the writer: the workers have later records, but a stopped run names the last one that was written.
        let mut last = None;
        let mut finish = |chunk: &mut Chunk<ChunkInput>| {
            last = chunk.input.clone().zip(chunk.records.last().map(|record| record.line));
            finish(chunk)?;
            // Only now are the rows of the chunk in the output, where `finish` writes them.
            self.notify(Event::Written { records: ChunkInput::new_records(chunk), input_bytes: chunk.input_bytes });
            Ok(())
        };

        let (first, most) = (self.first_chunk, most.unwrap_or(CHUNK));
        let size = self.chunk.map_or(ChunkSize::Adaptive { first, most }, ChunkSize::Fixed);
        let working = workers.iter_mut().map(|worker| worker as &mut dyn Work<ChunkInput>).collect();
        let Outcome { end, stages } = pipeline::run(source, working, &mut finish, size, &self.stop)?;
        let stopped_after = match end {
            End::Complete => None,
            End::Stopped => last.map(|(input, line)| StoppedAfter { file: input.input.name.clone(), line }),
        };

        for worker in &mut workers {
            tally.merge(worker.take_tally());
        }
        Ok(PipelineRun { workers, tally, wall: start.elapsed(), stages, end, stopped_after })
    }
}

/// A source of the records of a run.
pub(crate) type RecordSource = dyn Source<Input = ChunkInput, Error = CorpusError>;

setters!(Execution {
    /// Sets the number of records in a chunk.
    chunk_size(records: NonZeroUsize) => chunk = Some(records);

    /// Sets a signal that ends the job early.
    stop(stop: Stop) => stop = stop;

    /// Sets a function that is called with the events of the job.
    observer(observer: impl Fn(Event<'_>) + Send + Sync + 'static) => observer = Some(Arc::new(observer));
});

/// The number of threads that can run at once. Looked up once, as a look takes 40 µs.
fn cpus() -> usize {
    static CPUS: LazyLock<usize> = LazyLock::new(|| thread::available_parallelism().map_or(1, NonZeroUsize::get));
    *CPUS
}

impl Default for Execution {
    fn default() -> Execution {
        Execution::new()
    }
}

impl fmt::Debug for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Execution").field("threads", &self.threads).field("chunk", &self.chunk).finish_non_exhaustive()
    }
}

/// The error of a pipeline over a corpus.
pub type PipelineFailure = PipelineError<CorpusError>;

/// The workers and measurements of a pipeline that did not fail.
pub(crate) struct PipelineRun<W> {
    pub(crate) workers: Vec<W>,
    pub(crate) tally: InputTally,
    pub(crate) wall: Duration,
    pub(crate) stages: Stages,
    pub(crate) end: End,
    /// The last record, if the run was stopped.
    pub(crate) stopped_after: Option<StoppedAfter>,
}

impl<W> PipelineRun<W> {
    /// The measurements of the run, and its settings.
    pub(crate) fn measured(&self, execution: &Execution, engine: String, limit: Limit, resumed: u64) -> Run {
        Run {
            pipelines: 1,
            wall: self.wall,
            reader_cpu: self.stages.reader,
            workers_cpu: self.stages.workers,
            writer_cpu: self.stages.writer,
            threads: execution.threads,
            engine,
            limit: limit.get(),
            stopped_after: self.stopped_after.clone(),
            resumed,
        }
    }
}

/// The result of a job that did not fail.
///
/// As JSON, it is the results and the facts.
#[derive(Clone, Debug, Serialize)]
#[must_use]
pub struct Finished<R> {
    /// The results. They are empty if the job was stopped before its first new row.
    #[serde(flatten)]
    pub report: R,
    /// The facts of the run.
    #[serde(flatten)]
    pub run: RunFacts,
    /// Whether the job is complete.
    #[serde(skip)]
    pub end: End,
    /// The rows so far, if the job was stopped.
    #[serde(skip)]
    pub partial: Option<PartialOutput>,
}

impl<R> Finished<R> {
    /// The result of a run with these counts.
    pub(crate) fn new<C: RunCounts + Into<R>>(
        mut counts: C,
        run: Run,
        end: End,
        partial: Option<PartialOutput>,
    ) -> Finished<R> {
        counts.measured(&run);
        let run = run.facts(counts.records());
        Finished { report: counts.into(), run, end, partial }
    }
}

/// The error that ended a run early, and the rows so far. `Display` and `source` are the error's.
#[derive(Debug)]
pub struct BrokenRun {
    /// The cause.
    pub error: Arc<dyn Error + Send + Sync>,
    /// The rows so far.
    pub partial: Option<PartialOutput>,
}

impl fmt::Display for BrokenRun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for BrokenRun {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

/// The error of a job that failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// Options contradict each other, or do not fit the inputs.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The CPU does not have the vectors of the engine.
    #[error(transparent)]
    Engine(#[from] SimdError),
    /// An input cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The output cannot be written or resumed.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The run ended early.
    #[error(transparent)]
    Run(BrokenRun),
}

impl JobError {
    /// Wraps an error that ends a run.
    pub(crate) fn of_run(error: impl Into<Box<dyn Error + Send + Sync>>) -> JobError {
        JobError::Run(BrokenRun { error: Arc::from(error.into()), partial: None })
    }

    /// The error with the rows so far, if it ended a run early.
    ///
    /// A run that failed because of its input cannot be resumed: the same input would make it fail again, and a
    /// corrected input is a different one.
    pub(crate) fn with_rows(self, partial: Option<PartialOutput>) -> JobError {
        let JobError::Run(BrokenRun { error, .. }) = self else { return self };
        let is_of_input = matches!(error.downcast_ref(), Some(PipelineFailure::Source(_)));
        let partial = partial.map(|rows| PartialOutput { resumable: rows.resumable && !is_of_input, ..rows });
        JobError::Run(BrokenRun { error, partial })
    }
}

impl From<PipelineFailure> for JobError {
    fn from(error: PipelineFailure) -> JobError {
        JobError::of_run(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_threads_than_can_run_are_used() {
        assert_eq!(Execution::new().threads(1).thread_count(), 1);
        assert_eq!(Execution::new().threads(1 << 20).thread_count(), 2 * Execution::new().thread_count());
    }
}
