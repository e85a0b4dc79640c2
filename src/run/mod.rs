pub(crate) mod copy;
pub(crate) mod lookup;
mod machine;
pub(crate) mod resume;
pub mod stats;

pub use self::machine::*;
