//! `gridmill validate`: a corpus through the pipeline, into verdicts and a scorecard.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use gridmill::compression::Compression;
use gridmill::corpus::Shard;
use gridmill::corpus::{Corpus, Input, Origin};
use gridmill::format::AnswerColumn;
use gridmill::jobs::validate::{
    COLUMNS, Checks, DuplicateIndex, Finding, Findings, IndexWorker, Keys, Note, ReferenceIndex, Repeats,
    ValidateReplay, ValidateWorker,
};
use gridmill::pipeline::{Chunk, ChunkSize, End, Stop};
use gridmill::rows::{FileColumn, OutputFormat, RowFields};
use gridmill::stats::Resumed;

use super::mill::{self, PartialOutput};
use super::resume::{self, Kept, Plan};
use crate::args;
use crate::output::{Output, OutputCompression};
use crate::ui::progress::Progress;
use crate::ui::scorecard::Scorecard;

pub(crate) fn run(arguments: &args::ValidateArgs) -> anyhow::Result<ExitCode> {
    let fail_on = fail_on(arguments)?;
    let origins = mill::origins(&arguments.input.files);
    let others = if arguments.against.is_empty() { vec![] } else { mill::origins(&arguments.against) };
    if arguments.long_run.shard.is_some() && (arguments.duplicates || arguments.isomorphs) {
        bail!("shards do not see each other: --duplicates and --isomorphs need the whole corpus, without --shard");
    }
    let all: Vec<Origin> = others.iter().chain(&origins).cloned().collect();
    if all.iter().filter(|&origin| *origin == Origin::Stdin).count() > 1 {
        bail!("standard input can be read once only");
    }
    let file = FileColumn::for_inputs(origins.len());
    let threads = super::threads(arguments.running.threads);
    let engine = arguments.running.engine();
    let build = engine.builder()?;

    let progress = mill::progress(&arguments.talking, &all);
    let open_other =
        || mill::open(others.clone(), mill::wanted(&arguments.input, AnswerColumn::Ignored, &[]), &progress);
    let other = (!arguments.against.is_empty()).then(open_other).transpose()?;
    let answer = arguments.answer_column.clone().map_or(AnswerColumn::ByName, AnswerColumn::Named);
    let corpus = mill::open(origins.clone(), mill::wanted(&arguments.input, answer, &[]), &progress)?;
    let mut corpus = corpus.shard(arguments.long_run.shard.unwrap_or(Shard::WHOLE));
    let begun = plan(arguments, &origins, &others, file, threads)?.begin(&progress)?;
    let packing = |path: &Path| OutputCompression { compression: Compression::of_extension(path), threads };
    let rejects = arguments.rejects.as_deref().map(|path| Output::create(Some(path), packing(path))).transpose()?;
    let mut rejects = rejects.map(BufWriter::new);
    let stop = mill::stop_on_ctrl_c(&progress)?;

    let size = mill::chunk_size(&arguments.running);
    let against = match other {
        None => None,
        Some(other) => {
            let workers = (0..threads).map(|_| IndexWorker::new(build())).collect();
            let Some(catalogue) = catalogue(other, workers, size, &progress, &stop)? else {
                return Ok(mill::stopped(None, begun.partial(), PartialOutput::Resumable, &progress));
            };
            Some(Arc::new(catalogue))
        }
    };
    let checks = Checks { minimal: arguments.minimal, against: against.clone() };
    let workers = (0..threads).map(|_| ValidateWorker::new(checks.clone(), build, file)).collect();
    let repeats = Repeats { duplicates: arguments.duplicates, isomorphs: arguments.isomorphs };
    let mut ledger = DuplicateIndex::new(repeats, file);
    let mut failed = Ok(());
    let reject = |record: &[u8]| {
        if let (Some(rejects), Ok(())) = (&mut rejects, &failed) {
            failed = rejects.write_all(record).and_then(|()| rejects.write_all(b"\n"));
        }
    };
    let mut recall = ValidateReplay::new(&mut ledger, &checks, file, reject);
    let partial = begun.partial().map(Path::to_owned);
    let Some(mut rows) = begun.catch_up(&mut corpus, &mut recall, &progress, &stop)? else {
        return Ok(mill::stopped(None, partial.as_deref(), PartialOutput::Resumable, &progress));
    };
    failed.context("cannot write the rejects")?;
    let mut rejected = Vec::new();
    let finish = |chunk: &mut Chunk<Arc<Input>, Note>| {
        ledger.finish(chunk, &mut rejected);
        let written = rejects.as_mut().map_or(Ok(()), |rejects| rejects.write_all(&rejected));
        rejected.clear();
        written.map_err(|error| io::Error::new(error.kind(), format!("the rejects: {error}")))
    };
    let milled = mill::run(corpus, workers, &mut rows.output, finish, size, &progress, &stop);
    progress.finish();
    let milled = milled.map_err(|error| mill::broken(error, rows.output.partial(), PartialOutput::Resumable))?;

    let score = ledger.into_score();
    let failed: Vec<Finding> = fail_on.iter().filter(|&finding| score.found(finding) > 0).collect();
    let wall_seconds = milled.wall.as_secs_f64();
    let card = Scorecard {
        records_per_second: if wall_seconds > 0.0 {
            (score.records - rows.recalled) as f64 / wall_seconds
        } else {
            0.0
        },
        score,
        against_records: against.map(|catalogue| catalogue.records()),
        failed_on: failed.iter().map(|finding| finding.name()).collect(),
        wall_seconds,
        threads,
        engine: engine.resolved().to_string(),
        stopped_after: milled.stopped_after,
        resumed: (rows.recalled > 0).then_some(Resumed { records: rows.recalled, without: vec![] }),
    };
    progress.note(&card);
    if let Some(path) = &arguments.summary {
        mill::write_summary(&card, path)?;
    }
    if milled.end == End::Stopped {
        let (after, partial) = (card.stopped_after.as_ref(), rows.output.partial());
        return Ok(mill::stopped(after, partial, PartialOutput::Resumable, &progress));
    }
    rows.finish(None)?;
    if let Some(rejects) = rejects {
        rejects.into_inner().map_err(io::IntoInnerError::into_error).context("cannot write the rejects")?.finish()?;
    }
    Ok(ExitCode::from(u8::from(!failed.is_empty())))
}

