//! Writes random isomorphs of every puzzle of a corpus, with their answers: larger training sets from the same puzzles.
//!
//! ```text
//!   chunk -> AugmentWorker -> TextCopies: CSV or JSON lines --------------------------> output
//!                          -> TypedCopies: record batches ----------------------------> Parquet file
//!                          -> CellCopies: cells of puzzles and answers -> TrainingSet -> NPY files
//! ```

mod copies;
mod npy;
mod rows;
mod training_set;
#[cfg(feature = "arrow")]
mod typed;
mod worker;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;

use serde::Serialize;

use self::rows::{CopyColumns, TextCopies};
pub use self::training_set::TrainingSetName;
use self::training_set::{CellCopies, Group, TrainingSet};
pub use self::worker::AugmentCounts;
use self::worker::{Answers, AugmentWorker, CopySink};
use super::{
    BrokenRun, EngineSource, Execution, Finished, JobError, OptionError, PartialOutput, PipelineRun, resumable,
};
use crate::corpus::{ChunkInput, Corpus};
use crate::engine::MaxBranches;
use crate::pipeline::{Chunk, End};
use crate::puzzle::IsomorphKind;
#[cfg(feature = "parquet")]
use crate::resume::Container;
use crate::resume::{OutputError, OutputFile, OutputTarget};
use crate::rows::{FileColumn, HeaderRow, OutputFormat, TextValues, kept_headers};
use crate::stats::StoppedAfter;

/// About how many rows a chunk has at the most: more would only take memory.
const CHUNK_ROWS: usize = 1 << 16;

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
    format: OutputFormat,
    engine: EngineSource,
    max_branches: MaxBranches,
}

/// Results of [`Augment`].
#[derive(Clone, Debug, Serialize)]
pub struct AugmentReport {
    /// The numbers of records and copies.
    #[serde(flatten)]
    pub counts: AugmentCounts,
    /// From the first read to the last write.
    pub wall_seconds: f64,
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
            format: OutputFormat::Csv,
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

    /// Sets the format of the rows, which must have columns.
    #[must_use]
    pub fn format(self, format: OutputFormat) -> Augment {
        Augment { format, ..self }
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

    /// Writes rows with the columns `puzzle`, `solution` unless the corpus [ignores](crate::format::AnswerColumn::Ignored)
    /// answers or has none, `origin` if wanted, and the columns of the input that are kept.
    ///
    /// # Errors
    ///
    /// If the format has no columns, an input cannot be read, or the output cannot be written.
    pub fn run(
        &self,
        mut corpus: Corpus,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<AugmentReport>, JobError> {
        self.check()?;
        let columns = self.columns(&mut corpus)?;
        let kept = kept_headers(&columns.own(), &corpus.options().keep);
        let headers: Vec<String> = columns.own().into_iter().map(str::to_owned).chain(kept).collect();
        let text = || TextValues::new(self.format, headers.clone());
        output.write_all(&text().header(HeaderRow::Present)).map_err(OutputError::Write)?;
        let sink = || TextCopies { columns, text: text() };
        let workers = self.workers(sink, columns.answers(), self.original, execution)?;
        let run = execution.run(corpus, workers, output, |_| Ok(()), self.most_records());
        Ok(finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution))
    }

    /// Checks the options before the corpus is opened.
    ///
    /// # Errors
    ///
    /// If the format has no columns.
    pub fn check(&self) -> Result<(), OptionError> {
        if self.format.has_columns() { Ok(()) } else { Err(OptionError::NeedsColumns(self.format)) }
    }

    /// The columns of the rows, which depend on the first input.
    fn columns(&self, corpus: &mut Corpus) -> Result<CopyColumns, JobError> {
        let has_answers = corpus.peek()?.is_some_and(|record| record.input.layout.answer_parser().is_some());
        let file = FileColumn::for_inputs(corpus.origins().len());
        Ok(CopyColumns { has_answers, origin: self.origin.then_some(file) })
    }

    /// The most records of a chunk.
    fn most_records(&self) -> Option<NonZeroUsize> {
        NonZeroUsize::new(CHUNK_ROWS / self.copies.max(1)).or(Some(NonZeroUsize::MIN))
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
        #[cfg(feature = "parquet")]
        if target.container == Container::Parquet {
            return self.run_to_parquet(corpus, target, execution);
        }
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
        let workers = self.workers(|| CellCopies, Answers::GivenOrFound, true, execution)?;
        let mut set = TrainingSet::create(directory, name).map_err(failed)?;
        let take = |chunk: &mut Chunk<ChunkInput, Group>| {
            let cells = std::mem::take(&mut chunk.output);
            chunk.notes.iter().try_fold(&*cells, |cells, group| set.push(*group, cells))?;
            Ok(())
        };
        let run = execution.run(corpus, workers, io::sink(), take, self.most_records());
        let finished = finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution);
        if finished.end == End::Complete {
            set.finish().map_err(failed)?;
        }
        Ok(finished)
    }

    /// A worker for each thread, with a sink for its copies.
    fn workers<S: CopySink>(
        &self,
        sink: impl Fn() -> S,
        answers: Answers,
        original: bool,
        execution: &Execution,
    ) -> Result<Vec<AugmentWorker<S>>, JobError> {
        let engine = self.engine.builder()?;
        let worker = |_| {
            let solver = execution.solver(engine(), self.max_branches);
            AugmentWorker::new(self, sink(), answers, original, solver, execution.stop.clone())
        };
        Ok((0..execution.threads).map(worker).collect())
    }
}

/// The result of a run that was not broken.
fn finished<S>(run: PipelineRun<AugmentWorker<S>>, execution: &Execution) -> Finished<AugmentReport> {
    if run.end == End::Complete {
        run.tally.notify(execution);
    }
    let mut counts = AugmentCounts::default();
    for worker in &run.workers {
        counts.add(worker.counts());
    }
    let report = AugmentReport { counts, wall_seconds: run.wall.as_secs_f64(), stopped_after: run.stopped_after };
    Finished { report: Some(report), end: run.end, partial: None }
}
