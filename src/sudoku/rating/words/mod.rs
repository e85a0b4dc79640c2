//! Steps in words, in the notation of players.

pub(crate) mod explanation;
mod notation;
pub(crate) mod reasoning;

pub(crate) use self::explanation::Explanation;
pub(crate) use self::explanation::{Mark, Paint};
pub use self::explanation::{StepGrids, sentence};
pub(crate) use self::notation::cell_name;