/// Where the rows go, and what they depend on.
fn plan<'a>(
    arguments: &'a args::ValidateArgs,
    origins: &[Origin],
    others: &[Origin],
    file: FileColumn,
    threads: usize,
) -> anyhow::Result<Plan<'a>> {
    let args::ValidateArgs { input, running, destination, long_run, .. } = arguments;
    let own = [
        ("--answer-column", arguments.answer_column.clone()),
        ("--minimal", resume::flag(arguments.minimal)),
        ("--duplicates", resume::flag(arguments.duplicates)),
        ("--isomorphs", resume::flag(arguments.isomorphs)),
    ];
    let options = resume::options(input, running, destination, long_run).into_iter().chain(own);
    let kept = Kept::of(destination, long_run, || resume::manifest("validate", origins, others, options))?;
    let header = format!("{},{COLUMNS}\n", RowFields::new(file).first_columns()).into_bytes();
    Ok(Plan { destination, long_run, kept, header, ends: OutputFormat::Csv.ends(), threads })
}

/// The findings that make the exit code 1. One that nobody looks for is a mistake: the check would never fail.
fn fail_on(arguments: &args::ValidateArgs) -> anyhow::Result<Findings> {
    let Some(groups) = &arguments.fail_on else {
        let other = [Finding::NotMinimal, Finding::Duplicate, Finding::Isomorph];
        return Ok(Finding::ALL.into_iter().filter(|finding| !other.contains(finding)).collect());
    };
    for &finding in groups.iter().filter(|group| group.len() < Finding::ALL.len()).copied().flatten() {
        let (looked_for, option) = match finding {
            Finding::NotMinimal => (arguments.minimal, "--minimal"),
            Finding::Duplicate => (arguments.duplicates, "--duplicates"),
            Finding::Isomorph => (arguments.isomorphs, "--isomorphs"),
            finding if Finding::LEAKS.contains(&finding) => (!arguments.against.is_empty(), "--against"),
            _ => continue,
        };
        if !looked_for {
            bail!("--fail-on {} needs {option}", finding.name());
        }
    }
    Ok(groups.iter().copied().flatten().copied().collect())
}

/// Reads the other corpus; `None` if that was stopped.
fn catalogue(
    corpus: Corpus,
    workers: Vec<IndexWorker>,
    size: ChunkSize,
    progress: &Progress,
    stop: &Stop,
) -> anyhow::Result<Option<ReferenceIndex>> {
    let mut catalogue = ReferenceIndex::default();
    let finish = |chunk: &mut Chunk<Arc<Input>, Option<Keys>>| {
        catalogue.add(chunk);
        Ok(())
    };
    let milled = mill::run(corpus, workers, io::sink(), finish, size, progress, stop)?;
    Ok((milled.end == End::Complete).then_some(catalogue))
}
