//! Manifests: the inputs and options of a run, in a file next to its partial output.
//!
//! A run resumes a partial output only if its manifest is the same. A manifest has everything that determines the bytes
//! of the output; it leaves out threads, vector widths and other settings that change only the time.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::corpus::{Corpus, Origin};
use crate::output::{ManifestError, Sync, replace, sha256};
use crate::rows::OutputFormat;
use crate::stats::WithCommas;

/// The number of bytes of an input that are hashed to recognise it.
const HEAD: u64 = 64 << 10;

/// The inputs and options of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// The version of gridmill.
    pub(super) gridmill: String,
    /// The name of the command.
    pub(crate) command: String,
    /// The inputs, in order.
    pub(super) inputs: Vec<Fingerprint>,
    /// The inputs of a second corpus that the job reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) against: Vec<Fingerprint>,
    /// The options that determine the bytes of the output, by their names on the command line. Options that were not
    /// given are missing.
    pub(crate) options: Map<String, Value>,
    /// The number of records after which a frame may end, if the output is compressed.
    pub(crate) block: u64,
}

/// The difference between two values of an option, if they differ.
fn difference_of_option(name: &str, was: Option<&Value>, is: Option<&Value>) -> Option<String> {
    Some(match (was, is) {
        (was, is) if was == is => return None,
        // A switch has no value to name.
        (Some(Value::Bool(_)), _) => format!("`{name}` was given, is not"),
        (_, Some(Value::Bool(_))) => format!("`{name}` was not given, is"),
        (Some(was), None) => format!("`{name}` was {}, is not given", text(was)),
        (None, is) => format!("`{name}` was not given, is {}", is.map(text).unwrap_or_default()),
        (Some(was), Some(is)) => format!("`{name}` was {}, is {}", text(was), text(is)),
    })
}

/// The value of an option as written on the command line.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}

/// Properties that identify an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fingerprint {
    /// Its name.
    pub(super) name: String,
    /// Its size, if it is a regular file.
    pub(super) bytes: Option<u64>,
    /// The SHA-256 of its first 64 KiB as they are stored, if it is a regular file.
    pub(super) head: Option<String>,
}

impl Fingerprint {
    /// Reads the size and the head of an input.
    fn read(origin: &Origin) -> Result<Fingerprint, ManifestError> {
        Fingerprint::read_file(origin).map_err(|source| ManifestError::Read { path: origin.to_string().into(), source })
    }

    fn read_file(origin: &Origin) -> io::Result<Fingerprint> {
        let name = origin.to_string();
        let none = Fingerprint { name: name.clone(), bytes: None, head: None };
        let Origin::File(path) = origin else { return Ok(none) };
        let metadata = fs::metadata(path)?;
        // Reading the head of a pipe would take it from the run.
        if !metadata.is_file() {
            return Ok(none);
        }
        let (_, head) = sha256(File::open(path)?.take(HEAD))?;
        Ok(Fingerprint { name, bytes: Some(metadata.len()), head: Some(head) })
    }

    /// The difference between this input and another input with the same name.
    fn difference(&self, now: &Fingerprint) -> Option<String> {
        let name = &self.name;
        match (self.bytes, now.bytes) {
            (Some(was), Some(is)) if was != is => {
                let verb = if was < is { "grown" } else { "shrunk" };
                Some(format!("{name} has {verb} from {} to {} bytes", WithCommas(was), WithCommas(is)))
            }
            (Some(_), None) => Some(format!("{name} was a regular file, and is not")),
            (None, Some(_)) => Some(format!("{name} was not a regular file, and is")),
            _ if self.head != now.head => Some(format!("the beginning of {name} has changed")),
            _ => None,
        }
    }
}

impl Manifest {
    /// The manifest of a run of a command. Adds the options of the corpus to `options`, the options of the job.
    pub(crate) fn read(
        command: &str,
        corpus: &Corpus,
        against: Option<&Corpus>,
        mut options: Map<String, Value>,
        block: u64,
    ) -> Result<Manifest, ManifestError> {
        let fingerprints = |origins: &[Origin]| origins.iter().map(Fingerprint::read).collect::<Result<Vec<_>, _>>();
        let input = corpus.options();
        let mut alphabet: Vec<String> = input.alphabets.iter().map(ToString::to_string).collect();
        // The order in which alphabets are given does not matter.
        alphabet.sort_unstable();

        options.insert("from".into(), json!(input.format));
        if let Some(blank) = input.blank {
            options.insert("blank".into(), json!(blank.to_string()));
        }
        options.insert("alphabet".into(), json!(alphabet));
        options.insert("puzzle-column".into(), json!(input.puzzle_column));
        options.insert("keep".into(), json!(input.keep));
        options.insert("shard".into(), json!(corpus.selected_shard()));
        // An option with such a value counts as not given.
        options.retain(|_, value| !matches!(value, Value::Null | Value::Bool(false)) && value != &Value::Array(vec![]));
        Ok(Manifest {
            gridmill: env!("CARGO_PKG_VERSION").to_owned(),
            command: command.to_owned(),
            inputs: fingerprints(corpus.origins())?,
            against: against.map_or(Ok(vec![]), |against| fingerprints(against.origins()))?,
            options,
            block,
        })
    }

