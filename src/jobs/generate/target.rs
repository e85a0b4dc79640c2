//! What kind of puzzles to generate: their size, where their clues are, how many they are, whether all are needed.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::puzzle::{Orbits, Order, Symmetry};
use crate::rating::ErRange;

/// How far clues are taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Until just so many are left.
    Clues(usize),
    /// Until a number is left that is drawn from a range for each grid. If the rest is needed before, the puzzle has
    /// more, but none above the range.
    Range(ClueRange),
    /// Until none can be spared: without any one of them there are more solutions.
    Minimal,
    /// The same, and the number of clues is in a range.
    MinimalRange(ClueRange),
    /// As far as the shape lets them: until no orbit of a symmetry can be spared. Without a shape that is
    /// [`Minimal`](Target::Minimal).
    Fewest,
}

/// A range of numbers of clues, both ends included: `24..28`, or one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClueRange {
    /// The lower end.
    pub fewest: usize,
    /// The upper end.
    pub most: usize,
}

impl ClueRange {
    /// Whether a number is in the range.
    pub(super) fn contains(self, clues: usize) -> bool {
        (self.fewest..=self.most).contains(&clues)
    }
}

impl FromStr for ClueRange {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<ClueRange, &'static str> {
        let (fewest, most) = text.split_once("..").unwrap_or((text, text));
        match (fewest.parse(), most.parse()) {
            (Ok(fewest), Ok(most)) if fewest <= most => Ok(ClueRange { fewest, most }),
            (Ok(_), Ok(_)) => Err("the first number must not be the larger one"),
            _ => Err("neither a number, as in 24, nor two, as in 24..28"),
        }
    }
}

impl fmt::Display for ClueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.most {
            1 => f.write_str("1 clue"),
            most if most == self.fewest => write!(f, "{most} clues"),
            most => write!(f, "{} to {most} clues", self.fewest),
        }
    }
}

/// Where clues may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Anywhere.
    Any,
    /// Their pattern has a symmetry.
    Symmetric(Symmetry),
    /// In these cells, in all of them.
    Pattern(Pattern),
}

/// The cells that have clues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    is_clue: Vec<bool>,
}

/// A text is no pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PatternError {
    /// It has a character that stands for nothing.
    #[error("the character {0:?} is neither a clue, as x, *, #, digits and letters, nor a blank, as . 0 and _")]
    UnknownCharacter(char),
    /// It has too few or too many cells for any size.
    #[error("it has {0} cells, but a grid has 16, 81, 256 or 625")]
    NotAGrid(usize),
}

impl Pattern {
    /// The size of the grid.
    pub fn order(&self) -> Order {
        Order::from_cells(self.is_clue.len()).expect("checked when it was made")
    }

    /// Whether a cell has a clue.
    pub fn is_clue(&self, cell: usize) -> bool {
        self.is_clue[cell]
    }

    /// The cells with clues.
    pub(super) fn cells(&self) -> impl Iterator<Item = usize> {
        self.is_clue.iter().enumerate().filter(|&(_, &is_clue)| is_clue).map(|(cell, _)| cell)
    }

    /// Two rows of a band, or two columns of a stack, that have no clues, counted from 1: a solution stays one when they
    /// change places, so no puzzle with the pattern has a single solution.
    fn blank_lines(&self) -> Option<(&'static str, [usize; 2])> {
        let (n, side) = (self.order().get(), self.order().side());
        [("rows", side, 1), ("columns", 1, side)].into_iter().find_map(|(kind, line_step, cell_step)| {
            let is_blank = |&line: &usize| (0..side).all(|i| !self.is_clue[line * line_step + i * cell_step]);
            (0..side).step_by(n).find_map(|band| {
                let mut blank = (band..band + n).filter(is_blank);
                Some((kind, [blank.next()? + 1, blank.next()? + 1]))
            })
        })
    }
}

/// Reads a grid of `x`, `X`, `*`, `#`, digits or letters for clues and `.`, `0` or `_` for blanks, so a puzzle is a pattern,
/// too. White space and the lines between boxes, `|`, `-` and `+`, do not matter.
impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Pattern, PatternError> {
        let mut is_clue = Vec::new();
        for character in text.chars() {
            match character {
                '.' | '0' | '_' => is_clue.push(false),
                '*' | '#' | '1'..='9' | 'a'..='z' | 'A'..='Z' => is_clue.push(true),
                '|' | '-' | '+' => {}
                other if other.is_whitespace() => {}
                other => return Err(PatternError::UnknownCharacter(other)),
            }
        }
        Order::from_cells(is_clue.len()).ok_or(PatternError::NotAGrid(is_clue.len()))?;
        Ok(Pattern { is_clue })
    }
}

/// The kind of puzzles to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The size.
    pub order: Order,
    /// Where the clues may be.
    pub shape: Shape,
    /// How far they are taken away.
    pub target: Target,
    /// How hard the puzzles are for a person, if that matters.
    pub er: Option<ErRange>,
}

