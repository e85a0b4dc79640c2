//! The format of an output follows the extension of its name.

use std::fs;

use crate::rate::{EASY, MEDIUM};
use crate::{TestDir, UNIQUE, UNIQUE_SOLUTION};

/// How the rows of `solve --columns line` begin in each format.
const CSV: &str = "line\n1\n";
const JSONL: &str = "{\"line\":1}\n";
const JSON: &str = "[\n{\"line\":1}\n]\n";

#[test]
fn rows_have_the_format_of_the_extension() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    let grid = "1234\n4321\n2143\n3412\n";
    for (name, options, rows) in [
        ("a", "--columns line", CSV),
        ("a.csv", "--columns line", CSV),
        ("a.CSV", "--columns line", CSV),
        ("a.rows", "--columns line", CSV),
        ("a.jsonl.rows", "--columns line", CSV),
        ("a.jsonl", "--columns line", JSONL),
        ("a.ndjson", "--columns line", JSONL),
        ("a.txt", "", &format!("{UNIQUE_SOLUTION}\n")),
        // What --to says, where the extension does not say something else.
        ("a", "--to jsonl --columns line", JSONL),
        ("a.json", "--columns line", JSON),
        ("a.json", "--to json --columns line", JSON),
        ("a.tsv", "--columns line,status", "line\tstatus\n1\tunique\n"),
        ("a.csv", "--to excel --columns line,status", "\u{feff}line;status\n1;unique\n"),
        ("a.csv", "--to csv --columns line", CSV),
        ("a.jsonl", "--to jsonl --columns line", JSONL),
        ("a.txt", "--to lines", &format!("{UNIQUE_SOLUTION}\n")),
        ("a.txt", "--to grids", grid),
    ] {
        for packed in ["", ".gz", ".zst", ".xz", ".bz2"] {
            dir.run(&format!("solve -q in.txt -o {name}{packed} {options}")).ends(0);
            let found = dir.run_on(fs::read(dir.path(&format!("{name}{packed}"))).unwrap(), "solve -q --from csv");
            if packed.is_empty() {
                assert_eq!(dir.read(name), rows, "{name} {options}");
            } else {
                // Read as any input, and so unpacked.
                assert_ne!(fs::read(dir.path(&format!("{name}{packed}"))).unwrap(), rows.as_bytes(), "{name}{packed}");
                assert_eq!(found.out, dir.run_on(rows, "solve -q --from csv").out, "{name}{packed} {options}");
            }
        }
    }
    let rows = dir.run("solve -q in.txt --columns line -o -").ends(0);
    assert_eq!(rows, CSV);
}

#[test]
fn generate_writes_a_table_to_a_file_of_csv() {
    let dir = TestDir::new();
    let puzzles = dir.run("generate -q -n 2 --seed 1").ends(0);
    let table = dir.run("generate -q -n 2 --seed 1 --with-solution").ends(0);
    assert!(table.starts_with("puzzle,solution\n"));
    for (name, option, content) in [
        ("a", "", puzzles.clone()),
        ("a.txt", "", puzzles.clone()),
        ("a.csv", "", format!("puzzle\n{puzzles}")),
        ("a", "--with-solution", table.clone()),
        ("a.csv", "--with-solution", table),
    ] {
        dir.run(&format!("generate -q -n 2 --seed 1 {option} -o {name}")).ends(0);
        assert_eq!(dir.read(name), content, "{name} {option}");
    }
    let rows = dir.run("solve a.csv -q --columns status").ends(0);
    assert_eq!(rows, "status\nunique\nunique\n");
}

/// A resumed run has the format of its file, too.
#[test]
fn the_format_of_the_extension_is_that_of_a_resumed_run() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    for number in [1, 2] {
        dir.run(&format!("solve -q in.txt --columns line --shard {number}/2 -o p{number}.jsonl --resume")).ends(0);
    }
    dir.run("merge -q p1.jsonl p2.jsonl -o all.jsonl").ends(0);
    assert_eq!(dir.read("all.jsonl"), JSONL);
    let error = dir.run("merge -q p1.jsonl p2.jsonl -o all.csv").fails();
    assert_eq!(error, "gridmill: all.csv is CSV by its name, but the shards are jsonl; give it another extension");
}

