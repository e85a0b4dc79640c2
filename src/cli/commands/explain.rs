//! `gridmill explain`: the steps of a person who solves a puzzle, in words and with grids of candidates.

use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use console::style;
use gridmill::Explain;
use gridmill::corpus::Origin;
use gridmill::format::AnswerColumn;
use gridmill::jobs::read_records;
use gridmill::output::{DASH, FileType, OutputFile, RunFiles};
use gridmill::puzzle::{Pencilmarks, Puzzle};
use gridmill::rating::{Mark, StepGrids};
use gridmill::rows::OutputFormat;

use super::frame::Run;
use crate::cli::args::values::named;
use crate::cli::args::{InputArgs, OutputArgs, read_once};
use crate::cli::call::Exit;
use crate::cli::ui::printable::in_one_line;
use crate::cli::ui::progress::{Progress, Verbosity};

const EXAMPLES: &str = "\
Examples:
  Explain the puzzles of a file, one after another:
    gridmill explain puzzles.txt
  Print the steps of the first puzzle, without grids:
    gridmill explain --grids none $(head -n 1 puzzles.txt) -o steps.txt";

/// Explain how a person solves 9x9 puzzles, step by step.
///
/// The steps are the same as in `gridmill rate`. A grid of candidates marks the pattern of a step with `*`, the
/// candidates that it removes with `-`, and the digit that it places with `+`; on a terminal, also with colours, unless
/// `NO_COLOR` is set. A puzzle is on one line: 81 digits, with dots or zeros for blanks, or the 729 symbols of a
/// pencilmark puzzle. A puzzle of a file that has no steps gets the reason in their place.
#[derive(Debug, Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("files", |files| files.value_name("PUZZLE|FILE").help("Puzzles, or files of puzzles; `-`, or nothing, is standard input")),
)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Print the grid of candidates before the steps that remove candidates, before all steps, or never
    #[arg(long, value_name = "WHICH", value_parser = named::<StepGrids>(), default_value = "eliminations")]
    grids: StepGrids,

    #[command(flatten)]
    output: OutputArgs,
}

/// The kind of an argument.
enum Named<'a> {
    /// A puzzle, and its text.
    Puzzle(Given, &'a str),
    File(Origin),
}

/// A puzzle of any kind.
enum Given {
    Clues(Puzzle),
    Pencilmarks(Box<Pencilmarks>),
}

impl Run for ExplainArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        Ok(self.output.add_to(RunFiles::new().corpus(&files_of(&self.named()?))))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        if let Some(other) = self.output.file().file_type()
            && other != FileType::Rows(OutputFormat::Lines)
        {
            bail!("{}, but explain writes text; name it .txt", self.output.named(other));
        }
        let named = self.named()?;
        let mut output = OutputFile::create(&self.output.target()?, 1)?;
        // One puzzle needs no heading.
        let is_one = matches!(&*named, [Named::Puzzle(..)]);
        let mut gap = "";

        for named in named {
            match named {
                Named::Puzzle(puzzle, _) if is_one => output.write_all(self.steps(&puzzle)?.as_bytes())?,
                Named::Puzzle(puzzle, text) => {
                    let steps = self.steps(&puzzle).with_context(|| text.to_owned())?;
                    write!(output, "{gap}{text}\n{steps}")?;
                }
                Named::File(origin) => self.explain_file(origin, gap, &mut output)?,
            }
            gap = "\n";
        }
        output.finish()?;
        Ok(Exit::Success)
    }
}

impl ExplainArgs {
    /// The kinds of the arguments, in order.
    fn named(&self) -> anyhow::Result<Vec<Named<'_>>> {
        if self.input.files.is_empty() {
            return Ok(vec![Named::File(Origin::Stdin)]);
        }

        let named = self.input.files.iter().map(|argument| kind_of(argument)).collect::<Result<Vec<_>, _>>()?;
        read_once(&files_of(&named))?;
        Ok(named)
    }

    /// Explains the puzzles of a file.
    fn explain_file(&self, origin: Origin, mut gap: &str, output: &mut OutputFile) -> anyhow::Result<()> {
        let progress = Progress::without_bar(Verbosity::Quiet);
        let corpus = InputArgs::open(vec![origin], self.input.options(AnswerColumn::Ignored, &[]), &progress)?;
        read_records(corpus, |record| {
            let (puzzle, steps) = record.explained(&self.explain());
            write!(output, "{gap}{}:{}{puzzle}\n{steps}", in_one_line(record.file()), record.line)?;
            gap = "\n";
            Ok(())
        })
    }

    /// The steps of a puzzle, with the requested grids.
    fn steps(&self, puzzle: &Given) -> anyhow::Result<String> {
        Ok(match puzzle {
            Given::Clues(puzzle) => self.explain().puzzle(puzzle)?,
            Given::Pencilmarks(puzzle) => self.explain().pencilmarks(puzzle)?,
        })
    }

    fn explain(&self) -> Explain {
        let explain = Explain::new().grids(self.grids);
        if self.output.output.is_none() { explain.paint(painted) } else { explain }
    }
}

/// Finds the kind of an argument.
fn kind_of(argument: &Path) -> anyhow::Result<Named<'_>> {
    let text = argument.to_str().unwrap_or_default();
    if let Ok(pencilmarks) = text.parse() {
        return Ok(Named::Puzzle(Given::Pencilmarks(Box::new(pencilmarks)), text));
    }
    match text.parse() {
        Ok(puzzle) => Ok(Named::Puzzle(Given::Clues(puzzle), text)),
        Err(_) if text == DASH => Ok(Named::File(Origin::Stdin)),
        Err(_) if argument.exists() => Ok(Named::File(Origin::File(argument.to_owned()))),
        Err(reason) => bail!("'{}' is neither a puzzle nor a file: {reason}", argument.display()),
    }
}

/// The files among the arguments.
fn files_of(named: &[Named<'_>]) -> Vec<Origin> {
    named.iter().filter_map(|named| if let Named::File(origin) = named { Some(origin.clone()) } else { None }).collect()
}

/// Colours a text by its mark, if the terminal has colours.
fn painted(mark: Mark, text: String) -> String {
    let text = style(text).bold();
    let painted = match mark {
        Mark::Pattern => text.green(),
        Mark::Removed => text.red(),
        Mark::Placed => text.cyan(),
        _ => text,
    };
    painted.to_string()
}
