//! `convert`: puzzles in every format, and pictures.

use crate::{RunResult, TestDir, UNIQUE, data};

const NINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// Puzzles of three sizes, one a line.
fn lines() -> String {
    let sixteen = format!("{}{}", "123456789ABCDEFG", ".".repeat(240));
    format!("{UNIQUE}\n{NINE}\n{sixteen}\n{NINE}\n")
}

/// The rows of a candidate grid in which each blank may have any digit.
fn candidates() -> String {
    let cells: Vec<String> =
        NINE.replace('.', "-").chars().map(|cell| cell.to_string().replace('-', "123456789")).collect();
    cells.chunks(9).map(|row| row.join(" ") + "\n").collect()
}

#[test]
fn what_is_written_is_read_back_as_it_was() {
    let dir = TestDir::new();
    dir.write("in.txt", lines()).write("nine.txt", format!("{NINE}\n{NINE}\n"));
    for (name, input) in [
        ("a.csv", "in.txt"),
        ("a.jsonl", "in.txt"),
        ("a.parquet", "in.txt"),
        ("a.txt", "in.txt"),
        ("a.sdm.gz", "in.txt"),
        ("a.sdk", "in.txt"),
        ("a.sdk.zst", "nine.txt"),
        ("a.opensudoku", "nine.txt"),
        ("a.opensudoku.xz", "nine.txt"),
    ] {
        dir.run(&format!("convert -q {input} -o {name}")).ends(0);
        let back = dir.run(&format!("convert -q {name} --to lines --alphabet 1-G")).ends(0);
        let expected = dir.read(input);
        assert_eq!(if name.contains("opensudoku") { back.replace('0', ".") } else { back }, expected, "{name}");
    }
    let grids = dir.run("convert -q in.txt --to grids").ends(0);
    assert!(grids.starts_with("1.3.\n....\n....\n.4.2\n\n53..7....\n"), "{grids}");
    assert_eq!(dir.run_on(grids, "convert -q --to lines --from grids --alphabet 1-G").ends(0), lines());
    let rows = dir.run("convert -q nine.txt").ends(0);
    assert_eq!(rows, format!("line,puzzle,clues,detail\n1,{NINE},30,\n2,{NINE},30,\n"));
}

/// A file has all of its text or another name: the end of XML is missing from a run that was stopped.
#[test]
fn files_for_opensudoku_are_complete() {
    let dir = TestDir::new();
    dir.write("nine.txt", format!("{NINE}\n"));
    let expected = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku>\n  <name>gridmill</name>\n  \
         <game data=\"{}\"/>\n</opensudoku>\n",
        NINE.replace('.', "0")
    );
    assert_eq!(dir.run("convert -q nine.txt --to opensudoku --no-header").ends(0), expected);
    dir.run("convert -q nine.txt -o a.opensudoku").ends(0);
    assert_eq!(dir.read("a.opensudoku"), expected);
    roxmltree::Document::parse(&expected).unwrap();
}

#[test]
fn malformed_records_are_rows_or_comments() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{NINE}\n{}--\n{UNIQUE}\n{NINE}\n", &NINE[2..]));
    let reason = "column 80: blank '-' after blank '.'; one puzzle has one blank symbol";
    let table = dir.run("convert -q in.txt --columns line,clues,detail").ends(0);
    assert_eq!(table, format!("line,clues,detail\n1,30,\n2,,{reason}\n3,4,\n4,30,\n"));
    let result = dir.run("convert in.txt --to lines");
    assert_eq!(result.out, format!("{NINE}\n# line 2: malformed: {reason}\n{UNIQUE}\n{NINE}\n"));
    assert!(result.err.contains("3 puzzles in ") && result.err.contains("; 1 malformed"), "{}", result.err);
    result.ends(0);

    let result = dir.run("convert in.txt --to opensudoku");
    assert!(
        result.err.contains("2 puzzles in ") && result.err.contains("; 1 malformed; 1 not written"),
        "{}",
        result.err
    );
    let xml = result.ends(0);
    assert!(xml.contains("<!-- line 3: not 9x9: OpenSudoku has no other size -->"), "{xml}");
    roxmltree::Document::parse(&xml).unwrap();
    let sdk = dir.run("convert -q in.txt --to sdk").ends(0);
    assert_eq!(dir.run_on(sdk, "convert -q --to lines").ends(0), format!("{NINE}\n{UNIQUE}\n{NINE}\n"));
}

#[test]
fn candidates_are_solved_and_not_written() {
    let dir = TestDir::new();
    dir.write("in.sdx", candidates());
    let solved = dir.run_on(NINE, "solve -q --columns solution --no-header").ends(0);
    assert_eq!(dir.run("solve -q in.sdx --columns solution --no-header").ends(0), solved);
    let reason = "a pencilmark puzzle, which only solve, rate, explain and trace take; its solutions are not listed";
    for format in ["lines", "grids"] {
        let text = dir.run(&format!("convert -q in.sdx --to {format}")).ends(0);
        assert_eq!(text, format!("# line 1: malformed: {reason}\n"));
    }
    let rating = dir.run("rate -q in.sdx --columns status --no-header").ends(0);
    assert_eq!(rating, "unique\n");
    let class = dir.run("canon -q in.sdx --columns detail --no-header").ends(0);
    assert_eq!(class, format!("\"{reason}\"\n"));
}

