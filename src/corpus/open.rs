//! Opens an input of a corpus: a file or standard input, text or Parquet.

use std::fs::File;
use std::io::{self, Read};

use super::error::CorpusError;
use super::input::Origin;
use super::reader::InputReader;
use super::text_input::TextReader;
use crate::format::InputOptions;

/// Opens an input and detects its compression and its format.
pub(super) fn open(origin: &Origin, options: &InputOptions) -> Result<Box<dyn InputReader>, CorpusError> {
    let name = origin.to_string();
    let reader: Box<dyn Read + Send> = match origin {
        Origin::Stdin => Box::new(io::stdin()),
        Origin::File(path) => {
            let file = File::open(path).map_err(|source| CorpusError::Open { name: name.clone(), source })?;
            #[cfg(feature = "parquet")]
            let file = match parquet_file::open(&name, file, options)? {
                parquet_file::Opened::Parquet(reader) => return Ok(reader),
                parquet_file::Opened::Other(file) => file,
            };
            Box::new(file)
        }
        #[cfg(feature = "arrow")]
        Origin::Memory => return Err(CorpusError::Open { name, source: io::ErrorKind::NotFound.into() }),
    };
    Ok(Box::new(TextReader::open(name, reader, options)?))
}

/// Opens Parquet files.
#[cfg(feature = "parquet")]
mod parquet_file {
    use std::fs::File;
    use std::io::{Read, Seek};

    use crate::arrow::parquet::{MAGIC, OpenError, ParquetInput};
    use crate::corpus::error::CorpusError;
    use crate::corpus::typed_input::{StoredSize, TypedReader};
    use crate::format::InputOptions;

    /// A file, and what it turned out to be.
    pub(super) enum Opened {
        Parquet(Box<TypedReader>),
        Other(File),
    }

    /// Opens a file if it is Parquet. Only a regular file can be: the reader has to seek.
    pub(super) fn open(name: &str, mut file: File, options: &InputOptions) -> Result<Opened, CorpusError> {
        let failed = |source| CorpusError::Open { name: name.to_owned(), source };
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Ok(Opened::Other(file));
        }
        let mut magic = Vec::new();
        file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic).map_err(failed)?;
        file.rewind().map_err(failed)?;
        if magic != MAGIC {
            return Ok(Opened::Other(file));
        }
        let input = ParquetInput::open(file, options).map_err(|error| match error {
            OpenError::Columns(source) => CorpusError::Detect { name: name.to_owned(), source },
            OpenError::File(source) => failed(source),
        })?;
        let size = StoredSize { bytes: metadata.len(), records: input.records };
        let reader = TypedReader::new(name.to_owned(), input.columns, Box::new(input.batches), size, options)?;
        Ok(Opened::Parquet(Box::new(reader)))
    }
}
