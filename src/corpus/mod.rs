//! The inputs of a run, one after another, as a source of chunks.
//!
//! Meets the [`format`](crate::format)s, which detect an input and cut it into records, and the
//! [`pipeline`](crate::pipeline), whose reader thread this runs in. A chunk holds records of one input only. Inputs that
//! are [compressed](crate::compression) are unpacked here, and nothing behind this knows.
//!
//! Which records are read is decided here, too: those of one [`Shard`], and not those that were passed over before the
//! pipeline started.

mod input;
pub(crate) mod read_buffer;
pub(crate) mod shard;
mod window;

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::compression::Compression;
use crate::format::{Alphabets, DetectError, Layout, Wanted};
use crate::pipeline::{Chunk, Filled, Source};

use self::input::Opened;
pub use self::shard::{BLOCK, Shard, ShardError};
use self::shard::{ShardCursor, ShardTurn};

/// One input of a run, as the workers know it.
#[derive(Debug)]
pub struct Input {
    /// Its name: the path as it was given, `-` for standard input.
    pub name: String,
    /// What it is compressed with.
    pub compression: Option<Compression>,
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
    #[error("cannot read {name} beyond byte {byte}, after {reached}")]
    Read {
        /// The input.
        name: String,
        /// How many bytes of it, as it is stored, were read.
        byte: u64,
        /// The records that were read before.
        reached: Reached,
        /// Why.
        source: io::Error,
    },
    /// An input was compressed, and what came of that was compressed again.
    #[error("{name} is compressed twice, with {inner} and then with {outer}; unpack it once")]
    Twice {
        /// The input.
        name: String,
        /// What it is compressed with.
        outer: Compression,
        /// What is found in it.
        inner: Compression,
    },
    /// An input's format cannot be told, or read.
    #[error("{name}")]
    Recognise {
        /// The input.
        name: String,
        /// Why.
        source: DetectError,
    },
}

/// How far an input was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// How many records there were.
    pub records: u64,
    /// The line on which the last of them starts, from 1.
    pub line: u64,
}

/// `4711 records (the last on line 4712)`.
impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reached { records: 0, .. } => f.write_str("no record"),
            Reached { records: 1, line } => write!(f, "1 record (on line {line})"),
            Reached { records, line } => write!(f, "{records} records (the last on line {line})"),
        }
    }
}

/// Called with each input as it is opened.
pub type Announce = Box<dyn FnMut(&Input) + Send>;

/// Inputs that are read one after another.
pub struct Corpus {
    current: Option<Opened>,
    origins: Vec<Origin>,
    /// The number of inputs that were opened.
    opened: usize,
    wanted: Wanted,
    announce: Announce,
    shard: Option<Shard>,
    deal: ShardCursor,
    /// How many bytes of the inputs the records before the next one took.
    passed_bytes: u64,
}

