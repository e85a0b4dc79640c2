//! JSON lines as input.

use crate::{MULTIPLE, TestDir, UNIQUE, UNIQUE_SOLUTION, data};

/// A puzzle as an array of integers.
fn array(puzzle: &str) -> String {
    let cells: Vec<String> = puzzle.chars().map(|cell| cell.to_digit(10).unwrap_or(0).to_string()).collect();
    format!("[{}]", cells.join(", "))
}

/// A puzzle as an array of rows.
fn rows(puzzle: &str) -> String {
    let rows: Vec<String> = puzzle.as_bytes().chunks(4).map(|row| array(str::from_utf8(row).unwrap())).collect();
    format!("[{}]", rows.join(", "))
}

#[test]
fn every_line_is_a_record() {
    let dir = TestDir::new();
    let zeros = UNIQUE.replace('.', "0");
    let input = format!(
        "\u{feff}{{\"puzzle\":\"{UNIQUE}\"}}\r\n\r\n{{\"id\": 1, \"puzzle\": {}}}\n{{\"puzzle\": {}}}\n\
         {{\"puzzle\": 5}}\n{{\"id\": 2}}\nnonsense\n{{\"puzzle\": \"1.3\"}}\n{{\"puzzle\": \"{MULTIPLE}\"",
        array(UNIQUE),
        rows(UNIQUE)
    );
    let result = dir.run_on(input, "solve --columns line,puzzle,status,detail --no-header");
    assert!(result.err.starts_with("gridmill: -: JSON lines, puzzle in key 'puzzle', 4x4, blanks '.' and '0'\n"));
    let cut = format!("{{\"puzzle\": \"{MULTIPLE}\"");
    let expected = [
        format!("1,{UNIQUE},unique,"),
        format!("3,{zeros},unique,"),
        format!("4,{zeros},unique,"),
        "5,5,malformed,the value is a number; a grid is a string or an array of integers".to_owned(),
        "6,\"{\"\"id\"\": 2}\",malformed,the object does not have the key of the puzzle".to_owned(),
        "7,nonsense,malformed,column 2: the line is not valid JSON here; it may have been cut off".to_owned(),
        "8,1.3,malformed,\"3 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"".to_owned(),
        format!(
            "9,\"{}\",malformed,column {}: the line is not valid JSON here; it may have been cut off",
            cut.replace('"', "\"\""),
            cut.len()
        ),
    ];
    assert_eq!(result.ends(0).lines().collect::<Vec<_>>(), expected);
}

#[test]
fn keys_are_columns() {
    let dir = TestDir::new();
    let object = |id: &str, puzzle| format!("{{\"id\": {id}, \"cells\": \"{puzzle}\", \"tags\": [\"a,b\", 1]}}\n");
    dir.write(
        "in.jsonl",
        object("7", UNIQUE) + &object("\"x\\n\\u00e9\"", MULTIPLE) + &object("null", UNIQUE) + "{}\n",
    );
    let kept = dir.run("solve -q in.jsonl --puzzle-column Cells --keep id,tags --columns status").ends(0);
    let tags = "\"[\"\"a,b\"\", 1]\"";
    assert_eq!(
        kept,
        format!("status,id,tags\nunique,7,{tags}\nmultiple,\"x\né\",{tags}\nunique,,{tags}\nmalformed,,\n")
    );
    let kept = dir.run("solve -q in.jsonl --puzzle-column cells --keep id --columns line --to jsonl").ends(0);
    let expected = ["\"7\"", "\"x\\né\"", "\"\"", "\"\""];
    let lines: Vec<_> =
        expected.iter().zip(1..).map(|(id, line)| format!("{{\"line\":{line},\"id\":{id}}}\n")).collect();
    assert_eq!(kept, lines.concat());
}

#[test]
fn inputs_of_other_formats_may_come_before_and_after() {
    let dir = TestDir::new();
    dir.write("a.csv", format!("id,puzzle\n1,{UNIQUE}\n"))
        .write("b.jsonl", format!("{{\"puzzle\":\"{MULTIPLE}\",\"id\":2}}"));
    dir.write("c.txt", format!("{UNIQUE}\n"));
    let rows = dir.run("solve -q a.csv b.jsonl --keep id --columns file,line,status").ends(0);
    assert_eq!(rows, "file,line,status,id\na.csv,2,unique,1\nb.jsonl,1,multiple,2\n");
    let rows = dir.run("solve -q c.txt b.jsonl a.csv --columns file,status").ends(0);
    assert_eq!(rows, "file,status\nc.txt,unique\nb.jsonl,multiple\na.csv,unique\n");
}

