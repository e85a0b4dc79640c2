//! Solves a corpus: one row a record.

mod replay;
#[cfg(feature = "arrow")]
mod typed;
mod worker;

use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};

use self::replay::SolveReplay;
pub(super) use self::replay::{RecordReader, check_location};
use self::worker::{RowSink, SolveWorker};
use super::tally::InputTally;
use super::{EngineSource, Execution, Finished, JobError, OptionError, PipelineFailure, PipelineRun, resumable};
use crate::corpus::{Corpus, Shard};
use crate::engine::solver::Question;
use crate::engine::{Limit, MaxBranches};
use crate::pipeline::End;
#[cfg(feature = "parquet")]
use crate::resume::Container;
use crate::resume::{JobName, OutputError, OutputTarget, Resume, RowLayout, RowOptions, ShardMetadata};
use crate::rows::{Column, Columns, HeaderRow, Listing, OutputFormat, RowReader, RowWriter, Status};
use crate::stats::{Run, RunStats, Summary};

/// How many solutions of a puzzle are listed unless a limit is given.
pub const LISTING_LIMIT: Limit = Limit::new(NonZeroU64::new(1000).unwrap());

/// The most records in a chunk where each may have many solutions, to keep the output of a chunk small.
const LISTING_CHUNK: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Solves every puzzle of a corpus, and writes a row for each record, in order.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::engine::solver::Question;
/// use gridmill::jobs::{Execution, Solve};
/// use gridmill::rows::{Column, OutputFormat};
///
/// let corpus = Corpus::open_path("data/4x4.txt")?;
/// let mut rows = Vec::new();
/// let job = Solve::new().question(Question::First).format(OutputFormat::Csv).columns([Column::Line, Column::Solution]);
/// let summary = job.run(corpus, &mut rows, &Execution::new().threads(2))?.report.unwrap();
/// assert_eq!(summary.records, 200);
/// assert!(rows.starts_with(b"line,solution\n1,"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solve {
    question: Question,
    engine: EngineSource,
    max_branches: MaxBranches,
    format: OutputFormat,
    columns: Option<Vec<Column>>,
    header: HeaderRow,
    slowest: usize,
    resume: Resume,
}

impl Default for Solve {
    fn default() -> Solve {
        Solve {
            question: Question::Count(Limit::UNIQUE),
            engine: EngineSource::default(),
            max_branches: MaxBranches::default(),
            format: OutputFormat::Csv,
            columns: None,
            header: HeaderRow::Present,
            slowest: 3,
            resume: Resume::No,
        }
    }
}

impl Solve {
    /// Counts solutions up to two with the fastest engine, and writes CSV with all columns.
    pub fn new() -> Solve {
        Solve::default()
    }

    /// Sets what is asked of every puzzle.
    #[must_use]
    pub fn question(self, question: Question) -> Solve {
        Solve { question, ..self }
    }

    /// Sets the engine.
    #[must_use]
    pub fn engine(self, engine: impl Into<EngineSource>) -> Solve {
        Solve { engine: engine.into(), ..self }
    }

    /// Sets the most branches that the search for a puzzle may take; a puzzle that needs more is undecided. By default,
    /// [it depends on the size](MaxBranches::BySize).
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Solve {
        Solve { max_branches, ..self }
    }

    /// Sets the format of the rows.
    #[must_use]
    pub fn format(self, format: OutputFormat) -> Solve {
        Solve { format, ..self }
    }

    /// Sets the columns, in order. By default, all of them; [`Column::File`] only if there are several inputs.
    ///
    /// Columns of the input that the corpus [keeps](crate::format::InputOptions::keep) follow them.
    #[must_use]
    pub fn columns(self, columns: impl IntoIterator<Item = Column>) -> Solve {
        Solve { columns: Some(columns.into_iter().collect()), ..self }
    }

