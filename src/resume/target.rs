//! Where an output goes: a file, standard output; compressed, or as Parquet.

use std::path::{Path, PathBuf};

use strum::{Display, IntoStaticStr, VariantArray};

use super::file_type::FileType;
use super::partial_file::partial_path;
use crate::compression::{Compression, PageCompression};
use crate::rows::OutputFormat;

/// The name of standard input and standard output on the command line.
pub const DASH: &str = "-";

/// Where an output goes.
#[derive(Clone, Debug, Default)]
pub struct OutputTarget {
    /// The file; standard output if there is none, or if it is `-`.
    pub path: Option<PathBuf>,
    /// How to compress text.
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
    /// A Parquet file with pages that are compressed so.
    #[cfg(feature = "parquet")]
    Parquet(PageCompression),
}

/// How an output can be compressed: text, or the pages of a Parquet file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum OutputCompression {
    /// Text as gzip.
    Gzip,
    /// Text and pages with Zstandard.
    Zstd,
    /// Text as xz.
    Xz,
    /// Text as bzip2.
    Bzip2,
    /// Pages with Snappy.
    Snappy,
    /// Pages with LZ4.
    Lz4,
    /// Neither text nor pages.
    None,
}

/// An output cannot be compressed as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OutputCompressionError {
    /// Text is not compressed so.
    #[error("{0} is a compression for Parquet")]
    Text(OutputCompression),
    /// The pages of a Parquet file are not compressed so.
    #[error("Parquet is compressed with zstd, snappy, lz4 or none")]
    Parquet,
}

impl OutputCompression {
    /// The compression of text.
    fn of_text(self) -> Result<Option<Compression>, OutputCompressionError> {
        match self {
            OutputCompression::Gzip => Ok(Some(Compression::Gzip)),
            OutputCompression::Zstd => Ok(Some(Compression::Zstd)),
            OutputCompression::Xz => Ok(Some(Compression::Xz)),
            OutputCompression::Bzip2 => Ok(Some(Compression::Bzip2)),
            OutputCompression::None => Ok(None),
            OutputCompression::Snappy | OutputCompression::Lz4 => Err(OutputCompressionError::Text(self)),
        }
    }

    /// The compression of the pages of a Parquet file.
    #[cfg(feature = "parquet")]
    fn of_pages(self) -> Result<PageCompression, OutputCompressionError> {
        match self {
            OutputCompression::Zstd => Ok(PageCompression::Zstd),
            OutputCompression::Snappy => Ok(PageCompression::Snappy),
            OutputCompression::Lz4 => Ok(PageCompression::Lz4),
            OutputCompression::None => Ok(PageCompression::None),
            OutputCompression::Gzip | OutputCompression::Xz | OutputCompression::Bzip2 => {
                Err(OutputCompressionError::Parquet)
            }
        }
    }
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

    /// The same output, compressed like this.
    ///
    /// # Errors
    ///
    /// If text, or Parquet, is not compressed so.
    pub fn compressed(self, by: OutputCompression) -> Result<OutputTarget, OutputCompressionError> {
        Ok(match self.container {
            Container::Text => OutputTarget { compression: by.of_text()?, ..self },
            #[cfg(feature = "parquet")]
            Container::Parquet(_) => OutputTarget { container: Container::Parquet(by.of_pages()?), ..self },
        })
    }

    /// Whether the rows are stored in a Parquet file.
    pub fn is_parquet(&self) -> bool {
        self.container != Container::Text
    }

    /// How the pages of a Parquet file are compressed; `None` for text.
    pub(crate) fn pages(&self) -> Option<PageCompression> {
        match self.container {
            Container::Text => None,
            #[cfg(feature = "parquet")]
            Container::Parquet(compression) => Some(compression),
        }
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
        self.file_type() == Some(FileType::Parquet) && !self.is_parquet()
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
            return Container::Parquet(PageCompression::default());
        }
        let _ = path;
        Container::Text
    }
}
