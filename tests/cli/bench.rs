//! Tests of `gridmill bench`: its table, exports and errors. None of them depends on a time.

use std::collections::HashMap;
use std::fs;

use crate::{MULTIPLE, NONE, RunResult, TestDir, UNIQUE, data};

/// The shortest possible measurement.
const QUICK: &str = "bench --seconds 0";

/// Runs with one more argument, which may contain spaces.
fn run_with(dir: &TestDir, arguments: &str, last: &str) -> RunResult {
    dir.command(arguments).arg(last).output().unwrap().into()
}

#[test]
fn the_table_has_a_row_for_each_file_and_solver() {
    let dir = TestDir::new();
    let result =
        dir.run(&format!("{QUICK} --engines dlx,bitmask --threads 1,2 {} {}", data("4x4.txt"), data("easy.txt")));
    assert!(result.err.contains("all answers agree") && result.err.contains("times as fast as dlx on"), "{result:?}");
    let table = result.ends(0);
    let mut rows = table.lines().map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()));
    let titles: Vec<&str> = rows.next().unwrap().collect();
    assert_eq!(titles[..8], ["file", "solver", "threads", "clock", "puzzles", "puzzles/s", "interval", "ratio"]);
    assert_eq!(titles[8..], ["branches", "no branch", "p50", "p99", "p99.9", "max"]);
    let rows: Vec<Vec<&str>> = rows.map(Iterator::collect).collect();
    // Text is aligned to the left, numbers to the right, and nothing is after the last column.
    let column = |line: &str, cell: &str| line.find(cell).map(|start| line[..start].chars().count()).unwrap();
    let first = table.lines().next().unwrap();
    for line in table.lines() {
        let at = |index: usize| line.chars().nth(index).unwrap();
        let (clock, rate_end) = (column(first, "clock"), column(first, "puzzles/s") + "puzzles/s".len());
        assert!(at(clock - 1) == ' ' && at(clock) != ' ' && at(rate_end - 1) != ' ' && at(rate_end) == ' ', "{table}");
        assert!(line.trim_end() == line && line.chars().count() == first.chars().count(), "{table}");
    }
    assert!(rows.iter().all(|row| row.len() == titles.len()), "{table}");
    let solvers: Vec<[&str; 3]> = rows.iter().map(|row| [row[1], row[2], row[3]]).collect();
    // Several threads have no CPU time to compare, so all rows have the wall time.
    let each = [["dlx", "1", "wall"], ["dlx", "2", "wall"], ["bitmask", "1", "wall"], ["bitmask", "2", "wall"]];
    assert_eq!(solvers, each.repeat(2));
    // The others are compared with the first one.
    assert_eq!((rows[0][7], rows[4][7], rows[0][4], rows[4][4]), ("1.00", "1.00", "200", "1,000"));
}

