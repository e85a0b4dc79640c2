//! What a run was asked to do, in a file beside its unfinished output: so that another run goes on with it only if that
//! comes to the same.
//!
//! A manifest has everything that the bytes of the output depend on. Threads, vectors and whatever else only changes how
//! long a run takes are not in it.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write as _};
use std::fs::{self, File};
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::corpus::Origin;

/// How much of an input is looked at to know it again, in bytes.
const HEAD: u64 = 64 << 10;

/// What a run was asked to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of gridmill.
    pub gridmill: String,
    /// The command's name.
    pub command: String,
    /// The inputs, in order.
    pub inputs: Vec<Fingerprint>,
    /// The inputs that these are compared with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Fingerprint>,
    /// The options that the output depends on, by their names; those without a value have an empty one.
    pub options: BTreeMap<String, String>,
}

/// What an input is known again by.
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
    /// Takes the fingerprint of an input.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn of(origin: &Origin) -> io::Result<Fingerprint> {
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
            (Some(_), None) => Some(format!("{name} was a regular file, and is none")),
            (None, Some(_)) => Some(format!("{name} was no regular file, and is one")),
            _ if self.head != now.head => Some(format!("{name} does not begin as it did")),
            _ => None,
        }
    }
}

impl Manifest {
    /// Everything in which another run differs from this one, each in a few words; empty if their outputs are the same.
    pub fn differences(&self, now: &Manifest) -> Vec<String> {
        let mut found = Vec::new();
        if self.gridmill != now.gridmill {
            found.push(format!("gridmill was {}, is {}", self.gridmill, now.gridmill));
        }
        if self.command != now.command {
            found.push(format!("the command was {}, is {}", self.command, now.command));
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
        let mut options: Vec<&String> = self.options.keys().chain(now.options.keys()).collect();
        options.sort_unstable();
        options.dedup();
        for option in options {
            match (self.options.get(option).map(|was| &**was), now.options.get(option).map(|is| &**is)) {
                (was, is) if was == is => {}
                (Some(""), _) => found.push(format!("{option} was given, is not")),
                (_, Some("")) => found.push(format!("{option} was not given, is")),
                (Some(was), None) => found.push(format!("{option} was {was}, is not given")),
                (None, is) => found.push(format!("{option} was not given, is {}", is.unwrap_or_default())),
                (Some(was), Some(is)) => found.push(format!("{option} was {was}, is {is}")),
            }
        }
        found
    }

    /// Reads a manifest; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If there is a file that cannot be read, or is no manifest.
    pub fn read(path: &Path) -> Result<Option<Manifest>, ManifestError> {
        read(path)
    }

    /// Writes the manifest, wholly or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), ManifestError> {
        // Within half a minute the system brings it to the disk by itself; what the power ends before can begin again.
        write(path, serde_json::to_vec_pretty(self), Sync::Later)
    }
}

/// Why what is kept beside an output cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("{} is not as gridmill {} writes it", path.display(), env!("CARGO_PKG_VERSION"))]
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

/// The name of a file beside another: its name with something behind it.
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(suffix);
    beside.into()
}

/// Reads what was kept beside an output; `None` if nothing was.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ManifestError> {
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
pub(crate) enum Sync {
    /// Before anything else is done.
    Now,
    /// When the system sees fit.
    Later,
}

/// Writes JSON to be kept beside an output: a process that is killed leaves all of it or none.
pub(crate) fn write(path: &Path, text: serde_json::Result<Vec<u8>>, sync: Sync) -> Result<(), ManifestError> {
    let new = beside(path, ".new");
    let write = || -> io::Result<()> {
        let mut text = text?;
        text.push(b'\n');
        let mut file = File::create(&new)?;
        file.write_all(&text)?;
        if sync == Sync::Now {
            file.sync_all()?;
        }
        fs::rename(&new, path)
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
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let print = |name: &str| Fingerprint { name: name.into(), bytes: Some(1000), head: Some("00".into()) };
        Manifest {
            gridmill: "1.0.0".into(),
            command: "solve".into(),
            inputs: vec![print("a.txt"), print("b.txt")],
            against: vec![],
            options: [("--limit".into(), "2".into()), ("--no-header".into(), String::new())].into(),
        }
    }

    #[test]
    fn whatever_differs_is_named() {
        type Change = fn(&mut Manifest);
        let cases: [(Change, &str); 12] = [
            (|now| now.gridmill = "1.0.1".into(), "gridmill was 1.0.0, is 1.0.1"),
            (|now| now.command = "validate".into(), "the command was solve, is validate"),
            (|now| now.inputs[0].bytes = Some(1_234_567), "a.txt has grown from 1,000 to 1,234,567 bytes"),
            (|now| now.inputs[1].bytes = Some(12), "b.txt has shrunk from 1,000 to 12 bytes"),
            (|now| now.inputs[1].bytes = None, "b.txt was a regular file, and is none"),
            (|now| now.inputs[1].head = Some("01".into()), "b.txt does not begin as it did"),
            (|now| now.inputs.truncate(1), "the input was a.txt b.txt, is a.txt"),
            (|now| now.against = now.inputs[..1].to_vec(), "--against was nothing, is a.txt"),
            (|now| _ = now.options.insert("--limit".into(), "3".into()), "--limit was 2, is 3"),
            (|now| _ = now.options.remove("--limit"), "--limit was 2, is not given"),
            (|now| _ = now.options.remove("--no-header"), "--no-header was given, is not"),
            (|now| _ = now.options.insert("--first".into(), String::new()), "--first was not given, is"),
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
    fn manifests_are_read_as_they_are_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("m.json");
        assert!(Manifest::read(&path).unwrap().is_none());
        manifest().write(&path).unwrap();
        assert_eq!(Manifest::read(&path).unwrap(), Some(manifest()));
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
        fs::write(&path, "{\"gridmill\": 7}").unwrap();
        let error = Manifest::read(&path).unwrap_err().to_string();
        assert!(error.contains("m.json is not as gridmill "), "{error}");
    }

    #[test]
    fn inputs_are_known_by_their_size_and_head() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.txt");
        let print = |text: &[u8]| {
            fs::write(&path, text).unwrap();
            Fingerprint::of(&Origin::File(path.clone())).unwrap()
        };
        let first = print(b"abc");
        assert_eq!(first.head.as_deref(), Some("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        assert!(first.difference(&print(b"abc")).is_none());
        assert!(first.difference(&print(b"abd")).unwrap().ends_with("a.txt does not begin as it did"));
        assert_eq!(Fingerprint::of(&Origin::Stdin).unwrap(), Fingerprint { name: "-".into(), bytes: None, head: None });
    }
}
