//! The arguments of `gridmill merge`.

use std::path::PathBuf;

use clap::Args;

use super::options::OutputArgs;

const EXAMPLES: &str = "\
Examples:
  Solve two shards, here on one machine, and merge their outputs:
    gridmill solve puzzles.txt --shard 1/2 -o part-1.csv
    gridmill solve puzzles.txt --shard 2/2 -o part-2.csv
    gridmill merge part-1.csv part-2.csv -o solved.csv";

/// Merge the outputs of all shards of a run.
///
/// The result has the same bytes as the output of one run without shards. Each output of a shard has a file OUTPUT.shard.json next to it, which says which shard it is.
/// Therefore the outputs may be named in any order. Reports of `gridmill validate --shard` cannot be merged.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct MergeArgs {
    /// The outputs of `gridmill solve --shard` or `gridmill rate --shard`, one for each shard; compressed ones are detected
    #[arg(value_name = "OUTPUTS", required = true)]
    pub(crate) outputs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Also write the summary to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    pub(crate) summary: Option<PathBuf>,

    /// Print only errors, no summary
    #[arg(short, long, help_heading = "Reporting")]
    pub(crate) quiet: bool,
}
