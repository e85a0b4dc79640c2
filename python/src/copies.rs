//! The jobs that copy records: split, dedupe and sample.

use std::path::PathBuf;

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use gridmill::cli::card::CardFiles;
use gridmill::corpus::Corpus;
use gridmill::format::AnswerColumn;
use gridmill::jobs::dedupe::Keep;
use gridmill::jobs::sample::Condition;
use gridmill::jobs::split::{PartFiles, Parts, UNSPLIT};
use gridmill::jobs::{Bins, Dedupe, Execution, GroupBy, Sample, Split};
use gridmill::output::{FileType, OutputFile, OutputTarget};
use gridmill::pipeline::End;
use gridmill::rows::OutputFormat;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batches::Batches;
use crate::card::{self, card_error, card_files};
use crate::errors::{job_error, output_error};
use crate::input::Puzzles;
use crate::interrupt::{self, Progress};
use crate::output::target;
use crate::row_job::{check_files, json, open};
use crate::settings::Settings;
use crate::values::{at_most_one, named, parsed, parsed_if_any, wrong};

/// A job that copies records as they are.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct CopyJob(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Split(Split),
    Dedupe { by: GroupBy, keep: Keep },
    Sample { job: Sample, unchecked: bool },
}

/// The rows by the name of their part, in order, and the report as JSON. A job without parts has one with an empty
/// name.
type RowsOfParts = (Vec<(String, Batches)>, String);

#[pymethods]
impl CopyJob {
    /// Shares records among parts: `parts` such as `train=0.9,test=rest`, or `folds` of the same size.
    #[staticmethod]
    #[pyo3(signature = (parts = None, folds = None, *, by = "class", seed = 0, stratify = None, bins = None))]
    fn split(
        parts: Option<&str>,
        folds: Option<usize>,
        by: &str,
        seed: u64,
        stratify: Option<String>,
        bins: Option<&str>,
    ) -> PyResult<CopyJob> {
        at_most_one(&[("parts", parts.is_some()), ("folds", folds.is_some())])?;
        let parts = match (parts, folds) {
            (Some(parts), _) => parsed("parts", parts)?,
            (None, Some(folds)) => Parts::folds(folds).map_err(|error| wrong("folds", &error))?,
            (None, None) => return Err(PyValueError::new_err("either parts or folds has to be given")),
        };
        let mut job = Split::new(parts).by(group_by(by)?).seed(seed);
        if let Some(bins) = bins_of(bins, stratify.as_deref())? {
            job = job.bins(bins);
        }
        Ok(CopyJob(Kind::Split(match stratify {
            Some(column) => job.stratify(column),
            None => job,
        })))
    }

    /// Keeps one record of each group: the first, or the one with the largest or the smallest number in a column.
    #[staticmethod]
    #[pyo3(signature = (*, by = "class", keep_max = None, keep_min = None))]
    fn dedupe(by: &str, keep_max: Option<String>, keep_min: Option<String>) -> PyResult<CopyJob> {
        at_most_one(&[("keep_max", keep_max.is_some()), ("keep_min", keep_min.is_some())])?;
        let keep = keep_max.map(Keep::Largest).or(keep_min.map(Keep::Smallest)).unwrap_or_default();
        Ok(CopyJob(Kind::Dedupe { by: group_by(by)?, keep }))
    }

