//! Manifests: the inputs and options of a run, in a file beside its partial output.
//!
//! A run resumes a partial output only if its manifest is the same. A manifest has everything that the bytes of the
//! output depend on; threads, vector widths and whatever else changes only the time are not in it.

use std::fmt::{self, Display, Write as _};
use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::compression::Compression;
use crate::corpus::{Origin, Shard};
use crate::format::InputFormat;
use crate::rows::{HeaderRow, OutputFormat};

/// How much of an input is hashed to recognise it, in bytes.
const HEAD: u64 = 64 << 10;

/// The inputs and options of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of gridmill.
    pub gridmill: String,
    /// The job.
    pub command: JobName,
    /// The inputs, in order.
    pub inputs: Vec<Fingerprint>,
    /// The reference inputs of a validation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Fingerprint>,
    /// The options.
    pub options: RowOptions,
}

/// The jobs that can be resumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum JobName {
    /// [`Solve`](crate::jobs::Solve).
    Solve,
    /// [`Validate`](crate::jobs::Validate).
    Validate,
    /// [`Rate`](crate::jobs::Rate).
    Rate,
}

impl JobName {
    /// The name of its command.
    pub const fn name(self) -> &'static str {
        match self {
            JobName::Solve => "solve",
            JobName::Validate => "validate",
            JobName::Rate => "rate",
        }
    }
}

/// Every option that the rows of a job depend on. Options that a job does not have keep their default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[expect(missing_docs, reason = "each is the command-line option of the same name")]
#[expect(clippy::struct_excessive_bools, reason = "options without a value")]
pub struct RowOptions {
    pub from: Option<InputFormat>,
    /// The names of the alphabets, sorted.
    pub alphabet: Vec<String>,
    pub puzzle_column: Option<String>,
    pub answer_column: Option<String>,
    pub rating_column: Option<String>,
    /// The name of the engine without the width of its vectors.
    pub engine: String,
    /// `None` if it was not chosen.
    pub max_branches: Option<String>,
    pub compress: Option<Compression>,
    pub shard: Option<Shard>,
    pub limit: Option<u64>,
    pub first: bool,
    pub all: bool,
    pub to: OutputFormat,
    pub columns: Vec<String>,
    pub keep: Vec<String>,
    pub no_header: bool,
    pub minimal: bool,
    pub duplicates: bool,
    pub isomorphs: IsomorphsOption,
    pub classes: bool,
    pub max_er: Option<String>,
    pub only: Option<String>,
    pub seed: Option<u64>,
}

/// The option `--isomorphs`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum IsomorphsOption {
    /// Of `validate`: whether isomorphs are looked for.
    Find(bool),
    /// Of `rate`: how many isomorphs of each puzzle are solved.
    Solve(NonZeroU32),
}

impl Default for IsomorphsOption {
    fn default() -> IsomorphsOption {
        IsomorphsOption::Find(false)
    }
}

impl RowOptions {
    /// Whether rows follow a header.
    pub fn header(&self) -> HeaderRow {
        let has_header = self.to == OutputFormat::Csv && !self.no_header;
        if has_header { HeaderRow::Present } else { HeaderRow::Absent }
    }

    /// The options that differ, as the command line has them: `--limit was 2, is 3`.
    fn differences(&self, now: &RowOptions) -> Vec<String> {
        let (was, now) = (self.given(), now.given());
        let mut names: Vec<&String> = was.keys().chain(now.keys()).collect();
        names.sort_unstable();
        names.dedup();
        let difference = |name: &String| match (was.get(name), now.get(name)) {
            (was, now) if was == now => None,
            (Some(Value::Bool(_)), _) => Some(format!("--{name} was given, is not")),
            (_, Some(Value::Bool(_))) => Some(format!("--{name} was not given, is")),
            (Some(was), None) => Some(format!("--{name} was {}, is not given", text(was))),
            (None, now) => Some(format!("--{name} was not given, is {}", now.map(text).unwrap_or_default())),
            (Some(was), Some(now)) => Some(format!("--{name} was {}, is {}", text(was), text(now))),
        };
        names.into_iter().filter_map(difference).collect()
    }

