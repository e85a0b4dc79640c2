//! `--card` and `--croissant`: the data set is described in files, and no check that was not made looks like a pass.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::TestDir;

/// Runs a command, which must succeed.
#[track_caller]
fn run(directory: &TestDir, arguments: &str) {
    directory.run(arguments).ends(0);
}

/// The header and the page.
fn card(directory: &TestDir, name: &str) -> (String, String) {
    let text = directory.read(name);
    let (header, page) = text.strip_prefix("---\n").unwrap().split_once("\n---\n").unwrap();
    (header.to_owned(), page.to_owned())
}

fn croissant(directory: &TestDir, name: &str) -> Value {
    serde_json::from_str(&directory.read(name)).unwrap()
}

/// The result of a check in a table.
fn result<'a>(page: &'a str, property: &str) -> &'a str {
    let row = page.lines().find(|line| line.starts_with(&format!("| {property} |")));
    row.unwrap_or_else(|| panic!("{property} is not in {page}")).split(" | ").nth(1).unwrap()
}

pub(super) fn sha256_of(directory: &TestDir, name: &str) -> String {
    let bytes = Sha256::digest(directory.read_bytes(name));
    bytes.iter().fold(String::new(), |digits, byte| format!("{digits}{byte:02x}"))
}

/// Other readers do not leave out white space.
#[test]
fn columns_have_the_names_of_the_header() {
    let directory = TestDir::new();
    directory.write("in.csv", " puzzle ,\" the note \"\n1.3..........4.2,a\n");
    run(&directory, "validate in.csv -q --croissant c.json -o rows.csv");
    let metadata = croissant(&directory, "c.json");
    let fields = metadata["recordSet"].as_array().unwrap().iter().flat_map(|set| set["field"].as_array().unwrap());
    let columns: Vec<_> = fields.filter_map(|field| field["source"]["extract"]["column"].as_str()).collect();
    assert_eq!(columns, [" puzzle ", " the note "]);
}

#[test]
fn generated_puzzles_are_described() {
    let directory = TestDir::new();
    std::fs::create_dir(directory.path("data")).unwrap();
    run(
        &directory,
        "generate -n 30 --seed 7 --size 4x4 --with-solution -o data/set.csv --card README.md --croissant croissant.json -q",
    );

    let (header, page) = card(&directory, "README.md");
    for line in [
        "pretty_name: \"Generated 4x4 Sudoku puzzles\"",
        "- n<1K",
        "  - split: \"train\"\n    path: \"data/set.csv\"",
        "  - name: \"puzzle\"\n    dtype: string\n  - name: \"solution\"\n    dtype: string",
        "    num_examples: 30",
    ] {
        assert!(header.contains(line), "{line} is not in {header}");
    }
    assert!(!header.contains("license"), "nobody knows the licence");
    assert!(page.contains("| `seed` | `7` |") && page.contains("| `count` | `30` |"), "{page}");
    assert!(page.contains("| `solution` | text | its solution in one line |"), "{page}");
    assert_eq!(result(&page, "each puzzle has exactly one solution"), "yes, by construction");
    assert_eq!(result(&page, "every clue is needed"), "yes, in all puzzles");
    assert_eq!(result(&page, "no two puzzles are isomorphic"), "not checked");

    let file = &croissant(&directory, "croissant.json")["distribution"][0];
    assert_eq!(file["contentUrl"], "data/set.csv");
    assert_eq!(file["encodingFormat"], "text/csv");
    assert_eq!(file["sha256"], Value::from(sha256_of(&directory, "data/set.csv")));
    assert!(page.contains(file["sha256"].as_str().unwrap()));
}

