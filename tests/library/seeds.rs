//! Feeds the files in `tests/seeds` to the properties of the fuzz targets: inputs that fuzzing starts with, and inputs
//! that it has found.

use std::fs;
use std::path::{Path, PathBuf};

use crate::properties;

fn seeds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds")
}

/// Feeds all seeds of a target to its property; prints their names, so that the last one is the one that failed.
fn feed(target: &str, property: fn(&[u8])) {
    let directory = seeds().join(target);
    let mut paths: Vec<PathBuf> = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no seeds in {}", directory.display());
    for path in paths {
        println!("{}", path.display());
        property(&fs::read(&path).unwrap());
    }
}

macro_rules! targets {
    ($($target:ident),* $(,)?) => {
        $(
            #[test]
            fn $target() {
                feed(stringify!($target), properties::$target);
            }
        )*

        /// The seeds in a directory with another name would not be used.
        #[test]
        fn every_directory_has_a_target() {
            let mut names: Vec<_> = fs::read_dir(seeds()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            let mut targets = [$(stringify!($target)),*];
            targets.sort_unstable();
            assert_eq!(names, targets);
        }
    };
}

targets![
    recognise_and_read,
    read_lines,
    read_grids,
    read_ints,
    read_csv,
    read_jsonl,
    read_candidates,
    read_hodoku,
    read_opensudoku,
    long_records,
    engines_agree,
    whole_run,
    resumed_run,
    canon,
    rate_any_grid,
    unpack,
    pack,
];
