//! Answers are judged wherever an input has them, or a line says that they are not.

use crate::{TestDir, UNIQUE, UNIQUE_SOLUTION};

/// A full grid that keeps the rules, but not the clues.
const WRONG: &str = "1234341221434321";

/// The verdicts of `validate`, and what it says about the input.
fn verdicts(input: &str, options: &str) -> (Vec<String>, String) {
    let result = TestDir::new().run_on(input, &format!("validate - {options}"));
    let rows = result.out.lines().skip(1).map(|row| row.split(',').nth(2).unwrap_or_default().to_owned());
    (rows.collect(), result.err.lines().next().unwrap_or_default().to_owned())
}

#[test]
fn answers_are_judged_in_every_shape() {
    let (p, right, wrong) = (UNIQUE, UNIQUE_SOLUTION, WRONG);
    for input in [
        format!("{p},{right}\n{p},{wrong}\n"),
        format!("{p} {right}\n{p} {wrong}\n"),
        format!("{p}\t{right}\r\n{p}\t{wrong}\r\n"),
        format!("{p}:1:{right}\n{p}:1:{wrong}\n"),
        format!("1,{p},{right}\n2,{p},{wrong}\n"),
        format!("\"{p}\",\"{right}\"\n\"{p}\",\"{wrong}\"\n"),
        format!("puzzle,label\n{p},{right}\n{p},{wrong}\n"),
        format!("inputs,labels\n{p},{right}\n{p},{wrong}\n"),
        format!("puzzle,output\n{p},{right}\n{p},{wrong}\n"),
        format!("puzzle|target\n{p}|{right}\n{p}|{wrong}\n"),
        format!("sep=;\r\npuzzle;solution\r\n{p};{right}\r\n{p};{wrong}\r\n"),
        format!("\"puzzle\" , \" solution \"\n\"{p}\" , \"{right}\"\n\"{p}\" , \"{wrong}\"\n"),
    ] {
        let (verdicts, layout) = verdicts(&input, "");
        assert_eq!(verdicts, ["sound", "bad-answer"], "{input}");
        assert!(layout.contains("answer"), "{layout}");
    }
}

#[test]
fn answers_that_are_not_judged_are_named() {
    let text = format!("puzzle,known,rating\n{UNIQUE},{WRONG},1\n{UNIQUE},{UNIQUE_SOLUTION},2\n");
    let (verdicts_without, layout) = verdicts(&text, "");
    assert_eq!(verdicts_without, ["sound", "sound"]);
    let hint = "; column 2 'known' looks like answers, --answer-column checks it";
    assert!(layout.ends_with(hint), "{layout}");
    let (verdicts_with, layout) = verdicts(&text, "--answer-column known");
    assert_eq!(verdicts_with, ["bad-answer", "sound"]);
    assert!(!layout.contains("looks like"), "{layout}");
    // A second column of puzzles is none of answers.
    let (verdicts, layout) = verdicts(&format!("{UNIQUE},{UNIQUE}\n"), "");
    assert_eq!((verdicts, layout.contains("answer")), (vec!["sound".to_owned()], false));
}

#[test]
fn digits_from_0_are_named() {
    let from_zero: String = UNIQUE_SOLUTION.bytes().map(|digit| char::from(digit - 1)).collect();
    let without_fours = UNIQUE_SOLUTION.replace('4', "0");
    let text = format!("puzzle,solution\n{UNIQUE},{from_zero}\n{UNIQUE},{UNIQUE}\n{UNIQUE},{without_fours}\n");
    let rows = TestDir::new().run_on(&text, "validate - -q --no-header --columns detail").out;
    assert_eq!(rows, "answer: its digits count from 0\nanswer: r1c2 is blank\nanswer: r1c4 is blank\n");
}
