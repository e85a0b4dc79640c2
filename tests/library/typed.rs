//! Typed columns: record batches in, record batches out, with the rows of the text path.

use std::num::NonZeroUsize;
use std::sync::Arc;

use arrow_array::builder::{
    FixedSizeListBuilder, Float32Builder, Int64Builder, LargeListBuilder, ListBuilder, StringBuilder, UInt8Builder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, DictionaryArray, FixedSizeListArray, Float64Array, Int8Array,
    Int64Array, LargeStringArray, ListArray, StringArray, StringViewArray, StructArray,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::TimeUnit;
use gridmill::arrow::{DataType, Field, RecordBatch, Schema};
use gridmill::corpus::{Corpus, CorpusError, Origin};
use gridmill::engine::EngineKind;
use gridmill::format::{AnswerColumn, DetectError, InputOptions};
use gridmill::jobs::validate::RecordVerdict;
use gridmill::jobs::{Canon, Event, Execution, Generate, Solve, Validate};
use gridmill::output::OutputTarget;
use gridmill::pipeline::{End, Stop};
use gridmill::rows::OutputFormat;
use proptest::prelude::*;

const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const ANSWER: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
}

fn corpus(batches: &[RecordBatch], options: InputOptions) -> Result<Corpus, CorpusError> {
    let owned: Vec<_> = batches.iter().cloned().map(Ok).collect();
    Corpus::from_batches(batches[0].schema(), owned, options)
}

/// A corpus, and the line that describes its input.
fn described(corpus: Corpus) -> (Corpus, String) {
    let (sender, receiver) = std::sync::mpsc::channel();
    let corpus = corpus.on_open(move |input, _| sender.send(input.layout.to_string()).unwrap_or_default());
    (corpus, receiver.recv().unwrap())
}

/// Takes batches.
fn collect(batches: &mut Vec<RecordBatch>) -> impl FnMut(RecordBatch) -> std::io::Result<()> {
    |batch| {
        batches.push(batch);
        Ok(())
    }
}

/// The rows of a solve job, and the number of batches.
fn solved(job: &Solve, mut corpus: Corpus, execution: &Execution) -> (RecordBatch, usize) {
    let schema = job.table_schema(&mut corpus).unwrap();
    let mut batches = vec![];
    let finished = job.clone().run_table(corpus, collect(&mut batches), execution).unwrap();
    let rows = arrow_select::concat::concat_batches(&schema, &batches).unwrap();
    assert_eq!(finished.report.records, rows.num_rows() as u64);
    (rows, batches.len())
}

/// The texts of a column; `-` for a null.
fn texts(rows: &RecordBatch, name: &str) -> Vec<String> {
    let column = rows.column_by_name(name).unwrap();
    let column = arrow_cast::cast(column, &DataType::Utf8).unwrap();
    column.as_string::<i32>().iter().map(|text| text.unwrap_or("-").to_owned()).collect()
}

fn list_of_cells(puzzle: &str) -> Vec<Option<i64>> {
    puzzle.bytes().map(|byte| Some(if byte == b'.' { 0 } else { i64::from(byte - b'0') })).collect()
}

#[test]
fn columns_have_their_types() {
    let text: ArrayRef = Arc::new(StringArray::from(vec![Some(PUZZLE), None, Some("1234"), Some(&"1".repeat(81))]));
    let rating: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.5), Some(2.0), None, Some(-0.0)]));
    let options = InputOptions { keep: vec!["rating".into(), "line".into()], ..InputOptions::default() };
    let line: ArrayRef = Arc::new(BooleanArray::from(vec![true, false, true, false]));
    let input = batch(vec![("rating", Arc::clone(&rating)), ("question", text), ("line", Arc::clone(&line))]);
    let (rows, _) = solved(&Solve::new(), corpus(&[input], options).unwrap(), &Execution::new());
    let types: Vec<String> = rows
        .schema()
        .fields()
        .iter()
        .map(|field| format!("{} {}{}", field.name(), field.data_type(), if field.is_nullable() { "?" } else { "" }))
        .collect();
    assert_eq!(
        types,
        [
            "line UInt64",
            "puzzle Utf8",
            "status Dictionary(Int8, Utf8)",
            "solutions UInt64?",
            "solution Utf8?",
            "branches UInt64?",
            "nanos UInt64",
            "detail Utf8?",
            "rating Float64?",
            "input_line Boolean?",
        ]
    );
    assert_eq!(texts(&rows, "line"), ["1", "2", "3", "4"]);
    assert_eq!(texts(&rows, "puzzle"), [PUZZLE, "", "1234", &"1".repeat(81)]);
    assert_eq!(texts(&rows, "status"), ["unique", "malformed", "malformed", "none"]);
    assert_eq!(texts(&rows, "solution"), [ANSWER, "-", "-", "-"]);
    assert_eq!(texts(&rows, "detail")[3], "two 1s in row 1: r1c1, r1c2");
    assert_eq!(texts(&rows, "detail")[0], "-");
    assert_eq!((rows.column(8), rows.column(9)), (&rating, &line));
    assert_eq!(rows.column(2).as_dictionary::<Int8Type>().values().len(), 5);
}

