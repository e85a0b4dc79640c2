//! Splits corpora, and checks that records are copied as they are, and that groups stay together.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::fs;

use sha2::{Digest, Sha256};

use crate::corpora::{corpus, isomorph};
use crate::{TestDir, UNIQUE};

const PARTS: [&str; 3] = ["train", "val", "test"];

/// Isomorphs of a 9x9 puzzle, one of each kind, and one of all kinds at once.
pub(crate) fn isomorphs_of_all_kinds(puzzle: &str) -> Vec<String> {
    let cells = puzzle.as_bytes();
    // The image has in row r and column c the cell of the given row and column.
    let moved = |from: &dyn Fn(usize, usize) -> (usize, usize)| {
        let cell = |index: usize| {
            let (row, column) = from(index / 9, index % 9);
            char::from(cells[9 * row + column])
        };
        (0..81).map(cell).collect::<String>()
    };
    let digit = |symbol: char| symbol.to_digit(10).map_or(symbol, |digit| char::from(b'1' + (digit % 9) as u8));
    // Rows 0 and 2, or bands 0 and 2, change places.
    let within = |line: usize| [2, 1, 0, 3, 4, 5, 6, 7, 8][line];
    let blocks = |line: usize| (line + 6) % 9 / 3 * 3 + line % 3;
    vec![
        puzzle.chars().map(digit).collect(),
        moved(&|row, column| (within(row), column)),
        moved(&|row, column| (row, within(column))),
        moved(&|row, column| (blocks(row), column)),
        moved(&|row, column| (row, blocks(column))),
        moved(&|row, column| (column, row)),
        isomorph(puzzle, 7),
    ]
}

/// Puzzles with all their isomorphs of [`isomorphs_of_all_kinds`], a kind after the other: CSV with a number and a
/// source, and some fields in quotes.
pub(crate) fn planted() -> String {
    let puzzles: Vec<Vec<String>> = corpus("-n 60 --seed 5")
        .into_iter()
        .map(|(puzzle, _)| [vec![puzzle.clone()], isomorphs_of_all_kinds(&puzzle)].concat())
        .collect();
    let mut text = "id,puzzle,source\r\n".to_owned();
    for kind in 0..puzzles[0].len() {
        for (number, puzzle) in puzzles.iter().enumerate() {
            let source = if number % 7 == 0 { "\"a \"\"b\"\", c\"" } else { "x" };
            write!(text, "{},{},{source}\r\n", 100 * kind + number, puzzle[kind]).unwrap();
        }
    }
    text
}

/// The lines of each part; all have the same header.
fn parts(dir: &TestDir, names: &[&str], extension: &str) -> Vec<Vec<String>> {
    let text = |name: &&str| dir.read(&format!("out/{name}.{extension}"));
    names.iter().map(|name| text(name).split_inclusive('\n').map(str::to_owned).collect()).collect()
}

/// Checks that the parts are the lines of `all`, in order and each in one of them.
#[track_caller]
fn check_partition(all: &[String], parts: &[Vec<String>]) {
    let mut left: Vec<&[String]> = parts.iter().map(Vec::as_slice).collect();
    for line in all {
        let part = left.iter_mut().find(|part| part.first() == Some(line));
        let part = part.unwrap_or_else(|| panic!("{line:?} is in no part, or not in order"));
        *part = &part[1..];
    }
    assert!(left.iter().all(|part| part.is_empty()), "nothing else is in the parts");
}

/// The exit code of a search for leaks of each part into each other.
fn leaks(dir: &TestDir, names: &[&str]) -> Vec<Option<i32>> {
    let pairs = names.iter().flat_map(|test| names.iter().map(move |train| (test, train)));
    let search = |(test, train): (&&str, &&str)| {
        dir.run(&format!("validate -q out/{test}.csv --against out/{train}.csv --isomorphs --fail-on leak")).code
    };
    pairs.filter(|(test, train)| test != train).map(search).collect()
}

