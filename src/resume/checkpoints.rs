//! Checkpoints: how far a partial output is known to be what a run wrote.
//!
//! While a run writes, it appends lines to the manifest: the length of the output so far, and the checksum of all its
//! bytes. A resumed run uses the output up to the last line that fits, whatever happened to the rest: a torn row, a bit
//! that a disk has changed, a line that was not written any more.
//!
//! ```text
//! NAME.partial       line,puzzle,...⏎ 1,53..7....,...⏎ 2,...⏎ ...     |  ...⏎ 3,6...
//! NAME.partial.json  { the manifest }                                 |
//!                    {"bytes":65921,"crc32":907060870}  <-- fits here |  a line that is torn, absent or does not fit
//! ```

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

use super::manifest::{self, Manifest, ManifestError, Mark};
use super::open::{Sync, leads_to};

/// The most bytes that are written at a time, and the most by which two checkpoints are apart, approximately.
pub(super) const MAX_WRITE: usize = 1 << 20;

/// A checkpoint follows after this many bytes,
const BYTES: u64 = 64 << 10;

/// or after this time, so that a run that is killed loses little work, fast or slow.
const PERIOD: Duration = Duration::from_millis(100);

/// The length of a file, or of its beginning, and the checksum of these bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checksum {
    /// The number of bytes.
    pub(crate) bytes: u64,
    /// Their CRC-32, as of gzip.
    pub(crate) crc32: u32,
}

impl Checksum {
    /// Whether it belongs to a file.
    pub(super) fn fits(self, path: &Path) -> io::Result<bool> {
        Ok(fs::metadata(path)?.len() == self.bytes && Checksum::of_file(path)? == self)
    }

    fn of_file(path: &Path) -> io::Result<Checksum> {
        let (mut file, mut buffer) = (File::open(path)?, vec![0; MAX_WRITE]);
        let mut sum = RunningSum::from(Checksum::default());
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(sum.get()),
                count => sum.add(&buffer[..count]),
            }
        }
    }
}

/// The checksum of a file that grows.
#[derive(Clone, Debug)]
pub(super) struct RunningSum {
    bytes: u64,
    hasher: Hasher,
}

impl From<Checksum> for RunningSum {
    fn from(Checksum { bytes, crc32 }: Checksum) -> RunningSum {
        RunningSum { bytes, hasher: Hasher::new_with_initial_len(crc32, bytes) }
    }
}

impl RunningSum {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hasher.update(bytes);
    }

    pub(super) fn get(&self) -> Checksum {
        Checksum { bytes: self.bytes, crc32: self.hasher.clone().finalize() }
    }
}

/// The manifest of a partial output that is being written, with its checkpoints.
#[derive(Debug)]
pub(super) struct CheckpointLog {
    path: PathBuf,
    file: File,
    /// Whether more checkpoints follow.
    open: bool,
    sum: RunningSum,
    /// The length and the time of the last checkpoint.
    last: (u64, Instant),
}

impl CheckpointLog {
    /// Writes a manifest with the checkpoints of an interrupted run.
    ///
    /// An output without a manifest cannot be resumed, and gets no checkpoints; its file only says that it is ours.
    pub(super) fn create(
        path: PathBuf,
        manifest: Option<&Manifest>,
        kept: &[Checksum],
    ) -> Result<CheckpointLog, ManifestError> {
        let text = match manifest {
            Some(manifest) => serde_json::to_vec_pretty(manifest),
            None => serde_json::to_vec(&Mark::own()),
        };
        // Systems write it to the disk within half a minute; a run that a power cut ends before then can start over.
        let mut file = manifest::write(&path, text, Sync::Later)?;
        let lines: String = kept.iter().map(line).collect();
        let written = file.write_all(lines.as_bytes());
        written.map_err(|source| ManifestError::Write { path: path.clone(), source })?;
        let last = kept.last().copied().unwrap_or_default();
        let sum = RunningSum::from(last);
        Ok(CheckpointLog { path, file, open: manifest.is_some(), sum, last: (last.bytes, Instant::now()) })
    }

    /// Takes bytes into account that were appended to the output.
    pub(super) fn written(&mut self, bytes: &[u8]) {
        self.sum.add(bytes);
        if self.sum.bytes - self.last.0 >= BYTES || self.last.1.elapsed() >= PERIOD {
            self.checkpoint();
        }
    }

    /// The checksum of the output so far.
    pub(super) fn sum(&self) -> Checksum {
        self.sum.get()
    }

    /// Removes the file, unless another run has replaced it.
    pub(super) fn remove(mut self) -> io::Result<()> {
        self.open = false;
        if leads_to(&self.path, &self.file)? { fs::remove_file(&self.path) } else { Ok(()) }
    }

    /// Errors are ignored: they do not harm this run, and a run that resumes it has a little more to do.
    fn checkpoint(&mut self) {
        if self.open && self.sum.bytes > self.last.0 {
            // Nothing is appended to a line that is torn.
            self.open = self.file.write_all(line(&self.sum.get()).as_bytes()).is_ok();
            self.last = (self.sum.bytes, Instant::now());
        }
    }
}

/// A run that is stopped or fails keeps all of its rows.
impl Drop for CheckpointLog {
    fn drop(&mut self) {
        self.checkpoint();
    }
}

fn line(sum: &Checksum) -> String {
    serde_json::to_string(sum).expect("numbers have JSON") + "\n"
}

/// Reads the beginning of a partial output, as far as its checkpoints fit.
pub(super) struct VerifiedBytes<'a> {
    file: &'a File,
    checkpoints: std::slice::Iter<'a, Checksum>,
    sum: RunningSum,
    /// The bytes up to a checkpoint that fits, and how many of them were read.
    piece: Vec<u8>,
    read: usize,
}

