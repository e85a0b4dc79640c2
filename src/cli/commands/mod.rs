//! The commands, with a file for each: its arguments, its job, and its messages.

pub(crate) mod augment;
pub(crate) mod bench;
pub(crate) mod canon;
pub(crate) mod certify;
pub(crate) mod convert;
pub(crate) mod dedupe;
pub(crate) mod explain;
pub(crate) mod formats;
pub(crate) mod frame;
pub(crate) mod fuzz;
pub(crate) mod generate;
pub(crate) mod merge;
pub(crate) mod pipe;
pub(crate) mod rate;
pub(crate) mod sample;
pub(crate) mod score;
pub(crate) mod sheet;
pub(crate) mod solve;
pub(crate) mod split;
pub(crate) mod states;
pub(crate) mod trace;
pub(crate) mod validate;
