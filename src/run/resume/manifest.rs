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
use serde_json::{Deserializer, Map, Value, json};

use crate::corpus::{Corpus, Origin};
use crate::options::{OptionError, WithCommas};
use crate::output::{Checkpoint, ManifestError, OutputError, OwnMark, Sync, open_beside, replace, sha256};
use crate::rows::OutputFormat;

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

    /// The differences to another run, in words of an [`OptionError`]. Without any, their
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

impl Manifest {
    /// The checkpoints of an interrupted run with this manifest, from the file next to its partial output.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or was not written by gridmill, or its manifest is another one.
    pub(super) fn checkpoints(&self, partial: &Path, beside: &Path) -> Result<Vec<Checkpoint>, OutputError> {
        let (checkpoints, differences) = match read_beside(beside)? {
            None => {
                let (partial, beside) = (partial.display(), beside.display());
                let reason = format!("cannot resume {partial}: its manifest {beside} is missing");
                return Err(OutputError::Resume(OptionError::new(reason)));
            }
            Some(ManifestFile::Marked(mark)) => (vec![], vec![mark.difference()]),
            Some(ManifestFile::Resumable(before, checkpoints)) => (checkpoints, before.differences(self)),
        };
        if differences.is_empty() { Ok(checkpoints) } else { Err(OutputError::other_run(partial, &differences)) }
    }
}

/// The content of the file.
#[derive(Debug, PartialEq)]
enum ManifestFile {
    /// A manifest with the checkpoints that are not damaged: the output can be resumed.
    Resumable(Box<Manifest>, Vec<Checkpoint>),
    /// The output was written by another version of gridmill, or by a run that cannot be resumed.
    Marked(OwnMark),
}

/// Reads the file; `None` if it does not exist.
///
/// # Errors
///
/// If it cannot be read, or was not written by gridmill.
fn read_beside(path: &Path) -> Result<Option<ManifestFile>, OutputError> {
    let Some(mut file) = open_beside(path)? else { return Ok(None) };
    let mut text = Vec::new();
    let read = file.read_to_end(&mut text);
    read.map_err(|source| ManifestError::Read { path: path.to_owned(), source })?;
    let form = |source| ManifestError::Form { path: path.to_owned(), source };
    let mut json = Deserializer::from_slice(&text).into_iter();
    let first: Value = json.next().transpose().map_err(form)?.unwrap_or_default();
    let source = match exactly(&first) {
        Ok(manifest) => {
            let checkpoints = Checkpoint::read_all(&text[json.byte_offset()..]);
            return Ok(Some(ManifestFile::Resumable(Box::new(manifest), checkpoints)));
        }
        Err(source) => source,
    };
    match OwnMark::deserialize(&first) {
        // A mark with further fields is a manifest: from another version, or damaged.
        Ok(mark) if mark != OwnMark::own() || exactly::<OwnMark>(&first).is_ok() => {
            Ok(Some(ManifestFile::Marked(mark)))
        }
        _ => Err(form(source).into()),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;

    use super::*;
    use crate::output::{CheckpointLog, CheckpointPace, Resumable};

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

    #[test]
    fn manifests_are_read_as_they_are_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("m.json");
        assert!(read_beside(&path).unwrap().is_none());
        assert!(!OwnMark::is_on(&path).unwrap());
        let kept = [3, 9].map(|records| Checkpoint { records, ..Checkpoint::default() });
        let pace = CheckpointPace::Usual;
        let resumable = Resumable { manifest: manifest().to_json(), has_notes: false, pace };
        drop(CheckpointLog::create(path.clone(), Some(resumable), None, &kept).unwrap());
        assert_eq!(read_beside(&path).unwrap(), Some(ManifestFile::Resumable(Box::new(manifest()), kept.to_vec())));
        assert!(OwnMark::is_on(&path).unwrap());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);

        // Tear a line.
        let text = fs::read(&path).unwrap();
        fs::write(&path, &text[..text.len() - 3]).unwrap();
        assert_eq!(
            read_beside(&path).unwrap(),
            Some(ManifestFile::Resumable(Box::new(manifest()), kept[..1].to_vec()))
        );
        fs::write(&path, "").unwrap();
        assert!(!OwnMark::is_on(&path).unwrap());
        for foreign in ["{\"gridmill\": 7}", "\n", "[1]", "text"] {
            fs::write(&path, foreign).unwrap();
            let error = read_beside(&path).unwrap_err().to_string();
            assert!(error.contains("m.json is damaged, or was not written by gridmill "), "{error}");
            let error = OwnMark::is_on(&path).unwrap_err().to_string();
            assert!(error.contains("m.json: gridmill did not write it; move it away, or "), "{foreign}: {error}");
        }
        // Damage the name of a field.
        let own = Manifest { gridmill: env!("CARGO_PKG_VERSION").into(), ..manifest() };
        let own = serde_json::to_string(&Manifest { against: own.inputs.clone(), ..own }).unwrap();
        for name in ["command", "inputs", "against", "options", "name", "bytes", "head"] {
            let damaged = own.replacen(&format!("\"{name}\""), "\"damaged\"", 1);
            assert_ne!(damaged, own);
            fs::write(&path, damaged).unwrap();
            assert!(read_beside(&path).unwrap_err().to_string().contains("m.json is damaged, or "), "{name}");
        }
        drop(CheckpointLog::create(path.clone(), None, None, &[]).unwrap());
        assert!(OwnMark::is_on(&path).unwrap());
        let Some(ManifestFile::Marked(mark)) = read_beside(&path).unwrap() else { panic!("it has only a mark") };
        assert_eq!(mark.difference(), "it is of a run that cannot be resumed");
        fs::write(&path, "{\"gridmill\": \"0.0.1\", \"command\": \"dance\"}").unwrap();
        let Some(ManifestFile::Marked(mark)) = read_beside(&path).unwrap() else { panic!("it has only a mark") };
        assert!(mark.difference().starts_with("gridmill was 0.0.1, is "));
    }
}
