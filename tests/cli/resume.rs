//! Runs that broke off, and go on: the same bytes as if nothing had been.

use std::fs;
use std::process::Child;

use gridmill::compression::{Compression, Frames};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

use crate::planted::{Planted, isomorph, with};
use crate::{MULTIPLE, NONE, Place, Ran, UNIQUE};

const PARTIAL: &str = "out.partial";
const MANIFEST: &str = "out.partial.json";

/// A run with its whole output, and with the manifest that it leaves if it breaks off.
struct Run<'a> {
    place: &'a Place,
    arguments: &'a str,
    input: &'a str,
    whole: Vec<u8>,
    manifest: Vec<u8>,
}

impl<'a> Run<'a> {
    /// A run that reads `input` from its standard input, behind some file.
    fn new(place: &'a Place, arguments: &'a str, input: &'a str) -> Run<'a> {
        assert!(format!("{arguments} ").contains(" - "), "standard input holds the run up");
        let mut child = begin(place, arguments);
        child.kill().unwrap();
        child.wait().unwrap();
        let manifest = fs::read(place.path(MANIFEST)).unwrap();
        place.run_on(input, &format!("{arguments} -q -o out --summary whole.json")).ended();
        assert!(!place.path(MANIFEST).exists() && !place.path(PARTIAL).exists());
        let whole = fs::read(place.path("out")).unwrap();
        Run { place, arguments, input, whole, manifest }
    }

    /// Goes on with what a run has left.
    fn resume(&self, left: &[u8], more: &str) -> Ran {
        self.place.write(PARTIAL, left).write(MANIFEST, &self.manifest);
        let _ = fs::remove_file(self.place.path("out"));
        self.place.run_on(self.input, &format!("{} -o out --resume {more}", self.arguments))
    }

    /// What comes of going on.
    #[track_caller]
    fn resumed(&self, left: &[u8]) -> Vec<u8> {
        self.resume(left, "-q --summary resumed.json").ended();
        assert!(!self.place.path(MANIFEST).exists() && !self.place.path(PARTIAL).exists());
        fs::read(self.place.path("out")).unwrap()
    }

    /// Some places to cut the output at: where rows and quotes end, around these, and anywhere.
    fn cuts(&self) -> Vec<usize> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let ends = (0..self.whole.len()).filter(|&at| matches!(self.whole[at], b'\n' | b'"'));
        let mut cuts: Vec<usize> = ends.flat_map(|at| [at, at + 1, at + 2]).collect();
        while cuts.len() > 60 {
            cuts.swap_remove(rng.random_range(0..cuts.len()));
        }
        cuts.extend((0..20).map(|_| rng.random_range(0..=self.whole.len())));
        cuts.extend([0, 1, self.whole.len()]);
        cuts.retain(|&cut| cut <= self.whole.len());
        cuts
    }

    /// How many bytes so many rows have from the start, the header being one.
    fn rows(&self, rows: usize) -> usize {
        self.whole.split_inclusive(|&byte| byte == b'\n').take(rows).map(<[u8]>::len).sum()
    }

    fn summaries(&self) -> [Value; 2] {
        ["whole.json", "resumed.json"].map(|name| {
            let text = fs::read(self.place.path(name)).unwrap_or(b"null".to_vec());
            serde_json::from_slice(&text).unwrap()
        })
    }
}

/// Begins a run, which waits for input.
fn begin(place: &Place, arguments: &str) -> Child {
    let child = place.start(&format!("{arguments} -q -o out"));
    place.wait_for(MANIFEST, 1);
    child
}

impl Ran {
    /// A run that came to its end, whatever it found.
    #[track_caller]
    fn ended(&self) {
        assert!(matches!(self.code, Some(0 | 1)), "{}", self.err);
    }
}

/// A table with everything that makes rows hard to read back.
fn table() -> String {
    format!(
        "id,puzzle,note\n1,{UNIQUE},plain\n2,{MULTIPLE},\"a \"\"b\"\",\nc\"\n3,{NONE},\n4,\"say \"\"no\n\"\"\",\"\n\"\n\
         5,{UNIQUE},é\n6,{MULTIPLE}\n7,{UNIQUE},\"\"\n"
    )
}

fn lines() -> String {
    format!("# comment\n{UNIQUE}\n\n{NONE}\n\"{MULTIPLE}\n{MULTIPLE}\n{}\nrubbish", "1234341221434321")
}

