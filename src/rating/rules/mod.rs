//! The techniques that are not chains, one file for each family, in the order in which the yardstick looks for them.
//!
//! Each has a function that finds the first step in the yardstick's order of enumeration, writes it and returns true.
