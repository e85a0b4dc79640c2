//! Benchmarks an engine of this crate, on the calling thread or on several threads.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::set::SetPiece;
use super::{Contender, ContenderAnswer, ProgramError, ProgramFailure, PuzzleSet, RunTime, SetAnswers};
use crate::clock::Stopwatch;
use crate::engine::lanes::SimdError;
use crate::engine::{Bounds, Cost, Engine, EngineKind, Limit, MaxBranches, SearchEnd, Verdicts};
use crate::pipeline::thread_cpu_time;
use crate::puzzle::Batch;
use crate::stop::Stop;

/// An engine of this crate, with an instance for each thread.
pub struct EngineContender {
    name: String,
    /// Whether it searches several puzzles at once, so that each has only a share of a time.
    is_shared: bool,
    max_branches: MaxBranches,
    stop: Stop,
    slots: Vec<Mutex<EngineSlot>>,
    /// The threads, if there are several.
    pool: Option<ThreadPool>,
}

/// The state of one thread.
struct EngineSlot {
    engine: Box<dyn Engine>,
    verdicts: Verdicts,
}

impl fmt::Debug for EngineContender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineContender").field("name", &self.name).field("pool", &self.pool).finish_non_exhaustive()
    }
}

impl EngineContender {
    /// An engine on `threads` threads.
    ///
    /// # Errors
    ///
    /// If the CPU lacks the vector instructions, or the threads cannot be started.
    ///
    /// # Panics
    ///
    /// If `threads` is 0.
    pub fn new(kind: EngineKind, threads: usize) -> Result<EngineContender, StartError> {
        assert!(threads > 0, "an engine needs a thread");
        let slot = |_| Ok(Mutex::new(EngineSlot { engine: kind.build()?, verdicts: Verdicts::new() }));
        let slots = (0..threads).map(slot).collect::<Result<_, StartError>>()?;
        let pool = if threads > 1 { Some(ThreadPoolBuilder::new().num_threads(threads).build()?) } else { None };
        let is_shared = matches!(kind.resolved(), EngineKind::Lanes(_));
        Ok(EngineContender {
            name: kind.to_string(),
            is_shared,
            max_branches: MaxBranches::default(),
            stop: Stop::new(),
            slots,
            pool,
        })
    }

    /// Fails after a stop. A timed run is never interrupted, as its time could not be compared.
    fn check_stop(&self, set: &PuzzleSet) -> Result<(), ProgramError> {
        if self.stop.is_triggered() {
            let (command, file) = (self.name.clone(), set.name().to_owned());
            return Err(ProgramError { command, file, failure: ProgramFailure::Stopped });
        }
        Ok(())
    }
}

setters!(EngineContender {
    /// Sets the maximum number of branches of the search for a puzzle. By default, it depends on the size.
    max_branches(max_branches: MaxBranches) => max_branches = max_branches;

    /// Sets a signal that ends the searches for answers, and no other run is timed.
    stop(stop: Stop) => stop = stop;
});

