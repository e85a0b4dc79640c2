//! No record is lost in silence: stray quotes, records without end, headers far from the start.

use std::fs;

use crate::{TestDir, UNIQUE, UNIQUE_SOLUTION, data};

/// The lines of a table with `count` puzzles; the record with the id `stray` ends with a quote that is never closed.
fn table_with_stray_quote(count: usize, stray: usize) -> String {
    let puzzles = fs::read_to_string(data("minimal.txt")).unwrap();
    let puzzles: Vec<&str> = puzzles.lines().collect();
    let record = |id: usize| {
        let note = if id == stray { "\"unclosed" } else { "x" };
        format!("{id},{},{note}\n", puzzles[id % puzzles.len()])
    };
    "id,puzzle,name\n".to_owned() + &(1..=count).map(record).collect::<String>()
}

#[test]
fn an_unclosed_quote_costs_one_record() {
    let reason = "column 85: the quote that opens a field here is never closed; reading goes on at the next line";
    // The second table has more text after the quote than a record may have.
    for (count, stray) in [(100, 4), (100, 100), (20_000, 4)] {
        let dir = TestDir::new();
        let text = table_with_stray_quote(count, stray);
        dir.write("in.csv", &text);
        let reason = if stray < 10 { reason.to_owned() } else { reason.replace("85", "87") };
        for threads in [1, 3] {
            let rows =
                dir.run(&format!("solve --strict in.csv --columns line,status,detail --threads {threads}")).ends(1);
            let rows: Vec<&str> = rows.lines().skip(1).collect();
            assert_eq!(rows.len(), count);
            let bad: Vec<&str> = rows.iter().copied().filter(|row| !row.ends_with(",unique,")).collect();
            assert_eq!(bad, [format!("{},malformed,{reason}", stray + 1)]);
        }
        let result = dir.run("validate --fail-on all in.csv --rejects bad.csv -o rows.csv");
        assert!(result.err.contains("malformed"), "{}", result.err);
        result.ends(1);
        assert_eq!(dir.read("rows.csv").lines().count(), count + 1);
        let line = text.lines().nth(stray).unwrap();
        assert_eq!(dir.read("bad.csv"), format!("id,puzzle,name\n{line}\n"));
    }
}

/// A quote that is never closed, and one that the quote of a later field seems to close.
#[test]
fn quotes_that_seem_to_close_cost_their_records() {
    for records in [
        format!("{UNIQUE},\"a\n{UNIQUE},b\n{UNIQUE},\"c\n{UNIQUE},d\n"),
        format!("{UNIQUE},\"a\n{UNIQUE},b\n{UNIQUE},\", text\"\n{UNIQUE},d\n"),
    ] {
        let out = TestDir::new().run_on(format!("puzzle,note\n{records}"), "solve --columns line,status").ends(0);
        assert_eq!(out.lines().count(), 5, "{records}{out}");
        assert!(out.contains("2,malformed") && out.contains("3,unique") && out.contains("5,unique"), "{records}{out}");
    }
}

/// What a model has written may look like records: it is the text of a field, and the user is told.
#[test]
fn a_field_in_quotes_cannot_forge_records() {
    let forged = format!("\"I give up.\n{UNIQUE},{UNIQUE_SOLUTION}\n{UNIQUE},{UNIQUE_SOLUTION}\nend\"");
    let two_quotes = format!("\"a\n{UNIQUE},b\n{UNIQUE},\"");
    for (field, records, solved) in [(&*forged, 3, 4), (&*two_quotes, 1, 1)] {
        let table =
            format!("puzzle,response\n{}{UNIQUE},{UNIQUE_SOLUTION}\n", format!("{UNIQUE},{field}\n").repeat(records));
        for quiet in ["", " -q"] {
            let run =
                TestDir::new().write("in.csv", &table).run(&format!("score in.csv --columns line,verdict{quiet}"));
            let start = if records == 1 { "1 record has" } else { "3 records have" };
            let remark = format!(
                "gridmill: in.csv: {start} a quoted field with lines that look like records; they are read as part of the \
                 field; the first is on line 2\n"
            );
            assert!(run.err.contains(&remark), "{}", run.err);
            assert_eq!(run.out.lines().count(), records + 2, "{}", run.out);
            assert_eq!(run.out.matches(",solved").count(), solved, "{}", run.out);
        }
    }
}

/// Neither can an answer of more than 1 MiB, wherever a doubled quote of it is cut off.
#[test]
fn a_long_answer_cannot_forge_records() {
    let forged = format!("{UNIQUE},{UNIQUE_SOLUTION}\n").repeat(3);
    for shift in 0..4 {
        let quotes = "\"\"".repeat((1 << 19) + 8);
        let table = format!("puzzle,response\n{UNIQUE},\"{}{quotes}\n{forged}no\"\n{UNIQUE},x\n", "x".repeat(shift));
        let rows = TestDir::new().run_on(table, "score -q --columns line,verdict --no-header").ends(0);
        assert_eq!(rows, "2,no-grid\n7,no-grid\n", "{shift}");
    }
}

