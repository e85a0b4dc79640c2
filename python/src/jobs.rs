//! The jobs that make rows for given puzzles, in memory and in files.

use std::io;
use std::path::{Path, PathBuf};

use gridmill::cli::card::SplitFile;
use gridmill::cli::text_of;
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::jobs::augment::TrainingSetName;
use gridmill::jobs::score::ScoreFormula;
use gridmill::jobs::trace::TraceStyle;
use gridmill::jobs::validate::{AskedChecks, FailOn, ValidateReport};
use gridmill::jobs::{Augment, Canon, Convert, Rate, Score, Solve, States, Trace, Validate};
use gridmill::output::OutputTarget;
use gridmill::puzzle::IsomorphKind;
use gridmill::rows::OutputFormat;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use strum::VariantArray;

use crate::card::{self, card_error, card_files};
use crate::classes::sets_among;
use crate::errors::{job_error, option_error, os_error};
use crate::input::{Puzzles, Records, check_no_names};
use crate::interrupt::{self, Progress};
use crate::options::Options;
use crate::output::{Format, Output};
use crate::row_job::{
    TableAndReport, check_files, json, one_by_one, open, table, with_settings, write, write_described,
};
use crate::settings::Settings;
use crate::single::Single;
use crate::values::named;

/// A job with rows for puzzles that are given.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Job(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Solve(Solve),
    Rate(Rate),
    /// With the template for its text.
    Trace(Trace, Option<PathBuf>),
    Canon(Canon),
    Convert(Convert),
    Augment(Augment, TrainingSetName),
    Validate(Checks),
    Score(Score),
    States(States),
}

/// Runs the same code for a job of any kind; `validate` has its checks, and compares with nothing.
macro_rules! with_job {
    ($kind:expr, $job:ident => $code:expr) => {
        match $kind {
            Kind::Solve($job) => $code,
            Kind::Rate($job) => $code,
            Kind::Trace($job, _) => $code,
            Kind::Canon($job) => $code,
            Kind::Convert($job) => $code,
            Kind::Augment($job, _) => $code,
            Kind::Score($job) => $code,
            Kind::States($job) => $code,
            Kind::Validate(checks) => {
                let $job = Validate::from(checks.asked);
                $code
            }
        }
    };
}

/// The checks of `validate`, and the demands on the puzzles to compare with.
#[derive(Clone, Debug)]
struct Checks {
    asked: AskedChecks,
    class_key: Option<PathBuf>,
    allow_malformed: bool,
    /// The names of the findings that make it fail.
    fail_on: Vec<String>,
}

