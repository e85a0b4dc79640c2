//! The content of a book's pages: lines and texts with their positions. HTML and PDF are made from it.

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
    /// Grey: the digits of a solution that are not clues, and notes.
    Faint,
}

/// The brightness of [`Style::Faint`], from black (0) to white (1).
pub(super) const FAINT: f32 = 0.4;

/// The widths of the characters from space to `~` in thousandths of the size, in Helvetica and in substitutes such as
/// Arial and Liberation Sans. Bold letters are a little wider.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

/// The width of a text in millimetres. Characters outside ASCII count as digits.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let of = |c: char| (c as usize).checked_sub(0x20).and_then(|index| WIDTHS.get(index)).copied().unwrap_or(556);
    text.chars().map(|c| f32::from(of(c))).sum::<f32>() * size / 1000.0
}

/// Breaks a text into lines of at most this width. A longer word gets its own line.
pub(super) fn wrapped(text: &str, size: f32, most: f32) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= most => {
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
        let is_like = |text: &str, expected: f32| (width(text, 1000.0) - expected).abs() < 0.1;
        assert!(is_like("A1 ~", 667.0 + 556.0 + 278.0 + 584.0));
        assert!(is_like("é", 556.0));
    }

    #[test]
    fn lines_are_within_the_width() {
        let text = "r4c1<>{4}, ".repeat(40) + &"x".repeat(300);
        let lines = wrapped(&text, 3.0, 80.0);
        assert_eq!(lines.join(" "), text);
        let (last, others) = lines.split_last().unwrap();
        assert!(others.iter().all(|line| width(line, 3.0) <= 80.0) && width(last, 3.0) > 80.0, "{lines:?}");
    }
}
