//! The inputs of a run, one after another, as a source of chunks.
//!
//! Meets the [`format`](crate::format)s, which recognise an input and cut it into records, and the
//! [`pipeline`](crate::pipeline), whose reader thread this runs in. A chunk holds records of one input only.
//!
//! Which records are read is decided here: those of one [`Shard`], and not those that were passed over before the
//! pipeline started.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::{mem, vec};

use crate::format::{Cut, Cutter, Layout, RecogniseError, Wanted, recognise};
use crate::pipeline::{Chunk, Filled, Record, Source};
use crate::shard::{Deal, Shard, Turn};

/// How much of an input is looked at to recognise its format.
const SAMPLE: usize = 64 << 10;

/// How much is read at a time.
const READ: usize = 128 << 10;

/// About how much text a chunk holds at the most.
const CHUNK_TEXT: usize = 512 << 10;

/// One input of a run, as the workers know it.
#[derive(Debug)]
pub struct Input {
    /// Its name: the path as it was given, `-` for standard input.
    pub name: String,
    /// How its puzzles are written.
    pub layout: Layout,
}

/// Where an input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// The path of a file, or `-`.
impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Stdin => f.write_str("-"),
            Origin::File(path) => path.display().fmt(f),
        }
    }
}

/// Why a corpus cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CorpusError {
    /// An input cannot be opened.
    #[error("cannot open {name}")]
    Open {
        /// The input.
        name: String,
        /// Why.
        source: io::Error,
    },
    /// An input cannot be read any further.
    #[error("cannot read {name} after byte {byte}")]
    Read {
        /// The input.
        name: String,
        /// How many bytes were read.
        byte: u64,
        /// Why.
        source: io::Error,
    },
    /// An input's format cannot be told, or read.
    #[error("{name}")]
    Recognise {
        /// The input.
        name: String,
        /// Why.
        source: RecogniseError,
    },
}

/// Called with each input as it is opened.
pub type Announce = Box<dyn FnMut(&Input) + Send>;

/// Inputs that are read one after another.
pub struct Corpus {
    current: Option<Opened>,
    rest: vec::IntoIter<Origin>,
    wanted: Wanted,
    announce: Announce,
    deal: Deal,
    /// How many bytes of the inputs the records before the next one took.
    passed_bytes: u64,
}

/// A record that a corpus has come to.
#[derive(Clone, Copy, Debug)]
pub struct Peeked<'a> {
    /// The input that it is from.
    pub input: &'a Arc<Input>,
    /// The line on which it starts, from 1.
    pub line: u64,
    /// Its text.
    pub text: &'a [u8],
}

impl Corpus {
    /// Opens the first of some inputs, so that what is wrong with it shows before anything else is done, and sees to
    /// it that the others are there.
    ///
    /// # Errors
    ///
    /// If an input is not there, is a directory, or is of no format that can be read.
    pub fn open(origins: Vec<Origin>, wanted: Wanted, announce: Announce) -> Result<Corpus, CorpusError> {
        for origin in &origins {
            if let Origin::File(path) = origin {
                let is_dir = fs::metadata(path).map(|metadata| metadata.is_dir());
                let fault = is_dir.and_then(|dir| if dir { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(()) });
                fault.map_err(|source| CorpusError::Open { name: origin.to_string(), source })?;
            }
        }
        let deal = Deal::to(Shard::WHOLE);
        let mut corpus = Corpus { current: None, rest: origins.into_iter(), wanted, announce, deal, passed_bytes: 0 };
        corpus.open_next()?;
        Ok(corpus)
    }

    /// The part of the corpus that is dealt to a shard, from the first record on.
    #[must_use]
    pub fn shard(self, shard: Shard) -> Corpus {
        Corpus { deal: Deal::to(shard), ..self }
    }

