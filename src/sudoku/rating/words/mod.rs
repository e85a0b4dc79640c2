//! Steps in words, in the notation of players.

pub(crate) mod explanation;
mod notation;
pub(crate) mod reasoning;

pub(crate) use self::explanation::Explanation;
pub use self::explanation::{Mark, Paint, StepGrids, sentence};
pub use self::notation::cell_name;
