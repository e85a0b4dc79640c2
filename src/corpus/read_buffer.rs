//! Bytes of a stream on their way through memory: read in at the end of a buffer, passed over at its start.

use std::io::{self, ErrorKind, Read};
use std::mem;

/// What was read of a stream and not passed over yet.
pub(crate) struct ReadBuffer {
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// How much is read at a time, at the least.
    read: usize,
}

impl ReadBuffer {
    /// Nothing yet; `read` bytes at a time, or more, will be asked for.
    pub(crate) fn new(read: usize) -> ReadBuffer {
        ReadBuffer { buffer: vec![0; 2 * read], start: 0, end: 0, read }
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// How much memory the bytes have.
    #[cfg(test)]
    pub(crate) fn memory(&self) -> usize {
        self.buffer.len()
    }

    /// Passes over so many of the bytes.
    pub(crate) fn pass(&mut self, bytes: usize) {
        self.start += bytes;
    }

    /// Reads some more, for which there is room as soon as what was passed over is gone, or the buffer has doubled; says
    /// how much, which is nothing at the end of the stream.
    pub(crate) fn read_more(&mut self, stream: &mut impl Read) -> io::Result<usize> {
        if self.buffer.len() - self.end < self.read {
            self.buffer.copy_within(self.start..self.end, 0);
            self.end -= mem::take(&mut self.start);
            if self.buffer.len() - self.end < self.read {
                self.buffer.resize(2 * self.buffer.len(), 0);
            }
        }
        loop {
            match stream.read(&mut self.buffer[self.end..]) {
                Ok(bytes) => {
                    self.end += bytes;
                    return Ok(bytes);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}
