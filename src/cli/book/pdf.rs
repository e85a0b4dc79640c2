//! Writes a book as PDF, with its fonts embedded.

use std::io::{self, Write};

use anyhow::Context;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::FontFlags;
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::drawing::{Anchor, FAINT, FONTS, Font, Line, Page, PageSize, Style, Text, encoded, width};
use super::{Book, layout};

/// The length of a millimetre in points, the unit of PDF.
const POINTS: f32 = 72.0 / 25.4;

/// The names of the fonts on the pages.
const FONT_NAMES: [Name<'static>; 2] = [Name(b"Plain"), Name(b"Strong")];

/// The book as PDF. The same book always gives the same bytes.
///
/// # Errors
///
/// If a text has a character that the fonts lack, or the grids are too small.
pub(crate) fn pdf(book: &Book<'_>) -> anyhow::Result<Vec<u8>> {
    let pages = layout::pages(book)?;
    let size = book.args.paper.0;
    let [catalog, tree, info] = [1, 2, 3].map(Ref::new);
    let fonts = [4, 7].map(Ref::new);
    let page_refs: Vec<Ref> = (10..).step_by(2).map(Ref::new).take(pages.len()).collect();

    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(tree).lang(TextStr(book.texts.get("language")));
    pdf.pages(tree)
        .kids(page_refs.iter().copied())
        .count(i32::try_from(pages.len()).expect("a book has fewer than 2^31 pages"));
    let mut facts = pdf.document_info(info);
    facts.title(TextStr(&book.title())).producer(TextStr("gridmill"));
    if let Some(author) = &book.args.author {
        facts.author(TextStr(author));
    }
    facts.finish();
    fonts.into_iter().zip(&FONTS).for_each(|(id, font)| embed(&mut pdf, id, font));

    for (page, &page_ref) in pages.iter().zip(&page_refs) {
        let content_ref = Ref::new(page_ref.get() + 1);
        let content = compressed(&content(page, size)?);
        pdf.stream(content_ref, &content).filter(Filter::FlateDecode);

        let mut page = pdf.page(page_ref);
        page.media_box(Rect::new(0.0, 0.0, size.width * POINTS, size.height * POINTS));
        page.parent(tree).contents(content_ref);
        let mut resources = page.resources();
        resources.fonts().pairs(FONT_NAMES.into_iter().zip(fonts));
    }
    Ok(pdf.finish())
}

/// Embeds a font: three objects from `id` on.
fn embed(pdf: &mut Pdf, id: Ref, font: &Font) {
    let [descriptor, file] = [1, 2].map(|next| Ref::new(id.get() + next));
    let (name, thousandths) = (Name(font.name.as_bytes()), |byte| (1000.0 * font.width(byte)).round());

    let mut dict = pdf.indirect(id).dict();
    dict.pair(Name(b"Type"), Name(b"Font")).pair(Name(b"Subtype"), Name(b"TrueType")).pair(Name(b"BaseFont"), name);
    dict.pair(Name(b"Encoding"), Name(b"WinAnsiEncoding")).pair(Name(b"FontDescriptor"), descriptor);
    dict.pair(Name(b"FirstChar"), i32::from(Font::FIRST)).pair(Name(b"LastChar"), i32::from(u8::MAX));
    dict.insert(Name(b"Widths")).array().items((Font::FIRST..=u8::MAX).map(thousandths));
    dict.finish();

    // The same for both fonts, but for the width of stems.
    pdf.font_descriptor(descriptor)
        .name(name)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(-204.0, -223.0, 1001.0, 897.0))
        .italic_angle(0.0)
        .ascent(905.0)
        .descent(-212.0)
        .cap_height(716.0)
        .stem_v(font.stem)
        .font_file2(file);

    let length = i32::try_from(font.file.len()).expect("the fonts are small");
    pdf.stream(file, &compressed(font.file)).filter(Filter::FlateDecode).pair(Name(b"Length1"), length);
}

/// The operators that draw a page.
fn content(page: &Page, size: PageSize) -> anyhow::Result<Vec<u8>> {
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
                Anchor::Middle => at[0] - width(text, *size, *style) / 2.0,
            };
            let [x, y] = point([left, at[1]]);
            let (font, grey) = (FONT_NAMES[style.font()], if *style == Style::Faint { FAINT } else { 0.0 });
            content.set_fill_gray(grey).set_font(font, size * POINTS).set_text_matrix([1.0, 0.0, 0.0, 1.0, x, y]);
            content.show(Str(&bytes(text)?));
        }
        content.end_text();
    }
    Ok(content.finish().into_vec())
}

/// A text in the encoding of the fonts.
fn bytes(text: &str) -> anyhow::Result<Vec<u8>> {
    let way = "leave it out of the texts, or write book.html and print that to PDF in a browser";
    let byte = |c| encoded(c).with_context(|| format!("the fonts of a PDF do not have '{c}'; {way}"));
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
