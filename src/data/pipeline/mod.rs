//! An ordered parallel map over the records of an input. It deals with records, chunks and threads, not with Sudoku.
//!
//! ```text
//!              +----------------------- free chunks ------------------------+
//!              v                                                            |
//!   source -> reader --- chunks, numbered ---> worker, worker, ... ---> writer -> finish
//!           (a thread)                        (a rayon pool)          (a thread)
//! ```
//!
//! The first chunks go through the same stages on the calling thread if the source has its records in memory: a short
//! input then needs no other thread.
//!
//! Work that depends on earlier records is done on the writer's side: workers leave their output and results in a
//! chunk, and the caller's `finish` gets every chunk, in the order of the input, and writes it.
//!
//! A fixed number of chunks circulates, so memory is bounded whatever the size of the input. Every channel has room for
//! all of them, so no send ever blocks. When a stage ends, for any reason, it drops its channel ends, and the other
//! stages end when their channels are empty. To end the complete run early (Ctrl-C, a full disk, a panic), trigger the
//! [`Stop`]: every waiting stage also listens to it.

mod chunk;

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, select, select_biased};
use strum::Display;

use self::chunk::ChunkSizer;
pub use self::chunk::{Chunk, ChunkSize, Record};
pub use crate::clock::thread_cpu_time;
pub use crate::stop::Stop;

/// Supplies the chunks with records.
pub trait Source: Send + 'static {
    /// Properties that all records of a chunk share and the workers need, for instance the file they are from.
    type Input: Send + 'static;
    /// The reason why the source cannot supply more records.
    type Error: Send + 'static;

    /// Fills an empty chunk with at least one and at most `records` complete records, and sets its `input`. A chunk may
    /// also have text without records: the rest of the last record before it, if that was cut off.
    ///
    /// # Errors
    ///
    /// If the input cannot be read. The chunks before this one are still processed and finished.
    fn fill(&mut self, chunk: &mut Chunk<Self::Input>, records: usize) -> Result<Filled, Self::Error>;

    /// Whether the input was read to its end, so that [`fill`](Source::fill) never waits.
    fn is_in_memory(&self) -> bool {
        false
    }
}

/// Whether a source had any records left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// The chunk holds records, or the rest of one.
    Records,
    /// The input is over and the chunk is empty.
    Nothing,
}

/// Turns the text of chunks into output. Each thread owns one worker, with its scratch memory.
///
/// A worker changes only its own memory and the chunk that it is given. Time decides which chunks it gets, so nothing
/// that it remembers from one chunk may change the output for another. It may share data that no longer changes, and
/// signals such as [`Stop`].
pub trait Work<I>: Send {
    /// Processes the records of a chunk: appends to its output, and sets its results.
    fn work(&mut self, chunk: &mut Chunk<I>);
}

/// The result of a run that did not fail.
#[derive(Debug)]
pub struct Outcome {
    /// Whether the complete input was processed.
    pub end: End,
    /// The CPU time of each stage.
    pub stages: Stages,
}

/// The end of a run that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The complete input was processed.
    Complete,
    /// The [`Stop`] was triggered; the chunks that had been read by then were processed and finished, up to the first
    /// one that took too long.
    Stopped,
}

/// The CPU time of each stage; zero where the system does not report it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stages {
    /// The reader: reading and splitting.
    pub reader: Duration,
    /// The sum of all workers.
    pub workers: Duration,
    /// The writer: ordering and finishing.
    pub writer: Duration,
}

