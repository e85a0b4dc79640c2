//! `gridmill sheet`: a book of puzzles to print, with their solutions at the end.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use gridmill::bench::PuzzleSet;
use gridmill::compression::Compression;
use gridmill::format::AnswerColumn;
use gridmill::output::{OutputFile, OutputTarget, RunFiles};
use gridmill::rating::{Level, sentence};
use gridmill::{Alphabet, Puzzle, Size};

use super::frame::Run;
use crate::args::InputArgs;
use crate::args::values::{number, up_to};
use crate::book::{self, Book, BookPuzzle, Paper};
use crate::ui::printable::in_one_line;
use crate::ui::progress::{Progress, Verbosity};

const EXAMPLES: &str = "\
Examples:
  A book of 100 puzzles, six on a page, as PDF:
    gridmill generate -n 100 --clues 30 -o puzzles.txt
    gridmill sheet puzzles.txt -o book.pdf --title 'A hundred puzzles'
  The same for a browser, on letter paper, with two hints for each puzzle:
    gridmill sheet puzzles.txt -o book.html --paper letter --hints 2";

/// Make a book to print: some puzzles on each page, the solutions at the end.
///
/// The result is a PDF, or one HTML file. Every puzzle must have exactly one solution. The level and the ER, as in
/// `gridmill rate`, are printed below each 9x9 puzzle.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SheetArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Write to this file, as PDF with the extension .pdf, otherwise as HTML, instead of HTML to standard output
    #[arg(short, long, value_name = "FILE.html|FILE.pdf", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Number of puzzles on a page; there are up to four times as many solutions, if one can read them
    #[arg(long, value_name = "N", default_value = "6", value_parser = up_to::<12>, help_heading = "Output")]
    per_page: u16,

    /// Size of the paper
    #[arg(long, value_name = "SIZE", value_enum, default_value = "a4", help_heading = "Output")]
    paper: Paper,

    /// The title of the book
    #[arg(long, value_name = "TEXT", default_value = "Puzzles", help_heading = "Output")]
    title: String,

    /// Print the first N steps to each solution, before the solutions; 9x9 only
    #[arg(long, value_name = "N", default_value = "0", value_parser = number::<usize>, hide_default_value = true, help_heading = "Output")]
    hints: usize,

    /// Leave out the level and the ER
    #[arg(long, help_heading = "Output")]
    no_rating: bool,
}

/// The format of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BookFormat {
    Html,
    Pdf,
}

impl Run for SheetArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        Ok(self.input.files()?.output("-o", &self.target()))
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        let format = self.format()?;
        let progress = Progress::without_bar(Verbosity::Quiet);
        let mut puzzles = Vec::new();
        for origin in self.input.origins()? {
            let set = PuzzleSet::read(origin, self.input.options(AnswerColumn::Ignored, &[]), progress.announcer())?;
            for (size, line, cells) in set.puzzles() {
                let place = || format!("{}:{line}", set.name());
                puzzles.push(self.puzzle(size, cells, set.alphabet(size)).with_context(place)?);
            }
        }
        let title = in_one_line(&self.title);
        let book = Book { title, paper: self.paper, per_page: self.per_page.into(), puzzles };
        let bytes = match format {
            BookFormat::Html => book::html(&book)?.into_bytes(),
            BookFormat::Pdf => book::pdf(&book).map_err(|error| {
                anyhow!("{error}; leave it out of --title, or write book.html and print that to PDF in a browser")
            })?,
        };

        let mut output = OutputFile::create(&self.target(), 1)?;
        output.write_all(&bytes).context("cannot write the book")?;
        output.finish()?;
        Ok(ExitCode::SUCCESS)
    }
}

impl SheetArgs {
    /// The output.
    fn target(&self) -> OutputTarget {
        self.output.as_ref().map_or_else(OutputTarget::stdout, OutputTarget::file)
    }

    /// The format that the extension of the output names, before the extension of a compression.
    fn format(&self) -> anyhow::Result<BookFormat> {
        let Some(path) = &self.output else { return Ok(BookFormat::Html) };
        let name = if Compression::from_extension(path).is_some() { path.file_stem() } else { path.file_name() };
        let extension = name.and_then(|name| Path::new(name).extension()).map(OsStr::to_ascii_lowercase);
        match extension.as_deref().and_then(OsStr::to_str) {
            None if extension.is_none() => Ok(BookFormat::Html),
            Some("html" | "htm" | "xhtml") => Ok(BookFormat::Html),
            Some("pdf") => Ok(BookFormat::Pdf),
            _ => bail!("-o {}: a book is HTML or PDF; name it .html or .pdf", path.display()),
        }
    }

    /// A puzzle with its only solution, its rating and hints.
    fn puzzle(&self, size: Size, cells: &[u8], alphabet: Alphabet) -> anyhow::Result<BookPuzzle> {
        let puzzle = Puzzle::try_from(cells)?;
        let solution = gridmill::solve(&puzzle)?.cells().to_vec();
        let mut book_puzzle =
            BookPuzzle { size, alphabet, cells: cells.to_vec(), solution, label: None, hints: vec![] };

        let is_rated = size == Size::Nine && !self.no_rating;
        if is_rated || self.hints > 0 {
            let mut steps = 0;
            let rating = gridmill::rate_with_steps(&puzzle, |_, step| {
                steps += 1;
                if steps <= self.hints {
                    book_puzzle.hints.push(sentence(steps, step));
                }
            })?;
            book_puzzle.label = is_rated.then(|| format!("{}, ER {}", Level::of(rating.er), rating.er));
        }
        Ok(book_puzzle)
    }
}
