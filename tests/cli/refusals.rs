//! What is refused before anything is read or written: all messages on one page.
//!
//! The page is where their language is reviewed. A command stands above its message; `gridmill: ` before it is left out.
//! A message that ends with `...` is longer, and one that begins with `...` has something before these words. To change
//! messages, run the test: it prints the page as it is now.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;

use crate::{MULTIPLE, TestDir, UNIQUE};

const REFUSALS: &str = include_str!("refusals.txt");

/// The files that the commands name.
fn fixture() -> TestDir {
    let dir = TestDir::new();
    for name in ["in.txt", "other.txt", "e.partial", "c.csv"] {
        dir.write(name, format!("{UNIQUE}\n"));
    }
    dir.write("multiple.txt", MULTIPLE)
        .write("a.csv", format!("puzzle,x\n{UNIQUE},1\n"))
        .write("b.csv", format!("x,puzzle\n1,{UNIQUE}\n"))
        .write("train.csv", format!("puzzle\n{UNIQUE}\n"))
        .write("empty.csv", "")
        .write("corpus.csv", format!("puzzle,rating,source\n{UNIQUE},1.5,web\n{MULTIPLE},2,forum\n"))
        .write(
            "in.jsonl",
            format!("{{\"id\":7,\"cells\":\"{UNIQUE}\",\"more\":\"{UNIQUE}\",\"tags\":[]}}\n").repeat(2),
        );

    // Patterns of clues, and inputs that are none.
    dir.write("blank-rows", "x".repeat(63) + &".".repeat(18))
        .write("sparse", "x".repeat(16) + &".".repeat(65))
        .write("small", "x..x.x..x...xx..")
        .write("short", "x.x.")
        .write("odd", "x?")
        .write("moves", "{% for step in steps %}{{ step.cell }}{% endfor %}")
        .write("unclosed", "{% for step in steps %}")
        .write("hello", "hello\n")
        .write("problems.csv", format!("id,problem,other\n1,{UNIQUE},{UNIQUE}\n"))
        .write("large", format!("{}12A\n", ".".repeat(253)));

    for arguments in [
        "solve corpus.csv --columns puzzle --keep rating,source -o corpus.parquet",
        "generate -n 1 -o nine.txt",
        "generate -n 2 --with-solution -o nine.csv",
        "solve in.txt --columns line --shard 1/2 -o p1",
        "solve in.txt --columns line --shard 2/2 -o p2",
        "solve in.txt --columns line --shard 1/2 -o p1.jsonl",
        "solve in.txt --columns line --shard 2/2 -o p2.jsonl",
    ] {
        dir.run(arguments).ends(0);
    }

    fs::create_dir(dir.path("folder")).unwrap();
    symlink("in.txt", dir.path("soft")).unwrap();
    symlink(".", dir.path("here")).unwrap();
    fs::hard_link(dir.path("in.txt"), dir.path("hard")).unwrap();
    fs::hard_link(dir.path("p1"), dir.path("twin")).unwrap();
    dir
}

/// The names and contents of everything in the directory.
fn contents(dir: &TestDir) -> BTreeMap<String, Vec<u8>> {
    let names = fs::read_dir(dir.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.map(|name| (name.clone(), fs::read(dir.path(&name)).unwrap_or_default())).collect()
}

/// Whether a message is the expected one, or the part of it that is on the page.
fn is_like(message: &str, expected: &str) -> bool {
    match (expected.strip_prefix("..."), expected.strip_suffix("...")) {
        (Some(words), None) => message.ends_with(words),
        (None, Some(words)) => message.starts_with(words),
        (Some(_), Some(_)) => message.contains(expected.trim_matches('.')),
        (None, None) => message == expected,
    }
}

#[test]
fn the_page_is_what_gridmill_says() {
    let dir = fixture();
    let mut before = contents(&dir);
    let mut page = String::new();
    let mut differences = vec![];
    let mut lines = REFUSALS.lines().peekable();
    while let Some(line) = lines.next() {
        writeln!(page, "{line}").unwrap();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }

        let expected = lines.next_if(|line| line.starts_with("    ")).map_or("", str::trim_start);
        // Notes on the input come before a message, unless they are unwanted.
        let is_quiet = ["pipe", "sheet", "explain", "resolve"].iter().all(|command| !line.starts_with(command));
        let result = dir.run(&if is_quiet { format!("{line} -q") } else { line.to_owned() });
        let message = result.err.trim_end().strip_prefix("gridmill: ").unwrap_or(&result.err);
        let is_right = result.code == Some(2) && is_like(message, expected);
        writeln!(page, "    {}", if is_right { expected } else { message }).unwrap();
        if !is_right {
            differences.push(format!("{line}: exit code {:?}: {message}", result.code));
        }
        let after = contents(&dir);
        if after != before {
            differences.push(format!("{line}: files were changed: {:?}", after.keys()));
            before = after;
        }
    }
    assert!(differences.is_empty(), "{page}\n{} differences:\n{}", differences.len(), differences.join("\n"));
}
