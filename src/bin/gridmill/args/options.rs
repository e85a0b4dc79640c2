//! Options that several commands share.

use std::io::ErrorKind::NotFound;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::{Args, ValueHint};
use gridmill::compression::Compression;
use gridmill::corpus::{Corpus, CorpusError, Origin, Shard};
use gridmill::engine::lanes::Simd;
use gridmill::engine::solver::Question;
use gridmill::engine::{EngineKind, Limit, MaxBranches};
use gridmill::format::{Alphabet, AnswerColumn, InputFormat, InputOptions};
use gridmill::jobs::Execution;
use gridmill::resume::{DASH, FileType, OutputTarget, RunFiles};
use gridmill::rows::OutputFormat;

use super::values::{max_branches, named, positive, threads};
use crate::signals;
use crate::ui::progress::{Progress, When};

/// How puzzles are solved, and by how many threads.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// Engine; auto takes lanes for 9x9 and bitmask for other sizes
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = named(&EngineKind::ALL, EngineKind::name), help_heading = "Solving")]
    pub(crate) engine: EngineKind,

    /// Vectors of the lanes engine; auto takes the widest that the CPU has
    #[arg(long, value_name = "WIDTH", default_value = "auto", value_parser = named(&Simd::ALL, Simd::name), help_heading = "Solving")]
    pub(crate) simd: Simd,

    /// Give up on a search that takes more than N guesses: the puzzle is undecided
    ///
    /// `none` is no bound, 0 decides only puzzles that take no guess. By default there is no bound for 4x4 and 9x9, and
    /// one that takes some seconds for 16x16 and 25x25. Which puzzles are undecided depends on the engine. `generate` keeps
    /// a clue if the search without it gives up, and says how many it has kept: they may not be needed.
    #[arg(long, value_name = "N|none", default_value = "default", hide_default_value = true, value_parser = max_branches, help_heading = "Solving")]
    pub(crate) max_branches: MaxBranches,

    /// Number of threads that solve [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = threads, help_heading = "Solving")]
    pub(crate) threads: Option<u16>,

    /// Number of records in a chunk [default: adapts to the puzzles]
    ///
    /// A thread takes one chunk at a time. Rows do not depend on the size of the chunks.
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, hide_short_help = true, help_heading = "Solving")]
    pub(crate) chunk: Option<NonZeroUsize>,
}

impl RunArgs {
    /// The chosen engine with its vectors; `--simd` changes nothing for engines without vectors.
    pub(crate) fn engine(&self) -> EngineKind {
        match (self.engine, self.simd) {
            (EngineKind::Auto, Simd::Auto) => EngineKind::Auto,
            (EngineKind::Auto | EngineKind::Lanes(_), simd) => EngineKind::Lanes(simd),
            (kind, _) => kind,
        }
    }

    /// How the job is executed: it reports to `progress`, and Ctrl-C stops it.
    pub(crate) fn execution(&self, progress: &Progress) -> Execution {
        let stop = signals::stop_on_interrupt(progress);
        let mut execution = Execution::new().stop(stop).observer(progress.observer());
        if let Some(threads) = self.threads {
            execution = execution.threads(threads.into());
        }
        if let Some(records) = self.chunk {
            execution = execution.chunk_size(records);
        }
        execution
    }
}

/// What goes to standard error.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// When to show a progress bar
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", help_heading = "Reporting")]
    pub(crate) progress: When,

    /// Print only rows and errors: no notes, no progress, no summary
    ///
    /// An input in which no record is a puzzle is named all the same.
    #[arg(short, long, help_heading = "Reporting")]
    pub(crate) quiet: bool,
}

/// The inputs and their format.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Puzzle files; `-`, or no file at all, is standard input
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,

    /// Input format, instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = named(&InputFormat::ALL, InputFormat::name), help_heading = "Input")]
    pub(crate) from: Option<InputFormat>,

    /// Symbols of 16x16 or 25x25 puzzles, where they cannot be detected; one for each size
    #[arg(long, value_name = "A-Z", value_delimiter = ',', value_parser = named(Alphabet::LARGE, Alphabet::name), ignore_case = true, help_heading = "Input")]
    pub(crate) alphabet: Vec<Alphabet>,

    /// Column of CSV or key of JSON lines that holds the puzzles [default: puzzle, quizzes, sudoku, ...]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = "Input")]
    pub(crate) puzzle_column: Option<String>,
}

impl InputArgs {
    /// The inputs.
    pub(crate) fn origins(&self) -> anyhow::Result<Vec<Origin>> {
        origins(&self.files)
    }

    /// The files among the inputs.
    pub(crate) fn files(&self) -> anyhow::Result<RunFiles> {
        Ok(RunFiles::new().corpus(&self.origins()?))
    }

    /// Opens inputs, each of which is noted when it is opened.
    pub(crate) fn open(
        &self,
        origins: Vec<Origin>,
        answer: AnswerColumn,
        keep: &[String],
        progress: &Progress,
    ) -> anyhow::Result<Corpus> {
        if origins.contains(&Origin::Stdin) && io::stdin().is_terminal() {
            progress.note("reading puzzles from standard input, which is this terminal; Ctrl-D ends it");
        }
        let opened = Corpus::open(origins, self.options(answer, keep));
        opened.map(|corpus| corpus.on_open(progress.announcer())).map_err(|error| {
            let hint = match &error {
                CorpusError::Open { name, source } if source.kind() == NotFound && is_like_puzzle(name) => {
                    format!("; to solve a puzzle, pipe it: echo '{name}' | gridmill solve")
                }
                _ => return error.into(),
            };
            anyhow!("{:#}{hint}", anyhow!(error))
        })
    }