/// Every type that can hold puzzles gives the same rows; a slice of an array is read from its offset on.
#[test]
fn puzzles_are_read_from_texts_and_lists() {
    let puzzles = [Some(PUZZLE), None, Some(ANSWER)];
    let cells = |puzzle: &str| list_of_cells(puzzle);
    let mut list = ListBuilder::new(Int64Builder::new());
    let mut large = LargeListBuilder::new(UInt8Builder::new());
    let mut fixed = FixedSizeListBuilder::new(Int64Builder::new(), 81);
    let mut nested = ListBuilder::new(ListBuilder::new(Int64Builder::new()));
    let (mut list_of_texts, mut rows_of_texts) =
        (ListBuilder::new(StringBuilder::new()), ListBuilder::new(ListBuilder::new(StringBuilder::new())));
    let mut fixed_rows = FixedSizeListBuilder::new(FixedSizeListBuilder::new(Int64Builder::new(), 9), 9);
    for puzzle in puzzles {
        let Some(puzzle) = puzzle else {
            list.append_null();
            list_of_texts.append_null();
            rows_of_texts.append_null();
            large.append_null();
            (0..81).for_each(|_| fixed.values().append_null());
            fixed.append(false);
            nested.append_null();
            for _ in 0..9 {
                (0..9).for_each(|_| fixed_rows.values().values().append_null());
                fixed_rows.values().append(false);
            }
            fixed_rows.append(false);
            continue;
        };
        list.append_value(cells(puzzle));
        let symbols = || puzzle.chars().map(|cell| (cell != '.').then(|| cell.to_string()));
        list_of_texts.append_value(symbols());
        for row in symbols().collect::<Vec<_>>().chunks(9) {
            rows_of_texts.values().append_value(row.iter().cloned());
        }
        rows_of_texts.append(true);
        large.append_value(cells(puzzle).into_iter().map(|cell| cell.map(|cell| cell as u8)));
        fixed.values().extend(cells(puzzle));
        fixed.append(true);
        for row in cells(puzzle).chunks(9) {
            nested.values().append_value(row.iter().copied());
            fixed_rows.values().values().extend(row.iter().copied());
            fixed_rows.values().append(true);
        }
        nested.append(true);
        fixed_rows.append(true);
    }
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter(puzzles)),
        Arc::new(LargeStringArray::from_iter(puzzles)),
        Arc::new(StringViewArray::from_iter(puzzles)),
        Arc::new(puzzles.into_iter().collect::<DictionaryArray<Int8Type>>()),
        Arc::new(list.finish()),
        Arc::new(list_of_texts.finish()),
        Arc::new(rows_of_texts.finish()),
        Arc::new(large.finish()),
        Arc::new(fixed.finish()),
        Arc::new(nested.finish()),
        Arc::new(fixed_rows.finish()),
    ];
    for array in arrays {
        let options = InputOptions { puzzle_column: Some("p".into()), ..InputOptions::default() };
        for (start, length) in [(0, 3), (1, 2), (2, 1), (1, 1), (3, 0)] {
            let input = batch(vec![("p", array.slice(start, length))]);
            let (rows, _) = solved(&Solve::new(), corpus(&[input], options.clone()).unwrap(), &Execution::new());
            let expected = ["unique", "malformed", "unique"];
            assert_eq!(texts(&rows, "status"), expected[start..start + length], "{:?}", array.data_type());
            let expected = [PUZZLE, "", ANSWER];
            // Lists of texts without blank symbols are printed with zeros.
            let printed: Vec<String> = texts(&rows, "puzzle").iter().map(|puzzle| puzzle.replace('0', ".")).collect();
            assert_eq!(printed, expected[start..start + length], "{:?}", array.data_type());
        }
    }
}

