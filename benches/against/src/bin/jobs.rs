//! Jobs of the `sudoku` crate, for a comparison with gridmill's commands: `jobs generate COUNT`, `jobs canon FILE`.
//!
//! `generate` prints minimal puzzles without symmetry, `canon` the canonical form of the puzzle in each line.

use std::io::{BufWriter, Write};

use sudoku::{Sudoku, Symmetry};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut output = BufWriter::new(std::io::stdout().lock());
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["generate", count] => {
            for _ in 0..count.parse().expect("a number of puzzles") {
                let puzzle = Sudoku::generate_with_symmetry(Symmetry::None);
                writeln!(output, "{}", puzzle.to_str_line())?;
            }
        }
        ["canon", path] => {
            for line in std::fs::read_to_string(path)?.lines() {
                let puzzle = Sudoku::from_str_line(line).expect("a puzzle");
                let (form, _) = puzzle.canonicalized().expect("one solution");
                writeln!(output, "{}", form.to_str_line())?;
            }
        }
        _ => panic!("usage: jobs generate COUNT | jobs canon FILE"),
    }
    output.flush()
}
