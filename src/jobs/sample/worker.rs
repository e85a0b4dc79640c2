//! Checks the conditions of a sample on each record: the worker of `gridmill sample`.

use std::sync::Arc;

use super::condition::Condition;
use crate::corpus::ChunkInput;
use crate::jobs::copying::RecordNote;
use crate::jobs::records::{ChunkParser, ParsedRecord};
use crate::jobs::tally::{InputTally, Tallied};
use crate::pipeline::{Chunk, Work};
use crate::puzzle::Puzzles;

/// The conditions with the indices of their columns, among those that are kept; `None` for the number of clues.
pub(super) type Conditions = Arc<[(Condition, Option<usize>)]>;

/// Notes on each record whether all conditions hold, and leaves its value in the column of the strata in the output of
/// the chunk. Each thread has its own.
pub(super) struct SampleWorker {
    conditions: Conditions,
    /// The index of the column of the strata, among those that are kept.
    stratify: Option<usize>,
    records: ChunkParser,
    /// Takes the puzzles, which are not solved.
    puzzles: Puzzles,
}

impl SampleWorker {
    /// A worker for these conditions. `stratify` is the index of a column among those that are kept.
    pub(super) fn new(conditions: Conditions, stratify: Option<usize>) -> SampleWorker {
        SampleWorker { conditions, stratify, records: ChunkParser::default(), puzzles: Puzzles::new() }
    }
}

impl Tallied for SampleWorker {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl Work<ChunkInput, RecordNote<bool>> for SampleWorker {
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, RecordNote<bool>>) {
        let SampleWorker { conditions, stratify, records, puzzles } = self;
        records.parse_into(chunk, puzzles);
        let Some((reading, entries)) = records.parts() else { return };

        let (mut output, mut notes) = (std::mem::take(&mut chunk.output), std::mem::take(&mut chunk.notes));
        let mut columns: Vec<usize> = conditions.iter().filter_map(|(_, column)| *column).chain(*stratify).collect();
        columns.sort_unstable();
        columns.dedup();

        for (record, entry) in ChunkInput::contents(chunk).zip(entries) {
            let clues = match entry {
                ParsedRecord::Malformed(_) => None,
                ParsedRecord::Puzzle(shape, _) => Some(shape.clues),
            };
            let (mut held, mut wanted) = (0, 0);
            for (condition, column) in conditions.iter() {
                wanted += 1;
                held += usize::from(column.is_none() && condition.holds_for_clues(clues));
            }
            if !columns.is_empty() {
                for (index, field) in record.fields(&mut reading.pass_through).enumerate() {
                    let of_field = conditions.iter().filter(|(_, column)| *column == Some(index));
                    held += of_field.filter(|(condition, _)| condition.holds_for_field(field)).count();
                    if *stratify == Some(index) {
                        output.extend_from_slice(field);
                    }
                }
            }
            notes.push(RecordNote { note: held == wanted, text_end: output.len() });
        }
        chunk.output = output;
        chunk.notes = notes;
    }
}