/// A record that a corpus has come to.
#[derive(Clone, Copy, Debug)]
pub struct RecordView<'a> {
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
        let deal = ShardCursor::to(Shard::WHOLE);
        let mut corpus =
            Corpus { current: None, origins, opened: 0, wanted, announce, shard: None, deal, passed_bytes: 0 };
        corpus.open_next()?;
        Ok(corpus)
    }

    /// Standard input as a stream of lines, each of which is a record whatever it holds.
    ///
    /// Nothing is recognised, so nothing is read ahead; and no record waits in a chunk for others that may not come
    /// before it was answered.
    pub fn of_all_lines(alphabets: Alphabets) -> Corpus {
        Corpus {
            current: Some(Opened::of_all_lines(alphabets)),
            origins: vec![Origin::Stdin],
            opened: 1,
            wanted: Wanted::default(),
            announce: Box::new(|_| ()),
            shard: None,
            deal: ShardCursor::to(Shard::WHOLE),
            passed_bytes: 0,
        }
    }

    /// Opens one file, whose format is detected.
    ///
    /// # Errors
    ///
    /// As [`Corpus::open`].
    pub fn open_path(path: impl Into<PathBuf>) -> Result<Corpus, CorpusError> {
        Corpus::open(vec![Origin::File(path.into())], Wanted::default(), Box::new(|_| ()))
    }

    /// The inputs, in order.
    pub fn origins(&self) -> &[Origin] {
        &self.origins
    }

    /// The options that the inputs are read with.
    pub fn options(&self) -> &Wanted {
        &self.wanted
    }

    /// The shard that was selected by [`Corpus::shard`].
    pub fn selected_shard(&self) -> Option<Shard> {
        self.shard
    }

    /// The part of the corpus that is dealt to a shard, from the first record on.
    #[must_use]
    pub fn shard(self, shard: Shard) -> Corpus {
        Corpus { shard: Some(shard), deal: ShardCursor::to(shard), ..self }
    }

    /// Looks at the next record, without a chunk; `None` at the end of the corpus.
    ///
    /// It stays the next one, for the pipeline too, until it is [passed over](Corpus::pass).
    ///
    /// # Errors
    ///
    /// If an input cannot be read.
    pub fn peek(&mut self) -> Result<Option<RecordView<'_>>, CorpusError> {
        let mut bytes = 0;
        while let Some((opened, _)) = self.come_to_ours(&mut bytes)? {
            if opened.look_ahead(&mut bytes)? {
                break;
            }
            self.open_next()?;
        }
        self.passed_bytes += bytes;
        Ok(self.current.as_ref().and_then(Opened::peeked))
    }

    /// Passes over the record that was looked at last.
    pub fn pass(&mut self) {
        let Some(opened) = &mut self.current else { return };
        if opened.pass(&mut self.passed_bytes) {
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

    /// Passes over records that are dealt to others, as far as the inputs go; gives the input that is come to, and how
    /// many records are dealt to us there. Adds what it passed over to `bytes`.
    fn come_to_ours(&mut self, bytes: &mut u64) -> Result<Option<(&mut Opened, u64)>, CorpusError> {
        while let ShardTurn::Others(left) = self.deal.turn() {
            let Some(opened) = &mut self.current else { return Ok(None) };
            let passed = opened.skip(left, bytes)?;
            self.deal.advance(passed);
            if passed < left {
                self.open_next()?;
            }
        }
        let ShardTurn::Ours(left) = self.deal.turn() else { return Ok(None) };
        Ok(self.current.as_mut().map(|opened| (opened, left)))
    }

    fn open_next(&mut self) -> Result<(), CorpusError> {
        self.current = match self.origins.get(self.opened) {
            Some(origin) => Some(Opened::open(origin, &self.wanted)?),
            None => None,
        };
        self.opened += 1;
        if let Some(opened) = &self.current {
            (self.announce)(opened.input());
        }
        Ok(())
    }
}

impl Source for Corpus {
    type Input = Arc<Input>;
    type Error = CorpusError;

    fn fill<N>(&mut self, chunk: &mut Chunk<Arc<Input>, N>, records: usize) -> Result<Filled, CorpusError> {
        while let Some((opened, left)) = self.come_to_ours(&mut chunk.input_bytes)? {
            opened.fill(chunk, usize::try_from(left).map_or(records, |left| records.min(left)))?;
            if !chunk.records.is_empty() {
                chunk.input = Some(Arc::clone(opened.input()));
                self.deal.advance(chunk.records.len() as u64);
                return Ok(Filled::Records);
            }
            self.open_next()?;
        }
        Ok(Filled::Nothing)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::compression::Encoder;

    /// Progress is told by these bytes.
    #[test]
    fn all_bytes_of_an_input_as_it_is_stored_are_accounted_for() {
        // No puzzles, but records that do not compress to nothing.
        let line = |number: u64| format!("{:016x}\n", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let text: String = (0..200_000).map(line).collect();
        for compression in Compression::ALL.map(Some).into_iter().chain([None]) {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            match compression {
                None => file.write_all(text.as_bytes()).unwrap(),
                Some(compression) => {
                    let mut encoder = Encoder::new(&mut file, compression, 1);
                    encoder.write_all(text.as_bytes()).unwrap();
                    encoder.finish().unwrap();
                }
            }
            let origins = vec![Origin::File(file.path().to_owned())];
            let size = Corpus::size(&origins).unwrap();
            let mut corpus = Corpus::open(origins, Wanted::default(), Box::new(|_| ())).unwrap();
            let (mut chunk, mut steps) = (Chunk::<_, ()>::new(), vec![]);
            while corpus.fill(&mut chunk, 9999).unwrap() == Filled::Records {
                steps.push(chunk.input_bytes);
                chunk.clear();
            }
            assert_eq!(steps.iter().sum::<u64>(), size, "{compression:?}");
            assert!(steps.iter().filter(|&&step| step > 0).count() > 2, "{compression:?} {steps:?}");
        }
    }

    /// The lines of the records from the next one on, read in chunks of so many.
    fn lines(corpus: &mut Corpus, records: usize) -> Vec<(String, u64)> {
        let (mut chunk, mut lines) = (Chunk::<_, ()>::new(), vec![]);
        while corpus.fill(&mut chunk, records).unwrap() == Filled::Records {
            let name = chunk.input.clone().unwrap().name.clone();
            assert!(chunk.texts().all(|(line, text)| text.ends_with(format!("# {line}").as_bytes())));
            lines.extend(chunk.records.iter().map(|record| (name.clone(), record.line)));
            chunk.clear();
        }
        lines
    }

    /// Over several inputs, one of them empty, and with blocks that end anywhere in them.
    #[test]
    fn what_is_passed_over_and_what_is_read_are_the_whole() {
        let directory = tempfile::tempdir().unwrap();
        let origins: Vec<Origin> = [10_000, 0, 3, 7000]
            .into_iter()
            .enumerate()
            .map(|(name, records)| {
                let path = directory.path().join(name.to_string());
                let lines: Vec<String> = (1..=records).map(|line| format!("1.3..........4.2 # {line}")).collect();
                fs::write(&path, lines.join("\n")).unwrap();
                Origin::File(path)
            })
            .collect();
        let open = || Corpus::open(origins.clone(), Wanted::default(), Box::new(|_| ())).unwrap();
        let all = lines(&mut open(), 999);
        assert_eq!(all.len(), 17_003);
        for (number, count) in [(1, 1), (1, 2), (2, 2), (3, 3), (5, 5), (6, 6)] {
            let shard = Shard::new(number, count).unwrap();
            let dealt = all.chunks(BLOCK as usize).skip(number as usize - 1).step_by(count as usize);
            let expected: Vec<_> = dealt.flatten().cloned().collect();
            assert_eq!(expected.len() as u64, shard.share(17_003));
            for passed in [0, 1, 4095, 4096, 4097, 9000, expected.len()] {
                let mut corpus = open().shard(shard);
                for (name, line) in expected.iter().take(passed) {
                    for _ in 0..2 {
                        let record = corpus.peek().unwrap().unwrap();
                        assert_eq!((&record.input.name, record.line), (name, *line));
                        assert!(record.text.ends_with(format!("# {line}").as_bytes()));
                    }
                    corpus.pass();
                }
                // What was looked at and not passed over is read.
                let is_over = corpus.peek().unwrap().is_none();
                let rest = &expected[passed.min(expected.len())..];
                assert_eq!((is_over, lines(&mut corpus, 1000) == rest), (rest.is_empty(), true), "{shard}, {passed}");
            }
        }
    }
}
