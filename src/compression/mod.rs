//! Compressed streams: told by how they begin, read, and written as a sequence of whole frames.
//!
//! Knows bytes and the libraries that pack them, and nothing of records. A *frame* is what each compression has a word
//! of its own for: a gzip member, a zstd frame, an xz stream, a bzip2 stream. A file may hold many, one behind the
//! other, and then its text is theirs, one behind the other. [`Decoder`] reads that text; [`Encoder`] writes frames that
//! each can be read alone, and [`Frames`] finds the whole ones among what is left of a run that was killed.

mod decode;
mod encode;
mod frame;
mod frames;
#[cfg(test)]
mod testing;

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

pub use self::decode::{DecodeFault, Decoder};
pub use self::encode::{Encoder, FRAME};
pub use self::frames::Frames;

/// How many bytes a stream may ask to have in memory at a time, to look back at: 128 MiB.
///
/// What `xz -9` and `zstd -19` need fits into it; `zstd --ultra --long=31` can be written so that it does not.
pub const MAX_WINDOW: u64 = 1 << 27;

/// A way to compress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compression {
    /// RFC 1952; the blocks of bgzip are members of it.
    Gzip,
    /// RFC 8878, with its skippable frames.
    Zstd,
    /// The .xz format, not that of .lzma.
    Xz,
    /// The format of .bz2 files.
    Bzip2,
}

impl Compression {
    /// All of them.
    pub const ALL: [Compression; 4] = [Compression::Gzip, Compression::Zstd, Compression::Xz, Compression::Bzip2];

    /// The name, which is that of the program.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Xz => "xz",
            Compression::Bzip2 => "bzip2",
        }
    }

    /// Tells it by the first bytes of a stream: ten are enough, and fewer if the stream has no more.
    pub fn detect(head: &[u8]) -> Option<Compression> {
        Self::ALL.into_iter().find(|compression| match compression {
            Compression::Gzip => head.starts_with(b"\x1f\x8b"),
            Compression::Zstd => {
                head.starts_with(b"\x28\xb5\x2f\xfd") || matches!(head, [0x50..=0x5f, b'*', b'M', 0x18, ..])
            }
            Compression::Xz => head.starts_with(b"\xfd7zXZ\0"),
            // Text may well begin with BZh, but not with pi or its square root behind it, as blocks do.
            Compression::Bzip2 => match head {
                [b'B', b'Z', b'h', b'1'..=b'9', block @ ..] => {
                    [b"1AY&SY", b"\x17rE8P\x90"].iter().any(|start| start.iter().zip(block).all(|(a, b)| a == b))
                }
                _ => false,
            },
        })
    }

    /// Tells it by the extension of a file's name: `gz`, `zst`, `xz`, `bz2`.
    pub fn from_extension(path: &Path) -> Option<Compression> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|compression| match compression {
            Compression::Gzip => extension == "gz",
            Compression::Zstd => extension == "zst" || extension == "zstd",
            Compression::Xz => extension == "xz",
            Compression::Bzip2 => extension == "bz2",
        })
    }
}

/// The name.
impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_told_by_their_first_bytes() {
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
    fn files_are_told_by_their_extension() {
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
