//! The arguments of `gridmill sample`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use gridmill::jobs::sample::{Condition, ParseConditionError};

use super::options::{InputArgs, OutputArgs, ReportArgs};
use super::values::{number, positive, threads};

const EXAMPLES: &str = "\
Examples:
  Take a thousand records at random:
    gridmill sample corpus.csv -n 1000 --seed 7 -o sample.csv
  Take a hundred of those that have few clues and a high rating:
    gridmill sample corpus.csv -n 100 --where 'clues<=24 && rating>=50'
  Take a sample with the same share of each source as the corpus:
    gridmill sample corpus.csv -n 1000 --stratify source -o sample.csv";

/// Copy a random sample of the records.
///
/// The same seed gives the same sample, with any number of threads. Records are copied byte for byte, in order, malformed
/// ones like others. Takes the memory of the sample.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct SampleArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Number of records; if there are fewer, all are taken
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = number::<usize>, help_heading = "Sample")]
    pub(crate) count: usize,

    /// Seed of the choice
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<u64>, help_heading = "Sample")]
    pub(crate) seed: u64,

    /// Sample only records that meet conditions, such as 'clues<=24' or 'rating>=50'
    ///
    /// A condition has the name of a column, one of <= >= < > = != and a value. `clues` is the number of clues of the
    /// puzzle. Numbers are compared as numbers; a text can only be = or !=. Several conditions, with && between them or
    /// with the option several times, all have to be met.
    #[arg(long = "where", value_name = "CONDITION", value_parser = parse_conditions, help_heading = "Sample")]
    pub(crate) conditions: Vec<Conditions>,

    /// Take from the records with each value of a column a share in proportion to their number
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other, help_heading = "Sample")]
    pub(crate) stratify: Option<String>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Number of threads that read records [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Execution")]
    pub(crate) threads: Option<u16>,

    /// Number of records in a chunk [default: adapts to the puzzles]
    ///
    /// A thread takes one chunk at a time. The sample does not depend on the size of the chunks.
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, hide_short_help = true, help_heading = "Execution")]
    pub(crate) chunk: Option<NonZeroUsize>,

    /// Also write the summary to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// The conditions of one `--where`.
#[derive(Clone, Debug)]
pub(crate) struct Conditions(pub(crate) Vec<Condition>);

fn parse_conditions(text: &str) -> Result<Conditions, ParseConditionError> {
    Condition::parse_all(text).map(Conditions)
}
