//! The jobs: each runs a corpus through the pipeline to an output.
//!
//! A job is a builder with the options that determine its rows. [`Execution`] has the options of the execution:
//! threads, a stop signal, an observer of the progress. Every job has `run`, which writes to any writer. Jobs with rows
//! also have `run_to`, which writes a file that gets its name when it is complete, and can resume an interrupted run.
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

// A job has a folder or a file, which uses the floors below, and no other job:
//
//   augment, canon, convert, dedupe, generate, rate, sample, score, solve, split, states, trace, validate
//   merge       the list of the jobs whose shards can be merged
//   cookbook    a page of short programs

pub mod augment;
pub mod canon;
pub mod convert;
pub mod cookbook;
pub mod dedupe;
pub mod generate;
mod merge;
pub mod rate;
pub mod sample;
pub mod score;
pub mod solve;
pub mod split;
pub mod states;
pub mod trace;
pub mod validate;

pub use self::augment::Augment;
pub use self::canon::Canon;
pub use self::convert::Convert;
pub use self::dedupe::Dedupe;
pub use self::generate::Generate;
pub use self::merge::{Merge, Merged};
pub use self::rate::Rate;
pub use self::sample::Sample;
pub use self::score::Score;
pub use self::solve::Solve;
pub use self::split::Split;
pub use self::states::States;
pub use self::trace::Trace;
pub use self::validate::Validate;
pub use crate::copy::{Bins, GroupBy};
pub use crate::copy::{NoKey, NoKeyCounts};
#[doc(hidden)]
pub use crate::lookup::NamedClassSet;
pub use crate::lookup::{ClassFileError, ClassKey, ClassSet, ClassSetCounts, ClassSetError};
pub use crate::pipeline::{End, Stop};
pub use crate::run::{
    BrokenRun, EngineSource, Event, Execution, Finished, InputCounts, Job, JobError, OneByOne, PartialOutput, RowJob,
};
#[doc(hidden)]
pub use crate::run::{GivenPuzzle, Observer, PipelineFailure, ReadRecord, read_records};
