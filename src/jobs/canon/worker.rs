//! Canonical forms of a whole corpus: text -> batch -> verdicts -> forms -> rows. The worker of `gridmill canon`.

use std::io::Write;
use std::sync::Arc;

use crate::canon::{Canonical, Canonicaliser, Class, OutOfBound};
use crate::corpus::Input;
use crate::engine::solver::{Answer, Question, Solver};
use crate::engine::{Engine, Limit};
use crate::format::Alphabet;
use crate::jobs::records::{Entry, Records};
use crate::pipeline::{Chunk, Work};
use crate::puzzle::Grid;
use crate::rows::{RowFields, Subject};

/// What can be said of a puzzle's canonical form.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// The puzzle has one solution.
    Unique(Canonical),
    /// It has none or several: the form of the clues.
    Clues(Grid),
    /// The form of the clues takes too much work.
    OutOfBound(OutOfBound),
    /// It is not 9x9.
    OtherSize,
}

impl Form {
    /// The form of a puzzle by what is known of its solutions, counted to two at least.
    pub(crate) fn of(answer: &Answer<'_>, canonicaliser: &mut Canonicaliser) -> Form {
        let Ok(puzzle) = answer.puzzle.try_into() else { return Form::OtherSize };
        if answer.solutions == 1 {
            let solution = answer.grids.try_into().expect("the solution of a unique puzzle is there");
            return Form::Unique(canonicaliser.of_unique(puzzle, solution));
        }
        match canonicaliser.of_clues(puzzle, Canonicaliser::BOUND) {
            Ok(form) => Form::Clues(form),
            Err(out_of_bound) => Form::OutOfBound(out_of_bound),
        }
    }

    /// The form itself.
    pub(crate) fn puzzle(&self) -> Option<&Grid> {
        match self {
            Form::Unique(canonical) => Some(&canonical.puzzle),
            Form::Clues(form) => Some(form),
            Form::OutOfBound(_) | Form::OtherSize => None,
        }
    }

    /// The class of the puzzle.
    pub(crate) fn class(&self) -> Option<Class> {
        self.puzzle().map(Class::of)
    }
}

/// How many records have which kind of form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CanonCounts {
    /// Puzzles with one solution.
    pub unique: u64,
    /// Puzzles with no solution or several, whose clues have a form.
    pub clues: u64,
    /// Puzzles of which a form was not found within [`Canonicaliser::BOUND`].
    pub out_of_bound: u64,
    /// Puzzles that are not 9x9.
    pub other_sizes: u64,
    /// Records that are no puzzles.
    pub malformed: u64,
}

impl CanonCounts {
    /// Adds what another worker has counted.
    pub fn add(&mut self, other: CanonCounts) {
        self.unique += other.unique;
        self.clues += other.clues;
        self.out_of_bound += other.out_of_bound;
        self.other_sizes += other.other_sizes;
        self.malformed += other.malformed;
    }
}

/// Turns chunks of records into rows with canonical forms, as CSV.
pub(super) struct CanonWorker {
    records: Records,
    solver: Solver,
    canonicaliser: Canonicaliser,
    fields: RowFields,
    counts: CanonCounts,
}

impl CanonWorker {
    /// A worker that solves with `engine` and writes rows with these fields in front.
    pub(super) fn new(engine: Box<dyn Engine>, fields: RowFields) -> CanonWorker {
        CanonWorker {
            records: Records::default(),
            solver: Solver::new(engine),
            canonicaliser: Canonicaliser::new(),
            fields,
            counts: CanonCounts::default(),
        }
    }

    /// The columns behind those that say which record it is.
    pub(super) const COLUMNS: &str = "canonical,canonical_solution,class,automorphisms";

    /// What this worker has counted.
    pub(super) fn counts(&self) -> CanonCounts {
        self.counts
    }
}

impl Work<Arc<Input>> for CanonWorker {
    fn work(&mut self, chunk: &mut Chunk<Arc<Input>>) {
        self.records.read(chunk, &mut self.solver);
        self.solver.solve(Question::Count(Limit::UNIQUE));
        let Some((reading, entries)) = self.records.parts() else { return };
        let [_, nine, ..] = Alphabet::ALL;
        let mut output = std::mem::take(&mut chunk.output);
        for ((line, text), entry) in chunk.texts().zip(entries) {
            let Entry::Puzzle(shape, index) = *entry else {
                self.counts.malformed += 1;
                let subject = Subject::Text(reading.parser.puzzle_text(text));
                let mut row = self.fields.row(&mut output);
                row.start(&reading.input.name, line, subject);
                row.append(b",,,,\n");
                row.end();
                continue;
            };
            let answer = self.solver.answer(shape.order, index);
            let alphabet = &reading.alphabets[shape.order.index()];
            let subject = Subject::Puzzle { cells: answer.puzzle, alphabet, blank: shape.blank };
            let form = Form::of(&answer, &mut self.canonicaliser);
            let mut row = self.fields.row(&mut output);
            row.start(&reading.input.name, line, subject);
            row.push(b',');
            if let Some(puzzle) = form.puzzle() {
                row.symbols(&nine, puzzle, b'.');
            }
            row.push(b',');
            if let Form::Unique(canonical) = &form {
                row.symbols(&nine, &canonical.solution, b'.');
            }
            row.push(b',');
            if let Some(class) = form.class() {
                write!(row, "{class}").expect("memory takes any text");
            }
            row.push(b',');
            if let Form::Unique(canonical) = &form {
                row.number(canonical.automorphisms.into());
            }
            row.push(b'\n');
            row.end();
            *match form {
                Form::Unique(_) => &mut self.counts.unique,
                Form::Clues(_) => &mut self.counts.clues,
                Form::OutOfBound(_) => &mut self.counts.out_of_bound,
                Form::OtherSize => &mut self.counts.other_sizes,
            } += 1;
        }
        chunk.output = output;
    }
}