#[test]
fn lines_and_grids_have_no_columns_and_cannot_be_sharded() {
    let dir = TestDir::new();
    dir.write("in.txt", lines());
    for to in ["lines", "grids", "sdk", "opensudoku"] {
        dir.run(&format!("convert in.txt --to {to} -o out --shard 1/2")).fails();
        dir.run(&format!("convert in.txt --to {to} --columns puzzle")).fails();
    }
}

#[test]
fn a_picture_has_every_puzzle() {
    let dir = TestDir::new();
    dir.write("in.txt", lines() + &format!("{}\n", &NINE[1..]));
    let notes = dir.run("convert in.txt -o a.svg --alphabet 1-G");
    assert!(
        notes.err.contains("in.txt:5: not drawn: 80 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625"),
        "{}",
        notes.err
    );
    notes.ends(0);
    let svg = dir.read("a.svg");
    let document = roxmltree::Document::parse(&svg).unwrap();
    let grids = document.descendants().filter(|node| node.tag_name().name() == "g");
    let symbols: Vec<usize> =
        grids.map(|grid| grid.children().filter(|node| node.tag_name().name() == "text").count()).collect();
    // With a number above each.
    assert_eq!(symbols, [5, 31, 17, 31]);
    assert_eq!(dir.run("convert -q in.txt --alphabet 1-G --to svg").ends(0), svg);
}

#[test]
fn a_picture_has_a_bounded_number_of_puzzles() {
    let dir = TestDir::new();
    let error = dir.run(&format!("convert -q {} -o a.svg", data("minimal.txt"))).fails();
    assert_eq!(error, "gridmill: a picture has at most 100 puzzles, and the input has more; `sheet` makes a book");
    assert!(!dir.path("a.svg").exists());
    dir.write("in.txt", format!("{NINE}\n"));
    for options in ["--columns puzzle", "--keep a", "--summary s.json", "--report r.html", "--shard 1/2", "--to csv"] {
        dir.run(&format!("convert -q in.txt -o a.svg {options}")).fails();
        assert!(!dir.path("a.svg").exists(), "{options}");
    }
    dir.run("convert -q in.txt --to svg -o a.csv").fails();
    assert_eq!(dir.run_on("1.3", "convert -q --from lines --to svg").fails(), "gridmill: no puzzle was found to draw");
}

/// Two tables become one, with all columns of the first.
#[test]
fn all_columns_are_kept() {
    let dir = TestDir::new();
    dir.write("a.csv", format!("id,puzzle,source\n1,{UNIQUE},web\n"));
    dir.write("b.csv", format!("source,puzzle,id\nforum,{UNIQUE},2\n"));
    let rows = dir.run("convert -q a.csv b.csv --columns puzzle --keep all").ends(0);
    assert_eq!(rows, format!("puzzle,id,source\n{UNIQUE},1,web\n{UNIQUE},2,forum\n"));
    // A column of this name is only itself, and no column of the first input may be missing in the second.
    dir.write("c.csv", format!("all,puzzle,id\nx,{UNIQUE},3\n"));
    assert_eq!(dir.run("convert -q c.csv --columns puzzle --keep all").ends(0), format!("puzzle,all\n{UNIQUE},x\n"));
    dir.write("d.csv", format!("puzzle,id\n{UNIQUE},4\n"));
    let error = dir.run("convert -q a.csv d.csv --columns puzzle --keep all").fails();
    assert!(error.contains("d.csv: no column is called 'source'"), "{error}");
    // A column that only a later input has is not lost in silence.
    let result = dir.run("convert -q d.csv a.csv --columns puzzle --keep all");
    assert_eq!(result.out, format!("puzzle,id\n{UNIQUE},4\n{UNIQUE},1\n"));
    assert_eq!(result.err, "gridmill: a.csv: left out 'source', which the first input does not have\n");
    dir.run("convert -q a.csv b.csv --columns puzzle --keep all -o all.jsonl").ends(0);
    dir.run("convert -q all.jsonl --columns puzzle --keep all -o back.csv").ends(0);
    assert_eq!(dir.read("back.csv"), rows);
}

#[test]
fn each_puzzle_has_a_picture_of_its_own() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n# nothing\n{UNIQUE}\n"));
    let mut command = dir.command("convert -q in.txt -o");
    RunResult::from(command.arg("p-{line}.svg").output().unwrap()).ends(0);
    for line in [1, 3] {
        assert!(dir.read(&format!("p-{line}.svg")).starts_with("<svg "), "{line}");
    }
    assert!(!dir.path("p-2.svg").exists() && !dir.path("p-{line}.svg").exists());
    // No picture takes the place of another one.
    dir.write("other.txt", UNIQUE);
    let error = dir.run("convert -q in.txt other.txt -o q-{line}.svg").fails();
    assert!(error.contains("one input with one puzzle on a line"), "{error}");
}
