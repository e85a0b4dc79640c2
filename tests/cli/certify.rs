//! Passes and failures of test sets.

use std::fs;

use serde_json::Value;

use super::TestDir;
use super::card::sha256_of;

/// A training set, a test set without leaks, and copies of the training set.
fn sets() -> TestDir {
    let dir = TestDir::new();
    dir.run("generate -q -n 30 --seed 1 --clues 30 --with-solution -o train.csv").ends(0);
    dir.run("generate -q -n 20 --seed 2 --clues 30 --with-solution -o test.csv").ends(0);
    dir.run("augment -q train.csv --copies 1 --seed 3 -o copies.csv").ends(0);
    dir
}

/// The fields of the records of a table.
fn rows(dir: &TestDir, file: &str) -> Vec<[String; 2]> {
    let text = dir.read(file);
    let row = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>().try_into().unwrap();
    text.lines().skip(1).map(row).collect()
}

/// Writes a table of 30 records.
fn write(dir: &TestDir, file: &str, header: &str, line: impl Fn(usize) -> String) {
    dir.write(file, format!("{header}\n") + &(0..30).map(|record| line(record) + "\n").collect::<String>());
}

/// The page of a test set that fails.
fn failed(dir: &TestDir, arguments: &str) -> String {
    let page = dir.run(&format!("certify {arguments} -q")).ends(1);
    assert!(page.starts_with("# Certificate: failed\n\n- failure: "), "{arguments}: {page}");
    page
}

const LEAK: &str = "\n- failure: 20 records: an isomorph of the solution is in the training set\n";

