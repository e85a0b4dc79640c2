//! Parquet files as inputs and outputs of the binary.

use std::fs::{self, File};
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, TimestampMicrosecondArray, UInt64Array};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::properties::WriterProperties;

use crate::resume::CompleteRun;
use crate::{MULTIPLE, NONE, TestDir, UNIQUE, UNIQUE_SOLUTION, data};

/// The only answer of `corpus` that is wrong.
const WRONG_AT: usize = 7;

impl TestDir {
    /// Writes a table in row groups of 1,000 rows.
    fn write_parquet(&self, name: &str, columns: Vec<(&str, ArrayRef)>) {
        let columns = columns.into_iter().map(|(name, array)| (name, array, true));
        let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
        let properties = WriterProperties::builder().set_max_row_group_row_count(Some(1000)).build();
        let mut writer =
            ArrowWriter::try_new(File::create(self.path(name)).unwrap(), batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    /// The rows of a Parquet file as CSV without quotes, and the types of its columns.
    fn read_parquet(&self, name: &str) -> (Vec<String>, Vec<String>) {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(self.path(name)).unwrap()).unwrap();
        let types = reader.schema().fields().iter().map(|field| format!("{}:{}", field.name(), field.data_type()));
        let (types, mut rows) = (types.collect(), vec![]);
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            let options = FormatOptions::default();
            let columns: Vec<_> =
                batch.columns().iter().map(|column| ArrayFormatter::try_new(column, &options).unwrap()).collect();
            for row in 0..batch.num_rows() {
                let fields: Vec<String> = columns.iter().map(|column| column.value(row).to_string()).collect();
                rows.push(fields.join(","));
            }
        }
        (rows, types)
    }

    /// Writes the same puzzles with answers and ratings as `corpus.csv` and `corpus.parquet`.
    fn write_corpus(&self, records: usize) {
        let kinds = [Some(UNIQUE), Some(MULTIPLE), Some(NONE), Some(UNIQUE_SOLUTION), None, Some("a \"b\", c")];
        let puzzles: Vec<_> = (0..records).map(|n| kinds[n * n / 7 % kinds.len()]).collect();
        let answer = |n| if n == WRONG_AT { "4321123443212143" } else { UNIQUE_SOLUTION };
        let answers: Vec<_> = (0..records).map(answer).collect();
        let ratings: Vec<_> = (0..records).map(|n| n as f64 / 4.0).collect();
        let mut csv = csv::Writer::from_path(self.path("corpus.csv")).unwrap();
        csv.write_record(["rating", "question", "answer"]).unwrap();
        for ((puzzle, answer), rating) in puzzles.iter().zip(&answers).zip(&ratings) {
            csv.write_record([&format!("{rating:.2}"), puzzle.unwrap_or(""), answer]).unwrap();
        }
        csv.flush().unwrap();
        self.write_parquet(
            "corpus.parquet",
            vec![
                ("rating", Arc::new(Float64Array::from(ratings)) as ArrayRef),
                ("question", Arc::new(StringArray::from(puzzles))),
                ("answer", Arc::new(StringArray::from(answers))),
            ],
        );
    }
}

impl TestDir {
    /// Checks that the rows of a run are the same in CSV and in Parquet; returns the types of the columns.
    fn check_typed_rows(&self, command: &str, input: &str) -> Vec<String> {
        let csv = self.run(&format!("{command} -q {input}"));
        self.run(&format!("{command} -q {input} -o out.parquet")).ends(csv.code.unwrap());
        let (rows, types) = self.read_parquet("out.parquet");
        let mut expected = csv.out.lines();
        let names: Vec<&str> = types.iter().map(|of_type| of_type.split_once(':').unwrap().0).collect();
        assert_eq!(expected.next(), Some(&*names.join(",")), "{command}");
        let plain = |row: &str| row.replace(['"', '[', ']'], "").replace(", ", ",").replace([' ', ';'], ",");
        let expected: Vec<String> = expected.map(plain).collect();
        let rows: Vec<String> = rows.iter().map(|row| plain(row)).collect();
        assert_eq!(rows, expected, "{command}");
        types
    }
}

