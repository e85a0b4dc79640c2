//! The part of an input's text that is in memory, unpacked if the input is compressed.

use std::io::{self, BufReader, Chain, Cursor, Read};
use std::mem;

use crate::compression::{Compression, Decoder};
use crate::corpus::read_buffer::ReadBuffer;

/// How much is read at a time.
const READ: usize = 128 << 10;

/// Some text of an input, which moves along it.
pub(super) struct Window {
    stream: InputStream,
    inflow: ReadBuffer,
    /// Whether there is no more text behind it.
    pub(super) at_end: bool,
    /// Why nothing more can be read, to be told to whoever wants to.
    pub(super) failure: Option<io::Error>,
}

/// Where text comes from.
enum InputStream {
    Plain {
        reader: Box<dyn Read + Send>,
        /// How many bytes were read.
        read: u64,
    },
    Packed {
        compression: Compression,
        decoder: Box<Decoder<BufReader<Unread>>>,
        /// How many bytes of the input were accounted for.
        told: u64,
    },
}

/// A stream whose beginning was looked at.
type Unread = Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

impl Window {
    /// Opens an input, unpacks it if it is compressed, and reads its first `sample` bytes of text, or all there are.
    pub(super) fn open(reader: Box<dyn Read + Send>, sample: usize) -> Window {
        let mut window = Window::new(InputStream::Plain { reader, read: 0 });
        window.look_ahead(sample);
        match (Compression::of_content(window.text()), window.stream) {
            (Some(compression), InputStream::Plain { reader, .. }) => {
                let seen = Cursor::new(window.inflow.bytes().to_vec());
                let decoder = Decoder::new(BufReader::with_capacity(READ, seen.chain(reader)), compression);
                let mut window = Window::new(InputStream::Packed { compression, decoder: Box::new(decoder), told: 0 });
                window.look_ahead(sample);
                window
            }
            (_, stream) => Window { stream, ..window },
        }
    }

    fn new(stream: InputStream) -> Window {
        Window { stream, inflow: ReadBuffer::new(READ), at_end: false, failure: None }
    }

    /// Reads until there are so many bytes of text, or no more.
    fn look_ahead(&mut self, bytes: usize) {
        while self.text().len() < bytes && !self.at_end && self.failure.is_none() {
            self.failure = self.read_more().err();
        }
    }

    /// What the input is compressed with.
    pub(super) fn compression(&self) -> Option<Compression> {
        match self.stream {
            InputStream::Plain { .. } => None,
            InputStream::Packed { compression, .. } => Some(compression),
        }
    }

    /// The text that was read and not passed yet.
    pub(super) fn text(&self) -> &[u8] {
        self.inflow.bytes()
    }

    /// How many bytes of the input, as it is stored, were read.
    pub(super) fn stored(&self) -> u64 {
        match &self.stream {
            InputStream::Plain { read, .. } => *read,
            InputStream::Packed { decoder, .. } => decoder.position(),
        }
    }

    /// Passes so many bytes of text. Says by how many bytes of the input, as it is stored, that is a step forward; of a
    /// compressed one, by those that were read since the last step.
    #[must_use]
    pub(super) fn pass(&mut self, bytes: usize) -> u64 {
        self.inflow.pass(bytes);
        match &mut self.stream {
            InputStream::Plain { .. } => bytes as u64,
            InputStream::Packed { decoder, told, .. } => decoder.position() - mem::replace(told, decoder.position()),
        }
    }

    /// Reads some more behind the text, which makes room for itself if it is long.
    pub(super) fn read_more(&mut self) -> io::Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.at_end = self.inflow.read_more(&mut self.stream)? == 0;
        Ok(())
    }
}

impl Read for InputStream {
    fn read(&mut self, text: &mut [u8]) -> io::Result<usize> {
        match self {
            InputStream::Plain { reader, read } => {
                let bytes = reader.read(text)?;
                *read += bytes as u64;
                Ok(bytes)
            }
            InputStream::Packed { decoder, .. } => decoder.read(text),
        }
    }
}
