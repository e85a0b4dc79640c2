//! Every output format on the same few rows.

use std::borrow::Cow;

use csv::{ByteRecord, ReaderBuilder, WriterBuilder};
use proptest::prelude::*;

use super::{Column, Columns, Listing, OutputFormat, Row, RowRead, Status, Subject};
use crate::format::Alphabet;

const PUZZLE: [u8; 16] = [1, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 2];
const SOLUTION: [u8; 16] = [1, 2, 3, 4, 4, 3, 2, 1, 2, 1, 4, 3, 3, 4, 1, 2];

/// Rows of every status, each with something that is hard to print.
fn rows(kept: &ByteRecord) -> Vec<Row<'_>> {
    let unique = Row {
        file: "a,b.txt",
        line: 1,
        subject: Subject::Puzzle { cells: &PUZZLE, alphabet: &Alphabet::ALL[0], blank: b'.' },
        status: Status::Unique,
        solutions: Some(1),
        printed: &SOLUTION,
        branches: Some(3),
        nanos: 950,
        detail: "",
        kept,
        after_blank_line: false,
    };
    let multiple = Row {
        line: 2,
        status: Status::Multiple,
        solutions: Some(2),
        branches: None,
        printed: &[],
        after_blank_line: true,
        ..unique
    };
    let conflict = "two 1s in row 1: r1c1, r1c2";
    let none =
        Row { line: 3, status: Status::None, solutions: Some(0), branches: Some(3), detail: conflict, ..multiple };
    let malformed = Row {
        line: 4,
        subject: Subject::Text(b"say \"12\",\xff\n3"),
        status: Status::Malformed,
        solutions: Some(0),
        detail: "13 cells; a puzzle has 16, 81, 256 or 625",
        branches: Some(0),
        nanos: 0,
        ..multiple
    };
    vec![unique, multiple, none, malformed]
}

fn print(format: OutputFormat, columns: &Columns, listing: Listing, rows: &[Row<'_>]) -> String {
    let mut writer = format.writer(columns.clone(), listing);
    let mut output = Vec::new();
    writer.header(&mut output);
    for row in rows {
        writer.row(row, &mut output);
    }
    String::from_utf8(output).unwrap()
}

fn all_columns() -> Columns {
    Columns::new(Column::ALL.to_vec(), &["id".into(), "solution".into()])
}

#[test]
fn csv_rows_are_read_back_as_they_were() {
    let kept = ByteRecord::from(vec!["7", "an \"answer\",\r\nin lines"]);
    let text = print(OutputFormat::Csv, &all_columns(), Listing::One, &rows(&kept));
    assert_eq!(
        text,
        "file,line,puzzle,status,solutions,solution,branches,nanos,detail,id,input_solution\n\
         \"a,b.txt\",1,1.3..........4.2,unique,1,1234432121433412,3,950,,7,\"an \"\"answer\"\",\r\nin lines\"\n\
         \"a,b.txt\",2,1.3..........4.2,multiple,2,,,950,,7,\"an \"\"answer\"\",\r\nin lines\"\n\
         \"a,b.txt\",3,1.3..........4.2,none,0,,3,950,\"two 1s in row 1: r1c1, r1c2\",7,\"an \"\"answer\"\",\r\nin lines\"\n\
         \"a,b.txt\",4,\"say \"\"12\"\",\u{fffd}\n3\",malformed,0,,0,0,\"13 cells; a puzzle has 16, 81, 256 or 625\",7,\
         \"an \"\"answer\"\",\r\nin lines\"\n"
    );
    let mut reader = ReaderBuilder::new().from_reader(text.as_bytes());
    let records: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert_eq!(records.len(), 4);
    assert_eq!((&records[3][2], &records[3][10]), ("say \"12\",\u{fffd}\n3", "an \"answer\",\r\nin lines"));
}

#[test]
fn no_column_has_the_name_of_another() {
    let kept = ["line", "input_line", "id", "id", ""].map(str::to_owned);
    let columns = Columns::new(vec![Column::Status], &kept);
    assert_eq!(
        columns.headers().collect::<Vec<_>>(),
        ["status", "input_line", "input_input_line", "id", "input_id", ""]
    );
}

#[test]
fn no_csv_row_is_an_empty_line() {
    let kept = ByteRecord::new();
    let columns = Columns::new(vec![Column::Solution], &[]);
    let text = print(OutputFormat::Csv, &columns, Listing::One, &rows(&kept));
    assert_eq!(text, "solution\n1234432121433412\n\"\"\n\"\"\n\"\"\n");
}

#[test]
fn json_lines_are_json() {
    let kept = ByteRecord::from(vec!["7", "caf\u{e9}"]);
    let rows = rows(&kept);
    let text = print(OutputFormat::Jsonl, &all_columns(), Listing::One, &rows);
    assert_eq!(
        text.lines().next().unwrap(),
        r#"{"file":"a,b.txt","line":1,"puzzle":"1.3..........4.2","status":"unique","solutions":1,"solution":"1234432121433412","branches":3,"nanos":950,"detail":null,"id":"7","input_solution":"café"}"#
    );
    for (line, row) in text.lines().zip(&rows) {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["line"], row.line);
        assert_eq!(object["solution"].is_null(), row.printed.is_empty());
        assert_eq!(object["detail"].as_str().unwrap_or_default(), row.detail);
    }
    let twice = [SOLUTION, SOLUTION].concat();
    let listed = [Row { printed: &twice, ..rows[0] }, rows[2]];
    let text = print(OutputFormat::Jsonl, &Columns::new(vec![Column::Solution], &[]), Listing::All, &listed);
    assert_eq!(text, "{\"solution\":[\"1234432121433412\",\"1234432121433412\"]}\n{\"solution\":[]}\n");
}