#[test]
fn a_run_goes_on_from_wherever_it_broke_off() {
    let place = Place::new();
    place.write("table.csv", table()).write("more.csv", format!("note,puzzle\n\"x\n\",{UNIQUE}\n"));
    let all = "--columns file,line,puzzle,status,solutions,solution,branches,detail --keep note";
    for arguments in [
        format!("solve table.csv - more.csv {all}"),
        format!("solve table.csv - more.csv {all} --no-header --limit 100"),
        format!("solve more.csv - table.csv {all} --to jsonl"),
        "solve table.csv - --all --limit 3 --columns line,status,solution,detail".to_owned(),
        "solve table.csv - --columns solution,detail --no-header --threads 2 --chunk 1".to_owned(),
        "solve table.csv - --to lines".to_owned(),
        "solve table.csv - --to lines --first".to_owned(),
    ] {
        let input = if arguments.contains("--keep") { table() } else { lines() };
        let run = Run::new(&place, &arguments, &input);
        for cut in run.cuts() {
            let resumed = run.resumed(&run.whole[..cut]);
            assert!(resumed == run.whole, "{arguments}\ncut at {cut}: {}", String::from_utf8_lossy(&resumed));
        }
    }
}

/// A row that is not as it was written ends what is taken from an output.
#[test]
fn what_is_damaged_is_done_again() {
    let place = Place::new();
    let input = format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\n").repeat(20);
    place.write("in", input);
    let run = Run::new(&place, "solve in - --columns line,puzzle,status,solution,detail", "");
    let whole = &run.whole;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    for _ in 0..40 {
        // Zeros, as a file system leaves them; or a piece that is missing with all that was in it.
        let start = rng.random_range(0..whole.len());
        let length = rng.random_range(1..=200).min(whole.len() - start);
        let mut left = whole.clone();
        left[start..start + length].fill(0);
        assert!(run.resumed(&left) == *whole, "zeros at {start}..{}", start + length);
        left.truncate(start);
        let mut rubbish = vec![0; 300];
        rng.fill_bytes(&mut rubbish);
        left.extend_from_slice(&rubbish);
        assert!(run.resumed(&left) == *whole, "rubbish from {start} on");
    }
}

#[test]
fn counts_are_of_the_complete_run_and_times_of_this_part() {
    let place = Place::new();
    let input = format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\nrubbish\n").repeat(50);
    place.write("in", input);
    let run = Run::new(&place, "solve in - --all --limit 5", "");
    let old = run.rows(1 + 77);
    let rows = run.resumed(&run.whole[..old + 9]);
    assert_eq!(rows[..old], run.whole[..old]);
    let [whole, resumed] = run.summaries();
    for figure in ["records", "rows", "clues", "not_all_listed", "limit"] {
        assert_eq!(whole[figure], resumed[figure], "{figure}");
    }
    assert_eq!(whole["resumed"], Value::Null);
    assert_eq!(resumed["resumed"], json!({"records": 77, "unknown": 0}));
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&rows[old..]);
    let new: Vec<_> = reader.records().map(Result::unwrap).filter(|row| &row[3] != "malformed").collect();
    for (figure, column) in [("branches", 6), ("nanos", 7)] {
        let values = || new.iter().map(|row| row[column].parse::<u64>().unwrap());
        assert_eq!(resumed[figure]["total"], values().sum::<u64>());
        assert_eq!(resumed[figure]["max"], values().max().unwrap());
    }
    let buckets = resumed["nanos_histogram"].as_array().unwrap();
    assert_eq!(buckets.iter().map(|bucket| bucket["puzzles"].as_u64().unwrap()).sum::<u64>(), new.len() as u64);
    assert_eq!(resumed["slowest"][0]["nanos"], resumed["nanos"]["max"]);
    let ran = run.resume(&run.whole[..old], "");
    assert!(ran.err.contains("\n  77 of them before; times and rates are of the others\n"), "{}", ran.err);
}

