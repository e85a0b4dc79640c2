//! The mark that each partial output has in `NAME.partial.json`: gridmill wrote it.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Deserializer;

use super::error::{ManifestError, OutputError};
use super::open::{self, Obstacle, OpenFault};

/// The fields that all versions of gridmill write to the file.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OwnMark {
    gridmill: String,
}

impl OwnMark {
    pub(crate) fn own() -> OwnMark {
        OwnMark { gridmill: env!("CARGO_PKG_VERSION").to_owned() }
    }

    /// The reason why this version does not resume an output whose manifest has only these fields.
    pub(crate) fn difference(&self) -> String {
        match (&*self.gridmill, env!("CARGO_PKG_VERSION")) {
            (was, is) if was == is => "it is of a run that cannot be resumed".to_owned(),
            (was, is) => format!("gridmill was {was}, is {is}"),
        }
    }

    /// Whether the file exists and is not empty.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or was not written by gridmill.
    pub(crate) fn is_on(path: &Path) -> Result<bool, OutputError> {
        let Some(file) = open_beside(path)? else { return Ok(false) };
        match OwnMark::deserialize(&mut Deserializer::from_reader(BufReader::new(file))) {
            Ok(_) => Ok(true),
            Err(error) if error.is_eof() && error.line() <= 1 && error.column() == 0 => Ok(false),
            Err(error) if error.is_io() => {
                Err(ManifestError::Read { path: path.to_owned(), source: error.into() }.into())
            }
            Err(_) => Err(Obstacle::Foreign.at(path)),
        }
    }
}

/// Opens a file next to an output; `None` if there is no such file.
pub(crate) fn open_beside(path: &Path) -> Result<Option<File>, OutputError> {
    match open::regular(path, OpenOptions::new().read(true)) {
        Ok(file) => Ok(Some(file)),
        Err(OpenFault::Obstacle(obstacle)) => Err(obstacle.at(path)),
        Err(OpenFault::Io(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(OpenFault::Io(source)) => Err(ManifestError::Read { path: path.to_owned(), source }.into()),
    }
}
