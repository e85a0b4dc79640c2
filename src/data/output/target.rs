//! The target of an output: a file or standard output; compressed, or as Parquet. Also the meaning of a file's
//! extension.

use std::fmt;
use std::path::{Path, PathBuf};

use strum::{Display, IntoStaticStr, VariantArray};

use super::open::partial_path;
use crate::compression::{Compression, PageCompression};
use crate::format::InputFormat;
use crate::options::OptionError;
use crate::rows::OutputFormat;

/// The name of standard input and standard output on the command line.
pub(crate) const DASH: &str = "-";

/// The target of an output.
#[derive(Clone, Debug, Default)]
pub struct OutputTarget {
    /// The file. `None` and `-` are standard output.
    pub path: Option<PathBuf>,
    /// The compression of text.
    pub compression: Option<Compression>,
    /// The container of the rows.
    pub container: Container,
}

/// A container of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Container {
    /// Text, compressed or not.
    #[default]
    Text,
    /// A Parquet file with this compression of its pages.
    #[cfg(feature = "parquet")]
    Parquet(PageCompression),
}

/// A compression of an output: of text, or of the pages of a Parquet file.
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

impl OutputCompression {
    /// The compression of text.
    fn of_text(self) -> Result<Option<Compression>, OptionError> {
        match self {
            OutputCompression::Gzip => Ok(Some(Compression::Gzip)),
            OutputCompression::Zstd => Ok(Some(Compression::Zstd)),
            OutputCompression::Xz => Ok(Some(Compression::Xz)),
            OutputCompression::Bzip2 => Ok(Some(Compression::Bzip2)),
            OutputCompression::None => Ok(None),
            OutputCompression::Snappy | OutputCompression::Lz4 => {
                Err(OptionError::new(format!("`compress` {self} is for Parquet; name the output .parquet")))
            }
        }
    }

    /// The compression of the pages of a Parquet file.
    #[cfg(feature = "parquet")]
    fn of_pages(self) -> Result<PageCompression, OptionError> {
        match self {
            OutputCompression::Zstd => Ok(PageCompression::Zstd),
            OutputCompression::Snappy => Ok(PageCompression::Snappy),
            OutputCompression::Lz4 => Ok(PageCompression::Lz4),
            OutputCompression::None => Ok(PageCompression::None),
            OutputCompression::Gzip | OutputCompression::Xz | OutputCompression::Bzip2 => {
                Err(OptionError::new(format!("Parquet is compressed with zstd, snappy, lz4 or none, not {self}")))
            }
        }
    }
}

impl OutputTarget {
    /// Standard output, not compressed.
    pub fn stdout() -> OutputTarget {
        OutputTarget::default()
    }

    /// A file, compressed according to its extension. With the extension `.parquet`, it is a Parquet file.
    pub fn file(path: impl Into<PathBuf>) -> OutputTarget {
        let path = path.into();
        let (compression, container) = (Compression::from_extension(&path), Container::from_extension(&path));
        OutputTarget { path: Some(path), compression, container }
    }

