//! Skips the records that an interrupted run has done: checks that they are unchanged, and restores their counts.
//!
//! ```text
//! rows     |      as at the checkpoint      | cut off
//! records  | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | ...
//!                                          ^ here the pipeline starts
//! ```

use super::execution::CHUNK;
use super::job::{Counts, RowJob, SerialStage};
use super::pipeline::{DoneSoFar, SavedState};
use super::record_loop::sum_of;
use super::tally::InputTally;
use super::{Event, Execution, JobError, RecordSource};
use crate::corpus::ChunkInput;
use crate::output::{Interrupted, OutputError, RunningSum};
use crate::pipeline::{Chunk, Filled};

/// Skips the records up to the last checkpoint of an interrupted run, if there is one; `None` if it was stopped
/// meanwhile. Writes nothing.
///
/// # Errors
///
/// If the records of the input have changed.
pub(super) fn skip<J: RowJob>(
    interrupted: Option<&Interrupted>,
    source: &mut impl RecordSource,
    stage: &mut J::Stage,
    execution: &Execution,
) -> Result<Option<DoneSoFar<Counts<J>>>, JobError> {
    let Some((file, checkpoint)) = interrupted.and_then(|file| Some((file, file.checkpoint()?))) else {
        return Ok(Some(DoneSoFar::default()));
    };
    let (mut notes, mut chunk) = (file.notes()?, Chunk::<ChunkInput, ()>::new());
    let (mut sum, mut texts, mut skipped, mut input_bytes) = (RunningSum::default(), vec![], 0, 0);
    while skipped < checkpoint.records {
        chunk.clear();
        // Not past the checkpoint: the records after it are for the workers.
        let records = usize::try_from(checkpoint.records - skipped).unwrap_or(usize::MAX);
        if source.fill(&mut chunk, CHUNK.get().min(records))? == Filled::Nothing {
            return Err(file.changed_input(checkpoint.records).into());
        }
        sum.append(&sum_of(&chunk, &mut texts));
        if chunk.records.is_empty() {
            stage.rest_of_record(&chunk.text).map_err(OutputError::Write)?;
        }
        if J::Stage::TAKES_RECORDS {
            for record in ChunkInput::views(&chunk) {
                stage.restore(&record, &mut notes).map_err(OutputError::Write)?;
            }
        }

        skipped += chunk.records.len() as u64;
        input_bytes += chunk.input_bytes;
        execution.notify(Event::Skipping { input_bytes });
        if execution.stop.is_triggered() {
            return Ok(None);
        }
    }
    // One checksum covers all records, so a change is found only at the end. Nothing was written until now.
    if sum.get() != checkpoint.input {
        return Err(file.changed_input(checkpoint.records).into());
    }

    let SavedState { counts, inputs, stage: state } =
        serde_json::from_value(checkpoint.state.clone()).map_err(|source| file.form_error(source))?;
    stage.set_state(state).map_err(|source| file.form_error(source))?;
    let mut tally = InputTally::default();
    tally.append(inputs);
    Ok(Some(DoneSoFar { records: skipped, input: sum, counts: Some(counts), tally }))
}
