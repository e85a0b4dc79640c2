//! Property: a run that was stopped after any chunk, and whose partial output was damaged in any way, is resumed to the
//! bytes of a run that was not interrupted.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicU8, Ordering};

use gridmill::corpus::{Corpus, Origin};
use gridmill::format::{AnswerColumn, InputOptions};
use gridmill::jobs::{Canon, Event, Execution, JobError, Rate, Solve, Validate};
use gridmill::output::OutputTarget;
use gridmill::pipeline::{End, Stop};
use gridmill::rows::OutputFormat;

use super::runs::count_records;

/// The jobs and formats that can be resumed.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Solve(OutputFormat),
    Rate(OutputFormat),
    Canon(OutputFormat),
    Validate(OutputFormat),
}

const KINDS: [Kind; 10] = [
    Kind::Solve(OutputFormat::Csv),
    Kind::Solve(OutputFormat::Jsonl),
    Kind::Solve(OutputFormat::Lines),
    Kind::Solve(OutputFormat::Grids),
    Kind::Rate(OutputFormat::Csv),
    Kind::Rate(OutputFormat::Jsonl),
    Kind::Canon(OutputFormat::Csv),
    Kind::Canon(OutputFormat::Jsonl),
    Kind::Validate(OutputFormat::Csv),
    Kind::Validate(OutputFormat::Jsonl),
];

/// The extensions of outputs.
const EXTENSIONS: [&str; 3] = ["csv", "csv.gz", "csv.zst"];

/// The extensions of the files to which `validate` copies records.
const COPIES: [&str; 2] = ["accepts", "rejects"];

/// Interrupts a run, damages its partial output, resumes it, and compares the outputs.
///
/// The first of `bytes` selects the job and the compression, the next two are sizes of chunks, the next says after how
/// many chunks to stop, and three more what to damage; the rest is the input.
pub fn resumed_run(bytes: &[u8]) {
    let Some((&[kind, chunk, other_chunk, chunks, damage, at, value], input)) = bytes.split_first_chunk::<7>() else {
        return;
    };
    let options = InputOptions { answer: AnswerColumn::ByName, ..InputOptions::default() };
    if count_records(input, &options).is_none() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory can be made");
    let input_path = directory.path().join("in");
    fs::write(&input_path, input).expect("a file can be written");
    let extension = EXTENSIONS[usize::from(kind) / KINDS.len() % EXTENSIONS.len()];
    let kind = KINDS[usize::from(kind) % KINDS.len()];
    let output = |name: &str| directory.path().join(format!("{name}.{extension}"));

    let execution = || Execution::new().threads(2).chunk_size(NonZeroUsize::MIN.saturating_add(chunk.into()));
    let end = run(kind, &options, &input_path, &output("complete"), false, &execution()).expect("a complete run");
    assert_eq!(end, End::Complete);

    let stop = Stop::new();
    let (left, stop_in_observer) = (AtomicU8::new(chunks), stop.clone());
    let observer = move |event: Event<'_>| {
        if matches!(event, Event::Written { .. }) && left.fetch_sub(1, Ordering::Relaxed) == 0 {
            stop_in_observer.trigger();
        }
    };
    let stopped = execution().stop(stop).observer(observer).checkpoint_each_chunk();
    let resumed = output("resumed");
    if run(kind, &options, &input_path, &resumed, false, &stopped).expect("a run that stops") == End::Stopped {
        let partial = resumed.with_extension(format!("{}.partial", extension.rsplit('.').next().unwrap()));
        let mut rows = fs::read(&partial).expect("there is a partial output");
        do_damage(&mut rows, damage, at, value);
        fs::write(&partial, rows).expect("a file can be written");
        let execution = Execution::new().chunk_size(NonZeroUsize::MIN.saturating_add(other_chunk.into()));
        let end = run(kind, &options, &input_path, &resumed, true, &execution).expect("a resumed run");
        assert_eq!(end, End::Complete);
    }
    let read = |path: &Path| fs::read(path).expect("the run is complete");
    assert!(read(&output("complete")) == read(&resumed), "the same output");
    let copies = |path: &Path| COPIES.map(|name| fs::read(path.with_extension(name)).unwrap_or_default());
    assert!(copies(&output("complete")) == copies(&resumed), "the same accepts and rejects");
}

/// Cuts off, changes or adds bytes.
fn do_damage(rows: &mut Vec<u8>, damage: u8, at: u8, value: u8) {
    let at = rows.len() * usize::from(at) / 256;
    match damage % 5 {
        0 => {}
        1 => rows.truncate(at),
        2 if at < rows.len() => rows[at] ^= value,
        3 => rows.extend(vec![value; usize::from(damage)]),
        _ => rows[at..].fill(0),
    }
}

/// Runs a job with an output file.
fn run(
    kind: Kind,
    options: &InputOptions,
    input: &Path,
    output: &Path,
    resume: bool,
    execution: &Execution,
) -> Result<End, JobError> {
    let corpus =
        Corpus::open(vec![Origin::File(input.to_owned())], options.clone()).expect("the format was detected before");
    let target = OutputTarget::file(output);
    match kind {
        Kind::Solve(format) => {
            let names = Solve::COLUMNS.iter().map(|column| column.name);
            let columns = names.filter(|name| !["file", "nanos"].contains(name));
            let job = Solve::new().format(format).resume(resume);
            let job = if format.has_columns() { job.columns(columns) } else { job };
            job.run_to(corpus, &target, execution).map(|finished| finished.end)
        }
        Kind::Rate(format) => {
            let job = Rate::new().format(format).resume(resume);
            job.run_to(corpus, &target, execution).map(|finished| finished.end)
        }
        Kind::Canon(format) => {
            let job = Canon::new().format(format).resume(resume);
            job.run_to(corpus, &target, execution).map(|finished| finished.end)
        }
        Kind::Validate(format) => {
            let [accepts, rejects] = COPIES.map(|name| OutputTarget::file(output.with_extension(name)));
            let job = Validate::new().minimal(true).duplicates(true).isomorphs(true).accepts(accepts).rejects(rejects);
            job.format(format).resume(resume).run_to(corpus, &target, execution).map(|finished| finished.end)
        }
    }
}
