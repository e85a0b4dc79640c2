//! Signals: Ctrl-C and similar signals stop a run, and a limit on file sizes is an error like a full disk.

use std::io;
use std::process;
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use gridmill::pipeline::Stop;

use crate::cli::call::Exit;
use crate::cli::ui::progress::Progress;

/// The run that the next Ctrl-C stops.
static RUN: Mutex<Option<(Stop, Progress)>> = Mutex::new(None);

/// From now on, Ctrl-C stops the run, and a second one ends the process at once.
///
/// The first Ctrl-C also ends it if nothing listens to the stop signal: a job still waits for an input or for the
/// reader of its output, or a command cannot be stopped in steps.
pub(crate) fn listen() -> anyhow::Result<()> {
    let handle = || match RUN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some((stop, progress)) if stop.is_heard() => {
            // Print this first: the run may end immediately.
            progress.note("stopping; once more to quit at once");
            stop.trigger();
        }
        run => {
            if let Some((_, progress)) = run {
                progress.finish();
            }
            process::exit(Exit::Interrupted as i32);
        }
    };
    on_interrupt(handle).context("cannot listen to Ctrl-C")
}

/// A stop signal for the next Ctrl-C.
pub(crate) fn stop_on_interrupt(progress: &Progress) -> Stop {
    let stop = Stop::new();
    *RUN.lock().unwrap_or_else(PoisonError::into_inner) = Some((stop.clone(), progress.clone()));
    stop
}

/// Calls `handle`, on a separate thread, for each SIGINT, SIGTERM and SIGHUP. Signals that the process was started to
/// ignore, as by nohup, stay ignored.
#[cfg(unix)]
fn on_interrupt(mut handle: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let ignored = ignored();
    let caught = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(caught)?;
    let listen = move || signals.forever().for_each(|_| handle());
    std::thread::Builder::new().name("signals".into()).spawn(listen)?;
    Ok(())
}

/// The signals that the process was started to ignore, from /proc: signal 1 is the lowest bit.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Makes exceeding a limit on file sizes an ordinary error. By default, SIGXFSZ kills the process.
#[cfg(unix)]
pub(crate) fn outlive_file_limits() {
    // Any handler prevents the signal from killing. If registering one fails, the default stays.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

#[cfg(not(unix))]
fn on_interrupt(handle: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handle).map_err(io::Error::other)
}

/// Ends the process with [`Exit::Trouble`] if it runs out of memory. Rust has then printed the size of the failed
/// allocation, and aborts.
#[cfg(unix)]
pub(crate) fn exit_without_memory() {
    let always = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    // If registering fails, the process aborts, which is the default.
    let _ =
        signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, Exit::Trouble as i32, always);
}

#[cfg(not(unix))]
pub(crate) fn outlive_file_limits() {}

#[cfg(not(unix))]
pub(crate) fn exit_without_memory() {}
