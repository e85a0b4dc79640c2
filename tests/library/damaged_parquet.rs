//! Parquet files that are damaged: an error, or rows, but never a panic.

use std::sync::Arc;

use arrow_array::builder::{Int8Builder, ListBuilder};
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, FixedSizeBinaryArray, Float64Array, Int64Array, StringArray, StructArray,
    types::Int32Type,
};
use gridmill::arrow::{DataType, Field, RecordBatch};
use gridmill::corpus::{Corpus, Origin};
use gridmill::format::InputOptions;
use gridmill::jobs::{Dedupe, Execution, JobError, PipelineFailure, Solve};
use gridmill::output::OutputTarget;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const ROWS: usize = 20;

/// The columns beside the puzzles.
const KEPT: [&str; 6] = ["id", "source", "er", "is", "cells", "pair"];

/// Some columns of many types.
fn table() -> RecordBatch {
    let mut cells = ListBuilder::new(Int8Builder::new());
    for row in 0..ROWS as i8 {
        cells.values().append_slice(&[row, 0, 9]);
        cells.append(row % 3 > 0);
    }
    let puzzles = (0..ROWS).map(|row| (row % 7 > 0).then_some(PUZZLE));
    let ids = Arc::new(Int64Array::from_iter_values((0..).take(ROWS)));
    let code = FixedSizeBinaryArray::try_from_iter((0..ROWS).map(|row| [row as u8; 3])).unwrap();
    let pair = StructArray::from(vec![
        (Arc::new(Field::new("id", DataType::Int64, false)), Arc::clone(&ids) as ArrayRef),
        (Arc::new(Field::new("code", DataType::FixedSizeBinary(3), false)), Arc::new(code)),
    ]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("puzzle", Arc::new(puzzles.collect::<StringArray>())),
        ("id", ids),
        ("source", Arc::new((0..ROWS).map(|_| Some("kaggle")).collect::<DictionaryArray<Int32Type>>())),
        ("er", Arc::new(Float64Array::from(vec![1.5; ROWS]))),
        ("is", Arc::new(BooleanArray::from(vec![true; ROWS]))),
        ("cells", Arc::new(cells.finish())),
        ("pair", Arc::new(pair)),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

/// The same table, written in many ways.
fn files() -> Vec<Vec<u8>> {
    let properties = WriterProperties::builder;
    let plain = || properties().set_dictionary_enabled(false);
    let mut all: Vec<WriterPropertiesBuilder> = vec![
        properties(),
        properties().set_writer_version(WriterVersion::PARQUET_2_0),
        plain(),
        plain().set_column_encoding("puzzle".into(), Encoding::DELTA_BYTE_ARRAY),
        plain()
            .set_writer_version(WriterVersion::PARQUET_2_0)
            .set_column_encoding("puzzle".into(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_encoding("id".into(), Encoding::DELTA_BINARY_PACKED)
            .set_column_encoding("er".into(), Encoding::BYTE_STREAM_SPLIT),
    ];
    let compressions = [
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::LZ4_RAW,
        Compression::ZSTD(ZstdLevel::default()),
    ];
    all.extend(compressions.map(|compression| properties().set_compression(compression)));

    let table = table();
    let write = |properties: WriterPropertiesBuilder| {
        let mut writer = ArrowWriter::try_new(vec![], table.schema(), Some(properties.build())).unwrap();
        writer.write(&table).unwrap();
        writer.into_inner().unwrap()
    };
    all.into_iter().map(write).collect()
}

/// Changes some bytes: half of the changes are in the footer.
fn damage(bytes: &mut Vec<u8>, random: &mut Xoshiro256PlusPlus) {
    let footer = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().unwrap()) as usize + 8;
    for _ in 0..random.random_range(1..4) {
        let start = if random.random() { bytes.len() - footer } else { 4 };
        let at = random.random_range(start..bytes.len());
        let end = bytes.len().min(at + random.random_range(1..9));
        match random.random_range(0..5) {
            0 => bytes[at] ^= 1 << random.random_range(0..8),
            1 => bytes[at] = random.random(),
            2 => bytes[at..end].fill(0),
            3 => bytes[at..end].fill(0xff),
            _ => random.fill_bytes(&mut bytes[at..end]),
        }
    }
    if random.random_ratio(1, 30) {
        bytes.truncate(random.random_range(0..bytes.len()));
    }
}

/// Whether a run has ended with rows, or with an error of the input.
fn is_no_panic(result: Result<(), JobError>) -> bool {
    !matches!(result, Err(JobError::Run(broken)) if matches!(broken.error.downcast_ref(), Some(PipelineFailure::Panic { .. })))
}

#[test]
fn damaged_files_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let (input, output) = (dir.path().join("in.parquet"), OutputTarget::file(dir.path().join("out.parquet")));
    let execution = Execution::new().threads(1);
    let open = |keep: &[&str]| {
        let keep = keep.iter().map(|&name| name.to_owned()).collect();
        Corpus::open(vec![Origin::File(input.clone())], InputOptions { keep, ..InputOptions::default() })
    };
    let files = files();
    let (mut errors, mut runs) = (0, 0);
    for seed in 0..400 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut bytes = files[seed as usize % files.len()].clone();
        damage(&mut bytes, &mut random);
        std::fs::write(&input, &bytes).unwrap();

        // Only the columns that are kept, and all columns.
        let solved = open(&KEPT).map(|corpus| {
            let end = Solve::new().run_table(corpus, |_| Ok(()), &execution);
            assert!(is_no_panic(end.map(drop)), "{seed}");
        });
        let copied = open(&[]).map(|corpus| {
            let end = Dedupe::new().run_to(corpus, &output, &execution);
            assert!(is_no_panic(end.map(drop)), "{seed}");
        });
        errors += usize::from(solved.is_err());
        runs += usize::from(copied.is_ok());
    }
    assert!(errors > 50 && runs > 50, "{errors} errors, {runs} runs");
}

/// What Arrow's writers note beside the columns is not needed: the file says it, too.
#[test]
fn damaged_notes_of_arrow_do_no_harm() {
    let mut bytes = files().swap_remove(0);
    let key = b"ARROW:schema";
    let at = bytes.windows(key.len()).position(|window| window == key).unwrap() + key.len();
    bytes[at + 20..at + 60].fill(b'A');
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, &bytes).unwrap();
    let corpus = Corpus::open(vec![Origin::File(file.path().to_owned())], InputOptions::default()).unwrap();
    let report = Solve::new().run_table(corpus, |_| Ok(()), &Execution::new()).unwrap().report;
    assert_eq!(report.records, ROWS as u64);
}
