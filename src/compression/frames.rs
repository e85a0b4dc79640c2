//! Finds the complete frames of a stream that may be truncated: the part of an output that a resumed run can keep.

use std::io::{self, BufRead};

use super::{Compression, DecodeError, Decoder};

/// How many bytes of text are read at a time.
const READ_SIZE: usize = 1 << 20;

/// Reads a compressed stream frame by frame, until the first one that is truncated or damaged.
#[derive(Debug)]
pub struct Frames<R> {
    decoder: Decoder<R>,
}

impl<R: BufRead> Frames<R> {
    /// Reads a stream that starts at the current position of the reader.
    pub fn new(reader: R, compression: Compression) -> Frames<R> {
        Frames { decoder: Decoder::new(reader, compression) }
    }

    /// Appends the text of the next frame to `text`; returns the offset of its end in the stream.
    ///
    /// At the end of the stream, or if the next frame is truncated, damaged or not a frame, appends nothing and returns
    /// `None`, from then on always.
    ///
    /// # Errors
    ///
    /// If reading from the reader fails.
    pub fn next(&mut self, text: &mut Vec<u8>) -> io::Result<Option<u64>> {
        let start = text.len();
        let end = self.append(text);
        if !matches!(end, Ok(Some(_))) {
            text.truncate(start);
        }
        match end {
            Err(error) if DecodeError::in_error(&error).is_some() => Ok(None),
            end => end,
        }
    }

    fn append(&mut self, text: &mut Vec<u8>) -> io::Result<Option<u64>> {
        if !self.decoder.start_frame()? {
            return Ok(None);
        }
        loop {
            let end = text.len();
            text.resize(end + READ_SIZE, 0);
            let read = self.decoder.read_frame(&mut text[end..])?;
            text.truncate(end + read);
            if read == 0 {
                return Ok(Some(self.decoder.position()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::super::tests::{packed, rows};
    use super::*;

    /// The text of all complete frames, and the offset of the end of each.
    fn complete_frames(stream: &[u8], compression: Compression) -> (Vec<u8>, Vec<u64>) {
        let (mut frames, mut text, mut ends) = (Frames::new(stream, compression), vec![], vec![]);
        while let Some(end) = frames.next(&mut text).unwrap() {
            ends.push(end);
        }
        assert_eq!(frames.next(&mut text).unwrap(), None);
        (text, ends)
    }

    #[test]
    fn complete_frames_are_found_wherever_a_stream_is_truncated() {
        for &compression in Compression::VARIANTS {
            let parts = [rows(1..200), rows(200..201), vec![], rows(201..400)];
            let (mut stream, mut ends, mut texts) = (vec![], vec![], vec![vec![]]);
            for part in &parts {
                stream.extend(packed(part, compression));
                ends.push(stream.len() as u64);
                texts.push([texts.last().unwrap(), &part[..]].concat());
            }
            for length in 0..=stream.len() {
                let count = ends.iter().filter(|&&end| end <= length as u64).count();
                let (text, found) = complete_frames(&stream[..length], compression);
                assert_eq!(found, ends[..count], "{compression} cut to {length} bytes");
                assert!(text == texts[count], "{compression} cut to {length} bytes");
            }
        }
    }

    #[test]
    fn frames_end_where_a_stream_is_damaged() {
        for &compression in Compression::VARIANTS {
            let first = packed(&rows(0..100), compression);
            let mut stream = [&first[..], &packed(&rows(100..200), compression)].concat();
            stream.extend(packed(&rows(200..300), compression));
            for place in first.len()..first.len() + 200 {
                let mut damaged = stream.clone();
                damaged[place] ^= 0x10;
                let (text, ends) = complete_frames(&damaged, compression);
                // Some bytes of a header do not matter: a gzip member has a time and the number of an operating system.
                if text != rows(0..300) {
                    assert_eq!((text, ends), (rows(0..100), vec![first.len() as u64]), "{compression}, byte {place}");
                }
            }
            assert_eq!(complete_frames(&[&first[..], b"rows"].concat(), compression).1, [first.len() as u64]);
        }
    }
}
