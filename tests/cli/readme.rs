//! The commands in README.md, CONTRIBUTING.md and `docs/` work, and print what the page shows.
//!
//! A ```` ```console ```` block holds commands, each after `$ `, with the lines that a backslash continues. Those with
//! `gridmill ` are run by `sh` in the order of the page, in a directory for each page that has a link to `data/`, with
//! our binary first in the path. The page on corpora finds small
//! files there with the shapes of public data sets. Other blocks are
//! not run.
//!
//! If a block has one command, and a ```` ```text ```` block follows it with nothing but empty lines between, the
//! latter is the command's output: standard output, or standard error if there is none. The two are compared line by
//! line, after [`mask`] has removed what depends on time and machine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, thread};

use assert_cmd::cargo::cargo_bin;
use gridmill::engine::lanes::Simd;

use crate::data_sets::write_data_sets;

/// A command of a page, and what the page says that it prints.
struct ShownCommand {
    command: String,
    output: Option<String>,
}

/// The commands in the `console` blocks of a page.
fn commands(page: &str) -> Vec<ShownCommand> {
    let mut shown: Vec<ShownCommand> = Vec::new();
    let mut is_single = false;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        match line.trim_end() {
            "```console" => {
                let text = block(&mut lines).replace("\\\n", "");
                let commands = text.lines().filter_map(|line| line.strip_prefix("$ ").map(str::to_owned));
                let before = shown.len();
                shown.extend(commands.map(|command| ShownCommand { command, output: None }));
                is_single = shown.len() == before + 1;
            }
            "```text" if is_single => {
                shown.last_mut().expect("a command before").output = Some(block(&mut lines));
                is_single = false;
            }
            "" => {}
            text => {
                is_single = false;
                // The text of another block could look like the start of a block.
                if text.starts_with("```") {
                    block(&mut lines);
                }
            }
        }
    }
    shown.retain(|shown| shown.command.contains("gridmill "));
    shown
}

/// The lines up to the end of a block.
fn block<'a>(lines: &mut impl Iterator<Item = &'a str>) -> String {
    lines.map(str::trim_end).take_while(|line| *line != "```").collect::<Vec<&str>>().join("\n")
}

/// Replaces times (`1.56 ms`), rates (`128,287 a second`), shares (`21 %`), `nanos` in JSON, the number of threads and
/// the width of vectors (`2 threads with auto:avx512`). A line with any of these is compared by words, because columns
/// are as wide as their widest value.
fn mask(line: &str) -> String {
    const ENDS: [char; 3] = [':', ',', ';'];
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || b".,".contains(&byte));
    let text = line.replace(" a second", "/s");
    let mut words = text.split_whitespace().peekable();
    let mut masked: Vec<String> = Vec::new();
    while let Some(word) = words.next() {
        let next = words.peek().copied().unwrap_or_default();
        let unit = next.trim_end_matches(ENDS);
        let start = word.trim_end_matches(ENDS);
        let name = match unit {
            "ns" | "µs" | "ms" | "s" if is_number(word) => "TIME",
            "%" if is_number(word) => "SHARE",
            "thread" | "threads" if is_number(word) => "THREADS",
            _ => "",
        };
        if !name.is_empty() {
            masked.push(format!("{name}{}", &next[unit.len()..]));
            words.next();
        } else if start.strip_suffix("/s").is_some_and(is_number) {
            masked.push(format!("RATE{}", &word[start.len()..]));
        } else if word.strip_prefix("auto:").is_some_and(|simd| simd.parse::<Simd>().is_ok()) {
            masked.push("auto".to_owned());
        } else if let Some((start, nanos)) = word.split_once("\"nanos\":") {
            let end = nanos.trim_start_matches(|digit: char| digit.is_ascii_digit());
            masked.push(format!("{start}\"nanos\":TIME{end}"));
        } else {
            masked.push(word.to_owned());
        }
    }
    if line.split_whitespace().eq(&masked) { line.trim_end().to_owned() } else { masked.join(" ") }
}

/// Runs the commands of a page, and returns what is wrong with them, and how many there are.
fn check(root: &Path, page: &Path) -> (Vec<String>, usize) {
    let directory = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.join("data"), directory.path().join("data")).unwrap();
    if page.ends_with("docs/corpora.md") {
        write_data_sets(&directory.path().join("public"));
    }
    let binaries = cargo_bin("gridmill").parent().unwrap().to_owned();
    let path = env::join_paths([binaries].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap()))).unwrap();

    let shown = commands(&fs::read_to_string(page).unwrap());
    let mut faults = Vec::new();
    for ShownCommand { command, output } in &shown {
        let mut shell = Command::new("sh");
        let result = shell.args(["-c", command]).current_dir(directory.path()).env("PATH", &path).output().unwrap();
        let [out, err] = [result.stdout, result.stderr].map(|text| String::from_utf8(text).expect("UTF-8"));
        let fault = |what: &str| format!("{}: {command}\n{what}", page.display());
        if !result.status.success() || err.contains("error:") || err.contains("not found") {
            faults.push(fault(&err));
        }
        let Some(expected) = output else { continue };
        let printed = if out.is_empty() { &err } else { &out };
        if !expected.lines().map(mask).eq(printed.lines().map(mask)) {
            faults.push(fault(&format!("the page shows:\n{expected}\nbut it prints:\n{printed}")));
        }
    }
    (faults, shown.len())
}

#[test]
fn the_commands_in_the_documentation_print_what_it_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.extend(["README.md", "CONTRIBUTING.md"].map(|name| root.join(name)));
    let checked = thread::scope(|scope| {
        let pages: Vec<_> = pages.iter().map(|page| scope.spawn(|| check(root, page))).collect();
        pages.into_iter().map(|page| page.join().unwrap()).collect::<Vec<_>>()
    });
    let faults: Vec<String> = checked.iter().flat_map(|(faults, _)| faults.clone()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(checked.iter().map(|(_, commands)| commands).sum::<usize>() >= 20, "the pages show every command");
}

#[test]
fn commands_and_outputs_are_found_and_masked() {
    let page = "```console\n$ gridmill a \\\n    b\n```\n\n```text\none\n\n  two\n```\n\n```text\nthree\n```\n\n\
                ```sh\n$ gridmill c\n```\n```console\n$ gridmill d\n$ gridmill e\n```\n```text\nfour\n```\n\
                ```console\n$ gridmill f\n```\nwords\n```text\nfive\n```\n```console\n$ cargo build\n```\n";
    let found: Vec<(String, Option<String>)> =
        commands(page).into_iter().map(|shown| (shown.command, shown.output)).collect();
    let expected =
        [("gridmill a     b", Some("one\n\n  two")), ("gridmill d", None), ("gridmill e", None), ("gridmill f", None)];
    assert_eq!(found, expected.map(|(command, output)| (command.to_owned(), output.map(str::to_owned))));

    for (line, masked) in [
        ("  sound    200 ", "  sound    200"),
        ("unique 10,000  multiple 0", "unique 10,000  multiple 0"),
        (
            "200 records in 1.56 ms: 128,287 a second, 1 thread with auto:avx512",
            "200 records in TIME: RATE, THREADS with auto",
        ),
        ("time  77.0 ns  175 µs", "time TIME TIME"),
        ("busy: reader 21 %, 3 seconds", "busy: reader SHARE, 3 seconds"),
        ("{\"line\":1,\"nanos\":77,\"detail\":null}", "{\"line\":1,\"nanos\":TIME,\"detail\":null}"),
    ] {
        assert_eq!(mask(line), masked);
    }
}