    /// Takes a random sample of the records that meet all conditions, such as `clues<=24`.
    #[staticmethod]
    #[pyo3(signature = (count, *, seed = 0, r#where = vec![], stratify = None, bins = None, unchecked = false))]
    fn sample(
        count: usize,
        seed: u64,
        r#where: Vec<String>,
        stratify: Option<String>,
        bins: Option<&str>,
        unchecked: bool,
    ) -> PyResult<CopyJob> {
        let mut job = Sample::new(count).seed(seed).unchecked(unchecked);
        for text in r#where {
            job = job.conditions(Condition::parse_all(&text).map_err(|error| wrong("where", &error))?);
        }
        if let Some(bins) = bins_of(bins, stratify.as_deref())? {
            job = job.bins(bins);
        }
        if let Some(column) = stratify {
            job = job.stratify(column);
        }
        Ok(CopyJob(Kind::Sample { job, unchecked }))
    }

    /// The rows of puzzles in memory, with all their columns. The records that are dropped can be written to a file.
    #[pyo3(signature = (puzzles, settings, *, progress = None, dropped = None))]
    fn table(
        &self,
        py: Python<'_>,
        puzzles: &Bound<'_, PyAny>,
        settings: &Settings,
        progress: Progress<'_, '_>,
        dropped: Option<PathBuf>,
    ) -> PyResult<RowsOfParts> {
        let records = Puzzles::new(puzzles, settings)?.records_with(settings, self.answer(settings), self.columns())?;
        let (schema, corpus) = (SchemaRef::clone(&records.schema), records.table(py)?);
        let dropped = dropped.map(dropped_table).transpose()?;

        let names = self.names();
        let mut parts: Vec<Vec<RecordBatch>> = vec![vec![]; names.len()];
        let report = interrupt::run(py, settings.execution(), progress, |execution| {
            let mut each = |name: &str, batch| {
                let part = names.iter().position(|other| other == name).expect("each part has a name");
                parts[part].push(batch);
            };
            self.run_table(corpus, settings, dropped.as_ref(), &mut each, execution)
        })?;

        // Mostly, every record belongs to a group.
        let has_rows = |(name, batches): &(String, Vec<RecordBatch>)| name != UNSPLIT || !batches.is_empty();
        let parts = names.into_iter().zip(parts).filter(has_rows);
        Ok((parts.map(|(name, batches)| (name, Batches::new(SchemaRef::clone(&schema), batches))).collect(), report))
    }

    /// Copies the records of files to a file or, if the job has parts, to a directory, or to files with `{part}` in
    /// their names. Returns the report as JSON.
    #[expect(clippy::too_many_arguments, reason = "each is an argument of a Python function")]
    #[pyo3(signature = (inputs, settings, output, *, progress = None, compress = None, dropped = None, card = None,
        croissant = None))]
    fn write(
        &self,
        py: Python<'_>,
        inputs: Vec<PathBuf>,
        settings: &Settings,
        output: PathBuf,
        progress: Progress<'_, '_>,
        compress: Option<&str>,
        dropped: Option<PathBuf>,
        card: Option<PathBuf>,
        croissant: Option<PathBuf>,
    ) -> PyResult<String> {
        let described = card_files(card, croissant);
        let cards = card::targets(&described);
        let dropped = dropped.map(dropped_table).transpose()?;
        let output =
            if let Kind::Split(_) = self.0 { OutputTarget::file(output) } else { target(output, None, compress)? };
        let outputs = [("output", &output)].into_iter().filter(|_| !matches!(self.0, Kind::Split(_)));
        let outputs = outputs.chain(dropped.iter().map(|target| ("dropped", target)));
        let outputs: Vec<_> = outputs.chain(cards.iter().map(|(name, target)| (*name, target))).collect();
        check_files(&inputs, &outputs)?;

        interrupt::run(py, settings.execution(), progress, |execution| {
            let corpus = open(inputs, settings.options(self.answer(settings), self.columns()))?;
            self.run_to(corpus, settings, dropped.as_ref(), &output, &described, execution)
        })
    }
}

impl CopyJob {
    /// The names of the parts, and of the rows that belong to none.
    fn names(&self) -> Vec<String> {
        match &self.0 {
            Kind::Split(job) => job.names().map(str::to_owned).collect(),
            Kind::Dedupe { .. } | Kind::Sample { .. } => vec![String::new()],
        }
    }

    /// The columns to read, in addition to the puzzles.
    fn columns(&self) -> Vec<String> {
        match &self.0 {
            Kind::Split(job) => job.columns().map(str::to_owned).collect(),
            Kind::Dedupe { keep: Keep::Largest(column) | Keep::Smallest(column), .. } => vec![column.clone()],
            Kind::Dedupe { .. } => vec![],
            Kind::Sample { job, .. } => job.columns().map(str::to_owned).collect(),
        }
    }

