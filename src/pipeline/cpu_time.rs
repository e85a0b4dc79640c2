//! The CPU time of the calling thread.

use std::time::Duration;

/// The CPU time that the calling thread has used since it started; zero where the system does not report it.
#[cfg(unix)]
pub fn thread_cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// The CPU time that the calling thread has used since it started; zero where the system does not report it.
#[cfg(not(unix))]
pub fn thread_cpu_time() -> Duration {
    Duration::ZERO
}
