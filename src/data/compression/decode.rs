//! Reads the text of a compressed stream.

use std::fmt;
use std::io::{self, BufRead, ErrorKind, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::Stream;

use super::{Compression, MAX_WINDOW};

/// The error for a compressed stream that cannot be read any further.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// It ends within a frame. The text before the end is correct.
    #[error("the {0} stream is cut short")]
    CutShort(Compression),
    /// It asks for more memory than 128 MiB.
    #[error("the {0} stream needs more than 128 MiB of memory; unpack it first, for example with {0} -dc")]
    TooLarge(Compression),
    /// It is damaged.
    ///
    /// Some formats detect damage only by a checksum at the end of a frame, after its text has been returned.
    #[error("the {compression} stream cannot be decoded ({reason}); what was read last may be wrong already")]
    Damaged {
        /// The format.
        compression: Compression,
        /// The message of the decoder.
        reason: String,
    },
    /// A frame is followed by something else. Only zeros are allowed, as padding of the last block of a tape.
    #[error("the {0} stream is over, and what follows is not {0}; if it does not belong there, cut it off")]
    Foreign(Compression),
}

impl DecodeError {
    /// The fault for an error of a decoding library.
    fn new(compression: Compression, error: &io::Error) -> DecodeError {
        let reason = error.to_string();
        match error.kind() {
            ErrorKind::UnexpectedEof => DecodeError::CutShort(compression),
            // The libraries have no error kind for this. Damage to a header can look the same.
            _ if reason.contains("memory") => DecodeError::TooLarge(compression),
            _ => DecodeError::Damaged { compression, reason },
        }
    }

    /// The fault in an error of a [`Decoder`]; `None` if the error is one of the reader below.
    pub fn in_error(error: &io::Error) -> Option<&DecodeError> {
        error.get_ref()?.downcast_ref()
    }
}

impl From<DecodeError> for io::Error {
    fn from(fault: DecodeError) -> io::Error {
        io::Error::new(ErrorKind::InvalidData, fault)
    }
}

/// Reads the text of all frames of a compressed stream, in order.
///
/// Its errors are the errors of the underlying reader, and [`DecodeError`]s of the stream; after a fault, every read
/// returns the same fault. Its memory is bounded by 128 MiB, however much text a frame expands to.
///
/// Like gzip(1), it ignores zeros after a gzip member and treats anything else there as an error, after all text before
/// it has been read. Zeros are ignored after an xz stream, too.
pub struct Decoder<R> {
    compression: Compression,
    /// The reader, if it is between two frames; within a frame, `frame` has it.
    between: Option<CountingReader<R>>,
    frame: Option<Frame<CountingReader<R>>>,
    /// The fault that all further reads return.
    fault: Option<DecodeError>,
}

impl<R> fmt::Debug for Decoder<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut decoder = f.debug_struct("Decoder");
        decoder.field("compression", &self.compression).field("fault", &self.fault).finish_non_exhaustive()
    }
}

impl<R: BufRead> Decoder<R> {
    /// Reads a stream that starts at the current position of the reader.
    pub fn new(reader: R, compression: Compression) -> Decoder<R> {
        Decoder { compression, between: Some(CountingReader { reader, count: 0 }), frame: None, fault: None }
    }

    /// The number of bytes of the compressed stream consumed so far.
    pub fn position(&self) -> u64 {
        let reader = self.between.as_ref().or_else(|| self.frame.as_ref().map(Frame::reader));
        reader.map_or(0, |reader| reader.count)
    }

    /// Starts with the next frame, unless it is within one. Returns whether there is a frame.
    fn start_frame(&mut self) -> io::Result<bool> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone().into());
        }
        let Some(reader) = &mut self.between else { return Ok(true) };
        let Some(first) = peek_frame(reader, self.compression)? else { return Ok(false) };
        if reader.count > 0 && !self.compression.may_start_with(first) {
            return Err(self.fail(DecodeError::Foreign(self.compression)));
        }
        let frame = self.between.take().map(|reader| Frame::new(self.compression, reader)).transpose();
        self.frame = frame.map_err(|error| self.fail(DecodeError::new(self.compression, &error)))?;
        Ok(true)
    }

    /// Reads some text of the current frame. Returns 0 at the end of the frame, and leaves it.
    fn read_frame(&mut self, text: &mut [u8]) -> io::Result<usize> {
        let Some(frame) = &mut self.frame else { return Ok(0) };
        match frame.read(text) {
            Ok(0) if !text.is_empty() => {
                self.between = self.frame.take().map(Frame::into_reader);
                Ok(0)
            }
            Err(error) if error.raw_os_error().is_none() => Err(self.fail(DecodeError::new(self.compression, &error))),
            read => read,
        }
    }

    /// Keeps the fault and returns it as an error.
    fn fail(&mut self, fault: DecodeError) -> io::Error {
        self.fault.insert(fault).clone().into()
    }
}

