//! The names of the splits of a data set, one for each file.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::compression::Compression;

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

/// The files with the names of their splits, which are all different and consist of letters, digits and `_`, as the hub
/// requires.
pub(super) fn named(files: &[SplitFile]) -> Vec<(String, &Path)> {
    let (mut known, is_only) = (HashSet::new(), files.len() == 1);
    let named = files.iter().map(|SplitFile { name, path }| {
        let name = name.as_ref().map_or_else(|| of_file(path, is_only), |name| words(name));
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        // `all` is the hub's name for all splits together.
        let names = [name.clone()].into_iter().filter(|name| name != "all").chain(numbered);
        let name = names.into_iter().find(|name| known.insert(name.clone())).expect("there is no end of numbers");
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

#[cfg(test)]
mod tests {
    use super::*;

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
