//! Copies the puzzles of a chunk. Each thread has its own worker.

use csv::ByteRecord;
use serde::Serialize;

use super::Augment;
use super::copies::CopyMaker;
use crate::corpus::ChunkInput;
use crate::engine::Limit;
use crate::engine::solver::{Question, Solver};
use crate::format::Alphabet;
use crate::jobs::records::{ChunkParser, InputParsers, ParsedRecord};
use crate::jobs::tally::{InputTally, Tallied};
use crate::pipeline::{Chunk, Stop, Work};
use crate::puzzle::{Isomorph, Order, Puzzles};

/// Where the answer of a puzzle comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answers {
    /// Nowhere: copies have none.
    Absent,
    /// From its record.
    Given,
    /// From its record, or from the engine if the input has no answers.
    GivenOrFound,
}

/// A puzzle that is copied.
pub(super) struct Original<'a> {
    /// The position of its record in the chunk.
    #[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "only typed rows are taken from the chunk"))]
    pub(super) index: usize,
    /// The name of the input.
    pub(super) file: &'a str,
    /// The line of the record.
    pub(super) line: u64,
    pub(super) order: Order,
    pub(super) puzzle: &'a [u8],
    /// It is there unless answers are absent.
    pub(super) answer: Option<&'a [u8]>,
    pub(super) alphabet: &'a Alphabet,
    pub(super) blank: u8,
    /// The fields that are carried over from the input, if the sink needs them.
    pub(super) kept: &'a ByteRecord,
}

/// Takes the copies of a worker.
pub(super) trait CopySink: Send {
    /// What it leaves in a chunk beside the output.
    type Note: Send + 'static;

    /// Starts a chunk. Returns whether rows need the fields that are kept: typed columns are passed on as they are.
    fn start(&mut self, chunk: &Chunk<ChunkInput, Self::Note>) -> bool;

    /// Takes the images of a puzzle and its answer under some isomorphisms.
    fn take(
        &mut self,
        original: &Original<'_>,
        isomorphs: &[Isomorph],
        output: &mut Vec<u8>,
        notes: &mut Vec<Self::Note>,
    );

    /// Ends a chunk.
    fn end(&mut self, notes: &mut Vec<Self::Note>);
}

/// Numbers of records and of copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AugmentCounts {
    /// The puzzles of which there are copies.
    pub puzzles: u64,
    /// Their copies, without the puzzles themselves.
    pub copies: u64,
    /// The puzzles with fewer copies than wanted, because they have no more isomorphs of these kinds.
    pub fewer: u64,
    /// The records that are no puzzles.
    pub malformed: u64,
    /// The puzzles whose answers are no full grids of the same size, or which have no answer and not one solution.
    pub unanswered: u64,
}

impl AugmentCounts {
    pub(super) fn add(&mut self, other: AugmentCounts) {
        self.puzzles += other.puzzles;
        self.copies += other.copies;
        self.fewer += other.fewer;
        self.malformed += other.malformed;
        self.unanswered += other.unanswered;
    }
}

/// Turns chunks of records into copies.
pub(super) struct AugmentWorker<S> {
    sink: S,
    answers: Answers,
    /// Whether the puzzle itself comes before its copies.
    original: bool,
    records: ChunkParser,
    solver: Solver,
    /// The answer beside a puzzle.
    given: Puzzles,
    copies: CopyMaker,
    kept: ByteRecord,
    counts: AugmentCounts,
}

impl<S> AugmentWorker<S> {
    pub(super) fn new(
        job: &Augment,
        sink: S,
        answers: Answers,
        original: bool,
        solver: Solver,
        stop: Stop,
    ) -> AugmentWorker<S> {
        AugmentWorker {
            sink,
            answers,
            original,
            records: ChunkParser::default(),
            solver,
            given: Puzzles::new(),
            copies: CopyMaker::new(job, stop),
            kept: ByteRecord::new(),
            counts: AugmentCounts::default(),
        }
    }

    /// The counts of this worker.
    pub(super) fn counts(&self) -> AugmentCounts {
        self.counts
    }
}

impl<S> Tallied for AugmentWorker<S> {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl<S: CopySink> Work<ChunkInput, S::Note> for AugmentWorker<S> {
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, S::Note>) {
        let AugmentWorker { sink, answers, original, records, solver, given, copies, kept, counts } = self;
        records.parse(chunk, solver);
        let Some((reading, entries)) = records.parts() else { return };
        let solves = *answers == Answers::GivenOrFound && reading.answers.is_none();
        if solves && solver.solve(Question::Count(Limit::UNIQUE)).is_err() {
            return;
        }
        let needs_kept = sink.start(chunk);
        let mut output = std::mem::take(&mut chunk.output);
        let mut notes = std::mem::take(&mut chunk.notes);
        for (index, ((line, text), entry)) in chunk.texts().zip(entries).enumerate() {
            let ParsedRecord::Puzzle(shape, number) = *entry else {
                counts.malformed += 1;
                continue;
            };
            let order = shape.order;
            let answer = match answers {
                Answers::Absent => None,
                _ if solves => {
                    let found = solver.answer(order, number);
                    (found.known_solutions() == Some(1)).then_some(found.grids)
                }
                Answers::Given | Answers::GivenOrFound => given_answer(reading, text, order, given),
            };
            if *answers != Answers::Absent && answer.is_none() {
                counts.unanswered += 1;
                continue;
            }
            kept.clear();
            if needs_kept {
                reading.pass_through.fields(text).for_each(|field| kept.push_field(field));
            }
            let puzzle = solver.puzzles().batch(order).puzzle(number);
            let wanted = copies.wanted();
            // The chunk is not written.
            let Some(isomorphs) = copies.draw(order, puzzle, line) else { return };
            let made = isomorphs.len() - 1;
            counts.puzzles += 1;
            counts.copies += made as u64;
            counts.fewer += u64::from(made < wanted);
            let alphabet = &reading.alphabets[order.index()];
            let (file, blank) = (&*reading.input.name, shape.blank);
            let puzzle = Original { index, file, line, order, puzzle, answer, alphabet, blank, kept };
            sink.take(&puzzle, &isomorphs[usize::from(!*original)..], &mut output, &mut notes);
        }
        sink.end(&mut notes);
        chunk.output = output;
        chunk.notes = notes;
    }
}

/// The answer in a record, if it is a full grid of this size.
fn given_answer<'a>(
    reading: &mut InputParsers,
    record: &[u8],
    order: Order,
    grids: &'a mut Puzzles,
) -> Option<&'a [u8]> {
    grids.clear();
    let given = reading.answers.as_mut()?.parse(record, grids).ok()?;
    let is_full = given.order == order && usize::from(given.clues) == order.cells();
    is_full.then(|| grids.last(order))
}
