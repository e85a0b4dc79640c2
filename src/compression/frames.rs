//! The whole frames of a stream that may end anywhere: what can be kept of an output when a run was killed.

use std::io::{self, BufRead};

use super::{Compression, DecodeFault, Decoder};

/// How much text is made room for at a time.
const PIECE: usize = 1 << 20;

/// Reads a compressed stream frame by frame, up to where it is torn or damaged.
pub struct Frames<R> {
    decoder: Decoder<R>,
}

impl<R: BufRead> Frames<R> {
    /// Reads a stream from its first byte on.
    pub fn new(reader: R, compression: Compression) -> Frames<R> {
        Frames { decoder: Decoder::new(reader, compression) }
    }

    /// Appends the text of the next whole frame, and gives the number of bytes of the stream up to its end.
    ///
    /// `None`, and nothing appended, where the stream ends, or the rest of it is torn or damaged or something else; from
    /// then on always.
    ///
    /// # Errors
    ///
    /// If the reader cannot be read.
    pub fn next(&mut self, text: &mut Vec<u8>) -> io::Result<Option<u64>> {
        let start = text.len();
        let end = self.append(text);
        if !matches!(end, Ok(Some(_))) {
            text.truncate(start);
        }
        match end {
            Err(error) if DecodeFault::of(&error).is_some() => Ok(None),
            end => end,
        }
    }

    fn append(&mut self, text: &mut Vec<u8>) -> io::Result<Option<u64>> {
        if !self.decoder.enter()? {
            return Ok(None);
        }
        loop {
            let end = text.len();
            text.resize(end + PIECE, 0);
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
    use super::super::testing::{packed, rows};
    use super::*;

    /// All whole frames: their text, and where each ends.
    fn whole(stream: &[u8], compression: Compression) -> (Vec<u8>, Vec<u64>) {
        let (mut frames, mut text, mut ends) = (Frames::new(stream, compression), vec![], vec![]);
        while let Some(end) = frames.next(&mut text).unwrap() {
            ends.push(end);
        }
        assert_eq!(frames.next(&mut text).unwrap(), None);
        (text, ends)
    }

    #[test]
    fn what_is_whole_is_found_wherever_a_stream_is_cut() {
        for compression in Compression::ALL {
            let parts = [rows(1..200), rows(200..201), vec![], rows(201..400)];
            let (mut stream, mut ends, mut texts) = (vec![], vec![], vec![vec![]]);
            for part in &parts {
                stream.extend(packed(part, compression));
                ends.push(stream.len() as u64);
                texts.push([texts.last().unwrap(), &part[..]].concat());
            }
            for length in 0..=stream.len() {
                let count = ends.iter().filter(|&&end| end <= length as u64).count();
                let (text, found) = whole(&stream[..length], compression);
                assert_eq!(found, ends[..count], "{compression} cut to {length} bytes");
                assert!(text == texts[count], "{compression} cut to {length} bytes");
            }
        }
    }

    #[test]
    fn nothing_is_kept_from_where_a_stream_is_damaged() {
        for compression in Compression::ALL {
            let first = packed(&rows(0..100), compression);
            let mut stream = [&first[..], &packed(&rows(100..200), compression)].concat();
            stream.extend(packed(&rows(200..300), compression));
            for place in first.len()..first.len() + 200 {
                let mut damaged = stream.clone();
                damaged[place] ^= 0x10;
                let (text, ends) = whole(&damaged, compression);
                // Not every byte of a header counts: a gzip member has a time, and the number of a system.
                if text != rows(0..300) {
                    assert_eq!((text, ends), (rows(0..100), vec![first.len() as u64]), "{compression}, byte {place}");
                }
            }
            assert_eq!(whole(&[&first[..], b"rows"].concat(), compression).1, [first.len() as u64]);
        }
    }
}
