//! `solve`: its columns, its options and its summary.

use crate::{MULTIPLE, NONE, TestDir, UNIQUE, UNIQUE_SOLUTION, data};

#[test]
fn rows_have_the_documented_columns() {
    let dir = TestDir::new();
    let rows = dir.run_on(format!("{UNIQUE}\n"), "solve").ends(0);
    let (header, row) = rows.split_once('\n').unwrap();
    assert_eq!(header, "line,puzzle,status,solutions,solution,branches,nanos,detail");
    let fields: Vec<&str> = row.trim_end().split(',').collect();
    assert_eq!(fields[..6], ["1", UNIQUE, "unique", "1", UNIQUE_SOLUTION, "0"]);
    assert!(fields[6].parse::<u64>().unwrap() > 0);
    assert_eq!(fields[7..], [""]);
    let rows = dir.run_on(UNIQUE, "solve --columns status,line --no-header").ends(0);
    assert_eq!(rows, "unique,1\n");
}

#[test]
fn several_inputs_are_one_stream_with_a_file_column() {
    let dir = TestDir::new();
    dir.write("a.txt", format!("{UNIQUE}\n# comment\n\n{MULTIPLE}\n")).write("empty.txt", "");
    dir.write("b.csv", format!("puzzle\n{NONE}\n"));
    let rows = dir.run_on(UNIQUE, "solve a.txt empty.txt b.csv - --columns file,line,status").ends(0);
    assert_eq!(rows, "file,line,status\na.txt,1,unique\na.txt,4,multiple\nb.csv,2,none\n-,1,unique\n");
    let rows = dir.run("solve a.txt b.csv").ends(0);
    assert!(rows.starts_with("file,line,puzzle,"));
}

#[test]
fn limit_first_and_all_choose_the_solutions() {
    let dir = TestDir::new();
    let run = |options: &str| {
        let input = format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\n");
        dir.run_on(input, &format!("solve -q --no-header --columns status,solutions,solution,detail {options}")).ends(0)
    };
    let unique = format!("unique,1,{UNIQUE_SOLUTION},\n");
    let none = "none,0,,\"two 1s in row 1: r1c1, r1c2\"\n";
    let first = "1234341221434321";
    assert_eq!(run(""), format!("{unique}multiple,2,,\n{none}"));
    assert_eq!(run("--limit 50"), format!("{unique}multiple,50,,\n{none}"));
    assert_eq!(run("--limit 1000"), format!("{unique}multiple,72,,\n{none}"));
    assert_eq!(run("--first"), format!("{unique}multiple,2,{first},\n{none}"));
    assert_eq!(run("--limit 1"), run("--first"));
    assert_eq!(run("--all --limit 2"), format!("{unique}multiple,2,{first} 1234341223414123,there are more\n{none}"));
    assert_eq!(run("--all --limit 1"), format!("{unique}multiple,2,{first},there are more\n{none}"));
    let all = run("--all");
    let listed: Vec<&str> = all.lines().nth(1).unwrap().split(',').nth(2).unwrap().split(' ').collect();
    assert_eq!((listed.len(), listed[0]), (72, first));
    assert!(listed.is_sorted() && all.lines().nth(1).unwrap().starts_with("multiple,72,"));
    assert!(dir.run_on(MULTIPLE, "solve --all --limit 3").err.contains("1 has more solutions than were listed"));
}

#[test]
fn a_listing_has_the_numbers_of_grids_of_any_size() {
    let dir = TestDir::new();
    for (name, symbols) in [
        ("4x4.txt", "1234"),
        ("easy.txt", "123456789"),
        ("16x16.txt", "123456789ABCDEFG"),
        ("25x25.txt", "ABCDEFGHIJKLMNOPQRSTUVWXY"),
    ] {
        let run = |format: &str| dir.run(&format!("solve -q {} --to {format}", data(name))).ends(0);
        let (solutions, listing) = (run("lines"), run("listing"));
        let mut listed = listing.lines();
        for solution in solutions.lines() {
            assert_eq!(listed.next().unwrap(), "==".repeat(symbols.len()), "{name}");
            for row in solution.as_bytes().chunks(symbols.len()) {
                let numbers = row.iter().map(|&symbol| symbols.find(char::from(symbol)).unwrap() + 1);
                let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
                assert_eq!(listed.next().unwrap(), numbers.join(" ") + " ", "{name}");
            }
            assert_eq!(listed.next(), Some("TOTAL SOLUTION : 1"), "{name}");
        }
        assert_eq!(listed.next(), None, "{name}");
    }
}

