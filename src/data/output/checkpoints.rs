//! Checkpoints: the progress of a run, with everything that is needed to continue from there.
//!
//! While a run writes, it appends lines to the manifest: the length of the output so far, the checksum of all its
//! bytes, and all counts. A resumed run continues after the last line that fits, whatever happened to the rest: a torn
//! row, a bit that a disk has flipped, a line that was never written.
//!
//! ```text
//! NAME.partial       line,puzzle,...⏎ 1,53..7....,...⏎ 2,...⏎ ...     |  ...⏎ 3,6...
//! NAME.partial.json  { the manifest }                                 |
//!                    ae3b3a27 {"output":{"bytes":65921,...  <-- fits  |  a line that is torn, absent or does not fit
//! NAME.partial.notes the notes of the job on each record
//! ```
//!
//! The notes save a resumed run from computing the same again. Their file begins with a line that marks it as
//! gridmill's, like `NAME.partial.json`. Checkpoints have its length and checksum.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempfile::TempPath;

use super::error::{ManifestError, OutputError};
use super::open::{self, OpenFault, OwnMark, Sync, beside, leads_to, remove_if_there, replace_through};
use crate::pipeline::{End, Stop};

/// The maximum number of bytes that are read or written at a time.
pub(super) const MAX_WRITE: usize = 1 << 20;

/// The maximum number of bytes of all checkpoints. Above it, every second one is dropped.
const MAX_LOG: usize = 1 << 20;

/// The minimum time between two checkpoints,
const PERIOD: Duration = Duration::from_millis(20);

/// this multiple of the time that a checkpoint takes, so that they take half a percent of a run,
const TIMES_ITS_COST: u32 = 200;

/// and this fraction of the time of the run so far: a run of days writes some thousand.
const PART_OF_RUN: u32 = 1000;

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Checkpoint {
    /// The output so far.
    pub(crate) output: Checksum,
    /// The notes so far, if the job leaves any.
    pub(crate) notes: Checksum,
    /// The number of records.
    pub(crate) records: u64,
    /// Their line numbers and texts.
    pub(crate) input: Checksum,
    /// The counts of the job, in the job's own form.
    pub(crate) state: Value,
}

impl Checkpoint {
    /// A checkpoint after some records; `input` is their checksum.
    pub(crate) fn new(records: u64, input: Checksum, state: Value) -> Checkpoint {
        Checkpoint { records, input, state, ..Checkpoint::default() }
    }

    /// A line with its own checksum.
    fn line(&self) -> String {
        let json = serde_json::to_string(self).expect("a checkpoint has JSON");
        format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()))
    }

    /// Reads a line; `None` if it is damaged.
    fn read(line: &[u8]) -> Option<Checkpoint> {
        let (sum, json) = line.split_at_checked(8)?;
        let json = json.strip_prefix(b" ")?;
        let sum = u32::from_str_radix(str::from_utf8(sum).ok()?, 16).ok()?;
        if sum == crc32fast::hash(json) { serde_json::from_slice(json).ok() } else { None }
    }

    /// Reads the lines that are not damaged.
    pub(crate) fn read_all(lines: &[u8]) -> Vec<Checkpoint> {
        // A last line that is torn has a wrong checksum, like any damaged line.
        lines.split(|&byte| byte == b'\n').filter_map(Checkpoint::read).collect()
    }
}

/// The length of a file, or of its beginning, and the checksum of those bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checksum {
    /// The number of bytes.
    pub(crate) bytes: u64,
    /// Their CRC-32, the same as in gzip.
    pub(crate) crc32: u32,
}

impl Checksum {
    /// Whether it fits a file.
    pub(crate) fn fits(self, path: &Path) -> io::Result<bool> {
        // The length first: a large file takes long to read.
        Ok(fs::metadata(path)?.len() == self.bytes && Checksum::of_file(path)? == self)
    }

    fn of_file(path: &Path) -> io::Result<Checksum> {
        let (mut sum, mut file) = (RunningSum::default(), File::open(path)?);
        sum.read(&mut file, u64::MAX)?;
        Ok(sum.get())
    }
}

/// The checksum of a growing sequence of bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunningSum {
    bytes: u64,
    hasher: Hasher,
}

impl From<Checksum> for RunningSum {
    fn from(Checksum { bytes, crc32 }: Checksum) -> RunningSum {
        RunningSum { bytes, hasher: Hasher::new_with_initial_len(crc32, bytes) }
    }
}

