//! The pipeline's stages for `generate`: numbers of puzzles as its source, and workers that make the puzzles.

use std::convert::Infallible;

use super::{Content, Generate, GenerateError, Generator};
use crate::format::{Alphabet, Alphabets};
use crate::pipeline::{Chunk, Filled, Record, Source, Stop, Work};

/// A source of the numbers of the puzzles to make: a record's line is its number, and it has no text.
pub(super) struct Numbers {
    pub(super) next: u64,
    pub(super) count: u64,
}

impl Source for Numbers {
    type Input = ();
    type Error = Infallible;

    fn fill<N>(&mut self, chunk: &mut Chunk<(), N>, records: usize) -> Result<Filled, Self::Error> {
        let end = self.count.min(self.next + records as u64);
        chunk.records.extend((self.next..end).map(|number| Record { text: 0..0, line: number }));
        self.next = end;
        Ok(if chunk.records.is_empty() { Filled::Nothing } else { Filled::Records })
    }
}

/// Makes the puzzles of a chunk.
pub(super) struct GenerateWorker {
    generator: Generator,
    alphabet: Alphabet,
    content: Content,
    puzzle: Vec<u8>,
    solution: Vec<u8>,
    /// Ends the run for all workers.
    stop: Stop,
    error: Option<GenerateError>,
}

impl GenerateWorker {
    pub(super) fn new(job: &Generate, stop: &Stop) -> Result<GenerateWorker, GenerateError> {
        Ok(GenerateWorker {
            generator: Generator::new(job.order, job.seed, job.target)?.max_branches(job.max_branches),
            alphabet: Alphabets::default().for_printing(job.order),
            content: job.content,
            puzzle: vec![0; job.order.cells()],
            solution: vec![0; job.order.cells()],
            stop: stop.clone(),
            error: None,
        })
    }

    /// Why it could not go on.
    pub(super) fn into_error(self) -> Option<GenerateError> {
        self.error
    }
}

impl Work<()> for GenerateWorker {
    fn work(&mut self, chunk: &mut Chunk<()>) {
        for number in chunk.records.iter().map(|record| record.line) {
            if let Err(error) = self.generator.puzzle(number, &mut self.puzzle, &mut self.solution) {
                self.error = Some(error);
                self.stop.trigger();
                return;
            }
            self.alphabet.write(&self.puzzle, b'.', &mut chunk.output);
            if self.content == Content::PuzzlesWithSolutions {
                chunk.output.push(b',');
                self.alphabet.write(&self.solution, b'.', &mut chunk.output);
            }
            chunk.output.push(b'\n');
        }
    }
}
