//! The frame of all commands: it runs them, and opens, executes and reports jobs.

use gridmill::corpus::{Corpus, Origin, Shard};
use gridmill::format::AnswerColumn;
use gridmill::jobs::{Execution, Finished, Job, RowJob};
use gridmill::output::{DASH, OutputTarget, RunFiles};
use gridmill::pipeline::End;
use gridmill::rows::OutputFormat;
use gridmill::stats::RunFacts;
use serde::Serialize;

use crate::cli::args::{InputArgs, LongRunArgs, OutputArgs, ReportingArgs, RowArgs, SolvingArgs, WorkArgs};
use crate::cli::call::Exit;
use crate::cli::report::{Page, ReportFile, Section};
use crate::cli::ui::ending;
use crate::cli::ui::progress::Progress;
use crate::cli::ui::summary::{Seconds, with_resumed};

/// A command, described by its arguments.
pub(crate) trait Run {
    /// The files that the arguments name.
    fn files(&self) -> anyhow::Result<RunFiles> {
        Ok(RunFiles::new())
    }

    /// Whether the process may abort for another reason than a lack of memory, and must report that.
    fn may_abort(&self) -> bool {
        false
    }

    fn run(&self) -> anyhow::Result<Exit>;
}

/// The report of a job.
pub trait Report: Serialize {
    /// Whether a run has something to report even if it was stopped before its first record.
    const IS_NEVER_EMPTY: bool = false;

    /// Prints the report.
    fn show(&self, run: &RunFacts, progress: &Progress);

    /// The page of `--report`, if the command has that option.
    fn page(&self, _run: &RunFacts) -> Option<Page> {
        None
    }
}

/// The counts of a run, as a sentence, and as a bar chart if the command has `--report`.
pub(crate) trait InWords: Serialize {
    /// The title of the page.
    const TITLE: &'static str = "";

    /// The numbers, with the time of the run.
    fn sentence(&self, time: Seconds) -> String;

    /// The shares of all records, for the page.
    fn shares(&self) -> Option<Section> {
        None
    }
}

impl<C: InWords> Report for C {
    fn show(&self, run: &RunFacts, progress: &Progress) {
        progress.note(sentence(self, run));
    }

    fn page(&self, run: &RunFacts) -> Option<Page> {
        self.shares().map(|shares| Page { title: C::TITLE.into(), lead: sentence(self, run), sections: vec![shares] })
    }
}

fn sentence(counts: &impl InWords, run: &RunFacts) -> String {
    with_resumed(counts.sentence(Seconds(run.wall_seconds)), run)
}

/// A run of a command with a row for each record.
pub(crate) struct RowRun<'a, J: Job + 'static, W: WorkArgs = SolvingArgs> {
    args: &'a RowArgs<J, W>,
    /// All inputs.
    pub(crate) inputs: Vec<Origin>,
    pub(crate) progress: Progress,
}

impl<J: Job, W: WorkArgs> RowRun<'_, J, W> {
    /// A run that reads the inputs of the arguments after `others`.
    pub(crate) fn new<'a>(args: &'a RowArgs<J, W>, others: &[Origin]) -> anyhow::Result<RowRun<'a, J, W>> {
        let inputs = others.iter().cloned().chain(args.input.origins()?).collect::<Vec<_>>();
        let progress = args.reporting.progress(&inputs);
        Ok(RowRun { args, inputs, progress })
    }

    /// Opens the inputs of the arguments. `keep` names the columns to copy.
    pub(crate) fn open(&self, answer: AnswerColumn, keep: &[String], shard: Option<Shard>) -> anyhow::Result<Corpus> {
        let corpus =
            InputArgs::open(self.args.input.origins()?, self.args.input.options(answer, keep), &self.progress)?;
        Ok(match shard {
            Some(shard) => corpus.shard(shard),
            None => corpus,
        })
    }

    /// Runs a job, and reports. `has_failed` tells whether the results of a complete run make the exit code 1.
    pub(crate) fn finish<R: Report>(
        self,
        job: impl FnOnce(&OutputTarget, &Execution) -> anyhow::Result<Finished<R>>,
        has_failed: impl FnOnce(&R) -> bool,
    ) -> anyhow::Result<Exit> {
        let RowRun { args, inputs, progress } = self;
        let execution = args.solving.execution(&progress);
        let page = args.page.file(&inputs);
        let finished = args.output.target().and_then(|target| job(&target, &execution));
        let code = finish(finished, &args.reporting, page, &progress, has_failed)?;

        if code != Exit::Interrupted && args.table.has_solutions() {
            note_on_digits(&args.output, args.format()?, &progress);
        }
        Ok(code)
    }
}

impl<J: Job<Report: Report>, W: WorkArgs> RowArgs<J, W> {
    /// Runs a job, and reports. `has_failed` tells whether the results of a complete run, and the remarks on text that was
    /// not read, make the exit code 1.
    pub(crate) fn run(
        &self,
        long_run: &LongRunArgs,
        job: RowJob<J>,
        answer: AnswerColumn,
        keep: &[String],
        has_failed: impl FnOnce(&J::Report, &[String]) -> bool,
    ) -> anyhow::Result<Exit> {
        let job = job.resume(long_run.resume);
        job.check(keep, long_run.shard).map_err(ending::in_words)?;

        let run = RowRun::new(self, &[])?;
        let corpus = run.open(answer, keep, long_run.shard)?;
        let remarks = corpus.remarks();
        run.finish(
            |target, execution| job.run_to(corpus, target, execution).map_err(ending::in_words),
            |report| has_failed(report, &remarks.get()),
        )
    }
}

/// Warns that readers may take solutions in a CSV file for numbers.
pub(crate) fn note_on_digits(output: &OutputArgs, format: OutputFormat, progress: &Progress) {
    let target = output.file();
    let is_file = target.path.as_ref().is_some_and(|path| path.as_os_str() != DASH);
    if is_file && !target.is_parquet() && format.is_csv() {
        progress.note("many programs read solutions in CSV as numbers; a .parquet file keeps them as text");
    }
}

/// Describes the data of a job, if it is complete. A part of the data is not a data set.
pub(crate) fn described_if_complete<R>(
    finished: anyhow::Result<Finished<R>>,
    describe: impl FnOnce(&R) -> anyhow::Result<()>,
) -> anyhow::Result<Finished<R>> {
    let finished = finished?;
    if finished.end == End::Complete {
        describe(&finished.report)?;
    }
    Ok(finished)
}

/// Reports the end of a job, and where it stopped.
pub(crate) fn finish<R: Report>(
    finished: anyhow::Result<Finished<R>>,
    args: &ReportingArgs,
    page: Option<ReportFile<'_>>,
    progress: &Progress,
    has_failed: impl FnOnce(&R) -> bool,
) -> anyhow::Result<Exit> {
    progress.finish();
    let finished = finished?;
    let Finished { report, run, .. } = &finished;
    let is_stopped = finished.end == End::Stopped;

    // A run that was stopped before its first record has nothing to report.
    if !is_stopped || run.stopped_after.is_some() || R::IS_NEVER_EMPTY {
        report.show(run, progress);
        ending::write_json(&finished, args.summary.as_deref())?;
        if let Some((file, page)) = page.and_then(|file| Some((file, report.page(run)?))) {
            file.write(&page)?;
        }
    }
    if is_stopped {
        return Ok(ending::stopped(&finished, progress));
    }

    // Results of a wrong guess at the format are worthless, whatever they say.
    let has_failed = has_failed(report);
    Ok(if progress.is_misread() {
        Exit::Trouble
    } else if has_failed {
        Exit::Failed
    } else {
        Exit::Success
    })
}