impl RunningSum {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hasher.update(bytes);
    }

    /// Appends bytes that another sum has counted.
    pub(crate) fn append(&mut self, other: &RunningSum) {
        self.bytes += other.bytes;
        // A CRC-32 can be computed from the sums of two parts, so the workers sum up their chunks in parallel.
        self.hasher.combine(&other.hasher);
    }

    pub(crate) fn get(&self) -> Checksum {
        Checksum { bytes: self.bytes, crc32: self.hasher.clone().finalize() }
    }

    /// Adds the next bytes of a file, up to the length `end` in all.
    fn read(&mut self, file: &mut impl Read, end: u64) -> io::Result<()> {
        let mut buffer = vec![0; MAX_WRITE];
        while self.bytes < end {
            let length = (end - self.bytes).min(MAX_WRITE as u64) as usize;
            match file.read(&mut buffer[..length])? {
                0 => break,
                count => self.add(&buffer[..count]),
            }
        }
        Ok(())
    }
}

/// Drops the checkpoints that do not fit the beginning of a file. [`End::Stopped`] if it was interrupted.
pub(super) fn keep_fitting(
    checkpoints: &mut Vec<Checkpoint>,
    mut file: &File,
    sum_of: impl Fn(&Checkpoint) -> Checksum,
    stop: &Stop,
) -> io::Result<End> {
    file.rewind()?;
    let (mut sum, mut fitting) = (RunningSum::default(), vec![]);
    // Checkpoints are in ascending order, so one pass over the file is enough for all.
    for checkpoint in checkpoints.drain(..) {
        let wanted = sum_of(&checkpoint);
        // Reads in steps, so that a stop does not have to wait for the end of a large file.
        while sum.bytes < wanted.bytes {
            let before = sum.bytes;
            sum.read(&mut file, wanted.bytes.min(before + MAX_WRITE as u64))?;
            if stop.is_triggered() {
                return Ok(End::Stopped);
            }
            // The file ends before the checkpoint.
            if sum.bytes == before {
                break;
            }
        }
        if sum.get() == wanted {
            fitting.push(checkpoint);
        }
    }
    *checkpoints = fitting;
    Ok(End::Complete)
}

/// The rate of checkpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CheckpointPace {
    /// At intervals that limit their time and space.
    #[default]
    Usual,
    /// After each chunk, for tests.
    EachChunk,
}

/// The data that make a run resumable.
#[derive(Clone, Debug)]
pub(crate) struct Resumable {
    /// The manifest as JSON, which the file next to the output begins with.
    pub(crate) manifest: Vec<u8>,
    /// Whether the job makes notes.
    pub(crate) has_notes: bool,
    pub(crate) pace: CheckpointPace,
}

/// The manifest of a partial output that is being written, with its checkpoints, and the notes on its records.
#[derive(Debug)]
pub(crate) struct CheckpointLog {
    path: PathBuf,
    file: File,
    /// With the manifest, for rewriting the file; `None` if it has no checkpoints.
    resumable: Option<Resumable>,
    /// Whether the last line is torn, so that nothing may follow it.
    is_torn: bool,
    notes: Option<NotesFile>,
    /// The lines in the file.
    lines: Vec<String>,
    /// The checksum of the output, and of the part with complete records.
    sum: RunningSum,
    complete: Checksum,
    pub(super) opened: Instant,
    /// The time of the next checkpoint.
    next: Instant,
}

impl CheckpointLog {
    /// Writes a manifest with the checkpoints of an interrupted run.
    ///
    /// An output without a manifest cannot be resumed, and gets no checkpoints; its file only marks the output as
    /// gridmill's.
    pub(crate) fn create(
        path: PathBuf,
        resumable: Option<Resumable>,
        notes: Option<NotesFile>,
        kept: &[Checkpoint],
    ) -> Result<CheckpointLog, ManifestError> {
        let mark = serde_json::to_vec(&OwnMark::own()).expect("a mark has JSON");
        let lines: Vec<String> = kept.iter().map(Checkpoint::line).collect();

        // The system writes a new file to the disk within half a minute. If a power cut comes before that, a new run
        // can start over, but a resumed one would lose its checkpoints.
        let sync = if kept.is_empty() { Sync::Later } else { Sync::Now };
        let manifest = resumable.as_ref().map_or(&mark, |resumable| &resumable.manifest);
        let file = write(&path, manifest, &lines, sync);
        let file = file.map_err(|source| ManifestError::Write { path: path.clone(), source })?;
        let complete = kept.last().map(|last| last.output).unwrap_or_default();
        let (sum, opened) = (complete.into(), Instant::now());
        let is_torn = false;
        Ok(CheckpointLog { path, file, resumable, is_torn, notes, lines, sum, complete, opened, next: opened })
    }

