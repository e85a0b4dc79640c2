//! Split, dedupe and sample with rows in memory: the rows are those that the same jobs copy from a Parquet file, and those
//! that they write as text.

use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt8Array};
use arrow_select::concat::concat_batches;
use gridmill::corpus::{Corpus, Origin, Shard};
use gridmill::format::InputOptions;
use gridmill::jobs::dedupe::Keep;
use gridmill::jobs::split::{PartFiles, Parts, UNSPLIT};
use gridmill::jobs::{Augment, Dedupe, Event, Execution, Finished, GroupBy, JobError, Sample, Split};
use gridmill::output::OutputTarget;
use gridmill::pipeline::{End, Stop};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde::Serialize;
use serde_json::Value;

/// Puzzles with isomorphs and repetitions of them, other sizes and texts that are no puzzles; and other columns.
fn table() -> RecordBatch {
    let mut copies = vec![];
    let easy = Corpus::open_path("data/easy.txt").unwrap();
    let _ = Augment::new(2).original(true).run(easy, &mut copies, &Execution::new()).unwrap();
    let copies: Vec<&str> = str::from_utf8(&copies).unwrap().lines().skip(1).take(600).collect();
    let others = ["1.3..........4.2", "rubbish", "", "1...............", copies[0], copies[3]];
    let puzzles: Vec<Option<&str>> = copies
        .iter()
        .enumerate()
        .flat_map(|(index, copy)| {
            let other = if index % 7 == 0 { others.get(index % 11).copied().map(Some) } else { None };
            [Some(Some(*copy)), other, (index % 50 == 0).then_some(None)]
        })
        .flatten()
        .collect();
    let rows = puzzles.len();
    let rating = |row: usize| (!row.is_multiple_of(13)).then(|| (row * 7919 % 101) as f64 / 10.0);
    let columns: [(&str, ArrayRef); 5] = [
        ("number", Arc::new((0_i64..).take(rows).collect::<Int64Array>())),
        ("rating", Arc::new((0..rows).map(rating).collect::<Float64Array>())),
        ("puzzle", Arc::new(StringArray::from(puzzles))),
        (
            "level",
            Arc::new(
                (0..rows).map(|row| ["easy", "hard", "hard", "extreme"].get(row % 5).copied()).collect::<StringArray>(),
            ),
        ),
        ("small", Arc::new((0..rows).map(|row| row as u8).collect::<UInt8Array>())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true))).unwrap()
}

/// The same rows in memory, in batches, and in a file.
struct Tables {
    all: RecordBatch,
    batches: Vec<RecordBatch>,
    directory: tempfile::TempDir,
}

impl Tables {
    fn new() -> Tables {
        let (all, directory) = (table(), tempfile::tempdir().unwrap());
        let batches = (0..all.num_rows()).step_by(97).map(|row| all.slice(row, 97.min(all.num_rows() - row))).collect();
        let file = File::create(directory.path().join("corpus.parquet")).unwrap();
        let mut writer = ArrowWriter::try_new(file, all.schema(), None).unwrap();
        writer.write(&all).unwrap();
        writer.close().unwrap();
        Tables { all, batches, directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn in_memory(&self, keep: &[&str]) -> Corpus {
        Corpus::from_table(self.all.schema(), self.batches.clone(), options(keep)).unwrap()
    }

    fn in_file(&self, keep: &[&str]) -> Corpus {
        Corpus::open(vec![Origin::File(self.path("corpus.parquet"))], options(keep)).unwrap()
    }

    /// The rows of a file.
    fn read(&self, path: &Path) -> RecordBatch {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().build().unwrap();
        self.join(&reader.collect::<Result<Vec<_>, _>>().unwrap())
    }

    fn join(&self, batches: &[RecordBatch]) -> RecordBatch {
        concat_batches(&self.all.schema(), batches).unwrap()
    }
}

fn options(keep: &[&str]) -> InputOptions {
    InputOptions { keep: keep.iter().map(ToString::to_string).collect(), ..InputOptions::default() }
}

/// Small chunks on several threads.
fn execution() -> Execution {
    Execution::new().threads(3).chunk_size(NonZeroUsize::new(50).unwrap())
}

/// The report of a complete run.
fn counts(finished: &Finished<impl Serialize>) -> Value {
    assert_eq!(finished.end, End::Complete);
    serde_json::to_value(&finished.report).unwrap()
}

/// A job with one output: what it reports of a corpus, and its rows.
type Run<'a> = &'a dyn Fn(Corpus, &mut (dyn FnMut(RecordBatch) -> io::Result<()> + Send)) -> Value;

/// The numbers of rows.
fn numbers(rows: &RecordBatch) -> Vec<i64> {
    rows.column_by_name("number").unwrap().as_primitive::<Int64Type>().values().to_vec()
}

/// The numbers of rows that were written as text.
fn numbers_in_text(text: &[u8]) -> Vec<i64> {
    let mut reader = csv::Reader::from_reader(text);
    let column = reader.headers().unwrap().iter().position(|name| name == "number").unwrap();
    reader.records().map(|row| row.unwrap()[column].parse().unwrap()).collect()
}

/// The columns that are read, and the number of the row.
fn with_number<'a>(keep: &[&'a str]) -> Vec<&'a str> {
    keep.iter().copied().chain(["number"]).collect()
}

