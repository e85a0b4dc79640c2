//! Opens an input of a corpus: a file or standard input, text or typed columns.

use std::fs::File;
use std::io::{self, Read};

use super::error::CorpusError;
use super::input::{InputReader, Origin};
use super::text_input::{SAMPLE, TextReader};
use super::typed_file::{self, Opened};
use super::window::Window;
use crate::arrow::npy::is_arrays;
use crate::format::InputOptions;

/// Opens an input and detects its compression and its format.
pub(super) fn open(origin: &Origin, options: &InputOptions) -> Result<Box<dyn InputReader>, CorpusError> {
    let name = origin.to_string();
    let reader: Box<dyn Read + Send> = match origin {
        Origin::Stdin => Box::new(io::stdin()),
        Origin::File(path) => {
            let file = File::open(path).map_err(|source| CorpusError::Open { name: name.clone(), source })?;
            let file = match typed_file::open(&name, path, file, options)? {
                Opened::Typed(reader) => return Ok(reader),
                Opened::Other(file) => file,
            };
            Box::new(file)
        }
        Origin::Memory => return Err(CorpusError::Open { name, source: io::ErrorKind::NotFound.into() }),
    };
    let window = Window::open(reader, SAMPLE);
    if is_arrays(window.text()) {
        return Ok(Box::new(typed_file::open_stream(&name, window, options)?));
    }
    Ok(Box::new(TextReader::open(name, window, options)?))
}