#[test]
fn no_isomorph_of_a_puzzle_is_in_another_part() {
    let dir = TestDir::new();
    dir.write("corpus.csv", planted());
    let split = |by: &str| {
        dir.run(&format!("split -q corpus.csv --parts train=0.5,val=0.25,test=0.25 --by {by} -o out")).ends(0);
        leaks(&dir, &PARTS)
    };
    for by in ["class", "solution"] {
        assert_eq!(split(by), vec![Some(0); 6]);
        // The isomorphs of a puzzle have the same number, but for hundreds.
        let mut part_of = HashMap::new();
        for (part, lines) in PARTS.iter().zip(parts(&dir, &PARTS, "csv")) {
            for line in &lines[1..] {
                let id: usize = line.split(',').next().unwrap().parse().unwrap();
                assert_eq!(part_of.entry(id % 100).or_insert(part), &part, "{by}: {line}");
            }
        }
    }
    assert!(parts(&dir, &PARTS, "csv").iter().all(|lines| lines.len() > 50), "all parts have records");
    // The test would find them.
    assert_eq!(split("puzzle"), vec![Some(1); 6]);
}

/// Also if they are written in another way.
#[test]
fn the_same_puzzle_is_in_one_part_only() {
    let dir = TestDir::new();
    let mut text = "puzzle,n\n".to_owned();
    for (number, (puzzle, _)) in corpus("-n 60 --seed 7").into_iter().enumerate() {
        write!(text, "{puzzle},{number}\n{},{number}\n", puzzle.replace('.', "0")).unwrap();
    }
    dir.write("corpus.csv", text);
    dir.run("split -q corpus.csv --parts a=0.5,b=0.5 --by puzzle -o out").ends(0);
    for part in parts(&dir, &["a", "b"], "csv") {
        let numbers: Vec<&str> = part[1..].iter().map(|line| line.split(',').nth(1).unwrap()).collect();
        assert!(numbers.len() > 20 && numbers.chunks(2).all(|pair| pair[0] == pair[1]), "{numbers:?}");
    }
}

/// Two puzzles on the same solution are not isomorphs, and yet one gives the other away.
#[test]
fn puzzles_with_isomorphic_solutions_stay_together_on_request() {
    let dir = TestDir::new();
    let mut text = "puzzle\n".to_owned();
    for (puzzle, solution) in corpus("-n 60 --seed 6") {
        let blank = puzzle.find('.').unwrap();
        let easier = format!("{}{}{}", &puzzle[..blank], &solution[blank..=blank], &puzzle[blank + 1..]);
        write!(text, "{puzzle}\n{}\n", isomorph(&easier, 3)).unwrap();
    }
    dir.write("corpus.csv", text);
    let split = |by: &str| {
        dir.run(&format!("split -q corpus.csv --parts a=0.5,b=0.5 --by {by} -o out")).ends(0);
        leaks(&dir, &["a", "b"])
    };
    assert_eq!(split("solution"), vec![Some(0); 2]);
    assert_eq!(split("class"), vec![Some(1); 2]);
}

#[test]
fn records_of_any_format_are_copied_as_they_are() {
    let dir = TestDir::new();
    let table = planted();
    let puzzles: Vec<&str> = table.lines().skip(1).map(|row| row.split(',').nth(1).unwrap()).collect();
    let line = |(n, puzzle): (usize, &&str)| format!("{n}. {puzzle}  # {n}\n");
    let lines: String = puzzles.iter().enumerate().map(line).collect();
    let object = |(n, puzzle): (usize, &&str)| format!("{{\"n\": {n}, \"puzzle\":\"{puzzle}\"}}\n");
    let objects: String = puzzles.iter().enumerate().map(object).collect();
    for (name, text, header) in [("corpus.csv", &*table, 1), ("corpus.txt", &lines, 0), ("corpus.jsonl", &objects, 0)] {
        let all: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        dir.write(name, text);
        dir.run(&format!("split -q {name} --parts train=80%,val=rest,test=0.1 -o out")).ends(0);
        let mut found = parts(&dir, &PARTS, name.split_once('.').unwrap().1);
        for part in &mut found {
            assert_eq!(part.drain(..header).collect::<String>(), all[..header].concat(), "{name}");
            assert!(part.len() > 10, "{name}");
        }
        check_partition(&all[header..], &found);
        assert!(!fs::exists(dir.path(&format!("out/unsplit.{}", &name[7..]))).unwrap());

        // Standard input has no name, and the compression is kept.
        let packed = dir.run(&format!("split -q {name} --parts all=1.0 -o packed-{{part}}-{name}.gz"));
        assert_eq!(packed.ends(0), "");
        let packed = fs::read(dir.path(&format!("packed-all-{name}.gz"))).unwrap();
        dir.run_on(&packed, "split -q --parts train=80%,val=rest,test=0.1 -o unnamed").ends(0);
        let extension = name.split_once('.').unwrap().1;
        for (part, lines) in PARTS.iter().zip(&found) {
            let result = dir.run(&format!("solve -q unnamed/{part}.{extension}.gz --columns line --no-header"));
            assert_eq!(result.ends(0).lines().count(), lines.len(), "{name}");
        }
    }
}

