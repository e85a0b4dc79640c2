//! The arguments of `gridmill augment`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use gridmill::jobs::augment::TrainingSetName;
use gridmill::puzzle::IsomorphKind;

use super::options::{InputArgs, OutputArgs, ReportArgs, RunArgs};
use super::values::{named, number};

const EXAMPLES: &str = "\
Examples:
  Write ten random isomorphs of each puzzle, with their solutions:
    gridmill augment train.csv --copies 10 --seed 1 -o larger.csv
  Only rename digits, and say which line each copy comes from:
    gridmill augment train.csv --copies 3 --kind digits --origin
  Write a training set for recursive reasoning models, with a thousand copies of each puzzle:
    gridmill augment train.csv --copies 1000 --to hrm --set train -o sudoku";

/// Write random isomorphs of each puzzle, with their answers.
///
/// The copies of a puzzle differ from each other and from it. They depend on the seed and on the line of the record only.
/// Records that are no puzzles, or whose answers are no grids, are left out and counted; `gridmill validate` names them.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct AugmentArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Column of CSV or key of JSON lines that holds the answers [default: solution, solutions, answer, ...]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = "Input")]
    pub(crate) answer_column: Option<String>,

    /// Number of copies of each puzzle
    #[arg(long, value_name = "K", value_parser = number::<usize>)]
    pub(crate) copies: usize,

    /// Seed of the random choices
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<u64>)]
    pub(crate) seed: u64,

    /// What the copies may differ in [default: all of them]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = named(&IsomorphKind::ALL, IsomorphKind::name))]
    pub(crate) kind: Vec<IsomorphKind>,

    /// Write each puzzle itself before its copies; `--to hrm` always does
    #[arg(long)]
    pub(crate) original: bool,

    /// Add the column origin: the line of the record, as in 7, or train.csv:7 if there are several inputs
    #[arg(long, help_heading = "Output")]
    pub(crate) origin: bool,

    /// Columns of CSV or keys of JSON lines to copy to the rows
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_hint = ValueHint::Other, help_heading = "Output")]
    pub(crate) keep: Vec<String>,

    /// Format: csv, jsonl, or the NPY files that the training code of HRM and TRM reads [default: by the extension of FILE]
    ///
    /// By the extension, it is csv, jsonl or Parquet; without one, it is csv. With hrm, -o names a directory, in which the directory of --set gets the files. Puzzles without answers are solved;
    /// all are of one size.
    #[arg(long, value_name = "FORMAT", value_enum, help_heading = "Output")]
    pub(crate) to: Option<AugmentFormat>,

    /// Directory of a set of `--to hrm`
    #[arg(long, value_name = "SET", default_value = "train", value_parser = named(&TrainingSetName::ALL, TrainingSetName::name), help_heading = "Output")]
    pub(crate) set: TrainingSetName,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Also write the summary to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// The formats of `gridmill augment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AugmentFormat {
    /// CSV with the columns puzzle, solution, origin and those that are kept.
    Csv,
    /// JSON objects with the same keys, one a line.
    Jsonl,
    /// Arrays for hierarchical and tiny recursive reasoning models.
    Hrm,
}
