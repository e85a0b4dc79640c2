//! Runs `rate`, and checks its columns, steps and summaries.

use std::fs;

use serde_json::{Value, json};

use crate::{NONE, RunResult, TestDir, UNIQUE, data};

/// Its steps are hidden singles and a direct hidden pair.
pub(crate) const MEDIUM: &str = "3..7....6.8......7.7.2...8.835...7.......4..5..9....1..4..8.65....1...94..1..5...";
/// Hidden singles solve it.
pub(crate) const EASY: &str = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..";
/// Its hardest step is pointing, 2.6.
pub(crate) const POINTING: &str = "..12.....479.....38...5..7...2...........8265...1.7.4...8.62.199.....83..........";
const HEADER: &str = "line,puzzle,status,er,ep,ed,level,hardest,steps,techniques,detail";

/// Puzzles that take no chains, in any order.
fn puzzles(records: usize) -> String {
    let kinds = [EASY, MEDIUM, POINTING, UNIQUE, NONE, "rubbish, \"and more\""];
    (0..records).map(|n| kinds[n * n / 7 % 6].to_owned() + "\n").collect()
}

impl TestDir {
    pub(crate) fn summary(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }
}

#[test]
fn rows_have_the_documented_columns() {
    let dir = TestDir::new();
    let many = "..9..34...4.....5....6......9..15...47..8...33......8......1..7.13.46..9...92....";
    let input = format!("{MEDIUM}\n{EASY}\n{POINTING}\n{UNIQUE}\n{NONE}\n{many}\n,\n");
    let result = dir.run_on(&input, "rate");
    assert!(
        result.err.contains("\n  easy 1  medium 2  hard 0  very hard 0  fiendish 0  extreme 0\n"),
        "{}",
        result.err
    );
    assert!(result.err.contains("ER 2.5           1  ####"), "{}", result.err);
    assert_eq!(
        result.ends(0),
        format!(
            "{HEADER}\n\
             1,{MEDIUM},unique,2.0,1.2,1.2,medium,Direct Hidden Pair,56,Hidden Single:55;Direct Hidden Pair:1,\n\
             2,{EASY},unique,1.5,1.2,1.2,easy,Hidden Single,55,Hidden Single:55,\n\
             3,{POINTING},unique,2.6,1.2,1.2,medium,Pointing,57,\
             Hidden Single:52;Direct Hidden Pair:4;Pointing:1,\n\
             4,{UNIQUE},unique,,,,,,,,only 9x9 puzzles are rated\n\
             5,{NONE},none,,,,,,,,\"two 1s in row 1: r1c1, r1c2\"\n\
             6,{many},multiple,,,,,,,,\n\
             7,\",\",malformed,,,,,,,,\"0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n"
        )
    );
    let objects = dir.run_on(&input, "rate -q --to jsonl").ends(0);
    let objects: Vec<Value> = objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        objects[0],
        json!({
            "line": 1, "puzzle": MEDIUM, "status": "unique", "er": 2.0, "ep": 1.2, "ed": 1.2, "level": "medium",
            "hardest": "Direct Hidden Pair", "steps": 56,
            "techniques": {"Hidden Single": 55, "Direct Hidden Pair": 1}, "detail": null,
        })
    );
    assert_eq!((&objects[5]["status"], &objects[5]["er"]), (&json!("multiple"), &Value::Null));
}

#[test]
fn a_bound_ends_a_rating() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{EASY}\n{POINTING}\n{MEDIUM}\n"));
    let rows = dir.run("rate in.txt -q --max-er 2.5 --no-header --summary s.json").ends(0);
    let rows: Vec<&str> = rows.lines().map(|row| row.split_once(",unique,").unwrap().1).collect();
    assert_eq!(rows[0], "1.5,1.2,1.2,easy,Hidden Single,55,Hidden Single:55,");
    assert_eq!(rows[1], ">2.5,1.2,1.2,,Direct Hidden Pair,14,Hidden Single:13;Direct Hidden Pair:1,harder than 2.5");
    assert!(rows[2].starts_with("2.0,"), "{rows:?}");
    let ratings = &dir.summary("s.json")["ratings"];
    assert_eq!(ratings["er"], json!({"1.5": 1, "2.0": 1}));
    assert_eq!(ratings["above"], json!({"2.5": 1}));
    assert_eq!((&ratings["levels"]["easy"], &ratings["levels"]["medium"]), (&json!(1), &json!(1)));
    let note = dir.run("rate in.txt --max-er 1.2 -o out.csv").err;
    assert!(note.contains("  harder than the bound 3\n") && note.contains("ER >1.2           3  ####"), "{note}");
    for (given, message) in [("2.55", "'2.55' is not a difficulty"), ("30", "'30' is not a difficulty")] {
        let error = dir.run(&format!("rate in.txt --max-er {given}")).fails();
        assert!(error.contains(message), "{error}");
    }
}

