//! Drops repetitions, and checks which records stay.

use std::fmt::Write;
use std::fs;

use crate::corpora::{corpus, isomorph};
use crate::split::{isomorphs_of_all_kinds, planted};
use crate::{MULTIPLE, TestDir, UNIQUE};

#[test]
fn the_first_of_all_isomorphs_is_kept() {
    let dir = TestDir::new();
    let table = planted();
    dir.write("corpus.csv", &table);
    let result = dir.run("dedupe corpus.csv --dropped dropped.csv -o kept.csv --summary s.json");
    assert!(result.err.contains("480 records in"), "{}", result.err);
    assert!(result.err.contains(": 60 kept, 420 dropped"), "{}", result.err);
    result.ends(0);
    let lines: Vec<&str> = table.split_inclusive('\n').collect();
    assert_eq!(dir.read("kept.csv"), lines[..61].concat(), "a puzzle of each class comes first");
    let mut dropped = csv::Reader::from_path(dir.path("dropped.csv")).unwrap();
    assert_eq!(dropped.headers().unwrap(), vec!["line", "repeats_line", "record"]);
    for (row, line) in dropped.records().zip(62..) {
        let row = row.unwrap();
        let repeated = (line - 2) % 60 + 2;
        assert_eq!((&row[0], &row[1]), (&*line.to_string(), &*repeated.to_string()));
        assert_eq!(&row[2], lines[line - 1].trim_end());
    }
    let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!((&summary["kept"], &summary["dropped"]), (&60.into(), &420.into()));

    // Once more, nothing changes, and validate agrees.
    assert_eq!(dir.run("dedupe -q kept.csv").ends(0), dir.read("kept.csv"));
    dir.run("validate -q kept.csv --isomorphs --duplicates --fail-on isomorph,duplicate").ends(0);
    dir.run("validate -q corpus.csv --isomorphs --fail-on isomorph").ends(1);
    // As puzzles, all are different.
    assert_eq!(dir.run("dedupe -q corpus.csv --by puzzle").ends(0), table);
    for options in ["--threads 1", "--threads 3 --chunk 1", "--engine dlx"] {
        assert_eq!(dir.run(&format!("dedupe -q corpus.csv {options}")).ends(0), dir.read("kept.csv"), "{options}");
    }
}

#[test]
fn what_is_the_same_can_be_chosen() {
    /// The 4x4 puzzle upside down.
    const OTHER: &str = "2.4..........3.1";
    let dir = TestDir::new();
    let (puzzle, solution) = &corpus("-n 1 --seed 6")[0];
    let blank = puzzle.find('.').unwrap();
    let easier = format!("{}{}{}", &puzzle[..blank], &solution[blank..=blank], &puzzle[blank + 1..]);
    let zeros = puzzle.replace('.', "0");
    let eight = ".".repeat(64);
    let records = [
        puzzle,
        &isomorph(puzzle, 1),
        &zeros,
        &isomorph(&easier, 2),
        "no puzzle",
        "no puzzle",
        UNIQUE,
        OTHER,
        &eight,
        &eight,
    ];
    dir.write("in.txt", records.join("\n"));
    let kept = |by: &str| {
        let text = dir.run(&format!("dedupe -q in.txt --by {by}")).ends(0);
        text.lines().map(|line| records.iter().position(|record| *record == line).unwrap()).collect::<Vec<_>>()
    };
    // Malformed records repeat nothing. An 8x8 puzzle has no class.
    assert_eq!(kept("puzzle"), [0, 1, 3, 4, 4, 6, 7, 8]);
    assert_eq!(kept("class"), [0, 3, 4, 4, 6, 8, 8]);
    assert_eq!(kept("solution"), [0, 4, 4, 6, 8, 8]);
    let result = dir.run("dedupe in.txt -o kept.txt");
    assert!(result.err.contains("kept without a comparison: 2 malformed, 2 not 4x4, 6x6 or 9x9"), "{}", result.err);
    dir.write("multiple.txt", format!("{MULTIPLE}\n{MULTIPLE}\n"));
    assert_eq!(dir.run("dedupe -q multiple.txt --by puzzle").ends(0), format!("{MULTIPLE}\n"));
}

#[test]
fn the_best_record_of_a_class_can_be_kept() {
    let dir = TestDir::new();
    let puzzles = corpus("-n 2 --seed 8");
    let copies = isomorphs_of_all_kinds(&puzzles[0].0);
    let other = &puzzles[1].0;
    let mut table = "rating,puzzle\n".to_owned();
    for (rating, puzzle) in [
        ("2.5", &copies[0]),
        ("", &copies[1]),
        ("1", other),
        ("10", &copies[2]),
        ("x", &copies[3]),
        ("10.0", &copies[4]),
        ("5e-1", &copies[5]),
        (" 0.5 ", &copies[6]),
    ] {
        writeln!(table, "{rating},{puzzle}").unwrap();
    }
    dir.write("in.csv", &table);
    let lines: Vec<&str> = table.lines().collect();
    let kept = |options: &str| {
        let text = dir.run(&format!("dedupe -q in.csv {options} --dropped dropped.csv")).ends(0);
        let mut table = csv::Reader::from_path(dir.path("dropped.csv")).unwrap();
        let dropped: Vec<String> =
            table.records().map(|row| row.unwrap().iter().take(2).collect::<Vec<_>>().join(">")).collect();
        let kept = text.lines().skip(1).map(|line| lines.iter().position(|other| *other == line).unwrap() + 1);
        (kept.collect::<Vec<_>>(), dropped.join(" "))
    };
    assert_eq!(kept(""), (vec![2, 4], "3>2 5>2 6>2 7>2 8>2 9>2".to_owned()));
    assert_eq!(kept("--keep-max rating"), (vec![4, 5], "2>5 3>5 6>5 7>5 8>5 9>5".to_owned()));
    assert_eq!(kept("--keep-min rating"), (vec![4, 8], "2>8 3>8 5>8 6>8 7>8 9>8".to_owned()));
    let result = dir.run("dedupe in.csv --keep-max rating -o kept.csv");
    assert!(result.err.contains("2 records without a number in the column"), "{}", result.err);
    result.ends(0);
}

#[test]
fn repetitions_across_files_name_the_file() {
    let dir = TestDir::new();
    let puzzles: Vec<String> = corpus("-n 3").into_iter().map(|(puzzle, _)| puzzle).collect();
    dir.write("a.txt", format!("{}\n{}", puzzles[0], puzzles[1]));
    dir.write("b.txt", format!("# a comment\n{}\n{}\n{}", isomorph(&puzzles[1], 1), puzzles[2], puzzles[0]));
    let packed = "dedupe -q a.txt b.txt -o kept.txt.gz --dropped dropped.csv";
    dir.run(packed).ends(0);
    let kept = dir.run("solve -q kept.txt.gz --columns puzzle --no-header").ends(0);
    assert_eq!(kept, puzzles.join("\n") + "\n");
    assert_eq!(
        dir.read("dropped.csv"),
        format!(
            "file,line,repeats_file,repeats_line,record\nb.txt,2,a.txt,2,{}\nb.txt,4,a.txt,1,{}\n",
            isomorph(&puzzles[1], 1),
            puzzles[0]
        )
    );
    assert!(!fs::exists(dir.path("dropped.csv.partial")).unwrap());
}
