//! `gridmill canon`: the canonical form of every puzzle of a corpus.

use std::fmt::Write;
use std::process::ExitCode;

use gridmill::format::AnswerColumn;
use gridmill::jobs::Canon;
use gridmill::jobs::canon::{CanonCounts, CanonReport};
use gridmill::pipeline::End;
use indicatif::HumanCount;

use crate::args::CanonArgs;
use crate::ui::ending;
use crate::ui::progress::Progress;
use crate::ui::summary::{Counted, Seconds};

pub(crate) fn run(args: &CanonArgs) -> anyhow::Result<ExitCode> {
    args.output.check_csv("canon")?;
    let origins = args.input.origins()?;
    let progress = Progress::of_inputs(&args.report, &origins);
    let corpus = args.input.open(origins, AnswerColumn::Ignored, &[], &progress)?;
    let execution = args.run.execution(&progress);
    let job = Canon::new().engine(args.run.engine()).max_branches(args.run.max_branches);
    let finished = job.run_to(corpus, &args.output.target(), &execution);
    progress.finish();
    let finished = finished.map_err(ending::in_words)?;
    let report = &finished.report;
    if finished.end == End::Stopped && report.stopped_after.is_none() {
        return Ok(ending::stopped(&finished, None, &progress));
    }
    progress.note(sentence(report));
    if finished.end == End::Stopped {
        return Ok(ending::stopped(&finished, report.stopped_after.as_ref(), &progress));
    }
    Ok(ExitCode::SUCCESS)
}

/// The numbers of forms, and of puzzles without one, by the reason.
pub(super) fn sentence(report: &CanonReport) -> String {
    let CanonCounts { unique, clues, undecided, out_of_bound, other_sizes, malformed } = report.counts;
    let mut sentence = format!(
        "{} in {}: {} of puzzles with one solution, {} of others",
        Counted(unique + clues, "form"),
        Seconds(report.wall_seconds),
        HumanCount(unique),
        HumanCount(clues),
    );
    let formless = [
        (malformed, "malformed"),
        (other_sizes, "not 9x9"),
        (undecided, "undecided"),
        (out_of_bound, "beyond the work bound"),
    ];
    for (number, (count, why)) in formless.into_iter().filter(|&(count, _)| count > 0).enumerate() {
        let before = if number == 0 { "; without a form: " } else { ", " };
        write!(sentence, "{before}{} {why}", HumanCount(count)).expect("a string takes any text");
    }
    sentence
}