    /// The same target with another compression.
    ///
    /// # Errors
    ///
    /// If the compression does not apply to text, or to Parquet.
    pub fn compressed(self, by: OutputCompression) -> Result<OutputTarget, OptionError> {
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

    /// The compression of the pages of a Parquet file; `None` for text.
    pub(crate) fn pages(&self) -> Option<PageCompression> {
        match self.container {
            Container::Text => None,
            #[cfg(feature = "parquet")]
            Container::Parquet(compression) => Some(compression),
        }
    }

    /// The name of the incomplete file; `None` for standard output.
    pub(crate) fn partial_path(&self) -> Option<PathBuf> {
        self.file_path().map(partial_path)
    }

    /// The format that the extension of the file names, if any; `None` for standard output.
    pub fn file_type(&self) -> Option<FileType> {
        FileType::from_path(self.file_path()?)
    }

    /// The usual format of rows for the extension of the file; CSV if it has none.
    pub fn usual_format(&self) -> OutputFormat {
        if let Some(FileType::Rows(format)) = self.file_type() { format } else { OutputFormat::default() }
    }

    /// Whether the extension names a format of lines with columns, such as CSV or JSON lines, or Parquet.
    pub fn is_table(&self) -> bool {
        let is_table = |file_type| match file_type {
            FileType::Rows(format) => format.has_columns() && !format.is_array(),
            _ => true,
        };
        self.file_type().is_some_and(is_table) && !self.is_parquet_in_name_only()
    }

    /// Whether text would be written to a file named like Parquet, such as `solved.parquet.gz`.
    pub fn is_parquet_in_name_only(&self) -> bool {
        self.file_type() == Some(FileType::Parquet) && !self.is_parquet()
    }

    /// The path of the file, if it is not standard output.
    pub(crate) fn file_path(&self) -> Option<&Path> {
        self.path.as_deref().filter(|path| path.as_os_str() != DASH)
    }
}

impl Container {
    /// The container for the extension of a file.
    fn from_extension(path: &Path) -> Container {
        #[cfg(feature = "parquet")]
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet")) {
            return Container::Parquet(PageCompression::default());
        }
        let _ = path;
        Container::Text
    }
}

/// The format that the extension of an output names, before the extension of a compression: `solved.csv.gz` is CSV.
///
/// ```
/// use std::path::Path;
///
/// use gridmill::output::FileType;
/// use gridmill::rows::OutputFormat;
///
/// assert_eq!(FileType::from_path(Path::new("solved.jsonl.zst")), Some(FileType::Rows(OutputFormat::Jsonl)));
/// assert_eq!(FileType::from_path(Path::new("solved.pdf")), Some(FileType::Other("PDF")));
/// assert_eq!(FileType::from_path(Path::new("solved.gz")), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileType {
    /// Rows in a format of text or in an array: in this one, or in another one with the same extensions.
    Rows(OutputFormat),
    /// Records of an input format with files of its own, which gridmill copies, but does not write.
    Records(InputFormat),
    /// `.parquet`
    Parquet,
    /// `.html` or `.htm`
    Html,
    /// `.svg`
    Svg,
    /// A well-known format that gridmill does not write, by its name in a sentence.
    Other(&'static str),
}

/// The extensions of well-known formats that gridmill does not write, with their names. A file with such an extension
/// would be mistaken for another format.
const OTHERS: [(&str, &[&str]); 27] = [
    ("a 7z archive", &["7z"]),
    ("Arrow IPC", &["arrow", "ipc"]),
    ("a picture", &["avif", "bmp", "gif", "jpeg", "jpg", "png", "tif", "tiff", "webp"]),
    ("Avro", &["avro"]),
    ("compressed with Brotli", &["br"]),
    ("a database", &["db", "duckdb", "sqlite", "sqlite3"]),
    ("Word", &["doc", "docx"]),
    ("PostScript", &["eps", "ps"]),
    ("an e-book", &["epub"]),
    ("Feather", &["feather"]),
    ("HDF5", &["h5", "hdf5"]),
    ("compressed with LZ4", &["lz4"]),
    ("Markdown", &["md"]),
    ("an archive of NumPy", &["npz"]),
    ("OpenDocument", &["ods", "odt"]),
    ("ORC", &["orc"]),
    ("PDF", &["pdf"]),
    ("a Python pickle", &["pickle", "pkl"]),
    ("a RAR archive", &["rar"]),
    ("RTF", &["rtf"]),
    ("compressed SVG", &["svgz"]),
    ("a tar archive", &["tar", "tgz"]),
    ("LaTeX", &["tex"]),
    ("Excel", &["xls", "xlsx"]),
    ("XML", &["xml"]),
    ("YAML", &["yaml", "yml"]),
    ("a ZIP archive", &["zip"]),
];

