//! Takes the puzzles in order: leaves out repeats and surplus puzzles at the end, and counts the rest.

use std::collections::BTreeMap;
use std::io;

use crossbeam_channel::{Receiver, Sender, unbounded};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::distinct::RepeatFilter;
use super::{GenerateError, GenerateOptions};
use crate::canon::Class;
use crate::corpus::{ChunkInput, RecordView, Shard};
use crate::pipeline::{Chunk, End};
use crate::rows::RowParts;
use crate::run::job::SerialStage;
use crate::run::{Event, Execution, JobError};
use crate::stats::{Mergeable, RunCounts, merge_fields};

/// The puzzles of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GenerateCounts {
    /// The number of puzzles.
    pub puzzles: u64,
    /// The number of puzzles by number of clues.
    pub clues: BTreeMap<usize, u64>,
    /// The number of random grids that did not give a wanted puzzle.
    pub missed: u64,
    /// The number of puzzles that were dropped as isomorphs.
    pub repeats: u64,
    /// The number of clues that may not be needed, because the search without them took too many branches.
    pub undecided_clues: u64,
}

impl RunCounts for GenerateCounts {
    fn records(&self) -> u64 {
        self.puzzles
    }
}

merge_fields!(GenerateCounts: puzzles, clues, missed, repeats, undecided_clues);

/// The properties of a puzzle that are not in its row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MadePuzzle {
    pub(super) clues: usize,
    /// `None` if isomorphs do not matter.
    pub(super) class: Option<Class>,
    /// The end of its row in the output of the chunk.
    pub(super) row_end: usize,
}

/// The puzzles so far, in order.
pub(crate) struct GenerateStage {
    /// The number of wanted puzzles, of the shard.
    count: u64,
    counts: GenerateCounts,
    filter: RepeatFilter,
    /// The end of the round of numbers, and the ends of all rounds for their source.
    end: u64,
    rounds: (Sender<u64>, Receiver<u64>),
    /// For each puzzle of the chunk: whether its row is written, and the end of the row.
    rows: Vec<(bool, usize)>,
    execution: Execution,
    /// The reason why there are no more puzzles. Nothing after it is written, so that there is no gap.
    failure: Option<GenerateError>,
}

impl GenerateStage {
    pub(super) fn new(job: &GenerateOptions, shard: Shard, execution: &Execution) -> GenerateStage {
        let stage = GenerateStage {
            count: shard.share(job.count),
            counts: GenerateCounts::default(),
            filter: RepeatFilter::new(job.distinct, job.not_in.clone()),
            end: job.skip.saturating_add(job.count),
            rounds: unbounded(),
            rows: vec![],
            execution: execution.clone(),
            failure: None,
        };
        stage.tell_end();
        stage
    }

    /// The ends of all rounds of numbers.
    pub(super) fn rounds(&self) -> Receiver<u64> {
        self.rounds.1.clone()
    }

    /// Starts a round for the missing puzzles. It has at least as many puzzles as were left out in a row, so that few
    /// rounds are needed.
    fn start_round(&mut self) {
        let missing = self.count - self.counts.puzzles;
        if missing > 0 {
            self.end = self.end.saturating_add(missing.max(self.filter.in_a_row()));
        }
        self.tell_end();
    }

    fn tell_end(&self) {
        self.rounds.0.send(self.end).expect("the stage has a receiver");
    }

    /// Processes the next puzzle. Returns whether it is written.
    fn take(&mut self, made: &Result<MadePuzzle, GenerateError>) -> Result<bool, GenerateError> {
        if self.counts.puzzles == self.count || self.failure.is_some() {
            return Ok(false);
        }
        let &MadePuzzle { clues, class, .. } = made.as_ref().map_err(Clone::clone)?;
        let is_new = self.filter.is_new(class)?;
        if is_new {
            self.counts.puzzles += 1;
            *self.counts.clues.entry(clues).or_default() += 1;
        }
        Ok(is_new)
    }
}

impl SerialStage for GenerateStage {
    type Note = Result<MadePuzzle, GenerateError>;
    type Counts = GenerateCounts;

    const SAVES_NOTES: bool = false;

    fn record(&mut self, record: &RecordView<'_>, made: &mut Self::Note, _saved: &mut Vec<u8>) -> io::Result<()> {
        let is_written = self.take(made).unwrap_or_else(|error| {
            self.failure = Some(error);
            self.execution.stop.trigger();
            false
        });
        self.rows.push((is_written, made.as_ref().map_or(0, |made| made.row_end)));

        if record.line + 1 == self.end {
            self.start_round();
        }
        Ok(())
    }

    fn leave_out(&mut self, chunk: &mut Chunk<ChunkInput>, parts: &mut RowParts) {
        let is_written = self.rows.iter().map(|&(is_written, _)| is_written).collect::<Vec<_>>();
        if is_written.contains(&false) {
            let (all, mut start) = (std::mem::take(&mut chunk.output), 0);
            for &(is_written, end) in &self.rows {
                if is_written {
                    chunk.output.extend_from_slice(&all[start..end]);
                }
                start = end;
            }
            parts.retain_rows(&is_written);
            let mut is_written = is_written.into_iter();
            chunk.records.retain(|_| is_written.next() == Some(true));
        }
        self.rows.clear();

        let repeats = self.filter.repeats() - self.counts.repeats;
        if repeats > 0 {
            self.execution.notify(Event::LeftOut { puzzles: repeats });
            self.counts.repeats += repeats;
        }
    }

    fn state(&self) -> Value {
        json!(self.counts)
    }

    fn set_state(&mut self, state: Value) -> serde_json::Result<()> {
        self.counts = serde_json::from_value(state)?;
        if self.counts.puzzles == self.count {
            self.tell_end();
        }
        Ok(())
    }

    fn finish(&mut self, _end: End) -> Result<(), JobError> {
        self.failure.take().map_or(Ok(()), |error| Err(error.into()))
    }

    fn add_counts(self, counts: &mut GenerateCounts) {
        counts.merge(self.counts);
    }
}