    /// Looks at the next record, without a chunk; `None` at the end of the corpus.
    ///
    /// It stays the next one, for the pipeline too, until it is [passed over](Corpus::pass).
    ///
    /// # Errors
    ///
    /// If an input cannot be read.
    pub fn peek(&mut self) -> Result<Option<Peeked<'_>>, CorpusError> {
        while let Some(opened) = &mut self.current {
            match self.deal.turn() {
                Turn::Ours(_) if opened.look_ahead(&mut self.passed_bytes)? => break,
                Turn::Ours(_) => {}
                Turn::Others(left) => {
                    let passed = opened.skip(left, &mut self.passed_bytes)?;
                    self.deal.advance(passed);
                    if passed == left {
                        continue;
                    }
                }
            }
            self.open_next()?;
        }
        Ok(self.current.as_ref().and_then(Opened::peeked))
    }

    /// Passes over the record that was looked at last.
    pub fn pass(&mut self) {
        let Some(opened) = &mut self.current else { return };
        if let Some(Cut::Record { next, .. }) = opened.ahead.take() {
            opened.window.pass(next);
            self.passed_bytes += next as u64;
            self.deal.advance(1);
        }
    }

    /// How many bytes of the inputs, as they are stored, were passed over.
    pub fn passed_bytes(&self) -> u64 {
        self.passed_bytes
    }

    /// The bytes of all inputs together, if all of them are regular files.
    pub fn size(origins: &[Origin]) -> Option<u64> {
        let size = |origin: &Origin| match origin {
            Origin::Stdin => None,
            Origin::File(path) => fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len()),
        };
        origins.iter().map(size).sum()
    }

    fn open_next(&mut self) -> Result<(), CorpusError> {
        self.current = match self.rest.next() {
            Some(origin) => Some(Opened::open(&origin, &self.wanted)?),
            None => None,
        };
        if let Some(opened) = &self.current {
            (self.announce)(&opened.input);
        }
        Ok(())
    }
}

impl Source for Corpus {
    type Label = Arc<Input>;
    type Error = CorpusError;

    fn fill<N>(&mut self, chunk: &mut Chunk<Arc<Input>, N>, records: usize) -> Result<Filled, CorpusError> {
        while let Some(opened) = &mut self.current {
            match self.deal.turn() {
                Turn::Ours(left) => {
                    opened.fill(chunk, usize::try_from(left).map_or(records, |left| records.min(left)))?;
                    if !chunk.records.is_empty() {
                        self.deal.advance(chunk.records.len() as u64);
                        chunk.label = Some(Arc::clone(&opened.input));
                        return Ok(Filled::Records);
                    }
                }
                Turn::Others(left) => {
                    let passed = opened.skip(left, &mut chunk.input_bytes)?;
                    self.deal.advance(passed);
                    if passed == left {
                        continue;
                    }
                }
            }
            self.open_next()?;
        }
        Ok(Filled::Nothing)
    }
}

/// An input that is being read.
struct Opened {
    input: Arc<Input>,
    cutter: Box<dyn Cutter>,
    window: Window,
    /// What the cutter has said already of the text that the window begins with.
    ahead: Option<Cut>,
}

impl Opened {
    fn open(origin: &Origin, wanted: &Wanted) -> Result<Opened, CorpusError> {
        let name = origin.to_string();
        let reader: Box<dyn Read + Send> = match origin {
            Origin::Stdin => Box::new(io::stdin()),
            Origin::File(path) => match File::open(path) {
                Ok(file) => Box::new(file),
                Err(source) => return Err(CorpusError::Open { name, source }),
            },
        };
        let mut window = Window::new(reader);
        while window.text().len() < SAMPLE && !window.at_end {
            window.read_more().map_err(|source| CorpusError::Read { name: name.clone(), byte: window.read, source })?;
        }
        let sample = &window.text()[..window.text().len().min(SAMPLE)];
        let whole = window.at_end && window.text().len() == sample.len();
        match recognise(sample, whole, wanted) {
            Ok(layout) => {
                let cutter = layout.cutter();
                Ok(Opened { input: Arc::new(Input { name, layout }), cutter, window, ahead: None })
            }
            Err(source) => Err(CorpusError::Recognise { name, source }),
        }
    }

