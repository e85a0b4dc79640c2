//! Tests of the pipeline without Sudoku: the order of the output, bounded memory, and that every run ends, whatever
//! fails.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, ThreadId};
use std::time::Duration;

use gridmill::pipeline::{self, Chunk, ChunkSize, End, Filled, Outcome, PipelineError, Record, Source, Stop, Work};

/// Supplies the numbers from 0 to `end`, one in each record, and then does what `at_end` says.
struct NumberSource {
    next: u64,
    end: u64,
    at_end: AtEnd,
    is_in_memory: bool,
}

#[derive(Clone, Copy)]
enum AtEnd {
    Finish,
    Fail,
    Panic,
    Wait,
}

impl NumberSource {
    fn up_to(end: u64) -> NumberSource {
        NumberSource { next: 0, end, at_end: AtEnd::Finish, is_in_memory: false }
    }

    fn then(self, at_end: AtEnd) -> NumberSource {
        NumberSource { at_end, ..self }
    }

    fn in_memory(self, is_in_memory: bool) -> NumberSource {
        NumberSource { is_in_memory, ..self }
    }
}

impl Source for NumberSource {
    type Input = &'static str;
    type Error = String;

    fn fill(&mut self, chunk: &mut Chunk<&'static str>, records: usize) -> Result<Filled, String> {
        let until = self.end.min(self.next + records as u64);
        for number in self.next..until {
            let start = chunk.text.len();
            chunk.text.extend_from_slice(number.to_string().as_bytes());
            chunk.records.push(Record { text: start..chunk.text.len(), line: number + 1 });
        }
        self.next = until;
        if !chunk.records.is_empty() {
            chunk.input = Some("numbers");
            return Ok(Filled::Records);
        }
        match self.at_end {
            AtEnd::Finish => Ok(Filled::Nothing),
            AtEnd::Fail => Err(format!("no number {until}")),
            AtEnd::Panic => panic!("out of numbers"),
            AtEnd::Wait => loop {
                thread::sleep(Duration::from_hours(1));
            },
        }
    }

    fn is_in_memory(&self) -> bool {
        self.is_in_memory
    }
}

/// Prints each number and its line. Some chunks take longer, so that chunks are done out of order.
#[derive(Debug)]
struct PrintWorker {
    records: u64,
    panic_at: Option<u64>,
}

impl Work<&'static str> for PrintWorker {
    fn work(&mut self, chunk: &mut Chunk<&'static str>) {
        assert_eq!(chunk.input, Some("numbers"));
        if chunk.number().is_multiple_of(7) {
            thread::sleep(Duration::from_millis(1));
        }
        let mut output = std::mem::take(&mut chunk.output);
        for (line, text) in chunk.texts() {
            assert_ne!(Some(line), self.panic_at, "panic at line {line}");
            writeln!(output, "{line}:{}", String::from_utf8_lossy(text)).unwrap();
            self.records += 1;
        }
        chunk.output = output;
    }
}

fn printers(threads: usize) -> Vec<PrintWorker> {
    (0..threads).map(|_| PrintWorker { records: 0, panic_at: None }).collect()
}

fn all<W: Work<&'static str>>(workers: &mut [W]) -> Vec<&mut dyn Work<&'static str>> {
    workers.iter_mut().map(|worker| worker as &mut dyn Work<_>).collect()
}

fn fixed(records: usize) -> ChunkSize {
    ChunkSize::Fixed(NonZeroUsize::new(records).unwrap())
}

fn expected(end: u64) -> String {
    let rows: Vec<String> = (0..end).map(|number| format!("{}:{number}\n", number + 1)).collect();
    rows.concat()
}

/// Fails the test if `run` takes far longer than it can need.
fn with_timeout<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(run()));
    receiver.recv_timeout(Duration::from_secs(30)).expect("the run hangs")
}

/// An output that accepts some bytes and then fails or panics.
struct FailingOutput {
    capacity: usize,
    fail: fn() -> io::Result<usize>,
}

impl Write for FailingOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > self.capacity {
            return (self.fail)();
        }
        self.capacity -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

type PrintOutcome = Result<Outcome, PipelineError<String>>;

fn run(
    source: NumberSource,
    mut workers: Vec<PrintWorker>,
    mut output: impl Write + Send + 'static,
    stop: &Stop,
) -> PrintOutcome {
    let stop = stop.clone();
    let mut finish = move |chunk: &mut Chunk<_>| output.write_all(&chunk.output);
    with_timeout(move || pipeline::run(Box::new(source), all(&mut workers), &mut finish, fixed(10), &stop))
}

