//! The number of clues that puzzles to generate have.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::jobs::parse_count;

/// How many clues are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Exactly so many are left.
    Clues(usize),
    /// As many are left as a number that is drawn from the range for each grid. If more clues are needed, more are
    /// left, up to the end of the range.
    Range(ClueRange),
    /// Every clue that is left is needed: without any one of them there are more solutions.
    Minimal,
    /// Every clue that is left is needed, and their number is in a range.
    MinimalRange(ClueRange),
    /// As many as possible are removed: every orbit of a symmetry is needed. With clues anywhere, that is
    /// [`Minimal`](Target::Minimal).
    Fewest,
}

impl Target {
    /// What is asked for by a range of clues and by the wish for minimal puzzles. Without either, puzzles are minimal, and
    /// those whose clues have a shape have as few clues as that allows.
    #[doc(hidden)]
    pub fn of(clues: Option<ClueRange>, minimal: bool, is_shaped: bool) -> Target {
        match (clues, minimal) {
            (Some(clues), true) => Target::MinimalRange(clues),
            (Some(ClueRange { fewest, most }), false) if fewest == most => Target::Clues(most),
            (Some(clues), false) => Target::Range(clues),
            (None, false) if is_shaped => Target::Fewest,
            (None, _) => Target::Minimal,
        }
    }
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

/// Why a text is not a [`ClueRange`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseClueRangeError {
    /// It is not a number, and not two.
    #[error("neither a number, as in 24, nor two, as in 24..28")]
    NotNumbers,
    /// The upper end is below the lower one.
    #[error("the first number must not be the larger one")]
    Empty,
}

/// Reads `24..28`; a number alone is both ends.
impl FromStr for ClueRange {
    type Err = ParseClueRangeError;

    fn from_str(text: &str) -> Result<ClueRange, ParseClueRangeError> {
        let (fewest, most) = text.split_once("..").unwrap_or((text, text));
        let number = |text| parse_count(text).and_then(|clues| usize::try_from(clues).ok());
        match (number(fewest), number(most)) {
            (Some(fewest), Some(most)) if fewest <= most => Ok(ClueRange { fewest, most }),
            (Some(_), Some(_)) => Err(ParseClueRangeError::Empty),
            _ => Err(ParseClueRangeError::NotNumbers),
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