/// The error of a run. The chunks that were finished before it are complete, and in order.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PipelineError<E> {
    /// The source failed.
    #[error(transparent)]
    Source(E),
    /// `finish` failed: the output could not be written.
    #[error("cannot write the output")]
    Write(#[source] io::Error),
    /// A stage panicked, because of a bug.
    #[error("the {stage} panicked: {message}")]
    Panic {
        /// The stage.
        stage: Stage,
        /// The message of the panic.
        message: String,
    },
    /// The threads could not be started.
    #[error("cannot start the threads")]
    Threads(#[source] io::Error),
}

/// A stage of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display)]
#[strum(serialize_all = "lowercase")]
pub enum Stage {
    /// Reads records from the source.
    Reader,
    /// Turns records into output.
    Worker,
    /// Orders and finishes chunks.
    Writer,
}

/// Writes the output of a chunk. Called with every chunk, in the order of the input.
pub type Finish<'a, I> = &'a mut (dyn FnMut(&mut Chunk<I>) -> io::Result<()> + Send);

/// The longest time that a run stays on the calling thread. To start all threads takes a fifth of it.
const ALONE: Duration = Duration::from_millis(1);

/// Runs the records of a source through the workers, one thread each, and finishes the chunks in the order of the input.
///
/// `finish` runs on one thread at a time, so it should be quick.
///
/// # Errors
///
/// If a stage fails. The run never hangs: the other stages finish the chunks that they have and end. Only the reader's
/// thread may stay, if it is blocked by input that does not come.
pub fn run<I: Send + 'static, E: Send + 'static>(
    mut source: Box<dyn Source<Input = I, Error = E>>,
    mut workers: Vec<&mut dyn Work<I>>,
    finish: Finish<'_, I>,
    chunk_size: ChunkSize,
    stop: &Stop,
) -> Result<Outcome, PipelineError<E>> {
    // While it lives, a program can see that a stop will end the run, and need not end itself.
    let _listener = stop.listen();

    let sizer = ChunkSizer::new(chunk_size);
    let mut stages = Stages::default();
    let (number, end) = run_alone(&mut *source, workers[0], finish, &sizer, stop, &mut stages)?;
    if let Some(end) = end {
        return Ok(Outcome { end, stages });
    }

    let threads = workers.len();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("worker-{index}"))
        .build()
        .map_err(|error| PipelineError::Threads(io::Error::other(error)))?;

    // Two for each worker, so that one waits while the other is processed, and a few for the reader and the writer.
    let chunks = 2 * threads + 4;

    let (free, to_fill) = bounded(chunks);
    let (filled, to_work) = bounded(chunks);
    let (done, to_write) = bounded(chunks);
    for _ in 0..chunks {
        let _ = free.send(Chunk::new());
    }

    let reader = spawn_reader(source, number, to_fill, filled, sizer.clone(), stop.clone())?;
    // All threads of the pool share one closure, so each of them takes its worker from a slot.
    let slots: Vec<_> = workers.into_iter().map(Mutex::new).collect();

    // Run the writer on a separate thread and the workers on the pool; this thread waits for both.
    let ((written, writer_time), worked) = thread::scope(|scope| {
        let write = || {
            let end = catch_panic(Stage::Writer, || finish_in_order(finish, number, &to_write, &free));
            if end.is_err() {
                stop.trigger();
            }
            drop((to_write, free));
            (end, thread_cpu_time())
        };

        let writer = thread::Builder::new().name("writer".into()).spawn_scoped(scope, write)?;
        let worked = pool.broadcast(|context| {
            let mut worker = slots[context.index()].lock().ok()?;
            let start = thread_cpu_time();
            let end = catch_panic(Stage::Worker, || Ok(work_all(&mut **worker, &to_work, &done, &sizer, stop)));
            if end.is_err() {
                stop.trigger();
            }
            Some((end, thread_cpu_time().saturating_sub(start)))
        });
        // Drop the last sender: otherwise the writer would wait for more.
        drop(done);
        Ok((writer.join().unwrap_or_else(|panic| resume_unwind(panic)), worked))
    })
    .map_err(PipelineError::Threads)?;

    stages.writer += writer_time;
    let mut is_cut_off = false;
    for (end, time) in worked.into_iter().flatten() {
        is_cut_off |= end? == End::Stopped;
        stages.workers += time;
    }
    written?;

    // Without a stop, the workers ended because the reader did. After a stop, the reader may be blocked by input that
    // never comes, so it is not waited for.
    let end = if stop.is_triggered() { reader.try_recv().ok() } else { reader.recv().ok() };

    let end = match end {
        Some((end, time)) => {
            stages.reader += time;
            let end = end?;
            if is_cut_off { End::Stopped } else { end }
        }
        None => End::Stopped,
    };
    Ok(Outcome { end, stages })
}

/// Runs the first chunks on the calling thread, while the source has its records in memory, up to [`ALONE`].
/// Returns the number of these chunks, and how the run ended if it did.
fn run_alone<I: Send + 'static, E: Send + 'static>(
    source: &mut dyn Source<Input = I, Error = E>,
    worker: &mut dyn Work<I>,
    finish: Finish<'_, I>,
    sizer: &ChunkSizer,
    stop: &Stop,
    stages: &mut Stages,
) -> Result<(u64, Option<End>), PipelineError<E>> {
    let start = Instant::now();
    let (mut chunk, mut number) = (Chunk::new(), 0);
    while source.is_in_memory() && (number == 0 || start.elapsed() <= ALONE) {
        if stop.is_triggered() {
            return Ok((number, Some(End::Stopped)));
        }

        chunk.set_number(number);
        let fill = || source.fill(&mut chunk, sizer.records()).map_err(PipelineError::Source);
        if timed(&mut stages.reader, Stage::Reader, fill)? == Filled::Nothing {
            return Ok((number, Some(End::Complete)));
        }

        timed(&mut stages.workers, Stage::Worker, || {
            sizer.time(chunk.records.len(), || worker.work(&mut chunk));
            Ok(())
        })?;
        if stop.is_overdue() {
            return Ok((number, Some(End::Stopped)));
        }

        timed(&mut stages.writer, Stage::Writer, || finish(&mut chunk).map_err(PipelineError::Write))?;
        chunk.clear();
        number += 1;
    }
    Ok((number, None))
}

