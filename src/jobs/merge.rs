//! Merges the outputs of all shards of a run, as if there had been one run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::Error as _;
use serde_json::Error;

use super::canon::CanonOptions;
use super::convert::ConvertOptions;
use super::generate::GenerateOptions;
use super::rate::RateOptions;
use super::score::ScoreOptions;
use super::solve::SolveOptions;
use super::states::StatesOptions;
use super::trace::TraceOptions;
use super::validate::ValidateOptions;
use super::{Canon, Convert, Generate, Rate, Score, Solve, States, Trace, Validate};
use crate::compression::open_text;
use crate::corpus::CorpusError;
use crate::options::OptionError;
use crate::output::{ManifestError, OutputError, OutputFile, OutputTarget, RunFiles, SHARD_SUFFIX};
use crate::resume::{Part, ShardMetadata, in_order, interleave};
use crate::run::{Execution, Finished, Job, JobError};

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
            fn of(shards: &[(PathBuf, ShardMetadata)]) -> Result<Merged, JobError> {
                let metadata = shards.iter().map(|(_, metadata)| metadata);
                let form = |index: usize, reason| {
                    other_metadata(&ShardMetadata::path(&shards[index].0), &reason)
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
    Generate(GenerateOptions),
}

impl Merge {
    /// Merges these outputs, in any order. A shard may be named by its output or by its metadata.
    pub fn new(outputs: impl IntoIterator<Item = PathBuf>) -> Merge {
        Merge { names: outputs.into_iter().collect() }
    }

    /// The files that are read: the outputs of the shards and their metadata.
    #[doc(hidden)]
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
    pub fn run_to(&self, target: &OutputTarget, execution: &Execution) -> Result<Merged, JobError> {
        assert!(!self.names.is_empty(), "there have to be outputs to merge");
        target.check_inputs(self.files())?;
        let shards = in_order(self.outputs()?.iter().map(|path| with_metadata(path)).collect::<Result<_, _>>()?)?;
        let manifest = &shards[0].1.manifest;
        let format = manifest.format();
        if let (Some(path), Some(file_type)) = (&target.path, target.file_type())
            && !file_type.formats().contains(&format)
        {
            return Err(OptionError::new(format!(
                "{} is {file_type} by its name, but the shards are {format}; give it another extension",
                path.display()
            ))
            .into());
        }

        // Check everything before writing, so that nobody mistakes wrong rows for the result.
        for (path, metadata) in &shards {
            if !metadata.fits(path).map_err(OutputError::from)? {
                return Err(OptionError::new(format!(
                    "{} is not as it was finished: it does not fit {}; run this shard again with `resume`",
                    path.display(),
                    ShardMetadata::path(path).display()
                ))
                .into());
            }
        }
        let results = Merged::of(&shards)?;

        raise_limit_of_open_files();
        let buffer = (BUFFERS / shards.len()).clamp(8 << 10, 256 << 10);
        let part = |(path, metadata): &(PathBuf, ShardMetadata)| {
            let name = path.display().to_string();
            match open_text(path, buffer) {
                Ok(reader) => Ok(Part { name, reader, rows: metadata.records }),
                Err(source) => Err(CorpusError::Open { name, source }),
            }
        };
        let mut parts = shards.iter().map(part).collect::<Result<Vec<_>, CorpusError>>()?;
        let mut output = OutputFile::create(target, execution.threads)?;
        let merged = interleave(&mut parts, manifest.has_header(), &format.ends(), manifest.block, &mut output);
        merged.map_err(|error| JobError::of_run(error).with_rows(output.partial()))?;
        output.finish()?;
        Ok(results)
    }
}

impl Merge {
    /// The outputs. Each may be named a second time by its metadata, as with `part-*` in a shell.
    fn outputs(&self) -> Result<BTreeSet<PathBuf>, JobError> {
        let mut names = BTreeSet::new();
        if let Some(twice) = self.names.iter().find(|&name| !names.insert(name)) {
            let reason = format!("{} is named twice; name each shard once", twice.display());
            return Err(OptionError::new(reason).into());
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

fn with_metadata(output: &Path) -> Result<(PathBuf, ShardMetadata), JobError> {
    let read = ShardMetadata::read(output).map_err(|error| match error {
        ManifestError::Form { path, source: reason } => other_metadata(&path, &reason),
        error => OutputError::from(error).into(),
    });
    let metadata = read?.ok_or_else(|| {
        OptionError::new(format!(
            "{} is not a finished shard: no {SHARD_SUFFIX} is next to it; to put files together, convert them with `keep` all",
            output.display()
        ))
    })?;
    Ok((output.to_owned(), metadata))
}

/// The error for metadata that is damaged, or from another version.
fn other_metadata(path: &Path, reason: &Error) -> JobError {
    let (path, version) = (path.display(), env!("CARGO_PKG_VERSION"));
    let fault = format!("{path} is damaged, or was not written by gridmill {version} ({reason})");
    OptionError::new(fault + "; run this shard again").into()
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
