//! The techniques that are not chains, one file for each family, in the order in which the yardstick looks for them.
//!
//! Each has a function that finds the first step in the yardstick's order of enumeration, writes it and returns true.

pub(super) mod fish;
pub(super) mod hidden_set;
pub(super) mod hidden_single;
pub(super) mod locking;
pub(super) mod naked_set;
pub(super) mod naked_single;
mod tuples;

pub(super) use self::tuples::Degree;