/// What is left of the rows is the same.
#[test]
fn er_alone_is_the_er_of_all_steps() {
    let dir = TestDir::new();
    let puzzles: String = fs::read_to_string(data("minimal.txt")).unwrap().split_inclusive('\n').take(60).collect();
    dir.write("in.txt", puzzles);
    let only = dir.run("rate in.txt -q --only er").ends(0);
    assert!(only.starts_with("line,puzzle,status,er,level,detail\n"), "{only}");
    for more in ["", "--max-er 2.3"] {
        let columns = |options: &str, indices: &[usize]| -> Vec<Vec<String>> {
            let rows = dir.run(&format!("rate in.txt -q {more} {options}")).ends(0);
            let fields = |row: &str| row.split(',').map(str::to_owned).collect::<Vec<_>>();
            rows.lines().map(fields).map(|row| indices.iter().map(|&index| row[index].clone()).collect()).collect()
        };
        assert_eq!(columns("--only er", &[0, 1, 2, 3, 4]), columns("", &[0, 1, 2, 3, 6]));
    }
}

#[test]
fn shards_are_merged_and_finished_ones_are_kept() {
    let dir = TestDir::new();
    dir.write("a", puzzles(9000)).write("b", puzzles(70));
    for format in ["--to csv --max-er 2.4", "--to jsonl --only er"] {
        let arguments = format!("rate a b -q {format}");
        dir.run(&format!("{arguments} -o whole --summary whole.json")).ends(0);
        for number in 1..=3 {
            let shard = format!("{arguments} --shard {number}/3 -o part-{number}");
            dir.run(&shard).ends(0);
            dir.run(&format!("{shard} --resume")).ends(0);
        }
        dir.run("merge -q part-1 part-2 part-3 -o merged --summary merged.json").ends(0);
        assert!(dir.read("merged") == dir.read("whole"), "{format}");
        let (whole, merged) = (dir.summary("whole.json"), dir.summary("merged.json"));
        for figure in ["records", "rows", "clues", "branches", "ratings"] {
            assert_eq!(whole[figure], merged[figure], "{figure}");
        }
    }
}

#[test]
fn steps_are_rows() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("id,puzzle\nx,{UNIQUE}\ny,{POINTING}\nz,rubbish\n"));
    let rows = dir.run("rate in.csv -q --steps --keep id").ends(0);
    let header = "line,puzzle,step,technique,difficulty,cells,digits,houses,eliminations,placements,candidates,implications,id\n";
    assert!(rows.starts_with(header), "{rows}");
    let objects = dir.run("rate in.csv -q --steps --keep id --to jsonl").ends(0);
    let objects: Vec<Value> = objects.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows.lines().count(), objects.len()), (58, 57));
    // The candidates before each step follow from the steps before.
    let mut candidates: Vec<u8> = objects[0]["candidates"].as_str().unwrap().into();
    for (number, object) in objects.iter().enumerate() {
        assert_eq!((&object["line"], &object["puzzle"], &object["id"]), (&json!(3), &json!(POINTING), &json!("y")));
        assert_eq!(object["step"], json!(number + 1));
        assert_eq!(object["candidates"], json!(str::from_utf8(&candidates).unwrap()), "{number}");
        let texts = |name: &str| object[name].as_array().unwrap().iter().map(|text| text.as_str().unwrap());
        for elimination in texts("eliminations") {
            let (cell, digits) = elimination.split_once("<>").unwrap();
            for digit in digits.trim_matches(['{', '}']).split(',') {
                remove(&mut candidates, cell_of(cell), digit.parse().unwrap());
            }
        }
        for placement in texts("placements") {
            let (cell, digit) = placement.split_once('=').unwrap();
            place(&mut candidates, cell_of(cell), digit.parse().unwrap());
        }
    }
    let pointing = objects.iter().find(|object| object["technique"] == "Pointing").unwrap();
    assert_eq!((&pointing["difficulty"], &pointing["placements"]), (&json!(2.6), &json!([])));
    assert!(rows.contains(",Pointing,2.6,"), "{rows}");
    // At the end, each cell has one digit, and they are the solution.
    let solution: Vec<u8> = candidates.iter().copied().filter(|&symbol| symbol != b'.').collect();
    let solved = dir.run_on(format!("{POINTING}\n"), "solve -q --columns solution --no-header").ends(0);
    assert_eq!(solved.trim_end().as_bytes(), solution);
}

