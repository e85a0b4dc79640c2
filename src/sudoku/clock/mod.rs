//! Clocks: the CPU time of the calling thread, and a stopwatch. Used by engines and the pipeline.

use std::time::Duration;
#[cfg(not(target_family = "wasm"))]
pub(crate) use std::time::Instant;

/// The wall clock of a system without one: no time passes.
#[cfg(target_family = "wasm")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instant;

#[cfg(target_family = "wasm")]
impl Instant {
    pub(crate) fn now() -> Instant {
        Instant
    }

    pub(crate) fn elapsed(self) -> Duration {
        Instant::now() - self
    }
}

#[cfg(target_family = "wasm")]
impl std::ops::Sub for Instant {
    type Output = Duration;

    fn sub(self, _: Instant) -> Duration {
        Duration::ZERO
    }
}

/// The CPU time that the calling thread has used since it started; zero where the system does not report it.
#[cfg(all(unix, feature = "corpus"))]
pub fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The CPU time that the calling thread has used since it started; zero where the system does not report it.
#[cfg(not(all(unix, feature = "corpus")))]
pub fn thread_cpu_time() -> Duration {
    Duration::ZERO
}

/// Times a piece of work of the calling thread.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stopwatch {
    /// By the CPU clock, which other work on the machine hardly affects. Reading it is a system call: 0.4 µs, twenty
    /// times as long as reading the wall clock.
    Cpu(Duration),
    /// By the wall clock.
    Wall(Instant),
}

impl Stopwatch {
    /// Starts with the CPU clock; with the wall clock where the system does not report CPU times.
    pub(crate) fn cpu() -> Stopwatch {
        match thread_cpu_time() {
            Duration::ZERO => Stopwatch::wall(),
            start => Stopwatch::Cpu(start),
        }
    }

    /// Starts with the wall clock.
    pub(crate) fn wall() -> Stopwatch {
        Stopwatch::Wall(Instant::now())
    }

    /// The time since the start.
    pub(crate) fn elapsed(self) -> Duration {
        match self {
            Stopwatch::Cpu(start) => thread_cpu_time().saturating_sub(start),
            Stopwatch::Wall(start) => start.elapsed(),
        }
    }
}
