//! `gridmill explain`: the steps by which a person solves a puzzle, in words and with grids of candidates.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, ValueEnum};
use gridmill::puzzle::Pencilmarks;
use gridmill::rating::{Candidates, Level, Rater, Rating, RatingEnd, Step};

use super::frame::Run;
use crate::ui::pencilmarks as ui;

/// The width of the text, in columns.
const WIDTH: usize = 79;

const EXAMPLES: &str = "\
Examples:
  Explain the first puzzle of a file:
    gridmill explain $(head -n 1 puzzles.txt)
  Print the steps alone:
    gridmill explain --grids none $(head -n 1 puzzles.txt)";

/// Explain how a person solves a 9x9 puzzle, step by step.
///
/// The steps are those of `gridmill rate`. A grid of candidates marks the pattern of a step with `*`, the candidates that
/// it removes with `-`, and the digit that it places with `+`; on a terminal, also with colours, unless `NO_COLOR` is set.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// The puzzle on one line: 81 digits, with dots or zeros for blanks, or the 729 symbols of a pencilmark puzzle
    puzzle: String,

    /// The steps before which the grid of candidates is printed
    #[arg(long, value_name = "WHICH", value_enum, default_value = "eliminations")]
    grids: Grids,
}

/// The steps that get a grid of candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Grids {
    /// Those that remove candidates
    Eliminations,
    /// All steps
    All,
    /// No step
    None,
}

impl Run for ExplainArgs {
    fn run(&self) -> anyhow::Result<ExitCode> {
        let (mut page, mut number) = (String::new(), 0);
        let each = |grid: &Candidates, step: &Step| {
            number += 1;
            page.push_str(&wrapped(&sentence(number, step)));
            let has_grid = match self.grids {
                Grids::All => true,
                Grids::Eliminations => !step.eliminations.is_empty(),
                Grids::None => false,
            };
            if has_grid {
                writeln!(page, "{}", ui::Pencilmarks { grid, step }).expect("a string takes any text");
            }
        };
        let rating = match self.puzzle.parse::<Pencilmarks>() {
            Ok(puzzle) => {
                puzzle.solve()?;
                Rater::new().rate_candidates(Candidates::from(&puzzle), each)
            }
            Err(_) => gridmill::rate_with_steps(&self.puzzle.parse().context("this is not a puzzle")?, each)?,
        };
        page.push_str(&wrapped(&conclusion(number, rating)));
        io::stdout().write_all(page.as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }
}

/// `7. Naked Pair (3.0): {4,7} in r4c5 r4c6 of row 4: r4c1<>{4}, r4c2<>{4,7}`.
fn sentence(number: usize, step: &Step) -> String {
    let mut text = format!("{number}. {} ({}): {} in {}", step.technique, step.difficulty, step.digits, step.cells);
    for (index, house) in step.houses.iter().enumerate() {
        let before = if index == 0 { " of " } else { ", " };
        write!(text, "{before}{house}").expect("a string takes any text");
    }
    let placement = step.placement.iter().map(ToString::to_string);
    let follows: Vec<String> = placement.chain(step.eliminations.iter().map(ToString::to_string)).collect();
    format!("{text}: {}", follows.join(", "))
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

/// The text over as many lines as it takes, each with its end; all but the first are indented.
fn wrapped(text: &str) -> String {
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
