//! Describes a data set for its users: as a data card of Hugging Face, and as metadata in the format Croissant.
//!
//! A job contributes its knowledge of the data ([`DataCard`]: how it was made or checked); all other facts come from
//! the files (`DataFile`). Both descriptions use only these facts, and are written by templates.
//!
//! ```text
//!   options ----------> DataCard --+--> the job's JOB.md: title, summary, checks --+--> card.md         README.md
//!   report of the run -------------+                                                +--> croissant.json  JSON-LD
//!   files ------------> DataFile --+
//! ```

mod data_file;
mod jobs;
mod page;

use std::collections::HashSet;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use serde_json::{Map, Value, json};

use self::data_file::DataFile;
use crate::compression::Compression;
use crate::corpus::{CorpusError, Origin};
use crate::format::InputOptions;
use crate::output::{OutputError, write_small};
use crate::rows::Column;

/// The facts that a job knows, before its run, about a data set that it makes or checks.
#[derive(Clone, Debug)]
pub struct DataCard {
    /// The name of the command.
    pub(crate) command: &'static str,
    /// Its words about the data, as a template over these facts, the report and the facts of the files: it sets `title`,
    /// `summary`, `checks` (the rows of a table) and, where they make sense, `notes`, `classes` (the number of classes)
    /// and `is_checked` (the job only checked the files), and includes `layout`.
    pub(crate) template: &'static str,
    /// Its options, by their names on the command line: all that the data depends on.
    pub(crate) options: Map<String, Value>,
    /// The inputs that the data was made of.
    pub(crate) inputs: Vec<Origin>,
    /// The columns that the job writes.
    pub(crate) columns: &'static [Column],
    /// The options for reading the puzzles of the files again.
    pub(crate) read: InputOptions,
}

/// The name of the split of a single file whose name does not name a split.
const ONLY: &str = "train";

/// File names that name a split even if there is only one file.
const USUAL: [&str; 7] = [ONLY, "test", "validation", "valid", "val", "dev", "eval"];

/// A file of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitFile {
    /// The name of its split; `None` to derive it from the name of the file.
    pub name: Option<String>,
    /// Its path.
    pub path: PathBuf,
}

impl SplitFile {
    /// A file whose name determines the name of its split.
    pub fn new(path: impl Into<PathBuf>) -> SplitFile {
        SplitFile { name: None, path: path.into() }
    }
}

/// The files that describe a data set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardFiles {
    /// The data card of Hugging Face, usually `README.md`.
    pub readme: Option<PathBuf>,
    /// The metadata in the format Croissant.
    pub croissant: Option<PathBuf>,
}

/// The error for a data set that cannot be described.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CardError {
    /// Data is read from a stream, or written to one.
    #[error("a description is of files, and {0} is not a file")]
    NotAFile(String),
    /// A file is in another folder than its description, which refers to it by a relative path.
    #[error(
        "{} describes files by their paths from its own folder, and {} is not in that folder", card.display(), file.display()
    )]
    Outside {
        /// The description.
        card: PathBuf,
        /// The file.
        file: PathBuf,
    },
    /// A file cannot be read again.
    #[error("cannot read {} again, to describe it", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The records of a file cannot be read again.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The description cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl CardFiles {
    /// Whether no description was requested.
    pub fn is_empty(&self) -> bool {
        self.paths().next().is_none()
    }

    fn paths(&self) -> impl Iterator<Item = &Path> {
        [&self.readme, &self.croissant].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Checks, before a run, that these files can be described. They need not exist.
    ///
    /// # Errors
    ///
    /// If one is not a file, or is in another folder than the description.
    pub fn check<'a>(&self, files: impl IntoIterator<Item = &'a Path>) -> Result<(), CardError> {
        for file in files.into_iter().filter(|_| !self.is_empty()) {
            if file.exists() && !file.is_file() {
                return Err(CardError::NotAFile(file.display().to_string()));
            }
            self.paths().try_for_each(|card| relative(card, file).map(|_| ()))?;
        }
        Ok(())
    }

    /// Reads the complete files of a data set, and describes them and the report of the run.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or a description cannot be written.
    pub fn write(&self, card: &DataCard, report: &impl Serialize, files: &[SplitFile]) -> Result<(), CardError> {
        if self.is_empty() {
            return Ok(());
        }
        let (report, files) = (json!(report), named(files));
        let files = files.into_iter().map(|(split, path)| DataFile::read(split, path, card.columns, &card.read));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        if let Some(path) = &self.readme {
            write_small(path, page::readme(card, &report, &files, path)?.as_bytes())?;
        }
        if let Some(path) = &self.croissant {
            write_small(path, page::croissant(card, &report, &files, path)?.as_bytes())?;
        }
        Ok(())
    }
}

