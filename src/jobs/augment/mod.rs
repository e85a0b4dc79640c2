//! Writes random isomorphs of every puzzle of a corpus, with their answers: larger training sets from the same puzzles.
//!
//! ```text
//!   chunk -> AugmentWorker -> CSV rows ----------------------------------> output
//!                          -> cells of puzzles and answers -> TrainingSet -> NPY files
//! ```

mod npy;
mod training_set;
mod worker;

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use self::training_set::TrainingSet;
pub use self::training_set::TrainingSetName;
pub use self::worker::AugmentCounts;
use self::worker::{AugmentWorker, Group, Layout};
use super::{BrokenRun, EngineSource, Execution, Finished, JobError, PartialOutput, PipelineRun, resumable};
use crate::corpus::{ChunkInput, Corpus};
use crate::engine::MaxBranches;
use crate::pipeline::{Chunk, End};
use crate::puzzle::IsomorphKind;
use crate::resume::{OutputError, OutputFile, OutputTarget};
use crate::rows::FileColumn;
use crate::stats::StoppedAfter;

/// Writes random isomorphs of every puzzle of a corpus.
///
/// The copies of a record are a function of the seed and of its line. The copies of a puzzle differ from each other and
/// from the puzzle. A record that is no puzzle, or whose answer is no grid of the same size, is left out.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Augment, Execution};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let mut rows = Vec::new();
/// let report = Augment::new(3).seed(1).run(corpus, &mut rows, &Execution::new())?.report.unwrap();
/// assert_eq!((report.counts.puzzles, report.counts.copies), (1000, 3000));
/// assert!(rows.starts_with(b"puzzle\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Augment {
    copies: usize,
    seed: u64,
    kinds: Vec<IsomorphKind>,
    original: bool,
    origin: bool,
    engine: EngineSource,
    max_branches: MaxBranches,
}

/// Results of [`Augment`].
#[derive(Clone, Debug)]
pub struct AugmentReport {
    /// The numbers of records and copies.
    pub counts: AugmentCounts,
    /// From the first read to the last write.
    pub wall: Duration,
    /// The last record of a run that was stopped.
    pub stopped_after: Option<StoppedAfter>,
}

impl Augment {
    /// Writes this number of copies of each puzzle, by isomorphisms of all kinds.
    pub fn new(copies: usize) -> Augment {
        Augment {
            copies,
            seed: 0,
            kinds: IsomorphKind::ALL.to_vec(),
            original: false,
            origin: false,
            engine: EngineSource::default(),
            max_branches: MaxBranches::default(),
        }
    }

    /// Sets the seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Augment {
        Augment { seed, ..self }
    }

    /// Sets the kinds of isomorphisms.
    #[must_use]
    pub fn kinds(self, kinds: impl IntoIterator<Item = IsomorphKind>) -> Augment {
        Augment { kinds: kinds.into_iter().collect(), ..self }
    }

    /// Writes each puzzle itself before its copies, too. A training set always has it.
    #[must_use]
    pub fn with_original(self) -> Augment {
        Augment { original: true, ..self }
    }

    /// Adds a column `origin`: the line of the record, after the name of its input if there are several.
    #[must_use]
    pub fn with_origin(self) -> Augment {
        Augment { origin: true, ..self }
    }

    /// Sets the engine that solves puzzles without answers, for a training set.
    #[must_use]
    pub fn engine(self, engine: impl Into<EngineSource>) -> Augment {
        Augment { engine: engine.into(), ..self }
    }

    /// Sets the most branches of such a search; a puzzle that needs more is left out.
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Augment {
        Augment { max_branches, ..self }
    }

    /// Writes CSV with the columns `puzzle`, `solution` unless the corpus [ignores](crate::format::AnswerColumn::Ignored) answers or
    /// has none, `origin` if wanted, and the columns of the input that are kept.
    ///
    /// # Errors
    ///
    /// If an input cannot be read, or the output cannot be written.
    pub fn run(
        &self,
        mut corpus: Corpus,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<AugmentReport>, JobError> {
        // The columns depend on the first input.
        let has_answers = corpus.peek()?.is_some_and(|record| record.input.layout.answer_parser().is_some());
        let mut columns = vec!["puzzle"];
        columns.extend(has_answers.then_some("solution"));
        columns.extend(self.origin.then_some("origin"));
        columns.extend(corpus.options().keep.iter().map(String::as_str));
        let mut header = csv::Writer::from_writer(&mut output);
        header.write_record(&columns).map_err(|error| OutputError::Write(error.into()))?;
        header.flush().map_err(OutputError::Write)?;
        drop(header);
        let file = FileColumn::for_inputs(corpus.origins().len());
        let layout = Layout::Rows { has_answers, origin: self.origin.then_some(file), original: self.original };
        let workers = self.workers(&layout, execution)?;
        let run = execution.run(corpus, workers, output, |_| Ok(()), None);
        Ok(finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution))
    }

    /// Writes the rows to a file, which gets its name when it is complete, or to standard output.
    ///
    /// # Errors
    ///
    /// As [`Augment::run`].
    pub fn run_to(
        &self,
        corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<AugmentReport>, JobError> {
        resumable::check_files(&corpus, None, target)?;
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

    /// Writes a training set for recursive reasoning models: NPY files and `dataset.json` in the directory of this name
    /// in `directory`. Each puzzle and its copies are a group. Puzzles without answers are solved.
    ///
    /// # Errors
    ///
    /// If an input cannot be read, no record or records of different sizes have solutions, or the files cannot be written.
    pub fn run_to_training_set(
        &self,
        corpus: Corpus,
        directory: &Path,
        name: TrainingSetName,
        execution: &Execution,
    ) -> Result<Finished<AugmentReport>, JobError> {
        let failed = |source: io::Error| OutputError::File { path: directory.join(name.name()), source };
        let workers = self.workers(&Layout::Cells, execution)?;
        let mut set = TrainingSet::create(directory, name).map_err(failed)?;
        let take = |chunk: &mut Chunk<ChunkInput, Group>| {
            let cells = std::mem::take(&mut chunk.output);
            chunk.notes.iter().try_fold(&*cells, |cells, group| set.push(*group, cells))?;
            Ok(())
        };
        let run = execution.run(corpus, workers, io::sink(), take, None);
        let finished = finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution);
        if finished.end == End::Complete {
            set.finish().map_err(failed)?;
        }
        Ok(finished)
    }

    fn workers(&self, layout: &Layout, execution: &Execution) -> Result<Vec<AugmentWorker>, JobError> {
        let engine = self.engine.builder()?;
        let solver = || execution.solver(engine(), self.max_branches);
        Ok((0..execution.threads).map(|_| AugmentWorker::new(self, layout.clone(), solver())).collect())
    }
}

/// The result of a run that was not broken.
fn finished(run: PipelineRun<AugmentWorker>, execution: &Execution) -> Finished<AugmentReport> {
    if run.end == End::Complete {
        run.tally.notify(execution);
    }
    let mut counts = AugmentCounts::default();
    for worker in &run.workers {
        counts.add(worker.counts());
    }
    let report = AugmentReport { counts, wall: run.wall, stopped_after: run.stopped_after };
    Finished { report: Some(report), end: run.end, partial: None }
}