#[test]
fn a_list_that_is_no_puzzle_is_malformed() {
    let mut lists = ListBuilder::new(Int64Builder::new());
    let with = |at: usize, value: Option<i64>| {
        let mut cells = list_of_cells(PUZZLE);
        cells[at] = value;
        cells
    };
    let blank = |blank: Option<i64>| {
        list_of_cells(PUZZLE).into_iter().map(move |cell| if cell == Some(0) { blank } else { cell })
    };
    for cells in [
        blank(None).collect(),
        blank(Some(-1)).collect(),
        with(0, Some(10)),
        with(80, Some(i64::MIN)),
        vec![Some(1); 80],
        vec![],
        // Digits may count from 0 here.
        with(0, None),
        with(1, Some(-1)),
    ] {
        lists.append_value(cells);
    }
    let input = batch(vec![("puzzle", Arc::new(lists.finish()) as ArrayRef)]);
    let (rows, _) = solved(&Solve::new(), corpus(&[input], InputOptions::default()).unwrap(), &Execution::new());
    let statuses = [&["unique"; 2][..], &["malformed"; 6]].concat();
    assert_eq!(texts(&rows, "status"), statuses);
    assert!(texts(&rows, "puzzle")[2].starts_with("[10, 0, 0"));
    assert_eq!(texts(&rows, "detail")[2], "row 1, column 1: 10 is above 9");
    assert_eq!(texts(&rows, "detail")[3], format!("row 9, column 9: {} is below 0", i64::MIN));
    assert_eq!(texts(&rows, "puzzle")[5], "[]");
    for (row, cells) in [(6, "[null, 0"), (7, "[4, -1")] {
        assert!(texts(&rows, "puzzle")[row].starts_with(cells), "{:?}", texts(&rows, "puzzle")[row]);
        assert!(texts(&rows, "detail")[row].contains("0 beside other blanks"), "{:?}", texts(&rows, "detail")[row]);
    }
}

/// A text that stands in memory once, and in the column so often that all of them are too long for a column of texts.
#[test]
fn a_long_text_of_a_dictionary_is_malformed_wherever_it_is() {
    let long = "1".repeat(1 << 20);
    let texts_of = StringArray::from(vec![PUZZLE, &long]);
    let keys: Int8Array = (0..2100).map(|row| (row > 0).then_some(i8::from(row > 1))).collect();
    let column: ArrayRef = Arc::new(DictionaryArray::<Int8Type>::new(keys, Arc::new(texts_of)));
    let corpus = corpus(&[batch(vec![("puzzle", column)])], InputOptions::default()).unwrap();
    let job = Solve::new().columns(["status", "detail"]);
    let (rows, _) = solved(&job, corpus, &Execution::new());
    assert_eq!(texts(&rows, "status")[..3], ["malformed", "unique", "malformed"]);
    assert_eq!(texts(&rows, "detail")[2..].iter().filter(|detail| detail.starts_with("longer than")).count(), 2098);
}

#[test]
fn a_column_that_cannot_hold_puzzles_is_refused() {
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1]));
    let text: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE]));
    let error = |columns, options| match corpus(&[batch(columns)], options) {
        Err(CorpusError::Detect { source, .. }) => source,
        other => panic!("{other:?}"),
    };
    let named = |puzzle: &str, answer: AnswerColumn| InputOptions {
        puzzle_column: Some(puzzle.to_owned()),
        answer,
        ..InputOptions::default()
    };
    let one = || vec![("puzzle", Arc::clone(&numbers)), ("text", Arc::clone(&text))];
    let is_wrong = |error: DetectError| match error {
        DetectError::ColumnType { name, of_type, .. } => name == "puzzle" && of_type == "numbers",
        _ => false,
    };
    assert!(is_wrong(error(vec![("puzzle", Arc::clone(&numbers))], InputOptions::default())));
    assert!(is_wrong(error(one(), named("puzzle", AnswerColumn::Ignored))));
    assert!(is_wrong(error(one(), named("text", AnswerColumn::Named("puzzle".into())))));
    assert!(matches!(error(one(), named("other", AnswerColumn::Ignored)), DetectError::NoColumn { .. }));
    let other = vec![("a", Arc::clone(&text)), ("b", text)];
    assert!(matches!(error(other, InputOptions::default()), DetectError::SeveralPuzzleColumns { .. }));
}

