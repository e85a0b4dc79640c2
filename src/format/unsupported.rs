//! Refuses known formats that are not read, by name and with advice.

use super::error::DetectError;
use super::formats::opensudoku;

/// The first bytes of a file, its format, and what to do about it.
const BINARY: [(&[u8], &str, &str); 8] = [
    (b"\x04\x22\x4d\x18", "compressed with lz4", "unpack it first, for example with lz4 -dc"),
    (b"\x1f\x9d", "compressed with compress", "unpack it first, for example with gzip -dc"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it first"),
    (b"PAR1", "Parquet in a pipe or compressed as a file", PARQUET_HINT),
    (b"\x93NUMPY", "a NumPy array", "write it as CSV or as integers"),
    (b"PK\x03\x04", "a ZIP archive", "unpack it first"),
    (b"\xff\xfe", "text in UTF-16", "convert it to UTF-8"),
    (b"\xfe\xff", "text in UTF-16", "convert it to UTF-8"),
];

/// Parquet is read from the end, and has its own compression.
const PARQUET_HINT: &str =
    if cfg!(feature = "parquet") { "give the path of the file itself" } else { "export it as CSV" };

/// The magic bytes in the first header of a tar archive, and their offset.
const TAR: (&[u8], usize) = (b"ustar", 257);

/// JSON that is not one object a line, and what to do about it.
const JSON: (&str, &str) =
    ("JSON that is not one object a line", "write a line for each puzzle, for example with jq -c '.[]'");

/// Refuses JSON that is not one object a line.
#[cfg(feature = "corpus")]
pub(super) fn json() -> DetectError {
    let (what, hint) = JSON;
    DetectError::Unsupported { what, hint }
}

/// Refuses files that are no text that can be read, whatever format was asked for.
pub(super) fn refuse_binary(sample: &[u8]) -> Result<(), DetectError> {
    if let Some(&(_, what, hint)) = BINARY.iter().find(|(magic, ..)| sample.starts_with(magic)) {
        return Err(DetectError::Unsupported { what, hint });
    }
    if sample.get(TAR.1..).is_some_and(|header| header.starts_with(TAR.0)) {
        let hint = "unpack it first, for example with tar -xOf";
        return Err(DetectError::Unsupported { what: "a tar archive", hint });
    }
    Ok(())
}

/// Refuses texts that cannot be in any input format.
pub(super) fn refuse_text(text: &[u8]) -> Result<(), DetectError> {
    let (what, hint) = match text.trim_ascii_start().first() {
        Some(b'[') if !starts_with_section(text) => JSON,
        Some(b'<') if !opensudoku::is_document(text) => ("XML", "write it as CSV or as lines"),
        _ if is_utf16(text) => ("text in UTF-16", "convert it to UTF-8"),
        _ if has_only_cr_line_ends(text) => {
            ("text whose lines end in CR alone", r"convert it, for example with tr '\r' '\n'")
        }
        _ => return Ok(()),
    };
    Err(DetectError::Unsupported { what, hint })
}

/// Whether a text starts with a section such as `[Puzzle]`, as `.sdk` files do.
fn starts_with_section(text: &[u8]) -> bool {
    let line = text.trim_ascii_start().split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    let name = line.strip_prefix(b"[").and_then(|line| line.strip_suffix(b"]"));
    name.is_some_and(|name| name.first().is_some_and(u8::is_ascii_alphabetic))
}

/// Whether a text without a byte order mark is in UTF-16: one byte of each pair is zero, always the same one.
fn is_utf16(text: &[u8]) -> bool {
    const PAIRS: usize = 8;
    let (pairs, _) = text.as_chunks();
    let begins_with = |is_character: fn(&[u8; 2]) -> bool| pairs.iter().take(PAIRS).all(is_character);
    pairs.len() >= PAIRS
        && (begins_with(|&[low, high]| low != 0 && high == 0) || begins_with(|&[high, low]| low != 0 && high == 0))
}

/// Whether lines end as they did on the first Macintosh, and as some spreadsheets still write them.
fn has_only_cr_line_ends(text: &[u8]) -> bool {
    text.trim_ascii().contains(&b'\r') && !text.contains(&b'\n')
}
