//! The arguments of `gridmill canon`.

use clap::Args;

use super::options::{InputArgs, OutputArgs, ReportArgs, RunArgs};

const EXAMPLES: &str = "\
Examples:
  Write the canonical form and the class of each puzzle:
    gridmill canon puzzles.txt -o forms.csv
  Print the form of one puzzle:
    head -n 1 puzzles.txt | gridmill canon -q";

/// Print the canonical form of each 9x9 puzzle, which all its isomorphs share.
///
/// Two puzzles are isomorphs if relabelling digits, permuting bands and stacks, permuting rows and columns within them,
/// and transposing turn one into the other. A row has the puzzle, its canonical form, the canonical form of its
/// solution, its class (a hash of the form), and the number of automorphisms of the solution.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct CanonArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
