//! The arguments of `gridmill solve`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use gridmill::jobs::Solve;
use gridmill::rows::OutputFormat;

use super::options::{InputArgs, LongRunArgs, OutputArgs, ReportArgs, RunArgs};
use super::values::{columns, named, number, positive};

const EXAMPLES: &str = "\
Examples:
  Solve a file; progress and the summary appear on the terminal:
    gridmill solve puzzles.txt -o solved.csv
  Print line numbers and solutions; fail if a puzzle has none or several:
    gridmill solve puzzles.txt --columns line,solution --strict
  Resume this run if it was interrupted, otherwise start it:
    gridmill solve puzzles.txt -o solved.csv --resume
  Solve the first of four shards, whose outputs `gridmill merge` merges:
    gridmill solve puzzles.txt --shard 1/4 -o part-1.csv";

/// Solve puzzles: one row per record, in order.
///
/// Reads 4x4, 9x9, 16x16 and 25x25 puzzles in any of the formats that `gridmill formats` lists. Only rows go to
/// standard output; progress, notes and the summary go to standard error.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
#[expect(clippy::struct_excessive_bools, reason = "a bool is what a flag is")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) long_run: LongRunArgs,

    /// Output format [default: by the extension of FILE: .csv, .jsonl, .ndjson or .txt; otherwise csv]
    #[arg(long, value_name = "FORMAT", value_parser = named(&OutputFormat::ALL, OutputFormat::name), help_heading = "Output")]
    pub(crate) to: Option<OutputFormat>,

    /// Columns of csv and jsonl output, in this order [default: all; file only for several inputs]
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', value_parser = columns(Solve::COLUMNS), help_heading = "Output")]
    pub(crate) columns: Option<Vec<String>>,

    /// Columns of CSV or keys of JSON lines to copy to the output, after the others
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_hint = ValueHint::Other, help_heading = "Output")]
    pub(crate) keep: Vec<String>,

    /// Leave out the header of csv output
    #[arg(long, help_heading = "Output")]
    pub(crate) no_header: bool,

    /// Stop counting at N solutions; with --all, list at most N [default: 2; with --all 1000]
    ///
    /// `--limit 1` means the same as `--first`: a second solution is looked for all the same, to tell whether the first is
    /// the only one. With --all, one solution is listed, and `solutions` is 2 if there are more.
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>, conflicts_with = "first", help_heading = "Solving")]
    pub(crate) limit: Option<NonZeroU64>,

    /// Print the first solution in lexicographic order, even if there are several
    #[arg(long, conflicts_with = "all", help_heading = "Solving")]
    pub(crate) first: bool,

    /// List all solutions in lexicographic order, at most --limit per puzzle
    #[arg(long, help_heading = "Solving")]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Exit with 1 unless every record is a puzzle with exactly one solution
    ///
    /// An input without records has none that is wrong.
    #[arg(long, help_heading = "Reporting")]
    pub(crate) strict: bool,

    /// Also write the summary to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    /// Also write a report with charts and puzzles, as one HTML file
    #[arg(long = "report", value_name = "FILE.html", help_heading = "Reporting")]
    pub(crate) page: Option<PathBuf>,

    /// Number of slowest puzzles in the summary
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = number::<usize>, hide_short_help = true, help_heading = "Reporting")]
    pub(crate) top: usize,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
