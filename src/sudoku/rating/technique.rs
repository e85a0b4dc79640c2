//! The techniques that people use to solve puzzles, their least difficulties, and the names by which puzzles are selected.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use strum::{EnumIter, IntoEnumIterator, VariantArray};

use super::difficulty::Difficulty;
use crate::options::ParseError;

/// A technique. It has the name that the reference program gives it; JSON uses the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter)]
#[non_exhaustive]
pub enum Technique {
    /// The last place of a digit in a house: 1.0 if it is the last blank of the house, 1.2 in a box, 1.5 in a line.
    HiddenSingle,
    /// A digit of a box lies in one line; removed from its other cells, it becomes a hidden single: 1.7.
    DirectPointing,
    /// A digit of a line lies in one box; removed from its other cells, it becomes a hidden single: 1.9.
    DirectClaiming,
    /// A hidden pair that leaves a hidden single: 2.0.
    DirectHiddenPair,
    /// The last digit of a cell: 2.3.
    NakedSingle,
    /// A hidden triplet that leaves a hidden single: 2.5.
    DirectHiddenTriplet,
    /// A digit of a box lies in one line: 2.6.
    Pointing,
    /// A digit of a line lies in one box: 2.8.
    Claiming,
    /// Two cells of a house with the same two digits: 3.0.
    NakedPair,
    /// Two lines have a digit in the same two places: 3.2.
    XWing,
    /// Two digits of a house with the same two places: 3.4.
    HiddenPair,
    /// Three cells of a house with three digits: 3.6.
    NakedTriplet,
    /// Three lines have a digit in three places: 3.8.
    Swordfish,
    /// Three digits of a house with three places: 4.0.
    HiddenTriplet,
    /// A pivot with two digits that sees two cells, each with one of the two and a common third digit: 4.2.
    XyWing,
    /// An XY-wing whose first cell also has the third digit: 4.4.
    XyzWing,
    /// A rectangle or loop of two digits, which would have two solutions without some extra candidates: 4.5 and more.
    UniqueLoop {
        /// The kind of deduction from the extra candidates.
        kind: UniquenessKind,
        /// The number of cells of the loop: 4 for a rectangle, or 6, 8 and so on.
        cells: u8,
    },
    /// Four cells of a house with four digits: 5.0.
    NakedQuad,
    /// Four lines have a digit in four places: 5.2.
    Jellyfish,
    /// Four digits of a house with four places: 5.4.
    HiddenQuad,
    /// BUG (bivalue universal grave): apart from some extra candidates, all cells have two candidates and all digits
    /// two places: 5.6 to 6.1.
    Bug(UniquenessKind),
    /// Two cells: a candidate is removed if each of its combinations with the digits of the other cell is excluded:
    /// 6.2.
    AlignedPairExclusion,
    /// A loop of one digit with four cells: 6.5 and more.
    GeneralizedXWing,
    /// A loop of one digit: 6.5 and more.
    XCycle,
    /// A loop of cells with two digits: 6.5 and more.
    YCycle,
    /// A chain of one digit with two strong links: 6.6.
    TurbotFish,
    /// A chain of one digit: 6.6 and more.
    XChain,
    /// A loop: 7.0 and more.
    Cycle,
    /// A chain: 7.0 and more.
    ForcingChain,
    /// Three cells: a candidate is removed if each of its combinations with the digits of the other cells is excluded:
    /// 7.5.
    AlignedTripletExclusion,
    /// A candidate that leads to a contradiction in chains of one digit: 7.5 and more.
    Nishio,
    /// All candidates of a cell lead to the same conclusion: 8.0 and more.
    CellForcingChains,
    /// All places of a digit in a house lead to the same conclusion: 8.0 and more.
    RegionForcingChains,
    /// All candidates of a cell lead to the same conclusion, and a link may need several earlier ones: 8.5 and more.
    DynamicCellForcingChains(Nesting),
    /// All places of a digit in a house lead to the same conclusion: 8.5 and more.
    DynamicRegionForcingChains(Nesting),
    /// A candidate leads to a contradiction: 8.5 and more.
    DynamicContradictionForcingChains(Nesting),
    /// A candidate and its absence lead to the same conclusion: 8.5 and more.
    DynamicDoubleForcingChains(Nesting),
}

/// The use of a pattern that would have two solutions: types 1 to 4 of the literature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray)]
pub enum UniquenessKind {
    /// One cell has extra candidates, and one of these is its digit.
    #[default]
    OneCell = 1,
    /// All extra candidates are the same digit: one of the cells has it.
    OneDigit = 2,
    /// The extra candidates are part of a naked or hidden set.
    Set = 3,
    /// Two cells have extra candidates, and a digit of the pattern is locked in them: they lose the other digit of the
    /// pattern.
    Locked = 4,
}

