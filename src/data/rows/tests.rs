//! Rows with columns of every kind, in every format, checked with the `csv` crate, `serde_json` and Arrow.

use std::fmt::Display;

use csv::{ByteRecord, WriterBuilder};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use strum::VariantArray;

use super::sink::RowSink;
use super::{
    Column, Decimal, Kind, NamedCounts, OutputFormat, Row, RowContainer, RowStyle, Status, Subject, Table, column, row,
};
use crate::format::Alphabet;
use crate::options::OptionError;

/// A row with a column of every kind. Two columns are late.
#[derive(Clone, Debug)]
struct TestRow {
    file: String,
    number: u64,
    cells: Vec<u8>,
    is_puzzle: bool,
    alphabet: Alphabet,
    status: Status,
    unknown: Option<u64>,
    decimal: Decimal,
    above: bool,
    grids: Vec<u8>,
    items: Vec<String>,
    counts: Vec<(String, u64)>,
    detail: String,
}

struct Counts<'a>(&'a [(String, u64)]);

impl NamedCounts for Counts<'_> {
    fn for_each(&self, each: &mut dyn FnMut(&dyn Display, u64)) {
        self.0.iter().for_each(|(name, count)| each(name, *count));
    }
}

impl TestRow {
    fn subject(&self) -> Subject<'_> {
        if self.is_puzzle {
            Subject::Puzzle { cells: &self.cells, alphabet: &self.alphabet, blank: b'*' }
        } else {
            Subject::Text(self.detail.as_bytes())
        }
    }
}

impl Row for TestRow {
    row! {
        |self, field|

        Column::FILE => field.text(&self.file);
        Column::LINE => field.number(self.number);
        Column::PUZZLE => field.subject(self.subject());
        column!("status", Kind::Name(Status::NAMES), "a name") => field.name(Status::NAMES, self.status as usize);
        column!("unknown", Kind::Number, "a number that may be unknown").nullable() =>
            field.number_if_known(self.unknown);
        column!("rating", Kind::Decimal, "a decimal, or a bound").nullable() =>
            if self.above { field.above(self.decimal) } else { field.decimal(self.decimal) };
        column!("grids", Kind::Texts, "a list of solutions") => field.grids(self.subject().grids(&self.grids));
        column!("items", Kind::Texts, "a list of texts").late() => field.texts(self.items.iter());
        column!("counts", Kind::Counts, "counts by name") => field.counts(&Counts(&self.counts));
        column!("numbers", Kind::Numbers, "a list of numbers") =>
            field.numbers([self.unknown, Some(self.number)].into_iter());
        column!("detail", Kind::Text, "any text").nullable().late() => field.text_if_any(&self.detail);
    }
}

/// The text of a field in CSV, and its value in JSON.
fn expected(row: &TestRow, column: &Column) -> (String, Value) {
    let decimal = row.decimal.to_string();
    let grids: Vec<String> = row.subject().grids(&row.grids).map(|grid| row.alphabet.text(grid.cells, b'.')).collect();
    let number = |number: u64| (number.to_string(), json!(number));
    let text = |text: String| (text.clone(), Value::from(text));
    match column.name {
        "file" => text(row.file.clone()),
        "line" => number(row.number),
        "puzzle" if row.is_puzzle => text(row.alphabet.text(&row.cells, b'*')),
        "puzzle" => text(String::from_utf8_lossy(&row.detail.as_bytes()[..row.detail.len().min(1000)]).into_owned()),
        "status" => text(row.status.to_string()),
        "unknown" => row.unknown.map_or((String::new(), Value::Null), number),
        "rating" if row.above => text(format!(">{decimal}")),
        "rating" => (decimal.clone(), serde_json::from_str(&decimal).unwrap()),
        "grids" => (grids.join(" "), json!(grids)),
        "items" => (row.items.join(";"), json!(row.items)),
        "counts" => {
            let words: Vec<String> = row.counts.iter().map(|(name, count)| format!("{name}:{count}")).collect();
            (words.join(";"), row.counts.iter().cloned().map(|(name, count)| (name, json!(count))).collect())
        }
        "numbers" => {
            let known = row.unknown.map(|unknown| unknown.to_string()).unwrap_or_default();
            (format!("{known};{}", row.number), json!([row.unknown, row.number]))
        }
        _ if row.detail.is_empty() => (String::new(), Value::Null),
        _ => text(row.detail.clone()),
    }
}

fn table(chosen: Option<&[String]>, keep: &[String]) -> Table {
    Table::new(TestRow::COLUMNS, chosen, &|column| column.name != "file", keep).unwrap()
}

