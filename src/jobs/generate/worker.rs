//! Makes the puzzles of a chunk in one call, and their rows.

use std::ops::ControlFlow;

use super::stage::{GenerateCounts, MadePuzzle};
use super::{GenerateError, GenerateOptions, Generator};
use crate::canon::{Canonicaliser, Class};
use crate::engine::solver::Question;
use crate::format::{Alphabet, Alphabets};
use crate::generate::trial::WEIGHT_DIGITS;
use crate::rating::Rated;
use crate::rows::{Decimal, GridsRow, Kind, Row, Subject, column, row};
use crate::run::record_loop::{Emit, RecordWorker, SolvedChunk, SolvedRecord};
use crate::run::records::InputParsers;
use crate::run::{Event, Execution};

/// Makes puzzles, on one of the threads.
pub(crate) struct GenerateWorker {
    generator: Generator,
    alphabet: Alphabet,
    /// Finds classes, if isomorphs matter.
    canonicaliser: Option<Canonicaliser>,
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
    execution: Execution,
    /// The grids that gave no puzzle, and the clues that may not be needed.
    counts: GenerateCounts,
    /// The reason why a puzzle of the chunk could not be made.
    failure: Option<GenerateError>,
}

impl GenerateWorker {
    pub(super) fn new(job: &GenerateOptions, generator: Generator, execution: &Execution) -> GenerateWorker {
        GenerateWorker {
            generator,
            alphabet: Alphabets::default().for_printing(job.spec().size),
            canonicaliser: job.needs_classes().then(Canonicaliser::new),
            puzzles: vec![],
            solutions: vec![],
            execution: execution.clone(),
            counts: GenerateCounts::default(),
            failure: None,
        }
    }
}

impl RecordWorker for GenerateWorker {
    type Note = Result<MadePuzzle, GenerateError>;
    type Counts = GenerateCounts;

    fn question(&self, _parsers: &InputParsers) -> Option<Question> {
        None
    }

    /// Makes the puzzles of all records.
    fn start(&mut self, chunk: SolvedChunk<'_>) -> ControlFlow<()> {
        let GenerateWorker { generator, alphabet, puzzles, solutions, execution, counts, .. } = self;
        for grids in [&mut *puzzles, solutions] {
            grids.resize(chunk.records.len() * alphabet.size().cells(), 0);
        }
        let mut missed = 0;
        let made = generator.work(
            |index| chunk.first_line + index as u64,
            puzzles,
            solutions,
            |grids| {
                if grids > 0 {
                    missed += u64::from(grids);
                    execution.notify(Event::Missed { grids });
                }
                ControlFlow::Continue(())
            },
        );

        counts.undecided_clues += generator.undecided_clues();
        match made {
            Ok(ControlFlow::Continue(before)) => counts.missed += before,
            // The chunk is discarded: this is for the report.
            Ok(ControlFlow::Break(())) => {
                counts.missed += missed;
                return ControlFlow::Break(());
            }
            Err(error) => self.failure = Some(error),
        }
        ControlFlow::Continue(())
    }

    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, Self::Note>) -> ControlFlow<()> {
        let GenerateWorker { generator, alphabet, canonicaliser, puzzles, solutions, failure, .. } = self;
        if let Some(error) = failure {
            emit.note(Err(error.clone()));
            return ControlFlow::Continue(());
        }

        let cells = alphabet.size().cells();
        let [puzzle, solution] = [puzzles, solutions].map(|grids| &grids[record.index * cells..][..cells]);
        let of_unique =
            |canonicaliser: &mut Canonicaliser| Class::of(&canonicaliser.of_unique(puzzle, solution).puzzle);
        let class = canonicaliser.as_mut().map(of_unique);
        let clues = puzzle.iter().filter(|&&value| value != 0).count();

        let rated = generator.ratings().get(record.index).and_then(Option::as_ref);
        let (weight, tries) = generator.trials()[record.index];
        let weight = weight.map(|units| Decimal { units, digits: WEIGHT_DIGITS });
        let puzzle = GridsRow::new(Subject::Puzzle { cells: puzzle, alphabet, blank: b'.' }, puzzle);
        emit.row(&PuzzleRow { puzzle, solution, clues, rated, weight, tries, alphabet });
        let row_end = emit.output().len();
        emit.note(Ok(MadePuzzle { clues, class, row_end }));
        ControlFlow::Continue(())
    }

    fn counts(&mut self) -> &mut GenerateCounts {
        &mut self.counts
    }
}

/// A puzzle with its solution.
pub(crate) struct PuzzleRow<'a> {
    pub(super) puzzle: GridsRow<'a>,
    pub(super) solution: &'a [u8],
    pub(super) clues: usize,
    /// `None` if it is not rated.
    pub(super) rated: Option<&'a Rated>,
    /// `None` if its probability is not known.
    pub(super) weight: Option<Decimal>,
    pub(super) tries: u64,
    pub(super) alphabet: &'a Alphabet,
}

impl Row for PuzzleRow<'_> {
    row! {
        |self, field|

        column!("puzzle", Kind::Text, "the puzzle in one line") => field.subject(self.puzzle.subject);
        column!("solution", Kind::Text, "its solution in one line") =>
            field.symbols(self.alphabet, self.solution, b'.');
        column!("clues", Kind::Number, "the number of clues") => field.number(self.clues as u64);
        ..Rated::COLUMNS, 7 => |number| match self.rated {
            Some(rated) => rated.field(number, field),
            None => field.null(),
        };
        column!("weight", Kind::Decimal, "the inverse of the probability of the puzzle, in units of C(81, 26)")
            .nullable() => field.decimal_if_known(self.weight);
        column!(
            "tries",
            Kind::Number,
            "the number of trials for the puzzle: of random grids or, with a known probability, of orders of their \
             cells"
        ) => field.number(self.tries);
    }

    fn grids(&self) -> &GridsRow<'_> {
        &self.puzzle
    }
}