/// The lines of CSV without their first field, which counts the lines of the file.
fn without_line(text: &str) -> Vec<&str> {
    text.lines().map(|row| row.split_once(',').unwrap().1).collect()
}

const COLUMNS: &str = "--columns line,puzzle,status,solutions,solution,branches,detail";

#[test]
fn rows_from_parquet_are_those_from_csv() {
    let dir = TestDir::new();
    dir.write_corpus(5000);
    for command in [
        &*format!("solve {COLUMNS}"),
        "validate --minimal --duplicates",
        "canon",
        "rate --max-er 2.5",
        "validate --against corpus.csv --columns line,answer,verdict --keep rating",
        "solve --to lines",
    ] {
        let from_csv = dir.run(&format!("{command} -q corpus.csv"));
        let from_parquet = dir.run(&format!("{command} -q corpus.parquet"));
        assert_eq!(from_csv.code, from_parquet.code, "{command}: {}", from_parquet.err);
        let (csv, parquet) = (from_csv.out, from_parquet.out);
        if command.ends_with("lines") {
            assert_eq!(csv.lines().count(), parquet.lines().count());
        } else {
            // Rows of CSV are counted from its header on, so words about other lines differ by one, too.
            let words = |text: &str| without_line(text).join("\n").replace(|c: char| c.is_ascii_digit(), "");
            assert_eq!(words(&csv), words(&parquet), "{command}");
        }
    }
}

#[test]
fn rows_in_parquet_are_those_in_csv() {
    let dir = TestDir::new();
    dir.write_corpus(300);
    for command in [
        &*format!("solve {COLUMNS} --keep rating"),
        &format!("solve {COLUMNS} --all --limit 4"),
        "solve --columns line --keep rating,answer",
        "validate --minimal --duplicates --classes",
        "validate --columns findings,detail,line --keep rating,question --duplicates",
        "canon",
        "rate --keep rating",
    ] {
        dir.check_typed_rows(command, "corpus.parquet");
    }
    for command in [&format!("solve {COLUMNS} --keep rating"), "validate --keep rating,question --duplicates"] {
        dir.check_typed_rows(command, "corpus.csv");
    }
    dir.run("generate -n 3000 --with-solution --seed 4 -q -o made.csv").ends(0);
    dir.run("generate -n 3000 --with-solution --seed 4 -q -o made.parquet").ends(0);
    let (rows, types) = dir.read_parquet("made.parquet");
    assert_eq!(types, ["puzzle:Utf8", "solution:Utf8"]);
    assert_eq!(format!("puzzle,solution\n{}\n", rows.join("\n")), dir.read("made.csv"));
}

#[test]
fn kept_columns_keep_their_types() {
    let dir = TestDir::new();
    dir.write_parquet(
        "a.parquet",
        vec![
            ("puzzle", Arc::new(StringArray::from(vec![UNIQUE, NONE])) as ArrayRef),
            ("id", Arc::new(UInt64Array::from(vec![None, Some(u64::MAX)]))),
            ("line", Arc::new(Float64Array::from(vec![0.5, 1.0]))),
        ],
    );
    dir.run("solve -q a.parquet --columns status --keep id,line -o out.parquet").ends(0);
    let (rows, types) = dir.read_parquet("out.parquet");
    assert_eq!(types, ["status:Dictionary(Int8, Utf8)", "id:UInt64", "input_line:Float64"]);
    assert_eq!(rows, ["unique,,0.5", "none,18446744073709551615,1.0"]);
    dir.run("validate -q a.parquet --columns verdict --keep id,line -o out.parquet").ends(1);
    let (rows, types) = dir.read_parquet("out.parquet");
    assert_eq!(types[1..], ["id:UInt64", "input_line:Float64"]);
    assert_eq!(rows, ["sound,,0.5", "conflict,18446744073709551615,1.0"]);
    // As text, from two inputs of which the second has another type.
    dir.write("b.csv", format!("puzzle,id,line\n{UNIQUE},7,2\n"));
    dir.run("solve -q a.parquet b.csv --columns status --keep id,line -o out.parquet").ends(0);
    let (rows, types) = dir.read_parquet("out.parquet");
    assert_eq!((&*types[1], &*rows[2]), ("id:UInt64", "unique,7,2.0"));
    dir.write("b.csv", format!("puzzle,id,line\n{UNIQUE},seven,2\n"));
    let error = dir.run("solve -q a.parquet b.csv --columns status --keep id,line -o out.parquet").fails();
    assert!(error.contains("seven"), "{error}");
}

