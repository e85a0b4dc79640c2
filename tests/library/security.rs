//! What `SECURITY.md` names exists: its list of files with unsafe code is complete, and every test that it names is in
//! the tree.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../SECURITY.md");

/// The section of the page with this heading.
fn section(heading: &str) -> &'static str {
    let (_, section) = PAGE.split_once(&format!("\n## {heading}\n")).unwrap();
    section.split("\n## ").next().unwrap()
}

/// The texts in code style, such as names.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// All Rust files of a directory, by their paths from the root of the repository.
fn sources(directory: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = vec![];
    let mut directories = vec![root.join(directory)];
    while let Some(directory) = directories.pop() {
        // The published package has no Python.
        for entry in fs::read_dir(directory).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if is_rust(&path) {
                found.push(path.strip_prefix(root).unwrap().to_owned());
            }
        }
    }
    found
}

fn text(path: &Path) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Whether a source has the keyword outside its comments, or uses macros that have it.
fn has_unsafe_code(source: &str) -> bool {
    let code = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    code.flat_map(|line| line.split(|character| !is_word(character)))
        .any(|word| word == "unsafe" || word == "unsafe_code")
}

#[test]
fn all_files_with_unsafe_code_are_named() {
    let directories = ["src", "python/src", "examples", "benches"];
    let all = directories.into_iter().flat_map(sources).collect::<Vec<_>>();
    assert!(all.len() > 300);
    let found: BTreeSet<String> =
        all.iter().filter(|path| has_unsafe_code(&text(path))).map(|path| path.display().to_string()).collect();
    let is_source = |name: &&str| is_rust(Path::new(name)) && !name.starts_with("tests/");
    let named = names(section("Unsafe code")).filter(is_source).map(str::to_owned).collect();
    assert_eq!(found, named);
}

#[test]
fn the_tests_that_are_named_exist() {
    let all: Vec<PathBuf> = ["src", "tests"].into_iter().flat_map(sources).collect();
    let has = |module: &str, test: Option<&str>| {
        let file = format!("{module}.rs");
        let mut files = all.iter().filter(|path| path.file_name().is_some_and(|name| *name == *file));
        files.any(|path| test.is_none_or(|test| text(path).contains(&format!("fn {test}("))))
    };
    let rows = section("Which files it touches").lines().filter(|line| line.starts_with("| ")).skip(1);
    let tests: Vec<&str> = rows.flat_map(|row| names(row.rsplit(" | ").next().unwrap())).collect();
    assert!(tests.len() > 10);
    for name in tests {
        let exists = match name.split_once("::") {
            _ if name.starts_with("scripts/") => {
                Path::new(env!("CARGO_MANIFEST_DIR")).join(name.split(' ').next().unwrap()).exists()
            }
            Some((module, "tests")) => has(module, None),
            Some((module, test)) => has(module, Some(test)),
            None => has(name, None),
        };
        assert!(exists, "{name}");
    }
    let paths = names(PAGE).filter(|name| name.starts_with("tests/") && is_rust(Path::new(name)));
    assert!(paths.map(Path::new).all(|path| all.iter().any(|known| known == path)));
}
