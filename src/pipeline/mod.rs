//! An ordered parallel map from bytes to bytes: it knows records, chunks and threads, and nothing of Sudoku.
//!
//! ```text
//!              +----------------------- free chunks ------------------------+
//!              v                                                            |
//!   source -> reader --- chunks, numbered ---> worker, worker, ... ---> writer -> output
//!           (a thread)                        (a rayon pool)          (a thread)
//! ```
//!
//! What depends on the records before is for the writer's side: workers leave notes with a chunk, and whoever runs the
//! pipeline finishes the chunk by them, in order, before it is written.
//!
//! A fixed number of chunks circulates, so memory is bounded whatever the input's size, and every channel has room for
//! all of them, so no send ever waits. When a stage ends, for whatever reason, its channel ends drop and the others run
//! dry. Whoever has to end the whole run (Ctrl-C, a full disk, a panic) triggers the [`Stop`] that every waiting stage
//! also listens to.

mod chunk;
mod chunk_size;
mod cpu_time;
mod stop;

use std::any::Any;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, select, select_biased};

pub use self::chunk::{Chunk, Record};
use self::chunk_size::ChunkSizer;
pub use self::cpu_time::thread_cpu_time;
pub use self::stop::Stop;

/// Where chunks get their text from.
pub trait Source: Send + 'static {
    /// What the source tells the workers about all records of a chunk, for instance which file they are from.
    type Input: Send + 'static;
    /// Why the source could not go on.
    type Error: Send + 'static;

    /// Fills an empty chunk with at most `records` whole records, at least one, and labels it.
    ///
    /// # Errors
    ///
    /// If the input cannot be read: the run ends after the chunks before this one.
    fn fill<N>(&mut self, chunk: &mut Chunk<Self::Input, N>, records: usize) -> Result<Filled, Self::Error>;
}

/// Whether a source had anything left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// The chunk holds records.
    Records,
    /// The input is over and the chunk is empty.
    Nothing,
}

/// Turns the text of chunks into output. Each thread owns one, with its scratch memory.
pub trait Work<L, N = ()>: Send {
    /// Appends to the chunk's output what its records come to, and what is to be noted to its notes.
    fn work(&mut self, chunk: &mut Chunk<L, N>);
}

/// How many records a chunk holds. The output does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkSize {
    /// As many as keep a worker busy for a moment, up to this number.
    Adaptive {
        /// The most records that a chunk may hold.
        most: NonZeroUsize,
    },
    /// Always this many.
    Fixed(NonZeroUsize),
}

/// What remains of a run that reached its end, or was stopped.
#[derive(Debug)]
pub struct Outcome<W> {
    /// The workers, with what they have gathered.
    pub workers: Vec<W>,
    /// Whether the whole input was read.
    pub end: End,
    /// The CPU time that each stage took.
    pub stages: Stages,
}

/// How a run ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The input is over.
    Complete,
    /// Somebody triggered the [`Stop`]; chunks in flight were finished.
    Stopped,
}

/// The CPU time of each stage, where the system tells it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stages {
    /// The reader's: reading and cutting.
    pub reader: Duration,
    /// All workers' together.
    pub workers: Duration,
    /// The writer's: ordering, finishing and writing.
    pub writer: Duration,
}

/// Why a run failed. What was written before is whole, and in order.
#[derive(Debug, thiserror::Error)]
pub enum Error<E> {
    /// The source could not go on.
    #[error(transparent)]
    Source(E),
    /// The output could not be written.
    #[error("cannot write the output")]
    Write(#[source] io::Error),
    /// A stage panicked: a defect.
    #[error("the {stage} panicked: {message}")]
    Panic {
        /// Which stage.
        stage: &'static str,
        /// What the panic said.
        message: String,
    },
    /// The threads could not be started.
    #[error("cannot start the threads: {0}")]
    Threads(String),
}

/// Runs a source's records through the workers, one thread each, and writes their output in the order of the input.
///
/// `finish` is called with every chunk just before its output is written, in order: the place for what depends on the
/// records before, which no worker knows. It is serial, so it should be quick; where it fails, the output has failed.
///
/// # Errors
///
/// If a stage fails. The run never hangs: the other stages end as soon as they have nothing left to do. Only the reader
/// may be left behind, waiting for input that does not come.
pub fn run<S, W, N>(
    source: S,
    workers: Vec<W>,
    output: impl Write + Send,
    finish: impl FnMut(&mut Chunk<S::Input, N>) -> io::Result<()> + Send,
    chunk_size: ChunkSize,
    stop: &Stop,
) -> Result<Outcome<W>, Error<S::Error>>
where
    S: Source,
    W: Work<S::Input, N>,
    N: Send + 'static,
{
    let threads = workers.len();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("worker-{index}"))
        .build()
        .map_err(|error| Error::Threads(error.to_string()))?;
    // Two for each worker, so that one waits while one is worked on, and a few for the reader and the writer.
    let chunks = 2 * threads + 4;
    let pace = ChunkSizer::new(chunk_size);

    let (free, to_fill) = bounded(chunks);
    let (filled, to_work) = bounded(chunks);
    let (done, to_write) = bounded(chunks);
    for _ in 0..chunks {
        let _ = free.send(Chunk::new());
    }

    let reader = spawn_reader(source, to_fill, filled, pace.clone(), stop.clone())?;
    let seats: Vec<Mutex<Option<W>>> = workers.into_iter().map(|worker| Mutex::new(Some(worker))).collect();

