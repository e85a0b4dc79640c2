//! Fits text to the terminal: its width, line breaks, and colours.
//!
//! A file or a pipe has no width: lines are not wrapped, and have no colours. `console` handles `NO_COLOR` and
//! `CLICOLOR`.

use console::{Style, Term};
use textwrap::{Options, WordSplitter};

/// The narrowest terminal that text is fitted to. A narrower one wraps lines itself.
const NARROWEST: usize = 40;

/// The indent of continuation lines.
const INDENT: usize = 4;

/// The number of characters on a line of standard error; `None` if it is not a terminal.
pub(crate) fn stderr_width() -> Option<usize> {
    width(&Term::stderr())
}

/// The number of characters on a line of standard output; `None` if it is not a terminal.
pub(crate) fn stdout_width() -> Option<usize> {
    width(&Term::stdout())
}

fn width(terminal: &Term) -> Option<usize> {
    let (_, columns) = terminal.size_checked()?;
    Some(usize::from(columns).max(NARROWEST)).filter(|_| terminal.is_term())
}

/// Wraps the lines of a text that are longer than `width`, at spaces. Escape sequences have no width.
pub(crate) fn wrapped(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    let lines = text.lines().map(|line| {
        let start = line.len() - line.trim_start().len();
        let indent = " ".repeat(start + INDENT);
        let options = Options::new(width).subsequent_indent(&indent).break_words(false);
        textwrap::fill(line, options.word_splitter(WordSplitter::NoHyphenation))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Cuts a text to some number of characters: the last one is then an ellipsis.
pub(crate) fn cut(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    text.chars().take(length.saturating_sub(1)).chain(['\u{2026}']).collect()
}

/// The meaning of a colour on standard error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Good.
    Good,
    /// Worth a look.
    Notice,
    /// Bad.
    Bad,
    /// Less important than other text.
    Quiet,
}

impl Tone {
    /// A text in the colour, if standard error shows colours.
    pub(crate) fn paint(self, text: &str) -> String {
        let style = Style::new().for_stderr();
        let style = match self {
            Tone::Good => style.green(),
            Tone::Notice => style.yellow(),
            Tone::Bad => style.red(),
            Tone::Quiet => style.dim(),
        };
        style.apply_to(text).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_at_spaces_and_indented() {
        let text = "12 records in 3 s\n  unique 100,000  multiple 100,000  none 100,000  malformed 1";
        assert_eq!(wrapped(text, None), text);
        assert_eq!(wrapped(text, Some(80)), text);
        assert_eq!(
            wrapped(text, Some(40)),
            "12 records in 3 s\n  unique 100,000  multiple 100,000  none\n      100,000  malformed 1"
        );
    }

    #[test]
    fn escape_sequences_take_no_place() {
        let painted = "\u{1b}[32munique\u{1b}[0m 1  \u{1b}[31mnone\u{1b}[0m 2";
        assert_eq!(wrapped(painted, Some(40)), painted);
    }

    #[test]
    fn a_text_is_cut_to_its_length() {
        assert_eq!((cut("naïve", 5), cut("naïve!", 5)), ("naïve".to_owned(), "naïv\u{2026}".to_owned()));
    }
}