/// Runs a stage on the calling thread, and adds its CPU time.
fn timed<T, E>(
    cpu: &mut Duration,
    stage: Stage,
    run: impl FnOnce() -> Result<T, PipelineError<E>>,
) -> Result<T, PipelineError<E>> {
    let start = thread_cpu_time();
    let result = catch_panic(stage, run);
    *cpu += thread_cpu_time().saturating_sub(start);
    result
}

/// The result of the reader, and its CPU time.
type ReaderEnd<E> = (Result<End, PipelineError<E>>, Duration);

/// Starts the reader on a thread that is never joined, because it may be blocked; its end comes through the channel.
fn spawn_reader<I: Send + 'static, E: Send + 'static>(
    mut source: Box<dyn Source<Input = I, Error = E>>,
    first: u64,
    to_fill: Receiver<Chunk<I>>,
    filled: Sender<Chunk<I>>,
    sizer: ChunkSizer,
    stop: Stop,
) -> Result<Receiver<ReaderEnd<E>>, PipelineError<E>> {
    let (ended, end) = bounded(1);
    let read = move || {
        let end = catch_panic(Stage::Reader, || read_all(&mut *source, first, &to_fill, &filled, &sizer, &stop));
        // Send it before dropping `filled`, so that the result is known when the workers see that there is no more
        // work.
        let _ = ended.send((end, thread_cpu_time()));
    };

    match thread::Builder::new().name("reader".into()).spawn(read) {
        Ok(_detached) => Ok(end),
        Err(error) => Err(PipelineError::Threads(error)),
    }
}

/// Sends filled chunks to the workers until the input ends, the stop is triggered, or the other stages are gone.
fn read_all<I: Send + 'static, E: Send + 'static>(
    source: &mut dyn Source<Input = I, Error = E>,
    first: u64,
    to_fill: &Receiver<Chunk<I>>,
    filled: &Sender<Chunk<I>>,
    sizer: &ChunkSizer,
    stop: &Stop,
) -> Result<End, PipelineError<E>> {
    for number in first.. {
        let mut chunk = select_biased! {
            // In a biased selection, the stop comes first: no more input is read, even if a chunk is free.
            recv(stop.receiver()) -> _ => return Ok(End::Stopped),
            recv(to_fill) -> chunk => match chunk {
                Ok(chunk) => chunk,
                Err(_) => return Ok(End::Stopped),
            },
        };

        chunk.set_number(number);
        match source.fill(&mut chunk, sizer.records()).map_err(PipelineError::Source)? {
            Filled::Nothing => break,
            Filled::Records if filled.send(chunk).is_err() => return Ok(End::Stopped),
            Filled::Records => {}
        }
    }
    Ok(End::Complete)
}

/// Processes chunks until the reader has ended; after a stop, only the chunks that were read already.
///
/// A chunk that is not done in time after a stop is discarded, and the worker ends: [`End::Stopped`].
fn work_all<I>(
    worker: &mut dyn Work<I>,
    to_work: &Receiver<Chunk<I>>,
    done: &Sender<Chunk<I>>,
    sizer: &ChunkSizer,
    stop: &Stop,
) -> End {
    loop {
        let chunk = select! {
            recv(to_work) -> chunk => chunk.ok(),
            recv(stop.receiver()) -> _ => to_work.try_recv().ok(),
        };

        let Some(mut chunk) = chunk else { return End::Complete };
        if stop.is_overdue() {
            return End::Stopped;
        }

        sizer.time(chunk.records.len(), || worker.work(&mut chunk));
        // The searches of this chunk may have given up.
        if stop.is_overdue() {
            return End::Stopped;
        }
        if done.send(chunk).is_err() {
            return End::Complete;
        }
    }
}

/// Finishes chunks in the order of their numbers, and sends them back to the reader. Chunks that are done before their
/// turn wait.
fn finish_in_order<I, E>(
    finish: Finish<'_, I>,
    first: u64,
    to_write: &Receiver<Chunk<I>>,
    free: &Sender<Chunk<I>>,
) -> Result<(), PipelineError<E>> {
    let mut early = BTreeMap::new();
    let mut next = first;
    for chunk in to_write {
        early.insert(chunk.number(), chunk);
        while let Some(mut chunk) = early.remove(&next) {
            finish(&mut chunk).map_err(PipelineError::Write)?;
            next += 1;

            chunk.clear();
            // Fails if the reader has ended, and then the chunk is no longer needed.
            let _ = free.send(chunk);
        }
    }
    Ok(())
}

/// Runs a stage and turns a panic into an error.
fn catch_panic<T, E>(stage: Stage, run: impl FnOnce() -> Result<T, PipelineError<E>>) -> Result<T, PipelineError<E>> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|payload| Err(PipelineError::Panic { stage, message: panic_message(&*payload) }))
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
