//! Outputs that can be gone on with: rows in `FILE.partial`, and beside them a manifest of what they are rows of.
//!
//! The manifest is there before the first row, and goes when the output has got its name. The output of a shard has a
//! label from then on, for `gridmill merge`.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use gridmill::compression::{FRAME, Frames};
use gridmill::corpus::{Corpus, Origin};
use gridmill::pipeline::{End, Stop};
use gridmill::resume::manifest::{Fingerprint, Manifest, beside};
use gridmill::resume::replay::{PartialRows, Replay, ResumeError, RowFault, replay};
use gridmill::resume::{OPTION, ShardMetadata};
use gridmill::rows::RowEnds;
use indicatif::HumanCount;

use crate::args::{self, DestinationArgs, LongRunArgs};
use crate::output::{DASH, Output, partial};
use crate::ui::progress::Progress;

/// Where a run writes its rows to, and what it may have to go on with.
pub(crate) struct Plan<'a> {
    pub(crate) destination: &'a DestinationArgs,
    pub(crate) long_run: &'a LongRunArgs,
    pub(crate) kept: Option<Kept>,
    /// What comes before the first row.
    pub(crate) header: Vec<u8>,
    pub(crate) ends: RowEnds,
    /// How many threads may compress.
    pub(crate) threads: usize,
}

/// An output that is to be a regular file, which can be gone on with.
pub(crate) struct Kept {
    path: PathBuf,
    pub(crate) manifest: Manifest,
}

/// Rows that are being written.
pub(crate) struct Rows {
    pub(crate) output: Output,
    pub(crate) kept: Option<Kept>,
    /// How many records have rows from an earlier run.
    pub(crate) recalled: u64,
}

/// What of an output is whole.
#[derive(Default)]
struct Whole {
    records: u64,
    /// How many bytes of the file.
    length: u64,
}

/// A run whose output is open, but for the rows of an earlier run.
pub(crate) struct Begun<'a> {
    plan: Plan<'a>,
    start: Start,
}

enum Start {
    New(Output),
    /// Where the rows are that it goes on with.
    Old(PathBuf),
}

impl<'a> Plan<'a> {
    /// The label of the output, if all that is asked for is there: the shard has come to its end before.
    pub(crate) fn finished(&self) -> anyhow::Result<Option<ShardMetadata>> {
        let LongRunArgs { resume, shard } = *self.long_run;
        let Some(Kept { path, manifest }) = self.kept.as_ref().filter(|_| resume && shard.is_some()) else {
            return Ok(None);
        };
        if !path.exists() || partial(path).exists() {
            return Ok(None);
        }
        let label = ShardMetadata::read(path)?;
        Ok(label.filter(|label| label.manifest.differences(manifest).is_empty()))
    }