    /// Whether a later run can resume the output.
    pub(super) fn is_resumable(&self) -> bool {
        self.resumable.is_some()
    }

    /// Adds bytes that were appended to the output.
    pub(super) fn written(&mut self, bytes: &[u8]) {
        self.sum.add(bytes);
    }

    /// Adds the notes on further records.
    pub(super) fn add_notes(&mut self, notes: &[u8]) -> io::Result<()> {
        self.notes.as_mut().map_or(Ok(()), |file| file.add(notes))
    }

    /// Adds the checksum of the notes so far to a checkpoint.
    pub(super) fn with_notes(&mut self, checkpoint: Checkpoint) -> io::Result<Checkpoint> {
        let notes = self.notes.as_mut().map(NotesFile::sum).transpose()?;
        Ok(Checkpoint { notes: notes.unwrap_or_default(), ..checkpoint })
    }

    /// Marks all of the output so far as complete records.
    pub(super) fn end_records(&mut self) {
        self.complete = self.sum.get();
    }

    /// Whether it is time for a checkpoint. Returns true only once, as it may take a moment until the bytes are
    /// written.
    pub(super) fn is_due(&mut self) -> bool {
        let Some(Resumable { pace, .. }) = self.resumable.as_ref().filter(|_| !self.is_torn) else { return false };
        let now = Instant::now();
        let is_due = now >= self.next || *pace == CheckpointPace::EachChunk;
        if is_due {
            self.next = now + PERIOD;
        }
        is_due
    }

    /// Appends a checkpoint at the end of the complete records. `made_in` is the time that it took to make.
    ///
    /// Errors are ignored: this run is unharmed, and resuming it only takes longer.
    pub(super) fn add(&mut self, checkpoint: Checkpoint, made_in: Duration) {
        let begun = Instant::now();
        let Some(Resumable { manifest, .. }) = self.resumable.as_ref().filter(|_| !self.is_torn) else { return };
        // Up to the last complete record: the file may have more.
        self.lines.push(Checkpoint { output: self.complete, ..checkpoint }.line());
        let size = |lines: &[String]| lines.iter().map(String::len).sum::<usize>();
        let written = if size(&self.lines) <= MAX_LOG {
            self.file.write_all(self.lines[self.lines.len() - 1].as_bytes())
        } else {
            // Drops every second checkpoint, down to three quarters of the space, so that the next ones are appended again.
            // The rest still cover the whole run, only less finely.
            while size(&self.lines) > MAX_LOG / 4 * 3 && self.lines.len() > 1 {
                let mut is_kept = self.lines.len().is_multiple_of(2);
                self.lines.retain(|_| {
                    is_kept = !is_kept;
                    is_kept
                });
            }
            // On the disk at once, because it replaces the checkpoints that are there.
            write(&self.path, manifest, &self.lines, Sync::Now).map(|file| self.file = file)
        };
        self.is_torn = written.is_err();

        let cost = made_in + begun.elapsed();
        self.next = Instant::now() + PERIOD.max(TIMES_ITS_COST * cost).max(self.opened.elapsed() / PART_OF_RUN);
    }

    /// The checksum of the output so far.
    pub(super) fn sum(&self) -> Checksum {
        self.sum.get()
    }

    /// Removes the notes, and the file, unless another run has replaced it.
    pub(super) fn remove(self) -> Result<(), OutputError> {
        let CheckpointLog { path, file, notes, .. } = self;
        // The manifest last: it marks the other files as gridmill's.
        notes.map_or(Ok(()), NotesFile::remove)?;
        let removed = leads_to(&path, &file).and_then(|is_own| if is_own { fs::remove_file(&path) } else { Ok(()) });
        removed.map_err(|source| OutputError::Remove { path, source })
    }
}

/// Writes a manifest with checkpoints. Returns the file, to append to it.
fn write(path: &Path, manifest: &[u8], lines: &[String], sync: Sync) -> io::Result<File> {
    // Always through the same file: if a run is killed here, the next one replaces it.
    let new = beside(path, ".new");
    remove_if_there(&new)?;
    let new = (File::create_new(&new)?, TempPath::try_from_path(new)?);
    replace_through(new, path, &[manifest, b"\n", lines.concat().as_bytes()].concat(), sync)
}

/// Notes that are being written.
#[derive(Debug)]
pub(crate) struct NotesFile {
    path: PathBuf,
    file: BufWriter<File>,
    sum: RunningSum,
}

