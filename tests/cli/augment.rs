//! Augmented corpora: every copy is an isomorph of its puzzle, and its answer solves it.

use std::collections::{HashMap, HashSet};
use std::fs;

use serde_json::{Value, json};

use crate::{MULTIPLE, TestDir, UNIQUE, UNIQUE_SOLUTION};

/// The fields of a table without quotes, without its header.
fn rows(table: &str) -> Vec<Vec<String>> {
    table.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect()).collect()
}

/// The class of each puzzle of a file, in order.
fn classes(dir: &TestDir, file: &str) -> Vec<String> {
    let forms = dir.run(&format!("canon -q {file}")).ends(0);
    rows(&forms).into_iter().map(|row| row[4].clone()).collect()
}

fn corpus(dir: &TestDir, puzzles: usize) {
    dir.run(&format!("generate -q -n {puzzles} --seed 5 --with-solution -o corpus.csv")).ends(0);
}

#[test]
fn copies_are_different_isomorphs_with_their_answers() {
    let dir = TestDir::new();
    corpus(&dir, 30);
    let made = dir.run("augment -q corpus.csv --copies 4 --seed 2 --origin").ends(0);
    assert!(made.starts_with("puzzle,solution,origin\n"));
    dir.write("made.csv", &made);
    let (originals, copies) = (classes(&dir, "corpus.csv"), classes(&dir, "made.csv"));
    let (puzzles, made_rows) = (rows(&dir.read("corpus.csv")), rows(&made));
    assert_eq!((made_rows.len(), copies.len()), (120, 120));
    let mut different: HashSet<&str> = puzzles.iter().map(|row| &*row[0]).collect();
    for (number, (row, class)) in made_rows.iter().zip(&copies).enumerate() {
        // The first record is on line 2.
        assert_eq!(row[2], (number / 4 + 2).to_string());
        assert_eq!(*class, originals[number / 4], "{row:?}");
        assert!(different.insert(&row[0]), "{row:?}");
    }
    // Each answer is judged, and each is right.
    let card = dir.run("validate made.csv --fail-on all -o rows.csv");
    assert!(card.err.contains("answers: 120 right, 0 wrong, 0 bad"), "{}", card.err);
    card.ends(0);

    let again =
        |options: &str| dir.run(&format!("augment -q corpus.csv --copies 4 --seed 2 --origin {options}")).ends(0);
    assert_eq!(again("--threads 5 --chunk 1"), made);
    assert_ne!(
        again("").replacen("seed", "", 1),
        dir.run("augment -q corpus.csv --copies 4 --seed 3 --origin").ends(0)
    );
    // With the puzzles themselves.
    let with_original = rows(&again("--original"));
    assert!(with_original.iter().step_by(5).map(|row| &row[0]).eq(puzzles.iter().map(|row| &row[0])));
    assert!(with_original.iter().enumerate().filter(|(n, _)| n % 5 != 0).map(|(_, row)| row).eq(&made_rows));
}

