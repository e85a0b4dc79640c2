//! The machine that a run took place on, for reports and for the results of `bench`.

use serde::{Deserialize, Serialize};

/// A machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Machine {
    /// Its name in the network.
    pub(crate) host: String,
    /// The operating system and the architecture.
    pub(crate) system: String,
    /// The name of its CPU.
    pub(crate) cpu: String,
    /// How many threads can run at a time.
    pub(crate) cpus: usize,
}

impl Machine {
    /// This machine.
    pub(crate) fn this() -> Machine {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        Machine { host: host(), system: system(), cpu: cpu(), cpus }
    }
}

#[cfg(unix)]
fn host() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(not(unix))]
fn host() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}

fn system() -> String {
    format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The name of the CPU as Linux gives it; elsewhere only the architecture is known.
fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}
