//! Sample text and streams for the tests of this module.

use std::io::Write;
use std::ops::Range;

use super::{Compression, Encoder};

/// Rows that do not compress well.
pub(super) fn rows(numbers: Range<u64>) -> Vec<u8> {
    numbers.flat_map(|n| format!("{n},{:016x}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).into_bytes()).collect()
}

/// A stream of one frame.
pub(super) fn packed(text: &[u8], compression: Compression) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new(), compression, 1);
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}
