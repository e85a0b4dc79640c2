//! The only place where the pipeline, the engines and the formats meet: text -> batch -> verdicts -> rows.
//!
//! A [`Worker`] belongs to one thread. Its buffers grow to the size of a chunk and stay.

use std::fmt::Write;
use std::sync::Arc;

use csv::ByteRecord;

use crate::clock;
use crate::corpus::Input;
use crate::engine::Engine;
use crate::format::{Alphabet, Keeper, Malformed, Parser, Shape};
use crate::geometry::{Geometry, Order};
use crate::pipeline::{Chunk, Work};
use crate::rows::{Row, RowWriter, Status, Subject};
use crate::rules::{self, Conflict};
use crate::solver::{Question, Solver};
use crate::stats::{Place, Tally};

/// Turns chunks of records into rows, with an engine, a parser and a row writer of its own.
pub struct Worker {
    question: Question,
    solver: Solver,
    writer: Box<dyn RowWriter>,
    /// The input of the latest chunk.
    reading: Option<Reading>,
    /// The chunk's records, in order.
    entries: Vec<Entry>,
    cells: Vec<u8>,
    kept: ByteRecord,
    detail: String,
    tally: Tally,
}

/// One record of a chunk.
enum Entry {
    /// A puzzle, and its number among those of its size.
    Puzzle(Shape, usize),
    Malformed(Malformed),
}

impl Worker {
    /// A worker that asks `question` of every puzzle.
    pub fn new(question: Question, engine: Box<dyn Engine>, writer: Box<dyn RowWriter>, tally: Tally) -> Worker {
        Worker {
            question,
            solver: Solver::new(engine),
            writer,
            reading: None,
            entries: Vec::new(),
            cells: Vec::new(),
            kept: ByteRecord::new(),
            detail: String::new(),
            tally,
        }
    }

    /// What this worker has seen.
    pub fn into_tally(self) -> Tally {
        self.tally
    }

    fn parse(&mut self, chunk: &Chunk<Arc<Input>>, parser: &mut dyn Parser) {
        self.entries.clear();
        self.solver.clear();
        for (_, text) in chunk.texts() {
            self.entries.push(match parser.parse(text, &mut self.cells) {
                Ok(shape) => Entry::Puzzle(shape, self.solver.push(shape.order, &self.cells)),
                Err(reason) => Entry::Malformed(reason),
            });
        }
    }

    fn write(&mut self, chunk: &mut Chunk<Arc<Input>>, reading: &mut Reading) {
        let is_start = chunk.number() == 0;
        let mut output = std::mem::take(&mut chunk.output);
        for (index, ((line, text), entry)) in chunk.texts().zip(&self.entries).enumerate() {
            self.detail.clear();
            self.kept.clear();
            for field in reading.keeper.keep(text) {
                self.kept.push_field(field);
            }
            let apart = !(is_start && index == 0);
            let file = &*reading.input.name;
            let kept = &self.kept;
            let row = match *entry {
                Entry::Malformed(reason) => {
                    self.tally.add_malformed();
                    let _ = write!(self.detail, "{reason}");
                    Row {
                        file,
                        line,
                        subject: Subject::Text(reading.parser.puzzle_text(text)),
                        status: Status::Malformed,
                        solutions: 0,
                        printed: &[],
                        branches: 0,
                        nanos: 0,
                        detail: &self.detail,
                        kept,
                        apart,
                    }
                }
                Entry::Puzzle(shape, index) => {
                    let alphabet = &reading.alphabets[shape.order.index()];
                    let answer = self.solver.answer(shape.order, index);
                    let cells = answer.puzzle;
                    let status = Status::of(answer.solutions);
                    if status == Status::None {
                        describe(rules::conflict(shape.order, cells), *alphabet, &mut self.detail);
                    } else if answer.more {
                        self.detail.push_str("there are more");
                        self.tally.add_capped();
                    }
                    self.tally.add_puzzle(status, clues(cells), answer.cost, || Place {
                        file: file.to_owned(),
                        line,
                        puzzle: alphabet.text(cells, shape.blank),
                    });
                    Row {
                        file,
                        line,
                        subject: Subject::Puzzle { cells, alphabet, blank: shape.blank },
                        status,
                        solutions: answer.solutions,
                        printed: answer.grids,
                        branches: answer.cost.branches,
                        nanos: answer.cost.nanos,
                        detail: &self.detail,
                        kept,
                        apart: apart && shape.apart,
                    }
                }
            };
            self.writer.row(&row, &mut output);
        }
        chunk.output = output;
    }
}

impl Work<Arc<Input>> for Worker {
    fn work(&mut self, chunk: &mut Chunk<Arc<Input>>) {
        let Some(input) = &chunk.label else { return };
        let same = self.reading.take().filter(|reading| Arc::ptr_eq(&reading.input, input));
        let mut reading = same.unwrap_or_else(|| Reading::new(input));

        self.parse(chunk, &mut *reading.parser);
        let cpu = clock::thread_cpu();
        self.solver.solve(self.question);
        self.tally.add_engine_cpu(clock::thread_cpu().saturating_sub(cpu));
        self.write(chunk, &mut reading);
        self.reading = Some(reading);
    }
}

/// An input, with what it takes to read its records and to print their puzzles.
struct Reading {
    input: Arc<Input>,
    parser: Box<dyn Parser>,
    keeper: Keeper,
    /// What each size is printed in.
    alphabets: [Alphabet; Order::ALL.len()],
}

impl Reading {
    fn new(input: &Arc<Input>) -> Reading {
        Reading {
            input: Arc::clone(input),
            parser: input.layout.parser(),
            keeper: input.layout.keeper(),
            alphabets: Order::ALL.map(|order| input.layout.alphabets().for_printing(order)),
        }
    }
}

/// How many clues a puzzle has.
fn clues(cells: &[u8]) -> usize {
    // Sums that fit into a byte are a few vector instructions.
    let few = |cells: &[u8]| cells.iter().map(|&value| u8::from(value != 0)).sum::<u8>();
    cells.chunks(usize::from(u8::MAX)).map(|cells| usize::from(few(cells))).sum()
}

/// Says which clues contradict each other, with the puzzle's own symbols.
fn describe(conflict: Option<Conflict>, alphabet: Alphabet, detail: &mut String) {
    let Some(Conflict { digit, house, cells: [first, second] }) = conflict else { return };
    let symbol = char::from(alphabet.symbol(digit));
    let geometry = Geometry::of(alphabet.order());
    let _ = write!(detail, "two {symbol}s in {house}: {}, {}", geometry.name(first), geometry.name(second));
}
