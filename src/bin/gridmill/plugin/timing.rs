//! Measures how long a plugin takes for all puzzles, on one thread or several.

use std::num::NonZeroUsize;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use gridmill::jobs::bench::PluginTimes;

use super::library::{CELLS, Solver};

/// How many puzzles each thread solves before the clock starts, so that tables and caches are filled.
const WARM_UP: usize = 1000;

/// How many puzzles a thread takes at a time.
const PIECE: usize = 64;

/// Solves all puzzles `passes` times. All passes form one queue, so the threads wait for each other only at its end.
pub(super) fn time(
    solver: &Solver,
    puzzles: &[[u8; CELLS]],
    passes: NonZeroUsize,
    threads: NonZeroUsize,
) -> PluginTimes {
    let (next, pieces) = (AtomicUsize::new(0), puzzles.chunks(PIECE).len());
    let warmed_up = Barrier::new(threads.get() + 1);
    let solve = |puzzle: &[u8; CELLS]| solver.solve(puzzle).solutions as u64;
    let work = || {
        puzzles.iter().take(WARM_UP).for_each(|puzzle| {
            solve(puzzle);
        });
        warmed_up.wait();
        let mut solutions = 0;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= passes.get() * pieces {
                return solutions;
            }
            let start = number % pieces * PIECE;
            let end = puzzles.len().min(start + PIECE);
            solutions += puzzles[start..end].iter().map(solve).sum::<u64>();
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(work)).collect();
        warmed_up.wait();
        let (cpu, wall) = (process_cpu_time(), Instant::now());
        let solutions = workers.into_iter().map(|worker| worker.join().expect("foreign code does not panic")).sum();
        PluginTimes { wall: wall.elapsed(), cpu: process_cpu_time().saturating_sub(cpu), solutions }
    })
}

/// The CPU time of this process: a solver may have threads of its own.
fn process_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}
