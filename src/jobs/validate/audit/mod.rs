//! The audit of a corpus: is it any good as a whole, though each of its records may be sound?
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
mod report;
mod size_audit;
mod symmetries;
mod words;

use serde::Serializer;

pub use self::alarm::{Alarm, OrderKind, OrderedBy, SharedKind};
pub use self::cells::Unevenness;
pub(super) use self::counts::{AuditCounts, AuditedPuzzle, GridForm};
pub(super) use self::files::{CorpusKeys, FileOrders};
pub use self::files::{FileOrder, FilePair, Shared};
pub(super) use self::order::TextStart;
pub use self::order::{TextTrend, ValueTrend};
pub use self::report::{AuditReport, RatingAudit};
pub use self::size_audit::{BandAudit, GridAudit, SizeAudit};
pub use self::words::Percent;
use crate::puzzle::Size;

/// Writes a size as `9x9`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn as_text<S: Serializer>(size: &Size, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(size)
}
