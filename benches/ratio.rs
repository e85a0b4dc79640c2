//! How many times as fast as the bitmask engine the lanes engine is, in every width that this CPU has.
//!
//! The figure should stay above 8 in AVX-512; it is printed, not asserted. The answers are compared first. Both engines
//! solve the same puzzles by turns on one thread, and the median of the ratios of their CPU times is printed.

use std::fs;
use std::path::Path;
use std::time::Duration;

use strum::VariantArray;

use gridmill::engine::lanes::Simd;
use gridmill::engine::{Bounds, Engine, EngineKind, Limit, Verdicts};
use gridmill::pipeline::thread_cpu_time;
use gridmill::puzzle::Batch;
use gridmill::puzzle::Size;

const ROUNDS: usize = 9;

/// The puzzles in `data/minimal.txt`.
fn puzzles() -> Batch {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/minimal.txt");
    let mut batch = Batch::new(Size::Nine);
    for line in fs::read_to_string(path).unwrap().lines() {
        let cells: Vec<u8> = line.bytes().map(|symbol| if symbol == b'.' { 0 } else { symbol - b'0' }).collect();
        batch.push(&cells);
    }
    batch
}

/// Solves a batch some times; returns the CPU time of one.
fn time(engine: &mut dyn Engine, batch: &Batch, times: usize, verdicts: &mut Verdicts) -> Duration {
    let start = thread_cpu_time();
    for _ in 0..times {
        engine.solve(batch, Bounds::new(Limit::UNIQUE), verdicts);
    }
    thread_cpu_time().saturating_sub(start) / times as u32
}

fn main() {
    let batch = puzzles();
    let (mut ours, mut theirs) = (Verdicts::new(), Verdicts::new());
    let mut bitmask = EngineKind::Bitmask.build().unwrap();
    for simd in Simd::VARIANTS.iter().copied().filter(|&simd| simd != Simd::Auto) {
        let Ok(mut lanes) = EngineKind::Lanes(simd).build() else {
            println!("skipped: this CPU has no {simd}");
            continue;
        };
        time(&mut *bitmask, &batch, 1, &mut theirs);
        time(&mut *lanes, &batch, 1, &mut ours);
        for (our, their) in ours.iter().zip(theirs.iter()) {
            assert_eq!((our.solutions, our.solution), (their.solutions, their.solution));
        }
        let mut ratios: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let bitmask = time(&mut *bitmask, &batch, 1, &mut theirs);
                let lanes = time(&mut *lanes, &batch, 20, &mut ours);
                bitmask.as_secs_f64() / lanes.as_secs_f64()
            })
            .collect();
        ratios.sort_by(f64::total_cmp);
        let (fewest, median, most) = (ratios[0], ratios[ROUNDS / 2], ratios[ROUNDS - 1]);
        println!("lanes in {simd}: {median:.1} times as fast as bitmask on minimal puzzles ({fewest:.1} to {most:.1})");
    }
}