/// What `solve` writes is solved again, to the same rows.
#[test]
fn what_is_written_is_read() {
    let dir = TestDir::new();
    let columns = "--columns puzzle,status,solutions,solution,detail";
    for (name, options) in [("mixed.txt", "--limit 3"), ("16x16.txt", "--max-branches 0"), ("4x4.txt", "--all")] {
        let path = data(name);
        for to in ["csv", "jsonl"] {
            dir.run(&format!("solve -q {path} --to jsonl -o first.jsonl {options}")).ends(0);
            let first = dir.run(&format!("solve -q {path} --to {to} {columns} {options}")).ends(0);
            let again = dir.run(&format!("solve -q first.jsonl --to {to} {columns} {options}")).ends(0);
            assert_eq!(again, first, "{name}");
        }
    }
    dir.run(&format!("solve -q {} -o first.jsonl", data("easy.txt"))).ends(0);
    let result = dir.run("validate first.jsonl");
    assert!(result.err.contains("puzzle in key 'puzzle', answer in key 'solution'"), "{}", result.err);
    assert!(result.err.contains("answers: 1,000 right, 0 wrong, 0 bad"), "{}", result.err);
}

#[test]
fn answers_are_judged() {
    let dir = TestDir::new();
    let wrong = "1234341221434321";
    let line = |answer: &str| format!("{{\"puzzle\": \"{UNIQUE}\", \"answer\": {answer}}}\n");
    let lines = [
        line(&format!("\"{UNIQUE_SOLUTION}\"")),
        line(&array(UNIQUE_SOLUTION)),
        line(&rows(UNIQUE_SOLUTION)),
        line(&format!("\"{wrong}\"")),
        line("null"),
        line("7"),
        format!("{{\"puzzle\": \"{UNIQUE}\"}}\r\n"),
        "{\"puzzle\": 1}".to_owned(),
    ];
    dir.write("in.jsonl", lines.concat());
    let rows = dir.run("validate -q in.jsonl --rejects bad.jsonl").ends(1);
    let found: Vec<Vec<&str>> = rows.lines().skip(1).map(|row| row.split(',').collect()).collect();
    let column = |index: usize| found.iter().map(|row| row[index]).collect::<Vec<_>>();
    let bad = "bad-answer";
    assert_eq!(column(2), ["sound", "sound", "sound", bad, bad, bad, bad, "malformed"]);
    assert!(column(4)[3].contains("answer: r4c2 is 3"), "{rows}");
    assert_eq!(
        column(4)[4..7],
        [
            "answer: missing",
            "answer: the value is a number; a grid is a string or an array of integers",
            "answer: missing"
        ]
    );
    assert_eq!(dir.read("bad.jsonl"), lines[3..].concat());
    let again = dir.run("validate -q bad.jsonl --answer-column answer").ends(1);
    assert_eq!(again.lines().count(), 6);
    let unnamed = format!("{{\"puzzle\": \"{UNIQUE}\", \"x\": \"{UNIQUE_SOLUTION}\"}}\n");
    let result = dir.run_on(unnamed, "validate");
    assert!(result.err.contains("; key 'x' looks like answers, --answer-column checks it"), "{}", result.err);
}

#[test]
fn runs_are_sharded_resumed_and_canonised() {
    let dir = TestDir::new();
    let puzzles = dir.run("generate -n 9000 --clues 40 -q").ends(0);
    let object = |(id, puzzle): (usize, &str)| format!("{{\"id\":{id},\"puzzle\":\"{puzzle}\"}}\n");
    dir.write("in.jsonl", puzzles.lines().enumerate().map(object).collect::<String>()).write("in.txt", &puzzles);
    let run = |options: &str| dir.run(&format!("solve -q --columns line,puzzle,solution {options}")).ends(0);
    run("in.jsonl --keep id -o all.csv");
    for shard in [1, 2] {
        run(&format!("in.jsonl --keep id --shard {shard}/2 -o part-{shard}.csv"));
    }
    dir.run("merge -q part-1.csv part-2.csv -o merged.csv").ends(0);
    let all = dir.read("all.csv");
    assert_eq!(dir.read("merged.csv"), all);
    let of_lines = run("in.txt");
    let same = all.lines().skip(1).zip(of_lines.lines().skip(1)).enumerate();
    assert_eq!(same.filter(|(id, (kept, row))| **kept == format!("{row},{id}")).count(), 9000);
    // The first run is stopped by the limit of the size of its output.
    #[cfg(unix)]
    {
        let arguments = "solve -q in.jsonl --columns line,puzzle,solution --keep id -o resumed.csv";
        let broken = dir.shell("ulimit -f 1000; RUN", arguments).output().unwrap();
        assert_eq!(broken.status.code(), Some(2));
        dir.run(&format!("{arguments} --resume")).ends(0);
        assert_eq!(dir.read("resumed.csv"), all);
    }
    assert_eq!(dir.run("canon -q in.jsonl").ends(0), dir.run("canon -q in.txt").ends(0));
}

