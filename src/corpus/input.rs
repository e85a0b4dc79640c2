//! An input that is being read: text in a window, and a splitter that goes along it.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use crate::compression::Compression;
use crate::format::{Alphabets, BatchEnd, BatchLimits, Layout, Splitter, Wanted, detect};
use crate::pipeline::{Chunk, Record};

use super::window::Window;
use super::{CorpusError, Input, Origin, Reached, RecordView};

/// How much of an input is looked at to detect its format.
const SAMPLE: usize = 64 << 10;

/// About how much text a chunk holds at the most.
const CHUNK_TEXT: usize = 512 << 10;

/// One of a corpus's inputs, while it is read.
pub(super) struct Opened {
    input: Arc<Input>,
    splitter: Box<dyn Splitter>,
    window: Window,
    /// How far the splitter has come.
    reached: Reached,
    /// The record that the window begins with, if it was looked at.
    ahead: Option<Peeked>,
    handing: FlushPolicy,
}

/// A record that was cut, and not passed yet.
struct Peeked {
    text: Range<usize>,
    line: u64,
    /// How many bytes of the window's text pass it.
    bytes: usize,
}

/// When a chunk is handed on that could hold more records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FlushPolicy {
    /// When it is full.
    Full,
    /// When reading on might have to wait.
    AtOnce,
}

impl Opened {
    /// Opens an input and recognises its format.
    pub(super) fn open(origin: &Origin, wanted: &Wanted) -> Result<Opened, CorpusError> {
        let name = origin.to_string();
        let reader: Box<dyn Read + Send> = match origin {
            Origin::Stdin => Box::new(io::stdin()),
            Origin::File(path) => match File::open(path) {
                Ok(file) => Box::new(file),
                Err(source) => return Err(CorpusError::Open { name, source }),
            },
        };
        let mut window = Window::open(reader, SAMPLE);
        let compression = window.compression();
        if let (Some(outer), Some(inner)) = (compression, Compression::of_content(window.text())) {
            return Err(CorpusError::Twice { name, outer, inner });
        }
        let sample = &window.text()[..window.text().len().min(SAMPLE)];
        let whole = window.at_end && window.text().len() == sample.len();
        let layout = detect(sample, whole, wanted);
        // A sample that is cut off may look like anything.
        let says_nothing = layout.is_err() || sample.is_empty();
        if says_nothing && let Some(source) = window.failure.take() {
            return Err(CorpusError::Read { name, byte: window.stored(), reached: Reached::default(), source });
        }
        match layout {
            Ok(layout) => Ok(Opened::new(Input { name, compression, layout }, window, FlushPolicy::Full)),
            Err(source) => Err(CorpusError::Recognise { name, source }),
        }
    }

    /// Opens standard input as lines of which each is a record.
    pub(super) fn of_all_lines(alphabets: Alphabets) -> Opened {
        let (name, layout) = (Origin::Stdin.to_string(), Layout::of_all_lines(alphabets));
        let window = Window::open(Box::new(io::stdin()), 0);
        Opened::new(Input { name, compression: None, layout }, window, FlushPolicy::AtOnce)
    }

    fn new(input: Input, window: Window, handing: FlushPolicy) -> Opened {
        let splitter = input.layout.splitter();
        Opened { input: Arc::new(input), splitter, window, reached: Reached::default(), ahead: None, handing }
    }

    /// The input.
    pub(super) fn input(&self) -> &Arc<Input> {
        &self.input
    }

