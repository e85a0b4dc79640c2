//! How many clues the puzzles to generate have.

use std::fmt;
use std::str::FromStr;

use crate::jobs::parse_count;

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
        let number = |text| parse_count(text).and_then(|clues| usize::try_from(clues).ok());
        match (number(fewest), number(most)) {
            (Some(fewest), Some(most)) if fewest <= most => Ok(ClueRange { fewest, most }),
            (Some(_), Some(_)) => Err("the first number must not be the larger one"),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!("24..28".parse(), Ok(ClueRange { fewest: 24, most: 28 }));
        assert_eq!("30".parse(), Ok(ClueRange { fewest: 30, most: 30 }));
        assert_eq!("2_4..3e1".parse(), Ok(ClueRange { fewest: 24, most: 30 }));
        for wrong in ["", "28..24", "24..", "a..b", "-1"] {
            assert!(wrong.parse::<ClueRange>().is_err(), "{wrong}");
        }
    }
}
