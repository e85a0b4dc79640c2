//! `gridmill sheet`: a book of puzzles to print, with their solutions at the end.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use gridmill::format::AnswerColumn;
use gridmill::jobs::bench::PuzzleSet;
use gridmill::resume::OutputFile;
use gridmill::{Alphabet, Puzzle};

use crate::args::SheetArgs;
use crate::report::grid::Grid;
use crate::report::sheet::Book;
use crate::ui::printable::in_one_line;
use crate::ui::progress::{Progress, Verbosity};

pub(crate) fn run(args: &SheetArgs) -> anyhow::Result<ExitCode> {
    let progress = Progress::without_bar(Verbosity::Quiet);
    let mut grids = Vec::new();
    for origin in args.input.origins()? {
        let set = PuzzleSet::read(origin, args.input.options(AnswerColumn::Ignored, &[]), progress.announcer())?;
        for (order, line, cells) in set.puzzles() {
            let place = || format!("{}:{line}", set.name());
            grids.push(drawn(cells, set.alphabet(order)).with_context(place)?);
        }
    }
    let book = Book::new(&in_one_line(&args.title), grids, args.per_page.into());
    let mut output = OutputFile::create(&args.target(), 1)?;
    output.write_all(book.html()?.as_bytes()).context("cannot write the book")?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
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
