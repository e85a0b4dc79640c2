//! One frame, read: what the libraries for the four compressions have in common.
//!
//! Each of them takes from its reader no byte more than the frame has, so that the next frame can be read behind it.

use std::io::{self, BufRead, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;
use liblzma::bufread::XzDecoder;
use liblzma::stream::Stream;

use super::{Compression, MAX_WINDOW};

/// A frame that is being read.
pub(super) enum Frame<R> {
    Gzip(GzDecoder<R>),
    Zstd(zstd::Decoder<'static, R>),
    Xz(XzDecoder<R>),
    Bzip2(BzDecoder<R>),
}

impl<R: BufRead> Frame<R> {
    /// Starts to read the frame that begins where the reader stands.
    pub(super) fn new(compression: Compression, reader: R) -> io::Result<Frame<R>> {
        Ok(match compression {
            Compression::Gzip => Frame::Gzip(GzDecoder::new(reader)),
            Compression::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(reader)?.single_frame();
                decoder.window_log_max(MAX_WINDOW.ilog2())?;
                Frame::Zstd(decoder)
            }
            Compression::Xz => {
                // Beside the window, a decoder has some state.
                let stream = Stream::new_stream_decoder(MAX_WINDOW + (1 << 20), 0)?;
                Frame::Xz(XzDecoder::new_stream(reader, stream))
            }
            Compression::Bzip2 => Frame::Bzip2(BzDecoder::new(reader)),
        })
    }

    /// What the frame is read from.
    pub(super) fn reader(&self) -> &R {
        match self {
            Frame::Gzip(decoder) => decoder.get_ref(),
            Frame::Zstd(decoder) => decoder.get_ref(),
            Frame::Xz(decoder) => decoder.get_ref(),
            Frame::Bzip2(decoder) => decoder.get_ref(),
        }
    }

    /// Gives the reader back; once the text is over, it stands behind the frame.
    pub(super) fn into_reader(self) -> R {
        match self {
            Frame::Gzip(decoder) => decoder.into_inner(),
            Frame::Zstd(decoder) => decoder.finish(),
            Frame::Xz(decoder) => decoder.into_inner(),
            Frame::Bzip2(decoder) => decoder.into_inner(),
        }
    }
}

/// The text of the frame. Where the reader ends too early, the error is of the kind `UnexpectedEof`.
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
