//! The arguments of `gridmill pipe`.

use std::num::NonZeroU64;

use clap::Args;
use gridmill::format::Alphabet;
use gridmill::jobs::Solve;
use gridmill::rows::OutputFormat;

use super::options::RunArgs;
use super::values::{columns, named, positive};

const EXAMPLES: &str = "\
Examples:
  Print the status and the solution of each line:
    head -n 3 puzzles.txt | gridmill pipe --columns status,solution
  Print JSON, with the first solution of puzzles that have several:
    gridmill pipe --to jsonl --first <puzzles.txt";

/// Answer each line of standard input with one line, for programs that drive gridmill.
///
/// Every line is a record, even if it is empty or not a puzzle, and becomes one row; there is no header. A row never
/// waits for a line that has not been written yet, so a program can write one line and read its row, or write millions
/// of lines while it reads. Only errors go to standard error, and the exit code does not depend on the puzzles.
#[derive(Debug, Args)]
#[command(
    after_long_help = EXAMPLES,
    mut_arg("threads", |threads| threads.help("Number of threads that solve [default: 1]")),
)]
pub(crate) struct PipeArgs {
    /// Symbols of 16x16 or 25x25 puzzles, which `pipe` does not detect; one for each size
    #[arg(long, value_name = "A-Z", value_delimiter = ',', value_parser = named(Alphabet::LARGE, Alphabet::name), ignore_case = true, help_heading = "Input")]
    pub(crate) alphabet: Vec<Alphabet>,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "csv", value_parser = named(&OutputFormat::OF_LINES, OutputFormat::name), help_heading = "Output")]
    pub(crate) to: OutputFormat,

    /// Columns of csv and jsonl output, in this order [default: all but file]
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', value_parser = columns(Solve::COLUMNS), help_heading = "Output")]
    pub(crate) columns: Option<Vec<String>>,

    /// Stop counting at N solutions [default: 2]
    ///
    /// `--limit 1` means the same as `--first`: a second solution is looked for all the same, to tell whether the first is
    /// the only one.
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>, conflicts_with = "first", help_heading = "Solving")]
    pub(crate) limit: Option<NonZeroU64>,

    /// Print the first solution in lexicographic order, even if there are several
    #[arg(long, help_heading = "Solving")]
    pub(crate) first: bool,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}
