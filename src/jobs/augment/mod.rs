//! Writes random isomorphs of every puzzle of a corpus, with their answers: a larger training set from the same
//! puzzles.
//!
//! ```text
//!   chunk -> AugmentWorker  -> rows -----------------------------------------> output
//!         -> TrainingWorker -> cells of puzzles and answers -> TrainingSet -> NPY files
//!         -> ExampleWorker  -> cells of puzzles and answers -> ExampleSet  -> copies in memory
//! ```

mod copies;
mod examples;
mod training_set;
mod worker;

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use self::examples::ExampleWorker;
#[doc(hidden)]
pub use self::examples::{Epoch, ExampleSet};
#[doc(hidden)]
pub use self::training_set::TrainingSetName;
use self::training_set::{TrainingSet, TrainingWorker};
pub use self::worker::AugmentCounts;
use self::worker::{Answers, AugmentWorker, Copier, CopyRow};
use crate::corpus::{ChunkInput, Corpus};
use crate::engine::Limit;
use crate::output::OutputError;
use crate::pipeline::{Chunk, End};
use crate::puzzle::IsomorphKind;
use crate::rows::{Column, Kind, Row};
use crate::run::job::{Independent, Job, JobParts};
use crate::run::record_loop::{RecordLoop, RecordWorker, results_of};
use crate::run::settings::RowSettings;
use crate::run::tally::InputTally;
use crate::run::{DividedCorpus, Execution, Finished, JobError, RecordSource, RowJob};
use crate::stats::Mergeable;

/// Writes random isomorphs of every puzzle of a corpus.
///
/// Rows have the column `puzzle`, the column `solution` unless the corpus has no answers or
/// [ignores](crate::format::AnswerColumn::Ignored) them, and `origin` on request. A record is left out if it is not a
/// puzzle, or its answer is not a full grid of the same size. It is also left out if its answer changes a clue or
/// breaks a rule, unless answers are [not checked](Augment::unchecked).
///
/// The copies of a puzzle differ from each other and from the puzzle. They are a function of the seed and of the
/// record's number in its input: a run with more copies begins with the same ones. If a puzzle has fewer isomorphs than
/// requested, it gets all of them. Each copy of a puzzle takes up to 20 bytes of memory in each thread, until the next
/// puzzle.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Augment, Execution};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let mut rows = Vec::new();
/// let report = Augment::new(3).seed(1).run(corpus, &mut rows, &Execution::new())?.report;
/// assert_eq!((report.puzzles, report.copies), (1000, 3000));
/// assert!(rows.starts_with(b"puzzle\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Augment = RowJob<AugmentOptions>;

/// The options of [`Augment`], as plain data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct AugmentOptions {
    pub(crate) copies: usize,
    pub(crate) seed: u64,
    pub(crate) kind: Vec<IsomorphKind>,
    pub(crate) original: bool,
    pub(crate) origin: bool,
    pub(crate) unchecked: bool,
}

/// Facts about an open corpus.
pub(crate) struct InputFacts {
    answers: Answers,
    has_several: bool,
}

impl Default for AugmentOptions {
    fn default() -> AugmentOptions {
        AugmentOptions {
            copies: 0,
            seed: 0,
            kind: IsomorphKind::VARIANTS.to_vec(),
            original: false,
            origin: false,
            unchecked: false,
        }
    }
}

impl Augment {
    /// Writes this number of copies of each puzzle, by isomorphisms of all kinds.
    pub fn new(copies: usize) -> Augment {
        RowJob::of(AugmentOptions { copies, ..AugmentOptions::default() })
    }

    /// Writes a training set for recursive reasoning models: NPY files and `dataset.json` in a subdirectory of
    /// `directory` with the name of the set. Each puzzle and its copies are a group. Puzzles without answers are
    /// solved.
    ///
    /// # Errors
    ///
    /// If an input cannot be read, no record or records of different sizes have solutions, or the files cannot be written.
    #[doc(hidden)]
    pub fn run_to_training_set(
        &self,
        corpus: Corpus,
        directory: &Path,
        name: TrainingSetName,
        execution: &Execution,
    ) -> Result<Finished<AugmentCounts>, JobError> {
        let mut set = TrainingSet::create(directory, name).map_err(OutputError::Write)?;
        let finished =
            self.run_to_cells(corpus, TrainingWorker, |examples, cells| set.push(examples, cells), execution)?;
        if finished.end == End::Complete {
            set.finish()?;
        }
        Ok(finished)
    }

    /// Reads the puzzles and their answers into memory, for making copies there. Puzzles without answers are solved.
    ///
    /// Puzzles with wrong answers are left out. The number of copies and the options of rows are ignored. If the job is
    /// stopped, the set has the first records.
    ///
    /// # Errors
    ///
    /// If an input cannot be read, or no record or records of different sizes have solutions.
    #[doc(hidden)]
    pub fn examples(
        &self,
        corpus: Corpus,
        execution: &Execution,
    ) -> Result<(ExampleSet, Finished<AugmentCounts>), JobError> {
        let mut job = self.clone().unchecked(false);
        job.job.copies = 0;
        let (mut set, mut error) = (None, None);
        let finished = job.run_to_cells(
            corpus,
            ExampleWorker,
            |(size, number), cells| {
                if error.is_some() {
                    return Ok(cells);
                }
                let set = set.get_or_insert_with(|| ExampleSet::new(size, &self.job.kind, self.job.seed));
                set.push(size, number, cells).or_else(|wrong| {
                    error = Some(wrong);
                    execution.stop.trigger();
                    Ok(cells)
                })
            },
            execution,
        )?;
        match (set, error) {
            (Some(set), None) => Ok((set, finished)),
            (_, error) => Err(JobError::of_run(error.unwrap_or("no record has a puzzle and its solution".into()))),
        }
    }