    /// Sets whether CSV rows follow a header.
    #[must_use]
    pub fn header(self, header: HeaderRow) -> Solve {
        Solve { header, ..self }
    }

    /// Sets how many of the slowest puzzles the summary has.
    #[must_use]
    pub fn slowest(self, slowest: usize) -> Solve {
        Solve { slowest, ..self }
    }

    /// Sets whether [`Solve::run_to`] continues the partial output of an interrupted run.
    #[must_use]
    pub fn resume(self, resume: Resume) -> Solve {
        Solve { resume, ..self }
    }

    /// Writes a header and a row for each record.
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
        Ok(self.finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution))
    }

    /// Writes the rows to a file, which gets its name when it is complete, or to standard output.
    ///
    /// The output of a shard gets metadata beside it, for [`Merge`](super::Merge).
    ///
    /// # Errors
    ///
    /// As [`Solve::run`], and if an output cannot be resumed.
    pub fn run_to(
        &self,
        mut corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<Summary>, JobError> {
        #[cfg(feature = "parquet")]
        if target.container == Container::Parquet {
            return self.run_to_parquet(corpus, target, execution);
        }
        resumable::check_files(&corpus, None, target)?;
        let table = self.table(&corpus)?;
        let mut replay =
            self.reader(&table.columns).map(|reader| SolveReplay::new(reader, RunStats::new(self.slowest)));
        self.engine.build()?;
        let manifest = || resumable::manifest(JobName::Solve, &corpus, None, self.row_options(&table, target));
        let shard = corpus.selected_shard();
        if let Some(finished) = resumable::finished_shard(target, self.resume, shard, execution, manifest)? {
            return Ok(finished);
        }
        let mut rows = resumable::open(target, self.resume, table.row_layout(), execution, manifest)?;
        let partial = resumable::partial(&rows, replay.is_some());
        if resumable::start(&mut rows, &mut corpus, &mut replay, execution)? == End::Stopped {
            return Ok(Finished { report: None, end: End::Stopped, partial });
        }
        let run = self.pipeline(corpus, &table, &mut rows, execution)?;
        let mut run = run.map_err(|source| JobError::pipeline(source, rows.partial(), replay.is_some()))?;

        let end = run.end;
        let replayed = replay.map(SolveReplay::into_parts);
        let (stats, tally) = replayed.unwrap_or_else(|| (RunStats::new(self.slowest), InputTally::default()));
        run.tally.merge(tally);
        let tally = std::mem::take(&mut run.tally);
        let (stats, run) = self.statistics(run, stats, rows.replayed(), execution);
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

    /// Checks the options against those of a corpus, before it is opened: the columns that it keeps, and its shard.
    ///
    /// # Errors
    ///
    /// If columns were chosen for a format without columns, a column was chosen twice, or a format without a row for each record is to be resumed or
    /// sharded.
    pub fn check(&self, keep: &[String], shard: Option<Shard>) -> Result<(), OptionError> {
        if !self.format.has_columns() && (self.columns.is_some() || !keep.is_empty()) {
            return Err(OptionError::NoColumns(self.format));
        }
        let columns = self.columns.as_deref().unwrap_or_default();
        if let Some((_, twice)) = columns.iter().enumerate().find(|(index, column)| columns[..*index].contains(column))
        {
            return Err(OptionError::ColumnTwice(twice.name()));
        }
        let needs_rows = self.resume == Resume::Yes || shard.is_some();
        if needs_rows && self.reader(&Columns::new(vec![], &[])).is_none() {
            return Err(OptionError::NotOneRowARecord);
        }
        Ok(())
    }

    /// The columns for a corpus.
    fn table(&self, corpus: &Corpus) -> Result<Table, OptionError> {
        let keep = &corpus.options().keep;
        self.check(keep, corpus.selected_shard())?;
        let own = self.columns.as_deref().unwrap_or(Column::default_for(corpus.origins().len()));
        let columns = Columns::new(own.to_vec(), keep);
        Ok(Table { columns, listing: self.listing(), format: self.format, header: self.header })
    }

    fn listing(&self) -> Listing {
        if matches!(self.question, Question::All(_)) { Listing::All } else { Listing::One }
    }

    /// Reads rows back, if the format has a row for each record.
    fn reader(&self, columns: &Columns) -> Option<Box<dyn RowReader>> {
        // A first solution may be one of several.
        let printed = (self.question != Question::First).then_some(Status::Unique);
        self.format.reader(columns, self.listing(), printed)
    }

    /// The options that the rows depend on, but for those of the corpus.
    fn row_options(&self, table: &Table, target: &OutputTarget) -> RowOptions {
        let limit = match self.question {
            Question::Count(limit) | Question::All(limit) => Some(limit.get()),
            Question::Any | Question::First => None,
        };
        RowOptions {
            engine: self.engine.row_name(),
            max_branches: resumable::row_option(self.max_branches),
            compress: target.compression,
            limit,
            first: self.question == Question::First,
            all: table.listing == Listing::All,
            to: self.format,
            columns: if self.format.has_columns() { table.columns.own_names() } else { vec![] },
            no_header: self.header == HeaderRow::Absent,
            ..RowOptions::default()
        }
    }

    fn pipeline(
        &self,
        corpus: Corpus,
        table: &Table,
        output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Result<PipelineRun<TextWorker>, PipelineFailure>, JobError> {
        let workers = self.workers(|| table.writer(), execution)?;
        Ok(execution.run(corpus, workers, output, |_| Ok(()), table.most_records()))
    }

    /// A worker for each thread, with a sink for its rows.
    fn workers<S: RowSink>(
        &self,
        sink: impl Fn() -> S,
        execution: &Execution,
    ) -> Result<Vec<SolveWorker<S>>, JobError> {
        let worker = |_| {
            let stats = RunStats::new(self.slowest);
            let solver = execution.solver(self.engine.build()?, self.max_branches);
            Ok(SolveWorker::new(self.question, solver, sink(), stats))
        };
        (0..execution.threads).map(worker).collect()
    }

    /// The result of a run without earlier rows.
    fn finished<S: RowSink>(&self, run: PipelineRun<SolveWorker<S>>, execution: &Execution) -> Finished<Summary> {
        let end = run.end;
        if end == End::Complete {
            run.tally.notify(execution);
        }
        let (stats, run) = self.statistics(run, RunStats::new(self.slowest), 0, execution);
        Finished { report: Some(stats.summary(run)), end, partial: None }
    }

    /// Adds the statistics of the workers to those of the rows that were replayed.
    fn statistics<S: RowSink>(
        &self,
        run: PipelineRun<SolveWorker<S>>,
        mut stats: RunStats,
        resumed: u64,
        execution: &Execution,
    ) -> (RunStats, Run) {
        let measured = run.measured(execution, self.engine.name(), self.question.limit(), resumed);
        for worker in run.workers {
            stats.merge(worker.into_stats());
        }
        (stats, measured)
    }
}

/// A worker that writes text.
type TextWorker = SolveWorker<Box<dyn RowWriter>>;

/// The columns and the format of the rows.
struct Table {
    columns: Columns,
    listing: Listing,
    format: OutputFormat,
    header: HeaderRow,
}

impl Table {
    fn writer(&self) -> Box<dyn RowWriter> {
        self.format.writer(self.columns.clone(), self.listing)
    }

    /// The most records in a chunk, if that is bounded.
    fn most_records(&self) -> Option<NonZeroUsize> {
        (self.listing == Listing::All).then_some(LISTING_CHUNK)
    }

    fn row_layout(&self) -> RowLayout {
        let mut header = Vec::new();
        if self.header == HeaderRow::Present {
            self.writer().header(&mut header);
        }
        RowLayout { header, ends: self.format.ends() }
    }
}
