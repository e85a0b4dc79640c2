//! Help, manual pages, completions and the list of formats; the examples in the help work.

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use clap_mangen::Man;

use crate::{TestDir, data};

const COMMANDS: [&str; 23] = [
    "solve",
    "pipe",
    "bench",
    "fuzz",
    "generate",
    "validate",
    "certify",
    "merge",
    "canon",
    "classes",
    "score",
    "states",
    "convert",
    "rate",
    "explain",
    "trace",
    "split",
    "dedupe",
    "sample",
    "augment",
    "sheet",
    "formats",
    "completions",
];
const WITHOUT_EXAMPLES: [&str; 2] = ["formats", "completions"];

#[test]
fn formats_are_listed_with_examples() {
    let page = TestDir::new().run("formats").ends(0);
    for name in
        ["lines:", "grids:", "ints:", "csv:", "jsonl:", "candidates:", "hodoku:", "opensudoku:", "listing:", "sdk:"]
    {
        assert!(page.contains(name), "{name}");
    }
}

#[test]
fn completions_know_every_option() {
    let dir = TestDir::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = dir.run(&format!("completions {shell}")).ends(0);
        assert!(script.contains("puzzle-column") && script.contains("with-solution"), "{shell}");
    }
}

#[test]
fn completions_offer_the_values_of_options() {
    let dir = TestDir::new();
    for shell in ["bash", "fish", "zsh"] {
        let script = dir.run(&format!("completions {shell}")).ends(0);
        for value in ["branches", "leak-isomorph", "listing", "bitmask", "bzip2"] {
            assert!(script.contains(value), "{shell}: {value}");
        }
    }
}

/// Writes the pages to the folder `GRIDMILL_MAN`, if it is set: packages are made so.
#[test]
fn the_manual_has_a_page_for_each_command() {
    let mut gridmill = gridmill::cli::complete().disable_help_subcommand(true);
    gridmill.build();
    let shown = gridmill.get_subcommands().filter(|command| !command.is_hide_set());
    let pages: BTreeMap<String, String> = [&gridmill].into_iter().chain(shown).map(manual_page).collect();

    assert!(pages["gridmill.1"].contains(".TH gridmill 1") && pages["gridmill.1"].contains("gridmill\\-solve(1)"));
    assert!(pages["gridmill-solve.1"].contains("puzzle\\-column"));
    assert_eq!(pages.len(), 1 + COMMANDS.len());
    for command in COMMANDS {
        let page = &pages[&format!("gridmill-{command}.1")];
        assert!(page.contains(&format!(".TH gridmill-{command} 1")), "{command}");
        assert_eq!(page.contains(".SH EXAMPLES\n.nf\n"), !WITHOUT_EXAMPLES.contains(&command), "{command}");
        assert!(!page.contains(".SH EXTRA"), "{command}");
    }
    if let Some(folder) = env::var_os("GRIDMILL_MAN") {
        for (name, page) in pages {
            fs::write(Path::new(&folder).join(name), page).unwrap();
        }
    }
}

/// The file name of a command's manual page, and the page.
fn manual_page(command: &clap::Command) -> (String, String) {
    let manual = Man::new(command.clone()).source(concat!("gridmill ", env!("CARGO_PKG_VERSION")));
    let mut page = vec![];
    manual.render(&mut page).unwrap();
    let page = String::from_utf8(page).unwrap();

    // The text at the end of the help starts with its own heading, and its lines must not be filled.
    let page = page.replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n.nf\n");
    let page = page.replace(".SH EXTRA\nExit codes:\n", ".SH \"EXIT STATUS\"\n.nf\n");
    (manual.get_filename(), page.replace("\n.SH VERSION\n", "\n.fi\n.SH VERSION\n"))
}