#[test]
fn output_is_the_same_for_any_threads_and_chunks() {
    let [first, most] = [64, 300].map(|records| NonZeroUsize::new(records).unwrap());
    // The first chunk takes a millisecond, so that a run in memory goes on with all threads after it.
    for (threads, is_in_memory) in [1, 2, 3, 8].into_iter().flat_map(|threads| [(threads, false), (threads, true)]) {
        for size in [fixed(1), fixed(7), fixed(5000), ChunkSize::Adaptive { first, most }] {
            let (output, outcome, lines) = with_timeout(move || {
                let mut output = Vec::new();
                let mut lines = 0;
                let mut finish = |chunk: &mut Chunk<_>| {
                    lines += chunk.records.len();
                    output.write_all(&chunk.output)
                };
                let source = NumberSource::up_to(3000).in_memory(is_in_memory);
                let mut workers = printers(threads);
                let run = pipeline::run(Box::new(source), all(&mut workers), &mut finish, size, &Stop::new());
                assert_eq!(workers.iter().map(|worker| worker.records).sum::<u64>(), 3000);
                (output, run.unwrap(), lines)
            });
            assert!(output == expected(3000).as_bytes(), "{threads} threads, {size:?}");
            assert_eq!((outcome.end, lines), (End::Complete, 3000));
        }
    }
}

#[test]
fn an_empty_input_is_complete() {
    let outcome = run(NumberSource::up_to(0), printers(2), io::sink(), &Stop::new()).unwrap();
    assert_eq!(outcome.end, End::Complete);
}

/// Works on one thread.
struct OneThread(ThreadId);

impl Work<&'static str> for OneThread {
    fn work(&mut self, _: &mut Chunk<&'static str>) {
        assert_eq!(thread::current().id(), self.0);
    }
}

#[test]
fn a_chunk_in_memory_stays_on_the_calling_thread() {
    let here = thread::current().id();
    for (is_in_memory, stays) in [(true, true), (false, false)] {
        let source = NumberSource::up_to(10).in_memory(is_in_memory);
        let run = pipeline::run(Box::new(source), vec![&mut OneThread(here)], &mut |_| Ok(()), fixed(10), &Stop::new());
        assert_eq!(run.is_ok(), stays);
    }
}

#[test]
fn a_stop_and_failures_end_a_run_in_memory() {
    let stop = Stop::new();
    stop.trigger();
    let source = || NumberSource::up_to(10).in_memory(true);
    assert_eq!(run(source(), printers(1), io::sink(), &stop).unwrap().end, End::Stopped);

    let full = FailingOutput { capacity: 5, fail: || Err(io::ErrorKind::StorageFull.into()) };
    assert!(matches!(run(source(), printers(1), full, &Stop::new()), Err(PipelineError::Write(_))));
    let error = run(source().then(AtEnd::Panic), printers(1), io::sink(), &Stop::new()).unwrap_err();
    assert_eq!(error.to_string(), "the reader panicked: out of numbers");
}

#[test]
fn a_panicking_worker_ends_the_run() {
    for threads in [1, 2, 4] {
        let mut workers = printers(threads);
        for worker in &mut workers {
            worker.panic_at = Some(500);
        }
        // The input is endless, so the run cannot end because the input does.
        let error = run(NumberSource::up_to(u64::MAX), workers, io::sink(), &Stop::new()).unwrap_err();
        assert!(error.to_string().starts_with("the worker panicked: "), "{error}");
        assert!(error.to_string().contains("panic at line 500"), "{error}");
    }
}

#[test]
fn a_panicking_or_failing_writer_ends_the_run() {
    for at_end in [AtEnd::Finish, AtEnd::Wait] {
        let full = FailingOutput { capacity: 5000, fail: || Err(io::ErrorKind::StorageFull.into()) };
        let source = NumberSource::up_to(100_000).then(at_end);
        let error = run(source, printers(2), full, &Stop::new()).unwrap_err();
        assert!(matches!(&error, PipelineError::Write(cause) if cause.kind() == io::ErrorKind::StorageFull), "{error}");

        let broken = FailingOutput { capacity: 5000, fail: || panic!("no paper") };
        let source = NumberSource::up_to(100_000).then(at_end);
        let error = run(source, printers(2), broken, &Stop::new()).unwrap_err();
        assert_eq!(error.to_string(), "the writer panicked: no paper");
    }
}

/// Notes the last digit of each number.
struct NoteWorker;

impl Work<&'static str> for NoteWorker {
    fn work(&mut self, chunk: &mut Chunk<&'static str>) {
        let digits: Vec<u8> = chunk.texts().map(|(_, text)| text[text.len() - 1]).collect();
        *chunk.results() = digits;
    }
}

