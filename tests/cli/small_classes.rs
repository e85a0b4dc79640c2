//! Classes of 4x4 and 6x6 puzzles: every command that knows isomorphs recognises those of these sizes.

use std::collections::{BTreeMap, BTreeSet};

use crate::{TestDir, UNIQUE};

/// The puzzle upside down and with other digits.
fn disguised(puzzle: &str) -> String {
    let side = puzzle.len().isqrt() as u8;
    let digit = |symbol: char| symbol.to_digit(10).map_or(symbol, |digit| char::from(b'1' + digit as u8 % side));
    puzzle.chars().rev().map(digit).collect()
}

/// Puzzles that are no isomorphs, and isomorphs of them.
fn puzzles(dir: &TestDir, size: &str) -> (Vec<String>, Vec<String>) {
    let made = dir.run(&format!("generate -q -n 20 --size {size} --seed 3 --distinct")).ends(0);
    let puzzles: Vec<String> = made.lines().map(str::to_owned).collect();
    assert_eq!(puzzles.len(), 20);
    let isomorphs = puzzles.iter().map(|puzzle| disguised(puzzle)).collect();
    (puzzles, isomorphs)
}

#[test]
fn isomorphs_are_found_as_repetitions_and_as_leaks() {
    for size in ["4x4", "6x6"] {
        let dir = TestDir::new();
        let (puzzles, isomorphs) = puzzles(&dir, size);
        dir.write("train", puzzles.join("\n")).write("test", isomorphs.join("\n"));
        dir.write("all", [puzzles.join("\n"), isomorphs.join("\n")].join("\n"));
        dir.run("validate -q train --isomorphs --fail-on all").ends(0);

        let repeated = dir.run("validate all --isomorphs --columns verdict");
        assert!(repeated.err.contains("40 records in 20 classes of 2"), "{}", repeated.err);
        assert!(!repeated.err.contains("puzzles only"), "{}", repeated.err);
        let verdicts = repeated.ends(0);
        assert_eq!(verdicts.lines().skip(1).filter(|&verdict| verdict == "isomorph").count(), 20);

        let leaks = dir.run("validate -q test --against train --isomorphs --columns findings").ends(1);
        assert!(leaks.lines().skip(1).all(|found| found == "leak-isomorph"), "{leaks}");
        assert_eq!(dir.run("dedupe -q all").ends(0), puzzles.join("\n") + "\n");
    }
}

#[test]
fn isomorphs_stay_together_in_a_split() {
    let dir = TestDir::new();
    let sets = ["4x4", "6x6"].map(|size| puzzles(&dir, size));
    let pairs: Vec<(&String, &String)> =
        sets.iter().flat_map(|(puzzles, isomorphs)| puzzles.iter().zip(isomorphs)).collect();
    let lines: Vec<String> = pairs.iter().map(|(puzzle, isomorph)| format!("{puzzle}\n{isomorph}\n")).collect();
    dir.write("all", lines.concat());

    let split = dir.run("split all --parts a=0.5,b=0.5 -o out");
    assert!(!split.err.contains("unsplit"), "{}", split.err);
    split.ends(0);
    let parts = ["a", "b"].map(|name| dir.read(&format!("out/{name}.txt")));
    let lines_of = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    let [a, b] = parts.each_ref().map(|part| lines_of(part));
    assert!(!a.is_empty() && !b.is_empty());
    assert_eq!(parts.iter().map(|part| part.lines().count()).sum::<usize>(), 80);
    for (puzzle, isomorph) in pairs {
        assert_eq!(a.contains(puzzle), a.contains(isomorph), "{puzzle} {isomorph}");
    }
}

/// There are 36 classes of minimal 4x4 puzzles: 13 of 4 clues, 22 of 5 and 1 of 6. All of them are made, and then no more.
#[test]
fn all_classes_of_minimal_4x4_puzzles_are_generated() {
    let dir = TestDir::new();
    let made = dir.run("generate -q -n 36 --size 4x4 --distinct").ends(0);
    let mut clues = BTreeMap::new();
    for puzzle in made.lines() {
        *clues.entry(puzzle.bytes().filter(|&byte| byte != b'.').count()).or_insert(0) += 1;
    }
    assert_eq!(clues, BTreeMap::from([(4, 13), (5, 22), (6, 1)]));
    dir.write("made", &made);
    let more = dir.run("generate -q -n 1 --size 4x4 --not-in made --distinct");
    assert!(more.err.contains("isomorph"), "{}", more.err);
    more.ends(2);
}

/// The class from the command is that of the function.
#[test]
fn classes_are_those_of_the_library() {
    let dir = TestDir::new();
    let [four, six] = ["4x4", "6x6"].map(|size| puzzles(&dir, size).1);
    let puzzles = [vec![UNIQUE.to_owned()], four, six].concat();
    dir.write("in", puzzles.join("\n"));
    let classes = dir.run("canon -q in --columns class").ends(0);
    for (puzzle, class) in puzzles.iter().zip(classes.lines().skip(1)) {
        assert_eq!(gridmill::class(puzzle).unwrap().to_string(), class, "{puzzle}");
    }
}