#[test]
fn steps_of_several_puzzles_name_their_records() {
    let dir = TestDir::new();
    dir.write("a.txt", format!("{EASY}\n{UNIQUE}\n{POINTING}\n")).write("b.txt", MEDIUM);
    let rows = dir.run("rate -q a.txt b.txt --steps --no-header --columns file,line,puzzle,step").ends(0);
    let mut records: Vec<(String, u64)> = vec![];
    for row in rows.lines() {
        let (record, step) = row.rsplit_once(',').unwrap();
        match records.last_mut() {
            Some((last, steps)) if last == record => *steps += 1,
            _ => records.push((record.to_owned(), 1)),
        }
        assert_eq!(step, records.last().unwrap().1.to_string(), "{record}");
    }
    let names: Vec<&str> = records.iter().map(|(record, _)| record.as_str()).collect();
    let expected = [format!("a.txt,1,{EASY}"), format!("a.txt,3,{POINTING}"), format!("b.txt,1,{MEDIUM}")];
    assert_eq!(names, expected);
}

fn cell_of(name: &str) -> usize {
    let (row, column) = name.strip_prefix('r').unwrap().split_once('c').unwrap();
    (row.parse::<usize>().unwrap() - 1) * 9 + column.parse::<usize>().unwrap() - 1
}

fn remove(candidates: &mut [u8], cell: usize, digit: usize) {
    candidates[9 * cell + digit - 1] = b'.';
}

fn place(candidates: &mut [u8], cell: usize, digit: usize) {
    let sees = |other: usize| {
        let (row, column) = (cell / 9, cell % 9);
        let (other_row, other_column) = (other / 9, other % 9);
        row == other_row || column == other_column || (row / 3, column / 3) == (other_row / 3, other_column / 3)
    };
    for other in (0..81).filter(|&other| other != cell && sees(other)) {
        remove(candidates, other, digit);
    }
    for other in (1..=9).filter(|&other| other != digit) {
        remove(candidates, cell, other);
    }
}

#[test]
fn steps_are_not_sharded() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{EASY}\n"));
    let error = dir.run("rate in.txt --steps -o out.csv --shard 1/2").fails();
    assert_eq!(error, "gridmill: --shard needs a row for each record, but --steps writes one for each step");
    let error = dir.run("rate in.txt -o out.txt").fails();
    assert_eq!(
        error,
        "gridmill: -o out.txt is text, but rate writes csv, tsv, excel, jsonl, json and Parquet; `gridmill convert` writes puzzles in this format"
    );
    assert!(dir.run("rate in.txt --steps --only er").fails().contains("cannot be used with"));
}