/// From whichever column, or comment line, there is.
#[test]
fn the_counts_of_old_rows_need_no_more_than_their_status() {
    for (arguments, unknown) in [
        ("--columns status", 0),
        ("--columns solutions", 0),
        ("--columns solutions --to jsonl", 0),
        ("--to lines", 0),
        // Puzzles with a first solution, which may be one of several.
        ("--to lines --first", 12),
        // Every puzzle; what is no puzzle is known without its row.
        ("--columns line,solution", 18),
        ("--columns line,solution --no-header --to jsonl", 18),
    ] {
        let place = Place::new();
        place.write("in", format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\nrubbish\n").repeat(10));
        let arguments = format!("solve in - {arguments}");
        let run = Run::new(&place, &arguments, "");
        let header = usize::from(!arguments.contains("--to"));
        let old = run.rows(header + 23);
        assert!(run.resumed(&run.whole[..old]) == run.whole, "{arguments}");
        let [whole, resumed] = run.summaries();
        assert_eq!(resumed["resumed"], json!({"records": 23, "unknown": unknown}), "{arguments}");
        assert_eq!((&resumed["records"], &resumed["clues"]), (&whole["records"], &whole["clues"]), "{arguments}");
        let sum = |summary: &Value| -> u64 {
            summary["rows"].as_object().unwrap().values().map(|rows| rows.as_u64().unwrap()).sum()
        };
        assert_eq!(sum(&resumed) + unknown, sum(&whole), "{arguments}");
        if unknown == 0 {
            assert_eq!(resumed["rows"], whole["rows"], "{arguments}");
        } else {
            let ran = run.resume(&run.whole[..old], "");
            let words = format!("of the others; {unknown} of them have rows without a status\n");
            assert!(ran.err.contains(&words), "{}", ran.err);
            let error = run.resume(b"", "--strict").fails();
            assert!(error.contains("a column status or solutions"), "{error}");
        }
    }
}

#[test]
fn strict_knows_of_the_rows_before() {
    let place = Place::new();
    place.write("in", format!("{MULTIPLE}\n{UNIQUE}\n{UNIQUE}\n"));
    for columns in ["line,status", "solutions"] {
        let arguments = format!("solve in - --columns {columns}");
        let run = Run::new(&place, &arguments, "");
        run.resume(&run.whole[..run.whole.len() - 3], "--strict -q").ends(1);
    }
}

#[test]
fn there_may_be_nothing_to_go_on_with() {
    let place = Place::new();
    place.write("in.txt", UNIQUE);
    for left in [None, Some("")] {
        if let Some(left) = left {
            place.write(PARTIAL, left);
        }
        let ran = place.run("solve in.txt -o out --columns status --resume");
        assert!(ran.err.contains("out.partial: nothing to resume, starting from the beginning"), "{}", ran.err);
        ran.ends(0);
        assert_eq!(place.read("out"), "status\nunique\n");
    }
    // All rows are there, and the output had not got its name yet.
    let run = Run::new(&place, "solve in.txt - --columns status", "");
    let ran = run.resume(b"status\nunique\n", "");
    assert!(ran.err.contains("resuming out.partial after 1 row"), "{}", ran.err);
    assert!(ran.err.contains("1 record in ") && ran.err.contains("unique 1 "), "{}", ran.err);
    assert_eq!(place.read("out"), "status\nunique\n");
}

#[test]
fn what_is_not_the_same_run_is_refused() {
    let place = Place::new();
    place.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n")).write("other.txt", UNIQUE);
    let run = Run::new(&place, "solve in.txt - --limit 2", "");
    let left = &run.whole[..run.whole.len() - 1];
    let refused = |arguments: &str| {
        place.write(PARTIAL, left).write(MANIFEST, &run.manifest);
        let error = place.run(&format!("{arguments} -q -o out --resume")).fails();
        assert_eq!(fs::read(place.path(PARTIAL)).unwrap(), left, "nothing is changed");
        error.strip_prefix("gridmill: cannot resume out.partial: ").unwrap_or(&error).to_owned()
    };
    let anew = "; run without --resume to start over";
    for (arguments, difference) in [
        ("solve in.txt - --limit 3", "--limit was 2, is 3"),
        ("solve in.txt - --first", "--first was not given, is; --limit was 2, is not given"),
        ("solve in.txt -", ""),
        ("solve in.txt - --engine lanes --threads 1 --chunk 3 --simd portable --top 9", ""),
        ("solve in.txt - --engine dlx", "--engine was lanes, is dlx"),
        ("solve in.txt - --no-header", "--no-header was not given, is"),
        ("solve in.txt - --to lines", "--columns was "),
        ("solve in.txt - --shard 1/2", "--shard was not given, is 1/2"),
        ("solve in.txt - --compress gzip", "--compress was not given, is gzip"),
        ("solve in.txt - --from lines", "--from was not given, is lines"),
        ("solve in.txt other.txt", "the input was in.txt -, is in.txt other.txt"),
        ("validate in.txt -", "the command was solve, is validate; --columns was "),
    ] {
        if difference.is_empty() {
            run.resume(left, arguments.strip_prefix("solve in.txt -").unwrap()).ended();
            continue;
        }
        let error = refused(arguments);
        assert!(error.starts_with(difference) && error.ends_with(anew), "{arguments}: {error}");
    }
    place.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n\n"));
    assert_eq!(refused("solve in.txt -"), format!("in.txt has grown from 34 to 35 bytes{anew}"));
    place.write("in.txt", format!("{UNIQUE}\n{NONE}\n"));
    assert_eq!(refused("solve in.txt -"), format!("the beginning of in.txt has changed{anew}"));

    place.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n"));
    fs::remove_file(place.path(MANIFEST)).unwrap();
    let error = place.run("solve in.txt - -q -o out --resume").fails();
    assert!(error.contains("its manifest out.partial.json is missing"), "{error}");
    place.write(MANIFEST, "{}");
    let error = place.run("solve in.txt - -q -o out --resume").fails();
    assert!(error.contains("out.partial.json was not written by gridmill "), "{error}");
    for (arguments, words) in [
        ("solve in.txt --resume", "--resume needs -o"),
        ("solve in.txt --resume -o -", "--resume needs -o"),
        ("solve in.txt --resume --to grids -o out", "--resume needs a row for each record"),
        ("solve in.txt --resume --to lines --all -o out", "--resume needs a row for each record"),
        #[cfg(unix)]
        ("solve in.txt --resume -o /dev/null", "--resume needs -o"),
    ] {
        let error = place.run(&format!("{arguments} -q")).fails();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn two_runs_do_not_write_one_output() {
    let place = Place::new();
    place.write("in.txt", UNIQUE);
    let mut child = begin(&place, "solve in.txt -");
    for more in ["", "--resume"] {
        let error = place.run(&format!("solve in.txt - -q -o out {more}")).fails();
        assert!(error.ends_with(": another run is writing it"), "{error}");
    }
    drop(child.stdin.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(place.read("out").lines().count(), 2);
}

/// Whole rows that do not fit the records are no rows of this run, whatever the manifest says.
#[test]
fn rows_of_other_records_are_refused() {
    let place = Place::new();
    place.write("in", format!("{UNIQUE}\n{MULTIPLE}\nrubbish\n"));
    let run = Run::new(&place, "solve in - --columns line,puzzle,status", "");
    let header = "line,puzzle,status\n";
    let first = format!("1,{UNIQUE},unique\n");
    for (rows, fault) in [
        (format!("{first}3,{MULTIPLE},multiple\n"), "row 2 is of line 3, the record of line 2"),
        (format!("{first}2,{NONE},none\n"), "row 2 has another puzzle than the record of line 2"),
        (format!("{first}2,{MULTIPLE},malformed\n"), "row 2 has another status than the record of line 2"),
        (
            format!("{first}2,{MULTIPLE},multiple\n3,rubbish,malformed\n4,{UNIQUE},unique\n"),
            "it has more rows than the 3 records of the input",
        ),
    ] {
        let error = run.resume(format!("{header}{rows}").as_bytes(), "-q").fails();
        assert_eq!(error, format!("gridmill: cannot resume out.partial: {fault}"));
        assert!(place.path(PARTIAL).exists());
    }
}

/// Behind the last whole frame, that is; the short one at the end is packed anew, with the rows that follow.
#[test]
fn compressed_rows_are_gone_on_with_behind_whole_frames() {
    let place = Place::new();
    let input = format!("{UNIQUE}\n{MULTIPLE}\n{NONE}\n").repeat(9_000);
    place.write("in", &input);
    for compression in Compression::ALL {
        let arguments = format!("solve in - --columns line,puzzle,status,solution,detail --compress {compression}");
        let run = Run::new(&place, &arguments, "");
        let (mut frames, mut text) = (Frames::new(&*run.whole, compression), vec![]);
        let first = frames.next(&mut text).unwrap().unwrap() as usize;
        let rows = text.split(|&byte| byte == b'\n').count() - 2;
        assert!(first < run.whole.len() && rows < 27_000, "{compression}: one frame only");
        for (cut, resumed_rows) in [
            (run.whole.len(), Some(rows)),
            (run.whole.len() - 1, Some(rows)),
            (first, Some(rows)),
            (first - 1, None),
            (7, None),
            (0, None),
        ] {
            assert!(run.resumed(&run.whole[..cut]) == run.whole, "{compression} cut to {cut} bytes");
            let [whole, resumed] = run.summaries();
            assert_eq!(whole["rows"], resumed["rows"]);
            let records = resumed["resumed"].get("records").and_then(Value::as_u64);
            assert_eq!(records, resumed_rows.map(|rows| rows as u64), "{compression} cut to {cut} bytes");
        }
    }
}

/// Everything that `validate` says, from wherever it broke off: rows, rejects and the scorecard.
#[test]
fn a_validation_goes_on_as_if_nothing_had_been() {
    let (place, planted) = (Place::new(), Planted::new());
    let puzzle = |line: usize| planted.lines[line].split(',').nth(1).unwrap().to_owned();
    // Leaks of all degrees: the same, an isomorph, and a sibling with a clue more.
    let (sibling, solution) = (puzzle(55), planted.lines[55].split(',').nth(2).unwrap().to_owned());
    let blank = sibling.find('.').unwrap();
    let sibling = with(&sibling, blank, solution.as_bytes()[blank]);
    place.write("other.txt", [puzzle(40), isomorph(&puzzle(41), 5), isomorph(&sibling, 6), puzzle(36)].join("\n"));
    let checks = "--minimal --duplicates --isomorphs --rejects rejects --fail-on malformed";
    let text = planted.text();
    place.write("table.csv", &text);
    for arguments in [
        format!("validate table.csv - {checks} --against other.txt"),
        format!("validate table.csv - {checks} --answer-column solution"),
        "validate other.txt - --rejects rejects --minimal".to_owned(),
    ] {
        let run = Run::new(&place, &arguments, &text);
        let rejects = place.read("rejects");
        let [whole, _] = run.summaries();
        let found = whole["findings"].as_object().unwrap().values().all(|count| *count != 0);
        assert!(found || !arguments.contains("--against"), "every finding comes back: {whole}");
        let mut cuts = run.cuts();
        cuts.truncate(25);
        cuts.push(run.whole.len());
        for cut in cuts {
            let resumed = run.resumed(&run.whole[..cut]);
            assert!(resumed == run.whole, "{arguments}\ncut at {cut}: {}", String::from_utf8_lossy(&resumed));
            assert_eq!(place.read("rejects"), rejects, "{arguments}, cut at {cut}");
            let [mut whole, mut resumed] = run.summaries();
            for card in [&mut whole, &mut resumed] {
                for figure in ["wall_seconds", "records_per_second", "resumed"] {
                    assert!(card.as_object_mut().unwrap().remove(figure).is_some());
                }
            }
            assert_eq!(whole, resumed, "{arguments}, cut at {cut}");
        }
    }
}

#[test]
fn rows_that_do_not_say_what_comes_of_their_records_are_refused() {
    let place = Place::new();
    place.write("in", format!("{UNIQUE}\n{UNIQUE}\n{MULTIPLE}\n"));
    let run = Run::new(&place, "validate in - --duplicates", "");
    let whole = String::from_utf8(run.whole.clone()).unwrap();
    for (from, to, what) in [
        (",duplicate,duplicate,", ",sound,,", "row 2 has another list of findings than the record of line 2"),
        (",sound,,", ",duplicate,duplicate,", "row 1 has another list of findings than the record of line 1"),
        (",sound,,", ",not-minimal,not-minimal,", "row 1 has another list of findings than the record of line 1"),
        (",duplicate,duplicate,", ",sound,duplicate,", "row 2 has another verdict than the record of line 2"),
        ("multiple,multiple,", "sound,,", "row 3 has another list of findings than the record of line 3"),
        ("sound,,,4,", "sound,,,5,", "row 1 has another number of clues than the record of line 1"),
    ] {
        let broken = whole.replacen(from, to, 1);
        assert_ne!(broken, whole);
        let error = run.resume(broken.as_bytes(), "-q").fails();
        assert_eq!(error, format!("gridmill: cannot resume out.partial: {what}"));
    }
    for (from, to) in [
        ("duplicate,d", "doubtful,d"),
        (",duplicate,d", ",duplicate;doubtful,d"),
        (",4,1,,\n", ",4,x,,\n"),
        (",4,1,,\n", ",4,1,fine,\n"),
    ] {
        let broken = whole.replacen(from, to, 1);
        assert_ne!(broken, whole);
        assert_eq!(run.resumed(broken.as_bytes()), run.whole);
    }
}