impl<'a> VerifiedBytes<'a> {
    pub(super) fn new(mut file: &'a File, checkpoints: &'a [Checksum]) -> io::Result<VerifiedBytes<'a>> {
        file.rewind()?;
        let sum = RunningSum::from(Checksum::default());
        Ok(VerifiedBytes { file, checkpoints: checkpoints.iter(), sum, piece: Vec::new(), read: 0 })
    }

    /// Reads the bytes up to the next checkpoint; there are none if it does not fit.
    fn next_piece(&mut self) -> io::Result<()> {
        self.piece.clear();
        self.read = 0;
        let Some(checkpoint) = self.checkpoints.next() else { return Ok(()) };
        let length = checkpoint.bytes.saturating_sub(self.sum.bytes);
        if length <= BYTES + MAX_WRITE as u64 {
            self.file.take(length).read_to_end(&mut self.piece)?;
            self.sum.add(&self.piece);
        }
        if self.sum.get() != *checkpoint {
            self.piece.clear();
            self.checkpoints = [].iter();
        }
        Ok(())
    }
}

impl Read for VerifiedBytes<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.read == self.piece.len() {
            self.next_piece()?;
        }
        let count = (&self.piece[self.read..]).read(bytes)?;
        self.read += count;
        Ok(count)
    }
}

/// The checkpoints of the first `length` bytes of a partial output, and one at its end.
pub(super) fn checkpoints_up_to(length: u64, mut file: &File, checkpoints: &[Checksum]) -> io::Result<Vec<Checksum>> {
    let mut kept: Vec<_> = checkpoints.iter().copied().take_while(|checkpoint| checkpoint.bytes <= length).collect();
    let last = kept.last().copied().unwrap_or_default();
    if last.bytes < length {
        let mut rest = vec![0; (length - last.bytes) as usize];
        file.seek(io::SeekFrom::Start(last.bytes))?;
        file.read_exact(&mut rest)?;
        let mut sum = RunningSum::from(last);
        sum.add(&rest);
        kept.push(sum.get());
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::manifest::tests::manifest;
    use super::super::manifest_file::{self, ManifestFile};
    use super::*;

    /// A file that was written in pieces, and its checkpoints.
    fn written(pieces: &[Vec<u8>]) -> (File, Vec<Checksum>) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let mut log = CheckpointLog::create(path.clone(), Some(&manifest()), &[]).unwrap();
        let mut file = tempfile::tempfile().unwrap();
        for piece in pieces {
            file.write_all(piece).unwrap();
            log.written(piece);
        }
        drop(log);
        match manifest_file::read(&path).unwrap() {
            Some(ManifestFile::Resumable(_, checkpoints)) => (file, checkpoints),
            other => panic!("{other:?}"),
        }
    }

    fn verified(file: &File, checkpoints: &[Checksum]) -> Vec<u8> {
        let mut bytes = Vec::new();
        VerifiedBytes::new(file, checkpoints).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn bytes_are_read_up_to_the_checkpoint_before_a_fault(
            lengths in prop::collection::vec(0..200_000_usize, 1..6),
            at in any::<prop::sample::Index>(),
            bit in 0..8_u8,
            torn in any::<bool>(),
        ) {
            let pieces: Vec<Vec<u8>> = lengths.iter().zip(1..).map(|(&length, n)| vec![n; length]).collect();
            let all = pieces.concat();
            let (file, checkpoints) = written(&pieces);
            prop_assert_eq!(&verified(&file, &checkpoints), &all);
            prop_assert!(checkpoints.len() <= pieces.len());
            if all.is_empty() {
                return Ok(());
            }
            let at = at.index(all.len());
            if torn {
                file.set_len(at as u64).unwrap();
            } else {
                let mut file = &file;
                file.seek(io::SeekFrom::Start(at as u64)).unwrap();
                file.write_all(&[all[at] ^ (1 << bit)]).unwrap();
            }
            let good = checkpoints.iter().map(|checkpoint| checkpoint.bytes as usize).take_while(|&end| end <= at);
            prop_assert_eq!(&verified(&file, &checkpoints), &all[..good.last().unwrap_or(0)]);
        }
    }

    #[test]
    fn checkpoints_that_make_no_sense_do_not_fit() {
        let (file, checkpoints) = written(&[vec![b'x'; 70_000], vec![b'y'; 70_000]]);
        let [one, two] = checkpoints[..] else { panic!("{checkpoints:?}") };
        for (checkpoints, length) in [
            (vec![one, Checksum { bytes: u64::MAX, ..two }], 70_000),
            (vec![two, one], 140_000),
            (vec![Checksum { crc32: !one.crc32, ..one }, two], 0),
            (vec![one, Checksum { crc32: !two.crc32, ..one }, two], 70_000),
            (vec![two], 140_000),
        ] {
            assert_eq!(verified(&file, &checkpoints).len(), length, "{checkpoints:?}");
        }
    }

    #[test]
    fn a_cut_output_has_a_checkpoint_at_its_end() {
        let (file, checkpoints) = written(&[vec![b'x'; 70_000], vec![b'y'; 70_000]]);
        for length in [0, 1, 69_999, 70_000, 70_001, 140_000] {
            let kept = checkpoints_up_to(length, &file, &checkpoints).unwrap();
            assert_eq!(kept.last().map_or(0, |last| last.bytes), length);
            assert_eq!(verified(&file, &kept).len() as u64, length);
        }
    }
}
