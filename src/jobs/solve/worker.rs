//! Parses the records of a chunk, solves the puzzles, and writes a row for each record.
//!
//! A [`SolveWorker`] belongs to one thread. Its buffers grow to the size of a chunk and are used again.

use std::fmt::Write;
use std::sync::Arc;

use csv::ByteRecord;

use crate::corpus::Input;
use crate::engine::solver::{Question, Solver};
use crate::jobs::records::{ChunkParser, ConflictMessage, GaveUpMessage, ParsedRecord};
use crate::jobs::tally::{InputTally, Tallied};
use crate::pipeline::thread_cpu_time;
use crate::pipeline::{Chunk, Work};
use crate::puzzle::rules;
use crate::rows::{MORE_SOLUTIONS, Row, RowWriter, Status, Subject};
use crate::stats::{PuzzleSource, RunStats};

/// Turns chunks of records into rows, with an engine, a parser and a row writer of its own.
pub(crate) struct SolveWorker {
    question: Question,
    solver: Solver,
    writer: Box<dyn RowWriter>,
    records: ChunkParser,
    kept: ByteRecord,
    detail: String,
    stats: RunStats,
}

impl SolveWorker {
    /// A worker that asks `question` of every puzzle.
    pub(super) fn new(question: Question, solver: Solver, writer: Box<dyn RowWriter>, stats: RunStats) -> SolveWorker {
        SolveWorker {
            question,
            solver,
            writer,
            records: ChunkParser::default(),
            kept: ByteRecord::new(),
            detail: String::new(),
            stats,
        }
    }

    /// The statistics of the records of this worker.
    pub(super) fn into_stats(self) -> RunStats {
        self.stats
    }

    fn write(&mut self, chunk: &mut Chunk<Arc<Input>>) {
        let Some((reading, entries)) = self.records.parts() else { return };
        let is_start = chunk.number() == 0;
        let mut output = std::mem::take(&mut chunk.output);
        for (index, ((line, text), entry)) in chunk.texts().zip(entries).enumerate() {
            self.detail.clear();
            self.kept.clear();
            for field in reading.pass_through.fields(text) {
                self.kept.push_field(field);
            }
            let is_first = is_start && index == 0;
            let file = &*reading.input.name;
            let kept = &self.kept;
            let row = match *entry {
                ParsedRecord::Malformed(reason) => {
                    self.stats.add_malformed();
                    let _ = write!(self.detail, "{reason}");
                    Row {
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
                    }
                }
                ParsedRecord::Puzzle(shape, index) => {
                    let alphabet = &reading.alphabets[shape.order.index()];
                    let answer = self.solver.answer(shape.order, index);
                    let cells = answer.puzzle;
                    let solutions = answer.known_solutions();
                    let status = Status::from_known(solutions);
                    if let Some(max_branches) = answer.gave_up_after {
                        let _ = write!(self.detail, "{}", GaveUpMessage { max_branches, found: answer.solutions });
                    } else if status == Status::None {
                        if let Some(conflict) = rules::conflict(shape.order, cells) {
                            let _ = write!(self.detail, "{}", ConflictMessage(conflict, alphabet));
                        }
                    } else if answer.more {
                        self.detail.push_str(MORE_SOLUTIONS);
                        self.stats.add_not_all_listed();
                    }
                    self.stats.add_puzzle(status, shape.clues.into(), answer.cost, || PuzzleSource {
                        file: file.to_owned(),
                        line,
                        puzzle: alphabet.text(cells, shape.blank),
                    });
                    Row {
                        file,
                        line,
                        subject: Subject::Puzzle { cells, alphabet, blank: shape.blank },
                        status,
                        solutions,
                        printed: answer.grids,
                        branches: answer.cost.branches,
                        nanos: answer.cost.nanos,
                        detail: &self.detail,
                        kept,
                        after_blank_line: shape.after_blank_line && !is_first,
                    }
                }
            };
            self.writer.row(&row, &mut output);
        }
        chunk.output = output;
    }
}

impl Tallied for SolveWorker {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}

impl Work<Arc<Input>> for SolveWorker {
    fn work(&mut self, chunk: &mut Chunk<Arc<Input>>) {
        self.records.parse(chunk, &mut self.solver);
        let cpu = thread_cpu_time();
        let solved = self.solver.solve(self.question);
        self.stats.add_engine_cpu(thread_cpu_time().saturating_sub(cpu));
        if solved.is_ok() {
            self.write(chunk);
        }
    }
}