/// The files with the names of their splits, which are all different and consist of letters, digits and `_`, as the hub
/// requires.
pub(super) fn named(files: &[SplitFile]) -> Vec<(String, &Path)> {
    let (mut known, is_only) = (HashSet::new(), files.len() == 1);
    let named = files.iter().map(|SplitFile { name, path }| {
        let name = name.as_ref().map_or_else(|| of_file(path, is_only), |name| words(name));
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        // `all` is the hub's name for all splits together.
        let names = [name.clone()].into_iter().filter(|name| name != "all").chain(numbered);
        let name = names.into_iter().find(|name| known.insert(name.clone())).expect("numbers do not end");
        (name, path.as_path())
    });
    named.collect()
}

/// The name of a file without its extensions.
fn of_file(path: &Path, is_only: bool) -> String {
    let packed = Compression::from_extension(path).and(path.file_stem()).map_or(path, Path::new);
    let name = words(&packed.file_stem().unwrap_or_default().to_string_lossy());
    if is_only && !USUAL.contains(&&*name) { ONLY.to_owned() } else { name }
}

fn words(name: &str) -> String {
    let name: String = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
    if name.is_empty() { ONLY.to_owned() } else { name }
}

/// The path of a file relative to the folder of its description, with `/` as the separator.
fn relative(card: &Path, file: &Path) -> Result<String, CardError> {
    let full = |path: &Path| {
        let mut full = PathBuf::new();
        for part in std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
            match part {
                Component::ParentDir => _ = full.pop(),
                part => full.push(part),
            }
        }
        full
    };
    let outside = || CardError::Outside { card: card.to_owned(), file: file.to_owned() };
    let folder = full(card);
    let path = full(file);
    let path = path.strip_prefix(folder.parent().unwrap_or(&folder)).map_err(|_| outside())?;
    let parts = path.iter().map(|part| part.to_str().ok_or_else(outside));
    Ok(parts.collect::<Result<Vec<_>, _>>()?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_folder_of_the_card() {
        for (card, file, path) in [
            ("README.md", "train.csv", Some("train.csv")),
            ("README.md", "./data/../data/train.csv", Some("data/train.csv")),
            ("a/README.md", "a/b/train.csv", Some("b/train.csv")),
            ("/a/README.md", "/a/train.csv", Some("train.csv")),
            ("a/README.md", "train.csv", None),
            ("a/README.md", "a/../train.csv", None),
        ] {
            assert_eq!(relative(Path::new(card), Path::new(file)).ok().as_deref(), path, "{card} {file}");
        }
    }

    #[test]
    fn splits_have_names_of_their_own() {
        let names = |files: &[&str]| {
            let files: Vec<_> = files.iter().map(SplitFile::new).collect();
            named(&files).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names(&["a/data.csv"]), ["train"]);
        assert_eq!(names(&["a/test.csv.gz"]), ["test"]);
        assert_eq!(names(&["a/train.csv", "a/fold-1.jsonl.zst", "my.set.txt"]), ["train", "fold_1", "my_set"]);
        assert_eq!(names(&["a/x.csv", "b/x.csv", "x.txt", "all.csv"]), ["x", "x_2", "x_3", "all_2"]);
        let part = |name: &str| SplitFile { name: Some(name.to_owned()), path: "out".into() };
        let parts = [part("fold-1"), part("fold_1")];
        assert_eq!(named(&parts).into_iter().map(|(name, _)| name).collect::<Vec<_>>(), ["fold_1", "fold_1_2"]);
    }
}