    /// Runs workers that append cells to the output of their chunks, and a note for each record. `take` is called with
    /// the notes in order, each with the cells that start with its own, and returns the cells after its own.
    fn run_to_cells<W: RecordWorker<Counts = AugmentCounts> + 'static>(
        &self,
        corpus: Corpus,
        worker: impl Fn(Copier) -> W,
        mut take: impl for<'a> FnMut(W::Note, &'a [u8]) -> io::Result<&'a [u8]> + Send,
        execution: &Execution,
    ) -> Result<Finished<AugmentCounts>, JobError> {
        let RowSettings { engine, max_branches, .. } = &self.settings;
        let worker = || worker(self.job.copier(Answers::GivenOrFound, execution));
        let workers = RecordLoop::without_rows(worker, engine, *max_branches, execution)?;

        let mut finish = |chunk: &mut Chunk<ChunkInput>| {
            let cells = std::mem::take(&mut chunk.output);
            results_of::<W>(chunk).notes.drain(..).try_fold(&*cells, |cells, note| take(note, cells))?;
            Ok(())
        };
        let (tally, source) = (InputTally::new(&corpus), DividedCorpus::new(corpus, self.job.copies as u64));
        let run = execution.run(tally, Box::new(source), workers, &mut finish, None)?;

        if run.end == End::Complete {
            execution.notify_of_inputs(&run.tally);
        }
        let (end, measured) = (run.end, run.measured(execution, engine.name(), Limit::UNIQUE, 0));
        let mut counts = AugmentCounts::default();
        for mut worker in run.workers {
            counts.merge(*worker.counts());
        }
        Ok(Finished::new(counts, measured, end, None))
    }
}

impl AugmentOptions {
    fn copier(&self, answers: Answers, execution: &Execution) -> Copier {
        Copier::new(self, answers, execution.stop.clone())
    }
}

setters!(Augment {
    /// Sets the seed.
    seed(seed: u64) => job.seed = seed;

    /// Sets the kinds of isomorphisms.
    kinds(kinds: impl IntoIterator<Item = IsomorphKind>) => job.kind = kinds.into_iter().collect();

    /// Sets whether each puzzle itself comes before its copies. In a training set, it always does.
    original(original: bool) => job.original = original;

    /// Sets whether `origin` is a default column: the line of the record, after the name of its input if there are
    /// several.
    origin(origin: bool) => job.origin = origin;

    /// Sets whether answers that change a clue or break a rule are copied, too.
    unchecked(unchecked: bool) => job.unchecked = unchecked;
});

impl Job for AugmentOptions {
    const NAME: &'static str = "augment";

    type Report = AugmentCounts;
}

impl JobParts for AugmentOptions {
    type Row = CopyRow<'static>;
    type Worker = AugmentWorker;
    type Stage = Independent<AugmentCounts, InputFacts>;

    /// With several inputs, an origin names the input.
    fn columns(&self, inputs: usize) -> Vec<Column> {
        let kind = |column: &Column| if column.name == "origin" && inputs > 1 { Kind::Text } else { column.kind };
        CopyRow::COLUMNS.iter().map(|column| column.of_kind(kind(column))).collect()
    }

    fn is_default(&self, column: &Column, corpus: &mut Corpus) -> Result<bool, JobError> {
        Ok(match column.name {
            "solution" => corpus.next_input()?.is_some_and(|input| input.layout.answer_parser().is_some()),
            "origin" => self.origin,
            _ => true,
        })
    }

    fn other_rows(_rows: &RowJob<Self>) -> Option<&'static str> {
        Some(", and copies are several")
    }

    /// They may be in several chunks, and a checkpoint between them.
    fn obstacle_to_resume(_rows: &RowJob<Self>) -> Option<&'static str> {
        Some("that makes copies")
    }

    /// The rows of a record are divided among several chunks.
    fn source(&self, corpus: Corpus, _stage: &Self::Stage) -> Box<RecordSource> {
        Box::new(DividedCorpus::new(corpus, self.copies as u64))
    }

    fn stage(&mut self, corpus: &Corpus, _execution: &Execution) -> Result<Self::Stage, JobError> {
        let has_answers = corpus.first_input().is_some_and(|input| input.layout.answer_parser().is_some());
        let answers = if has_answers { Answers::Given } else { Answers::Absent };
        Ok(Independent::with(InputFacts { answers, has_several: corpus.origins().len() > 1 }))
    }

    fn worker(rows: &RowJob<Self>, stage: &Self::Stage, execution: &Execution) -> Result<AugmentWorker, JobError> {
        let copier = rows.job.copier(stage.facts.answers, execution);
        Ok(AugmentWorker { copier, original: rows.job.original, names_inputs: stage.facts.has_several })
    }
}