#[test]
fn empty_grids_return_at_once() {
    let dir = TestDir::new();
    let rows = dir.run_on(".".repeat(625), "solve -q --first --no-header --columns status,solution").ends(0);
    assert!(rows.starts_with("multiple,ABCDEFGHIJKLMNOPQRSTUVWXYFGHIJ"), "{rows}");
    let rows = dir.run_on(".".repeat(81), "solve -q --limit 1000 --no-header --columns status,solutions").ends(0);
    assert_eq!(rows, "multiple,1000\n");
}

#[test]
fn columns_of_csv_can_be_kept() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("id,quizzes,solution,note\n7,{UNIQUE},x,\"a,b\"\n8,{NONE},,\n9\n"));
    let rows = dir.run("solve -q in.csv --keep id,note,solution --columns line,status").ends(0);
    assert_eq!(rows, "line,status,id,note,input_solution\n2,unique,7,\"a,b\",x\n3,none,8,,\n4,malformed,9,,\n");
    let error = dir.run("solve -q in.csv --keep rating").fails();
    assert!(error.contains("in.csv") && error.contains("'rating'") && error.contains("quizzes"), "{error}");
    dir.write("in.txt", UNIQUE);
    let error = dir.run("solve -q in.txt --keep id").fails();
    assert!(error.contains("in.txt") && error.contains("CSV"), "{error}");
    dir.write("odd.csv", format!("id,cells\n1,{UNIQUE}\n"));
    let rows = dir.run("solve -q odd.csv --puzzle-column cells --no-header --columns status").ends(0);
    assert_eq!(rows, "unique\n");
}

#[test]
fn the_summary_adds_up() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\nrubbish\n").repeat(100));
    let result = dir.run("solve in.txt --columns nanos,branches --summary s.json --top 2 --threads 2");
    for words in [
        "400 records in ",
        "unique 100  multiple 100  none 100  undecided 0  malformed 100",
        "p99.9",
        "slowest",
        "in.txt:",
    ] {
        assert!(result.err.contains(words), "{words}: {}", result.err);
    }
    let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!(summary["records"], 400);
    assert_eq!(summary["rows"]["malformed"], 100);
    assert_eq!(summary["clues"], serde_json::json!({"1": 100, "2": 100, "4": 100}));
    assert_eq!(summary["slowest"].as_array().unwrap().len(), 2);
    let sum = |column: usize| -> u64 {
        result.out.lines().skip(1).map(|row| row.split(',').nth(column).unwrap().parse::<u64>().unwrap_or(0)).sum()
    };
    assert_eq!(summary["nanos"]["total"], sum(0));
    assert_eq!(summary["branches"]["total"], sum(1));
}

/// More threads than CPUs wait for each other. That is no time of their puzzles.
#[test]
#[cfg(unix)]
fn times_of_puzzles_are_part_of_the_cpu_time() {
    let dir = TestDir::new();
    let easy = std::fs::read_to_string(data("easy.txt")).unwrap();
    dir.write("in.txt", easy.repeat(40));
    let run = |options: &str| {
        let result =
            dir.run(&format!("solve in.txt --columns line -o out.csv --summary s.json --threads 32 {options}"));
        let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
        (result.err, summary)
    };
    let (said, summary) = run("--chunk 500");
    let engines = summary["cpu_seconds"]["engines"].as_f64().unwrap();
    let puzzles = summary["nanos"]["total"].as_u64().unwrap();
    assert!(puzzles as f64 / 1e9 <= engines + 1e-9, "{puzzles} ns of {engines} s");
    assert!(said.contains("max   time of a 9x9 puzzle: its share of its batch\n"), "{said}");
    let (said, _) = run("--engine bitmask");
    assert!(said.contains("max\n"), "{said}");
}

