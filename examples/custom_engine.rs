//! Runs a custom engine, a backtracker of forty lines, in place of gridmill's, and compares their rows.
//!
//! ```console
//! $ cargo run --release --example custom_engine -- data/easy.txt
//! ```

use std::env;
use std::error::Error;
use std::time::Instant;

use gridmill::corpus::Corpus;
use gridmill::engine::{Bounds, Engine, SearchEnd, Verdicts};
use gridmill::jobs::{EngineSource, Execution, Solve};
use gridmill::puzzle::{Batch, Geometry, rules};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).unwrap_or("data/easy.txt".to_owned());
    let custom = EngineSource::custom("backtracker", || Box::new(Backtracker));
    let same = solve(&path, custom)? == solve(&path, EngineSource::default())?;
    println!("{path}: the rows are {}", if same { "the same" } else { "different" });
    Ok(())
}

/// The rows of a file by an engine.
pub(crate) fn solve(path: &str, engine: EngineSource) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut rows = vec![];
    let job = Solve::new().engine(engine).columns(["line", "status", "solution"]);
    let _ = job.run(Corpus::open_path(path)?, &mut rows, &Execution::new())?;
    Ok(rows)
}

/// Tries the digits of the blank with the fewest candidates.
#[derive(Debug)]
pub(crate) struct Backtracker;

impl Engine for Backtracker {
    fn solve(&mut self, batch: &Batch, bounds: Bounds<'_>, verdicts: &mut Verdicts) {
        verdicts.reset(batch);
        let geometry = Geometry::of(batch.size());

        for (index, puzzle) in batch.puzzles().enumerate() {
            let start = Instant::now();
            let mut cells = puzzle.to_vec();
            let mut branches = 0;
            let mut end = SearchEnd::Complete;

            if rules::conflict(batch.size(), puzzle).is_none() {
                // It knows only one of the bounds, which is enough for puzzles that do not take long.
                let mut found = |solution: &[u8]| verdicts.count_solution(index, solution) == bounds.solutions.get();
                if search(geometry, &mut cells, &mut branches, &mut found) {
                    end = SearchEnd::AtLimit;
                }
            }

            verdicts.finish(index, end, branches, start.elapsed().as_nanos() as u64);
        }
    }
}

/// Calls `found` with each solution until it returns true; returns whether it did.
fn search(geometry: &Geometry, cells: &mut [u8], branches: &mut u64, found: &mut impl FnMut(&[u8]) -> bool) -> bool {
    let candidates = |cells: &[u8], blank: usize| -> Vec<u8> {
        let is_free = |&digit: &u8| geometry.peers(blank).iter().all(|&peer| cells[usize::from(peer)] != digit);
        (1..=geometry.size().side() as u8).filter(is_free).collect()
    };
    let blanks = (0..cells.len()).filter(|&cell| cells[cell] == 0);
    let choices = blanks.map(|blank| (blank, candidates(cells, blank)));
    let Some((blank, digits)) = choices.min_by_key(|(_, digits)| digits.len()) else { return found(cells) };

    *branches += digits.len().saturating_sub(1) as u64;
    for digit in digits {
        cells[blank] = digit;
        if search(geometry, cells, branches, found) {
            return true;
        }
    }
    cells[blank] = 0;
    false
}
