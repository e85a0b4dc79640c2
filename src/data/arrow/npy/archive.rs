//! Finds the arrays in an archive of `NumPy`, a ZIP archive whose files are arrays.

use std::io::{self, Read};
use std::sync::Arc;

use flate2::read::DeflateDecoder;
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, RangeReader, ZipArchive, ZipLocator};

use super::array::{Bytes, CellArray};
use super::{ArrayError, NamedArray, in_words};

/// The extension of the files in an archive.
const EXTENSION: &str = ".npy";

/// The maximum number of files in an archive to examine.
const MAX_FILES: usize = 1 << 12;

/// Whether this is the start of an archive whose first file is an array.
pub(super) fn is_archive(start: &[u8]) -> bool {
    // The length of the first name is after 26 bytes, the name after 30.
    let name = |start: &[u8]| {
        let length = u16::from_le_bytes([*start.get(26)?, *start.get(27)?]);
        start.get(30..30 + usize::from(length)).map(|name| name.ends_with(EXTENSION.as_bytes()))
    };
    start.starts_with(b"PK\x03\x04") && name(start) == Some(true)
}

/// The arrays of an archive that can hold puzzles, in its order, and phrases for those that have another shape, but could
/// be made to.
///
/// # Errors
///
/// If the archive is damaged, or none of its arrays can hold puzzles.
pub(super) fn arrays(bytes: &Bytes, length: u64) -> Result<(Vec<NamedArray>, Vec<String>), ArrayError> {
    let damaged = |error: rawzip::Error| ArrayError::Read(io::Error::other(error));
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipLocator::new().locate_in_reader(Arc::clone(bytes), &mut buffer, length);
    let archive: ZipArchive<Bytes> = archive.map_err(|(_, error)| damaged(error))?;

    let mut files: Vec<(String, _, _)> = vec![];
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(damaged)? {
        let path = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
        if let Some(name) = path.strip_suffix(EXTENSION)
            && files.len() < MAX_FILES
        {
            if files.iter().any(|(other, ..)| other == name) {
                return Err(ArrayError::Twice(name.to_owned()));
            }
            files.push((name.to_owned(), entry.wayfinder(), entry.compression_method()));
        }
    }

    let (mut arrays, mut others, mut refusal) = (vec![], vec![], ArrayError::NoArray);
    for (name, place, compression) in files {
        let entry = archive.get_entry(place).map_err(damaged)?;
        let (start, end) = entry.compressed_data_range();
        let stored = RangeReader::new(Arc::clone(bytes), start..end);
        let unpacked: Box<dyn Read + Send> = match compression {
            CompressionMethod::STORE => Box::new(io::BufReader::new(stored)),
            CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(stored)),
            other => return Err(ArrayError::Compression(other.to_string())),
        };
        match CellArray::of_stream(Box::new(entry.verifying_reader(unpacked))) {
            Ok(array) => arrays.push(NamedArray { name, array }),
            Err(error) => {
                if let ArrayError::Shape { shape, cure } = &error
                    && !cure.is_empty()
                {
                    others.push(format!("'{name}' {}", in_words(shape)));
                }
                refusal = error;
            }
        }
    }
    if arrays.is_empty() { Err(refusal) } else { Ok((arrays, others)) }
}