    /// How the inputs are written.
    pub(crate) fn options(&self, answer: AnswerColumn, keep: &[String]) -> InputOptions {
        InputOptions {
            format: self.from,
            alphabets: self.alphabet.clone(),
            puzzle_column: self.puzzle_column.clone(),
            answer,
            keep: keep.to_vec(),
        }
    }
}

/// The output file and its compression.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Write to this file instead of standard output
    ///
    /// It is called FILE.partial until it is complete. If FILE is a symbolic link, the link is replaced by the new file
    /// and its target is left alone.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Compress the output [default: by the extension of FILE: .gz, .zst, .xz or .bz2]
    #[arg(long, value_name = "HOW", value_parser = named(&Compress::ALL, Compress::name), help_heading = "Output")]
    pub(crate) compress: Option<Compress>,
}

impl OutputArgs {
    /// The output and its compression.
    pub(crate) fn target(&self) -> OutputTarget {
        let target = self.output.as_ref().map_or_else(OutputTarget::stdout, OutputTarget::file);
        match self.compress {
            Some(Compress(compression)) => OutputTarget { compression, ..target },
            None => target,
        }
    }

    /// The format of the rows: the `chosen` one, or that of the file's extension, or CSV.
    pub(crate) fn format(&self, chosen: Option<OutputFormat>) -> anyhow::Result<OutputFormat> {
        let target = self.target();
        let Some(file_type) = target.file_type() else { return Ok(chosen.unwrap_or_default()) };
        self.check_parquet()?;
        match (chosen, file_type.formats()) {
            (None, _) => Ok(target.usual_format()),
            (Some(chosen), formats) if formats.contains(&chosen) => Ok(chosen),
            (Some(chosen), _) => bail!(
                "{}, but --to {} was given; give the file another extension, or leave out --to",
                self.named(file_type),
                chosen.name()
            ),
        }
    }

    /// Refuses a file with the extension of another format than CSV, the only one that `command` writes.
    pub(crate) fn check_csv(&self, command: &str) -> anyhow::Result<()> {
        self.check_parquet()?;
        match self.target().file_type() {
            None | Some(FileType::Csv | FileType::Parquet) => Ok(()),
            Some(other) => bail!("{}, but {command} writes CSV; name it .csv", self.named(other)),
        }
    }

    /// Refuses a Parquet file that would be text, since it is also called `.gz`, for instance, and one that would be
    /// compressed twice.
    pub(crate) fn check_parquet(&self) -> anyhow::Result<()> {
        let target = self.target();
        match target.file_type() {
            Some(parquet @ FileType::Parquet) if target.is_parquet_in_name_only() => {
                bail!("{}, which cannot be written under this name; name it .csv", self.named(parquet))
            }
            Some(parquet @ FileType::Parquet) if target.compression.is_some() => {
                bail!("{}, which has its own compression; leave out --compress", self.named(parquet))
            }
            _ => Ok(()),
        }
    }

    /// The file with what its extension says: `-o solved.jsonl is JSON lines`.
    pub(crate) fn named(&self, file_type: FileType) -> String {
        let name = self.output.as_deref().unwrap_or(Path::new(DASH));
        format!("-o {} is {file_type}", name.display())
    }
}

/// Options of runs that take long or are spread over several machines.
#[derive(Debug, Args)]
pub(crate) struct LongRunArgs {
    /// Resume an interrupted run after its last complete row; if there is none, start
    ///
    /// Needs -o FILE. The inputs, and all options that the rows depend on, must be the same as before. The rows so far
    /// are in FILE.partial, and FILE.partial.json describes their run.
    #[arg(long, help_heading = "Output")]
    pub(crate) resume: bool,

    /// Read only shard K of N: every Nth block of 4096 records, starting with the Kth
    ///
    /// `gridmill merge` merges the outputs of `gridmill solve` and `gridmill rate`. Reports of `gridmill validate` stay separate, and
    /// --duplicates and --isomorphs need the complete corpus.
    #[arg(long, value_name = "K/N", help_heading = "Input")]
    pub(crate) shard: Option<Shard>,
}

/// Whether the name of a file that does not exist may be meant as a puzzle.
fn is_like_puzzle(name: &str) -> bool {
    let is_cell = |byte: u8| byte.is_ascii_digit() || b"._*-".contains(&byte);
    name.len() >= 8 && name.bytes().all(is_cell) && name.bytes().any(|byte| byte.is_ascii_digit())
}

/// The inputs of these names: `-` is standard input, and so are no names at all.
pub(crate) fn origins(files: &[PathBuf]) -> anyhow::Result<Vec<Origin>> {
    if files.is_empty() {
        return Ok(vec![Origin::Stdin]);
    }
    let origin = |file: &PathBuf| if file.as_os_str() == DASH { Origin::Stdin } else { Origin::File(file.clone()) };
    let origins: Vec<Origin> = files.iter().map(origin).collect();
    read_once(&origins)?;
    Ok(origins)
}

/// Refuses to read standard input twice: the second time it would be empty.
pub(crate) fn read_once(origins: &[Origin]) -> anyhow::Result<()> {
    if origins.iter().filter(|&origin| *origin == Origin::Stdin).count() > 1 {
        bail!("standard input can be read once only");
    }
    Ok(())
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

/// A compression, or none.
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