    /// The column with the answers, where wrong ones matter.
    fn answer(&self, settings: &Settings) -> AnswerColumn {
        match self.0 {
            Kind::Sample { unchecked: false, .. } => settings.answer(),
            _ => AnswerColumn::Ignored,
        }
    }

    /// Passes the rows of each part on, and returns the report.
    fn run_table(
        &self,
        corpus: Corpus,
        settings: &Settings,
        dropped: Option<&OutputTarget>,
        each: &mut (dyn FnMut(&str, RecordBatch) + Send),
        execution: &Execution,
    ) -> PyResult<String> {
        let each_row = |batch| {
            each("", batch);
            Ok(())
        };
        match &self.0 {
            Kind::Split(job) => {
                let each = |part: &str, batch| {
                    each(part, batch);
                    Ok(())
                };
                let job = split_job(job, settings);
                Ok(json(&job.run_table(corpus, each, execution).map_err(job_error)?))
            }
            Kind::Dedupe { by, keep } => {
                let job = dedupe_job(*by, keep, settings, dropped, execution)?;
                Ok(json(&job.run_table(corpus, each_row, execution).map_err(job_error)?))
            }
            Kind::Sample { job, .. } => {
                Ok(json(&job.clone().run_table(corpus, each_row, execution).map_err(job_error)?))
            }
        }
    }

    /// Copies records to files, and returns the report.
    fn run_to(
        &self,
        corpus: Corpus,
        settings: &Settings,
        dropped: Option<&OutputTarget>,
        output: &OutputTarget,
        described: &CardFiles,
        execution: &Execution,
    ) -> PyResult<String> {
        match &self.0 {
            Kind::Split(job) => {
                let files = PartFiles::new(output.path.clone().unwrap_or_default());
                let job = split_job(job, settings);
                let (card, parts) = (job.card(&corpus), job.card_files(&corpus, &files));
                described.check(parts.iter().map(|part| part.path.as_path())).map_err(|error| card_error(&error))?;

                let finished = job.run_to(corpus, &files, execution).map_err(job_error)?;
                if finished.end == End::Complete {
                    described.write(&card, &finished.report, &parts).map_err(|error| card_error(&error))?;
                }
                Ok(json(&finished))
            }
            Kind::Dedupe { by, keep } => {
                let job = dedupe_job(*by, keep, settings, dropped, execution)?;
                Ok(json(&job.run_to(corpus, output, execution).map_err(job_error)?))
            }
            Kind::Sample { job, .. } => Ok(json(&job.clone().run_to(corpus, output, execution).map_err(job_error)?)),
        }
    }
}

fn split_job(job: &Split, settings: &Settings) -> Split {
    job.clone().engine(settings.engine).max_branches(settings.max_branches)
}

/// The job that keeps one record of each group. It opens the table for the dropped records.
fn dedupe_job(
    by: GroupBy,
    keep: &Keep,
    settings: &Settings,
    dropped: Option<&OutputTarget>,
    execution: &Execution,
) -> PyResult<Dedupe> {
    let job = Dedupe::new().by(by).keep(keep.clone()).engine(settings.engine).max_branches(settings.max_branches);
    Ok(match dropped {
        Some(target) => {
            let file = OutputFile::create(target, execution.thread_count());
            job.dropped(file.map_err(|error| output_error(&error))?)
        }
        None => job,
    })
}

/// The bins of a column of numbers.
fn bins_of(bins: Option<&str>, column: Option<&str>) -> PyResult<Option<Bins>> {
    match (bins, column) {
        (Some(_), None) => Err(PyValueError::new_err("bins are for the numbers of a column: pass stratify")),
        (bins, _) => parsed_if_any("bins", bins),
    }
}

fn group_by(name: &str) -> PyResult<GroupBy> {
    named("by", "kind of groups", name)
}

/// The file for the records that are dropped: a table as CSV.
fn dropped_table(path: PathBuf) -> PyResult<OutputTarget> {
    match FileType::from_path(&path) {
        None | Some(FileType::Rows(OutputFormat::Csv)) => Ok(OutputTarget::file(path)),
        Some(other) => {
            Err(PyValueError::new_err(format!("dropped is {other} by its name, but the table is CSV; name it .csv")))
        }
    }
}
