//! Makes corpora with known faults, for the tests of `validate`.

use std::collections::BTreeMap;

use gridmill::puzzle::{Grid, Isomorph, Size};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{TestDir, UNIQUE, UNIQUE_SOLUTION};

/// Puzzles with their solutions.
pub(crate) fn corpus(options: &str) -> Vec<(String, String)> {
    let rows = TestDir::new().run(&format!("generate --with-solution {options}")).ends(0);
    let pair = |row: &str| row.split_once(',').map(|(puzzle, solution)| (puzzle.to_owned(), solution.to_owned()));
    rows.lines().skip(1).map(|row| pair(row).unwrap()).collect()
}

/// An isomorph of the puzzle, which depends on the seed.
pub(crate) fn isomorph(puzzle: &str, seed: u64) -> String {
    let cells: Vec<u8> = puzzle.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    let grid: Grid = cells.try_into().unwrap();
    let other = Isomorph::random(Size::Nine, &mut Xoshiro256PlusPlus::seed_from_u64(seed)).apply(&grid);
    other.iter().map(|&value| if value == 0 { '.' } else { char::from(b'0' + value) }).collect()
}

/// `text` with another byte at `index`.
pub(crate) fn with(text: &str, index: usize, byte: u8) -> String {
    let mut bytes = text.as_bytes().to_vec();
    bytes[index] = byte;
    String::from_utf8(bytes).unwrap()
}

fn cell(index: usize) -> String {
    format!("r{}c{}", index / 9 + 1, index % 9 + 1)
}

/// A corpus with every fault, and the expected findings.
pub(crate) struct FaultyCorpus {
    /// The lines of the corpus, the header first.
    pub(crate) lines: Vec<String>,
    /// The findings and the detail of each line that is not sound.
    pub(crate) faults: BTreeMap<u64, (&'static str, String)>,
}

impl FaultyCorpus {
    pub(crate) fn new() -> FaultyCorpus {
        let pairs = corpus("-n 60 --minimal --seed 11");
        let easy = corpus("-n 1 --clues 40 --seed 12");
        let (easy_puzzle, easy_solution) = &easy[0];
        let mut faulty = FaultyCorpus { lines: vec!["id,puzzle,solution,rating".to_owned()], faults: BTreeMap::new() };
        for (puzzle, solution) in &pairs {
            faulty.push(puzzle, solution, None);
        }
        let (puzzle, solution) = &pairs[50];
        let clue = puzzle.bytes().position(|byte| byte != b'.').unwrap();
        let blank = puzzle.bytes().position(|byte| byte == b'.').unwrap();
        let (digit, right) = (puzzle.as_bytes()[clue], solution.as_bytes()[blank]);
        let other = |digit: u8| if digit == b'9' { b'1' } else { digit + 1 };
        let fault = |findings, detail: String| Some((findings, detail));

        faulty.replace(
            3,
            &puzzle[1..],
            solution,
            fault("malformed", "80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625".into()),
        );
        faulty.replace(5, &with(puzzle, 7, b'q'), solution, fault("malformed", "column 8: 'q' is not a digit".into()));
        // The same digit twice in a row: again in its last cell, or in its first.
        let twin = if clue % 9 == 8 { clue - 8 } else { clue / 9 * 9 + 8 };
        let clash = with(puzzle, twin, digit);
        let (first, second) = (cell(clue.min(twin)), cell(clue.max(twin)));
        let clash_detail = format!("two {}s in row {}: {first}, {second}", char::from(digit), clue / 9 + 1);
        faulty.replace(7, &clash, "", fault("conflict", clash_detail));
        // No digit is left for the first cell: its row and its column hold all of them.
        let stuck = format!(".12345678{}9{}", ".".repeat(9), ".".repeat(62));
        faulty.replace(9, &stuck, "", fault("none", String::new()));
        faulty.replace(11, &with(puzzle, clue, b'.'), "", fault("multiple", String::new()));
        // The answer is one of several solutions.
        faulty.replace(
            13,
            &with(&pairs[51].0, first_clue(&pairs[51].0), b'.'),
            &pairs[51].1,
            fault("multiple", String::new()),
        );

        let wrong = with(solution, blank, other(right));
        let detail = |at: usize, given: u8, who: &str, has: u8| {
            format!("answer: {} is {}, the {who} has {}", cell(at), char::from(given), char::from(has))
        };
        let wrong_detail = detail(blank, other(right), "solution", right);
        faulty.replace(15, puzzle, &wrong, fault("wrong-answer", wrong_detail));
        let changed = with(solution, clue, other(digit));
        let changed_detail = detail(clue, other(digit), "puzzle", digit);
        faulty.replace(
            17,
            &isomorph_pair(puzzle).0,
            "",
            fault("bad-answer;isomorph", "answer: missing; isomorph of line 15".into()),
        );
        faulty.replace(
            19,
            puzzle,
            &changed,
            fault("bad-answer;duplicate", format!("{changed_detail}; duplicate of line 15")),
        );
        faulty.replace(
            21,
            &pairs[52].0,
            &pairs[52].1[1..],
            fault("bad-answer", "answer: 80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625".into()),
        );
        faulty.replace(
            23,
            &pairs[53].0,
            &with(&pairs[53].1, 80, b'.'),
            fault("bad-answer", "answer: r9c9 is blank".into()),
        );

        let redundant = format!("{} is redundant", cell(first_redundant(easy_puzzle)));
        faulty.replace(25, easy_puzzle, easy_solution, fault("not-minimal", redundant.clone()));
        faulty.replace(
            27,
            &easy_puzzle.replace('.', "0"),
            easy_solution,
            fault("not-minimal;duplicate", format!("{redundant}; duplicate of line 25")),
        );
        faulty.replace(29, &pairs[0].0, &pairs[0].1, fault("duplicate", "duplicate of line 2".into()));
        faulty.replace(
            31,
            &pairs[0].0.replace('.', "-"),
            &pairs[0].1,
            fault("duplicate", "duplicate of line 2".into()),
        );
        let (isomorphic, isomorphic_solution) = isomorph_pair(&pairs[2 + 2].0);
        faulty.replace(33, &isomorphic, &isomorphic_solution, fault("isomorph", "isomorph of line 6".into()));
        faulty.replace(
            35,
            &isomorphic,
            &isomorphic_solution,
            fault("duplicate;isomorph", "duplicate of line 33; isomorph of line 6".into()),
        );
        faulty.replace(37, UNIQUE, UNIQUE_SOLUTION, None);
        faulty.replace(39, UNIQUE, UNIQUE_SOLUTION, fault("duplicate", "duplicate of line 37".into()));
        // No classes are known of this size.
        let (large, large_solution) = &corpus("-n 1 --size 8x8")[0];
        faulty.replace(45, large, large_solution, None);
        faulty.replace(47, large, large_solution, fault("duplicate", "duplicate of line 45".into()));
        // The puzzles that the faults above were made of are in the corpus as well.
        for (line, of) in [(52, "duplicate of line 15"), (54, "duplicate of line 21"), (55, "duplicate of line 23")] {
            faulty.faults.insert(line, ("duplicate", of.into()));
        }
        faulty
    }

