//! Runs `validate` on corpora with known faults, and checks rows, scorecards and exit codes.

use std::collections::BTreeMap;

use crate::corpora::{FaultyCorpus, corpus, first_clue, isomorph, with};
use crate::{MULTIPLE, NONE, TestDir, UNIQUE, UNIQUE_SOLUTION, data};

/// The fields of each row, without the header.
fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

/// The findings and the detail of each row, by its line.
///
/// The verdict of each row must be its first finding.
fn findings(text: &str) -> BTreeMap<u64, (String, String)> {
    let finding = |row: Vec<String>| {
        let [verdict, findings, detail] = &row[2..5] else { panic!("{row:?}") };
        let first = findings.split(';').next().filter(|name| !name.is_empty());
        assert_eq!(verdict, first.unwrap_or("sound"), "{row:?}");
        (row[0].parse().unwrap(), (findings.clone(), detail.clone()))
    };
    rows(text).into_iter().map(finding).collect()
}

const ALL_CHECKS: &str = "validate corpus.csv --minimal --duplicates --isomorphs";

#[test]
fn planted_faults_are_found_and_nothing_else() {
    let (dir, faulty) = (TestDir::new(), FaultyCorpus::new());
    dir.write("corpus.csv", faulty.text());
    let result = dir.run(&format!("{ALL_CHECKS} --rejects rejects.csv --summary s.json"));
    for words in [
        "sound",
        "wrong-answer",
        "answers: ",
        "unique and minimal",
        "records in 1 class of 4",
        "4x4, 6x6 and 9x9 puzzles only, not of 2",
    ] {
        assert!(result.err.contains(words), "{words}: {}", result.err);
    }
    let found = findings(&result.ends(1));
    assert_eq!(found.len(), faulty.lines.len() - 1);
    for (line, (findings, detail)) in &found {
        let (expected, why) = faulty.faults.get(line).cloned().unwrap_or_default();
        assert_eq!((&**findings, detail), (expected, &why), "line {line}");
    }
    let rejected: Vec<&str> = faulty.faults.keys().map(|&line| &*faulty.lines[line as usize - 1]).collect();
    assert_eq!(dir.read("rejects.csv"), format!("{}\n{}\n", faulty.lines[0], rejected.join("\n")));

    let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!(summary["records"], found.len());
    let names = || found.values().map(|(findings, _)| findings.split(';').collect::<Vec<_>>());
    for (verdict, number) in summary["verdicts"].as_object().unwrap() {
        let first = if verdict == "sound" { "" } else { verdict };
        assert_eq!(*number, names().filter(|names| names[0] == first).count(), "{verdict}");
    }
    for (finding, number) in summary["findings"].as_object().unwrap() {
        assert_eq!(*number, names().filter(|names| names.contains(&&**finding)).count(), "{finding}");
    }
    assert_eq!(summary["answers"]["wrong"], 1);
    assert_eq!(
        summary["failed_on"],
        serde_json::json!(["malformed", "conflict", "none", "multiple", "bad-answer", "wrong-answer"])
    );
    for (clues, counts) in [("40", [2, 0, 0, 0]), ("4", [2, 2, 0, 0]), ("9", [0, 0, 0, 1])] {
        let [unique, minimal, multiple, none] = counts.map(serde_json::Value::from);
        let minimal = if unique == 0 { serde_json::Value::Null } else { minimal };
        let expected = serde_json::json!({
            "unique": unique, "minimal": minimal, "multiple": multiple, "none": none, "undecided": 0,
        });
        assert_eq!(summary["clues"][clues], expected, "{clues} clues");
    }
    let classes = &summary["classes"];
    assert_eq!(classes["largest"][0]["line"], 15);
    let records: u64 = classes["sizes"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(size, count)| size.parse::<u64>().unwrap() * count.as_u64().unwrap())
        .sum();
    assert_eq!(records as usize, found.len() - 2 - 2, "every 4x4 and 9x9 puzzle is in a class");
}

#[test]
fn the_report_does_not_depend_on_threads_chunks_or_engine() {
    let (dir, faulty) = (TestDir::new(), FaultyCorpus::new());
    dir.write("corpus.csv", faulty.text()).write("other.txt", faulty.lines[40].split(',').nth(1).unwrap());
    let run = |layout: &str| {
        let report = dir.run(&format!("{ALL_CHECKS} --against other.txt -q --rejects r.csv {layout}")).ends(1);
        (report, dir.read("r.csv"))
    };
    let expected = run("--threads 1");
    for layout in ["--threads 2", "--threads 8", "--threads 1 --chunk 1", "--threads 3 --chunk 7", "--engine dlx"] {
        assert!(run(layout) == expected, "{layout}");
    }
}

