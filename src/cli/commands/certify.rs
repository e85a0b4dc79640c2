//! `gridmill certify`: a pass or a fail for a test set, by an audit with fixed questions.

use std::io::{self, Write};
use std::path::PathBuf;
use std::slice;

use clap::Args;
use gridmill::jobs::Validate;
use gridmill::jobs::validate::Certificate;
use gridmill::output::RunFiles;
use gridmill::stats::RunFacts;

use super::frame::{Report, Run, finish};
use super::validate::comparing;
use crate::cli::args::{AnswerArgs, InputArgs, LookupArgs, ReportingArgs, SolvingArgs, origins, read_once};
use crate::cli::call::Exit;
use crate::cli::ui::ending;
use crate::cli::ui::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  Print the certificate of a test set, and fail if a puzzle of the training set is in it:
    gridmill certify train.csv test.csv
  Give only the classes of the training set away, and count the test puzzles by level:
    gridmill classes train.csv -o train.classes
    gridmill certify train.classes test.csv --ratings";

const TEST: &str = "The test set, with answers; `-`, or no file at all, is standard input";

/// Certify a test set: one solution and a right answer each, nothing repeated from the training set.
///
/// This is `gridmill validate --audit --against` with fixed questions. The certificate goes to standard output; the exit
/// code is 1 if the test set fails. A check that cannot be made is a failure.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, mut_arg("files", |files| files.value_name("TEST").help(TEST)))]
pub(crate) struct CertifyArgs {
    /// The training set: a file of puzzles, or a set of classes from `gridmill classes`, which finds isomorphs
    train: PathBuf,

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
        let files = self.input.files()?.corpus(&origins(slice::from_ref(&self.train))?);
        Ok(self.reporting.add_to(self.lookup.add_to(files)))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let (sets, train) = self.lookup.sets_among("the training set", slice::from_ref(&self.train))?;
        let (test, answer) = (self.input.origins()?, self.answer.column());
        let inputs: Vec<_> = train.iter().chain(&test).cloned().collect();
        read_once(&inputs)?;
        let progress = self.reporting.progress(&inputs);

        let job = Validate::new().engine(self.solving.engine()).max_branches(self.solving.max_branches);
        let job = job.audit_ratings(self.ratings).allow_malformed(self.lookup.allow_malformed);
        let job = comparing(job, sets, train, &self.input, &answer, &progress)?;
        let corpus = self.input.open(test, answer, &[], &progress)?;
        let finished = job.certify(corpus, &self.solving.execution(&progress)).map_err(ending::in_words);

        progress.finish();
        if let Ok(finished) = &finished {
            write!(io::stdout(), "{}", finished.report)?;
        }
        finish(finished, &self.reporting, None, &progress, |certificate| !certificate.passed)
    }
}

impl Report for Certificate {
    /// It is on standard output.
    fn show(&self, _: &RunFacts, _: &Progress) {}
}
