//! The steps of a solution in words and in candidate grids, in the notation of players.
//!
//! Each candidate has a fixed place in its cell, followed by its mark. A value is printed in the middle of its cell:
//!
//! ```text
//!          c1     c2     c3   |
//!        1  2  3            2-|
//!    r1     5     (7)         |
//!        7*    9              |
//! ```

use std::fmt::{self, Display, Write};

use strum::{IntoStaticStr, VariantArray};

use super::notation::{name, write_joined};
use super::reasoning::paragraphs;
use crate::rating::{Candidates, DigitSet, Level, Placement, Rating, RatingEnd, Step, Technique};

/// The width of the text, in columns.
const WIDTH: usize = 79;

/// The indent of lines that continue the line before.
const INDENT: &str = "    ";

/// The steps that are printed with a grid of candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum StepGrids {
    /// Steps that remove candidates.
    #[default]
    Eliminations,
    /// All steps.
    All,
    /// No step.
    None,
}

impl StepGrids {
    /// Whether a step is printed with a grid.
    fn includes(self, step: &Step) -> bool {
        match self {
            StepGrids::Eliminations => !step.eliminations.is_empty(),
            StepGrids::All => true,
            StepGrids::None => false,
        }
    }
}

/// The marks on candidates in a printed grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mark {
    /// The value of a cell.
    Value,
    /// A candidate of the pattern of the step.
    Pattern,
    /// A candidate that the step removes.
    Removed,
    /// The digit that the step places.
    Placed,
}

/// Adds the colours of a mark to a text.
pub(crate) type Paint = fn(Mark, String) -> String;

/// The steps of a solution so far, as a text of 79 columns.
#[derive(Debug)]
pub(crate) struct Explanation {
    grids: StepGrids,
    paint: Paint,
    text: String,
    steps: usize,
}

impl Explanation {
    pub(crate) fn new(grids: StepGrids, paint: Paint) -> Explanation {
        Explanation { grids, paint, text: String::new(), steps: 0 }
    }

    /// Adds a step, with the candidates before it.
    pub(crate) fn step(&mut self, candidates: &Candidates, step: &Step) {
        self.steps += 1;
        self.text.push_str(&wrapped(&sentence(self.steps, step), ""));
        for paragraph in paragraphs(&step.implications) {
            self.text.push_str(&wrapped(&paragraph, INDENT));
        }
        if self.grids.includes(step) {
            self.text.push_str(&drawn(candidates, step, self.paint));
        }
    }

    /// The text with the rating at its end.
    pub(crate) fn end(self, rating: Rating) -> String {
        self.text + &wrapped(&conclusion(self.steps, rating), "")
    }
}

/// `7. Naked Pair (3.0): {4,7} in r4c5 r4c6 of row 4: r4c1<>{4}, r4c2<>{4,7}`.
pub fn sentence(number: usize, step: &Step) -> String {
    format!("{number}. {} ({}): {}: {}", step.technique, step.difficulty, pattern(step), result(step))
}

/// Why a step may be taken, after `because`: `3 has no other place in box 6`.
pub(crate) fn reason(step: &Step) -> impl Display {
    fmt::from_fn(move |f| match (step.technique, step.placement, step.houses.first()) {
        (Technique::HiddenSingle, Some(Placement { digit, .. }), Some(house)) => {
            write!(f, "{} has no other place in {house}", digit + 1)
        }
        (Technique::NakedSingle, Some(Placement { cell, .. }), _) => {
            write!(f, "{} has no other candidate", name(cell))
        }
        _ => write!(f, "of {}: {}", step.technique, pattern(step)),
    })
}

/// The conclusions of a step: `r4c1<>{4}, r4c2<>{4,7}`, or `r4c7=3`.
pub(crate) fn result(step: &Step) -> impl Display {
    fmt::from_fn(move |f| {
        if let Some(placement) = step.placement {
            let comma = if step.eliminations.is_empty() { "" } else { ", " };
            write!(f, "{placement}{comma}")?;
        }
        write_joined(f, &step.eliminations, ", ")
    })
}

/// The cells and candidates of a pattern: `{4,7} in r4c5 r4c6 of row 4`.
fn pattern(step: &Step) -> impl Display {
    fmt::from_fn(move |f| {
        write!(f, "{} in {}", step.digits, step.cells)?;
        f.write_str(if step.houses.is_empty() { "" } else { " of " })?;
        write_joined(f, &step.houses, ", ")
    })
}

