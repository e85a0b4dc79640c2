//! Measures splitting and parsing in each input format, with the same puzzles written in all of them.
//!
//! All cells are compared with the puzzles before anything is timed.

use std::fmt::Write as _;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridmill::format::{BatchLimits, InputFormat, InputOptions, Layout, Malformed, detect};
use gridmill::puzzle::{Puzzles, Size};

const PUZZLES: usize = 1000;

/// Puzzle number `number`: about a quarter of the cells are clues, placed by a small random generator.
fn puzzle(number: usize) -> String {
    let mut state = number as u64;
    let cell = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let digit = (state >> 33) % 36;
        if (1..=9).contains(&digit) { char::from(b'0' + digit as u8) } else { '.' }
    };
    (0..81).map(cell).collect()
}

fn text(format: InputFormat) -> String {
    let mut text = String::new();
    match format {
        InputFormat::Csv => text.push_str("source,question,answer,rating\n"),
        InputFormat::OpenSudoku => text.push_str("<opensudoku>\n"),
        _ => {}
    }
    for number in 0..PUZZLES {
        let puzzle = puzzle(number);
        match format {
            InputFormat::Lines => writeln!(text, "{puzzle}"),
            InputFormat::Csv => writeln!(text, "puzzles4_forum_hardest_1905,{puzzle},{},18", "1".repeat(81)),
            InputFormat::Jsonl => {
                let solution = "1".repeat(81);
                writeln!(text, r#"{{"source":"forum","question":"{puzzle}","answer":"{solution}","rating":18}}"#)
            }
            InputFormat::Grids => (0..9).try_for_each(|row| writeln!(text, "{}", &puzzle[9 * row..9 * row + 9])),
            InputFormat::Ints => {
                let numbers = puzzle.replace('.', "0");
                let rows = (0..9).map(|row| numbers[9 * row..9 * row + 9].chars().flat_map(|cell| [cell, ' ']));
                writeln!(text, "3")
                    .and_then(|()| rows.into_iter().try_for_each(|row| writeln!(text, "{}", row.collect::<String>())))
            }
            InputFormat::Candidates => {
                let cells: Vec<_> = puzzle.split_inclusive(|_| true).map(candidates).collect();
                cells.chunks(9).try_for_each(|row| writeln!(text, "{}", row.join(" "))).and_then(|()| writeln!(text))
            }
            InputFormat::Hodoku => writeln!(text, ":0000:x:{puzzle}:115 215::"),
            InputFormat::OpenSudoku => writeln!(text, r#"  <game data="{}"/>"#, puzzle.replace('.', "0")),
            _ => unimplemented!("{format}"),
        }
        .expect("a string can be written");
    }
    if format == InputFormat::OpenSudoku {
        text.push_str("</opensudoku>\n");
    }
    text
}

/// The candidates of a cell: its clue, or eight digits. Nine in each cell of a row would be the 81 symbols of a line.
fn candidates(cell: &str) -> &str {
    if cell == "." { "12345678" } else { cell }
}

/// The 729 symbols of a puzzle as a pencilmark puzzle.
fn pencilmarks(puzzle: &str) -> String {
    let has = |cell, digit| candidates(cell).contains(digit);
    let symbols = |cell| ('1'..='9').map(move |digit| if has(cell, digit) { digit } else { '.' });
    puzzle.split_inclusive(|_| true).flat_map(symbols).collect()
}

/// Calls `each` with all records of a text and the lines on which they start.
fn split(layout: &Layout, text: &[u8], mut each: impl FnMut(&[u8], u64)) {
    layout.splitter().next_batch(text, true, BatchLimits::NONE, &mut |record, line| each(&text[record], line));
}

fn formats(criterion: &mut Criterion) {
    for &format in InputFormat::ALL {
        let text = text(format);
        let layout = detect(text.as_bytes(), true, &InputOptions::default()).expect("good text");
        assert_eq!(layout.format(), format);
        let mut parser = layout.parser();
        let mut puzzles = Puzzles::new();
        let mut records = vec![];
        split(&layout, text.as_bytes(), |record, _| {
            let value = |byte: u8| if byte == b'.' { 0 } else { byte - b'0' };
            let puzzle = puzzle(records.len());
            match parser.parse(record, &mut puzzles) {
                Ok(_) => assert_eq!(puzzles.last(Size::Nine), puzzle.bytes().map(value).collect::<Vec<_>>()),
                Err(Malformed::Pencilmarks) => assert_eq!(parser.pencilmarks(record), pencilmarks(&puzzle).as_bytes()),
                Err(error) => panic!("{format}: {error}"),
            }
            records.push(record.to_vec());
        });
        assert_eq!(records.len(), PUZZLES);

        let mut group = criterion.benchmark_group(format.to_string());
        group.throughput(Throughput::Elements(PUZZLES as u64));
        group.bench_function("split", |bencher| {
            bencher.iter(|| split(&layout, black_box(text.as_bytes()), |record, line| _ = black_box((record, line))));
        });
        group.bench_function("parse", |bencher| {
            bencher.iter(|| {
                puzzles.clear();
                for record in &records {
                    let parsed = parser.parse(black_box(record), &mut puzzles);
                    _ = black_box(parsed);
                }
                black_box(&puzzles);
            });
        });
        group.finish();
    }
}

criterion_group!(benches, formats);
criterion_main!(benches);