    /// Moves records into the chunk until it has as many as it should, or enough text, or the input ends.
    pub(super) fn fill<L, N>(&mut self, chunk: &mut Chunk<L, N>, records: usize) -> Result<(), CorpusError> {
        if let Some(Peeked { text, line, bytes }) = self.ahead.take() {
            chunk.text.extend_from_slice(&self.window.text()[..bytes]);
            chunk.records.push(Record { text, line });
            chunk.input_bytes += self.window.pass(bytes);
        }
        loop {
            let (start, before) = (chunk.text.len(), chunk.records.len());
            let limits = BatchLimits { records: records - before, bytes: CHUNK_TEXT.saturating_sub(start) };
            let found = &mut chunk.records;
            let mut add = |text: Range<usize>, line| {
                found.push(Record { text: start + text.start..start + text.end, line });
            };
            let text = self.window.text();
            let consumed = self.splitter.next_batch(text, self.window.at_end, limits, &mut add);
            if let [.., last] = &chunk.records[before..] {
                // All records go to the chunk in one piece.
                chunk.text.extend_from_slice(&text[..last.text.end - start]);
                let records = self.reached.records + (chunk.records.len() - before) as u64;
                self.reached = Reached { records, line: last.line };
            }
            chunk.input_bytes += self.window.pass(consumed.bytes);
            let waits = self.handing == FlushPolicy::AtOnce && !chunk.records.is_empty();
            if consumed.end != BatchEnd::Incomplete || waits {
                return Ok(());
            }
            match self.window.read_more() {
                // The records before it come first.
                Err(error) if !chunk.records.is_empty() => {
                    self.window.failure = Some(error);
                    return Ok(());
                }
                read => read.map_err(|source| self.broken(source))?,
            }
        }
    }

    /// Passes over so many records, or as many as there are, and says how many; adds what they took to `bytes`.
    pub(super) fn skip(&mut self, records: u64, bytes: &mut u64) -> Result<u64, CorpusError> {
        let mut skipped = 0;
        loop {
            let limits =
                BatchLimits { records: usize::try_from(records - skipped).unwrap_or(usize::MAX), ..BatchLimits::NONE };
            let reached = &mut self.reached;
            let mut skip = |_, line| {
                skipped += 1;
                *reached = Reached { records: reached.records + 1, line };
            };
            let consumed = self.splitter.next_batch(self.window.text(), self.window.at_end, limits, &mut skip);
            *bytes += self.window.pass(consumed.bytes);
            if consumed.end != BatchEnd::Incomplete {
                return Ok(skipped);
            }
            self.window.read_more().map_err(|source| self.broken(source))?;
        }
    }

    /// Looks at the next record; says whether there is one. Adds what lies before it to `bytes`.
    pub(super) fn look_ahead(&mut self, bytes: &mut u64) -> Result<bool, CorpusError> {
        while self.ahead.is_none() {
            let mut found = None;
            let mut find = |text, line| found = Some((text, line));
            let limits = BatchLimits { records: 1, ..BatchLimits::NONE };
            let consumed = self.splitter.next_batch(self.window.text(), self.window.at_end, limits, &mut find);
            if let Some((text, line)) = found {
                self.reached = Reached { records: self.reached.records + 1, line };
                self.ahead = Some(Peeked { text, line, bytes: consumed.bytes });
                break;
            }
            *bytes += self.window.pass(consumed.bytes);
            if consumed.end != BatchEnd::Incomplete {
                return Ok(false);
            }
            self.window.read_more().map_err(|source| self.broken(source))?;
        }
        Ok(true)
    }

    /// The record that was looked at.
    pub(super) fn peeked(&self) -> Option<RecordView<'_>> {
        let Peeked { text, line, .. } = self.ahead.as_ref()?;
        Some(RecordView { input: &self.input, line: *line, text: &self.window.text()[text.clone()] })
    }

    /// Passes over the record that was looked at, if one was; adds what it took to `bytes`.
    pub(super) fn pass(&mut self, bytes: &mut u64) -> bool {
        let ahead = self.ahead.take();
        *bytes += ahead.as_ref().map_or(0, |ahead| self.window.pass(ahead.bytes));
        ahead.is_some()
    }

    fn broken(&self, source: io::Error) -> CorpusError {
        let (name, byte) = (self.input.name.clone(), self.window.stored());
        CorpusError::Read { name, byte, reached: self.reached, source }
    }
}
