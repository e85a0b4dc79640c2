//! The content of a book's pages: lines and texts with their positions, and the fonts that they are measured with. HTML
//! and PDF are made from it.

use std::ops::Range;

use serde::Serialize;

/// A page size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct PageSize {
    /// In millimetres.
    pub(super) width: f32,
    pub(super) height: f32,
}

/// A page: figures, each with an anchor.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Page {
    /// The puzzles to solve on it, by their indices.
    #[serde(skip)]
    pub(super) puzzles: Range<usize>,
    pub(super) figures: Vec<Figure>,
}

/// An item on a page that can be the target of a link.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Figure {
    /// The name of the anchor.
    pub(super) id: String,
    pub(super) lines: Vec<Line>,
    pub(super) texts: Vec<Text>,
}

impl Figure {
    pub(super) fn new(id: String) -> Figure {
        Figure { id, lines: vec![], texts: vec![] }
    }

    /// Moves it to the right.
    pub(super) fn shift(&mut self, by: f32) {
        for line in &mut self.lines {
            line.from[0] += by;
            line.to[0] += by;
        }
        for text in &mut self.texts {
            text.at[0] += by;
        }
    }
}

/// A line from one point to another. Lengths are in millimetres, from the top left corner of the page.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Line {
    pub(super) from: [f32; 2],
    pub(super) to: [f32; 2],
    pub(super) width: f32,
}

/// A text on one line.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Text {
    pub(super) content: String,
    /// Its start or its middle, on the baseline of the letters.
    pub(super) at: [f32; 2],
    /// The size of the font in millimetres.
    pub(super) size: f32,
    pub(super) anchor: Anchor,
    pub(super) style: Style,
}

/// The point of a text that is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Anchor {
    Start,
    Middle,
}

/// The style of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Style {
    /// Bold: titles and clues.
    Strong,
    Plain,
    /// Grey: notes.
    Faint,
}

/// The brightness of [`Style::Faint`], from black (0) to white (1).
pub(super) const FAINT: f32 = 0.4;

/// A font, which a PDF embeds. Its glyphs are the characters of Windows-1252 from [`Font::FIRST`] on, in order, after one
/// for unknown characters.
#[derive(Debug)]
pub(super) struct Font {
    pub(super) name: &'static str,
    /// A TrueType file.
    pub(super) file: &'static [u8],
    /// The width of vertical stems, in thousandths of the size.
    pub(super) stem: f32,
}

/// Arimo 1.23, under the Apache License 2.0, reduced to Windows-1252 and without hints. Its letters are as wide as in
/// Helvetica, Arial and Liberation Sans, which HTML uses.
pub(super) static FONTS: [Font; 2] = [
    Font { name: "GRIDMA+Arimo", file: include_bytes!("arimo-regular.ttf"), stem: 88.0 },
    Font { name: "GRIDMB+Arimo-Bold", file: include_bytes!("arimo-bold.ttf"), stem: 138.0 },
];

impl Font {
    /// The first byte that has a glyph.
    pub(super) const FIRST: u8 = b' ';

    /// The unit of lengths in the file, as a part of the size.
    const UNIT: f32 = 1.0 / 2048.0;

    /// The width of a byte as a part of the size.
    pub(super) fn width(&self, byte: u8) -> f32 {
        // The entry of the table of widths has its tag, a checksum, its position and its length.
        let entry =
            self.file[12..].chunks_exact(16).find(|entry| entry.starts_with(b"hmtx")).expect("fonts have widths");
        let table = u32::from_be_bytes([entry[8], entry[9], entry[10], entry[11]]) as usize;
        let at = table + 4 * (1 + usize::from(byte - Font::FIRST));
        f32::from(u16::from_be_bytes([self.file[at], self.file[at + 1]])) * Font::UNIT
    }
}

impl Style {
    /// The index of its font in [`FONTS`].
    pub(super) fn font(self) -> usize {
        usize::from(self == Style::Strong)
    }
}

/// The characters from 0x80 on in Windows-1252, with U+FFFD for none. From 0xa0 on it is the same as Latin-1.
const FROM_0X80: &str = "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ";

/// The byte of a character in Windows-1252; `None` if it has none.
pub(super) fn encoded(c: char) -> Option<u8> {
    match c {
        ' '..='~' | '\u{a0}'..='ÿ' => Some(c as u8),
        _ => FROM_0X80.chars().position(|other| other == c && c != '\u{fffd}').map(|index| 0x80 + index as u8),
    }
}

/// The width of a text in millimetres. Characters that the fonts lack count as digits.
pub(super) fn width(text: &str, size: f32, style: Style) -> f32 {
    let font = &FONTS[style.font()];
    text.chars().map(|c| font.width(encoded(c).unwrap_or(b'0'))).sum::<f32>() * size
}

/// Breaks a text into lines of at most this width. A longer word gets its own line.
pub(super) fn wrapped(text: &str, size: f32, style: Style, most: f32) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size, style) <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_as_wide_as_in_helvetica() {
        let is_like = |text: &str, style, expected: f32| (width(text, 1000.0, style) - expected).abs() < 1.0;
        assert!(is_like("A1 ~", Style::Plain, 667.0 + 556.0 + 278.0 + 584.0));
        assert!(is_like("ÿ€\u{6570}", Style::Plain, 500.0 + 556.0 + 556.0));
        assert!(is_like("A1 ~", Style::Strong, 722.0 + 556.0 + 278.0 + 584.0));
    }

    #[test]
    fn texts_are_encoded_as_in_windows_1252() {
        assert_eq!(FROM_0X80.chars().count(), 32);
        let bytes: Vec<u8> = "Aé “–” €ÿ".chars().filter_map(encoded).collect();
        assert_eq!(bytes, b"A\xe9 \x93\x96\x94 \x80\xff");
        assert!("数独\u{fffd}\n\u{81}".chars().all(|c| encoded(c).is_none()));
    }

    #[test]
    fn lines_are_within_the_width() {
        let text = "r4c1<>{4}, ".repeat(40) + &"x".repeat(300);
        let lines = wrapped(&text, 3.0, Style::Plain, 80.0);
        assert_eq!(lines.join(" "), text);
        let is_narrow = |line: &str| width(line, 3.0, Style::Plain) <= 80.0;
        let (last, others) = lines.split_last().unwrap();
        assert!(others.iter().all(|line| is_narrow(line)) && !is_narrow(last), "{lines:?}");
    }
}
