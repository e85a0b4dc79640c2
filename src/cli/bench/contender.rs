//! The solvers of a comparison: their trait, the reasons why one fails, their list; and an engine of this crate as a
//! solver, on the calling thread or on several threads.

use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use super::set::{PuzzleSet, SetPiece};
use crate::clock::Stopwatch;
use crate::engine::lanes::SimdError;
use crate::engine::{Bounds, Cost, Engine, EngineKind, Limit, MaxBranches, SearchEnd, Verdicts};
use crate::pipeline::thread_cpu_time;
use crate::puzzle::Batch;
use crate::stop::Stop;

/// A solver that can be checked and timed on a set of puzzles.
pub(crate) trait Contender {
    /// The name of the engine or the plugin, or the command of the program.
    fn name(&self) -> &str;

    /// The number of threads; `None` for a program, which decides itself.
    fn threads(&self) -> Option<usize>;

    /// The name, with the number of threads if it has several: `bitmask on 2 threads`.
    fn label(&self) -> String {
        label(self.name(), self.threads())
    }

    /// Answers every puzzle of a set, in order; counts solutions up to `limit`. Also returns the time that it took.
    ///
    /// # Errors
    ///
    /// If it is a program that fails or whose output cannot be understood.
    fn answer(&mut self, set: &PuzzleSet, limit: Limit) -> Result<SetAnswers, ProgramError>;

    /// Solves the complete set `passes` times and returns the total time.
    ///
    /// # Errors
    ///
    /// As [`Contender::answer`].
    fn time(&mut self, set: &PuzzleSet, limit: Limit, passes: usize) -> Result<RunTime, ProgramError>;

    /// The times of single puzzles, in addition to the costs of [`Contender::answer`]: of a program that answers each puzzle
    /// at once, the least of `passes` times. Empty if it does not answer a puzzle within `longest`.
    fn costs(&mut self, _set: &PuzzleSet, _passes: usize, _longest: Duration) -> Vec<Cost> {
        vec![]
    }

    /// The time that a program takes to start and to end, which is not part of its runs; `None` if it has none or does
    /// not run without puzzles. The first call measures it.
    fn start_up(&mut self, _set: &PuzzleSet) -> Option<RunTime> {
        None
    }
}

/// A name, with the number of threads if there are several.
pub(super) fn label(name: &str, threads: Option<usize>) -> String {
    match threads {
        Some(threads) if threads > 1 => format!("{name} on {threads} threads"),
        _ => name.to_owned(),
    }
}

/// The answers of a contender for the puzzles of a set, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SetAnswers {
    /// One for each puzzle.
    pub(crate) answers: Vec<ContenderAnswer>,
    /// The cost of each puzzle; empty for a program.
    pub(crate) costs: Vec<Cost>,
    /// The time for all puzzles.
    pub(crate) time: RunTime,
}

/// The answer of a contender for one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ContenderAnswer {
    /// The number of solutions; `None` if it only gave one, or gave up.
    pub(crate) solutions: Option<u64>,
    /// Whether it gave up, so that there is nothing to compare but the solution.
    pub(crate) gave_up: bool,
    /// A solution, if it gave one.
    pub(crate) solution: Option<Box<[u8]>>,
}

/// The time of one run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RunTime {
    /// Wall time.
    pub(crate) wall: Duration,
    /// CPU time: of the calling thread, if it did all of the work, or of the processes of a program. `None` if several
    /// threads share the work.
    pub(crate) cpu: Option<Duration>,
}

impl RunTime {
    /// The time that decides how many puzzles and runs a solver gets: CPU time, so that a stall of the machine decides
    /// nothing. A program that mostly waits, such as for a server, would run for hours; of its wall time, a tenth counts,
    /// without a stall.
    pub(super) fn used(self, stall: Duration) -> Duration {
        self.cpu.map_or(self.wall, |cpu| cpu.max(self.wall.saturating_sub(stall) / 10))
    }
}

/// The exit codes of a shell that could not run a command.
const NOT_RUN: [i32; 2] = [126, 127];

/// A program cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("'{command}' on {file}{failure}")]
pub struct ProgramError {
    /// The command, or the name of the solver.
    pub(crate) command: String,
    /// The name of the set.
    pub(crate) file: String,
    /// The reason.
    pub(crate) failure: ProgramFailure,
}

