//! The jobs with rows for puzzles that are given, in memory and in files.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use gridmill::card::SplitFile;
use gridmill::engine::Limit;
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::jobs::augment::TrainingSetName;
use gridmill::jobs::rate::RateRows;
use gridmill::jobs::{Augment, Canon, ClassSet, Convert, Rate, Score, Solve, States, Trace, Validate};
use gridmill::puzzle::IsomorphKind;
use gridmill::resume::OutputTarget;
use gridmill::rows::OutputFormat;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use strum::VariantArray;

use crate::card::{self, card_error, card_files};
use crate::classes::key_of;
use crate::errors::{class_file_error, job_error};
use crate::input::{Puzzles, Records, check_no_names};
use crate::interrupt::{self, Progress};
use crate::output::{Format, Output};
use crate::row_job::{
    TableAndReport, check_files, json, one_by_one, open, table, with_settings, write, write_described,
};
use crate::settings::Settings;
use crate::single::Single;
use crate::values::{named, parsed_if_any};

/// A job with rows for puzzles that are given.
#[pyclass(frozen, module = "gridmill._gridmill")]
#[derive(Debug)]
pub(crate) struct Job(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Solve(Asked),
    Rate(Rate),
    Trace(Trace),
    Canon(Canon),
    Convert(Convert),
    Augment(Augment, TrainingSetName),
    Validate(Checks),
    Score(Score),
    States(States, Option<String>),
}

/// What `solve` asks of puzzles.
#[derive(Clone, Copy, Debug)]
struct Asked {
    limit: Option<Limit>,
    first: bool,
    all: bool,
    slowest: usize,
}

/// What `validate` looks for beside the solutions and the answers: the arguments of `Job.validate`.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
#[expect(clippy::struct_excessive_bools, reason = "each is an argument of the Python function")]
struct Checks {
    minimal: bool,
    duplicates: bool,
    isomorphs: bool,
    classes: bool,
    rating_column: Option<String>,
    audit: bool,
    audit_ratings: bool,
    class_key: Option<PathBuf>,
}

#[pymethods]
impl Job {
    /// Solves puzzles, or counts their solutions up to a limit, or with `all` lists them.
    #[staticmethod]
    #[pyo3(signature = (*, limit = None, first = false, all = false, top = 3))]
    fn solve(limit: Option<NonZeroU64>, first: bool, all: bool, top: usize) -> Job {
        Job(Kind::Solve(Asked { limit: limit.map(Limit::new), first, all, slowest: top }))
    }

    /// Rates puzzles: a row for each, or with `steps` one for each step.
    #[staticmethod]
    #[pyo3(signature = (*, max_er = None, isomorphs = None, seed = 0, only = None, steps = false, top = 3))]
    fn rate(
        max_er: Option<&str>,
        isomorphs: Option<NonZeroU32>,
        seed: u64,
        only: Option<&str>,
        steps: bool,
        top: usize,
    ) -> PyResult<Job> {
        if steps && (only.is_some() || isomorphs.is_some()) {
            return Err(PyValueError::new_err(
                "only and isomorphs are for puzzles, and steps gives a row for each step",
            ));
        }
        let rows = match only {
            None if steps => RateRows::Steps,
            None => RateRows::Puzzles,
            Some("er") => RateRows::Er,
            Some(other) => return Err(PyValueError::new_err(format!("only must be 'er' or None, not '{other}'"))),
        };
        let mut job = Rate::new().rows(rows).slowest(top);
        if let Some(max_er) = parsed_if_any("max_er", max_er)? {
            job = job.max_er(max_er);
        }
        if let Some(isomorphs) = isomorphs {
            job = job.isomorphs(isomorphs, seed);
        }
        Ok(Job(Kind::Rate(job)))
    }

    /// Traces how puzzles are solved.
    #[staticmethod]
    #[pyo3(signature = (*, style = "technique", max_guesses = Trace::MAX_GUESSES, top = 3))]
    fn trace(style: &str, max_guesses: u64, top: usize) -> PyResult<Job> {
        let style = named("style", "style", style)?;
        Ok(Job(Kind::Trace(Trace::new().style(style).max_guesses(max_guesses).slowest(top))))
    }

