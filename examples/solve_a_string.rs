//! Solves one puzzle, given as a string, and prints what is known about it.
//!
//! ```console
//! $ cargo run --example solve_a_string
//! $ cargo run --example solve_a_string -- 1.3..........4.2
//! ```

use std::env;
use std::fmt::Write;

use gridmill::{ParsePuzzleError, Puzzle, SolveError, count_solutions, is_minimal, solutions, solve};

const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

fn main() -> Result<(), ParsePuzzleError> {
    print!("{}", describe(&env::args().nth(1).unwrap_or(PUZZLE.to_owned()))?);
    Ok(())
}

/// A few lines about a puzzle.
pub(crate) fn describe(text: &str) -> Result<String, ParsePuzzleError> {
    let puzzle: Puzzle = text.parse()?;
    let mut lines = format!("{} puzzle with {} clues\n", puzzle.size(), puzzle.clues());

    match solve(text) {
        Ok(solution) => {
            writeln!(lines, "solution: {solution}").unwrap();
            writeln!(lines, "minimal: {}", if is_minimal(&puzzle)? { "yes" } else { "no" }).unwrap();
        }
        Err(SolveError::SeveralSolutions) => {
            writeln!(lines, "solutions: {}, up to a thousand; the first three:", count_solutions(&puzzle, 1000)?)
                .unwrap();
            for solution in solutions(&puzzle)?.take(3) {
                writeln!(lines, "{solution}").unwrap();
            }
        }
        Err(error) => writeln!(lines, "{error}").unwrap(),
    }

    Ok(lines)
}
