//! An engine of this crate as a contender, on the calling thread or on several.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::{Answers, Contender, ContenderAnswer, Lap, ProgramError, PuzzleSet};
use crate::engine::lanes::SimdError;
use crate::engine::{Engine, EngineChoice, Limit, Verdicts};
use crate::pipeline::thread_cpu_time;

/// An engine, once for each thread.
pub struct EngineContender {
    name: String,
    /// What each thread owns.
    seats: Vec<Mutex<Seat>>,
    /// The threads, if there are several.
    pool: Option<ThreadPool>,
}

struct Seat {
    engine: Box<dyn Engine>,
    verdicts: Verdicts,
}

impl EngineContender {
    /// An engine on `threads` threads.
    ///
    /// # Errors
    ///
    /// If the CPU does not have the vectors, or the threads cannot be started.
    ///
    /// # Panics
    ///
    /// If there is no thread.
    pub fn new(choice: EngineChoice, threads: usize) -> Result<EngineContender, StartError> {
        assert!(threads > 0, "an engine runs on a thread");
        let seat = |_| Ok(Mutex::new(Seat { engine: choice.build()?, verdicts: Verdicts::new() }));
        let seats = (0..threads).map(seat).collect::<Result<_, StartError>>()?;
        let pool = if threads > 1 { Some(ThreadPoolBuilder::new().num_threads(threads).build()?) } else { None };
        Ok(EngineContender { name: choice.to_string(), seats, pool })
    }
}

/// Why an engine cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The CPU does not have the vectors.
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
        Some(self.seats.len())
    }

    fn answer(&mut self, set: &PuzzleSet, limit: Limit) -> Result<Answers, ProgramError> {
        let Seat { engine, verdicts } = seat(&mut self.seats[0]);
        let mut answers = Answers::default();
        for piece in set.pieces() {
            engine.solve(&piece.batch, limit, verdicts);
            for verdict in verdicts.iter() {
                let solution = verdict.solution.map(Into::into);
                answers.answers.push(ContenderAnswer { solutions: Some(verdict.solutions), solution });
                answers.costs.push(verdict.cost);
            }
        }
        Ok(answers)
    }

    fn time(&mut self, set: &PuzzleSet, limit: Limit, passes: usize) -> Result<Lap, ProgramError> {
        let pieces = set.pieces();
        let Some(pool) = &self.pool else {
            let Seat { engine, verdicts } = seat(&mut self.seats[0]);
            let (cpu, wall) = (thread_cpu_time(), Instant::now());
            for piece in (0..passes).flat_map(|_| pieces) {
                engine.solve(&piece.batch, limit, verdicts);
            }
            let (cpu, wall) = (thread_cpu_time().saturating_sub(cpu), wall.elapsed());
            return Ok(Lap { wall, cpu: (!cpu.is_zero()).then_some(cpu) });
        };
        let (next, seats) = (AtomicUsize::new(0), &self.seats);
        let wall = Instant::now();
        pool.broadcast(|context| {
            let mut own = seats[context.index()].lock().expect("whoever panicked ended the run");
            let Seat { engine, verdicts } = &mut *own;
            // All passes are one queue, so that threads only wait for each other at its end.
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= passes * pieces.len() {
                    return;
                }
                engine.solve(&pieces[number % pieces.len()].batch, limit, verdicts);
            }
        });
        Ok(Lap { wall: wall.elapsed(), cpu: None })
    }
}

fn seat(seat: &mut Mutex<Seat>) -> &mut Seat {
    seat.get_mut().expect("whoever panicked ended the run")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineKind;
    use crate::jobs::bench::set::tests::read;

    #[test]
    fn an_engine_answers_the_same_on_any_number_of_threads() {
        let set = read("1.3..........4.2\n1...............\n11..............\n").unwrap();
        for threads in [1, 3] {
            let mut contender = EngineContender::new(EngineKind::Bitmask.into(), threads).unwrap();
            assert_eq!((contender.name(), contender.threads()), ("bitmask", Some(threads)));
            let answers = contender.answer(&set, Limit::UNIQUE).unwrap();
            let counts: Vec<_> = answers.answers.iter().map(|answer| answer.solutions.unwrap()).collect();
            assert_eq!((counts, answers.costs.len()), (vec![1, 2, 0], 3));
            let lap = contender.time(&set, Limit::UNIQUE, 2).unwrap();
            assert_eq!(lap.cpu.is_some(), threads == 1 && cfg!(unix));
        }
    }
}
