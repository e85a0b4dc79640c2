//! Runs a job to a file: resumes an interrupted run, describes a shard for a merge, writes Parquet.

use std::io::Write;

use serde_json::json;

use super::pipeline::{Results, RowOutput, write_rows};
use super::skip::skip;
use super::{header, stopped, text_style, write_text};
use crate::corpus::Corpus;
use crate::pipeline::End;
use crate::resume::{
    FinishedShard, Manifest, ManifestError, NpyLayout, NpyRows, OutputError, OutputTarget, Resumable, RowFile,
    RunFiles, ShardMetadata, ShardResults, exactly,
};
use crate::rows::{OutputFormat, Table};
use crate::run::job::{Counts, RowJob, SerialStage};
use crate::run::{Event, Execution, Finished, JobError, PartialOutput};
use crate::stats::{Run, RunCounts};

/// Writes the rows of a job to a file or to standard output.
pub(crate) fn run_to<J: RowJob>(
    mut job: J,
    mut corpus: Corpus,
    target: &OutputTarget,
    execution: &Execution,
) -> Result<Finished<J::Report>, JobError> {
    check_files(&job, &corpus, target)?;
    #[cfg(feature = "parquet")]
    if let Some(pages) = target.pages() {
        return parquet::run_to(job, corpus, target, pages, execution);
    }
    if job.settings().format == OutputFormat::Npy {
        return write_array(target, job.npy_layout(), |rows| write_text(job, corpus, rows, execution));
    }
    let style = text_style(&job, &mut corpus)?;
    let (resume, shard) = (job.settings().resume, corpus.selected_shard());

    // Do not compute a shard again that an earlier run has finished.
    if resume && shard.is_some() {
        match RowFile::finished_shard(target, || manifest(&job, &style.table, &corpus, target))? {
            Some(FinishedShard { metadata, is_damaged: false }) => {
                execution.notify(Event::AlreadyFinished);
                let report = merged::<J, _>([&metadata], |_, source| RowFile::shard_form_error(target, source))?;
                return Ok(Finished { report, end: End::Complete, partial: None });
            }
            Some(_) => execution.notify(Event::DamagedShard),
            None => {}
        }
    }

    let mut stage = job.stage(&corpus, execution)?;
    let block = block(&job);
    let resumable = || {
        let manifest = manifest(&job, &style.table, &corpus, target)?;
        Ok(Resumable { manifest, has_notes: J::Stage::TAKES_RECORDS, pace: execution.pace })
    };
    let resumable = job.obstacle_to_resume().is_none().then_some(resumable);
    let mut rows = RowFile::open(target, resume, header(&job, &style), block, execution.threads, resumable)?;
    if let (true, false, Some(partial)) = (resume, rows.is_interrupted(), rows.partial()) {
        execution.notify(Event::NothingToResume { partial: &partial });
    }
    let partial = rows.partial().map(|path| PartialOutput { path, resumable: rows.is_resumable() });
    if job.prepare(&mut stage, execution)? == End::Stopped || rows.verify(&execution.stop)? == End::Stopped {
        return stopped(&job, stage, partial, execution);
    }

    // The records of an interrupted run come first.
    if target.compression.is_some() {
        corpus = corpus.in_blocks(block);
    }
    let Some(progress) = skip::<J>(&rows, &mut corpus, &mut stage, execution)? else {
        return stopped(&job, stage, partial, execution);
    };
    stage.check().map_err(OutputError::Write)?;
    if let (true, Some(partial)) = (rows.is_interrupted(), rows.partial()) {
        execution.notify(Event::Resuming { partial: &partial, records: progress.records });
    }
    rows.start()?;

    let is_resumable = rows.is_resumable();
    let output = RowOutput::File(&mut rows, progress);
    let run = write_rows(&job, &style, stage, corpus, output, &mut |_| Ok(()), execution);
    let results = run.and_then(|run| run.results(&job, execution));
    let so_far = |rows: RowFile| {
        let path = rows.into_partial()?;
        Ok::<_, OutputError>(path.map(|path| PartialOutput { path, resumable: is_resumable }))
    };
    let (tally, Results { counts, run, end }) = match results {
        Ok(results) => results,
        Err(error) => return Err(error.with_rows(so_far(rows)?)),
    };
    if end == End::Stopped {
        return Ok(Finished { report: J::report(counts, run), end, partial: so_far(rows)? });
    }

    rows.write_all(style.footer()).map_err(OutputError::Write)?;
    // Finish the rows last: until they have their name, the run can be resumed, and repeats the steps above.
    rows.finish(|manifest, output| {
        let results = ShardResults { counts: json!(counts), run: json!(run) };
        Some(ShardMetadata { shard: shard?, manifest, output, records: counts.records(), results })
    })?;
    execution.notify_of_inputs(&tally);
    Ok(Finished { report: J::report(counts, run), end, partial: None })
}

