//! A book of puzzles to print: some on each page, then hints and the solutions, as HTML or PDF.
//!
//! ```text
//! puzzles -> Book -> layout: pages of lines and texts (drawing) -> html, or pdf
//! ```

mod drawing;
mod layout;
mod pdf;
mod texts;

use std::num::NonZeroU32;
use std::str::FromStr;

use clap::Args;
use gridmill::rating::Level;
use gridmill::{Alphabet, Size};
use serde::Serialize;

use self::drawing::{FAINT, Page, PageSize};
pub(crate) use self::pdf::pdf;
pub(crate) use self::texts::Texts;
use crate::cli::args::values::{positive, up_to};
use crate::cli::report::rendered;
use crate::cli::ui::printable::in_one_line;

/// The form of a book.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct BookArgs {
    /// Number of puzzles on a page; there are up to four times as many solutions, if one can read them
    #[arg(long, value_name = "N", default_value = "6", value_parser = up_to::<12>)]
    pub(crate) per_page: u16,

    /// Size of the paper: a4, a5, letter, or width and height, such as 6x9in or 170x240mm
    #[arg(long, value_name = "SIZE", default_value = "a4")]
    pub(crate) paper: Paper,

    /// The title of the book [default: Puzzles]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,

    /// The author, for a title page
    #[arg(long, value_name = "TEXT")]
    pub(crate) author: Option<String>,

    /// Begin with a title page, whose back is empty
    #[arg(long)]
    pub(crate) title_page: bool,

    /// Language of the words: en, de, fr, or a file of texts
    #[arg(long, value_name = "LANGUAGE|FILE", default_value = "en")]
    pub(crate) language: String,

    /// Number of the first puzzle
    #[arg(long, value_name = "N", default_value = "1", value_parser = positive::<NonZeroU32>)]
    pub(crate) start: NonZeroU32,

    /// Additional margin for binding, in millimetres [default: what printers ask for, by the number of pages]
    ///
    /// It is on the left of odd pages, on the right of even ones.
    #[arg(long, value_name = "MM", value_parser = clap::value_parser!(u16).range(..=40))]
    pub(crate) binding: Option<u16>,

    /// Sort the puzzles by level, which each begins a page with a heading; puzzles without a rating come last
    #[arg(long)]
    pub(crate) by_level: bool,

    /// Leave out the solutions
    #[arg(long)]
    pub(crate) no_solutions: bool,
}

/// A book.
#[derive(Clone, Debug)]
pub(crate) struct Book<'a> {
    pub(crate) args: &'a BookArgs,
    pub(crate) texts: Texts,
    /// Sorted by level, if each level begins a page.
    pub(crate) puzzles: Vec<BookPuzzle>,
}

impl Book<'_> {
    fn title(&self) -> String {
        in_one_line(self.args.title.as_deref().unwrap_or(self.texts.get("title")))
    }
}

/// A puzzle in a book.
#[derive(Clone, Debug)]
pub(crate) struct BookPuzzle {
    pub(crate) size: Size,
    pub(crate) alphabet: Alphabet,
    /// The values of the cells, 0 for a blank.
    pub(crate) cells: Vec<u8>,
    pub(crate) solution: Vec<u8>,
    /// `None` if it is not rated.
    pub(crate) level: Option<Level>,
    /// The text below it.
    pub(crate) label: Option<String>,
    pub(crate) hints: Vec<String>,
}

/// A size of paper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Paper(PageSize);

/// Reads a name, or a size such as `6x9in` and `170x240mm`.
impl FromStr for Paper {
    type Err = String;

    fn from_str(text: &str) -> Result<Paper, String> {
        let text = text.to_lowercase();
        let size = match text.as_str() {
            "a4" => "210x297mm",
            "a5" => "148x210mm",
            "letter" => "8.5x11in",
            size => size,
        };
        let read = |(name, unit): (&str, f32)| {
            let (width, height) = size.strip_suffix(name)?.split_once('x')?;
            let [width, height] = [width, height].map(|side| Some(side.parse::<f32>().ok()? * unit));
            Some(PageSize { width: width?, height: height? })
        };
        let is_paper = |size: &PageSize| [size.width, size.height].iter().all(|side| (70.0..=1000.0).contains(side));
        let size = [("mm", 1.0), ("cm", 10.0), ("in", 25.4)].into_iter().find_map(read).filter(is_paper);
        let sizes = "a size is a4, a5, letter, or such as 6x9in or 170x240mm, from 70 to 1000 mm";
        size.map(Paper).ok_or_else(|| sizes.to_owned())
    }
}

/// The values of the HTML template. Each page is a drawing.
#[derive(Serialize)]
struct Values<'a> {
    title: String,
    language: &'a str,
    version: &'static str,
    size: PageSize,
    /// The brightness of faint texts in percent.
    faint: f32,
    pages: Vec<Page>,
}

/// The book as HTML that is also valid XML.
pub(crate) fn html(book: &Book<'_>) -> anyhow::Result<Vec<u8>> {
    let values = Values {
        title: book.title(),
        language: book.texts.get("language"),
        version: env!("CARGO_PKG_VERSION"),
        size: book.args.paper.0,
        faint: FAINT * 100.0,
        pages: layout::pages(book)?,
    };
    rendered(include_str!("book.html"), values).map(String::into_bytes)
}
