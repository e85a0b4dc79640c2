//! Names of techniques or of all their variants, to select puzzles by the techniques that they need.

use std::fmt;
use std::str::FromStr;

use super::step::Difficulty;
use super::technique::{Technique, unknown};
use crate::options::ParseError;

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

/// Techniques that are parts of a technique and not told from the rest of it.
const KINDS: [(&str, &str); 4] = [
    ("fullhouse", "Hidden Single"),
    ("lastdigit", "Hidden Single"),
    ("skyscraper", "Turbot Fish"),
    ("2stringkite", "Turbot Fish"),
];

/// The name of a technique, or of all its variants: `X-Wing`, `Unique Rectangle type 1`, `Unique Rectangle`.
///
/// Case, hyphens and spaces do not matter. Names of HoDoKu are read, too, if they mean the same technique.
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
    name: String,
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
        f.pad(&self.name)
    }
}

impl FromStr for TechniqueName {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<TechniqueName, ParseError> {
        let plain = |name: &str| name.to_lowercase().replace(['-', ' '], "");
        let wanted = plain(text);
        if let Some((_, wider)) = KINDS.iter().find(|(kind, _)| *kind == wanted) {
            return Err(ParseError::new(format!("'{text}' is a kind of {wider}, and cannot be told from other kinds")));
        }
        let wanted = ALIASES.iter().find(|(alias, _)| *alias == wanted).map_or(wanted, |(_, name)| plain(name));

        // A technique without variants has the name of its family.
        if let Some(name) = TechniqueName::families().into_iter().find(|family| plain(family) == wanted) {
            let techniques = Technique::all().filter(|technique| technique.family() == name).collect();
            return Ok(TechniqueName { name: name.to_owned(), techniques });
        }
        let technique = Technique::all().find(|technique| plain(technique.name()) == wanted);
        let technique = technique.ok_or_else(|| unknown(text))?;
        Ok(TechniqueName { name: technique.to_string(), techniques: vec![technique] })
    }
}

as_text!(TechniqueName);

#[cfg(test)]
mod tests {
    use super::*;

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
        for (alias, name) in [("xwing", "X-Wing"), ("Y-Wing", "XY-Wing")] {
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
