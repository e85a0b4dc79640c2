//! `gridmill merge`: the outputs of all shards of a run, put together as if there had been one run.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use gridmill::compression::{Compression, Decoder};
use gridmill::resume::{HeaderRow, Part, SUFFIX, ShardMetadata, in_order, interleave};
use gridmill::rows::OutputFormat;

use super::mill::{self, PartialOutput};
use crate::args;
use crate::ui::progress::{Progress, Talk, When};
use crate::ui::summary::Report;

/// How much memory the buffers of all shards take together, where there are not too many.
const BUFFERS: usize = 64 << 20;

pub(crate) fn run(arguments: &args::MergeArgs) -> anyhow::Result<ExitCode> {
    let outputs = in_order(labels(&arguments.outputs)?)?;
    let options = &outputs[0].1.manifest.options;
    let format = OutputFormat::ALL.into_iter().find(|to| options.get("--to").is_some_and(|name| name == to.name()));
    let format = format.context("the labels name no format")?;
    let has_header = format == OutputFormat::Csv && !options.contains_key("--no-header");
    let header = if has_header { HeaderRow::Present } else { HeaderRow::Absent };

    raise_limit_of_open_files();
    let buffer = (BUFFERS / outputs.len()).clamp(8 << 10, 256 << 10);
    let part = |(path, label): &(PathBuf, ShardMetadata)| -> anyhow::Result<Part<Box<dyn BufRead>>> {
        let name = path.display().to_string();
        let reader = decoded(path, buffer).with_context(|| format!("cannot open {name}"))?;
        Ok(Part { name, reader, rows: label.records })
    };
    let mut parts = outputs.iter().map(part).collect::<anyhow::Result<Vec<_>>>()?;
    let mut output = arguments.destination.create(super::threads(None))?;
    let merged = interleave(&mut parts, header, &format.ends(), BufWriter::with_capacity(BLOCK, &mut output));
    merged.map_err(|error| mill::broken(error.into(), output.partial(), PartialOutput::Rows))?;
    output.finish()?;

    let labels = outputs.into_iter().map(|(_, label)| (label.tally, label.run));
    let together = labels.reduce(|(mut tally, run), (other, beside)| {
        tally.merge(other);
        (tally, run.beside(beside))
    });
    let (tally, run) = together.expect("there are as many outputs as shards");
    let summary = tally.summary(run);
    Progress::start(When::Never, Talk::unless(arguments.quiet), None).note(Report(&summary));
    if let Some(path) = &arguments.summary {
        mill::write_summary(&summary, path)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// How much is written at a time.
const BLOCK: usize = 1 << 20;

/// Every output with its label. Where a shell has found labels as well, they stand for their outputs.
fn labels(outputs: &[PathBuf]) -> anyhow::Result<Vec<(PathBuf, ShardMetadata)>> {
    let output =
        |path: &PathBuf| path.to_str().and_then(|path| path.strip_suffix(SUFFIX)).map_or(path.clone(), PathBuf::from);
    let outputs: BTreeSet<PathBuf> = outputs.iter().map(output).collect();
    let labelled = |path: PathBuf| {
        let label = ShardMetadata::read(&path)?;
        let missing = || format!("{} is no finished shard: it has no {SUFFIX} beside it", path.display());
        Ok((path.clone(), label.with_context(missing)?))
    };
    outputs.into_iter().map(labelled).collect()
}

/// Opens an output; a compressed one is recognised by how it begins.
fn decoded(path: &Path, buffer: usize) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(buffer, File::open(path)?);
    Ok(match Compression::of_content(file.fill_buf()?) {
        None => Box::new(file),
        Some(compression) => Box::new(BufReader::with_capacity(buffer, Decoder::new(file, compression))),
    })
}

/// Lets this process open as many files as the system allows: there may be thousands of shards.
#[cfg(unix)]
fn raise_limit_of_open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Nofile);
    // Where that fails, it may still be enough.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

#[cfg(not(unix))]
fn raise_limit_of_open_files() {}
