//! The audit of a corpus: is it good as a whole, even if each of its records is sound?
//!
//! ```text
//!   worker        AuditCounts    what records show one by one: cells, symmetries, automorphisms
//!   serial stage  KeyIndex       different puzzles and classes, and the files that they are in
//!                 FileOrders     the order of each file
//!   at the end    AuditReport    all of that, compared with a uniform sample (Census), and the Alarms
//! ```

mod alarm;
mod cells;
mod census;
mod counts;
mod files;
mod order;
mod size_audit;

pub(super) use self::alarm::has_many_classes;
pub use self::alarm::{Alarm, AlarmKind};
pub use self::cells::Unevenness;
pub(super) use self::counts::{AuditCounts, AuditedPuzzle, GridForm};
pub(super) use self::files::{CorpusKeys, FileOrders};
pub use self::files::{FileOrder, FilePair, Shared};
pub use self::order::{TextTrend, ValueTrend};
pub use self::size_audit::{GridAudit, SizeAudit};

use std::collections::BTreeMap;

use serde::Serialize;

use crate::jobs::validate::score::Classes;
use crate::options::Counted;
use crate::rating::{Difficulty, Level};
use crate::stats::Counts;

/// The results of an audit. A result that could not be computed is `None`: it neither raises an alarm nor rules one
/// out.
#[derive(Clone, Debug, Serialize)]
pub struct AuditReport {
    /// The faults of the corpus, the most serious first.
    pub alarms: Vec<Alarm>,
    /// The puzzles by their size, smallest first.
    pub sizes: Vec<SizeAudit>,
    /// The classes of solved grids of all sizes.
    pub grids: Classes,
    /// The order of puzzles in each file with puzzles.
    pub order: Vec<FileOrder>,
    /// Every pair of files, with their overlap; `None` if the corpus has more than 64 files: only the first are
    /// compared.
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
    /// Whether the corpus has a puzzle: without puzzles nothing was audited.
    pub fn has_puzzles(&self) -> bool {
        self.sizes.iter().any(|size| size.puzzles > 0)
    }

    /// The checks that were not made. An audit that is incomplete is not clean.
    pub fn unchecked(&self) -> Vec<String> {
        let sizes = self.sizes.iter().filter(|size| size.classes.is_none());
        let sizes: Vec<_> = sizes.map(|size| size.size.to_string()).collect();
        let unknown: u64 = self.sizes.iter().map(|size| size.without_class).sum();
        let unsolved: u64 = self.sizes.iter().map(|size| size.puzzles - size.solved()).sum();
        let parts = [
            (!sizes.is_empty()).then(|| format!("classes of {} are not computed", sizes.join(", "))),
            (unknown > 0).then(|| format!("{} without a class", Counted(unknown, "puzzle"))),
            (unsolved > 0).then(|| format!("{} without a known solution", Counted(unsolved, "puzzle"))),
            self.pairs.is_none().then(|| "only the first 64 files are compared".to_owned()),
        ];
        parts.into_iter().flatten().collect()
    }

    /// The statement that nothing raised an alarm, and the checks that were not made; `None` if the alarms say everything.
    pub fn end_in_words(&self) -> Option<String> {
        let unchecked = self.unchecked().join(", ");
        match (self.alarms.is_empty(), unchecked.is_empty()) {
            (true, true) => Some("no alarm".to_owned()),
            (true, false) => Some(format!("no alarm, but not all was checked: {unchecked}")),
            (false, true) => None,
            (false, false) => Some(format!("not all was checked: {unchecked}")),
        }
    }

    /// The results of a run. `rated` tells whether puzzles were rated.
    pub(super) fn new(counts: &AuditCounts, keys: CorpusKeys, rated: bool) -> AuditReport {
        let sizes: Vec<SizeAudit> = counts.sizes().map(|(size, counts)| SizeAudit::new(size, counts, &keys)).collect();
        let alarms = alarm::raised(&sizes, &keys);
        let pairs = (!keys.has_more_files).then(|| keys.pairs.iter().map(FilePair::new).collect());
        let ratings = rated.then(|| RatingAudit::new(&counts.er));
        AuditReport { alarms, sizes, grids: keys.grids, order: keys.order, pairs, ratings }
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
