//! Facts for reports: the checksum of a file, to compare it with a copy, and the time.

use std::fs::File;
use std::io::{self, Read};
use std::time::UNIX_EPOCH;

use arrow_array::temporal_conversions::timestamp_s_to_datetime;
use sha2::{Digest, Sha256};

use crate::corpus::Origin;

/// The time in UTC, to the second: `2026-11-28T21:09:06Z`.
pub fn now() -> String {
    let seconds = UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs());
    timestamp_s_to_datetime(seconds.cast_signed()).map_or_else(String::new, |time| format!("{time:?}Z"))
}

/// The length and the SHA-256 of an input as it is stored; `None` if it is not a regular file, which is empty the second
/// time.
///
/// # Errors
///
/// If it cannot be read.
pub fn stored(origin: &Origin) -> io::Result<Option<(u64, String)>> {
    match origin {
        Origin::File(path) if path.is_file() => sha256(File::open(path)?).map(Some),
        _ => Ok(None),
    }
}

/// The length of a file and its SHA-256 in hexadecimal.
///
/// # Errors
///
/// If it cannot be read.
pub fn sha256(mut file: impl Read) -> io::Result<(u64, String)> {
    let (mut hash, mut buffer, mut bytes) = (Sha256::new(), vec![0; 1 << 16], 0);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        bytes += read as u64;
        hash.update(&buffer[..read]);
    }
    Ok((bytes, hexadecimal(&hash.finalize())))
}

/// Bytes as two digits each.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_sha256sum() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(&b""[..]).unwrap(), (0, empty.to_owned()));
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(&b"abc"[..]).unwrap(), (3, abc.to_owned()));
    }
}