/// `Solved in 55 steps: ER 1.5, EP 1.2, ED 1.2, easy`.
fn conclusion(steps: usize, rating: Rating) -> String {
    let Rating { er, ep, ed, end, .. } = rating;
    let count = if steps == 1 { "1 step".to_owned() } else { format!("{steps} steps") };
    match end {
        RatingEnd::Solved => format!("Solved in {count}: ER {er}, EP {ep}, ED {ed}, {}", Level::of(er)),
        RatingEnd::AboveBound | RatingEnd::Unsolved | RatingEnd::Interrupted => {
            format!("No technique finds a step after {count}: ER {er}")
        }
    }
}

/// Breaks a text into lines after an indent. All lines but the first are indented by four more.
fn wrapped(text: &str, indent: &str) -> String {
    let mut lines = indent.to_owned();
    let mut width = indent.len();
    for (index, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if index > 0 && width + 1 + length > WIDTH {
            lines.extend(["\n", indent, INDENT]);
            width = indent.len() + INDENT.len();
        } else if index > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines.push('\n');
    lines
}

/// The candidates with the marks of a step, over several lines, 77 columns wide without colours.
fn drawn(candidates: &Candidates, step: &Step, paint: Paint) -> String {
    // A cell has seven columns: three digits, each with its mark, and a space. A box has three cells between two
    // spaces.
    let rule = format!("    +{}\n", format!("{}+", "-".repeat(23)).repeat(3));
    let blank = format!("    |{}\n", format!("{}|", " ".repeat(23)).repeat(3));
    let name = |column: usize| format!("   c{}  {}", column + 1, if column % 3 == 2 { "   " } else { "" });
    let mut lines = format!("     {}\n", (0..9).map(name).collect::<String>());
    for row in 0..9 {
        lines.push_str(if row % 3 == 0 { &rule } else { &blank });
        for third in 0..3 {
            let name = if third == 1 { format!("r{}", row + 1) } else { String::new() };
            write!(lines, " {name:2} |").expect("a string takes any text");
            for column in 0..9 {
                lines.push_str(if column % 3 == 0 { " " } else { "" });
                push_third(&mut lines, candidates, step, (9 * row + column, third), paint);
                lines.push_str(if column % 3 == 2 { " |" } else { "" });
            }
            lines.push('\n');
        }
    }
    lines + &rule
}

/// Appends a third of a cell: seven columns.
fn push_third(lines: &mut String, candidates: &Candidates, step: &Step, (cell, third): (usize, usize), paint: Paint) {
    let value = candidates.values()[cell];
    if value != 0 {
        let text = if third == 1 { format!("  ({value})  ") } else { " ".repeat(7) };
        return lines.push_str(&paint(Mark::Value, text));
    }
    let digits: DigitSet = candidates.digits(cell);
    for digit in 3 * third..3 * third + 3 {
        let name = digit + 1;
        let text = match mark(step, cell, digit) {
            _ if !digits.contains(digit) => "  ".to_owned(),
            None => format!("{name} "),
            Some((mark, symbol)) => paint(mark, format!("{name}{symbol}")),
        };
        lines.push_str(&text);
    }
    lines.push(' ');
}

/// The effect of a step on a candidate, and its symbol.
fn mark(step: &Step, cell: usize, digit: usize) -> Option<(Mark, char)> {
    let Step { placement, eliminations, cells, digits, .. } = step;
    let removed = eliminations.iter().find(|elimination| elimination.cell == cell);
    // Conclusions first: their candidates are usually part of the pattern, too.
    if placement.is_some_and(|placement| (placement.cell, placement.digit) == (cell, digit)) {
        Some((Mark::Placed, '+'))
    } else if removed.is_some_and(|elimination| elimination.digits.contains(digit)) {
        Some((Mark::Removed, '-'))
    } else if cells.contains(cell) && digits.contains(digit) {
        Some((Mark::Pattern, '*'))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_wrapped() {
        let words = ["r1c1<>{1},"; 20].join(" ");
        for indent in ["", INDENT] {
            let lines = wrapped(&format!("1. Chain: {words}"), indent);
            assert!(lines.lines().all(|line| line.len() <= WIDTH), "{lines}");
            assert!(lines.lines().skip(1).all(|line| line.starts_with(&format!("{indent}    r1c1"))), "{lines}");
            assert_eq!(lines.replace(&format!("\n{indent}    "), " "), format!("{indent}1. Chain: {words}\n"));
        }
    }
}