#[cfg(unix)]
#[test]
fn the_examples_of_every_command_work() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    use crate::RunResult;

    let dir = TestDir::new();
    fs::copy(data("minimal.txt"), dir.path("puzzles.txt")).unwrap();
    for (name, seed) in [("train.csv", 1), ("test.csv", 2)] {
        dir.run(&format!("generate -n 20 --seed {seed} --with-solution -o {name}")).ends(0);
    }
    let row = |(number, puzzle): (usize, &str)| format!("{puzzle},{number},web\n");
    let rows: String = dir.read("puzzles.txt").lines().filter(|line| line.len() == 81).enumerate().map(row).collect();
    dir.write("corpus.csv", format!("puzzle,rating,source\n{rows}"));
    let answer = dir.read("puzzles.txt").lines().next().unwrap().to_owned();
    let keys = format!("\"puzzle\":\"{answer}\",\"response\":\"{answer}\",\"completion\":\"?\"");
    dir.write("answers.jsonl", format!("{{{keys}}}\n"));
    dir.write("steps.csv", format!("puzzle,grid,moves\n{answer},{answer},r1c1=1\n"));
    RunResult::from(dir.shell("gzip -k corpus.csv", "").output().unwrap()).ends(0);
    dir.write("my-solver", "#!/bin/sh\nsed 's/.*/1/'\n");
    fs::set_permissions(dir.path("my-solver"), Permissions::from_mode(0o755)).unwrap();
    for command in COMMANDS.iter().filter(|command| !WITHOUT_EXAMPLES.contains(command)) {
        let help = dir.run(&format!("{command} --help")).ends(0);
        let (_, examples) = help.split_once("\nExamples:\n").expect(command);
        let examples = examples.lines().take_while(|line| !line.is_empty());
        let examples: Vec<&str> = examples.filter_map(|line| line.strip_prefix("    ")).collect();
        assert!(examples.len() >= 2, "{command}: {examples:?}");
        for example in examples {
            let script =
                example.replace("gridmill bench", "gridmill bench --seconds 0.05").replace("gridmill", "\"$0\"");
            RunResult::from(dir.shell(&script, "").output().unwrap()).ends(0);
        }
    }
}

#[test]
fn the_help_of_the_program_groups_its_commands_on_one_screen() {
    let dir = TestDir::new();
    let help = dir.run("--help").ends(0);
    assert_eq!(dir.run("-h").ends(0), help);
    assert!(help.lines().count() < 24 && help.lines().all(|line| line.chars().count() <= 80), "{help}");

    // A name has two spaces on both sides.
    let words = help.lines().filter(|line| line.starts_with("  ")).flat_map(|line| line.split("  "));
    let mut names: Vec<&str> = words.map(str::trim).filter(|word| COMMANDS.contains(word)).collect();
    names.sort_unstable();
    let mut commands = COMMANDS;
    commands.sort_unstable();
    assert_eq!(names, commands);
}

#[test]
fn the_short_help_of_a_command_has_its_examples_first_and_fewer_options() {
    let dir = TestDir::new();
    for command in COMMANDS.iter().filter(|command| !WITHOUT_EXAMPLES.contains(command)) {
        let [short, long] = ["-h", "--help"].map(|option| dir.run(&format!("{command} {option}")).ends(0));
        for help in [&short, &long] {
            assert!(help.find("\nExamples:\n") < help.find("\nOptions:\n"), "{command}: {help}");
        }
        assert!(short.lines().count() < 75 && short.lines().all(|line| line.chars().count() <= 110), "{short}");
        assert!(!short.contains("--simd") && !short.contains("--compress") && !short.contains("--progress"), "{short}");
    }
    assert!(dir.run("solve --help").ends(0).contains("--simd"));

    // Options of the job and of the command, in turns.
    let help = dir.run("generate --help").ends(0);
    let order =
        ["--symmetry ", "--pattern ", "--distinct\n", "--not-in ", "--class-key ", "--with-solution\n", "--max-tries "];
    assert!(order.map(|option| help.find(&format!("  {option}")).unwrap()).is_sorted(), "{help}");
}

#[test]
fn every_command_has_the_version_of_the_program() {
    let dir = TestDir::new();
    assert_eq!(dir.run("--version").ends(0), format!("gridmill {}\n", env!("CARGO_PKG_VERSION")));
    for command in COMMANDS {
        let version = format!("gridmill-{command} {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!(dir.run(&format!("{command} --version")).ends(0), version);
    }
}
