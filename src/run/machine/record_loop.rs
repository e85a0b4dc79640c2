//! The loop over the records of a chunk, shared by all jobs: parses, solves, and passes each record to the worker of a
//! job.
//!
//! ```text
//!   chunk -> ChunkParser -> Solver -> SolvedRecord, ... -> RecordWorker::record -> RowSink -> chunk
//!                                                               \-> a note for the serial stage
//! ```

use std::mem::take;
use std::ops::ControlFlow;
use std::time::Duration;

use csv::ByteRecord;

use super::records::{ChunkParser, GivenAnswer, InputParsers, ParsedRecord};
use super::tally::{InputTally, Tallied};
use super::{EngineSource, Execution, JobError};
use crate::corpus::{ChunkInput, Input, RecordContent, RowRange};
use crate::engine::solver::{Answer, Question, Solver};
use crate::engine::{Limit, MaxBranches};
use crate::format::{Alphabet, Malformed, ParsedPuzzle};
use crate::output::RunningSum;
use crate::pipeline::{Chunk, Work};
use crate::puzzle::{Pencilmarks, Size};
use crate::rows::{Row, RowParts, RowSink, Subject};
use crate::stats::RunCounts;

/// The work of a job on a record. Each thread has its own worker, with its scratch memory. It may change as
/// much as [`Work`] says.
pub(crate) trait RecordWorker: Send {
    /// A note on a record for the serial stage.
    type Note: Send + 'static;
    /// Its counts.
    type Counts: RunCounts;

    /// The question about the puzzles of an input; `None` if they need not be solved.
    fn question(&self, _parsers: &InputParsers) -> Option<Question> {
        Some(Question::Count(Limit::UNIQUE))
    }

    /// Whether the worker needs the fields that are copied from the input, even if the rows do not.
    fn needs_fields(&self) -> bool {
        false
    }

    /// Starts a chunk, once its puzzles are solved. Breaks if the run was stopped.
    fn start(&mut self, _chunk: SolvedChunk<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Processes a record and emits its rows. Breaks if the run was stopped; nothing of the chunk is then written.
    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, Self::Note>) -> ControlFlow<()>;

    /// The counts so far.
    fn counts(&mut self) -> &mut Self::Counts;
}

/// The records of a chunk, after their puzzles were solved.
pub(crate) struct SolvedChunk<'a> {
    pub(crate) records: &'a [ParsedRecord],
    pub(crate) solver: &'a Solver,
    /// The CPU time of solving.
    pub(crate) engine_cpu: Duration,
    /// The line of the first record.
    pub(crate) first_line: u64,
    parsers: &'a mut InputParsers,
    contents: Box<dyn Iterator<Item = RecordContent<'a>> + 'a>,
}

impl<'a> SolvedChunk<'a> {
    /// Passes each record to `each`: its index, the alphabets of its input, and its answer, if the input has a column
    /// of answers.
    pub(crate) fn each_answer(
        self,
        mut each: impl FnMut(&'a ParsedRecord, &[Alphabet; Size::ALL.len()], Option<GivenAnswer<'_>>),
    ) {
        let InputParsers { answers, alphabets, .. } = self.parsers;
        for (record, content) in self.records.iter().zip(self.contents) {
            each(record, alphabets, answers.as_mut().map(|parser| GivenAnswer { parser, content }));
        }
    }
}

/// A record of a chunk, after its puzzle was solved.
pub(crate) struct SolvedRecord<'a> {
    pub(crate) input: &'a Input,
    /// The number of its first line, from 1.
    pub(crate) line: u64,
    /// Its number among the records of the input, from 1.
    pub(crate) number: u64,
    /// The fields of the record that rows repeat.
    pub(crate) subject: Subject<'a>,
    /// The puzzle, or the reason why there is none.
    pub(crate) puzzle: Result<SolvedPuzzle<'a>, Malformed>,
    /// The answer that came with the puzzle, if the input has a column of answers.
    pub(crate) answer: Option<GivenAnswer<'a>>,
    /// The fields that are copied from the input, if they are needed.
    pub(crate) fields: &'a ByteRecord,
    /// Its index in the chunk.
    pub(crate) index: usize,
    /// The range of its rows to make, in a job that divides them.
    pub(crate) rows: &'a RowRange,
    /// Whether it is the first record of the run.
    pub(crate) is_first: bool,
}

