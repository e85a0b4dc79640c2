//! A book of puzzles to print: some on each page, then hints and the solutions, as HTML or PDF.
//!
//! ```text
//! puzzles -> Book -> layout: pages of lines and texts (drawing) -> html, or pdf
//! ```

mod drawing;
mod layout;
mod pdf;
mod texts;

use std::str::FromStr;

use gridmill::rating::Level;
use gridmill::{Alphabet, Size};
use serde::Serialize;

use self::drawing::{FAINT, Page, PageSize};
pub(crate) use self::pdf::pdf;
pub(crate) use self::texts::Texts;
use crate::cli::report::rendered;

/// A book.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) title: String,
    pub(crate) author: Option<String>,
    pub(crate) has_title_page: bool,
    pub(crate) texts: Texts,
    pub(crate) paper: Paper,
    /// The additional margin on the inner side of each page, in millimetres. `None` is the one that printers ask for.
    pub(crate) binding: Option<f32>,
    /// Whether each level begins a page, with its name. The puzzles are sorted by level.
    pub(crate) by_level: bool,
    /// The number of puzzles on a page.
    pub(crate) per_page: usize,
    /// The number of the first puzzle.
    pub(crate) start: usize,
    pub(crate) has_solutions: bool,
    pub(crate) puzzles: Vec<BookPuzzle>,
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
        let text = text.to_lowercase().replace(' ', "");
        let size = match text.as_str() {
            "a4" => "210x297mm",
            "a5" => "148x210mm",
            "letter" => "8.5x11in",
            size => size,
        };
        let units = [("mm", 1.0), ("cm", 10.0), ("in", 25.4)];
        let (sides, unit) = units.into_iter().find_map(|(name, unit)| Some((size.strip_suffix(name)?, unit))).unzip();
        let read = || {
            let (width, height) = sides?.split_once(['x', '×'])?;
            let [width, height] = [width, height].map(|side| side.parse::<f32>().ok());
            Some(PageSize { width: width? * unit?, height: height? * unit? })
        };
        let is_paper = |size: &PageSize| [size.width, size.height].iter().all(|side| (70.0..=1000.0).contains(side));
        let size = read().ok_or("a size is a4, a5, letter, or such as 6x9in or 170x240mm")?;
        if is_paper(&size) { Ok(Paper(size)) } else { Err("a side of the paper has 70 to 1000 mm".to_owned()) }
    }
}

/// The values of the HTML template. Each page is a drawing.
#[derive(Serialize)]
struct Values<'a> {
    title: &'a str,
    language: &'a str,
    version: &'static str,
    size: PageSize,
    /// The brightness of faint texts in percent.
    faint: f32,
    pages: Vec<Page>,
}

/// The book as HTML that is also valid XML.
pub(crate) fn html(book: &Book) -> anyhow::Result<Vec<u8>> {
    let values = Values {
        title: &book.title,
        language: book.texts.get("language"),
        version: env!("CARGO_PKG_VERSION"),
        size: book.paper.0,
        faint: FAINT * 100.0,
        pages: layout::pages(book)?,
    };
    rendered(include_str!("book.html"), values).map(String::into_bytes)
}
