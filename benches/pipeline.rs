//! The CPU time of a row without solving: reading, splitting, parsing, formatting and writing.
//!
//! The engine of this bench gives every puzzle the same solution at once. The rows are checked before anything is timed.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridmill::corpus::Corpus;
use gridmill::engine::{Bounds, Engine, SearchEnd, Verdicts};
use gridmill::jobs::{EngineSource, Execution, Solve};
use gridmill::puzzle::Batch;
use gridmill::rows::{OutputFormat, Status};

const ROWS: usize = 100_000;
const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// An engine that knows the solution.
#[derive(Debug)]
struct Oracle {
    solution: Vec<u8>,
}

impl Engine for Oracle {
    fn solve(&mut self, batch: &Batch, _bounds: Bounds<'_>, verdicts: &mut Verdicts) {
        verdicts.reset(batch);
        for index in 0..batch.len() {
            verdicts.count_solution(index, &self.solution);
            let number = index as u64 % 100;
            verdicts.finish(index, SearchEnd::Complete, number, 1000 + number);
        }
    }
}

fn oracle() -> Box<dyn Engine> {
    Box::new(Oracle { solution: SOLUTION.bytes().map(|digit| digit - b'0').collect() })
}

/// Solves a file on one thread; returns the CPU time of all stages.
fn solve(path: &Path, format: OutputFormat, output: impl Write + Send) -> Duration {
    let job = Solve::new().engine(EngineSource::custom("oracle", oracle)).format(format);
    let corpus = Corpus::open_path(path).unwrap();
    let summary = job.run(corpus, output, &Execution::new().threads(1)).unwrap().report;
    assert_eq!(summary.rows[Status::Unique], ROWS as u64);
    Duration::from_secs_f64(summary.cpu_seconds.engines + summary.cpu_seconds.rest)
}

/// Checks that there is a row for each puzzle, with the solution.
fn check(rows: &str, format: OutputFormat) {
    let rows: Vec<&str> = rows.lines().skip(usize::from(format == OutputFormat::Csv)).collect();
    assert_eq!(rows.len(), ROWS);
    assert!(rows.iter().all(|row| [PUZZLE, "unique", SOLUTION].iter().all(|part| row.contains(part))));
}

fn without_the_engine(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().unwrap();
    let lines = directory.path().join("lines.txt");
    fs::write(&lines, format!("{PUZZLE}\n").repeat(ROWS)).unwrap();
    let csv = directory.path().join("corpus.csv");
    fs::write(&csv, format!("puzzle,solution\n{}", format!("{PUZZLE},{SOLUTION}\n").repeat(ROWS))).unwrap();

    let mut group = criterion.benchmark_group("a row without the engine, CPU time");
    group.throughput(Throughput::Elements(ROWS as u64)).sample_size(10);
    for (name, path, format) in [
        ("lines to csv", &lines, OutputFormat::Csv),
        ("csv to csv", &csv, OutputFormat::Csv),
        ("lines to jsonl", &lines, OutputFormat::Jsonl),
    ] {
        let mut rows = Vec::new();
        solve(path, format, &mut rows);
        check(&String::from_utf8(rows).unwrap(), format);
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|runs| (0..runs).map(|_| solve(path, format, io::sink())).sum());
        });
    }
    group.finish();
}

criterion_group!(benches, without_the_engine);
criterion_main!(benches);
