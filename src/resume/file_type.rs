//! What the extension of an output's name says about its format.

use std::fmt;
use std::path::Path;

use crate::compression::Compression;
use crate::rows::OutputFormat;

/// What the extension of an output's name says about its format, below that of a compression: `solved.csv.gz` is CSV.
///
/// ```
/// use std::path::Path;
///
/// use gridmill::resume::FileType;
///
/// assert_eq!(FileType::from_path(Path::new("solved.jsonl.zst")), Some(FileType::Jsonl));
/// assert_eq!(FileType::from_path(Path::new("solved.gz")), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileType {
    /// `.csv`
    Csv,
    /// `.jsonl` or `.ndjson`
    Jsonl,
    /// `.txt` or `.sdm`
    Text,
    /// `.sdk`
    Sdk,
    /// `.opensudoku`
    OpenSudoku,
    /// `.parquet`
    Parquet,
}

impl FileType {
    /// The type of a file by its name, in upper or lower case; `None` if the extension is another one, or if there is none.
    pub fn from_path(path: &Path) -> Option<FileType> {
        let name = if Compression::from_extension(path).is_some() { Path::new(path.file_stem()?) } else { path };
        match name.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(FileType::Csv),
            "jsonl" | "ndjson" => Some(FileType::Jsonl),
            "txt" | "sdm" => Some(FileType::Text),
            "sdk" => Some(FileType::Sdk),
            "opensudoku" => Some(FileType::OpenSudoku),
            "parquet" => Some(FileType::Parquet),
            _ => None,
        }
    }

    /// The formats of rows that such a file may have, the usual one first; none if it does not have text.
    pub fn formats(self) -> &'static [OutputFormat] {
        match self {
            FileType::Csv => &[OutputFormat::Csv],
            FileType::Jsonl => &[OutputFormat::Jsonl],
            FileType::Text => &[OutputFormat::Lines, OutputFormat::Grids, OutputFormat::Listing],
            FileType::Sdk => &[OutputFormat::Sdk],
            FileType::OpenSudoku => &[OutputFormat::OpenSudoku],
            FileType::Parquet => &[],
        }
    }
}

/// As in a sentence: `JSON lines`.
impl fmt::Display for FileType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FileType::Csv => "CSV",
            FileType::Jsonl => "JSON lines",
            FileType::Text => "text",
            FileType::Sdk => "a file of SadMan Sudoku",
            FileType::OpenSudoku => "a file of OpenSudoku",
            FileType::Parquet => "Parquet",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_extension_that_is_no_compression_counts() {
        for (name, file_type) in [
            ("a.csv", Some(FileType::Csv)),
            ("a/b.CSV.Gz", Some(FileType::Csv)),
            ("a.jsonl.xz", Some(FileType::Jsonl)),
            ("a.csv.ndjson", Some(FileType::Jsonl)),
            ("a.txt.bz2", Some(FileType::Text)),
            ("a.sdm", Some(FileType::Text)),
            ("a.sdk", Some(FileType::Sdk)),
            ("a.opensudoku.gz", Some(FileType::OpenSudoku)),
            ("a.parquet", Some(FileType::Parquet)),
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
