//! Any bytes are unpacked or refused, the same however they arrive; what was packed is unpacked to what it was, and of
//! a stream that is cut short, every whole frame is found.

use std::io::{BufRead, BufReader, Read, Write};

use gridmill::compression::{Compression, DecodeFault, Decoder, Encoder, Frames};

/// How much text is unpacked at the most: a stream of a few bytes may have no end.
const MOST: usize = 1 << 20;

/// Of `bytes`, the first chooses a compression, and the next two in what pieces the stream arrives and its text is
/// taken; the stream is the rest.
pub fn unpack(bytes: &[u8]) {
    let Some((&[compression, arriving, taken], stream)) = bytes.split_first_chunk::<3>() else { return };
    let compression = Compression::ALL[usize::from(compression) % Compression::ALL.len()];
    let (text, fault) = unpacked(stream, compression, 1 << 16);
    let reader = BufReader::with_capacity(usize::from(arriving) + 1, stream);
    let (same, same_fault) = unpacked(reader, compression, usize::from(taken) + 1);
    assert_eq!(same_fault, fault, "in pieces");
    // How much comes out before damage shows depends on how much is unpacked at a time.
    let is_damaged = matches!(fault, Some(DecodeFault::Damaged { .. }));
    assert!(same == text || is_damaged && (same.starts_with(&text) || text.starts_with(&same)), "in pieces");
    if text.len() < MOST {
        let (whole, end) = whole_frames(stream, compression);
        assert!(text.starts_with(&whole) && end <= stream.len());
        assert!(fault.is_some() || whole == text, "a stream without a fault is all whole frames");
    }
}

/// Of `bytes`, the first chooses a compression, the next how much text is written at a time and after how many writes
/// a frame ends, the next two where the stream is cut short; the text is the rest.
pub fn pack(bytes: &[u8]) {
    let Some((&[compression, written, flushed, place @ ..], text)) = bytes.split_first_chunk::<5>() else { return };
    let compression = Compression::ALL[usize::from(compression) % Compression::ALL.len()];
    let mut encoder = Encoder::new(Vec::new(), compression, 2);
    // A new frame takes long to begin with.
    let (piece, pieces) = (text.len() / 4 + usize::from(written) + 1, usize::from(flushed % 4) + 1);
    for (number, piece) in text.chunks(piece).enumerate() {
        encoder.write_all(piece).expect("a vector takes anything");
        if number % pieces == 0 {
            encoder.flush().expect("a vector takes anything");
        }
    }
    let stream = encoder.finish().expect("a vector takes anything");
    assert_eq!(unpacked(&stream[..], compression, 1 << 16), (text.to_vec(), None));
    assert_eq!(whole_frames(&stream, compression), (text.to_vec(), stream.len()));

    let cut = usize::from(u16::from_le_bytes(place)) % (stream.len() + 1);
    let (whole, end) = whole_frames(&stream[..cut], compression);
    assert!(text.starts_with(&whole) && end <= cut);
    let (read, fault) = unpacked(&stream[..cut], compression, 1 << 16);
    assert!(text.starts_with(&read) && read.starts_with(&whole));
    assert_eq!(fault, (end < cut).then_some(DecodeFault::CutShort(compression)));
}

/// The text of a stream, taken in pieces of some size, and what is wrong with the stream.
fn unpacked(stream: impl BufRead, compression: Compression, piece: usize) -> (Vec<u8>, Option<DecodeFault>) {
    let mut decoder = Decoder::new(stream, compression);
    let (mut text, mut taken) = (Vec::new(), vec![0; piece]);
    while text.len() < MOST {
        match decoder.read(&mut taken) {
            Ok(0) => return (text, None),
            Ok(read) => text.extend_from_slice(&taken[..read]),
            Err(error) => {
                let fault = DecodeFault::of(&error).expect("a slice can be read").clone();
                let again = decoder.read(&mut taken).expect_err("a fault stays");
                assert_eq!(DecodeFault::of(&again), Some(&fault));
                return (text, Some(fault));
            }
        }
    }
    text.truncate(MOST);
    (text, None)
}

/// The text of the whole frames that a stream begins with, and where the last of them ends.
fn whole_frames(stream: &[u8], compression: Compression) -> (Vec<u8>, usize) {
    let (mut frames, mut text, mut end) = (Frames::new(stream, compression), Vec::new(), 0);
    while let Some(next) = frames.next(&mut text).expect("a slice can be read") {
        end = next as usize;
    }
    (text, end)
}
