//! Lines that a newcomer types: each has one thing wrong, and the message names the way.

use std::process::Stdio;

use crate::{RunResult, TestDir, UNIQUE};

/// A line, and words of the message that name the way.
const LINES: [(&str, &str); 44] = [
    // Commands with another name.
    ("check in.txt", "use validate"),
    ("difficulty in.txt", "use rate"),
    ("level in.txt", "use rate"),
    ("dedup in.txt", "'dedupe'"),
    ("concat c.csv in.txt", "convert A.csv B.csv --keep all"),
    ("merge c.csv in.txt -o all.csv", "convert them with --keep all"),
    ("pdf in.txt", "use sheet"),
    ("draw in.txt", "use convert -o PICTURE.svg"),
    ("benchmark in.txt", "'bench'"),
    ("hint in.txt", "use explain"),
    ("create -n 5", "use generate"),
    ("filter c.csv", "use sample --where"),
    ("in.txt", "gridmill solve FILE"),
    ("53..7....6..195...", "echo PUZZLE | gridmill solve"),
    // Arguments where none is expected.
    ("pipe in.txt", "use solve"),
    ("generate 5", "-n COUNT"),
    ("explain nowhere.txt", "neither a puzzle nor a file"),
    ("solve 53..7....6..195...", "echo '53..7....6..195...' | gridmill solve"),
    // Options with another name.
    ("generate -n 5 --difficulty hard", "use --level"),
    ("generate -n 5 --unique", "puzzles of generate have one solution"),
    ("generate -n 5 --symmetric", "'--symmetry'"),
    ("generate -n 5 --level insane", "there are easy"),
    ("generate -n 5 --size 9", "[possible values: 4x4"),
    ("solve in.txt --format csv", "use --to"),
    ("solve in.txt --json", "use --to jsonl"),
    ("solve in.txt -j 4", "use --threads"),
    ("solve in.txt --fields line", "use --columns"),
    ("solve in.txt --verbose", "use --progress always"),
    ("validate in.txt --compare c.csv", "use --against"),
    ("sheet in.txt --solutions", "the solutions at the end"),
    // Files with an extension that a command does not write.
    ("solve in.txt -o out.xlsx", "spreadsheets read .csv"),
    ("solve in.txt -o out.pdf", "gridmill sheet"),
    ("solve in.txt -o out.svg", "gridmill convert"),
    ("rate in.txt -o out.html", "--report FILE.html"),
    ("convert in.txt -o out.png", "FILE.svg"),
    ("sample c.csv -n 1 -o out.jsonl", "gridmill convert"),
    ("bench in.txt --export out.pdf", "should end in .csv, .json, .md or .svg"),
    ("sheet in.txt -o out.docx", "name it .html or .pdf"),
    // Options of other commands.
    ("rate in.txt --level hard", "--max-er, or sample --where level=hard"),
    ("augment in.txt --set test", "--to <FORMAT>"),
    ("solve in.txt -to csv", "use --to"),
    // Values.
    ("rate in.txt --only level", "[possible values: er] (see --help)"),
    ("generate -n 5 --er 3-4", "or two, as in 3.0..4.5"),
    ("sample c.csv -n 1 --where rating", "COLUMN OP VALUE"),
];

#[test]
fn every_message_names_the_way() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n")).write("c.csv", format!("puzzle,rating\n{UNIQUE},1\n"));
    let mut without = vec![];
    for (line, way) in LINES {
        let mut command = dir.command("");
        let result = RunResult::from(command.args(line.split(' ')).stdin(Stdio::null()).output().unwrap());
        if result.code != Some(2) || !result.err.contains(way) {
            without.push(format!("{line}\n    {way}\n    {}", result.err));
        }
    }
    assert!(without.is_empty(), "{} of {}:\n{}", without.len(), LINES.len(), without.join("\n"));
}

/// Other words of the field mean the same.
#[test]
fn words_of_the_field_are_aliases() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    for (line, usual) in [
        ("grade -q in.txt", "rate -q in.txt"),
        ("canonicalize -q in.txt", "canon -q in.txt"),
        ("generate -q -n 2 --size 4x4 --givens 6", "generate -q -n 2 --size 4x4 --clues 6"),
    ] {
        assert_eq!(dir.run(line).ends(0), dir.run(usual).ends(0), "{line}");
    }
}
