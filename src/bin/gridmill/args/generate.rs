//! The arguments of `gridmill generate`.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;
use gridmill::jobs::generate::ClueRange;
use gridmill::puzzle::{Order, Symmetry};
use gridmill::rating::{ErRange, Level};

use super::options::{OutputArgs, ReportArgs, RunArgs};
use super::values::{named, number, order_parser, positive};

const EXAMPLES: &str = "\
Examples:
  Generate a thousand puzzles of 30 clues:
    gridmill generate -n 1000 --clues 30 --seed 7 -o puzzles.txt
  Generate minimal puzzles with their solutions, as CSV:
    gridmill generate -n 10 --with-solution
  Generate puzzles that are hard for a person:
    gridmill generate -n 3 --level hard
  Generate symmetric puzzles of 24 to 28 clues, no two of them isomorphic:
    gridmill generate -n 100 --symmetry rot180 --clues 24..28 --distinct
  Generate two 16x16 puzzles:
    gridmill generate -n 2 --order 4 --clues 130";

/// Generate puzzles with exactly one solution.
///
/// The same seed gives the same puzzles on any machine and with any number of threads.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct GenerateArgs {
    /// Number of puzzles
    #[arg(short = 'n', long, value_name = "COUNT", value_parser = number::<u64>)]
    pub(crate) count: u64,

    /// Order of the puzzles: 3 for 9x9, 4 for 16x16
    #[arg(long, value_name = "ORDER", default_value = "3", value_parser = order_parser(), conflicts_with = "pattern")]
    pub(crate) order: Order,

    /// Seed of the random choices
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = number::<u64>)]
    pub(crate) seed: u64,

    /// Remove clues until N are left; N..M is any number from N to M, both included
    ///
    /// A number of a range is drawn for each puzzle. If more clues than that are needed, more are left, but at most M.
    #[arg(long, value_name = "N|N..M", conflicts_with = "pattern")]
    pub(crate) clues: Option<ClueRange>,

    /// Every clue is needed; this is the default if neither --clues, --symmetry nor --pattern is given
    #[arg(long)]
    pub(crate) minimal: bool,

    /// Make only puzzles whose ER is in this range, as in 3.0..4.5, 7.1.. or 2.6
    ///
    /// ER says how hard a puzzle is for a person; see `gridmill rate`. Puzzles are made and rated until one has such an
    /// ER: the last line says how many were not taken.
    #[arg(long, value_name = "A..B")]
    pub(crate) er: Option<ErRange>,

    /// Make only puzzles of this level: easy, medium, hard, very-hard, fiendish or extreme
    #[arg(long, value_name = "LEVEL", conflicts_with = "er")]
    pub(crate) level: Option<Level>,

    /// The cells with clues are symmetric
    ///
    /// Clues are removed in groups that keep the symmetry: without --clues, until no group can be removed. With --minimal,
    /// every single clue is needed, too; such puzzles are rare for symmetries with large groups.
    #[arg(long, value_name = "NAME", value_parser = named(&Symmetry::ALL, Symmetry::name), conflicts_with = "pattern")]
    pub(crate) symmetry: Option<Symmetry>,

    /// The clues are in the cells that this file marks
    ///
    /// It has a grid of `x`, `*`, `#`, digits or letters for clues and `.`, `0` or `_` for blanks; a puzzle is a pattern,
    /// too. White space and lines between boxes do not matter.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) pattern: Option<PathBuf>,

    /// No two puzzles are isomorphic; 9x9 only
    #[arg(long)]
    pub(crate) distinct: bool,

    /// No puzzle is in these files, nor is an isomorph of it; 9x9 only
    #[arg(long, value_name = "OLD", num_args = 1..)]
    pub(crate) not_in: Vec<PathBuf>,

    /// Write CSV with the columns puzzle and solution
    ///
    /// Without it, one puzzle a line is written; to a file with the extension .csv, CSV with the column puzzle.
    #[arg(long)]
    pub(crate) with_solution: bool,

    /// Give up if N random grids give no such puzzle [default: 1000000 for 9x9]
    ///
    /// For 9x9 with --er or --level the default is 100000, with --pattern 200, for 16x16 it is 40, for 25x25 10. The
    /// puzzles do not depend on it.
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU32>)]
    pub(crate) max_tries: Option<NonZeroU32>,

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