    fn push(&mut self, puzzle: &str, answer: &str, fault: Option<(&'static str, String)>) {
        self.lines.push(String::new());
        self.replace(self.lines.len() as u64, puzzle, answer, fault);
    }

    fn replace(&mut self, line: u64, puzzle: &str, answer: &str, fault: Option<(&'static str, String)>) {
        // One rating cannot be read.
        let rating = if line == 41 { "hard" } else { "9.9" };
        self.lines[line as usize - 1] = format!("{line},{puzzle},{answer},{rating}");
        self.faults.remove(&line);
        self.faults.extend(fault.map(|fault| (line, fault)));
    }

    pub(crate) fn text(&self) -> String {
        self.lines.join("\n") + "\n"
    }
}

pub(crate) fn first_clue(puzzle: &str) -> usize {
    puzzle.bytes().position(|byte| byte != b'.').unwrap()
}

/// An isomorph of a puzzle with one solution, and its solution.
fn isomorph_pair(puzzle: &str) -> (String, String) {
    let isomorphic = isomorph(puzzle, 3);
    let solution = TestDir::new().run_on(&isomorphic, "solve -q --to lines").ends(0);
    (isomorphic, solution.trim_end().to_owned())
}

/// By the definition: without the clue, there still is one solution.
fn first_redundant(puzzle: &str) -> usize {
    let clues: Vec<usize> = (0..81).filter(|&index| puzzle.as_bytes()[index] != b'.').collect();
    let reduced: Vec<String> = clues.iter().map(|&clue| with(puzzle, clue, b'.')).collect();
    let statuses = TestDir::new().run_on(reduced.join("\n"), "solve -q --columns status --no-header").ends(0);
    clues[statuses.lines().position(|status| status == "unique").unwrap()]
}
