//! Where an output goes: a file, standard output; compressed, or as Parquet.

use std::path::{Path, PathBuf};

use super::file_type::FileType;
use super::partial_file::partial_path;
use crate::compression::Compression;
use crate::rows::OutputFormat;

/// The name of standard input and standard output on the command line.
pub const DASH: &str = "-";

/// Where an output goes.
#[derive(Clone, Debug, Default)]
pub struct OutputTarget {
    /// The file; standard output if there is none, or if it is `-`.
    pub path: Option<PathBuf>,
    /// How to compress.
    pub compression: Option<Compression>,
    /// What the rows are stored in.
    pub container: Container,
}

/// What rows are stored in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Container {
    /// Text, compressed or not.
    #[default]
    Text,
    /// A Parquet file, with its own compression.
    #[cfg(feature = "parquet")]
    Parquet,
}

impl OutputTarget {
    /// Standard output, not compressed.
    pub fn stdout() -> OutputTarget {
        OutputTarget::default()
    }

    /// A file, compressed by its extension. With the extension `.parquet`, it is a Parquet file.
    pub fn file(path: impl Into<PathBuf>) -> OutputTarget {
        let path = path.into();
        let (compression, container) = (Compression::from_extension(&path), Container::from_extension(&path));
        OutputTarget { path: Some(path), compression, container }
    }

    /// The name of the file until it is complete; `None` for standard output.
    pub(crate) fn partial_path(&self) -> Option<PathBuf> {
        self.file_path().map(partial_path)
    }

    /// What the name of the file says about its format; `None` for standard output, too.
    pub fn file_type(&self) -> Option<FileType> {
        FileType::from_path(self.file_path()?)
    }

    /// The usual format of rows for the extension of the file; CSV if that asks for none.
    pub fn usual_format(&self) -> OutputFormat {
        self.file_type().and_then(|file_type| file_type.formats().first().copied()).unwrap_or_default()
    }

    /// Whether the name of the file says that it has rows with columns: CSV, JSON lines or Parquet.
    pub fn is_table(&self) -> bool {
        let has_columns = |file_type: FileType| file_type.formats().iter().all(|format| format.has_columns());
        self.file_type().is_some_and(has_columns) && !self.is_parquet_in_name_only()
    }

    /// Whether the file would have text under a name of Parquet, such as `solved.parquet.gz`.
    pub fn is_parquet_in_name_only(&self) -> bool {
        self.file_type() == Some(FileType::Parquet) && self.container == Container::Text
    }

    /// The path of the file, if it is not standard output.
    pub(super) fn file_path(&self) -> Option<&Path> {
        self.path.as_deref().filter(|path| path.as_os_str() != DASH)
    }
}

impl Container {
    /// The container that the extension of a file stands for.
    fn from_extension(path: &Path) -> Container {
        #[cfg(feature = "parquet")]
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet")) {
            return Container::Parquet;
        }
        let _ = path;
        Container::Text
    }
}