/// Types that have no puzzles are named in words, with a way to write puzzles.
#[test]
fn types_are_named_in_the_words_of_users() {
    let fields = |name: &str| DataType::Struct(vec![Field::new(name, DataType::Utf8, true)].into());
    let list = |item: DataType| DataType::List(Arc::new(Field::new_list_field(item, true)));
    for (data_type, words) in [
        (DataType::Float64, "has numbers, and puzzles are texts or lists of numbers; a number has lost digits"),
        (DataType::Boolean, "has booleans, and puzzles"),
        (DataType::Date32, "has times, and puzzles"),
        (
            list(DataType::Boolean),
            "has lists of booleans, and puzzles are texts or lists of numbers; cast them to integers",
        ),
        (list(list(list(DataType::Float32))), "has lists of lists of lists of numbers, and puzzles"),
        (fields("text"), "has structs, and puzzles are texts or lists of numbers; name a field of them, as in"),
        (list(fields("content")), "has lists of structs, and puzzles are texts or lists of numbers; of a chat, keep"),
    ] {
        let schema = Arc::new(Schema::new(vec![Field::new("puzzle", data_type, true)]));
        let options = InputOptions { puzzle_column: Some("puzzle".into()), ..InputOptions::default() };
        let error = Corpus::from_batches(schema, vec![], options).unwrap_err();
        let CorpusError::Detect { source, .. } = error else { panic!("{error:?}") };
        assert!(source.to_string().starts_with(&format!("the column 'puzzle' {words}")), "{source}");
    }
}

/// Puzzles of floats in lists, and of bytes.
#[test]
fn whole_floats_and_bytes_are_puzzles() {
    let digits = PUZZLE.bytes().map(|symbol| if symbol == b'.' { 0.0 } else { f32::from(symbol - b'0') });
    let mut rows = FixedSizeListBuilder::new(Float32Builder::new(), 81);
    for (from, to) in [(0.0, 0.0), (0.0, f32::NAN), (8.0, 8.5), (8.0, 1e20)] {
        let cells: Vec<f32> =
            digits.clone().map(|digit| if digit.total_cmp(&from).is_eq() { to } else { digit }).collect();
        rows.values().append_slice(&cells);
        rows.append(true);
    }
    let floats: ArrayRef = Arc::new(rows.finish());
    let bytes: ArrayRef = Arc::new(BinaryArray::from_vec(vec![PUZZLE.as_bytes(), b"x", b"\xff", b""]));
    for (column, details) in [
        (floats, ["-", "-", "row 1, column 7: no integer from 0 to 9", "row 1, column 7: no integer from 0 to 9"]),
        (bytes, ["-", "1 cell", "0 cells", "0 cells"]),
    ] {
        let input = batch(vec![("puzzle", column)]);
        let (rows, _) = solved(&Solve::new(), corpus(&[input], InputOptions::default()).unwrap(), &Execution::new());
        assert_eq!(texts(&rows, "status")[0], "unique");
        for (detail, expected) in texts(&rows, "detail").iter().zip(details) {
            assert!(detail.starts_with(expected), "{detail}");
        }
    }
}

/// A field of structs has the name `column.field`. It is found if no column has puzzles.
#[test]
fn fields_of_structs_are_columns() {
    let texts_of = |texts: [&str; 2]| Arc::new(StringArray::from(texts.to_vec())) as ArrayRef;
    let field = |name: &str, values: &ArrayRef| Arc::new(Field::new(name, values.data_type().clone(), true));
    let structs = |columns: &[(&str, ArrayRef)]| {
        let fields = columns.iter().map(|(name, values)| field(name, values)).collect();
        let values = columns.iter().map(|(_, values)| Arc::clone(values)).collect();
        Arc::new(StructArray::new(fields, values, Some(NullBuffer::from(vec![true, false])))) as ArrayRef
    };
    let level = structs(&[("level", texts_of(["easy", "hard"]))]);
    let x = structs(&[("puzzle", texts_of([PUZZLE; 2])), ("solution", texts_of([ANSWER; 2])), ("meta", level)]);
    let input = batch(vec![("id", texts_of(["a", "b"])), ("x", Arc::clone(&x))]);
    let by_name =
        InputOptions { answer: AnswerColumn::ByName, keep: vec!["x.meta.level".into()], ..InputOptions::default() };
    let named = InputOptions { puzzle_column: Some("x.puzzle".into()), ..InputOptions::default() };

    let (open, described) = described(corpus(std::slice::from_ref(&input), by_name).unwrap());
    assert_eq!(described, "Parquet, puzzle in column 'x.puzzle', answer in column 'x.solution', blank '.'");
    let mut rows = vec![];
    let _ = Validate::new().run_table(open, collect(&mut rows), &Execution::new()).unwrap();
    assert_eq!(texts(&rows[0], "answer"), ["right", "-"]);
    assert_eq!(texts(&rows[0], "verdict"), ["sound", "malformed"]);
    assert_eq!(texts(&rows[0], "x.meta.level"), ["easy", "-"]);
    let (rows, _) = solved(&Solve::new(), corpus(&[input], named.clone()).unwrap(), &Execution::new());
    assert_eq!(texts(&rows, "status"), ["unique", "malformed"]);

    // A column with the very name is preferred.
    let input = batch(vec![("x.puzzle", texts_of(["1.3..........4.2"; 2])), ("x", x)]);
    let (rows, _) = solved(&Solve::new(), corpus(&[input], named).unwrap(), &Execution::new());
    assert_eq!(texts(&rows, "solution"), ["1234432121433412"; 2]);
}