/// A puzzle is not lost between the records of any format, in front of them, or behind a puzzle.
#[test]
fn cells_outside_of_records_are_told() {
    const OTHER: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let rows =
        |puzzle: &str| puzzle.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n").collect::<String>();
    let grid = rows(OTHER);
    for (format, text, expected) in [
        ("grids", format!("{grid}\nNext: {OTHER}\n\n{grid}"), "1,unique\n11,malformed\n13,unique\n"),
        ("grids", format!("{grid}\n# {OTHER}\n{grid}"), "1,unique\n12,unique\n"),
        (
            "opensudoku",
            format!("<opensudoku><game data=\"{OTHER}\"/>\n<puzzle>{OTHER}</puzzle></opensudoku>"),
            "1,unique\n2,malformed\n",
        ),
        ("lines", format!("{OTHER}\n{OTHER} {UNIQUE}\n{OTHER};{OTHER}\n"), "1,unique\n2,malformed\n3,unique\n"),
        ("lines", format!("{OTHER}\n{},{}\n", &OTHER[..64], "0000000000000079"), "1,unique\n2,malformed\n"),
        (
            "hodoku",
            format!(":0000:x:{OTHER}:::\n:0000:x:{OTHER}::::0000:x:{}:::\n", OTHER.replace('7', "9")),
            "1,unique\n2,malformed\n",
        ),
        (
            "ints",
            "2\n1 0 3 0\n0 0 0 0\n0 0 0 0\n0 4 0 2\n0 4 0 2\n2\n1 0 3 0\n0 0 0 0\n0 0 0 0\n0 4 0 2\n".to_owned(),
            "1,malformed\n7,unique\n",
        ),
        ("csv", format!("id,puzzle\n1,{OTHER}2,{UNIQUE}\n2,{OTHER},3,{UNIQUE}\n"), "2,malformed\n3,malformed\n"),
    ] {
        let dir = TestDir::new();
        let result = dir.run_on(&text, &format!("solve --from {format} --columns line,status --no-header"));
        assert_eq!(result.out, expected, "{format}: {text}{}", result.err);
    }

    // A header has no puzzle.
    for header in [format!("{OTHER},x"), format!("id,puzzle1,{OTHER}")] {
        let error = TestDir::new().run_on(format!("{header}\n2,{OTHER}\n"), "solve --from csv").fails();
        assert!(error.contains("but has cells of a puzzle"), "{error}");
    }
    let fields = "a,b,c,d,e,f,g,h,i,j,k,l,m,n,";
    let text = format!("{OTHER},{fields}o\n{OTHER},{fields}p\n");
    assert_eq!(TestDir::new().run_on(text, "solve -q --columns line --no-header").ends(0), "1\n2\n");
}

/// The lines that are skipped are counted, and those with cells are told even if a run is quiet.
#[test]
fn skipped_lines_are_told() {
    for (text, quiet, words) in [
        (format!("# a\n{UNIQUE}\n#b\n"), "", Some("2 comments skipped")),
        (format!("# a\n{UNIQUE}\n#b\n"), "-q", None),
        (format!("{UNIQUE}\n# {UNIQUE}\n"), "-q", Some("1 comment skipped; 1 comment has cells of a puzzle")),
        (format!("{UNIQUE}\nend\n\n{UNIQUE}\n"), "-q", Some("the text after 'end' on line 2 is not read")),
        (format!("{UNIQUE}\nend\n \n"), "-q", None),
        (
            "Grid 1\n1.3.\n....\n....\n.4.2\n\nGrid 2\n1.3.\n....\n....\n.4.2\n".to_owned(),
            "",
            Some("2 other lines skipped"),
        ),
    ] {
        let result = TestDir::new().run_on(&text, &format!("solve {quiet}"));
        let told = result.err.lines().find(|line| line.contains("skipped") || line.contains("not read"));
        assert_eq!(told, words.map(|words| format!("gridmill: -: {words}")).as_deref(), "{text}{}", result.err);
    }
}

/// A part of a puzzle is as long as a smaller one.
#[test]
fn a_size_that_hardly_any_record_has_is_told() {
    const LOW: &str = "1..2.....3...4.......1.....2........3.....4.1...2...3....4..1......2.....56789...";
    let usual = format!("{LOW}\n").repeat(4);
    let rows = TestDir::new().run_on(format!("{usual}{}", &LOW[..36]), "solve -q --columns line,status,detail").ends(0);
    assert!(
        rows.ends_with("of another size in a file of their own\"\n") && rows.contains("\n5,malformed,\"a 6x6 "),
        "{rows}"
    );
    // Zeros at the start of a number are lost.
    let number = "1020030004000100020003000400010002000300040001000200030004000100";
    let table = format!("puzzle\n{}{number}\n", format!("{}\n", LOW.replace('.', "0")).repeat(20));
    let rows = TestDir::new().run_on(table, "solve -q --columns status,detail").ends(0);
    assert!(rows.lines().last().unwrap().starts_with("malformed,\"a 8x8 "), "{rows}");
    // Sizes may follow each other.
    let mixed = format!("{}{}", format!("{LOW}\n").repeat(40), format!("{UNIQUE}\n").repeat(40));
    let rows = TestDir::new().run_on(mixed, "solve -q --columns status --no-header").ends(0);
    assert!(rows.ends_with(&"unique\n".repeat(40)), "{rows}");
}