#[test]
fn a_part_depends_on_the_class_and_the_seed_only() {
    let dir = TestDir::new();
    let table = planted();
    let mut rows: Vec<&str> = table.split_inclusive('\n').collect();
    let header = rows.remove(0);
    dir.write("corpus.csv", &table);
    let split = |files: &str, options: &str| {
        dir.run(&format!("split -q {files} --parts train=0.5,val=0.25,test=0.25 -o out {options}")).ends(0);
        parts(&dir, &PARTS, "csv")
    };
    let expected = split("corpus.csv", "--seed 1");
    for options in ["--seed 1 --threads 1 --chunk 1", "--seed 1 --threads 3 --chunk 7", "--seed 1 --engine dlx"] {
        assert!(split("corpus.csv", options) == expected, "{options}");
    }
    assert!(split("corpus.csv", "--seed 2") != expected);
    assert!(split("corpus.csv", "") != expected);
    // Another order, and other files.
    rows.reverse();
    let (first, second) = rows.split_at(100);
    dir.write("first.csv", header.to_owned() + &first.concat());
    dir.write("second.csv", header.to_owned() + second.concat().trim_end());
    let reversed = split("first.csv second.csv", "--seed 1");
    for (part, reversed) in expected.iter().zip(reversed) {
        let (mut all, mut lines) = (part.clone(), reversed);
        all.sort();
        lines.iter_mut().filter(|line| !line.ends_with('\n')).for_each(|line| line.push_str("\r\n"));
        lines.sort();
        assert!(all == lines);
    }
    // A smaller corpus: its records are in the parts where they are in the larger one.
    for (part, smaller) in expected.iter().zip(split("first.csv", "--seed 1")) {
        assert!(smaller.iter().all(|line| part.contains(line)));
    }
}

/// As the documentation describes it, for others.
#[test]
fn the_part_can_be_computed_from_the_class() {
    let dir = TestDir::new();
    dir.write("corpus.csv", planted());
    dir.run("split -q corpus.csv --parts train=0.5,val=0.25,test=0.25 --seed 42 -o out").ends(0);
    let forms = dir.run("canon -q corpus.csv").ends(0);
    let mut parts_of_puzzles = HashMap::new();
    for (name, part) in PARTS.iter().zip(parts(&dir, &PARTS, "csv")) {
        parts_of_puzzles.extend(part.iter().skip(1).map(|row| (row.split(',').nth(1).unwrap().to_owned(), *name)));
    }
    for row in csv::Reader::from_reader(forms.as_bytes()).records() {
        let row = row.unwrap();
        let hash = Sha256::digest(format!("42:{}", &row[4]));
        let share = u64::from_be_bytes(hash[..8].try_into().unwrap()) as f64 / 2_f64.powi(64);
        let expected = ["train", "train", "val", "test"][(share * 4.0) as usize];
        assert_eq!(parts_of_puzzles[&row[1]], expected);
    }
}