#[test]
fn ratings_and_steps_in_parquet_are_those_in_csv() {
    let dir = TestDir::new();
    let puzzle = "..12.....479.....38...5..7...2...........8265...1.7.4...8.62.199.....83..........";
    dir.write("in.csv", format!("id,puzzle\nx,{UNIQUE}\ny,{puzzle}\nz,rubbish\n"));
    let types = dir.check_typed_rows("rate --keep id", "in.csv");
    assert_eq!(types[3..6], ["er:Float64", "ep:Float64", "ed:Float64"]);
    assert_eq!((&*types[8], &*types[11]), ("steps:UInt64", "id:Utf8"));
    dir.check_typed_rows("rate --only er", "in.csv");
    let types = dir.check_typed_rows("rate --steps", "in.csv");
    assert_eq!(types[4], "difficulty:Float64");
    assert!(types[8].starts_with("eliminations:List("), "{types:?}");
    assert!(types[11].starts_with("implications:List("), "{types:?}");
    // An ER above a bound is null.
    dir.run("rate in.csv -q --only er --max-er 1.5 -o out.parquet").ends(0);
    let (rows, _) = dir.read_parquet("out.parquet");
    assert_eq!(rows[1], format!("3,{puzzle},unique,,,harder than 1.5"));
    let types = dir.check_typed_rows("rate --steps --keep id", "in.csv");
    assert_eq!(types.last().unwrap(), "id:Utf8");
    let error = dir.run("rate in.csv -q --resume -o out.parquet").fails();
    assert!(error.contains("cannot be resumed"), "{error}");
}

#[test]
fn shards_of_parquet_add_up() {
    let dir = TestDir::new();
    dir.write_corpus(10_000);
    let whole = dir.run(&format!("solve -q corpus.parquet {COLUMNS}")).ends(0);
    let mut rows: Vec<String> = vec![];
    for shard in 1..=3 {
        dir.run(&format!("solve -q corpus.parquet {COLUMNS} --shard {shard}/3 -o p{shard}.parquet")).ends(0);
        dir.run(&format!("solve -q corpus.parquet {COLUMNS} --shard {shard}/3 -o p{shard}.csv")).ends(0);
        rows.extend(dir.read_parquet(&format!("p{shard}.parquet")).0);
    }
    dir.run("merge -q p1.csv p2.csv p3.csv -o merged.csv").ends(0);
    assert!(dir.read("merged.csv") == whole);
    rows.sort_by_key(|row| row.split_once(',').unwrap().0.parse::<u64>().unwrap());
    let expected: Vec<String> = whole.lines().skip(1).map(|row| row.replace('"', "")).collect();
    assert!(rows.iter().map(|row| row.replace('"', "")).eq(expected));
}

/// Parquet has its end last, so it is written anew; CSV from Parquet resumes.
#[test]
fn a_run_from_parquet_resumes_and_a_run_into_parquet_does_not() {
    let dir = TestDir::new();
    dir.write_corpus(9000);
    let arguments = format!("solve corpus.parquet - {COLUMNS} --keep rating --puzzle-column question");
    let run = CompleteRun::new(&dir, &arguments, "rating,question\n1,1.3..........4.2\n");
    for cut in [1, run.left.len() / 2, run.left.len() - 1, run.left.len()] {
        assert!(run.resumed(cut) == run.complete, "{cut}");
    }
    let error = dir.run("solve corpus.parquet -o out.parquet --resume -q").fails();
    assert!(error.contains("cannot be resumed"), "{error}");
    let error = dir.run("validate corpus.parquet -o out.parquet --resume -q").fails();
    assert!(error.contains("cannot be resumed"), "{error}");
    assert!(!dir.path("out.parquet").exists());
}

