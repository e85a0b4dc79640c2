//! Traces of every style, replayed to the solution.

use std::collections::BTreeSet;
use std::path::Path;

use gridmill::Corpus;
use gridmill::jobs::trace::TraceStyle;
use gridmill::jobs::{Execution, Trace};
use gridmill::puzzle::{Geometry, Size, rules};
use gridmill::rating::TechniqueName;
use gridmill::rows::OutputFormat;
use serde::Deserialize;
use strum::VariantArray;

/// A row of JSON lines.
#[derive(Deserialize)]
struct TraceRow {
    line: u64,
    puzzle: String,
    status: String,
    solution: Option<String>,
    kinds: Vec<String>,
    cells: Vec<Option<usize>>,
    values: Vec<Option<u8>>,
    techniques: Vec<String>,
    houses: Vec<String>,
    steps: Vec<u64>,
    detail: Option<String>,
}

const FILES: [&str; 7] =
    ["4x4.txt", "easy.txt", "minimal.txt", "mixed.txt", "16x16.txt", "25x25.txt", "with-answers.csv"];

/// The traces of a file, with all columns.
fn traces(file: &str, style: TraceStyle) -> Vec<TraceRow> {
    let corpus = Corpus::open_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(file)).unwrap();
    let columns = Trace::COLUMNS.iter().map(|column| column.name);
    let job = Trace::new().style(style).format(OutputFormat::Jsonl).columns(columns);
    let mut rows = vec![];
    let report = job.run(corpus, &mut rows, &Execution::new()).unwrap().report;
    assert_eq!(report.records, str::from_utf8(&rows).unwrap().lines().count() as u64);
    let lines = str::from_utf8(&rows).unwrap().lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The values of the symbols of a puzzle or a solution.
fn values(size: Size, text: &str) -> Vec<u8> {
    // In `data/`, 16x16 puzzles have digits and letters, and 25x25 puzzles only letters.
    let letters = if size == Size::Sixteen { 10 } else { 1 };
    let value = |symbol: u8| match symbol {
        b'1'..=b'9' => symbol - b'0',
        b'A'..=b'Y' => symbol - b'A' + letters,
        _ => 0,
    };
    text.bytes().map(value).collect()
}

/// A partly filled grid with its candidates.
#[derive(Clone)]
struct State {
    values: Vec<u8>,
    candidates: Vec<BTreeSet<u8>>,
}

impl State {
    fn of(size: Size, clues: &[u8]) -> State {
        let all: BTreeSet<u8> = (1..=size.side() as u8).collect();
        let mut state = State { values: vec![0; size.cells()], candidates: vec![all; size.cells()] };
        for (cell, &value) in clues.iter().enumerate().filter(|(_, value)| **value > 0) {
            state.place(size, cell, value);
        }
        state
    }

    fn place(&mut self, size: Size, cell: usize, value: u8) {
        assert!(self.candidates[cell].contains(&value), "{value} is no candidate of cell {cell}");
        self.values[cell] = value;
        self.candidates[cell].clear();
        for &peer in Geometry::of(size).peers(cell) {
            self.candidates[usize::from(peer)].remove(&value);
        }
    }
}

/// The grid at the end of a trace.
fn replayed(size: Size, row: &TraceRow, style: TraceStyle) -> Vec<u8> {
    let mut state = State::of(size, &values(size, &row.puzzle));
    let mut guesses: Vec<(State, usize, u8)> = vec![];
    for (index, kind) in row.kinds.iter().enumerate() {
        let cell = || row.cells[index].expect("the event has a cell");
        let value = || row.values[index].expect("the event has a value");
        match kind.as_str() {
            "start" => assert_eq!(index, 0),
            "solved" => assert_eq!(index + 1, row.kinds.len()),
            // In the order of placements alone, removals are missing.
            "place" => state.place(size, cell(), value()),
            "remove" => assert!(state.candidates[cell()].remove(&value()), "{index}: it is no candidate"),
            "guess" => {
                guesses.push((state.clone(), cell(), value()));
                state.place(size, cell(), value());
            }
            "fail" => {
                assert!(row.cells[index].is_none_or(|cell| state.candidates[cell].is_empty()));
                assert_eq!(row.kinds[index + 1], "back");
            }
            "back" => {
                let (before, tried, wrong) = guesses.pop().expect("there was a guess");
                assert_eq!((cell(), value()), (tried, wrong));
                state = before;
                state.candidates[tried].remove(&wrong);
            }
            kind => panic!("{kind} in a trace by {style}"),
        }
    }
    state.values
}

#[test]
fn every_trace_leads_to_the_solution() {
    let mut counts = [0; 3];
    for (&style, count) in TraceStyle::VARIANTS.iter().zip(&mut counts) {
        for file in FILES {
            for row in traces(file, style) {
                let events = row.kinds.len();
                let lengths = [row.cells.len(), row.values.len(), row.techniques.len(), row.houses.len()];
                assert_eq!((lengths, row.steps.len()), ([events; 4], events));

                let place = format!("{file}:{} by {style}", row.line);
                let Some(size) = Size::from_cells(row.puzzle.len()).filter(|_| row.status == "unique") else {
                    assert_eq!((events, &row.solution), (0, &None), "{place}");
                    continue;
                };
                let solution = values(size, row.solution.as_deref().unwrap());
                assert!(rules::is_solution(size, &values(size, &row.puzzle), &solution), "{place}");
                if let Some(detail) = &row.detail {
                    assert!(events == 0 && size != Size::Nine && style != TraceStyle::Search, "{place}: {detail}");
                    assert_eq!(detail, "only 9x9 puzzles have a trace by techniques");
                    continue;
                }
                assert_eq!(replayed(size, &row, style), solution, "{place}");
                *count += 1;
            }
        }
    }
    // Techniques are for 9x9 puzzles.
    assert!(counts[0] > 2500 && counts[0] == counts[2] && counts[1] == counts[0] + 224, "{counts:?}");
}

/// The placements of both styles are the same; the order has the hardest technique since the one before.
#[test]
fn placements_have_the_hardest_technique_since_the_one_before() {
    let difficulty = |technique: &str| technique.parse::<TechniqueName>().unwrap().least();
    let mut harder = 0;
    for (steps, size) in
        traces("minimal.txt", TraceStyle::Technique).iter().zip(traces("minimal.txt", TraceStyle::Order))
    {
        let is_placed = |index: &usize| steps.kinds[*index] == "place";
        let placed: Vec<usize> = (0..steps.kinds.len()).filter(is_placed).collect();
        assert_eq!(size.cells, placed.iter().map(|&index| steps.cells[index]).collect::<Vec<_>>());
        assert_eq!(size.values, placed.iter().map(|&index| steps.values[index]).collect::<Vec<_>>());

        let mut from = 0;
        for (technique, &to) in size.techniques.iter().zip(&placed) {
            let since = &steps.techniques[from..=to];
            assert!(since.contains(technique));
            // Chains and unique rectangles of one name differ in their difficulty.
            if since.iter().all(|name| difficulty(name) < "4.5".parse().unwrap()) {
                assert_eq!(since.iter().map(|name| difficulty(name)).max(), Some(difficulty(technique)));
            }
            harder += usize::from(technique != since.last().unwrap());
            from = to + 1;
        }
    }
    assert!(harder > 1000, "{harder}");
}
