//! Names for ranges of difficulty that players and publishers use.

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use super::step::Difficulty;
use crate::options::ParseError;

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
#[strum(serialize_all = "lowercase", parse_err_ty = ParseError, parse_err_fn = unknown)]
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
