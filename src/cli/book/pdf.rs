//! Writes a book as PDF, in the standard fonts of PDF.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::drawing::{Anchor, FAINT, Line, Page, PageSize, Style, Text, width};
use super::{Book, layout};

/// The length of a millimetre in points, the unit of PDF.
const POINTS: f32 = 72.0 / 25.4;

/// The names of the two fonts, on the pages and in PDF.
const FONTS: [(Name<'static>, Name<'static>); 2] =
    [(Name(b"Plain"), Name(b"Helvetica")), (Name(b"Strong"), Name(b"Helvetica-Bold"))];

/// The characters from 0x80 on in the encoding of the fonts, Windows-1252, with U+FFFD for none. From 0xa0 on it is the
/// same as Latin-1.
const FROM_0X80: &str = "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ";

/// The error for a book whose title has a character that the fonts lack.
#[derive(Debug, thiserror::Error)]
#[error("the fonts of a PDF do not have '{0}'")]
pub(crate) struct TitleError(char);

/// The book as PDF. The same book always gives the same bytes.
///
/// # Errors
///
/// If the title has a character that the fonts lack.
pub(crate) fn pdf(book: &Book) -> Result<Vec<u8>, TitleError> {
    let pages = layout::pages(book);
    let size = book.paper.size();
    let [catalog, tree, info, plain, strong] = [1, 2, 3, 4, 5].map(Ref::new);
    let page_refs: Vec<Ref> = (6..).step_by(2).map(Ref::new).take(pages.len()).collect();

    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree)
        .kids(page_refs.iter().copied())
        .count(i32::try_from(pages.len()).expect("a book has fewer than 2^31 pages"));
    pdf.document_info(info).title(TextStr(&book.title)).producer(TextStr("gridmill"));
    for (font, (_, base)) in [plain, strong].into_iter().zip(FONTS) {
        pdf.type1_font(font).base_font(base).encoding_predefined(Name(b"WinAnsiEncoding"));
    }

    for (page, &page_ref) in pages.iter().zip(&page_refs) {
        let content_ref = Ref::new(page_ref.get() + 1);
        let content = compressed(&content(page, size)?);
        pdf.stream(content_ref, &content).filter(Filter::FlateDecode);

        let mut page = pdf.page(page_ref);
        page.media_box(Rect::new(0.0, 0.0, size.width * POINTS, size.height * POINTS));
        page.parent(tree).contents(content_ref);
        let mut resources = page.resources();
        let mut fonts = resources.fonts();
        for (font, (name, _)) in [plain, strong].into_iter().zip(FONTS) {
            fonts.pair(name, font);
        }
        fonts.finish();
    }
    Ok(pdf.finish())
}

/// The operators that draw a page.
fn content(page: &Page, size: PageSize) -> Result<Vec<u8>, TitleError> {
    let mut content = Content::new();
    // In PDF, y grows upwards.
    let point = |[x, y]: [f32; 2]| [x * POINTS, (size.height - y) * POINTS];

    for figure in &page.figures {
        for line in &figure.lines {
            let Line { from, to, width } = *line;
            let ([x, y], [to_x, to_y]) = (point(from), point(to));
            content.set_line_width(width * POINTS).move_to(x, y).line_to(to_x, to_y).stroke();
        }

        content.begin_text();
        for text in &figure.texts {
            let Text { content: text, at, size, anchor, style } = text;
            let left = match anchor {
                Anchor::Start => at[0],
                Anchor::Middle => at[0] - width(text, *size) / 2.0,
            };
            let [x, y] = point([left, at[1]]);
            let (font, grey) = match style {
                Style::Strong => (FONTS[1].0, 0.0),
                Style::Plain => (FONTS[0].0, 0.0),
                Style::Faint => (FONTS[0].0, FAINT),
            };
            content.set_fill_gray(grey).set_font(font, size * POINTS).set_text_matrix([1.0, 0.0, 0.0, 1.0, x, y]);
            content.show(Str(&encoded(text)?));
        }
        content.end_text();
    }
    Ok(content.finish().into_vec())
}

/// A text in the encoding of the fonts.
fn encoded(text: &str) -> Result<Vec<u8>, TitleError> {
    let byte = |c: char| match c {
        ' '..='~' | '\u{a0}'..='ÿ' => Ok(c as u8),
        _ => match FROM_0X80.chars().position(|other| other == c && c != '\u{fffd}') {
            Some(index) => Ok(0x80 + index as u8),
            None => Err(TitleError(c)),
        },
    };
    text.chars().map(byte).collect()
}

fn compressed(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(vec![], Compression::default());
    let compress = || -> io::Result<Vec<u8>> {
        encoder.write_all(content)?;
        encoder.finish()
    };
    compress().expect("memory takes any bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_encoded_as_in_windows_1252() {
        assert_eq!(FROM_0X80.chars().count(), 32);
        assert_eq!(encoded("Aé “–” €ÿ").unwrap(), b"A\xe9 \x93\x96\x94 \x80\xff");
        for text in ["数独", "\u{fffd}", "\n", "\u{81}"] {
            assert!(encoded(text).is_err(), "{text}");
        }
    }
}
