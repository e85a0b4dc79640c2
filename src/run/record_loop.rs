//! The loop over the records of a chunk, written once: parses, solves, and gives each record to the worker of a job.
//!
//! ```text
//!   chunk -> ChunkParser -> Solver -> SolvedRecord, ... -> RecordWorker::record -> RowSink -> chunk
//!                                                               \-> a note for the serial stage
//! ```

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
use crate::pipeline::{Chunk, Work};
use crate::puzzle::{Pencilmarks, Size};
use crate::resume::RunningSum;
use crate::rows::{Row, RowParts, RowSink, Subject};
use crate::stats::RunCounts;

/// What a job does with a record. Each thread has its own worker, with its scratch memory.
pub(crate) trait RecordWorker: Send {
    /// What it leaves of a record for the serial stage.
    type Note: Send + 'static;
    /// Its counts.
    type Counts: RunCounts;

    /// What is asked of the puzzles of an input; `None` if they need not be solved.
    fn question(&self, _parsers: &InputParsers) -> Option<Question> {
        Some(Question::Count(Limit::UNIQUE))
    }

    /// Whether it needs the fields that are carried over from the input, whatever the rows need.
    fn needs_fields(&self) -> bool {
        false
    }

    /// Starts a chunk, whose puzzles are solved. Breaks if the run was stopped.
    fn start(&mut self, _chunk: SolvedChunk<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Takes a record: emits its rows. Breaks if the run was stopped; then nothing of the chunk is written.
    fn record(&mut self, record: SolvedRecord<'_>, emit: &mut Emit<'_, Self::Note>) -> ControlFlow<()>;

    /// The counts so far.
    fn counts(&mut self) -> &mut Self::Counts;
}

/// The records of a chunk, after their puzzles were solved.
pub(crate) struct SolvedChunk<'a> {
    pub(crate) records: &'a [ParsedRecord],
    pub(crate) solver: &'a Solver,
    /// What solving took.
    pub(crate) engine_cpu: Duration,
    /// The line of the first record.
    pub(crate) first_line: u64,
    parsers: &'a mut InputParsers,
    contents: Box<dyn Iterator<Item = RecordContent<'a>> + 'a>,
}

impl<'a> SolvedChunk<'a> {
    /// Passes each record to `each`: its index, the alphabets of its input, and its answer, if the input has a column for
    /// answers.
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
    /// The line on which it starts, from 1.
    pub(crate) line: u64,
    /// What rows show of it.
    pub(crate) subject: Subject<'a>,
    /// The puzzle, or why it is none.
    pub(crate) puzzle: Result<SolvedPuzzle<'a>, Malformed>,
    /// The answer beside the puzzle, if the input has a column for it.
    pub(crate) answer: Option<GivenAnswer<'a>>,
    /// The fields that are carried over from the input, if they are needed.
    pub(crate) fields: &'a ByteRecord,
    /// Its index in the chunk.
    pub(crate) index: usize,
    /// Which of its rows are made, in a job that divides them.
    pub(crate) rows: &'a RowRange,
    /// Whether it is the first of the run.
    pub(crate) is_first: bool,
}

/// A puzzle with its solver.
#[derive(Clone, Copy)]
pub(crate) struct SolvedPuzzle<'a> {
    pub(crate) shape: ParsedPuzzle,
    pub(crate) alphabet: &'a Alphabet,
    given: Given<'a>,
}

/// What is given of a puzzle.
#[derive(Clone, Copy)]
enum Given<'a> {
    /// Clues: the puzzle at an index among those of its size.
    Clues(&'a Solver, usize),
    /// Candidates: the pencilmark puzzle at an index.
    Pencilmarks(&'a Solver, usize),
}

impl<'a> SolvedPuzzle<'a> {
    /// The answer to the question that was asked.
    #[inline(always)]
    pub(crate) fn answer(&self) -> Answer<'a> {
        match self.given {
            Given::Clues(solver, index) => solver.answer(self.shape.size, index),
            Given::Pencilmarks(solver, index) => solver.pencilmark_answer(index).1,
        }
    }

    /// The cells; those of a pencilmark puzzle are blank.
    pub(crate) fn cells(&self) -> &'a [u8] {
        match self.given {
            Given::Clues(solver, index) => solver.puzzles().batch(self.shape.size).puzzle(index),
            Given::Pencilmarks(..) => self.answer().puzzle,
        }
    }

    /// The candidates of a pencilmark puzzle.
    pub(crate) fn pencilmarks(&self) -> Option<&'a Pencilmarks> {
        if let Given::Pencilmarks(solver, index) = self.given { Some(solver.pencilmark_answer(index).0) } else { None }
    }
}