/// Without a usual name, the column with blanks and without two equal digits in a house has the puzzles.
#[test]
fn columns_are_found_by_their_content() {
    let column = |text: &str| Arc::new(StringArray::from(vec![text; 3])) as ArrayRef;
    let mask: String = PUZZLE.chars().map(|symbol| if symbol == '.' { '0' } else { '1' }).collect();
    let by_name = || InputOptions { answer: AnswerColumn::ByName, ..InputOptions::default() };
    let other = PUZZLE.replace('4', "1").replacen('1', "4", 1);
    for (columns, expected) in [
        (
            vec![("a", ANSWER), ("b", PUZZLE), ("c", "x")],
            "column 'b', found by its content, blank '.'; column 'a' looks like answers",
        ),
        (vec![("m", &*mask), ("b", PUZZLE)], "column 'b', found by its content, blank '.'"),
        (vec![("puzzle", PUZZLE), ("other", PUZZLE)], "column 'puzzle', blank '.'; not read: 'other'"),
        (vec![("puzzle", "easy"), ("other", PUZZLE)], "column 'other', found by its content, blank '.'"),
        (vec![("a", PUZZLE), ("b", PUZZLE), ("c", "x")], "! several columns have puzzles: a, b"),
        (
            vec![("a", ANSWER), ("mask", &*mask)],
            "! column 'mask' has only 0 and 1: a mask, which tells the clues of a solution, and not a puzzle; write puzzles with a 0 for each cell that is not a clue",
        ),
        (vec![("a", &*other), ("b", "x")], "! which column holds the puzzles is not clear; the input has a, b"),
    ] {
        let input = batch(columns.into_iter().map(|(name, text)| (name, column(text))).collect());
        let found = match corpus(&[input], by_name()) {
            Ok(corpus) => described(corpus).1,
            Err(CorpusError::Detect { source, .. }) => format!("Parquet, puzzle in ! {source}"),
            Err(error) => panic!("{error}"),
        };
        assert_eq!(found.strip_prefix("Parquet, puzzle in "), Some(expected));
    }
}

/// An empty table has no rows, but its columns have types.
#[test]
fn an_empty_table_gives_an_empty_table() {
    let schema = Arc::new(Schema::new(vec![Field::new("sudoku", DataType::Utf8View, true)]));
    let empty = || Corpus::from_batches(Arc::clone(&schema), vec![], InputOptions::default()).unwrap();
    let (rows, batches) = solved(&Solve::new(), empty(), &Execution::new());
    assert_eq!((rows.num_rows(), rows.num_columns(), batches), (0, 8, 0));
    let report = Validate::new().run_table(empty(), |_| panic!("no rows"), &Execution::new()).unwrap().report;
    assert_eq!(report.score.records, 0);
}

#[test]
fn all_solutions_are_lists() {
    let text: ArrayRef = Arc::new(StringArray::from(vec!["1.3..........4.2", "12..............", "11.............."]));
    let job = Solve::new().all(true).limit(3.try_into().unwrap()).columns(["solution"]);
    let (rows, _) =
        solved(&job, corpus(&[batch(vec![("p", text)])], InputOptions::default()).unwrap(), &Execution::new());
    let lists = rows.column(0).as_list::<i32>();
    let lengths: Vec<i32> = (0..3).map(|row| lists.value_length(row)).collect();
    assert_eq!(lengths, [1, 3, 0]);
    assert_eq!(lists.value(0).as_string::<i32>().value(0), "1234432121433412");
}

