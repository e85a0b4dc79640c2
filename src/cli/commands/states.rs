//! `gridmill states`: whether partly filled grids can still be solved.

use clap::{Args, ValueHint, value_parser};
use gridmill::format::AnswerColumn;
use gridmill::jobs::States;
use gridmill::jobs::states::{StateCounts, StatesOptions};
use gridmill::output::RunFiles;
use gridmill::rows::Status;
use strum::VariantArray;

use super::frame::{InWords, Run};
use crate::cli::args::{LongRunArgs, RowArgs};
use crate::cli::call::Exit;
use crate::cli::report::{Colour, Section};
use crate::cli::ui::summary::{Counted, Seconds, listed};

const EXAMPLES: &str = "\
Examples:
  Count the solutions of partly filled grids, and the cells that are wrong:
    gridmill states steps.csv --state-column grid -o states.csv
  Find the first wrong move of each list:
    gridmill states steps.csv --moves-column moves -o states.csv
  Write the digits that each cell has in some solution:
    gridmill states puzzles.txt --candidates -o candidates.csv";

/// Look at states, partly filled grids of puzzles: can they still be solved?
///
/// A row has the number of solutions (0, 1, or 2 for more), the cells that are wrong, and on request the first wrong move
/// of a list, what singles force, and the true candidates.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatesArgs {
    /// Column of CSV or key of JSON lines that holds the states, in any text [default: the state is the puzzle]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = "Input")]
    state_column: Option<String>,

    /// Column with moves such as r1c3=4 r2c5=7: find the first wrong one; rows have this column, too
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = "Input")]
    moves_column: Option<String>,

    /// Number of the first row and column in moves [default: 1; moves that are right only from 0 are unreadable]
    #[arg(long, value_name = "0|1", value_parser = value_parser!(u8).range(0..=1), requires = "moves_column", hide_short_help = true, help_heading = "Input")]
    moves_from: Option<u8>,

    /// Fill the column forced: the blanks that naked and hidden singles fill
    #[arg(long)]
    forced: bool,

    /// Fill the columns candidates and backbone: the digits that occur in some solution, and in all
    #[arg(long)]
    candidates: bool,

    #[command(flatten)]
    rows: RowArgs<StatesOptions>,

    #[command(flatten)]
    long_run: LongRunArgs,
}

impl StatesArgs {
    /// The columns of the input that rows repeat: the kept columns, and the column of moves.
    fn kept_columns(&self) -> Vec<String> {
        let moves = self.moves_column.iter().filter(|moves| !self.rows.keep.contains(moves));
        self.rows.keep.iter().chain(moves).cloned().collect()
    }
}

impl Run for StatesArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        self.rows.files()
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let mut job = self.rows.set(States::new().forced(self.forced).candidates(self.candidates))?;
        job = job.moves_from(self.moves_from.map(usize::from));
        if let Some(moves) = &self.moves_column {
            job = job.moves(moves);
        }
        let states = self.state_column.clone().map_or(AnswerColumn::Ignored, AnswerColumn::Named);
        self.rows.run(&self.long_run, job, states, &self.kept_columns(), |_, _| false)
    }
}

impl InWords for StateCounts {
    const TITLE: &'static str = "States of puzzles";

    fn sentence(&self, time: Seconds) -> String {
        let states = listed(Status::VARIANTS.iter().map(|&status| (status.into(), self.states[status])));
        let gap = if states.is_empty() { "" } else { ": " };
        format!("{} in {time}{gap}{states}", Counted(self.records, "record"))
    }

    fn shares(&self) -> Option<Section> {
        let colour = |status| match status {
            Status::Unique => Colour::Good,
            Status::Multiple => Colour::Notice,
            Status::None => Colour::Bad,
            _ => Colour::Unknown,
        };
        let share = |&status: &Status| (status.into(), self.states[status], colour(status));
        Some(Section::shares(
            "states",
            "Solutions of the states",
            &Status::VARIANTS.iter().map(share).collect::<Vec<_>>(),
        ))
    }
}
