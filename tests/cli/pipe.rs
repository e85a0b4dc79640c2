//! `pipe`: one line out for each line in.

use std::io::{BufRead, BufReader, Write};

use super::*;

#[test]
fn every_line_is_answered_by_a_line() {
    let input = format!("{UNIQUE}\n\n# {UNIQUE}\r\nend\n{NONE}\n\"a,b\"\n{MULTIPLE}");
    let rows = TestDir::new().run_on(&input, "pipe --columns line,status,solution,detail");
    assert_eq!(rows.err, "");
    assert_eq!(
        rows.ends(0),
        format!(
            "1,unique,{UNIQUE_SOLUTION},\n2,malformed,,\"0 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n\
             3,malformed,,\"1 cell; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n\
             4,malformed,,\"3 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n\
             5,none,,\"two 1s in row 1: r1c1, r1c2\"\n6,malformed,,\"1 cell; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n\
             7,multiple,,\n"
        )
    );
    for (format, lines) in [("csv", 7), ("jsonl", 7), ("lines", 7)] {
        let out = TestDir::new().run_on(&input, &format!("pipe --to {format} --first")).ends(0);
        assert_eq!(out.lines().count(), lines, "{out}");
    }
    assert_eq!(TestDir::new().run_on("", "pipe").ends(0), "");
}

/// The calling program may wait for each answer before it writes the next line.
#[test]
fn no_answer_waits_for_the_next_line() {
    for arguments in ["pipe --to lines", "pipe --to lines --threads 3", "pipe --to lines --chunk 100"] {
        let mut child = TestDir::new().start(arguments);
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut lines = child.stdin.take().unwrap();
        for asked in [1, 1, 5, 1] {
            lines.write_all(format!("{UNIQUE}\n").repeat(asked).as_bytes()).unwrap();
            for _ in 0..asked {
                assert_eq!(answers.next().unwrap().unwrap(), UNIQUE_SOLUTION);
            }
        }
        drop(lines);
        assert!(answers.next().is_none());
        assert!(child.wait().unwrap().success());
    }
}

#[test]
fn rows_are_those_of_solve() {
    let dir = TestDir::new();
    let easy = fs::read(data("easy.txt")).unwrap();
    let rows = dir.run_on(&easy, "pipe --columns line,puzzle,status,solutions,solution,branches,detail").ends(0);
    let solved = "solve --no-header --columns line,puzzle,status,solutions,solution,branches,detail";
    assert_eq!(rows, dir.run_on(&easy, solved).ends(0));
}