    /// Opens the output, or sees to it that the rows so far are of this run. Fails now rather than after the work.
    pub(crate) fn begin(self, progress: &Progress) -> anyhow::Result<Begun<'a>> {
        let start = match &self.kept {
            None => Start::New(self.destination.create(self.threads)?),
            Some(kept) => match self.rows_so_far(kept, progress)? {
                None => Start::New(self.create(kept)?),
                Some(partial) => Start::Old(partial),
            },
        };
        Ok(Begun { plan: self, start })
    }

    /// The file with the rows of an earlier run, if it is to be gone on with.
    fn rows_so_far(&self, kept: &Kept, progress: &Progress) -> anyhow::Result<Option<PathBuf>> {
        if !self.long_run.resume {
            return Ok(None);
        }
        let partial = partial(&kept.path);
        let shown = partial.display();
        if fs::metadata(&partial).map_or(0, |metadata| metadata.len()) == 0 {
            progress.note(format_args!("nothing to go on with in {shown}: beginning"));
            return Ok(None);
        }
        let path = manifest_path(&partial);
        let Some(was) = Manifest::read(&path)? else {
            bail!("cannot go on with {shown}: {}, which says what run it is of, is missing", path.display());
        };
        let differences = was.differences(&kept.manifest);
        if !differences.is_empty() {
            bail!("cannot go on with {shown}: {}; without --resume it is begun anew", differences.join("; "));
        }
        Ok(Some(partial))
    }

    /// Opens an output without rows, and then writes the manifest: there is never one beside rows of another run.
    fn create(&self, kept: &Kept) -> anyhow::Result<Output> {
        let output = self.destination.create(self.threads)?;
        kept.manifest.write(&manifest_path(&partial(&kept.path)))?;
        Ok(output)
    }

    /// Reads rows back, as far as they are whole; `None` if somebody stopped that.
    fn replay(
        &self,
        partial: &Path,
        corpus: &mut Corpus,
        recall: &mut impl Replay,
        progress: &Progress,
        stop: &Stop,
    ) -> Result<Option<Whole>, ResumeError> {
        let file = File::open(partial).map_err(ResumeError::Read)?;
        let show = |corpus: &Corpus| progress.pass_to(corpus.passed_bytes());
        let mut whole = Whole::default();
        let Some(compression) = self.destination.packing(self.threads).compression else {
            let mut journal = PartialRows::new(file, self.ends.clone());
            if self.pass_header(&mut journal)?
                && replay(&mut journal, corpus, recall, &mut whole.records, stop, show)? == End::Stopped
            {
                return Ok(None);
            }
            whole.length = journal.length();
            return Ok(Some(whole));
        };
        let mut frames = Frames::new(BufReader::new(file), compression);
        let mut text = Vec::new();
        while let Some(end) = frames.next(&mut text).map_err(ResumeError::Read)? {
            // A short frame is what a run that was stopped had left over. With more rows it is to be as any other.
            if text.len() < FRAME {
                break;
            }
            let mut journal = PartialRows::new(&*text, self.ends.clone());
            if whole.length == 0 && !self.pass_header(&mut journal)? {
                break;
            }
            if replay(&mut journal, corpus, recall, &mut whole.records, stop, show)? == End::Stopped {
                return Ok(None);
            }
            // A frame that is whole holds whole rows.
            if journal.length() < text.len() as u64 {
                return Err(ResumeError::Row { row: whole.records + 1, fault: RowFault::Damaged });
            }
            whole.length = end;
            text.clear();
        }
        Ok(Some(whole))
    }

    /// Passes over the header, if there is to be one; says whether it is whole.
    fn pass_header<R: Read>(&self, journal: &mut PartialRows<R>) -> Result<bool, ResumeError> {
        Ok(self.header.is_empty() || journal.pass(|row| Ok(*row == *self.header))?)
    }
}

impl Kept {
    /// The output, if it is to be a regular file. Only then it is asked what the rows depend on: that reads the
    /// beginnings of all inputs.
    pub(crate) fn of(
        destination: &DestinationArgs,
        long_run: &LongRunArgs,
        manifest: impl FnOnce() -> anyhow::Result<Manifest>,
    ) -> anyhow::Result<Option<Kept>> {
        let path = destination.output.as_deref().filter(|path| path.as_os_str() != DASH);
        let is_special = |path: &Path| fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
        let path = path.filter(|path| !is_special(path));
        if long_run.resume && path.is_none() {
            bail!("--resume needs -o with the name of a file: that is where the rows so far are");
        }
        path.map(|path| Ok(Kept { path: path.to_owned(), manifest: manifest()? })).transpose()
    }
}

