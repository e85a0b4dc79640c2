//! Shard metadata: the options and statistics of a finished shard, in a file next to its output, for `gridmill merge`.

use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Error, Value};

use super::manifest::{self, Manifest, exactly};
use crate::corpus::Shard;
use crate::options::OptionError;
use crate::output::{Checksum, ManifestError, Obstacle, OutputError, OwnMark, SHARD_SUFFIX, Sync, beside};

/// The field of the metadata with the CRC-32 of all other fields.
const SUM: &str = "crc32";

/// Options and statistics of a finished shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ShardMetadata {
    /// The shard.
    pub(crate) shard: Shard,
    /// The inputs and options of the run.
    pub(crate) manifest: Manifest,
    /// The size and the checksum of the output, as stored.
    pub(crate) output: Checksum,
    /// The number of records of the shard; the output has a row for each.
    pub(crate) records: u64,
    /// The counts of the job, and times and settings of the run.
    pub(crate) results: ShardResults,
}

/// The results of a job in a shard. Only the job knows their types.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ShardResults {
    pub(crate) counts: Value,
    pub(crate) run: Value,
}

/// The fields that the metadata have in all versions of gridmill.
#[derive(Deserialize)]
struct OwnMetadata {
    #[serde(rename = "manifest")]
    _manifest: OwnMark,
}

impl ShardMetadata {
    /// The path of the metadata of an output.
    pub(crate) fn path(output: &Path) -> PathBuf {
        beside(output, SHARD_SUFFIX)
    }

    /// Reads the metadata of an output; `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged, or has unexpected content.
    pub(crate) fn read(output: &Path) -> Result<Option<ShardMetadata>, ManifestError> {
        manifest::read(&ShardMetadata::path(output), |mut json| {
            let sum = json.as_object_mut().and_then(|fields| fields.remove(SUM));
            if sum == Some(sum_of(&json)) {
                exactly(&json)
            } else {
                Err(Error::custom("it does not have its checksum"))
            }
        })
    }

    /// Writes the metadata of an output: after a crash, the file is complete or absent.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn write(&self, output: &Path) -> Result<(), ManifestError> {
        let with_sum = serde_json::to_value(self).and_then(|mut json| {
            json[SUM] = sum_of(&json);
            serde_json::to_vec(&json)
        });
        manifest::write(&ShardMetadata::path(output), with_sum, Sync::Now).map(|_| ())
    }

    /// Whether an output is unchanged since it was finished.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub(crate) fn fits(&self, output: &Path) -> Result<bool, ManifestError> {
        self.output.fits(output).map_err(|source| ManifestError::Read { path: output.to_owned(), source })
    }

    /// Checks that the file at the path of an output's metadata may be replaced.
    pub(super) fn check_place(output: &Path) -> Result<(), OutputError> {
        match manifest::read(&ShardMetadata::path(output), serde_json::from_value::<OwnMetadata>) {
            Err(ManifestError::Form { path, .. }) => Err(Obstacle::Foreign.at(&path)),
            read => Ok(read.map(|_| ())?),
        }
    }

    /// The manifest of the run, without its shard.
    fn unsharded(&self) -> Manifest {
        let mut manifest = self.manifest.clone();
        // Shards of a run differ only in this option.
        manifest.options.remove("shard");
        manifest
    }
}

/// The CRC-32 of JSON without fractions, whose text is always the same.
fn sum_of(json: &Value) -> Value {
    crc32fast::hash(json.to_string().as_bytes()).into()
}

