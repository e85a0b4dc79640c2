//! Writes the canonical form of every puzzle of a corpus.

#[cfg(feature = "arrow")]
mod typed;
mod worker;

use std::io::Write;
use std::time::Duration;

use super::{BrokenRun, EngineSource, Execution, Finished, JobError, PartialOutput, PipelineRun, resumable};
use crate::corpus::Corpus;
use crate::engine::MaxBranches;
use crate::pipeline::End;
#[cfg(feature = "parquet")]
use crate::resume::Container;
use crate::resume::{OutputError, OutputFile, OutputTarget};
use crate::rows::{FileColumn, RowFields};
use crate::stats::StoppedAfter;

pub use self::worker::CanonCounts;
use self::worker::{COLUMNS, CanonSink, CanonWorker};

/// Writes the canonical form, its solution, the class and the number of automorphisms of every puzzle, as CSV.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Canon, Execution};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let mut rows = Vec::new();
/// let report = Canon::new().run(corpus, &mut rows, &Execution::new())?.report.unwrap();
/// assert_eq!(report.counts.unique, 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Canon {
    engine: EngineSource,
    max_branches: MaxBranches,
}

/// Results of [`Canon`].
#[derive(Clone, Debug)]
pub struct CanonReport {
    /// The number of records by kind of canonical form.
    pub counts: CanonCounts,
    /// From the first read to the last write.
    pub wall: Duration,
    /// The last record of a run that was stopped.
    pub stopped_after: Option<StoppedAfter>,
}

impl Canon {
    /// Solves with the fastest engine.
    pub fn new() -> Canon {
        Canon::default()
    }

    /// Sets the engine.
    #[must_use]
    pub fn engine(self, engine: impl Into<EngineSource>) -> Canon {
        Canon { engine: engine.into(), ..self }
    }

    /// Sets the most branches that the search for a puzzle may take; a puzzle that needs more is undecided. By default,
    /// [it depends on the size](MaxBranches::BySize).
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Canon {
        Canon { max_branches, ..self }
    }

    /// Writes a header and a row for each record.
    ///
    /// # Errors
    ///
    /// If the engine cannot be built, an input cannot be read, or the output cannot be written.
    pub fn run(
        &self,
        corpus: Corpus,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<CanonReport>, JobError> {
        let file = FileColumn::for_inputs(corpus.origins().len());
        let header = format!("{},{}\n", RowFields::new(file).first_columns(), COLUMNS.join(","));
        output.write_all(header.as_bytes()).map_err(OutputError::Write)?;
        let workers = self.workers(|| RowFields::new(file), execution)?;
        let run = execution.run(corpus, workers, output, |_| Ok(()), None);
        Ok(finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution))
    }

    /// A worker for each thread, with a sink for its rows.
    fn workers<S: CanonSink>(
        &self,
        sink: impl Fn() -> S,
        execution: &Execution,
    ) -> Result<Vec<CanonWorker<S>>, JobError> {
        let worker = |_| Ok(CanonWorker::new(execution.solver(self.engine.build()?, self.max_branches), sink()));
        (0..execution.threads).map(worker).collect()
    }

    /// Writes the rows to a file, which gets its name when it is complete, or to standard output.
    ///
    /// # Errors
    ///
    /// As [`Canon::run`].
    pub fn run_to(
        &self,
        corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<CanonReport>, JobError> {
        #[cfg(feature = "parquet")]
        if target.container == Container::Parquet {
            return self.run_to_parquet(corpus, target, execution);
        }
        resumable::check_files(&corpus, None, target)?;
        self.engine.build()?;
        let mut output = OutputFile::create(target, execution.threads)?;
        let rows_so_far = output.partial().map(|path| PartialOutput { path: path.to_owned(), resumable: false });
        let finished = self.run(corpus, &mut output, execution).map_err(|error| match error {
            JobError::Broken(broken) => JobError::Broken(BrokenRun { partial: rows_so_far.clone(), ..broken }),
            error => error,
        })?;
        if finished.end == End::Stopped {
            return Ok(Finished { partial: rows_so_far, ..finished });
        }
        output.finish()?;
        Ok(finished)
    }
}

/// The result of a run that was not broken.
fn finished<S: CanonSink>(run: PipelineRun<CanonWorker<S>>, execution: &Execution) -> Finished<CanonReport> {
    if run.end == End::Complete {
        run.tally.notify(execution);
    }
    let mut counts = CanonCounts::default();
    for worker in &run.workers {
        counts.add(worker.counts());
    }
    let report = CanonReport { counts, wall: run.wall, stopped_after: run.stopped_after };
    Finished { report: Some(report), end: run.end, partial: None }
}
