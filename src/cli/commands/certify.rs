//! `gridmill certify`: a pass or a fail for a test set, by an audit with fixed questions.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use gridmill::jobs::validate::Certificate;
use gridmill::jobs::{Finished, Validate};
use gridmill::output::{DASH, FileType, OutputTarget, RunFiles, write_small};
use gridmill::rows::OutputFormat;
use gridmill::stats::RunFacts;

use super::frame::{Report, Run, finish};
use super::validate::comparing;
use crate::cli::args::{AnswerArgs, InputArgs, LookupArgs, ReportingArgs, SolvingArgs, WorkArgs, origins, read_once};
use crate::cli::call::Exit;
use crate::cli::ui::ending;
use crate::cli::ui::progress::Progress;

const USAGE: &str = "gridmill certify TEST... --train TRAIN... [OPTIONS]";

const TEST: &str = "The test set, with answers: files, which are one set; `-` is standard input";

const EXAMPLES: &str = "\
Examples:
  Print the certificate of a test set, and fail if a puzzle or a solution of the training set is in it:
    gridmill certify test.csv --train train.csv
  Give only the classes of the training set away, count the test puzzles by level, and write the certificate to a file:
    gridmill classes train.csv -o train.classes
    gridmill certify test.csv --train train.classes --ratings -o certificate.md";

/// Certify a test set: one solution and a right answer each, nothing repeated from the training set.
///
/// This is `gridmill validate --audit --against` with fixed questions. The certificate is a page in Markdown; the exit code
/// is 1 if the test set fails. A check that cannot be made is a failure.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, mut_arg("files", |files| files.value_name("TEST").help(TEST)), override_usage = USAGE)]
pub(crate) struct CertifyArgs {
    /// The training set: files of puzzles, and sets of classes from `gridmill classes`
    ///
    /// All columns of tables are looked at: a test solution may not be in any.
    #[arg(long, value_name = "TRAIN", num_args = 1..)]
    train: Vec<PathBuf>,

    /// Write the certificate to this file instead of standard output; with the extension .json, as JSON
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    answer: AnswerArgs,

    #[command(flatten)]
    lookup: LookupArgs,

    /// Also count the 9x9 puzzles by level, which takes a hundred times as long
    #[arg(long)]
    ratings: bool,

    #[command(flatten)]
    solving: SolvingArgs,

    #[command(flatten)]
    reporting: ReportingArgs,
}

impl Run for CertifyArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        if self.input.files.is_empty() || self.train.is_empty() {
            bail!("name the files of the test set, then the files of the training set: {USAGE}");
        }
        let files = self.lookup.add_to(self.input.files()?.corpus(&origins(&self.train)?));
        Ok(self.reporting.add_to(files.written("-o", self.output.as_deref())))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let (sets, train) = self.lookup.sets_among("--train", &self.train)?;
        let (test, answer) = (self.input.origins()?, self.answer.column());
        let inputs: Vec<_> = train.iter().chain(&test).cloned().collect();
        read_once(&inputs)?;
        let progress = self.reporting.progress(&inputs);

        // The library adds the questions, which are fixed.
        let job = Validate::new().engine(self.solving.engine()).max_branches(self.solving.max_branches);
        let job = job.audit_ratings(self.ratings).allow_malformed(self.lookup.allow_malformed);
        let job = comparing(job, sets, train, &self.input, &answer, &progress)?;
        let corpus = InputArgs::open(test, self.input.options(answer, &[]), &progress)?;
        let finished = job.certify(corpus, &self.solving.execution(&progress)).map_err(ending::in_words);

        // The certificate is written even if the test set failed: it says why.
        progress.finish();
        if let Ok(Finished { report, .. }) = &finished {
            let path = self.output.as_deref().unwrap_or(Path::new(DASH));
            match OutputTarget::file(path).file_type() {
                Some(FileType::Rows(OutputFormat::Json)) => ending::write_json(report, Some(path))?,
                _ => write_small(path, report.page().as_bytes())?,
            }
        }
        finish(finished, &self.reporting, None, &progress, |certificate| !certificate.passed)
    }
}

impl Report for Certificate {
    /// It was written before.
    fn show(&self, _: &RunFacts, _: &Progress) {}
}
