//! What was run: the version, the machine, the command, and the inputs with their checksums.

use std::fs::File;
use std::time::SystemTime;

use anyhow::Context;
use gridmill::corpus::Origin;
use gridmill::resume::sha256;
use serde::Serialize;

use super::machine::Machine;
use crate::ui::printable::in_one_line;

/// What was run.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Facts {
    version: &'static str,
    /// When the report was written, in UTC.
    date: String,
    machine: Machine,
    command: String,
    inputs: Vec<InputFact>,
}

/// An input.
#[derive(Clone, Debug, Serialize)]
struct InputFact {
    name: String,
    /// The size in bytes; `None` for standard input.
    bytes: Option<String>,
    /// The SHA-256 of its bytes, as they are stored.
    sha256: Option<String>,
}

impl Facts {
    /// The facts of this process, with some inputs.
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
            command: command(),
            inputs,
        })
    }
}

impl InputFact {
    fn new(origin: &Origin) -> anyhow::Result<InputFact> {
        let name = in_one_line(origin);
        let Origin::File(path) = origin else { return Ok(InputFact { name, bytes: None, sha256: None }) };
        // A pipe would be empty the second time.
        if !path.is_file() {
            return Ok(InputFact { name, bytes: None, sha256: None });
        }
        let file = File::open(path).and_then(sha256);
        let (bytes, sum) = file.with_context(|| format!("cannot read {name} again, for its checksum"))?;
        Ok(InputFact { name, bytes: Some(indicatif::HumanCount(bytes).to_string()), sha256: Some(sum) })
    }
}

/// The time in UTC, to the second.
pub(crate) fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// The command line, with quotes where a shell needs them.
pub(crate) fn command() -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,=:@%+".contains(c);
    let quoted = |text: String| {
        if !text.is_empty() && text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
    };
    let arguments = std::env::args_os().skip(1).map(|argument| quoted(argument.to_string_lossy().into_owned()));
    in_one_line(["gridmill".to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join(" "))
}