/// Each export has all rows, with figures that are plausible for easy puzzles.
#[test]
fn exports_hold_the_table() {
    let dir = TestDir::new();
    let exports = "--export out.csv --export out.json --export out.md --export out.svg";
    let result = dir.run(&format!("{QUICK} -q {exports} {}", data("easy.txt")));
    assert_eq!(result.err, "");
    let table = result.ends(0);

    let text = dir.read("out.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<HashMap<String, String>> = reader.deserialize().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), table.lines().count() - 1);
    for row in &rows {
        assert_eq!((&*row["puzzles"], &*row["threads"]), ("1000", "1"));
        assert!(row["rounds"].parse::<u32>().unwrap() >= 5);
        for names in [["low", "puzzles_per_second", "high"], ["ratio_low", "ratio", "ratio_high"]] {
            let [low, value, high] = names.map(|name| row[name].parse::<f64>().unwrap());
            assert!(0.0 < low && low <= value && value <= high, "{row:?}");
        }
        let share: f64 = row["without_branch"].parse().unwrap();
        let branches: f64 = row["branches_per_puzzle"].parse().unwrap();
        assert!((0.5..1.0).contains(&share) && branches >= 1.0 - share, "{row:?}");
        let times =
            ["p50", "p90", "p99", "p999", "max"].map(|name| row[&format!("{name}_nanos")].parse::<u64>().unwrap());
        assert!(times[0] > 0 && times.is_sorted(), "{row:?}");
    }
    let json: serde_json::Value = serde_json::from_str(&dir.read("out.json")).unwrap();
    assert_eq!((&json["gridmill"], &json["options"]["limit"]), (&env!("CARGO_PKG_VERSION").into(), &2.into()));
    assert!(json["machine"]["cpus"].as_u64() > Some(0) && json["date"].as_str().unwrap().ends_with('Z'), "{json}");
    assert_eq!(json["sets"][0]["sha256"].as_str().unwrap().len(), 64);
    assert_eq!(
        (&json["solvers"], json["load"]["end"].is_number()),
        (&serde_json::json!({}), cfg!(target_os = "linux"))
    );
    let rows_of_json = json["rows"].as_array().unwrap();
    assert!(rows_of_json.iter().all(|row| row["seconds"].as_array().unwrap().len() as u64 == row["rounds"]));
    let solvers = |row: &serde_json::Value| row["solver"].as_str().unwrap().to_owned();
    assert_eq!(
        rows_of_json.iter().map(solvers).collect::<Vec<_>>(),
        rows.iter().map(|row| row["solver"].clone()).collect::<Vec<_>>()
    );
    let markdown = dir.read("out.md");
    let (lines, machine) = markdown.trim_end().rsplit_once("\n\n").unwrap();
    assert_eq!(lines.lines().count(), 2 + rows.len());
    assert!(lines.lines().all(|line| line.matches(" | ").count() == 13), "{markdown}");
    let cpu = json["machine"]["cpu"].as_str().unwrap();
    assert!(machine.contains(cpu), "{machine}: {cpu}");
    let svg = dir.read("out.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("prefers-color-scheme: dark"));
    assert_eq!(svg.matches("<rect ").count(), rows.len());
}

#[test]
#[cfg(unix)]
fn a_solver_that_agrees_is_in_the_table() {
    let dir = TestDir::new();
    let gridmill = assert_cmd::cargo::cargo_bin("gridmill");
    let solver = format!("'{}' solve -q --to lines --first", gridmill.display());
    dir.write("three.txt", format!("{UNIQUE}\n{MULTIPLE}\n").repeat(20));
    for file in ["three.txt".to_owned(), data("easy.txt"), data("16x16.txt")] {
        let table = run_with(&dir, &format!("{QUICK} --engines bitmask {file} --solver"), &solver).ends(0);
        let last = table.lines().last().unwrap();
        assert!(last.starts_with(&file) && last.contains("  CPU  "), "{table}");
    }
    // A solver may give counts instead of solutions.
    dir.write("none.txt", format!("{NONE}\n").repeat(40));
    run_with(&dir, &format!("{QUICK} none.txt --solver"), "sed 's/.*/0/'").ends(0);
}

#[test]
#[cfg(unix)]
fn a_solver_with_a_wrong_answer_ends_the_run_before_anything_is_timed() {
    let dir = TestDir::new();
    dir.write("unique.txt", format!("{UNIQUE}\n").repeat(40));
    let shifted = "2341143232144123";
    for (solver, answer) in [
        ("sed 's/.*/0/'", "0 solutions".to_owned()),
        ("sed '20 s/.*/2/; t; s/.*/1/'", "2 solutions".to_owned()),
        (&*format!("sed 's/.*/{shifted}/'"), format!("a solution: {shifted}")),
    ] {
        let result = run_with(&dir, &format!("{QUICK} --export out.csv --engines bitmask unique.txt --solver"), solver);
        let line = if solver.contains("20") { 20 } else { 1 };
        assert!(result.err.contains(&format!("bitmask and {solver} disagree on unique.txt:{line}\n")), "{result:?}");
        for part in [UNIQUE, "1 solution: 1234432121433412", &answer] {
            assert!(result.err.contains(part), "{part}: {result:?}");
        }
        assert_eq!(result.ends(1), "");
        assert!(fs::metadata(dir.path("out.csv")).is_err());
    }
}

#[test]
#[cfg(unix)]
fn several_disagreements_are_listed() {
    let dir = TestDir::new();
    dir.write("unique.txt", format!("{UNIQUE}\n").repeat(40));
    let result = run_with(&dir, &format!("{QUICK} -q --engines bitmask unique.txt --solver"), "wrong=sed 's/.*/3/'");
    assert_eq!(result.err.matches("bitmask and wrong disagree on unique.txt:").count(), 5, "{}", result.err);
    let others = "gridmill: and 35 more disagreements; --disagreements FILE writes all of them\n";
    assert!(result.err.ends_with(others), "{}", result.err);
    result.ends(1);
}

/// Two files, in each of which two of three puzzles get another answer; the second solver is right.
#[test]
#[cfg(unix)]
fn all_disagreements_are_in_a_table_with_what_each_solver_said() {
    let dir = TestDir::new();
    dir.write("a.txt", format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\n")).write("b.txt", format!("\n{NONE}\n{UNIQUE}\n"));
    let run = |options: &str| {
        let mut command = dir.command(&format!("{QUICK} -q --from lines --engines bitmask a.txt b.txt {options}"));
        let solvers = ["--solver", "one=sed s/.*/1/", "--solver", "grid=sed 's/.*/2 2341143232144123/'"];
        RunResult::from(command.args(solvers).output().unwrap())
    };
    let result = run("--disagreements all.csv");
    assert_eq!(result.err.matches("bitmask and ").count(), 5, "{}", result.err);
    assert!(result.err.ends_with("gridmill: 8 disagreements, all of them in all.csv\n"), "{}", result.err);
    result.ends(1);
    let (header, rest) =
        ("file,line,puzzle,solver,solutions,solution", "reference,expected_solutions,expected_solution");
    let (count, grid) = ("another number of solutions", "2341143232144123");
    let expected = [
        format!("{header},{rest},reason"),
        format!("a.txt,1,{UNIQUE},grid,2,{grid},bitmask,1,1234432121433412,{count}"),
        format!("a.txt,2,{MULTIPLE},one,1,,bitmask,2,FIRST,{count}"),
        format!("a.txt,2,{MULTIPLE},grid,2,{grid},bitmask,2,FIRST,the solution does not solve the puzzle"),
        format!("a.txt,3,{NONE},one,1,,bitmask,0,,{count}"),
        format!("a.txt,3,{NONE},grid,2,{grid},bitmask,0,,{count}"),
        format!("b.txt,2,{NONE},one,1,,bitmask,0,,{count}"),
        format!("b.txt,2,{NONE},grid,2,{grid},bitmask,0,,{count}"),
        format!("b.txt,3,{UNIQUE},grid,2,{grid},bitmask,1,1234432121433412,{count}"),
    ];
    let rows = dir.read("all.csv");
    // Which of several solutions an engine gives is its own choice.
    let is_like = |(row, expected): (&str, &String)| match expected.split_once("FIRST") {
        Some((start, end)) => row.starts_with(start) && row.ends_with(end),
        None => row == expected,
    };
    assert!(rows.lines().count() == 9 && rows.lines().zip(&expected).all(is_like), "{rows}");

    // The answers of another reference are those to agree with.
    let result = run("--disagreements all.jsonl --reference one");
    assert!(result.err.starts_with("gridmill: one and grid disagree on a.txt:1\n"), "{}", result.err);
    result.ends(1);
    let rows = dir.read("all.jsonl");
    let second: serde_json::Value = serde_json::from_str(rows.lines().nth(1).unwrap()).unwrap();
    let fields = ["solver", "solutions", "reference", "expected_solutions", "expected_solution"];
    assert_eq!(fields.map(|name| second[name].to_string()), ["\"bitmask\"", "2", "\"one\"", "1", "null"], "{rows}");
    #[cfg(feature = "parquet")]
    {
        run("--disagreements all.parquet").ends(1);
        let copy = dir.run("dedupe all.parquet --puzzle-column puzzle -o copy.parquet");
        assert!(copy.err.contains("8 records"), "{}", copy.err);
    }

    // Without disagreements, the table has no rows.
    let agree = dir.run(&format!("{QUICK} -q --from lines --engines bitmask,dlx a.txt --disagreements none.csv"));
    agree.ends(0);
    assert_eq!(dir.read("none.csv"), format!("{header},{rest},reason\n"));
    // A solver that fails later takes nothing away from what was found, but leaves no empty table.
    let later = |solver: &str| {
        let mut command =
            dir.command(&format!("{QUICK} -q --from lines --engines bitmask a.txt b.txt --disagreements l.csv"));
        RunResult::from(command.args(["--solver", solver]).output().unwrap()).ends(2);
    };
    later("exit 3");
    assert!(!dir.path("l.csv").exists());
    later("later=n=$(wc -l); [ $n = 3 ] && printf '1\\n1\\n1\\n'");
    assert_eq!(dir.read("l.csv").lines().count(), 3);
    let error = run("--disagreements all.txt").err;
    assert!(error.contains("its name should end in .csv, .jsonl or .parquet"), "{error}");
}

#[test]
#[cfg(unix)]
fn any_solver_can_be_the_reference() {
    let dir = TestDir::new();
    dir.write("unique.txt", format!("{UNIQUE}\n").repeat(100));
    let bench = format!("{QUICK} --engines dlx,bitmask --threads 1,2 unique.txt --export out.json --reference");
    for (reference, row) in [("one", 4), ("bitmask", 2), ("bitmask on 2 threads", 3)] {
        let mut command = dir.command(&bench);
        let result = RunResult::from(command.args([reference, "--solver", "one=sed s/.*/1/"]).output().unwrap());
        assert_eq!(result.err.matches(&format!("times as fast as {reference} on unique.txt")).count(), 4, "{result:?}");
        let table = result.ends(0);
        let ratios: Vec<&str> = cells(&table).iter().map(|row| row[7]).collect();
        assert_eq!((ratios.len(), ratios[row]), (5, "1.00"), "{table}");
        let json: serde_json::Value = serde_json::from_str(&dir.read("out.json")).unwrap();
        assert_eq!((&json["options"]["reference"], &json["rows"][row]["ratio"]), (&reference.into(), &1.0.into()));
    }
    let error = dir.run(&format!("{QUICK} -q --engines dlx,bitmask unique.txt --reference lanes")).fails();
    assert_eq!(error, "gridmill: there is no solver 'lanes'; the solvers are dlx, bitmask");

    // A reference with a wrong solution disagrees with all others.
    let mut command = dir.command(&format!("{QUICK} -q --engines dlx unique.txt --reference bad"));
    let bad = "bad=sed 's/.*/2341143232144123/'";
    let result = RunResult::from(command.args(["--solver", bad, "--solver", "one=sed s/.*/1/"]).output().unwrap());
    for name in ["dlx", "one"] {
        assert!(result.err.contains(&format!("bad and {name} disagree on unique.txt:1\n")), "{}", result.err);
    }
    result.ends(1);
}

#[test]
#[cfg(unix)]
fn the_times_of_single_puzzles_are_a_table_and_the_slowest_are_named() {
    let dir = TestDir::new();
    let easy: Vec<String> = fs::read_to_string(data("easy.txt")).unwrap().lines().take(20).map(str::to_owned).collect();
    dir.write("in.txt", easy.join("\n"));
    let mut command = dir.command(&format!(
        "{QUICK} --engines bitmask,dlx in.txt --times times.csv --top 3 --export out.json --report page.html"
    ));
    let solvers = ["--solver", "one=sed s/.*/1/", "--solver", "at-once=sed -u s/.*/1/"];
    let result = RunResult::from(command.args(solvers).output().unwrap());
    let note = "does not answer each puzzle before it reads the next, so there are no times of its puzzles\n";
    assert!(
        result.err.contains(&format!("gridmill: one {note}")) && result.err.matches(note).count() == 1,
        "{}",
        result.err
    );
    let table = result.ends(0);

    let text = dir.read("times.csv");
    assert!(text.starts_with("file,line,puzzle,solver,threads,nanos,branches,solutions\n"), "{text}");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<HashMap<String, String>> = reader.deserialize().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 80);
    for (index, row) in rows.iter().enumerate() {
        let solver = ["bitmask", "dlx", "one", "at-once"][index / 20];
        let line = index % 20;
        assert_eq!((&*row["file"], &*row["line"], &*row["puzzle"]), ("in.txt", &*(line + 1).to_string(), &*easy[line]));
        assert_eq!((&*row["solver"], &*row["solutions"]), (solver, "1"));
        let is_known = |name: &str| row[name].parse::<u64>().is_ok();
        let known = [index < 40, solver != "one", index < 40];
        assert_eq!(["threads", "nanos", "branches"].map(is_known), known, "{row:?}");
    }

    // The slowest are those of the table of times, the slowest first.
    let json: serde_json::Value = serde_json::from_str(&dir.read("out.json")).unwrap();
    for (index, solver) in [(0, "bitmask"), (1, "dlx"), (3, "at-once")] {
        let mut nanos: Vec<u64> =
            rows.iter().filter(|row| row["solver"] == solver).map(|row| row["nanos"].parse().unwrap()).collect();
        nanos.sort_unstable_by(|one, two| two.cmp(one));
        let slowest = json["rows"][index]["slowest"].as_array().unwrap();
        assert_eq!(slowest.iter().map(|slow| slow["nanos"].as_u64().unwrap()).collect::<Vec<_>>(), nanos[..3]);
        let (_, named) = table.split_once(&format!("\nslowest puzzles of {solver} on in.txt\n")).unwrap();
        for (line, slow) in named.lines().zip(slowest) {
            let words = format!("line {}", slow["line"]);
            assert!(line.contains(&words) && line.ends_with(slow["puzzle"].as_str().unwrap()), "{table}");
        }
    }
    assert!(json["rows"][2]["slowest"].as_array().unwrap().is_empty() && !table.contains("puzzles of one"), "{table}");
    let page = dir.read("page.html");
    assert!(page.contains("bitmask, in.txt:") && page.contains("dlx, in.txt:"), "{page}");
    // More rows than are written at a time.
    #[cfg(feature = "parquet")]
    {
        let solvers = "--engines bitmask,dlx,lanes --threads 1,2";
        dir.run(&format!("{QUICK} -q {solvers} {} --times times.parquet", data("easy.txt"))).ends(0);
        let copy = dir.run("dedupe times.parquet -o copy.parquet");
        assert!(copy.err.contains("6,000 records"), "{}", copy.err);
    }
    // Without a wish for them, none is named.
    assert!(!dir.run(&format!("{QUICK} -q --engines bitmask in.txt")).ends(0).contains("slowest"));
}

/// All puzzles take it longer than they may; the engine has time for all of them.
#[test]
#[cfg(unix)]
fn a_solver_that_is_slow_gets_a_random_sample() {
    let dir = TestDir::new();
    dir.write("unique.txt", format!("{UNIQUE}\n").repeat(1000));
    let start = "gridmill: unique.txt: slow is timed on a random sample, ";
    for (steps, is_known) in [(50_000, true), (1_500_000, false)] {
        let mut command = dir.command("bench --engines bitmask unique.txt --seconds 0.05 --progress always");
        let outputs = ["--export", "out.json", "--times", "times.csv"];
        let solver = format!("slow=awk '{{ for (i = 0; i < {steps}; i++) x += i; print 1 }}'");
        let result = RunResult::from(command.args(outputs).args(["--solver", &solver]).output().unwrap());
        let (_, note) = result.err.split_once(start).expect(&result.err);
        let why = "of 1,000: all of them would take it about ";
        assert!(note.contains(why) && note.contains(", longer than --seconds\n"), "{note}");
        // The bar says what is being done.
        for task in ["checking slow on puzzles 1 to 1", "timing slow"] {
            assert!(result.err.contains(task), "{}", result.err);
        }

        let json: serde_json::Value = serde_json::from_str(&dir.read("out.json")).unwrap();
        let (engine, row) = (&json["rows"][0], &json["rows"][1]);
        assert_eq!((&engine["puzzles"], &row["file_puzzles"]), (&1000.into(), &1000.into()));
        let puzzles = row["puzzles"].as_u64().unwrap();
        assert!(if is_known { (100..1000).contains(&puzzles) } else { puzzles < 100 }, "{json}");
        let known = ["puzzles_per_second", "low", "high", "ratio", "ratio_low"].map(|name| row[name].is_number());
        assert_eq!(known, [is_known; 5], "{json}");
        let unknown = "slow on unique.txt: the speed is unknown, with fewer than 100 puzzles; more --seconds help\n";
        assert_eq!(result.err.contains(unknown), !is_known, "{}", result.err);
        let blocks = row["seconds"].as_array().unwrap().len() as u64;
        assert!(blocks == puzzles.min(10) && row["rounds"] == blocks && row["passes"] == 1, "{json}");
        let table = result.ends(0);
        assert!(table.contains(&format!("  {puzzles} of 1,000  ")), "{table}");

        // The sample is not the start of the file.
        let times = dir.read("times.csv");
        let of_slow = times.lines().filter(|line| line.contains(",slow,"));
        let lines: Vec<u64> = of_slow.map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
        assert!(lines.len() as u64 == puzzles && (puzzles < 8 || lines.iter().max() > Some(&200)), "{lines:?}");
    }
}

/// Few puzzles, however often they are solved.
#[test]
fn a_speed_needs_a_hundred_puzzles() {
    let dir = TestDir::new();
    for (puzzles, is_known) in [(1, false), (99, false), (100, true), (101, true)] {
        dir.write("unique.txt", format!("{UNIQUE}\n").repeat(puzzles));
        let result = dir.run("bench --seconds 0.01 -q --engines bitmask,dlx unique.txt");
        let words = "the speed is unknown, with fewer than 100 puzzles\n";
        assert_eq!(result.err.matches(words).count(), if is_known { 0 } else { 2 }, "{}", result.err);
        assert_eq!(result.ends(0).matches("unknown").count(), if is_known { 0 } else { 4 });
    }
}

#[test]
#[cfg(unix)]
fn a_solver_that_hangs_is_killed() {
    let dir = TestDir::new();
    dir.write("unique.txt", UNIQUE);
    let arguments = format!("{QUICK} -q --engines bitmask --timeout 0.1 unique.txt --solver");
    let error = run_with(&dir, &arguments, "slow=sleep 600").fails();
    assert_eq!(error, "gridmill: 'slow' on unique.txt took longer than 0.1 s and was killed");
    let error = dir.run(&format!("{QUICK} unique.txt --timeout 0")).fails();
    assert!(error.contains("no run ends within no time; leave --timeout out for no bound"), "{error}");
}

/// Neither a child that has left the group and holds the pipes open, nor one that has closed them.
#[test]
#[cfg(target_os = "linux")]
fn children_of_a_solver_neither_hold_up_the_run_nor_outlive_it() {
    let dir = TestDir::new();
    dir.write("unique.txt", UNIQUE);
    let arguments = format!("{QUICK} -q --engines bitmask --timeout 2 unique.txt --solver");
    let leaves = "exec 3<&0; setsid sh -c 'echo $$ >> left; exec sleep 600' <&3 2>/dev/null &";
    let closes = "sleep 600 </dev/null >/dev/null 2>&1 & echo $! >> stayed;";
    run_with(&dir, &arguments, &format!("fast={leaves} {closes} sed s/.*/1/")).ends(0);
    let error = run_with(&dir, &arguments, &format!("slow={leaves} {closes} wait")).fails();
    assert_eq!(error, "gridmill: 'slow' on unique.txt took longer than 2 s and was killed");

    // Those that have left are ours to end.
    let pids = |name: &str| dir.read(name).lines().map(str::to_owned).collect::<Vec<_>>();
    for pid in pids("left") {
        assert!(dir.shell(&format!("kill {pid}"), "").status().unwrap().success());
    }
    let is_alive =
        |pid: &String| fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(" Z "));
    let stayed = pids("stayed");
    assert!(stayed.len() > 5 && !stayed.iter().any(is_alive), "{stayed:?}");
}

/// A library in C with a solver that tries every digit, and others that are of no use.
#[cfg(unix)]
const LIBRARY: &str = r#"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define SOLVER(name) size_t name(const char *in, size_t limit, uint32_t configuration, char *out, size_t *guesses)
static size_t search(char *g, size_t at, size_t limit, char *out, size_t *guesses) {
    while (at < 81 && g[at] != '.') at++;
    if (at == 81) { if (out) memcpy(out, g, 81); return 1; }
    size_t found = 0;
    for (char d = '1'; d <= '9' && found < limit; d++) {
        size_t r = at / 9, c = at % 9, ok = 1;
        for (size_t i = 0; i < 9; i++)
            ok &= g[9 * r + i] != d && g[9 * i + c] != d && g[9 * (r / 3 * 3 + i / 3) + c / 3 * 3 + i % 3] != d;
        if (!ok) continue;
        g[at] = d; ++*guesses;
        found += search(g, at + 1, limit - found, out, guesses);
        g[at] = '.';
    }
    return found;
}
/* Configuration 1: counts only; 2: a wrong solution; 3: what it writes is a solution only if the limit is 1. */
SOLVER(solve) {
    char g[82]; memcpy(g, in, 82);
    if (configuration != 1) *guesses = 0;
    size_t unused = 0, found = search(g, 0, limit, configuration == 1 ? 0 : out, configuration == 1 ? &unused : guesses);
    if (configuration == 2 || (configuration == 3 && limit > 1)) memset(out, '1', 81);
    return found;
}
/* All answers are asked for once, and then again, for their times. */
static int is_timed(size_t limit) { static int calls; return limit > 1 && ++calls > 30; }
SOLVER(hang) { for (volatile int on = 1; on;) ; return 1; }
SOLVER(hang_later) { return (is_timed(limit) ? hang : solve)(in, limit, 0, out, guesses); }
SOLVER(forget) { return is_timed(limit) ? 0 : solve(in, limit, 0, out, guesses); }
SOLVER(no_memory) { *(volatile char *)(size_t)configuration = 1; return 1; }
SOLVER(give_up) { abort(); }
SOLVER(leave) { exit(0); }
SOLVER(talk) { puts("searching"); return solve(in, limit, 0, out, guesses); }
"#;

/// A directory with the library and twenty easy puzzles.
#[cfg(unix)]
fn plugin_dir() -> TestDir {
    let dir = TestDir::new();
    dir.write("lib.c", LIBRARY);
    let compiled = dir.shell("cc -O1 -shared -fPIC -o lib.so lib.c", "").status().unwrap();
    assert!(compiled.success());
    let easy: String = fs::read_to_string(data("easy.txt")).unwrap().lines().take(20).collect::<Vec<_>>().join("\n");
    dir.write("in.txt", easy);
    dir
}

/// The cells of each row of a table but its titles.
fn cells(table: &str) -> Vec<Vec<&str>> {
    table
        .lines()
        .skip(1)
        .map(|line| line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect())
        .collect()
}

#[test]
#[cfg(unix)]
fn a_plugin_is_measured_as_an_engine_is() {
    let dir = plugin_dir();
    let bench = format!("{QUICK} -q --engines bitmask in.txt");
    let plugins = "--plugin brute=./lib.so:solve --plugin counts=lib.so:solve:1 --plugin scratch=lib.so:solve:3";
    let table = dir.run(&format!("{bench} {plugins} --export out.json")).ends(0);
    let rows = cells(&table);
    assert_eq!(rows.iter().map(|row| row[1]).collect::<Vec<_>>(), ["bitmask", "brute", "counts", "scratch"]);
    assert!(rows.iter().all(|row| row[2..4] == ["1", "CPU"] && row.len() == 14), "{table}");
    // It tries more than one digit in nearly every cell; the function that does not say so has no figures.
    assert!(rows[1][8].parse::<f64>().unwrap() > 20.0 && rows[1][9] == "0.0 %", "{table}");
    assert_eq!((&rows[2][8..10], rows[3][8]), (&["-", "-"][..], rows[1][8]));
    let json: serde_json::Value = serde_json::from_str(&dir.read("out.json")).unwrap();
    assert_eq!(json["solvers"].as_object().unwrap().len(), 3);
    assert!(json["solvers"]["brute"].as_str().is_some_and(|sum| sum.len() == 64), "{json}");
    for row in json["rows"].as_array().unwrap() {
        let nanos = ["p50", "p90", "p99", "p999", "max"].map(|name| row[&format!("{name}_nanos")].as_u64().unwrap());
        assert!(nanos[0] > 0 && nanos.is_sorted() && row["start_seconds"].is_null(), "{row}");
    }
    let table = dir.run(&format!("{bench} --plugin brute=lib.so:solve --threads 1,3")).ends(0);
    let threads: Vec<_> = cells(&table).iter().map(|row| [row[1], row[2], row[3]].join(" ")).collect();
    assert_eq!(threads, ["bitmask 1 wall", "bitmask 3 wall", "brute 1 wall", "brute 3 wall"]);
}

#[test]
#[cfg(unix)]
fn a_plugin_that_fails_is_an_error_with_its_name() {
    let dir = plugin_dir();
    let bench = format!("{QUICK} -q --engines bitmask --timeout 1 in.txt");
    for (function, reason) in [
        ("hang", "took longer than 1 s and was killed"),
        ("hang_later", "took longer than 1 s and was killed"),
        ("no_memory", "failed: signal: 11 (SIGSEGV)"),
        ("give_up", "failed: signal: 6 (SIGABRT)"),
        ("leave", "answered 0 lines for 20 puzzles"),
        ("talk", "answered 60 lines for 20 puzzles"),
        ("forget", "solutions when it was timed instead of"),
    ] {
        let error = dir.run(&format!("{bench} --plugin bad=./lib.so:{function}")).fails();
        let start = "gridmill: 'bad' on in.txt ";
        assert!(error.starts_with(start) && error.contains(reason), "{function}: {error}");
    }
    let missing = dir.run(&format!("{bench} --plugin bad=./lib.so:nothing"));
    assert!(missing.err.contains("cannot load nothing from"), "{}", missing.err);
    missing.ends(2);
    let error = dir.run(&format!("{bench} {} --plugin good=lib.so:solve", data("4x4.txt"))).fails();
    assert!(error.ends_with("a plugin solves 9x9 puzzles only"), "{error}");
    let wrong = dir.run(&format!("{bench} --plugin wrong=lib.so:solve:2"));
    assert_eq!(wrong.err.matches("bitmask and wrong disagree on in.txt:").count(), 5, "{}", wrong.err);
    wrong.ends(1);
}

/// Times are not asserted: the times in the baseline are edited, so that the solver was a hundred times as fast, or a
/// thousand times as slow. The machine may be as slow as it likes: the reference is as slow then.
#[test]
#[cfg(unix)]
fn results_are_compared_with_a_baseline() {
    let dir = TestDir::new();
    dir.write("unique.txt", format!("{UNIQUE}\n").repeat(100));
    let bench = format!("{QUICK} -q --engines bitmask,dlx unique.txt");
    dir.run(&format!("{bench} --export base.json")).ends(0);
    let base: serde_json::Value = serde_json::from_str(&dir.read("base.json")).unwrap();
    let scaled = |factors: [f64; 2], noise: f64| {
        let mut other = base.clone();
        for (row, factor) in factors.into_iter().enumerate() {
            for (number, seconds) in other["rows"][row]["seconds"].as_array_mut().unwrap().iter_mut().enumerate() {
                let noise = if row == 1 && number % 2 == 0 { noise } else { 1.0 };
                *seconds = (seconds.as_f64().unwrap() * factor * noise).into();
            }
        }
        dir.write("other.json", other.to_string());
    };
    for (factors, noise, code, words) in [
        ([1.0, 0.01], 1.0, 1, "slower: dlx on unique.txt is 0.0"),
        ([0.01, 0.01 * 0.01], 1.0, 1, "slower: dlx on unique.txt is 0.0"),
        ([1.0, 1000.0], 1.0, 0, ""),
        ([1000.0, 1e6], 1.0, 0, ""),
        ([1.0, 0.02], 100.0, 3, "cannot tell: dlx on unique.txt is "),
    ] {
        scaled(factors, noise);
        let result = dir.run(&format!("{bench} --baseline other.json --fail-if-slower 5%"));
        assert!(result.err.is_empty() == (code == 0) && result.err.contains(words), "{result:?}");
        assert_eq!(result.err.contains("; more --seconds make the interval narrower\n"), code == 3, "{result:?}");
        assert!(!result.err.contains("bitmask on"), "{result:?}");
        result.ends(code);
        // Without a tolerance, a change is a note.
        assert_eq!(dir.run(&format!("{bench} --baseline other.json")).err, "");
        let noted = dir.run(&format!("{} --baseline other.json", bench.replace(" -q", "")));
        let note = "gridmill: dlx on unique.txt is ";
        assert!(noted.err.contains(note) && noted.err.contains(" times as fast as in the baseline ("), "{noted:?}");
    }

    let mut other = base.clone();
    other["machine"]["cpu"] = "Z80".into();
    dir.write("other.json", other.to_string());
    let result = dir.run(&format!("{bench} --baseline other.json"));
    assert_eq!(result.err, "gridmill: the baseline is of another CPU: Z80\n");
    let error = dir.run(&format!("{bench} --limit 1 --baseline base.json")).fails();
    assert!(error.contains("counted up to 1, and in the baseline up to 2"), "{error}");
    let error = dir.run(&format!("{bench} --fail-if-slower 5%")).fails();
    assert!(error.contains("--baseline") && error.contains("--compare"), "{error}");
    assert!(dir.run(&format!("{bench} --baseline none.json")).fails().contains("cannot read none.json"));

    // One solver has nothing to be compared with in the same run.
    let single = format!("{QUICK} -q --engines dlx unique.txt --baseline base.json");
    let error = dir.run(&format!("{single} --fail-if-slower 5%")).fails();
    assert!(error.contains("add another one as the reference, such as --engines bitmask"), "{error}");
    let reference = "dlx on unique.txt is not compared: the reference of the baseline is bitmask\n";
    // What cannot be compared is not passed over.
    let third = format!("{QUICK} -q --engines bitmask,dlx,lanes unique.txt --baseline base.json");
    let unknown = "lanes on unique.txt is not compared: the baseline has no such solver on this file\n";
    dir.write("copy.txt", format!("{UNIQUE}\n").repeat(101));
    let another = format!("{QUICK} -q --engines bitmask,dlx copy.txt --baseline base.json");
    let file = "dlx on copy.txt is not compared: the file with this checksum is not in the baseline\n";
    let isomorphs = format!("{bench} --baseline base.json --isomorphs=1");
    let puzzles = "dlx on unique.txt is not compared: the baseline has other puzzles of this file";
    let dlx = format!("{bench} --reference dlx --baseline base.json");
    let other_reference = "bitmask on unique.txt is not compared: the reference of the baseline is bitmask\n";
    let threads = format!("{QUICK} -q --engines bitmask,dlx --threads 1,2 unique.txt --baseline base.json");
    let clock = "dlx on unique.txt is not compared: the times of the baseline are CPU time\n";
    for (command, words) in [
        (&single, reference),
        (&third, unknown),
        (&another, file),
        (&isomorphs, puzzles),
        (&dlx, other_reference),
        (&threads, clock),
    ] {
        let result = dir.run(command);
        assert!(result.err.contains(&format!("gridmill: {words}")), "{result:?}");
        result.ends(0);
        if command != &single {
            let result = dir.run(&format!("{command} --fail-if-slower 99%"));
            assert!(result.err.contains(&format!("gridmill: cannot tell: {words}")), "{result:?}");
            result.ends(3);
        }
    }

    let complete = dir.read("base.json");
    let mut old = base;
    old.as_object_mut().unwrap().remove("load");
    dir.write("old.json", old.to_string());
    let error = dir.run(&format!("{bench} --baseline old.json")).fails();
    assert!(error.starts_with("gridmill: old.json is of an older gridmill: export it again"), "{error}");
    for bad in ["[]", "", &complete[..complete.len() / 2]] {
        dir.write("bad.json", bad);
        assert!(dir.run(&format!("{bench} --baseline bad.json")).fails().contains("has no results of `bench --export"));
    }
    // The damaged name of a field is not taken for a field that is missing.
    for name in ["sha256", "shuffle", "threads", "p50_nanos", "host"] {
        dir.write("bad.json", complete.replace(&format!("\"{name}\""), "\"damaged\""));
        let error = dir.run(&format!("{bench} --baseline bad.json")).fails();
        assert!(error.contains("unknown field `damaged`"), "{name}: {error}");
    }
    assert!(dir.run(&format!("{bench} --baseline base.json --export base.json")).fails().contains("is an input, too"));
}

/// The second solver does the same a hundred times, or the first one; on both files.
#[test]
#[cfg(unix)]
fn two_solvers_of_a_run_are_compared() {
    let dir = TestDir::new();
    dir.write("a.txt", format!("{UNIQUE}\n").repeat(100)).write("b.txt", format!("{UNIQUE}\n\n").repeat(100));
    let compare = |old: &str, new: &str, options: &str| {
        let mut command = dir.command(&format!("bench --seconds 0.05 -q --engines bitmask a.txt b.txt {options}"));
        let solver =
            |name: &str, steps: usize| format!("{name}=awk '{{ for (i = 0; i < {steps}; i++) x += i; print 1 }}'");
        let solvers = ["--solver", &solver("fast", 10), "--solver", &solver("slow", 20_000)];
        RunResult::from(command.args(solvers).args(["--compare", old, new]).output().unwrap())
    };
    for (old, new, options, code, lines) in [
        ("fast", "slow", "", 1, 2),
        ("fast", "slow", "--fail-if-slower 10%", 1, 2),
        ("slow", "fast", "", 0, 0),
        ("slow", "slow", "", 0, 0),
        ("bitmask", "slow", "", 1, 2),
    ] {
        let result = compare(old, new, options);
        let words = |file: &str| format!("gridmill: slower: {new} on {file} is 0.");
        let said = ["a.txt", "b.txt"].map(|file| result.err.contains(&words(file)));
        assert_eq!(said, [code == 1; 2], "{result:?}");
        assert_eq!(result.err.lines().filter(|line| line.contains("times as fast as")).count(), lines, "{result:?}");
        result.ends(code);
    }
    let error = compare("fast", "quick", "").fails();
    let message = "gridmill: there is no solver 'quick'; the solvers are bitmask, fast, slow; --baseline OLD.json compares \
                   with another run";
    assert_eq!(error, message);
}

/// The sample of the first solver is the sample of both, and of a run with a baseline.
#[test]
#[cfg(unix)]
fn compared_solvers_have_the_same_puzzles() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(1000));
    let run = |options: &str, seconds: &str| {
        let mut command = dir.command(&format!("bench --engines bitmask in.txt --export out.json {options}"));
        let slow = "slow=awk '{ for (i = 0; i < 5000; i++) x += i; print 1 }'";
        let result = command.args(["--solver", slow, "--solver", "fast=sed s/.*/1/", "--seconds", seconds]).output();
        let result = RunResult::from(result.unwrap());
        let json: serde_json::Value = serde_json::from_str(&dir.read("out.json")).unwrap();
        let puzzles = |row: &serde_json::Value| row["puzzles"].as_u64().unwrap();
        (result, json["rows"].as_array().unwrap().iter().map(puzzles).collect::<Vec<_>>())
    };
    let (_, first) = run("", "0.02");
    assert!(first[0] == 1000 && (100..1000).contains(&first[1]) && first[2] == 1000, "{first:?}");
    fs::rename(dir.path("out.json"), dir.path("base.json")).unwrap();
    let (result, puzzles) = run("--baseline base.json", "0");
    let note = "slow is timed on a random sample, ";
    assert!(result.err.contains(note) && result.err.contains(": to compare it on the same puzzles\n"), "{result:?}");
    assert_eq!(puzzles, first);

    // Ten puzzles take the fast one no longer than its start.
    let (result, puzzles) = run("--compare slow fast", "0.02");
    assert!(puzzles[1] == puzzles[2] && puzzles[1] < 1000, "{puzzles:?}");
    let words = "the speed is unknown, as a block of the sample takes less time than the start; more --seconds help\n";
    assert!(result.err.contains(&format!("gridmill: fast on in.txt: {words}")), "{result:?}");
    assert!(result.err.contains("gridmill: cannot tell: fast on in.txt is not compared: a speed is unknown\n"));
    result.ends(3);
}

