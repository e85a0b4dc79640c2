//! `gridmill merge`: the outputs of all shards of a run, as if there had been one run.

use std::path::{Path, PathBuf};

use clap::Args;
use gridmill::jobs::{Execution, Finished, Merge, Merged};
use gridmill::output::RunFiles;

use super::frame::{Report, Run};
use crate::cli::args::{OutputArgs, QuietArgs};
use crate::cli::call::Exit;
use crate::cli::ui::ending;
use crate::cli::ui::progress::Progress;

const EXAMPLES: &str = "\
Examples:
  Solve two shards, here on one machine, and merge their outputs:
    gridmill solve puzzles.txt --shard 1/2 -o part-1.csv
    gridmill solve puzzles.txt --shard 2/2 -o part-2.csv
    gridmill merge part-1.csv part-2.csv -o solved.csv";

/// Merge the outputs of all shards of a run.
///
/// To put other files together: gridmill convert A.csv B.csv --keep all -o ALL.csv
///
/// The result has the same bytes as the output of one run without shards. Each output of a shard has a file
/// OUTPUT.shard.json next to it, which says which shard it is. Therefore the outputs may be named in any order.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, mut_arg("quiet", |quiet| quiet.help("Print only errors, no summary").long_help(None::<&str>)))]
pub(crate) struct MergeArgs {
    /// The outputs of solve, rate, trace, validate, canon, score, states, convert or generate with --shard, one for each shard; compressed ones are detected
    #[arg(value_name = "OUTPUTS", required = true)]
    outputs: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputArgs,

    /// Also write the summary to this file, as JSON
    #[arg(long, value_name = "FILE", help_heading = "Reporting")]
    summary: Option<PathBuf>,

    #[command(flatten)]
    quiet: QuietArgs,
}

impl Run for MergeArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.output.add_to(Merge::new(self.outputs.clone()).files());
        Ok(files.written("--summary", self.summary.as_deref()))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let merged = Merge::new(self.outputs.clone()).run_to(&self.output.target()?, &Execution::new());
        let (progress, path) = (Progress::without_bar(self.quiet.verbosity()), self.summary.as_deref());
        match merged.map_err(ending::in_words)? {
            Merged::Solve(report) | Merged::Rate(report) | Merged::Trace(report) => show(&*report, &progress, path)?,
            Merged::Validate(report) => show(&*report, &progress, path)?,
            Merged::Canon(report) => show(&*report, &progress, path)?,
            Merged::Score(report) => show(&*report, &progress, path)?,
            Merged::States(report) => show(&*report, &progress, path)?,
            Merged::Convert(report) => show(&*report, &progress, path)?,
            Merged::Generate(report) => show(&*report, &progress, path)?,
        }
        Ok(Exit::Success)
    }
}

/// Prints a report, and writes the file of `--summary`.
fn show(merged: &Finished<impl Report>, progress: &Progress, path: Option<&Path>) -> anyhow::Result<()> {
    merged.report.show(&merged.run, progress);
    ending::write_json(merged, path)
}
