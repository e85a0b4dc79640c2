//! The pipeline's stages for `generate`: numbers of puzzles as its source, workers that make the puzzles,
//! and their rows.

use std::convert::Infallible;
use std::ops::ControlFlow;

use csv::ByteRecord;

use super::{Generate, GenerateError, GenerateEvent, GenerateObserver, Generator};
use crate::canon::{Canonicaliser, Class};
use crate::format::{Alphabet, Alphabets};
use crate::pipeline::{Chunk, Filled, Record, Source, Work};
use crate::rows::{Column, Field, Kind, OutputFormat, Row, RowParts, RowSink, column, push_cells};
use crate::run::Execution;
use crate::run::rated::Rated;

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

/// The puzzles of a chunk: its only note.
#[derive(Debug)]
pub(super) enum MadePuzzles {
    /// All were made. Rows of text are in the output of the chunk, others in the parts.
    All(Vec<MadePuzzle>, RowParts),
    /// The run was stopped before, and the chunk has no output.
    Incomplete,
}

/// What must be known of a puzzle, beside its row.
#[derive(Clone, Copy, Debug)]
pub(super) struct MadePuzzle {
    pub(super) clues: usize,
    /// `None` if isomorphs do not matter.
    pub(super) class: Option<Class>,
    /// Where its row ends in the output of the chunk.
    pub(super) row_end: usize,
}

/// Makes the puzzles of a chunk.
pub(super) struct GenerateWorker {
    generator: Generator,
    alphabet: Alphabet,
    sink: RowSink,
    /// Finds classes, if isomorphs matter.
    canonicaliser: Option<Canonicaliser>,
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
    execution: Execution,
    observer: GenerateObserver,
    /// The number of grids so far that gave no puzzle, or why it could not go on.
    missed: Result<u64, GenerateError>,
}

impl GenerateWorker {
    pub(super) fn new(job: &Generate, generator: Generator, sink: RowSink, execution: &Execution) -> GenerateWorker {
        GenerateWorker {
            generator,
            alphabet: Alphabets::default().for_printing(job.spec.size),
            sink,
            observer: job.observer.clone(),
            canonicaliser: job.distinctness.needs_classes().then(Canonicaliser::new),
            puzzles: vec![],
            solutions: vec![],
            execution: execution.clone(),
            missed: Ok(0),
        }
    }

    /// The number of clues that may not be needed.
    pub(super) fn undecided_clues(&self) -> u64 {
        self.generator.undecided_clues()
    }

    /// The number of grids that gave no puzzle.
    pub(super) fn into_missed(self) -> Result<u64, GenerateError> {
        self.missed
    }

    /// Makes puzzles from number `first` on; says whether all were made.
    fn make(&mut self, first: u64, count: usize) -> bool {
        let GenerateWorker { generator, alphabet, puzzles, solutions, execution, observer, missed, .. } = self;
        let Ok(missed) = missed else { return false };
        for grids in [&mut *puzzles, solutions] {
            grids.resize(count * alphabet.size().cells(), 0);
        }
        let outcome = generator.work(
            |index| first + index as u64,
            puzzles,
            solutions,
            |grids| {
                if grids > 0 {
                    *missed += u64::from(grids);
                    observer.notify(GenerateEvent::Missed { grids });
                }
                if execution.stop.is_triggered() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        );
        match outcome {
            Ok(flow) => flow.is_continue(),
            Err(error) => {
                self.missed = Err(error);
                self.execution.stop.trigger();
                false
            }
        }
    }
}

impl Work<(), MadePuzzles> for GenerateWorker {
    fn work(&mut self, chunk: &mut Chunk<(), MadePuzzles>) {
        let Some(first) = chunk.records.first().map(|record| record.line) else { return };
        if !self.make(first, chunk.records.len()) {
            chunk.notes.push(MadePuzzles::Incomplete);
            return;
        }
        let GenerateWorker { generator, alphabet, sink, canonicaliser, puzzles, solutions, .. } = self;
        sink.start(None);
        let (cells, kept) = (alphabet.size().cells(), ByteRecord::new());
        let mut made = Vec::with_capacity(chunk.records.len());
        let grids = puzzles.chunks_exact(cells).zip(solutions.chunks_exact(cells));
        for (index, ((puzzle, solution), rated)) in grids.zip(generator.ratings()).enumerate() {
            let class = canonicaliser
                .as_mut()
                .map(|canonicaliser| Class::of(&canonicaliser.of_unique(puzzle, solution).puzzle));
            let clues = puzzle.iter().filter(|&&value| value != 0).count();
            let row = PuzzleRow { puzzle, solution, clues, rated: rated.as_ref(), alphabet };
            sink.row(index, &row, &kept, &mut chunk.output);
            made.push(MadePuzzle { clues, class, row_end: chunk.output.len() });
        }
        chunk.notes.push(MadePuzzles::All(made, sink.end()));
    }
}

/// A puzzle with its solution.
pub(super) struct PuzzleRow<'a> {
    pub(super) puzzle: &'a [u8],
    pub(super) solution: &'a [u8],
    pub(super) clues: usize,
    /// `None` if it is not rated.
    pub(super) rated: Option<&'a Rated>,
    pub(super) alphabet: &'a Alphabet,
}

impl Row for PuzzleRow<'_> {
    const COLUMNS: &'static [Column] = &[
        column!("puzzle", Kind::Text, "the puzzle in one line"),
        column!("solution", Kind::Text, "its solution in one line"),
        column!("clues", Kind::Number, "the number of clues"),
        Rated::COLUMNS[0],
        Rated::COLUMNS[1],
        Rated::COLUMNS[2],
        Rated::COLUMNS[3],
        Rated::COLUMNS[4],
        Rated::COLUMNS[5],
        Rated::COLUMNS[6],
    ];

    #[inline(always)]
    fn field<F: Field>(&self, column: usize, field: F) {
        match column {
            0 => field.symbols(self.alphabet, self.puzzle, b'.'),
            1 => field.symbols(self.alphabet, self.solution, b'.'),
            2 => field.number(self.clues as u64),
            _ => match self.rated {
                Some(rated) => rated.field(column - 3, field),
                None => field.null(),
            },
        }
    }

    /// The puzzle in a line of its own, or in a row of an array.
    fn text(&self, format: OutputFormat, output: &mut Vec<u8>) {
        if format == OutputFormat::Npy {
            return push_cells(self.puzzle, output);
        }
        self.alphabet.write(self.puzzle, b'.', output);
        output.push(b'\n');
    }
}
