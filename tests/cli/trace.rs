//! `trace`: its columns, its text, its arrays, and records without a trace.

use std::fs;

use crate::{MULTIPLE, NONE, TestDir, UNIQUE, UNIQUE_SOLUTION, data};

const PAGE: &str = include_str!("../../docs/trace.md");

/// A record of each kind: a puzzle for every style, one for searches only, and those without a trace.
fn write_records(dir: &TestDir) {
    let easy = fs::read_to_string(data("easy.txt")).unwrap();
    let nine = easy.lines().find(|line| line.len() == 81).unwrap();
    dir.write("in.txt", format!("{nine}\n{UNIQUE}\n{MULTIPLE}\n{NONE}\nrubbish\n"));
}

#[test]
fn records_without_a_trace_say_why() {
    let dir = TestDir::new();
    write_records(&dir);
    let rest = "multiple,,\nnone,,\"two 1s in row 1: r1c1, r1c2\"\nmalformed,,\"7 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n";
    for (style, four) in [
        ("technique", "unique,,only 9x9 puzzles have a trace by techniques"),
        ("order", "unique,,only 9x9 puzzles have a trace by techniques"),
        ("search", "unique,start;place;place;place;place;place;place;place;place;place;place;place;place;solved,"),
    ] {
        let rows = dir.run(&format!("trace -q in.txt --style {style} --columns status,kinds,detail")).ends(0);
        let rows: Vec<&str> = rows.lines().skip(1).collect();
        let places = if style == "search" { "unique,start;place;" } else { "unique,place;" };
        assert!(rows[0].starts_with(places) && rows[0].ends_with(','), "{rows:?}");
        assert_eq!(rows[1..].join("\n") + "\n", format!("{four}\n{rest}"));
    }

    // Of the minimal puzzles, more than half need guesses, and some need more than three.
    let guesses = |max: &str| {
        let file = data("minimal.txt");
        dir.run(&format!("trace -q {file} --style search --max-guesses {max} --columns kinds,detail")).ends(0)
    };
    let (none, few, all) = (guesses("0"), guesses("3"), guesses("1e4"));
    let missing = |rows: &str| rows.lines().filter(|row| row.starts_with(",it takes more than ")).count();
    assert!(!none.contains("guess;") && none.contains(",it takes more than 0 guesses\n"), "{none}");
    assert!(missing(&none) > missing(&few) && missing(&few) > 0 && missing(&all) == 0);
    for (few, all) in few.lines().zip(all.lines()) {
        assert!(few == all || all.matches("guess;").count() > 3, "{all}");
    }
}

#[test]
fn the_default_columns_are_those_of_the_style() {
    let dir = TestDir::new();
    write_records(&dir);
    for (style, columns) in [
        ("technique", "line,puzzle,status,solution,kinds,cells,values,techniques,houses,steps,implications,detail"),
        ("search", "line,puzzle,status,solution,kinds,cells,values,techniques,houses,detail"),
        ("order", "line,puzzle,status,solution,cells,values,techniques,detail"),
    ] {
        let rows = dir.run(&format!("trace -q in.txt --style {style}")).ends(0);
        assert_eq!(rows.lines().next(), Some(columns));
        assert!(rows.lines().nth(2).unwrap().starts_with(&format!("2,{UNIQUE},unique,{UNIQUE_SOLUTION},")), "{rows}");
    }
    let row = dir.run("trace -q in.txt --style search --to jsonl --columns cells,values,houses").ends(0);
    let row = row.lines().nth(1).unwrap();
    assert!(row.starts_with("{\"cells\":[null,") && row.contains(",null],\"values\":[null,"), "{row}");
}

/// The template of the page says what is written without one.
#[test]
fn the_text_is_that_of_the_template_on_the_page() {
    let (_, template) = PAGE.split_once("```jinja\n").expect("the page has a template");
    let (template, _) = template.split_once("```\n").unwrap();
    let dir = TestDir::new();
    dir.write("template", template);
    write_records(&dir);
    for style in ["technique", "search", "order"] {
        let text = dir.run(&format!("trace -q in.txt --style {style} --to text")).ends(0);
        let same = dir.run(&format!("trace -q in.txt --style {style} --template template -o out.txt"));
        assert_eq!((same.ends(0), dir.read("out.txt")), (String::new(), text.clone()));
        assert!(text.contains('=') && text.contains(" because ") && text.contains("\nno steps: multiple\n"), "{text}");
        assert!(
            text.ends_with(
                "rubbish\nno steps: malformed: 7 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\n\n"
            ),
            "{text}"
        );
    }
}

#[test]
fn a_template_has_all_that_its_help_names() {
    let dir = TestDir::new();
    write_records(&dir);
    let names = "{{ file }}|{{ line }}|{{ status }}|{{ solution }}|{{ detail }}|{% for step in steps[:1] %}\
                 {{ step.number }}|{{ step.kind }}|{{ step.technique }}|{{ step.difficulty }}|{{ step.cell }}|{{ step.row }}|\
                 {{ step.column }}|{{ step.value }}|{{ step.result }}|{{ step.reason }}|\
                 {{ step.implications }}{% endfor %}|\n";
    dir.write("t", names);
    let text = dir.run("trace -q in.txt --to text --template t").ends(0);
    let line = text.lines().next().unwrap();
    assert!(line.starts_with("in.txt|1|unique|") && line.contains("|1|place|Hidden Single|1."), "{line}");
    assert!(text.lines().nth(2).unwrap().starts_with("in.txt|3|multiple|||"), "{text}");
}

