//! `gridmill classes`: the set of the classes of a corpus.

use std::path::PathBuf;

use clap::Args;
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::jobs::Classes;
use gridmill::jobs::classes::ClassesReport;
use gridmill::output::{OutputTarget, RunFiles};
use gridmill::stats::RunFacts;
use indicatif::HumanCount;

use super::frame::{Report, Run, finish};
use crate::cli::args::{InputArgs, LookupArgs, ReportingArgs, SolvingArgs};
use crate::cli::call::Exit;
use crate::cli::ui::ending;
use crate::cli::ui::progress::Progress;
use crate::cli::ui::summary::{Counted, Seconds};

const EXAMPLES: &str = "\
Examples:
  Publish which classes a hidden test set has, and look for them in a training set:
    gridmill classes test.csv -o hidden.classes
    gridmill validate train.csv --against hidden.classes --fail-on leak -o report.csv
  The same for those who have a key:
    head -c 32 /dev/urandom > key
    gridmill classes test.csv --class-key key -o hidden.classes
    gridmill validate train.csv --against hidden.classes --class-key key -o report.csv";

/// Write the set of the classes of a corpus, to find its puzzles in other corpora without showing them.
///
/// The file has a line with counts and a hash, and 16 bytes for each class, in ascending order. Anybody who has a puzzle
/// can look for its class in it; with --class-key, only those who have the key can.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ClassesArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Write the set to this file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,

    #[command(flatten)]
    lookup: LookupArgs,

    #[command(flatten)]
    solving: SolvingArgs,

    #[command(flatten)]
    reporting: ReportingArgs,
}

impl Run for ClassesArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.lookup.add_to(self.input.files()?).output("-o", &OutputTarget::file(&self.output));
        Ok(self.reporting.add_to(files))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let key = self.lookup.read()?;
        let origins = self.input.origins()?;
        let progress = self.reporting.progress(&origins);
        // Solutions in other columns are read, too: a set has their classes.
        let options = InputOptions { reads_others: true, ..self.input.options(AnswerColumn::ByName, &[]) };
        let corpus = InputArgs::open(origins, options, &progress)?;

        let execution = self.solving.execution(&progress);
        let job = Classes::new().engine(self.solving.engine()).max_branches(self.solving.max_branches).key(key);
        let job = job.allow_malformed(self.lookup.allow_malformed);
        let finished = job.run_to(corpus, &OutputTarget::file(&self.output), &execution).map_err(ending::in_words);
        finish(finished, &self.reporting, None, &progress, |_| false)
    }
}

impl Report for ClassesReport {
    fn show(&self, run: &RunFacts, progress: &Progress) {
        let (counts, seconds) = (self.counts, Seconds(run.wall_seconds));
        let (classes, records) = (HumanCount(self.classes), Counted(counts.records, "record"));
        progress.note(format!("{classes} classes of {records} in {seconds}"));
        if counts.without_class > 0 {
            let puzzles = Counted(counts.without_class, "puzzle");
            progress.note(format!("{puzzles} without a class, which cannot be found through the set"));
        }
        if counts.malformed > 0 {
            progress.note(format!("{} malformed", Counted(counts.malformed, "record")));
        }
    }
}
