//! Checks the output of the programs in `examples/`, which are modules here. `cargo test` builds them as programs.

#[expect(dead_code, reason = "`main` is for `cargo run`")]
#[path = "../../examples/custom_engine.rs"]
mod custom_engine;
#[expect(dead_code, reason = "`main` is for `cargo run`")]
#[path = "../../examples/leak_check.rs"]
mod leak_check;
#[expect(dead_code, reason = "`main` is for `cargo run`")]
#[path = "../../examples/million_lines.rs"]
mod million_lines;
#[expect(dead_code, reason = "`main` is for `cargo run`")]
#[path = "../../examples/solve_a_string.rs"]
mod solve_a_string;
#[expect(dead_code, reason = "`main` is for `cargo run`")]
#[path = "../../examples/techniques.rs"]
mod techniques;

use gridmill::jobs::EngineSource;

#[test]
fn solve_a_string_describes_a_puzzle() {
    for (text, lines) in [
        ("1.3..........4.2", "4x4 puzzle with 4 clues\nsolution: 1234432121433412\nminimal: yes\n"),
        ("123..........4.2", "4x4 puzzle with 5 clues\nsolution: 1234432121433412\nminimal: no\n"),
        (
            "1...............",
            "4x4 puzzle with 1 clues\nsolutions: 72, up to a thousand; the first three:\n\
             1234341221434321\n1234341223414123\n1234341241232341\n",
        ),
        ("11..............", "4x4 puzzle with 2 clues\nthe puzzle has no solution\n"),
    ] {
        assert_eq!(solve_a_string::describe(text).unwrap(), lines);
    }
    assert!(solve_a_string::describe("11").is_err());
}

#[test]
fn leak_check_finds_isomorphs() {
    let train = include_str!("../../data/minimal.txt");
    let third = train.lines().nth(2).unwrap();
    let upside_down: String = third.chars().rev().collect();
    let test = format!("{}\n{upside_down}\n", include_str!("../../data/easy.txt").lines().next().unwrap());
    assert_eq!(leak_check::leaks(train, &test).unwrap(), [(2, 3)]);
}

#[test]
fn custom_engine_writes_the_same_rows() {
    for name in ["data/easy.txt", "data/mixed.txt", "data/4x4.txt"] {
        let engine = EngineSource::custom("backtracker", || Box::new(custom_engine::Backtracker));
        let rows = custom_engine::solve(name, engine).unwrap();
        assert!(rows.starts_with(b"line,status,solution\n") && rows.len() > 1000, "{name}");
        assert_eq!(rows, custom_engine::solve(name, EngineSource::default()).unwrap(), "{name}");
    }
}

#[test]
fn million_lines_solves_what_it_generates() {
    let mut rows = vec![];
    let summary = million_lines::solve_generated(300, &mut rows).unwrap().report;
    assert_eq!(summary.records, 300);
    let rows = String::from_utf8(rows).unwrap();
    assert_eq!(rows.lines().next(), Some("line,status,solution"));
    for (number, row) in (1..=300).zip(rows.lines().skip(1)) {
        let fields: Vec<&str> = row.split(',').collect();
        assert_eq!(fields[..2], [&number.to_string(), "unique"]);
        assert_eq!(gridmill::solve(fields[2]).unwrap().to_string(), fields[2]);
    }
    assert_eq!(rows.lines().count(), 301);
}

#[test]
fn the_examples_of_techniques_in_the_documentation_are_those_of_the_rater() {
    assert_eq!(techniques::page().unwrap(), include_str!("../../docs/techniques.md"));
}
