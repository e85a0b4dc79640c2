//! The names of the files of a split.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compression::Compression;
use crate::copy::{CopyError, check_extension};
use crate::corpus::{Input, Origin};
use crate::format::InputFormat;
use crate::output::{DASH, FileType, OutputTarget, RunFiles};

/// The placeholder for the name of the part in a file name.
const PLACEHOLDER: &str = "{part}";

/// The files of the parts.
///
/// ```
/// use gridmill::jobs::split::PartFiles;
///
/// assert_eq!(PartFiles::new("out"), PartFiles::Directory("out".into()));
/// assert_eq!(PartFiles::new("out/my-{part}.csv.gz"), PartFiles::Pattern("out/my-{part}.csv.gz".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartFiles {
    /// A directory. Each file is named after its part, with the extension of the first input.
    Directory(PathBuf),
    /// A file name with `{part}` for the name of the part. It is compressed according to its extension.
    Pattern(String),
}

impl PartFiles {
    /// A pattern if the path contains `{part}`, otherwise a directory.
    pub fn new(path: impl Into<PathBuf>) -> PartFiles {
        let path = path.into();
        match path.to_str() {
            Some(text) if text.contains(PLACEHOLDER) => PartFiles::Pattern(text.to_owned()),
            _ => PartFiles::Directory(path),
        }
    }

    /// Refuses a directory that does not exist and looks like the name of a file, or like standard output: probably a
    /// mistake.
    pub(super) fn check_directory(&self) -> Result<(), CopyError> {
        match self {
            PartFiles::Directory(path) if path.as_os_str() == DASH => Err(CopyError::PartsToStdout),
            PartFiles::Directory(path) if FileType::from_path(path).is_some() && !path.is_dir() => {
                Err(CopyError::OneFile(path.clone()))
            }
            PartFiles::Directory(_) | PartFiles::Pattern(_) => Ok(()),
        }
    }

    /// The file of a part.
    pub(super) fn target(&self, part: &str, input: &Input) -> OutputTarget {
        OutputTarget::file(match self {
            PartFiles::Directory(directory) => directory.join(format!("{part}{}", extension(input))),
            PartFiles::Pattern(pattern) => PathBuf::from(pattern.replace(PLACEHOLDER, part)),
        })
    }

    /// The names of the files of all parts, with the placeholder.
    pub(super) fn of_all_parts(&self, input: &Input) -> OutputTarget {
        self.target(PLACEHOLDER, input)
    }

    /// Refuses an existing file that would look like a part but is not one of these: one of the same format in the
    /// directory that is not an input, or one for records without a group, since it is not yet known whether there are
    /// such records.
    pub(super) fn check_others(
        &self,
        parts: &[PathBuf],
        unsplit: &Path,
        input: &Input,
        origins: &[Origin],
    ) -> Result<(), CopyError> {
        let extension = extension(input);
        let is_input = |path: &Path| RunFiles::new().corpus(origins).written("a part", Some(path)).check().is_err();
        let is_other = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.ends_with(&extension) && !name.starts_with('.') && !parts.contains(path) && !is_input(path)
        };
        let other = match self {
            // If the directory does not exist, it has no files.
            PartFiles::Directory(directory) => {
                fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).find(is_other)
            }
            PartFiles::Pattern(_) => Some(unsplit.to_owned()).filter(|path| path.exists()),
        };
        other.map_or(Ok(()), |path| Err(CopyError::OtherPart(path)))
    }
}

/// The extension of an input, including its compression; if it has none or does not fit its format, the usual extension
/// of the format.
fn extension(input: &Input) -> String {
    let path = Path::new(&input.name);
    let format = input.layout.format();
    // Rows with typed columns become Parquet.
    if format.is_typed() {
        return format!(".{}", InputFormat::Parquet.extension());
    }
    let usual = format.extension();
    let dot = |extension: &str| format!(".{extension}");
    let compression = Compression::from_extension(path).and(path.extension()).and_then(|extension| extension.to_str());
    let text = if compression.is_some() { path.file_stem().map_or(path, Path::new) } else { path };
    let fits = || check_extension(&OutputTarget::file(text), input.layout.format()).is_ok();
    let own = text.extension().and_then(|extension| extension.to_str()).filter(|_| fits()).unwrap_or(usual);
    let packed = compression.map(str::to_owned).or_else(|| input.compression.map(|by| by.extension().to_owned()));
    format!("{}{}", dot(own), packed.map(|packed| dot(&packed)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{InputOptions, detect};

    #[test]
    fn parts_have_the_extension_of_the_input() {
        let csv = &b"puzzle\n1.3..........4.2\n"[..];
        let lines = &b"1.3..........4.2\n"[..];
        let gzip = Some(Compression::Gzip);
        for (name, text, compression, extension) in [
            ("a/corpus.csv", csv, None, ".csv"),
            ("corpus.CSV.gz", csv, gzip, ".CSV.gz"),
            ("corpus.tsv", csv, None, ".tsv"),
            ("-", csv, gzip, ".csv.gz"),
            ("-", lines, None, ".txt"),
            ("puzzles5_forum_hardest_1905_11+", lines, None, ".txt"),
            ("corpus.csv", lines, None, ".txt"),
            ("corpus.zst", lines, Some(Compression::Zstd), ".txt.zst"),
        ] {
            let layout = detect(text, true, &InputOptions::default()).unwrap();
            let input = Input { name: name.to_owned(), compression, layout };
            assert_eq!(self::extension(&input), extension, "{name}");
        }
    }
}
