//! The CPU time of the calling thread.

use std::time::Duration;

/// How long the calling thread has been running on a CPU since it started; zero where the system does not tell.
#[cfg(unix)]
pub fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// How long the calling thread has been running on a CPU since it started; zero where the system does not tell.
#[cfg(not(unix))]
pub fn thread_cpu_time() -> Duration {
    Duration::ZERO
}
