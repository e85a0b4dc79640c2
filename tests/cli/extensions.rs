//! The format of an output follows the extension of its name.

use std::fs;

use crate::{TestDir, UNIQUE, UNIQUE_SOLUTION};

/// How the rows of `solve --columns line` begin in each format.
const CSV: &str = "line\n1\n";
const JSONL: &str = "{\"line\":1}\n";

#[test]
fn rows_have_the_format_of_the_extension() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    let grid = "1234\n4321\n2143\n3412\n";
    for (name, options, rows) in [
        ("a", "--columns line", CSV),
        ("a.csv", "--columns line", CSV),
        ("a.CSV", "--columns line", CSV),
        ("a.rows", "--columns line", CSV),
        ("a.jsonl.rows", "--columns line", CSV),
        ("a.jsonl", "--columns line", JSONL),
        ("a.ndjson", "--columns line", JSONL),
        ("a.txt", "", &format!("{UNIQUE_SOLUTION}\n")),
        // What --to says, where the extension does not say something else.
        ("a", "--to jsonl --columns line", JSONL),
        ("a.json", "--to jsonl --columns line", JSONL),
        ("a.csv", "--to csv --columns line", CSV),
        ("a.jsonl", "--to jsonl --columns line", JSONL),
        ("a.txt", "--to lines", &format!("{UNIQUE_SOLUTION}\n")),
        ("a.txt", "--to grids", grid),
    ] {
        for packed in ["", ".gz", ".zst", ".xz", ".bz2"] {
            dir.run(&format!("solve -q in.txt -o {name}{packed} {options}")).ends(0);
            let found = dir.run_on(fs::read(dir.path(&format!("{name}{packed}"))).unwrap(), "solve -q --from csv");
            if packed.is_empty() {
                assert_eq!(dir.read(name), rows, "{name} {options}");
            } else {
                // Read as any input, and so unpacked.
                assert_ne!(fs::read(dir.path(&format!("{name}{packed}"))).unwrap(), rows.as_bytes(), "{name}{packed}");
                assert_eq!(found.out, dir.run_on(rows, "solve -q --from csv").out, "{name}{packed} {options}");
            }
        }
    }
    let rows = dir.run("solve -q in.txt --columns line -o -").ends(0);
    assert_eq!(rows, CSV);
}

#[test]
fn another_extension_than_the_format_is_refused() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    let other = |name: &str, is: &str, to: &str| {
        let message =
            format!("-o {name} is {is}, but --to {to} was given; give the file another extension, or leave out --to");
        (format!("solve in.txt -o {name} --to {to}"), message)
    };
    let wrong =
        |command: &str, name: &str, message: &str| (format!("{command} -o {name}"), format!("-o {name} is {message}"));
    for (arguments, message) in [
        other("a.csv", "CSV", "jsonl"),
        other("a.csv.gz", "CSV", "lines"),
        other("a.jsonl", "JSON lines", "csv"),
        other("a.ndjson.zst", "JSON lines", "lines"),
        other("a.txt", "text", "csv"),
        other("a.txt", "text", "jsonl"),
        other("a.parquet", "Parquet", "csv"),
        wrong("solve in.txt", "a.parquet.gz", "Parquet, which cannot be written under this name; name it .csv"),
        wrong("canon in.txt", "a.parquet.gz", "Parquet, which cannot be written under this name; name it .csv"),
        wrong(
            "solve in.txt --compress zstd",
            "a.parquet",
            "Parquet, which has its own compression; leave out --compress",
        ),
        wrong("validate in.txt", "a.jsonl", "JSON lines, but validate writes CSV; name it .csv"),
        wrong("canon in.txt", "a.txt.gz", "text, but canon writes CSV; name it .csv"),
        wrong("canon in.txt", "a.ndjson", "JSON lines, but canon writes CSV; name it .csv"),
        wrong("generate -n 1", "a.jsonl", "JSON lines, but generate writes lines or CSV; name it .txt or .csv"),
        wrong("generate -n 1 --with-solution", "a.txt", "text, but --with-solution writes CSV; name it .csv"),
    ] {
        assert_eq!(dir.run(&arguments).fails(), format!("gridmill: {message}"), "{arguments}");
    }
    assert_eq!(
        dir.run("solve in.txt -o a.txt --columns line").fails(),
        "gridmill: the format lines has no columns; --columns and --keep are for csv and jsonl"
    );
    assert_eq!(fs::read_dir(dir.path("")).unwrap().count(), 1, "nothing was written");
    for command in ["validate", "canon"] {
        dir.run(&format!("{command} in.txt -q -o a.csv")).ends(0);
        dir.run(&format!("{command} in.txt -q -o b.rows.gz")).ends(0);
    }
}

#[test]
fn generate_writes_a_table_to_a_file_of_csv() {
    let dir = TestDir::new();
    let puzzles = dir.run("generate -q -n 2 --seed 1").ends(0);
    let table = dir.run("generate -q -n 2 --seed 1 --with-solution").ends(0);
    assert!(table.starts_with("puzzle,solution\n"));
    for (name, option, content) in [
        ("a", "", puzzles.clone()),
        ("a.txt", "", puzzles.clone()),
        ("a.csv", "", format!("puzzle\n{puzzles}")),
        ("a", "--with-solution", table.clone()),
        ("a.csv", "--with-solution", table),
    ] {
        dir.run(&format!("generate -q -n 2 --seed 1 {option} -o {name}")).ends(0);
        assert_eq!(dir.read(name), content, "{name} {option}");
    }
    let rows = dir.run("solve a.csv -q --columns status").ends(0);
    assert_eq!(rows, "status\nunique\nunique\n");
}

/// A resumed run has the format of its file, too.
#[test]
fn the_format_of_the_extension_is_that_of_a_resumed_run() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    for number in [1, 2] {
        dir.run(&format!("solve -q in.txt --columns line --shard {number}/2 -o p{number}.jsonl --resume")).ends(0);
    }
    dir.run("merge -q p1.jsonl p2.jsonl -o all.jsonl").ends(0);
    assert_eq!(dir.read("all.jsonl"), JSONL);
    let error = dir.run("merge -q p1.jsonl p2.jsonl -o all.csv").fails();
    assert_eq!(error, "gridmill: all.csv is CSV by its name, but the shards are jsonl; give it another extension");
}