/// The rows of a chunk. Late columns are written directly, or filled in afterwards.
fn print(format: OutputFormat, table: &Table, rows: &[TestRow], kept: &ByteRecord, defers_late: bool) -> String {
    let style = RowStyle { table: table.clone(), container: RowContainer::Text(format), defers_late };
    let (mut sink, mut output) = (style.sink(), style.header(true));
    start(&mut sink);
    for (index, row) in rows.iter().enumerate() {
        sink.row(index, row, kept, &mut output);
    }
    let mut parts = sink.end();
    if let Some(mut deferred) = style.deferred_rows() {
        for row in rows {
            deferred.complete(row, &output, &parts);
        }
        deferred.end(&mut output, &mut parts);
    }
    String::from_utf8(output).unwrap()
}

fn start(sink: &mut RowSink) {
    sink.start(None);
}

/// Texts that need quotes, including long ones.
fn texts() -> impl Strategy<Value = String> {
    ("[a-z ,\"\n\r\u{e9}]{0,9}", 1..60_usize).prop_map(|(text, times)| text.repeat(times * times / 40 + 1))
}

fn rows() -> impl Strategy<Value = TestRow> {
    let numbers = (any::<u64>(), 0..64_u32).prop_map(|(number, bits)| number >> bits);
    let names = proptest::collection::btree_map("[A-Z][a-z]{0,5}", 1..99_u64, 0..3);
    let lists = proptest::collection::vec("[a-z,\"<>{}0-9]{1,5}", 0..3);
    let shapes = (0..Alphabet::ALL.len(), any::<bool>(), 0..4_usize, any::<u64>(), 0..5_usize);
    (texts(), texts(), numbers, proptest::option::of(0..1000_u64), shapes, lists, names, any::<bool>()).prop_map(
        |(file, detail, number, unknown, shape, items, counts, above)| {
            let (alphabet, is_puzzle, solutions, seed, status) = shape;
            let (alphabet, size) = (Alphabet::ALL[alphabet], Alphabet::ALL[alphabet].size());
            let value = |n: usize| (seed.wrapping_mul(n as u64 * n as u64 + 1) >> 33) as u8 % (size.side() as u8 + 1);
            TestRow {
                file,
                number,
                cells: (0..size.cells()).map(value).collect(),
                is_puzzle,
                alphabet,
                status: Status::VARIANTS[status],
                unknown,
                decimal: Decimal { units: seed >> 40, digits: 1 + (seed % 2) as u32 },
                above,
                grids: (0..solutions * size.cells()).map(|n| value(n + 1).max(1)).collect(),
                items,
                counts: counts.into_iter().collect(),
                detail,
            }
        },
    )
}

/// The default columns, or a selection in order or in any order.
fn chosen() -> impl Strategy<Value = Option<Vec<String>>> {
    let names: Vec<String> = TestRow::COLUMNS.iter().map(|column| column.name.to_owned()).collect();
    let some = proptest::sample::subsequence(names.clone(), 0..=names.len());
    prop_oneof![Just(None), some.clone().prop_map(Some), some.prop_shuffle().prop_map(Some)]
}

proptest! {
    /// CSV is the same as `csv::Writer` writes it, and `serde_json` reads JSON lines back.
    #[test]
    fn rows_are_those_of_other_writers(
        row in rows(),
        chosen in chosen(),
        kept in proptest::collection::vec(texts(), 0..3),
        defers_late in any::<bool>(),
    ) {
        let names: Vec<String> = (0..kept.len()).map(|n| format!("kept {n}")).collect();
        let table = table(chosen.as_deref(), &names);
        let (rows, fields) = ([row.clone(), row.clone()], ByteRecord::from(kept.clone()));

        let mut writer = WriterBuilder::new().flexible(true).from_writer(vec![]);
        let headers: Vec<&str> = table.headers().collect();
        let own = table.own.iter().map(|column| expected(&row, column));
        let record: Vec<String> = own.clone().map(|(text, _)| text).chain(kept.clone()).collect();
        for record in [headers.iter().map(ToString::to_string).collect(), record.clone(), record] {
            // A row without columns is a field in quotes, because readers skip empty lines.
            writer.write_record(if record.is_empty() { vec![String::new()] } else { record }).unwrap();
        }
        let csv = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        prop_assert_eq!(print(OutputFormat::Csv, &table, &rows, &fields, defers_late), csv);

        let values = own.map(|(_, value)| value).chain(kept.into_iter().map(Value::from));
        let object: Map<String, Value> = headers.iter().map(ToString::to_string).zip(values).collect();
        let lines = print(OutputFormat::Jsonl, &table, &rows, &fields, defers_late);
        prop_assert_eq!(lines.lines().count(), 2);
        for line in lines.lines() {
            prop_assert_eq!(serde_json::from_str::<Map<String, Value>>(line).unwrap(), object.clone());
        }
    }
}