#[test]
fn steps_are_explained() {
    let dir = TestDir::new();
    let text = dir.run(&format!("explain {POINTING}")).ends(0);
    assert!(text.lines().all(|line| line.len() <= 80 && !line.contains('\u{1b}')), "{text}");
    assert!(text.starts_with("1. Hidden Single (1.2): {"), "{text}");
    assert!(text.ends_with("\nSolved in 57 steps: ER 2.6, EP 1.2, ED 1.2, medium\n"), "{text}");
    // The grid of the only step that removes candidates.
    let (_, after) = text.split_once(". Pointing (2.6): {").unwrap();
    let grid: Vec<&str> = after.lines().skip(1).take(40).collect();
    assert!(grid[0].contains("   c1  ") && grid[1].starts_with("    +---"), "{after}");
    assert_eq!(text.lines().filter(|line| line.contains("   c1  ")).count(), 1);
    let count = |mark: char| grid.concat().matches(mark).count();
    let removed: usize = after.lines().next().unwrap().matches("<>").count();
    assert!(count('*') >= 2 && count('-') >= removed + 4 * 69, "{after}");
    let all = dir.run(&format!("explain {POINTING} --grids all")).ends(0);
    assert_eq!(all.lines().filter(|line| line.contains("   c1  ")).count(), 57);
    let none = dir.run(&format!("explain {POINTING} --grids none")).ends(0);
    assert_eq!(none.lines().count(), 58);
    for (puzzle, message) in [
        (UNIQUE, "a 4x4 puzzle has no rating, only 9x9 puzzles have"),
        (&EASY.replace("17", "11"), "the puzzle has no solution"),
        (&EASY.replace("17", ".."), "the puzzle has several solutions"),
    ] {
        assert_eq!(dir.run(&format!("explain {puzzle}")).fails(), format!("gridmill: {message}"));
    }
    assert!(dir.run("explain 1..").fails().starts_with("gridmill: '1..' is neither a puzzle nor a file: 3 cells"));
    let mut coloured = dir.command(&format!("explain {POINTING}"));
    let coloured = coloured.env("CLICOLOR_FORCE", "1").env_remove("NO_COLOR").output().unwrap();
    assert!(String::from_utf8(coloured.stdout).unwrap().contains("\u{1b}["));
}

#[test]
fn an_explanation_may_be_a_file() {
    let dir = TestDir::new();
    let text = dir.run(&format!("explain {POINTING}")).ends(0);
    dir.write("in.txt", format!("{POINTING}\n"));
    let mut coloured = dir.command(&format!("explain {POINTING} -o steps.txt"));
    let result = RunResult::from(coloured.env("CLICOLOR_FORCE", "1").output().unwrap());
    assert_eq!((result.ends(0), dir.read("steps.txt")), (String::new(), text));
    assert!(dir.run("explain in.txt -o in.txt").fails().contains("in.txt"));
    assert!(dir.run("explain in.txt -o steps.html").fails().contains("explain writes text; name it .txt"));
}

#[test]
fn several_puzzles_are_explained_one_after_another() {
    let dir = TestDir::new();
    let several = EASY.replace("17", "..");
    dir.write("in.txt", format!("{EASY}\n{several}\n{POINTING}\n{UNIQUE}\nrubbish\n"));
    dir.write("in.csv", format!("id,puzzle\n7,{MEDIUM}\n"));

    // Those of a file are named by their lines; those without steps have a reason in place of them.
    let text = dir.run("explain --grids none in.txt in.csv").ends(0);
    let parts: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(parts.len(), 6, "{text}");
    for (part, (heading, end)) in parts.iter().zip([
        (format!("in.txt:1: {EASY}"), "easy"),
        (format!("in.txt:2: {several}"), "No steps: the puzzle has several solutions"),
        (format!("in.txt:3: {POINTING}"), "medium"),
        (format!("in.txt:4: {UNIQUE}"), "No steps: a 4x4 puzzle has no rating, only 9x9 puzzles have"),
        ("in.txt:5".to_owned(), "No steps: 7 cells; "),
        (format!("in.csv:2: {MEDIUM}"), "medium"),
    ]) {
        let mut lines = part.lines();
        assert_eq!(lines.next(), Some(&*heading), "{part}");
        assert!(lines.next_back().unwrap().contains(end), "{end}: {part}");
    }

    // Arguments are named by themselves; standard input is a file.
    let two = dir.run(&format!("explain --grids none {EASY} {MEDIUM}")).ends(0);
    assert!(two.starts_with(&format!("{EASY}\n1. ")) && two.contains(&format!("\n\n{MEDIUM}\n1. ")), "{two}");
    let from_stdin = dir.run_on(dir.read("in.txt"), "explain --grids none").ends(0);
    assert_eq!(from_stdin.replace("-:", "in.txt:"), text[..=text.find("\n\nin.csv").unwrap()]);
    assert_eq!(dir.run_on(dir.read("in.txt"), "explain --grids none -").ends(0), from_stdin);
    let error = dir.run(&format!("explain {EASY} {several}")).fails();
    assert_eq!(error, format!("gridmill: {several}: the puzzle has several solutions"));
}