    let (writer, served) = thread::scope(|scope| {
        let write = || {
            let end = guarded("writer", || write_in_order(output, finish, &to_write, &free));
            if end.is_err() {
                stop.trigger();
            }
            drop((to_write, free));
            (end, thread_cpu_time())
        };
        let writer = thread::Builder::new().name("writer".into()).spawn_scoped(scope, write)?;
        let served = pool.broadcast(|context| {
            let mut worker = seats[context.index()].lock().ok()?.take()?;
            let cpu = thread_cpu_time();
            let end = guarded("worker", || {
                serve(&mut worker, &to_work, &done, &pace, stop);
                Ok(())
            });
            if end.is_err() {
                stop.trigger();
            }
            Some((worker, end, thread_cpu_time().saturating_sub(cpu)))
        });
        drop(done);
        Ok((writer.join().unwrap_or_else(|panic| resume_unwind(panic)), served))
    })
    .map_err(|error: io::Error| Error::Threads(error.to_string()))?;

    let mut stages = Stages { writer: writer.1, ..Stages::default() };
    let mut workers = Vec::with_capacity(threads);
    for (worker, end, cpu) in served.into_iter().flatten() {
        end?;
        stages.workers += cpu;
        workers.push(worker);
    }
    writer.0?;
    // Unless the run was stopped, the workers ended because the reader did. A stopped reader may wait for input for
    // ever, and nobody waits for it.
    let end = if stop.is_triggered() { reader.try_recv().ok() } else { reader.recv().ok() };
    let end = match end {
        Some((end, cpu)) => {
            stages.reader = cpu;
            end?
        }
        None => End::Stopped,
    };
    Ok(Outcome { workers, end, stages })
}

/// Starts the reader on a thread that nobody joins; its end comes through the channel.
#[expect(clippy::type_complexity, reason = "said once, and a name would only hide it")]
fn spawn_reader<S: Source, N: Send + 'static>(
    mut source: S,
    to_fill: Receiver<Chunk<S::Input, N>>,
    filled: Sender<Chunk<S::Input, N>>,
    pace: ChunkSizer,
    stop: Stop,
) -> Result<Receiver<(Result<End, Error<S::Error>>, Duration)>, Error<S::Error>> {
    let (ended, end) = bounded(1);
    let read = move || {
        let end = guarded("reader", || read_all(&mut source, &to_fill, &filled, &pace, &stop));
        // Said before `filled` is dropped, so that whoever saw the workers run dry finds the reason here.
        let _ = ended.send((end, thread_cpu_time()));
    };
    match thread::Builder::new().name("reader".into()).spawn(read) {
        Ok(_detached) => Ok(end),
        Err(error) => Err(Error::Threads(error.to_string())),
    }
}

fn read_all<S: Source, N>(
    source: &mut S,
    to_fill: &Receiver<Chunk<S::Input, N>>,
    filled: &Sender<Chunk<S::Input, N>>,
    pace: &ChunkSizer,
    stop: &Stop,
) -> Result<End, Error<S::Error>> {
    for number in 0.. {
        let mut chunk = select_biased! {
            recv(stop.receiver()) -> _ => return Ok(End::Stopped),
            recv(to_fill) -> chunk => match chunk {
                Ok(chunk) => chunk,
                Err(_) => return Ok(End::Stopped),
            },
        };
        chunk.start(number);
        match source.fill(&mut chunk, pace.records()).map_err(Error::Source)? {
            Filled::Nothing => break,
            Filled::Records if filled.send(chunk).is_err() => return Ok(End::Stopped),
            Filled::Records => {}
        }
    }
    Ok(End::Complete)
}

/// Works until the reader is done, or until the stop and then whatever has been read already.
fn serve<L, N>(
    worker: &mut impl Work<L, N>,
    to_work: &Receiver<Chunk<L, N>>,
    done: &Sender<Chunk<L, N>>,
    pace: &ChunkSizer,
    stop: &Stop,
) {
    loop {
        let chunk = select! {
            recv(to_work) -> chunk => chunk.ok(),
            recv(stop.receiver()) -> _ => to_work.try_recv().ok(),
        };
        let Some(mut chunk) = chunk else { return };
        pace.time(chunk.records.len(), || worker.work(&mut chunk));
        if done.send(chunk).is_err() {
            return;
        }
    }
}

/// Finishes and writes chunks by their numbers, holding those that come early, and sends them back to be filled again.
fn write_in_order<L, N, E>(
    mut output: impl Write,
    mut finish: impl FnMut(&mut Chunk<L, N>) -> io::Result<()>,
    to_write: &Receiver<Chunk<L, N>>,
    free: &Sender<Chunk<L, N>>,
) -> Result<(), Error<E>> {
    let mut early = BTreeMap::new();
    let mut next = 0;
    for chunk in to_write {
        early.insert(chunk.number(), chunk);
        while let Some(mut chunk) = early.remove(&next) {
            finish(&mut chunk).and_then(|()| output.write_all(&chunk.output)).map_err(Error::Write)?;
            next += 1;
            chunk.clear();
            // The reader may be gone already; then chunks are no longer wanted.
            let _ = free.send(chunk);
        }
    }
    output.flush().map_err(Error::Write)
}

/// Runs a stage and makes an error of a panic.
fn guarded<T, E>(stage: &'static str, run: impl FnOnce() -> Result<T, Error<E>>) -> Result<T, Error<E>> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|payload| Err(Error::Panic { stage, message: panic_message(&*payload) }))
}

fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