#[test]
fn kinds_of_isomorphisms_can_be_chosen() {
    let dir = TestDir::new();
    corpus(&dir, 8);
    let puzzles = rows(&dir.read("corpus.csv"));
    let copies = |kind: &str, number: usize| {
        let run = dir.run(&format!("augment corpus.csv --copies {number} --kind {kind}"));
        (run.err.clone(), rows(&run.ends(0)))
    };
    let blanks = |puzzle: &str| -> Vec<bool> { puzzle.bytes().map(|symbol| symbol == b'.').collect() };
    let (_, renamed) = copies("digits", 6);
    assert!(renamed.iter().enumerate().all(|(n, row)| blanks(&row[0]) == blanks(&puzzles[n / 6][0])));
    // Each puzzle has one other transpose.
    let (note, transposed) = copies("transpose", 3);
    assert!(note.contains("8 copies of 8 puzzles") && note.contains("8 puzzles with fewer"), "{note}");
    let transpose =
        |grid: &str| -> String { (0..81).map(|c| char::from(grid.as_bytes()[c % 9 * 9 + c / 9])).collect() };
    assert!(
        transposed.iter().zip(&puzzles).all(|(row, puzzle)| *row == [transpose(&puzzle[0]), transpose(&puzzle[1])])
    );
    // Lines change places within their bands, or bands as they are.
    let lines =
        |grid: &str| -> Vec<String> { grid.as_bytes().chunks(9).map(|l| String::from_utf8_lossy(l).into()).collect() };
    for (kind, number) in [("rows", 20), ("bands", 5), ("columns", 20), ("stacks", 5)] {
        let (_, moved) = copies(kind, number);
        assert_eq!(moved.len(), 8 * number);
        for (n, row) in moved.iter().enumerate() {
            let [new, old] = [&row[1], &puzzles[n / number][1]].map(|grid| match kind {
                "rows" | "bands" => lines(grid),
                _ => lines(&transpose(grid)),
            });
            for band in 0..3 {
                let own: HashSet<&String> = new[3 * band..3 * band + 3].iter().collect();
                match kind {
                    "rows" | "columns" => assert_eq!(own, old[3 * band..3 * band + 3].iter().collect()),
                    _ => assert!(old.chunks(3).any(|other| other == &new[3 * band..3 * band + 3])),
                }
            }
        }
    }
}

/// A puzzle with 17 clues: it has 8 of the digits, and no automorphism.
const SPARSE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

#[test]
fn all_isomorphs_are_found_if_there_are_fewer_than_wanted() {
    let dir = TestDir::new();
    dir.write("one", format!("{SPARSE}\n"));
    // One less than the ways to permute, as the puzzle itself is none of its copies.
    for (kinds, number) in
        [("rows", 216), ("columns", 216), ("bands,stacks", 36), ("bands,columns", 1296), ("rows,transpose", 432)]
    {
        let run = dir.run(&format!("augment one --copies 1e6 --kind {kinds} --no-header"));
        assert!(run.err.contains("1 puzzle with fewer, as these kinds give no more"), "{}", run.err);
        let made = run.ends(0);
        let different: HashSet<&str> = made.lines().collect();
        assert_eq!((made.lines().count(), different.len()), (number - 1, number - 1), "{kinds}");
        assert!(!different.contains(SPARSE), "{kinds}");
    }
    // Puzzles with symmetries.
    for (puzzle, options, number) in
        [("1.2..21.2..1.1.2", "--copies 1", 1), ("1234341243212143", "--copies 5000 --kind columns,bands,stacks", 7)]
    {
        dir.write("symmetric", format!("{puzzle}\n"));
        let made = dir.run(&format!("augment symmetric {options} --no-header")).ends(0);
        assert_eq!(made.lines().collect::<HashSet<_>>().len(), number, "{puzzle}");
    }
    let all = dir.run("augment one --copies 215 --kind rows");
    assert!(!all.err.contains("fewer"), "{}", all.err);
    // One clue can come to 81 cells and be any digit, and a blank grid stays as it is.
    dir.write("few", format!("{}\n{}5\n", ".".repeat(81), ".".repeat(80)));
    let run = dir.run("augment few --copies 1e12");
    assert!(run.err.contains("728 copies of 2 puzzles") && run.err.contains("2 puzzles with fewer"), "{}", run.err);
    assert_eq!(run.ends(0).lines().collect::<HashSet<_>>().len(), 729);
}

#[test]
fn more_copies_begin_with_the_same_ones() {
    let dir = TestDir::new();
    corpus(&dir, 5);
    let copies = |number: usize| rows(&dir.run(&format!("augment -q corpus.csv --copies {number} --seed 9")).ends(0));
    let (few, many) = (copies(3), copies(40));
    assert!(few.chunks(3).zip(many.chunks(40)).all(|(few, many)| few == &many[..3]));
}

