//! Every engine on easy, minimal and large puzzles, and on the sets that `GRIDMILL_BENCH_SETS` names (files of lines,
//! `:` between them).
//!
//! All puzzles must have one solution, which every engine has to find before it is timed.

use std::fs;
use std::path::{Path, PathBuf};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gridmill::engine::{Bounds, EngineKind, Limit, Verdicts};
use gridmill::format::{BatchLimits, InputOptions, detect};
use gridmill::puzzle::rules;
use gridmill::puzzle::{Batch, Puzzles};

/// No more puzzles of a set than these are used.
const MOST: usize = 5000;

/// The puzzles of a file, all of one size.
fn read(path: &Path) -> Batch {
    let text = fs::read(path).unwrap();
    let layout = detect(&text, true, &InputOptions::default()).unwrap();
    let (mut splitter, mut parser) = (layout.splitter(), layout.parser());
    let (mut puzzles, mut size) = (Puzzles::new(), None);
    splitter.next_batch(&text, true, BatchLimits { records: MOST, ..BatchLimits::NONE }, &mut |record, _| {
        size = Some(parser.parse(&text[record], &mut puzzles).unwrap().size);
    });
    puzzles.batch(size.expect("a puzzle in every set")).clone()
}

/// Checks that every puzzle has one solution, which obeys the rules.
fn check(engine: EngineKind, batch: &Batch, verdicts: &Verdicts) {
    for (puzzle, verdict) in batch.puzzles().zip(verdicts.iter()) {
        assert_eq!(verdict.solutions, 1, "{engine} on {puzzle:?}");
        assert!(rules::is_solution(batch.size(), puzzle, verdict.solution.unwrap()), "{engine} on {puzzle:?}");
    }
}

fn engines(criterion: &mut Criterion) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut sets: Vec<PathBuf> =
        ["easy.txt", "minimal.txt", "16x16.txt", "25x25.txt"].map(|name| data.join(name)).into();
    sets.extend(std::env::var_os("GRIDMILL_BENCH_SETS").iter().flat_map(std::env::split_paths));
    for set in sets {
        let batch = read(&set);
        let mut group = criterion.benchmark_group(set.file_stem().unwrap().to_string_lossy());
        group.throughput(Throughput::Elements(batch.len() as u64)).sample_size(10);
        for kind in EngineKind::ALL {
            let (mut engine, mut verdicts) = (kind.build().unwrap(), Verdicts::new());
            engine.solve(&batch, Bounds::new(Limit::UNIQUE), &mut verdicts);
            check(kind, &batch, &verdicts);
            group.bench_function(BenchmarkId::from_parameter(kind), |bencher| {
                bencher.iter(|| engine.solve(&batch, Bounds::new(Limit::UNIQUE), &mut verdicts));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, engines);
criterion_main!(benches);
