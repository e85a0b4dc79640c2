//! The arguments of `gridmill explain`.

use clap::{Args, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  Explain the first puzzle of a file:
    gridmill explain $(head -n 1 puzzles.txt)
  Print the steps alone:
    gridmill explain --grids none $(head -n 1 puzzles.txt)";

/// Explain how a person solves a 9x9 puzzle, step by step.
///
/// The steps are those of `gridmill rate`. A grid of candidates marks the pattern of a step with `*`, the candidates that
/// it removes with `-`, and the digit that it places with `+`; on a terminal, also with colours, unless `NO_COLOR` is set.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// The puzzle on one line: 81 digits, with dots or zeros for blanks, or the 729 symbols of a pencilmark puzzle
    pub(crate) puzzle: String,

    /// The steps before which the grid of candidates is printed
    #[arg(long, value_name = "WHICH", value_enum, default_value = "eliminations")]
    pub(crate) grids: Grids,
}

/// The steps that get a grid of candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Grids {
    /// Those that remove candidates
    Eliminations,
    /// All steps
    All,
    /// No step
    None,
}
