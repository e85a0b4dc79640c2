//! `gridmill dedupe`: a corpus without repetitions.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueHint};
use gridmill::format::AnswerColumn;
use gridmill::jobs::Dedupe;
use gridmill::jobs::dedupe::{DedupeReport, Keep};
use gridmill::output::{FileType, OutputFile, OutputTarget, RunFiles};
use gridmill::rows::OutputFormat;
use indicatif::HumanCount;

use super::frame::{InWords, Run, finish};
use crate::cli::args::{GroupArgs, InputArgs, OutputArgs, ReportingArgs, SolvingArgs, WorkArgs, describe_by};
use crate::cli::call::Exit;
use crate::cli::ui::ending;
use crate::cli::ui::summary::{Counted, Seconds, reasons};

const EXAMPLES: &str = "\
Examples:
  Keep one of all isomorphs:
    gridmill dedupe corpus.csv -o distinct.csv
  Drop only puzzles that are the same, and list them:
    gridmill dedupe corpus.csv --by puzzle --dropped dropped.csv -o distinct.csv
  Keep the most difficult puzzle of each class:
    gridmill dedupe corpus.csv --keep-max rating -o distinct.csv";

const BY: &str = "What makes a repetition: the same puzzle, the same class (isomorphs), or isomorphic solutions";

/// Copy a corpus without repetitions: one record of each puzzle or class.
///
/// Records are copied byte for byte, in order. Takes 30 to 40 bytes of memory for each record that is kept.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("by", |by| describe_by(by, "Repetitions", BY, "Records that cannot be compared are kept.")),
)]
pub(crate) struct DedupeArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    groups: GroupArgs,

    /// Keep the record with the largest number in a column, instead of the first
    ///
    /// If several have it, the first of them is kept; a record without a number, only if no other has one. The inputs are
    /// read twice, so they must be files.
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other, conflicts_with = "keep_min", help_heading = "Repetitions")]
    keep_max: Option<String>,

    /// Keep the record with the smallest number in a column, instead of the first
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other, help_heading = "Repetitions")]
    keep_min: Option<String>,

    #[command(flatten)]
    output: OutputArgs,

    /// Write a table of the other records to this file, with the lines that they repeat
    ///
    /// It is CSV with the columns line, `repeats_line` and record; of several inputs also file and `repeats_file`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    dropped: Option<PathBuf>,

    #[command(flatten)]
    solving: SolvingArgs,

    #[command(flatten)]
    reporting: ReportingArgs,
}

impl Run for DedupeArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.output.add_to(self.input.files()?);
        let dropped = self.dropped.iter();
        let files = dropped.fold(files, |files, path| files.output("--dropped", &OutputTarget::file(path)));
        Ok(self.reporting.add_to(files))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        self.check_dropped()?;
        let origins = self.input.origins()?;
        let progress = self.reporting.progress(&origins);
        let keep: Vec<String> = self.keep_max.iter().chain(&self.keep_min).cloned().collect();
        let corpus = InputArgs::open(origins, self.input.options(AnswerColumn::Ignored, &keep), &progress)?;

        // The table of dropped records is written by the job, as it finds them.
        let execution = self.solving.execution(&progress);
        let job = Dedupe::new().by(self.groups.by).keep(self.keep()).engine(self.solving.engine());
        let mut job = job.max_branches(self.solving.max_branches);
        if let Some(path) = &self.dropped {
            job = job.dropped(OutputFile::create(&OutputTarget::file(path), execution.thread_count())?);
        }
        let finished = job.run_to(corpus, &self.output.target()?, &execution).map_err(ending::in_words);
        finish(finished, &self.reporting, None, &progress, |_| false)
    }
}

impl DedupeArgs {
    /// Refuses a table with the extension of another format.
    fn check_dropped(&self) -> anyhow::Result<()> {
        match &self.dropped {
            Some(path) => match FileType::from_path(path) {
                None | Some(FileType::Rows(OutputFormat::Csv)) => Ok(()),
                Some(other) => bail!("--dropped {} is {other}, but the table is CSV; name it .csv", path.display()),
            },
            None => Ok(()),
        }
    }

    /// The record of a group to keep.
    fn keep(&self) -> Keep {
        match (&self.keep_max, &self.keep_min) {
            (Some(column), _) => Keep::Largest(column.clone()),
            (None, Some(column)) => Keep::Smallest(column.clone()),
            (None, None) => Keep::First,
        }
    }
}

impl InWords for DedupeReport {
    /// The numbers of records by outcome.
    fn sentence(&self, time: Seconds) -> String {
        let DedupeReport { records, kept, dropped, ref not_compared, without_number, .. } = *self;
        let (kept, dropped) = (HumanCount(kept), HumanCount(dropped));
        let mut text = format!("{} in {}: {kept} kept, {dropped} dropped", Counted(records, "record"), time);
        if not_compared.total() > 0 {
            text = format!("{text}; kept without a comparison: {}", reasons(not_compared));
        }
        if let Some(count @ 1..) = without_number {
            text = format!("{text}; {} without a number in the column", Counted(count, "record"));
        }
        text
    }
}
