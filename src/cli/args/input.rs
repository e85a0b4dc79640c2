//! The inputs: their names, their format, and the shard to read.

use std::io::ErrorKind::NotFound;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use clap::{Args, ValueHint};
use gridmill::corpus::{Corpus, CorpusError, Origin, Shard};
use gridmill::format::{Alphabet, AnswerColumn, Blank, InputFormat, InputOptions};
use gridmill::jobs::{ClassKey, ClassSet, NamedClassSet};
use gridmill::output::{DASH, RunFiles};

use super::values::named;
use crate::cli::call;
use crate::cli::ui::progress::Progress;

/// The inputs and their format.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// Puzzle files; `-`, or no file at all, is standard input
    #[arg(value_name = "FILES")]
    pub(crate) files: Vec<PathBuf>,

    /// Input format, instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = named::<InputFormat>(), help_heading = "Input")]
    pub(crate) from: Option<InputFormat>,

    /// Symbols of the values, if they are not clear, such as 1-G; one alphabet for each size
    ///
    /// 1-9 or A-I for 9x9, and so on; A-J, 0-9 or 1-A for 10x10, A-L, 0-B or 1-C for 12x12, A-P, 0-F or 1-G for 16x16,
    /// A-Y, 0-O or 1-P for 25x25. Or a different symbol for each value, from 1 on, such as MASKBRIDG.
    #[arg(long, value_name = "A-Z", value_delimiter = ',', hide_short_help = true, help_heading = "Input")]
    pub(crate) alphabet: Vec<Alphabet>,

    /// Another symbol for a blank than . 0 _ - * x X ?
    #[arg(long, value_name = "CHAR", hide_short_help = true, help_heading = "Input")]
    pub(crate) blank: Option<Blank>,

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

    /// Opens inputs. Each is noted when it is opened.
    pub(crate) fn open(origins: Vec<Origin>, options: InputOptions, progress: &Progress) -> anyhow::Result<Corpus> {
        if origins.contains(&Origin::Stdin) && io::stdin().is_terminal() {
            progress.note("reading puzzles from standard input, which is this terminal; Ctrl-D ends it");
        }
        let last = origins.iter().skip(1).last().map(Origin::to_string);
        let opened = Corpus::open(origins, options);
        opened.map(|corpus| corpus.on_open(progress.announcer())).map_err(|error| {
            let hint = match &error {
                CorpusError::Open { name, source } if source.kind() == NotFound && is_like_puzzle(name) => {
                    let command = call::arguments().first().map(|command| command.to_string_lossy());
                    format!("; to read a puzzle, pipe it: echo '{name}' | gridmill {}", command.unwrap_or_default())
                }
                CorpusError::Open { name, source } if source.kind() == NotFound && last.as_ref() == Some(name) => {
                    format!("; an output is named by -o {name}")
                }
                _ => return error.into(),
            };
            anyhow!("{:#}{hint}", anyhow!(error))
        })
    }

    /// The options for reading the inputs.
    pub(crate) fn options(&self, answer: AnswerColumn, keep: &[String]) -> InputOptions {
        InputOptions {
            format: self.from,
            alphabets: self.alphabet.clone(),
            blank: self.blank,
            puzzle_column: self.puzzle_column.clone(),
            answer,
            keep: keep.to_vec(),
            reads_others: false,
        }
    }
}

/// The answers that come with the puzzles.
#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// Column of CSV or key of JSON lines that holds the answers [default: solution, solutions, answer, ...]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, help_heading = "Input")]
    answer_column: Option<String>,
}

impl AnswerArgs {
    /// The column of the answers.
    pub(crate) fn column(&self) -> AnswerColumn {
        self.answer_column.clone().map_or(AnswerColumn::ByName, AnswerColumn::Named)
    }
}

/// The answers that come with the puzzles, for a command that leaves out records with wrong answers.
#[derive(Debug, Args)]
pub(crate) struct CheckedAnswerArgs {
    #[command(flatten)]
    pub(crate) answer: AnswerArgs,

    /// Keep records whose answers are wrong: change a clue, or break a rule
    #[arg(long, help_heading = "Input")]
    pub(crate) unchecked: bool,
}

