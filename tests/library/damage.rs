//! Files of all shapes that are damaged at one place: each puzzle that is whole is read, or a malformed record is in its
//! place, or the file is refused; and no other puzzle is read.

use std::fmt::Write as _;

use crate::shapes::{Puzzle, documents, read_in_order, shapes, styled_shapes};

/// Damages a text at a place with this number.
type Damage = fn(&str, usize) -> String;

const DAMAGES: [(&str, Damage); 14] = [
    ("cut", |text, number| text.chars().take(number % text.chars().count()).collect()),
    ("a start is lost", |text, number| text.chars().skip(number % text.chars().count()).collect()),
    ("a character is lost", |text, number| change(text, number, |_| true, |_, _| vec![])),
    ("a character is doubled", |text, number| change(text, number, |_| true, |one, _| vec![one, one])),
    ("two characters are swapped", |text, number| {
        let mut characters: Vec<char> = text.chars().collect();
        let at = number % (characters.len() - 1);
        characters.swap(at, at + 1);
        characters.into_iter().collect()
    }),
    ("a character is wrong", |text, number| {
        change(text, number, |_| true, |_, number| vec![WRONG[number % WRONG.len()]])
    }),
    ("a cell is wrong", |text, number| {
        change(text, number, |symbol| symbol.is_ascii_digit(), |_, number| vec![WRONG[number % WRONG.len()]])
    }),
    ("a bracket is lost", |text, number| change(text, number, |symbol| "[]{}<>".contains(symbol), |_, _| vec![])),
    ("a bracket is doubled", |text, number| {
        change(text, number, |symbol| "[]{}<>".contains(symbol), |one, _| vec![one, one])
    }),
    ("a quote is lost", |text, number| change(text, number, |symbol| symbol == '"', |_, _| vec![])),
    ("two lines are one", |text, number| change(text, number, |symbol| symbol == '\n', |_, _| vec![])),
    ("a line is lost", |text, number| change_lines(text, number, |lines, at| _ = lines.remove(at))),
    ("a line is doubled", |text, number| change_lines(text, number, |lines, at| lines.insert(at, lines[at]))),
    ("two lines are swapped", |text, number| {
        change_lines(text, number, |lines, at| {
            let next = (at + 1) % lines.len();
            lines.swap(at, next);
        })
    }),
];

/// Characters that are no cells, and some that may be.
const WRONG: [char; 8] = ['q', ' ', ',', '\n', '"', ':', '/', '%'];

/// Changes one of the characters of a kind, the one with this number.
fn change(text: &str, number: usize, is_of_kind: fn(char) -> bool, put: fn(char, usize) -> Vec<char>) -> String {
    let count = text.chars().filter(|symbol| is_of_kind(*symbol)).count();
    let mut rest = number.checked_rem(count);
    let with = |symbol: char| {
        let is_here = is_of_kind(symbol) && rest == Some(0);
        rest = rest.and_then(|rest| rest.checked_sub(usize::from(is_of_kind(symbol))));
        if is_here { put(symbol, number) } else { vec![symbol] }
    };
    text.chars().flat_map(with).collect()
}

fn change_lines(text: &str, number: usize, change: fn(&mut Vec<&str>, usize)) -> String {
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    let at = number % lines.len();
    change(&mut lines, at);
    lines.concat()
}

#[test]
fn a_damaged_file_loses_nothing_in_silence() {
    let puzzles = Puzzle::some(5);
    let mut faults = String::new();
    for (index, shape) in shapes().into_iter().chain(styled_shapes()).chain(documents()).enumerate() {
        let texts: Vec<String> = (1..).zip(&puzzles).map(|(id, puzzle)| (shape.write)(id, puzzle)).collect();
        // Without gaps, rows may belong to the grid before or after them.
        let has_gaps = shape.between == "\n" && texts[0].contains('\n');
        let between = shape.between.repeat(if has_gaps { 2 } else { 1 });
        let text = shape.header.to_owned() + &texts.join(&between) + shape.footer;
        for (name, damage) in DAMAGES {
            for number in [17 + 7 * index, 251 + 17 * index] {
                let damaged = damage(&text, number);
                if damaged != text
                    && let Some(fault) = fault(&puzzles, &texts, &damaged)
                {
                    writeln!(faults, "{}, {name} ({number}): {fault}", shape.name).unwrap();
                }
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{faults}", faults.lines().count());
}

/// What is wrong with the records of a damaged text, which had these puzzles, in these texts.
fn fault(puzzles: &[Puzzle], texts: &[String], damaged: &str) -> Option<String> {
    let records = read_in_order(damaged).ok()?;
    let cells: Vec<[String; 2]> =
        puzzles.iter().map(|puzzle| [puzzle.cells.clone(), puzzle.pencilmarks().to_string()]).collect();
    let mut whole: Vec<(usize, &[String; 2])> =
        texts.iter().zip(&cells).filter_map(|(text, cells)| Some((damaged.find(text)?, cells))).collect();
    whole.sort_unstable();

    // Between the records of the puzzles before and after one that is lost, a record has to be malformed.
    let (mut at, mut lost) = (0, 0);
    for (_, cells) in whole {
        let found = records[at..].iter().position(|record| record.as_ref().is_some_and(|found| cells.contains(found)));
        let Some(found) = found.map(|found| at + found) else {
            lost += 1;
            continue;
        };
        if lost > 0 && !records[at..found].contains(&None) {
            return Some(format!("{lost} lost before record {found}"));
        }
        (at, lost) = (found + 1, 0);
    }
    if lost > 0 && !records[at..].contains(&None) {
        return Some(format!("{lost} lost after record {at}"));
    }

    // At the start of a line, an answer that has lost its puzzle may stand for one.
    let is_known = |found: &String| {
        cells.iter().flatten().any(|known| cannot_be_seen(known, found))
            || puzzles.iter().any(|puzzle| puzzle.solution == *found)
                && damaged.lines().any(|line| line.starts_with(found))
    };
    records.iter().flatten().find(|found| !is_known(found)).map(|found| format!("another puzzle: {found}"))
}

/// Whether a puzzle is another one, but for one symbol in place of another, two that are swapped, or two rows.
fn cannot_be_seen(known: &str, found: &str) -> bool {
    let rows = |cells: &str| {
        let mut rows: Vec<Vec<u8>> = cells.as_bytes().chunks(cells.len() / 9).map(<[u8]>::to_vec).collect();
        rows.sort();
        rows
    };
    let differ = known.bytes().zip(found.bytes()).filter(|(one, other)| one != other).count();
    known.len() == found.len() && (differ <= 2 || rows(known) == rows(found))
}
