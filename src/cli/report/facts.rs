//! The facts of a run: the version, the machine, the command, and the inputs with their checksums. For reports, and for
//! the results of `bench`.

use std::fmt;
use std::process::Command;

use anyhow::Context;
use gridmill::corpus::Origin;
use gridmill::engine::lanes::Simd;
use gridmill::output::{now, stored};
use serde::{Deserialize, Serialize};

use crate::cli::call;
use crate::cli::ui::printable::in_one_line;
use crate::cli::ui::summary::Counted;

/// The facts of a run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Facts {
    version: &'static str,
    /// The time of the report, in UTC.
    date: String,
    machine: Machine,
    /// `None` in another program, such as Python.
    command: Option<String>,
    inputs: Vec<InputFact>,
}

/// An input.
#[derive(Clone, Debug, Serialize)]
struct InputFact {
    name: String,
    /// The size in bytes; `None` for standard input.
    bytes: Option<String>,
    /// The SHA-256 of its bytes, as stored.
    sha256: Option<String>,
}

impl Facts {
    /// The facts of this process, with these inputs.
    ///
    /// # Errors
    ///
    /// If an input cannot be read again.
    pub(crate) fn new(inputs: &[Origin]) -> anyhow::Result<Facts> {
        let inputs = inputs.iter().map(InputFact::new).collect::<anyhow::Result<_>>()?;
        Ok(Facts {
            version: env!("CARGO_PKG_VERSION"),
            date: now(),
            machine: Machine::this(),
            command: (!call::arguments().is_empty()).then(command),
            inputs,
        })
    }
}

impl InputFact {
    fn new(origin: &Origin) -> anyhow::Result<InputFact> {
        let name = in_one_line(origin);
        let stored = stored(origin).with_context(|| format!("cannot read {name} again, for its checksum"))?;
        let (bytes, sha256) = stored.unzip();
        Ok(InputFact { name, bytes: bytes.map(|bytes| indicatif::HumanCount(bytes).to_string()), sha256 })
    }
}

/// The command line, quoted for a shell.
pub(crate) fn command() -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,=:@%+".contains(c);
    let quoted = |text: String| {
        if !text.is_empty() && text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
    };
    let arguments = call::arguments().iter().map(|argument| quoted(argument.to_string_lossy().into_owned()));
    in_one_line(["gridmill".to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join(" "))
}

/// A machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Machine {
    /// Its name in the network.
    pub(crate) host: String,
    /// The operating system and the architecture.
    pub(crate) system: String,
    /// The name of its CPU, with its family, model and stepping if known, and its widest vectors.
    pub(crate) cpu: String,
    /// The number of threads that can run at once.
    pub(crate) cpus: usize,
}

impl Machine {
    /// This machine.
    pub(crate) fn this() -> Machine {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        Machine { host: host(), system: system(), cpu: cpu(), cpus }
    }
}

/// `AMD EPYC (AuthenticAMD, family 26, model 2, stepping 1; avx512), 2 threads; linux on x86_64; my-host`
impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Machine { host, system, cpu, cpus } = self;
        write!(f, "{cpu}, {}; {system}; {host}", Counted(*cpus as u64, "thread"))
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

/// The CPU with its details. Different CPUs may have the same name, for instance all CPUs of a cloud.
fn cpu() -> String {
    let mut details = vec![];
    let name = if cfg!(target_os = "macos") {
        let name = Command::new("sysctl").args(["-n", "machdep.cpu.brand_string"]).output();
        name.ok().map(|name| String::from_utf8_lossy(&name.stdout).trim().to_owned())
    } else {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        details.extend(details_of(&info));
        value(&info, "model name").map(str::to_owned)
    };
    let name = name.filter(|name| !name.is_empty()).unwrap_or_else(|| std::env::consts::ARCH.to_owned());

    let mut text = format!("{name} (");
    if !details.is_empty() {
        text += &(details.join(", ") + "; ");
    }
    text + Simd::detect().into() + ")"
}

/// The value of a field of the first CPU in `/proc/cpuinfo`.
fn value<'a>(info: &'a str, key: &str) -> Option<&'a str> {
    let fields = info.lines().filter_map(|line| line.split_once(':'));
    let value = fields.map(|(name, value)| (name.trim(), value.trim())).find(|(name, _)| *name == key);
    value.map(|(_, value)| value).filter(|value| !value.is_empty())
}

/// The fields of `/proc/cpuinfo` that distinguish CPUs with the same name. They differ between x86 and ARM.
fn details_of(info: &str) -> Vec<String> {
    const FIELDS: [(&str, &str); 8] = [
        ("vendor_id", ""),
        ("cpu family", "family "),
        ("model", "model "),
        ("stepping", "stepping "),
        ("CPU implementer", "implementer "),
        ("CPU variant", "variant "),
        ("CPU part", "part "),
        ("CPU revision", "revision "),
    ];
    FIELDS.iter().filter_map(|(key, word)| Some(format!("{word}{}", value(info, key)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpus_of_one_name_are_told_apart() {
        let x86 = "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n\
                   stepping\t: 1\n\nprocessor\t: 1\nvendor_id\t: other\n";
        assert_eq!(value(x86, "model name"), Some("AMD EPYC"));
        assert_eq!(details_of(x86), ["AuthenticAMD", "family 26", "model 2", "stepping 1"]);
        let arm = "processor\t: 0\nCPU implementer\t: 0x41\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1\n";
        assert_eq!(value(arm, "model name"), None);
        assert_eq!(details_of(arm), ["implementer 0x41", "variant 0x3", "part 0xd0c", "revision 1"]);
        assert!(details_of("").is_empty());
    }

    #[test]
    fn this_machine_has_a_cpu_with_vectors() {
        let machine = Machine::this();
        let vectors = format!("{})", Simd::detect());
        assert!(machine.cpu.ends_with(&vectors) && machine.to_string().starts_with(&machine.cpu), "{machine}");
    }
}