impl Wish {
    /// Puzzles with clues anywhere.
    pub fn new(order: Order, target: Target) -> Wish {
        Wish { order, shape: Shape::Any, target, er: None }
    }

    /// The numbers of clues that are wanted.
    pub(super) fn clues(&self) -> ClueRange {
        match self.target {
            Target::Clues(clues) => ClueRange { fewest: clues, most: clues },
            Target::Range(range) | Target::MinimalRange(range) => range,
            Target::Minimal | Target::Fewest => ClueRange { fewest: 0, most: self.order.cells() },
        }
    }

    /// Whether every clue has to be needed.
    pub(super) fn is_minimal(&self) -> bool {
        matches!(self.target, Target::Minimal | Target::MinimalRange(_))
    }

    /// Whether every grid has such a puzzle.
    pub(super) fn is_always_granted(&self) -> bool {
        match self.shape {
            _ if self.er.is_some() => false,
            Shape::Any => matches!(self.target, Target::Minimal | Target::Fewest),
            Shape::Symmetric(_) => self.target == Target::Fewest,
            Shape::Pattern(_) => false,
        }
    }

    /// The cells that lose their clues together.
    pub(super) fn orbits(&self) -> Orbits {
        let symmetry = if let Shape::Symmetric(symmetry) = self.shape { Some(symmetry) } else { None };
        Orbits::new(self.order, symmetry)
    }

    /// The numbers that clues are taken away down to, of which one is drawn for each grid; 0 stands for as few as can
    /// be.
    pub(super) fn floors(&self) -> Vec<usize> {
        match self.target {
            Target::Clues(_) | Target::Range(_) => {
                let ClueRange { fewest, most } = self.clues();
                let sums = self.orbits().sums();
                (fewest.max(fewest_clues(self.order))..=most).filter(|&clues| sums[clues]).collect()
            }
            Target::Minimal | Target::MinimalRange(_) | Target::Fewest => vec![0],
        }
    }