    /// The options that have another value than none, by their names.
    fn given(&self) -> Map<String, Value> {
        let Ok(Value::Object(mut options)) = serde_json::to_value(self) else { unreachable!("a struct is an object") };
        options.retain(|_, value| !matches!(value, Value::Null | Value::Bool(false)) && value != &Value::Array(vec![]));
        options
    }
}

/// The value of an option as the command line has it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}

/// Properties by which an input is recognised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Its name.
    pub name: String,
    /// Its size, if it is a regular file.
    pub bytes: Option<u64>,
    /// The SHA-256 of its first 64 KiB as they are stored, if it is a regular file.
    pub head: Option<String>,
}

impl Fingerprint {
    /// Reads the size and the beginning of an input.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn read(origin: &Origin) -> Result<Fingerprint, ManifestError> {
        Fingerprint::read_file(origin).map_err(|source| ManifestError::Read { path: origin.to_string().into(), source })
    }

    fn read_file(origin: &Origin) -> io::Result<Fingerprint> {
        let name = origin.to_string();
        let none = Fingerprint { name: name.clone(), bytes: None, head: None };
        let Origin::File(path) = origin else { return Ok(none) };
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Ok(none);
        }
        let mut head = Vec::new();
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        let mut digits = String::new();
        for byte in Sha256::digest(&head) {
            write!(digits, "{byte:02x}").expect("a string takes any text");
        }
        Ok(Fingerprint { name, bytes: Some(metadata.len()), head: Some(digits) })
    }

    /// How another input of the same name differs from this one.
    fn difference(&self, now: &Fingerprint) -> Option<String> {
        let name = &self.name;
        match (self.bytes, now.bytes) {
            (Some(was), Some(is)) if was != is => {
                let verb = if was < is { "grown" } else { "shrunk" };
                Some(format!("{name} has {verb} from {} to {} bytes", Grouped(was), Grouped(is)))
            }
            (Some(_), None) => Some(format!("{name} was a regular file, and is not")),
            (None, Some(_)) => Some(format!("{name} was not a regular file, and is")),
            _ if self.head != now.head => Some(format!("the beginning of {name} has changed")),
            _ => None,
        }
    }
}

impl Manifest {
    /// The differences of another run, each in a few words; empty if their outputs are the same.
    pub fn differences(&self, now: &Manifest) -> Vec<String> {
        let mut found = Vec::new();
        if self.gridmill != now.gridmill {
            found.push(format!("gridmill was {}, is {}", self.gridmill, now.gridmill));
        }
        if self.command != now.command {
            found.push(format!("the command was {}, is {}", self.command.name(), now.command.name()));
        }
        for (what, was, is) in [("the input", &self.inputs, &now.inputs), ("--against", &self.against, &now.against)] {
            let names = |inputs: &[Fingerprint]| {
                let names: Vec<&str> = inputs.iter().map(|input| &*input.name).collect();
                if names.is_empty() { "nothing".to_owned() } else { names.join(" ") }
            };
            if was.iter().map(|input| &input.name).eq(is.iter().map(|input| &input.name)) {
                found.extend(was.iter().zip(is).filter_map(|(was, is)| was.difference(is)));
            } else {
                found.push(format!("{what} was {}, is {}", names(was), names(is)));
            }
        }
        found.extend(self.options.differences(&now.options));
        found
    }
}

/// Why a file beside an output cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It has unexpected content.
    #[error("{} was not written by gridmill {}", path.display(), env!("CARGO_PKG_VERSION"))]
    Form {
        /// The file.
        path: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// It cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The path of a file beside another: its name with a suffix.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(suffix);
    beside.into()
}

/// Reads JSON from a file beside an output; `None` if there is no such file.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ManifestError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(ManifestError::Read { path: path.to_owned(), source }),
    };
    let form = |source| ManifestError::Form { path: path.to_owned(), source };
    serde_json::from_slice(&text).map(Some).map_err(form)
}

