//! How a job is executed: threads, chunk size, stop signal and observer; and the one place where a job runs a pipeline.

use std::error::Error;
use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::tally::{InputTally, NoPuzzle, Tallied};
use crate::corpus::{ChunkInput, CorpusError};
use crate::engine::lanes::SimdError;
use crate::engine::solver::Solver;
use crate::engine::{Engine, Limit, MaxBranches};
use crate::pipeline::{
    self, Chunk, ChunkSize, End, Finish, PipelineError, Source, Stages, Stop, Work, thread_cpu_time,
};
use crate::resume::{CheckpointPace, OutputError};
use crate::rows::{ColumnError, OutputFormat};
use crate::stats::{Run, StoppedAfter};

/// The most records in a chunk: enough to fill every lane of an engine.
pub(super) const CHUNK: NonZeroUsize = NonZeroUsize::new(4096).unwrap();

/// The number of records in the first chunks: few, in case that they take long.
const FIRST_CHUNK: NonZeroUsize = NonZeroUsize::new(64).unwrap();

/// The most worker threads for each CPU. More of them only take turns, each with memory of its own. One for each would
/// be too few where a process may use one and a half CPUs, which count as one.
const THREADS_PER_CPU: usize = 2;

/// How a job is executed. Nothing of it changes the output.
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
    /// The number of records in the first chunks, unless the size is set.
    first_chunk: NonZeroUsize,
    pub(crate) stop: Stop,
    /// The CPU time of the calling thread, for reports.
    pub(crate) cpu_time: fn() -> Duration,
    observer: Option<Arc<Observer>>,
    /// When a run that can be resumed writes checkpoints.
    pub(super) pace: CheckpointPace,
}