    /// Moves records into the chunk until it has as many as it should, or enough text, or the input ends.
    fn fill<L, N>(&mut self, chunk: &mut Chunk<L, N>, records: usize) -> Result<(), CorpusError> {
        loop {
            // All that is cut from the window goes to the chunk in one piece.
            let (text, start) = (self.window.text(), chunk.text.len());
            let mut passed = 0;
            let cut = loop {
                if chunk.records.len() == records || start + passed >= CHUNK_TEXT {
                    break Cut::End;
                }
                let ahead = self.ahead.take();
                match ahead.unwrap_or_else(|| self.cutter.cut(&text[passed..], self.window.at_end)) {
                    Cut::Record { text: range, line, next } => {
                        let record = start + passed + range.start;
                        chunk.records.push(Record { text: record..record + range.len(), line });
                        passed += next;
                    }
                    other => break other,
                }
            };
            chunk.text.extend_from_slice(&text[..passed]);
            let Cut::More { next } = cut else {
                self.pass(chunk, passed);
                return Ok(());
            };
            self.pass(chunk, passed + next);
            self.read_more()?;
        }
    }

    /// Passes over so many records, or as many as there are, and says how many; adds what they took to `bytes`.
    fn skip(&mut self, records: u64, bytes: &mut u64) -> Result<u64, CorpusError> {
        let mut skipped = 0;
        loop {
            let (text, mut passed) = (self.window.text(), 0);
            let cut = loop {
                if skipped == records {
                    break Cut::End;
                }
                match self.cutter.cut(&text[passed..], self.window.at_end) {
                    Cut::Record { next, .. } => {
                        skipped += 1;
                        passed += next;
                    }
                    Cut::More { next } => {
                        passed += next;
                        break Cut::More { next };
                    }
                    Cut::End => break Cut::End,
                }
            };
            self.window.pass(passed);
            *bytes += passed as u64;
            match cut {
                Cut::More { .. } => self.read_more()?,
                _ => return Ok(skipped),
            }
        }
    }

    /// Sees to it that the next record is cut; says whether there is one. Adds what lies before it to `bytes`.
    fn look_ahead(&mut self, bytes: &mut u64) -> Result<bool, CorpusError> {
        while self.ahead.is_none() {
            match self.cutter.cut(self.window.text(), self.window.at_end) {
                Cut::More { next } => {
                    self.window.pass(next);
                    *bytes += next as u64;
                    self.read_more()?;
                }
                cut => self.ahead = Some(cut),
            }
        }
        Ok(matches!(self.ahead, Some(Cut::Record { .. })))
    }

    /// The record that was cut ahead.
    fn peeked(&self) -> Option<Peeked<'_>> {
        let Some(Cut::Record { text, line, .. }) = &self.ahead else { return None };
        Some(Peeked { input: &self.input, line: *line, text: &self.window.text()[text.clone()] })
    }

    fn pass<L, N>(&mut self, chunk: &mut Chunk<L, N>, bytes: usize) {
        self.window.pass(bytes);
        chunk.input_bytes += bytes as u64;
    }

    fn read_more(&mut self) -> Result<(), CorpusError> {
        let name = || self.input.name.clone();
        self.window.read_more().map_err(|source| CorpusError::Read { name: name(), byte: self.window.read, source })
    }
}

/// The part of a stream that is in memory.
struct Window {
    reader: Box<dyn Read + Send>,
    /// What was read and not passed yet lies at `start..end`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// How many bytes were read, all in all.
    read: u64,
    at_end: bool,
}

impl Window {
    fn new(reader: Box<dyn Read + Send>) -> Window {
        Window { reader, buffer: vec![0; 2 * READ], start: 0, end: 0, read: 0, at_end: false }
    }

    fn text(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    fn pass(&mut self, bytes: usize) {
        self.start += bytes;
    }

    /// Reads some more behind the text, which makes room for itself if it is long.
    fn read_more(&mut self) -> io::Result<()> {
        if self.buffer.len() - self.end < READ {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= mem::take(&mut self.start);
            if self.buffer.len() - self.end < READ {
                self.buffer.resize(2 * self.buffer.len(), 0);
            }
        }
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(bytes) => {
                    self.end += bytes;
                    self.read += bytes as u64;
                    self.at_end = bytes == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
