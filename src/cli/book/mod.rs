//! A book of puzzles to print: some on each page, then hints and the solutions, as HTML or PDF.
//!
//! ```text
//! puzzles -> Book -> layout: pages of lines and texts (drawing) -> html, or pdf
//! ```

mod drawing;
mod layout;
mod pdf;

use clap::ValueEnum;
use gridmill::rating::Level;
use gridmill::{Alphabet, Size};
use serde::Serialize;

use self::drawing::{FAINT, Page, PageSize};
pub(crate) use self::pdf::pdf;
use crate::cli::report::rendered;

/// A book.
#[derive(Clone, Debug)]
pub(crate) struct Book {
    pub(crate) title: String,
    pub(crate) paper: Paper,
    /// The additional margin on the inner side of each page, in millimetres.
    pub(crate) binding: f32,
    /// Whether each level begins a page, with its name. The puzzles are sorted by level.
    pub(crate) by_level: bool,
    /// The number of puzzles on a page.
    pub(crate) per_page: usize,
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

/// A size of paper, which is displayed as in CSS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, strum::Display)]
pub(crate) enum Paper {
    /// 210 mm by 297 mm
    A4,
    /// 148 mm by 210 mm
    A5,
    /// 8.5 inches by 11 inches
    #[strum(serialize = "letter")]
    Letter,
}

impl Paper {
    fn size(self) -> PageSize {
        match self {
            Paper::A4 => PageSize { width: 210.0, height: 297.0 },
            Paper::A5 => PageSize { width: 148.0, height: 210.0 },
            Paper::Letter => PageSize { width: 215.9, height: 279.4 },
        }
    }
}

/// The values of the HTML template. Each page is a drawing.
#[derive(Serialize)]
struct Values<'a> {
    title: &'a str,
    version: &'static str,
    paper: String,
    size: PageSize,
    /// The brightness of faint texts in percent.
    faint: f32,
    pages: Vec<Page>,
}

/// The book as HTML that is also valid XML.
pub(crate) fn html(book: &Book) -> anyhow::Result<Vec<u8>> {
    let values = Values {
        title: &book.title,
        version: env!("CARGO_PKG_VERSION"),
        paper: book.paper.to_string(),
        size: book.paper.size(),
        faint: FAINT * 100.0,
        pages: layout::pages(book),
    };
    rendered(include_str!("book.html"), values).map(String::into_bytes)
}
