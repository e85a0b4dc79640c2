//! Parquet files in which a few bytes stand for much memory, read with limited memory.

use std::fs;
use std::sync::Arc;

use arrow_array::builder::{Int8Builder, ListBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::{RunResult, TestDir, UNIQUE};

/// Less address space than the decoded columns take.
const MEMORY: &str = "ulimit -v 900000; RUN";

fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()))
}

impl TestDir {
    fn write_column(&self, name: &str, column: ArrayRef, properties: WriterPropertiesBuilder) -> Vec<u8> {
        let batch = RecordBatch::try_from_iter([("puzzle", column)]).unwrap();
        let mut writer = ArrowWriter::try_new(vec![], batch.schema(), Some(properties.build())).unwrap();
        writer.write(&batch).unwrap();
        let bytes = writer.into_inner().unwrap();
        self.write(name, &bytes);
        bytes
    }

    fn run_limited(&self, arguments: &str) -> RunResult {
        RunResult::from(self.shell(MEMORY, arguments).output().unwrap())
    }

    /// Checks that a file is refused, whatever reads it.
    fn check_refused(&self, name: &str, words: &str) {
        for command in ["solve --threads 2", "dedupe --by puzzle --threads 2 -o out.parquet"] {
            let error = self.run_limited(&format!("{command} -q {name}")).fails();
            assert!(error.starts_with("gridmill: cannot ") && error.contains(words), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}

fn text(mebibytes: usize) -> String {
    "1".repeat(mebibytes << 20)
}

fn lists(lengths: &[usize]) -> ArrayRef {
    let mut lists = ListBuilder::new(Int8Builder::new());
    for &length in lengths {
        lists.values().append_slice(&vec![0; length]);
        lists.append(true);
    }
    Arc::new(lists.finish())
}

/// The footer says how much a row takes on average.
#[test]
fn lists_and_texts_of_any_length_are_refused() {
    let dir = TestDir::new();
    let bytes = dir.write_column("list.parquet", lists(&[60_000_000]), properties());
    assert!(bytes.len() < 1000, "{}", bytes.len());
    dir.check_refused("list.parquet", "column 'puzzle.list.item' cannot be read in 512 MiB of memory");

    let long: ArrayRef = Arc::new(StringArray::from(vec![text(400)]));
    for (name, compression) in
        [("zstd.parquet", Compression::ZSTD(ZstdLevel::default())), ("snappy.parquet", Compression::SNAPPY)]
    {
        dir.write_column(name, Arc::clone(&long), properties().set_compression(compression));
        dir.check_refused(name, "column 'puzzle' cannot be read in 512 MiB of memory");
    }
}

/// On average, the rows are short.
#[test]
fn a_page_that_is_too_large_is_refused() {
    let dir = TestDir::new();
    let mut lengths = [0; 100];
    lengths[7] = 70_000_000;
    dir.write_column("list.parquet", lists(&lengths), properties());
    dir.check_refused("list.parquet", "column 'puzzle.list.item' cannot be read in 512 MiB of memory");

    let mut texts = vec![String::new(); 100];
    texts[7] = text(550);
    dir.write_column("text.parquet", Arc::new(StringArray::from(texts)), properties());
    dir.check_refused("text.parquet", "column 'puzzle' cannot be read in 512 MiB of memory");
}

#[test]
fn brotli_is_refused() {
    let dir = TestDir::new();
    let mut bytes = dir.write_column("in.parquet", Arc::new(StringArray::from(vec![UNIQUE])), properties());
    // The path of the column in the footer, and how it is compressed.
    let path = b"puzzle\x15\x0c";
    let at = bytes.windows(path.len()).position(|window| window == path).unwrap();
    bytes[at + path.len() - 1] = 8;
    dir.write("in.parquet", &bytes);
    dir.check_refused("in.parquet", "column 'puzzle' is compressed with Brotli, which is not read");
}

/// A value that is in the file once, and in the column many times.
#[test]
fn long_texts_that_come_again_take_no_memory_each() {
    let dir = TestDir::new();
    let long = text(1);
    let texts: ArrayRef = Arc::new(StringArray::from_iter_values((0..1500).map(|_| &long[..900_000])));
    dir.write_column("dictionary.parquet", Arc::clone(&texts), properties());
    let rows = dir.run_limited("solve -q --threads 2 dictionary.parquet --columns status").out;
    assert_eq!(rows.lines().filter(|&row| row == "malformed").count(), 1500);

    let differences = properties().set_dictionary_enabled(false);
    let differences = differences.set_column_encoding("puzzle".into(), Encoding::DELTA_BYTE_ARRAY);
    dir.write_column("differences.parquet", texts.slice(0, 700), differences);
    let rows = dir.run_limited("solve -q --threads 2 differences.parquet --columns status").out;
    assert_eq!(rows.lines().filter(|&row| row == "malformed").count(), 700);
}

#[test]
fn a_long_cell_is_a_malformed_row() {
    let dir = TestDir::new();
    let cells: ArrayRef = Arc::new(StringArray::from(vec![UNIQUE, &*text(20), UNIQUE]));
    dir.write_column("in.parquet", cells, properties());
    let rows = dir.run_limited("solve -q --threads 2 in.parquet --columns line,status,detail").ends(0);
    let long = "2,malformed,\"longer than 1048576 bytes, the most that a record may have\"";
    assert_eq!(rows, format!("line,status,detail\n1,unique,\n{long}\n3,unique,\n"));
}

#[test]
fn a_deep_schema_is_refused() {
    let dir = TestDir::new();
    let mut column = Arc::new(Type::primitive_type_builder("x", PhysicalType::INT32).build().unwrap());
    for _ in 0..2000 {
        let group = Type::group_type_builder("g").with_repetition(Repetition::REQUIRED).with_fields(vec![column]);
        column = Arc::new(group.build().unwrap());
    }
    let root = Arc::new(Type::group_type_builder("schema").with_fields(vec![column]).build().unwrap());
    let file = fs::File::create(dir.path("deep.parquet")).unwrap();
    SerializedFileWriter::new(file, root, Arc::default()).unwrap().close().unwrap();
    dir.check_refused("deep.parquet", "nested more than 64 deep");
}
