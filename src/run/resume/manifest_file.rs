//! Reads `NAME.partial.json`: a manifest with its checkpoints, or the mark of an output that cannot be resumed.

use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Deserializer, Value};

use super::manifest::{Manifest, exactly};
use crate::options::OptionError;
use crate::output::{Checkpoint, ManifestError, OutputError, OwnMark, open_beside};

impl Manifest {
    /// The checkpoints of an interrupted run with this manifest, from the file next to its partial output.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or was not written by gridmill, or its manifest is another one.
    pub(super) fn checkpoints(&self, partial: &Path, beside: &Path) -> Result<Vec<Checkpoint>, OutputError> {
        let (checkpoints, differences) = match read(beside)? {
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
fn read(path: &Path) -> Result<Option<ManifestFile>, OutputError> {
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
mod tests {
    use std::fs;

    use super::super::manifest::tests::manifest;
    use super::*;
    use crate::output::{CheckpointLog, CheckpointPace, Resumable};

    #[test]
    fn manifests_are_read_as_they_are_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("m.json");
        assert!(read(&path).unwrap().is_none());
        assert!(!OwnMark::is_on(&path).unwrap());
        let kept = [3, 9].map(|records| Checkpoint { records, ..Checkpoint::default() });
        let pace = CheckpointPace::Usual;
        let resumable = Resumable { manifest: manifest().to_json(), has_notes: false, pace };
        drop(CheckpointLog::create(path.clone(), Some(resumable), None, &kept).unwrap());
        assert_eq!(read(&path).unwrap(), Some(ManifestFile::Resumable(Box::new(manifest()), kept.to_vec())));
        assert!(OwnMark::is_on(&path).unwrap());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);

        // Tear a line.
        let text = fs::read(&path).unwrap();
        fs::write(&path, &text[..text.len() - 3]).unwrap();
        assert_eq!(read(&path).unwrap(), Some(ManifestFile::Resumable(Box::new(manifest()), kept[..1].to_vec())));
        fs::write(&path, "").unwrap();
        assert!(!OwnMark::is_on(&path).unwrap());
        for foreign in ["{\"gridmill\": 7}", "\n", "[1]", "text"] {
            fs::write(&path, foreign).unwrap();
            let error = read(&path).unwrap_err().to_string();
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
            assert!(read(&path).unwrap_err().to_string().contains("m.json is damaged, or "), "{name}");
        }
        drop(CheckpointLog::create(path.clone(), None, None, &[]).unwrap());
        assert!(OwnMark::is_on(&path).unwrap());
        let Some(ManifestFile::Marked(mark)) = read(&path).unwrap() else { panic!("it has only a mark") };
        assert_eq!(mark.difference(), "it is of a run that cannot be resumed");
        fs::write(&path, "{\"gridmill\": \"0.0.1\", \"command\": \"dance\"}").unwrap();
        let Some(ManifestFile::Marked(mark)) = read(&path).unwrap() else { panic!("it has only a mark") };
        assert!(mark.difference().starts_with("gridmill was 0.0.1, is "));
    }
}