/// Every record is in one of the two files, with every column and in order, and gets the same verdict there.
#[test]
fn accepts_and_rejects_divide_a_corpus() {
    let (dir, faulty) = (TestDir::new(), FaultyCorpus::new());
    dir.write("corpus.csv", faulty.text());
    let result = dir.run(&format!("{ALL_CHECKS} --accepts good.csv --rejects bad.csv -o rows"));
    assert!(
        result.err.contains("the sound records are in good.csv\ngridmill: the other records are in bad.csv"),
        "{}",
        result.err
    );
    result.ends(1);
    let is_faulty = |index: usize| faulty.faults.contains_key(&(index as u64 + 1));
    for (name, wanted) in [("good.csv", false), ("bad.csv", true)] {
        let records = faulty.lines.iter().enumerate().skip(1).filter(|&(index, _)| is_faulty(index) == wanted);
        let lines: Vec<&str> = [&*faulty.lines[0]].into_iter().chain(records.map(|(_, line)| &**line)).collect();
        assert_eq!(dir.read(name).trim_end().lines().collect::<Vec<_>>(), lines, "{name}");
    }
    dir.run("validate -q good.csv --minimal --duplicates --isomorphs --fail-on all").ends(0);

    // Without records, there is a header.
    dir.run("validate -q good.csv --accepts again.csv.gz --rejects none.csv -o rows").ends(0);
    assert_eq!(dir.read("none.csv"), format!("{}\n", faulty.lines[0]));
    let solved = |name: &str| dir.run(&format!("solve -q {name} --columns line,puzzle,solution")).ends(0);
    assert_eq!(solved("again.csv.gz"), solved("good.csv"));
}

#[test]
fn columns_are_chosen_and_kept() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("id,puzzle,line\n\"a,b\",{UNIQUE},7\nc,bad,\n"));
    let run = |options: &str| dir.run(&format!("validate -q in.csv {options}"));
    assert_eq!(
        run("--columns detail,line,verdict --keep id,line,id").ends(1),
        "detail,line,verdict,id,input_line,input_id\n,2,sound,\"a,b\",7,\"a,b\"\n\
         \"3 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\",3,malformed,c,,c\n"
    );
    assert_eq!(run("--columns file,findings").ends(1), "file,findings\nin.csv,\nin.csv,malformed\n");
    // The column with ratings is kept, too, once.
    for keep in ["", "--keep line"] {
        let rows = run(&format!("--columns verdict --rating-column line {keep}")).ends(1);
        assert_eq!(rows.lines().next(), Some("verdict,input_line"), "{keep}");
    }
}

#[test]
fn a_scorecard_says_in_words_what_was_found() {
    let dir = TestDir::new();
    let pairs = corpus("-n 3 --clues 30 --seed 6");
    let puzzles: Vec<&str> = pairs.iter().map(|(puzzle, _)| &**puzzle).collect();
    dir.write("in.txt", puzzles.join("\n")).write("other.txt", &corpus("-n 1 --seed 7")[0].0);
    let card = |options: &str| dir.run(&format!("validate in.txt {options}")).err;
    let sound = card("--isomorphs --against other.txt");
    for words in [
        "3  one solution, and no finding",
        "no puzzle, isomorph or solution is in the other corpus of 1 record\n",
        "3 classes: no two puzzles are isomorphic",
    ] {
        assert!(sound.contains(words), "{words}: {sound}");
    }
    let two_fives = "5".repeat(2) + &".".repeat(79);
    let lines = [puzzles[0], puzzles[1], &isomorph(puzzles[0], 3), puzzles[0], "53..7", &two_fives, &two_fives];
    dir.write("in.txt", lines.join("\n"));
    let unsound = card("--isomorphs --duplicates");
    for words in [
        "1  not a puzzle",
        "2  two equal clues in a row, column or box",
        "1  the same puzzle as an earlier one; 1 more with another verdict",
        "1  an isomorph of an earlier puzzle",
        "3 classes: 3 puzzles are earlier ones or isomorphs of them",
    ] {
        assert!(unsound.contains(words), "{words}: {unsound}");
    }
}