impl<R: BufRead> Read for Decoder<R> {
    fn read(&mut self, text: &mut [u8]) -> io::Result<usize> {
        while self.start_frame()? {
            let read = self.read_frame(text)?;
            if read > 0 || text.is_empty() {
                return Ok(read);
            }
        }
        Ok(0)
    }
}

/// Skips padding and returns the first byte of the next frame, without consuming it; `None` at the end of the stream.
fn peek_frame<R: BufRead>(reader: &mut CountingReader<R>, compression: Compression) -> io::Result<Option<u8>> {
    loop {
        match reader.fill_buf()?.first().copied() {
            Some(0) if reader.count > 0 && compression.may_be_padded() => reader.consume(1),
            first => return Ok(first),
        }
    }
}

impl Compression {
    /// Whether zeros after a frame are ignored.
    fn may_be_padded(self) -> bool {
        matches!(self, Compression::Gzip | Compression::Xz)
    }

    /// Whether a frame can start with this byte.
    fn may_start_with(self, byte: u8) -> bool {
        match self {
            Compression::Gzip => byte == 0x1f,
            Compression::Zstd => matches!(byte, 0x28 | 0x50..=0x5f),
            Compression::Xz => byte == 0xfd,
            Compression::Bzip2 => byte == b'B',
        }
    }
}

/// Counts the bytes that are consumed, and repeats interrupted reads.
struct CountingReader<R> {
    reader: R,
    count: u64,
}

impl<R: BufRead> BufRead for CountingReader<R> {
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

impl<R: BufRead> Read for CountingReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(bytes)?;
        self.consume(read);
        Ok(read)
    }
}

/// A decoder for one frame: a common interface to the libraries of the four formats.
///
/// They consume exactly the bytes of the frame, so the next frame can be read from the same reader.
enum Frame<R> {
    Gzip(GzDecoder<R>),
    Zstd(zstd::Decoder<'static, R>),
    Xz(XzDecoder<R>),
    Bzip2(BzDecoder<R>),
}

impl<R: BufRead> Frame<R> {
    /// Starts with the frame at the current position of the reader.
    fn new(compression: Compression, reader: R) -> io::Result<Frame<R>> {
        Ok(match compression {
            Compression::Gzip => Frame::Gzip(GzDecoder::new(reader)),
            Compression::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(reader)?.single_frame();
                decoder.window_log_max(MAX_WINDOW.ilog2())?;
                Frame::Zstd(decoder)
            }
            Compression::Xz => {
                // The limit is for all memory of the decoder, which has some state besides the window.
                let stream = Stream::new_stream_decoder(MAX_WINDOW + (1 << 20), 0)?;
                Frame::Xz(XzDecoder::new_stream(reader, stream))
            }
            Compression::Bzip2 => Frame::Bzip2(BzDecoder::new(reader)),
        })
    }

    /// The reader below.
    fn reader(&self) -> &R {
        match self {
            Frame::Gzip(decoder) => decoder.get_ref(),
            Frame::Zstd(decoder) => decoder.get_ref(),
            Frame::Xz(decoder) => decoder.get_ref(),
            Frame::Bzip2(decoder) => decoder.get_ref(),
        }
    }

    /// Returns the reader. After the end of the text, it is positioned after the frame.
    fn into_reader(self) -> R {
        match self {
            Frame::Gzip(decoder) => decoder.into_inner(),
            Frame::Zstd(decoder) => decoder.finish(),
            Frame::Xz(decoder) => decoder.into_inner(),
            Frame::Bzip2(decoder) => decoder.into_inner(),
        }
    }
}

/// Reads the text of the frame. If the stream ends within the frame, the error has the kind `UnexpectedEof`.
impl<R: BufRead> Read for Frame<R> {
    fn read(&mut self, text: &mut [u8]) -> io::Result<usize> {
        match self {
            Frame::Gzip(decoder) => decoder.read(text),
            Frame::Zstd(decoder) => decoder.read(text),
            Frame::Xz(decoder) => decoder.read(text),
            Frame::Bzip2(decoder) => decoder.read(text),
        }
    }
}
