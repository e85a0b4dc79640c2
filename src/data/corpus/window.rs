//! The part of an input's text that is in memory, decompressed if the input is compressed.

use std::io::{self, BufReader, Chain, Cursor, ErrorKind, Read};
use std::mem;

use memchr::memrchr;

use crate::compression::{Compression, Decoder};
use crate::format::{Blank, MAX_RECORD, comments_length, count_lines, rest_of_line};

/// The number of bytes that are read at a time.
const READ_SIZE: usize = 128 << 10;

/// A window of text that moves along an input.
pub(super) struct Window {
    stream: InputStream,
    buffer: ReadBuffer,
    /// Whether the input has no text after the window.
    pub(super) at_end: bool,
    /// A read error that the next [`read_more`](Window::read_more) returns.
    pub(super) failure: Option<io::Error>,
}

enum InputStream {
    Plain {
        reader: Box<dyn Read + Send>,
        /// The number of bytes read.
        read: u64,
        /// The number of skipped bytes that [`Window::consume`] has not returned so far.
        skipped: u64,
    },
    Compressed {
        compression: Compression,
        decoder: Box<Decoder<BufReader<Unread>>>,
        /// The number of bytes of the compressed input that [`Window::consume`] has returned so far.
        reported: u64,
    },
}

/// A stream whose first bytes were read to detect its compression.
type Unread = Chain<Cursor<Vec<u8>>, Box<dyn Read + Send>>;

impl Window {
    /// Opens an input, compressed or not, and reads its first `sample` bytes of text, or all if it has fewer.
    pub(super) fn open(reader: Box<dyn Read + Send>, sample: usize) -> Window {
        let mut window = Window::new(InputStream::Plain { reader, read: 0, skipped: 0 });
        window.read_sample(sample);
        match (Compression::detect(window.text()), window.stream) {
            (Some(compression), InputStream::Plain { reader, .. }) => {
                // Known only after reading, and the decoder has to begin with the bytes that were read.
                let seen = Cursor::new(window.buffer.bytes().to_vec());
                let decoder = Decoder::new(BufReader::with_capacity(READ_SIZE, seen.chain(reader)), compression);
                let decoder = Box::new(decoder);
                let mut window = Window::new(InputStream::Compressed { compression, decoder, reported: 0 });
                window.read_sample(sample);
                window
            }
            (_, stream) => Window { stream, ..window },
        }
    }

    fn new(stream: InputStream) -> Window {
        Window { stream, buffer: ReadBuffer::new(READ_SIZE), at_end: false, failure: None }
    }

    /// Skips comments and empty lines if the window has nothing else; returns how many lines were skipped.
    pub(super) fn skip_comments(&mut self, blank: Option<Blank>) -> u64 {
        let (mut lines, mut in_comment) = (0, false);
        while !self.at_end && self.failure.is_none() {
            let text = self.text();
            // A comment may be longer than the window, and is then skipped in pieces.
            let length = if in_comment {
                rest_of_line(text).unwrap_or(text.len())
            } else if comments_length(text, blank) < text.len() {
                break;
            } else {
                // The last line may go on: it can be skipped only if it has begun as a comment.
                let last_line = memrchr(b'\n', text).map_or(0, |end| end + 1);
                if text[last_line..].starts_with(b"#") { text.len() } else { last_line }
            };
            if length == 0 {
                break;
            }
            in_comment = text[length - 1] != b'\n';
            lines += count_lines(&text[..length]);
            self.skip(length);
            self.failure = self.read_more().err();
        }
        lines
    }

    /// Reads up to the end of the first line that is not a comment, or up to the maximum length of a record. Returns
    /// the end.
    pub(super) fn read_first_line(&mut self, blank: Option<Blank>) -> usize {
        loop {
            let comments = comments_length(self.text(), blank);
            let line = rest_of_line(&self.text()[comments..]);
            let is_readable = !self.at_end && self.failure.is_none() && self.text().len() < comments + MAX_RECORD;
            match line {
                Some(line) => return comments + line,
                None if is_readable => self.failure = self.read_more().err(),
                None => return self.text().len(),
            }
        }
    }

    /// Reads until the window has `bytes` bytes of text, or the input ends or fails.
    pub(super) fn read_sample(&mut self, bytes: usize) {
        while self.text().len() < bytes && !self.at_end && self.failure.is_none() {
            self.failure = self.read_more().err();
        }
    }

