//! The job that makes puzzles.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use gridmill::cli::card::SplitFile;
use gridmill::corpus::{Corpus, Origin};
use gridmill::format::InputOptions;
use gridmill::jobs::generate::{ClueRange, GenerateOptions, KnownClasses, Pattern};
use gridmill::jobs::{EngineSource, Execution, Generate};
use gridmill::puzzle::{Size, Symmetry};
use gridmill::rating::{Difficulty, ErRange, Level, TechniqueName};
use gridmill::rows::OutputFormat;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::card::{self, card_error, card_files};
use crate::classes::sets_among;
use crate::errors::job_error;
use crate::input::Puzzles;
use crate::interrupt::Progress;
use crate::options::Options;
use crate::output::Output;
use crate::row_job::{TableAndReport, check_files, collect, json, open, with_settings, write_described};
use crate::settings::Settings;
use crate::streams::GeneratedBatches;

/// The job that makes puzzles.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Generator {
    job: Generate,
    has_solutions: bool,
    class_key: Option<PathBuf>,
    allow_malformed: bool,
}

#[pymethods]
impl Generator {
    /// `clues` is a number or a range such as `24..28`, `er` a range such as `3.0..4.5`, and `pattern` a grid that
    /// marks the cells with clues.
    #[new]
    #[pyo3(signature = (**options))]
    fn new(options: Option<&Bound<'_, PyDict>>) -> PyResult<Generator> {
        let mut options = Options::new(options)?;
        options.check_names::<Size>("size", "size")?;
        options.check_names::<Symmetry>("symmetry", "symmetry")?;
        options.check_texts::<Pattern>("pattern")?;
        options.check_texts::<ClueRange>("clues")?;
        options.check_texts::<ErRange>("er")?;
        options.check_texts::<Level>("level")?;
        options.check_texts::<Difficulty>("max-er")?;
        options.check_texts::<TechniqueName>("technique")?;

        let class_key = options.take("class-key").map(PathBuf::from);
        let allow_malformed = options.take_flag("allow-malformed");
        let options: GenerateOptions = options.read()?;
        let has_solutions = options.with_solution;
        // Tables have columns; files choose their own format.
        let job = Generate::of(options).format(OutputFormat::Csv);
        Ok(Generator { job, has_solutions, class_key, allow_malformed })
    }

    /// The options of the job as JSON, by their names on the command line.
    #[getter]
    fn options(&self) -> String {
        json(self.job.options())
    }

    /// The puzzles in memory, and the report as JSON. None of them is an isomorph of a puzzle of `not_in`.
    #[pyo3(signature = (settings, *, progress = None, not_in = None, report = None))]
    fn table(
        &self,
        py: Python<'_>,
        settings: &Settings,
        progress: Progress<'_, '_>,
        not_in: Option<&Bound<'_, PyAny>>,
        report: Option<PathBuf>,
    ) -> PyResult<TableAndReport> {
        let job = with_settings(self.job.clone(), settings);
        let schema = job.table_schema(&mut Corpus::empty()).map_err(job_error)?;
        let file: Option<PathBuf> = not_in.and_then(|puzzles| puzzles.extract().ok());
        let in_memory = not_in.filter(|_| file.is_none());
        let known = in_memory.map(|puzzles| Puzzles::new(puzzles, settings)?.only_puzzles(settings).corpus());
        let known = known.transpose()?;
        collect(py, schema, settings, progress, report, &[], |each, execution| {
            let job = self.without(job, known, file.into_iter().collect(), settings, execution)?;
            job.run_table(Corpus::empty(), each, execution).map_err(job_error)
        })
    }

    /// Batches of puzzles without end; `count` does not matter.
    fn batches(&self, settings: &Settings, first: u64, step: NonZeroU64, size: NonZeroUsize) -> GeneratedBatches {
        GeneratedBatches::new(with_settings(self.job.clone(), settings), first, step, size)
    }

    /// Checks that there may be such puzzles with such columns.
    fn check(&self, settings: &Settings) -> PyResult<()> {
        let job = with_settings(self.job.clone(), settings);
        job.check(&[], None).and_then(|()| job.table_schema(&mut Corpus::empty())).map(drop).map_err(job_error)
    }

    /// Writes the puzzles to a file; returns the report as JSON. None of them is an isomorph of a puzzle in the files of
    /// `not_in`.
    #[expect(clippy::too_many_arguments, reason = "each is an argument of a Python function")]
    #[pyo3(signature = (settings, output, *, progress = None, not_in = vec![], card = None, croissant = None))]
    fn write(
        &self,
        py: Python<'_>,
        settings: &Settings,
        output: &Output,
        progress: Progress<'_, '_>,
        not_in: Vec<PathBuf>,
        card: Option<PathBuf>,
        croissant: Option<PathBuf>,
    ) -> PyResult<String> {
        let described = card_files(card, croissant);
        let cards = card::targets(&described);
        let outputs = cards.iter().map(|(name, target)| (*name, target));
        let read: Vec<PathBuf> = not_in.iter().chain(&self.class_key).cloned().collect();
        check_files(&read, &output.files().chain(outputs).collect::<Vec<_>>())?;
        card::check_output(&described, output)?;
        let has_columns = self.has_solutions || settings.columns.is_some();
        let usual = if has_columns { OutputFormat::Csv } else { OutputFormat::Lines };
        let job = self.job.clone().format(usual);
        let known = not_in.iter().cloned().map(Origin::File).collect::<Vec<_>>();
        let files: Vec<_> = output.target.path.iter().map(SplitFile::new).collect();
        let job = |execution: &Execution| self.without(with_settings(job, settings), None, not_in, settings, execution);
        let description = |job: &Generate, _: &Corpus| {
            let card = job.card(&known);
            move |report: &_| described.write(&card, report, &files).map_err(|error| card_error(&error))
        };
        write_described(py, job, || Ok(Corpus::empty()), settings, output, progress, description)
    }
}

impl Generator {
    /// The job without isomorphs of known puzzles, in memory or in files, which may also be sets of classes.
    fn without(
        &self,
        job: Generate,
        corpus: Option<Corpus>,
        files: Vec<PathBuf>,
        settings: &Settings,
        execution: &Execution,
    ) -> PyResult<Generate> {
        let (sets, files) = sets_among("not_in", files, self.class_key.clone())?;
        let corpus = match corpus {
            None if !files.is_empty() => Some(open(files, InputOptions::default())?),
            corpus => corpus,
        };
        if corpus.is_none() && sets.is_empty() {
            return Ok(job);
        }

        job.check(&[], None).map_err(job_error)?;
        let engine = EngineSource::from(settings.engine);
        let allow = self.allow_malformed;
        let known = KnownClasses::read(corpus, sets, allow, &engine, settings.max_branches, execution);
        let known = known.map_err(job_error)?;
        // The stop has raised another exception, which replaces this one.
        let stopped = || PyKeyboardInterrupt::new_err("the run was stopped");
        Ok(job.not_in(known.ok_or_else(stopped)?))
    }
}
