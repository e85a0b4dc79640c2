//! Groups of records: what the records of a group have in common, and why a record belongs to none.

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
    /// The class of the puzzle: they are isomorphs.
    #[default]
    Class,
    /// The class of the solution: their solutions are isomorphs.
    Solution,
}

impl GroupBy {
    /// The key of the class or of the solution of a puzzle, whose solutions were counted up to two.
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

/// Why a record belongs to no group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum NoKey {
    /// It is not a puzzle.
    Malformed,
    /// It is not 4x4, 6x6 or 9x9, so it has no class.
    #[strum(serialize = "not 4x4, 6x6 or 9x9")]
    OtherSize,
    /// It has no solution or several, so there is no class of its solution.
    #[strum(serialize = "without exactly one solution")]
    NotUnique,
    /// It is not known how many solutions it has.
    Undecided,
    /// Its canonical form takes too much work.
    #[strum(serialize = "beyond the work bound")]
    OutOfBound,
}

/// The number of records that belong to no group, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoKeyCounts([u64; NoKey::VARIANTS.len()]);

impl NoKeyCounts {
    /// Counts a record.
    pub(crate) fn count(&mut self, reason: NoKey) {
        self.0[reason as usize] += 1;
    }

    /// The number of all of them.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The reasons that occurred, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (NoKey, u64)> {
        NoKey::VARIANTS.iter().copied().zip(self.0).filter(|&(_, count)| count > 0)
    }
}

/// A map from the names of the reasons that occurred.
impl Serialize for NoKeyCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (reason, count) in self.iter() {
            map.serialize_entry(<&str>::from(reason), &count)?;
        }
        map.end()
    }
}