#[test]
fn columns_are_chosen_by_name() {
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let choose = |chosen: &[&str]| Table::new(TestRow::COLUMNS, Some(&names(chosen)), &|_| true, &[]);
    assert_eq!(choose(&["line", "file"]).unwrap().numbers, [1, 0]);
    assert_eq!(choose(&["line", "rating", "line"]), Err(OptionError::new("the column line is chosen twice")));
    let error = choose(&["nano"]).unwrap_err().to_string();
    assert!(error.starts_with("there is no column 'nano'; the columns are file, line, puzzle, status, "), "{error}");

    // All columns have different names.
    let keep = names(&["line", "input_line", "id", "id", ""]);
    let table = Table::new(TestRow::COLUMNS, Some(&names(&["status"])), &|_| true, &keep).unwrap();
    let headers: Vec<&str> = table.headers().collect();
    assert_eq!(headers, ["status", "input_line", "input_input_line", "id", "input_id", ""]);
}

/// Columns of every kind, with nulls, with columns copied as texts, and with several rows for a record.
#[test]
fn rows_are_typed_columns() {
    use std::sync::Arc;

    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
    use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch};
    use arrow_schema::{DataType, Field as SchemaField};

    use crate::arrow::records::TypedRecords;
    use crate::format::Alphabets;

    let row = TestRow {
        file: "a.txt".into(),
        number: 7,
        cells: vec![1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2],
        is_puzzle: true,
        alphabet: Alphabet::ALL[0],
        status: Status::Multiple,
        unknown: None,
        decimal: Decimal { units: 71, digits: 1 },
        above: false,
        grids: [[1, 2, 3, 4, 4, 3, 2, 1, 2, 1, 4, 3, 3, 4, 1, 2]; 2].concat(),
        items: vec!["r1c1".into(), "r2c2<>{1,2}".into()],
        counts: vec![("X-Wing".into(), 2), ("Jellyfish".into(), 1)],
        detail: String::new(),
    };
    let other = TestRow { above: true, unknown: Some(5), detail: "why".into(), ..row.clone() };
    let keep = ["id".to_owned()];
    let table = table(None, &keep);
    for defers_late in [false, true] {
        let schema = super::schema(&table, vec![SchemaField::new("id", DataType::Int64, false)]);
        let container = RowContainer::Batches(Arc::clone(&schema));
        let style = RowStyle { table: table.clone(), container, defers_late };
        let ids: ArrayRef = Arc::new(Int64Array::from(vec![10, 20]));
        let kept = RecordBatch::try_from_iter([("id", ids)]).unwrap();

        let mut sink = style.sink();
        let records = TypedRecords::of_texts(["1*3**********4*2"].into_iter(), Alphabets::default(), kept);
        assert!(!sink.start(Some(&records)));
        // Late columns require one row for each record.
        let rows = if defers_late { vec![(0, &row), (1, &other)] } else { vec![(0, &row), (1, &other), (1, &row)] };
        for &(record, row) in &rows {
            sink.row(record, row, &ByteRecord::new(), &mut vec![]);
        }
        let mut parts = sink.end();
        if let Some(mut deferred) = style.deferred_rows() {
            for (_, row) in &rows {
                deferred.complete(*row, b"", &parts);
            }
            deferred.end(&mut vec![], &mut parts);
        }
        let batches: Vec<RecordBatch> = parts.into_batches().map(Result::unwrap).collect();
        let [batch] = &batches[..] else { panic!("a chunk is a batch") };

        assert_eq!((batch.schema(), batch.num_rows()), (schema, rows.len()));
        let get = |name: &str| Arc::clone(batch.column_by_name(name).unwrap());
        assert_eq!(get("line").as_primitive::<UInt64Type>().values()[..2], [7, 7]);
        assert_eq!(get("puzzle").as_string::<i32>().value(0), "1*3**********4*2");
        assert!(get("unknown").is_null(0) && get("unknown").is_valid(1));
        assert!((get("rating").as_primitive::<Float64Type>().value(0) - 7.1).abs() < 1e-12 && get("rating").is_null(1));
        assert_eq!(get("grids").as_list::<i32>().value(1).len(), 2);
        assert_eq!(get("items").as_list::<i32>().value(0).as_string::<i32>().value(1), "r2c2<>{1,2}");
        let numbers = [0, 1].map(|row| get("numbers").as_list::<i32>().value(row));
        let numbers: Vec<Vec<Option<u64>>> =
            numbers.iter().map(|items| items.as_primitive::<UInt64Type>().iter().collect()).collect();
        assert_eq!(numbers, [[None, Some(7)], [Some(5), Some(7)]]);
        assert_eq!(get("counts").as_string::<i32>().value(0), "X-Wing:2;Jellyfish:1");
        assert!(get("detail").is_null(0) && get("detail").as_string::<i32>().value(1) == "why");
        let ids = get("id");
        assert_eq!(ids.as_primitive::<Int64Type>().values().to_vec(), [10, 20, 20][..rows.len()]);
    }
}

#[test]
fn examples_have_all_columns() {
    let header = OutputFormat::Csv.example().lines().next().unwrap();
    let object: Value = serde_json::from_str(OutputFormat::Jsonl.example()).unwrap();
    assert!(header.split(',').all(|name| object.get(name).is_some()));
}
