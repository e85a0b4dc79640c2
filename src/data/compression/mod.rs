//! Detects, reads and writes compressed streams: gzip, zstd, xz and bzip2.
//!
//! A *frame* is the unit that can be decompressed separately: a gzip member, a zstd frame, an xz stream, a bzip2
//! stream. A file is a sequence of frames, and its text is the text of all frames in order. [`Decoder`] reads that
//! text, and [`Encoder`] writes frames.
//!
//! Parquet files have compressions of their own: see [`PageCompression`].

mod decode;
mod encode;

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};
use strum::{Display, IntoStaticStr, VariantArray};

#[doc(hidden)]
pub use self::decode::{DecodeError, Decoder};
#[doc(hidden)]
pub use self::encode::Encoder;

/// The largest window, in bytes, that a stream may ask the decoder to keep in memory: 128 MiB.
///
/// It is enough for `xz -9` and `zstd -19`; a stream by `zstd --ultra --long=31` may need more.
pub(crate) const MAX_WINDOW: u64 = 1 << 27;

/// A compression format. Its name is also the name of its command line tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Display, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum Compression {
    /// RFC 1952. Files by bgzip are sequences of gzip members.
    Gzip,
    /// RFC 8878, including skippable frames.
    Zstd,
    /// The .xz format, but not .lzma.
    Xz,
    /// The format of .bz2 files.
    Bzip2,
}

impl Compression {
    /// The usual extension of file names, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Compression::Gzip => "gz",
            Compression::Zstd => "zst",
            Compression::Xz => "xz",
            Compression::Bzip2 => "bz2",
        }
    }

    /// Detects the compression of a stream from its first bytes. `head` needs ten of them, or all if there are fewer.
    pub fn detect(head: &[u8]) -> Option<Compression> {
        Self::VARIANTS.iter().copied().find(|compression| match compression {
            Compression::Gzip => head.starts_with(b"\x1f\x8b"),
            Compression::Zstd => {
                head.starts_with(b"\x28\xb5\x2f\xfd") || matches!(head, [0x50..=0x5f, b'*', b'M', 0x18, ..])
            }
            Compression::Xz => head.starts_with(b"\xfd7zXZ\0"),
            // Text may start with BZh. The next bytes are the first digits of pi (a block) or of its square root (the
            // end of the stream), as many as `head` has.
            Compression::Bzip2 => match head {
                [b'B', b'Z', b'h', b'1'..=b'9', block @ ..] => {
                    [b"1AY&SY", b"\x17rE8P\x90"].iter().any(|start| start.iter().zip(block).all(|(a, b)| a == b))
                }
                _ => false,
            },
        })
    }

    /// The compression for the extension of a file name: `gz`, `zst` or `zstd`, `xz`, `bz2`, in any case.
    pub fn from_extension(path: &Path) -> Option<Compression> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let usual = if extension == "zstd" { "zst" } else { &*extension };
        Self::VARIANTS.iter().copied().find(|compression| compression.extension() == usual)
    }
}

/// Opens the text of a file, whose compression is detected. `buffer` is the size of each buffer.
pub(crate) fn open_text(path: &Path, buffer: usize) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(buffer, File::open(path)?);
    Ok(match Compression::detect(file.fill_buf()?) {
        None => Box::new(file),
        Some(compression) => Box::new(BufReader::with_capacity(buffer, Decoder::new(file, compression))),
    })
}

/// A compression of the pages of a Parquet file.
///
/// Zstandard is the best choice for puzzles: with Snappy and LZ4, files are larger and take more time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageCompression {
    /// Zstandard.
    #[default]
    Zstd,
    /// Snappy, which most programs write.
    Snappy,
    /// LZ4: `LZ4_RAW` in the words of Parquet.
    Lz4,
    /// No compression.
    None,
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    /// Rows that do not compress well.
    pub(super) fn rows(numbers: Range<u64>) -> Vec<u8> {
        numbers.flat_map(|n| format!("{n},{:016x}\n", n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).into_bytes()).collect()
    }

    #[test]
    fn a_compression_is_detected_from_the_first_bytes() {
        for (head, compression) in [
            (&b"\x1f\x8b\x08\0"[..], Some(Compression::Gzip)),
            (b"\x28\xb5\x2f\xfd\x04", Some(Compression::Zstd)),
            (b"\x5a*M\x18\x04\0\0\0", Some(Compression::Zstd)),
            (b"\xfd7zXZ\0\0\x04", Some(Compression::Xz)),
            (b"BZh91AY&SY\xa7", Some(Compression::Bzip2)),
            (b"BZh1\x17rE8P\x90\0", Some(Compression::Bzip2)),
            (b"BZh9", Some(Compression::Bzip2)),
            (b"BZh9 is a name", None),
            (b"BZh", None),
            (b"PK\x03\x04", None),
            (b"\x1f", None),
            (b"", None),
        ] {
            assert_eq!(Compression::detect(head), compression, "{head:?}");
        }
    }

    #[test]
    fn a_compression_has_extensions() {
        for (name, compression) in [
            ("a.gz", Some(Compression::Gzip)),
            ("b/a.csv.ZST", Some(Compression::Zstd)),
            ("a.zstd", Some(Compression::Zstd)),
            ("a.xz", Some(Compression::Xz)),
            ("a.bz2", Some(Compression::Bzip2)),
            ("gz", None),
            (".gz", None),
            ("a.gz.csv", None),
        ] {
            assert_eq!(Compression::from_extension(Path::new(name)), compression, "{name}");
        }
    }
}
