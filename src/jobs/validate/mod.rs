//! Is a corpus sound? Every record gets a verdict, and the corpus a score.
//!
//! ```text
//!   chunk -> ValidateWorker, ValidateWorker, ... -> rows, notes -> DuplicateIndex, in order -> rows
//!              |  in parallel: each        (findings,      |  serial: what came before,
//!              |  record by itself          keys)          |  the score
//!              v
//!            ReferenceIndex of the other corpus, filled before
//! ```

mod answer;
mod duplicate_index;
mod files;
mod finding;
mod first_seen;
mod minimality;
mod reference_index;
mod replay;
mod score;
mod worker;

pub use self::duplicate_index::{DuplicateIndex, Repeats};
pub use self::finding::{Finding, Findings, SOUND};
pub use self::reference_index::{IndexWorker, Keys, ReferenceIndex};
pub use self::replay::ValidateReplay;
pub use self::score::{AnswerCounts, Classes, ClueCounts, CorpusScore, LargeClass};
pub use self::worker::{COLUMNS, Checks, Note, ValidateWorker};
