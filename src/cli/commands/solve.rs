//! `gridmill solve`: a row for each record of a corpus, and a summary.

use std::num::NonZeroU64;

use clap::Args;
use gridmill::format::AnswerColumn;
use gridmill::jobs::Solve;
use gridmill::jobs::solve::SolveOptions;
use gridmill::output::RunFiles;
use gridmill::rows::Status;
use gridmill::stats::{RunFacts, Summary};

use super::frame::{Report, Run};
use crate::cli::args::values::positive;
use crate::cli::args::{LongRunArgs, RowArgs, TopArgs};
use crate::cli::call::Exit;
use crate::cli::report::{self, Page};
use crate::cli::ui::progress::Progress;

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
/// Reads puzzles of all sizes from 4x4 to 25x25 in any of the formats that `gridmill formats` lists. Only rows go to
/// standard output; progress, notes and the summary go to standard error.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    question: QuestionArgs,

    /// List all solutions in lexicographic order, at most --limit [default: 1000]
    #[arg(long, conflicts_with = "first", help_heading = "Solving")]
    all: bool,

    #[command(flatten)]
    rows: RowArgs<SolveOptions>,

    #[command(flatten)]
    long_run: LongRunArgs,

    /// Exit with 1 unless every record is a puzzle with exactly one solution, and all text was read
    ///
    /// An empty input passes.
    #[arg(long, help_heading = "Reporting")]
    strict: bool,

    #[command(flatten)]
    top: TopArgs,
}

/// The question about each puzzle.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct QuestionArgs {
    /// Stop counting at N solutions [default: 2]
    ///
    /// At least two are counted, to tell whether a puzzle is unique. So --limit 1 is the same as --first.
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>, conflicts_with = "first", help_heading = "Solving")]
    pub(crate) limit: Option<NonZeroU64>,

    /// Print the first solution in lexicographic order, even if there are several
    #[arg(long, help_heading = "Solving")]
    pub(crate) first: bool,
}

impl Run for SolveArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        self.rows.files()
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let is_broken = |summary: &Summary, unread: &[String]| {
            self.strict && (summary.rows[Status::Unique] < summary.records || !unread.is_empty())
        };
        self.rows.run(&self.long_run, self.job()?, AnswerColumn::Ignored, &self.rows.keep, is_broken)
    }
}

impl SolveArgs {
    /// The job according to the options.
    fn job(&self) -> anyhow::Result<Solve> {
        let &SolveArgs { question: QuestionArgs { limit, first }, all, ref top, .. } = self;
        self.rows.set(Solve::of(SolveOptions { limit, first, all, top: top.top }))
    }
}

impl Report for Summary {
    fn show(&self, run: &RunFacts, progress: &Progress) {
        progress.report(|| report::summary::text(self, run));
    }

    fn page(&self, run: &RunFacts) -> Option<Page> {
        Some(report::summary::page(self, run))
    }
}