#[test]
fn what_was_asked_for_is_what_holds() {
    let directory = TestDir::new();
    run(
        &directory,
        "generate -n 5 --size 4x4 --clues 8 --distinct -o few.jsonl --card README.md --croissant c.json -q",
    );
    let (_, page) = card(&directory, "README.md");
    assert_eq!(result(&page, "every clue is needed"), "not checked");
    assert_eq!(result(&page, "no two puzzles are isomorphic"), "yes");
    assert!(!page.contains("each solution"), "there are none: {page}");
    assert_eq!(croissant(&directory, "c.json")["distribution"][0]["encodingFormat"], "application/jsonlines");

    // Lines have one column; an array has none.
    run(&directory, "generate -n 5 --size 16x16 --clues 150 -o large.txt --croissant c.json -q");
    let field = &croissant(&directory, "c.json")["recordSet"][0]["field"][0];
    assert_eq!(field["source"]["extract"]["fileProperty"], "lines");
    run(&directory, "generate -n 5 --size 4x4 -o few.npy --card README.md --croissant c.json -q");
    assert_eq!(croissant(&directory, "c.json")["recordSet"], Value::Array(vec![]));
    assert!(!card(&directory, "README.md").0.contains("configs"), "the hub has no loader for arrays");

    // The columns of the rows, in their order; the puzzle may be left out.
    run(&directory, "generate -n 5 --size 4x4 --columns clues,solution -o few.csv.gz --croissant c.json -q");
    let metadata = croissant(&directory, "c.json");
    let names: Vec<&Value> = metadata["recordSet"][0]["field"].as_array().unwrap().iter().map(|f| &f["name"]).collect();
    assert_eq!(names, ["clues", "solution"]);
    assert_eq!(metadata["distribution"][0]["encodingFormat"], json!(["text/csv", "application/gzip"]));
}

#[test]
fn parts_are_splits_without_leaks() {
    let directory = TestDir::new();
    run(&directory, "generate -n 60 --size 4x4 --with-solution -o all.csv -q");
    directory.write("all.csv", directory.read("all.csv") + "nonsense,\n");
    run(
        &directory,
        "split all.csv --parts train=0.5,hold-out=0.5 -o parts --card parts/README.md --croissant parts/c.json -q",
    );

    let (header, page) = card(&directory, "parts/README.md");
    assert!(header.contains("- split: \"train\"\n    path: \"train.csv\""), "{header}");
    assert!(header.contains("- split: \"hold_out\"\n    path: \"hold-out.csv\""), "{header}");
    let metadata = croissant(&directory, "parts/c.json");
    let splits: Vec<&Value> = metadata["recordSet"].as_array().unwrap().iter().map(|set| &set["@id"]).collect();
    assert_eq!(splits, ["train", "hold_out"]);
    assert_eq!(result(&page, "no puzzle has an isomorph in another split"), "yes, by construction");
    assert_eq!(result(&page, "no puzzle has an isomorphic solution in another split"), "not checked");
    assert!(page.contains("1 record of the inputs cannot be compared"), "{page}");
    assert!(page.contains(&sha256_of(&directory, "all.csv")), "the input has a checksum: {page}");

    run(&directory, "split all.csv --folds 2 --by puzzle -o folds --card folds/README.md -q");
    let (header, page) = card(&directory, "folds/README.md");
    assert!(header.contains("fold_1") && header.contains("fold_2"), "{header}");
    assert_eq!(result(&page, "no puzzle has an isomorph in another split"), "not checked");
}

#[test]
fn copies_are_described() {
    let directory = TestDir::new();
    run(&directory, "generate -n 9 --with-solution -o set.csv -q");
    run(&directory, "augment set.csv --copies 3 --seed 2 --origin -o more.csv --card README.md -q");
    let (header, page) = card(&directory, "README.md");
    assert!(header.contains("num_examples: 27") && header.contains("- name: \"origin\"\n    dtype: int64"), "{header}");
    assert!(page.contains("27 random isomorphs of 9 Sudoku puzzles."), "{page}");
    assert_eq!(result(&page, "each puzzle has exactly one solution"), "not checked");
    let answers = "where the inputs have answers, each solution is a full grid that keeps the clues and breaks no rule";
    assert_eq!(result(&page, answers), "yes");

    run(&directory, "augment set.csv --copies 3 --unchecked -o more.csv --card README.md -q");
    assert_eq!(result(&card(&directory, "README.md").1, answers), "not checked");
}

