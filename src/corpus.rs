//! The inputs of a run, one after another, as a source of chunks.
//!
//! Meets the [`format`](crate::format)s, which recognise an input and cut it into records, and the
//! [`pipeline`](crate::pipeline), whose reader thread this runs in. A chunk holds records of one input only.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::{mem, vec};

use crate::format::{Cut, Cutter, Layout, RecogniseError, Wanted, recognise};
use crate::pipeline::{Chunk, Filled, Record, Source};

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
        let mut corpus = Corpus { current: None, rest: origins.into_iter(), wanted, announce };
        corpus.open_next()?;
        Ok(corpus)
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
            opened.fill(chunk, records)?;
            if !chunk.records.is_empty() {
                chunk.label = Some(Arc::clone(&opened.input));
                return Ok(Filled::Records);
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
                Ok(Opened { input: Arc::new(Input { name, layout }), cutter, window })
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
                match self.cutter.cut(&text[passed..], self.window.at_end) {
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
