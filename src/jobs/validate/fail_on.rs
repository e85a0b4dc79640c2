//! The findings and alarms that make a validation fail, by name.

use serde::{Deserialize, Serialize};

use super::AskedChecks;
use super::finding::{Finding, Findings};
use crate::options::{OptionError, ParseError};

/// The name for alarms in [`ValidateReport::failed_on`](super::ValidateReport::failed_on).
pub const AUDIT: &str = "audit";

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
