//! What is known of the finished output of a shard: enough to merge it with the others.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::corpus::Shard;
use crate::resume::manifest::{self, Manifest, ManifestError, Sync};
use crate::stats::{Run, RunStats};

/// The option that says which shard a run works on.
pub const OPTION: &str = "--shard";

/// What is behind the name of an output in that of its label.
pub const SUFFIX: &str = ".shard.json";

/// What is known of the finished output of a shard.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShardMetadata {
    /// Which shard it is.
    pub shard: Shard,
    /// What the run was asked to do.
    pub manifest: Manifest,
    /// How many records the shard has; the output has a row for each.
    pub records: u64,
    /// What its workers have seen.
    pub tally: RunStats,
    /// What the run knew of itself.
    pub run: Run,
}

impl ShardMetadata {
    /// Where the label of an output is.
    pub fn path(output: &Path) -> PathBuf {
        manifest::beside(output, SUFFIX)
    }

    /// Reads the label of an output; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If there is a file that cannot be read, or is no label.
    pub fn read(output: &Path) -> Result<Option<ShardMetadata>, ManifestError> {
        manifest::read(&ShardMetadata::path(output))
    }

    /// Writes the label of an output, wholly or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, output: &Path) -> Result<(), ManifestError> {
        manifest::write(&ShardMetadata::path(output), serde_json::to_vec(self), Sync::Now)
    }

    /// What the run was asked to do, whichever shard it worked on.
    fn whole(&self) -> Manifest {
        let mut whole = self.manifest.clone();
        whole.options.remove(OPTION);
        whole
    }
}

/// Why some outputs are not the shards of one run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardSetError {
    /// Two of them are of different runs.
    #[error("{other} is of another run than {one}: {differences}")]
    OtherRun {
        /// An output.
        one: String,
        /// One that does not go with it.
        other: String,
        /// In what the runs differ.
        differences: String,
    },
    /// One is missing.
    #[error("shard {number} of {count} is missing")]
    Missing {
        /// Which of them.
        number: u32,
        /// How many there should be.
        count: u32,
    },
    /// One is there twice.
    #[error("{one} and {other} are both shard {shard}")]
    Twice {
        /// Which shard.
        shard: Shard,
        /// An output.
        one: String,
        /// Another one.
        other: String,
    },
    /// A shard has not the records that are dealt to it.
    #[error("{output} has {records} records, but of {all} in all shard {shard} is dealt {share}; the inputs differed")]
    Share {
        /// The output.
        output: String,
        /// Which shard it is.
        shard: Shard,
        /// How many records it has.
        records: u64,
        /// How many records all shards have.
        all: u64,
        /// How many of them it should have.
        share: u64,
    },
}

/// Puts the outputs of all shards of one run in order; `outputs` is their names with their labels.
///
/// # Errors
///
/// If one is missing, or there twice, or of another run.
pub fn in_order(mut outputs: Vec<(PathBuf, ShardMetadata)>) -> Result<Vec<(PathBuf, ShardMetadata)>, ShardSetError> {
    let name = |output: &(PathBuf, ShardMetadata)| output.0.display().to_string();
    let Some((first, others)) = outputs.split_first() else { return Ok(outputs) };
    let count = first.1.shard.count();
    for other in others {
        let mut differences = first.1.whole().differences(&other.1.whole());
        if other.1.shard.count() != count {
            differences.push(format!("there it is one of {count} shards, here one of {}", other.1.shard.count()));
        }
        if !differences.is_empty() {
            let (one, other) = (name(first), name(other));
            return Err(ShardSetError::OtherRun { one, other, differences: differences.join("; ") });
        }
    }
    outputs.sort_by_key(|output| output.1.shard);
    if let Some(pair) = outputs.windows(2).find(|pair| pair[0].1.shard == pair[1].1.shard) {
        let (one, other) = (name(&pair[0]), name(&pair[1]));
        return Err(ShardSetError::Twice { shard: pair[0].1.shard, one, other });
    }
    let present = |number| outputs.get(number as usize - 1).is_some_and(|output| output.1.shard.number() == number);
    if let Some(number) = (1..=count).find(|&number| !present(number)) {
        return Err(ShardSetError::Missing { number, count });
    }
    let all = outputs.iter().map(|output| output.1.records).sum();
    for output in &outputs {
        let ShardMetadata { shard, records, .. } = output.1;
        let share = shard.share(all);
        if records != share {
            return Err(ShardSetError::Share { output: name(output), shard, records, all, share });
        }
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::*;

    fn output(number: u32, count: u32, records: u64) -> (PathBuf, ShardMetadata) {
        let shard = Shard::new(number, count).unwrap();
        let options = BTreeMap::from([(OPTION.to_owned(), shard.to_string()), ("--limit".to_owned(), "2".to_owned())]);
        let (gridmill, command) = ("1.0.0".to_owned(), "solve".to_owned());
        let manifest = Manifest { gridmill, command, inputs: vec![], against: vec![], options };
        let run = Run::new(Duration::ZERO, "dlx".to_owned(), 2);
        (format!("o{number}").into(), ShardMetadata { shard, manifest, records, tally: RunStats::new(0), run })
    }

    #[test]
    fn shards_of_one_run_are_put_in_order() {
        let ordered = in_order(vec![output(3, 3, 0), output(1, 3, 4096), output(2, 3, 7)]).unwrap();
        assert_eq!(ordered.iter().map(|output| output.1.shard.number()).collect::<Vec<_>>(), [1, 2, 3]);
        let other = |change: fn(&mut ShardMetadata)| {
            let (path, mut label) = output(2, 2, 0);
            change(&mut label);
            (path, label)
        };
        let one = || output(1, 2, 0);
        for (outputs, words) in [
            (vec![one()], "shard 2 of 2 is missing"),
            (vec![output(2, 2, 0)], "shard 1 of 2 is missing"),
            (vec![output(1, 3, 0), output(3, 3, 0)], "shard 2 of 3 is missing"),
            (vec![one(), output(2, 2, 0), one()], "o1 and o1 are both shard 1/2"),
            (vec![one(), output(2, 3, 0)], "o2 is of another run than o1: there it is one of 2 shards, here one of 3"),
            (
                vec![one(), other(|label| _ = label.manifest.options.insert("--limit".to_owned(), "3".to_owned()))],
                "o2 is of another run than o1: --limit was 2, is 3",
            ),
            (
                vec![one(), output(2, 2, 5)],
                "o1 has 0 records, but of 5 in all shard 1/2 is dealt 5; the inputs differed",
            ),
        ] {
            assert_eq!(in_order(outputs).unwrap_err().to_string(), words);
        }
    }
}
