//! Writes a book as one HTML file, each page of which is a drawing.

use serde::Serialize;

use super::drawing::{FAINT, Page, PageSize};
use super::{Book, layout};
use crate::report::rendered;

/// What the template shows.
#[derive(Serialize)]
struct Values<'a> {
    title: &'a str,
    version: &'static str,
    paper: String,
    size: PageSize,
    /// The darkness of faint texts in percent.
    faint: f32,
    pages: Vec<Page>,
}

/// The book as HTML that is also XML.
pub(crate) fn html(book: &Book) -> anyhow::Result<String> {
    let values = Values {
        title: &book.title,
        version: env!("CARGO_PKG_VERSION"),
        paper: book.paper.to_string(),
        size: book.paper.size(),
        faint: FAINT * 100.0,
        pages: layout::pages(book),
    };
    rendered(include_str!("book.html"), values)
}
