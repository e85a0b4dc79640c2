//! How hard steps and puzzles are: difficulties, their named levels, and ranges.

use std::fmt;
use std::str::FromStr;

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use super::{Rating, RatingEnd};
use crate::options::ParseError;

/// How hard a step or a puzzle is, in tenths: 7.1 is 71. As JSON it is a text: `"7.1"`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Difficulty(u16);

impl Difficulty {
    /// A difficulty in tenths.
    pub const fn from_tenths(tenths: u16) -> Difficulty {
        Difficulty(tenths)
    }

    /// The difficulty in tenths.
    pub const fn tenths(self) -> u16 {
        self.0
    }
}

/// Prints one digit after the point: `7.1`.
impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// As printed: `7.1`.
impl fmt::Debug for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads a number with one digit after the point that counts: `3`, `7.1`, `7.10`.
impl FromStr for Difficulty {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Difficulty, ParseError> {
        let (ones, tenth) = text.split_once('.').unwrap_or((text, "0"));
        // Zeros at the end change nothing, as in 7.10, but a point needs a digit after it.
        let tenth = match tenth.trim_end_matches('0') {
            "" if !tenth.is_empty() => "0",
            digits => digits,
        };
        let is_number = |digits: &str, most: usize| {
            (1..=most).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let tenths = (is_number(ones, 2) && is_number(tenth, 1))
            .then(|| format!("{ones}{tenth}").parse().ok().filter(|&tenths| tenths <= 200));
        tenths.flatten().map(Difficulty).ok_or_else(|| {
            ParseError::new(format!("'{text}' is not a difficulty: expected a number up to 20.0, such as 7.1"))
        })
    }
}

as_text!(Difficulty);

/// A named range of difficulty. Players use these bounds for ER.
///
/// | level     | ER up to | the hardest step is                              |
/// |-----------|----------|--------------------------------------------------|
/// | easy      | 1.5      | a hidden single                                  |
/// | medium    | 2.8      | locked candidates, or a naked single             |
/// | hard      | 3.4      | a pair or an X-wing                              |
/// | very hard | 5.0      | a larger set or fish, a wing, a unique rectangle |
/// | fiendish  | 7.0      | a BUG, or a short chain                          |
/// | extreme   |          | longer and branching chains                      |
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
    VariantNames,
)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive, parse_err_ty = ParseError, parse_err_fn = unknown)]
pub enum Level {
    /// Up to 1.5.
    Easy,
    /// Up to 2.8.
    Medium,
    /// Up to 3.4.
    Hard,
    /// Up to 5.0.
    #[strum(to_string = "very hard", serialize = "very-hard")]
    VeryHard,
    /// Up to 7.0.
    Fiendish,
    /// Above 7.0, and puzzles that no technique solves.
    Extreme,
}

impl Level {
    /// The names of all levels, in the same order.
    pub const NAMES: &[&str] = <Level as VariantNames>::VARIANTS;

    /// The level of an ER.
    pub fn of(er: Difficulty) -> Level {
        let is_within = |level: &Level| level.most().is_none_or(|most| er <= most);
        <Level as VariantArray>::VARIANTS.iter().copied().find(is_within).expect("the last level has no bound")
    }

    /// The level of all ERs above `bound`, if they share one.
    pub fn above(bound: Difficulty) -> Option<Level> {
        (Level::Fiendish.most() <= Some(bound)).then_some(Level::Extreme)
    }

    /// The highest ER of the level. The last level has no highest ER.
    pub const fn most(self) -> Option<Difficulty> {
        match self {
            Level::Easy => Some(Difficulty::from_tenths(15)),
            Level::Medium => Some(Difficulty::from_tenths(28)),
            Level::Hard => Some(Difficulty::from_tenths(34)),
            Level::VeryHard => Some(Difficulty::from_tenths(50)),
            Level::Fiendish => Some(Difficulty::from_tenths(70)),
            Level::Extreme => None,
        }
    }
}

fn unknown(name: &str) -> ParseError {
    ParseError::unknown("level", name, Level::NAMES)
}

as_text!(Level);

/// A range of ER, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErRange {
    /// The lowest ER.
    pub least: Difficulty,
    /// The highest ER; `None` without a bound.
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
        let below = <Level as VariantArray>::VARIANTS
            .iter()
            .copied()
            .take_while(|&other| other < level)
            .last()
            .and_then(Level::most);
        // Difficulties are whole tenths, so a level begins a tenth above the level before.
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

    #[test]
    fn difficulties_are_read_back() {
        for tenths in 0..=200 {
            let difficulty = Difficulty::from_tenths(tenths);
            assert_eq!(difficulty.to_string().parse(), Ok(difficulty));
            assert_eq!(format!("{difficulty:?}"), difficulty.to_string());
        }
        for text in ["3", "3.0", "3.00", "03"] {
            assert_eq!(text.parse(), Ok(Difficulty::from_tenths(30)));
        }
        assert_eq!("7.100".parse(), Ok(Difficulty::from_tenths(71)));
        for text in ["", ".", "3.", ".5", "1.25", "-1", "+1", "20.1", "200", "1,5", "7.1 "] {
            assert!(text.parse::<Difficulty>().is_err(), "{text}");
        }
    }

    fn level(tenths: u16) -> Level {
        Level::of(Difficulty::from_tenths(tenths))
    }

    #[test]
    fn a_bound_belongs_to_the_level_below() {
        let levels = <Level as VariantArray>::VARIANTS;
        let bounds: Vec<u16> = levels.iter().map(|level| level.most().map_or(200, Difficulty::tenths)).collect();
        assert!(bounds.iter().map(|&bound| level(bound)).eq(levels.iter().copied()));
        let above: Vec<Level> = bounds[..5].iter().map(|bound| level(bound + 1)).collect();
        assert_eq!(above, levels[1..]);
        assert_eq!(level(0), Level::Easy);
        assert_eq!(
            [69, 70, 85].map(|tenths| Level::above(Difficulty::from_tenths(tenths))),
            [None, Some(Level::Extreme), Some(Level::Extreme)]
        );
    }

    #[test]
    fn names_are_read_back() {
        for &level in <Level as VariantArray>::VARIANTS {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!("very-hard".parse(), Ok(Level::VeryHard));
        let error = "harder".parse::<Level>().unwrap_err().to_string();
        assert_eq!(error, "no level is called 'harder'; there are easy, medium, hard, very hard, fiendish, extreme");
    }

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
            for &level in <Level as VariantArray>::VARIANTS {
                assert_eq!(ErRange::from(level).contains(&rating), level == Level::of(er), "{er}");
            }
            let unsolved = Rating { end: RatingEnd::Unsolved, ..rating };
            assert!(!ErRange::from(Level::Extreme).contains(&unsolved));
        }
    }
}