/// The techniques that a dynamic chain may use in addition to singles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, VariantArray)]
pub enum Nesting {
    /// Nothing: 8.5 and more.
    #[default]
    None,
    /// Locking, pairs and X-wings: 9.0 and more.
    Simple,
    /// Also forcing chains: 9.5 and more.
    ForcingChains,
    /// Also multiple forcing chains: 10.0 and more.
    MultipleForcingChains,
    /// Also dynamic forcing chains: 10.5 and more.
    DynamicForcingChains,
    /// Also dynamic forcing chains, which may use forcing chains in turn: 11.0 and more.
    DynamicForcingChainsPlus,
}

impl Nesting {
    /// The difficulty of the easiest dynamic chain, in tenths.
    const fn least_tenths(self) -> u16 {
        85 + 5 * self as u16
    }
}

/// Prints the same name as the reference program: `Direct Hidden Pair`.
impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.family())?;
        match *self {
            Technique::UniqueLoop { kind, cells: 4 | 6 } | Technique::Bug(kind) => write!(f, " type {}", kind as u8),
            Technique::UniqueLoop { kind, cells } => write!(f, " {cells} type {}", kind as u8),
            Technique::DynamicCellForcingChains(nesting)
            | Technique::DynamicRegionForcingChains(nesting)
            | Technique::DynamicContradictionForcingChains(nesting)
            | Technique::DynamicDoubleForcingChains(nesting) => write!(f, "{nesting}"),
            _ => Ok(()),
        }
    }
}

/// The error for a text that is not the name of a technique.
fn unknown(name: &str) -> ParseError {
    ParseError::new(format!("'{name}' is not the name of a technique; docs/techniques.md has all names"))
}

/// The names of all 215 techniques, as `Display` prints them.
static NAMES: LazyLock<HashMap<Technique, String>> =
    LazyLock::new(|| Technique::all().map(|technique| (technique, technique.to_string())).collect());

/// Reads the printed name.
impl FromStr for Technique {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Technique, ParseError> {
        let found = NAMES.iter().find(|(_, name)| *name == text);
        found.map(|(technique, _)| *technique).ok_or_else(|| unknown(text))
    }
}

impl Technique {
    /// The name without its variant, and the difficulty of the easiest step in tenths, on the scale of Sudoku Explainer.
    const fn facts(self) -> (&'static str, u16) {
        match self {
            Technique::HiddenSingle => ("Hidden Single", 10),
            Technique::DirectPointing => ("Direct Pointing", 17),
            Technique::DirectClaiming => ("Direct Claiming", 19),
            Technique::DirectHiddenPair => ("Direct Hidden Pair", 20),
            Technique::NakedSingle => ("Naked Single", 23),
            Technique::DirectHiddenTriplet => ("Direct Hidden Triplet", 25),
            Technique::Pointing => ("Pointing", 26),
            Technique::Claiming => ("Claiming", 28),
            Technique::NakedPair => ("Naked Pair", 30),
            Technique::XWing => ("X-Wing", 32),
            Technique::HiddenPair => ("Hidden Pair", 34),
            Technique::NakedTriplet => ("Naked Triplet", 36),
            Technique::Swordfish => ("Swordfish", 38),
            Technique::HiddenTriplet => ("Hidden Triplet", 40),
            Technique::XyWing => ("XY-Wing", 42),
            Technique::XyzWing => ("XYZ-Wing", 44),
            Technique::UniqueLoop { cells: 4, .. } => ("Unique Rectangle", 45),
            Technique::UniqueLoop { .. } => ("Unique Loop", 45),
            Technique::NakedQuad => ("Naked Quad", 50),
            Technique::Jellyfish => ("Jellyfish", 52),
            Technique::HiddenQuad => ("Hidden Quad", 54),
            Technique::Bug(_) => ("BUG", 56),
            Technique::AlignedPairExclusion => ("Aligned Pair Exclusion", 62),
            Technique::GeneralizedXWing => ("Generalized X-Wing", 65),
            Technique::XCycle => ("Bidirectional X-Cycle", 65),
            Technique::YCycle => ("Bidirectional Y-Cycle", 65),
            Technique::TurbotFish => ("Turbot Fish", 66),
            Technique::XChain => ("Forcing X-Chain", 66),
            Technique::Cycle => ("Bidirectional Cycle", 70),
            Technique::ForcingChain => ("Forcing Chain", 70),
            Technique::AlignedTripletExclusion => ("Aligned Triplet Exclusion", 75),
            Technique::Nishio => ("Nishio Forcing Chains", 75),
            Technique::CellForcingChains => ("Cell Forcing Chains", 80),
            Technique::RegionForcingChains => ("Region Forcing Chains", 80),
            Technique::DynamicCellForcingChains(nesting) => ("Dynamic Cell Forcing Chains", nesting.least_tenths()),
            Technique::DynamicRegionForcingChains(nesting) => ("Dynamic Region Forcing Chains", nesting.least_tenths()),
            Technique::DynamicContradictionForcingChains(nesting) => {
                ("Dynamic Contradiction Forcing Chains", nesting.least_tenths())
            }
            Technique::DynamicDoubleForcingChains(nesting) => ("Dynamic Double Forcing Chains", nesting.least_tenths()),
        }
    }

