//! Steps in words, in the notation of players.

pub(crate) mod explanation;
mod notation;
pub(crate) mod reasoning;

pub(crate) use self::explanation::Explanation;
#[cfg(feature = "cli")]
pub(crate) use self::explanation::Mark;
pub(crate) use self::explanation::Paint;
pub use self::explanation::{StepGrids, sentence};
#[cfg(feature = "corpus")]
pub(crate) use self::notation::cell_name;
