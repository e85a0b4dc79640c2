//! Merges the outputs of all shards of a run, as if there had been one run.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::Error as _;
use serde_json::Error;

use super::canon::CanonOptions;
use super::convert::ConvertOptions;
use super::rate::RateOptions;
use super::score::ScoreOptions;
use super::solve::SolveOptions;
use super::states::StatesOptions;
use super::trace::TraceOptions;
use super::validate::ValidateOptions;
use super::{Canon, Convert, Rate, Score, Solve, States, Trace, Validate};
use crate::compression::{Compression, Decoder};
use crate::output::{FileType, ManifestError, OutputError, OutputFile, OutputTarget, RunFiles, SHARD_SUFFIX};
use crate::resume::{MergeError, Part, ShardMetadata, ShardSetError, in_order, interleave};
use crate::rows::OutputFormat;
use crate::run::{BrokenRun, Execution, Finished, Job, PartialOutput};

/// Memory for the read buffers of all shards, in bytes, unless there are very many shards.
const BUFFERS: usize = 64 << 20;

/// Merges the outputs of all shards of a job with one row for each record. Their metadata must be next to them.
#[derive(Clone, Debug)]
pub struct Merge {
    /// The names as given.
    names: Vec<PathBuf>,
}

/// Defines the results of a run with shards, from the list of jobs.
macro_rules! merged {
    ($($job:ident($options:ty),)*) => {
        /// The report on all shards of a run.
        #[derive(Clone, Debug, Serialize)]
        #[serde(untagged)]
        pub enum Merged {
            $(#[doc = concat!("Of [`", stringify!($job), "`].")] $job(Box<Finished<<$options as Job>::Report>>),)*
        }

        impl Merged {
            /// The name of the command.
            pub fn command(&self) -> &'static str {
                match self {
                    $(Merged::$job(_) => $job::NAME,)*
                }
            }

            /// Adds up the results of all shards.
            fn of(shards: &[(PathBuf, ShardMetadata)]) -> Result<Merged, MergeJobError> {
                let metadata = shards.iter().map(|(_, metadata)| metadata);
                let form = |index: usize, reason| {
                    MergeJobError::OtherMetadata { path: ShardMetadata::path(&shards[index].0), reason }
                };
                match &*shards[0].1.manifest.command {
                    $($job::NAME => $job::merged(metadata, form).map(Box::new).map(Merged::$job),)*
                    other => Err(form(0, Error::custom(format_args!("no job with shards is called '{other}'")))),
                }
            }
        }
    };
}
merged! {
    Solve(SolveOptions),
    Rate(RateOptions),
    Trace(TraceOptions),
    Validate(ValidateOptions),
    Canon(CanonOptions),
    Score(ScoreOptions),
    States(StatesOptions),
    Convert(ConvertOptions),
}

/// The error for shards that cannot be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeJobError {
    /// An output was named twice.
    #[error("{} is named twice; name each shard once", .0.display())]
    Twice(PathBuf),
    /// The extension of the merged output names a different format than the shards have.
    #[error("{} is {file_type} by its name, but the shards are {format}; give it another extension", path.display())]
    Extension {
        /// The merged output.
        path: PathBuf,
        /// The format that the extension names.
        file_type: FileType,
        /// The format of the shards.
        format: OutputFormat,
    },
    /// An output has no metadata.
    #[error("{} is not a finished shard: there is no {SHARD_SUFFIX} next to it", .0.display())]
    NotAShard(PathBuf),
    /// The metadata of a shard was written by another version of gridmill, or is damaged.
    #[error(
        "{} is damaged, or was not written by gridmill {} ({reason}); run this shard again",
        path.display(), env!("CARGO_PKG_VERSION")
    )]
    OtherMetadata {
        /// The metadata.
        path: PathBuf,
        /// The reason why it cannot be read.
        reason: Error,
    },
    /// The metadata of a shard cannot be read.
    #[error(transparent)]
    Metadata(#[from] ManifestError),
    /// The outputs are not all the shards of one run.
    #[error(transparent)]
    Set(#[from] ShardSetError),
    /// The output of a shard cannot be opened.
    #[error("cannot open {}", path.display())]
    Open {
        /// The output.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// An output was changed or damaged after it was finished.
    #[error(
        "{} is not as it was finished: it does not fit {}; run this shard again with --resume",
        .0.display(), ShardMetadata::path(.0).display()
    )]
    Damaged(PathBuf),
    /// The merged output cannot be opened or finished.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The rows cannot be merged.
    #[error(transparent)]
    Rows(BrokenRun<MergeError>),
}