/// A record has more rows than fit into a chunk; the first and the last chunk of it are like others.
#[test]
fn the_copies_of_one_record_are_divided_among_threads() {
    let dir = TestDir::new();
    corpus(&dir, 3);
    let text = dir.read("corpus.csv").lines().map(|line| format!("{line},{line}\n")).collect::<Vec<_>>().concat();
    dir.write(
        "wide.csv",
        text.replacen("puzzle,solution,puzzle,solution", "puzzle,solution,note,more", 1) + "no,puzzle,1,2\n",
    );
    let options = "--copies 20_000 --seed 2 --original --origin --keep note --summary s.json";
    let run = |options: &str| {
        let run = dir.run(&format!("augment wide.csv {options}"));
        assert!(run.err.contains("60,000 copies of 3 puzzles in"), "{}", run.err);
        assert!(run.err.contains("; 1 record left out: no puzzle\n") && !run.err.contains("fewer"), "{}", run.err);
        run.ends(0)
    };
    let made = run(&format!("{options} --threads 1"));
    assert_eq!(made.lines().count(), 1 + 3 * 20_001);
    let origins: Vec<&str> = made.lines().skip(1).map(|row| row.split(',').nth(2).unwrap()).collect();
    assert!(origins.chunks(20_001).zip(["2", "3", "4"]).all(|(rows, line)| rows.iter().all(|origin| *origin == line)));
    for other in ["--threads 5", "--threads 3 --chunk 2", "--threads 2 --chunk 65535"] {
        assert!(run(&format!("{options} {other}")) == made, "{other}");
    }
    let summary: Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!(
        (&summary["copies"], &summary["puzzles"], &summary["malformed"]),
        (&json!(60_000), &json!(3), &json!(1))
    );
}

/// The puzzle with the right answer, with one that breaks a rule, with one that changes a clue, and with none.
fn with_wrong_answers(dir: &TestDir) -> [String; 4] {
    corpus(dir, 2);
    let own = rows(&dir.read("corpus.csv"));
    let (puzzle, answer) = (&own[0][0], &own[0][1]);
    let blank = puzzle.find('.').unwrap();
    let mut broken = answer.clone().into_bytes();
    broken[blank] = if broken[blank] == b'9' { b'1' } else { broken[blank] + 1 };
    let broken = String::from_utf8(broken).unwrap();
    let records = [answer, &broken, &own[1][1], ""].map(|answer| format!("{puzzle},{answer}\n"));
    dir.write("answers.csv", format!("puzzle,solution\n{}", records.concat()));
    records
}

#[test]
fn wrong_answers_are_left_out() {
    let dir = TestDir::new();
    let records = with_wrong_answers(&dir);
    let run = dir.run("augment answers.csv --copies 2 --original --summary s.json");
    let words = "2 copies of 1 puzzle in";
    assert!(
        run.err.contains(words)
            && run.err.contains("; 1 record left out: no full grid as its answer; 2 records left out: wrong answer"),
        "{}",
        run.err
    );
    assert_eq!(run.ends(0).lines().nth(1), Some(records[0].trim_end()));
    let summary: Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!((&summary["wrong_answers"], &summary["unanswered"]), (&json!(2), &json!(1)));
    let run = dir.run("augment answers.csv --copies 2 --unchecked");
    assert!(run.err.contains("6 copies of 3 puzzles in") && !run.err.contains("wrong"), "{}", run.err);
    run.ends(0);

    // Of any other format, and into any other.
    dir.run("augment -q answers.csv --copies 0 --original --unchecked -o all.parquet").ends(0);
    dir.run("augment -q answers.csv --copies 0 --original --unchecked -o all.jsonl").ends(0);
    for input in ["all.parquet", "all.jsonl"] {
        for output in ["-o copies.parquet", "-o copies.jsonl", "--to hrm -o set"] {
            let run = dir.run(&format!("augment {input} --copies 2 {output}"));
            assert!(run.err.contains(words) && run.err.contains("; 2 records left out: wrong answer"), "{}", run.err);
            run.ends(0);
        }
    }
    dir.run("validate copies.parquet --fail-on all -o rows.csv").ends(0);
}

