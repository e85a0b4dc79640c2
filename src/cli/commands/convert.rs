//! `gridmill convert`: writes the puzzles of a corpus in another format, or draws them.

use anyhow::bail;
use clap::Args;
use gridmill::format::AnswerColumn;
use gridmill::jobs::Convert;
use gridmill::jobs::convert::{ConvertCounts, ConvertOptions};
use gridmill::output::RunFiles;
use indicatif::HumanCount;

use super::frame::{InWords, RowRun, Run};
use crate::cli::args::{ExecutionArgs, LongRunArgs, RowArgs};
use crate::cli::call::Exit;
use crate::cli::report::{Colour, Section};
use crate::cli::ui::ending;
use crate::cli::ui::printable::in_one_line;
use crate::cli::ui::summary::{Counted, Seconds};

const EXAMPLES: &str = "\
Examples:
  Puzzles for OpenSudoku, and for everything that reads lines:
    gridmill convert corpus.csv -o puzzles.opensudoku
    gridmill convert puzzles.opensudoku -o puzzles.sdm
  Keep columns of a table:
    gridmill convert corpus.csv --columns puzzle --keep rating -o puzzles.parquet
  Draw the first twelve:
    head -n 12 puzzles.txt | gridmill convert -o puzzles.svg
  Draw each, with its line in the name:
    gridmill convert puzzles.txt -o 'picture-{line}.svg'
  Put tables together, with all columns of the first:
    gridmill convert train.csv test.csv --columns puzzle --keep all -o all.csv";

/// Write the puzzles in another format, without solving them.
///
/// Tables have a row for each record. Other formats have a comment in place of a record that is malformed, or that they
/// cannot hold: OpenSudoku has 9x9 puzzles only. A picture has at most 100 puzzles; a name such as
/// 'p-{line}.svg' is of one picture for each puzzle.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    rows: RowArgs<ConvertOptions, ExecutionArgs>,

    #[command(flatten)]
    long_run: LongRunArgs,
}

impl Run for ConvertArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        self.rows.files()
    }

    fn run(&self) -> anyhow::Result<Exit> {
        if self.rows.is_picture()? {
            return self.draw();
        }
        let job = self.rows.set(Convert::new())?;
        self.rows.run(&self.long_run, job, AnswerColumn::Ignored, &self.rows.keep, |_, _| false)
    }
}

impl ConvertArgs {
    /// Draws the puzzles.
    fn draw(&self) -> anyhow::Result<Exit> {
        if self.long_run.resume || self.long_run.shard.is_some() {
            bail!("a picture has no {}; leave it out", self.long_run.option());
        }
        self.rows.check_picture()?;
        let run = RowRun::new(&self.rows, &[])?;
        let corpus = run.open(AnswerColumn::Ignored, &[], None)?;
        let drawn = Convert::draw(corpus, &self.rows.output.target()?, |record, reason| {
            run.progress.note(format!("{}:{}: not drawn: {reason}", in_one_line(record.file()), record.line));
        });
        match drawn {
            Ok(_) => Ok(Exit::Success),
            Err(error) => Err(ending::in_words(error)),
        }
    }
}

impl InWords for ConvertCounts {
    const TITLE: &'static str = "Conversion";

    fn sentence(&self, time: Seconds) -> String {
        let mut sentence = format!("{} in {time}", Counted(self.puzzles, "puzzle"));
        for (why, count) in
            [("malformed", self.malformed), ("not written, since the format cannot hold them", self.not_written)]
        {
            if count > 0 {
                sentence = format!("{sentence}; {} {why}", HumanCount(count));
            }
        }
        sentence
    }

    fn shares(&self) -> Option<Section> {
        let shares = [
            ("written", self.puzzles, Colour::Good),
            ("not in this format", self.not_written, Colour::Notice),
            ("malformed", self.malformed, Colour::Bad),
        ];
        Some(Section::shares("records", "Records", &shares))
    }
}