/// The reason why an engine cannot be benchmarked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The CPU lacks the vector instructions.
    #[error(transparent)]
    Vectors(#[from] SimdError),
    /// The threads cannot be started.
    #[error("cannot start the threads")]
    Threads(#[from] ThreadPoolBuildError),
}

impl Contender for EngineContender {
    fn name(&self) -> &str {
        &self.name
    }

    fn threads(&self) -> Option<usize> {
        Some(self.slots.len())
    }

    fn answer(&mut self, set: &PuzzleSet, limit: Limit) -> Result<SetAnswers, ProgramError> {
        let (max_branches, is_shared) = (self.max_branches, self.is_shared);
        let EngineSlot { engine, verdicts } = first_slot(&mut self.slots);
        let mut answers = SetAnswers::default();
        let (cpu, wall) = (thread_cpu_time(), Instant::now());
        let mut solve = |batch: &Batch| {
            let bounds = bounds(limit, max_branches, batch).stop(&self.stop);
            let clock = Stopwatch::cpu();
            engine.solve(batch, bounds, verdicts);
            let time = clock.elapsed().as_nanos() as u64;
            for verdict in verdicts.iter() {
                let solution = verdict.solution.map(Into::into);
                let gave_up = verdict.end == SearchEnd::GaveUp;
                let solutions = (!gave_up).then_some(verdict.solutions);
                answers.answers.push(ContenderAnswer { solutions, gave_up, solution });
                // The engine's own clock is finer, but may go on while another process runs.
                let nanos = verdict.cost.nanos.min(time);
                answers.costs.push(Cost { nanos, ..verdict.cost });
            }
        };

        for SetPiece { batch, .. } in set.pieces() {
            if is_shared {
                solve(batch);
                continue;
            }
            let mut one = Batch::new(batch.size());
            for puzzle in batch.puzzles() {
                one.clear();
                one.push(puzzle);
                solve(&one);
            }
        }
        answers.time = elapsed(cpu, wall);
        Ok(answers)
    }

    fn time(&mut self, set: &PuzzleSet, limit: Limit, passes: usize) -> Result<RunTime, ProgramError> {
        let (pieces, max_branches) = (set.pieces(), self.max_branches);

        // On this thread, its CPU time is known.
        let Some(pool) = &self.pool else {
            let EngineSlot { engine, verdicts } = first_slot(&mut self.slots);
            let (cpu, wall) = (thread_cpu_time(), Instant::now());
            for piece in (0..passes).flat_map(|_| pieces) {
                engine.solve(&piece.batch, bounds(limit, max_branches, &piece.batch), verdicts);
            }
            let time = elapsed(cpu, wall);
            self.check_stop(set)?;
            return Ok(time);
        };

        let (next, slots) = (AtomicUsize::new(0), &self.slots);
        let wall = Instant::now();
        pool.broadcast(|context| {
            let mut own = slots[context.index()].lock().expect("a panic would have ended the run");
            let EngineSlot { engine, verdicts } = &mut *own;

            // All passes form one queue, so the threads wait for each other only at its end.
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= passes * pieces.len() {
                    return;
                }
                let piece = &pieces[number % pieces.len()];
                engine.solve(&piece.batch, bounds(limit, max_branches, &piece.batch), verdicts);
            }
        });
        let wall = wall.elapsed();
        self.check_stop(set)?;
        Ok(RunTime { wall, cpu: None })
    }
}

fn bounds<'a>(limit: Limit, max_branches: MaxBranches, batch: &Batch) -> Bounds<'a> {
    Bounds { solutions: limit, max_branches: max_branches.for_size(batch.size()), stop: None }
}

/// The time since two readings of the clocks.
fn elapsed(cpu: Duration, wall: Instant) -> RunTime {
    let cpu = thread_cpu_time().saturating_sub(cpu);
    RunTime { wall: wall.elapsed(), cpu: (!cpu.is_zero()).then_some(cpu) }
}

fn first_slot(slots: &mut [Mutex<EngineSlot>]) -> &mut EngineSlot {
    slots[0].get_mut().expect("a panic would have ended the run")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::set::tests::read;

    #[test]
    fn answers_do_not_depend_on_the_number_of_threads() {
        let set = read("1.3..........4.2\n1...............\n11..............\n").unwrap();
        for threads in [1, 3] {
            let mut contender = EngineContender::new(EngineKind::Bitmask, threads).unwrap();
            assert_eq!((contender.name(), contender.threads()), ("bitmask", Some(threads)));
            let answers = contender.answer(&set, Limit::UNIQUE).unwrap();
            let counts: Vec<_> = answers.answers.iter().map(|answer| answer.solutions.unwrap()).collect();
            assert_eq!((counts, answers.costs.len()), (vec![1, 2, 0], 3));
            let run = contender.time(&set, Limit::UNIQUE, 2).unwrap();
            assert_eq!(run.cpu.is_some(), threads == 1 && cfg!(unix));
        }
    }
}
