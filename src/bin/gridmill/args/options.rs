//! Options that several commands have.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, value_parser};
use gridmill::compression::Compression;
use gridmill::corpus::{Corpus, Origin, Shard};
use gridmill::engine::lanes::Simd;
use gridmill::engine::solver::Question;
use gridmill::engine::{EngineChoice, EngineKind, Limit};
use gridmill::format::{Alphabet, AnswerColumn, InputFormat, Wanted};
use gridmill::jobs::Execution;
use gridmill::resume::{DASH, OutputTarget, Resume};

use super::values::named;
use crate::signals;
use crate::ui::progress::{Progress, When};

/// How a corpus is worked on.
#[derive(Debug, Args)]
pub(crate) struct RunningArgs {
    /// How puzzles are solved
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = named(&EngineKind::ALL, EngineKind::name), help_heading = "Solving")]
    pub(crate) engine: EngineKind,

    /// The vectors of the lanes engine
    #[arg(long, value_name = "WIDTH", default_value = "auto", value_parser = named(&Simd::ALL, Simd::name), help_heading = "Solving")]
    pub(crate) simd: Simd,

    /// How many threads solve [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024), help_heading = "Solving")]
    pub(crate) threads: Option<u16>,

    /// How many records a thread takes at a time; rows do not depend on it [default: what keeps it busy for a moment]
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = "Solving")]
    pub(crate) chunk: Option<NonZeroUsize>,
}

impl RunningArgs {
    /// The engine that was chosen.
    pub(crate) fn engine(&self) -> EngineChoice {
        EngineChoice { kind: self.engine, simd: self.simd }
    }

    /// How the job is executed: it reports to `progress`, and Ctrl-C stops it.
    pub(crate) fn execution(&self, progress: &Progress) -> anyhow::Result<Execution> {
        let stop = signals::stop_on_interrupt(progress)?;
        let mut execution = Execution::new().stop(stop).observer(progress.observer());
        if let Some(threads) = self.threads {
            execution = execution.threads(threads.into());
        }
        if let Some(records) = self.chunk {
            execution = execution.chunk_size(records);
        }
        Ok(execution)
    }
}

/// What is said on standard error.
#[derive(Debug, Args)]
pub(crate) struct TalkingArgs {
    /// When to draw a progress bar
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "Reporting")]
    pub(crate) progress: When,

    /// No notes, no progress, no summary: only rows, and errors
    #[arg(short, long, help_heading = "Reporting")]
    pub(crate) quiet: bool,
}

/// Where puzzles come from, and how they are written.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Files of puzzles; none, or `-`, is standard input
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,

    /// The format of the puzzles, instead of recognising it
    #[arg(long, value_name = "FORMAT", value_parser = named(&InputFormat::ALL, InputFormat::name), help_heading = "Input")]
    pub(crate) from: Option<InputFormat>,

    /// The symbols of 16x16 or 25x25 puzzles, where they do not tell by themselves; once for each size
    #[arg(long, value_name = "A-Z", value_delimiter = ',', value_parser = named(Alphabet::LARGE, Alphabet::name), ignore_case = true, help_heading = "Input")]
    pub(crate) alphabet: Vec<Alphabet>,

    /// The column of csv input that holds the puzzle
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    pub(crate) puzzle_column: Option<String>,
}

/// Where rows go.
#[derive(Debug, Args)]
pub(crate) struct DestinationArgs {
    /// Write here instead of standard output; the file gets its name when it is whole
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Compress what is written [default: by the extension of FILE, .gz, .zst, .xz or .bz2]
    #[arg(long, value_name = "HOW", value_parser = named(&Compress::ALL, Compress::name), help_heading = "Output")]
    pub(crate) compress: Option<Compress>,
}

impl DestinationArgs {
    /// The output and its compression.
    pub(crate) fn target(&self) -> OutputTarget {
        let target = self.output.as_ref().map_or_else(OutputTarget::stdout, OutputTarget::file);
        match self.compress {
            Some(Compress(compression)) => OutputTarget { compression, ..target },
            None => target,
        }
    }
}

/// What runs need that take long, or are spread over several machines.
#[derive(Debug, Args)]
pub(crate) struct LongRunArgs {
    /// Go on with a run that broke off, behind its last whole row; if there is none, begin
    ///
    /// The other options and the inputs have to be the same. What is there is FILE.partial, and FILE.partial.json.
    #[arg(long, help_heading = "Output")]
    pub(crate) resume: bool,

    /// Read every Nth block of 4096 records only, from the Kth on; `gridmill merge` puts the outputs together
    #[arg(long, value_name = "K/N", help_heading = "Input")]
    pub(crate) shard: Option<Shard>,
}

impl LongRunArgs {
    /// Whether to resume an interrupted run.
    pub(crate) fn resume(&self) -> Resume {
        if self.resume { Resume::Yes } else { Resume::No }
    }
}

impl InputArgs {
    /// The inputs.
    pub(crate) fn origins(&self) -> Vec<Origin> {
        origins(&self.files)
    }

    /// Opens inputs, each of which is noted when it is opened.
    pub(crate) fn open(
        &self,
        origins: Vec<Origin>,
        answer: AnswerColumn,
        keep: &[String],
        progress: &Progress,
    ) -> anyhow::Result<Corpus> {
        Ok(Corpus::open(origins, self.options(answer, keep), progress.announcer())?)
    }

    /// How the inputs are written.
    pub(crate) fn options(&self, answer: AnswerColumn, keep: &[String]) -> Wanted {
        Wanted {
            format: self.from,
            alphabets: self.alphabet.clone(),
            puzzle_column: self.puzzle_column.clone(),
            answer,
            keep: keep.to_vec(),
        }
    }
}

/// The inputs of these names: `-` is standard input, and so are no names at all.
pub(crate) fn origins(files: &[PathBuf]) -> Vec<Origin> {
    if files.is_empty() {
        return vec![Origin::Stdin];
    }
    let origin = |file: &PathBuf| if file.as_os_str() == DASH { Origin::Stdin } else { Origin::File(file.clone()) };
    files.iter().map(origin).collect()
}

/// The question that `--first` and `--limit` ask.
pub(crate) fn first_or_count(first: bool, limit: Option<Limit>) -> Question {
    match limit {
        _ if first => Question::First,
        // A count that stops at one solution would call every puzzle unique.
        Some(Limit::FIRST) => Question::First,
        limit => Question::Count(limit.unwrap_or(Limit::UNIQUE)),
    }
}

/// How to compress, if at all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compress(Option<Compression>);

impl Compress {
    const ALL: [Compress; 5] = {
        let [gzip, zstd, xz, bzip2] = Compression::ALL;
        [Compress(Some(gzip)), Compress(Some(zstd)), Compress(Some(xz)), Compress(Some(bzip2)), Compress(None)]
    };

    fn name(self) -> &'static str {
        self.0.map_or("none", Compression::name)
    }
}
