//! Parses the records of a chunk: puzzles and the answers that come with them. All jobs on a corpus start with this.

use std::fmt::{self, Display};
use std::sync::Arc;

use super::tally::{InputTally, Tallied};
use crate::arrow::records::CellsOf;
use crate::corpus::{ChunkInput, Corpus, CorpusError, Input, RecordContent};
use crate::engine::solver::Solver;
use crate::format::{Alphabet, JsonType, Malformed, ParsedPuzzle, Parser, PassThrough, RareSizes};
use crate::pipeline::{Chunk, Filled, Source};
use crate::puzzle::rules::{self, Conflict};
use crate::puzzle::{Geometry, Pencilmarks, Puzzle, Puzzles, Size};
use crate::single::Explain;

/// Parses chunks. Each worker has its own parser.
#[derive(Default)]
pub(crate) struct ChunkParser {
    /// The parsers for the input of the last chunk.
    parsers: Option<InputParsers>,
    /// The records of the chunk, in order.
    records: Vec<ParsedRecord>,
    /// Whether pencilmark puzzles go to the solver; otherwise they are malformed.
    takes_pencilmarks: bool,
    tally: InputTally,
}

/// One record of a chunk.
pub(crate) enum ParsedRecord {
    /// A puzzle, and its index among the puzzles of its size.
    Puzzle(ParsedPuzzle, usize),
    /// A pencilmark puzzle, and its index among the solver's pencilmark puzzles.
    Pencilmarks(usize),
    /// Not a puzzle, or a pencilmark puzzle that the job does not take.
    Malformed(Malformed),
}

/// An input with its parsers, and the alphabets for printing its puzzles.
pub(crate) struct InputParsers {
    pub(crate) input: Arc<Input>,
    pub(crate) puzzles: CellParser,
    /// Parses the answer that comes with a puzzle, if the input has a column of answers.
    pub(crate) answers: Option<CellParser>,
    pub(crate) pass_through: PassThrough,
    /// The alphabet for each size.
    pub(crate) alphabets: [Alphabet; Size::ALL.len()],
}

/// Parses the puzzles of records, or their answers.
pub(crate) struct CellParser {
    parser: Box<dyn Parser>,
    column: CellsOf,
    rare: RareSizes,
    /// The text of a cell that is stored as a list.
    buffer: String,
}

impl CellParser {
    fn new(parser: Box<dyn Parser>, column: CellsOf, rare: RareSizes) -> CellParser {
        CellParser { parser, column, rare, buffer: String::new() }
    }

    /// Adds the cells of a record to `puzzles`.
    #[inline(always)]
    pub(crate) fn parse(
        &mut self,
        record: RecordContent<'_>,
        puzzles: &mut Puzzles,
    ) -> Result<ParsedPuzzle, Malformed> {
        let parsed = match record {
            RecordContent::Text(text) => self.parser.parse(text, puzzles),
            RecordContent::Typed(record) => record.parse(self.column, &mut *self.parser, &mut self.buffer, puzzles),
        }?;
        match self.rare.check(parsed, puzzles) {
            Ok(()) => Ok(parsed),
            Err(reason) => {
                puzzles.pop(parsed.size);
                Err(reason)
            }
        }
    }

    /// The text of this parser's column in a record; `None` if the record has no such field.
    pub(crate) fn field<'a>(&'a mut self, record: RecordContent<'a>) -> Option<&'a [u8]> {
        match record {
            RecordContent::Text(text) => self.parser.field(text),
            RecordContent::Typed(_) => Some(self.text(record)),
        }
    }

    /// The printable text of a malformed record.
    pub(crate) fn text<'a>(&'a mut self, record: RecordContent<'a>) -> &'a [u8] {
        match record {
            RecordContent::Text(text) => self.parser.puzzle_text(text),
            RecordContent::Typed(record) => record.cell_text(self.column, &mut self.buffer).as_bytes(),
        }
    }

    /// The 729 symbols of a record that is a pencilmark puzzle.
    pub(crate) fn pencilmarks<'a>(&'a mut self, record: RecordContent<'a>) -> &'a [u8] {
        match record {
            RecordContent::Text(text) => self.parser.pencilmarks(text),
            RecordContent::Typed(record) => {
                self.parser.pencilmarks(record.cell_text(self.column, &mut self.buffer).as_bytes())
            }
        }
    }
}

impl ChunkParser {
    /// A parser for a job that may take pencilmark puzzles.
    pub(crate) fn new(takes_pencilmarks: bool) -> ChunkParser {
        ChunkParser { takes_pencilmarks, ..ChunkParser::default() }
    }

