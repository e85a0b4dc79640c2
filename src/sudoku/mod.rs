#[macro_use]
mod macros;

pub mod canon;
pub(crate) mod clock;
pub mod engine;
pub mod format;
pub mod generate;
pub(crate) mod options;
pub mod puzzle;
pub mod rating;
pub(crate) mod single;
pub(crate) mod stop;
