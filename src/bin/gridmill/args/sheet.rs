//! The arguments of `gridmill sheet`.

use std::path::PathBuf;

use clap::Args;
use gridmill::resume::OutputTarget;

use super::options::InputArgs;
use super::values::per_page;

const EXAMPLES: &str = "\
Examples:
  A book of 100 puzzles, six on a page; the browser prints it or makes a PDF:
    gridmill generate -n 100 --clues 30 -o puzzles.txt
    gridmill sheet puzzles.txt -o book.html --title 'A hundred puzzles'";

/// Make a book to print: some puzzles on each page, the solutions at the end.
///
/// The result is one HTML file. Every puzzle must have exactly one solution.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct SheetArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE.html", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Number of puzzles on a page; there are up to four times as many solutions, if one can read them
    #[arg(long, value_name = "N", default_value = "6", value_parser = per_page, help_heading = "Output")]
    pub(crate) per_page: u16,

    /// The title of the book
    #[arg(long, value_name = "TEXT", default_value = "Puzzles", help_heading = "Output")]
    pub(crate) title: String,
}

impl SheetArgs {
    /// The output.
    pub(crate) fn target(&self) -> OutputTarget {
        self.output.as_ref().map_or_else(OutputTarget::stdout, OutputTarget::file)
    }
}