#[test]
fn records_without_a_class_have_a_file_of_their_own() {
    let dir = TestDir::new();
    let long = format!("{}{}", "1".repeat(81), "x".repeat(3 << 20));
    let nines: Vec<String> = corpus("-n 2").into_iter().map(|(puzzle, _)| puzzle).collect();
    let [eight, ten] = [64, 100].map(|cells| ".".repeat(cells));
    let all = [&nines[0], &eight, "no puzzle", &long, &ten, &"1".repeat(81), &nines[1]];
    dir.write("in.txt", all.join("\n"));
    let result = dir.run("split in.txt --parts a=0.5,b=0.5 -o out --summary s.json");
    for words in ["7 records", "unsplit           4  2 malformed, 2 not 4x4, 6x6 or 9x9"] {
        assert!(result.err.contains(words), "{}", result.err);
    }
    assert_eq!(result.ends(0), "");
    let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!(summary["unsplit"], serde_json::json!({"malformed": 2, "not 4x4, 6x6 or 9x9": 2}));
    assert_eq!(dir.read("out/unsplit.txt"), [&eight, "no puzzle", &long, &ten, ""].join("\n"));
    check_partition(
        &[format!("{}\n", nines[0]), format!("{}\n", "1".repeat(81)), nines[1].clone()],
        &parts(&dir, &["a", "b"], "txt"),
    );
    // The last has no solution, so its class is unknown if solutions have to differ; puzzles are known of any size.
    dir.run("split in.txt --parts a=0.5,b=0.5 --by solution -o solutions").ends(0);
    assert_eq!(dir.read("solutions/unsplit.txt").lines().count(), 5);
    dir.run("split in.txt --parts a=0.5,b=0.5 --by puzzle -o puzzles").ends(0);
    assert_eq!(dir.read("puzzles/unsplit.txt").lines().count(), 2);
    dir.write("good.txt", &nines[0]);
    dir.run("split good.txt --parts a=0.5,b=0.5 -o good").ends(0);
    assert!(!fs::exists(dir.path("good/unsplit.txt")).unwrap());
}

#[test]
fn grids_and_integers_can_be_read_again() {
    let dir = TestDir::new();
    let puzzles: Vec<String> = corpus("-n 20").into_iter().map(|(puzzle, _)| puzzle).collect();
    let grid = |(number, puzzle): (usize, &String)| {
        let rows: Vec<&str> = (0..9).map(|row| &puzzle[9 * row..9 * row + 9]).collect();
        format!("Grid {number}\n{}\n", rows.join("\n"))
    };
    let grids: String = puzzles.iter().enumerate().map(grid).collect();
    let numbers = |puzzle: &String| {
        let cells: Vec<String> = puzzle.replace('.', "0").chars().map(String::from).collect();
        format!("3\n{}\n", cells.join(" "))
    };
    let ints: String = puzzles.iter().map(numbers).collect();
    for (format, text) in [("grids", grids), ("ints", ints)] {
        dir.write("in.txt", text);
        dir.run(&format!("split -q in.txt --from {format} --folds 3 -o out")).ends(0);
        let mut found = vec![];
        for fold in 1..=3 {
            let rows = dir.run(&format!("solve -q out/fold-{fold}.txt --columns puzzle,status --no-header")).ends(0);
            found.extend(rows.lines().map(|row| row.replace('0', ".")));
        }
        found.sort();
        let mut expected: Vec<String> = puzzles.iter().map(|puzzle| format!("{puzzle},unique")).collect();
        expected.sort();
        assert_eq!(found, expected, "{format}");
    }
}