#[test]
fn notes_are_finished_in_the_order_of_the_input() {
    for threads in [1, 4] {
        let (output, noted) = with_timeout(move || {
            let (mut output, mut noted) = (Vec::new(), 0_u64);
            let mut finish = |chunk: &mut Chunk<_>| {
                let records = chunk.records.len();
                assert_eq!(chunk.results::<Vec<u8>>().len(), records);
                for note in chunk.results::<Vec<u8>>() {
                    assert_eq!(u64::from(*note - b'0'), noted % 10);
                    noted += 1;
                }
                write!(output, "{noted} ")
            };
            let mut workers: Vec<_> = (0..threads).map(|_| NoteWorker).collect();
            let source = Box::new(NumberSource::up_to(35));
            pipeline::run(source, all(&mut workers), &mut finish, fixed(10), &Stop::new()).unwrap();
            (output, noted)
        });
        assert_eq!((&*output, noted), (&b"10 20 30 35 "[..], 35));
    }
}

#[test]
fn records_before_a_failure_of_the_source_are_finished() {
    let (error, output) = with_timeout(|| {
        let mut output = Vec::new();
        let source = NumberSource::up_to(1234).then(AtEnd::Fail);
        let mut finish = |chunk: &mut Chunk<_>| output.write_all(&chunk.output);
        let end = pipeline::run(Box::new(source), all(&mut printers(3)), &mut finish, fixed(10), &Stop::new());
        (end.unwrap_err(), output)
    });
    assert_eq!(error.to_string(), "no number 1234");
    assert!(output == expected(1234).as_bytes());
}

#[test]
fn a_panicking_source_ends_the_run() {
    let source = NumberSource::up_to(1234).then(AtEnd::Panic);
    let error = run(source, printers(3), io::sink(), &Stop::new()).unwrap_err();
    assert_eq!(error.to_string(), "the reader panicked: out of numbers");
}

/// The stop is triggered after some chunks; one source never ends, the other blocks for ever.
#[test]
fn chunks_that_were_read_before_a_stop_are_finished() {
    for source in [NumberSource::up_to(u64::MAX), NumberSource::up_to(5000).then(AtEnd::Wait)] {
        let stop = Stop::new();
        let (outcome, output, workers) = with_timeout(move || {
            let mut output = Vec::new();
            let mut chunks = 0;
            let mut finish = |chunk: &mut Chunk<_>| {
                chunks += 1;
                if chunks == 100 {
                    stop.trigger();
                }
                output.write_all(&chunk.output)
            };
            let mut workers = printers(2);
            let outcome = pipeline::run(Box::new(source), all(&mut workers), &mut finish, fixed(10), &stop);
            (outcome.unwrap(), output, workers)
        });
        assert_eq!(outcome.end, End::Stopped);
        let lines = memchr::memchr_iter(b'\n', &output).count() as u64;
        assert!(lines >= 1000);
        assert!(output == expected(lines).as_bytes(), "complete rows from the first on, without a gap");
        assert_eq!(workers.iter().map(|worker| worker.records).sum::<u64>(), lines);
    }
}

/// A slow writer holds the reader up: the chunks that are filled and not yet written are all that is in memory.
#[test]
fn the_number_of_chunks_in_memory_is_bounded() {
    struct CountingSource(NumberSource, Arc<AtomicU64>);
    impl Source for CountingSource {
        type Input = &'static str;
        type Error = String;

        fn fill(&mut self, chunk: &mut Chunk<&'static str>, records: usize) -> Result<Filled, String> {
            self.1.fetch_add(1, Ordering::SeqCst);
            self.0.fill(chunk, records)
        }
    }
    let filled = Arc::new(AtomicU64::new(0));
    let watch = CountingSource(NumberSource::up_to(5000), Arc::clone(&filled));
    let most_ahead = with_timeout(move || {
        let (mut chunks, mut most_ahead) = (0, 0);
        let mut finish = |_: &mut Chunk<_>| {
            if chunks % 50 == 0 {
                thread::sleep(Duration::from_millis(10));
            }
            chunks += 1;
            most_ahead = most_ahead.max(filled.load(Ordering::SeqCst) - chunks);
            Ok(())
        };
        pipeline::run(Box::new(watch), all(&mut printers(2)), &mut finish, fixed(10), &Stop::new()).unwrap();
        most_ahead
    });
    assert!((1..=8).contains(&most_ahead), "{most_ahead} chunks were filled ahead");
}