#[test]
fn optional_checks_run_only_if_asked_for() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n{UNIQUE}\n"));
    let report = dir.run("validate in.txt").ends(0);
    assert_eq!(
        report,
        format!(
            "line,puzzle,verdict,findings,detail,clues,solutions,answer,class\n\
             1,{UNIQUE},sound,,,4,1,,\n2,{UNIQUE},sound,,,4,1,,\n"
        )
    );
    dir.write("nine.txt", &corpus("-n 1")[0].0);
    let class = |options: &str| {
        let rows = dir.run(&format!("validate -q nine.txt {options}")).ends(0);
        rows.trim_end().rsplit(',').next().unwrap().to_owned()
    };
    assert_eq!([class(""), class("--duplicates --minimal")], ["", ""]);
    assert_eq!(class("--classes").len(), 32);
    assert!([class("--isomorphs"), class("--against in.txt")].iter().all(|same| *same == class("--classes")));
    assert!(dir.run("validate in.txt --duplicates --fail-on duplicate").ends(1).contains("duplicate of line 1"));
}

#[test]
fn common_tables_need_no_option() {
    let dir = TestDir::new();
    let pairs = corpus("-n 3 --clues 30 --seed 5");
    for (header, row) in [
        ("quizzes,solutions", "P,S"),
        ("puzzle,solution", "P,S"),
        ("id,puzzle,solution,clues,difficulty", "7,P,S,30,2.2"),
        ("source,question,answer,rating", "forum,P,S,18"),
        ("Puzzle;Solution", "P;S"),
    ] {
        let record = |puzzle: &str, solution: &str| row.replace('P', puzzle).replace('S', solution);
        let mut lines = vec![header.to_owned()];
        lines.extend(pairs.iter().map(|(puzzle, solution)| record(&puzzle.replace('.', "0"), solution)));
        lines.push(record(&pairs[0].0, &pairs[1].1));
        let found = rows(&dir.run_on(lines.join("\n"), "validate -q").ends(1));
        let scores: Vec<(&str, &str)> = found.iter().map(|row| (&*row[2], &*row[7])).collect();
        let right = ("sound", "right");
        assert_eq!(scores, [right, right, right, ("bad-answer", "bad")], "{header}");
    }
    let (puzzle, solution) = &pairs[0];
    let odd = format!("a,b\n{puzzle},{solution}\n{puzzle},{puzzle}\n");
    let found = rows(&dir.run_on(&odd, "validate -q --puzzle-column a --answer-column b").ends(1));
    assert_eq!((&*found[0][7], &*found[1][7]), ("right", "bad"));
    let error = dir.run_on(&odd, "validate -q --puzzle-column a --answer-column c").fails();
    assert!(error.contains("'c'"), "{error}");
    let lines = format!("{puzzle},{puzzle}\n");
    assert_eq!(rows(&dir.run_on(lines, "validate -q").ends(0))[0][7], "");
}

#[test]
fn leaks_are_found_in_three_degrees() {
    let dir = TestDir::new();
    let pairs = corpus("-n 8 --minimal --seed 21");
    let train: Vec<&str> = pairs[..4].iter().map(|(puzzle, _)| &**puzzle).collect();
    // Another puzzle with the solution of the third one: with one clue more.
    let (puzzle, solution) = &pairs[2];
    let blank = puzzle.bytes().position(|byte| byte == b'.').unwrap();
    let sibling = isomorph(&with(puzzle, blank, solution.as_bytes()[blank]), 9);
    let multiple = with(&pairs[5].0, first_clue(&pairs[5].0), b'.');
    let test = [
        train[0].replace('.', "0"),
        isomorph(train[1], 8),
        sibling,
        pairs[4].0.clone(),
        isomorph(&multiple, 4),
        UNIQUE.into(),
    ];
    dir.write("train.txt", train.join("\n")).write("more.txt", format!("rubbish\n{multiple}\n{UNIQUE}"));
    dir.write("test.txt", test.join("\n"));
    let result = dir.run("validate test.txt --against train.txt more.txt --fail-on leak --summary s.json");
    assert!(
        result.err.contains(
            "other corpus of 7 records, 1 of them malformed: 2 as they are, 2 as isomorphs, 1 by their solution only"
        ),
        "{}",
        result.err
    );
    let found: Vec<_> = findings(&result.ends(1)).into_values().collect();
    let found: Vec<_> = found.iter().map(|(findings, detail)| (&**findings, &**detail)).collect();
    assert_eq!(
        found,
        [
            ("leak-exact", "leak: same as train.txt:1"),
            ("leak-isomorph", "leak: isomorph of train.txt:2"),
            ("leak-solution", "leak: solution isomorphic to a grid of train.txt:3"),
            ("", ""),
            ("multiple;leak-isomorph", "leak: isomorph of more.txt:2"),
            ("leak-exact", "leak: same as more.txt:3"),
        ]
    );
    let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!(summary["findings"]["leak-isomorph"], 2);
    dir.write("clean.txt", &*pairs[4].0).run("validate -q clean.txt --against train.txt --fail-on leak").ends(0);
}

