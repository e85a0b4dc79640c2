//! Solves a corpus: one row a record.

pub mod replay;
mod worker;

pub use self::worker::Worker;
