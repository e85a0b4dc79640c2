//! Refuses texts that are not puzzle files: nothing in the sample is a puzzle, or close to one.
//!
//! A bad record is data and becomes a row. But a text of any kind has lines, so `lines` is what the guess falls back to,
//! and a file that was named by mistake would become rows without an error.

use super::alphabet::is_digit_or_blank;
use super::error::{DetectError, NoCorpusError};
use super::formats::InputFormat;
use super::layout::Layout;
use super::{BatchLimits, Puzzles};

/// The fewest symbols in a row that are close to a puzzle: the smallest has 16 cells, and some may be missing.
const CLOSE: usize = 12;

/// Refuses a sample whose format was guessed to be lines if it has records, and none of them is a puzzle or has some
/// text that is close to one.
pub(super) fn refuse_no_corpus(layout: &Layout, sample: &[u8], is_complete: bool) -> Result<(), DetectError> {
    if layout.format() != InputFormat::Lines || !layout.sample.sizes.is_empty() {
        return Ok(());
    }
    let (mut parser, mut puzzles) = (layout.parser(), Puzzles::new());
    let (mut records, mut first, mut is_close) = (0, None, false);
    layout.splitter().next_batch(sample, is_complete, BatchLimits::NONE, &mut |record, line| {
        let text = &sample[record];
        records += 1;
        is_close |= is_close_to_puzzle(text);
        if first.is_none()
            && let Err(reason) = parser.parse(text, &mut puzzles)
        {
            first = Some((line, reason));
        }
    });
    match first {
        Some((line, reason)) if !is_close => Err(Box::new(NoCorpusError { records, line, reason }).into()),
        _ => Ok(()),
    }
}

/// Whether a word of a record has digits and blanks for most of a small puzzle, and hardly anything else.
fn is_close_to_puzzle(record: &[u8]) -> bool {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b",;|\"'".contains(byte);
    let words = || record.split(is_end).filter(|word| !word.is_empty());
    let is_close = |word: &[u8]| {
        let cells = word.iter().filter(|&&byte| is_digit_or_blank(byte)).count();
        cells >= CLOSE && cells * 4 >= word.len() * 3 && word.iter().any(u8::is_ascii_digit)
    };
    // Cells may have spaces between them.
    let single = words().filter(|word| word.len() <= 2 && word.iter().all(|&byte| is_digit_or_blank(byte))).count();
    single >= CLOSE || words().any(is_close)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{InputOptions, detect};

    fn is_refused(text: &str, format: Option<InputFormat>) -> bool {
        match detect(text.as_bytes(), true, &InputOptions { format, ..InputOptions::default() }) {
            Ok(_) => false,
            Err(DetectError::NoCorpus(_)) => true,
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn texts_without_anything_like_a_puzzle_are_refused() {
        for text in [
            "rubbish\n",
            "[package]\nname = \"gridmill\"\nversion = \"0.1.0\"\n",
            "A heading\n---------------------\n\nSome words, and 2024-01-02 10:11:12.\n",
            "fn main() {\n    println!(\"{}\", 1 + 2);\n}\n",
            "root:x:0:0:root:/root:/bin/bash\n",
            "0af5e6a1b22c3d944e5f60718293a4b5c6d7e8f9  file\n",
        ] {
            assert!(is_refused(text, None), "{text}");
            assert!(!is_refused(text, Some(InputFormat::Lines)), "{text}");
        }
    }

    #[test]
    fn a_corpus_may_have_bad_records_only() {
        for text in [
            "",
            "# only a comment\n",
            "1.3..........4.\n",
            "a 1.3..........4.2\n",
            "rubbish\n1.3..........4.2\n",
            "1 . 3 . . . . . . . . . . 4 .\n",
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..7\n",
            "puzzle\nx\n",
            "puzzle,solution\nrubbish,rubbish\n",
        ] {
            assert!(!is_refused(text, None), "{text}");
        }
    }
}