/// Called with the events of a job, also from other threads.
pub type Observer = dyn Fn(Event<'_>) + Send + Sync;

/// Something that happened in a job.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The rows of a chunk were written.
    Written {
        /// The number of its records.
        records: usize,
        /// The bytes of the inputs that it took, as they are stored.
        input_bytes: u64,
    },
    /// The records that an interrupted run has done were skipped up to here.
    Skipping {
        /// The bytes of the inputs that were consumed, as they are stored.
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
    /// Random grids gave no puzzle that is as specified.
    Missed {
        /// Their number.
        grids: u32,
    },
    /// Puzzles were left out, because they are isomorphs of others.
    LeftOut {
        /// Their number.
        puzzles: u64,
    },
    /// The shard was finished by an earlier run.
    AlreadyFinished,
    /// The job is complete, and in this input no record is a puzzle.
    NoPuzzle(&'a NoPuzzle),
    /// The shard was finished by an earlier run, and its output was changed or damaged after that: it is computed again.
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

    /// Sets the number of worker threads; of more than two for each CPU, only so many are used.
    ///
    /// # Panics
    ///
    /// If it is 0.
    #[must_use]
    pub fn threads(self, threads: usize) -> Execution {
        assert!(threads > 0, "a job needs a thread");
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

    /// A solver that is interrupted by the stop signal.
    pub(crate) fn solver(&self, engine: Box<dyn Engine>, max_branches: MaxBranches) -> Solver {
        Solver::new(engine).max_branches(max_branches).stop(self.stop.clone())
    }

    /// The same execution without the observer, for a second pass over the inputs.
    pub(crate) fn without_observer(&self) -> Execution {
        Execution { observer: None, ..self.clone() }
    }

    /// The same execution for a job without a report, which does not look at the CPU clock: that takes 0.4 µs.
    pub(crate) fn without_report(&self) -> Execution {
        Execution { cpu_time: || Duration::ZERO, ..self.without_observer() }
    }

    pub(crate) fn notify(&self, event: Event<'_>) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }

    /// Reports the inputs of a complete run in which no record is a puzzle.
    pub(crate) fn notify_of_inputs(&self, tally: &InputTally) {
        for no_puzzle in &tally.without_puzzle() {
            self.notify(Event::NoPuzzle(no_puzzle));
        }
    }

    /// Runs the records of some inputs through workers; `finish` is called with every chunk.
    pub(crate) fn run<W, N>(
        &self,
        mut tally: InputTally,
        source: impl RecordSource,
        workers: Vec<W>,
        finish: Finish<'_, ChunkInput, N>,
        most: Option<NonZeroUsize>,
    ) -> Result<PipelineRun<W>, PipelineFailure>
    where
        W: Work<ChunkInput, N> + Tallied,
        N: Send + 'static,
    {
        let start = Instant::now();
        let mut last = None;
        let mut finish = |chunk: &mut Chunk<ChunkInput, N>| {
            last = chunk.input.clone().zip(chunk.records.last().map(|record| record.line));
            finish(chunk)?;
            self.notify(Event::Written { records: ChunkInput::new_records(chunk), input_bytes: chunk.input_bytes });
            Ok(())
        };
        let (first, most) = (self.first_chunk, most.unwrap_or(CHUNK));
        let size = self.chunk.map_or(ChunkSize::Adaptive { first, most }, ChunkSize::Fixed);
        let outcome = pipeline::run(source, workers, &mut io::sink(), &mut finish, size, &self.stop)?;
        let stopped_after = match outcome.end {
            End::Complete => None,
            End::Stopped => last.map(|(input, line)| StoppedAfter { file: input.input.name.clone(), line }),
        };
        let (mut workers, stages) = (outcome.workers, outcome.stages);
        for worker in &mut workers {
            tally.merge(worker.take_tally());
        }
        Ok(PipelineRun { workers, tally, wall: start.elapsed(), stages, end: outcome.end, stopped_after })
    }
}

/// A source of the records of a run.
pub(crate) trait RecordSource: Source<Input = ChunkInput, Error = CorpusError> {}

impl<S: Source<Input = ChunkInput, Error = CorpusError>> RecordSource for S {}

setters!(Execution {
    /// Sets the number of records in a chunk.
    chunk_size(records: NonZeroUsize) => chunk = Some(records);

    /// Sets a signal that ends the job early.
    stop(stop: Stop) => stop = stop;

    /// Sets a function that is called with the events of the job.
    observer(observer: impl Fn(Event<'_>) + Send + Sync + 'static) => observer = Some(Arc::new(observer));
});

/// How many threads can run at once.
fn cpus() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
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

/// Why a pipeline over a corpus failed.
pub type PipelineFailure = PipelineError<CorpusError>;

/// What remains of a pipeline that was not broken.
pub(crate) struct PipelineRun<W> {
    pub(crate) workers: Vec<W>,
    pub(crate) tally: InputTally,
    pub(crate) wall: Duration,
    pub(crate) stages: Stages,
    pub(crate) end: End,
    /// The last record of a run that was stopped.
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

/// A job that did not fail.
#[derive(Clone, Debug)]
#[must_use]
pub struct Finished<R> {
    /// The results; of a job that was stopped before its first new row, they are empty.
    pub report: R,
    /// Whether the job is complete.
    pub end: End,
    /// The rows so far of a job that was stopped.
    pub partial: Option<PartialOutput>,
}

/// The output of a job that did not complete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialOutput {
    /// The file.
    pub path: PathBuf,
    /// Whether the job can be resumed from it.
    pub resumable: bool,
}

/// What broke a run after it had started, and the rows so far. It reads as the error itself.
#[derive(Debug)]
pub struct BrokenRun<E> {
    /// The cause.
    pub error: E,
    /// The rows so far.
    pub partial: Option<PartialOutput>,
}

impl<E: fmt::Display> fmt::Display for BrokenRun<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<E: Error> Error for BrokenRun<E> {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}

/// Why a job failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobError {
    /// An option contradicts another.
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
    /// A column does not exist, or was chosen twice.
    #[error(transparent)]
    Columns(#[from] ColumnError),
    /// What only this job can complain about.
    #[error(transparent)]
    Job(BrokenRun<Arc<dyn Error + Send + Sync>>),
    /// The run broke off.
    #[error(transparent)]
    Broken(BrokenRun<PipelineFailure>),
    /// There is nothing to look for leaks in.
    #[error("cannot look for leaks: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    NothingToCompare(Vec<NoPuzzle>),
}

impl JobError {
    /// An error of one job.
    pub(crate) fn of_job(error: impl Error + Send + Sync + 'static) -> JobError {
        JobError::Job(BrokenRun { error: Arc::new(error), partial: None })
    }

    /// The error with the rows so far, if it broke a run.
    ///
    /// A run that its input broke cannot be resumed: the same input would break it again, and a mended one is another.
    pub(crate) fn with_rows(self, partial: Option<PartialOutput>) -> JobError {
        match self {
            JobError::Job(broken) => JobError::Job(BrokenRun { partial, ..broken }),
            JobError::Broken(BrokenRun { error, .. }) => {
                let is_of_input = matches!(error, PipelineError::Source(_));
                let resumable =
                    |rows: PartialOutput| PartialOutput { resumable: rows.resumable && !is_of_input, ..rows };
                JobError::Broken(BrokenRun { error, partial: partial.map(resumable) })
            }
            error => error,
        }
    }
}

impl From<PipelineFailure> for JobError {
    fn from(error: PipelineFailure) -> JobError {
        JobError::Broken(BrokenRun { error, partial: None })
    }
}

/// Options of a job that contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionError {
    /// The rows do not come in this format.
    #[error("the rows do not come in the format {0}")]
    NoSuchFormat(OutputFormat),
    /// Columns were chosen for a format without columns.
    #[error("the output format {0} has no columns to choose")]
    NoColumns(OutputFormat),
    /// Solutions were asked for in a format without columns.
    #[error("the output format {0} has no column for solutions")]
    NoSolutions(OutputFormat),
    /// A sharded run needs rows that correspond to records.
    #[error("sharding needs an output with a row for each record")]
    NotOneRowARecord,
    /// A run that is like this cannot be resumed.
    #[error("a run {0} cannot be resumed")]
    NotResumable(&'static str),
    /// A format has at most one solution of each puzzle, and all are asked for.
    #[error("the output format {0} has at most one solution of each puzzle")]
    OneSolution(OutputFormat),
    /// A format has placements alone, and a trace with more is asked for.
    #[error("the output format {0} has the order of placements alone")]
    PlacementsOnly(OutputFormat),
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