impl NotesFile {
    /// Creates the file, or empties it.
    ///
    /// # Errors
    ///
    /// If it cannot be written, or the existing file was not written by gridmill.
    pub(super) fn create(path: PathBuf) -> Result<NotesFile, OutputError> {
        // The file must not be emptied if gridmill did not write it.
        OwnMark::is_on(&path)?;
        let file = open(&path, OpenOptions::new().write(true).create(true).truncate(false))?;
        let written = file.set_len(0);
        let mut notes = NotesFile { path, file: BufWriter::new(file), sum: RunningSum::default() };
        written.and_then(|()| notes.add(&mark())).map_err(OutputError::file(&notes.path))?;
        Ok(notes)
    }

    /// Opens the notes of an interrupted run for reading; `None` if there are none.
    pub(super) fn open(path: &Path) -> Result<Option<File>, OutputError> {
        if OwnMark::is_on(path)? { open(path, OpenOptions::new().read(true).write(true)).map(Some) } else { Ok(None) }
    }

    /// The notes on the records, one after another, in a file that was [opened](NotesFile::open).
    pub(super) fn reader(mut file: &File) -> io::Result<impl Read> {
        file.seek(SeekFrom::Start(mark().len() as u64))?;
        Ok(BufReader::new(file))
    }

    /// Truncates a file, to append to it.
    pub(super) fn resume(path: PathBuf, mut file: File, at: Checksum) -> Result<NotesFile, OutputError> {
        let cut = file.set_len(at.bytes).and_then(|()| file.seek(SeekFrom::End(0)));
        cut.map_err(OutputError::file(&path))?;
        Ok(NotesFile { path, file: BufWriter::new(file), sum: at.into() })
    }

    /// Appends notes.
    pub(super) fn add(&mut self, notes: &[u8]) -> io::Result<()> {
        self.sum.add(notes);
        self.file.write_all(notes)
    }

    /// The checksum of the file, after flushing it.
    pub(super) fn sum(&mut self) -> io::Result<Checksum> {
        // A checkpoint must not name bytes that are not in the file yet.
        self.file.flush()?;
        Ok(self.sum.get())
    }

    pub(super) fn remove(self) -> Result<(), OutputError> {
        remove(&self.path)
    }
}

/// Removes the notes that an earlier run has left.
pub(super) fn remove_old_notes(path: &Path) -> Result<(), OutputError> {
    // A file that gridmill did not write stays.
    if matches!(OwnMark::is_on(path), Ok(true)) { remove(path) } else { Ok(()) }
}

fn remove(path: &Path) -> Result<(), OutputError> {
    fs::remove_file(path).map_err(|source| OutputError::Remove { path: path.to_owned(), source })
}

fn mark() -> Vec<u8> {
    let mark = serde_json::to_string(&OwnMark::own()).expect("a mark has JSON");
    (mark + "\n").into_bytes()
}