#[test]
fn every_job_takes_and_gives_tables() {
    let text: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE, PUZZLE, "oops", &".".repeat(81)]));
    let answer: ArrayRef = Arc::new(StringArray::from(vec![ANSWER, PUZZLE, ANSWER, ANSWER]));
    let input = batch(vec![("puzzle", text), ("solution", answer)]);
    let options = InputOptions { answer: AnswerColumn::ByName, ..InputOptions::default() };

    let open = || corpus(std::slice::from_ref(&input), options.clone()).unwrap();
    let mut verdicts = vec![];
    let job = Validate::new().duplicates(true).classes(true);
    let schema = job.table_schema(&mut open()).unwrap();
    let report = job.run_table(open(), collect(&mut verdicts), &Execution::new()).unwrap().report;
    assert_eq!(report.score.records, 4);
    let rows = arrow_select::concat::concat_batches(&schema, &verdicts).unwrap();
    assert_eq!(texts(&rows, "verdict"), ["sound", "bad-answer", "malformed", "multiple"]);
    assert_eq!(texts(&rows, "findings"), ["[]", "[bad-answer, duplicate]", "[malformed]", "[multiple]"]);
    assert_eq!(texts(&rows, "answer"), ["right", "bad", "-", "-"]);
    assert_eq!(texts(&rows, "clues"), ["17", "17", "-", "0"]);
    assert_eq!(texts(&rows, "class")[0].len(), 32);

    let mut forms = vec![];
    let _ = Canon::new().run_table(open(), collect(&mut forms), &Execution::new()).unwrap();
    let rows = arrow_select::concat::concat_batches(&Canon::new().table_schema(&mut open()).unwrap(), &forms).unwrap();
    assert_eq!(rows.column_by_name("automorphisms").unwrap().as_primitive::<UInt64Type>().value(0), 1);
    assert_eq!(texts(&rows, "canonical")[0], texts(&rows, "canonical")[1]);
    assert_eq!(texts(&rows, "canonical_solution")[2..], ["-", "-"]);

    let (mut puzzles, mut lines) = (vec![], vec![]);
    let job = Generate::new(300).solutions(true).format(OutputFormat::Csv);
    let _ = job.clone().run_table(Corpus::empty(), collect(&mut puzzles), &Execution::new()).unwrap();
    let _ = job.clone().run(Corpus::empty(), &mut lines, &Execution::new()).unwrap();
    let rows =
        arrow_select::concat::concat_batches(&job.table_schema(&mut Corpus::empty()).unwrap(), &puzzles).unwrap();
    let of_table: Vec<String> =
        texts(&rows, "puzzle").into_iter().zip(texts(&rows, "solution")).map(|(p, s)| format!("{p},{s}\n")).collect();
    assert_eq!(format!("puzzle,solution\n{}", of_table.concat()), String::from_utf8(lines).unwrap());
}

/// An error of the consumer ends the run.
#[test]
fn a_consumer_may_fail() {
    let text: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; 100]));
    let corpus = corpus(&[batch(vec![("p", text)])], InputOptions::default()).unwrap();
    let error = Solve::new().run_table(corpus, |_| Err(std::io::Error::other("full")), &Execution::new()).unwrap_err();
    assert_eq!(error.to_string(), "cannot write the output");
}

/// A resumed run copies the rows of its first part again. The first records with each verdict are those of the complete run.
#[test]
fn a_resumed_validation_knows_its_first_part() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let target = |name: &str| OutputTarget::file(path(name));
    // Many more chunks than a pipeline holds, so that it stops before the end.
    let files = ["data/mixed.txt", "data/easy.txt", "data/minimal.txt"].map(|name| Origin::File(name.into()));
    let puzzles = Corpus::open(files.into(), InputOptions::default()).unwrap();
    let _ = Solve::new().run_to(puzzles, &target("corpus.parquet"), &Execution::new()).unwrap();
    let validate = |accepts: &str, rows: &str, resume, execution: &Execution| {
        let options = InputOptions { puzzle_column: Some("puzzle".into()), ..InputOptions::default() };
        let origin = Origin::File(path("corpus.parquet"));
        let corpus = Corpus::open(vec![origin], options).unwrap();
        let job = Validate::new().accepts(target(accepts)).resume(resume);
        job.run_to(corpus, &target(rows), execution).unwrap()
    };
    let complete = validate("complete.parquet", "complete.csv", false, &Execution::new());
    let complete = complete.report;
    let sound = complete.score.verdicts[RecordVerdict::Sound];

    let stop = Stop::new();
    let stop_when_written = stop.clone();
    let observer = move |event: Event<'_>| {
        if matches!(event, Event::Written { .. }) {
            stop_when_written.trigger();
        }
    };
    let execution = Execution::new().chunk_size(NonZeroUsize::new(10).unwrap());
    let stopped = validate("resumed.parquet", "resumed.csv", false, &execution.stop(stop).observer(observer));
    assert_eq!(stopped.end, End::Stopped);
    assert!(!path("resumed.parquet").exists());
    let resumed = validate("resumed.parquet", "resumed.csv", true, &Execution::new());
    assert!(resumed.run.resumed.is_some_and(|resumed| resumed.records > 0));
    let resumed = resumed.report;
    assert!(!resumed.examples.is_empty() && resumed.examples == complete.examples);
    let records = |name: &str| {
        let mut rows = vec![];
        let _ = Solve::new()
            .columns(["puzzle"])
            .run(Corpus::open_path(path(name)).unwrap(), &mut rows, &Execution::new())
            .unwrap();
        String::from_utf8(rows).unwrap()
    };
    assert_eq!(records("complete.parquet"), records("resumed.parquet"));
    assert_eq!(records("resumed.parquet").lines().count() as u64, sound + 1);
}

