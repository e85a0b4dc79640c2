//! The job that makes puzzles.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use gridmill::card::SplitFile;
use gridmill::corpus::{Corpus, Origin};
use gridmill::format::InputOptions;
use gridmill::jobs::generate::{ClueRange, KnownClasses, Pattern, Shape, Target};
use gridmill::jobs::{EngineSource, Execution, Generate, JobError};
use gridmill::puzzle::{Size, Symmetry};
use gridmill::rating::{ErRange, Level, TechniqueName};
use gridmill::rows::OutputFormat;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

use crate::card::{self, card_error, card_files};
use crate::errors::job_error;
use crate::input::Puzzles;
use crate::interrupt::{self, Progress};
use crate::output::Output;
use crate::row_job::{TableAndReport, check_files, collect, json, open, with_output, with_settings};
use crate::settings::Settings;
use crate::streams::GeneratedBatches;
use crate::values::{at_most_one, named, parsed, parsed_if_any};

/// The job that makes puzzles.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Generator {
    job: Generate,
    has_solutions: bool,
}

#[pymethods]
impl Generator {
    /// `clues` is a number or a range such as `24..28`, `er` a range such as `3.0..4.5`, and `pattern` a grid that
    /// marks the cells with clues.
    #[new]
    #[expect(
        clippy::fn_params_excessive_bools,
        clippy::too_many_arguments,
        reason = "each is an argument of the Python functions"
    )]
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    #[pyo3(signature = (
        count, *, seed = 0, skip = 0, size = None, clues = None, minimal = false, er = None, level = None, max_er = None,
        technique = vec![], symmetry = None, pattern = None, distinct = false, with_solution = false, max_tries = None,
        grids = false, weighted = false, unbiased = false
    ))]
    fn new(
        count: u64,
        seed: u64,
        skip: u64,
        size: Option<&str>,
        clues: Option<&str>,
        minimal: bool,
        er: Option<&str>,
        level: Option<&str>,
        max_er: Option<&str>,
        technique: Vec<String>,
        symmetry: Option<&str>,
        pattern: Option<&str>,
        distinct: bool,
        with_solution: bool,
        max_tries: Option<NonZeroU32>,
        grids: bool,
        weighted: bool,
        unbiased: bool,
    ) -> PyResult<Generator> {
        let (has_clues, has_shape) = (clues.is_some() || minimal, symmetry.is_some() || pattern.is_some());
        at_most_one(&[
            ("grids", grids),
            ("weighted", weighted),
            ("unbiased", unbiased),
            ("clues or minimal", has_clues),
            ("symmetry or pattern", has_shape && (grids || weighted || unbiased)),
        ])?;
        at_most_one(&[("er", er.is_some()), ("level", level.is_some()), ("max_er", max_er.is_some())])?;
        for (name, is_given) in [("size", size.is_some()), ("clues", clues.is_some()), ("symmetry", symmetry.is_some())]
        {
            at_most_one(&[("pattern", pattern.is_some()), (name, is_given)])?;
        }

        let symmetry = symmetry.map(|name| named::<Symmetry>("symmetry", "symmetry", name));
        let (symmetry, pattern) = (symmetry.transpose()?, parsed_if_any::<Pattern>("pattern", pattern)?);
        let clues: Option<ClueRange> = parsed_if_any("clues", clues)?;
        let named_size = size.map(|size| named("size", "size", size)).transpose()?.unwrap_or(Size::Nine);
        let target = match (grids, weighted, unbiased) {
            (true, ..) => Target::Clues(named_size.cells()),
            (_, true, _) => Target::Weighted,
            (.., true) => Target::Unbiased,
            _ => Target::of(clues, minimal, has_shape),
        };
        // Tables have columns; files choose their own format.
        let mut job = Generate::new(count)
            .seed(seed)
            .skip(skip)
            .target(target)
            .solutions(with_solution)
            .distinct(distinct)
            .format(OutputFormat::Csv)
            .size(named_size);
        if let Some(symmetry) = symmetry {
            job = job.shape(Shape::Symmetric(symmetry));
        }
        if let Some(pattern) = pattern {
            job = job.size(pattern.size()).shape(Shape::Pattern(pattern));
        }
        if let Some(max_tries) = max_tries {
            job = job.max_tries(max_tries);
        }
        let range: Option<ErRange> = parsed_if_any("er", er)?;
        let level: Option<Level> = parsed_if_any("level", level)?;
        let up_to = parsed_if_any("max_er", max_er)?.map(ErRange::up_to);
        if let Some(range) = range.or(level.map(ErRange::from)).or(up_to) {
            job = job.er(range);
        }
        let techniques = technique.iter().map(|name| parsed::<TechniqueName>("technique", name));
        let job = job.techniques(techniques.collect::<PyResult<Vec<_>>>()?);
        Ok(Generator { job, has_solutions: with_solution })
    }

    /// The puzzles in memory, and the report as JSON. None of them is an isomorph of a puzzle of `not_in`.
    #[pyo3(signature = (settings, *, progress = None, not_in = None))]
    fn table(
        &self,
        py: Python<'_>,
        settings: &Settings,
        progress: Progress<'_, '_>,
        not_in: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<TableAndReport> {
        let job = with_settings(self.job.clone(), settings);
        let schema = job.table_schema(&mut Corpus::empty()).map_err(job_error)?;
        let not_in = not_in.map(|puzzles| Puzzles::new(puzzles, settings)?.only_puzzles(settings).corpus());
        let not_in = not_in.transpose()?;
        collect(py, schema, settings, progress, |each, execution| {
            let job = without(job, || Ok(not_in), settings, execution)?;
            Ok(job.run_table(Corpus::empty(), each, execution).map_err(job_error)?.report)
        })
    }

    /// Batches of puzzles without end; `count` does not matter.
    fn batches(&self, settings: &Settings, first: u64, step: NonZeroU64, size: NonZeroUsize) -> GeneratedBatches {
        GeneratedBatches::new(with_settings(self.job.clone(), settings), first, step, size)
    }

    /// Checks that there may be such puzzles.
    fn check(&self, settings: &Settings) -> PyResult<()> {
        with_settings(self.job.clone(), settings).check(&[], None).map_err(job_error)
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
        check_files(&not_in, &[("output", &output.target)].into_iter().chain(outputs).collect::<Vec<_>>())?;
        card::check_output(&described, output)?;
        let has_columns = self.has_solutions || settings.columns.is_some();
        let usual = if has_columns { OutputFormat::Csv } else { OutputFormat::Lines };
        let job = with_output(with_settings(self.job.clone(), settings).format(usual), output)?;
        let (as_made, known) = (job.clone(), not_in.iter().cloned().map(Origin::File).collect::<Vec<_>>());
        let report = interrupt::run_until(py, settings.execution(), progress, |execution, stop| {
            let open = || if not_in.is_empty() { Ok(None) } else { open(not_in, InputOptions::default()).map(Some) };
            let job = without(job, open, settings, execution)?;
            let report = job.run_to(Corpus::empty(), &output.target, execution).map_err(job_error)?.report;
            // A part of the data is no data set.
            if !stop.is_triggered() {
                let files: Vec<_> = output.target.path.iter().map(SplitFile::new).collect();
                let written = described.write(&as_made.card(&report, &known), &files, &as_made.card_options());
                written.map_err(|error| card_error(&error))?;
            }
            Ok(report)
        })?;
        Ok(json(&report))
    }
}

/// The job without isomorphs of known puzzles, if there are any.
fn without(
    job: Generate,
    known: impl FnOnce() -> PyResult<Option<Corpus>>,
    settings: &Settings,
    execution: &Execution,
) -> PyResult<Generate> {
    let Some(corpus) = known()? else { return Ok(job) };
    job.check(&[], None).map_err(job_error)?;
    let engine = EngineSource::from(settings.engine);
    let known = KnownClasses::read(corpus, &engine, settings.max_branches, execution).map_err(|error| match error {
        JobError::NothingToCompare(inputs) => {
            let inputs: Vec<String> = inputs.iter().map(ToString::to_string).collect();
            PyValueError::new_err(format!("not_in: cannot look for isomorphs: {}", inputs.join("; ")))
        }
        error => job_error(error),
    })?;
    // The stop has raised another exception, which replaces this one.
    let stopped = || PyKeyboardInterrupt::new_err("the run was stopped");
    Ok(job.not_in(known.ok_or_else(stopped)?))
}
