//! Every command with rows has every format and every common option, or a reason why not.
//!
//! The table of `docs/matrix.md` is made of the exceptions below, so the page, the reasons and the binary agree.

use std::fmt::Write;
use std::fs;

use crate::TestDir;

/// The commands that write rows, with the least that they need.
const COMMANDS: [(&str, &str); 10] = [
    ("solve", "solve in.csv"),
    ("rate", "rate in.csv"),
    ("trace", "trace in.csv --style search"),
    ("validate", "validate in.csv"),
    ("canon", "canon in.csv"),
    ("score", "score in.csv --response-column solution"),
    ("states", "states in.csv --state-column solution"),
    ("convert", "convert in.csv"),
    ("augment", "augment in.csv --copies 1 --seed 1"),
    ("generate", "generate -n 40 --seed 1"),
];

/// Runs a command with an option, and says what is wrong.
type Trial = fn(&Cell<'_>) -> Result<(), String>;

/// The formats and options, and how each is tried.
const CELLS: [(&str, Trial); 10] = [
    ("csv", |cell| cell.runs("-o out.csv")?.first_line("out.csv").map(drop)),
    ("jsonl", |cell| cell.runs("-o out.jsonl")?.begins("out.jsonl", b"{\"")),
    ("Parquet", |cell| cell.runs("-o out.parquet")?.begins("out.parquet", b"PAR1")),
    ("--columns", |cell| cell.columns()),
    ("--keep", |cell| cell.runs("-o out.csv --keep id")?.ends_first_line("out.csv", ",id")),
    ("--no-header", |cell| cell.no_header()),
    ("--summary", |cell| cell.runs("-o out.csv --summary out.json")?.begins("out.json", b"{\n")),
    ("--resume", |cell| cell.runs("-o whole.csv")?.runs("-o out.csv --resume")?.as_many_lines("whole.csv", "out.csv")),
    ("--shard", |cell| cell.shards()),
    ("--report", |cell| cell.runs("-o out.csv --report out.html")?.begins("out.html", b"<!")),
];

/// What makes no sense: command, option, reason.
const EXCEPTIONS: [(&str, &str, &str); 3] = [
    ("augment", "--resume", "a record has several rows"),
    ("augment", "--shard", "a record has several rows"),
    ("generate", "--keep", "it has no input with columns to keep"),
];

/// A command with an option, in a directory of its own.
struct Cell<'a> {
    dir: &'a TestDir,
    command: &'a str,
}

impl Cell<'_> {
    fn runs(&self, options: &str) -> Result<&Self, String> {
        let result = self.dir.run(&format!("{} -q {options}", self.command));
        if result.code == Some(0) { Ok(self) } else { Err(result.err.trim_end().to_owned()) }
    }

    fn first_line(&self, name: &str) -> Result<String, String> {
        self.dir.read(name).lines().next().map(str::to_owned).ok_or_else(|| format!("{name} is empty"))
    }

    fn begins(&self, name: &str, start: &[u8]) -> Result<(), String> {
        let content = fs::read(self.dir.path(name)).map_err(|error| format!("{name}: {error}"))?;
        content.starts_with(start).then_some(()).ok_or_else(|| format!("{name} begins otherwise"))
    }

    fn ends_first_line(&self, name: &str, end: &str) -> Result<(), String> {
        let line = self.first_line(name)?;
        line.ends_with(end).then_some(()).ok_or_else(|| format!("{name} begins with {line}"))
    }

    fn as_many_lines(&self, one: &str, other: &str) -> Result<(), String> {
        let [one, other] = [one, other].map(|name| self.dir.read(name).lines().count());
        (one == other).then_some(()).ok_or_else(|| format!("{one} lines, and then {other}"))
    }

    /// The columns of the usual table in reverse order.
    fn columns(&self) -> Result<(), String> {
        let usual = self.runs("-o usual.csv")?.first_line("usual.csv")?;
        let reversed = usual.rsplit(',').collect::<Vec<_>>().join(",");
        let found = self.runs(&format!("-o out.csv --columns {reversed}"))?.first_line("out.csv")?;
        (found == reversed).then_some(()).ok_or_else(|| format!("the columns are {found}"))
    }

    fn no_header(&self) -> Result<(), String> {
        self.runs("-o usual.csv")?.runs("-o out.csv --no-header")?;
        let [usual, found] = ["usual.csv", "out.csv"].map(|name| self.dir.read(name).lines().count());
        (found + 1 == usual).then_some(()).ok_or_else(|| format!("{found} lines instead of {usual}"))
    }

    /// Two shards add up to the usual table.
    fn shards(&self) -> Result<(), String> {
        self.runs("-o usual.csv")?.runs("--shard 1/2 -o 1.csv")?.runs("--shard 2/2 -o 2.csv")?;
        Cell { dir: self.dir, command: "merge 1.csv 2.csv" }.runs("-o out.csv")?;
        self.as_many_lines("usual.csv", "out.csv")
    }
}

fn exception(command: &str, option: &str) -> Option<&'static str> {
    EXCEPTIONS.iter().find(|exception| (exception.0, exception.1) == (command, option)).map(|exception| exception.2)
}

/// The table of the page, and the list of reasons after it.
fn table() -> String {
    let options = CELLS
        .map(|(option, _)| format!(" {} |", if option == "Parquet" { option.into() } else { format!("`{option}`") }));
    let mut table = format!("| |{}\n|---|{}\n", options.concat(), "---|".repeat(CELLS.len()));
    for (command, _) in COMMANDS {
        let cells = CELLS.map(|(option, _)| if exception(command, option).is_some() { " no |" } else { " yes |" });
        writeln!(table, "| `{command}` |{}", cells.concat()).unwrap();
    }
    table.push('\n');
    for (command, option, reason) in EXCEPTIONS {
        writeln!(table, "* `{command}` has no `{option}`: {reason}.").unwrap();
    }
    table
}

#[test]
fn every_command_has_every_common_option() {
    // More than a block of a shard.
    let dir = TestDir::new();
    let rows = dir.run("generate -q -n 40 --clues 36 --with-solution").ends(0);
    let row = |number: usize| format!("{number},{}\n", rows.lines().nth(1 + number % 40).unwrap());
    let input = format!("id,puzzle,solution\n{}", (0..4200).map(row).collect::<String>());

    let mut faults = vec![];
    for (name, command) in COMMANDS {
        for (option, runs) in CELLS {
            let dir = TestDir::new();
            dir.write("in.csv", &input);
            match (runs(&Cell { dir: &dir, command }), exception(name, option)) {
                (Ok(()), None) | (Err(_), Some(_)) => {}
                (Err(fault), None) => faults.push(format!("{name} {option}: {fault}")),
                (Ok(()), Some(_)) => faults.push(format!("{name} {option} works, so it is no exception")),
            }
        }
    }
    assert!(faults.is_empty(), "{} cells are empty:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn the_page_has_the_table() {
    let page = include_str!("../../docs/matrix.md");
    assert!(page.contains(&table()), "docs/matrix.md has another table than this one:\n{}", table());
}
