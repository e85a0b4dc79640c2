//! `gridmill generate`: puzzles with exactly one solution.

use std::process::ExitCode;

use gridmill::jobs::generate::{Content, Target};
use gridmill::jobs::{Execution, Generate};
use gridmill::resume::OutputFile;

use crate::args::GenerateArgs;

pub(crate) fn run(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let job = Generate::new(args.count)
        .order(args.order)
        .seed(args.seed)
        .target(args.clues.map_or(Target::Minimal, Target::Clues))
        .max_branches(args.max_branches)
        .content(if args.with_solution { Content::PuzzlesWithSolutions } else { Content::Puzzles });
    let execution = args.threads.map_or_else(Execution::new, |threads| Execution::new().threads(threads.into()));
    job.check()?;
    let mut output = OutputFile::create(&args.output.target(), execution.thread_count())?;
    job.run(&mut output, &execution)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
