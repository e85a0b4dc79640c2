//! Shard metadata: the options and statistics of a finished shard, in a file next to its output, for `gridmill merge`.

use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Serialize};
use serde_json::{Error, Value};

use super::manifest::{self, Manifest, exactly};
use crate::corpus::{BLOCK, Shard};
use crate::options::OptionError;
use crate::output::{Checksum, ManifestError, Obstacle, OutputError, OutputFile, OwnMark, SHARD_SUFFIX, Sync, beside};
use crate::rows::RowEnds;

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

/// The output of a shard, for reading.
#[derive(Debug)]
pub(crate) struct Part<R> {
    /// The name, for messages.
    pub(crate) name: String,
    /// The bytes, decompressed.
    pub(crate) reader: R,
    /// The expected number of rows, without the header.
    pub(crate) rows: u64,
}

/// The error for rows of shards that cannot be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum MergeError {
    /// An output cannot be read.
    #[error("cannot read {name}")]
    Read {
        /// The output.
        name: String,
        /// The cause.
        source: io::Error,
    },
    /// The merged output cannot be written.
    #[error("cannot write the output")]
    Write(#[source] io::Error),
    /// An output has too few rows.
    #[error("{name} has {found} rows, but {rows} according to its metadata")]
    TooFew {
        /// The output.
        name: String,
        /// The number of its rows.
        found: u64,
        /// The expected number.
        rows: u64,
    },
    /// An output has too many rows.
    #[error("{name} has more rows than the {rows} according to its metadata")]
    TooMany {
        /// The output.
        name: String,
        /// The expected number.
        rows: u64,
    },
    /// The outputs have different columns.
    #[error("the headers of {name} and {first} differ")]
    Header {
        /// The output.
        name: String,
        /// The output of the first shard.
        first: String,
    },
}

/// Writes the rows of all shards, given in order, as a run without shards would have written them.
///
/// Memory does not grow with the outputs. Each block has a fixed number of rows, and the last one has the rest.
///
/// # Errors
///
/// If an output cannot be read, or has an unexpected number of rows or a different header.
pub(crate) fn interleave<R: BufRead>(
    parts: &mut [Part<R>],
    has_header: bool,
    ends: &RowEnds,
    block: u64,
    output: &mut OutputFile,
) -> Result<(), MergeError> {
    if has_header {
        copy_header(parts, ends, output)?;
    }

    let mut done = vec![0; parts.len()];
    while parts.iter().zip(&done).any(|(part, &done)| done < part.rows) {
        for (part, done) in parts.iter_mut().zip(&mut done) {
            // The shards took blocks of records in turn.
            let end = part.rows.min(*done + BLOCK);
            while *done < end {
                let rows = block.min(end - *done);
                let copied = part.copy(rows, ends, &mut |bytes| output.write_all(bytes))?;
                *done += copied;
                if copied < rows {
                    return Err(MergeError::TooFew { name: part.name.clone(), found: *done, rows: part.rows });
                }
                // A run without shards ends its frames after the same records, so even compressed bytes are the same.
                output.end_block().map_err(MergeError::Write)?;
            }
        }
    }

    for part in parts {
        if !part.is_at_end()? {
            return Err(MergeError::TooMany { name: part.name.clone(), rows: part.rows });
        }
    }
    output.flush().map_err(MergeError::Write)
}

/// Copies the header of the first part, and skips the same header in all other parts.
fn copy_header<R: BufRead>(parts: &mut [Part<R>], ends: &RowEnds, output: &mut impl Write) -> Result<(), MergeError> {
    let mut first: Option<(String, Vec<u8>)> = None;
    for part in parts {
        let mut header = Vec::new();
        part.copy(1, ends, &mut |bytes| {
            header.extend_from_slice(bytes);
            Ok(())
        })?;
        match &first {
            None => {
                output.write_all(&header).map_err(MergeError::Write)?;
                first = Some((part.name.clone(), header));
            }
            Some((_, same)) if *same == header => {}
            Some((first, _)) => {
                return Err(MergeError::Header { name: part.name.clone(), first: first.clone() });
            }
        }
    }
    Ok(())
}

impl<R: BufRead> Part<R> {
    /// Whether the output has no more bytes.
    fn is_at_end(&mut self) -> Result<bool, MergeError> {
        let next = self.reader.by_ref().bytes().next().transpose();
        let next = next.map_err(|source| MergeError::Read { name: self.name.clone(), source })?;
        Ok(next.is_none())
    }