impl FileType {
    /// The type of a file by its extension, in upper or lower case; `None` if the extension is unknown or missing.
    pub fn from_path(path: &Path) -> Option<FileType> {
        let name = if Compression::from_extension(path).is_some() { Path::new(path.file_stem()?) } else { path };
        let extension = name.extension()?.to_str()?.to_ascii_lowercase();
        if let Some(&format) = OutputFormat::ALL.iter().find(|format| format.facts().files.0.contains(&&*extension)) {
            return Some(FileType::Rows(format));
        }
        match &*extension {
            "html" | "htm" => Some(FileType::Html),
            "svg" => Some(FileType::Svg),
            "parquet" => Some(FileType::Parquet),
            extension => {
                let other = || OTHERS.iter().find(|other| other.1.contains(&extension));
                InputFormat::of_own_files(extension)
                    .map(FileType::Records)
                    .or_else(|| other().map(|other| FileType::Other(other.0)))
            }
        }
    }

    /// Whether rows can be written to a file of this type.
    pub fn has_rows(self) -> bool {
        matches!(self, FileType::Parquet | FileType::Rows(_))
    }

    /// The formats of rows that a file of this type may have as text, the usual one first.
    pub fn formats(self) -> Vec<OutputFormat> {
        let FileType::Rows(usual) = self else { return vec![] };
        let is_in_such = |format: &OutputFormat| format.facts().files == usual.facts().files;
        OutputFormat::ALL.iter().copied().filter(is_in_such).collect()
    }
}

/// Prints the name as in a sentence: `JSON lines`.
impl fmt::Display for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileType::Rows(format) => format.facts().files.1,
            FileType::Records(format) => format.name_of_files().unwrap_or_default(),
            FileType::Parquet => "Parquet",
            FileType::Html => "HTML",
            FileType::Svg => "SVG",
            FileType::Other(name) => name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_extension_has_two_meanings() {
        for (name, extensions) in OTHERS {
            for extension in extensions {
                let path = format!("a.{extension}");
                assert_eq!(FileType::from_path(Path::new(&path)), Some(FileType::Other(name)), "{path}");
            }
        }
    }

    #[test]
    fn the_last_extension_that_is_no_compression_counts() {
        for (name, file_type) in [
            ("a.csv", Some(FileType::Rows(OutputFormat::Csv))),
            ("a/b.CSV.Gz", Some(FileType::Rows(OutputFormat::Csv))),
            ("a.jsonl.xz", Some(FileType::Rows(OutputFormat::Jsonl))),
            ("a.csv.ndjson", Some(FileType::Rows(OutputFormat::Jsonl))),
            ("a.txt.bz2", Some(FileType::Rows(OutputFormat::Lines))),
            ("a.sdm", Some(FileType::Rows(OutputFormat::Lines))),
            ("a.sdk", Some(FileType::Rows(OutputFormat::Sdk))),
            ("a.opensudoku.gz", Some(FileType::Rows(OutputFormat::OpenSudoku))),
            ("a.hodoku", Some(FileType::Records(InputFormat::Hodoku))),
            ("a.sdx", Some(FileType::Records(InputFormat::Candidates))),
            ("a.parquet", Some(FileType::Parquet)),
            ("a.npy", Some(FileType::Rows(OutputFormat::Npy))),
            ("a.json", Some(FileType::Rows(OutputFormat::Json))),
            ("a.TSV", Some(FileType::Rows(OutputFormat::Tsv))),
            ("a.pdf.gz", Some(FileType::Other("PDF"))),
            ("a.Xlsx", Some(FileType::Other("Excel"))),
            ("a.csv.gz.zst", None),
            ("a.csv.partial", None),
            ("a.gz", None),
            ("csv", None),
            (".csv", None),
            ("a.csv/b", None),
        ] {
            assert_eq!(FileType::from_path(Path::new(name)), file_type, "{name}");
        }
    }
}
