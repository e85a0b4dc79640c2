//! Parses the records of a chunk. The workers of all jobs on a corpus start with this.

use std::fmt::{self, Display};
use std::sync::Arc;

use super::tally::{InputTally, Tallied};
use crate::corpus::{ChunkInput, Input};
use crate::engine::solver::Solver;
use crate::format::{Alphabet, Malformed, ParsedPuzzle, Parser, PassThrough};
use crate::pipeline::Chunk;
use crate::puzzle::rules::Conflict;
use crate::puzzle::{Geometry, Order, Puzzles};

/// Parses chunks. Each worker has its own.
#[derive(Default)]
pub(crate) struct ChunkParser {
    /// The parsers for the input of the last chunk.
    parsers: Option<InputParsers>,
    /// The records of the chunk, in order.
    records: Vec<ParsedRecord>,
    tally: InputTally,
}

/// One record of a chunk.
pub(crate) enum ParsedRecord {
    /// A puzzle, and its index among the puzzles of its size.
    Puzzle(ParsedPuzzle, usize),
    Malformed(Malformed),
}

/// An input with its parsers and the alphabets that its puzzles are printed in.
pub(crate) struct InputParsers {
    pub(crate) input: Arc<Input>,
    pub(crate) parser: Box<dyn Parser>,
    /// Parses the answer beside the puzzle, if the input has a column for it.
    pub(crate) answers: Option<Box<dyn Parser>>,
    pub(crate) pass_through: PassThrough,
    /// The alphabet of each size.
    pub(crate) alphabets: [Alphabet; Order::ALL.len()],
}

impl ChunkParser {
    /// Parses the records of a chunk. Their puzzles replace those of `solver`.
    pub(crate) fn parse<N>(&mut self, chunk: &Chunk<ChunkInput, N>, solver: &mut Solver) {
        self.parse_into(chunk, solver.puzzles_mut());
    }

    /// Parses the records of a chunk. Their puzzles replace those before.
    pub(crate) fn parse_into<N>(&mut self, chunk: &Chunk<ChunkInput, N>, puzzles: &mut Puzzles) {
        self.records.clear();
        puzzles.clear();
        let Some(ChunkInput { input, .. }) = &chunk.input else { return };
        let parser = &mut InputParsers::for_input(input, &mut self.parsers).parser;
        for (_, text) in chunk.texts() {
            self.records.push(match parser.parse(text, puzzles) {
                Ok(puzzle) => ParsedRecord::Puzzle(puzzle, puzzles.batch(puzzle.order).len() - 1),
                Err(reason) => ParsedRecord::Malformed(reason),
            });
        }
        let lines = chunk.records.iter().map(|record| record.line);
        let malformed = lines.zip(&self.records).filter_map(|(line, record)| match record {
            ParsedRecord::Puzzle(..) => None,
            ParsedRecord::Malformed(reason) => Some((line, *reason)),
        });
        self.tally.add(input, self.records.len(), malformed);
    }

    /// The parsers and the records of the last chunk; `None` before the first chunk.
    pub(crate) fn parts(&mut self) -> Option<(&mut InputParsers, &[ParsedRecord])> {
        self.parsers.as_mut().map(|parsers| (parsers, &*self.records))
    }
}

impl Tallied for ChunkParser {
    fn take_tally(&mut self) -> InputTally {
        std::mem::take(&mut self.tally)
    }
}

impl InputParsers {
    /// The parsers for an input. Keeps the `last` ones if they are for this input.
    pub(crate) fn for_input<'a>(input: &Arc<Input>, last: &'a mut Option<InputParsers>) -> &'a mut InputParsers {
        let same = last.take().filter(|parsers| Arc::ptr_eq(&parsers.input, input));
        last.insert(same.unwrap_or_else(|| InputParsers::new(input)))
    }

    fn new(input: &Arc<Input>) -> InputParsers {
        let layout = &input.layout;
        InputParsers {
            input: Arc::clone(input),
            parser: layout.parser(),
            answers: layout.answer_parser(),
            pass_through: layout.pass_through(),
            alphabets: Order::ALL.map(|order| layout.alphabets().for_printing(order)),
        }
    }
}

/// Says that a search gave up: `gave up after 1000 branches with 1 solution found`.
pub(crate) struct GaveUpMessage {
    pub(crate) max_branches: u64,
    /// The number of solutions that were found before.
    pub(crate) found: u64,
}

impl Display for GaveUpMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &GaveUpMessage { max_branches, found } = self;
        let branches = if max_branches == 1 { "branch" } else { "branches" };
        let solutions = if found == 1 { "solution" } else { "solutions" };
        write!(f, "gave up after {max_branches} {branches} with {found} {solutions} found")
    }
}

/// Names two clues that contradict each other, in the puzzle's own symbols: `two 7s in box 5: r4c5, r6c4`.
pub(crate) struct ConflictMessage<'a>(pub(crate) Conflict, pub(crate) &'a Alphabet);

impl Display for ConflictMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &ConflictMessage(Conflict { digit, house, cells: [first, second] }, alphabet) = self;
        let symbol = char::from(alphabet.symbol(digit));
        let geometry = Geometry::of(alphabet.order());
        write!(f, "two {symbol}s in {house}: {}, {}", geometry.name(first), geometry.name(second))
    }
}