#[test]
fn generated_puzzles_have_the_rating_that_was_asked_for() {
    let dir = TestDir::new();
    let generate = |options: &str| {
        let result = dir.run(&format!("generate -n 12 --seed 3 {options}"));
        let note = result.err.clone();
        (result.ends(0), note)
    };
    for (options, least, most) in
        [("--er 2.0..2.6", 2.0, 2.6), ("--level easy", 1.0, 1.5), ("--level hard --clues 26", 2.9, 3.4)]
    {
        let (puzzles, note) = generate(options);
        assert!(note.contains(" gave no such puzzle: one in "), "{note}");
        let rated = dir.run_on(&puzzles, "rate -q --only er --no-header").ends(0);
        let ers: Vec<f64> = rated.lines().map(|row| row.split(',').nth(3).unwrap().parse().unwrap()).collect();
        assert!(ers.len() == 12 && ers.iter().all(|er| (least..=most).contains(er)), "{ers:?}");
        assert_eq!(generate(&format!("{options} --threads 3 --chunk 1")).0, puzzles);
    }
    for (options, message) in [
        (
            "--er 0.1..0.2 --max-tries 5",
            "5 random grids gave no minimal 9x9 puzzle with an ER of 0.1..0.2; ask for a wider range, or raise --max-tries",
        ),
        ("--er 2..3 --size 4x4", "4x4 puzzles have no rating, only 9x9 puzzles have"),
    ] {
        assert_eq!(dir.run(&format!("generate -n 1 {options}")).fails(), format!("gridmill: {message}"));
    }
    for (options, words) in
        [("--er 3..2", "is empty"), ("--level harder", "no level is called"), ("--er 2 --level easy", "")]
    {
        assert!(dir.run(&format!("generate -n 1 {options}")).fails().contains(words), "{options}");
    }
}

#[test]
fn ratings_beside_puzzles_are_compared() {
    let dir = TestDir::new();
    let rows = [
        (MEDIUM, "2.0"),
        (EASY, " 1.20"),
        (POINTING, "x"),
        (EASY, ""),
        (UNIQUE, "9.9"),
        (NONE, "1.2"),
        (EASY, "1.5"),
        (EASY, "ED=1.5/1.2/1.2"),
        (EASY, "1.5/1.2/1.3"),
        (EASY, "1,5"),
        (EASY, "1.5/1.2"),
    ];
    let text: Vec<String> = rows.iter().map(|(puzzle, rating)| format!("{puzzle},\"{rating}\"\n")).collect();
    dir.write("in.csv", format!("puzzle,rating\n{}", text.concat()));
    let arguments = "validate in.csv -q --rating-column rating";
    let report = dir.run(&format!("{arguments} --fail-on wrong-rating --summary s.json")).ends(1);
    let verdicts: Vec<&str> = report.lines().skip(1).map(|row| row.split(',').nth(2).unwrap()).collect();
    let (wrong, unreadable) = ("wrong-rating", "unreadable-rating");
    assert_eq!(verdicts[..7], ["sound", wrong, unreadable, "sound", "sound", "conflict", "sound"]);
    assert_eq!(verdicts[7..], ["sound", wrong, "sound", unreadable]);
    assert!(report.contains(",wrong-rating,\"its rating is 1.2, but its ER 1.5\","), "{report}");
    assert!(report.contains(",wrong-rating,\"its rating is 1.3, but its ED 1.2\","), "{report}");
    assert!(report.contains("'x' is not a difficulty"), "{report}");
    assert!(report.contains("'1.5/1.2' is not a rating: write ER, or ER/EP/ED"), "{report}");
    assert_eq!(dir.summary("s.json")["failed_on"], json!(["wrong-rating", "unreadable-rating"]));
    dir.write("unreadable.csv", format!("puzzle,rating\n{EASY},hard\n"));
    dir.run("validate unreadable.csv -q --rating-column rating --fail-on wrong-rating").ends(1);
    let error = dir.run("validate in.csv --fail-on wrong-rating").fails();
    assert_eq!(error, "gridmill: --fail-on wrong-rating needs --rating-column");
    // The findings of an interrupted run are believed.
    dir.run(&format!("{arguments} -o whole.csv")).ends(1);
    assert_eq!(dir.read("whole.csv"), report);
    let error = dir.run("validate in.csv --rating-column other").fails();
    assert!(error.contains("other"), "{error}");
}