#[test]
fn parts_can_have_exact_sizes() {
    let dir = TestDir::new();
    let table = planted();
    dir.write("corpus.csv", &table);
    let sizes = || parts(&dir, &PARTS, "csv").iter().map(|part| part.len() - 1).collect::<Vec<_>>();
    let result = dir.run("split corpus.csv --parts train=rest,val=80,test=40 --seed 1 -o out");
    assert!(result.err.contains("480 records"), "{}", result.err);
    result.ends(0);
    assert_eq!(sizes(), [360, 80, 40]);
    assert_eq!(leaks(&dir, &PARTS), vec![Some(0); 6]);
    let all: Vec<String> = table.split_inclusive('\n').skip(1).map(str::to_owned).collect();
    let found = parts(&dir, &PARTS, "csv");
    check_partition(&all, &found.iter().map(|part| part[1..].to_vec()).collect::<Vec<_>>());
    // Nothing of this depends on threads and chunks.
    dir.run("split -q corpus.csv --parts train=rest,val=80,test=40 --seed 1 -o out --threads 1 --chunk 5").ends(0);
    assert!(parts(&dir, &PARTS, "csv") == found);
    // Others are left out, and that is said.
    let result = dir.run("split corpus.csv --parts train=16,val=8,test=8 -o out");
    assert!(result.err.contains("448 records in no part"), "{}", result.err);
    assert_eq!(sizes(), [16, 8, 8]);
    // Each class has eight records.
    let error = dir.run("split -q corpus.csv --parts train=81,val=rest -o other").fails();
    assert!(
        error.contains("train should have 81 records, but no more than 80 of those left can go into it"),
        "{error}"
    );
    let error = dir.run_on(&table, "split -q --parts train=8 -o other").fails();
    assert!(error.contains("- would have to be read twice"), "{error}");
}