/// A file of such a name would be taken for what it is not.
#[test]
fn the_extension_of_another_format_is_refused() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n")).write("in.csv", format!("puzzle\n{UNIQUE}\n"));
    for (name, what) in [
        ("a.pdf", "PDF"),
        ("a.SVG", "SVG"),
        ("a.xlsx", "Excel"),
        ("a.png", "a picture"),
        ("a.html.gz", "HTML"),
        ("a.tar.gz", "a tar archive"),
        ("a.feather", "Feather"),
        ("a.svgz", "compressed SVG"),
        ("a.hodoku", "a library of HoDoKu"),
        ("a.sdx", "a file of SudoCue"),
    ] {
        for (command, formats) in [
            ("solve in.txt", "csv, tsv, excel, jsonl, json, lines, grids, listing, npy"),
            ("solve in.txt --to csv", "csv, tsv, excel, jsonl, json, lines, grids, listing, npy"),
            ("rate in.txt", "csv, tsv, excel, jsonl, json"),
            ("generate -n 1", "csv, tsv, excel, jsonl, json, lines, npy"),
        ] {
            let error = dir.run(&format!("{command} -q -o {name}")).fails();
            let command = command.split(' ').next().unwrap();
            // What follows names the way to this format, if there is one.
            let start = format!("gridmill: -o {name} is {what}, but {command} writes {formats} and Parquet; ");
            assert!(error.starts_with(&start), "{error}");
        }
        for command in ["sample in.txt -n 1 -o", "dedupe in.txt -o", "validate in.txt --accepts"] {
            let error = dir.run(&format!("{command} {name} -q")).fails();
            let words = format!("records are copied as they are, as lines, and {name} has another extension");
            let way = "`gridmill convert --keep all` changes the format";
            assert_eq!(error, format!("gridmill: {words}; {way}"), "{command}");
        }
        let error = dir.run(&format!("split -q in.txt --folds 1 -o {{part}}-{name}")).fails();
        assert!(error.contains("has another extension"), "{error}");
        let error = dir.run(&format!("dedupe -q in.txt --dropped {name}")).fails();
        assert!(error.contains(&format!("is {what}, but the table is CSV")), "{error}");
        if what != "HTML" {
            let error = dir.run(&format!("solve -q in.txt --report {name}")).fails();
            assert!(error.contains(&format!(": this is {what}, but the report is HTML; name it .html")), "{error}");
        }
    }
    assert_eq!(fs::read_dir(dir.path("")).unwrap().count(), 2);
    // Records of a table may have tabs between their fields.
    dir.run("sample -q in.csv -n 1 -o a.tsv").ends(0);
    // Records of these formats are copied, if no others are written.
    dir.write("in.hodoku", format!(":0000:x:{}:::\n", "1".repeat(17) + &".".repeat(64)));
    dir.run("sample -q in.hodoku -n 1 -o a.hodoku").ends(0);
}

#[test]
fn an_unknown_extension_has_the_usual_format() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    for command in ["validate", "canon"] {
        dir.run(&format!("{command} in.txt -q -o a.csv")).ends(0);
        dir.run(&format!("{command} in.txt -q -o b.rows.gz")).ends(0);
        assert!(dir.read("a.csv").starts_with("line,puzzle,"), "{command}");
        for name in ["a", "a.dat", "a.sud", "a.out"] {
            dir.run(&format!("{command} in.txt -q -o {name}")).ends(0);
        }
    }
}

/// Digits only: that Parquet keeps them as text is said where it matters.
#[test]
fn solutions_in_a_file_of_csv_are_pointed_out() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n"));
    for (command, is_said) in [
        ("solve in.txt -o out.csv", true),
        ("canon in.txt -o out.csv.gz", true),
        ("generate -n 1 --with-solution -o out.csv", true),
        ("solve in.txt -o out.csv -q", false),
        ("solve in.txt -o out.csv --columns puzzle,status", false),
        ("solve in.txt -o out.parquet", false),
        ("solve in.txt -o out.jsonl", false),
        ("augment in.txt --copies 1 --to hrm -o set", false),
        ("solve in.txt -o -", false),
        ("solve in.txt", false),
        ("generate -n 1 -o out.csv", false),
        ("validate in.txt -o out.csv", false),
    ] {
        let result = dir.run(command);
        let words = "many programs read solutions in CSV as numbers; a .parquet file keeps them as text";
        assert_eq!(result.err.contains(words), is_said, "{command}: {}", result.err);
    }
}

/// A file called `.json` is one array, also of no rows; it is read again.
#[test]
fn json_is_one_array() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\nrubbish\n{UNIQUE}\n").repeat(2000));
    for options in ["rate in.txt --steps", "solve in.txt", "validate in.txt", "augment in.txt --copies 2"] {
        dir.run(&format!("{options} -q -o a.json"));
        dir.run(&format!("{options} -q -o a.jsonl"));
        let array: Vec<serde_json::Value> = serde_json::from_str(&dir.read("a.json")).unwrap();
        let lines: Vec<serde_json::Value> =
            dir.read("a.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let numbers = |rows: &[serde_json::Value]| rows.iter().map(|row| row["line"].clone()).collect::<Vec<_>>();
        assert_eq!(numbers(&array), numbers(&lines), "{options}");
        assert_eq!(array.is_empty(), options.starts_with("rate"), "{options}");
    }
    dir.run("convert -q in.txt -o a.json").ends(0);
    let rows = dir.run("solve -q a.json --columns status").ends(0);
    assert_eq!(rows, dir.run("solve -q in.txt --columns status").ends(0));

    for (arguments, message) in [
        ("solve in.txt --resume -o b.json", "a run that writes a JSON array cannot be resumed"),
        ("solve in.txt --shard 1/2 -o b.json", "shards in the format json cannot be merged"),
        ("sample in.txt -n 1 -o b.json", "`gridmill convert --keep all` changes the format"),
    ] {
        let error = dir.run(&format!("{arguments} -q")).fails();
        assert!(error.contains(message), "{error}");
    }
}