/// Options of runs that take long or are spread over several machines.
#[derive(Debug, Args)]
pub(crate) struct LongRunArgs {
    /// Resume an interrupted run, or start a new one
    ///
    /// The run continues after its last checkpoint. Needs -o FILE. The inputs, and all options that the rows depend on,
    /// must be the same as before. The rows so far are in FILE.partial, and FILE.partial.json describes their run.
    #[arg(long, help_heading = "Output")]
    pub(crate) resume: bool,

    /// Read only shard K of N: every Nth block of 4096 records, starting with the Kth
    ///
    /// `gridmill merge` merges the outputs of all shards.
    #[arg(long, value_name = "K/N", hide_short_help = true, help_heading = "Input")]
    pub(crate) shard: Option<Shard>,
}

impl LongRunArgs {
    /// The option that needs a row for each record.
    pub(crate) fn option(&self) -> &'static str {
        if self.resume { "--resume" } else { "--shard" }
    }
}

/// The way out for a command that needs each record of a file.
pub(crate) fn without_record(file: &str) -> String {
    format!("; to leave out such records: gridmill validate {file} --accepts GOOD")
}

/// Whether a word that is not the name of a file looks like a puzzle.
pub(super) fn is_like_puzzle(name: &str) -> bool {
    let is_cell = |byte: u8| byte.is_ascii_digit() || b"._*-".contains(&byte);
    name.len() >= 8 && name.bytes().all(is_cell) && name.bytes().any(|byte| byte.is_ascii_digit())
}

/// The inputs with these names. `-` is standard input, and so is an empty list.
pub(crate) fn origins(files: &[PathBuf]) -> anyhow::Result<Vec<Origin>> {
    if files.is_empty() {
        return Ok(vec![Origin::Stdin]);
    }
    let origin = |file: &PathBuf| if file.as_os_str() == DASH { Origin::Stdin } else { Origin::File(file.clone()) };
    let origins: Vec<Origin> = files.iter().map(origin).collect();
    read_once(&origins)?;
    Ok(origins)
}

/// The same, without standard input for an empty list.
pub(crate) fn origins_if_any(files: &[PathBuf]) -> anyhow::Result<Vec<Origin>> {
    if files.is_empty() { Ok(vec![]) } else { origins(files) }
}

/// Refuses to read standard input twice: the second time it would be empty.
pub(crate) fn read_once(origins: &[Origin]) -> anyhow::Result<()> {
    if origins.iter().filter(|&origin| *origin == Origin::Stdin).count() > 1 {
        bail!("standard input can be read once only");
    }
    Ok(())
}

/// The options for looking up the puzzles of a corpus.
#[derive(Debug, Args)]
pub(crate) struct LookupArgs {
    /// Hash classes with the bytes of this file, at least 16
    #[arg(long, value_name = "FILE")]
    class_key: Option<PathBuf>,

    /// Leave out malformed records of a corpus that is compared
    ///
    /// Without it, they are a failure or an error: nobody knows which puzzles they should be.
    #[arg(long)]
    pub(crate) allow_malformed: bool,
}

impl LookupArgs {
    /// Adds the file of the key as an input.
    pub(crate) fn add_to(&self, files: RunFiles) -> RunFiles {
        self.class_key.iter().fold(files, RunFiles::input)
    }

    /// The sets of classes among the files of an option that names corpora to compare with, and the other files.
    pub(crate) fn sets_among(
        &self,
        option: &str,
        files: &[PathBuf],
    ) -> anyhow::Result<(Vec<NamedClassSet>, Vec<Origin>)> {
        let key = self.read()?;
        let (sets, others) =
            ClassSet::among(files.to_vec(), key.as_ref()).with_context(|| format!("cannot compare with {option}"))?;
        if key.is_some() && sets.is_empty() {
            bail!("--class-key is for sets of classes, and {option} names none");
        }
        Ok((sets, origins_if_any(&others)?))
    }

    /// Reads the key.
    pub(crate) fn read(&self) -> anyhow::Result<Option<ClassKey>> {
        self.class_key.as_deref().map(ClassKey::read).transpose().context("cannot use --class-key")
    }
}
