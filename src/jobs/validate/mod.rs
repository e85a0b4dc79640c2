//! Validates a corpus: a verdict on every record, and a score of the corpus.
//!
//! ```text
//!   chunk -> ValidateWorker, ... -> rows without verdicts, notes -> ValidateState -> rows
//!              |  parallel: each record by itself                     |  serial: earlier records, the score
//!              v                                                      v
//!            ReferenceIndex of the other corpus, filled before      DuplicateIndex
//! ```

mod answer;
mod columns;
mod copies;
mod csv_row;
mod duplicate_index;
mod example;
mod finding;
mod minimality;
mod note;
mod reference_index;
mod replay;
mod score;
mod state;
#[cfg(feature = "arrow")]
mod typed;
mod worker;

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;

use self::columns::Table;
pub use self::columns::ValidateColumn;
use self::copies::{Copies, CopyTargets};
use self::duplicate_index::Repeats;
pub use self::example::Example;
pub use self::finding::{Finding, Findings, RecordVerdict};
use self::note::Note;
pub(super) use self::reference_index::ReferenceIndex;
use self::replay::ValidateReplay;
pub use self::score::{AnswerCounts, Classes, ClueCounts, CorpusScore, LargeClass};
use self::state::{CompletedRows, ValidateState};
use self::worker::{Checks, RowStyle, ValidateWorker};
use super::{EngineSource, Execution, Finished, JobError, OptionError, PipelineFailure, PipelineRun, resumable};
use crate::corpus::{ChunkInput, Corpus, Shard};
use crate::engine::MaxBranches;
use crate::format::AnswerColumn;
use crate::pipeline::{Chunk, End};
#[cfg(feature = "parquet")]
use crate::resume::Container;
use crate::resume::{IsomorphsOption, JobName, OutputError, OutputTarget, Resume, RowLayout, RowOptions};
use crate::rows::OutputFormat;
use crate::stats::{Resumed, StoppedAfter};

/// Gives every record of a corpus a verdict, and the corpus a score.
///
/// A record is sound if it is a puzzle with exactly one solution, and if the answer beside it, where the input has a
/// column for answers, is that solution. Other checks are made on request.
///
/// ```
/// use gridmill::corpus::Corpus;
/// use gridmill::jobs::validate::{Finding, Validate};
/// use gridmill::jobs::Execution;
///
/// let corpus = Corpus::open_path("data/minimal.txt")?;
/// let training_set = Corpus::open_path("data/easy.txt")?;
/// let mut rows = Vec::new();
/// let job = Validate::new().minimal().isomorphs().against(training_set);
/// let report = job.run(corpus, &mut rows, &Execution::new())?.report.unwrap();
/// assert_eq!(report.score.found(Finding::LeakIsomorph), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Validate {
    engine: EngineSource,
    max_branches: MaxBranches,
    minimal: bool,
    ratings: Option<String>,
    columns: Option<Vec<ValidateColumn>>,
    classes: bool,
    repeats: Repeats,
    against: Option<Corpus>,
    copies: CopyTargets,
    fail_on: Findings,
    resume: Resume,
}

/// Results of [`Validate`].
#[derive(Clone, Debug, Serialize)]
pub struct ValidateReport {
    /// The score of the corpus.
    #[serde(flatten)]
    pub score: CorpusScore,
    /// The number of records of the reference corpus.
    pub against_records: Option<u64>,
    /// The number of those that are malformed: no leak into them is found.
    pub against_malformed: Option<u64>,
    /// The findings of [`Validate::fail_on`] that occurred, by name.
    pub failed_on: Vec<&'static str>,
    /// From the first read to the last write, without the rows of an interrupted run.
    pub wall_seconds: f64,
    /// Records per second of that time.
    pub records_per_second: f64,
    /// The number of workers.
    pub threads: usize,
    /// The name of the engine.
    pub engine: String,
    /// The last record of a run that was stopped.
    pub stopped_after: Option<StoppedAfter>,
    /// The part that was replayed from the rows of an interrupted run.
    pub resumed: Option<Resumed>,
    /// The first record with each verdict but sound, of the records that were not replayed. They are for reports that
    /// people look at: a summary in JSON is the same for a run that was resumed, so it does not have them.
    #[serde(skip)]
    pub examples: Vec<Example>,
}

