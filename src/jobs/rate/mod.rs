//! Rates the puzzles of a corpus: how hard they are for a person.
//!
//! The fast engine checks first that a puzzle has exactly one solution; others have a status and no rating.

mod columns;
mod guesses;
mod replay;
#[cfg(feature = "arrow")]
mod typed;
mod worker;

use std::io::Write;
use std::num::{NonZeroU32, NonZeroUsize};

use self::columns::Table;
use self::guesses::GuessCounter;
use self::replay::RateReplay;
use self::worker::{PuzzleRater, RateSink, RateWorker};
use super::summarised::{SummarisedRun, Summing};
use super::{
    BrokenRun, EngineSource, Execution, Finished, JobError, OptionError, PartialOutput, PipelineFailure, PipelineRun,
    resumable,
};
use crate::corpus::{Corpus, Shard};
use crate::engine::{Limit, MaxBranches};
use crate::pipeline::End;
use crate::rating::{Difficulty, Rater, RatingGoal, RatingOptions};
#[cfg(feature = "parquet")]
use crate::resume::Container;
use crate::resume::{IsomorphsOption, JobName, OutputError, OutputFile, OutputTarget, Resume, RowLayout, RowOptions};
use crate::rows::{HeaderRow, OutputFormat, TextValues};
use crate::stats::{RunStats, Summary};

/// The number of records in the first chunks. A hard puzzle takes a second: a few of them should not wait for one thread
/// while others have nothing to do.
const FIRST_CHUNK: NonZeroUsize = NonZeroUsize::new(4).unwrap();

/// Rates every 9x9 puzzle of a corpus that has exactly one solution, and writes a row for each record, in order.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::{Execution, Rate};
///
/// let corpus = Corpus::open_path("data/easy.txt")?;
/// let mut rows = Vec::new();
/// let summary = Rate::new().run(corpus, &mut rows, &Execution::new())?.report.unwrap();
/// assert!(rows.starts_with(b"line,puzzle,status,er,ep,ed,level,hardest,steps,techniques,guesses,detail\n1,"));
/// assert_eq!(summary.ratings.unwrap().er.values().sum::<u64>(), 1000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rate {
    rows: RateRows,
    max_er: Option<Difficulty>,
    isomorphs: Option<NonZeroU32>,
    seed: u64,
    engine: EngineSource,
    max_branches: MaxBranches,
    format: OutputFormat,
    header: HeaderRow,
    slowest: usize,
    resume: Resume,
}

/// What the rows of [`Rate`] are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RateRows {
    /// Each record has a row with its rating.
    #[default]
    Puzzles,
    /// The same, without what is known of the steps beside ER.
    Er,
    /// Each step of each puzzle has a row. Records without a rating have none.
    Steps,
}

impl Default for Rate {
    fn default() -> Rate {
        Rate {
            rows: RateRows::default(),
            max_er: None,
            isomorphs: None,
            seed: 0,
            engine: EngineSource::default(),
            max_branches: MaxBranches::default(),
            format: OutputFormat::Csv,
            header: HeaderRow::Present,
            slowest: 3,
            resume: Resume::No,
        }
    }
}

impl Rate {
    /// Finds all steps, and writes CSV with a row for each record.
    pub fn new() -> Rate {
        Rate::default()
    }

    /// Sets what rows are for.
    #[must_use]
    pub fn rows(self, rows: RateRows) -> Rate {
        Rate { rows, ..self }
    }

    /// Ends the rating of a puzzle at its first step that is harder than this; hidden singles, up to 1.5, are placed all
    /// at once unless rows are for steps.
    #[must_use]
    pub fn max_er(self, max_er: Difficulty) -> Rate {
        Rate { max_er: Some(max_er), ..self }
    }

    /// Also counts the guesses of the bitmask engine for so many random isomorphs of each puzzle that is rated. Their
    /// mean says how hard a puzzle is for a search. The isomorphs depend on the puzzle and on `seed`.
    #[must_use]
    pub fn isomorphs(self, isomorphs: NonZeroU32, seed: u64) -> Rate {
        Rate { isomorphs: Some(isomorphs), seed, ..self }
    }

    /// Sets the engine that counts solutions.
    #[must_use]
    pub fn engine(self, engine: impl Into<EngineSource>) -> Rate {
        Rate { engine: engine.into(), ..self }
    }

    /// Sets the most branches that the search for solutions may take; a puzzle that needs more is undecided. By default,
    /// [it depends on the size](MaxBranches::BySize).
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Rate {
        Rate { max_branches, ..self }
    }

    /// Sets the format of the rows: one that [has columns](OutputFormat::has_columns).
    ///
    /// Columns of the input that the corpus [keeps](crate::format::InputOptions::keep) follow those of the job.
    #[must_use]
    pub fn format(self, format: OutputFormat) -> Rate {
        Rate { format, ..self }
    }

    /// Sets whether CSV rows follow a header.
    #[must_use]
    pub fn header(self, header: HeaderRow) -> Rate {
        Rate { header, ..self }
    }

    /// Sets how many of the slowest puzzles the summary has, and of the hardest.
    #[must_use]
    pub fn slowest(self, slowest: usize) -> Rate {
        Rate { slowest, ..self }
    }

    /// Sets whether [`Rate::run_to`] continues the partial output of an interrupted run.
    #[must_use]
    pub fn resume(self, resume: Resume) -> Rate {
        Rate { resume, ..self }
    }
}

impl Rate {
    /// Writes a header and the rows.
    ///
    /// # Errors
    ///
    /// If the options contradict each other, the engine cannot be built, an input cannot be read, or the output cannot
    /// be written.
    pub fn run(
        &self,
        corpus: Corpus,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<Summary>, JobError> {
        let table = self.table(&corpus)?;
        output.write_all(&table.row_layout().header).map_err(OutputError::Write)?;
        let run = self.pipeline(corpus, &table, output, execution)?;
        Ok(self.summing().finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution))
    }

