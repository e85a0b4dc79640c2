//! Runs a validation: from its options to the workers, the serial state and the outputs.

use std::io::{self, Write};
use std::sync::Arc;

use super::columns::Table;
use super::note::Note;
use super::outputs::RecordOutputs;
use super::replay::ValidateReplay;
use super::state::{CompletedRows, ValidateState};
use super::worker::{Checks, RowStyle, ValidateWorker};
use super::{Finding, ReferenceIndex, Validate, ValidateReport};
use crate::corpus::{ChunkInput, Corpus};
use crate::format::AnswerColumn;
use crate::jobs::{Execution, Finished, JobError, OptionError, PipelineFailure, PipelineRun, resumable};
use crate::pipeline::{Chunk, End};
#[cfg(feature = "parquet")]
use crate::resume::Container;
use crate::resume::{IsomorphsOption, JobName, OutputError, OutputTarget, Resume, RowLayout, RowOptions};
use crate::rows::OutputFormat;
use crate::stats::Resumed;

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
        let mut copies = RecordOutputs::open(&self.copies, &corpus, execution)?;
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
        let mut copies = RecordOutputs::open(&self.copies, &corpus, execution)?;
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

    /// Checks the options before an output is opened; returns the columns of the rows.
    pub(super) fn prepare(&self, corpus: &Corpus) -> Result<Table, JobError> {
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
    pub(super) fn checks(&mut self, corpus: &Corpus, execution: &Execution) -> Result<Option<Checks>, JobError> {
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
    pub(super) fn pipeline(
        &self,
        corpus: Corpus,
        checks: &Checks,
        style: impl Fn() -> RowStyle,
        mut state: ValidateState,
        output: impl Write + Send,
        copies: &mut RecordOutputs,
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
    pub(super) fn finished(
        &self,
        (mut run, state): (PipelineRun<ValidateWorker>, ValidateState),
        copies: RecordOutputs,
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
