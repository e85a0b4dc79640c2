//! The reasons why puzzles cannot be generated, and the checks that find them in the options.

use thiserror::Error;

use super::spec::{ClueRange, PuzzleSpec, Shape, fewest_clues};
use crate::puzzle::{Size, Symmetry};
use crate::rating::{ErRange, TechniqueName};

/// The reason why there is no such puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A unique puzzle needs more clues, or none with this number is known.
    #[error("no {size} puzzle with a single solution has {clues} clues; the fewest known are {fewest}")]
    TooFewClues {
        /// The size.
        size: Size,
        /// The clues asked for.
        clues: usize,
        /// The fewest that any puzzle has.
        fewest: usize,
    },
    /// There are more clues than cells.
    #[error("a {size} puzzle has no room for {clues} clues, only for {cells}", cells = size.cells())]
    TooManyClues {
        /// The size.
        size: Size,
        /// The clues asked for.
        clues: usize,
    },
    /// No union of orbits of the symmetry has this number of cells.
    #[error("no pattern with {symmetry} symmetry has {}", clues.in_words())]
    NotSymmetric {
        /// The symmetry.
        symmetry: Symmetry,
        /// The clues asked for.
        clues: ClueRange,
    },
    /// The pattern is of another size.
    #[error("the pattern is {pattern}, but {size} puzzles are asked for")]
    OtherSize {
        /// The size asked for.
        size: Size,
        /// The size of the pattern.
        pattern: Size,
    },
    /// The pattern has another number of clues.
    #[error("the pattern has {clues} clues, but {} are asked for", asked.in_words())]
    OtherNumber {
        /// The number of clues of the pattern.
        clues: usize,
        /// The number asked for.
        asked: ClueRange,
    },
    /// Two lines of the pattern have no clues and can be swapped.
    #[error(
        "no puzzle with this pattern has a single solution: {lines} {first} and {second} have no clue, so they can change places"
    )]
    BlankLines {
        /// `rows` or `columns`.
        lines: &'static str,
        /// The number of one of them, from 1.
        first: usize,
        /// The number of the other.
        second: usize,
    },
    /// Only 9x9 puzzles with clues anywhere have a known probability.
    #[error("only 9x9 puzzles without a symmetry and a pattern have a known probability")]
    NoProbability,
    /// Only 9x9 puzzles have an ER.
    #[error("{0} puzzles have no rating, only 9x9 puzzles have")]
    NotRated(Size),
    /// The easiest step of a technique is harder than all puzzles asked for.
    #[error("no puzzle with an ER of {er} needs {technique}, whose difficulty is {least} or more", least = technique.least())]
    TooHard {
        /// The technique.
        technique: TechniqueName,
        /// The ER asked for.
        er: ErRange,
    },
    /// None of the random grids gave such a puzzle.
    #[error("{tries} random grids gave no {spec}")]
    OutOfReach {
        /// The wanted puzzle.
        spec: Box<PuzzleSpec>,
        /// The number of grids tried.
        tries: u32,
    },
    /// All puzzles in a long row were known.
    #[error("{puzzles} puzzles in a row were isomorphs of earlier ones")]
    OnlyRepeats {
        /// The number of puzzles in a row that were known.
        puzzles: u64,
    },
    /// Isomorphs of this size are not recognised.
    #[error("isomorphs are recognised among 4x4, 6x6 and 9x9 puzzles, not among {0} ones")]
    NoClasses(Size),
}

impl PuzzleSpec {
    /// Checks that there may be puzzles that meet the spec.
    pub(super) fn check(&self) -> Result<(), GenerateError> {
        let size = self.size;
        if self.needs_rating() && size != Size::Nine {
            return Err(GenerateError::NotRated(size));
        }
        if self.has_known_probability() && (size != Size::Nine || self.shape != Shape::Any) {
            return Err(GenerateError::NoProbability);
        }
        if let Some(er) = self.er {
            let is_too_hard = |name: &&TechniqueName| er.most.is_some_and(|most| name.least() > most);
            if let Some(technique) = self.techniques.iter().find(is_too_hard) {
                return Err(GenerateError::TooHard { technique: technique.clone(), er });
            }
        }

        let ClueRange { fewest, most } = self.clues();
        if most < fewest_clues(size) {
            return Err(GenerateError::TooFewClues { size, clues: most, fewest: fewest_clues(size) });
        }
        if most > size.cells() {
            return Err(GenerateError::TooManyClues { size, clues: most });
        }

        match &self.shape {
            Shape::Any => {}
            Shape::Symmetric(symmetry) => {
                if !self.orbits().sums()[fewest.max(fewest_clues(size))..=most].contains(&true) {
                    return Err(GenerateError::NotSymmetric { symmetry: *symmetry, clues: self.clues() });
                }
            }
            Shape::Pattern(pattern) => {
                if pattern.size() != size {
                    return Err(GenerateError::OtherSize { size, pattern: pattern.size() });
                }

                let clues = pattern.cells().count();
                if clues < fewest_clues(size) {
                    return Err(GenerateError::TooFewClues { size, clues, fewest: fewest_clues(size) });
                }
                if !self.clues().contains(clues) {
                    return Err(GenerateError::OtherNumber { clues, asked: self.clues() });
                }

                if let Some((lines, [first, second])) = pattern.blank_lines() {
                    return Err(GenerateError::BlankLines { lines, first, second });
                }
            }
        }
        Ok(())
    }
}
