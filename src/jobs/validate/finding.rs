//! Findings: all faults that a record can have.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

use crate::lookup::LeakKind;
use crate::stats::Category;

/// A fault of a record. The verdict on a record is its first finding in this order.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    Display,
    IntoStaticStr,
    VariantArray,
    VariantNames,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Finding {
    /// It is not a puzzle.
    Malformed,
    /// A house has two equal clues.
    Conflict,
    /// It has no solution, although no two clues conflict.
    None,
    /// It has several solutions.
    Multiple,
    /// A search gave up: it is unknown how many solutions it has, or whether a clue is needed.
    Undecided,
    /// The answer is not a full grid of the puzzle's size, or changes a clue. If the puzzle has several solutions, also
    /// an answer that is not one of them.
    BadAnswer,
    /// The answer is a full grid that keeps the clues, but not the solution.
    WrongAnswer,
    /// The rating in its record differs from its ER, or from its ER, EP and ED.
    WrongRating,
    /// The rating in its record cannot be read, so it was not compared.
    UnreadableRating,
    /// The other corpus has the same puzzle.
    LeakExact,
    /// The other corpus has an isomorph of it.
    LeakIsomorph,
    /// The other corpus has a puzzle with an isomorph of its solution.
    LeakSolution,
    /// It has one solution, and would still have only one without one of its clues.
    NotMinimal,
    /// An earlier record is the same puzzle.
    Duplicate,
    /// An earlier record is an isomorph of it.
    Isomorph,
}

impl Finding {
    /// Every finding, in order.
    pub const ALL: &[Finding] = <Finding as VariantArray>::VARIANTS;

    /// The leaks into another corpus, strongest first.
    pub const LEAKS: [Finding; 3] = [Finding::LeakExact, Finding::LeakIsomorph, Finding::LeakSolution];

    /// The fault in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Finding::Malformed => "not a puzzle",
            Finding::Conflict => "two equal clues in a row, column or box",
            Finding::None => "no solution",
            Finding::Multiple => "several solutions",
            Finding::Undecided => "the search gave up at the limit of branches",
            Finding::BadAnswer => "the answer is missing or not full, or changes a clue",
            Finding::WrongAnswer => "the answer is not the solution",
            Finding::WrongRating => "the rating is not the ER",
            Finding::UnreadableRating => "the rating cannot be read",
            Finding::LeakExact => "the puzzle is in the other corpus",
            Finding::LeakIsomorph => "an isomorph is in the other corpus",
            Finding::LeakSolution => "an isomorph of the solution is in the other corpus",
            Finding::NotMinimal => "a clue is not needed",
            Finding::Duplicate => "the same puzzle as an earlier one",
            Finding::Isomorph => "an isomorph of an earlier puzzle",
        }
    }

    /// The finding for a leak.
    pub(super) const fn of_leak(kind: LeakKind) -> Finding {
        match kind {
            LeakKind::Exact => Finding::LeakExact,
            LeakKind::Isomorph => Finding::LeakIsomorph,
            LeakKind::Solution => Finding::LeakSolution,
        }
    }
}

impl Category for Finding {
    fn index(self) -> usize {
        self as usize
    }
}

/// The verdict on a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum RecordVerdict {
    /// There are no findings.
    Sound,
    /// The first finding.
    #[strum(transparent)]
    Finding(Finding),
}

impl RecordVerdict {
    /// The names of all verdicts, in order.
    pub(super) const NAMES: [&str; RecordVerdict::ALL.len()] = {
        let mut names = ["sound"; RecordVerdict::ALL.len()];
        let (_, findings) = names.split_at_mut(1);
        findings.copy_from_slice(<Finding as VariantNames>::VARIANTS);
        names
    };

    /// Every verdict, in order.
    pub const ALL: [RecordVerdict; 1 + Finding::ALL.len()] = {
        let mut all = [RecordVerdict::Sound; 1 + Finding::ALL.len()];
        let mut index = 0;
        while index < Finding::ALL.len() {
            all[1 + index] = RecordVerdict::Finding(Finding::ALL[index]);
            index += 1;
        }
        all
    };

    /// Its index in [`RecordVerdict::ALL`].
    pub(super) const fn number(self) -> usize {
        match self {
            RecordVerdict::Sound => 0,
            RecordVerdict::Finding(finding) => 1 + finding as usize,
        }
    }
}

impl VariantArray for RecordVerdict {
    const VARIANTS: &'static [RecordVerdict] = &RecordVerdict::ALL;
}

impl Category for RecordVerdict {
    fn index(self) -> usize {
        self.number()
    }
}

/// A set of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings(u16);

impl Findings {
    /// Adds a finding.
    pub fn insert(&mut self, finding: Finding) {
        self.0 |= 1 << finding as u16;
    }

    /// Whether a finding is in the set.
    pub fn contains(self, finding: Finding) -> bool {
        self.0 & 1 << finding as u16 != 0
    }

    /// Whether the record is sound.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set as a number; the inverse of [`Findings::from_bits`].
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    pub(super) fn from_bits(bits: u16) -> Findings {
        Findings(bits)
    }

    /// The findings, in order.
    pub fn iter(self) -> impl Iterator<Item = Finding> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = *Finding::ALL.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(first)
        })
    }

    /// The verdict on a record with these findings.
    pub fn verdict(self) -> RecordVerdict {
        self.iter().next().map_or(RecordVerdict::Sound, RecordVerdict::Finding)
    }
}

/// The names of the findings in order, joined by `;`: empty for a sound record.
impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.iter().enumerate() {
            let gap = if index > 0 { ";" } else { "" };
            write!(f, "{gap}{finding}")?;
        }
        Ok(())
    }
}

impl FromIterator<Finding> for Findings {
    fn from_iter<I: IntoIterator<Item = Finding>>(findings: I) -> Findings {
        let mut set = Findings::default();
        findings.into_iter().for_each(|finding| set.insert(finding));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_verdict_is_the_first_finding() {
        assert!(Finding::ALL.is_sorted());
        let mut findings = Findings::default();
        assert_eq!((findings.verdict(), findings.is_empty()), (RecordVerdict::Sound, true));
        for finding in Finding::ALL.iter().copied().rev() {
            assert!(!findings.contains(finding));
            findings.insert(finding);
            assert_eq!(findings.verdict(), RecordVerdict::Finding(finding));
        }
        assert!(findings.iter().eq(Finding::ALL.iter().copied()));
        assert_eq!(Findings::from_bits(findings.bits()), findings);
        assert_eq!(Finding::ALL.iter().copied().collect::<Findings>(), findings);
    }

    #[test]
    fn every_value_has_a_count_of_its_own() {
        fn check<C: Category>() {
            assert!(C::VARIANTS.iter().map(|value| value.index()).eq(0..C::VARIANTS.len()));
        }
        check::<Finding>();
        check::<RecordVerdict>();
    }

    #[test]
    fn names_are_printed_in_order() {
        assert_eq!(Findings::default().to_string(), "");
        let two = Findings::from_iter([Finding::NotMinimal, Finding::LeakSolution]);
        assert_eq!(two.to_string(), "leak-solution;not-minimal");
    }
}
