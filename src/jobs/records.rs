//! The records of a chunk, read: what every worker on a corpus begins with.
//!
//! Meets the [`format`](crate::format)s, whose parsers it owns, and the [`Solver`], which gets the puzzles.

use std::fmt::{self, Display};
use std::sync::Arc;

use crate::corpus::Input;
use crate::engine::solver::Solver;
use crate::format::{Alphabet, Malformed, ParsedPuzzle, Parser, PassThrough};
use crate::pipeline::Chunk;
use crate::puzzle::rules::Conflict;
use crate::puzzle::{Geometry, Order};

/// Reads chunk after chunk. Each worker owns one.
#[derive(Default)]
pub(crate) struct Records {
    /// The input of the latest chunk.
    reading: Option<Reading>,
    /// The chunk's records, in order.
    entries: Vec<Entry>,
}

/// One record of a chunk.
pub(crate) enum Entry {
    /// A puzzle, and its number among those of its size.
    Puzzle(ParsedPuzzle, usize),
    Malformed(Malformed),
}

/// An input, with what it takes to read its records and to print their puzzles.
pub(crate) struct Reading {
    pub(crate) input: Arc<Input>,
    pub(crate) parser: Box<dyn Parser>,
    /// Reads the answer beside the puzzle, where the input has a column for it.
    pub(crate) answers: Option<Box<dyn Parser>>,
    pub(crate) pass_through: PassThrough,
    /// What each size is printed in.
    pub(crate) alphabets: [Alphabet; Order::ALL.len()],
}

impl Records {
    /// Reads the records of a chunk, and gives their puzzles to `solver` in place of what it had.
    pub(crate) fn read<N>(&mut self, chunk: &Chunk<Arc<Input>, N>, solver: &mut Solver) {
        self.entries.clear();
        solver.clear();
        let Some(input) = &chunk.input else { return };
        let reading = Reading::of(input, &mut self.reading);
        let puzzles = solver.puzzles_mut();
        for (_, text) in chunk.texts() {
            self.entries.push(match reading.parser.parse(text, puzzles) {
                Ok(puzzle) => Entry::Puzzle(puzzle, puzzles.batch(puzzle.order).len() - 1),
                Err(reason) => Entry::Malformed(reason),
            });
        }
    }

    /// The input that was read last, with the records of its chunk in order; `None` before the first chunk.
    pub(crate) fn parts(&mut self) -> Option<(&mut Reading, &[Entry])> {
        self.reading.as_mut().map(|reading| (reading, &*self.entries))
    }
}

impl Reading {
    /// What it takes to read an input: `latest`, if that was for it.
    pub(crate) fn of<'a>(input: &Arc<Input>, latest: &'a mut Option<Reading>) -> &'a mut Reading {
        let same = latest.take().filter(|reading| Arc::ptr_eq(&reading.input, input));
        latest.insert(same.unwrap_or_else(|| Reading::new(input)))
    }

    fn new(input: &Arc<Input>) -> Reading {
        let layout = &input.layout;
        Reading {
            input: Arc::clone(input),
            parser: layout.parser(),
            answers: layout.answer_parser(),
            pass_through: layout.pass_through(),
            alphabets: Order::ALL.map(|order| layout.alphabets().for_printing(order)),
        }
    }
}

/// Says which clues contradict each other, with the puzzle's own symbols: `two 7s in box 5: r4c5, r6c4`.
pub(crate) struct ConflictMessage<'a>(pub(crate) Conflict, pub(crate) &'a Alphabet);

impl Display for ConflictMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &ConflictMessage(Conflict { digit, house, cells: [first, second] }, alphabet) = self;
        let symbol = char::from(alphabet.symbol(digit));
        let geometry = Geometry::of(alphabet.order());
        write!(f, "two {symbol}s in {house}: {}, {}", geometry.name(first), geometry.name(second))
    }
}
