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
/// assert_eq!(FileType::from_path(Path::new("solved.pdf")), Some(FileType::Other("PDF")));
/// assert_eq!(FileType::from_path(Path::new("solved.gz")), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileType {
    /// `.csv`
    Csv,
    /// `.jsonl`, `.ndjson` or `.json`
    Jsonl,
    /// `.txt` or `.sdm`
    Text,
    /// `.sdk`
    Sdk,
    /// `.opensudoku`
    OpenSudoku,
    /// `.hodoku`
    Hodoku,
    /// `.sdx`
    Sdx,
    /// `.parquet`
    Parquet,
    /// `.npy`
    Npy,
    /// `.tsv` or `.tab`
    Tsv,
    /// `.html` or `.htm`
    Html,
    /// `.svg`
    Svg,
    /// A well-known format that is not written, by its name in a sentence.
    Other(&'static str),
}

/// The extensions of well-known formats that are not written, with their names. A file of such a name would be taken for
/// what it is not.
const OTHERS: [(&str, &str); 47] = [
    ("7z", "a 7z archive"),
    ("arrow", "Arrow IPC"),
    ("avif", "a picture"),
    ("avro", "Avro"),
    ("bmp", "a picture"),
    ("br", "compressed with Brotli"),
    ("db", "a database"),
    ("doc", "Word"),
    ("docx", "Word"),
    ("duckdb", "a database"),
    ("eps", "PostScript"),
    ("epub", "an e-book"),
    ("feather", "Feather"),
    ("gif", "a picture"),
    ("h5", "HDF5"),
    ("hdf5", "HDF5"),
    ("ipc", "Arrow IPC"),
    ("jpeg", "a picture"),
    ("jpg", "a picture"),
    ("lz4", "compressed with LZ4"),
    ("md", "Markdown"),
    ("npz", "an archive of NumPy"),
    ("ods", "OpenDocument"),
    ("odt", "OpenDocument"),
    ("orc", "ORC"),
    ("pdf", "PDF"),
    ("pickle", "a Python pickle"),
    ("pkl", "a Python pickle"),
    ("png", "a picture"),
    ("ps", "PostScript"),
    ("rar", "a RAR archive"),
    ("rtf", "RTF"),
    ("sqlite", "a database"),
    ("sqlite3", "a database"),
    ("svgz", "compressed SVG"),
    ("tar", "a tar archive"),
    ("tex", "LaTeX"),
    ("tgz", "a tar archive"),
    ("tif", "a picture"),
    ("tiff", "a picture"),
    ("webp", "a picture"),
    ("xls", "Excel"),
    ("xlsx", "Excel"),
    ("xml", "XML"),
    ("yaml", "YAML"),
    ("yml", "YAML"),
    ("zip", "a ZIP archive"),
];

impl FileType {
    /// The type of a file by its name, in upper or lower case; `None` if the extension is unknown, or if there is none.
    pub fn from_path(path: &Path) -> Option<FileType> {
        let name = if Compression::from_extension(path).is_some() { Path::new(path.file_stem()?) } else { path };
        match name.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "csv" => Some(FileType::Csv),
            "jsonl" | "ndjson" | "json" => Some(FileType::Jsonl),
            "txt" | "sdm" => Some(FileType::Text),
            "sdk" => Some(FileType::Sdk),
            "opensudoku" => Some(FileType::OpenSudoku),
            "hodoku" => Some(FileType::Hodoku),
            "sdx" => Some(FileType::Sdx),
            "html" | "htm" => Some(FileType::Html),
            "svg" => Some(FileType::Svg),
            "parquet" => Some(FileType::Parquet),
            "npy" => Some(FileType::Npy),
            "tsv" | "tab" => Some(FileType::Tsv),
            extension => OTHERS.iter().find(|other| other.0 == extension).map(|other| FileType::Other(other.1)),
        }
    }

    /// Whether rows can be written to such a file.
    pub fn has_rows(self) -> bool {
        self == FileType::Parquet || !self.formats().is_empty()
    }

    /// The formats of rows that such a file may have as text, the usual one first.
    pub fn formats(self) -> &'static [OutputFormat] {
        match self {
            FileType::Csv => &[OutputFormat::Csv],
            FileType::Jsonl => &[OutputFormat::Jsonl],
            FileType::Text => &[OutputFormat::Lines, OutputFormat::Grids, OutputFormat::Listing, OutputFormat::Text],
            FileType::Sdk => &[OutputFormat::Sdk],
            FileType::OpenSudoku => &[OutputFormat::OpenSudoku],
            FileType::Npy => &[OutputFormat::Npy],
            FileType::Parquet
            | FileType::Hodoku
            | FileType::Sdx
            | FileType::Tsv
            | FileType::Html
            | FileType::Svg
            | FileType::Other(_) => &[],
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
            FileType::Hodoku => "a library of HoDoKu",
            FileType::Sdx => "a file of SudoCue",
            FileType::Parquet => "Parquet",
            FileType::Npy => "NumPy",
            FileType::Tsv => "TSV",
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
        for pair in OTHERS.windows(2) {
            assert!(pair[0].0 < pair[1].0, "{pair:?}");
        }
        for (extension, name) in OTHERS {
            let path = format!("a.{extension}");
            assert_eq!(FileType::from_path(Path::new(&path)), Some(FileType::Other(name)), "{path}");
        }
    }

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
            ("a.hodoku", Some(FileType::Hodoku)),
            ("a.sdx", Some(FileType::Sdx)),
            ("a.parquet", Some(FileType::Parquet)),
            ("a.npy", Some(FileType::Npy)),
            ("a.json", Some(FileType::Jsonl)),
            ("a.TSV", Some(FileType::Tsv)),
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