/// With several solutions, the stored answer is compared.
#[test]
fn leaks_of_stored_answers_are_found() {
    let dir = TestDir::new();
    let (puzzle, solution) = &corpus("-n 1 --minimal --seed 22")[0];
    let multiple = with(puzzle, first_clue(puzzle), b'.');
    let other = ".".repeat(60) + &solution[60..];
    let wrong = with(&isomorph(solution, 3), 0, b'.');
    let (other, stored) = (isomorph(&other, 3), isomorph(solution, 3));
    let table = |answer: &str, puzzle: &str, stored: &str| format!("puzzle,{answer}\n{puzzle},{stored}\n");
    dir.write("train.csv", table("solution", &multiple, solution)).write("unique.txt", puzzle);
    dir.write("test.csv", table("solution", &other, &stored)).write("none.csv", table("solution", &other, ""));
    dir.write("named.csv", table("mine", &other, &stored)).write("wrong.csv", table("solution", &other, &wrong));
    for (arguments, is_leak) in [
        ("test.csv --against train.csv", true),
        ("test.csv --against unique.txt", true),
        ("unique.txt --against train.csv", true),
        ("train.csv --against test.csv", true),
        ("named.csv --answer-column mine --against train.csv", true),
        ("named.csv --answer-column mine --against named.csv unique.txt", true),
        ("none.csv --against train.csv", false),
        ("wrong.csv --against train.csv", false),
        ("unique.txt --against none.csv", false),
        ("unique.txt --against wrong.csv", false),
    ] {
        let found = dir.run(&format!("validate {arguments} -q --columns findings --fail-on leak"));
        assert_eq!(found.out.contains("leak-"), is_leak, "{arguments}: {found:?}");
    }
}

#[test]
fn earlier_records_are_named_with_their_file() {
    let dir = TestDir::new();
    dir.write("a.txt", format!("# comment\n{UNIQUE}\n")).write("b.txt", format!("{MULTIPLE}\n{UNIQUE}\n"));
    let report = dir.run("validate -q a.txt b.txt a.txt --duplicates").ends(1);
    let found: Vec<String> =
        rows(&report).iter().map(|row| format!("{}:{} {} {}", row[0], row[1], row[3], row[5])).collect();
    assert_eq!(
        found,
        [
            "a.txt:2 sound ",
            "b.txt:1 multiple ",
            "b.txt:2 duplicate duplicate of a.txt:2",
            "a.txt:2 duplicate duplicate of a.txt:2"
        ]
    );
}

#[test]
fn the_exit_code_depends_on_fail_on() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\n"))
        .write("good.txt", UNIQUE)
        .write("full.txt", UNIQUE_SOLUTION);
    for (arguments, code) in [
        ("good.txt", 0),
        ("in.txt", 1),
        ("in.txt --fail-on multiple", 1),
        ("in.txt --fail-on conflict,malformed", 1),
        ("in.txt --fail-on malformed,none", 0),
        ("in.txt --fail-on all", 1),
        ("good.txt --fail-on all", 0),
        ("full.txt --minimal --fail-on all", 1),
        ("full.txt --minimal", 0),
    ] {
        dir.run(&format!("validate -q {arguments}")).ends(code);
    }
}

#[test]
fn of_our_own_corpora_only_mixed_has_findings() {
    let dir = TestDir::new();
    let run = |arguments: &str| dir.run(&format!("validate -q --duplicates --isomorphs --fail-on all {arguments}"));
    run(&format!("--minimal {}", data("minimal.txt"))).ends(0);
    // Minimal puzzles of 4x4 have 36 classes.
    run(&format!("--minimal {}", data("4x4.txt"))).ends(1);
    dir.run(&format!("validate -q --minimal --duplicates --fail-on all {}", data("4x4.txt"))).ends(0);
    run(&format!("{} {}", data("with-answers.csv"), data("easy.txt"))).ends(0);
    run(&data("mixed.txt")).ends(1);
}
