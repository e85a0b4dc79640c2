//! The jobs: each runs a corpus through the pipeline to an output.

pub mod bench;
pub mod canon;
pub mod generate;
mod records;
pub mod solve;
pub mod validate;