#[test]
fn standard_output_is_rows_only() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(1000));
    let quiet = dir.run("solve -q in.txt --columns line,status");
    assert_eq!(quiet.err, "");
    let loud = dir.run("solve in.txt --columns line,status --progress always");
    assert!(loud.err.contains("in.txt: lines of 4x4") && loud.err.contains("1,000 records"), "{}", loud.err);
    assert!(loud.err.contains("puzzles"), "{}", loud.err);
    assert_eq!(loud.ends(0), quiet.ends(0));
}

#[test]
fn an_empty_input_gives_a_header() {
    let dir = TestDir::new();
    let result = dir.run_on("", "solve --strict");
    assert!(result.err.contains("0 records"), "{}", result.err);
    assert_eq!(result.ends(0), "line,puzzle,status,solutions,solution,branches,nanos,detail\n");
}

#[test]
fn vectors_are_chosen_by_name() {
    let dir = TestDir::new();
    let run = |simd: &str| dir.run_on(format!("{UNIQUE}\n"), &format!("solve -q --simd {simd} --columns solution"));
    assert_eq!(run("portable").ends(0), format!("solution\n{UNIQUE_SOLUTION}\n"));
    for simd in ["avx512", "avx512bw", "avx2"] {
        let result = run(simd);
        if result.code == Some(2) {
            assert!(result.fails().starts_with(&format!("gridmill: this CPU has no {simd}; it can do ")));
        } else {
            result.ends(0);
        }
    }
    assert!(run("sse9").err.contains("[possible values: auto, avx512, avx512bw, avx2, portable]"));
}

#[test]
fn counts_are_read_as_people_write_them() {
    let dir = TestDir::new();
    let puzzles = dir.run("generate -q -n 3e0 --seed 1_0 --max-tries 1e6").ends(0);
    assert_eq!(puzzles.lines().count(), 3);
    dir.write("in.txt", puzzles);
    for arguments in [
        "solve in.txt --threads 2e0 --chunk 1e3 --max-branches 1e6 --limit 1_0 --top 1e0",
        "rate in.txt --top 1e0",
        "split in.txt --folds 2e0 --seed 1_0 -o out",
        "split in.txt --parts a=1e0,b=1_0e-0,c=rest -o out",
        "split in.txt --parts a=1e0,b=rest --seed 1_0 -o parts",
        "dedupe in.txt --threads 2e0 --max-branches 1_000",
        "sample in.txt -n 1e1 --seed 1_0 --threads 2e0 --chunk 1e0",
        "augment in.txt --copies 1e0 --seed 1_0",
        "bench in.txt --threads 1e0 --shuffle 1_0 --max-branches 1e6 --seconds 0.01 --engines bitmask",
    ] {
        let run = dir.run(&format!("{arguments} -q"));
        let is_wrong = arguments.contains("1_0e-0");
        assert_eq!(run.code, Some(if is_wrong { 2 } else { 0 }), "{arguments}: {}", run.err);
    }
}

#[test]
fn strict_fails_unless_every_record_is_unique() {
    let dir = TestDir::new();
    for (input, code) in [
        (format!("{UNIQUE}\n{UNIQUE}\n"), 0),
        (format!("{UNIQUE}\n{MULTIPLE}\n"), 1),
        (format!("{UNIQUE}\n{NONE}\n"), 1),
        (format!("{UNIQUE}\nrubbish\n"), 1),
    ] {
        assert_eq!(dir.run_on(&input, "solve --strict").ends(code).lines().count(), 3);
        dir.run_on(&input, "solve").ends(0);
    }
}

#[test]
fn an_output_file_gets_its_name_when_it_is_complete() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n")).run("solve in.txt -o out.csv").ends(0);
    assert!(dir.read("out.csv").starts_with("line,puzzle,status,"));
    assert!(!dir.path("out.csv.partial").exists());

    // The last input ends the run with an error; the file of the earlier run stays.
    let before = dir.read("out.csv");
    dir.write("bad.zip", b"PK\x03\x04rest");
    let error = dir.run("solve -q in.txt in.txt bad.zip -o out.csv").fails();
    assert!(error.contains("bad.zip") && error.contains("ZIP") && error.contains("out.csv.partial"), "{error}");
    assert_eq!(dir.read("out.csv"), before);
    assert_eq!(dir.read("out.csv.partial").lines().count(), 3);
}
