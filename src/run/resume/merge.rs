//! Interleaves the rows of all shards into the order of the records.

use std::io::{self, BufRead, Write};

use crate::corpus::BLOCK;
use crate::output::OutputFile;
use crate::rows::RowEnds;

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
        loop {
            match self.reader.fill_buf() {
                Ok(text) => return Ok(text.is_empty()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(source) => return Err(MergeError::Read { name: self.name.clone(), source }),
            }
        }
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

    use super::*;
    use crate::corpus::shard::{Shard, ShardCursor, ShardSpan};
    use crate::output::OutputTarget;
    use crate::rows::OutputFormat;

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