    /// Finds the canonical forms of puzzles.
    #[staticmethod]
    fn canonical() -> Job {
        Job(Kind::Canon(Canon::new()))
    }

    /// Writes puzzles in another format, without solving them.
    #[staticmethod]
    fn convert() -> Job {
        Job(Kind::Convert(Convert::new()))
    }

    /// Draws random isomorphs of puzzles; no `kind` is all of them. `set` is the directory of a training set.
    #[staticmethod]
    #[expect(clippy::needless_pass_by_value, reason = "a list of Python is converted to a vector")]
    #[pyo3(signature = (copies, *, seed = 0, kind = vec![], original = false, origin = false, unchecked = false, set = "train"))]
    fn augment(
        copies: usize,
        seed: u64,
        kind: Vec<String>,
        original: bool,
        origin: bool,
        unchecked: bool,
        set: &str,
    ) -> PyResult<Job> {
        let job = Augment::new(copies).seed(seed).kinds(kinds_of(&kind)?);
        let job = job.original(original).origin(origin).unchecked(unchecked);
        let set = named("set", "training set", set)?;
        Ok(Job(Kind::Augment(job, set)))
    }

    /// Gives a verdict on every puzzle; the arguments are those of `Checks`.
    #[staticmethod]
    #[pyo3(signature = (**checks))]
    fn validate(checks: Option<Checks>) -> PyResult<Job> {
        let checks = checks.ok_or_else(|| PyTypeError::new_err("validate has no checks"))?;
        Ok(Job(Kind::Validate(checks)))
    }

    /// Scores the answers beside puzzles, which may be any texts.
    #[staticmethod]
    #[pyo3(signature = (*, formula = "blanks"))]
    fn score(formula: &str) -> PyResult<Job> {
        let formula = named("formula", "formula", formula)?;
        Ok(Job(Kind::Score(Score::new().formula(formula))))
    }

    /// Looks at the states beside puzzles, which may be any texts, or at the puzzles.
    #[staticmethod]
    #[pyo3(signature = (*, forced = false, candidates = false, moves_column = None))]
    fn states(forced: bool, candidates: bool, moves_column: Option<String>) -> Job {
        let states = States::new().forced(forced).candidates(candidates);
        let states = moves_column.iter().fold(states, States::moves);
        Job(Kind::States(states, moves_column))
    }

