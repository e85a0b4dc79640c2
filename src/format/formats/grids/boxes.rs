//! Box drawing characters such as `│ ─ ┼ ╔ ═ ║`: they are between cells, as `|` is.

use std::borrow::Cow;

/// The length of a box drawing character, U+2500 to U+257F, in UTF-8.
const LENGTH: usize = 3;

/// A text with bars in place of its box drawing characters. It has the same length.
pub(in crate::format::formats) fn with_bars(text: &[u8]) -> Cow<'_, [u8]> {
    let starts = |text: &[u8]| matches!(text, [0xe2, 0x94 | 0x95, 0x80..=0xbf, ..]);
    let mut found = memchr::memchr_iter(0xe2, text).filter(|&start| starts(&text[start..])).peekable();
    if found.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let mut owned = text.to_vec();
    found.for_each(|start| owned[start..start + LENGTH].fill(b'|'));
    Cow::Owned(owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_box_drawing_characters_become_bars() {
        for (text, expected) in [
            ("│5 3│", "|||5 3|||"),
            ("╔═╗\u{2500}\u{257f}", "|||||||||||||||"),
            ("5 3 | . ▪ … – ◀", "5 3 | . ▪ … – ◀"),
            ("\u{24ff}\u{2580}", "\u{24ff}\u{2580}"),
            ("", ""),
        ] {
            assert_eq!(with_bars(text.as_bytes()), expected.as_bytes(), "{text}");
        }
        assert_eq!(*with_bars(b"1\xe2\x94"), *b"1\xe2\x94");
    }
}