/// The reason why a program cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ProgramFailure {
    /// It cannot be started, or its output cannot be read.
    #[error(" cannot be run: {0}")]
    Run(#[from] io::Error),
    /// Its exit status is an error.
    #[error(" failed: {0}")]
    Failed(ExitStatus),
    /// It was killed because it took too long.
    #[error(" took longer than {} s and was killed", .timeout.as_secs_f64())]
    TimedOut {
        /// The maximum time.
        timeout: Duration,
        /// The number of puzzles that it had answered.
        answered: usize,
    },
    /// The run was stopped; a program was killed.
    #[error(" was stopped")]
    Stopped,
    /// The number of answers is not the number of puzzles.
    #[error(" answered {answers} lines for {puzzles} puzzles")]
    AnswerCount {
        /// The number of lines that it wrote.
        answers: usize,
        /// The number of puzzles that it read.
        puzzles: usize,
    },
    /// A line is not an answer.
    #[error(": the answer to line {line} is neither a solution nor a count: '{text}'")]
    InvalidAnswer {
        /// The number of the first line of the puzzle.
        line: u64,
        /// The answer.
        text: String,
    },
    /// It wrote more than all answers together can be.
    #[error(" wrote more than {most} bytes for {puzzles} puzzles and was killed")]
    TooLong {
        /// The maximum.
        most: u64,
        /// The number of puzzles that it read.
        puzzles: usize,
    },
    /// A plugin got a puzzle of another size than 9x9.
    #[error(": a plugin solves 9x9 puzzles only")]
    PluginSize,
    /// The process of a plugin wrote this instead of its times.
    #[error(" wrote '{0}' instead of its times: a plugin must not end its process, nor write to standard output")]
    InvalidTimes(String),
    /// A plugin gave other counts when it was timed.
    #[error(
        " counted {counted} solutions when it was timed instead of {expected}: each call must give the same, also on \
         several threads at once"
    )]
    Miscounted {
        /// The sum of its counts.
        counted: u64,
        /// The sum of the counts that were checked.
        expected: u64,
    },
}

impl ProgramFailure {
    /// Whether a puzzle may be the reason, so that the program could answer another puzzle.
    pub(super) fn may_depend_on_puzzle(&self) -> bool {
        match self {
            ProgramFailure::Failed(status) => !status.code().is_some_and(|code| NOT_RUN.contains(&code)),
            ProgramFailure::TimedOut { .. }
            | ProgramFailure::AnswerCount { .. }
            | ProgramFailure::InvalidAnswer { .. }
            | ProgramFailure::TooLong { .. } => true,
            _ => false,
        }
    }
}

/// Some solvers, including the reference: the answers and the speed of each are compared with the reference's.
#[derive(Default)]
pub struct Solvers {
    pub(super) all: Vec<Box<dyn Contender>>,
    /// The position of the reference.
    pub(crate) reference: usize,
}

/// No solver has the name that the reference should have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no solver '{name}'; the solvers are {}", known.join(", "))]
pub struct UnknownSolver {
    /// The name.
    pub(crate) name: String,
    /// The names of all solvers.
    pub(crate) known: Vec<String>,
}

impl Solvers {
    /// No solvers.
    pub(crate) fn new() -> Solvers {
        Solvers::default()
    }

    /// Every engine on each number of threads.
    ///
    /// # Errors
    ///
    /// If the CPU lacks the vector instructions of an engine, or the threads cannot be started.
    pub fn of_engines(
        engines: &[EngineKind],
        threads: &[u16],
        max_branches: MaxBranches,
        stop: &Stop,
    ) -> Result<Solvers, StartError> {
        let mut solvers = Solvers::new();
        for &engine in engines {
            for &threads in threads {
                let engine = EngineContender::new(engine, threads.into())?;
                solvers = solvers.with(EngineContender { max_branches, stop: stop.clone(), ..engine });
            }
        }
        Ok(solvers)
    }

    /// Adds a solver. The first one is the reference, unless another one is chosen.
    #[must_use]
    pub(crate) fn with(mut self, contender: impl Contender + 'static) -> Solvers {
        self.all.push(Box::new(contender));
        self
    }