/// A puzzle with its solver.
#[derive(Clone, Copy)]
pub(crate) struct SolvedPuzzle<'a> {
    pub(crate) shape: ParsedPuzzle,
    pub(crate) alphabet: &'a Alphabet,
    given: Index<'a>,
}

/// The index of a puzzle in its solver.
#[derive(Clone, Copy)]
enum Index<'a> {
    /// Clues: a puzzle by its index among the puzzles of its size.
    Clues(&'a Solver, usize),
    /// Candidates: a pencilmark puzzle by its index.
    Pencilmarks(&'a Solver, usize),
}

impl<'a> SolvedPuzzle<'a> {
    /// The answer to the worker's question.
    #[inline(always)]
    pub(crate) fn answer(&self) -> Answer<'a> {
        match self.given {
            Index::Clues(solver, index) => solver.answer(self.shape.size, index),
            Index::Pencilmarks(solver, index) => solver.pencilmark_answer(index).1,
        }
    }

    /// The cells. In a pencilmark puzzle, all are blank.
    pub(crate) fn cells(&self) -> &'a [u8] {
        match self.given {
            Index::Clues(solver, index) => solver.puzzles().batch(self.shape.size).puzzle(index),
            Index::Pencilmarks(..) => self.answer().puzzle,
        }
    }

    /// The candidates, if it is a pencilmark puzzle.
    pub(crate) fn pencilmarks(&self) -> Option<&'a Pencilmarks> {
        if let Index::Pencilmarks(solver, index) = self.given { Some(solver.pencilmark_answer(index).0) } else { None }
    }
}

/// Receives the rows and the note of a record.
pub(crate) struct Emit<'a, N> {
    sink: &'a mut RowSink,
    output: &'a mut Vec<u8>,
    notes: &'a mut Vec<N>,
    fields: &'a ByteRecord,
    record: usize,
}

impl<N> Emit<'_, N> {
    /// Writes a row of the record.
    #[inline]
    pub(crate) fn row<R: Row>(&mut self, row: &R) {
        self.sink.row(self.record, row, self.fields, self.output);
    }

    /// The output of the chunk, for a worker that appends text other than rows.
    pub(crate) fn output(&mut self) -> &mut Vec<u8> {
        self.output
    }

    /// Sets the note of the record.
    pub(crate) fn note(&mut self, note: N) {
        self.notes.push(note);
    }
}

/// The results of a worker on a chunk, apart from the text of its rows.
pub(crate) struct ChunkResults<N, C> {
    /// Whether the worker processed all records. If it was stopped or has failed, it did not.
    pub(crate) is_complete: bool,
    pub(crate) parts: RowParts,
    /// The notes on the records, in order, if the job makes any.
    pub(crate) notes: Vec<N>,
    /// The counts of the records, in a run that can be resumed.
    pub(crate) done: Option<DoneRecords<C>>,
}

/// The records of a chunk, as a checkpoint counts them.
pub(crate) struct DoneRecords<C> {
    pub(crate) counts: C,
    pub(crate) tally: InputTally,
    /// The checksum of their line numbers and texts.
    pub(crate) input: RunningSum,
}

/// The work of a thread of the pool: parses and solves a chunk, then passes its records, in order, to the
/// [`RecordWorker`] of the job.
pub(crate) struct RecordLoop<W> {
    worker: W,
    records: ChunkParser,
    solver: Solver,
    sink: RowSink,
    fields: ByteRecord,
    /// Memory for [`sum_of`].
    texts: Vec<u8>,
    cpu_time: fn() -> Duration,
    /// Whether each chunk gets its counts.
    hands_over: bool,
    /// Whether the first chunk begins with the first record of the run.
    is_from_start: bool,
}

