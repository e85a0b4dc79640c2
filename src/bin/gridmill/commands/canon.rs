//! `gridmill canon`: a corpus through the pipeline, into canonical forms.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context;
use gridmill::format::AnswerColumn;
use gridmill::jobs::canon::{CanonCounts, CanonWorker};
use gridmill::pipeline::End;
use gridmill::rows::{FileColumn, RowFields};
use indicatif::HumanCount;

use super::mill::{self, PartialOutput};
use crate::args;
use crate::ui::summary::Seconds;

pub(crate) fn run(arguments: &args::CanonArgs) -> anyhow::Result<ExitCode> {
    let origins = mill::origins(&arguments.input.files);
    let file = FileColumn::for_inputs(origins.len());
    let threads = super::threads(arguments.running.threads);
    let progress = mill::progress(&arguments.talking, &origins);
    let corpus = mill::open(origins, mill::wanted(&arguments.input, AnswerColumn::Ignored, &[]), &progress)?;
    let mut output = arguments.destination.create(threads)?;
    writeln!(output, "{},{}", RowFields::new(file).first_columns(), CanonWorker::COLUMNS)
        .context("cannot write the output")?;
    let build = arguments.running.engine().builder()?;
    let worker = |_| CanonWorker::new(build(), RowFields::new(file));
    let workers = (0..threads).map(worker).collect();
    let stop = mill::stop_on_ctrl_c(&progress)?;

    let size = mill::chunk_size(&arguments.running);
    let milled = mill::run(corpus, workers, &mut output, |_| Ok(()), size, &progress, &stop);
    progress.finish();
    let milled = milled.map_err(|error| mill::broken(error, output.partial(), PartialOutput::Rows))?;

    let mut counts = CanonCounts::default();
    for worker in &milled.workers {
        counts.add(worker.counts());
    }
    let CanonCounts { unique, clues, out_of_bound, other_sizes, malformed } = counts;
    let mut said = format!(
        "{} forms in {}: {} of puzzles with one solution, {} of others",
        HumanCount(unique + clues),
        Seconds(milled.wall.as_secs_f64()),
        HumanCount(unique),
        HumanCount(clues),
    );
    let formless = [(malformed, "malformed"), (other_sizes, "not 9x9"), (out_of_bound, "beyond the work bound")];
    for (number, (count, why)) in formless.into_iter().filter(|&(count, _)| count > 0).enumerate() {
        let before = if number == 0 { "; without a form: " } else { ", " };
        write!(said, "{before}{} {why}", HumanCount(count)).expect("a string takes any text");
    }
    progress.note(said);
    if milled.end == End::Stopped {
        return Ok(mill::stopped(milled.stopped_after.as_ref(), output.partial(), PartialOutput::Rows, &progress));
    }
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
