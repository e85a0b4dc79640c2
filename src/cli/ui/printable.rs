//! Makes texts safe for a terminal: names and inputs may contain characters that control it, or split a message in two.
//!
//! Everything that is written to standard error is filtered here, and so are the names in the table of `bench`. Rows
//! are data and are not filtered.

use std::fmt::Display;

/// The maximum length of a message, in characters: two grids of 25x25 with an explanation fit.
const LONGEST: usize = 2000;

/// A text on one line, with escapes such as `\u{1b}` and `\n` for characters that control a terminal. The middle of a
/// very long text is left out.
pub(crate) fn in_one_line(text: impl Display) -> String {
    let text = text.to_string();
    let length = text.chars().count();
    if length <= LONGEST {
        return text.chars().map(escaped).collect();
    }
    let escaped = |part: &str| part.chars().map(escaped).collect::<String>();
    let (start, _) = text.char_indices().nth(LONGEST * 3 / 4).expect("the text is longer");
    let (end, _) = text.char_indices().nth(length - LONGEST / 4).expect("the text is longer");
    format!("{} [...] {}", escaped(&text[..start]), escaped(&text[end..]))
}

/// A text of several lines, each [in one line](in_one_line). Names in it must already be escaped.
pub(crate) fn in_lines(text: impl Display) -> String {
    text.to_string().lines().map(in_one_line).collect::<Vec<_>>().join("\n")
}

/// A character, or its escape if it controls a terminal.
fn escaped(character: char) -> String {
    if steers(character) { character.escape_default().to_string() } else { character.into() }
}

/// Whether a character moves the cursor, starts an escape sequence, ends a line, changes the direction of text, or is
/// invisible.
fn steers(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_steer_a_terminal_are_escaped() {
        for (text, shown) in [
            ("naïve 数独 \\ 'a'", "naïve 数独 \\ 'a'"),
            ("\x1b[31m\x07", r"\u{1b}[31m\u{7}"),
            ("a\nb\rc\td", r"a\nb\rc\td"),
            ("\0\x7f\u{80}\u{9f}", r"\u{0}\u{7f}\u{80}\u{9f}"),
            ("\u{2028}\u{202a}\u{202e}\u{2066}\u{2069}", r"\u{2028}\u{202a}\u{202e}\u{2066}\u{2069}"),
            ("\u{61c}\u{200f}\u{feff}\u{ad}\u{e0041}", r"\u{61c}\u{200f}\u{feff}\u{ad}\u{e0041}"),
        ] {
            assert_eq!(in_one_line(text), shown);
        }
        assert_eq!(in_lines("a\x1b\n  b\u{202e}"), "a\\u{1b}\n  b\\u{202e}");
    }

    #[test]
    fn the_middle_of_a_very_long_text_is_left_out() {
        let text = format!("{}é{}", "a".repeat(LONGEST), "z".repeat(LONGEST));
        let shown = in_one_line(&text);
        assert_eq!(shown, format!("{} [...] {}", "a".repeat(1500), "z".repeat(500)));
        assert_eq!(in_one_line("é".repeat(LONGEST)), "é".repeat(LONGEST));
    }
}