    /// Copies up to `rows` rows; returns how many it copied.
    fn copy(
        &mut self,
        rows: u64,
        ends: &RowEnds,
        write: &mut impl FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<u64, MergeError> {
        let (mut ends, mut copied) = (ends.clone(), 0);
        while copied < rows {
            let text = match self.reader.fill_buf() {
                Ok(text) => text,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(source) => return Err(MergeError::Read { name: self.name.clone(), source }),
            };
            if text.is_empty() {
                break;
            }

            let mut taken = 0;
            // Counts the rows that end in this text; another one may continue in the next.
            while copied < rows && taken < text.len() {
                let end = ends.find(&text[taken..]);
                copied += u64::from(end.is_some());
                taken = end.map_or(text.len(), |end| taken + end);
            }
            write(&text[..taken]).map_err(MergeError::Write)?;
            self.reader.consume(taken);
        }
        Ok(copied)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use proptest::prelude::*;
    use serde_json::json;

    use super::super::manifest::tests::manifest;
    use super::*;
    use crate::corpus::shard::{Shard, ShardCursor, ShardSpan};
    use crate::output::OutputTarget;
    use crate::rows::OutputFormat;

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

    type Change = fn(&mut Vec<(String, u64)>);
    type Parts<'a> = Vec<Part<BufReader<&'a [u8]>>>;

    /// The rows of each shard, after a header.
    fn shards(count: u32, header: &str, rows: &[String]) -> Vec<(String, u64)> {
        let shards = (1..=count).map(|number| Shard::new(number, count).unwrap());
        let output = shards.map(|shard| {
            let mut cursor = ShardCursor::new(shard);
            let mut text = header.to_owned();
            let mut own = 0;
            for row in rows {
                if matches!(cursor.span(), ShardSpan::Owned(_)) {
                    text.push_str(row);
                    own += 1;
                }
                cursor.advance(1);
            }
            (text, own)
        });
        output.collect()
    }

    fn parts(outputs: &[(String, u64)], buffer: usize) -> Parts<'_> {
        let outputs = outputs.iter().zip(0..);
        let part = outputs.map(|((text, rows), name)| Part {
            name: format!("o{name}"),
            reader: BufReader::with_capacity(buffer, text.as_bytes()),
            rows: *rows,
        });
        part.collect()
    }

    fn merge(parts: &mut Parts<'_>) -> Result<String, MergeError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("merged");
        let mut output = OutputFile::create(&OutputTarget::file(&path), 1).unwrap();
        interleave(parts, true, &OutputFormat::Csv.ends(), 100, &mut output)?;
        output.finish().unwrap();
        Ok(std::fs::read_to_string(path).unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn rows_of_shards_are_interleaved(count in 1..9_u32, rows in 0..30_000_u64, buffer in 1..100_usize) {
            let row = |n: u64| if n.is_multiple_of(5) { format!("\"{n}\n\"\n") } else { format!("{n}\n") };
            let rows: Vec<String> = (0..rows).map(row).collect();
            let outputs = shards(count, "n\n", &rows);
            prop_assert_eq!(merge(&mut parts(&outputs, buffer)).unwrap(), format!("n\n{}", rows.concat()));
        }
    }

    #[test]
    fn faults_are_named() {
        let rows: Vec<String> = (0..5000).map(|n| format!("{n}\n")).collect();
        let cases: [(Change, &str); 5] = [
            (|outputs| outputs[1].0.truncate(4 + 10 * 5), "o1 has 10 rows, but 904 according to its metadata"),
            (|outputs| _ = outputs[1].0.pop(), "o1 has 903 rows, but 904 according to its metadata"),
            (|outputs| outputs[0].0.push_str("x\n"), "o0 has more rows than the 4096 according to its metadata"),
            (|outputs| outputs[2].0 = "m\n".into(), "the headers of o2 and o0 differ"),
            (|outputs| outputs[2].0 = String::new(), "the headers of o2 and o0 differ"),
        ];
        for (change, words) in cases {
            let mut outputs = shards(3, "n\n", &rows);
            change(&mut outputs);
            assert_eq!(merge(&mut parts(&outputs, 64)).unwrap_err().to_string(), words);
        }
    }
}