#[test]
#[cfg(unix)]
fn a_name_stands_for_one_solver() {
    let dir = TestDir::new();
    dir.write("unique.txt", format!("{UNIQUE}\n").repeat(40));
    for (first, name) in [("--engines bitmask", "bitmask"), ("--engines dlx --solver a=cat", "a")] {
        let error =
            run_with(&dir, &format!("{QUICK} {first} unique.txt --solver"), &format!("{name}=sed s/.*/1/")).fails();
        assert_eq!(error, format!("gridmill: two solvers are called '{name}'"));
    }
    // A command without a name may be compared with itself.
    let mut twice = dir.command(&format!("{QUICK} -q --engines dlx unique.txt"));
    let twice = twice.args(["--solver", "sed s/.*/1/"].repeat(2)).output().unwrap();
    assert_eq!(RunResult::from(twice).ends(0).lines().count(), 4);
}

#[test]
#[cfg(unix)]
fn a_solver_that_fails_is_an_error() {
    let dir = TestDir::new();
    dir.write("unique.txt", format!("{UNIQUE}\n").repeat(40));
    for (solver, reason) in [
        ("exit 7", "exit status: 7"),
        ("head -n 3 | sed 's/.*/1/'", "answered 3 lines for 40 puzzles"),
        ("cat", "the answer to line 1 is neither a solution nor a count"),
        ("yes 1", "wrote more than 140000 bytes for 40 puzzles and was killed"),
        ("kill -9 $$", "failed: signal: 9"),
    ] {
        let error = run_with(&dir, &format!("{QUICK} -q unique.txt --solver"), solver).fails();
        assert!(error.contains(reason) && error.contains("unique.txt"), "{error}");
    }
}

