//! What the commands that mill a corpus share: opening it, running it through workers, and the ways in which that ends.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{self, ExitCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use gridmill::corpus::{Announce, Corpus, CorpusError, Input, Origin};
use gridmill::format::{AnswerColumn, Wanted};
use gridmill::pipeline::{self, Chunk, ChunkSize, End, Stages, Stop, Work};
use gridmill::stats::StoppedAfter;
use serde::Serialize;

use crate::args;
use crate::output::DASH;
use crate::signals;
use crate::ui::progress::{Progress, Talk};

/// The most records in a chunk: enough to keep every lane of an engine busy.
const CHUNK: NonZeroUsize = NonZeroUsize::new(4096).unwrap();

/// The exit code of a run that Ctrl-C ended, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;

/// Starts to show the way through these inputs.
pub(crate) fn progress(talking: &args::TalkingArgs, origins: &[Origin]) -> Progress {
    Progress::start(talking.progress, Talk::unless(talking.quiet), Corpus::size(origins))
}

/// Opens inputs, each of which is announced when its turn comes.
pub(crate) fn open(origins: Vec<Origin>, wanted: Wanted, progress: &Progress) -> anyhow::Result<Corpus> {
    Ok(Corpus::open(origins, wanted, announce(progress))?)
}

/// Says of each input what it was recognised as.
pub(crate) fn announce(progress: &Progress) -> Announce {
    let progress = progress.clone();
    Box::new(move |Input { name, compression, layout }| match compression {
        None => progress.note(format_args!("{name}: {layout}")),
        Some(compression) => progress.note(format_args!("{name}: {compression}, {layout}")),
    })
}

/// Where files are read from, `-` being standard input; no files are standard input too.
pub(crate) fn origins(files: &[PathBuf]) -> Vec<Origin> {
    if files.is_empty() {
        return vec![Origin::Stdin];
    }
    let origin = |file: &PathBuf| if file.as_os_str() == DASH { Origin::Stdin } else { Origin::File(file.clone()) };
    files.iter().map(origin).collect()
}

/// What the options say of the inputs.
pub(crate) fn wanted(input: &args::InputArgs, answer: AnswerColumn, keep: &[String]) -> Wanted {
    Wanted {
        format: input.from,
        alphabets: input.alphabet.clone(),
        puzzle_column: input.puzzle_column.clone(),
        answer,
        keep: keep.to_vec(),
    }
}

/// How many records a thread takes at a time.
pub(crate) fn chunk_size(running: &args::RunningArgs) -> ChunkSize {
    running.chunk.map_or(ChunkSize::Adaptive { most: CHUNK }, ChunkSize::Fixed)
}

/// What is left of a run that was not broken.
pub(crate) struct Finished<W> {
    pub(crate) workers: Vec<W>,
    pub(crate) wall: Duration,
    pub(crate) stages: Stages,
    pub(crate) end: End,
    /// The last record of a run that was stopped.
    pub(crate) stopped_after: Option<StoppedAfter>,
}

/// Runs a corpus through workers into an output; `finish` is the pipeline's.
pub(crate) fn run<W, N>(
    corpus: Corpus,
    workers: Vec<W>,
    output: impl Write + Send,
    mut finish: impl FnMut(&mut Chunk<Arc<Input>, N>) -> io::Result<()> + Send,
    size: ChunkSize,
    progress: &Progress,
    stop: &Stop,
) -> anyhow::Result<Finished<W>>
where
    W: Work<Arc<Input>, N>,
    N: Send + 'static,
{
    let start = Instant::now();
    let mut last = None;
    let finish = |chunk: &mut Chunk<Arc<Input>, N>| {
        progress.advance(chunk.records.len(), chunk.input_bytes);
        last = chunk.input.clone().zip(chunk.records.last().map(|record| record.line));
        finish(chunk)
    };
    let outcome = pipeline::run(corpus, workers, output, finish, size, stop)?;
    let stopped_after = match outcome.end {
        End::Complete => None,
        End::Stopped => last.map(|(input, line)| StoppedAfter { file: input.name.clone(), line }),
    };
    Ok(Finished {
        workers: outcome.workers,
        wall: start.elapsed(),
        stages: outcome.stages,
        end: outcome.end,
        stopped_after,
    })
}

/// What can be made of the rows of a run that did not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartialOutput {
    /// They can be looked at.
    Rows,
    /// `--resume` goes on with them.
    Resumable,
}

/// Adds to what broke a run where the rows are that were written before.
pub(crate) fn broken(error: anyhow::Error, partial: Option<&Path>, leavings: PartialOutput) -> anyhow::Error {
    // What an input broke, it would break again, and if it is mended it is another one.
    let is_input = matches!(error.downcast_ref(), Some(pipeline::Error::<CorpusError>::Source(_)));
    let leavings = if is_input { PartialOutput::Rows } else { leavings };
    match partial {
        Some(partial) => anyhow!("{error:#}; {}", rows_so_far(partial, leavings)),
        None => error,
    }
}

/// Says where a run stopped, and gives the exit code for that.
pub(crate) fn stopped(
    after: Option<&StoppedAfter>,
    partial: Option<&Path>,
    leavings: PartialOutput,
    progress: &Progress,
) -> ExitCode {
    let place = after.map(|place| format!(" after line {} of {}", place.line, place.file));
    let rows = partial.map(|partial| format!("; {}", rows_so_far(partial, leavings)));
    progress.note(format_args!("stopped{}{}", place.unwrap_or_default(), rows.unwrap_or_default()));
    ExitCode::from(INTERRUPTED)
}

fn rows_so_far(partial: &Path, leavings: PartialOutput) -> String {
    let then = if leavings == PartialOutput::Resumable { "; --resume goes on with them" } else { "" };
    format!("the rows so far are in {}{then}", partial.display())
}

/// The first Ctrl-C lets the run finish what it has begun, the second ends it at once.
pub(crate) fn stop_on_ctrl_c(progress: &Progress) -> anyhow::Result<Stop> {
    let stop = Stop::new();
    let (trigger, progress, again) = (stop.clone(), progress.clone(), AtomicBool::new(false));
    let on_ctrl_c = move || {
        if again.swap(true, Ordering::Relaxed) {
            process::exit(i32::from(INTERRUPTED));
        }
        trigger.trigger();
        progress.note("stopping; once more to quit at once");
    };
    signals::on_interrupt(on_ctrl_c).context("cannot listen to Ctrl-C")?;
    Ok(stop)
}

/// Writes a summary as JSON.
pub(crate) fn write_summary(summary: &impl Serialize, path: &Path) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(summary)? + "\n";
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
