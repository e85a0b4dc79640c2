//! What a row costs beside solving it: reading, cutting, parsing, formatting and writing, in CPU time of all stages.
//!
//! The engine here knows the answer: it gives every puzzle the same grid. The rows are counted before anything is timed.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use gridmill::corpus::Corpus;
use gridmill::engine::{Cost, Engine, Limit, Verdicts};
use gridmill::jobs::{EngineSource, Execution, Solve};
use gridmill::puzzle::Batch;
use gridmill::rows::{OutputFormat, Status};

const ROWS: usize = 100_000;
const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// Answers at once.
#[derive(Debug)]
struct Oracle {
    solution: Vec<u8>,
}

impl Engine for Oracle {
    fn solve(&mut self, batch: &Batch, _limit: Limit, verdicts: &mut Verdicts) {
        verdicts.reset(batch);
        for index in 0..batch.len() {
            verdicts.count_solution(index, &self.solution);
            verdicts.set_cost(index, Cost { branches: index as u64 % 100, nanos: 1000 + index as u64 % 100 });
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
    let summary = job.run(corpus, output, &Execution::new().threads(1)).unwrap().report.unwrap();
    assert_eq!(summary.rows[Status::Unique], ROWS as u64);
    Duration::from_secs_f64(summary.cpu_seconds.engines + summary.cpu_seconds.rest)
}

fn beside_the_engine(criterion: &mut Criterion) {
    let directory = tempfile::tempdir().unwrap();
    let lines = directory.path().join("lines.txt");
    fs::write(&lines, format!("{PUZZLE}\n").repeat(ROWS)).unwrap();
    let csv = directory.path().join("corpus.csv");
    fs::write(&csv, format!("puzzle,solution\n{}", format!("{PUZZLE},{SOLUTION}\n").repeat(ROWS))).unwrap();

    let mut rows = Vec::new();
    solve(&lines, OutputFormat::Csv, &mut rows);
    let text = String::from_utf8(rows).unwrap();
    assert!(text.lines().nth(2).unwrap().starts_with(&format!("2,{PUZZLE},unique,1,{SOLUTION},1,1001,")));

    let mut group = criterion.benchmark_group("a row beside the engine, CPU time");
    group.throughput(Throughput::Elements(ROWS as u64)).sample_size(10);
    for (name, path, format) in [
        ("lines to csv", &lines, OutputFormat::Csv),
        ("csv to csv", &csv, OutputFormat::Csv),
        ("lines to jsonl", &lines, OutputFormat::Jsonl),
    ] {
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|runs| (0..runs).map(|_| solve(path, format, io::sink())).sum());
        });
    }
    group.finish();
}

criterion_group!(benches, beside_the_engine);
criterion_main!(benches);
