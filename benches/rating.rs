//! Rates easy puzzles and minimal ones, and the sets that `GRIDMILL_RATING_SETS` names (files of lines, `:` between
//! them).
//!
//! The ratings of the sets in `tests/ratings` are compared with those of Sudoku Explainer before they are timed; those of
//! other sets, if lines have them behind a comma.

use std::fs;
use std::path::{Path, PathBuf};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use gridmill::Puzzle;
use gridmill::puzzle::Grid;
use gridmill::rating::{Rater, RatingEnd, RatingGoal, RatingOptions};

/// The puzzles of a file, each with its ER if the line has one.
fn read(path: &Path) -> Vec<(Grid, Option<String>)> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("puzzle"));
    lines
        .map(|line| {
            let mut fields = line.split(',');
            let puzzle: Puzzle = fields.next().unwrap().trim().parse().unwrap();
            (puzzle.cells().try_into().expect("81 cells"), fields.next().map(str::to_owned))
        })
        .collect()
}

fn rating(criterion: &mut Criterion) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ratings");
    let mut sets: Vec<PathBuf> = ["easy.csv", "minimal.csv"].map(|name| root.join(name)).into();
    sets.extend(std::env::var_os("GRIDMILL_RATING_SETS").iter().flat_map(std::env::split_paths));
    for set in sets {
        let puzzles = read(&set);
        let mut group = criterion.benchmark_group(format!("rate {}", set.file_stem().unwrap().to_string_lossy()));
        group.throughput(Throughput::Elements(puzzles.len() as u64)).sample_size(10);
        for goal in [RatingGoal::Steps, RatingGoal::Counts] {
            let mut rater = Rater::with_options(RatingOptions { goal, ..RatingOptions::default() });
            for (puzzle, er) in &puzzles {
                let rating = rater.rate(puzzle, |_, _| ());
                assert_eq!(rating.end, RatingEnd::Solved, "{puzzle:?}");
                if let Some(er) = er {
                    assert_eq!(&rating.er.to_string(), er, "{puzzle:?}");
                }
            }
            group.bench_function(BenchmarkId::from_parameter(format!("{goal:?}")), |bencher| {
                bencher.iter(|| puzzles.iter().map(|(puzzle, _)| rater.rate(puzzle, |_, _| ()).er).max());
            });
        }
        group.finish();
    }
}

criterion_group!(benches, rating);
criterion_main!(benches);