#[test]
fn a_text_with_line_ends_is_one_record() {
    let rows = PUZZLE.as_bytes().chunks(9).map(|row| str::from_utf8(row).unwrap()).collect::<Vec<_>>().join("\n");
    let puzzles = vec![&*rows, "\na\r\n\"#,\n", PUZZLE];
    let notes: ArrayRef = Arc::new(StringArray::from(vec!["\n\"a'\",", "\r\r", ""]));
    let input = batch(vec![("puzzle", Arc::new(StringArray::from(puzzles)) as ArrayRef), ("note", Arc::clone(&notes))]);
    let options = InputOptions { keep: vec!["note".into()], ..InputOptions::default() };
    let (rows, _) = solved(&Solve::new(), corpus(&[input], options).unwrap(), &Execution::new());
    assert_eq!(texts(&rows, "status"), ["unique", "malformed", "unique"]);
    assert_eq!(texts(&rows, "puzzle"), [PUZZLE, "\na\r\n\"#,\n", PUZZLE]);
    assert_eq!(rows.column_by_name("note").unwrap(), &notes);
}

/// What a table of texts holds: puzzles, nulls, and texts that look like parts of CSV.
fn any_text() -> impl Strategy<Value = Option<String>> {
    prop_oneof![
        2 => Just(Some(PUZZLE.to_owned())),
        1 => Just(Some(PUZZLE.replace('.', "0"))),
        1 => Just(None),
        1 => Just(Some("1.3..........4.2".to_owned())),
        3 => "[\"', \t.0-9a-zä#]{0,20}".prop_map(Some),
    ]
}

