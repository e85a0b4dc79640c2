//! Malformed records become rows with a reason, in every format.

use crate::{TestDir, UNIQUE, UNIQUE_SOLUTION};

const NINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Line, status and detail of the rows for an input.
fn details(input: impl AsRef<[u8]>, options: &str) -> String {
    TestDir::new().run_on(input, &format!("solve -q --no-header --columns line,status,detail {options}")).ends(0)
}

#[test]
fn lines_say_what_is_wrong_with_them() {
    for (input, row) in [
        (
            NINE.replacen("..7", ".x7", 1),
            "1,malformed,column 4: blank 'x' after blank '.'; one puzzle has one blank symbol",
        ),
        (NINE.replacen('7', "q", 1), "1,malformed,column 5: 'q' is not a digit"),
        (NINE[1..].to_owned(), r#"1,malformed,"80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625""#),
        (format!("{NINE}."), r#"1,malformed,"82 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625""#),
        (
            NINE.repeat(9),
            "1,malformed,\"column 1: '5' is not 1, '.' or '0', as in 729 symbols of a pencilmark puzzle\"",
        ),
        (NINE.replacen("53..7", "53.37", 1), "1,none,\"two 3s in row 1: r1c2, r1c4\""),
        (NINE.replacen("53..7", "53..7\0", 1), "1,malformed,column 6: byte 0x00 is not a symbol of a puzzle"),
        (format!("{NINE}\0"), "1,malformed,column 82: byte 0x00 is not a symbol of a puzzle"),
        (format!("{NINE}\u{200e}"), "1,malformed,column 82: U+200E is not a symbol of a puzzle"),
        (NINE.replace('3', "三"), "1,malformed,column 2: '三' is not a symbol of a puzzle"),
        (NINE.replacen("..", "é", 1), "1,malformed,column 3: 'é' is not a digit"),
        (
            format!("....7..{}", ".".repeat(30)),
            r#"1,malformed,"37 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625""#,
        ),
    ] {
        assert_eq!(details(&input, "--from lines"), format!("{row}\n"), "{input}");
    }
}

#[test]
fn conflicts_name_both_cells_and_the_house() {
    let with = |clues: &[(usize, u8)]| {
        let mut cells = [b'.'; 81];
        for &(cell, digit) in clues {
            cells[cell] = digit;
        }
        String::from_utf8(cells.to_vec()).unwrap()
    };
    for (clues, detail) in [
        ([(31, b'7'), (48, b'7')], "two 7s in box 5: r4c5, r6c4"),
        ([(0, b'9'), (72, b'9')], "two 9s in column 1: r1c1, r9c1"),
        ([(79, b'1'), (80, b'1')], "two 1s in row 9: r9c8, r9c9"),
    ] {
        assert_eq!(details(with(&clues), ""), format!("1,none,\"{detail}\"\n"));
    }
    let hex = format!("K{}K{}", "-".repeat(15), "-".repeat(239));
    assert_eq!(details(&hex, ""), "1,none,\"two Ks in column 1: r1c1, r2c1\"\n");
}

#[test]
fn grids_say_what_is_wrong_with_them() {
    let short = "1.3.\n....\n....\n\n1.3.\n....\n....\n.4.2\n";
    assert_eq!(details(short, "--from grids"), "1,malformed,3 rows; a grid of 4 columns has 4\n5,unique,\n");
    let wide = "1.3.\n....\n.三..\n.4.2\n\n一.3.\n....\n....\n.4.2\n";
    assert_eq!(
        details(wide, "--from grids"),
        "1,malformed,\"row 3, column 2: '三' is not a symbol of a puzzle\"\n\
         6,malformed,\"row 1, column 1: '一' is not a symbol of a puzzle\"\n"
    );
}

#[test]
fn integers_say_what_is_wrong_with_them() {
    let good = "2\n1 0 3 0\n0 0 0 0\n0 0 0 0\n0 4 0 2\n";
    let above = good.replace('3', "5");
    let word = good.replace('3', "three");
    let rows = details(format!("{good}{above}{word}{good}2\n1 0 3"), "--from ints");
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!((rows[0], rows[3]), ("1,unique,", "16,unique,"));
    assert_eq!(rows[1], "6,malformed,\"row 1, column 3: 5 is above 4\"");
    assert_eq!(rows[2], "11,malformed,\"row 1, column 3: 't' in a number from 0 to 4\"");
    assert_eq!(rows[4], "21,malformed,3 cells; a puzzle of order 2 has 16");
}

#[test]
fn csv_says_what_is_wrong_with_it() {
    let text = format!("id,puzzle\n1,{UNIQUE}\n2\n3,\"{UNIQUE}\"\n4,\"1.\n3\"\n5,{UNIQUE}\n");
    assert_eq!(
        details(text, ""),
        "2,unique,\n3,malformed,1 field; the puzzle is in column 2\n4,unique,\n\
         5,malformed,column 3: byte 0x0a is not a symbol of a puzzle\n7,unique,\n"
    );
}

#[test]
fn an_overlong_line_is_one_row() {
    let input = [UNIQUE, &"1".repeat(5_000_000), UNIQUE].join("\n");
    let result = TestDir::new().run_on(input, "solve -q --no-header --columns line,status,detail,puzzle");
    let rows = result.ends(0);
    let rows: Vec<&str> = rows.lines().collect();
    assert_eq!((rows.len(), rows[0]), (3, &*format!("1,unique,,{UNIQUE}")));
    let start = "2,malformed,\"longer than 1048576 bytes, the most that a record may have\",1111";
    assert!(rows[1].starts_with(start) && rows[1].len() < 1200, "{}", &rows[1][..100]);
    assert_eq!(rows[2], format!("3,unique,,{UNIQUE}"));
}

#[test]
fn a_malformed_record_is_shown_in_every_output_format() {
    let input = format!("{UNIQUE}\ncafé \"8\"\n");
    let run = |to: &str| TestDir::new().run_on(&input, &format!("solve -q --to {to}")).ends(0);
    assert!(run("csv").contains("\n2,\"café \"\"8\"\"\",malformed,0,,0,0,column 4: 'é' is not a symbol of a puzzle\n"));
    assert!(
        run("jsonl").contains(r#"{"line":2,"puzzle":"café \"8\"","status":"malformed","solutions":0,"solution":null,"#)
    );
    let comment = "# line 2: malformed: column 4: 'é' is not a symbol of a puzzle\n";
    assert_eq!(run("lines"), format!("{UNIQUE_SOLUTION}\n{comment}"));
    assert_eq!(run("grids"), format!("1234\n4321\n2143\n3412\n\n{comment}"));
    assert!(run("listing").ends_with("MALFORMED : line 2: column 4: 'é' is not a symbol of a puzzle\n"));
}

#[test]
fn formats_that_cannot_be_read_are_named() {
    let dir = TestDir::new();
    for (bytes, word) in [
        (&b"PAR1...."[..], "Parquet"),
        (b"PK\x03\x04", "a ZIP archive, which is not read; unpack it first"),
        (
            b"PK\x03\x04..........................[Content_Types].xml....xl/workbook.xml",
            "Excel workbook, which is not read; export it as CSV",
        ),
        (b"PK\x03\x04..........................word/document.xml", "a Word document"),
        (
            b"PK\x03\x04..........................mimetypeapplication/vnd.oasis.opendocument.spreadsheet",
            "an OpenDocument spreadsheet, which is not read; export it as CSV",
        ),
        (b"PK\x03\x04..........................arr_0.npy", "NumPy arrays (.npz)"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel or Word, which is not read; export it as CSV"),
        (b"%PDF-1.7\n", "PDF"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"ARROW1\0\0", "Feather or Arrow IPC, which is not read; write it as CSV"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"\x80\x04\x95", "a Python pickle"),
        (b"\x04\x22\x4d\x18", "lz4"),
        (b"{\n\"puzzle\": 1}", "JSON"),
        (b"[{\"puzzle\": 1}]", "JSON"),
        (b"\xff\xfe1\x00", "UTF-16"),
    ] {
        let error = dir.run_on(bytes, "solve -q").fails();
        assert!(error.starts_with("gridmill: -: ") && error.contains(word), "{error}");
    }
}

#[test]
fn an_ambiguous_alphabet_is_asked_for() {
    let dir = TestDir::new();
    let puzzle = format!("A-1{}", "-".repeat(253));
    let error = dir.run_on(&puzzle, "solve -q").fails();
    assert!(error.contains("--alphabet"), "{error}");
    let rows = dir.run_on(&puzzle, "solve -q --alphabet 0-F --first --no-header --columns status,puzzle").ends(0);
    assert_eq!(rows, format!("multiple,{puzzle}\n"));
}

#[test]
fn other_symbols_are_asked_for() {
    let dir = TestDir::new();
    let word = |byte: u8| if byte == b'.' { '.' } else { char::from(b"MASKBRIDG"[usize::from(byte - b'1')]) };
    let word: String = NINE.bytes().map(word).collect();
    for (text, hint, option, printed) in [
        (NINE.replace('.', "e"), "; if so, use --blank 'e'", "--blank e", NINE),
        (NINE.replace('.', "#"), "; if so, use --blank '#'", "--blank #", NINE),
        (word.clone(), "name it with --alphabet", "--alphabet MASKBRIDG", &*word),
    ] {
        let error = dir.run_on(&text, "solve -q").fails();
        assert!(error.contains(hint), "{error}");
        let rows = dir.run_on(&text, &format!("solve -q {option} --no-header --columns puzzle")).ends(0);
        assert_eq!(rows, format!("{printed}\n"));
    }
}