    /// Checks that there may be such puzzles.
    pub(super) fn check(&self) -> Result<(), GenerateError> {
        let order = self.order;
        if self.er.is_some() && order != Order::Three {
            return Err(GenerateError::NotRated(order));
        }
        let ClueRange { fewest, most } = self.clues();
        if most < fewest_clues(order) {
            return Err(GenerateError::TooFewClues { order, clues: most, fewest: fewest_clues(order) });
        }
        if most > order.cells() {
            return Err(GenerateError::TooManyClues { order, clues: most });
        }
        match &self.shape {
            Shape::Any => {}
            Shape::Symmetric(symmetry) => {
                if !self.orbits().sums()[fewest.max(fewest_clues(order))..=most].contains(&true) {
                    return Err(GenerateError::NotSymmetric { symmetry: *symmetry, clues: self.clues() });
                }
            }
            Shape::Pattern(pattern) => {
                if pattern.order() != order {
                    return Err(GenerateError::OtherSize { order, pattern: pattern.order() });
                }
                let clues = pattern.cells().count();
                if clues < fewest_clues(order) {
                    return Err(GenerateError::TooFewClues { order, clues, fewest: fewest_clues(order) });
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

/// The words after "no": `minimal 9x9 puzzle with rot180 symmetry and 24 clues`.
impl fmt::Display for Wish {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} puzzle", if self.is_minimal() { "minimal " } else { "" }, self.order)?;
        let mut link = "with";
        match &self.shape {
            Shape::Any => {}
            Shape::Symmetric(symmetry) => {
                write!(f, " with {symmetry} symmetry")?;
                link = "and";
            }
            Shape::Pattern(_) => {
                f.write_str(" with this pattern of clues")?;
                link = "and";
            }
        }
        let is_pattern = matches!(self.shape, Shape::Pattern(_));
        if !is_pattern && matches!(self.target, Target::Clues(_) | Target::Range(_) | Target::MinimalRange(_)) {
            write!(f, " {link} {}", self.clues())?;
            link = "and";
        }
        self.er.map_or(Ok(()), |er| write!(f, " {link} an ER of {er}"))
    }
}

/// Why there is no such puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No unique puzzle has so few clues, or none is known.
    #[error("no {order} puzzle with a single solution has {clues} clues; the fewest known are {fewest}")]
    TooFewClues {
        /// The size.
        order: Order,
        /// The clues asked for.
        clues: usize,
        /// The fewest that any puzzle has.
        fewest: usize,
    },
    /// There are more clues than cells.
    #[error("a {order} puzzle has no room for {clues} clues, only for {cells}", cells = order.cells())]
    TooManyClues {
        /// The size.
        order: Order,
        /// The clues asked for.
        clues: usize,
    },
    /// The orbits of the symmetry never have so many cells together.
    #[error("no pattern with {symmetry} symmetry has {clues}")]
    NotSymmetric {
        /// The symmetry.
        symmetry: Symmetry,
        /// The clues asked for.
        clues: ClueRange,
    },
    /// The pattern is of another size.
    #[error("the pattern is {pattern}, but {order} puzzles are asked for")]
    OtherSize {
        /// The size asked for.
        order: Order,
        /// That of the pattern.
        pattern: Order,
    },
    /// The pattern has another number of clues.
    #[error("the pattern has {clues} clues, but {asked} are asked for")]
    OtherNumber {
        /// Its number.
        clues: usize,
        /// The number asked for.
        asked: ClueRange,
    },
    /// Two lines of the pattern that may change places have no clues.
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
    /// Only 9x9 puzzles have an ER.
    #[error("{0} puzzles have no rating, only 9x9 puzzles have")]
    NotRated(Order),
    /// None came up.
    #[error("{tries} random grids gave no {wish}")]
    OutOfReach {
        /// What was asked for.
        wish: Box<Wish>,
        /// How many grids were tried.
        tries: u32,
    },
    /// All that came up were known.
    #[error("{puzzles} puzzles in a row were isomorphs of others")]
    OnlyRepeats {
        /// How many.
        puzzles: u64,
    },
    /// Isomorphs are recognised in 9x9 only.
    #[error("isomorphs are recognised among 9x9 puzzles only, not among {0} ones")]
    NoClasses(Order),
}

/// The fewest clues of a unique puzzle: proved up to 9x9 ("There is no 16-Clue Sudoku", Experimental Mathematics 23,
/// 2014), the fewest known above.
fn fewest_clues(order: Order) -> usize {
    match order {
        Order::Two => 4,
        Order::Three => 17,
        Order::Four => 55,
        Order::Five => 151,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(shape: Shape, target: Target) -> Wish {
        Wish { shape, ..Wish::new(Order::Three, target) }
    }

    #[test]
    fn ranges_and_patterns_are_read() {
        assert_eq!("24..28".parse(), Ok(ClueRange { fewest: 24, most: 28 }));
        assert_eq!("30".parse(), Ok(ClueRange { fewest: 30, most: 30 }));
        for wrong in ["", "28..24", "24..", "a..b", "-1"] {
            assert!(wrong.parse::<ClueRange>().is_err(), "{wrong}");
        }
        let boxed = "x.|.#\n3_|0A\n--+--\n..|..\nX.|.*\n";
        let pattern: Pattern = boxed.parse().unwrap();
        assert_eq!(pattern.cells().collect::<Vec<_>>(), [0, 3, 4, 7, 12, 15]);
        assert_eq!("x..".parse::<Pattern>(), Err(PatternError::NotAGrid(3)));
        assert_eq!("x?".parse::<Pattern>(), Err(PatternError::UnknownCharacter('?')));
    }

    #[test]
    fn wishes_that_cannot_be_granted_are_refused() {
        let error = |shape, target| wish(shape, target).check().unwrap_err().to_string();
        let range = |fewest, most| ClueRange { fewest, most };
        let rot90 = || Shape::Symmetric(Symmetry::Rot90);
        assert_eq!(error(rot90(), Target::Clues(26)), "no pattern with rot90 symmetry has 26 clues");
        assert_eq!(error(rot90(), Target::Range(range(26, 27))), "no pattern with rot90 symmetry has 26 to 27 clues");
        assert_eq!(wish(rot90(), Target::Range(range(20, 26))).check(), Ok(()));
        assert_eq!(wish(rot90(), Target::Range(range(0, 26))).floors(), [17, 20, 21, 24, 25]);
        let pattern = |text: String| Shape::Pattern(text.parse().unwrap());
        assert!(error(pattern("x".repeat(16) + &".".repeat(65)), Target::Fewest).contains("has 16 clues"));
        let blank_columns = "...xxxxxx".repeat(9);
        assert!(error(pattern(blank_columns), Target::Fewest).contains("columns 1 and 2 have no clue"));
        let blank_rows = "x".repeat(54) + &".".repeat(9) + "x........" + &".".repeat(9);
        assert!(error(pattern(blank_rows), Target::Fewest).contains("rows 7 and 9 have no clue"));
    }

    #[test]
    fn wishes_are_named() {
        let range = ClueRange { fewest: 24, most: 28 };
        assert_eq!(wish(Shape::Any, Target::Clues(18)).to_string(), "9x9 puzzle with 18 clues");
        assert_eq!(
            wish(Shape::Symmetric(Symmetry::Full), Target::MinimalRange(range)).to_string(),
            "minimal 9x9 puzzle with full symmetry and 24 to 28 clues"
        );
        let er = "3.0..4.5".parse().ok();
        let rated = |shape| Wish { er, ..wish(shape, Target::Clues(18)) }.to_string();
        assert_eq!(rated(Shape::Any), "9x9 puzzle with 18 clues and an ER of 3.0..4.5");
        assert_eq!(
            rated(Shape::Pattern("x".repeat(81).parse().unwrap())),
            "9x9 puzzle with this pattern of clues and an ER of 3.0..4.5"
        );
    }
}
