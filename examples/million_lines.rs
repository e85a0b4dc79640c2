//! Generates a file of a million puzzles, and solves it with all threads into rows of CSV.
//!
//! ```console
//! $ cargo run --release --example million_lines
//! $ cargo run --release --example million_lines -- 10000
//! ```

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{self, Write};

use gridmill::corpus::Corpus;
use gridmill::jobs::{Execution, Finished, Generate, Solve};
use gridmill::stats::Summary;

fn main() -> Result<(), Box<dyn Error>> {
    let count = env::args().nth(1).map_or(Ok(1_000_000), |count| count.parse())?;
    let Finished { report, run, .. } = solve_generated(count, io::sink())?;
    println!("{} records in {:.3} s with {}", report.records, run.wall_seconds, run.engine);
    println!("{:.0} records a second with {} threads", run.records_per_second, run.threads);
    Ok(())
}

/// Generates puzzles and writes a row for each, with its line, status and solution.
pub(crate) fn solve_generated(count: u64, rows: impl Write + Send) -> Result<Finished<Summary>, Box<dyn Error>> {
    let execution = Execution::new();
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("puzzles.txt");

    let _ = Generate::new(count).clues("30".parse()?).run(Corpus::empty(), File::create(&path)?, &execution)?;

    let job = Solve::new().columns(["line", "status", "solution"]);
    Ok(job.run(Corpus::open_path(path)?, rows, &execution)?)
}
