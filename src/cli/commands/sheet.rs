//! `gridmill sheet`: a book of puzzles to print, with their solutions at the end.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueEnum};
use gridmill::compression::Compression;
use gridmill::format::AnswerColumn;
use gridmill::jobs::read_records;
use gridmill::output::{OutputFile, OutputTarget, RunFiles};
use gridmill::rating::{Difficulty, Level, Technique};
use gridmill::{Alphabet, Puzzle, Size};

use super::frame::Run;
use crate::cli::args::{InputArgs, without_record};
use crate::cli::book::{self, Book, BookArgs, BookPuzzle, Texts};
use crate::cli::call::Exit;
use crate::cli::ui::progress::{Progress, Verbosity};

const EXAMPLES: &str = "\
Examples:
  A book of 100 puzzles, six on a page, as PDF:
    gridmill generate -n 100 --clues 30 -o puzzles.txt
    gridmill sheet puzzles.txt -o book.pdf --title 'A hundred puzzles'
  A book to bind, with a title page, a heading for each level, and hints:
    gridmill sheet puzzles.txt -o b.pdf --paper 6x9in --author Me --by-level --hints hardest
  A book in German:
    gridmill sheet puzzles.txt -o buch.pdf --language de --title 'Hundert Rätsel'";

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

    #[command(flatten)]
    book: BookArgs,

    /// Print hints to each puzzle, before the solutions
    ///
    /// A puzzle has none if it is not 9x9, or needs only singles.
    #[arg(long, value_name = "WHICH", value_enum, help_heading = "Output")]
    hints: Option<Hints>,

    /// Leave out the level and the ER
    #[arg(long, help_heading = "Output")]
    no_rating: bool,
}

/// The steps that are hints to a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Hints {
    /// The hardest steps, up to three
    Hardest,
    /// The first step that is not a single
    First,
}

/// Makes the bytes of a book.
type BookWriter = fn(&Book<'_>) -> anyhow::Result<Vec<u8>>;

/// The maximum number of hints to a puzzle.
const MOST_HINTS: usize = 3;

impl Run for SheetArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.input.files()?.output("-o", &self.target());
        Ok(Texts::file(&self.book.language).into_iter().fold(files, RunFiles::input))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let (write, texts) = (self.writer()?, Texts::read(&self.book.language)?);
        let progress = Progress::without_bar(Verbosity::Quiet);
        let mut puzzles = Vec::new();
        for origin in self.input.origins()? {
            let (name, before) = (origin.to_string(), puzzles.len());
            let options = self.input.options(AnswerColumn::Ignored, &[]);
            read_records(InputArgs::open(vec![origin], options, &progress)?, |record| {
                let puzzle = record.clues().map_err(anyhow::Error::from);
                let puzzle = puzzle.and_then(|(size, cells)| self.puzzle(size, cells, record.alphabet(size), &texts));
                puzzles.push(puzzle.map_err(|error| {
                    anyhow!("{}:{}: {error:#}{}", record.file(), record.line, without_record(record.file()))
                })?);
                anyhow::Ok(())
            })?;
            if puzzles.len() == before {
                bail!("{name}: no puzzles");
            }
        }
        if self.book.by_level {
            puzzles.sort_by_key(|puzzle| puzzle.level.map_or(usize::MAX, |level| level as usize));
        }
        let bytes = write(&Book { args: &self.book, texts, puzzles })?;

        let mut output = OutputFile::create(&self.target(), 1)?;
        output.write_all(&bytes).context("cannot write the book")?;
        output.finish()?;
        Ok(Exit::Success)
    }
}

impl SheetArgs {
    /// The output.
    fn target(&self) -> OutputTarget {
        self.output.as_ref().map_or_else(OutputTarget::stdout, OutputTarget::file)
    }

    /// The writer of the format that the extension of the output names, before the extension of a compression.
    fn writer(&self) -> anyhow::Result<BookWriter> {
        let Some(path) = &self.output else { return Ok(book::html) };
        let name = if Compression::from_extension(path).is_some() { path.file_stem() } else { path.file_name() };
        let extension = name.and_then(|name| Path::new(name).extension()).map(OsStr::to_ascii_lowercase);
        match extension.as_deref().and_then(OsStr::to_str) {
            None if extension.is_none() => Ok(book::html),
            Some("html" | "htm" | "xhtml") => Ok(book::html),
            Some("pdf") => Ok(book::pdf),
            _ => bail!("-o {}: a book is HTML or PDF; name it .html or .pdf", path.display()),
        }
    }

    /// A puzzle with its only solution, its rating and hints.
    fn puzzle(&self, size: Size, cells: &[u8], alphabet: Alphabet, texts: &Texts) -> anyhow::Result<BookPuzzle> {
        let puzzle = Puzzle::try_from(cells)?;
        let solution = gridmill::solve(&puzzle)?.cells().to_vec();
        let mut book_puzzle =
            BookPuzzle { size, alphabet, cells: cells.to_vec(), solution, level: None, label: None, hints: vec![] };

        if size != Size::Nine || (self.no_rating && !self.book.by_level && self.hints.is_none()) {
            return Ok(book_puzzle);
        }

        let (mut steps, mut hardest) = (0, Difficulty::default());
        let rating = gridmill::rate_with_steps(&puzzle, |_, step| {
            let hints = &mut book_puzzle.hints;
            if self.hints == Some(Hints::Hardest) && hardest < step.difficulty {
                hints.clear();
            }
            (steps, hardest) = (steps + 1, hardest.max(step.difficulty));

            let is_single = matches!(step.technique, Technique::HiddenSingle | Technique::NakedSingle);
            let is_hint = match self.hints {
                None => false,
                Some(Hints::First) => hints.is_empty(),
                Some(Hints::Hardest) => step.difficulty == hardest && hints.len() < MOST_HINTS,
            };
            if is_hint && !is_single {
                hints.push(texts.hint(steps, step));
            }
        })?;
        let level = Level::of(rating.er);
        book_puzzle.level = Some(level);
        let label =
            || format!("{}, ER {}", texts.get(level.into()), rating.er.to_string().replace('.', texts.get("point")));
        book_puzzle.label = (!self.no_rating).then(label);
        Ok(book_puzzle)
    }
}
