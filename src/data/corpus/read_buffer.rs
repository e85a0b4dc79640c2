//! A growable read buffer with fill and consume.
//!
//! [`std::io::BufReader`] cannot be asked for more bytes while some are still unread; this buffer can, and grows if
//! they need more space.

use std::io::{self, ErrorKind, Read};
use std::mem;

/// Bytes that were read from a stream and not yet consumed.
#[derive(Debug)]
pub(crate) struct ReadBuffer {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// The minimum free space for a read, in bytes.
    read_size: usize,
}

impl ReadBuffer {
    /// An empty buffer that asks a stream for `read_size` bytes or more at a time.
    pub(crate) fn new(read_size: usize) -> ReadBuffer {
        ReadBuffer { buffer: vec![0; 2 * read_size], start: 0, end: 0, read_size }
    }

    /// The unconsumed bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Drops the first `count` of the unconsumed bytes.
    pub(crate) fn consume(&mut self, count: usize) {
        self.start += count;
    }

    /// Reads once from `stream` and appends the bytes; returns how many, 0 at the end of the stream.
    ///
    /// If the free space is too small, moves the unconsumed bytes to the front, and doubles the buffer if that is not
    /// enough.
    pub(crate) fn fill(&mut self, stream: &mut impl Read) -> io::Result<usize> {
        if self.buffer.len() - self.end < self.read_size {
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