#[test]
fn a_damaged_file_is_one_clear_line() {
    let dir = TestDir::new();
    dir.write_corpus(5000);
    let bytes = fs::read(dir.path("corpus.parquet")).unwrap();
    let mut changed = bytes.clone();
    changed[4..20_000].fill(0x55);
    for (name, bytes) in [
        ("magic.parquet", &b"PAR1"[..]),
        ("short.parquet", &b"PAR1PAR1"[..]),
        ("cut.parquet", &bytes[..bytes.len() / 2]),
        ("changed.parquet", &changed),
    ] {
        dir.write(name, bytes);
        for output in ["out.csv", "out.parquet"] {
            let error = dir.run(&format!("solve -q {name} -o {output}")).fails();
            assert!(error.starts_with("gridmill: ") && error.contains(name), "{error}");
            assert!(!dir.path(output).exists());
        }
    }
    let error = dir.run_on(&bytes, "solve -q").fails();
    assert!(error.contains("give the path"), "{error}");
}

/// A file of pyarrow with the columns `puzzle` and `secret`, the second encrypted.
#[test]
fn encrypted_columns_are_refused_by_name() {
    let dir = TestDir::new();
    let bytes = include_bytes!("../data/encrypted.parquet");
    dir.write("in.parquet", bytes);
    for command in [
        "solve in.parquet --puzzle-column secret",
        "solve in.parquet --keep secret",
        "validate in.parquet --answer-column secret",
        "dedupe in.parquet --by puzzle -o out.parquet",
    ] {
        let error = dir.run(&format!("{command} -q")).fails();
        assert!(error.contains("column 'secret' is damaged, or encrypted"), "{command}: {error}");
    }
    let rows = dir.run("solve -q in.parquet --columns puzzle,status").ends(0);
    assert_eq!(rows, format!("puzzle,status\n{UNIQUE},unique\n"));

    // The footer is encrypted, too.
    let end = bytes.len() - 4;
    dir.write("in.parquet", [b"PARE", &bytes[4..end], b"PARE"].concat());
    let error = dir.run("solve -q in.parquet").fails();
    assert_eq!(
        error,
        "gridmill: in.parquet: the input is encrypted Parquet, which is not read; write it without encryption"
    );
    dir.write("in.parquet", [&bytes[..end], b"PARE"].concat());
    let error = dir.run("solve -q in.parquet").fails();
    assert!(error.ends_with("its footer is encrypted; write it without encryption"), "{error}");
}

/// Each column has buffers of its own, also with few rows.
#[test]
fn there_may_not_be_any_number_of_columns() {
    let dir = TestDir::new();
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![UNIQUE]));
    let names: Vec<String> = (0..5000).map(|number| format!("c{number}")).collect();
    let table = |columns: usize| {
        let kept = names[..columns].iter().map(|name| (name.as_str(), Arc::clone(&puzzles)));
        [("puzzle", Arc::clone(&puzzles))].into_iter().chain(kept).collect::<Vec<_>>()
    };
    dir.write_parquet("wide.parquet", table(4999));
    dir.write("wide.csv", format!("puzzle,{}\n{UNIQUE}{}\n", names.join(","), ",1".repeat(5000)));
    let words = "5000 columns of Parquet are too many; there may be 4096";
    for (command, error) in [
        ("dedupe wide.parquet --by puzzle -o out.parquet", "cannot write the output"),
        ("sample wide.parquet -n 1 -o out.parquet", "cannot write the output"),
        ("split wide.parquet --by puzzle --parts a=1.0 -o {part}.parquet", "cannot write the output"),
        (&format!("solve wide.parquet --keep {}", names[..4999].join(",")), "cannot open wide.parquet"),
        (&format!("convert wide.csv --keep {} -o out.parquet", names[..4996].join(",")), "cannot write the output"),
    ] {
        let found = dir.run(&format!("{command} -q")).fails();
        assert_eq!(found, format!("gridmill: {error}: {words}"), "{}", &command[..40]);
        assert!(!dir.path("out.parquet").exists());
    }
    let rows = dir.run("solve -q wide.parquet --columns status --keep c7").ends(0);
    assert_eq!(rows, format!("status,c7\nunique,{UNIQUE}\n"));

    // All parts together.
    dir.write_parquet("half.parquet", table(2047));
    dir.run("split -q half.parquet --by puzzle --parts a=0.5,b=0.5 -o {part}.parquet").ends(0);
    let error = dir.run("split -q half.parquet --by puzzle --folds 3 -o {part}.parquet").fails();
    assert_eq!(error, "gridmill: cannot write the output: 6144 columns of Parquet are too many; there may be 4096");
}

