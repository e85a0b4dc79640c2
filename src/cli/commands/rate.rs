//! `gridmill rate`: how hard the puzzles of a corpus are for a person.

use clap::Args;
use gridmill::format::AnswerColumn;
use gridmill::jobs::Rate;
use gridmill::jobs::rate::{RateOnly, RateOptions};
use gridmill::output::RunFiles;
use gridmill::rating::Difficulty;

use super::frame::Run;
use crate::cli::args::values::named;
use crate::cli::args::{LongRunArgs, RowArgs, TopArgs};
use crate::cli::call::Exit;

const EXAMPLES: &str = "\
Examples:
  Rate puzzles; the summary shows how many of them have each level:
    gridmill rate puzzles.txt -o rated.csv
  Sort out the easy ones, without rating the others to the end:
    gridmill rate puzzles.txt --only er --max-er 3.0 -o easy.csv
  Write each step of each solution as a JSON object:
    gridmill rate puzzles.txt --steps --to jsonl -o steps.jsonl";

/// Rate 9x9 puzzles: how hard they are for a person.
///
/// Ratings follow Sudoku Explainer: ER is the difficulty of the hardest step, EP of the hardest step up to the first
/// digit, ED of the first step. The level is easy (ER up to 1.5), medium (up to 2.8), hard (3.4), very hard (5.0),
/// fiendish (7.0) or extreme. Puzzles without exactly one solution are not rated; their status says why. Only rows go
/// to standard output; progress, notes and the summary go to standard error.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RateArgs {
    /// Write a row for each step instead of one for each record
    ///
    /// Records without a rating have no rows.
    #[arg(long, help_heading = "Rating", conflicts_with = "only")]
    steps: bool,

    /// Stop rating a puzzle at a step that is harder than X: its ER is then >X
    #[arg(long, value_name = "X", help_heading = "Rating")]
    max_er: Option<Difficulty>,

    /// Write only ER and the level: without EP, ED and the counts of steps
    #[arg(long, value_name = "WHAT", value_parser = named::<RateOnly>(), help_heading = "Rating")]
    only: Option<RateOnly>,

    #[command(flatten)]
    rows: RowArgs<RateOptions>,

    #[command(flatten)]
    long_run: LongRunArgs,

    #[command(flatten)]
    top: TopArgs,
}

impl Run for RateArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        self.rows.files()
    }

    fn run(&self) -> anyhow::Result<Exit> {
        self.rows.run(&self.long_run, self.job()?, AnswerColumn::Ignored, &self.rows.keep, |_, _| false)
    }
}

impl RateArgs {
    /// The job according to the options.
    fn job(&self) -> anyhow::Result<Rate> {
        let &RateArgs { steps, only, max_er, ref top, .. } = self;
        self.rows.set(Rate::of(RateOptions { steps, only, max_er, top: top.top }))
    }
}
