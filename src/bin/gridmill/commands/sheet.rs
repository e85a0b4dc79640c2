//! `gridmill sheet`: a book of puzzles to print, with their solutions at the end.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use gridmill::format::AnswerColumn;
use gridmill::jobs::bench::PuzzleSet;
use gridmill::resume::{OutputFile, OutputTarget, RunFiles};
use gridmill::{Alphabet, Puzzle};

use super::frame::Run;
use crate::args::InputArgs;
use crate::args::values::per_page;
use crate::report::grid::Grid;
use crate::report::sheet::Book;
use crate::ui::printable::in_one_line;
use crate::ui::progress::{Progress, Verbosity};

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
    input: InputArgs,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE.html", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Number of puzzles on a page; there are up to four times as many solutions, if one can read them
    #[arg(long, value_name = "N", default_value = "6", value_parser = per_page, help_heading = "Output")]
    per_page: u16,

    /// The title of the book
    #[arg(long, value_name = "TEXT", default_value = "Puzzles", help_heading = "Output")]
    title: String,
}

impl Run for SheetArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        Ok(self.input.files()?.output("-o", &self.target()))
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        let progress = Progress::without_bar(Verbosity::Quiet);
        let mut grids = Vec::new();
        for origin in self.input.origins()? {
            let set = PuzzleSet::read(origin, self.input.options(AnswerColumn::Ignored, &[]), progress.announcer())?;
            for (order, line, cells) in set.puzzles() {
                let place = || format!("{}:{line}", set.name());
                grids.push(drawn(cells, set.alphabet(order)).with_context(place)?);
            }
        }
        let book = Book::new(&in_one_line(&self.title), grids, self.per_page.into());
        let mut output = OutputFile::create(&self.target(), 1)?;
        output.write_all(book.html()?.as_bytes()).context("cannot write the book")?;
        output.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}

impl SheetArgs {
    /// The output.
    fn target(&self) -> OutputTarget {
        self.output.as_ref().map_or_else(OutputTarget::stdout, OutputTarget::file)
    }
}

/// A puzzle and its only solution.
fn drawn(cells: &[u8], alphabet: Alphabet) -> anyhow::Result<(Grid, Grid)> {
    let mut solutions = gridmill::solutions(&Puzzle::try_from(cells)?);
    let solution = solutions.next().ok_or_else(|| anyhow!("the puzzle has no solution"))?;
    if solutions.next().is_some() {
        bail!("the puzzle has several solutions");
    }
    let grid = |cells: &[u8]| Grid::parse(&alphabet.text(cells, b'.'), "").ok_or_else(|| anyhow!("not a grid"));
    let puzzle = grid(cells)?;
    let solved = grid(solution.cells())?.of_puzzle(&puzzle);
    Ok((puzzle, solved))
}
