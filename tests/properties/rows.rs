//! Property: rows with any content are read back as they were written, from CSV by the `csv` crate, from JSON lines by
//! `serde_json`.

use arbitrary::Arbitrary;
use csv::ByteRecord;
use gridmill::format::Alphabet;
use gridmill::rows::{Column, Columns, Listing, OutputFormat, Row, Status, Subject};
use serde_json::{Map, Value};

use super::decode;

/// A complete output.
#[derive(Debug, Arbitrary)]
struct OutputRows {
    own: [bool; Column::ALL.len()],
    list: bool,
    file: String,
    kept: Vec<String>,
    lines: Vec<RowContent>,
}

/// The content of a row.
#[derive(Debug, Arbitrary)]
struct RowContent {
    number: u64,
    content: RecordContent,
    status: u8,
    solutions: Option<u64>,
    branches: Option<u64>,
    nanos: u64,
    detail: String,
    kept: Vec<Vec<u8>>,
}

#[derive(Debug, Arbitrary)]
enum RecordContent {
    Puzzle { alphabet: u8, blank: u8, cells: Vec<u8>, printed: u8 },
    Text(Vec<u8>),
}

/// A puzzle with any cells, and solutions to print.
struct RowCells {
    alphabet: Alphabet,
    puzzle: Vec<u8>,
    printed: Vec<u8>,
}

impl RecordContent {
    /// The cells of a row; there are several solutions only in a list.
    fn cells(&self, list: bool) -> RowCells {
        let RecordContent::Puzzle { alphabet, cells, printed, .. } = self else {
            return RowCells { alphabet: Alphabet::ALL[0], puzzle: vec![], printed: vec![] };
        };
        let alphabet = Alphabet::ALL[usize::from(*alphabet) % Alphabet::ALL.len()];
        let (side, length) = (alphabet.order().side() as u8, alphabet.order().cells());
        let values = || cells.iter().chain([&0]).cycle();
        let puzzle = values().map(|value| value % (side + 1)).take(length).collect();
        let solutions = usize::from(printed % if list { 4 } else { 2 });
        let printed = values().map(|value| value % side + 1).take(solutions * length).collect();
        RowCells { alphabet, puzzle, printed }
    }
}

/// Every row is read back as one record with the same fields.
pub fn rows_round_trip(bytes: &[u8]) {
    let Some(table) = decode::<OutputRows>(bytes) else { return };
    let own = Column::ALL.into_iter().zip(table.own).filter(|&(_, wanted)| wanted).map(|(column, _)| column);
    let columns = Columns::new(own.collect(), &table.kept);
    let cells: Vec<RowCells> = table.lines.iter().map(|line| line.content.cells(table.list)).collect();
    let kept: Vec<ByteRecord> = table.lines.iter().map(|line| ByteRecord::from(line.kept.clone())).collect();
    let rows = table.lines.iter().zip(&cells).zip(&kept).map(|((line, cells), kept)| {
        let subject = match &line.content {
            RecordContent::Puzzle { blank, .. } => {
                let blanks: Vec<u8> = (0..=u8::MAX).filter(|&byte| cells.alphabet.is_blank(byte)).collect();
                let blank = blanks[usize::from(*blank) % blanks.len()];
                Subject::Puzzle { cells: &cells.puzzle, alphabet: &cells.alphabet, blank }
            }
            RecordContent::Text(text) => Subject::Text(text),
        };
        Row {
            file: &table.file,
            line: line.number,
            subject,
            status: Status::ALL[usize::from(line.status) % Status::ALL.len()],
            solutions: line.solutions,
            printed: &cells.printed,
            branches: line.branches,
            nanos: line.nanos,
            detail: &line.detail,
            kept,
            after_blank_line: false,
        }
    });
    let rows: Vec<Row<'_>> = rows.collect();
    check_csv(&columns, &rows);
    check_json(&columns, if table.list { Listing::All } else { Listing::One }, &rows);
}

fn print(format: OutputFormat, columns: &Columns, listing: Listing, rows: &[Row<'_>]) -> Vec<u8> {
    let mut writer = format.writer(columns.clone(), listing);
    let mut output = Vec::new();
    writer.header(&mut output);
    for row in rows {
        writer.row(row, &mut output);
    }
    output
}

fn number_or_nothing(number: Option<u64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// The text of one of gridmill's columns in CSV.
fn field(column: Column, row: &Row<'_>) -> String {
    match column {
        Column::File => row.file.to_owned(),
        Column::Line => row.line.to_string(),
        Column::Puzzle => match row.subject {
            Subject::Puzzle { cells, alphabet, blank } => alphabet.text(cells, blank),
            Subject::Pencilmarks(text) | Subject::Text(text) => {
                String::from_utf8_lossy(&text[..text.len().min(1000)]).into_owned()
            }
        },
        Column::Status => row.status.name().to_owned(),
        Column::Solutions => number_or_nothing(row.solutions),
        Column::Solution => solutions(row).join(" "),
        Column::Branches => number_or_nothing(row.branches),
        Column::Nanos => row.nanos.to_string(),
        Column::Detail => row.detail.to_owned(),
        _ => unreachable!("every column is above"),
    }
}

fn solutions(row: &Row<'_>) -> Vec<String> {
    let Subject::Puzzle { alphabet, .. } = row.subject else { return vec![] };
    row.printed.chunks(alphabet.order().cells()).map(|grid| alphabet.text(grid, b'.')).collect()
}

fn check_csv(columns: &Columns, rows: &[Row<'_>]) {
    let text = print(OutputFormat::Csv, columns, Listing::One, rows);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&text[..]);
    let mut records = reader.byte_records().map(|record| record.expect("all records have as many fields"));
    // A record without columns is written as an empty field.
    let expected = |fields: Vec<Vec<u8>>| ByteRecord::from(if fields.is_empty() { vec![vec![]] } else { fields });
    let headers = columns.headers().map(|header| header.as_bytes().to_vec()).collect();
    assert_eq!(records.next(), Some(expected(headers)));
    for row in rows {
        let own = columns.own.iter().map(|&column| field(column, row).into_bytes());
        let kept = (0..columns.kept.len()).map(|index| row.kept.get(index).unwrap_or_default().to_vec());
        assert_eq!(records.next(), Some(expected(own.chain(kept).collect())));
    }
    assert_eq!(records.next(), None);
}

fn check_json(columns: &Columns, listing: Listing, rows: &[Row<'_>]) {
    let text = print(OutputFormat::Jsonl, columns, listing, rows);
    let text = String::from_utf8(text).expect("JSON is UTF-8");
    assert_eq!(text.lines().count(), rows.len());
    for (line, row) in text.lines().zip(rows) {
        let object: Map<String, Value> = serde_json::from_str(line).expect("a line is an object");
        assert_eq!(object.len(), columns.headers().count(), "no name stands twice: {line}");
        for &column in &columns.own {
            let text = field(column, row);
            let expected = match column {
                Column::Solutions | Column::Branches if text.is_empty() => Value::Null,
                Column::Line | Column::Solutions | Column::Branches | Column::Nanos => {
                    Value::from(text.parse::<u64>().expect("a number"))
                }
                Column::Solution if listing == Listing::All => Value::from(solutions(row)),
                Column::Solution | Column::Detail if text.is_empty() => Value::Null,
                _ => Value::from(text),
            };
            assert_eq!(object[column.name()], expected, "{column}");
        }
        for (index, name) in columns.kept.iter().enumerate() {
            let kept = row.kept.get(index).map(String::from_utf8_lossy);
            assert_eq!(object[name], kept.map_or(Value::Null, Value::from), "{name}");
        }
    }
}