#[pymethods]
impl Job {
    /// The job of a command, with its options.
    #[new]
    #[pyo3(signature = (command, **options))]
    fn new(command: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Job> {
        let mut options = Options::new(options)?;
        Ok(Job(match command {
            "solve" => Kind::Solve(Solve::of(options.read()?)),
            "rate" => Kind::Rate(Rate::of(options.read()?)),
            "trace" => {
                options.check_names::<TraceStyle>("style", "style")?;
                let template = options.take("template").map(PathBuf::from);
                Kind::Trace(Trace::of(options.read()?), template)
            }
            "canon" => Kind::Canon(Canon::new()),
            "convert" => Kind::Convert(Convert::new()),
            "augment" => {
                options.check_names::<IsomorphKind>("kind", "kind of isomorphs")?;
                let set = named("set", "training set", &options.take("set").unwrap_or_else(|| "train".to_owned()))?;
                Kind::Augment(Augment::of(options.read()?), set)
            }
            "validate" => {
                let class_key = options.take("class-key").map(PathBuf::from);
                let (allow_malformed, fail_on) = (options.take_flag("allow-malformed"), options.take_all("fail-on"));
                Kind::Validate(Checks { asked: options.read()?, class_key, allow_malformed, fail_on })
            }
            "score" => {
                options.check_names::<ScoreFormula>("formula", "formula")?;
                Kind::Score(Score::of(options.read()?))
            }
            "states" => Kind::States(States::of(options.read()?)),
            other => return Err(PyValueError::new_err(format!("no job is called '{other}'"))),
        }))
    }

    /// The options of the job as JSON, by their names on the command line.
    #[getter]
    fn options(&self) -> String {
        with_job!(self.0.clone(), job => json(job.options()))
    }

    /// The rows of puzzles in memory, and the report as JSON. Only `validate`, `score` and `states` take answers, and only
    /// `validate` takes other puzzles.
    #[expect(clippy::too_many_arguments, reason = "each is an argument of a Python function")]
    #[pyo3(signature = (puzzles, settings, *, progress = None, answers = None, against = None, report = None))]
    fn table(
        &self,
        py: Python<'_>,
        puzzles: &Bound<'_, PyAny>,
        settings: &Settings,
        progress: Progress<'_, '_>,
        answers: Option<&Bound<'_, PyAny>>,
        against: Option<&Bound<'_, PyAny>>,
        report: Option<PathBuf>,
    ) -> PyResult<TableAndReport> {
        let puzzles = Puzzles::new(puzzles, settings)?;
        let records = match answers {
            Some(answers) => puzzles.with_answers(Puzzles::new(answers, settings)?, self.noun(), settings)?,
            None if matches!(self.0, Kind::Score(_)) && !puzzles.is_table() => {
                return Err(PyValueError::new_err("puzzles that are not a table need responses"));
            }
            None => puzzles.records(settings, self.answer_column(settings), self.read())?,
        };
        let corpus = records.corpus()?;
        match self.0.clone() {
            Kind::Validate(checks) => {
                let fail_on = checks.failures(against.is_some())?;
                table(py, checks.compared(against, settings)?.fail_on(fail_on), corpus, settings, progress, report)
            }
            kind => with_job!(kind, job => table(py, job, corpus, settings, progress, report)),
        }
    }

    /// Certifies a test set, in a file or in memory. Returns the certificate as a page of text, and as JSON.
    #[pyo3(signature = (puzzles, settings, against, *, progress = None))]
    fn certify(
        &self,
        py: Python<'_>,
        puzzles: &Bound<'_, PyAny>,
        settings: &Settings,
        against: &Bound<'_, PyAny>,
        progress: Progress<'_, '_>,
    ) -> PyResult<(String, String)> {
        let Kind::Validate(checks) = self.0.clone() else { unreachable!("it is a job of validate") };
        let job = with_settings(checks.compared(Some(against), settings)?, settings);
        let corpus = match files_of(puzzles) {
            Some(files) => open(files, settings.options(settings.answer(), vec![]))?,
            None => Puzzles::new(puzzles, settings)?.records(settings, settings.answer(), &[])?.corpus()?,
        };
        let finished = interrupt::run(py, settings.execution(), progress, |execution| {
            job.certify(corpus, execution).map_err(job_error)
        })?;
        Ok((finished.report.page(), json(&finished)))
    }

    /// Makes rows of single puzzles, which have these columns; `answers` says whether answers are given with them.
    #[pyo3(signature = (settings, columns, *, answers))]
    fn single(&self, settings: &Settings, columns: Vec<String>, answers: bool) -> PyResult<Single> {
        check_no_names(settings, self.read())?;
        let (kind, settings) = (self.0.clone(), settings.with_columns(columns));
        Single::new(Box::new(
            move |execution| with_job!(kind.clone(), job => one_by_one(job, &settings, answers, execution)),
        ))
    }

    /// Writes the rows of files to a file; returns the report as JSON. Only `validate` takes other files and copies
    /// records; only it and `augment` describe a data set.
    #[expect(clippy::too_many_arguments, reason = "each is an argument of a Python function")]
    #[pyo3(signature = (inputs, settings, output, *, progress = None, against = vec![], accepts = None, rejects = None,
        card = None, croissant = None))]
    fn write(
        &self,
        py: Python<'_>,
        inputs: Vec<PathBuf>,
        settings: &Settings,
        output: &Output,
        progress: Progress<'_, '_>,
        against: Vec<PathBuf>,
        accepts: Option<PathBuf>,
        rejects: Option<PathBuf>,
        card: Option<PathBuf>,
        croissant: Option<PathBuf>,
    ) -> PyResult<String> {
        let described = card_files(card, croissant);
        let copies = [("accepts", accepts), ("rejects", rejects)];
        let copies: Vec<(&str, OutputTarget)> =
            copies.into_iter().filter_map(|(name, path)| Some((name, OutputTarget::file(path?)))).collect();
        // The output of a training set is a directory, which may have other files.
        if output.format != Format::TrainingSet {
            let key = if let Kind::Validate(checks) = &self.0 { &checks.class_key } else { &None };
            let read: Vec<PathBuf> = inputs.iter().chain(&against).chain(key).cloned().collect();
            let cards = card::targets(&described);
            let outputs = copies.iter().chain(&cards).map(|(name, target)| (*name, target));
            check_files(&read, &output.files().chain(outputs).collect::<Vec<_>>())?;
        }

        // A column that the job reads is kept, but not twice.
        let mut options = settings.input_options(self.answer_column(settings));
        options.keep.extend(self.read().iter().filter(|name| !settings.keep.contains(name)).cloned());
        let (data, read_again) = (inputs.clone(), settings.puzzle_options());
        let corpus = || open(inputs, options);
        match self.0.clone() {
            Kind::Trace(job, Some(template)) => {
                let job = templated(job, &template, output)?;
                write(py, || Ok(job), corpus, settings, output, progress)
            }
            Kind::Convert(_) if output.format == Format::Picture => draw(py, corpus, settings, output),
            Kind::Augment(job, set) if output.format == Format::TrainingSet => {
                card::check_output(&described, output)?;
                output.check_no_rows("a training set", settings.columns.is_some() || !settings.keep.is_empty())?;
                let job = with_settings(job, settings);
                let directory = output.target.path.clone().unwrap_or_default();
                let report = interrupt::run(py, settings.execution(), progress, |execution| {
                    job.run_to_training_set(corpus()?, &directory, set, execution).map_err(job_error)
                })?;
                Ok(json(&report))
            }
            Kind::Augment(job, _) => {
                card::check_output(&described, output)?;
                let file: Vec<_> = output.target.path.iter().map(SplitFile::new).collect();
                let description = |job: &Augment, corpus: &gridmill::Corpus| {
                    let card = job.card(corpus);
                    move |report: &_| described.write(&card, report, &file).map_err(|error| card_error(&error))
                };
                write_described(py, |_: &_| Ok(job), corpus, settings, output, progress, description)
            }
            Kind::Validate(checks) => {
                card::check_inputs(&described, &data, output)?;
                let fail_on = checks.failures(!against.is_empty())?;
                let job = |_: &_| {
                    let mut job = checks.against(against, settings)?.fail_on(fail_on);
                    for (name, target) in copies {
                        job = if name == "accepts" { job.accepts(target) } else { job.rejects(target) };
                    }
                    Ok(job)
                };
                let options = InputOptions { answer: settings.answer(), ..read_again };
                let description = |job: &Validate, _: &gridmill::Corpus| {
                    let card = job.card(options);
                    move |report: &ValidateReport| {
                        let files: Vec<_> = data.into_iter().map(SplitFile::new).collect();
                        described.write(&card, &report.for_card(), &files).map_err(|error| card_error(&error))
                    }
                };
                write_described(py, job, corpus, settings, output, progress, description)
            }
            kind => with_job!(kind, job => write(py, || Ok(job), corpus, settings, output, progress)),
        }
    }
}