#[test]
fn records_without_a_puzzle_or_an_answer_are_left_out_and_counted() {
    let dir = TestDir::new();
    let answered = |puzzle: &str, answer: &str| {
        format!("{{\"puzzle\": \"{puzzle}\", \"solution\": \"{answer}\", \"n\": \"a,b\"}}\n")
    };
    let text = answered(UNIQUE, UNIQUE_SOLUTION) + &answered("12", UNIQUE_SOLUTION) + &answered(UNIQUE, MULTIPLE);
    dir.write("a.jsonl", &text).write("b.txt", format!("{UNIQUE}\n"));
    let run = dir.run("augment a.jsonl --copies 2 --keep n --origin --summary s.json");
    assert!(run.err.contains("2 copies of 1 puzzle in"), "{}", run.err);
    assert!(
        run.err.contains("1 record left out: no puzzle; 1 record left out: no full grid as its answer"),
        "{}",
        run.err
    );
    let made = run.ends(0);
    let summary: Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!(summary["copies"], 2);
    assert_eq!((&summary["malformed"], &summary["unanswered"]), (&json!(1), &json!(1)));
    assert!(made.starts_with("puzzle,solution,origin,n\n"), "{made}");
    assert!(made.lines().skip(1).all(|row| row.ends_with(",1,\"a,b\"")) && made.lines().count() == 3, "{made}");
    // Lines without answers, and several inputs.
    let made = dir.run("augment -q b.txt b.txt --copies 1 --origin").ends(0);
    let origins: Vec<String> = rows(&made).into_iter().map(|row| row[1].clone()).collect();
    assert_eq!(origins, ["b.txt:1", "b.txt:1"]);
    let copies: HashMap<String, usize> = rows(&made).into_iter().fold(HashMap::new(), |mut map, row| {
        *map.entry(row[0].clone()).or_default() += 1;
        map
    });
    assert!(copies.keys().all(|copy| copy != UNIQUE && copy.len() == 16));
}

/// The fields of each object of JSON lines.
fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn copies_are_written_as_json_lines() {
    let dir = TestDir::new();
    corpus(&dir, 5);
    dir.run("solve -q corpus.csv --columns puzzle,solution,line -o corpus.jsonl").ends(0);
    let options = "--copies 3 --seed 2 --origin --original --keep line,puzzle";
    let table = dir.run(&format!("augment -q corpus.jsonl {options}")).ends(0);
    assert!(table.starts_with("puzzle,solution,origin,line,input_puzzle\n"), "{table}");
    dir.run(&format!("augment -q corpus.jsonl {options} -o copies.ndjson.gz")).ends(0);
    dir.run(&format!("augment -q corpus.jsonl {options} -o copies.jsonl")).ends(0);
    let copies = dir.read("copies.jsonl");
    assert_eq!(dir.run(&format!("augment -q corpus.jsonl {options} --to jsonl")).ends(0), copies);
    let expected: Vec<Value> = rows(&table)
        .into_iter()
        .map(|row| {
            let origin: u64 = row[2].parse().unwrap();
            json!({"puzzle": row[0], "solution": row[1], "origin": origin, "line": row[3], "input_puzzle": row[4]})
        })
        .collect();
    assert_eq!((objects(&copies), expected.len()), (expected, 20));
}