/// Arrays, objects in many lines and answers of web services: records are the values at one place.
#[test]
fn records_are_found_in_documents() {
    let dir = TestDir::new();
    let indented = |text: &str| text.replace('[', "[\n ").replace(", ", ",\n  ").replace(']', "\n]");
    let strings = |puzzle: &str| array(puzzle).replace('0', "\".\"");
    let (one, two) = (
        format!("{{\"puzzle\": {}, \"id\": 1}}", rows(UNIQUE)),
        format!("{{\"puzzle\": {}, \"id\": 2}}", rows(MULTIPLE)),
    );
    let in_key = "JSON, puzzle in key 'puzzle', 4x4, blank '0'";
    for (text, said) in [
        (format!("[{one}, {two}]"), in_key),
        (format!("[\n{one},\n{two}\n]\n"), in_key),
        (indented(&format!("[{one}, {two}]")), in_key),
        (format!("{}\n{}", indented(&one), indented(&two)), in_key),
        (format!("{{\"page\": {{\"rows\": [{one}, {two}]}}, \"total\": 2}}"), in_key),
        (
            format!("{{\"newboard\": {{\"grids\": [{one}, {two}]}}}}").replace("puzzle", "value"),
            "JSON, puzzle in key 'value', found by its content, 4x4, blank '0'",
        ),
        (format!("[{}, {}]", rows(UNIQUE), rows(MULTIPLE)), "JSON, puzzle in each array or text, 4x4, blank '0'"),
        (
            format!("[{}, {}]", array(UNIQUE), indented(&array(MULTIPLE))),
            "JSON, puzzle in each array or text, 4x4, blank '0'",
        ),
        (
            format!("{{\"easy\": [\"{UNIQUE}\"], \"hard\": [\"{MULTIPLE}\"]}}"),
            "JSON, puzzle in each array or text, 4x4, blank '.'",
        ),
        (format!("{}\n{}\n", rows(UNIQUE), strings(MULTIPLE)), "lines of 4x4, blanks '0' and '.'"),
    ] {
        let result = dir.run_on(&text, "solve --columns status --no-header");
        assert!(result.err.starts_with(&format!("gridmill: -: {said}\n")), "{text}\n{}", result.err);
        assert_eq!(result.ends(0), "unique\nmultiple\n", "{text}");
    }
    let lines =
        dir.run_on(indented(&format!("[{one}, {two}]")), "solve -q --columns line --keep id --no-header").ends(0);
    let second = indented(&format!("[{one}")).lines().count() + 1;
    assert_eq!(lines, format!("2,1\n{second},2\n"));
}

#[test]
fn cells_may_be_texts_and_one_puzzle_has_one_blank() {
    let cells = |blank: &str| {
        UNIQUE
            .chars()
            .map(|cell| if cell == '.' { blank.to_owned() } else { format!("\"{cell}\"") })
            .collect::<Vec<_>>()
    };
    let objects = |blank: &str| {
        let rows: Vec<_> = cells(blank).chunks(4).map(|row| format!("[{}]", row.join(", "))).collect();
        format!("{{\"board\": [{}]}}\n{{\"board\": [{}]}}\n", cells(blank).join(","), rows.join(", "))
    };
    let mut input: String = ["\".\"", "\"\"", "\" \"", "null", "\"0\"", "0", "-1"].map(objects).concat();
    input += &objects("null").replace('3', "0");
    input += &objects("-1").replace("\"3\"", "0");
    let rows = TestDir::new().run_on(input, "solve -q --columns status,detail --no-header").ends(0);
    let (good, bad): (Vec<_>, Vec<_>) = rows.lines().partition(|row| *row == "unique,");
    assert_eq!((good.len(), bad.len()), (14, 4), "{rows}");
    assert!(bad.iter().all(|row| row.starts_with("malformed,\"row 1, column 3: ")), "{rows}");
}

#[test]
fn other_json_is_refused_with_advice() {
    let dir = TestDir::new();
    for text in ["{\"a\":\n1}", "[1,\n2]", "[[\"no\", \"idea\"]]"] {
        let error = dir.run_on(text, "solve").fails();
        let expected = "gridmill: -: the input is JSON without puzzles near its start, which is not read; \
                        write a line for each puzzle, for example with jq -c '.[]'";
        assert_eq!(error, expected, "{text}");
    }
    let rows = dir.run_on("[1]\n{\n", "solve -q --from jsonl --columns detail --no-header").ends(0);
    let cut = "column 1: the line is not valid JSON here; it may have been cut off";
    assert_eq!(rows, format!("the line is not a JSON object\n{cut}\n"));
}
