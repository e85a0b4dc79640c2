//! Puzzles with known numbers of solutions, read from `tests/data/known-counts.txt`.

use gridmill::puzzle::Size;

use super::parse;

/// A line of the file.
#[derive(Debug)]
pub struct Known {
    /// The line's number, from 1.
    pub line: usize,
    /// The puzzle's size.
    pub size: Size,
    /// The puzzle's cells.
    pub puzzle: Vec<u8>,
    /// How many solutions there are.
    pub count: u64,
    /// Whether there are more than `count`.
    pub more: bool,
    /// The only solution.
    pub solution: Option<Vec<u8>>,
}

/// All puzzles of the file.
pub fn puzzles() -> impl Iterator<Item = Known> {
    let lines = (1..).zip(include_str!("../data/known-counts.txt").lines());
    lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')).map(|(line, text)| {
        let fields: Vec<&str> = text.split(':').collect();
        let [puzzle, count, solution @ ..] = &fields[..] else { panic!("line {line} has no count") };
        let (size, puzzle) = parse(puzzle);
        let (count, more) = count.strip_suffix('+').map_or((*count, false), |count| (count, true));
        let count = count.parse().unwrap_or_else(|error| panic!("line {line}: {error}"));
        Known { line, size, puzzle, count, more, solution: solution.first().map(|solution| parse(solution).1) }
    })
}

/// The puzzles of one size that have one solution, and the solutions.
pub fn unique(size: Size) -> impl Iterator<Item = (Vec<u8>, Vec<u8>)> {
    puzzles().filter(move |known| known.size == size).filter_map(|known| Some((known.puzzle, known.solution?)))
}