/// Compares the rows of a run in memory and of one over a file with those that the command's job writes to a file, and
/// with the text that it writes.
#[track_caller]
fn compare(
    tables: &Tables,
    keep: &[&str],
    run: Run<'_>,
    run_to: &dyn Fn(Corpus, &OutputTarget) -> Value,
    text: &dyn Fn(Corpus, &mut Vec<u8>),
) -> Value {
    let path = tables.path("copy.parquet");
    let expected = run_to(tables.in_file(keep), &OutputTarget::file(&path));
    let rows = tables.read(&path);
    let mut written = vec![];
    text(tables.in_memory(&with_number(keep)), &mut written);
    assert_eq!(numbers(&rows), numbers_in_text(&written));
    for corpus in [tables.in_memory(keep), tables.in_file(keep)] {
        let mut batches = vec![];
        let report = run(corpus, &mut |batch| {
            batches.push(batch);
            Ok(())
        });
        assert_eq!(report, expected);
        assert_eq!(tables.join(&batches), rows);
    }

    // From memory to a file.
    assert_eq!(run_to(tables.in_memory(keep), &OutputTarget::file(&path)), expected);
    assert_eq!(tables.read(&path), rows);
    expected
}

#[test]
fn the_rows_that_dedupe_keeps_are_those_of_a_file() {
    let tables = Tables::new();
    let largest = || Keep::Largest("rating".into());
    for (by, keep, columns, kept) in [
        (GroupBy::Class, Keep::First, &[][..], 200..260),
        (GroupBy::Class, largest(), &["rating"], 200..260),
        (GroupBy::Puzzle, Keep::Smallest("rating".into()), &["rating"], 600..650),
        (GroupBy::Solution, largest(), &["small", "rating"], 200..260),
    ] {
        let job = || Dedupe::new().by(by).keep(keep.clone());
        let report = compare(
            &tables,
            columns,
            &|corpus, each| counts(&job().run_table(corpus, each, &execution()).unwrap()),
            &|corpus, target| counts(&job().run_to(corpus, target, &execution()).unwrap()),
            &|corpus, text| drop(job().run(corpus, text, &execution()).unwrap()),
        );
        assert!(kept.contains(&report["kept"].as_u64().unwrap()), "{report}");
    }
}

#[test]
fn the_rows_of_a_sample_are_those_of_a_file() {
    let tables = Tables::new();
    let conditions = |text: &str| gridmill::jobs::sample::Condition::parse_all(text).unwrap();
    for (job, keep, sampled) in [
        (Sample::new(10), &[][..], 10),
        (Sample::new(100).seed(7).stratify("level"), &["level"], 100),
        (Sample::new(33).seed(1).conditions(conditions("clues<=33 && rating>5")), &["rating"], 33),
        (Sample::new(5000).conditions(conditions("level=hard")).stratify("small"), &["level", "small"], 264),
        (Sample::new(0), &[], 0),
    ] {
        let report = compare(
            &tables,
            keep,
            &|corpus, each| counts(&job.clone().run_table(corpus, each, &execution()).unwrap()),
            &|corpus, target| counts(&job.clone().run_to(corpus, target, &execution()).unwrap()),
            &|corpus, text| drop(job.clone().run(corpus, text, &execution()).unwrap()),
        );
        assert_eq!(report["sampled"], sampled);
    }
}

#[test]
fn the_rows_of_parts_are_those_of_files() {
    let tables = Tables::new();
    let parts = |text: &str| -> Parts { text.parse().unwrap() };
    for (job, names, keep) in [
        (Split::new(parts("train=0.8,test=20%")).seed(3), &["train", "test"][..], &[][..]),
        (Split::new(parts("train=rest,test=50")).by(GroupBy::Puzzle), &["train", "test"], &[]),
        (Split::new(parts("test=48")).by(GroupBy::Solution), &["test"], &[]),
        (Split::new(Parts::folds(3).unwrap()).stratify("level"), &["fold-1", "fold-2", "fold-3"], &["level"]),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let files = PartFiles::new(directory.path());
        let expected = counts(&job.run_to(tables.in_file(keep), &files, &execution()).unwrap());
        let (mut texts, mut unsplit) = (vec![vec![]; names.len()], vec![]);
        let in_memory = tables.in_memory(&with_number(keep));
        let _ = job.run(in_memory, texts.iter_mut().collect(), &mut unsplit, &execution()).unwrap();
        texts.push(unsplit);
        for corpus in [tables.in_memory(keep), tables.in_file(keep)] {
            let mut rows: Vec<(String, RecordBatch)> = vec![];
            let each = |part: &str, batch| {
                rows.push((part.to_owned(), batch));
                Ok(())
            };
            assert_eq!(counts(&job.run_table(corpus, each, &execution()).unwrap()), expected);
            for (&name, text) in names.iter().chain(&[UNSPLIT]).zip(&texts) {
                let of_part: Vec<RecordBatch> =
                    rows.iter().filter(|(part, _)| part == name).map(|(_, batch)| batch.clone()).collect();
                assert!(!of_part.is_empty(), "{name}");
                let file = tables.read(&directory.path().join(format!("{name}.parquet")));
                assert_eq!(tables.join(&of_part), file, "{name}");
                assert_eq!(numbers(&file), numbers_in_text(text), "{name}");
            }
            let known = |part: &String| names.contains(&&**part) || part == UNSPLIT;
            assert!(rows.iter().all(|(part, _)| known(part)));
        }
    }
}