/// The first input decides on the type of a column that is kept.
#[test]
fn points_in_time_become_those_of_the_first_input() {
    let dir = TestDir::new();
    let puzzles: ArrayRef = Arc::new(StringArray::from(vec![UNIQUE]));
    let time = || TimestampMicrosecondArray::from(vec![1_704_164_645_000_000]);
    let columns: [(&str, ArrayRef); 4] = [
        ("utc", Arc::new(time().with_timezone("UTC"))),
        ("naive", Arc::new(time())),
        ("text", Arc::new(StringArray::from(vec!["2024-01-02T03:04:05"]))),
        ("word", Arc::new(StringArray::from(vec!["soon"]))),
    ];
    for (name, column) in columns {
        dir.write_parquet(&format!("{name}.parquet"), vec![("puzzle", Arc::clone(&puzzles)), ("t", column)]);
    }
    let (utc, naive) = ("2024-01-02T03:04:05Z", "2024-01-02T03:04:05");
    for (inputs, of_type, values) in [
        ("utc naive text", "Timestamp(µs, \"UTC\")", [utc; 3]),
        ("naive utc text", "Timestamp(µs)", [naive; 3]),
        ("text utc naive", "Utf8", [naive, utc, naive]),
    ] {
        let inputs: Vec<String> = inputs.split(' ').map(|name| format!("{name}.parquet")).collect();
        dir.run(&format!("solve -q {} --columns puzzle --keep t -o out.parquet", inputs.join(" "))).ends(0);
        let file = File::open(dir.path("out.parquet")).unwrap();
        let schema = Arc::clone(ParquetRecordBatchReaderBuilder::try_new(file).unwrap().schema());
        assert_eq!(schema.field(1).data_type().to_string(), of_type, "{inputs:?}");
        let rows = dir.run("solve -q out.parquet --columns status --keep t --no-header").ends(0);
        assert_eq!(rows, values.map(|value| format!("unique,{value}\n")).concat(), "{inputs:?}");
    }
    let error = dir.run("solve -q utc.parquet word.parquet --columns status --keep t -o out.parquet").fails();
    let start = "gridmill: cannot write the output: column 't' has other values than in the first input: ";
    assert!(error.starts_with(start) && error.contains("soon"), "{error}");
}

#[test]
fn columns_are_chosen_as_in_csv() {
    let dir = TestDir::new();
    dir.write_corpus(10);
    let result = dir.run("validate corpus.parquet");
    assert!(result.err.contains("Parquet, puzzle in column 'question', answer in column 'answer'"), "{}", result.err);
    let error = dir.run("solve -q corpus.parquet --puzzle-column nix").fails();
    assert!(error.contains("rating, question, answer"), "{error}");
    let error = dir.run("solve -q corpus.parquet --puzzle-column rating").fails();
    assert!(error.contains("'rating' has numbers, and puzzles are texts or lists of numbers; a number has"), "{error}");
    let error = dir.run("validate -q corpus.parquet --rejects r.csv").fails();
    assert!(error.contains("as parquet, and r.csv has another extension"), "{error}");
    let error = dir.run("solve -q corpus.parquet -o corpus.parquet").fails();
    assert!(error.contains("corpus.parquet"), "{error}");
    assert_eq!(dir.run("solve -q corpus.parquet --puzzle-column answer --to lines").ends(0).lines().count(), 10);
}

