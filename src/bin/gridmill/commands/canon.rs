//! `gridmill canon`: the canonical form of every puzzle of a corpus.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use gridmill::format::AnswerColumn;
use gridmill::jobs::Canon;
use gridmill::jobs::canon::{CanonCounts, CanonReport};
use gridmill::resume::RunFiles;
use gridmill::stats::StoppedAfter;
use indicatif::HumanCount;

use super::frame::{Report, RowRun, Run};
use crate::args::{LongRunArgs, RowArgs};
use crate::report::{Colour, Page, Section};
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::summary::{Counted, ResumedNote, Seconds};

const EXAMPLES: &str = "\
Examples:
  Write the canonical form and the class of each puzzle:
    gridmill canon puzzles.txt -o forms.csv
  Print the form of one puzzle:
    head -n 1 puzzles.txt | gridmill canon -q";

/// Print the canonical form of each 4x4, 6x6 and 9x9 puzzle, which all its isomorphs share.
///
/// Two puzzles are isomorphs if relabelling digits, permuting bands and stacks, permuting rows and columns within them,
/// and transposing (not of 6x6) turn one into the other. A row has the puzzle, its canonical form, the canonical form of its
/// solution, its class (a hash of the form), and the number of automorphisms of the solution.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct CanonArgs {
    #[command(flatten)]
    rows: RowArgs<Canon>,

    #[command(flatten)]
    long_run: LongRunArgs,
}

impl Run for CanonArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        self.rows.files()
    }

    fn run(&self) -> anyhow::Result<ExitCode> {
        let job = self.rows.set(Canon::new())?.resume(self.long_run.resume);
        job.check(&self.rows.keep, self.long_run.shard).map_err(ending::in_words)?;
        let run = RowRun::new(&self.rows, &[])?;
        let corpus = run.open(AnswerColumn::Ignored, &self.rows.keep, self.long_run.shard)?;
        run.finish(|target, execution| job.run_to(corpus, target, execution).map_err(ending::in_words), |_| false)
    }
}

impl Report for CanonReport {
    fn stopped_after(&self) -> Option<&StoppedAfter> {
        self.stopped_after.as_ref()
    }

    fn show(&self, progress: &Progress) {
        progress.note(sentence(self));
    }

    fn page(&self) -> Option<Page> {
        let CanonCounts { unique, clues, .. } = self.counts;
        let forms = [("of a puzzle with one solution", unique, Colour::Good), ("of another", clues, Colour::Notice)];
        let formless = without_form(&self.counts).map(|(count, why)| (why, count, Colour::Bad));
        let shares: Vec<_> = forms.into_iter().chain(formless).collect();
        let section = Section::shares("forms", "Canonical forms", &shares);
        Some(Page { title: "Canonical forms".into(), lead: sentence(self), sections: vec![section] })
    }
}

/// The numbers of records without a form, by the reason.
fn without_form(counts: &CanonCounts) -> [(u64, &'static str); 4] {
    let CanonCounts { undecided, out_of_bound, other_sizes, malformed, .. } = *counts;
    [
        (malformed, "malformed"),
        (other_sizes, "not 4x4, 6x6 or 9x9"),
        (undecided, "undecided"),
        (out_of_bound, "beyond the work bound"),
    ]
}

/// The numbers of forms, and of puzzles without one, by the reason.
fn sentence(report: &CanonReport) -> String {
    let CanonCounts { unique, clues, .. } = report.counts;
    let mut sentence = format!(
        "{} in {}: {} of puzzles with one solution, {} of others",
        Counted(unique + clues, "form"),
        Seconds(report.wall_seconds),
        HumanCount(unique),
        HumanCount(clues),
    );
    for (number, (count, why)) in without_form(&report.counts).into_iter().filter(|&(count, _)| count > 0).enumerate() {
        let before = if number == 0 { "; without a form: " } else { ", " };
        write!(sentence, "{before}{} {why}", HumanCount(count)).expect("a string takes any text");
    }
    if let Some(resumed) = &report.resumed {
        write!(sentence, "; {}", ResumedNote(resumed)).expect("a string takes any text");
    }
    sentence
}
