//! Characters outside ASCII in puzzles, and the ASCII symbols that they stand for.

use std::borrow::Cow;

/// The symbol for the character at the start of `text`, and the length of the character in bytes; `None` if it is in
/// ASCII, or does not occur in puzzles.
///
/// Digits and letters of full width are digits and letters, dots and squares are blanks, and the lines of boxes are `|`,
/// `=` and `+`.
pub(crate) fn ascii_of(text: &[u8]) -> Option<(u8, usize)> {
    let found = match *text {
        // Full width: U+FF01 to U+FF5E.
        [0xEF, 0xBC, byte @ 0x81..=0xBF, ..] => (byte - 0x60, 3),
        [0xEF, 0xBD, byte @ 0x80..=0x9E, ..] => (byte - 0x20, 3),
        // A middle dot; a bullet, dots of mathematics, a white square.
        [0xC2, 0xB7, ..] => (b'.', 2),
        [0xE2, 0x80, 0xA2, ..] | [0xE2, 0x88, 0x99, ..] | [0xE2, 0x8B, 0x85, ..] | [0xE2, 0x96, 0xA1, ..] => (b'.', 3),
        // Spaces, and the suffix that makes a digit an emoji of a key.
        [0xC2, 0xA0, ..] => (b' ', 2),
        [0xE2, 0x80, 0x80..=0x8D | 0xAF, ..]
        | [0xE3, 0x80, 0x80, ..]
        | [0xEF, 0xB8, 0x8F, ..]
        | [0xE2, 0x83, 0xA3, ..] => (b' ', 3),
        // Vertical and horizontal lines of boxes; their corners and crossings.
        [0xE2, 0x94, 0x82 | 0x83 | 0x86 | 0x87 | 0x8A | 0x8B, ..] | [0xE2, 0x95, 0x8E | 0x8F | 0x91, ..] => (b'|', 3),
        [0xE2, 0x94, 0x80..=0x8B, ..] | [0xE2, 0x95, 0x8C | 0x8D | 0x90, ..] => (b'=', 3),
        [0xE2, 0x94 | 0x95, 0x80..=0xBF, ..] => (b'+', 3),
        _ => return None,
    };
    Some(found)
}

/// Replaces each character that stands for a symbol. Borrows the text if there are none.
pub(super) fn ascii(text: &[u8]) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let (mut symbols, mut rest, mut is_other) = (Vec::with_capacity(text.len()), text, false);
    while let Some(&first) = rest.first() {
        let found = ascii_of(rest);
        let (symbol, length) = found.unwrap_or((first, 1));
        symbols.push(symbol);
        rest = &rest[length..];
        is_other |= found.is_some();
    }
    // Callers take a copy as a sign that the text has such characters.
    if is_other { Cow::Owned(symbols) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_puzzles_have_a_symbol() {
        for (text, symbols) in [
            ("１２９．＿｜Ａ", "129._|A"),
            ("·•∙⋅□", "....."),
            ("1\u{a0}\u{2009}\u{3000}2", "1   2"),
            ("│ ┃ ║ ┆ ╎", "| | | | |"),
            ("─━═┄╌", "====="),
            ("┌┼╬╪┘", "+++++"),
            ("é·№", "é.№"),
        ] {
            assert_eq!(&*ascii(text.as_bytes()), symbols.as_bytes(), "{text}");
        }
        for text in ["", "53..7", "é№", "\u{2584}"] {
            assert!(matches!(ascii(text.as_bytes()), Cow::Borrowed(_)), "{text}");
        }
        assert!(matches!(ascii(b"\xe2\x94"), Cow::Borrowed(_)), "half a character");
    }
}
