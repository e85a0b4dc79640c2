//! The steps of a solution in words, in the notation of players.

use std::fmt::Write;

use gridmill::rating::Step;

/// The width of the text, in columns.
const WIDTH: usize = 79;

/// `7. Naked Pair (3.0): {4,7} in r4c5 r4c6 of row 4: r4c1<>{4}, r4c2<>{4,7}`.
pub(crate) fn sentence(number: usize, step: &Step) -> String {
    let mut text = format!("{number}. {} ({}): {} in {}", step.technique, step.difficulty, step.digits, step.cells);
    for (index, house) in step.houses.iter().enumerate() {
        let before = if index == 0 { " of " } else { ", " };
        write!(text, "{before}{house}").expect("a string takes any text");
    }
    let placement = step.placement.iter().map(ToString::to_string);
    let follows: Vec<String> = placement.chain(step.eliminations.iter().map(ToString::to_string)).collect();
    format!("{text}: {}", follows.join(", "))
}

/// The text over as many lines as it takes, each with its end; all but the first are indented.
pub(crate) fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            lines.push_str("\n    ");
            width = 4;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_wrapped() {
        let words = ["r1c1<>{1},"; 20].join(" ");
        let lines = wrapped(&format!("1. Chain: {words}"));
        assert!(lines.lines().all(|line| line.len() <= WIDTH), "{lines}");
        assert!(lines.lines().skip(1).all(|line| line.starts_with("    r1c1")), "{lines}");
        assert_eq!(lines.replace("\n    ", " "), format!("1. Chain: {words}\n"));
    }
}