impl Validate {
    /// Checks that every record has one solution, and that its answer is right.
    pub fn new() -> Validate {
        Validate::default()
    }

    /// Sets the engine.
    #[must_use]
    pub fn engine(self, engine: impl Into<EngineSource>) -> Validate {
        Validate { engine: engine.into(), ..self }
    }

    /// Sets the most branches that the search for a puzzle may take; a puzzle that needs more is undecided. By default,
    /// [it depends on the size](MaxBranches::BySize).
    #[must_use]
    pub fn max_branches(self, max_branches: MaxBranches) -> Validate {
        Validate { max_branches, ..self }
    }

    /// Also checks that every clue is needed.
    #[must_use]
    pub fn minimal(self) -> Validate {
        Validate { minimal: true, ..self }
    }

    /// Also rates 9x9 puzzles with one solution, and compares ER with a column, which the corpus must
    /// [keep](crate::format::InputOptions::keep). Nothing is compared where that is empty.
    #[must_use]
    pub fn ratings(self, column: impl Into<String>) -> Validate {
        Validate { ratings: Some(column.into()), ..self }
    }

    /// Also finds the class of every 9x9 puzzle, as isomorphs and leaks need it.
    #[must_use]
    pub fn classes(self) -> Validate {
        Validate { classes: true, ..self }
    }

    /// Also finds puzzles that occurred before. Takes 30 to 40 bytes of memory a record.
    #[must_use]
    pub fn duplicates(self) -> Validate {
        Validate { repeats: Repeats { duplicates: true, ..self.repeats }, ..self }
    }

    /// Also finds 9x9 puzzles of which an isomorph occurred before. Takes 30 to 40 bytes of memory a record.
    #[must_use]
    pub fn isomorphs(self) -> Validate {
        Validate { repeats: Repeats { isomorphs: true, ..self.repeats }, ..self }
    }

    /// Also finds puzzles that occur in this corpus, which is read first. Takes up to 120 bytes of memory for each of
    /// its records.
    ///
    /// It is an error if it has no puzzle, or an input of it has records of which none is a puzzle: the check would
    /// find nothing, whatever there is to find.
    #[must_use]
    pub fn against(self, corpus: Corpus) -> Validate {
        Validate { against: Some(corpus), ..self }
    }

    /// Sets the columns, in order. By default, all of them; [`ValidateColumn::File`] only if there are several inputs.
    ///
    /// Columns of the input that the corpus [keeps](crate::format::InputOptions::keep) follow them.
    #[must_use]
    pub fn columns(self, columns: impl IntoIterator<Item = ValidateColumn>) -> Validate {
        Validate { columns: Some(columns.into_iter().collect()), ..self }
    }

    /// Copies every record that is sound to this output, with all its columns.
    ///
    /// Text is copied byte by byte, and the records of a table follow its header. The rows of Parquet files, which are
    /// read twice, become a Parquet file.
    #[must_use]
    pub fn accepts(self, target: OutputTarget) -> Validate {
        Validate { copies: CopyTargets { accepts: Some(target), ..self.copies }, ..self }
    }

    /// Copies every record that is not sound to this output, as [`Validate::accepts`] does.
    #[must_use]
    pub fn rejects(self, target: OutputTarget) -> Validate {
        Validate { copies: CopyTargets { rejects: Some(target), ..self.copies }, ..self }
    }

    /// Sets the findings that the report names in [`ValidateReport::failed_on`] if they occur.
    #[must_use]
    pub fn fail_on(self, findings: Findings) -> Validate {
        Validate { fail_on: findings, ..self }
    }

    /// Sets whether [`Validate::run_to`] continues the partial output of an interrupted run.
    #[must_use]
    pub fn resume(self, resume: Resume) -> Validate {
        Validate { resume, ..self }
    }
}