#[test]
fn text_formats_have_a_line_for_every_record() {
    let kept = ByteRecord::new();
    let rows = rows(&kept);
    let columns = Columns::new(vec![], &[]);
    let comments = [
        "# line 2: multiple (2 solutions or more)\n",
        "# line 3: none: two 1s in row 1: r1c1, r1c2\n",
        "# line 4: malformed: 13 cells; a puzzle has 16, 81, 256 or 625\n",
    ];
    let print = |format, rows: &[Row<'_>]| print(format, &columns, Listing::One, rows);
    assert_eq!(print(OutputFormat::Lines, &rows), format!("1234432121433412\n{}", comments.concat()));
    let grid = "1234\n4321\n2143\n3412\n";
    assert_eq!(print(OutputFormat::Grids, &rows), format!("{grid}\n{}", comments.join("\n")));
    let listing = "========\n1 2 3 4 \n4 3 2 1 \n2 1 4 3 \n3 4 1 2 \n";
    assert_eq!(
        print(OutputFormat::Listing, &rows),
        format!(
            "{listing}TOTAL SOLUTION : 1\nTOTAL SOLUTION : 2\nNO SOLUTION\n\
             MALFORMED : line 4: 13 cells; a puzzle has 16, 81, 256 or 625\n"
        )
    );
    let twice = [SOLUTION, SOLUTION].concat();
    let capped =
        Row { printed: &twice, solutions: Some(2), status: Status::Multiple, detail: "there are more", ..rows[0] };
    assert_eq!(print(OutputFormat::Grids, &[capped]), format!("{grid}\n{grid}"));
    let total = "TOTAL SOLUTION : 2 (there are more)\n";
    assert_eq!(print(OutputFormat::Listing, &[capped]), format!("{listing}{listing}{total}"));
}

#[test]
fn examples_are_what_is_printed() {
    let header = OutputFormat::Csv.example().lines().next().unwrap();
    let own = Column::ALL.into_iter().filter(|&column| column != Column::File).collect();
    let columns = Columns::new(own, &[]);
    assert_eq!(header, columns.headers().collect::<Vec<_>>().join(","));
    let object: serde_json::Value = serde_json::from_str(OutputFormat::Jsonl.example()).unwrap();
    assert!(columns.headers().all(|header| object.get(header).is_some()));
}

/// Writes rows and reads them back.
fn read_back(format: OutputFormat, columns: &Columns, rows: &[Row<'_>]) -> Vec<RowRead<'static>> {
    let text = print(format, columns, Listing::One, rows);
    let mut text = text.as_bytes();
    let mut ends = format.ends();
    if format == OutputFormat::Csv {
        text = &text[ends.find(text).unwrap()..];
    }
    let mut reader = format.reader(columns, Listing::One, Some(Status::Unique)).unwrap();
    let mut read = vec![];
    while let Some(end) = ends.find(text) {
        let row = reader.read(&text[..end]).unwrap();
        let owned = |text: Option<Cow<'_, [u8]>>| text.map(|text| Cow::Owned(text.into_owned()));
        let (file, puzzle, detail) = (owned(row.file), owned(row.puzzle), owned(row.detail));
        read.push(RowRead { file, puzzle, detail, ..row });
        // A damaged row is not read.
        for broken in [&text[..end - 1], &text[1..end]] {
            let damaged = reader.read(broken).is_none_or(|row| row != read[read.len() - 1]);
            assert!(format == OutputFormat::Lines || damaged, "{:?}", String::from_utf8_lossy(broken));
        }
        text = &text[end..];
    }
    assert!(text.is_empty());
    read
}

#[test]
fn rows_are_read_back() {
    let kept = ByteRecord::from(vec!["7", "an \"answer\\\",\r\nin lines"]);
    let rows = rows(&kept);
    for (format, columns) in [
        (OutputFormat::Csv, all_columns()),
        (OutputFormat::Jsonl, all_columns()),
        (OutputFormat::Csv, Columns::new(vec![Column::Line, Column::Nanos, Column::Line], &["id".into()])),
        (OutputFormat::Csv, Columns::new(vec![Column::Line, Column::Detail], &[])),
        (OutputFormat::Jsonl, Columns::new(vec![Column::Line, Column::Solutions], &[])),
    ] {
        let read = read_back(format, &columns, &rows);
        assert_eq!(read.len(), rows.len());
        for (read, row) in read.iter().zip(&rows) {
            let mut puzzle = vec![];
            row.subject.write(&mut puzzle);
            let has = |column| columns.own.contains(&column);
            let text = |column, text: &[u8]| has(column).then(|| Cow::Owned(text.to_vec()));
            let expected = RowRead {
                file: text(Column::File, row.file.as_bytes()),
                line: has(Column::Line).then_some(row.line),
                puzzle: text(Column::Puzzle, &puzzle),
                status: has(Column::Status).then_some(row.status),
                status_by_solutions: has(Column::Solutions).then_some(Status::from_known(row.solutions)),
                detail: text(Column::Detail, row.detail.as_bytes()),
            };
            assert_eq!(*read, expected);
        }
    }
    let read = read_back(OutputFormat::Lines, &Columns::new(vec![], &[]), &rows);
    let found: Vec<_> = read.iter().map(|row| (row.line, row.status.unwrap())).collect();
    assert_eq!(
        found,
        [(None, Status::Unique), (Some(2), Status::Multiple), (Some(3), Status::None), (Some(4), Status::Malformed)]
    );
    let listed = |format: OutputFormat| format.reader(&all_columns(), Listing::All, None).is_some();
    assert_eq!(OutputFormat::ALL.map(listed), [true, true, false, false, false]);
}

#[test]
fn rows_that_no_writer_wrote_are_not_read() {
    let reader = |format: OutputFormat, columns| {
        format.reader(&Columns::new(columns, &["id \"1\"".into()]), Listing::One, None).unwrap()
    };
    let few = || vec![Column::Line, Column::Status, Column::Detail];
    let mut csv = reader(OutputFormat::Csv, few());
    assert!(csv.read(b"1,unique,,\n").is_some());
    for row in [
        "1,unique,,",
        "1,unique,\n",
        "1,unique,,,\n",
        "x,unique,,\n",
        ",unique,,\n",
        "1,sound,,\n",
        "\0\0\0\n",
        "\n",
        "",
    ] {
        assert_eq!(csv.read(row.as_bytes()), None, "{row:?}");
    }
    let mut jsonl = reader(OutputFormat::Jsonl, few());
    for row in [
        r#"{"line":1,"status":"unique","detail":null,"id \"1\"":"\u00e9 \"}"}"#,
        r#"{"status":"unique","line":1,"id \"1\"":null,"detail":"none"}"#,
    ] {
        let text = format!("{row}\n");
        assert_eq!(jsonl.read(text.as_bytes()).and_then(|row| row.line), Some(1), "{row}");
        // Damage is found in every byte, also in fields that are not decoded.
        for at in 0..text.len() {
            assert_eq!(jsonl.read(&text.as_bytes()[..at]), None, "{row} cut off at {at}");
            assert_eq!(jsonl.read(&text.as_bytes()[at + 1..]), None, "{row} from {at} on");
        }
        for (from, to) in [("{", " {"), ("{", "{ "), (":", ": "), (",", ", "), ("}", " }"), ("}", "} ")] {
            let spaced = text.replace(from, to);
            assert_eq!(jsonl.read(spaced.as_bytes()), None, "{spaced}");
        }
    }
    for row in [
        r#"{"line":1,"status":"unique","detail":null,"id \"1\"":null,"more":1}"#,
        r#"{"line":1,"status":"unique","detail":null}"#,
        r#"{"line":1,"status":"unique","detail":null,"id \"1\"":null}}"#,
        r#"{"line":1,"line":1,"status":"unique","detail":null,"id \"1\"":null}"#,
        r#"{"line":1,"status":["unique","detail":null,"id \"1\"":null}"#,
        r#"{"line":null,"status":"unique","detail":null,"id \"1\"":null}"#,
        r#"{"line":1.0,"status":"unique","detail":null,"id \"1\"":null}"#,
        r#"{"line":1,"status":null,"detail":null,"id \"1\"":null}"#,
        r#"["line",1,"status","unique"]"#,
        "{}",
        "",
    ] {
        assert_eq!(jsonl.read(format!("{row}\n").as_bytes()), None, "{row:?}");
    }
    // The cost of a puzzle is checked, though it is not read.
    for (branches, nanos, is_good) in
        [("1", "2", true), ("1", "x", false), ("1", "", false), ("-1", "2", false), ("1", "2.5", false)]
    {
        let columns = || vec![Column::Branches, Column::Nanos];
        let csv_row = format!("{branches},{nanos},\n");
        assert_eq!(reader(OutputFormat::Csv, columns()).read(csv_row.as_bytes()).is_some(), is_good, "{csv_row}");
        let jsonl_row = format!("{{\"branches\":{branches},\"nanos\":{nanos},\"id \\\"1\\\"\":null}}\n");
        assert_eq!(reader(OutputFormat::Jsonl, columns()).read(jsonl_row.as_bytes()).is_some(), is_good, "{jsonl_row}");
    }
}

/// Texts that need quotes, and long ones.
fn texts() -> impl Strategy<Value = String> {
    ("[a-z ,;\"\n\r\u{e9}]{0,9}", 1..60_usize).prop_map(|(text, times)| text.repeat(times * times / 40 + 1))
}

fn columns() -> impl Strategy<Value = Vec<Column>> {
    let usual: Vec<Column> = Column::ALL[1..].to_vec();
    let any = proptest::collection::vec(proptest::sample::select(Column::ALL.to_vec()), 0..12);
    prop_oneof![
        Just(usual.clone()),
        Just(Column::ALL.to_vec()),
        any.clone(),
        any.prop_map(move |mut any| {
            any.extend_from_slice(&usual);
            any
        })
    ]
}

proptest! {
    /// Of all sizes, with few and many solutions, and short and long texts: as `csv::Writer` writes the same fields.
    #[test]
    fn csv_rows_are_those_of_the_csv_crate(
        own in columns(),
        texts in proptest::collection::vec(texts(), 5),
        numbers in proptest::collection::vec((any::<u64>(), 0..64_u32).prop_map(|(number, bits)| number >> bits), 4),
        kept in proptest::collection::vec(texts(), 0..3),
        status in 0..4_usize,
        solutions in 0..4_usize,
        alphabet in 0..Alphabet::ALL.len(),
        seed in any::<u64>(),
    ) {
        let alphabet = Alphabet::ALL[alphabet];
        let order = alphabet.order();
        let value = |n: usize| (seed.wrapping_mul(n as u64 * n as u64 + 1) >> 33) as u8 % (order.side() as u8 + 1);
        let cells: Vec<u8> = (0..order.cells()).map(value).collect();
        let printed: Vec<u8> = (0..solutions * order.cells()).map(|n| value(n + 1).max(1)).collect();
        let is_puzzle = status < 3;
        let subject = if is_puzzle {
            Subject::Puzzle { cells: &cells, alphabet: &alphabet, blank: b'*' }
        } else {
            Subject::Text(texts[4].as_bytes())
        };
        let some = |index: usize| Some(numbers[index]).filter(|number| number % 3 > 0);
        let kept_fields = ByteRecord::from(kept.clone());
        let row = Row {
            file: &texts[0],
            line: numbers[0],
            subject,
            status: Status::ALL[status],
            solutions: some(1),
            printed: if is_puzzle { &printed } else { &[] },
            branches: some(2),
            nanos: numbers[3],
            detail: &texts[1],
            kept: &kept_fields,
            after_blank_line: false,
        };
        let number_or_nothing = |index: usize| some(index).map(|number| number.to_string()).unwrap_or_default();
        let field = |column: &Column| match column {
            Column::File => texts[0].clone(),
            Column::Line => numbers[0].to_string(),
            Column::Puzzle if is_puzzle => alphabet.text(&cells, b'*'),
            Column::Puzzle => String::from_utf8_lossy(&texts[4].as_bytes()[..texts[4].len().min(1000)]).into_owned(),
            Column::Status => Status::ALL[status].name().to_owned(),
            Column::Solutions => number_or_nothing(1),
            Column::Solution if is_puzzle => {
                let grids: Vec<String> = printed.chunks(order.cells()).map(|grid| alphabet.text(grid, b'.')).collect();
                grids.join(" ")
            }
            Column::Solution => String::new(),
            Column::Branches => number_or_nothing(2),
            Column::Nanos => numbers[3].to_string(),
            Column::Detail => texts[1].clone(),
        };
        let names: Vec<String> = (0..kept.len()).map(|n| format!("kept {n}")).collect();
        let mut writer = OutputFormat::Csv.writer(Columns::new(own.clone(), &names), Listing::All);
        let mut output = b"before".to_vec();
        writer.row(&row, &mut output);
        writer.row(&row, &mut output);

        let mut expected = WriterBuilder::new().flexible(true).from_writer(b"before".to_vec());
        let fields: Vec<String> = own.iter().map(field).chain(kept).collect();
        for _ in 0..2 {
            if fields.is_empty() {
                expected.write_record([""]).unwrap();
            } else {
                expected.write_record(&fields).unwrap();
            }
        }
        prop_assert_eq!(String::from_utf8(output).unwrap(), String::from_utf8(expected.into_inner().unwrap()).unwrap());
    }
}
