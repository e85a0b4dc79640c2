//! The steps that jobs with a resumable output share.

use super::{Event, Execution, Finished, JobError, PartialOutput};
use crate::corpus::{Corpus, Origin, Shard};
use crate::engine::MaxBranches;
use crate::pipeline::End;
use crate::resume::{
    Fingerprint, FinishedShard, JobName, Manifest, ManifestError, OutputError, OutputTarget, Replay, Resume, RowFile,
    RowLayout, RowOptions, RunFiles,
};
use crate::stats::Summary;

/// The manifest of a job; `options` are those of the job.
pub(super) fn manifest(
    command: JobName,
    corpus: &Corpus,
    against: Option<&Corpus>,
    options: RowOptions,
) -> Result<Manifest, ManifestError> {
    let fingerprints = |origins: &[Origin]| origins.iter().map(Fingerprint::read).collect::<Result<Vec<_>, _>>();
    let input = corpus.options();
    let mut alphabet: Vec<String> = input.alphabets.iter().map(|alphabet| alphabet.name().to_owned()).collect();
    alphabet.sort_unstable();
    Ok(Manifest {
        gridmill: env!("CARGO_PKG_VERSION").to_owned(),
        command,
        inputs: fingerprints(corpus.origins())?,
        against: against.map_or(Ok(vec![]), |against| fingerprints(against.origins()))?,
        options: RowOptions {
            from: input.format,
            alphabet,
            puzzle_column: input.puzzle_column.clone(),
            keep: input.keep.clone(),
            shard: corpus.selected_shard(),
            ..options
        },
    })
}

/// The option for manifests, if it is not the default.
pub(super) fn row_option(max_branches: MaxBranches) -> Option<String> {
    (max_branches != MaxBranches::default()).then(|| max_branches.to_string())
}

/// Checks that the output of a job is none of its inputs.
pub(super) fn check_files(corpus: &Corpus, against: Option<&Corpus>, target: &OutputTarget) -> Result<(), OutputError> {
    let against = against.map_or(&[][..], Corpus::origins);
    target.check_inputs(RunFiles::new().corpus(corpus.origins()).corpus(against))
}

/// The result of a shard that an earlier run finished with the same manifest. If its output is damaged, there is none.
pub(super) fn finished_shard(
    target: &OutputTarget,
    resume: Resume,
    shard: Option<Shard>,
    execution: &Execution,
    manifest: impl FnOnce() -> Result<Manifest, ManifestError>,
) -> Result<Option<Finished<Summary>>, JobError> {
    if resume == Resume::No || shard.is_none() {
        return Ok(None);
    }
    let Some(FinishedShard { metadata, is_damaged }) = RowFile::finished_shard(target, manifest)? else {
        return Ok(None);
    };
    if is_damaged {
        execution.notify(Event::DamagedShard);
        return Ok(None);
    }
    execution.notify(Event::AlreadyFinished);
    let report = Some(metadata.stats.summary(metadata.run));
    Ok(Some(Finished { report, end: End::Complete, partial: None }))
}

/// Opens the output of a job, and reports if there is nothing to resume.
pub(super) fn open(
    target: &OutputTarget,
    resume: Resume,
    layout: RowLayout,
    execution: &Execution,
    manifest: impl FnOnce() -> Result<Manifest, ManifestError>,
) -> Result<RowFile, JobError> {
    let rows = RowFile::open(target, resume, layout, execution.threads, manifest)?;
    if let (Resume::Yes, false, Some(partial)) = (resume, rows.awaits_replay(), rows.partial()) {
        execution.notify(Event::NothingToResume { partial: &partial });
    }
    Ok(rows)
}

/// The output of a job as it is if the job does not complete.
pub(super) fn partial(rows: &RowFile, resumable: bool) -> Option<PartialOutput> {
    rows.partial().map(|path| PartialOutput { path, resumable })
}

/// Replays the rows of an interrupted run, if there are any; [`End::Stopped`] if that was stopped.
pub(super) fn start(
    rows: &mut RowFile,
    corpus: &mut Corpus,
    replay: &mut dyn Replay,
    execution: &Execution,
) -> Result<End, JobError> {
    let resumes = rows.awaits_replay();
    let progress = |corpus: &Corpus| execution.notify(Event::Replaying { input_bytes: corpus.consumed_bytes() });
    if rows.start(corpus, replay, &execution.stop, progress)? == End::Stopped {
        return Ok(End::Stopped);
    }
    if let (true, Some(partial)) = (resumes, rows.partial()) {
        progress(corpus);
        execution.notify(Event::Resuming { partial: &partial, rows: rows.replayed() });
    }
    Ok(End::Complete)
}
