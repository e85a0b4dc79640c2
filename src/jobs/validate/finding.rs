//! Findings: all faults that a record can have, and the choice of those that make a validation fail.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray, VariantNames};

use super::AskedChecks;
use crate::lookup::LeakKind;
use crate::options::{OptionError, ParseError};
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
    /// an answer that is not a solution.
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
    /// The record has no finding.
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

/// The name for alarms in [`ValidateReport::failed_on`](super::ValidateReport::failed_on).
pub(crate) const AUDIT: &str = "audit";

/// The name for [`ValidateReport::unread`](super::ValidateReport::unread) there.
pub(super) const UNREAD: &str = "unread";

/// The findings, and perhaps the alarms of an audit, that make a validation fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailOn {
    pub(super) findings: Findings,
    pub(super) alarms: bool,
}

impl FailOn {
    /// All findings except clues that are not needed and repetitions.
    pub fn usual() -> FailOn {
        let other = [Finding::NotMinimal, Finding::Duplicate, Finding::Isomorph];
        let findings = Finding::ALL.iter().copied().filter(|finding| !other.contains(finding)).collect();
        FailOn { findings, alarms: false }
    }

    /// The names of findings, of all leaks, of alarms, and of everything.
    pub fn names() -> impl Iterator<Item = &'static str> {
        Finding::ALL.iter().map(<&str>::from).chain(["leak", AUDIT, "all"])
    }

    /// The findings with these names. `is_compared` tells whether leaks are looked for.
    ///
    /// # Errors
    ///
    /// If a name is not known, or such findings are not looked for.
    #[doc(hidden)]
    pub fn named(names: &[String], asked: &AskedChecks, is_compared: bool) -> Result<FailOn, OptionError> {
        let mut fail_on = FailOn::default();
        for name in names {
            let single = || Finding::ALL.chunks(1).find(|finding| <&str>::from(finding[0]) == name);
            let findings: &[Finding] = match &**name {
                "all" => Finding::ALL,
                "leak" => &Finding::LEAKS,
                AUDIT => &[],
                _ => single().ok_or_else(|| {
                    OptionError::new(format!("`fail-on`: {}", ParseError::unknown("finding", name, FailOn::names())))
                })?,
            };
            let (option, is_looked_for) = match (&**name, findings.first()) {
                (AUDIT, _) => ("audit", asked.audit),
                (_, Some(Finding::NotMinimal)) => ("minimal", asked.minimal),
                (_, Some(Finding::WrongRating | Finding::UnreadableRating)) => {
                    ("rating-column", asked.rating_column.is_some())
                }
                (_, Some(Finding::LeakExact | Finding::LeakIsomorph | Finding::LeakSolution)) => {
                    ("against", is_compared)
                }
                (_, Some(Finding::Duplicate)) => ("duplicates", asked.duplicates),
                (_, Some(Finding::Isomorph)) => ("isomorphs", asked.isomorphs),
                _ => ("", true),
            };
            if !is_looked_for {
                return Err(OptionError::new(format!("`fail-on` {name} needs `{option}`")));
            }

            fail_on.alarms |= asked.audit && ["all", AUDIT].contains(&&**name);
            for &finding in findings {
                fail_on.findings.insert(finding);
            }
        }
        // A rating that cannot be compared must not pass.
        if fail_on.findings.contains(Finding::WrongRating) {
            fail_on.findings.insert(Finding::UnreadableRating);
        }
        Ok(fail_on)
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