    /// The compression of the input.
    pub(super) fn compression(&self) -> Option<Compression> {
        match self.stream {
            InputStream::Plain { .. } => None,
            InputStream::Compressed { compression, .. } => Some(compression),
        }
    }

    /// The text in the window.
    pub(super) fn text(&self) -> &[u8] {
        self.buffer.bytes()
    }

    /// How many stored bytes of the input were read: compressed ones if it is compressed.
    pub(super) fn stored(&self) -> u64 {
        match &self.stream {
            InputStream::Plain { read, .. } => *read,
            InputStream::Compressed { decoder, .. } => decoder.position(),
        }
    }

    /// Drops the first `bytes` bytes of text. Returns the progress in stored bytes of the input; for a compressed
    /// input, these are the bytes that were decompressed since the last call.
    #[must_use]
    pub(super) fn consume(&mut self, bytes: usize) -> u64 {
        self.buffer.consume(bytes);
        match &mut self.stream {
            InputStream::Plain { skipped, .. } => bytes as u64 + mem::take(skipped),
            InputStream::Compressed { decoder, reported, .. } => {
                // A decoder reads ahead in steps of its own, so the bytes of single records are not known.
                decoder.position() - mem::replace(reported, decoder.position())
            }
        }
    }

    /// Drops the first `bytes` bytes of text; the next [`consume`](Window::consume) returns them, too.
    fn skip(&mut self, bytes: usize) {
        self.buffer.consume(bytes);
        if let InputStream::Plain { skipped, .. } = &mut self.stream {
            *skipped += bytes as u64;
        }
    }

    /// Appends more text to the window, which grows if it has to.
    pub(super) fn read_more(&mut self) -> io::Result<()> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        self.at_end = self.buffer.fill(&mut self.stream)? == 0;
        Ok(())
    }
}

/// The text in the window, then the rest of the input.
impl Read for Window {
    fn read(&mut self, text: &mut [u8]) -> io::Result<usize> {
        if !self.text().is_empty() {
            let bytes = self.buffer.bytes().read(text)?;
            self.buffer.consume(bytes);
            return Ok(bytes);
        }
        // The error belongs after the text that was read before it.
        match self.failure.take() {
            Some(failure) => Err(failure),
            None => self.stream.read(text),
        }
    }
}

impl Read for InputStream {
    fn read(&mut self, text: &mut [u8]) -> io::Result<usize> {
        match self {
            InputStream::Plain { reader, read, .. } => {
                let bytes = reader.read(text)?;
                *read += bytes as u64;
                Ok(bytes)
            }
            InputStream::Compressed { decoder, .. } => decoder.read(text),
        }
    }
}

/// Bytes that were read from a stream and not yet consumed.
///
/// [`std::io::BufReader`] cannot be asked for more bytes while some are still unread; this buffer can, and grows if they
/// need more space.
#[derive(Debug)]
struct ReadBuffer {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The minimum free space for a read, in bytes.
    read_size: usize,
}

impl ReadBuffer {
    /// An empty buffer that asks a stream for `read_size` bytes or more at a time.
    fn new(read_size: usize) -> ReadBuffer {
        ReadBuffer { buffer: vec![0; 2 * read_size], start: 0, end: 0, read_size }
    }

    /// The unconsumed bytes.
    fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Drops the first `count` of the unconsumed bytes.
    fn consume(&mut self, count: usize) {
        self.start += count;
    }

    /// Reads once from `stream` and appends the bytes; returns how many, 0 at the end of the stream.
    ///
    /// If the free space is too small, moves the unconsumed bytes to the front, and doubles the buffer if that is not
    /// enough.
    fn fill(&mut self, stream: &mut impl Read) -> io::Result<usize> {
        if self.buffer.len() - self.end < self.read_size {
            // The bytes stay in one piece, because a record has to be one slice.
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= mem::take(&mut self.start);
            if self.buffer.len() - self.end < self.read_size {
                self.buffer.resize(2 * self.buffer.len(), 0);
            }
        }
        loop {
            match stream.read(&mut self.buffer[self.end..]) {
                Ok(count) => {
                    self.end += count;
                    return Ok(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
