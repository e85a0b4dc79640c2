//! Lines that a newcomer types: each has one thing wrong, and the message names the way.

use std::process::Stdio;

use crate::{RunResult, TestDir, UNIQUE};

/// A line, and words of the message that name the way.
const LINES: &[(&str, &str)] = &[
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
    ("nowhere.txt", "no file has this name"),
    ("sovle in.txt", "exists: 'solve'"),
    ("stats in.txt", "rate counts levels"),
    ("sort in.txt", "sort rows of rate"),
    ("head in.txt", "sample -n N"),
    ("headers c.csv", "validate FILE"),
    ("view in.txt", "convert FILE --to grids"),
    ("version", "gridmill -V"),
    ("-v", "gridmill -V"),
    ("variant in.txt", "variants are not planned"),
    // Arguments where none is expected.
    ("pipe in.txt", "use solve"),
    ("generate 5", "-n COUNT"),
    ("explain nowhere.txt", "neither a puzzle nor a file"),
    ("solve 53..7....6..195...", "echo '53..7....6..195...' | gridmill solve"),
    ("rate 53..7....6..195...", "echo '53..7....6..195...' | gridmill rate"),
    ("convert in.txt out.csv", "named by -o out.csv"),
    ("fuzz ./solver", "use --solver ./my-solver"),
    // Options with another name.
    ("generate -n 5 --difficulty hard", "use --level"),
    ("generate -n 5 --unique", "puzzles of generate have one solution"),
    ("generate -n 5 --symmetric", "use --symmetry rot180"),
    ("generate -n 5 --level insane", "there are easy"),
    ("generate -n 5 --size 9", "[possible values: 4x4"),
    ("solve in.txt --format csv", "use --to"),
    ("solve in.txt --json", "use --to jsonl"),
    ("solve in.txt -j 4", "use --threads"),
    ("solve in.txt --fields line", "use --columns"),
    ("solve in.txt --verbose", "use --progress always"),
    ("validate in.txt --compare c.csv", "use --against"),
    ("certify in.txt --compare c.csv", "use --train"),
    ("certify --test in.txt", "test set without an option"),
    ("bench in.txt --against b.json", "use --baseline"),
    ("bench in.txt --compare b.json c.json", "--baseline OLD.json"),
    ("bench in.txt --json", "use --export"),
    ("bench in.txt --runs 3", "use --seconds"),
    ("generate -n 5 --hard", "use --level hard"),
    ("generate -n 5 --level easy --level hard", "once for each value"),
    ("generate -n 5 --technique simple-colouring", "a kind of Forcing X-Chain"),
    ("generate -n 5 --technique w-wing", "docs/techniques.md"),
    ("generate -n 5 --variant killer", "variants are not planned"),
    ("solve in.txt --jigsaw", "variants are not planned"),
    ("solve in.txt --delimiter ;", "the delimiter is detected"),
    ("solve in.txt --pretty", "use --to grids"),
    ("solve in.txt --time", "use --columns, with nanos"),
    ("solve in.txt --stats", "use --summary"),
    ("solve in.txt --count", "use --limit"),
    ("validate in.txt --unique", "use --fail-on multiple"),
    ("validate in.txt --strict", "use --fail-on all"),
    ("augment in.txt -n 10", "use --copies"),
    ("split in.txt --ratio 0.8", "use --parts train=0.8,test=0.2"),
    ("dedupe in.txt --isomorphs", "use --by class"),
    ("sheet in.txt --solutions", "--no-solutions leaves them out"),
    ("sheet in.txt --level easy", "sample rated.csv"),
    ("sheet in.txt --pages 2", "use --per-page"),
    ("sheet in.txt --margin 10", "use --binding"),
    ("sheet bad.txt", "to leave out such records: gridmill validate bad.txt --accepts GOOD"),
    ("bench bad.txt", "to leave out such records: gridmill validate bad.txt --accepts GOOD"),
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
    dir.write("in.txt", format!("{UNIQUE}\n")).write("bad.txt", format!("{UNIQUE}\n{}\n", &UNIQUE[1..]));
    dir.write("c.csv", format!("puzzle,rating\n{UNIQUE},1\n"));
    let mut without = vec![];
    for &(line, way) in LINES {
        let mut command = dir.command("");
        let result = RunResult::from(command.args(line.split(' ')).stdin(Stdio::null()).output().unwrap());
        if result.code != Some(2) || !result.err.contains(way) {
            without.push(format!("{line}\n    {way}\n    {}", result.err));
        }
    }
    assert!(without.is_empty(), "{} of {}:\n{}", without.len(), LINES.len(), without.join("\n"));
}

/// The options that a tip names are options of gridmill.
#[test]
fn no_tip_invents_an_option() {
    let commands = gridmill::cli::complete();
    let options: Vec<&str> = commands
        .get_subcommands()
        .flat_map(|command| command.get_arguments().filter_map(|argument| argument.get_long()))
        .collect();
    for (_, tip) in include_str!("../../src/cli/args/words.txt").lines().filter_map(|line| line.split_once(" | ")) {
        for option in tip.split([' ', ',', ';', ':']).filter_map(|word| word.strip_prefix("--")) {
            assert!(options.contains(&option), "{tip}");
        }
    }
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
