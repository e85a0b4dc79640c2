//! Takes puzzles of every size through every format and command.

use super::TestDir;

/// A command that makes some puzzles of each size.
const SIZES: [(&str, &str); 8] = [
    ("4x4", "--clues 6"),
    ("6x6", "--clues 12"),
    ("8x8", "--clues 26"),
    ("9x9", "--clues 30"),
    ("10x10", "--clues 48"),
    ("12x12", "--clues 75"),
    ("16x16", "--clues 130"),
    ("25x25", "--clues 400"),
];

#[test]
fn every_size_is_read_as_it_was_written() {
    let dir = TestDir::new();
    for (size, clues) in SIZES {
        dir.run(&format!("generate -n 4 --size {size} {clues} --seed 5 -q -o in.txt")).ends(0);
        let verdicts = |file: &str| {
            let out = dir.run(&format!("solve -q {file} --columns status,solution --to csv")).ends(0);
            assert_eq!(out.matches("unique,").count(), 4, "{size} {file}: {out}");
            out
        };
        let expected = verdicts("in.txt");
        for output in ["out.txt --to lines", "out.txt --to grids", "out.csv", "out.jsonl", "out.parquet", "out.npy"] {
            dir.run(&format!("convert -q in.txt -o {output}")).ends(0);
            assert_eq!(verdicts(output.split_once(' ').map_or(output, |(file, _)| file)), expected, "{size} {output}");
        }
        let picture = dir.run("convert -q in.txt --to svg").ends(0);
        assert!(picture.contains("<svg"), "{size}");
    }
}

#[test]
fn integers_say_the_shape_of_boxes_that_are_no_squares() {
    let dir = TestDir::new();
    let rows = ["1 2 3 4 5 6", "4 5 6 1 2 3", "2 3 1 5 6 4", "5 6 4 2 3 1", "3 1 2 6 4 5", "6 4 5 3 1 0"];
    dir.write("in.txt", format!("2x3\n{}\n2\n1 2 3 4 3 4 1 2 2 1 4 3 4 3 2 0\n3x2\n", rows.join("\n")));
    let result = dir.run("solve in.txt --columns status,solution,detail --no-header");
    assert!(result.err.contains("in.txt: integers, order 2 and 2x3\n"), "{}", result.err);
    let expected = "unique,123456456123231564564231312645645312,\nunique,1234341221434321,\n\
                    malformed,,\"no order from 2 to 5, such as 3 or 2x3, in front of the cells\"\n";
    assert_eq!(result.ends(0), expected);
}

#[test]
fn every_size_is_checked_and_copied() {
    let dir = TestDir::new();
    for (size, clues) in SIZES {
        dir.run(&format!("generate -n 4 --size {size} {clues} --seed 5 --with-solution -q -o in.csv")).ends(0);
        dir.run("augment in.csv --copies 3 --seed 1 -q -o copies.csv").ends(0);
        for file in ["in.csv", "copies.csv"] {
            let rows = dir.run(&format!("validate -q {file} --columns verdict --no-header")).ends(0);
            assert!(rows.lines().all(|verdict| verdict == "sound"), "{size} {file}: {rows}");
        }
        let trace = dir.run("trace -q in.csv --style search --columns status,detail --no-header").ends(0);
        assert!(trace.lines().all(|row| row.starts_with("unique,")), "{size}: {trace}");
        let scores = dir.run("score -q in.csv --response-column solution --columns verdict --no-header").ends(0);
        assert!(scores.lines().all(|verdict| verdict == "solved"), "{size}: {scores}");
    }
}
