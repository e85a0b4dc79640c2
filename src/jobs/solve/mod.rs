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
use super::summarised::{SummarisedRun, Summing};
use super::{EngineSource, Execution, Finished, JobError, OptionError, PipelineFailure, PipelineRun, resumable};
use crate::corpus::{Corpus, Shard};
use crate::engine::solver::Question;
use crate::engine::{Limit, MaxBranches};
#[cfg(feature = "parquet")]
use crate::resume::Container;
use crate::resume::{JobName, OutputError, OutputTarget, Resume, RowLayout, RowOptions};
use crate::rows::{Column, Columns, HeaderRow, Listing, OutputFormat, RowReader, RowWriter, Status};
use crate::stats::{RunStats, Summary};

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
        Ok(self.summing().finished(run.map_err(|source| JobError::pipeline(source, None, false))?, execution))
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
        let stats = RunStats::new(self.slowest);
        let run = SummarisedRun {
            job: JobName::Solve,
            options: self.row_options(&table, target),
            layout: table.row_layout(),
            target,
            resume: self.resume,
            replay: self.reader(&table.columns).map(|reader| SolveReplay::new(reader, stats)),
            summing: self.summing(),
        };
        run.run(corpus, |corpus, rows| self.pipeline(corpus, &table, rows, execution), execution)
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

    fn summing(&self) -> Summing {
        Summing { empty: RunStats::new(self.slowest), engine: self.engine.name(), limit: self.question.limit() }
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