    /// Parses the records of a chunk. Their puzzles replace the puzzles in `solver`.
    pub(crate) fn parse(&mut self, chunk: &Chunk<ChunkInput>, solver: &mut Solver) {
        let (puzzles, pencilmarks) = solver.refill();
        self.records.clear();
        // Without an input, the chunk has only the rest of a long record.
        let Some(ChunkInput { input, rows, .. }) = &chunk.input else { return };
        let parser = &mut InputParsers::for_input(input, &mut self.parsers).puzzles;
        for record in ChunkInput::contents(chunk) {
            self.records.push(match parser.parse(record, puzzles) {
                Ok(puzzle) => ParsedRecord::Puzzle(puzzle, puzzles.batch(puzzle.size).len() - 1),
                Err(Malformed::Pencilmarks) if self.takes_pencilmarks => {
                    pencilmarks.push(pencilmarks_in(parser, record));
                    ParsedRecord::Pencilmarks(pencilmarks.len() - 1)
                }
                Err(reason) => ParsedRecord::Malformed(reason),
            });
        }
        // A record whose rows are divided comes once for each part, but counts once.
        if !rows.is_first() {
            return;
        }
        let lines = chunk.records.iter().map(|record| record.line);
        let malformed = lines.zip(&self.records).filter_map(|(line, record)| match record {
            ParsedRecord::Malformed(reason) => Some((line, *reason)),
            ParsedRecord::Puzzle(..) | ParsedRecord::Pencilmarks(_) => None,
        });
        self.tally.add(&input.name, input.layout.format(), self.records.len(), malformed);
    }

    /// The parsers and the records of the last chunk; `None` before the first chunk.
    pub(crate) fn parts(&mut self) -> Option<(&mut InputParsers, &[ParsedRecord])> {
        self.parsers.as_mut().map(|parsers| (parsers, &*self.records))
    }
}

/// The pencilmark puzzle of a record that was recognised as one.
pub(crate) fn pencilmarks_in(parser: &mut CellParser, record: RecordContent<'_>) -> Pencilmarks {
    let text = str::from_utf8(parser.pencilmarks(record)).expect("pencilmarks are digits and blanks");
    text.parse().expect("the parser has checked the symbols")
}

impl Tallied for ChunkParser {
    fn take_tally(&mut self) -> InputTally {
        std::mem::take(&mut self.tally)
    }
}

impl InputParsers {
    /// The parsers for an input. Reuses the `last` ones if they are for the same input.
    pub(crate) fn for_input<'a>(input: &Arc<Input>, last: &'a mut Option<InputParsers>) -> &'a mut InputParsers {
        // The chunks of an input come one after another, so a worker builds its parsers about once for each input.
        let same = last.take().filter(|parsers| Arc::ptr_eq(&parsers.input, input));
        last.insert(same.unwrap_or_else(|| InputParsers::new(input)))
    }

    fn new(input: &Arc<Input>) -> InputParsers {
        let layout = &input.layout;
        InputParsers {
            input: Arc::clone(input),
            puzzles: CellParser::new(layout.parser(), CellsOf::Puzzle, layout.rare_sizes()),
            answers: layout
                .answer_parser()
                .map(|parser| CellParser::new(parser, CellsOf::Answer, RareSizes::default())),
            pass_through: layout.pass_through(),
            alphabets: Size::ALL.map(|size| layout.alphabets().for_printing(size)),
        }
    }
}

/// The message that a search gave up: `gave up after 1000 branches with 1 solution found`.
pub(crate) struct GaveUpMessage {
    pub(crate) max_branches: u64,
    /// The number of solutions that were found before that.
    pub(crate) found: u64,
}

impl Display for GaveUpMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &GaveUpMessage { max_branches, found } = self;
        let branches = if max_branches == 1 { "branch" } else { "branches" };
        let solutions = if found == 1 { "solution" } else { "solutions" };
        write!(f, "gave up after {max_branches} {branches} with {found} {solutions} found")
    }
}

/// The message about two clues that contradict each other, in the puzzle's own symbols: `two 7s in box 5: r4c5, r6c4`.
pub(crate) struct ConflictMessage<'a>(pub(crate) Conflict, pub(crate) &'a Alphabet);

impl ConflictMessage<'_> {
    /// Appends the message to a text.
    pub(crate) fn push_to(&self, text: &mut String) {
        let &ConflictMessage(Conflict { digit, house, cells: [first, second] }, alphabet) = self;
        let geometry = Geometry::of(alphabet.size());
        // Without formatting machinery: in a corpus of wrong puzzles, every row has this message.
        text.push_str("two ");
        text.push(char::from(alphabet.symbol(digit)));
        text.push_str("s in ");
        text.push_str(house.name());
        text.push_str(": ");
        geometry.push_name(first, text);
        text.push_str(", ");
        geometry.push_name(second, text);
    }
}

impl Display for ConflictMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Long enough for any message.
        let mut text = String::with_capacity(40);
        self.push_to(&mut text);
        f.write_str(&text)
    }
}

/// The answer that came with a puzzle. It is parsed on demand.
pub(crate) struct GivenAnswer<'a> {
    pub(crate) parser: &'a mut CellParser,
    pub(crate) content: RecordContent<'a>,
}

/// The value of an answer by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerWorth {
    /// There is no answer.
    Missing,
    /// It is not a full grid of the puzzle's size.
    NoGrid,
    /// It changes a clue, or breaks a rule.
    Wrong,
    /// It solves the puzzle. If there is only one solution, it is that.
    Solves,
}

