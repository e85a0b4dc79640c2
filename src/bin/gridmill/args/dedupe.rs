//! The arguments of `gridmill dedupe`.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueHint};
use gridmill::jobs::GroupBy;
use gridmill::jobs::dedupe::Keep;
use gridmill::resume::FileType;

use super::options::{InputArgs, OutputArgs, ReportArgs, RunArgs};
use super::values::named;

const EXAMPLES: &str = "\
Examples:
  Keep one of all isomorphs:
    gridmill dedupe corpus.csv -o distinct.csv
  Drop only puzzles that are the same, and list them:
    gridmill dedupe corpus.csv --by puzzle --dropped dropped.csv -o distinct.csv
  Keep the most difficult puzzle of each class:
    gridmill dedupe corpus.csv --keep-max rating -o distinct.csv";

/// Copy a corpus without repetitions: one record of each puzzle or class.
///
/// Records are copied byte for byte, in order. Those of which it is not known what they repeat are kept: malformed ones;
/// with `--by class` and `--by solution` also other sizes than 9x9; with `--by solution` also puzzles without exactly
/// one solution. Takes 30 to 40 bytes of memory for each record that is kept.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct DedupeArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// What makes a repetition: the same puzzle, the same class (isomorphs), or isomorphic solutions
    #[arg(long, value_name = "WHAT", default_value = "class", value_parser = named(&GroupBy::ALL, GroupBy::name), help_heading = "Repetitions")]
    pub(crate) by: GroupBy,

    /// Keep the record with the largest number in a column, instead of the first
    ///
    /// Of several, the first is kept. A record without a number there is kept only if no other has one. The inputs are
    /// read twice, so they must be files.
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other, conflicts_with = "keep_min", help_heading = "Repetitions")]
    pub(crate) keep_max: Option<String>,

    /// Keep the record with the smallest number in a column, instead of the first
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other, help_heading = "Repetitions")]
    pub(crate) keep_min: Option<String>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Write a table of the other records to this file, with the lines that they repeat
    ///
    /// It is CSV with the columns line, `repeats_line` and record; of several inputs also file and `repeats_file`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) dropped: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Also write the summary to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

impl DedupeArgs {
    /// Refuses a table with the extension of another format.
    pub(crate) fn check_dropped(&self) -> anyhow::Result<()> {
        match &self.dropped {
            Some(path) => match FileType::from_path(path) {
                None | Some(FileType::Csv) => Ok(()),
                Some(other) => bail!("--dropped {} is {other}, but the table is CSV; name it .csv", path.display()),
            },
            None => Ok(()),
        }
    }

    /// Which record of a group to keep.
    pub(crate) fn keep(&self) -> Keep {
        match (&self.keep_max, &self.keep_min) {
            (Some(column), _) => Keep::Largest(column.clone()),
            (None, Some(column)) => Keep::Smallest(column.clone()),
            (None, None) => Keep::First,
        }
    }
}
