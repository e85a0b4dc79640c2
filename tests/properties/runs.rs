//! Property: any bytes, compressed or not, give one row for each record, the same bytes for other chunks, threads and
//! vectors, and output that is valid in its format.

use std::fs;
use std::io::Write;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;

use gridmill::compression::{Compression, Encoder};
use gridmill::corpus::{Corpus, Origin};
use gridmill::engine::EngineKind;
use gridmill::engine::lanes::Simd;
use gridmill::format::{BatchLimits, InputFormat, InputOptions, detect};
use gridmill::jobs::{Execution, Solve};
use gridmill::puzzle::{Puzzles, Size};
use gridmill::rows::OutputFormat;
use serde_json::{Map, Value};
use strum::VariantArray;

use super::reading::{FoundRecord, split};

/// The largest number of blanks in a puzzle larger than 9x9: with more, a search could take for ever.
const BLANKS_OF_LARGE: usize = 120;

/// Settings that must not change the output.
struct RunSettings {
    chunk: u8,
    threads: usize,
    simd: Simd,
}

/// Solves an input twice, and compares.
///
/// The first of `bytes` selects the formats and the compression, the next the question, the next two are sizes of
/// chunks; the rest is the input.
pub fn whole_run(bytes: &[u8]) {
    let Some((&[formats, question, chunk, other_chunk], input)) = bytes.split_first_chunk::<4>() else { return };
    // 0 is for a format that is recognised.
    let kinds = InputFormat::ALL.len() + 1;
    let (format, output) = (usize::from(formats) % kinds, usize::from(formats) / kinds);
    let format = format.checked_sub(1).map(|format| InputFormat::ALL[format]);
    let options = InputOptions { format, ..InputOptions::default() };
    let Some(records) = count_records(input, &options) else { return };
    let job = Solve::new().limit(NonZeroU64::MIN.saturating_add(u64::from(question / 3)));
    let job = match question % 3 {
        0 => job,
        1 => job.first(true),
        _ => job.all(true),
    };
    let one = RunSettings { chunk, threads: 1, simd: Simd::Auto };
    let other = RunSettings { chunk: other_chunk, threads: 3, simd: Simd::Portable };

    // An array is written to a file only.
    let [of_text @ .., OutputFormat::Npy] = OutputFormat::OF_SOLUTIONS else { panic!("the last is that of arrays") };
    let to = of_text[output % of_text.len()];
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    let packed = Compression::VARIANTS.get(output / of_text.len()).map(|&compression| pack(input, compression));
    fs::write(&file, packed.as_deref().unwrap_or(input)).expect("a file can be written");
    let (output, rows) = run(file.path(), &options, &job, to, &one);
    let (same, same_rows) = run(file.path(), &options, &job, to, &other);
    assert!(output == same, "{to} is the same, however it is run");
    assert_eq!((rows, same_rows), (records, records), "a row a record");
    let output = String::from_utf8(output).expect("output is UTF-8");
    match to {
        OutputFormat::Csv | OutputFormat::Tsv | OutputFormat::Excel => {
            let delimiter = match to {
                OutputFormat::Tsv => b'\t',
                OutputFormat::Excel => b';',
                _ => b',',
            };
            let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(output.as_bytes());
            let rows = reader.records().collect::<Result<Vec<_>, _>>().expect("all rows have as many fields");
            assert_eq!(rows.len() as u64, records);
        }
        OutputFormat::Jsonl => {
            let objects = output.lines().map(|line| serde_json::from_str(line).expect("an object"));
            assert_eq!(objects.filter(|object: &Map<String, Value>| object["line"].is_u64()).count() as u64, records);
        }
        OutputFormat::Json => {
            let objects: Vec<Map<String, Value>> = serde_json::from_str(&output).expect("an array of objects");
            assert_eq!(objects.len() as u64, records);
        }
        OutputFormat::Lines => {
            let is_solution = |line: &str| Size::from_cells(line.len()).is_some() && !line.contains(['.', ' ']);
            assert!(output.lines().all(|line| line.starts_with("# line ") || is_solution(line)), "{output}");
            assert!(output.lines().count() as u64 >= records);
        }
        _ => assert!(output.is_empty() == (records == 0)),
    }
}

/// The number of records; `None` if the input is compressed, or in no known format, or has a puzzle that could take for
/// ever.
pub(super) fn count_records(input: &[u8], options: &InputOptions) -> Option<u64> {
    // A longer input is not detected from all of its text.
    if Compression::detect(input).is_some() || input.len() > 64 << 10 {
        return None;
    }
    let layout = detect(input, true, options).ok()?;
    let records = split(&mut *layout.splitter(), input, &[input.len()], BatchLimits::NONE);
    let (mut parser, mut puzzles) = (layout.parser(), Puzzles::new());
    let is_large = |record: &FoundRecord| {
        let Ok(puzzle) = parser.parse(&input[record.text.clone()], &mut puzzles) else { return false };
        let blanks = puzzles.last(puzzle.size).iter().filter(|cell| **cell == 0);
        puzzle.size > Size::Nine && blanks.count() > BLANKS_OF_LARGE
    };
    if records.iter().any(is_large) { None } else { Some(records.len() as u64) }
}

/// Compresses the input in two frames.
fn pack(input: &[u8], compression: Compression) -> Vec<u8> {
    let mut encoder = Encoder::new(Vec::new(), compression, 1);
    let (first, second) = input.split_at(input.len() / 2);
    for frame in [first, second] {
        encoder.write_all(frame).and_then(|()| encoder.flush()).expect("a vector takes anything");
    }
    encoder.finish().expect("a vector takes anything")
}

/// The output, without the times, and the number of its rows according to the summary.
fn run(input: &Path, options: &InputOptions, job: &Solve, to: OutputFormat, settings: &RunSettings) -> (Vec<u8>, u64) {
    let corpus =
        Corpus::open(vec![Origin::File(input.to_owned())], options.clone()).expect("the format was detected before");
    let engine = EngineKind::Lanes(settings.simd);
    let mut job = job.clone().engine(engine).format(to);
    if to.has_columns() {
        let names = Solve::COLUMNS.iter().map(|column| column.name);
        job = job.columns(names.filter(|name| !["file", "nanos"].contains(name)));
    }
    let chunk = NonZeroUsize::MIN.saturating_add(settings.chunk.into());
    let execution = Execution::new().threads(settings.threads).chunk_size(chunk);
    let mut output = Vec::new();
    let finished = job.run(corpus, &mut output, &execution).expect("a complete run");
    (output, finished.report.records)
}
