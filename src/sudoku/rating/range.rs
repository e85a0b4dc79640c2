//! A range of ER, to select puzzles by difficulty.

use std::fmt;
use std::str::FromStr;

use strum::VariantArray;

use super::level::Level;
use super::step::Difficulty;
use super::{Rating, RatingEnd};
use crate::options::ParseError;

/// A range of ER, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErRange {
    /// The lowest ER.
    pub least: Difficulty,
    /// The highest ER, if there is one.
    pub most: Option<Difficulty>,
}

impl ErRange {
    /// All ERs up to `most`.
    pub fn up_to(most: Difficulty) -> ErRange {
        ErRange { least: Difficulty::default(), most: Some(most) }
    }

    /// Whether known techniques solve the puzzle with this rating, and its ER is in the range.
    pub fn contains(self, rating: &Rating) -> bool {
        let is_within = self.most.is_none_or(|most| rating.er <= most);
        rating.end == RatingEnd::Solved && self.least <= rating.er && is_within
    }
}

/// The ER of a level.
impl From<Level> for ErRange {
    fn from(level: Level) -> ErRange {
        let below = Level::VARIANTS.iter().copied().take_while(|&other| other < level).last().and_then(Level::most);
        // Difficulties are whole tenths, so there is nothing between two levels.
        let least = below.map_or(Difficulty::default(), |below| Difficulty::from_tenths(below.tenths() + 1));
        ErRange { least, most: level.most() }
    }
}

/// Prints `3.0..4.5`, or `7.1..` without an upper end.
impl fmt::Display for ErRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..", self.least)?;
        self.most.map_or(Ok(()), |most| write!(f, "{most}"))
    }
}

/// Reads `3.0..4.5`. An end may be missing; a single number is both ends.
impl FromStr for ErRange {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<ErRange, ParseError> {
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        let error = |error: ParseError| ParseError::new(format!("{error}, or two, as in 3.0..4.5"));
        let end = |text: &str| text.parse().map_err(error);
        let range = ErRange {
            // Without any number, as in "..", the lower end is an error.
            least: if least.is_empty() && !most.is_empty() { Difficulty::default() } else { end(least)? },
            most: if most.is_empty() { None } else { Some(end(most)?) },
        };
        match range.most {
            Some(most) if most < range.least => Err(ParseError::new(format!("the range {range} is empty"))),
            _ => Ok(range),
        }
    }
}

as_text!(ErRange);

#[cfg(test)]
mod tests {
    use super::*;

    fn range(least: u16, most: Option<u16>) -> ErRange {
        ErRange { least: Difficulty::from_tenths(least), most: most.map(Difficulty::from_tenths) }
    }

    #[test]
    fn ranges_are_read() {
        for (text, least, most) in
            [("3.0..4.5", 30, Some(45)), ("7.1..", 71, None), ("..2", 0, Some(20)), ("4.5", 45, Some(45))]
        {
            assert_eq!(text.parse(), Ok(range(least, most)));
        }
        assert_eq!(range(30, Some(45)).to_string().parse(), Ok(range(30, Some(45))));
        assert_eq!("3..2".parse::<ErRange>(), Err(ParseError::new("the range 3.0..2.0 is empty")));
        for text in ["", "..", "a", "1..b", "1...2", "1-2"] {
            assert!(text.parse::<ErRange>().unwrap_err().to_string().contains("not a difficulty"), "{text}");
        }
    }

    #[test]
    fn each_difficulty_is_in_the_range_of_its_level_alone() {
        for tenths in 0..200 {
            let er = Difficulty::from_tenths(tenths);
            let rating = Rating { er, ep: er, ed: er, singles_at_once: 0, end: RatingEnd::Solved };
            for &level in Level::VARIANTS {
                assert_eq!(ErRange::from(level).contains(&rating), level == Level::of(er), "{er}");
            }
            let unsolved = Rating { end: RatingEnd::Unsolved, ..rating };
            assert!(!ErRange::from(Level::Extreme).contains(&unsolved));
        }
    }
}