/// Fields are quoted for their delimiter, and spreadsheets get their decimal point; such files are read again.
#[test]
fn spreadsheets_have_their_own_csv() {
    let dir = TestDir::new();
    let rows = format!("{MEDIUM},\"a;1\tb\"\n{EASY},\"a;2\tb\"\n");
    dir.write("in.csv", format!("puzzle,note\n{rows}"));

    let rate = "rate -q in.csv --keep note --columns line,er,techniques";
    dir.run(&format!("{rate} --to excel -o excel.csv")).ends(0);
    dir.run(&format!("{rate} -o rated.tsv")).ends(0);
    let (excel, tsv) = (dir.read("excel.csv"), dir.read("rated.tsv"));
    assert!(excel.starts_with("\u{feff}line;er;techniques;note\n2;"), "{excel}");
    assert!(excel.lines().nth(1).unwrap().ends_with(";\"a;1\tb\"") && excel.contains(";\"Hidden Single:"), "{excel}");
    let er = excel.lines().nth(1).unwrap().split(';').nth(1).unwrap();
    assert!(er.len() == 3 && er.as_bytes()[1] == b',', "{excel}");
    assert!(tsv.starts_with("line\ter\ttechniques\tnote\n2\t") && tsv.contains("\t\"a;1\tb\"\n"), "{tsv}");

    let whole = "solve -q in.csv --keep note --columns line,puzzle,solution --to excel";
    dir.run(&format!("{whole} -o whole.csv")).ends(0);
    for number in [1, 2] {
        dir.run(&format!("{whole} --shard {number}/2 --resume -o p{number}.csv")).ends(0);
    }
    dir.run("merge -q p1.csv p2.csv -o all.csv").ends(0);
    assert_eq!(dir.read("all.csv"), dir.read("whole.csv"));
    let again = dir.run("convert -q whole.csv --columns puzzle --keep note").ends(0);
    assert_eq!(again, dir.read("in.csv").replace('"', ""));
}

/// Spreadsheets would change such texts: they are formulas, which are read again as the texts.
#[test]
fn texts_stay_texts_in_spreadsheets() {
    let dir = TestDir::new();
    let solution = UNIQUE_SOLUTION;
    let texts = [
        ("007", "=\"007\""),
        ("1234567890123456", "=\"1234567890123456\""),
        ("1e5", "=\"1e5\""),
        ("=1+1", "=\"=1+1\""),
        ("+49 30", "=\"+49 30\""),
        ("-x", "=\"-x\""),
        ("@me", "=\"@me\""),
        ("\"=a;b\"", "\"=\"\"=a;b\"\"\""),
        ("0", "0"),
        ("12", "12"),
        ("1.25", "1,25"),
        ("-0.5", "-0,5"),
        ("1,25", "1,25"),
        ("a=b", "a=b"),
        ("1.2.", "1.2."),
    ];
    let row = |(text, _): &(&str, &str)| format!("{};{text}\n", UNIQUE.replace('.', "0"));
    let rows: String = texts.iter().map(row).collect();
    dir.write("in.csv", format!("puzzle;note\n{rows}"));

    dir.run("solve -q in.csv --keep note --columns puzzle,status,solution --to excel -o excel.csv").ends(0);
    let (puzzle, excel) = (UNIQUE.replace('.', "0"), dir.read("excel.csv"));
    let row = |(_, cell): &(&str, &str)| format!("=\"{puzzle}\";unique;=\"{solution}\";{cell}\n");
    assert_eq!(excel, "\u{feff}puzzle;status;solution;note\n".to_owned() + &texts.iter().map(row).collect::<String>());

    let again = dir.run("solve -q excel.csv --keep note --columns puzzle").ends(0);
    let again: Vec<&str> = again.lines().skip(1).map(|row| row.split_once(',').unwrap().1.trim_matches('"')).collect();
    assert_eq!(again, texts.map(|(text, cell)| if cell.contains('=') { text.trim_matches('"') } else { cell }));
    assert!(dir.run("validate -q excel.csv --columns answer --no-header").ends(0).lines().all(|line| line == "right"));
}
