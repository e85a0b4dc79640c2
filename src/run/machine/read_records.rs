//! Reads the records of a corpus one after another, for programs that show puzzles instead of writing rows.

use std::sync::Arc;

use super::records::{InputParsers, pencilmarks_in};
use crate::corpus::{ChunkInput, Corpus, CorpusError, Input};
use crate::format::{Alphabet, Malformed};
use crate::pipeline::{Chunk, Filled, Source};
use crate::puzzle::{Pencilmarks, Puzzle, Puzzles, Size};
use crate::single::Explain;

/// The number of records that are read at a time.
const CHUNK: usize = 2048;

/// A record, with its puzzle or the reason why there is none.
#[derive(Debug)]
pub struct ReadRecord<'a> {
    pub(crate) input: &'a Arc<Input>,
    /// The number of its first line, from 1.
    pub line: u64,
    /// Its puzzle.
    pub puzzle: Result<GivenPuzzle<'a>, Malformed>,
}

/// The puzzle of a record.
#[derive(Debug)]
pub enum GivenPuzzle<'a> {
    /// The size and the values of the cells.
    Clues(Size, &'a [u8]),
    /// The candidates of the cells.
    Pencilmarks(Box<Pencilmarks>),
}

impl ReadRecord<'_> {
    /// The symbols of this input's puzzles of a size.
    pub fn alphabet(&self, size: Size) -> Alphabet {
        self.input.layout.alphabets().for_printing(size)
    }

    /// The size of its puzzle and the values of the cells; a pencilmark puzzle has none.
    ///
    /// # Errors
    ///
    /// If the record is malformed, or a pencilmark puzzle.
    pub fn clues(&self) -> Result<(Size, &[u8]), Malformed> {
        match &self.puzzle {
            Ok(GivenPuzzle::Clues(size, cells)) => Ok((*size, cells)),
            Ok(GivenPuzzle::Pencilmarks(_)) => Err(Malformed::Pencilmarks),
            Err(reason) => Err(*reason),
        }
    }

    /// The name of the input.
    pub fn file(&self) -> &str {
        &self.input.name
    }

    /// The puzzle in one line with a colon before it, if it has clues; and its steps, or the reason why there are none.
    pub fn explained(&self, explain: &Explain) -> (String, String) {
        let (puzzle, steps) = match &self.puzzle {
            Ok(GivenPuzzle::Clues(_, cells)) => {
                let puzzle = Puzzle::try_from(*cells).expect("a record that was read is a puzzle");
                (format!(": {puzzle}"), explain.puzzle(&puzzle).map_err(|reason| reason.to_string()))
            }
            Ok(GivenPuzzle::Pencilmarks(puzzle)) => {
                (String::new(), explain.pencilmarks(puzzle).map_err(|reason| reason.to_string()))
            }
            Err(reason) => (String::new(), Err(reason.to_string())),
        };
        (puzzle, steps.unwrap_or_else(|reason| format!("No steps: {reason}\n")))
    }
}

/// Passes every record of a corpus to `each`, in order.
///
/// # Errors
///
/// If an input cannot be read, and the first error of `each`.
pub fn read_records<E: From<CorpusError>>(
    mut corpus: Corpus,
    mut each: impl FnMut(ReadRecord<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let (mut chunk, mut puzzles, mut parsers) = (Chunk::<_, ()>::new(), Puzzles::new(), None);
    while corpus.fill(&mut chunk, CHUNK)? == Filled::Records {
        let input = &chunk.input.as_ref().expect("a corpus sets the input of its chunks").input;
        let parser = &mut InputParsers::for_input(input, &mut parsers).puzzles;

        for (record, content) in chunk.records.iter().zip(ChunkInput::contents(&chunk)) {
            puzzles.clear();
            let puzzle = match parser.parse(content, &mut puzzles) {
                Ok(puzzle) => Ok(GivenPuzzle::Clues(puzzle.size, puzzles.last(puzzle.size))),
                Err(Malformed::Pencilmarks) => Ok(GivenPuzzle::Pencilmarks(Box::new(pencilmarks_in(parser, content)))),
                Err(reason) => Err(reason),
            };
            each(ReadRecord { input, line: record.line, puzzle })?;
        }
        chunk.clear();
    }
    Ok(())
}
