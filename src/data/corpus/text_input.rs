//! Reads one input of text: a window that moves along its text, and a splitter that finds the records in it.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::compression::Compression;
use crate::format::{
    Alphabets, BatchEnd, BatchLimits, InputOptions, Layout, LongLine, Skipped, Splitter, detect, rest_of_line,
};
use crate::pipeline::Record;

use super::error::{CorpusError, ReadProgress};
use super::input::{ChunkInput, ChunkText, Input, InputReader, Origin};
use super::window::Window;

/// The number of bytes of text, after comments and a header, for detecting the format.
pub(super) const SAMPLE: usize = 64 << 10;

/// A chunk takes no more records once it has this many bytes of text.
pub(super) const MAX_CHUNK_TEXT: usize = 512 << 10;

/// One open input of a corpus.
pub(super) struct TextReader {
    input: Arc<Input>,
    splitter: Box<dyn Splitter>,
    window: Window,
    /// Counts the records that the splitter has found.
    progress: ReadProgress,
    /// The next record, if it was peeked at; the window starts with it.
    peeked: Option<PeekedRecord>,
    /// The kind of the line whose rest comes next, if the splitter has cut a line off.
    long_line: Option<LongLine>,
    flush: FlushPolicy,
}

/// A record that the splitter has found, and that stays the next one.
struct PeekedRecord {
    /// Its text, as a range of the window's.
    text: Range<usize>,
    line: u64,
    /// The number of bytes of the window to consume with it.
    bytes: usize,
}

/// The condition for passing on a chunk that is not full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FlushPolicy {
    /// At the end of the input.
    AtEnd,
    /// Before every read, which may block.
    BeforeRead,
}

impl TextReader {
    /// Opens an input, whose first bytes are in the window, and detects its format.
    pub(super) fn open(name: String, mut window: Window, options: &InputOptions) -> Result<TextReader, CorpusError> {
        let compression = window.compression();
        // Its text would be noise, but a line of it might pass for a puzzle.
        if let (Some(outer), Some(inner)) = (compression, Compression::detect(window.text())) {
            return Err(CorpusError::CompressedTwice { name, outer, inner });
        }
        let skipped_lines = window.skip_comments(options.blank);
        let sample_length = window.read_first_line(options.blank) + SAMPLE;
        window.read_sample(sample_length);
        let sample = &window.text()[..window.text().len().min(sample_length)];
        let is_complete = window.at_end && window.text().len() == sample.len();
        let layout = detect(sample, is_complete, options).map(|layout| layout.after_lines(skipped_lines));
        // If the sample is incomplete because of a read error, that error explains more than the detection.
        let is_unclear = layout.is_err() || sample.is_empty();
        if is_unclear && let Some(source) = window.failure.take() {
            return Err(CorpusError::Read { name, byte: window.stored(), progress: ReadProgress::default(), source });
        }
        match layout {
            Ok(layout) => Ok(TextReader::new(Input { name, compression, layout }, window, FlushPolicy::AtEnd)),
            Err(source) => Err(CorpusError::Detect { name, source }),
        }
    }

    /// Opens standard input and takes every line as a record.
    pub(super) fn stdin_lines(alphabets: Alphabets) -> TextReader {
        let (name, layout) = (Origin::Stdin.to_string(), Layout::all_lines(alphabets));
        let window = Window::open(Box::new(io::stdin()), 0);
        TextReader::new(Input { name, compression: None, layout }, window, FlushPolicy::BeforeRead)
    }

    fn new(input: Input, window: Window, flush: FlushPolicy) -> TextReader {
        let (splitter, progress) = (input.layout.splitter(), ReadProgress::default());
        TextReader { input: Arc::new(input), splitter, window, progress, peeked: None, long_line: None, flush }
    }

    /// Moves records into a chunk until it has `records` of them or enough text, or the input ends.
    fn fill_text(&mut self, chunk: &mut ChunkText<'_>, records: usize) -> Result<(), CorpusError> {
        // Finding it has not consumed it, so that its text comes into the chunk now.
        if let Some(PeekedRecord { text, line, bytes }) = self.peeked.take() {
            chunk.text.extend_from_slice(&self.window.text()[..bytes]);
            chunk.records.push(Record { text, line });
            *chunk.input_bytes += self.window.consume(bytes);
        }
        loop {
            // Handle the rest of a line that is too long first: of a record, in separate chunks; of a comment, by
            // skipping it.
            if self.long_line.is_some() && !chunk.records.is_empty() {
                return Ok(());
            }
            if self.is_within_record() {
                let length = self.rest_of_long_line()?;
                chunk.text.extend_from_slice(&self.window.text()[..length]);
                *chunk.input_bytes += self.window.consume(length);
                if length > 0 {
                    return Ok(());
                }
            }
            self.skip_long_line(chunk.input_bytes)?;

            let (start, before) = (chunk.text.len(), chunk.records.len());
            let limits = BatchLimits { records: records - before, bytes: MAX_CHUNK_TEXT.saturating_sub(start) };
            let found = &mut *chunk.records;
            let mut add = |text: Range<usize>, line| {
                found.push(Record { text: start + text.start..start + text.end, line });
            };
            let text = self.window.text();
            let consumed = self.splitter.next_batch(text, self.window.at_end, limits, &mut add);

            if let [.., last] = &chunk.records[before..] {
                // All records go to the chunk in one piece, with the line end of the last.
                chunk.text.extend_from_slice(&text[..consumed.bytes]);
                let records = self.progress.records + (chunk.records.len() - before) as u64;
                self.progress = ReadProgress { records, line: last.line };
            }
            *chunk.input_bytes += self.window.consume(consumed.bytes);

            // The writer of a pipe may wait for the answers to these records.
            let flush = self.flush == FlushPolicy::BeforeRead && !chunk.records.is_empty();
            match consumed.end {
                BatchEnd::LongLine(long) => {
                    self.long_line = Some(long);
                    continue;
                }
                BatchEnd::Incomplete if !flush => {}
                BatchEnd::Incomplete | BatchEnd::Limit | BatchEnd::EndOfInput => return Ok(()),
            }

            match self.window.read_more() {
                // These records come first; the next read returns the error.
                Err(error) if !chunk.records.is_empty() => {
                    self.window.failure = Some(error);
                    return Ok(());
                }
                read => read.map_err(|source| self.read_error(source))?,
            }
        }
    }