/// Without the line with the date.
fn without_date(page: &str) -> String {
    page.lines()
        .filter(|line| !line.contains("gridmill 0.") && !line.contains("\"date\""))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_certificate_is_a_page_an_object_and_an_exit_code() {
    let dir = sets();
    let page = dir.run("certify test.csv --train train.csv -q --summary out.json").ends(0);
    let expected = "\
# Certificate: passed

| 20 test records            |     number |   share |
|:---------------------------|-----------:|--------:|
| one solution               |         20 |   100 % |
| right answer               |         20 |   100 % |
| repeats a training puzzle  |          0 |     0 % |
| repeats an isomorph of one |          0 |     0 % |
| repeats a training grid    |          0 |     0 % |
| repeats a test puzzle      |          0 |     0 % |
| repeats an isomorph of one |          0 |     0 % |

- largest class of solutions: 5 %
- test: `test.csv`, 20 puzzles, 3,296 bytes, SHA-256 `";
    assert!(page.starts_with(expected), "{page}");
    let found: Value = serde_json::from_str(&dir.read("out.json")).unwrap();
    assert_eq!((&found["passed"], &found["records"]), (&Value::Bool(true), &Value::from(20)));
    assert_eq!(found["scorecard"]["against_records"], 30);

    // The test set may be on standard input, and its puzzles are rated on request.
    let rated = dir.run_on(dir.read("test.csv"), "certify - --train train.csv --ratings -q").ends(0);
    assert!(rated.contains("| medium ") && rated.contains("\n- test: `-`, 20 puzzles\n"), "{rated}");

    let failed = failed(&dir, "copies.csv --train train.csv");
    assert!(failed.contains("| repeats an isomorph of one |         30 |   100 % |\n"), "{failed}");
    assert!(failed.contains("\n- failure: 30 records: an isomorph is in the training set\n"), "{failed}");
}

#[test]
fn equal_inputs_have_equal_certificates() {
    let dir = sets();
    let arguments = "certify test.csv --train train.csv copies.csv -q";
    let page = dir.run(arguments).ends(0);
    for name in ["test.csv", "train.csv", "copies.csv"] {
        let line = page.lines().find(|line| line.contains(&format!("`{name}`"))).unwrap_or_default().to_owned();
        let (bytes, sum) = (dir.read(name).len(), sha256_of(&dir, name));
        assert_eq!(line.replace(',', "").rsplit_once(" puzzles ").unwrap().1, format!("{bytes} bytes SHA-256 `{sum}`"));
    }
    assert!(page.contains("\n- options: engine `auto:"), "{page}");
    let last = page.lines().last().unwrap();
    assert!(
        last.starts_with(&format!("- gridmill {}, 20", env!("CARGO_PKG_VERSION"))) && last.ends_with('Z'),
        "{last}"
    );

    dir.run(&format!("{arguments} -o out.md --threads 1")).ends(0);
    assert_eq!(without_date(&dir.read("out.md")), without_date(&page));
    for (name, threads) in [("out.json", 1), ("again.json", 2)] {
        dir.run(&format!("{arguments} -o {name} --threads {threads}")).ends(0);
    }
    assert_eq!(without_date(&dir.read("out.json")), without_date(&dir.read("again.json")));
    assert!(dir.read("out.json").starts_with("{\n  \"passed\": true,"));
    dir.run("certify test.csv --train train.csv -q -o train.csv").fails();
}

#[test]
fn both_sets_are_named() {
    let dir = sets();
    for arguments in ["", "train.csv", "train.csv test.csv", "--train train.csv test.csv"] {
        let error = dir.run(&format!("certify {arguments}")).fails();
        let usage = "name the files of the test set, then the files of the training set: gridmill certify TEST... --train TRAIN...";
        assert!(error.contains(usage), "{arguments}: {error}");
    }
}

#[test]
fn shards_are_one_set() {
    let dir = sets();
    dir.run("convert train.csv --keep all -q -o train.parquet").ends(0);
    dir.run("convert test.csv --keep all -q -o test.csv.gz").ends(0);
    let page = dir.run("certify test.csv test.csv.gz --train copies.csv train.parquet -q").ends(1);
    assert!(page.contains("| repeats a test puzzle      |         20 |    50 % |\n"), "{page}");
    assert!(page.contains("\n- failure: 50 % of the puzzles repeat an earlier one"), "{page}");
    assert!(page.contains("| repeats a training grid    |          0 |     0 % |\n"), "{page}");
    for leaking in ["copies.csv train.csv", "train.csv copies.csv"] {
        let page = failed(&dir, &format!("test.csv train.csv --train {leaking}"));
        assert!(page.contains("\n- failure: 30 records: the puzzle is in the training set\n"), "{page}");
    }
}

#[test]
fn the_grids_of_other_puzzles_are_found_in_files_and_in_sets() {
    let dir = sets();
    // One clue more, so that no puzzle is an isomorph.
    let test = rows(&dir, "test.csv");
    write(&dir, "other.csv", "puzzle,solution", |record| {
        let [puzzle, solution] = &test[record % 20];
        let blank = puzzle.bytes().position(|cell| !cell.is_ascii_digit() || cell == b'0').unwrap();
        format!("{}{}{},{solution}", &puzzle[..blank], &solution[blank..=blank], &puzzle[blank + 1..])
    });
    dir.write("key", [7; 32]);
    dir.run("classes other.csv -q -o other.classes").ends(0);
    dir.run("classes other.csv -q --class-key key -o keyed.classes").ends(0);
    for train in ["other.csv", "train.csv other.csv", "train.csv other.classes", "keyed.classes --class-key key"] {
        assert!(failed(&dir, &format!("test.csv --train {train}")).contains(LEAK), "{train}");
    }

    // A set without grids finds isomorphs only.
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/version-1.classes"), dir.path("old.classes")).unwrap();
    let words = "- failure: a set of classes has no grids to compare: make it again with `gridmill classes`\n";
    let page = failed(&dir, "test.csv --train old.classes");
    assert!(page.contains(words), "{page}");
}

#[test]
fn labels_and_other_columns_of_the_training_set_are_looked_at() {
    let dir = sets();
    let (train, test) = (rows(&dir, "train.csv"), rows(&dir, "test.csv"));
    let solution = |record: usize| &test[record % 20][1];
    write(&dir, "labels.csv", "puzzle,solution", |record| format!("{},{}", train[record][0], solution(record)));
    write(&dir, "column.csv", "id,puzzle,gold", |record| format!("{record},{},{}", train[record][0], solution(record)));
    write(&dir, "list.jsonl", "", |record| {
        let cells: Vec<String> = solution(record).chars().map(String::from).collect();
        let [puzzle, answer] = &train[record];
        format!(r#"{{"puzzle":"{puzzle}","solution":"{answer}","meta":{{"grid":[{}]}}}}"#, cells.join(","))
    });
    for file in ["labels", "column"] {
        dir.run(&format!("convert {file}.csv --keep all -q -o {file}.parquet")).ends(0);
    }
    for file in ["labels.csv", "labels.parquet", "column.csv", "column.parquet", "list.jsonl"] {
        assert!(failed(&dir, &format!("test.csv --train {file}")).contains(LEAK), "{file}");
    }
    dir.run("classes column.csv -q -o train.classes").ends(0);
    assert!(failed(&dir, "test.csv --train train.classes").contains(LEAK));

    // Puzzles and free text in other columns are not compared, except the puzzle itself.
    write(&dir, "own.csv", "id,puzzle,dots,solution", |record| {
        let [puzzle, answer] = &train[record];
        format!("{},{puzzle},{},{answer}", 1_700_000_000_000_000 + record, puzzle.replace('0', "."))
    });
    dir.run("certify test.csv --train own.csv -q").ends(0);
    let only_late = |record: usize| if record < 29 { "" } else { &test[0][0] };
    write(&dir, "aug.csv", "puzzle,puzzle_aug", |record| format!("{},{}", train[record][0], only_late(record)));
    write(&dir, "text.csv", "puzzle,text", |record| format!("{},so: {}!", train[record][0], test[record % 20][0]));
    dir.run("convert aug.csv --keep all -q -o aug.parquet").ends(0);
    // The sample with the keys does not reach the last record.
    write(&dir, "late.jsonl", "", |record| {
        let (note, key) = ("so ".repeat(1300), if record < 29 { "id" } else { "aug" });
        format!(r#"{{"puzzle":"{}","note":"{note}","{key}":"{}"}}"#, train[record][0], only_late(record))
    });
    for (file, column) in [
        ("aug.csv", "puzzle_aug"),
        ("aug.parquet", "puzzle_aug"),
        ("text.csv", "text"),
        ("late.jsonl", "a key of later records"),
    ] {
        let fault = format!("column '{column}' of {file} has puzzles not compared: ");
        let page = failed(&dir, &format!("test.csv --train train.csv {file} --allow-malformed"));
        assert!(page.contains(&format!("\n- failure: {fault}")), "{page}");
    }
    let error = dir.run("classes aug.csv -q -o none.classes").fails();
    assert!(error.contains("the set would be incomplete: column 'puzzle_aug' of aug.csv has puzzles"), "{error}");
}

#[test]
fn small_sizes_are_compared_as_they_are() {
    let dir = TestDir::new();
    for size in ["4x4", "6x6"] {
        let made = |seed| format!("generate -q -n 40 --seed {seed} --size {size} --with-solution -o {seed}.csv");
        dir.run(&made(1)).ends(0);
        dir.run(&made(2)).ends(0);
        let page = dir.run("certify 2.csv --train 1.csv -q").ends(0);
        let note = format!("\n- note: {size} puzzles are compared as they are: any two sets share classes\n");
        assert!(page.contains(&note), "{page}");
        let page = failed(&dir, "2.csv --train 1.csv 2.csv");
        assert!(page.contains("\n- failure: 40 records: the puzzle is in the training set\n"), "{page}");
        dir.run("classes 1.csv -q -o 1.classes").ends(0);
        let page = failed(&dir, "2.csv --train 1.classes");
        assert!(page.contains("\n- failure: 4x4 and 6x6 puzzles cannot be compared with sets of classes\n"), "{page}");
    }
}

#[test]
fn a_set_of_classes_stands_for_a_training_set_and_for_old_puzzles() {
    let dir = sets();
    dir.write("key", [7; 32]);
    dir.run("classes train.csv -q --class-key key -o train.classes").ends(0);
    let page = dir.run("certify test.csv --train train.classes --class-key key -q").ends(0);
    assert!(page.contains("\n- training: `train.classes`, 30 puzzles, "), "{page}");
    failed(&dir, "copies.csv --train train.classes --class-key key");
    let error = dir.run("certify test.csv --train train.classes -q").fails();
    assert!(error.contains("its classes are hashed with a key, which is not given"), "{error}");

    // A set says as much about old puzzles as these do.
    dir.run("generate -q -n 40 --seed 5 --size 4x4 -o old.txt").ends(0);
    dir.run("classes old.txt -q --class-key key -o old.classes").ends(0);
    let made = |old: &str| dir.run(&format!("generate -q -n 5 --seed 6 --size 4x4 --not-in {old}")).ends(0);
    assert_eq!(made("old.classes --class-key key"), made("old.txt"));
    assert_ne!(made("old.txt"), dir.run("generate -q -n 5 --seed 6 --size 4x4").ends(0));
    let error = dir.run("generate -q -n 5 --class-key key").fails();
    assert!(error.contains("--not-in"), "{error}");
}

#[test]
fn a_check_that_is_not_made_is_a_failure() {
    let dir = sets();
    dir.run("generate -q -n 2 --seed 1 --size 16x16 --clues 140 --with-solution -o large.csv").ends(0);
    let test = rows(&dir, "test.csv");
    let of = |line: fn(&[String; 2]) -> String| test.iter().map(line).collect::<String>();
    dir.write("puzzles.csv", of(|[puzzle, _]| format!("{puzzle}\n")));
    dir.write("full.csv", "puzzle,solution\n".to_owned() + &of(|[_, solution]| format!("{solution},{solution}\n")));
    dir.write("broken.csv", dir.read("train.csv") + "x,1\n").write("empty.csv", "puzzle,solution\n");
    // All but two clues of a puzzle are missing: it has several solutions, and its grid is not known.
    dir.write("open.txt", format!("12{}\n", ".".repeat(79)));
    for (sets, failure) in [
        ("puzzles.csv --train train.csv", "20 records: without an answer"),
        ("test.csv puzzles.csv --train train.csv", "20 records: without an answer"),
        ("puzzles.csv test.csv --train train.csv", "20 records: without an answer"),
        ("full.csv --train train.csv", "20 records: without a blank: nothing is asked"),
        ("test.csv --train train.csv open.txt --max-branches 1", "1 record: without a class in the training set"),
        (
            "test.csv --train broken.csv",
            "1 of 31 records of broken.csv is malformed; it is on line 32: 1 cell; a puzzle has 16, 36, 64, 81, 100, 144, \
             256 or 625",
        ),
        ("large.csv --train train.csv", "classes of 16x16 are not computed"),
        ("test.csv --train large.csv", "2 records: without a class in the training set"),
        ("empty.csv --train train.csv", "the test set has no puzzle"),
    ] {
        let page = failed(&dir, sets);
        assert!(page.contains(&format!("\n- failure: {failure}\n")), "{sets}: {page}");
    }
    let page = dir.run("certify test.csv --train broken.csv open.txt --allow-malformed -q").ends(0);
    assert!(page.contains("\n- training: `broken.csv`, 30 puzzles, 1 record malformed, "), "{page}");
    assert!(page.contains("\n- note: 1 training puzzle without a known solution to compare\n"), "{page}");
    let error = dir.run("certify test.csv --train empty.csv -q").fails();
    assert!(error.contains("empty.csv has no records"), "{error}");
}