/// The results of a worker of this type on a chunk.
pub(crate) fn results_of<W: RecordWorker>(chunk: &mut Chunk<ChunkInput>) -> &mut ChunkResults<W::Note, W::Counts> {
    chunk.results()
}

impl<N, C> Default for ChunkResults<N, C> {
    fn default() -> ChunkResults<N, C> {
        ChunkResults { is_complete: false, parts: RowParts::default(), notes: vec![], done: None }
    }
}

impl<W: RecordWorker> RecordLoop<W> {
    /// Loops for all threads of a job whose workers write no rows.
    pub(crate) fn without_rows(
        worker: impl Fn() -> W,
        engine: &EngineSource,
        max_branches: MaxBranches,
        execution: &Execution,
    ) -> Result<Vec<RecordLoop<W>>, JobError> {
        let records = |_| {
            let solver = execution.solver(engine.build()?, max_branches);
            Ok(RecordLoop::new(worker(), solver, RowSink::none(), execution.cpu_time))
        };
        (0..execution.threads).map(records).collect()
    }

    /// A loop with `cpu_time` for the CPU clock of the calling thread.
    pub(crate) fn new(worker: W, solver: Solver, sink: RowSink, cpu_time: fn() -> Duration) -> RecordLoop<W> {
        let (records, fields, texts) = (ChunkParser::default(), ByteRecord::new(), vec![]);
        RecordLoop { worker, records, solver, sink, fields, texts, cpu_time, hands_over: false, is_from_start: true }
    }

    /// Sets whether pencilmark puzzles are solved, or count as malformed records.
    pub(crate) fn takes_pencilmarks(self, takes_pencilmarks: bool) -> RecordLoop<W> {
        RecordLoop { records: ChunkParser::new(takes_pencilmarks), ..self }
    }

    /// Puts the counts into each chunk. `is_from_start` tells whether the first chunk begins with the first record of
    /// the run.
    pub(crate) fn handing_over(self, is_from_start: bool) -> RecordLoop<W> {
        RecordLoop { hands_over: true, is_from_start, ..self }
    }

    /// The counts that were not handed over.
    pub(crate) fn counts(&mut self) -> &mut W::Counts {
        self.worker.counts()
    }