/// The rows of a sample have to be read again, with their types.
#[test]
fn what_cannot_be_copied_as_rows_is_refused() {
    let tables = Tables::new();
    let refusal = |corpus: Corpus| match Sample::new(3).run_table(corpus, |_| panic!("no rows"), &Execution::new()) {
        Err(JobError::Run(broken)) => broken.to_string(),
        other => panic!("{other:?}"),
    };
    let stream: Vec<_> = tables.batches.iter().cloned().map(Ok).collect();
    let stream = Corpus::from_batches(tables.all.schema(), stream, options(&[])).unwrap();
    assert_eq!(refusal(stream), "memory would have to be read twice; write it to a file first");
    let text = Corpus::open_path("data/easy.txt").unwrap();
    assert!(refusal(text).starts_with("data/easy.txt has no columns with types"));
    let mixed = vec![Origin::File(tables.path("corpus.parquet")), Origin::File("data/easy.txt".into())];
    let mixed = Corpus::open(mixed, options(&[])).unwrap();
    assert!(refusal(mixed).contains("has another format or header"));
}

/// Also from a stream of batches, which is read once.
#[test]
fn the_rows_of_shards_are_all_rows() {
    let tables = Tables::new();
    // A shard has blocks of 4096 records.
    let batches = vec![tables.batches.clone(); 8192 / tables.all.num_rows() + 1].concat();
    let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let (schema, stream) = (|| tables.all.schema(), batches.iter().cloned().map(Ok));
    let in_memory = || Corpus::from_table(schema(), batches.clone(), options(&[])).unwrap();
    let once = || Corpus::from_batches(schema(), stream.clone().collect::<Vec<_>>(), options(&[])).unwrap();
    for (parts, corpus) in
        [("a=0.5,b=0.5", &in_memory as &dyn Fn() -> Corpus), ("a=0,b=rest", &in_memory), ("a=0.5,b=rest", &once)]
    {
        let (split, mut copied) = (Split::new(parts.parse().unwrap()), 0);
        for number in 1..=2 {
            let each = |_: &str, rows: RecordBatch| {
                copied += rows.num_rows();
                Ok(())
            };
            let shard = corpus().shard(Shard::new(number, 2).unwrap());
            let _ = split.run_table(shard, each, &execution()).unwrap();
        }
        assert_eq!(copied, rows, "{parts}");
    }
}

#[test]
fn a_table_without_rows_has_no_copies() {
    let tables = Tables::new();
    let empty = || Corpus::from_table(tables.all.schema(), vec![], options(&[])).unwrap();
    let dedupe = Dedupe::new().run_table(empty(), |_| panic!("no rows"), &execution()).unwrap();
    assert_eq!(dedupe.report.records, 0);
    let split = Split::new(Parts::folds(2).unwrap());
    let split = split.run_table(empty(), |_, _| panic!("no rows"), &execution()).unwrap();
    assert_eq!(split.report.records, 0);
}

/// An error of who takes the rows ends the run; so does a stop, after which only the rows before it are copied.
#[test]
fn a_run_in_memory_may_end_early() {
    let tables = Tables::new();
    let fails = Dedupe::new().run_table(tables.in_memory(&[]), |_| Err(io::Error::other("full")), &execution());
    assert_eq!(fails.unwrap_err().to_string(), "cannot write the output");

    let stop = Stop::new();
    let trigger = stop.clone();
    let observer = move |event: Event<'_>| {
        if matches!(event, Event::Written { .. }) {
            trigger.trigger();
        }
    };
    let execution = execution().stop(stop).observer(observer);
    let mut copied = 0;
    let each = |rows: RecordBatch| {
        copied += rows.num_rows() as u64;
        Ok(())
    };
    let stopped = Dedupe::new().run_table(tables.in_memory(&[]), each, &execution).unwrap();
    assert_eq!((stopped.end, stopped.report.kept), (End::Stopped, copied));
    assert!(stopped.run.stopped_after.is_some());
}