fn open(path: &Path, options: &mut OpenOptions) -> Result<File, OutputError> {
    open::regular(path, options).map_err(|fault| match fault {
        OpenFault::Obstacle(obstacle) => obstacle.at(path),
        OpenFault::Io(error) => OutputError::file(path)(error),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(path: &Path) -> Vec<Checkpoint> {
        Checkpoint::read_all(&fs::read(path).unwrap())
    }

    /// A file that was written in pieces, with a checkpoint after each.
    fn written(pieces: &[Vec<u8>]) -> (File, Vec<Checkpoint>) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let resumable = Resumable { manifest: b"{}".to_vec(), has_notes: false, pace: CheckpointPace::EachChunk };
        let mut log = CheckpointLog::create(path.clone(), Some(resumable), None, &[]).unwrap();
        let mut file = tempfile::tempfile().unwrap();
        for (piece, records) in pieces.iter().zip(1..) {
            file.write_all(piece).unwrap();
            log.written(piece);
            log.end_records();
            assert!(log.is_due());
            log.add(Checkpoint { records, ..Checkpoint::default() }, Duration::ZERO);
        }
        (file, read(&path))
    }

    /// The lengths of a file at the checkpoints that fit it.
    fn fitting(file: &File, checkpoints: &[Checkpoint]) -> Vec<u64> {
        let mut kept = checkpoints.to_vec();
        keep_fitting(&mut kept, file, |checkpoint| checkpoint.output, &Stop::new()).unwrap();
        kept.iter().map(|checkpoint| checkpoint.output.bytes).collect()
    }

    #[test]
    fn the_rest_of_a_killed_run_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        fs::write(directory.path().join("log.new"), "{").unwrap();
        CheckpointLog::create(path, None, None, &[]).unwrap();
        let names: Vec<_> = fs::read_dir(directory.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(names, ["log"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn checkpoints_fit_up_to_a_fault(
            lengths in prop::collection::vec(0..200_000_usize, 1..6),
            at in any::<prop::sample::Index>(),
            bit in 0..8_u8,
            torn in any::<bool>(),
        ) {
            let pieces: Vec<Vec<u8>> = lengths.iter().zip(1..).map(|(&length, n)| vec![n; length]).collect();
            let all = pieces.concat();
            let (file, checkpoints) = written(&pieces);
            let ends: Vec<u64> = checkpoints.iter().map(|checkpoint| checkpoint.output.bytes).collect();
            prop_assert_eq!(ends.len(), pieces.len());
            prop_assert_eq!(&fitting(&file, &checkpoints), &ends);
            if all.is_empty() {
                return Ok(());
            }
            let at = at.index(all.len());
            if torn {
                file.set_len(at as u64).unwrap();
            } else {
                let mut file = &file;
                file.seek(SeekFrom::Start(at as u64)).unwrap();
                file.write_all(&[all[at] ^ (1 << bit)]).unwrap();
            }
            let good: Vec<u64> = ends.into_iter().filter(|&end| end <= at as u64).collect();
            prop_assert_eq!(fitting(&file, &checkpoints), good);
        }
    }

    #[test]
    fn checkpoints_that_make_no_sense_do_not_fit() {
        let (file, checkpoints) = written(&[vec![b'x'; 70_000], vec![b'y'; 70_000]]);
        let [one, two] = &checkpoints[..] else { panic!("{checkpoints:?}") };
        let other = |of: &Checkpoint, bytes, crc32| Checkpoint { output: Checksum { bytes, crc32 }, ..of.clone() };
        let (sum, second) = (one.output.crc32, two.output.crc32);
        for (checkpoints, lengths) in [
            (vec![one.clone(), other(two, u64::MAX, second)], vec![70_000]),
            (vec![other(one, 70_000, !sum), two.clone()], vec![140_000]),
            (vec![two.clone(), one.clone(), two.clone()], vec![140_000, 140_000]),
        ] {
            assert_eq!(fitting(&file, &checkpoints), lengths, "{checkpoints:?}");
        }
    }

    #[test]
    fn a_damaged_line_is_left_out() {
        let checkpoints = [1, 2].map(|records| Checkpoint { records, ..Checkpoint::default() });
        let text = checkpoints.iter().map(Checkpoint::line).collect::<String>().into_bytes();
        assert_eq!(Checkpoint::read_all(&text), checkpoints);
        for (at, bit) in (0..text.len() / 2).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut damaged = text.clone();
            damaged[at] ^= 1 << bit;
            // The damage may have joined the two lines.
            let read = Checkpoint::read_all(&damaged);
            let is_same_number = read == checkpoints && damaged[at].eq_ignore_ascii_case(&text[at]);
            assert!(is_same_number || read == checkpoints[1..] || read.is_empty(), "byte {at}, bit {bit}: {read:?}");
        }
        assert_eq!(Checkpoint::read_all(&text[..text.len() - 2]), checkpoints[..1]);
    }

    /// The log of a long run keeps the last checkpoint, and thins out the earlier ones.
    #[test]
    fn a_log_takes_bounded_space() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let resumable = Resumable { manifest: b"{}".to_vec(), has_notes: false, pace: CheckpointPace::EachChunk };
        let mut log = CheckpointLog::create(path.clone(), Some(resumable), None, &[]).unwrap();
        let state = Value::String("x".repeat(1000));
        for records in 1..=5000 {
            log.add(Checkpoint { records, state: state.clone(), ..Checkpoint::default() }, Duration::ZERO);
            if records % 500 == 0 {
                let kept: Vec<u64> = read(&path).iter().map(|checkpoint| checkpoint.records).collect();
                assert_eq!(kept.last(), Some(&records));
                assert!(kept.is_sorted() && kept.len() > 400 && kept[0] <= records / 5, "{kept:?}");
                assert!(fs::metadata(&path).unwrap().len() < MAX_LOG as u64 + 1000);
            }
        }
        // Add a checkpoint that is longer than the log may be.
        let state = Value::String("x".repeat(MAX_LOG));
        log.add(Checkpoint { records: 5001, state, ..Checkpoint::default() }, Duration::ZERO);
        assert_eq!(read(&path).iter().map(|checkpoint| checkpoint.records).collect::<Vec<_>>(), [5001]);
    }
}