/// Takes the rows and the note of a record.
pub(crate) struct Emit<'a, N> {
    sink: &'a mut RowSink,
    output: &'a mut Vec<u8>,
    notes: &'a mut Vec<N>,
    fields: &'a ByteRecord,
    record: usize,
}

impl<N> Emit<'_, N> {
    /// Takes a row of the record.
    #[inline]
    pub(crate) fn row<R: Row>(&mut self, row: &R) {
        self.sink.row(self.record, row, self.fields, self.output);
    }

    /// The output of the chunk, for a worker that appends other text than rows.
    pub(crate) fn output(&mut self) -> &mut Vec<u8> {
        self.output
    }

    /// Takes the note of the record.
    pub(crate) fn note(&mut self, note: N) {
        self.notes.push(note);
    }
}

/// What a worker leaves in a chunk beside the text of its rows: the only note of the chunk.
pub(crate) struct ChunkNote<N, C> {
    pub(crate) parts: RowParts,
    /// Those of the records, in order, if the job leaves any.
    pub(crate) notes: Vec<N>,
    /// Their counts, in a run that can be resumed.
    pub(crate) done: Option<DoneRecords<C>>,
}

/// Some records, as a checkpoint counts them.
pub(crate) struct DoneRecords<C> {
    pub(crate) counts: C,
    pub(crate) tally: InputTally,
    /// The checksum of their lines and texts.
    pub(crate) input: RunningSum,
}

/// Runs the worker of a job on chunks.
pub(crate) struct RecordLoop<W> {
    worker: W,
    records: ChunkParser,
    solver: Solver,
    sink: RowSink,
    fields: ByteRecord,
    cpu_time: fn() -> Duration,
    /// Whether each chunk gets its counts.
    hands_over: bool,
    /// Whether there are no records before the first chunk.
    is_from_start: bool,
}

impl<N, C> ChunkNote<N, C> {
    /// The notes on the records of a chunk.
    pub(crate) fn on_records(chunk: &Chunk<ChunkInput, ChunkNote<N, C>>) -> impl Iterator<Item = &N> {
        chunk.notes.iter().flat_map(|note| &note.notes)
    }
}

impl<W: RecordWorker> RecordLoop<W> {
    /// Loops for all threads, whose workers write no rows.
    pub(crate) fn without_rows(
        worker: impl Fn() -> W,
        engine: &EngineSource,
        max_branches: MaxBranches,
        execution: &Execution,
    ) -> Result<Vec<RecordLoop<W>>, JobError> {
        let engine = engine.builder()?;
        let solver = || execution.solver(engine(), max_branches);
        let records = |_| RecordLoop::new(worker(), solver(), RowSink::none(), execution.cpu_time);
        Ok((0..execution.threads).map(records).collect())
    }

    /// A loop with `cpu_time` for the CPU clock of the calling thread.
    pub(crate) fn new(worker: W, solver: Solver, sink: RowSink, cpu_time: fn() -> Duration) -> RecordLoop<W> {
        let (records, fields) = (ChunkParser::default(), ByteRecord::new());
        RecordLoop { worker, records, solver, sink, fields, cpu_time, hands_over: false, is_from_start: true }
    }

    /// Solves pencilmark puzzles, too, or treats them as malformed records.
    pub(crate) fn takes_pencilmarks(self, takes_pencilmarks: bool) -> RecordLoop<W> {
        RecordLoop { records: ChunkParser::new(takes_pencilmarks), ..self }
    }