    /// The rows of puzzles in memory, and the report as JSON. Only `validate`, `score` and `states` take answers, and only
    /// `validate` takes other puzzles.
    #[pyo3(signature = (puzzles, settings, *, progress = None, answers = None, against = None))]
    fn table(
        &self,
        py: Python<'_>,
        puzzles: &Bound<'_, PyAny>,
        settings: &Settings,
        progress: Progress<'_, '_>,
        answers: Option<&Bound<'_, PyAny>>,
        against: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<TableAndReport> {
        let puzzles = Puzzles::new(puzzles, settings)?;
        let records = match answers {
            Some(answers) => puzzles.with_answers(Puzzles::new(answers, settings)?, self.noun(), settings)?,
            None if matches!(self.0, Kind::Score(_)) && !puzzles.is_table() => {
                return Err(PyValueError::new_err("puzzles that are no table need responses"));
            }
            None => puzzles.records(settings, self.answer_column(settings), self.read())?,
        };
        let corpus = records.corpus()?;
        match self.0.clone() {
            Kind::Solve(asked) => table(py, asked.job(OutputFormat::Csv), corpus, settings, progress),
            Kind::Rate(job) => table(py, job, corpus, settings, progress),
            Kind::Trace(job) => table(py, job, corpus, settings, progress),
            Kind::Canon(job) => table(py, job, corpus, settings, progress),
            Kind::Convert(job) => table(py, job, corpus, settings, progress),
            Kind::Augment(job, _) => table(py, job, corpus, settings, progress),
            Kind::Score(job) => table(py, job, corpus, settings, progress),
            Kind::States(job, _) => table(py, job, corpus, settings, progress),
            Kind::Validate(checks) => {
                let file: Option<PathBuf> = against.and_then(|against| against.extract().ok());
                let is_file = file.is_some();
                let mut job = checks.against(file.into_iter().collect(), settings)?;
                if let Some(against) = against.filter(|_| !is_file) {
                    let others = Puzzles::new(against, settings)?;
                    let others: Records = if others.is_table() {
                        others.records_with(settings, AnswerColumn::ByName, vec![])?
                    } else {
                        others.only_puzzles(settings)
                    };
                    job = job.against(others.corpus()?);
                }
                table(py, job, corpus, settings, progress)
            }
        }
    }

    /// Makes rows of single puzzles, which have these columns; `answers` says whether answers are given with them.
    #[pyo3(signature = (settings, columns, *, answers))]
    fn single(&self, settings: &Settings, columns: Vec<String>, answers: bool) -> PyResult<Single> {
        check_no_names(settings, self.read())?;
        let (kind, settings) = (self.0.clone(), settings.with_columns(columns));
        Single::new(Box::new(move |execution| match kind.clone() {
            Kind::Solve(asked) => one_by_one(asked.job(OutputFormat::Csv), &settings, answers, execution),
            Kind::Rate(job) => one_by_one(job, &settings, answers, execution),
            Kind::Trace(job) => one_by_one(job, &settings, answers, execution),
            Kind::Canon(job) => one_by_one(job, &settings, answers, execution),
            Kind::Convert(job) => one_by_one(job, &settings, answers, execution),
            Kind::Augment(job, _) => one_by_one(job, &settings, answers, execution),
            Kind::Score(job) => one_by_one(job, &settings, answers, execution),
            Kind::States(job, _) => one_by_one(job, &settings, answers, execution),
            Kind::Validate(checks) => one_by_one(checks.job(), &settings, answers, execution),
        }))
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
        if output.format != Format::TrainingSet {
            let key = if let Kind::Validate(checks) = &self.0 { &checks.class_key } else { &None };
            let read: Vec<PathBuf> = inputs.iter().chain(&against).chain(key).cloned().collect();
            let cards = card::targets(&described);
            let outputs = copies.iter().chain(&cards).map(|(name, target)| (*name, target));
            check_files(&read, &[("output", &output.target)].into_iter().chain(outputs).collect::<Vec<_>>())?;
        }

        let mut options = settings.input_options(self.answer_column(settings));
        options.keep.extend(self.read().iter().filter(|name| !settings.keep.contains(name)).cloned());
        let (data, read_again) = (inputs.clone(), settings.puzzle_options());
        let corpus = || open(inputs, options);
        match self.0.clone() {
            Kind::Solve(asked) => {
                let job = asked.job(output.of_rows()?.unwrap_or_default());
                write(py, || Ok(job), corpus, settings, output, progress)
            }
            Kind::Rate(job) => write(py, || Ok(job), corpus, settings, output, progress),
            Kind::Trace(job) => write(py, || Ok(job), corpus, settings, output, progress),
            Kind::Canon(job) => write(py, || Ok(job), corpus, settings, output, progress),
            Kind::Convert(_) if output.format == Format::Picture => draw(py, corpus, settings, output),
            Kind::Convert(job) => write(py, || Ok(job), corpus, settings, output, progress),
            Kind::Augment(job, set) if output.format == Format::TrainingSet => {
                card::check_output(&described, output)?;
                output.check_no_rows("a training set", settings.columns.is_some() || !settings.keep.is_empty())?;
                let job = with_settings(job, settings);
                let directory = output.target.path.clone().unwrap_or_default();
                let report = interrupt::run(py, settings.execution(), progress, |execution| {
                    let finished = job.run_to_training_set(corpus()?, &directory, set, execution);
                    Ok(finished.map_err(job_error)?.report)
                })?;
                Ok(json(&report))
            }
            Kind::Augment(job, _) => {
                card::check_output(&described, output)?;
                let file: Vec<_> = output.target.path.iter().map(SplitFile::new).collect();
                let description = |job: &Augment, corpus: &gridmill::Corpus| {
                    let (job, options, inputs) = (job.clone(), job.card_options(corpus), corpus.origins().to_vec());
                    move |report: &_| {
                        let card = job.card(report, &inputs);
                        described.write(&card, &file, &options).map_err(|error| card_error(&error))
                    }
                };
                write_described(py, || Ok(job), corpus, settings, output, progress, description)
            }
            Kind::Score(job) => write(py, || Ok(job), corpus, settings, output, progress),
            Kind::States(job, _) => write(py, || Ok(job), corpus, settings, output, progress),
            Kind::Validate(checks) => {
                card::check_inputs(&described, &data, output)?;
                let job = || {
                    let mut job = checks.against(against, settings)?;
                    for (name, target) in copies {
                        job = if name == "accepts" { job.accepts(target) } else { job.rejects(target) };
                    }
                    Ok(job)
                };
                let options = InputOptions { answer: settings.answer(), ..read_again };
                let description = |job: &Validate, _: &gridmill::Corpus| {
                    let asked = job.asked_checks();
                    move |report: &_| {
                        let files: Vec<_> = data.into_iter().map(SplitFile::new).collect();
                        described.write(&asked.card(report), &files, &options).map_err(|error| card_error(&error))
                    }
                };
                write_described(py, job, corpus, settings, output, progress, description)
            }
        }
    }
}

impl Job {
    /// The column of a table with the answers that the job takes.
    fn answer_column(&self, settings: &Settings) -> AnswerColumn {
        match self.0 {
            Kind::Validate(_) | Kind::Augment(..) => settings.answer(),
            Kind::Score(_) => settings.response(),
            Kind::States(..) => settings.state(),
            Kind::Solve(_) | Kind::Rate(_) | Kind::Trace(_) | Kind::Canon(_) | Kind::Convert(_) => {
                AnswerColumn::Ignored
            }
        }
    }

