//! `gridmill generate`: puzzles from the library's generator, made in parallel and written in order.

use std::convert::Infallible;
use std::io::Write;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::Context;
use gridmill::format::{Alphabet, Alphabets};
use gridmill::jobs::generate::{GenerateError, Generator, Target};
use gridmill::pipeline::{self, Chunk, ChunkSize, Filled, Record, Source, Stop, Work};

use crate::args;

/// The most puzzles that a thread makes at a time.
const CHUNK: NonZeroUsize = NonZeroUsize::new(1024).unwrap();

pub(crate) fn run(arguments: &args::GenerateArgs) -> anyhow::Result<ExitCode> {
    let target = arguments.clues.map_or(Target::Minimal, Target::Clues);
    let stop = Stop::new();
    let threads = super::threads(arguments.threads);
    let maker = || GenerateWorker::new(arguments, target, &stop);
    let makers: Vec<GenerateWorker> = (0..threads).map(|_| maker()).collect::<Result<_, _>>()?;
    let mut output = arguments.destination.create(threads)?;
    if arguments.with_solution {
        output.write_all(b"puzzle,solution\n").context("cannot write the output")?;
    }
    let numbers = Numbers { next: 0, count: arguments.count };
    let outcome = pipeline::run(numbers, makers, &mut output, |_| Ok(()), ChunkSize::Adaptive { most: CHUNK }, &stop)?;
    if let Some(error) = outcome.workers.into_iter().find_map(|maker| maker.failed) {
        return Err(error.into());
    }
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}

/// The numbers of the puzzles to make; a record's line is its number, and it has no text.
struct Numbers {
    next: u64,
    count: u64,
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
struct GenerateWorker {
    generator: Generator,
    alphabet: Alphabet,
    with_solution: bool,
    puzzle: Vec<u8>,
    solution: Vec<u8>,
    /// Ends the run for all makers.
    stop: Stop,
    failed: Option<GenerateError>,
}

impl GenerateWorker {
    fn new(arguments: &args::GenerateArgs, target: Target, stop: &Stop) -> Result<GenerateWorker, GenerateError> {
        let order = arguments.order;
        Ok(GenerateWorker {
            generator: Generator::new(order, arguments.seed, target)?,
            alphabet: Alphabets::default().for_printing(order),
            with_solution: arguments.with_solution,
            puzzle: vec![0; order.cells()],
            solution: vec![0; order.cells()],
            stop: stop.clone(),
            failed: None,
        })
    }
}

impl Work<()> for GenerateWorker {
    fn work(&mut self, chunk: &mut Chunk<()>) {
        for number in chunk.records.iter().map(|record| record.line) {
            if let Err(error) = self.generator.puzzle(number, &mut self.puzzle, &mut self.solution) {
                self.failed = Some(error);
                self.stop.trigger();
                return;
            }
            self.alphabet.write(&self.puzzle, b'.', &mut chunk.output);
            if self.with_solution {
                chunk.output.push(b',');
                self.alphabet.write(&self.solution, b'.', &mut chunk.output);
            }
            chunk.output.push(b'\n');
        }
    }
}
