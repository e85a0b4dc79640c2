//! `gridmill canon`: the canonical form of every puzzle of a corpus. `gridmill classes`: the set of all classes.

use std::path::PathBuf;

use clap::Args;
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::jobs::Canon;
use gridmill::jobs::canon::{CanonCounts, CanonOptions, ClassesReport};
use gridmill::output::{OutputTarget, RunFiles};
use gridmill::stats::RunFacts;
use indicatif::HumanCount;

use super::frame::{InWords, Report, Run, finish};
use crate::cli::args::{InputArgs, LongRunArgs, LookupArgs, ReportingArgs, RowArgs, SolvingArgs, WorkArgs};
use crate::cli::call::Exit;
use crate::cli::report::{Colour, Section};
use crate::cli::ui::ending;
use crate::cli::ui::progress::Progress;
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

const SET_EXAMPLES: &str = "\
Examples:
  Publish which classes a hidden test set has, and look for them in a training set:
    gridmill classes test.csv -o hidden.classes
    gridmill validate train.csv --against hidden.classes --fail-on leak -o report.csv
  The same for those who have a key:
    head -c 32 /dev/urandom > key
    gridmill classes test.csv --class-key key -o hidden.classes
    gridmill validate train.csv --against hidden.classes --class-key key -o report.csv";

/// Write the set of the classes of a corpus, to find its puzzles in other corpora without showing them.
///
/// The file has a line with counts and a hash, and 16 bytes for each class, in ascending order. Anybody who has a puzzle
/// can look for its class in it; with --class-key, only those who have the key can.
#[derive(Debug, Args)]
#[command(after_help = SET_EXAMPLES)]
pub(crate) struct ClassesArgs {
    #[command(flatten)]
    input: InputArgs,

    /// Write the set to this file
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,

    #[command(flatten)]
    lookup: LookupArgs,

    #[command(flatten)]
    solving: SolvingArgs,

    #[command(flatten)]
    reporting: ReportingArgs,
}

impl Run for ClassesArgs {
    fn files(&self) -> anyhow::Result<RunFiles> {
        let files = self.lookup.add_to(self.input.files()?).output("-o", &OutputTarget::file(&self.output));
        Ok(self.reporting.add_to(files))
    }

    fn run(&self) -> anyhow::Result<Exit> {
        let key = self.lookup.read()?;
        let origins = self.input.origins()?;
        let progress = self.reporting.progress(&origins);
        // Solutions in other columns are read, too: a set has their classes.
        let options = InputOptions { reads_others: true, ..self.input.options(AnswerColumn::ByName, &[]) };
        let corpus = InputArgs::open(origins, options, &progress)?;

        let execution = self.solving.execution(&progress);
        let job = Canon::new().engine(self.solving.engine()).max_branches(self.solving.max_branches);
        let (target, allow_malformed) = (OutputTarget::file(&self.output), self.lookup.allow_malformed);
        let finished = job.write_classes(corpus, &target, key, allow_malformed, &execution);
        finish(finished.map_err(ending::in_words), &self.reporting, None, &progress, |_| false)
    }
}

impl Report for ClassesReport {
    fn show(&self, run: &RunFacts, progress: &Progress) {
        let (counts, seconds) = (self.counts, Seconds(run.wall_seconds));
        let (classes, records) = (HumanCount(self.classes), Counted(counts.records, "record"));
        progress.note(format!("{classes} classes of {records} in {seconds}"));
        if counts.without_class > 0 {
            let puzzles = Counted(counts.without_class, "puzzle");
            progress.note(format!("{puzzles} without a class, which cannot be found through the set"));
        }
        if counts.malformed > 0 {
            progress.note(format!("{} malformed", Counted(counts.malformed, "record")));
        }
    }
}