/// Columns by their names, those of the input, and JSON; a value that is missing is printed as nothing.
#[test]
fn a_template_has_the_columns_of_the_row_and_of_the_input() {
    let dir = TestDir::new();
    let easy = fs::read_to_string(data("easy.txt")).unwrap();
    let nine = easy.lines().find(|line| line.len() == 81).unwrap();
    dir.write("in.csv", format!("puzzle,id,line\n{nine},a<b,7\n{MULTIPLE},\"c\"\"d\",8\n"));
    dir.write(
        "t",
        "{{ {'id': id, 'line': input_line, 'er': er, 'level': level} | tojson }} {{ kinds | length }} \
                    {{ steps | length }} {{ er }} {{ solution }}.\n",
    );
    let text = dir.run("trace -q in.csv --keep id,line --to text --template t").ends(0);
    let lines: Vec<&str> = text.lines().collect();
    let (json, rest) = lines[0].split_once(' ').unwrap();
    let values: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!((&values["id"], &values["line"], &values["level"]), (&"a<b".into(), &"7".into(), &"easy".into()));
    assert!(json.contains("a<b") && values["er"].is_f64(), "{json}");
    assert!(!rest.starts_with('0') && rest.contains(&format!(" {} ", values["er"])), "{rest}");
    assert_eq!(lines[1], "{\"er\":null,\"id\":\"c\\\"d\",\"level\":null,\"line\":\"8\"} 0 0  .");
    // The default text has no columns of the input.
    assert!(dir.run("trace -q in.csv --keep id --to text").fails().contains("has no columns"));
}

#[test]
fn a_template_has_the_implications_of_chains_in_words() {
    let dir = TestDir::new();
    dir.write("in.txt", "..........5..2.6...4..571.2..35..2.....17.8.5...9..76.1...4..9..862.....9.4......\n");
    dir.write("t", "{% for step in steps if step.implications %}{{ step.implications | join('|') }}\n{% endfor %}");
    let first = "If r1c6 is 3, then r1c2 is not 3, so r9c2 is 3, so r8c1 is not 3, so r8c6 is 3, so r1c6 is not 3.|\
                 So r1c6 is not 3 in any case.";
    let text = dir.run("trace -q in.txt --style technique --to text --template t").ends(0);
    assert_eq!(text.lines().next().unwrap(), first, "{text}");
    // Placements alone have the implications of the steps that place something.
    let text = dir.run("trace -q in.txt --style order --to text --template t").ends(0);
    assert!(text.lines().all(|line| line.starts_with("If ")) && text.lines().count() > 0, "{text}");

    // In data, the first event of a step has them; those of a style without them, if they are asked for.
    let first = "r1c6=3|r1c2<>3:0|r9c2=3:1|r8c1<>3:2|r8c6=3:3|r1c6<>3:4|r1c6<>3:0>0,0>5";
    let row = dir.run("trace -q in.txt --style technique --no-header --columns implications").ends(0);
    let items: Vec<&str> = row.trim().trim_matches('"').split(';').filter(|item| !item.is_empty()).collect();
    assert_eq!(items[0], first, "{row}");
    let row = dir.run("trace -q in.txt --style search --no-header --columns implications").ends(0);
    assert!(row.trim().trim_matches('"').bytes().all(|byte| byte == b';'), "{row}");
}

#[test]
fn a_template_that_fails_ends_the_run() {
    let dir = TestDir::new();
    write_records(&dir);
    dir.write("t", "{{ line }}\n{% if line > 1 %}{{ lines }}{% endif %}");
    let error = dir.run("trace -q in.txt --template t -o out.txt").fails();
    assert!(error.contains("record on line ") && error.contains(": undefined value (in t:2)"), "{error}");
    assert!(!dir.path("out.txt").exists());
}

#[test]
fn orders_are_arrays_of_325_integers() {
    let dir = TestDir::new();
    write_records(&dir);
    dir.run("trace -q in.txt --style order -o out.npy").ends(0);
    let bytes = fs::read(dir.path("out.npy")).unwrap();
    let header = String::from_utf8_lossy(&bytes[10..128]).trim_end().to_owned();
    assert_eq!(header, "{'descr': '<i2', 'fortran_order': False, 'shape': (5, 325), }");
    let numbers: Vec<i16> = bytes[128..].as_chunks().0.iter().map(|&number| i16::from_le_bytes(number)).collect();
    let rows: Vec<&[i16]> = numbers.chunks(325).collect();
    assert!(rows.len() == 5 && rows[1..].iter().all(|row| row.iter().all(|&number| number == 0)));

    // Clues first, then the placements in the order of the rows.
    let columns = "--columns puzzle,solution,cells,values,techniques";
    let row = dir.run(&format!("trace -q in.txt --style order {columns}")).ends(0);
    let [puzzle, solution, cells, values, techniques] =
        row.lines().nth(1).unwrap().split(',').collect::<Vec<_>>().try_into().unwrap();
    let clues: Vec<usize> = (0..81).filter(|&cell| puzzle.as_bytes()[cell] != b'.').collect();
    assert_eq!(usize::try_from(rows[0][0]), Ok(clues.len()));
    let written = rows[0][1..].chunks(4).map(|four| [four[0] * 9 + four[1], four[2], four[3]]);
    let clues =
        clues.iter().map(|&cell| [i16::try_from(cell).unwrap(), i16::from(solution.as_bytes()[cell] - b'0'), 0]);
    let number = |text: &str| text.parse::<i16>().unwrap();
    let placed = cells.split(';').zip(values.split(';')).zip(techniques.split(';'));
    let placed = placed.map(|((cell, value), technique)| {
        let strategy = if technique == "Hidden Single" { 3 } else { 2 };
        [number(cell), number(value), strategy]
    });
    assert!(written.eq(clues.chain(placed)), "{rows:?}");
}