/// Accepts and rejects are the rows of a Parquet file, with all columns and their types.
#[test]
fn sound_rows_are_copied_with_all_columns() {
    let dir = TestDir::new();
    dir.write_corpus(5000);
    let result = dir.run("validate -q corpus.parquet --accepts good.parquet --rejects bad.parquet --columns verdict");
    let is_sound: Vec<bool> = result.ends(1).lines().skip(1).map(|row| row == "sound").collect();
    let (rows, types) = dir.read_parquet("corpus.parquet");
    for (name, wanted) in [("good.parquet", true), ("bad.parquet", false)] {
        let wanted: Vec<&String> =
            rows.iter().zip(&is_sound).filter(|&(_, &is_sound)| is_sound == wanted).map(|(row, _)| row).collect();
        let (copied, copied_types) = dir.read_parquet(name);
        assert_eq!(copied.iter().collect::<Vec<_>>(), wanted, "{name}");
        assert!(copied_types == types && copied.len() > 1000, "{name}");
    }

    // Shards have blocks of 4096 records in turn.
    let accepts = |shard: usize| {
        let outputs = format!("-o rows{shard}.csv --accepts good{shard}.parquet");
        dir.run(&format!("validate -q corpus.parquet --shard {shard}/2 {outputs}")).ends(1);
        dir.read_parquet(&format!("good{shard}.parquet")).0
    };
    assert_eq!([accepts(1), accepts(2)].concat(), dir.read_parquet("good.parquet").0);

    let error = dir.run("validate -q corpus.parquet corpus.csv -o rows --accepts a.parquet").fails();
    assert!(error.contains("corpus.csv has another format or header than corpus.parquet"), "{error}");
    assert!(!dir.path("a.parquet").exists());
}

#[test]
fn an_empty_file_has_no_rows() {
    let dir = TestDir::new();
    dir.write_corpus(0);
    dir.run("solve -q corpus.parquet -o out.parquet").ends(0);
    assert_eq!(dir.read_parquet("out.parquet").0.len(), 0);
    assert_eq!(
        dir.run(&format!("solve -q {} corpus.parquet --columns file,line", data("4x4.txt"))).ends(0).lines().count(),
        201
    );
}

/// Rows are copied with all their columns and types, and the same ones as from CSV.
/// Columns that are kept have their types, also over several batches of a chunk.
#[test]
fn copies_in_parquet_are_those_in_csv() {
    let dir = TestDir::new();
    dir.write_corpus(3000);
    let keep = "--keep rating --origin --original";
    for input in ["corpus.parquet", "corpus.csv", "corpus.parquet corpus.parquet"] {
        let types = dir.check_typed_rows(&format!("augment --copies 4 --seed 2 {keep} --chunk 700"), input);
        let origin = if input.contains(' ') { "Utf8" } else { "UInt64" };
        let rating = if input == "corpus.csv" { "Utf8" } else { "Float64" };
        let expected = ["puzzle:Utf8", "solution:Utf8", &format!("origin:{origin}"), &format!("rating:{rating}")];
        assert_eq!(types, expected, "{input}");
    }
    let puzzles = crate::corpora::corpus("-n 3");
    let puzzles: Vec<&str> = puzzles.iter().map(|(puzzle, _)| &**puzzle).collect();
    dir.write_parquet(
        "nine.parquet",
        vec![
            ("puzzle", Arc::new(StringArray::from(puzzles)) as ArrayRef),
            ("id", Arc::new(UInt64Array::from(vec![Some(5), None, Some(7)]))),
        ],
    );
    dir.check_typed_rows("augment --copies 70_000 --kind digits --keep id --chunk 3", "nine.parquet");
    let types = dir.check_typed_rows("augment --copies 2", "nine.parquet");
    assert_eq!(types, ["puzzle:Utf8"]);
}

