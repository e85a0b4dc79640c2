//! Finds out whether a puzzle, an isomorph or a solution grid was seen before, and in which record.

mod class_set;
mod first_seen;
mod reference_index;

pub use self::class_set::{ClassFileError, ClassKey, ClassSet, ClassSetCounts, ClassSetError, NamedClassSet};
pub(crate) use self::first_seen::{Files, FirstSeen, Location};
pub(crate) use self::reference_index::{
    ComparedInputs, Demand, KeyUse, Keys, Leak, LeakKind, ReferenceIndex, find_keys,
};
