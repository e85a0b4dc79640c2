//! The arguments of `gridmill bench`.

use std::path::PathBuf;

use clap::Args;
use gridmill::resume::OutputTarget;

use crate::args::values::{DurationArg, Percent, Seed, number, table_file, threads};
use crate::args::{InputArgs, PageArgs, SolversArgs};
use crate::ui::progress::When;

const EXAMPLES: &str = "\
Examples:
  Compare all engines on a file, and draw a chart:
    gridmill bench puzzles.txt --export chart.svg
  Compare a program of your own with the bitmask engine:
    gridmill bench puzzles.txt --engines bitmask --solver mine=./my-solver
  Compare with another program, and name the puzzles that take it longest:
    gridmill bench puzzles.txt --engines bitmask --solver mine=./my-solver --reference mine --top 5
  Compare one thread with two:
    gridmill bench puzzles.txt --engines lanes --threads 1,2";

/// Compare the speed of engines and other solvers, after checking their answers.
///
/// The table on standard output has a row for each file and solver: puzzles per second, the speed relative to the
/// reference, guesses per puzzle, and percentiles of the times of single puzzles.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) solvers: SolversArgs,

    /// Number of threads of an engine or a plugin; several numbers are compared
    #[arg(long, value_name = "N,M", value_delimiter = ',', default_value = "1", value_parser = threads, help_heading = "Solvers")]
    pub(crate) threads: Vec<u16>,

    /// Time for each solver on each file, in seconds, approximately
    ///
    /// If a solver needs longer for all puzzles, all solvers get only the first puzzles of the file, and a line says so. 0
    /// is the shortest measurement of all puzzles, however long that takes.
    #[arg(long, value_name = "S", default_value = "2", help_heading = "Measuring")]
    pub(crate) seconds: DurationArg,

    /// Take the puzzles in a random order
    #[arg(long, value_name = "SEED", value_parser = number::<u64>, help_heading = "Measuring")]
    pub(crate) shuffle: Option<u64>,

    /// Replace each puzzle by a random isomorph: relabelled, permuted, transposed
    ///
    /// Without a seed each run takes different ones.
    #[arg(long, value_name = "SEED", num_args = 0..=1, require_equals = true, default_missing_value = "random", help_heading = "Measuring")]
    pub(crate) isomorphs: Option<Seed>,

    /// Also write the table as .csv or .md, all results as .json, a chart as .svg; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) export: Vec<PathBuf>,

    /// Also write what each solver took for each puzzle, as .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE", value_parser = table_file, help_heading = "Reporting")]
    pub(crate) times: Option<OutputTarget>,

    /// Name the K slowest puzzles of each solver: below the table, in the results as .json and in the report
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true, value_parser = number::<usize>, help_heading = "Reporting")]
    pub(crate) top: usize,

    /// Write all puzzles on which solvers disagree, with what each said, as .csv, .jsonl or .parquet
    #[arg(long, value_name = "FILE", value_parser = table_file, help_heading = "Reporting")]
    pub(crate) disagreements: Option<OutputTarget>,

    /// Compare with the results that an earlier run exported as .json
    #[arg(long, value_name = "OLD.json", help_heading = "Reporting")]
    pub(crate) baseline: Option<PathBuf>,

    /// Exit with 1 if a solver is slower than in the baseline by more than this
    #[arg(long, value_name = "PERCENT", requires = "baseline", help_heading = "Reporting")]
    pub(crate) fail_if_slower: Option<Percent>,

    #[command(flatten)]
    pub(crate) page: PageArgs,

    /// When to show what is measured at the moment, and how long it has taken so far
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "Reporting")]
    pub(crate) progress: When,

    /// Print only the table and errors, no notes
    #[arg(short, long, help_heading = "Reporting")]
    pub(crate) quiet: bool,
}
