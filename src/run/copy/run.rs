//! Runs a corpus through workers and a chooser, and copies each record to the output that is chosen for it.

use std::io::{self, Write};
use std::mem;

use super::copier::RecordCopier;
use super::error::CopyError;
use super::rows::keep_rows;
use super::text::TableCheck;
use crate::corpus::{ChunkInput, Corpus, RecordView};
use crate::pipeline::{Chunk, End, PipelineError, Work};
use crate::run::record_loop::{RecordLoop, RecordWorker, results_of};
use crate::run::tally::{InputTally, Tallied};
use crate::run::{Execution, JobError, PipelineFailure};
use crate::stats::StoppedAfter;

/// Chooses an output for each record, either when the record is read or after the last record.
pub(crate) trait Chooser: Send {
    /// The findings of a worker about a record.
    type Note: Copy + Send + 'static;

    /// Whether outputs are chosen after the last record. The inputs are then read twice.
    fn is_late(&self) -> bool {
        false
    }

    /// Sees the next record, with its note and the text that the worker appended to the output of the chunk. Returns
    /// the index of an output, or `None` if the record is not copied. A late chooser returns `None`.
    fn see(&mut self, note: Self::Note, text: &[u8], record: &RecordView<'_>) -> io::Result<Option<usize>>;

    /// Sees more text of the last record, if it was too long for its chunk.
    fn rest_of_record(&mut self, _text: &[u8]) {}

    /// Prepares the choices of a late chooser, after it has seen all records.
    fn prepare(&mut self) -> Result<(), CopyError> {
        Ok(())
    }

    /// The output of the record at a position, from 0. Called on a late chooser for each record, in order.
    fn choose(&mut self, _position: usize, _record: &RecordView<'_>) -> io::Result<Option<usize>> {
        Ok(None)
    }
}

/// A note on a record, and the end of its text in the output of the chunk, where the texts of all records follow each
/// other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordNote<N> {
    pub(crate) note: N,
    pub(crate) text_end: usize,
}

/// The end of a run, and the last record if it was stopped.
pub(crate) type PassEnd = (End, Option<StoppedAfter>);

/// Passes all records to the chooser, and copies them to the chosen outputs. [`RecordCopier::finish`] completes the
/// copies.
pub(crate) fn copy_records<W, C, O>(
    mut corpus: Corpus,
    workers: Vec<RecordLoop<W>>,
    chooser: &mut C,
    copier: &mut RecordCopier<'_, O>,
    execution: &Execution,
) -> Result<PassEnd, JobError>
where
    W: RecordWorker<Note = RecordNote<C::Note>>,
    C: Chooser,
    O: Write + Send,
{
    // A chooser that decides at the end needs a second pass over the same bytes.
    let is_late = chooser.is_late();
    let mut again = None;
    if is_late {
        if let Some(origin) = corpus.read_once() {
            return Err(CopyError::ReadTwice { input: origin.to_string() }.into());
        }
        again = Some(corpus.open_again()?);
    }
    if copier.copies_rows() {
        keep_rows(again.as_mut().unwrap_or(&mut corpus))?;
    }

    let mut tables = TableCheck::new(&corpus);
    let mut records = 0;
    let mut see = |chunk: &mut Chunk<ChunkInput>| {
        tables.check_chunk(chunk)?;
        let notes = mem::take(&mut results_of::<W>(chunk).notes);
        let (mut next_notes, mut start) = (notes.iter(), 0);
        for piece in pieces(chunk) {
            let record = match piece {
                Piece::Rest(text) => {
                    chooser.rest_of_record(text);
                    copier.rest_of_record(text)?;
                    continue;
                }
                Piece::Record(record) => record,
            };
            let &RecordNote { note, text_end } = next_notes.next().expect("there is a note for each record");
            let output = chooser.see(note, &chunk.output[start..text_end], &record)?;
            start = text_end;
            records += 1;
            if !is_late {
                copier.write(output, &record)?;
            }
        }
        results_of::<W>(chunk).notes = notes;
        Ok(())
    };

    let run =
        execution.run(InputTally::new(&corpus), Box::new(corpus), workers, &mut see, None).map_err(copy_failure)?;
    if run.end == End::Complete {
        execution.notify_of_inputs(&run.tally);
    }

    match again {
        Some(again) if run.end == End::Complete => {
            chooser.prepare()?;
            Ok((copy_again(again, records, chooser, copier, execution)?, None))
        }
        _ => Ok((run.end, run.stopped_after)),
    }
}

/// Second pass: reads `records` records again and copies them. Puzzles are neither parsed nor solved.
fn copy_again(
    corpus: Corpus,
    records: usize,
    chooser: &mut impl Chooser,
    copier: &mut RecordCopier<'_, impl Write + Send>,
    execution: &Execution,
) -> Result<End, JobError> {
    let mut positions = 0..records;
    let mut copy = |chunk: &mut Chunk<ChunkInput>| {
        pieces(chunk).try_for_each(|piece| match piece {
            Piece::Rest(text) => copier.rest_of_record(text),
            Piece::Record(record) => {
                let position = positions.next().ok_or(CopyError::Changed)?;
                let output = chooser.choose(position, &record)?;
                copier.write(output, &record)
            }
        })
    };
    let run = execution.without_observer().run(InputTally::default(), Box::new(corpus), vec![Passing], &mut copy, None);
    let end = run.map_err(copy_failure)?.end;

    if end == End::Complete && !positions.is_empty() {
        return Err(CopyError::Changed.into());
    }
    Ok(end)
}

/// A piece of an input: a record, or more text of the last record if that was too long for its chunk.
enum Piece<'a> {
    Record(RecordView<'a>),
    Rest(&'a [u8]),
}

/// The pieces of a chunk.
fn pieces(chunk: &Chunk<ChunkInput>) -> impl Iterator<Item = Piece<'_>> {
    let rest = if chunk.records.is_empty() { Some(Piece::Rest(&chunk.text)) } else { None };
    rest.into_iter().chain(ChunkInput::views(chunk).map(Piece::Record))
}

/// The error of a run whose chooser or copier may have failed with a [`CopyError`].
fn copy_failure(failure: PipelineFailure) -> JobError {
    match failure {
        PipelineError::Write(error) => match error.downcast::<CopyError>() {
            Ok(error) => error.into(),
            Err(error) => PipelineError::Write(error).into(),
        },
        failure => failure.into(),
    }
}

/// A worker that passes chunks on unchanged.
struct Passing;

impl Work<ChunkInput> for Passing {
    fn work(&mut self, _chunk: &mut Chunk<ChunkInput>) {}
}

impl Tallied for Passing {
    fn take_tally(&mut self) -> InputTally {
        InputTally::default()
    }
}
