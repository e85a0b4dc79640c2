//! `gridmill trace`: how each puzzle is solved, as data to learn from.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use gridmill::format::AnswerColumn;
use gridmill::jobs::Trace;
use gridmill::jobs::trace::{TextError, TraceOptions, TraceStyle, TracedPuzzle};
use gridmill::output::RunFiles;
use gridmill::rows::OutputFormat;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value, escape_formatter};
use serde_json::json;

use super::frame::Run;
use crate::cli::args::values::{named, number};
use crate::cli::args::{LongRunArgs, RowArgs, TopArgs};
use crate::cli::call::Exit;

const EXAMPLES: &str = "\
Examples:
  Write the steps of each puzzle as lists, one JSON object a puzzle:
    gridmill trace puzzles.txt -o steps.jsonl
  Write a search with its guesses and failures:
    gridmill trace puzzles.txt --style search --columns puzzle,kinds,cells,values -o search.csv
  Write the order in which cells are filled as an array of NumPy, 325 integers a puzzle:
    gridmill trace puzzles.txt --style order -o order.npy
  Print the steps in words:
    gridmill trace puzzles.txt --to text";

/// Trace how puzzles are solved, as data to learn from.
///
/// A trace is a list of events. By technique, these are the steps of `gridmill rate`: candidates that are removed, and
/// digits that are placed. A search places singles, guesses where there are none, and goes back from failures. Only rows go
/// to standard output; progress, notes and the summary go to standard error.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TraceArgs {
    /// The kind of trace: all steps by technique, a search, or only the order of placements
    ///
    /// Techniques are for 9x9 puzzles, a search is for all sizes.
    #[arg(
        long,
        value_name = "STYLE",
        default_value = "technique",
        value_parser = named::<TraceStyle>(),
        help_heading = "Trace"
    )]
    style: TraceStyle,

    /// Leave out the trace of a puzzle whose search takes more than N guesses
    #[arg(long, value_name = "N", default_value_t = Trace::MAX_GUESSES, value_parser = number::<u64>, help_heading = "Trace")]
    max_guesses: u64,

    /// The template of a record in text, in the language of Jinja
    ///
    /// It has all columns by their names, also the kept ones, and the filter `tojson`. `steps` is a list; each of them
    /// has `number`, `kind`, `technique`, `difficulty`, `cell`, `row`, `column`, `value`, `result`, `reason` and
    /// `implications`.
    #[arg(long, value_name = "FILE", help_heading = "Trace")]
    template: Option<PathBuf>,

    #[command(flatten)]
    rows: RowArgs<TraceOptions>,

    #[command(flatten)]
    long_run: LongRunArgs,

    #[command(flatten)]
    top: TopArgs,
}

impl Run for TraceArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.rows.files()?;
        Ok(self.template.iter().fold(files, RunFiles::input))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        self.rows.run(&self.long_run, self.job()?, AnswerColumn::Ignored, &self.rows.keep, |_, _| false)
    }
}

impl TraceArgs {
    /// The job according to the options.
    fn job(&self) -> anyhow::Result<Trace> {
        let job = self.rows.set(Trace::new())?.style(self.style).max_guesses(self.max_guesses);
        let job = job.slowest(self.top.top);
        let Some(template) = &self.template else { return Ok(job) };
        if self.rows.format()? != OutputFormat::Text {
            bail!("--template is for text: name the output .txt, or leave out -o and add --to text");
        }
        Ok(job.text(text_of(template)?))
    }
}

/// Writes the text of a record with the template in a file.
///
/// # Errors
///
/// If the file cannot be read, or is not a template.
pub fn text_of(
    path: &Path,
) -> anyhow::Result<impl Fn(&TracedPuzzle<'_>, &mut String) -> Result<(), TextError> + Send + Sync + 'static> {
    let name = path.display().to_string();
    let template = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;

    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    // A missing value is printed as nothing. The filter of minijinja also escapes `<`, for pages of HTML.
    templates.set_formatter(
        |output, state, value| {
            if value.is_none() { Ok(()) } else { escape_formatter(output, state, value) }
        },
    );
    templates.add_filter("tojson", |value: Value| json!(value).to_string());
    let mut syntax = SyntaxConfig::builder();
    syntax.keep_trailing_newline(true).trim_blocks(true).lstrip_blocks(true);
    templates.set_syntax(syntax.build()?);
    // There is only one template, and it is used until the end of the program.
    let (name, template): (&'static str, &'static str) = (name.leak(), template.leak());
    templates.add_template(name, template).map_err(|error| anyhow!("--template: {error}"))?;
    Ok(move |puzzle: &TracedPuzzle<'_>, text: &mut String| {
        text.push_str(&templates.get_template(name)?.render(Value::from(Serde(puzzle)))?);
        Ok(())
    })
}
