//! The results of an audit.

use std::collections::BTreeMap;

use serde::Serialize;

use super::alarm::{self, Alarm};
use super::counts::AuditCounts;
use super::files::{CorpusKeys, FileOrder, FilePair};
use super::size_audit::SizeAudit;
use crate::jobs::validate::score::Classes;
use crate::rating::{Difficulty, Level};
use crate::stats::Counts;

/// The results of an audit. What could not be computed is `None`: no alarm is raised by it, and none is ruled out.
#[derive(Clone, Debug, Serialize)]
pub struct AuditReport {
    /// What is wrong with the corpus, the gravest first.
    pub alarms: Vec<Alarm>,
    /// The puzzles by their size, smallest first.
    pub sizes: Vec<SizeAudit>,
    /// The classes of solved grids of all sizes.
    pub grids: Classes,
    /// The order of puzzles in each file that has any.
    pub order: Vec<FileOrder>,
    /// What each two of the files share; `None` if there are more than 64, which are not compared.
    pub pairs: Option<Vec<FilePair>>,
    /// The ratings, if [`audit_ratings`](super::super::Validate::audit_ratings) asked for them.
    pub ratings: Option<RatingAudit>,
}

/// The ratings of 9x9 puzzles with one solution.
#[derive(Clone, Debug, Serialize)]
pub struct RatingAudit {
    /// Puzzles by level.
    pub levels: Counts<Level>,
    /// Puzzles by ER.
    pub er: BTreeMap<Difficulty, u64>,
}

impl AuditReport {
    /// Whether there was a puzzle: without one nothing is audited.
    pub fn has_puzzles(&self) -> bool {
        self.sizes.iter().any(|size| size.puzzles > 0)
    }

    /// The results of a run. `rated` says whether puzzles were rated.
    pub(in super::super) fn new(counts: &AuditCounts, keys: CorpusKeys, rated: bool) -> AuditReport {
        let sizes: Vec<SizeAudit> = counts.sizes().map(|(size, counts)| SizeAudit::new(size, counts, &keys)).collect();
        let CorpusKeys { grids, order, pairs, .. } = keys;
        let ratings = rated.then(|| RatingAudit::new(&counts.er));
        let alarms = alarm::raised(&sizes, &order, pairs.as_deref().unwrap_or_default());
        AuditReport { alarms, sizes, grids, order, pairs, ratings }
    }
}

impl RatingAudit {
    fn new(er: &BTreeMap<Difficulty, u64>) -> RatingAudit {
        let mut levels = Counts::default();
        for (&er, puzzles) in er {
            levels[Level::of(er)] += puzzles;
        }
        RatingAudit { levels, er: er.clone() }
    }
}
