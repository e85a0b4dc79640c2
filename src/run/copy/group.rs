//! Groups of records: the property that their records share, and the reasons why a record belongs to no group.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use strum::{Display, IntoStaticStr, VariantArray};

use crate::canon::{CanonicalForm, Canonicaliser, Key};
use crate::engine::solver::Answer;

/// The property that the records of a group share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum GroupBy {
    /// The puzzle, of any size.
    Puzzle,
    /// The class of the puzzle: the puzzles are isomorphs.
    #[default]
    Class,
    /// The class of the solution: the solutions are isomorphs.
    Solution,
}

impl GroupBy {
    /// The key of a puzzle's group. The solutions of the puzzle must be counted up to two.
    pub(crate) fn key(self, answer: &Answer<'_>, canonicaliser: &mut Canonicaliser) -> Result<Key, NoKey> {
        let form = CanonicalForm::find(answer.puzzle, answer.known_solutions(), answer.grids, canonicaliser);
        let class = if self == GroupBy::Solution { form.solution_class() } else { form.class() };
        class.map(Key::from).ok_or(match form {
            CanonicalForm::Unique(_) | CanonicalForm::Clues(_) => NoKey::NotUnique,
            CanonicalForm::Undecided => NoKey::Undecided,
            CanonicalForm::OutOfBound(_) => NoKey::OutOfBound,
            CanonicalForm::OtherSize => NoKey::OtherSize,
        })
    }
}

/// The reason why a record belongs to no group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum NoKey {
    /// It is not a puzzle.
    Malformed,
    /// It is not 4x4, 6x6 or 9x9, so it has no class.
    #[strum(serialize = "not 4x4, 6x6 or 9x9")]
    OtherSize,
    /// It does not have exactly one solution, so its solution has no class.
    #[strum(serialize = "without exactly one solution")]
    NotUnique,
    /// The number of its solutions is unknown.
    Undecided,
    /// The search for its canonical form reached the work bound.
    #[strum(serialize = "beyond the work bound")]
    OutOfBound,
}

/// The number of records in no group, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoKeyCounts([u64; NoKey::VARIANTS.len()]);

impl NoKeyCounts {
    /// Counts a record.
    pub(crate) fn count(&mut self, reason: NoKey) {
        self.0[reason as usize] += 1;
    }

    /// The number of all these records.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The reasons that occurred, with the number of records for each.
    pub fn iter(&self) -> impl Iterator<Item = (NoKey, u64)> {
        NoKey::VARIANTS.iter().copied().zip(self.0).filter(|&(_, count)| count > 0)
    }
}

/// Serializes as a map from the names of the reasons that occurred.
impl Serialize for NoKeyCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (reason, count) in self.iter() {
            map.serialize_entry(<&str>::from(reason), &count)?;
        }
        map.end()
    }
}
