//! Properties of compressed streams: any bytes are decompressed or refused, the same in pieces of any size; text is the
//! same after compression and decompression.

use std::io::{BufRead, BufReader, Read, Write};

use strum::VariantArray;

use gridmill::compression::{Compression, DecodeError, Decoder, Encoder};

/// The limit for decompressed text, because a few bytes can expand to any length.
const MAX_TEXT: usize = 1 << 20;

/// Decompresses a stream at once and in pieces, and compares.
///
/// The first of `bytes` selects a compression, the next two are the sizes of the pieces of the stream and of its text;
/// the rest is the stream.
pub fn unpack(bytes: &[u8]) {
    let Some((&[compression, stream_piece, text_piece], stream)) = bytes.split_first_chunk::<3>() else { return };
    let compression = Compression::VARIANTS[usize::from(compression) % Compression::VARIANTS.len()];
    let (text, fault) = unpacked(stream, compression, 1 << 16);
    let reader = BufReader::with_capacity(usize::from(stream_piece) + 1, stream);
    let (same, same_fault) = unpacked(reader, compression, usize::from(text_piece) + 1);
    assert_eq!(same_fault, fault, "in pieces");
    // How much text comes before the damage is found depends on the sizes of the pieces.
    let is_damaged = matches!(fault, Some(DecodeError::Damaged { .. }));
    assert!(same == text || is_damaged && (same.starts_with(&text) || text.starts_with(&same)), "in pieces");
}

/// Compresses a text, and decompresses all of the stream and a truncated copy.
///
/// The first of `bytes` selects a compression, the next two are the size of each write and the number of writes before
/// a flush, the next two say where to truncate the stream; the rest is the text.
pub fn pack(bytes: &[u8]) {
    let Some((&[compression, written, flushed, place @ ..], text)) = bytes.split_first_chunk::<5>() else { return };
    let compression = Compression::VARIANTS[usize::from(compression) % Compression::VARIANTS.len()];
    let mut encoder = Encoder::new(Vec::new(), compression, 2);
    // Frames are slow to start, so there are only a few.
    let (piece, pieces) = (text.len() / 4 + usize::from(written) + 1, usize::from(flushed % 4) + 1);
    for (number, piece) in text.chunks(piece).enumerate() {
        encoder.write_all(piece).expect("a vector takes anything");
        if number % pieces == 0 {
            encoder.flush().expect("a vector takes anything");
        }
    }
    let stream = encoder.finish().expect("a vector takes anything");
    assert_eq!(unpacked(&stream[..], compression, 1 << 16), (text.to_vec(), None));

    let cut = usize::from(u16::from_le_bytes(place)) % (stream.len() + 1);
    let (read, fault) = unpacked(&stream[..cut], compression, 1 << 16);
    assert!(text.starts_with(&read));
    assert!(fault.is_none_or(|fault| fault == DecodeError::CutShort(compression)));
}

/// Decompresses a stream in pieces of some size; returns the text and the fault of the stream, if it has one.
fn unpacked(stream: impl BufRead, compression: Compression, piece: usize) -> (Vec<u8>, Option<DecodeError>) {
    let mut decoder = Decoder::new(stream, compression);
    let (mut text, mut buffer) = (Vec::new(), vec![0; piece]);
    while text.len() < MAX_TEXT {
        match decoder.read(&mut buffer) {
            Ok(0) => return (text, None),
            Ok(read) => text.extend_from_slice(&buffer[..read]),
            Err(error) => {
                let fault = DecodeError::in_error(&error).expect("a slice can be read").clone();
                let again = decoder.read(&mut buffer).expect_err("a fault is permanent");
                assert_eq!(DecodeError::in_error(&again), Some(&fault));
                return (text, Some(fault));
            }
        }
    }
    text.truncate(MAX_TEXT);
    (text, None)
}