/// When a file has to be on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sync {
    /// Before the run continues.
    Now,
    /// When the system writes it.
    Later,
}

/// Writes JSON to a file beside an output: a process that is killed leaves all of it or nothing. A link of this name is
/// replaced. Returns the file, to append to it.
pub(super) fn write(path: &Path, text: serde_json::Result<Vec<u8>>, sync: Sync) -> Result<File, ManifestError> {
    let write = || -> io::Result<File> {
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.prefix(path.file_name().unwrap_or_default()).tempfile_in(directory)?;
        file.write_all(&text?)?;
        file.write_all(b"\n")?;
        if sync == Sync::Now {
            file.as_file().sync_all()?;
        }
        Ok(file.persist(path)?)
    };
    write().map_err(|source| ManifestError::Write { path: path.to_owned(), source })
}

/// A number with commas between thousands.
struct Grouped(u64);

impl Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.char_indices() {
            let gap = if index > 0 && (digits.len() - index).is_multiple_of(3) { "," } else { "" };
            write!(f, "{gap}{digit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::resume) fn manifest() -> Manifest {
        let print = |name: &str| Fingerprint { name: name.into(), bytes: Some(1000), head: Some("00".into()) };
        Manifest {
            gridmill: "1.0.0".into(),
            command: JobName::Solve,
            inputs: vec![print("a.txt"), print("b.txt")],
            against: vec![],
            options: RowOptions { limit: Some(2), no_header: true, ..RowOptions::default() },
        }
    }

    #[test]
    fn every_difference_is_named() {
        type Change = fn(&mut Manifest);
        let cases: [(Change, &str); 15] = [
            (|now| now.gridmill = "1.0.1".into(), "gridmill was 1.0.0, is 1.0.1"),
            (|now| now.command = JobName::Validate, "the command was solve, is validate"),
            (|now| now.inputs[0].bytes = Some(1_234_567), "a.txt has grown from 1,000 to 1,234,567 bytes"),
            (|now| now.inputs[1].bytes = Some(12), "b.txt has shrunk from 1,000 to 12 bytes"),
            (|now| now.inputs[1].bytes = None, "b.txt was a regular file, and is not"),
            (|now| now.inputs[1].head = Some("01".into()), "the beginning of b.txt has changed"),
            (|now| now.inputs.truncate(1), "the input was a.txt b.txt, is a.txt"),
            (|now| now.against = now.inputs[..1].to_vec(), "--against was nothing, is a.txt"),
            (|now| now.options.limit = Some(3), "--limit was 2, is 3"),
            (|now| now.options.limit = None, "--limit was 2, is not given"),
            (|now| now.options.max_branches = Some("none".into()), "--max-branches was not given, is none"),
            (|now| now.options.no_header = false, "--no-header was given, is not"),
            (|now| now.options.first = true, "--first was not given, is"),
            (|now| now.options.keep = vec!["a".into(), "b".into()], "--keep was not given, is a,b"),
            (|now| now.options.shard = Shard::new(1, 2), "--shard was not given, is 1/2"),
        ];
        for (change, words) in cases {
            let mut now = manifest();
            assert!(manifest().differences(&now).is_empty());
            change(&mut now);
            assert_eq!(manifest().differences(&now), [words]);
            assert_eq!(now.differences(&manifest()).len(), 1);
        }
    }

    #[test]
    fn inputs_are_known_by_their_size_and_head() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.txt");
        let print = |text: &[u8]| {
            fs::write(&path, text).unwrap();
            Fingerprint::read(&Origin::File(path.clone())).unwrap()
        };
        let first = print(b"abc");
        assert_eq!(first.head.as_deref(), Some("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        assert!(first.difference(&print(b"abc")).is_none());
        assert!(first.difference(&print(b"abd")).unwrap().ends_with("a.txt has changed"));
        assert_eq!(
            Fingerprint::read(&Origin::Stdin).unwrap(),
            Fingerprint { name: "-".into(), bytes: None, head: None }
        );
    }
}