#[test]
fn checks_say_what_was_found() {
    let directory = TestDir::new();
    // A sound record, one twice, a wrong answer, several solutions, and no puzzle.
    let good = "1.3..........4.2,1234432121433412";
    let test = format!(
        "puzzle,solution,level\n{good},1\n{good},2\n1.3..........4.2,1234432121433421,3\n1...............,,\nx,y,\n"
    );
    directory.write("test.csv", test);
    let validate = |options: &str| {
        directory.run(&format!("validate test.csv -o rows.csv --card README.md -q {options}")).ends(1);
        card(&directory, "README.md")
    };

    let (header, page) = validate("");
    assert!(
        header.contains("- split: \"test\"") && header.contains("- name: \"level\"\n    dtype: float64"),
        "{header}"
    );
    assert_eq!(result(&page, "each record is a puzzle"), "no: 1 of 5 records are none");
    assert_eq!(result(&page, "each puzzle has exactly one solution"), "no: 3 of 4 puzzles; 1 with several solutions");
    assert!(result(&page, "the answers are right").starts_with("no: 2 of "), "{page}");
    for property in ["every clue is needed", "no puzzle occurs twice", "no two different puzzles are isomorphic"] {
        assert_eq!(result(&page, property), "not checked");
    }
    assert_eq!(result(&page, "no puzzle is in other data, such as a training set"), "not checked");
    assert_eq!(result(&page, "the data set as a whole"), "not checked");
    assert!(page.contains("does not say who made them"), "{page}");

    directory.write("train.csv", format!("puzzle\n{}\n", &good[..16]));
    let (_, page) = validate("--duplicates --isomorphs --audit --against train.csv");
    assert_eq!(result(&page, "no puzzle occurs twice"), "no: 2 records repeat an earlier one");
    let leaks = result(&page, "no puzzle is in the data that it was compared with");
    assert!(leaks.starts_with("no: 3 as they are"), "{leaks}");
    assert!(result(&page, "the data set as a whole").starts_with("alarm: "), "{page}");
}

#[test]
fn several_files_are_splits() {
    let directory = TestDir::new();
    run(&directory, "generate -n 5 --size 4x4 --with-solution -o train.csv -q");
    run(&directory, "generate -n 5 --size 4x4 --seed 1 --columns puzzle -o test.csv -q");
    run(&directory, "validate train.csv test.csv -o rows.csv --card README.md -q");
    // The hub loads files together only if they have the same columns.
    let header = card(&directory, "README.md").0;
    assert!(header.contains("- config_name: \"train\"") && header.contains("- config_name: \"test\""), "{header}");
    assert!(!header.contains("default"), "{header}");
}

#[test]
fn what_cannot_be_described_is_refused() {
    let directory = TestDir::new();
    directory.write("set.csv", "puzzle\n1.3..........4.2\n");
    std::fs::create_dir(directory.path("cards")).unwrap();
    for (arguments, reason) in [
        ("generate -n 1 --card README.md", "--card describes a file, and the rows go to standard output"),
        ("generate -n 1 --croissant c.json -o -", "--croissant describes a file, and the rows go to standard output"),
        ("generate -n 1 -o a.csv --no-header --card README.md", "leave out --no-header"),
        ("generate -n 1 -o /dev/null --card /dev/README.md", "/dev/null is not a file"),
        (
            "generate -n 1 -o a.csv --card cards/README.md",
            "--card cards/README.md can describe files in its folder, or below; a.csv",
        ),
        ("generate -n 1 -o README.csv --card README.csv", "README.csv"),
        ("augment set.csv --copies 1 --to hrm -o cards --card README.md", "leave out --card"),
        ("augment set.csv --copies 1 --card README.md", "name a file with -o"),
        ("split set.csv --folds 2 -o . -q --card cards/README.md", "in its folder, or below"),
        ("validate set.csv --shard 1/2 -o rows.csv --card README.md", "leave out --shard"),
        ("validate - -o rows.csv --card README.md", "standard input is not a file"),
        ("validate set.csv -o rows.csv --card set.csv", "set.csv"),
    ] {
        let message = directory.run(arguments).fails();
        assert!(message.contains(reason), "{arguments}: {message}");
    }
    let names: Vec<_> =
        std::fs::read_dir(directory.path(".")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing was written: {names:?}");
}

#[test]
fn what_holds_of_no_puzzles_is_not_checked() {
    let directory = TestDir::new();
    directory.write("bad.txt", "x\ny\n").write("empty.csv", "");
    for (input, puzzles) in [("bad.txt", "no: 2 of 2 records are none"), ("empty.csv", "not checked")] {
        let checks = "--duplicates --isomorphs --audit --fail-on not-minimal --minimal";
        directory.run(&format!("validate {input} --from lines {checks} -o rows.csv --card README.md -q")).ends(0);
        let (_, page) = card(&directory, "README.md");
        assert_eq!(result(&page, "each record is a puzzle"), puzzles, "{input}");
        for what in [
            "each puzzle has exactly one solution",
            "the answers are right",
            "no puzzle occurs twice",
            "no two different puzzles are isomorphic",
            "the data set as a whole",
        ] {
            assert_eq!(result(&page, what), "not checked", "{input}: {what}");
        }
    }
}