impl Job {
    /// The column of a table with the answers that the job takes.
    fn answer_column(&self, settings: &Settings) -> AnswerColumn {
        match self.0 {
            Kind::Validate(_) | Kind::Augment(..) => settings.answer(),
            Kind::Score(_) => settings.response(),
            Kind::States(_) => settings.state(),
            Kind::Solve(_) | Kind::Rate(_) | Kind::Trace(..) | Kind::Canon(_) | Kind::Convert(_) => {
                AnswerColumn::Ignored
            }
        }
    }

    /// The noun for an answer in an error.
    fn noun(&self) -> &'static str {
        match self.0 {
            Kind::Score(_) => "response",
            Kind::States(_) => "state",
            _ => "answer",
        }
    }

    /// The columns of a table that the job reads, in addition to the puzzles and the answers.
    fn read(&self) -> &[String] {
        match &self.0 {
            Kind::Validate(checks) => checks.asked.rating_column.as_slice(),
            Kind::States(job) => job.options().moves_column.as_slice(),
            _ => &[],
        }
    }
}

/// The job that writes text by the template in a file.
fn templated(job: Trace, path: &Path, output: &Output) -> PyResult<Trace> {
    if output.of_rows(&[OutputFormat::Text])? != Some(OutputFormat::Text) {
        return Err(PyValueError::new_err("template is for text; add to=\"text\", or name the output .txt"));
    }
    let text = text_of(path).map_err(|error| match error.downcast_ref::<io::Error>() {
        Some(_) => os_error(error.as_ref()),
        None => PyValueError::new_err(format!("{error:#}").trim_start_matches('-').to_owned()),
    })?;
    Ok(job.text(text))
}