impl Begun<'_> {
    /// Where the rows are if the run comes to no end.
    pub(crate) fn partial(&self) -> Option<&Path> {
        match &self.start {
            Start::New(output) => output.partial(),
            Start::Old(partial) => Some(partial),
        }
    }

    /// Comes to where rows are to be written. Then `recall` has taken up all whole rows of an earlier run, and the
    /// corpus has passed over their records. The output is not changed before all is known to fit; `None` if somebody
    /// stopped it before that.
    pub(crate) fn catch_up(
        self,
        corpus: &mut Corpus,
        recall: &mut impl Replay,
        progress: &Progress,
        stop: &Stop,
    ) -> anyhow::Result<Option<Rows>> {
        let Begun { plan, start } = self;
        let (mut output, whole) = match start {
            Start::New(output) => (output, Whole::default()),
            Start::Old(partial) => {
                let what = || format!("cannot go on with {}", partial.display());
                let Some(whole) = plan.replay(&partial, corpus, recall, progress, stop).with_context(what)? else {
                    return Ok(None);
                };
                progress.pass_to(corpus.passed_bytes());
                progress.start_here();
                let (rows, shown) = (HumanCount(whole.records), partial.display());
                progress.note(format_args!("going on with {shown} behind its {rows} rows"));
                let kept = plan.kept.as_ref().with_context(what)?;
                (Output::resume(&kept.path, whole.length, plan.destination.packing(plan.threads))?, whole)
            }
        };
        if whole.length == 0 {
            output.write_all(&plan.header).context("cannot write the output")?;
        }
        Ok(Some(Rows { output, kept: plan.kept, recalled: whole.records }))
    }
}

impl Rows {
    /// Gives the output its name, and removes what was only there in case the run broke off. The label, if there is
    /// one, is there if and only if the output is that which it is of.
    pub(crate) fn finish(self, label: Option<&ShardMetadata>) -> anyhow::Result<()> {
        let Some(Kept { path, .. }) = self.kept else { return self.output.finish() };
        remove(&ShardMetadata::path(&path))?;
        self.output.finish()?;
        if let Some(label) = label {
            label.write(&path)?;
        }
        remove(&manifest_path(&partial(&path)))
    }
}

/// What a run is asked to do; `options` are those that the output depends on, as far as they are given.
pub(crate) fn manifest<'a>(
    command: &str,
    inputs: &[Origin],
    against: &[Origin],
    options: impl IntoIterator<Item = (&'a str, Option<String>)>,
) -> anyhow::Result<Manifest> {
    let fingerprints = |origins: &[Origin]| -> anyhow::Result<Vec<Fingerprint>> {
        let print = |origin| Fingerprint::of(origin).with_context(|| format!("cannot read {origin}"));
        origins.iter().map(print).collect()
    };
    let given = options.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Ok(Manifest {
        gridmill: env!("CARGO_PKG_VERSION").to_owned(),
        command: command.to_owned(),
        inputs: fingerprints(inputs)?,
        against: fingerprints(against)?,
        options: given.collect(),
    })
}

/// The options of a manifest that all commands have.
pub(crate) fn options<'a>(
    input: &args::InputArgs,
    running: &args::RunningArgs,
    destination: &DestinationArgs,
    long_run: &LongRunArgs,
) -> [(&'a str, Option<String>); 6] {
    let mut alphabets: Vec<&str> = input.alphabet.iter().map(|alphabet| alphabet.name()).collect();
    alphabets.sort_unstable();
    [
        ("--from", input.from.map(|format| format.name().to_owned())),
        ("--alphabet", (!alphabets.is_empty()).then(|| alphabets.join(","))),
        ("--puzzle-column", input.puzzle_column.clone()),
        ("--engine", Some(running.engine.resolved().to_string())),
        ("--compress", destination.packing(1).compression.map(|compression| compression.to_string())),
        (OPTION, long_run.shard.map(|shard| shard.to_string())),
    ]
}

/// The value in a manifest of an option that has none.
pub(crate) fn flag(is_given: bool) -> Option<String> {
    is_given.then(String::new)
}

fn manifest_path(partial: &Path) -> PathBuf {
    beside(partial, ".json")
}

/// Removes a file that may not be there.
fn remove(path: &Path) -> anyhow::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", path.display()))
        }
        _ => Ok(()),
    }
}
