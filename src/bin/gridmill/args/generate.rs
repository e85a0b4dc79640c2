//! The arguments of `gridmill generate`.

use clap::{Args, value_parser};
use gridmill::engine::MaxBranches;
use gridmill::puzzle::Order;

use super::options::OutputArgs;
use super::values::order_parser;

const EXAMPLES: &str = "\
Examples:
  Generate a thousand puzzles of 30 clues:
    gridmill generate -n 1000 --clues 30 --seed 7 -o puzzles.txt
  Generate minimal puzzles with their solutions, as CSV:
    gridmill generate -n 10 --with-solution
  Generate two 16x16 puzzles:
    gridmill generate -n 2 --order 4 --clues 130";

/// Generate puzzles with exactly one solution.
///
/// The same seed gives the same puzzles on any machine and with any number of threads.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct GenerateArgs {
    /// Number of puzzles
    #[arg(short = 'n', long, value_name = "COUNT")]
    pub(crate) count: u64,

    /// Order of the puzzles: 3 for 9x9, 4 for 16x16
    #[arg(long, value_name = "ORDER", default_value = "3", value_parser = order_parser())]
    pub(crate) order: Order,

    /// Seed of the random choices
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Remove clues until N are left
    #[arg(long, value_name = "N", conflicts_with = "minimal")]
    pub(crate) clues: Option<usize>,

    /// Remove clues until every one of them is needed; this is the default
    #[arg(long)]
    pub(crate) minimal: bool,

    /// Keep a clue if the search without it takes more than N guesses
    ///
    /// `none` is no bound. By default there is no bound for 4x4 and 9x9, and one of some seconds for 16x16 and 25x25: their
    /// minimal puzzles may have a clue that is not needed, but no search in reason shows it. The puzzles depend on N.
    #[arg(long, value_name = "N|none", default_value = "default", hide_default_value = true)]
    pub(crate) max_branches: MaxBranches,

    /// Write CSV with the columns puzzle and solution
    #[arg(long)]
    pub(crate) with_solution: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Number of threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}
