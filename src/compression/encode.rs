//! Text into a compressed stream of whole frames, packed by several threads.
//!
//! ```text
//!   write -> text -- 1 MiB --> thread, thread, ... --> in order -> writer
//! ```
//!
//! Frames are independent, so that a stream that was cut off can be gone on with behind its last whole one, and so that
//! they can be packed at the same time, whatever the compression.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::mem;
use std::thread::{self, JoinHandle};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;
use liblzma::write::XzEncoder;

use super::Compression;

/// A frame ends with the write that makes it have so many bytes of text.
///
/// Rows of a solved corpus take 0.3 % more space in frames of 1 MiB than in one of 64 MiB if bzip2 packs them, less with
/// the others; the time is the same. So the size is for what waits in memory, and for what is lost if a run is killed.
const FRAME: usize = 1 << 20;

/// Compresses what is written to it.
///
/// Text that is given in one call of `write`, which always takes all of it, never spans frames. `flush` ends the frame;
/// whoever does not flush loses text.
pub struct Encoder<W> {
    writer: W,
    compression: Compression,
    /// How many frames may be packed at a time.
    threads: usize,
    /// The text of the next frame.
    text: Vec<u8>,
    /// Frames that are being packed, in order.
    under_way: VecDeque<JoinHandle<io::Result<Packing>>>,
    /// Memory to be used again.
    spare: Vec<Packing>,
    /// Whether there has been no frame yet.
    empty: bool,
}

impl<W: Write> Encoder<W> {
    /// Writes frames to `writer`, which have been packed by up to `threads` threads, at least one.
    pub fn new(writer: W, compression: Compression, threads: usize) -> Encoder<W> {
        Encoder {
            writer,
            compression,
            threads: threads.max(1),
            text: Vec::new(),
            under_way: VecDeque::new(),
            spare: Vec::new(),
            empty: true,
        }
    }

    /// What the frames are written to.
    pub fn get_ref(&self) -> &W {
        &self.writer
    }

    /// Writes everything out, and gives the writer back. A stream without any text has one empty frame.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        if self.empty {
            self.end_frame()?;
        }
        self.flush()?;
        Ok(self.writer)
    }

    fn end_frame(&mut self) -> io::Result<()> {
        if self.under_way.len() == self.threads {
            self.write_oldest()?;
        }
        let mut packing = self.spare.pop().unwrap_or_default();
        mem::swap(&mut packing.text, &mut self.text);
        let compression = self.compression;
        let pack = move || packing.pack(compression).map(|()| packing);
        self.under_way.push_back(thread::Builder::new().name("packer".into()).spawn(pack)?);
        self.empty = false;
        Ok(())
    }

    fn write_oldest(&mut self) -> io::Result<()> {
        let Some(oldest) = self.under_way.pop_front() else { return Ok(()) };
        let mut packing = oldest.join().map_err(|_| io::Error::other("a thread that compresses panicked"))??;
        self.writer.write_all(&packing.frame)?;
        packing.text.clear();
        packing.frame.clear();
        self.spare.push(packing);
        Ok(())
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(text);
        if self.text.len() >= FRAME {
            self.end_frame()?;
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.text.is_empty() {
            self.end_frame()?;
        }
        while !self.under_way.is_empty() {
            self.write_oldest()?;
        }
        self.writer.flush()
    }
}

/// A frame in the making: its text, and what that becomes.
#[derive(Default)]
struct Packing {
    text: Vec<u8>,
    frame: Vec<u8>,
}

impl Packing {
    /// Packs the text at a level at which compressing does not take much longer than solving did.
    ///
    /// Puzzles look random, and more effort finds little in them. Space and MB/s of one thread for rows of a solved corpus:
    ///
    /// ```text
    /// gzip   level 1  62 % 243   level 3  40 % 124   level 6  39 %  49
    /// zstd   level 1  38 % 372   level 3  41 % 199   level 9  38 %  30
    /// xz     level 0  41 %  20   level 1  39 %  15   level 6  32 % 0.6
    /// bzip2  level 1  34 %  23   level 9  33 %  19
    /// ```
    fn pack(&mut self, compression: Compression) -> io::Result<()> {
        let (text, frame) = (&self.text, &mut self.frame);
        match compression {
            Compression::Gzip => {
                let mut encoder = GzEncoder::new(frame, flate2::Compression::new(3));
                encoder.write_all(text)?;
                encoder.finish()?;
            }
            Compression::Zstd => {
                let mut encoder = zstd::Encoder::new(frame, 1)?;
                encoder.set_pledged_src_size(Some(text.len() as u64))?;
                encoder.include_checksum(true)?;
                encoder.write_all(text)?;
                encoder.finish()?;
            }
            Compression::Xz => {
                let mut encoder = XzEncoder::new(frame, 1);
                encoder.write_all(text)?;
                encoder.finish()?;
            }
            Compression::Bzip2 => {
                let mut encoder = BzEncoder::new(frame, bzip2::Compression::new(9));
                encoder.write_all(text)?;
                encoder.finish()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Frames, testing::rows};
    use super::*;

    #[test]
    fn frames_hold_whole_writes_in_order_however_many_threads_pack_them() {
        // Of all lengths, so that frames end in different places.
        let parts: Vec<Vec<u8>> = (0..60).map(|part| rows(part * 10_000..part * 10_000 + part * 150)).collect();
        let text = parts.concat();
        for compression in Compression::ALL {
            let packed = [1, 2, 7].map(|threads| {
                let mut encoder = Encoder::new(vec![], compression, threads);
                for part in &parts {
                    encoder.write_all(part).unwrap();
                }
                encoder.finish().unwrap()
            });
            assert!(packed[0] == packed[1] && packed[0] == packed[2]);
            let (mut frames, mut found, mut ends) = (Frames::new(&packed[0][..], compression), vec![], vec![]);
            while frames.next(&mut found).unwrap().is_some() {
                ends.push(found.len());
            }
            assert!(found == text);
            let mut of_parts = parts.iter().scan(0, |end, part| {
                *end += part.len();
                Some(*end)
            });
            assert!(ends.len() > 3 && ends.iter().all(|end| of_parts.any(|of_part| of_part == *end)), "{ends:?}");
        }
    }

    #[test]
    fn a_writer_that_fails_is_told_of() {
        let mut room = [0; 100];
        let mut encoder = Encoder::new(&mut room[..], Compression::Gzip, 2);
        encoder.write_all(&rows(0..1000)).unwrap();
        assert_eq!(encoder.flush().unwrap_err().kind(), io::ErrorKind::WriteZero);
    }
}
