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
use memchr::{memchr_iter, memchr2_iter};

use super::Compression;

/// How many bytes of text a frame has: it ends with the first row that makes it have so many, whatever pieces the text
/// comes in. Only the last one is shorter.
///
/// Rows of a solved corpus take 0.3 % more space in frames of 1 MiB than in one of 64 MiB if bzip2 packs them, less with
/// the others; the time is the same. So the size is for what waits in memory, and for what is lost if a run is killed.
pub const FRAME: usize = 1 << 20;

/// So many bytes of text are no field in quotes: a record is cut off at 1 MiB, and a quote in it is doubled.
const LONGEST_FIELD: usize = 4 << 20;

/// Compresses what is written to it.
///
/// A frame holds whole rows: it ends at the end of a line that is not within quotes. So the same text is packed to the
/// same bytes. `flush` ends the frame wherever it is; whoever does not flush loses text.
#[derive(Debug)]
pub struct Encoder<W> {
    writer: W,
    compression: Compression,
    /// How many frames may be packed at a time.
    threads: usize,
    /// The text of the next frame.
    text: Vec<u8>,
    /// Whether it ends within quotes.
    quoted: bool,
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
            quoted: false,
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

    /// How much of some more text belongs to the frame that is being written; `None` if all of it does, and it goes on.
    fn end_of_frame(&mut self, more: &[u8]) -> Option<usize> {
        let last = FRAME - 1;
        let (before, after) = more.split_at(last.saturating_sub(self.text.len()).min(more.len()));
        self.quoted ^= memchr_iter(b'"', before).count() % 2 == 1;
        for index in memchr2_iter(b'"', b'\n', after) {
            let end = before.len() + index + 1;
            if after[index] == b'"' {
                self.quoted = !self.quoted;
            } else if !self.quoted || self.text.len() + end > FRAME + LONGEST_FIELD {
                return Some(end);
            }
        }
        None
    }

    fn end_frame(&mut self) -> io::Result<()> {
        if self.under_way.len() == self.threads {
            self.write_oldest()?;
        }
        let mut packing = self.spare.pop().unwrap_or_default();
        mem::swap(&mut packing.text, &mut self.text);
        self.quoted = false;
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
        let mut rest = text;
        while let Some(end) = self.end_of_frame(rest) {
            self.text.extend_from_slice(&rest[..end]);
            self.end_frame()?;
            rest = &rest[end..];
        }
        self.text.extend_from_slice(rest);
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
#[derive(Default, Debug)]
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

    /// The text of each frame.
    fn texts(packed: &[u8], compression: Compression) -> Vec<Vec<u8>> {
        let mut frames = Frames::new(packed, compression);
        let next = || {
            let mut text = vec![];
            frames.next(&mut text).unwrap().map(|_| text)
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn the_same_text_becomes_the_same_frames_of_whole_rows() {
        let text = rows(0..300_000);
        for compression in Compression::ALL {
            let packed = [(1, 1 << 30), (2, 77_777), (7, 4096)].map(|(threads, piece)| {
                let mut encoder = Encoder::new(vec![], compression, threads);
                for piece in text.chunks(piece) {
                    encoder.write_all(piece).unwrap();
                }
                encoder.finish().unwrap()
            });
            assert!(packed[0] == packed[1] && packed[0] == packed[2]);
            let frames = texts(&packed[0], compression);
            assert!(frames.concat() == text);
            assert!(frames.len() > 3 && frames.iter().all(|frame| frame.ends_with(b"\n")));
            let row = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::len).max().unwrap();
            assert!(frames[..frames.len() - 1].iter().all(|frame| frame.len().abs_diff(FRAME) < 2 * row));
        }
    }

    #[test]
    fn frames_do_not_end_within_quotes_unless_these_never_end() {
        let row = |number: usize| format!("{number},\"{}\n\"\"\n\",\n", "x\n".repeat(number % 50));
        let text: String = (0..40_000).map(row).collect();
        let mut encoder = Encoder::new(vec![], Compression::Zstd, 2);
        for piece in text.as_bytes().chunks(1000) {
            encoder.write_all(piece).unwrap();
        }
        let frames = texts(&encoder.finish().unwrap(), Compression::Zstd);
        assert!(frames.len() > 2 && frames.concat() == text.as_bytes());
        assert!(frames.iter().all(|frame| frame.len() < FRAME + 200 && frame.ends_with(b"\",\n")));

        let mut encoder = Encoder::new(vec![], Compression::Zstd, 2);
        encoder.write_all(format!("\"{}", "x\n".repeat(10 << 20)).as_bytes()).unwrap();
        let frames = texts(&encoder.finish().unwrap(), Compression::Zstd);
        assert_eq!(frames[0].len(), FRAME + LONGEST_FIELD + 1);
        assert_eq!(frames[1].len(), FRAME);
    }

    #[test]
    fn a_writer_that_fails_is_told_of() {
        let mut room = [0; 100];
        let mut encoder = Encoder::new(&mut room[..], Compression::Gzip, 2);
        encoder.write_all(&rows(0..1000)).unwrap();
        assert_eq!(encoder.flush().unwrap_err().kind(), io::ErrorKind::WriteZero);
    }
}
