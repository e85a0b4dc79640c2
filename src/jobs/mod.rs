//! The jobs: each runs a corpus through the pipeline to an output.
//!
//! A job is a builder with the options that its rows depend on. [`Execution`] says how it is executed: threads, a stop
//! signal, an observer of its progress. Every job has `run`, which writes to anything; those with rows also have
//! `run_to`, which writes a file that gets its name when it is complete, and can resume an interrupted run.
//!
//! ```
//! use gridmill::corpus::Corpus;
//! use gridmill::jobs::{Execution, Solve};
//!
//! let corpus = Corpus::open_path("data/easy.txt")?;
//! let mut rows = Vec::new();
//! let summary = Solve::new().run(corpus, &mut rows, &Execution::new())?.report;
//! assert_eq!(summary.records, 1000);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod augment;
// The command line's own: no part of the interface.
#[doc(hidden)]
pub mod bench;
pub mod canon;
mod class_set;
pub mod classes;
pub mod convert;
mod copying;
mod count;
pub mod dedupe;
mod divided;
mod execution;
mod first_seen;
pub mod generate;
mod job;
mod merge;
#[cfg(feature = "parquet")]
mod parquet_file;
mod random_grids;
pub mod rate;
mod rated;
mod read_records;
mod record_loop;
mod records;
mod reference_index;
mod replay;
mod run;
pub mod sample;
pub mod score;
mod settings;
pub mod solve;
pub mod split;
pub mod states;
mod table_file;
mod tally;
pub mod trace;
pub mod validate;

pub use self::augment::Augment;
#[doc(hidden)]
pub use self::bench::Bench;
pub use self::canon::Canon;
pub use self::class_set::{ClassFileError, ClassKey, ClassSet, ClassSetCounts, ClassSetError, NamedClassSet};
pub use self::classes::Classes;
pub use self::convert::Convert;
pub use self::copying::{CopyError, GroupBy, NoKey, NoKeyCounts};
#[doc(hidden)]
pub use self::count::parse_count;
pub use self::dedupe::Dedupe;
pub use self::execution::{BrokenRun, Event, Execution, Finished, JobError, OptionError, PartialOutput};
#[doc(hidden)]
pub use self::execution::{Observer, PipelineFailure};
pub use self::generate::Generate;
pub use self::merge::{Merge, MergeJobError, Merged};
pub use self::rate::Rate;
#[doc(hidden)]
pub use self::read_records::{GivenPuzzle, ReadRecord, read_records};
#[cfg(feature = "arrow")]
pub use self::run::OneByOne;
pub use self::sample::Sample;
pub use self::score::Score;
pub use self::settings::EngineSource;
pub use self::solve::Solve;
pub use self::split::Split;
pub use self::states::States;
pub use self::tally::NoPuzzle;
pub use self::trace::Trace;
pub use self::validate::Validate;
pub use crate::pipeline::{End, PipelineError, Stop};