impl Merge {
    /// Merges these outputs, in any order. A shard may be named by its output or by its metadata.
    pub fn new(outputs: impl IntoIterator<Item = PathBuf>) -> Merge {
        Merge { names: outputs.into_iter().collect() }
    }

    /// The files that are read: the outputs of the shards and their metadata.
    pub fn files(&self) -> RunFiles {
        let outputs = self.names.iter().map(|name| output_of(name));
        outputs.fold(RunFiles::new(), |files, output| files.input(&output).input(ShardMetadata::path(&output)))
    }

    /// Writes the rows of all shards in the order of the records, and adds up their statistics.
    ///
    /// # Errors
    ///
    /// If a shard is missing, named twice, damaged or from another run, or the output cannot be written.
    ///
    /// # Panics
    ///
    /// If there are no outputs.
    pub fn run_to(&self, target: &OutputTarget, execution: &Execution) -> Result<Merged, MergeJobError> {
        assert!(!self.names.is_empty(), "there have to be outputs to merge");
        target.check_inputs(self.files())?;
        let shards = in_order(self.outputs()?.iter().map(|path| with_metadata(path)).collect::<Result<_, _>>()?)?;
        let manifest = &shards[0].1.manifest;
        let format = manifest.format();
        if let (Some(path), Some(file_type)) = (&target.path, target.file_type())
            && !file_type.formats().contains(&format)
        {
            return Err(MergeJobError::Extension { path: path.clone(), file_type, format });
        }

        // Check everything before writing, so that nobody mistakes wrong rows for the result.
        for (path, metadata) in &shards {
            if !metadata.fits(path)? {
                return Err(MergeJobError::Damaged(path.clone()));
            }
        }
        let results = Merged::of(&shards)?;

        raise_limit_of_open_files();
        let buffer = (BUFFERS / shards.len()).clamp(8 << 10, 256 << 10);
        let part = |(path, metadata): &(PathBuf, ShardMetadata)| {
            let open = |source| MergeJobError::Open { path: path.clone(), source };
            let reader = decompressed(path, buffer).map_err(open)?;
            Ok(Part { name: path.display().to_string(), reader, rows: metadata.records })
        };
        let mut parts = shards.iter().map(part).collect::<Result<Vec<_>, MergeJobError>>()?;
        let mut output = OutputFile::create(target, execution.threads)?;
        let merged = interleave(&mut parts, manifest.has_header(), &format.ends(), manifest.block, &mut output);
        merged.map_err(|error| {
            let partial = output.partial().map(|path| PartialOutput { path: path.to_owned(), resumable: false });
            MergeJobError::Rows(BrokenRun { error, partial })
        })?;
        output.finish()?;
        Ok(results)
    }
}

impl Merge {
    /// The outputs. Each may be named a second time by its metadata, as with `part-*` in a shell.
    fn outputs(&self) -> Result<BTreeSet<PathBuf>, MergeJobError> {
        let mut names = BTreeSet::new();
        if let Some(twice) = self.names.iter().find(|&name| !names.insert(name)) {
            return Err(MergeJobError::Twice(twice.clone()));
        }
        Ok(self.names.iter().map(|name| output_of(name)).collect())
    }
}

/// The output for a name, which may be the name of its metadata.
fn output_of(name: &Path) -> PathBuf {
    match name.to_str().and_then(|name| name.strip_suffix(SHARD_SUFFIX)) {
        Some(output) => output.into(),
        None => name.to_owned(),
    }
}

fn with_metadata(output: &Path) -> Result<(PathBuf, ShardMetadata), MergeJobError> {
    let read = ShardMetadata::read(output).map_err(|error| match error {
        ManifestError::Form { path, source: reason } => MergeJobError::OtherMetadata { path, reason },
        error => error.into(),
    });
    let metadata = read?.ok_or_else(|| MergeJobError::NotAShard(output.to_owned()))?;
    Ok((output.to_owned(), metadata))
}

/// Opens an output. Compression is detected from its first bytes.
fn decompressed(path: &Path, buffer: usize) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(buffer, File::open(path)?);
    Ok(match Compression::detect(file.fill_buf()?) {
        None => Box::new(file),
        Some(compression) => Box::new(BufReader::with_capacity(buffer, Decoder::new(file, compression))),
    })
}

/// Lets this process open as many files as the system allows: there may be thousands of shards.
#[cfg(unix)]
fn raise_limit_of_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Nofile);
    // If this fails, the limit may still be high enough.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

#[cfg(not(unix))]
fn raise_limit_of_open_files() {}
