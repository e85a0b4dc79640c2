//! The text of a compressed stream, frame after frame.

use std::io::{self, BufRead, ErrorKind, Read};

use super::Compression;
use super::frame::Frame;

/// Why a compressed stream cannot be read any further.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeFault {
    /// It ends within a frame. What was read of it is right.
    #[error("the {0} stream is cut short")]
    CutShort(Compression),
    /// It asks for more memory than [`MAX_WINDOW`](super::MAX_WINDOW).
    #[error("the {0} stream needs more than 128 MiB of memory; unpack it first, for example with {0} -dc")]
    TooLarge(Compression),
    /// It is damaged.
    ///
    /// Some compressions find damage only by a checksum at the end of a frame, when the text is out already.
    #[error("the {compression} stream cannot be decoded ({reason}); what was read last may be wrong already")]
    Damaged {
        /// What it is compressed with.
        compression: Compression,
        /// What the decoder says.
        reason: String,
    },
    /// Something that is no frame stands behind one. Only zeros may: they pad the last block of a tape.
    #[error("the {0} stream is over, and what follows is not {0}; if it does not belong there, cut it off")]
    Foreign(Compression),
}

impl DecodeFault {
    /// What a library for a compression says, which is not what the reader below it says.
    fn new(compression: Compression, error: &io::Error) -> DecodeFault {
        let reason = error.to_string();
        match error.kind() {
            ErrorKind::UnexpectedEof => DecodeFault::CutShort(compression),
            // The libraries have no other word for it, and damage to a header can look like it.
            _ if reason.contains("memory") => DecodeFault::TooLarge(compression),
            _ => DecodeFault::Damaged { compression, reason },
        }
    }

    /// The fault behind an error of a [`Decoder`]; `None` if the stream below it could not be read.
    pub fn of(error: &io::Error) -> Option<&DecodeFault> {
        error.get_ref()?.downcast_ref()
    }
}

impl From<DecodeFault> for io::Error {
    fn from(fault: DecodeFault) -> io::Error {
        io::Error::new(ErrorKind::InvalidData, fault)
    }
}

/// Reads the text of all frames of a compressed stream, one behind the other.
///
/// Its errors are [`DecodeFault`]s of the stream, from then on always the same, and those of the reader below. It has no
/// memory of its own but the window that the stream asks for, [`MAX_WINDOW`](super::MAX_WINDOW) at most, however much
/// text a frame unfolds into.
///
/// As gzip(1) does, it reads everything that comes before foreign bytes, passes over zeros behind a gzip member, and
/// makes an error of anything else; zeros may stand behind an xz stream, too.
pub struct Decoder<R> {
    compression: Compression,
    /// The reader, behind a frame or before the first; otherwise `within` has it.
    between: Option<Counted<R>>,
    within: Option<Frame<Counted<R>>>,
    /// What ended it, if that was not the end of the stream.
    fault: Option<DecodeFault>,
}

impl<R: BufRead> Decoder<R> {
    /// Reads a stream from its first byte on.
    pub fn new(reader: R, compression: Compression) -> Decoder<R> {
        Decoder { compression, between: Some(Counted { reader, count: 0 }), within: None, fault: None }
    }

    /// How many bytes of the compressed stream were used up.
    pub fn position(&self) -> u64 {
        let reader = self.between.as_ref().or_else(|| self.within.as_ref().map(Frame::reader));
        reader.map_or(0, |reader| reader.count)
    }

    /// Begins with the next frame, unless it is in one. Says whether there is one.
    pub(super) fn enter(&mut self) -> io::Result<bool> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone().into());
        }
        let Some(reader) = &mut self.between else { return Ok(true) };
        let Some(first) = first_of_next(reader, self.compression)? else { return Ok(false) };
        if reader.count > 0 && !self.compression.may_begin_with(first) {
            return Err(self.broken(DecodeFault::Foreign(self.compression)));
        }
        let frame = self.between.take().map(|reader| Frame::new(self.compression, reader)).transpose();
        self.within = frame.map_err(|error| self.broken(DecodeFault::new(self.compression, &error)))?;
        Ok(true)
    }

    /// Reads some text of the frame that it is in; none at its end, which it then has passed.
    pub(super) fn read_frame(&mut self, text: &mut [u8]) -> io::Result<usize> {
        let Some(frame) = &mut self.within else { return Ok(0) };
        match frame.read(text) {
            Ok(0) if !text.is_empty() => {
                self.between = self.within.take().map(Frame::into_reader);
                Ok(0)
            }
            Err(error) if error.raw_os_error().is_none() => {
                Err(self.broken(DecodeFault::new(self.compression, &error)))
            }
            read => read,
        }
    }

    fn broken(&mut self, fault: DecodeFault) -> io::Error {
        self.fault.insert(fault).clone().into()
    }
}

impl<R: BufRead> Read for Decoder<R> {
    fn read(&mut self, text: &mut [u8]) -> io::Result<usize> {
        while self.enter()? {
            let read = self.read_frame(text)?;
            if read > 0 || text.is_empty() {
                return Ok(read);
            }
        }
        Ok(0)
    }
}

/// Finds the first byte of the next frame, which is where the reader is left.
fn first_of_next<R: BufRead>(reader: &mut Counted<R>, compression: Compression) -> io::Result<Option<u8>> {
    loop {
        match reader.fill_buf()?.first().copied() {
            Some(0) if reader.count > 0 && compression.may_be_padded() => reader.consume(1),
            first => return Ok(first),
        }
    }
}

impl Compression {
    /// Whether zeros behind a frame mean nothing.
    fn may_be_padded(self) -> bool {
        matches!(self, Compression::Gzip | Compression::Xz)
    }

    /// Whether a frame can begin with this byte.
    fn may_begin_with(self, byte: u8) -> bool {
        match self {
            Compression::Gzip => byte == 0x1f,
            Compression::Zstd => matches!(byte, 0x28 | 0x50..=0x5f),
            Compression::Xz => byte == 0xfd,
            Compression::Bzip2 => byte == b'B',
        }
    }
}

/// A reader that knows how far it is, and is never interrupted.
struct Counted<R> {
    reader: R,
    count: u64,
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while let Err(error) = self.reader.fill_buf() {
            if error.kind() != ErrorKind::Interrupted {
                return Err(error);
            }
        }
        self.reader.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        self.count += bytes as u64;
        self.reader.consume(bytes);
    }
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}