impl Validate {
    /// Writes a header and a row for each record.
    ///
    /// # Errors
    ///
    /// If the options contradict each other, the engine cannot be built, an input cannot be read, or an output cannot be
    /// written.
    pub fn run(
        mut self,
        corpus: Corpus,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<ValidateReport>, JobError> {
        let table = self.prepare(&corpus)?;
        let mut copies = Copies::open(&self.copies, &corpus, execution)?;
        output.write_all(&table.header()).map_err(OutputError::Write)?;
        let Some(checks) = self.checks(&corpus, execution)? else {
            return Ok(Finished { report: None, end: End::Stopped, partial: None });
        };
        let state = ValidateState::new(self.repeats, corpus.origins().len(), CompletedRows::csv(&table));
        let style = || RowStyle::csv(&table);
        let run = self.pipeline(corpus, &checks, style, state, output, &mut copies, |_, _| Ok(()), execution)?;
        let run = run.map_err(|source| JobError::pipeline(source, None, false))?;
        self.finished(run, copies, &checks, execution)
    }

    /// Writes the rows to a file, which gets its name when it is complete, or to standard output.
    ///
    /// # Errors
    ///
    /// As [`Validate::run`], and if an output cannot be resumed.
    pub fn run_to(
        mut self,
        mut corpus: Corpus,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<ValidateReport>, JobError> {
        #[cfg(feature = "parquet")]
        if target.container == Container::Parquet {
            return self.run_to_parquet(corpus, target, execution);
        }
        resumable::check_files(&corpus, self.against.as_ref(), target)?;
        let table = self.prepare(&corpus)?;
        let is_replayable = table.is_replayable();
        if self.resume == Resume::Yes && !is_replayable {
            return Err(OptionError::RowsWithoutFindings.into());
        }
        let mut copies = Copies::open(&self.copies, &corpus, execution)?;
        let options = self.row_options(&corpus, &table, target);
        let manifest = || resumable::manifest(JobName::Validate, &corpus, self.against.as_ref(), options);
        let layout = RowLayout { header: table.header(), ends: OutputFormat::Csv.ends() };
        let mut rows = resumable::open(target, self.resume, layout, execution, manifest)?;
        let partial = resumable::partial(&rows, is_replayable);
        let stopped = Finished { report: None, end: End::Stopped, partial: partial.clone() };
        let Some(checks) = self.checks(&corpus, execution)? else { return Ok(stopped) };

        let mut state = ValidateState::new(self.repeats, corpus.origins().len(), CompletedRows::csv(&table));
        let mut replay = ValidateReplay::new(&mut state, &checks, &table, &mut copies);
        if resumable::start(&mut rows, &mut corpus, &mut replay, execution)? == End::Stopped {
            return Ok(stopped);
        }
        let replayed = replay.into_tally();
        copies.check().map_err(OutputError::Write)?;
        let style = || RowStyle::csv(&table);
        let run = self.pipeline(corpus, &checks, style, state, &mut rows, &mut copies, |_, _| Ok(()), execution)?;
        let (mut run, state) = run.map_err(|source| JobError::pipeline(source, rows.partial(), is_replayable))?;
        run.tally.merge(replayed);
        let replayed = rows.replayed();
        if run.end == End::Complete {
            run.end = copies.finish(execution)?;
        }
        if run.end == End::Complete {
            // The rows last: as long as they have no name, the run can be resumed, and copies the records again.
            rows.finish(|_, _| None)?;
            run.tally.notify(execution);
        }
        let end = run.end;
        let report = Some(self.report(&run, state, &checks, replayed, execution));
        Ok(Finished { report, end, partial: if end == End::Stopped { partial } else { None } })
    }

    /// Checks the options against the shard of a corpus, before it is opened.
    ///
    /// # Errors
    ///
    /// If duplicates or isomorphs are to be found in a shard.
    pub fn check(&self, shard: Option<Shard>) -> Result<(), OptionError> {
        if shard.is_some() && (self.repeats.duplicates || self.repeats.isomorphs) {
            return Err(OptionError::RepeatsInShard);
        }
        Ok(())
    }

    /// Checks the options before an output is opened; returns the columns of the rows.
    fn prepare(&self, corpus: &Corpus) -> Result<Table, JobError> {
        self.check(corpus.selected_shard())?;
        self.copies.check(corpus)?;
        self.engine.build()?;
        Ok(Table::new(self.columns.as_deref(), corpus.origins().len(), &corpus.options().keep)?)
    }

    /// The options that the rows depend on, but for those of the corpus that all jobs have.
    fn row_options(&self, corpus: &Corpus, table: &Table, target: &OutputTarget) -> RowOptions {
        RowOptions {
            engine: self.engine.row_name(),
            max_branches: resumable::row_option(self.max_branches),
            compress: target.compression,
            answer_column: match &corpus.options().answer {
                AnswerColumn::Named(name) => Some(name.clone()),
                AnswerColumn::ByName | AnswerColumn::Ignored => None,
            },
            rating_column: self.ratings.clone(),
            columns: self.columns.as_ref().map(|_| table.own_names()).unwrap_or_default(),
            minimal: self.minimal,
            duplicates: self.repeats.duplicates,
            isomorphs: IsomorphsOption::Find(self.repeats.isomorphs),
            classes: self.classes,
            ..RowOptions::default()
        }
    }

    /// The checks of each record, once the reference corpus is read, if there is one; `None` if that was stopped.
    fn checks(&mut self, corpus: &Corpus, execution: &Execution) -> Result<Option<Checks>, JobError> {
        let kept = |name: &String| corpus.options().keep.iter().position(|other| other == name);
        let column = |name: &String| kept(name).ok_or(OptionError::RatingsNotKept);
        let ratings = self.ratings.as_ref().map(column).transpose()?;
        let (minimal, classes, repeats) = (self.minimal, self.finds_classes(), self.repeats);
        let checks = Checks { minimal, ratings, classes, repeats, against: None };
        let Some(corpus) = self.against.take() else { return Ok(Some(checks)) };
        let index = ReferenceIndex::read(corpus, &self.engine, self.max_branches, execution)?;
        Ok(index.map(|index| Checks { against: Some(Arc::new(index)), ..checks }))
    }

    fn finds_classes(&self) -> bool {
        self.classes || self.repeats.isomorphs || self.against.is_some()
    }

    /// Runs the corpus through the workers and `state`; `after` is called when that has completed the rows of a chunk,
    /// whose input it gets.
    #[expect(clippy::too_many_arguments, reason = "all ways to run share it")]
    fn pipeline(
        &self,
        corpus: Corpus,
        checks: &Checks,
        style: impl Fn() -> RowStyle,
        mut state: ValidateState,
        output: impl Write + Send,
        copies: &mut Copies,
        mut after: impl FnMut(&mut ValidateState, Option<&ChunkInput>) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Result<(PipelineRun<ValidateWorker>, ValidateState), PipelineFailure>, JobError> {
        let engine = self.engine.builder()?;
        let solver = || execution.solver(engine(), self.max_branches);
        let workers =
            (0..execution.threads).map(|_| ValidateWorker::new(checks.clone(), solver, style())).collect::<Vec<_>>();
        let finish = |chunk: &mut Chunk<ChunkInput, Note>| {
            state.finish(chunk, copies);
            after(&mut state, chunk.input.as_ref())?;
            copies.check()
        };
        let run = execution.run(corpus, workers, output, finish, None);
        Ok(run.map(|run| (run, state)))
    }

    /// The result of a run without earlier rows.
    fn finished(
        &self,
        (mut run, state): (PipelineRun<ValidateWorker>, ValidateState),
        copies: Copies,
        checks: &Checks,
        execution: &Execution,
    ) -> Result<Finished<ValidateReport>, JobError> {
        if run.end == End::Complete {
            run.end = copies.finish(execution)?;
        }
        if run.end == End::Complete {
            run.tally.notify(execution);
        }
        let end = run.end;
        Ok(Finished { report: Some(self.report(&run, state, checks, 0, execution)), end, partial: None })
    }

    fn report(
        &self,
        run: &PipelineRun<ValidateWorker>,
        state: ValidateState,
        checks: &Checks,
        replayed: u64,
        execution: &Execution,
    ) -> ValidateReport {
        let (score, examples) = state.into_score();
        let wall_seconds = run.wall.as_secs_f64();
        let read = (score.records - replayed) as f64;
        ValidateReport {
            against_records: checks.against.as_ref().map(|index| index.records()),
            against_malformed: checks.against.as_ref().map(|index| index.malformed()),
            failed_on: self.fail_on.iter().filter(|&finding| score.found(finding) > 0).map(Finding::name).collect(),
            wall_seconds,
            records_per_second: if wall_seconds > 0.0 { read / wall_seconds } else { 0.0 },
            threads: execution.threads,
            engine: self.engine.name(),
            stopped_after: run.stopped_after.clone(),
            resumed: (replayed > 0).then_some(Resumed { records: replayed, unknown: 0 }),
            score,
            examples,
        }
    }
}

impl fmt::Debug for Validate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut validate = f.debug_struct("Validate");
        validate.field("minimal", &self.minimal).field("repeats", &self.repeats).finish_non_exhaustive()
    }
}