    /// The manifest as the file next to an output has it.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(self).expect("a manifest has JSON")
    }

    /// The format of the rows.
    pub(crate) fn format(&self) -> OutputFormat {
        let format = self.options.get("to").cloned().map(serde_json::from_value::<OutputFormat>);
        format.and_then(Result::ok).unwrap_or_default()
    }

    /// Whether the rows come after a header.
    pub(crate) fn has_header(&self) -> bool {
        self.format().is_csv() && !self.options.contains_key("no-header")
    }

    /// The differences to another run, in words of an [`OptionError`](crate::options::OptionError). Without any, their
    /// outputs are the same.
    pub(crate) fn differences(&self, now: &Manifest) -> Vec<String> {
        let mut found = Vec::new();
        if self.gridmill != now.gridmill {
            found.push(format!("gridmill was {}, is {}", self.gridmill, now.gridmill));
        }
        if self.command != now.command {
            found.push(format!("the command was {}, is {}", self.command, now.command));
        }

        for (name, was, is) in [("the input", &self.inputs, &now.inputs), ("`against`", &self.against, &now.against)] {
            let names = |inputs: &[Fingerprint]| {
                let names: Vec<&str> = inputs.iter().map(|input| &*input.name).collect();
                if names.is_empty() { "nothing".to_owned() } else { names.join(" ") }
            };
            // The content is compared only if the names are the same.
            if was.iter().map(|input| &input.name).eq(is.iter().map(|input| &input.name)) {
                found.extend(was.iter().zip(is).filter_map(|(was, is)| was.difference(is)));
            } else {
                found.push(format!("{name} was {}, is {}", names(was), names(is)));
            }
        }

        let names: BTreeSet<&String> = self.options.keys().chain(now.options.keys()).collect();
        let difference = |name: &String| difference_of_option(name, self.options.get(name), now.options.get(name));
        found.extend(names.into_iter().filter_map(difference));
        found
    }
}

/// Parses JSON that has exactly the fields of its type. Plain deserialisation would ignore a field with a damaged name,
/// or from another version.
pub(crate) fn exactly<T: Serialize + DeserializeOwned>(json: &Value) -> serde_json::Result<T> {
    let value = T::deserialize(json)?;
    if serde_json::to_value(&value)? == *json { Ok(value) } else { Err(Error::custom("a field is unknown or missing")) }
}

/// Reads JSON from a file next to an output, and parses it with `parse`; `None` if the file does not exist.
pub(super) fn read<T>(
    path: &Path,
    parse: impl FnOnce(Value) -> serde_json::Result<T>,
) -> Result<Option<T>, ManifestError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(ManifestError::Read { path: path.to_owned(), source }),
    };
    let form = |source| ManifestError::Form { path: path.to_owned(), source };
    serde_json::from_slice(&text).and_then(parse).map(Some).map_err(form)
}

/// Writes a line of JSON to a file next to an output. Returns the file, for appending.
pub(super) fn write(path: &Path, text: serde_json::Result<Vec<u8>>, sync: Sync) -> Result<File, ManifestError> {
    let line = text.map(|text| [&*text, b"\n"].concat()).map_err(io::Error::from);
    let written = line.and_then(|line| replace(path, &line, sync));
    written.map_err(|source| ManifestError::Write { path: path.to_owned(), source })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::run::resume) fn manifest() -> Manifest {
        let print = |name: &str| Fingerprint { name: name.into(), bytes: Some(1000), head: Some("00".into()) };
        let options = json!({ "limit": 2, "no-header": true });
        let Value::Object(options) = options else { unreachable!("it is an object") };
        Manifest {
            gridmill: "1.0.0".into(),
            command: "solve".into(),
            inputs: vec![print("a.txt"), print("b.txt")],
            against: vec![],
            options,
            block: 100,
        }
    }

    #[test]
    fn every_difference_is_named() {
        type Change = fn(&mut Manifest);
        fn set(manifest: &mut Manifest, option: &str, value: Value) {
            manifest.options.remove(option);
            if !value.is_null() {
                manifest.options.insert(option.into(), value);
            }
        }
        let cases: [(Change, &str); 15] = [
            (|now| now.gridmill = "1.0.1".into(), "gridmill was 1.0.0, is 1.0.1"),
            (|now| now.command = "validate".into(), "the command was solve, is validate"),
            (|now| now.inputs[0].bytes = Some(1_234_567), "a.txt has grown from 1,000 to 1,234,567 bytes"),
            (|now| now.inputs[1].bytes = Some(12), "b.txt has shrunk from 1,000 to 12 bytes"),
            (|now| now.inputs[1].bytes = None, "b.txt was a regular file, and is not"),
            (|now| now.inputs[1].head = Some("01".into()), "the beginning of b.txt has changed"),
            (|now| now.inputs.truncate(1), "the input was a.txt b.txt, is a.txt"),
            (|now| now.against = now.inputs[..1].to_vec(), "`against` was nothing, is a.txt"),
            (|now| set(now, "limit", json!(3)), "`limit` was 2, is 3"),
            (|now| set(now, "limit", json!(null)), "`limit` was 2, is not given"),
            (|now| set(now, "max-branches", json!("none")), "`max-branches` was not given, is none"),
            (|now| set(now, "no-header", json!(null)), "`no-header` was given, is not"),
            (|now| set(now, "first", json!(true)), "`first` was not given, is"),
            (|now| set(now, "keep", json!(["a", "b"])), "`keep` was not given, is a,b"),
            (|now| set(now, "shard", json!("1/2")), "`shard` was not given, is 1/2"),
        ];
        for (change, words) in cases {
            let mut now = manifest();
            assert!(manifest().differences(&now).is_empty());
            change(&mut now);
            let found = manifest().differences(&now);
            assert_eq!(found, [words]);
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
