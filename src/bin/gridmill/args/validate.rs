//! The arguments of `gridmill validate`.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use gridmill::jobs::Validate;

use super::options::{InputArgs, LongRunArgs, OutputArgs, ReportArgs, RunArgs};
use super::values::{Kinds, columns, kinds};

const EXAMPLES: &str = "\
Examples:
  Check that every puzzle has one solution, and that the answers are right:
    gridmill validate test.csv -o report.csv
  Fail if a test puzzle, or an isomorph of one, is in the training set:
    gridmill validate test.csv --against train.csv --fail-on leak -o leaks.csv
  Copy the sound records to one file and all others to another:
    gridmill validate puzzles.txt --isomorphs --accepts good.txt --rejects bad.txt -q";

/// Check a corpus: bad records, wrong answers, duplicates, leaked test puzzles.
///
/// A record is sound if it is a puzzle with exactly one solution, and if its answer, where the input has a column for
/// answers, is that solution. Options add further checks. Rows go to standard output, a scorecard goes to standard
/// error.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "options without a value")]
pub(crate) struct ValidateArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Column of CSV or key of JSON lines that holds the answers [default: solution, solutions, answer, ...]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = "Input")]
    pub(crate) answer_column: Option<String>,

    /// Check that this column has the ER of each 9x9 puzzle, as `gridmill rate` finds it; rows have the column, too
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = "Checks")]
    pub(crate) rating_column: Option<String>,

    /// Check that every clue is needed
    #[arg(long, help_heading = "Checks")]
    pub(crate) minimal: bool,

    /// Fill the column class, as --isomorphs and --against do
    #[arg(long, help_heading = "Checks")]
    pub(crate) classes: bool,

    /// Find puzzles that occur more than once
    #[arg(long, help_heading = "Checks")]
    pub(crate) duplicates: bool,

    /// Find 9x9 puzzles that are isomorphs of an earlier one: relabelled, permuted, transposed
    #[arg(long, help_heading = "Checks")]
    pub(crate) isomorphs: bool,

    /// Find puzzles that also occur in these files: the same, an isomorph, or an isomorphic solution
    ///
    /// The input options apply to these files, too. They are read first. It is an error if they have no puzzles, or if
    /// one of them has records and none is a puzzle.
    #[arg(long, value_name = "OTHER", num_args = 1.., help_heading = "Checks")]
    pub(crate) against: Vec<PathBuf>,

    /// Findings that make the exit code 1 [default: all but not-minimal, duplicate and isomorph]
    ///
    /// `leak` means all three kinds of leak, `all` every finding.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kinds(), help_heading = "Checks")]
    pub(crate) fail_on: Option<Vec<Kinds>>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) long_run: LongRunArgs,

    /// Write only these columns, in this order
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', value_parser = columns(Validate::COLUMNS), help_heading = "Output")]
    pub(crate) columns: Option<Vec<String>>,

    /// Columns of CSV or keys of JSON lines to copy to the output, after the others
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_hint = ValueHint::Other, help_heading = "Output")]
    pub(crate) keep: Vec<String>,

    /// Copy the sound records to this file, with every column; compressed by its extension
    ///
    /// Records are copied as they are, after the header of their input; from Parquet to a Parquet file.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) accepts: Option<PathBuf>,

    /// Copy all other records to this file, in the same way
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) rejects: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Also write the scorecard to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    /// Also write a report with charts and puzzles, as one HTML file
    #[arg(long = "report", value_name = "FILE.html", help_heading = "Reporting")]
    pub(crate) page: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