/// Sorts the outputs of all shards of one run; `outputs` has their names and metadata.
///
/// # Errors
///
/// If a shard is missing, occurs twice, or belongs to another run.
pub(crate) fn in_order(
    mut outputs: Vec<(PathBuf, ShardMetadata)>,
) -> Result<Vec<(PathBuf, ShardMetadata)>, OptionError> {
    let name = |output: &(PathBuf, ShardMetadata)| output.0.display().to_string();
    let Some((first, others)) = outputs.split_first() else { return Ok(outputs) };
    let count = first.1.shard.count();
    for other in others {
        let mut differences = first.1.unsharded().differences(&other.1.unsharded());
        if other.1.shard.count() != count {
            differences.push(format!("the number of shards was {count}, is {}", other.1.shard.count()));
        }
        if !differences.is_empty() {
            let (one, other, differences) = (name(first), name(other), differences.join("; "));
            return Err(OptionError::new(format!("{other} and {one} are of different runs: {differences}")));
        }
    }

    // All outputs belong to one run. Each of its shards has to be there once.
    outputs.sort_by_key(|output| output.1.shard);
    if let Some(pair) = outputs.windows(2).find(|pair| pair[0].1.shard == pair[1].1.shard) {
        let (one, other) = (name(&pair[0]), name(&pair[1]));
        return Err(OptionError::new(format!("{one} and {other} are both shard {}", pair[0].1.shard)));
    }
    // The outputs are sorted, and no shard occurs twice, so each has its place.
    let present = |number| outputs.get(number as usize - 1).is_some_and(|output| output.1.shard.number() == number);
    if let Some(number) = (1..=count).find(|&number| !present(number)) {
        return Err(OptionError::new(format!("shard {number} of {count} is missing")));
    }

    // A shard with another number of records is incomplete, or its input has changed.
    let all = outputs.iter().map(|output| output.1.records).sum();
    for output in &outputs {
        let ShardMetadata { shard, records, .. } = output.1;
        let share = shard.share(all);
        if records != share {
            return Err(OptionError::new(format!(
                "{} has {records} records; shard {shard} of {all} records has {share}, so the inputs of the shards differed",
                name(output)
            )));
        }
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::manifest::tests::manifest;
    use super::*;

    fn output(number: u32, count: u32, records: u64) -> (PathBuf, ShardMetadata) {
        let shard = Shard::new(number, count).unwrap();
        let mut manifest = manifest();
        manifest.options.insert("shard".into(), json!(shard));
        let (output, results) = (Checksum::default(), ShardResults::default());
        (format!("o{number}").into(), ShardMetadata { shard, manifest, output, records, results })
    }

    #[test]
    fn metadata_is_read_as_it_is_written_or_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("o1");
        let results = ShardResults { counts: json!({"findings": {"leak": 12}}), run: json!({"limit": 2}) };
        let metadata = ShardMetadata { results, ..output(1, 2, 7).1 };
        metadata.write(&path).unwrap();
        let text = std::fs::read(ShardMetadata::path(&path)).unwrap();
        let read = ShardMetadata::read(&path).unwrap().unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), serde_json::to_value(&metadata).unwrap());
        for (at, bit) in (0..text.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut damaged = text.clone();
            damaged[at] ^= 1 << bit;
            std::fs::write(ShardMetadata::path(&path), damaged).unwrap();
            assert!(matches!(ShardMetadata::read(&path), Err(ManifestError::Form { .. })), "byte {at}, bit {bit}");
        }
    }

    #[test]
    fn shards_of_one_run_are_put_in_order() {
        let ordered = in_order(vec![output(3, 3, 0), output(1, 3, 4096), output(2, 3, 7)]).unwrap();
        assert_eq!(ordered.iter().map(|output| output.1.shard.number()).collect::<Vec<_>>(), [1, 2, 3]);
        let other = |change: fn(&mut ShardMetadata)| {
            let (path, mut metadata) = output(2, 2, 0);
            change(&mut metadata);
            (path, metadata)
        };
        let one = || output(1, 2, 0);
        for (outputs, words) in [
            (vec![one()], "shard 2 of 2 is missing"),
            (vec![output(2, 2, 0)], "shard 1 of 2 is missing"),
            (vec![output(1, 3, 0), output(3, 3, 0)], "shard 2 of 3 is missing"),
            (vec![one(), output(2, 2, 0), one()], "o1 and o1 are both shard 1/2"),
            (vec![one(), output(2, 3, 0)], "o2 and o1 are of different runs: the number of shards was 2, is 3"),
            (
                vec![one(), other(|metadata| _ = metadata.manifest.options.insert("limit".into(), json!(3)))],
                "o2 and o1 are of different runs: `limit` was 2, is 3",
            ),
            (
                vec![one(), output(2, 2, 5)],
                "o1 has 0 records; shard 1/2 of 5 records has 5, so the inputs of the shards differed",
            ),
        ] {
            assert_eq!(in_order(outputs).unwrap_err().to_string(), words);
        }
    }
}