    /// Leaves its counts in each chunk. `is_from_start` says whether there are no records before the first chunk.
    pub(crate) fn handing_over(self, is_from_start: bool) -> RecordLoop<W> {
        RecordLoop { hands_over: true, is_from_start, ..self }
    }

    /// The counts that were not handed over.
    pub(crate) fn counts(&mut self) -> &mut W::Counts {
        self.worker.counts()
    }

    /// Gives each record to the worker; `None` if the run was stopped.
    fn records(&mut self, chunk: &mut Chunk<ChunkInput, ChunkNote<W::Note, W::Counts>>) -> Option<()> {
        let RecordLoop { worker, records, solver, sink, fields, .. } = self;
        let (parsers, entries) = records.parts()?;
        let needs_fields = sink.start(chunk.input.as_ref().and_then(|input| input.typed.as_ref()));
        let needs_fields = needs_fields || worker.needs_fields();

        // Those of the last chunk, whose input may have been another one.
        fields.clear();
        let is_start = self.is_from_start && chunk.number() == 0;
        let rows = chunk.input.as_ref().map_or(RowRange::ALL, |input| input.rows.clone());
        // Without space for all, they would be moved each time there are twice as many.
        let mut notes = Vec::with_capacity(chunk.records.len());
        let mut output = std::mem::take(&mut chunk.output);
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
                    (subject, Ok(SolvedPuzzle { shape, alphabet, given: Given::Clues(solver, index) }))
                }
                ParsedRecord::Pencilmarks(index) => {
                    let shape = ParsedPuzzle::PENCILMARKS;
                    let alphabet = &alphabets[shape.size.index()];
                    let given = Given::Pencilmarks(solver, index);
                    (Subject::Pencilmarks(puzzles.pencilmarks(content)), Ok(SolvedPuzzle { shape, alphabet, given }))
                }
                ParsedRecord::Malformed(reason) => (Subject::Text(puzzles.text(content)), Err(reason)),
            };

            let is_first = is_start && index == 0;
            let answer = answers.as_mut().map(|parser| GivenAnswer { parser, content });
            let record = SolvedRecord { input, line, subject, puzzle, answer, fields, index, rows: &rows, is_first };
            let mut emit = Emit { sink, output: &mut output, notes: &mut notes, fields, record: index };
            if worker.record(record, &mut emit).is_break() {
                return None;
            }
        }
        chunk.output = output;
        let parts = sink.end();
        let done = self.hands_over.then(|| DoneRecords {
            counts: self.worker.counts().take(),
            tally: self.records.take_tally(),
            input: sum_of(chunk),
        });
        chunk.notes.push(ChunkNote { parts, notes, done });
        Some(())
    }
}

impl<W: RecordWorker> Work<ChunkInput, ChunkNote<W::Note, W::Counts>> for RecordLoop<W> {
    fn work(&mut self, chunk: &mut Chunk<ChunkInput, ChunkNote<W::Note, W::Counts>>) {
        self.records.parse(chunk, &mut self.solver);
        let Some((parsers, _)) = self.records.parts() else { return };

        let before = (self.cpu_time)();
        if let Some(question) = self.worker.question(parsers)
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
            // A chunk without notes was not finished; the pipeline throws it away, since a stop is overdue.
            let _ = self.records(chunk);
        }
    }
}

/// The checksum of the lines and texts of the records of a chunk, which does not depend on how records are divided into
/// chunks.
pub(crate) fn sum_of<N>(chunk: &Chunk<ChunkInput, N>) -> RunningSum {
    // In one piece: short ones take several times as long.
    let mut texts = Vec::with_capacity(chunk.text.len() + 16 * chunk.records.len());
    for (record, content) in chunk.records.iter().zip(ChunkInput::contents(chunk)) {
        texts.extend_from_slice(&record.line.to_le_bytes());
        texts.extend_from_slice(&content.text());
    }
    let mut sum = RunningSum::default();
    sum.add(&texts);
    sum
}

impl<W> Tallied for RecordLoop<W> {
    fn take_tally(&mut self) -> InputTally {
        self.records.take_tally()
    }
}
