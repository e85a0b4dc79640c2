//! Runs the job: to any writer, as record batches, to a file.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::time::Instant;

use super::distinct::RepeatFilter;
use super::worker::{GenerateWorker, MadePuzzles, Numbers};
use super::{Generate, GenerateError, GenerateEvent, GenerateJobError, GenerateReport};
use crate::arrow::{RecordBatch, SchemaRef};
use crate::pipeline::{self, Chunk, ChunkSize, End, PipelineError};
use crate::puzzle::Size;
use crate::resume::{NpyLayout, OutputFile, OutputTarget};
use crate::rows::{OutputFormat, RowContainer, RowParts, RowStyle};
use crate::run::{BrokenRun, Execution, Finished, JobError, PartialOutput};
use crate::run::{check_no_array, write_array};

/// The maximum number of puzzles in a chunk: some tens of milliseconds' worth of minimal 9x9 puzzles.
const CHUNK: NonZeroUsize = NonZeroUsize::new(2048).unwrap();

impl Generate {
    /// Writes the puzzles: one a line, or rows after a header if the format has one.
    ///
    /// # Errors
    ///
    /// If options contradict each other, there can be no such puzzle, the engine cannot be built, no puzzle was found in
    /// many tries, or the output cannot be written. The first three are known before anything is written.
    pub fn run(
        self,
        mut output: impl Write + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        check_no_array(self.settings.format)?;
        self.write_text(&mut output, execution)
    }

    /// Writes the puzzles, in whatever format.
    fn write_text(
        self,
        output: &mut (dyn Write + Send),
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        self.check()?;
        let container = RowContainer::Text(self.settings.format);
        let style = RowStyle { table: self.table()?, container, defers_late: false };
        output.write_all(&style.header(self.settings.header)).map_err(PipelineError::Write)?;
        self.write_rows(&style, output, &mut |_| Ok(()), execution)
    }

    /// Passes the puzzles to `each`, in batches of some thousand. The format and the header do not matter.
    ///
    /// # Errors
    ///
    /// As [`Generate::run`], and if `each` fails.
    pub fn run_table(
        self,
        mut each: impl FnMut(RecordBatch) -> io::Result<()> + Send,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        let (table, schema) = (self.table()?, self.table_schema()?);
        let style = RowStyle { table, container: RowContainer::Batches(schema), defers_late: false };
        let mut pass_on = |parts: RowParts| {
            parts
                .into_batches()
                .filter(|batch| !matches!(batch, Ok(batch) if batch.num_rows() == 0))
                .try_for_each(|batch| each(batch.map_err(io::Error::other)?))
        };
        self.write_rows(&style, &mut io::sink(), &mut pass_on, execution)
    }

    /// The types of the columns of the rows of [`Generate::run_table`].
    ///
    /// # Errors
    ///
    /// If a column does not exist, or is chosen twice.
    pub fn table_schema(&self) -> Result<SchemaRef, JobError> {
        Ok(crate::rows::schema(&self.table()?, vec![]))
    }

    /// Writes the rows of the puzzles; `take` gets the typed columns of each chunk.
    ///
    /// If puzzles are dropped, others are made in further rounds. So the output is that of the first numbers whose puzzles
    /// are new.
    fn write_rows(
        &self,
        style: &RowStyle,
        output: &mut (dyn Write + Send),
        take: &mut (dyn FnMut(RowParts) -> io::Result<()> + Send),
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        let start = Instant::now();
        let worker = |_| {
            let generator = self.generator()?.stop(execution.stop.clone());
            Ok(GenerateWorker::new(self, generator, style.sink(), execution))
        };
        let mut workers = (0..execution.threads).map(worker).collect::<Result<Vec<_>, GenerateJobError>>()?;

        let mut written = Written { count: self.count, puzzles: 0, clues: BTreeMap::new(), outcome: Ok(End::Complete) };
        let mut filter = RepeatFilter::new(&self.distinctness);
        let mut next = self.skip;
        while written.puzzles < self.count && next < u64::MAX && matches!(written.outcome, Ok(End::Complete)) {
            // A round is as large as the number of puzzles that were dropped in a row, so that rounds are few.
            let end = next.saturating_add((self.count - written.puzzles).max(filter.in_a_row()));
            let mut finish = |chunk: &mut Chunk<(), MadePuzzles>| {
                let repeats = filter.repeats();
                let puzzles = written.take(chunk, &mut filter, take)?;
                self.observer.notify(GenerateEvent::Generated { puzzles });
                if filter.repeats() > repeats {
                    self.observer.notify(GenerateEvent::Dropped { puzzles: filter.repeats() - repeats });
                }
                if written.outcome.is_err() {
                    execution.stop.trigger();
                }
                Ok(())
            };
            let size = self.size_of_chunks(execution);
            let numbers = Numbers { next, count: end };
            let outcome = pipeline::run(numbers, workers, output, &mut finish, size, &execution.stop)?;
            if outcome.end == End::Stopped && written.outcome.is_ok() {
                written.outcome = Ok(End::Stopped);
            }
            workers = outcome.workers;
            next = end;
        }

        let (mut missed, mut undecided_clues) = (0, 0);
        for worker in workers {
            undecided_clues += worker.undecided_clues();
            match worker.into_missed() {
                Ok(grids) => missed += grids,
                Err(error) => written.outcome = Err(error),
            }
        }
        let Written { puzzles, clues, outcome, .. } = written;
        let broken = |error| GenerateJobError::Broken { puzzles, broken: BrokenRun { error, partial: None } };
        let end = outcome.map_err(broken)?;
        let wall_seconds = start.elapsed().as_secs_f64();
        let report = GenerateReport {
            puzzles,
            clues,
            missed,
            repeats: filter.repeats(),
            undecided_clues,
            wall_seconds,
            puzzles_per_second: if wall_seconds > 0.0 { puzzles as f64 / wall_seconds } else { 0.0 },
            threads: execution.threads,
            engine: self.settings.engine.name(),
        };
        Ok(Finished { report, end, partial: None })
    }