impl Checks {
    /// The findings that make it fail.
    fn failures(&self, is_compared: bool) -> PyResult<FailOn> {
        FailOn::named(&self.fail_on, &self.asked, is_compared).map_err(|error| option_error(&error))
    }

    /// The job that also looks for leaks in a file or in puzzles in memory, if they are given.
    fn compared(self, against: Option<&Bound<'_, PyAny>>, settings: &Settings) -> PyResult<Validate> {
        let files = against.and_then(files_of);
        let in_memory = against.filter(|_| files.is_none());
        let job = self.against(files.unwrap_or_default(), settings)?;
        let Some(against) = in_memory else { return Ok(job) };

        let others = Puzzles::new(against, settings)?;
        let mut others: Records = if others.is_table() {
            others.records_with(settings, AnswerColumn::ByName, vec![])?
        } else {
            others.only_puzzles(settings)
        };
        others.options.reads_others = true;
        Ok(job.against(others.corpus()?))
    }

    /// The job that also looks for leaks in these files, which are sets of classes or have puzzles.
    fn against(self, files: Vec<PathBuf>, settings: &Settings) -> PyResult<Validate> {
        let (sets, others) = sets_among("against", files, self.class_key)?;
        let job = Validate::from(self.asked).allow_malformed(self.allow_malformed);
        let job = sets.into_iter().fold(job, Validate::against_set);
        Ok(if others.is_empty() { job } else { job.against(open(others, settings.reference_options())?) })
    }
}

/// The paths of files, one alone or several in a tuple, in place of puzzles.
fn files_of(puzzles: &Bound<'_, PyAny>) -> Option<Vec<PathBuf>> {
    let one = || puzzles.extract().map(|file| vec![file]);
    if puzzles.is_instance_of::<PyTuple>() { puzzles.extract().ok() } else { one().ok() }
}

/// The kinds of isomorphs with these names; no names are all of them.
pub(crate) fn kinds_of(names: &[String]) -> PyResult<Vec<IsomorphKind>> {
    let of_name = |name: &String| named("kind", "kind of isomorphs", name);
    if names.is_empty() { Ok(IsomorphKind::VARIANTS.to_vec()) } else { names.iter().map(of_name).collect() }
}

/// Draws the puzzles of files.
fn draw(
    py: Python<'_>,
    corpus: impl FnOnce() -> PyResult<gridmill::Corpus> + Send,
    settings: &Settings,
    output: &Output,
) -> PyResult<String> {
    output.check_no_rows("a picture", settings.columns.is_some() || !settings.keep.is_empty())?;
    let report = interrupt::run(py, settings.execution(), None, |_| {
        Convert::draw(corpus()?, &output.target, |_, _| ()).map_err(job_error)
    })?;
    Ok(json(&report))
}
