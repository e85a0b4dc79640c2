//! Decompresses one frame: a common interface to the libraries of the four formats.
//!
//! Their decoders consume exactly the bytes of the frame, so the next frame can be read from the same reader.

use std::io::{self, BufRead, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::Stream;

use super::{Compression, MAX_WINDOW};

/// A decoder for one frame.
pub(super) enum Frame<R> {
    Gzip(GzDecoder<R>),
    Zstd(zstd::Decoder<'static, R>),
    Xz(XzDecoder<R>),
    Bzip2(BzDecoder<R>),
}

impl<R: BufRead> Frame<R> {
    /// Starts with the frame at the current position of the reader.
    pub(super) fn new(compression: Compression, reader: R) -> io::Result<Frame<R>> {
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
    pub(super) fn reader(&self) -> &R {
        match self {
            Frame::Gzip(decoder) => decoder.get_ref(),
            Frame::Zstd(decoder) => decoder.get_ref(),
            Frame::Xz(decoder) => decoder.get_ref(),
            Frame::Bzip2(decoder) => decoder.get_ref(),
        }
    }

    /// Returns the reader. After the end of the text, it is positioned after the frame.
    pub(super) fn into_reader(self) -> R {
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