#[test]
fn malformed_records_empty_files_and_unknown_options_are_errors() {
    let dir = TestDir::new();
    dir.write("bad.txt", format!("{UNIQUE}\n").repeat(20) + "1.3..........4.q\n");
    let error = dir.run(&format!("{QUICK} -q --from lines bad.txt")).fails();
    let way = "; to leave out such records: gridmill validate bad.txt --accepts GOOD";
    assert_eq!(error, format!("gridmill: bad.txt:21: column 16: 'q' is not a digit from 1 to 4{way}"));
    dir.write("empty.txt", "# nothing\n");
    assert!(dir.run(&format!("{QUICK} -q empty.txt")).fails().contains("empty.txt"));
    let error = dir.run(&format!("{QUICK} -q {} --export out.png", data("4x4.txt"))).fails();
    assert!(error.contains("out.png") && error.contains(".svg"), "{error}");
    let unknown = dir.run(&format!("{QUICK} {} --engines bitmask,magic", data("4x4.txt")));
    assert!(unknown.code == Some(2) && unknown.err.contains("no engine is called 'magic'"), "{unknown:?}");
}

/// The solver writes its input to a file.
#[test]
#[cfg(unix)]
fn isomorphs_and_orders_are_random_and_repeatable() {
    let dir = TestDir::new();
    let given = |options: &str| {
        let arguments = format!("{QUICK} --engines bitmask {} {options} --solver", data("4x4.txt"));
        let result = run_with(&dir, &arguments, "tee given.txt | sed 's/.*/1/'");
        let err = result.err.clone();
        result.ends(0);
        // A run may solve all puzzles several times.
        let lines = dir.read("given.txt").lines().take(200).map(|line| line.to_owned() + "\n").collect::<String>();
        (lines, err)
    };
    let plain = given("").0;
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&plain).len(), 200);
    let shuffled = given("--shuffle 1").0;
    assert_ne!(shuffled, plain);
    assert_eq!(sorted(&shuffled), sorted(&plain));
    let (isomorphs, err) = given("--isomorphs");
    assert_ne!(sorted(&isomorphs), sorted(&plain));
    let seed = err.split("--isomorphs=").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert_eq!(given(&format!("--isomorphs={seed}")).0, isomorphs);
}
