//! Prints an example of each technique as Markdown: `cargo run --example techniques > docs/techniques.md`.
//!
//! The examples are the first steps of their kind in the puzzles of `tests/ratings`.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use gridmill::Puzzle;
use gridmill::puzzle::Grid;
use gridmill::rating::{Candidates, DigitSet, Rater, Step, Technique};

const INTRODUCTION: &str = "\
# Examples of techniques

See an example of each technique, in the order of the rater. `gridmill explain` prints all steps of
a puzzle, with complete grids:

```console
$ gridmill explain data/minimal.txt | head -n 60
```

[rating.md](rating.md) has the difficulties. The examples are the first steps of their kind in the puzzles of
`tests/ratings`. In the grids, a number is a value, and a dot is a blank that does not matter. The other blanks show
their candidates, then a minus and the candidates that the step removes, or an equals sign and the digit that it places.
`cargo run --example techniques` writes this page.
";

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", page()?);
    Ok(())
}

/// The page with all examples.
///
/// # Errors
///
/// If the puzzles cannot be read.
pub(crate) fn page() -> Result<String, Box<dyn Error>> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ratings");
    let mut examples = BTreeMap::new();

    for name in ["easy.csv", "minimal.csv"] {
        let text = fs::read_to_string(directory.join(name))?;
        for line in text.lines().skip(1) {
            let puzzle: Puzzle = line.split(',').next().unwrap_or_default().parse()?;
            let grid: Grid = puzzle.cells().try_into()?;
            collect(&puzzle, &grid, &mut examples);
        }
    }

    let sections: Vec<&str> = examples.values().map(String::as_str).collect();
    Ok(format!("{INTRODUCTION}\n{}", sections.join("\n")))
}

/// Adds an example of each technique that has none yet.
fn collect(puzzle: &Puzzle, grid: &Grid, examples: &mut BTreeMap<Technique, String>) {
    let mut number = 0;
    Rater::new().rate(grid, |candidates, step| {
        number += 1;
        // The first step of a puzzle is a single in a house with several blanks, which shows more than a last blank.
        if step.technique == Technique::HiddenSingle && number > 1 {
            return;
        }
        examples.entry(step.technique).or_insert_with(|| example(puzzle, number, candidates, step));
    });
}

/// The section of a technique.
fn example(puzzle: &Puzzle, number: u32, candidates: &Candidates, step: &Step) -> String {
    let mut follows: Vec<String> = step.eliminations.iter().map(ToString::to_string).collect();
    follows.extend(step.placement.iter().map(ToString::to_string));
    let houses: Vec<String> = step.houses.iter().map(ToString::to_string).collect();
    let houses = if houses.is_empty() { String::new() } else { format!(" of {}", houses.join(", ")) };

    let mut text = format!("## {}\n\n", step.technique);
    let sentence = format!("{}: {} in {}{houses}: {}", step.difficulty, step.digits, step.cells, follows.join(", "));
    for line in wrapped(&sentence) {
        writeln!(text, "{line}").expect("a string takes any text");
    }
    write!(text, "\n```text\n{}```\n\nStep {number} of `{puzzle}`.\n", picture(candidates, step))
        .expect("a string takes any text");
    text
}

/// A text in lines of at most 110 characters.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("one line at least");
        if line.is_empty() {
            line.push_str(word);
        } else if line.len() + 1 + word.len() <= 110 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// The grid before a step: values, dots for blanks that do not matter, the candidates of those that do. After them is a
/// minus with what is removed, or an equals sign with what is placed.
fn picture(candidates: &Candidates, step: &Step) -> String {
    let cells: Vec<String> = (0..81).map(|cell| cell_text(cell, candidates, step)).collect();
    let width = |column: usize| cells.iter().skip(column).step_by(9).map(String::len).max().unwrap_or(1);
    let mut picture = String::new();

    for (row, line) in cells.chunks_exact(9).enumerate() {
        if row > 0 && row % 3 == 0 {
            let dashes: Vec<String> = (0..3)
                .map(|stack| "-".repeat((0..3).map(|place| width(3 * stack + place) + 1).sum::<usize>() + 1))
                .collect();
            writeln!(picture, "{}", dashes.join("+")).expect("a string takes any text");
        }
        for (column, cell) in line.iter().enumerate() {
            let border = if column > 0 && column % 3 == 0 { " |" } else { "" };
            write!(picture, "{border} {cell:<width$}", width = width(column)).expect("a string takes any text");
        }
        picture.push('\n');
    }
    picture
}

fn cell_text(cell: usize, candidates: &Candidates, step: &Step) -> String {
    if candidates.values()[cell] > 0 {
        return candidates.values()[cell].to_string();
    }
    let removed = step.eliminations.iter().find(|elimination| elimination.cell == cell);
    let placed = step.placement.filter(|placement| placement.cell == cell);
    if removed.is_none() && placed.is_none() && !step.cells.contains(cell) {
        return ".".to_owned();
    }

    let mut text = digits(candidates.digits(cell));
    if let Some(removed) = removed {
        write!(text, "-{}", digits(removed.digits)).expect("a string takes any text");
    }
    if let Some(placed) = placed {
        write!(text, "={}", placed.digit + 1).expect("a string takes any text");
    }
    text
}

fn digits(set: DigitSet) -> String {
    set.into_iter().map(|digit| (digit + 1).to_string()).collect()
}