fn names(dir: &TestDir) -> Vec<String> {
    let names = fs::read_dir(dir.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn a_split_that_cannot_be_made_leaves_no_file() {
    let dir = TestDir::new();
    dir.write("corpus.csv", format!("puzzle\n{UNIQUE}\nrubbish\n"));
    let error = dir.run("split -q corpus.csv --by puzzle --parts a=1,b=1 -o {part}.csv.gz").fails();
    assert!(error.contains("b should have 1 records, but no more than 0 of those left can go into it"), "{error}");
    assert_eq!(names(&dir), ["corpus.csv"]);
    dir.run_on(dir.read("corpus.csv"), "split -q --parts a=1 -o {part}.csv").fails();
    assert_eq!(names(&dir), ["corpus.csv"]);
    #[cfg(feature = "parquet")]
    {
        dir.run("solve -q corpus.csv -o rows.parquet").ends(0);
        let error = dir.run("split -q rows.parquet --by puzzle --parts a=5,b=rest -o {part}.parquet").fails();
        assert!(error.contains("a should have 5 records, but no more than 1 of those left can go into it"), "{error}");
        assert_eq!(names(&dir), ["corpus.csv", "rows.parquet"]);
    }
}

/// Who reads all files of the folder would take it for a part. Of records that are not split, it is not known before the end
/// whether there are any.
#[test]
fn a_folder_with_other_parts_is_refused() {
    let dir = TestDir::new();
    let puzzles: String = corpus("-n 40").into_iter().map(|(puzzle, _)| puzzle + "\n").collect();
    dir.write("in.txt", &puzzles).write("bad.txt", format!("{puzzles}rubbish\n"));
    let split = |options: &str| dir.run(&format!("split -q {options}"));
    let refused = |path: &str| {
        format!("gridmill: {path} is not a part of this split; move it away, or give the output another name")
    };

    // The same parts are replaced.
    split("in.txt --folds 4 -o out").ends(0);
    split("in.txt --folds 4 --seed 1 -o out").ends(0);
    let first = dir.read("out/fold-1.txt");
    assert_eq!(split("in.txt --folds 3 -o out").fails(), refused("out/fold-4.txt"));
    assert_eq!(dir.read("out/fold-1.txt"), first);

    // Files of another kind and inputs are not taken for parts, and with a pattern others do not matter.
    fs::remove_file(dir.path("out/fold-4.txt")).unwrap();
    dir.write("out/README.md", "precious\n").write("out/.notes.txt", "precious\n");
    split("in.txt --folds 3 -o out").ends(0);
    fs::rename(dir.path("in.txt"), dir.path("out/in.txt")).unwrap();
    split("out/in.txt --folds 3 -o out").ends(0);
    fs::rename(dir.path("out/in.txt"), dir.path("in.txt")).unwrap();
    split("in.txt --folds 2 -o out/{part}.txt").ends(0);
    assert!(dir.path("out/fold-3.txt").exists());

    for (output, unsplit) in [("new", "new/unsplit.txt"), ("{part}.txt", "unsplit.txt")] {
        split(&format!("bad.txt --folds 2 -o {output}")).ends(0);
        for input in ["in.txt", "bad.txt"] {
            assert_eq!(split(&format!("{input} --folds 2 -o {output}")).fails(), refused(unsplit));
            assert_eq!(dir.read(unsplit), "rubbish\n");
        }
    }
}

#[test]
fn a_split_leaves_no_empty_directory() {
    let dir = TestDir::new();
    let puzzle = corpus("-n 1").remove(0).0;
    dir.write("in.txt", &puzzle);
    dir.run("split -q in.txt --folds 2 -o p/{part}/{part}.txt").ends(0);
    let mut made: Vec<String> =
        fs::read_dir(dir.path("p")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    made.sort();
    assert_eq!(made, ["fold-1", "fold-2"]);
    dir.run("split -q in.txt --parts a=3 -o a/b").fails();
    dir.run("split -q in.txt --parts a=1.0 -o a/{part}.csv").fails();
    let error = dir.run("split -q in.txt --folds 2 -o -").fails();
    assert_eq!(
        error,
        "gridmill: parts are not written to standard output; name a directory, or a file with {part} in its name"
    );
    dir.write("none.csv", "puzzle\n");
    dir.run("augment -q none.csv --copies 1 --to hrm -o set").ends(2);
    dir.run("augment -q in.txt --copies 1 --to hrm -o -").fails();
    assert_eq!(names(&dir), ["in.txt", "none.csv", "p"]);
}

#[cfg(unix)]
#[test]
fn a_split_that_is_stopped_before_its_first_record_leaves_no_file() {
    let dir = TestDir::new();
    dir.write("corpus.csv", "puzzle\n");
    let mut child = dir.start("split -q corpus.csv - --folds 2 -o {part}.csv");
    let input = child.stdin.take();
    dir.wait_for("fold-2.csv.partial.json", 1);
    crate::signals::wait_for_work(&child, 300);
    crate::signals::send("INT", &child);
    let result = crate::signals::wait(child);
    assert_eq!(result.code, Some(130), "{}", result.err);
    assert_eq!(names(&dir), ["corpus.csv"]);
    drop(input);
}

#[test]
fn every_part_gets_its_share_of_each_value() {
    let dir = TestDir::new();
    dir.write("corpus.csv", planted());
    for parts in ["train=0.5,test=0.5", "train=240,test=rest"] {
        let split = format!("split corpus.csv --parts {parts} --stratify source -o out --summary s.json");
        let result = dir.run(&split);
        assert!(result.err.contains("source              records     train      test"), "{}", result.err);
        let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
        result.ends(0);

        let values = summary["values"]["values"].as_array().unwrap();
        let mut counts = BTreeMap::new();
        for (part, name) in ["train", "test"].iter().enumerate() {
            for value in values {
                let count = value["parts"][part].as_u64().unwrap();
                counts.insert((*name, value["value"].as_str().unwrap()), count);
                // A class has eight records, all with the same value.
                let all = value["parts"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum::<u64>();
                assert!(count.abs_diff(all / 2) <= 8, "{name}: {value}");
            }
        }
        let mut expected = BTreeMap::new();
        let records = |name: &str| {
            let rows = csv::Reader::from_path(dir.path(&format!("out/{name}.csv"))).unwrap().into_records();
            rows.map(Result::unwrap).collect::<Vec<_>>()
        };
        for name in ["train", "test"] {
            for row in records(name) {
                let value = if &row[2] == "x" { "x" } else { "a \"b\", c" };
                *expected.entry((name, value)).or_default() += 1;
            }
        }
        assert_eq!(counts, expected);
        assert_eq!(leaks(&dir, &["train", "test"]), vec![Some(0); 2]);

        // Threads, chunks and the order of the records do not matter.
        let before = ["train", "test"].map(records);
        dir.run(&format!("{split} -q --threads 1 --chunk 7")).ends(0);
        assert!(["train", "test"].map(records) == before);
        let table = planted();
        let (header, rows) = table.split_once('\n').unwrap();
        let reversed: String = rows.split_inclusive('\n').rev().collect();
        dir.write("reversed.csv", format!("{header}\n{reversed}"));
        dir.run(&format!("{split} -q").replace("corpus", "reversed")).ends(0);
        for (name, mut before) in ["train", "test"].into_iter().zip(before) {
            before.reverse();
            assert!(records(name) == before, "{name}");
        }
    }
    let error = dir.run("split -q corpus.csv --folds 2 --stratify rating -o other").fails();
    assert!(error.contains("'rating'"), "{error}");
    let error = dir.run_on(planted(), "split -q --folds 2 --stratify source -o other").fails();
    assert!(error.contains("- would have to be read twice"), "{error}");
    let many: Vec<String> = (0..10_001).map(|number| format!("{UNIQUE},{number}\n")).collect();
    dir.write("many.csv", format!("puzzle,id\n{}", many.concat()));
    dir.run("split -q many.csv --by puzzle --folds 2 --stratify id --bins 0,5000,1e4 --summary s.json -o binned")
        .ends(0);
    let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    let values: Vec<_> = summary["values"]["values"].as_array().unwrap().iter().map(|value| &value["value"]).collect();
    assert_eq!(values, ["5000..10000", "0..5000"]);
    let error = dir.run("split -q many.csv --by puzzle --folds 2 --stratify id -o other").fails();
    assert_eq!(
        error,
        "gridmill: the column id has more than 10000 values; only a column of categories, or bins of numbers, can be stratified"
    );
}

/// As the documentation describes it, for others.
#[test]
fn the_part_of_a_stratum_can_be_computed() {
    let dir = TestDir::new();
    dir.write("corpus.csv", planted());
    let parts = "--parts train=0.5,val=0.25,test=0.25";
    dir.run(&format!("split -q corpus.csv {parts} --stratify source --seed 42 -o out")).ends(0);
    let forms = dir.run("canon -q corpus.csv --keep source").ends(0);
    let hash = |text: &str| {
        let hash = Sha256::digest(format!("42:{text}"));
        u64::from_be_bytes(hash[..8].try_into().unwrap())
    };
    let mut parts_of_puzzles = HashMap::new();
    for (name, part) in PARTS.iter().zip(self::parts(&dir, &PARTS, "csv")) {
        parts_of_puzzles.extend(part.iter().skip(1).map(|row| (row.split(',').nth(1).unwrap().to_owned(), *name)));
    }

    let mut strata: BTreeMap<String, BTreeMap<u64, Vec<String>>> = BTreeMap::new();
    for row in csv::Reader::from_reader(forms.as_bytes()).records() {
        let row = row.unwrap();
        let groups = strata.entry(row[row.len() - 1].to_owned()).or_default();
        groups.entry(hash(&row[4])).or_default().push(row[1].to_owned());
    }
    assert_eq!(strata.len(), 2);
    for (value, groups) in strata {
        let (mut before, all) = (0.0, groups.values().map(Vec::len).sum::<usize>() as f64);
        let point = hash(&value) as f64 / 2_f64.powi(64);
        for puzzles in groups.into_values() {
            let rank = (before + point * puzzles.len() as f64) / all;
            let expected = ["train", "train", "val", "test"][(rank * 4.0) as usize];
            assert!(puzzles.iter().all(|puzzle| parts_of_puzzles[puzzle] == expected), "{value}: {rank}");
            before += puzzles.len() as f64;
        }
    }
}

/// The header is that of the first input, also if it has no records.
#[test]
fn an_input_without_records_has_no_rows() {
    let dir = TestDir::new();
    dir.write("empty.csv", "");
    let empty = dir.run("dedupe -q empty.csv");
    assert!(empty.err.contains("empty.csv has no records"), "{}", empty.err);
    assert_eq!(empty.ends(0), "");
}
