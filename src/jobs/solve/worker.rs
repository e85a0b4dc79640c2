//! Parses the records of a chunk, solves the puzzles, and writes a row for each record.
//!
//! A [`SolveWorker`] belongs to one thread. Its buffers grow to the size of a chunk and are used again.

use std::fmt::Write;

use csv::ByteRecord;

use crate::corpus::ChunkInput;
use crate::engine::solver::{Question, Solver};
use crate::format::{Malformed, ParsedPuzzle};
use crate::jobs::records::{ChunkParser, ConflictMessage, GaveUpMessage, ParsedRecord};
use crate::jobs::summarised::CountingWorker;
use crate::jobs::tally::{InputTally, Tallied};
#[cfg(feature = "arrow")]
use crate::jobs::typed::Batch;
use crate::pipeline::thread_cpu_time;
use crate::pipeline::{Chunk, Work};
use crate::puzzle::rules;
#[cfg(feature = "arrow")]
use crate::rows::TypedRows;
use crate::rows::{MORE_SOLUTIONS, Row, RowWriter, Status, Subject};
use crate::stats::{PuzzleSource, RunStats};

/// Takes the rows of a worker.
pub(crate) trait RowSink: Send {
    /// What it leaves in a chunk beside the output.
    type Note: Send + 'static;

    /// Whether rows need the fields that are kept: typed columns are passed on as they are.
    fn needs_kept(&self, chunk: &Chunk<ChunkInput, Self::Note>) -> bool;

    /// Takes a row; appends it to `output` if it is text.
    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>);

    /// Ends the rows of a chunk.
    fn end(&mut self, chunk: &mut Chunk<ChunkInput, Self::Note>);
}

/// Rows of text go to the output of their chunk.
impl RowSink for Box<dyn RowWriter> {
    type Note = ();

    fn needs_kept(&self, _chunk: &Chunk<ChunkInput>) -> bool {
        true
    }

    fn row(&mut self, row: &Row<'_>, output: &mut Vec<u8>) {
        RowWriter::row(&mut **self, row, output);
    }

    fn end(&mut self, _chunk: &mut Chunk<ChunkInput>) {}
}

/// Typed rows are the only note of their chunk.
#[cfg(feature = "arrow")]
impl RowSink for TypedRows {
    type Note = Batch;

    fn needs_kept(&self, chunk: &Chunk<ChunkInput, Batch>) -> bool {
        chunk.input.as_ref().is_none_or(|input| input.kept.is_none())
    }

    fn row(&mut self, row: &Row<'_>, _output: &mut Vec<u8>) {
        TypedRows::row(self, row);
    }

    fn end(&mut self, chunk: &mut Chunk<ChunkInput, Batch>) {
        let kept = chunk.input.as_ref().and_then(|input| input.kept.as_ref());
        chunk.notes.push(self.finish(kept));
    }
}

/// Turns chunks of records into rows, with an engine, a parser and a row sink of its own.
pub(crate) struct SolveWorker<S> {
    question: Question,
    solver: Solver,
    rows: S,
    records: ChunkParser,
    kept: ByteRecord,
    detail: String,
    stats: RunStats,
}

impl<S: RowSink> SolveWorker<S> {
    /// A worker that asks `question` of every puzzle.
    pub(super) fn new(question: Question, solver: Solver, rows: S, stats: RunStats) -> SolveWorker<S> {
        SolveWorker {
            question,
            solver,
            rows,
            records: ChunkParser::taking_pencilmarks(),
            kept: ByteRecord::new(),
            detail: String::new(),
            stats,
        }
    }

    fn write(&mut self, chunk: &mut Chunk<ChunkInput, S::Note>) {
        let Some((reading, entries)) = self.records.parts() else { return };
        let is_start = chunk.number() == 0;
        let needs_kept = self.rows.needs_kept(chunk);
        let mut pencilmarks = self.solver.pencilmark_answers();
        let mut output = std::mem::take(&mut chunk.output);
        for (index, ((line, text), entry)) in chunk.texts().zip(entries).enumerate() {
            self.detail.clear();
            self.kept.clear();
            if needs_kept {
                for field in reading.pass_through.fields(text) {
                    self.kept.push_field(field);
                }
            }
            let is_first = is_start && index == 0;
            let file = &*reading.input.name;
            let kept = &self.kept;
            let (shape, answer, subject) = match *entry {
                ParsedRecord::Puzzle(shape, index) => {
                    let answer = self.solver.answer(shape.order, index);
                    let alphabet = &reading.alphabets[shape.order.index()];
                    (shape, answer, Subject::Puzzle { cells: answer.puzzle, alphabet, blank: shape.blank })
                }
                ParsedRecord::Malformed(Malformed::Pencilmarks) => {
                    let (_, answer) = pencilmarks.next().expect("the solver has each of them");
                    (ParsedPuzzle::PENCILMARKS, answer, Subject::Pencilmarks(reading.parser.pencilmarks(text)))
                }
                ParsedRecord::Malformed(reason) => {
                    self.stats.add_malformed();
                    let _ = write!(self.detail, "{reason}");
                    let row = Row {
                        file,
                        line,
                        subject: Subject::Text(reading.parser.puzzle_text(text)),
                        status: Status::Malformed,
                        solutions: Some(0),
                        printed: &[],
                        branches: Some(0),
                        nanos: 0,
                        detail: &self.detail,
                        kept,
                        after_blank_line: !is_first,
                    };
                    self.rows.row(&row, &mut output);
                    continue;
                }
            };
            let alphabet = &reading.alphabets[shape.order.index()];
            let solutions = answer.known_solutions();
            let status = Status::from_known(solutions);
            if let Some(max_branches) = answer.gave_up_after {
                let _ = write!(self.detail, "{}", GaveUpMessage { max_branches, found: answer.solutions });
            } else if status == Status::None {
                if let Some(conflict) = rules::conflict(shape.order, answer.puzzle) {
                    let _ = write!(self.detail, "{}", ConflictMessage(conflict, alphabet));
                }
            } else if answer.more {
                self.detail.push_str(MORE_SOLUTIONS);
                self.stats.add_not_all_listed();
            }
            self.stats.add_puzzle(status, shape.clues.into(), answer.cost, || PuzzleSource {
                file: file.to_owned(),
                line,
                puzzle: subject.to_text(),
            });
            let row = Row {
                file,
                line,
                subject,
                status,
                solutions,
                printed: answer.grids,
                branches: answer.cost.branches,
                nanos: answer.cost.nanos,
                detail: &self.detail,
                kept,
                after_blank_line: shape.after_blank_line && !is_first,
            };
            self.rows.row(&row, &mut output);
        }
        chunk.output = output;
        self.rows.end(chunk);
    }
}

impl<S> Tallied for SolveWorker<S> {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl<S: RowSink> CountingWorker for SolveWorker<S> {
    fn into_stats(self) -> RunStats {
        self.stats
    }
}

impl<S: RowSink> Work<ChunkInput, S::Note> for SolveWorker<S> {
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, S::Note>) {
        self.records.parse(chunk, &mut self.solver);
        let cpu = thread_cpu_time();
        let solved = self.solver.solve(self.question);
        self.stats.add_engine_cpu(thread_cpu_time().saturating_sub(cpu));
        if solved.is_ok() {
            self.write(chunk);
        }
    }
}
