//! `gridmill canon`: the canonical form of every puzzle of a corpus.

use clap::Args;
use gridmill::format::AnswerColumn;
use gridmill::jobs::Canon;
use gridmill::jobs::canon::{CanonCounts, CanonOptions};
use gridmill::output::RunFiles;
use indicatif::HumanCount;

use super::frame::{InWords, Run};
use crate::cli::args::{LongRunArgs, RowArgs};
use crate::cli::call::Exit;
use crate::cli::report::{Colour, Section};
use crate::cli::ui::summary::{Counted, Seconds, listed};

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
#[command(after_help = EXAMPLES)]
pub(crate) struct CanonArgs {
    #[command(flatten)]
    rows: RowArgs<CanonOptions>,

    #[command(flatten)]
    long_run: LongRunArgs,
}

impl Run for CanonArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        self.rows.files()
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let job = self.rows.set(Canon::new())?;
        self.rows.run(&self.long_run, job, AnswerColumn::Ignored, &self.rows.keep, |_, _| false)
    }
}

impl InWords for CanonCounts {
    const TITLE: &'static str = "Canonical forms";

    fn sentence(&self, time: Seconds) -> String {
        let CanonCounts { unique, clues, .. } = *self;
        let (forms, of_unique, of_others) = (Counted(unique + clues, "form"), HumanCount(unique), HumanCount(clues));
        let without = listed(without_form(self));
        let without = if without.is_empty() { without } else { format!("; without a form: {without}") };
        format!("{forms} in {time}: {of_unique} of puzzles with one solution, {of_others} of others{without}")
    }

    fn shares(&self) -> Option<Section> {
        let forms =
            [("of a puzzle with one solution", self.unique, Colour::Good), ("of another", self.clues, Colour::Notice)];
        let formless = without_form(self).map(|(why, count)| (why, count, Colour::Bad));
        Some(Section::shares("forms", "Canonical forms", &[&forms[..], &formless].concat()))
    }
}

/// The numbers of records without a form, by reason.
fn without_form(counts: &CanonCounts) -> [(&'static str, u64); 4] {
    let CanonCounts { undecided, out_of_bound, other_sizes, malformed, .. } = *counts;
    [
        ("malformed", malformed),
        ("not 4x4, 6x6 or 9x9", other_sizes),
        ("undecided", undecided),
        ("beyond the work bound", out_of_bound),
    ]
}