#[test]
fn rows_are_split_deduplicated_and_sampled() {
    let dir = TestDir::new();
    dir.write_corpus(3000);
    let (all, types) = dir.read_parquet("corpus.parquet");
    let rating = |row: &String| row.split(',').next().unwrap().parse::<f64>().unwrap();
    let ratings = |rows: &[String]| rows.iter().map(rating).collect::<Vec<_>>();
    let of_csv = |name: &str| {
        let rows: Vec<String> = dir.read(name).lines().skip(1).map(str::to_owned).collect();
        ratings(&rows)
    };
    // Only the smallest group fits.
    let records = |puzzle: &&str| all.iter().filter(|row| row.split(',').nth(1) == Some(puzzle)).count();
    let fewest = [UNIQUE, MULTIPLE, NONE, UNIQUE_SOLUTION].iter().map(records).min().unwrap();
    assert!(fewest > 100);
    let sizes = ["a=0.4,b=0.6", &format!("a={fewest},b=rest"), &format!("a={fewest}")];
    for (number, sizes) in sizes.into_iter().enumerate() {
        let parts = format!("--by puzzle --parts {sizes} --stratify question");
        dir.run(&format!("split -q corpus.csv {parts} -o csv{number}")).ends(0);
        let split = dir.run(&format!("split corpus.parquet {parts} -o out{number}"));
        assert!(split.err.contains("3,000 records"), "{}", split.err);
        split.ends(0);
        let mut rows = vec![];
        for part in ["a", "b", "unsplit"].into_iter().filter(|part| *part != "b" || sizes.contains("b=")) {
            let part_rows = dir.read_parquet(&format!("out{number}/{part}.parquet"));
            assert_eq!(part_rows.1, types);
            assert_eq!(ratings(&part_rows.0), of_csv(&format!("csv{number}/{part}.csv")), "{sizes}, {part}");
            rows.extend(part_rows.0);
        }
        rows.sort_by(|a, b| rating(a).total_cmp(&rating(b)));
        assert!(!sizes.contains("b=") || rows == all, "{sizes}");
    }
    for options in ["--by puzzle", "--by puzzle --keep-max rating", "--by puzzle --keep-min rating"] {
        dir.run(&format!("dedupe -q corpus.csv {options} -o out.csv --dropped dropped-csv.csv")).ends(0);
        dir.run(&format!("dedupe -q corpus.parquet {options} -o out.parquet --dropped dropped.csv")).ends(0);
        let (rows, kept_types) = dir.read_parquet("out.parquet");
        assert_eq!((ratings(&rows), &kept_types), (of_csv("out.csv"), &types), "{options}");
        // Rows of CSV are counted from its header on.
        let lines = |name: &str, header: u64| {
            let table = dir.read(name);
            let number = |field: &str| field.parse::<u64>().unwrap() - header;
            let row = |row: &str| row.split(',').take(2).map(number).collect::<Vec<_>>();
            table.lines().skip(1).map(row).collect::<Vec<_>>()
        };
        assert_eq!(lines("dropped.csv", 0), lines("dropped-csv.csv", 1));
    }
    for options in ["--where rating<100", "--stratify question --seed 7"] {
        dir.run(&format!("sample -q corpus.csv -n 50 {options} -o out.csv")).ends(0);
        dir.run(&format!("sample -q corpus.parquet -n 50 {options} -o out.parquet")).ends(0);
        let (rows, sample_types) = dir.read_parquet("out.parquet");
        assert_eq!((ratings(&rows), &sample_types, rows.len()), (of_csv("out.csv"), &types, 50), "{options}");
    }
    for (command, words) in [
        ("split --folds 2 -o {part}.csv", "as parquet, "),
        ("dedupe -o out.csv", "as parquet, "),
        ("dedupe -o out.parquet.gz", "as parquet, "),
        ("sample -n 1", "cannot write Parquet to standard output"),
    ] {
        let error = dir.run(&format!("{command} -q corpus.parquet")).fails();
        assert!(error.contains(words), "{error}");
    }
    let error = dir.run("split -q corpus.csv corpus.parquet --folds 2 -o out").fails();
    assert!(error.contains("corpus.parquet has another format or header than corpus.csv"), "{error}");
}

impl TestDir {
    fn row_groups(&self, name: &str) -> Vec<RowGroupMetaData> {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(self.path(name)).unwrap()).unwrap();
        reader.metadata().row_groups().to_vec()
    }
}

