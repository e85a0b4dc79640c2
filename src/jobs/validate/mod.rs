//! Is a corpus sound? Every record gets a verdict, and the corpus a score.
//!
//! ```text
//!   chunk -> Inspector, Inspector, ... -> rows, notes -> Ledger, in order -> rows
//!              |  in parallel: each        (findings,      |  serial: what came before,
//!              |  record by itself          keys)          |  the score
//!              v
//!            Catalogue of the other corpus, filled before
//! ```

mod answer;
mod catalogue;
mod files;
mod finding;
mod inspector;
mod ledger;
mod minimality;
mod recall;
mod score;
mod seen;

pub use self::catalogue::{Catalogue, KeyWorker, Keys};
pub use self::finding::{Finding, Findings, SOUND};
pub use self::inspector::{COLUMNS, Checks, Inspector, Note};
pub use self::ledger::{Ledger, Repeats};
pub use self::recall::ReportRecaller;
pub use self::score::{Answers, Classes, ClueCounts, CorpusScore, LargeClass};
