//! The kinds of puzzles that are made to compare solvers.

/// How a puzzle is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PuzzleKind {
    /// Without clues.
    Empty,
    /// Few clues, which are cells of a grid: many solutions.
    FewClues,
    /// A minimal puzzle without one to three of its clues: several solutions.
    Several,
    /// A minimal puzzle with some more clues: one solution.
    Unique,
    /// One solution, and none without any of the clues; above 9x9 as far as short searches show.
    Minimal,
    /// A grid without one to five cells.
    NearlyFull,
    /// A grid.
    Full,
    /// A puzzle with one solution in which the digit of a clue is another one; no two clues clash. Mostly no solution.
    ChangedClue,
    /// Random digits in random cells, no two of which clash. No solution or several.
    RandomClues,
    /// A puzzle with the same digit twice in a house: no solution.
    Clash,
    /// A grid with the same digit twice in a house.
    FullClash,
}

impl PuzzleKind {
    /// All kinds.
    pub const ALL: [PuzzleKind; 11] = [
        PuzzleKind::Empty,
        PuzzleKind::FewClues,
        PuzzleKind::Several,
        PuzzleKind::Unique,
        PuzzleKind::Minimal,
        PuzzleKind::NearlyFull,
        PuzzleKind::Full,
        PuzzleKind::ChangedClue,
        PuzzleKind::RandomClues,
        PuzzleKind::Clash,
        PuzzleKind::FullClash,
    ];

    /// The names of all kinds, in the same order.
    pub(super) const NAMES: [&str; PuzzleKind::ALL.len()] = {
        let mut names = [""; PuzzleKind::ALL.len()];
        let mut index = 0;
        while index < names.len() {
            names[index] = PuzzleKind::ALL[index].name();
            index += 1;
        }
        names
    };

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            PuzzleKind::Empty => "empty",
            PuzzleKind::FewClues => "few-clues",
            PuzzleKind::Several => "several",
            PuzzleKind::Unique => "unique",
            PuzzleKind::Minimal => "minimal",
            PuzzleKind::NearlyFull => "nearly-full",
            PuzzleKind::Full => "full",
            PuzzleKind::ChangedClue => "changed-clue",
            PuzzleKind::RandomClues => "random-clues",
            PuzzleKind::Clash => "clash",
            PuzzleKind::FullClash => "full-clash",
        }
    }
}
