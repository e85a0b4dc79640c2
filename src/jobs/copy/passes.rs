//! Passes over the inputs of a corpus: how they end, and a second one to copy what the first has chosen.

use std::io;

use crate::corpus::{ChunkInput, Corpus, Origin, RecordView};
use crate::jobs::tally::{InputTally, Tallied};
use crate::jobs::{Execution, JobError, PipelineFailure, PipelineRun};
use crate::pipeline::{Chunk, End, PipelineError, Work};
use crate::stats::StoppedAfter;

use super::error::CopyError;
use super::record_writer::records_of;

/// How a pass ended, and after which record it was stopped.
pub(in crate::jobs) type PassEnd = (End, Option<StoppedAfter>);

/// How a first pass ended. Inputs without a puzzle are reported.
pub(in crate::jobs) fn end_of<W>(run: PipelineRun<W>, execution: &Execution) -> PassEnd {
    if run.end == End::Complete {
        run.tally.notify(execution);
    }
    (run.end, run.stopped_after)
}

/// Checks that the inputs can be read twice.
pub(in crate::jobs) fn check_rereadable(corpus: &Corpus) -> Result<(), CopyError> {
    match corpus.origins().iter().find(|origin| !matches!(origin, Origin::File(_))) {
        Some(origin) => Err(CopyError::ReadTwice { input: origin.to_string() }),
        None => Ok(()),
    }
}

/// A piece of an input: a record, or more of the last one, which was cut off.
pub(in crate::jobs) enum Piece<'a> {
    /// A record.
    Record(RecordView<'a>),
    /// More of it.
    Rest(&'a [u8]),
}

/// Calls `each` with the pieces of a corpus, in order. Puzzles are neither parsed nor solved.
pub(in crate::jobs) fn read_again(
    corpus: Corpus,
    mut each: impl FnMut(Piece<'_>) -> io::Result<()> + Send,
    execution: &Execution,
) -> Result<End, JobError> {
    let finish = |chunk: &mut Chunk<ChunkInput, ()>| pieces(chunk).try_for_each(&mut each);
    let run = execution.without_observer().run(corpus, vec![Passing], io::sink(), finish, None);
    Ok(run.map_err(copy_failure)?.end)
}

/// The pieces of a chunk.
pub(in crate::jobs) fn pieces<N>(chunk: &Chunk<ChunkInput, N>) -> impl Iterator<Item = Piece<'_>> {
    let rest = if chunk.records.is_empty() { Some(Piece::Rest(&chunk.text)) } else { None };
    rest.into_iter().chain(records_of(chunk).map(Piece::Record))
}

/// The error of a run whose `finish` may have failed with a [`CopyError`].
pub(in crate::jobs) fn copy_failure(failure: PipelineFailure) -> JobError {
    let failure = match failure {
        PipelineError::Write(error) => match error.downcast::<CopyError>() {
            Ok(error) => return error.into(),
            Err(error) => PipelineError::Write(error),
        },
        failure => failure,
    };
    JobError::pipeline(failure, None, false)
}

/// Passes chunks on as they are.
struct Passing;

impl<N> Work<ChunkInput, N> for Passing {
    fn work(&mut self, _chunk: &mut Chunk<ChunkInput, N>) {}
}

impl Tallied for Passing {
    fn take_tally(&mut self) -> InputTally {
        InputTally::default()
    }
}