    /// Writes the rows to a file, which gets its name when it is complete, or to standard output.
    ///
    /// The output of a shard gets metadata beside it, for [`Merge`](super::Merge).
    ///
    /// # Errors
    ///
    /// As [`Rate::run`], and if an output cannot be resumed.
    pub fn run_to(
        &self,
        corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<Summary>, JobError> {
        #[cfg(feature = "parquet")]
        if target.container == Container::Parquet {
            return self.run_to_parquet(corpus, target, execution);
        }
        resumable::check_files(&corpus, None, target)?;
        let table = self.table(&corpus)?;
        self.engine.build()?;
        match self.rows {
            RateRows::Puzzles | RateRows::Er => self.run_resumable(corpus, &table, target, execution),
            RateRows::Steps => self.run_once(corpus, target, execution),
        }
    }

    /// Checks the options against the shard of a corpus, before it is opened.
    ///
    /// # Errors
    ///
    /// If the format has no columns, or rows for steps are to be resumed or sharded.
    pub fn check(&self, shard: Option<Shard>) -> Result<(), OptionError> {
        if !self.format.has_columns() {
            return Err(OptionError::NeedsColumns(self.format));
        }
        if self.rows == RateRows::Steps && (self.resume == Resume::Yes || shard.is_some()) {
            return Err(OptionError::NotOneRowARecord);
        }
        Ok(())
    }

    /// Writes a row for each record to a file that can be resumed.
    fn run_resumable(
        &self,
        corpus: Corpus,
        table: &Table,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<Summary>, JobError> {
        let run = SummarisedRun {
            job: JobName::Rate,
            options: self.row_options(target),
            layout: table.row_layout(),
            target,
            resume: self.resume,
            replay: Some(RateReplay::new(table.reader(), table.file, self.stats())),
            summing: self.summing(),
        };
        run.run(corpus, |corpus, rows| self.pipeline(corpus, table, rows, execution), execution)
    }

    /// Writes the rows to a file that cannot be resumed.
    fn run_once(
        &self,
        corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<Summary>, JobError> {
        let mut output = OutputFile::create(target, execution.threads)?;
        let partial = output.partial().map(|path| PartialOutput { path: path.to_owned(), resumable: false });
        let finished = self.run(corpus, &mut output, execution).map_err(|error| match error {
            JobError::Broken(broken) => JobError::Broken(BrokenRun { partial: partial.clone(), ..broken }),
            error => error,
        })?;
        if finished.end == End::Stopped {
            return Ok(Finished { partial, ..finished });
        }
        output.finish()?;
        Ok(finished)
    }

    /// The columns for a corpus.
    fn table(&self, corpus: &Corpus) -> Result<Table, OptionError> {
        self.check(corpus.selected_shard())?;
        let table = Table::new(self.rows, corpus.origins().len(), &corpus.options().keep);
        Ok(Table { format: self.format, header: self.header, ..table })
    }

    /// The options of the raters.
    fn rating_options(&self) -> RatingOptions {
        let goal = match self.rows {
            RateRows::Puzzles | RateRows::Er => RatingGoal::Counts,
            RateRows::Steps => RatingGoal::Steps,
        };
        RatingOptions { goal, max_er: self.max_er }
    }

    /// The options that the rows depend on, but for those of the corpus.
    fn row_options(&self, target: &OutputTarget) -> RowOptions {
        RowOptions {
            engine: self.engine.row_name(),
            max_branches: resumable::row_option(self.max_branches),
            compress: target.compression,
            to: self.format,
            no_header: self.header == HeaderRow::Absent,
            isomorphs: self.isomorphs.map(IsomorphsOption::Solve).unwrap_or_default(),
            seed: self.isomorphs.map(|_| self.seed),
            max_er: self.max_er.map(|max_er| max_er.to_string()),
            only: (self.rows == RateRows::Er).then(|| columns::ER.to_owned()),
            ..RowOptions::default()
        }
    }

    fn stats(&self) -> RunStats {
        RunStats::new(self.slowest).with_ratings()
    }

    fn pipeline(
        &self,
        corpus: Corpus,
        table: &Table,
        output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Result<PipelineRun<RateWorker<TextValues>>, PipelineFailure>, JobError> {
        let workers = self.workers(table, || table.writer(), execution)?;
        Ok(execution.first_chunk(FIRST_CHUNK).run(corpus, workers, output, |_| Ok(()), None))
    }

    /// A worker for each thread, with a sink for its rows.
    fn workers<S: RateSink>(
        &self,
        table: &Table,
        sink: impl Fn() -> S,
        execution: &Execution,
    ) -> Result<Vec<RateWorker<S>>, JobError> {
        let worker = |_| {
            let rating = PuzzleRater {
                rater: Rater::with_options(self.rating_options()),
                guesses: self.isomorphs.map(|isomorphs| GuessCounter::new(isomorphs, self.seed)),
            };
            let solver = execution.solver(self.engine.build()?, self.max_branches);
            let stop = execution.stop.clone();
            Ok(RateWorker::new(table.clone(), sink(), rating, solver, stop, self.stats()))
        };
        (0..execution.threads).map(worker).collect()
    }

    fn summing(&self) -> Summing {
        Summing { empty: self.stats(), engine: self.engine.name(), limit: Limit::UNIQUE }
    }
}

impl Table {
    fn row_layout(&self) -> RowLayout {
        RowLayout { header: self.writer().header(self.header), ends: self.format.ends() }
    }
}