    /// What an error calls an answer.
    fn noun(&self) -> &'static str {
        match self.0 {
            Kind::Score(_) => "response",
            Kind::States(..) => "state",
            _ => "answer",
        }
    }

    /// The columns of a table that the job reads, beside the puzzles and the answers.
    fn read(&self) -> &[String] {
        match &self.0 {
            Kind::Validate(checks) => checks.rating_column.as_slice(),
            Kind::States(_, moves_column) => moves_column.as_slice(),
            _ => &[],
        }
    }
}

impl Asked {
    /// The job with rows in this format.
    fn job(self, format: OutputFormat) -> Solve {
        let Asked { limit, first, all, slowest } = self;
        Solve::new().question(Solve::question_for(format, all, first, limit)).slowest(slowest)
    }
}

impl Checks {
    fn job(self) -> Validate {
        let Checks { minimal, duplicates, isomorphs, classes, rating_column, audit, audit_ratings, .. } = self;
        let job = Validate::new().minimal(minimal).duplicates(duplicates).isomorphs(isomorphs).classes(classes);
        let job = job.audit(audit).audit_ratings(audit_ratings);
        match rating_column {
            Some(column) => job.ratings(column),
            None => job,
        }
    }

    /// The job that also looks for leaks in these files, which are sets of classes or have puzzles.
    fn against(self, files: Vec<PathBuf>, settings: &Settings) -> PyResult<Validate> {
        let key = key_of(self.class_key.clone())?;
        let (sets, others) = ClassSet::among(files, key.as_ref()).map_err(|error| class_file_error(&error))?;
        if key.is_some() && sets.is_empty() {
            return Err(PyValueError::new_err("class_key is for sets of classes, and against names none"));
        }

        let job = sets.into_iter().fold(self.job(), Validate::against_set);
        Ok(if others.is_empty() {
            job
        } else {
            job.against(open(others, settings.options(AnswerColumn::ByName, vec![]))?)
        })
    }
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
        Ok(Convert::draw(corpus()?, &output.target, |_, _| ()).map_err(job_error)?.report)
    })?;
    Ok(json(&report))
}