    /// Makes the solver with a name the reference.
    ///
    /// # Errors
    ///
    /// If no solver has this name.
    pub fn reference(self, name: &str) -> Result<Solvers, UnknownSolver> {
        Ok(Solvers { reference: self.position(name)?, ..self })
    }

    /// The position of the solver with a name: the first of that name, or the one with that [label](Contender::label).
    ///
    /// # Errors
    ///
    /// If no solver has this name.
    pub(crate) fn position(&self, name: &str) -> Result<usize, UnknownSolver> {
        let unknown = || UnknownSolver { name: name.to_owned(), known: self.labels() };
        let mut all = self.all.iter();
        all.position(|contender| contender.name() == name || contender.label() == name).ok_or_else(unknown)
    }

    /// The labels of all solvers.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.all.iter().map(|contender| contender.label()).collect()
    }

    /// The number of solvers.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }
}

impl fmt::Debug for Solvers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Solvers { reference, .. } = self;
        f.debug_struct("Solvers").field("all", &self.labels()).field("reference", reference).finish()
    }
}

/// An engine of this crate, with an instance for each thread.
pub(crate) struct EngineContender {
    name: String,
    /// Whether it searches several puzzles at once, so that each has only a share of a time.
    is_shared: bool,
    /// The maximum number of branches of the search for a puzzle. By default, it depends on the size.
    max_branches: MaxBranches,
    /// Ends the searches for answers, and no other run is timed.
    stop: Stop,
    slots: Vec<Mutex<EngineSlot>>,
    /// The threads; `None` if the calling thread does the work.
    pool: Option<ThreadPool>,
}

/// The state of one thread.
struct EngineSlot {
    engine: Box<dyn Engine>,
    verdicts: Verdicts,
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
    pub(crate) fn new(kind: EngineKind, threads: usize) -> Result<EngineContender, StartError> {
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
pub(super) mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use crate::cli::bench::set::tests::read;

    /// The name, the number of puzzles and the passes of each timed run, in order.
    type Calls = Rc<RefCell<Vec<(&'static str, usize, usize)>>>;

    /// Claims to take the same time for each puzzle.
    pub(crate) struct FakeContender {
        pub(crate) name: &'static str,
        /// The wall time of a puzzle; half of it is CPU time.
        pub(crate) puzzle: Duration,
        pub(crate) has_cpu: bool,
        /// The additional wall time of the next answers.
        pub(crate) stall: Duration,
        pub(crate) calls: Calls,
    }

    /// One with a CPU clock.
    pub(crate) fn fake(name: &'static str, micros: u64, calls: &Calls) -> FakeContender {
        let (puzzle, stall) = (Duration::from_micros(micros), Duration::ZERO);
        FakeContender { name, puzzle, has_cpu: true, stall, calls: Rc::clone(calls) }
    }

    impl FakeContender {
        pub(crate) fn calls() -> Calls {
            Rc::default()
        }

        fn run(&self, puzzles: usize) -> RunTime {
            let wall = self.puzzle * puzzles as u32;
            RunTime { wall, cpu: self.has_cpu.then_some(wall / 2) }
        }
    }

    impl Contender for FakeContender {
        fn name(&self) -> &str {
            self.name
        }

        fn threads(&self) -> Option<usize> {
            Some(1)
        }

        fn answer(&mut self, set: &PuzzleSet, _: Limit) -> Result<SetAnswers, ProgramError> {
            let answers = vec![ContenderAnswer { solutions: Some(1), gave_up: false, solution: None }; set.len()];
            let costs =
                (0..set.len() as u64).map(|n| Cost { branches: Some(n).filter(|&n| n < 3), nanos: 100 * n }).collect();
            let mut time = self.run(set.len());
            time.wall += std::mem::take(&mut self.stall);
            Ok(SetAnswers { answers, costs, time })
        }

        fn time(&mut self, set: &PuzzleSet, _: Limit, passes: usize) -> Result<RunTime, ProgramError> {
            self.calls.borrow_mut().push((self.name, set.len(), passes));
            Ok(self.run(set.len() * passes))
        }
    }

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
