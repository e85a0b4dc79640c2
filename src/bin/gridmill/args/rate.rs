//! The arguments of `gridmill rate`.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use gridmill::rating::Difficulty;
use gridmill::rows::OutputFormat;

use super::options::{InputArgs, LongRunArgs, OutputArgs, ReportArgs, RunArgs};
use super::values::{named, number, positive};

const EXAMPLES: &str = "\
Examples:
  Rate puzzles; the summary shows how many of them have each level:
    gridmill rate puzzles.txt -o rated.csv
  Sort out the easy ones, without rating the others to the end:
    gridmill rate puzzles.txt --only er --max-er 3.0 -o easy.csv
  Write each step of each solution as a JSON object:
    gridmill rate puzzles.txt --steps --to jsonl -o steps.jsonl";

/// The formats of rows with columns.
const FORMATS: [OutputFormat; 2] = [OutputFormat::Csv, OutputFormat::Jsonl];

/// Rate 9x9 puzzles: how hard they are for a person.
///
/// The rating is that of Sudoku Explainer: ER is the difficulty of the hardest step, EP that of the hardest step up to
/// the first digit, ED that of the first step. Levels are easy (ER up to 1.5), medium (2.8), hard (3.4), very hard
/// (5.0), fiendish (7.0) and extreme. Only puzzles with exactly one solution are rated; the others have a status. Only
/// rows go to standard output; progress, notes and the summary go to standard error.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct RateArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) long_run: LongRunArgs,

    /// Output format [default: by the extension of FILE: .csv, .jsonl or .ndjson; otherwise csv]
    #[arg(long, value_name = "FORMAT", value_parser = named(&FORMATS, OutputFormat::name), help_heading = "Output")]
    pub(crate) to: Option<OutputFormat>,

    /// Columns of CSV or keys of JSON lines to copy to the output, after the others
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_hint = ValueHint::Other, help_heading = "Output")]
    pub(crate) keep: Vec<String>,

    /// Leave out the header of csv output
    #[arg(long, help_heading = "Output")]
    pub(crate) no_header: bool,

    /// Write a row for each step instead of one for each record
    ///
    /// The columns are line, puzzle, step, technique, difficulty, cells, digits, houses, eliminations, placements and
    /// candidates. Records without a rating have no rows.
    #[arg(long, help_heading = "Output", conflicts_with_all = ["only", "isomorphs"])]
    pub(crate) steps: bool,

    /// Stop rating a puzzle at a step that is harder than X: its ER is then >X
    #[arg(long, value_name = "X", help_heading = "Rating")]
    pub(crate) max_er: Option<Difficulty>,

    /// Write ER and the level alone: without EP, ED and the counts of steps
    #[arg(long, value_name = "WHAT", value_enum, help_heading = "Rating")]
    pub(crate) only: Option<Only>,

    /// Fill the column guesses: the mean number of guesses of a search over K random isomorphs of the puzzle
    #[arg(long, value_name = "K", value_parser = positive::<NonZeroU32>, help_heading = "Rating")]
    pub(crate) isomorphs: Option<NonZeroU32>,

    /// Seed of the random isomorphs
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<u64>, help_heading = "Rating")]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    /// Also write the summary to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    /// Number of slowest puzzles in the summary, and of hardest ones in its JSON and in a report
    #[arg(long, value_name = "K", default_value_t = 3, value_parser = number::<usize>, help_heading = "Reporting")]
    pub(crate) top: usize,

    /// Also write a report with charts and puzzles, as one HTML file
    #[arg(long = "report", value_name = "FILE.html", help_heading = "Reporting")]
    pub(crate) page: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// What `--only` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Only {
    /// The difficulty of the hardest step
    Er,
}
