//! Runs `score`: answers in prose, tables and JSON, puzzles with several solutions, and what is no answer.

use serde_json::json;

use crate::resume::CompleteRun;
use crate::{TestDir, UNIQUE};

/// Two solutions: 1 and 3 can change places in two rows.
const MULTIPLE: &str = ".2.4.4.221434321";

#[test]
fn rows_have_the_documented_columns() {
    let dir = TestDir::new();
    let table = "| 1 | 2 | 3 | 4 |\n|---|---|---|---|\n| 4 | 3 | 2 | 1 |\n| 2 | 1 | 4 | 3 |\n| 3 | 4 | . | 2 |";
    let input = format!(
        "puzzle,response\n\
         {UNIQUE},\"I think\n1234\n4321\n2143\n3412\nis right.\"\n\
         {UNIQUE},\"{table}\"\n\
         {UNIQUE},\"<answer>[[1,2,3,4],[4,3,2,1],[2,1,4,3],[3,4,2,2]]</answer>\"\n\
         {UNIQUE},2234432121433412\n\
         {UNIQUE},I do not know.\n\
         {UNIQUE},\n\
         11..............,1234432121433412\n\
         x,1234432121433412\n"
    );
    dir.write("answers.csv", &input);
    let result = dir.run("score answers.csv");
    let said = ": 1 solved, 1 wrong, 1 changed, 1 incomplete, 2 no-grid, 1 none, 1 malformed; mean score 0.4048 with 0 for malformed records\n";
    assert!(result.err.ends_with(said), "{}", result.err);
    assert_eq!(
        result.ends(0),
        format!(
            "line,puzzle,verdict,score,grid,found,start,grids,another,blanks,filled,right,conflicts,changed,solvable,detail\n\
             2,{UNIQUE},solved,1.000000,1234432121433412,text,8,1,,12,12,12,0,0,,\n\
             8,{UNIQUE},incomplete,0.916666,12344321214334.2,text,2,1,no,12,11,11,0,0,yes,\n\
             13,{UNIQUE},wrong,0.916666,1234432121433422,answer,10,1,no,12,12,11,3,0,,\"two 2s in row 4: r4c3, r4c4\"\n\
             14,{UNIQUE},changed,0.000000,2234432121433412,text,0,1,no,12,12,12,3,1,,the clue in r1c1 is changed\n\
             15,{UNIQUE},no-grid,0.000000,,,,,,,,,,,,no grid of this size\n\
             16,{UNIQUE},no-grid,0.000000,,,,,,,,,,,,no grid of this size\n\
             17,11..............,none,,1234432121433412,text,0,1,no,14,14,,0,1,,\"two 1s in row 1: r1c1, r1c2\"\n\
             18,x,malformed,0.000000,,,,,,,,,,,,\"1 cell; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n"
        )
    );
}

/// Thoughts, tags and messages of others have the solution, and the answer has not.
#[test]
fn only_the_answer_is_judged() {
    let dir = TestDir::new();
    let (right, wrong) = ("1234 4321 2143 3412", "1234 4321 2143 3422");
    let answers = [
        format!("<think>{right}"),
        format!("<think>{right}</think>{wrong}"),
        format!("{right} <answer>I give up.</answer>"),
        format!("<grid>{wrong}</grid> and {right}"),
        json!([{"role": "assistant", "content": wrong}, {"role": "user", "content": right}]).to_string(),
        json!([{"role": "assistant", "content": right, "reasoning_content": wrong}]).to_string(),
        format!("[{{'role': 'assistant', 'content': '{right}'}}]"),
    ];
    let records = answers.map(|answer| json!({"puzzle": UNIQUE, "response": answer}).to_string() + "\n");
    dir.write("in.jsonl", records.concat());
    let rows = |options: &str| {
        dir.run(&format!("score -q in.jsonl --columns verdict,score,found,detail --no-header {options}")).ends(0)
    };
    let conflict = "\"two 2s in row 4: r4c3, r4c4\"";
    let expected = format!(
        "no-grid,0.000000,thoughts,only the thoughts have a grid\n\
         wrong,0.916666,text,{conflict}\n\
         no-grid,0.000000,answer,the tag of the answer has no grid; a grid is outside of it\n\
         solved,1.000000,text,\n\
         wrong,0.916666,text,{conflict}\n\
         solved,1.000000,text,\n\
         malformed,0.000000,,\"the answer begins like a chat, but is not valid JSON\"\n"
    );
    assert_eq!(rows(""), expected);
    let verdicts = |options: &str| -> Vec<String> {
        rows(options).lines().map(|row| row.split(',').next().unwrap().to_owned()).collect()
    };
    assert_eq!(verdicts("--thoughts keep")[0], "solved");
    assert_eq!(verdicts("--answer-tag grid")[3], "wrong");
}

#[test]
fn any_solution_is_right() {
    let dir = TestDir::new();
    let rows = |answers: &[&str]| {
        let row = |answer: &&str| format!("{MULTIPLE},{answer}\n");
        let lines: String = answers.iter().map(row).collect();
        dir.write("in.csv", format!("puzzle,completion\n{lines}"));
        dir.run("score -q in.csv --columns verdict,score,right,solvable --no-header").ends(0)
    };
    assert_eq!(
        rows(&[
            "1234341221434321",
            "3214143221434321",
            "12.4.4.221434321",
            "12.414.221434321",
            "1234143221434321",
            "3214143221434322",
        ]),
        "solved,1.000000,4,\n\
         solved,1.000000,4,\n\
         incomplete,0.250000,1,yes\n\
         incomplete,0.250000,1,no\n\
         wrong,0.500000,2,\n\
         changed,0.000000,4,\n"
    );
}