    /// Skips the rest of a line that is too long.
    fn skip_long_line(&mut self, bytes: &mut u64) -> Result<(), CorpusError> {
        while self.long_line.is_some() {
            let length = self.rest_of_long_line()?;
            *bytes += self.window.consume(length);
        }
        Ok(())
    }

    /// The length of the next piece of a line that is too long; the caller consumes it.
    fn rest_of_long_line(&mut self) -> Result<usize, CorpusError> {
        while self.window.text().is_empty() && !self.window.at_end {
            self.window.read_more().map_err(|source| self.read_error(source))?;
        }
        let text = self.window.text();
        let end = rest_of_line(text);
        if end.is_some() || self.window.at_end {
            self.long_line = None;
        }
        Ok(end.unwrap_or(text.len()))
    }

    fn read_error(&self, source: io::Error) -> CorpusError {
        let (name, byte) = (self.input.name.clone(), self.window.stored());
        CorpusError::Read { name, byte, progress: self.progress, source }
    }
}

impl InputReader for TextReader {
    fn input(&self) -> &Arc<Input> {
        &self.input
    }

    fn is_within_record(&self) -> bool {
        self.long_line == Some(LongLine::Record)
    }

    fn is_in_memory(&self) -> bool {
        self.window.at_end
    }

    fn notes(&self) -> (Skipped, Option<String>) {
        self.splitter.notes()
    }

    fn fill(&mut self, mut chunk: ChunkText<'_>, records: usize) -> Result<(), CorpusError> {
        // A record that was peeked at was counted then.
        let first = self.progress.records + 1 - u64::from(self.peeked.is_some());
        self.fill_text(&mut chunk, records)?;
        if !chunk.text.is_empty() {
            *chunk.input = Some(ChunkInput::of_text(&self.input, first));
        }
        Ok(())
    }

    fn skip(&mut self, records: u64, bytes: &mut u64) -> Result<u64, CorpusError> {
        let mut skipped = 0;
        loop {
            self.skip_long_line(bytes)?;
            let limits =
                BatchLimits { records: usize::try_from(records - skipped).unwrap_or(usize::MAX), ..BatchLimits::NONE };
            let progress = &mut self.progress;
            let mut skip = |_, line| {
                skipped += 1;
                *progress = ReadProgress { records: progress.records + 1, line };
            };
            // Only the splitter knows where records end, so they are found even if nobody wants them.
            let consumed = self.splitter.next_batch(self.window.text(), self.window.at_end, limits, &mut skip);
            *bytes += self.window.consume(consumed.bytes);
            match consumed.end {
                BatchEnd::LongLine(long) => self.long_line = Some(long),
                BatchEnd::Limit | BatchEnd::EndOfInput => return Ok(skipped),
                BatchEnd::Incomplete => self.window.read_more().map_err(|source| self.read_error(source))?,
            }
        }
    }

    fn peek(&mut self, bytes: &mut u64) -> Result<bool, CorpusError> {
        while self.peeked.is_none() {
            self.skip_long_line(bytes)?;
            let mut found = None;
            let mut find = |text, line| found = Some((text, line));
            let limits = BatchLimits { records: 1, ..BatchLimits::NONE };
            let consumed = self.splitter.next_batch(self.window.text(), self.window.at_end, limits, &mut find);
            if let BatchEnd::LongLine(long) = consumed.end {
                self.long_line = Some(long);
            }
            if let Some((text, line)) = found {
                self.progress = ReadProgress { records: self.progress.records + 1, line };
                self.peeked = Some(PeekedRecord { text, line, bytes: consumed.bytes });
                break;
            }
            // There is only text between records so far, which nobody needs.
            *bytes += self.window.consume(consumed.bytes);
            match consumed.end {
                BatchEnd::LongLine(_) => {}
                BatchEnd::Limit | BatchEnd::EndOfInput => return Ok(false),
                BatchEnd::Incomplete => self.window.read_more().map_err(|source| self.read_error(source))?,
            }
        }
        Ok(true)
    }
}
