//! Solves inputs of any bytes: no panic, and one row for every record.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;

use gridmill::corpus::{Corpus, Origin};
use gridmill::format::{BatchEnd, BatchLimits, InputFormat, InputOptions, detect};
use gridmill::jobs::{Execution, Solve};
use gridmill::rows::OutputFormat;
use gridmill::stats::Summary;
use proptest::prelude::*;

/// The rows of an input, and their summary; `None` if the format is not detected.
fn solve(input: &[u8], format: InputFormat, to: OutputFormat, chunk: usize) -> Option<(Vec<u8>, Summary)> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("input");
    fs::write(&path, input).unwrap();
    let options = InputOptions { format: Some(format), ..InputOptions::default() };
    let corpus = Corpus::open(vec![Origin::File(path)], options).ok()?;
    let execution = Execution::new().threads(2).chunk_size(NonZeroUsize::new(chunk).unwrap());
    let mut rows = Vec::new();
    let job = Solve::new().format(to).columns(Solve::COLUMNS.iter().map(|column| column.name)).header(false);
    let summary = job.run(corpus, &mut rows, &execution).unwrap().report;
    Some((rows, summary))
}

/// How many records a format finds in a text.
fn records(text: &[u8], format: InputFormat) -> usize {
    let options = InputOptions { format: Some(format), ..InputOptions::default() };
    let sample = &text[..text.len().min(64 << 10)];
    let mut splitter = detect(sample, sample.len() == text.len(), &options).unwrap().splitter();
    let mut records = 0;
    let consumed = splitter.next_batch(text, true, BatchLimits::NONE, &mut |_, _| records += 1);
    assert_eq!(consumed.end, BatchEnd::EndOfInput);
    records
}

/// Pieces of good input and of random bytes, in any order.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let data = |name: &str| fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)).unwrap();
    let good: Vec<Vec<u8>> = ["mixed.txt", "4x4.txt", "with-answers.csv", "16x16.txt"]
        .iter()
        .flat_map(|name| {
            data(name).split_inclusive(|&byte| byte == b'\n').take(40).map(<[u8]>::to_vec).collect::<Vec<_>>()
        })
        .collect();
    let good_line = prop::sample::select(good);
    let any_bytes = prop::collection::vec(any::<u8>(), 0..60);
    let symbols = prop::sample::select(&b"0123456789.ABCxX-_*|+#,;:\"\r\n\t end"[..]);
    let near_text = prop::collection::vec(symbols, 0..200);
    let broken = (good_line.clone(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(mut line, place, byte)| {
        let place = place.index(line.len());
        line[place] = byte;
        line
    });
    let piece = prop_oneof![4 => good_line, 2 => broken, 1 => any_bytes, 2 => near_text];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_record_of_any_text_becomes_one_row(
        text in text(),
        format in prop::sample::select(InputFormat::ALL),
        chunk in 1..50_usize,
    ) {
        let Some((rows, summary)) = solve(&text, format, OutputFormat::Jsonl, chunk) else { return Ok(()) };
        let rows = String::from_utf8(rows).expect("rows are UTF-8");
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).expect("rows are JSON");
            prop_assert!(row["line"].as_u64().unwrap() >= 1);
        }
        let counted: u64 = summary.rows.total();
        prop_assert_eq!(rows.lines().count() as u64, counted);
        prop_assert_eq!(counted, records(&text, format) as u64);

        let (rows, _) = solve(&text, format, OutputFormat::Csv, chunk).unwrap();
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&rows[..]);
        prop_assert_eq!(reader.byte_records().map(Result::unwrap).count() as u64, counted);
    }
}