/// Arrays of most types that tables have, with nulls; slices of them.
fn any_array() -> impl Strategy<Value = ArrayRef> {
    let numbers = prop::collection::vec(prop::option::weighted(0.8, any::<i64>()), 1..30);
    let small = prop::collection::vec(prop::option::weighted(0.9, -2..11_i64), 200..400);
    let types = [
        DataType::Int8,
        DataType::Int64,
        DataType::UInt16,
        DataType::Float32,
        DataType::Float64,
        DataType::Boolean,
        DataType::Utf8,
        DataType::LargeUtf8,
        DataType::Utf8View,
        DataType::Binary,
        DataType::Date32,
        DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
        DataType::Decimal128(20, 2),
        DataType::Dictionary(Box::new(DataType::Int16), Box::new(DataType::Utf8)),
    ];
    let flat = (numbers, prop::sample::select(types.to_vec())).prop_map(|(numbers, of_type)| {
        let numbers: ArrayRef = Arc::new(Int64Array::from(numbers));
        let text = arrow_cast::cast(&numbers, &DataType::Utf8).unwrap();
        arrow_cast::cast(if of_type == DataType::Binary { &text } else { &numbers }, &of_type)
            .or_else(|_| arrow_cast::cast(&text, &of_type))
            .unwrap_or(numbers)
    });
    let lists = (small, 1..90_usize, any::<bool>(), any::<bool>()).prop_map(|(cells, length, is_nested, is_fixed)| {
        let cells: ArrayRef = Arc::new(Int64Array::from(cells));
        let cells = arrow_cast::cast(&cells, &DataType::Int8).unwrap();
        let list = |values: &ArrayRef, length: usize| -> ArrayRef {
            let field = Arc::new(Field::new_list_field(values.data_type().clone(), true));
            let count = values.len() / length;
            let nulls = NullBuffer::from((0..count).map(|row| row % 5 != 3).collect::<Vec<_>>());
            if is_fixed {
                let values = values.slice(0, count * length);
                let length = i32::try_from(length).unwrap();
                return Arc::new(FixedSizeListArray::new(field, length, values, Some(nulls)));
            }
            let offsets = OffsetBuffer::from_lengths(std::iter::repeat_n(length, count));
            Arc::new(ListArray::new(field, offsets, Arc::clone(values), Some(nulls)))
        };
        if is_nested { list(&list(&cells, 4), length.min(4)) } else { list(&cells, length.min(200)) }
    });
    (prop_oneof![2 => flat, 1 => lists], any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(
        |(array, start, end)| {
            let (start, end) = (start.index(array.len() + 1), end.index(array.len() + 1));
            array.slice(start.min(end), start.abs_diff(end))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// A column of any type is read or refused; what is kept comes back as it was.
    #[test]
    fn any_column_is_read_or_refused(array in any_array(), chunk in 1..20_usize) {
        let texts_of = |length| Arc::new(StringArray::from(vec![PUZZLE; length])) as ArrayRef;
        let input = batch(vec![("puzzle", texts_of(array.len())), ("kept", Arc::clone(&array))]);
        let execution = Execution::new().chunk_size(chunk.try_into().unwrap());
        let named = InputOptions { puzzle_column: Some("kept".into()), ..InputOptions::default() };
        match corpus(std::slice::from_ref(&input), named) {
            Ok(corpus) => prop_assert_eq!(solved(&Solve::new(), corpus, &execution).0.num_rows(), array.len()),
            Err(error) => prop_assert!(matches!(&error, CorpusError::Detect { source: DetectError::ColumnType { .. }, .. }), "{}", error),
        }
        let keep = InputOptions { keep: vec!["kept".into()], ..InputOptions::default() };
        let (rows, _) = solved(&Solve::new(), corpus(&[input], keep).unwrap(), &execution);
        prop_assert_eq!(rows.column_by_name("kept").unwrap(), &array);
    }

    /// Batches of any sizes, on any number of threads, in chunks of any size: the rows are those of the text path, which
    /// reads the same fields from CSV.
    #[test]
    fn rows_are_those_of_the_text_path(
        fields in prop::collection::vec((any_text(), any_text()), 1..60),
        cut in 0..60_usize,
        chunk in 1..50_usize,
        threads in 1..4_usize,
    ) {
        let cut = cut.min(fields.len());
        let table = |fields: &[(Option<String>, Option<String>)]| batch(vec![
            ("note", Arc::new(fields.iter().map(|field| field.1.clone()).collect::<StringArray>()) as ArrayRef),
            ("puzzle", Arc::new(fields.iter().map(|field| field.0.clone()).collect::<StringViewArray>()) as ArrayRef),
        ]);
        let batches = [table(&fields[..cut]), table(&[]), table(&fields[cut..])];
        let puzzle_column = Some("puzzle".into());
        let options = InputOptions { puzzle_column, keep: vec!["note".into()], ..InputOptions::default() };
        let job = Solve::new().engine(EngineKind::Bitmask).columns(["line", "puzzle", "status", "solutions", "solution", "branches", "detail"]);
        let execution = Execution::new().threads(threads).chunk_size(chunk.try_into().unwrap());
        let (rows, _) = solved(&job, corpus(&batches, options.clone()).unwrap(), &execution);

        let mut text = csv::Writer::from_writer(vec![]);
        text.write_record(["puzzle", "note"]).unwrap();
        for (puzzle, note) in &fields {
            // A record of one empty field would be an empty line.
            text.write_record([puzzle.as_deref().unwrap_or(""), note.as_deref().unwrap_or("")]).unwrap();
        }
        let path = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(path.path(), text.into_inner().unwrap()).unwrap();
        let origin = Origin::File(path.path().to_owned());
        let from_text = Corpus::open(vec![origin], options).unwrap();
        let (expected, _) = solved(&job, from_text, &Execution::new());
        for name in ["puzzle", "status", "solutions", "solution", "branches", "detail"] {
            prop_assert_eq!(texts(&rows, name), texts(&expected, name), "{}", name);
        }
        // In CSV, a null is an empty text.
        let notes: Vec<String> = fields.iter().map(|field| field.1.clone().unwrap_or("-".into())).collect();
        prop_assert_eq!(texts(&rows, "note"), notes);
        let lines: Vec<String> = (1..=fields.len()).map(|line| line.to_string()).collect();
        prop_assert_eq!(texts(&rows, "line"), lines);
    }
}