impl<'a> GivenAnswer<'a> {
    /// The text; empty if there is no answer.
    pub(crate) fn text(self) -> &'a [u8] {
        self.parser.field(self.content).unwrap_or_default()
    }

    /// Adds the answer to `puzzles`.
    pub(crate) fn parse(self, puzzles: &mut Puzzles) -> Result<ParsedPuzzle, Malformed> {
        self.parser.parse(self.content, puzzles)
    }

    /// Judges the answer to a puzzle. Afterwards, `puzzles` contains only the answer.
    pub(crate) fn judge(self, size: Size, puzzle: &[u8], puzzles: &mut Puzzles) -> AnswerWorth {
        puzzles.clear();
        match self.parse(puzzles) {
            Err(reason) if is_missing(reason) => AnswerWorth::Missing,
            Ok(shape) if shape.size == size && shape.is_full() => {
                if rules::is_solution(size, puzzle, puzzles.last(size)) {
                    AnswerWorth::Solves
                } else {
                    AnswerWorth::Wrong
                }
            }
            Ok(_) | Err(_) => AnswerWorth::NoGrid,
        }
    }
}

/// Whether a text that is not a grid is blank.
pub(crate) fn is_missing(reason: Malformed) -> bool {
    // CSV has an empty field where JSON lines have `null` or no key.
    matches!(
        reason,
        Malformed::MissingField { .. }
            | Malformed::MissingKey
            | Malformed::WrongJsonType { found: JsonType::Null }
            | Malformed::CellCount { cells: 0 }
    )
}

/// The number of records that are read at a time.
const CHUNK: usize = 2048;

/// A record, with its puzzle or the reason why there is none.
#[derive(Debug)]
pub struct ReadRecord<'a> {
    pub(crate) input: &'a Arc<Input>,
    /// The number of its first line, from 1.
    pub line: u64,
    /// Its puzzle.
    pub puzzle: Result<GivenPuzzle<'a>, Malformed>,
}

/// The puzzle of a record.
#[derive(Debug)]
pub enum GivenPuzzle<'a> {
    /// The size and the values of the cells.
    Clues(Size, &'a [u8]),
    /// The candidates of the cells.
    Pencilmarks(Box<Pencilmarks>),
}

impl ReadRecord<'_> {
    /// The symbols of this input's puzzles of a size.
    pub fn alphabet(&self, size: Size) -> Alphabet {
        self.input.layout.alphabets().for_printing(size)
    }

    /// The size of its puzzle and the values of the cells; a pencilmark puzzle has none.
    ///
    /// # Errors
    ///
    /// If the record is malformed, or a pencilmark puzzle.
    pub fn clues(&self) -> Result<(Size, &[u8]), Malformed> {
        match &self.puzzle {
            Ok(GivenPuzzle::Clues(size, cells)) => Ok((*size, cells)),
            Ok(GivenPuzzle::Pencilmarks(_)) => Err(Malformed::Pencilmarks),
            Err(reason) => Err(*reason),
        }
    }

    /// The name of the input.
    pub fn file(&self) -> &str {
        &self.input.name
    }

    /// The puzzle in one line with a colon before it, if it has clues; and its steps, or the reason why there are none.
    pub fn explained(&self, explain: &Explain) -> (String, String) {
        let (puzzle, steps) = match &self.puzzle {
            Ok(GivenPuzzle::Clues(_, cells)) => {
                let puzzle = Puzzle::try_from(*cells).expect("a record that was read is a puzzle");
                (format!(": {puzzle}"), explain.puzzle(&puzzle).map_err(|reason| reason.to_string()))
            }
            Ok(GivenPuzzle::Pencilmarks(puzzle)) => {
                (String::new(), explain.pencilmarks(puzzle).map_err(|reason| reason.to_string()))
            }
            Err(reason) => (String::new(), Err(reason.to_string())),
        };
        (puzzle, steps.unwrap_or_else(|reason| format!("No steps: {reason}\n")))
    }
}

/// Passes every record of a corpus to `each`, in order.
///
/// # Errors
///
/// If an input cannot be read, and the first error of `each`.
pub fn read_records<E: From<CorpusError>>(
    mut corpus: Corpus,
    mut each: impl FnMut(ReadRecord<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let (mut chunk, mut puzzles, mut parsers) = (Chunk::new(), Puzzles::new(), None);
    while corpus.fill(&mut chunk, CHUNK)? == Filled::Records {
        let input = &chunk.input.as_ref().expect("a corpus sets the input of its chunks").input;
        let parser = &mut InputParsers::for_input(input, &mut parsers).puzzles;

        for (record, content) in chunk.records.iter().zip(ChunkInput::contents(&chunk)) {
            puzzles.clear();
            let puzzle = match parser.parse(content, &mut puzzles) {
                Ok(puzzle) => Ok(GivenPuzzle::Clues(puzzle.size, puzzles.last(puzzle.size))),
                Err(Malformed::Pencilmarks) => Ok(GivenPuzzle::Pencilmarks(Box::new(pencilmarks_in(parser, content)))),
                Err(reason) => Err(reason),
            };
            each(ReadRecord { input, line: record.line, puzzle })?;
        }
        chunk.clear();
    }
    Ok(())
}