    /// The name without its variant: `Unique Rectangle` for all its types.
    pub fn family(self) -> &'static str {
        self.facts().0
    }

    /// The printed name.
    pub(crate) fn name(self) -> &'static str {
        NAMES.get(&self).map_or(self.family(), |name| name)
    }

    /// The difficulty of the technique's easiest step, in tenths.
    pub(super) const fn least_tenths(self) -> u16 {
        self.facts().1
    }

    /// The same in floating point, as the reference program adds the extra difficulty of a step in floating point.
    pub(super) fn least_difficulty(self) -> f64 {
        f64::from(self.least_tenths()) / 10.0
    }

    /// Every technique, with loops of every length that fits into 81 cells. The easiest come first, and the variants of
    /// a family together.
    pub(crate) fn all() -> impl Iterator<Item = Technique> {
        Technique::iter().flat_map(Technique::variants)
    }

    /// All variants of a technique.
    fn variants(self) -> Vec<Technique> {
        let kinds = || UniquenessKind::VARIANTS.iter().copied();
        let nested = |technique: fn(Nesting) -> Technique| Nesting::VARIANTS.iter().copied().map(technique).collect();
        match self {
            Technique::UniqueLoop { .. } => {
                let of_length = |cells| kinds().map(move |kind| Technique::UniqueLoop { kind, cells });
                (4..=80).step_by(2).flat_map(of_length).collect()
            }
            Technique::Bug(_) => kinds().map(Technique::Bug).collect(),
            Technique::DynamicCellForcingChains(_) => nested(Technique::DynamicCellForcingChains),
            Technique::DynamicRegionForcingChains(_) => nested(Technique::DynamicRegionForcingChains),
            Technique::DynamicContradictionForcingChains(_) => nested(Technique::DynamicContradictionForcingChains),
            Technique::DynamicDoubleForcingChains(_) => nested(Technique::DynamicDoubleForcingChains),
            technique => vec![technique],
        }
    }
}

as_text!(Technique);

/// Prints the end of a technique's name: nothing, or ` (+ Forcing Chains)`.
impl fmt::Display for Nesting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Nesting::None => "",
            Nesting::Simple => " (+)",
            Nesting::ForcingChains => " (+ Forcing Chains)",
            Nesting::MultipleForcingChains => " (+ Multiple Forcing Chains)",
            Nesting::DynamicForcingChains => " (+ Dynamic Forcing Chains)",
            Nesting::DynamicForcingChainsPlus => " (+ Dynamic Forcing Chains (+ Forcing Chains))",
        })
    }
}

/// Other names of the literature and of HoDoKu, without spaces and hyphens.
const ALIASES: [(&str, &str); 8] = [
    ("nakedtriple", "Naked Triplet"),
    ("hiddentriple", "Hidden Triplet"),
    ("nakedquadruple", "Naked Quad"),
    ("hiddenquadruple", "Hidden Quad"),
    ("lockedcandidatestype1", "Pointing"),
    ("lockedcandidatestype2", "Claiming"),
    ("boxlinereduction", "Claiming"),
    ("ywing", "XY-Wing"),
];

/// Names for a part of a technique. The rater does not tell the part from the whole.
const KINDS: [(&str, &str); 6] = [
    ("fullhouse", "Hidden Single"),
    ("lastdigit", "Hidden Single"),
    ("skyscraper", "Turbot Fish"),
    ("2stringkite", "Turbot Fish"),
    ("simplecolour", "Forcing X-Chain"),
    ("simplecolouring", "Forcing X-Chain"),
];

