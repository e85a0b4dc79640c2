//! Steps in words, in the notation of players.

mod explanation;
mod notation;
mod reasoning;

pub(crate) use self::explanation::{Explanation, reason, result};
pub use self::explanation::{Mark, Paint, StepGrids, sentence};
pub use self::notation::cell_name;
pub(crate) use self::reasoning::paragraphs;