    /// Passes each record to the worker; `None` if the run was stopped.
    fn records(&mut self, chunk: &mut Chunk<ChunkInput>) -> Option<()> {
        let RecordLoop { worker, records, solver, sink, fields, .. } = self;
        let (parsers, entries) = records.parts()?;
        let needs_fields = sink.start(chunk.input.as_ref().and_then(|input| input.typed.as_ref()));
        let needs_fields = needs_fields || worker.needs_fields();

        // Clear the fields of the last chunk, whose input may have had other columns.
        fields.clear();
        // The chunks of a resumed run are numbered from 0, too.
        let is_start = self.is_from_start && chunk.number() == 0;
        let (first, rows) = chunk.input.as_ref().map_or((1, RowRange::ALL), |input| (input.first, input.rows.clone()));
        // Taken out, because the records are borrowed from the chunk while their rows are written.
        let (mut output, mut notes) = (take(&mut chunk.output), take(&mut results_of::<W>(chunk).notes));
        let lines = chunk.records.iter().map(|record| record.line);
        let contents = lines.zip(ChunkInput::contents(chunk));
        for (index, ((line, content), entry)) in contents.zip(entries).enumerate() {
            let InputParsers { input, puzzles, answers, pass_through, alphabets } = &mut *parsers;
            if needs_fields {
                fields.clear();
                content.fields(pass_through).for_each(|field| fields.push_field(field));
            }

            let (subject, puzzle) = match *entry {
                ParsedRecord::Puzzle(shape, index) => {
                    let alphabet = &alphabets[shape.size.index()];
                    let cells = solver.puzzles().batch(shape.size).puzzle(index);
                    let subject = Subject::Puzzle { cells, alphabet, blank: shape.blank };
                    (subject, Ok(SolvedPuzzle { shape, alphabet, given: Index::Clues(solver, index) }))
                }
                ParsedRecord::Pencilmarks(index) => {
                    let shape = ParsedPuzzle::PENCILMARKS;
                    let alphabet = &alphabets[shape.size.index()];
                    let given = Index::Pencilmarks(solver, index);
                    (Subject::Pencilmarks(puzzles.pencilmarks(content)), Ok(SolvedPuzzle { shape, alphabet, given }))
                }
                ParsedRecord::Malformed(reason) => (Subject::Text(puzzles.text(content)), Err(reason)),
            };

            let is_first = is_start && index == 0;
            let answer = answers.as_mut().map(|parser| GivenAnswer { parser, content });
            let number = first + index as u64;
            let record =
                SolvedRecord { input, line, number, subject, puzzle, answer, fields, index, rows: &rows, is_first };
            let mut emit = Emit { sink, output: &mut output, notes: &mut notes, fields, record: index };
            if worker.record(record, &mut emit).is_break() {
                return None;
            }
        }
        chunk.output = output;
        let parts = sink.end();
        // Only checkpoints need counts for each chunk. Other runs add up the counts of the workers once, at the end.
        let done = self.hands_over.then(|| DoneRecords {
            counts: self.worker.counts().take(),
            tally: self.records.take_tally(),
            input: sum_of(chunk, &mut self.texts),
        });
        *results_of::<W>(chunk) = ChunkResults { is_complete: true, parts, notes, done };
        Some(())
    }
}

impl<W: RecordWorker> Work<ChunkInput> for RecordLoop<W> {
    fn work(&mut self, chunk: &mut Chunk<ChunkInput>) {
        // A new vector for the notes of each chunk would cost a page fault every 4 KiB: a tenth of the time of `validate`.
        let results = results_of::<W>(chunk);
        results.is_complete = false;
        results.notes.clear();

        // First all puzzles, then one search, then all rows: an engine needs many puzzles at once to fill its lanes.
        self.records.parse(chunk, &mut self.solver);
        let Some((parsers, _)) = self.records.parts() else { return };

        // Once for each chunk, as a call takes 0.4 µs.
        let before = (self.cpu_time)();
        if let Some(question) = self.worker.question(parsers)
            // An interrupted search leaves the chunk incomplete, and the pipeline discards it.
            && self.solver.solve(question).is_err()
        {
            return;
        }
        let engine_cpu = (self.cpu_time)().saturating_sub(before);

        let Some((parsers, records)) = self.records.parts() else { return };
        let (first_line, contents) =
            (chunk.records.first().map_or(0, |record| record.line), Box::new(ChunkInput::contents(chunk)));
        let chunk_start = SolvedChunk { records, solver: &self.solver, engine_cpu, first_line, parsers, contents };
        let started = self.worker.start(chunk_start);
        if started.is_continue() {
            // If it was not completed, the pipeline discards the chunk, since a stop is overdue.
            let _ = self.records(chunk);
        }
    }
}

/// The checksum of the line numbers and texts of a chunk's records. It does not depend on the division into chunks.
///
/// `texts` is memory for the texts, which grows to the size of a chunk once.
pub(crate) fn sum_of(chunk: &Chunk<ChunkInput>, texts: &mut Vec<u8>) -> RunningSum {
    // Sum up one piece: many short pieces take several times as long.
    texts.clear();
    for (record, content) in chunk.records.iter().zip(ChunkInput::contents(chunk)) {
        texts.extend_from_slice(&record.line.to_le_bytes());
        texts.extend_from_slice(&content.text());
    }
    let mut sum = RunningSum::default();
    sum.add(texts);
    sum
}

impl<W> Tallied for RecordLoop<W> {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}