/// Adds up the results of shards.
///
/// # Errors
///
/// If the results of a shard do not fit the job: the error that `form` makes from its index and the cause.
pub(crate) fn merged<'a, J: RowJob, E>(
    shards: impl IntoIterator<Item = &'a ShardMetadata>,
    form: impl Fn(usize, serde_json::Error) -> E,
) -> Result<J::Report, E> {
    let mut sum: Option<(Counts<J>, Run)> = None;
    for (index, shard) in shards.into_iter().enumerate() {
        let ShardResults { counts, run } = &shard.results;
        let counts: Counts<J> = exactly(counts).map_err(|error| form(index, error))?;
        let run: Run = exactly(run).map_err(|error| form(index, error))?;
        match &mut sum {
            None => sum = Some((counts, run)),
            Some((all, total)) => {
                all.merge(counts);
                total.merge(&run);
            }
        }
    }
    let (counts, run) = sum.expect("there are shards");
    Ok(J::report(counts, run))
}

/// The number of records after which a frame of compressed text may end. Unlimited if the run cannot be resumed.
fn block<J: RowJob>(job: &J) -> u64 {
    if job.obstacle_to_resume().is_none() { job.chunk_limits().all.get() as u64 } else { u64::MAX }
}

/// Checks that no output of a job is one of its inputs.
fn check_files<J: RowJob>(job: &J, corpus: &Corpus, target: &OutputTarget) -> Result<(), OutputError> {
    let reference = job.reference().map_or(&[][..], Corpus::origins);
    target.check_inputs(RunFiles::new().corpus(corpus.origins()).corpus(reference))
}

/// The manifest of a run: everything that determines the bytes of the rows.
fn manifest<J: RowJob>(
    job: &J,
    table: &Table,
    corpus: &Corpus,
    target: &OutputTarget,
) -> Result<Manifest, ManifestError> {
    let mut options = job.settings().in_manifest(table);
    if let Some(compression) = target.compression {
        options.insert("compress".into(), json!(compression));
    }
    options.extend(job.in_manifest(corpus).into_iter().map(|(name, value)| (name.to_owned(), value)));
    Manifest::read(J::NAME, corpus, job.reference(), options, block(job))
}

/// Checks that rows for an arbitrary writer are not in the format of `NumPy`, whose header is known only at the end.
pub(super) fn check_no_array(format: OutputFormat) -> Result<(), JobError> {
    if format == OutputFormat::Npy { Err(OutputError::ArrayNotToFile.into()) } else { Ok(()) }
}

/// Opens a file, runs a job that writes its rows there, and gives the file its name. If the job is stopped, no file is
/// left.
fn write_array<R>(
    target: &OutputTarget,
    layout: NpyLayout,
    run: impl FnOnce(&mut NpyRows) -> Result<Finished<R>, JobError>,
) -> Result<Finished<R>, JobError> {
    let mut rows = NpyRows::create(target, layout)?;
    let finished = run(&mut rows)?;
    if finished.end == End::Complete {
        rows.finish()?;
    }
    Ok(finished)
}

/// Writes the rows of a job to a Parquet file.
#[cfg(feature = "parquet")]
mod parquet {
    use super::{Corpus, Execution, Finished, JobError, OutputTarget, RowJob};
    use crate::compression::PageCompression;
    use crate::run::parquet_file;
    use crate::run::{OptionError, run_table, table_schema};

    pub(crate) fn run_to<J: RowJob>(
        job: J,
        mut corpus: Corpus,
        target: &OutputTarget,
        pages: PageCompression,
        execution: &Execution,
    ) -> Result<Finished<J::Report>, JobError> {
        if job.settings().resume {
            return Err(OptionError::NotResumable("that writes Parquet").into());
        }
        let schema = table_schema(&job, &mut corpus)?;
        parquet_file::write(target, pages, schema, execution, |each| run_table(job, corpus, each, execution))
    }
}