#[test]
fn formulas_differ_in_what_they_count() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("puzzle,response\n{UNIQUE},1234432121433422\n{UNIQUE},1234432121433412\n{UNIQUE},2234432121433412\n"),
    );
    for (formula, scores) in [
        ("exact", "0.000000\n1.000000\n0.000000\n"),
        ("blanks", "0.916666\n1.000000\n0.000000\n"),
        ("cells", "0.937500\n1.000000\n0.937500\n"),
        ("sudoku-bench", "0.750000\n1.000000\n0.750000\n"),
    ] {
        let found = dir.run(&format!("score -q in.csv --formula {formula} --columns score --no-header")).ends(0);
        assert_eq!(found, scores, "{formula}");
    }
}

#[test]
fn answers_are_read_from_every_table() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle,answer,response\n{UNIQUE},x,1234432121433412\n{UNIQUE}\n"));
    dir.write(
        "in.jsonl",
        format!(
            "{{\"puzzle\":\"{UNIQUE}\",\"response\":[[1,2,3,4],[4,3,2,1],[2,1,4,3],[3,4,1,2]]}}\n\
         {{\"puzzle\":\"{UNIQUE}\"}}\n{{\"puzzle\":\"{UNIQUE}\",\"response\":null}}\n"
        ),
    );
    let columns = "--columns verdict --no-header";
    assert_eq!(dir.run(&format!("score -q in.csv {columns}")).ends(0), "solved\nno-grid\n");
    assert_eq!(dir.run(&format!("score -q in.csv {columns} --response-column answer")).ends(0), "no-grid\nno-grid\n");
    assert_eq!(dir.run(&format!("score -q in.jsonl {columns}")).ends(0), "solved\nno-grid\nno-grid\n");
    dir.run("convert -q in.csv --keep response --columns puzzle -o in.parquet").ends(0);
    assert_eq!(dir.run(&format!("score -q in.parquet {columns}")).ends(0), "solved\nno-grid\n");

    dir.write("other.csv", format!("puzzle,solution\n{UNIQUE},1234432121433412\n"));
    let refused = dir.run("score other.csv");
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("no column is called 'response'"), "{}", refused.err);
}

#[test]
fn lists_of_answers_are_refused() {
    let dir = TestDir::new();
    let rows = r#"["1234","4321","2143","3412"]"#;
    for (list, is_refused) in [
        (r#"["1234432121433412", "No idea."]"#, true),
        (r#"["No idea.", "None."]"#, true),
        (r#"["No idea.", "None.", null, "It is 1234 4321 2143 3412"]"#, true),
        (r#"[[{"role": "assistant", "content": "1234"}], [{"role": "assistant", "content": "1"}]]"#, true),
        (r#"[{"role": "user", "content": "?"}, {"role": "assistant", "content": "1234432121433412"}]"#, false),
        (rows, false),
        ("[[1,2,3,4],[4,3,2,1],[2,1,4,3],[3,4,1,2]]", false),
    ] {
        dir.write("in.jsonl", format!("{{\"puzzle\":\"{UNIQUE}\",\"responses\":{list}}}\n"));
        let arguments = "score -q in.jsonl --response-column responses --columns verdict --no-header";
        if is_refused {
            let error = dir.run(arguments).fails();
            let words = "the column 'responses' has lists of answers; write a record for each answer";
            assert!(error.contains(words), "{list}: {error}");
        } else {
            assert_eq!(dir.run(arguments).ends(0), "solved\n", "{list}");
        }
    }
}

#[test]
fn an_answer_that_is_too_long_is_worth_nothing() {
    let dir = TestDir::new();
    let long = "so ".repeat(400_000) + "1234432121433412";
    for (name, table) in [
        ("in.csv", format!("puzzle,response\n{UNIQUE},1234432121433412\n{UNIQUE},{long}\nx,{UNIQUE}\n")),
        (
            "in.jsonl",
            ["1234432121433412", &long]
                .map(|text| format!("{{\"puzzle\":\"{UNIQUE}\",\"response\":\"{text}\"}}\n"))
                .concat()
                + "{\"puzzle\":\"x\"}\n",
        ),
    ] {
        dir.write(name, table);
        let result = dir.run(&format!("score {name} --columns verdict,score,detail --no-header"));
        assert!(result.err.contains("; mean score 0.3333"), "{}", result.err);
        assert_eq!(
            result.ends(0),
            "solved,1.000000,\n\
             no-grid,0.000000,\"longer than 1048576 bytes, the most that a record may have\"\n\
             malformed,0.000000,\"1 cell; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n"
        );
    }
}

#[test]
fn half_a_character_in_json_is_part_of_a_word() {
    let dir = TestDir::new();
    dir.write("in.jsonl", format!("{{\"puzzle\":\"{UNIQUE}\",\"response\":\"\\ud800 1234\\n4321\\n2143\\n3412\"}}\n"));
    let found = dir.run("score -q in.jsonl --columns verdict,start --no-header").ends(0);
    assert_eq!(found, "solved,4\n");
}

#[test]
fn an_interrupted_run_is_resumed_with_its_scores() {
    let dir = TestDir::new();
    let row = |number: usize| {
        let answer = if number.is_multiple_of(3) { "1234432121433412" } else { "?" };
        format!("{UNIQUE},{answer}\n")
    };
    let answers: String = (0..500).map(row).collect();
    let input = format!("puzzle,response\n{answers}x,\n");
    dir.write("table.csv", &input);
    let run = CompleteRun::new(&dir, "score table.csv -", &input);
    for length in [run.left.len() / 2, run.left.len()] {
        assert!(run.resumed(length) == run.complete);
    }
}
