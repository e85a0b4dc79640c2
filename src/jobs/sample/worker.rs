//! Checks the conditions of a sample and the answer on each record: the worker of `gridmill sample`.

use std::sync::Arc;

use super::condition::Condition;
use crate::copy::RecordNote;
use crate::corpus::ChunkInput;
use crate::pipeline::{Chunk, Work};
use crate::puzzle::Puzzles;
use crate::run::records::{AnswerWorth, ChunkParser, GivenAnswer, ParsedRecord};
use crate::run::tally::{InputTally, Tallied};

/// The conditions with the indices of their columns, among those that are kept; `None` for the number of clues.
pub(super) type Conditions = Arc<[(Condition, Option<usize>)]>;

/// Whether a record may be in the sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Eligibility {
    /// It may.
    Eligible,
    /// It does not meet all conditions.
    Unmatched,
    /// It meets them, but its answer is no solution.
    WrongAnswer,
}

/// Notes on each record whether it is eligible, and leaves its value in the column of the strata in the output of
/// the chunk. Each thread has its own.
pub(super) struct SampleWorker {
    conditions: Conditions,
    /// The index of the column of the strata, among those that are kept.
    stratify: Option<usize>,
    records: ChunkParser,
    /// Takes the puzzles, which are not solved.
    puzzles: Puzzles,
    checks_answers: bool,
    /// The answer beside a puzzle.
    given: Puzzles,
}

impl SampleWorker {
    /// A worker for these conditions. `stratify` is the index of a column among those that are kept.
    pub(super) fn new(conditions: Conditions, stratify: Option<usize>, checks_answers: bool) -> SampleWorker {
        let records = ChunkParser::default();
        SampleWorker { conditions, stratify, records, puzzles: Puzzles::new(), checks_answers, given: Puzzles::new() }
    }
}

impl Tallied for SampleWorker {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl Work<ChunkInput, RecordNote<Eligibility>> for SampleWorker {
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, RecordNote<Eligibility>>) {
        let SampleWorker { conditions, stratify, records, puzzles, checks_answers, given } = self;
        records.parse_into(chunk, puzzles);
        let Some((reading, entries)) = records.parts() else { return };

        let (mut output, mut notes) = (std::mem::take(&mut chunk.output), std::mem::take(&mut chunk.notes));
        let mut columns: Vec<usize> = conditions.iter().filter_map(|(_, column)| *column).chain(*stratify).collect();
        columns.sort_unstable();
        columns.dedup();

        for (record, entry) in ChunkInput::contents(chunk).zip(entries) {
            let clues = match entry {
                ParsedRecord::Malformed(_) | ParsedRecord::Pencilmarks(_) => None,
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

            let note = match (entry, &mut reading.answers) {
                _ if held < wanted => Eligibility::Unmatched,
                (ParsedRecord::Puzzle(shape, index), Some(parser)) if *checks_answers => {
                    let puzzle = puzzles.batch(shape.size).puzzle(*index);
                    match (GivenAnswer { parser, content: record }).judge(shape.size, puzzle, given) {
                        AnswerWorth::Missing | AnswerWorth::Solves => Eligibility::Eligible,
                        AnswerWorth::NoGrid | AnswerWorth::Wrong => Eligibility::WrongAnswer,
                    }
                }
                _ => Eligibility::Eligible,
            };
            notes.push(RecordNote { note, text_end: output.len() });
        }
        chunk.output = output;
        chunk.notes = notes;
    }
}
