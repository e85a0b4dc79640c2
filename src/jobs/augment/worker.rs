//! Draws the copies of the records of a chunk. Each thread has its own worker.

use std::collections::HashSet;

use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};

use super::Augment;
use crate::corpus::ChunkInput;
use crate::engine::Limit;
use crate::engine::solver::{Question, Solver};
use crate::format::Alphabet;
use crate::jobs::records::{ChunkParser, InputParsers, ParsedRecord};
use crate::jobs::tally::{InputTally, Tallied};
use crate::pipeline::{Chunk, Work};
use crate::puzzle::{Isomorph, IsomorphKind, Order, Puzzles};
use crate::rows::{FileColumn, RowFields};

/// After so many isomorphs in a row that are not new, a puzzle is taken to have no others. Of one that has 2 others left
/// among 4, the last is missed once in 10^9 times.
const MOST_REPEATS: usize = 30;

/// How copies are written.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// Rows of CSV.
    Rows {
        /// Whether there is a column for answers.
        has_answers: bool,
        /// If there is a column for the origin, whether it names the input.
        origin: Option<FileColumn>,
        /// Whether the puzzle itself comes before its copies.
        original: bool,
    },
    /// The values of the cells of the puzzle and of its solution, of the puzzle itself first; one [`Group`] a puzzle.
    Cells,
}

/// A puzzle and its copies in the output of a chunk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) order: Order,
    /// The number of the copies and the puzzle together.
    pub(super) size: usize,
    /// The line of the record.
    pub(super) line: u64,
}

/// Numbers of records and of copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
pub(super) struct AugmentWorker {
    records: ChunkParser,
    solver: Solver,
    /// The answer beside a puzzle.
    given: Puzzles,
    fields: RowFields,
    layout: Layout,
    copies: CopyMaker,
    counts: AugmentCounts,
}

impl AugmentWorker {
    pub(super) fn new(job: &Augment, layout: Layout, solver: Solver) -> AugmentWorker {
        AugmentWorker {
            records: ChunkParser::default(),
            solver,
            given: Puzzles::new(),
            fields: RowFields::new(FileColumn::Absent),
            layout,
            copies: CopyMaker {
                number: job.copies,
                seed: job.seed,
                kinds: job.kinds.clone(),
                seen: HashSet::new(),
                isomorphs: vec![],
            },
            counts: AugmentCounts::default(),
        }
    }

    /// The counts of this worker.
    pub(super) fn counts(&self) -> AugmentCounts {
        self.counts
    }
}

impl Tallied for AugmentWorker {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl Work<ChunkInput, Group> for AugmentWorker {
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, Group>) {
        let AugmentWorker { records, solver, given, fields, layout, copies, counts } = self;
        records.parse(chunk, solver);
        let Some((reading, entries)) = records.parts() else { return };
        let solves = matches!(layout, Layout::Cells) && reading.answers.is_none();
        if solves && solver.solve(Question::Count(Limit::UNIQUE)).is_err() {
            return;
        }
        let mut output = std::mem::take(&mut chunk.output);
        let mut notes = std::mem::take(&mut chunk.notes);
        for ((line, text), entry) in chunk.texts().zip(entries) {
            let ParsedRecord::Puzzle(shape, index) = *entry else {
                counts.malformed += 1;
                continue;
            };
            let order = shape.order;
            let answer = if solves {
                let found = solver.answer(order, index);
                (found.known_solutions() == Some(1)).then_some(found.grids)
            } else {
                given_answer(reading, text, order, given)
            };
            let needs_answer = matches!(layout, Layout::Cells | Layout::Rows { has_answers: true, .. });
            if needs_answer && answer.is_none() {
                counts.unanswered += 1;
                continue;
            }
            let puzzle = solver.puzzles().batch(order).puzzle(index);
            let wanted = copies.number;
            let isomorphs = copies.draw(order, puzzle, line);
            counts.puzzles += 1;
            counts.copies += isomorphs.len() as u64;
            counts.fewer += u64::from(isomorphs.len() < wanted);
            let identity = Isomorph::identity(order);
            let with_original = matches!(layout, Layout::Cells | Layout::Rows { original: true, .. });
            let all = with_original.then_some(&identity).into_iter().chain(isomorphs);
            let mut image = [0; Order::MAX_CELLS];
            let image = &mut image[..order.cells()];
            match layout {
                Layout::Cells => {
                    for isomorph in all {
                        for grid in [Some(puzzle), answer].into_iter().flatten() {
                            isomorph.apply_into(grid, image);
                            output.extend_from_slice(image);
                        }
                    }
                    notes.push(Group { order, size: isomorphs.len() + 1, line });
                }
                Layout::Rows { has_answers, origin, .. } => {
                    let alphabet: &Alphabet = &reading.alphabets[order.index()];
                    let kept: Vec<Vec<u8>> = reading.pass_through.fields(text).map(<[u8]>::to_vec).collect();
                    for isomorph in all {
                        let mut row = fields.row(&mut output);
                        isomorph.apply_into(puzzle, image);
                        row.symbols(alphabet, image, shape.blank);
                        if let (true, Some(answer)) = (*has_answers, answer) {
                            isomorph.apply_into(answer, image);
                            row.push(b',');
                            row.symbols(alphabet, image, b'.');
                        }
                        if let Some(file) = origin {
                            row.push(b',');
                            match file {
                                FileColumn::Absent => row.number(line),
                                FileColumn::Present => row.quoted(format!("{}:{line}", reading.input.name).as_bytes()),
                            }
                        }
                        for field in &kept {
                            row.push(b',');
                            row.quoted(field);
                        }
                        row.push(b'\n');
                        row.end();
                    }
                }
            }
        }
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

/// Draws isomorphisms that make different copies of a puzzle.
struct CopyMaker {
    number: usize,
    seed: u64,
    kinds: Vec<IsomorphKind>,
    /// The puzzle and its copies so far.
    seen: HashSet<Vec<u8>>,
    isomorphs: Vec<Isomorph>,
}

impl CopyMaker {
    /// Isomorphisms that make copies of the puzzle on a line which differ from each other and from the puzzle: as many as
    /// wanted, or as there seem to be.
    fn draw(&mut self, order: Order, puzzle: &[u8], line: u64) -> &[Isomorph] {
        let key = SplitMix64::seed_from_u64(self.seed).next_u64();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(key ^ line);
        self.isomorphs.clear();
        self.seen.clear();
        self.seen.insert(puzzle.to_vec());
        let mut repeats = 0;
        let mut image = vec![0; order.cells()];
        while self.isomorphs.len() < self.number && repeats < MOST_REPEATS {
            let isomorph = Isomorph::random_of(order, &self.kinds, &mut rng);
            isomorph.apply_into(puzzle, &mut image);
            if self.seen.insert(image.clone()) {
                self.isomorphs.push(isomorph);
                repeats = 0;
            } else {
                repeats += 1;
            }
        }
        &self.isomorphs
    }
}
