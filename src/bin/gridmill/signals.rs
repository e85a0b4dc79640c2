//! What the system has to say while a run is under way: that somebody wants it to end, or that a file may not grow.

use std::io;

/// Calls `handle`, on a thread of its own, as often as somebody asks the run to end: by Ctrl-C, a terminal that is
/// closed, a system that shuts down. What gridmill was started to ignore, as nohup does it, stays ignored.
#[cfg(unix)]
pub(crate) fn on_interrupt(mut handle: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(heard)?;
    let listen = move || signals.forever().for_each(|_| handle());
    std::thread::Builder::new().name("signals".into()).spawn(listen)?;
    Ok(())
}

/// The signals that gridmill was started to ignore, where the system tells: signal 1 is the lowest bit.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Sees to it that writing more to a file than a limit allows is an error as others are, not the end of the process.
#[cfg(unix)]
pub(crate) fn outlive_file_limits() {
    // Whatever listens to this signal keeps it from killing. Where nothing can, it kills, as ever.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

#[cfg(not(unix))]
pub(crate) fn on_interrupt(handle: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handle).map_err(io::Error::other)
}

#[cfg(not(unix))]
pub(crate) fn outlive_file_limits() {}