/// The name of a technique, or of all its variants: `X-Wing`, `Unique Rectangle type 1`, `Unique Rectangle`.
///
/// Case, hyphens, spaces and a plural do not matter. Names of HoDoKu are read, too, if they mean the same technique.
///
/// ```
/// use gridmill::rating::{Technique, TechniqueName};
///
/// let name: TechniqueName = "x-wing".parse()?;
/// assert!(name.includes(Technique::XWing));
/// assert_eq!(name.to_string(), "X-Wing");
/// # Ok::<(), gridmill::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TechniqueName {
    name: &'static str,
    techniques: Vec<Technique>,
}

impl TechniqueName {
    /// Whether it names this technique, or all variants of it.
    pub fn includes(&self, technique: Technique) -> bool {
        self.techniques.contains(&technique)
    }

    /// The difficulty of the easiest step of these techniques.
    pub fn least(&self) -> Difficulty {
        let least = self.techniques.iter().map(|technique| technique.least_tenths()).min();
        Difficulty::from_tenths(least.expect("a name has a technique"))
    }

    /// The names without variants, the easiest techniques first.
    pub fn families() -> Vec<&'static str> {
        let mut names: Vec<&str> = Technique::all().map(Technique::family).collect();
        names.dedup();
        names
    }
}

/// Prints the name as the technique prints it: `X-Wing`.
impl fmt::Display for TechniqueName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

impl FromStr for TechniqueName {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<TechniqueName, ParseError> {
        let plain = |name: &str| name.to_lowercase().replace(['-', ' '], "").trim_end_matches('s').to_owned();
        let wanted = plain(text);
        if let Some((_, wider)) = KINDS.iter().find(|(kind, _)| *kind == wanted) {
            return Err(ParseError::new(format!("'{text}' is a kind of {wider}, and cannot be told from other kinds")));
        }
        let wanted = ALIASES.iter().find(|(alias, _)| *alias == wanted).map_or(wanted, |(_, name)| plain(name));

        // A technique without variants has the name of its family.
        if let Some(name) = TechniqueName::families().into_iter().find(|family| plain(family) == wanted) {
            let techniques = Technique::all().filter(|technique| technique.family() == name).collect();
            return Ok(TechniqueName { name, techniques });
        }
        let technique = Technique::all().find(|technique| plain(technique.name()) == wanted);
        let technique = technique.ok_or_else(|| unknown(text))?;
        Ok(TechniqueName { name: technique.name(), techniques: vec![technique] })
    }
}

as_text!(TechniqueName);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for technique in Technique::all() {
            assert_eq!(technique.to_string().parse(), Ok(technique));
            assert_eq!(technique.name(), technique.to_string());
        }
        assert_eq!("Unique Loop 8 type 3".parse(), Ok(Technique::UniqueLoop { kind: UniquenessKind::Set, cells: 8 }));
        assert_eq!("X Wing".parse::<Technique>().unwrap_err(), unknown("X Wing"));
    }

    #[test]
    fn names_of_families_and_of_variants_are_read() {
        for technique in Technique::all() {
            let [own, family]: [TechniqueName; 2] =
                [technique.to_string(), technique.family().replace(' ', "-").to_uppercase()]
                    .map(|name| name.parse().unwrap());
            assert!(own.includes(technique) && family.includes(technique), "{technique}");
            assert_eq!((own.to_string(), family.to_string()), (technique.to_string(), technique.family().to_owned()));
        }
        let rectangle: TechniqueName = "unique-rectangle".parse().unwrap();
        assert_eq!((rectangle.techniques.len(), rectangle.least().tenths()), (4, 45));
        assert!("wing".parse::<TechniqueName>().is_err());
        for (alias, name) in [("xwing", "X-Wing"), ("naked-pairs", "Naked Pair"), ("Y-Wing", "XY-Wing")] {
            assert_eq!(alias.parse::<TechniqueName>().unwrap().to_string(), name);
        }
        let error = "2-String Kite".parse::<TechniqueName>().unwrap_err().to_string();
        assert_eq!(error, "'2-String Kite' is a kind of Turbot Fish, and cannot be told from other kinds");
        assert!(ALIASES.iter().all(|(alias, name)| alias.parse::<TechniqueName>().unwrap().to_string() == *name));
    }

    #[test]
    fn families_are_in_the_order_of_difficulty() {
        let families = TechniqueName::families();
        assert_eq!((families.len(), families[0]), (38, "Hidden Single"));
        let least: Vec<Difficulty> =
            families.iter().map(|name| name.parse::<TechniqueName>().unwrap().least()).collect();
        assert!(least.is_sorted());
    }
}