/// Rejects of grids stay apart, and those that are no grids of any size.
#[test]
fn rejected_grids_can_be_read_again() {
    let (good, short) = ("1.3.\n....\n....\n.4.2\n", "1.3.\n....\n....\n");
    let conflict = "11..\n....\n....\n....\n";
    let text = format!("Grid 01\n{good}Grid 02\n{short}Grid 03\n{conflict}Grid 04\n{short}Grid 05\n{conflict}");
    let dir = TestDir::new();
    dir.write("in", text).run("validate -q in --rejects bad -o rows").ends(1);
    let verdicts = |name: &str| {
        let rows = dir.read(name);
        rows.lines().skip(1).map(|row| row.split(',').nth(2).unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    dir.run("validate -q bad --rejects worse -o again").ends(1);
    assert_eq!(verdicts("again"), verdicts("rows")[1..]);
    assert_eq!(dir.read("worse"), dir.read("bad"));
}

/// Rejects are the bytes of the input, and can be read again.
#[test]
fn rejects_have_every_byte_of_their_records() {
    let long = "7".repeat(3 << 20);
    let good = format!("{UNIQUE},{}", "1234432121433412");
    for (name, text, rejects) in [
        ("lines", format!("{UNIQUE}\nbad\r\n{UNIQUE}\r\nworse"), "bad\r\nworse".to_owned()),
        ("a long line", format!("{UNIQUE}\n{long}\r\n{UNIQUE}\nbad\n"), format!("{long}\r\nbad\n")),
        ("a long last line", format!("{UNIQUE}\n{long}"), long.clone()),
        (
            "a table",
            format!("# a list\r\npuzzle,solution\r\n{good}\r\n{long}\r\nbad,\r\n{good}\r\nworse,"),
            format!("puzzle,solution\r\n{long}\r\nbad,\r\nworse,"),
        ),
        ("no rejects", format!("puzzle,solution\n{good}\n"), "puzzle,solution\n".to_owned()),
    ] {
        let dir = TestDir::new();
        dir.write("in", &text);
        for options in ["--threads 1 --chunk 1", "--threads 2", "--threads 2 --chunk 2"] {
            dir.run(&format!("validate -q in --rejects bad -o rows {options}"));
            assert!(dir.read("bad") == rejects, "{name}, {options}");
        }
        let malformed = dir.read("rows").lines().filter(|row| row.contains("malformed")).count();
        // Those of a table are read as a table again. The others are no puzzles, so nothing shows their format.
        if name == "a table" {
            dir.write("again", dir.read("bad")).run("validate -q again --rejects worse -o rows").ends(2);
            assert_eq!(dir.read("rows").lines().filter(|row| row.contains("malformed")).count(), malformed);
            assert!(dir.read("worse") == rejects);
        }
    }
}

#[test]
fn a_header_is_found_after_any_number_of_comments() {
    let comments = "# a comment that takes some room\n".repeat(10_000);
    let records = format!("1,{UNIQUE}\n2,bad\n");
    for (head, line) in [
        (format!("{comments}id,puzzle\n"), 10_002),
        (format!("\u{feff}{comments}\n\nid,puzzle\n"), 10_004),
        (format!("# {}\nid,puzzle\n", "long ".repeat(100_000)), 3),
        // Longer than what is looked at to detect the format.
        (format!("id,puzzle,{}\n", vec!["x"; 200_000].join(",")), 2),
    ] {
        let dir = TestDir::new();
        dir.write("in", format!("{head}{records}"));
        for script in ["RUN <in", "gzip -c in | (RUN)"] {
            let output = dir.shell(script, "solve --columns line,status").output().unwrap();
            let rows = String::from_utf8(output.stdout).unwrap();
            assert_eq!(rows, format!("line,status\n{line},unique\n{},malformed\n", line + 1), "{}", head.len());
        }
    }
}

#[test]
fn comments_before_lines_and_grids_are_counted() {
    let comments = "# a comment that takes some room\n".repeat(10_000);
    let rows: Vec<_> = UNIQUE.as_bytes().chunks(4).map(|row| str::from_utf8(row).unwrap()).collect();
    let numbers: Vec<_> = rows.iter().map(|row| row.replace('.', "0").replace("", " ")).collect();
    for text in [UNIQUE.to_owned(), rows.join("\n"), format!("2\n{}", numbers.join("\n"))] {
        let out = TestDir::new().run_on(format!("{comments}{text}\n"), "solve --columns line,status").ends(0);
        assert_eq!(out, "line,status\n10001,unique\n", "{text}");
    }
}