/// Rows are collected and encoded in blocks, which neither chunks nor threads change.
#[test]
fn the_bytes_of_a_file_do_not_depend_on_threads_and_chunks() {
    let dir = TestDir::new();
    // More than a row group, with texts that end a block early.
    let rows: Vec<String> = (0..140_000)
        .map(|row| format!("{UNIQUE},{}", "x".repeat(if (20_000..20_030).contains(&row) { 300_000 } else { row % 9 })))
        .collect();
    dir.write("in.csv", format!("puzzle,note\n{}\n", rows.join("\n")));
    let convert = "convert -q in.csv --columns line,puzzle --keep note";
    dir.run(&format!("{convert} -o one.parquet --threads 1 --chunk 1000")).ends(0);
    dir.run(&format!("{convert} -o many.parquet --threads 5")).ends(0);
    assert!(fs::read(dir.path("one.parquet")).unwrap() == fs::read(dir.path("many.parquet")).unwrap());

    let groups = dir.row_groups("many.parquet");
    let sizes: Vec<i64> = groups.iter().map(RowGroupMetaData::num_rows).collect();
    assert!(sizes.len() == 2 && sizes[0] >= 131_072 && sizes.iter().sum::<i64>() == 140_000, "{sizes:?}");
    let (read, _) = dir.read_parquet("many.parquet");
    let expected = rows.iter().enumerate().map(|(row, fields)| format!("{},{fields}", row + 2));
    assert!(read.into_iter().eq(expected));
}

#[test]
fn only_columns_with_few_values_have_dictionaries() {
    let dir = TestDir::new();
    let rows: Vec<String> = (0..20_000).map(|row| format!("{UNIQUE},{}", row % 50)).collect();
    dir.write("in.csv", format!("puzzle,source\n{}\n", rows.join("\n")));
    dir.run("convert -q in.csv --columns line --keep source -o out.parquet").ends(0);
    let [group] = &dir.row_groups("out.parquet")[..] else { panic!("there are several row groups") };
    // A number has 8 bytes, 15 bits more with a dictionary of all of them; one of 50 values has 6 bits.
    let sizes: Vec<i64> = group.columns().iter().map(ColumnChunkMetaData::uncompressed_size).collect();
    assert!(sizes[0] < 180_000 && sizes[1] < 20_000, "{sizes:?}");
}

#[test]
fn columns_are_compressed_as_asked() {
    let dir = TestDir::new();
    dir.write_corpus(1000);
    for (name, expected) in [
        ("zstd", Compression::ZSTD(ZstdLevel::default())),
        ("snappy", Compression::SNAPPY),
        ("lz4", Compression::LZ4_RAW),
        ("none", Compression::UNCOMPRESSED),
    ] {
        for command in
            ["solve corpus.parquet --columns line,status", "dedupe corpus.parquet --by puzzle", "generate -n 5"]
        {
            dir.run(&format!("{command} -q --compress {name} -o out.parquet")).ends(0);
            for group in dir.row_groups("out.parquet") {
                assert!(group.columns().iter().all(|column| column.compression() == expected), "{command} {name}");
            }
        }
    }
    dir.run("solve corpus.parquet -q --columns line -o out.parquet").ends(0);
    assert_eq!(dir.row_groups("out.parquet")[0].column(0).compression(), Compression::ZSTD(ZstdLevel::default()));
}

/// Lists of numbers, some of which are missing, and lists of names.
#[test]
fn lists_of_traces_are_lists() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n"));
    dir.run("trace -q in.txt --style search --columns kinds,cells -o out.parquet").ends(0);
    let (rows, types) = dir.read_parquet("out.parquet");
    let csv = dir.run("trace -q in.txt --style search --columns kinds,cells --no-header").ends(0);
    let lists = |row: &str| row.replace(", ", ";").replace(['[', ']'], "");
    assert_eq!(rows.iter().map(|row| lists(row)).collect::<Vec<_>>(), csv.lines().collect::<Vec<_>>());
    assert_eq!(types, ["kinds:List(non-null Utf8)", "cells:List(UInt64)"]);
}