    /// The number of puzzles in a chunk. A large puzzle may take a second: a few should not wait for one thread while others
    /// have nothing to do, nor be lost when the run is stopped.
    fn size_of_chunks(&self, execution: &Execution) -> ChunkSize {
        if self.spec.size <= Size::Nine {
            execution.size_of_chunks(CHUNK)
        } else {
            execution.first_chunk(NonZeroUsize::MIN).size_of_chunks(CHUNK)
        }
    }

    /// Writes the puzzles to a file, which gets its name when it is complete, or to standard output.
    ///
    /// # Errors
    ///
    /// As [`Generate::run`].
    pub fn run_to(
        self,
        target: &OutputTarget,
        execution: &Execution,
    ) -> Result<Finished<GenerateReport>, GenerateJobError> {
        // Known before the output is opened.
        self.check()?;
        #[cfg(feature = "parquet")]
        if let Some(pages) = target.pages() {
            let schema = self.table_schema()?;
            return crate::run::parquet_file::write(target, pages, schema, execution, |each| {
                self.run_table(each, execution)
            });
        }

        if self.settings.format == OutputFormat::Npy {
            return write_array(target, NpyLayout::Grids, |rows| self.write_text(rows, execution));
        }

        let mut output = OutputFile::create(target, execution.threads).map_err(JobError::from)?;
        let partial = output.partial().map(|path| PartialOutput { path: path.to_owned(), resumable: false });
        match self.run(&mut output, execution) {
            Ok(finished) if finished.end == End::Complete => {
                output.finish().map_err(JobError::from)?;
                Ok(finished)
            }
            // An output without puzzles is not kept.
            Ok(stopped) if stopped.report.puzzles == 0 => {
                output.discard().map_err(JobError::from)?;
                Ok(stopped)
            }
            Ok(stopped) => Ok(Finished { partial, ..stopped }),
            Err(GenerateJobError::Broken { puzzles, broken }) => {
                let partial = if puzzles == 0 {
                    output.discard().map_err(JobError::from)?;
                    None
                } else {
                    partial
                };
                Err(GenerateJobError::Broken { puzzles, broken: BrokenRun { partial, ..broken } })
            }
            Err(error) => Err(error),
        }
    }
}

#[cfg(feature = "parquet")]
impl crate::run::parquet_file::BreaksRuns for GenerateJobError {
    fn with_rows(self, partial: Option<PartialOutput>) -> GenerateJobError {
        match self {
            GenerateJobError::Broken { puzzles, broken } => {
                GenerateJobError::Broken { puzzles, broken: BrokenRun { partial, ..broken } }
            }
            error => error,
        }
    }
}

/// The puzzles of a run that are written.
struct Written {
    /// The number of puzzles that are wanted.
    count: u64,
    puzzles: u64,
    /// How many of them have each number of clues.
    clues: BTreeMap<usize, u64>,
    /// How the run ended, as far as it is known; what comes after the end is not written, so there are no gaps.
    outcome: Result<End, GenerateError>,
}

impl Written {
    /// Takes the next chunk: leaves the rows in it that are written, gives those that are typed to `take`, and returns their
    /// number.
    fn take(
        &mut self,
        chunk: &mut Chunk<(), MadePuzzles>,
        filter: &mut RepeatFilter<'_>,
        take: &mut dyn FnMut(RowParts) -> io::Result<()>,
    ) -> io::Result<usize> {
        let (before, rows) = (self.puzzles, std::mem::take(&mut chunk.output));
        for note in chunk.notes.drain(..) {
            let MadePuzzles::All(made, mut parts) = note else {
                self.outcome = self.outcome.clone().and(Ok(End::Stopped));
                break;
            };

            let (mut start, mut is_written) = (0, Vec::with_capacity(made.len()));
            for puzzle in &made {
                let row = start..puzzle.row_end;
                start = puzzle.row_end;
                let is_new = self.puzzles < self.count
                    && self.outcome == Ok(End::Complete)
                    && filter.is_new(puzzle.class).unwrap_or_else(|error| {
                        self.outcome = Err(error);
                        false
                    });
                is_written.push(is_new);
                if is_new {
                    self.puzzles += 1;
                    *self.clues.entry(puzzle.clues).or_default() += 1;
                    chunk.output.extend_from_slice(&rows[row]);
                }
            }
            parts.retain_rows(&is_written);
            take(parts)?;
        }
        Ok((self.puzzles - before) as usize)
    }
}
