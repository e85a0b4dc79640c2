//! Compares gridmill's lanes engine with the `sudoku` crate: the same puzzles, one thread, by turns, in CPU time.
//!
//! ```text
//! cargo run --release -- 17_clue.txt magictour_top1465.txt:100000 …
//! ```
//!
//! A number after a file's name repeats its puzzles up to that many. Counts and solutions are compared before anything
//! is timed. The crate counts solutions up to two from text; gridmill counts up to two and gives the solution's cells,
//! from the cells of a batch ("cells") or from text ("text").

use std::time::Duration;

use gridmill::puzzle::Batch;
use gridmill::engine::lanes::{Lanes, Simd};
use gridmill::engine::{Bounds, Engine, Limit, Verdicts};
use gridmill::puzzle::Size;
use rustix::time::{ClockId, clock_gettime};
use strum::VariantArray;
use sudoku::Sudoku;

/// Puzzles in a batch; a chunk of gridmill has up to twice as many.
const BATCH: usize = 2048;

/// Measurements of each contender on each file.
const RUNS: usize = 7;

fn main() {
    println!(
        "{:32} {:>8} {:>12} {:>10} {:>7} {:>10} {:>7} {:>7}",
        "file", "puzzles", "contender", "k/s cells", "ratio", "k/s text", "ratio", "branch"
    );
    for argument in std::env::args().skip(1) {
        let (path, repeat) = match argument.rsplit_once(':') {
            Some((path, count)) => (path, Some(count.parse().expect("a number of puzzles"))),
            None => (&*argument, None),
        };
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        compare(path, &puzzles_in(&text, repeat));
    }
}

/// The puzzles in the lines of a file, repeated up to a number.
fn puzzles_in(text: &str, repeat: Option<usize>) -> Vec<&str> {
    let puzzles: Vec<&str> =
        text.lines().filter(|line| line.len() >= 81 && !line.starts_with('#')).map(|line| &line[..81]).collect();
    let count = repeat.unwrap_or(puzzles.len());
    puzzles.into_iter().cycle().take(count).collect()
}

fn compare(path: &str, puzzles: &[&str]) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let batches: Vec<Batch> = puzzles.chunks(BATCH).map(batch_of).collect();
    let mut widths: Vec<Lanes> = Simd::VARIANTS[1..].iter().filter_map(|&simd| Lanes::new(simd).ok()).collect();
    let mut verdicts = Verdicts::new();
    for lanes in &mut widths {
        let mut lines = puzzles.iter();
        for batch in &batches {
            lanes.solve(batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
            for (verdict, line) in verdicts.iter().zip(&mut lines) {
                check(line, verdict.solutions, verdict.solution);
            }
        }
    }

    // The crate takes long: a sample of a tenth, spread over the file, is enough to know its speed.
    let step = if puzzles.len() >= 20_000 { 10 } else { 1 };
    let sample: Vec<&str> = puzzles.iter().copied().step_by(step).collect();
    let mut times = vec![[const { Vec::new() }; 2]; widths.len()];
    let mut theirs = vec![];
    let mut branches = vec![0; widths.len()];
    for _ in 0..RUNS {
        theirs.push(cpu_time(|| {
            for line in &sample {
                let sudoku = Sudoku::from_str_line(line).expect("a puzzle");
                std::hint::black_box(sudoku.solutions_count_up_to(2));
            }
        }));
        for (n, lanes) in widths.iter_mut().enumerate() {
            branches[n] = 0;
            times[n][0].push(cpu_time(|| {
                for batch in &batches {
                    lanes.solve(batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
                    std::hint::black_box(&verdicts);
                }
            }));
            let mut batch = Batch::new(Size::Nine);
            times[n][1].push(cpu_time(|| {
                for lines in puzzles.chunks(BATCH) {
                    batch.clear();
                    lines.iter().for_each(|line| push(line, &mut batch));
                    lanes.solve(&batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
                    std::hint::black_box(&verdicts);
                }
            }));
            for batch in &batches {
                lanes.solve(batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
                branches[n] += verdicts.iter().filter_map(|verdict| verdict.cost.branches).sum::<u64>();
            }
        }
    }
    let their_rate = rate(sample.len(), &mut theirs);
    println!("{name:32} {:8} {:>12} {:10} {:7} {their_rate:10.1}", puzzles.len(), "sudoku", "", "");
    for ((lanes, times), branches) in widths.iter().zip(&mut times).zip(&branches) {
        let [cells, text] = times.each_mut().map(|times| rate(puzzles.len(), times));
        let each = *branches as f64 / puzzles.len() as f64;
        println!(
            "{name:32} {:8} {:>12} {cells:10.1} {:7.2} {text:10.1} {:7.2} {each:7.2}",
            puzzles.len(),
            lanes.simd().into(),
            cells / their_rate,
            text / their_rate
        );
    }
}

/// Compares a verdict with what the crate says.
fn check(line: &str, solutions: u64, solution: Option<&[u8]>) {
    let sudoku = Sudoku::from_str_line(line).expect("a puzzle");
    assert_eq!(solutions, sudoku.solutions_count_up_to(2) as u64, "{line}");
    if solutions == 1 {
        let expected = sudoku.solution().expect("a solution").to_bytes();
        assert_eq!(solution, Some(&expected[..]), "{line}");
    }
}

/// Thousands of puzzles a second, from the median of some times.
fn rate(puzzles: usize, times: &mut [Duration]) -> f64 {
    times.sort();
    puzzles as f64 / times[times.len() / 2].as_secs_f64() / 1000.0
}

fn cpu_time(work: impl FnOnce()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let start = now();
    work();
    now() - start
}

fn batch_of(lines: &[&str]) -> Batch {
    let mut batch = Batch::new(Size::Nine);
    lines.iter().for_each(|line| push(line, &mut batch));
    batch
}

/// Reads a puzzle into a batch.
fn push(line: &str, batch: &mut Batch) {
    let text: &[u8; 81] = line.as_bytes().try_into().expect("81 characters");
    let fill = |cells: &mut [u8; 81]| {
        for (cell, byte) in cells.iter_mut().zip(text) {
            *cell = if byte.is_ascii_digit() { byte - b'0' } else { 0 };
        }
        Some(())
    };
    batch.push_with(fill).expect("whatever is not a digit is a blank");
}