/// The numbers of an NPY file, as integers, and its shape. The header is the one that `NumPy` itself writes.
fn npy(dir: &TestDir, name: &str) -> (Vec<i64>, Vec<usize>) {
    let bytes = fs::read(dir.path(name)).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]])) + 10;
    assert_eq!((length % 64, bytes[length - 1]), (0, b'\n'));
    let header = String::from_utf8(bytes[10..length].to_vec()).unwrap();
    let (_, shape) = header.split_once("'fortran_order': False, 'shape': (").unwrap();
    let shape: Vec<usize> =
        shape.split(')').next().unwrap().split(',').filter_map(|number| number.trim().parse().ok()).collect();
    let data = &bytes[length..];
    let numbers: Vec<i64> = if header.contains("'|u1'") {
        data.iter().map(|&byte| byte.into()).collect()
    } else {
        assert!(header.contains("'<i4'"), "{header}");
        data.chunks(4).map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap()).into()).collect()
    };
    assert_eq!(numbers.len(), shape.iter().product::<usize>(), "{name}");
    (numbers, shape)
}

#[test]
fn training_sets_have_the_layout_of_recursive_reasoning_models() {
    let dir = TestDir::new();
    corpus(&dir, 7);
    dir.run("augment -q corpus.csv --copies 3 --seed 4 --to hrm --set test -o set").ends(0);
    let table = rows(&dir.run("augment -q corpus.csv --copies 3 --seed 4 --original").ends(0));
    let cells = |column: usize| -> Vec<i64> {
        let digit = |symbol: u8| if symbol == b'.' { 1 } else { i64::from(symbol - b'0') + 1 };
        table.iter().flat_map(|row| row[column].bytes().map(digit)).collect()
    };
    let file = |name: &str| npy(&dir, &format!("set/test/all__{name}.npy"));
    assert_eq!(file("inputs"), (cells(0), vec![28, 81]));
    assert_eq!(file("labels"), (cells(1), vec![28, 81]));
    assert_eq!(file("puzzle_identifiers"), (vec![0; 28], vec![28]));
    assert_eq!(file("puzzle_indices"), ((0..=28).collect(), vec![29]));
    assert_eq!(file("group_indices"), ((0..=7).map(|group| group * 4).collect(), vec![8]));
    let metadata: Value = serde_json::from_str(&dir.read("set/test/dataset.json")).unwrap();
    for (key, value) in
        [("seq_len", 81), ("vocab_size", 11), ("pad_id", 0), ("ignore_label_id", 0), ("total_groups", 7)]
    {
        assert_eq!(metadata[key], value, "{key}");
    }
    assert_eq!(metadata["sets"], serde_json::json!(["all"]));
    assert_eq!(dir.read("set/identifiers.json"), "[\"<blank>\"]\n");

    // Without answers, the puzzles are solved; those without exactly one solution are left out.
    let puzzles = rows(&dir.read("corpus.csv")).iter().map(|row| row[0].clone() + "\n").collect::<String>();
    dir.write("puzzles", puzzles + &"1".repeat(81) + "\n");
    let run = dir.run("augment puzzles --copies 0 --to hrm -o set");
    assert!(run.err.contains("0 copies of 7 puzzles") && run.err.contains("1 record left out"), "{}", run.err);
    run.ends(0);
    let originals: Vec<i64> = cells(1).chunks(81).step_by(4).flatten().copied().collect();
    assert_eq!(npy(&dir, "set/train/all__labels.npy"), (originals, vec![7, 81]));
    assert_eq!(fs::read_dir(dir.path("set/train")).unwrap().count(), 6);
}

#[test]
fn a_training_set_that_cannot_be_made_leaves_no_file() {
    let dir = TestDir::new();
    dir.write("four", format!("{UNIQUE}\n")).write("none", format!("{MULTIPLE}\n"));
    dir.run("generate -q -n 1 -o nine").ends(0);
    for (inputs, message) in [("four nine", "a set has one size"), ("none", "no record has a puzzle and its solution")]
    {
        let error = dir.run(&format!("augment -q {inputs} --copies 1 --to hrm -o set")).fails();
        assert!(error.contains(message), "{error}");
        assert_eq!(fs::read_dir(dir.path("set/train")).map_or(0, Iterator::count), 0, "{inputs}");
    }
}
