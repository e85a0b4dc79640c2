//! Shards, and `merge`, which makes one output of theirs.

use std::fs;

use serde_json::{Value, json};

use crate::resume::CompleteRun;
use crate::{MULTIPLE, NONE, TestDir, UNIQUE, UNIQUE_SOLUTION};

/// Records of every status, in another order in each block.
fn corpus(records: usize) -> String {
    let kinds = [UNIQUE, MULTIPLE, NONE, UNIQUE_SOLUTION, "rubbish, \"and more\""];
    (0..records).map(|n| kinds[n * n / 7 % 5]).collect::<Vec<_>>().join("\n")
}

impl TestDir {
    /// Runs all shards, not in the order of their numbers; returns the names of the outputs.
    fn run_shards(&self, arguments: &str, count: usize) -> Vec<String> {
        (0..count)
            .map(|n| {
                let number = n * 5 % count + 1;
                let name = format!("part-{number}.out");
                self.run(&format!("{arguments} -q -o {name} --shard {number}/{count}")).ends(0);
                name
            })
            .collect()
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }
}

#[test]
fn metadata_of_an_earlier_version_is_refused_with_advice() {
    let dir = TestDir::new();
    dir.write("in", corpus(20));
    let outputs = dir.run_shards("rate in", 2).join(" ");
    let metadata = dir.json("part-2.out.shard.json");
    for field in ["techniques", "hardest"] {
        let mut earlier = metadata.clone();
        earlier["results"]["counts"]["ratings"].as_object_mut().unwrap().remove(field).expect("this version has it");
        dir.write("part-2.out.shard.json", earlier.to_string());
        let error = dir.run(&format!("merge -q {outputs} -o merged")).fails();
        let start = "gridmill: part-2.out.shard.json is damaged, or was not written by gridmill ";
        assert!(error.starts_with(start) && error.ends_with("); run this shard again"), "{error}");
        assert!(!fs::exists(dir.path("merged.partial")).unwrap(), "{error}");
    }
    // Nor is a count believed that is not what was written.
    let text = metadata.to_string();
    let damaged = text.replacen("\"malformed\":", "\"malformed\":1", 1);
    assert_ne!(damaged, text);
    dir.write("part-2.out.shard.json", damaged);
    let error = dir.run(&format!("merge -q {outputs} -o merged")).fails();
    assert!(error.contains("(it does not have its checksum)"), "{error}");
    // The advice helps.
    dir.run("rate in -q -o part-2.out --shard 2/2").ends(0);
    dir.run(&format!("merge -q {outputs} -o merged")).ends(0);
}

/// Nor is a job believed that this version does not have.
#[test]
fn shards_of_an_unknown_job_are_not_merged() {
    let dir = TestDir::new();
    dir.write("in", corpus(20));
    let outputs = dir.run_shards("solve in", 2);
    for output in &outputs {
        let name = format!("{output}.shard.json");
        let mut metadata = dir.json(&name);
        metadata["manifest"]["command"] = json!("dance");
        metadata.as_object_mut().unwrap().remove("crc32").unwrap();
        metadata["crc32"] = crc32fast::hash(metadata.to_string().as_bytes()).into();
        dir.write(&name, metadata.to_string());
    }
    let error = dir.run(&format!("merge -q {} -o merged", outputs.join(" "))).fails();
    assert!(error.contains("(no job with shards is called 'dance'); run this shard again"), "{error}");
}

const COLUMNS: &str = "--columns file,line,puzzle,status,solutions,solution,branches,detail";

#[test]
fn merged_shards_have_the_bytes_of_one_run() {
    let dir = TestDir::new();
    for (sizes, counts) in [([30_000, 0, 9_000], &[1, 2, 7, 16][..]), ([70, 30, 0], &[1, 2, 7]), ([0, 0, 0], &[3])] {
        for (name, size) in ["a", "b", "c"].into_iter().zip(sizes) {
            dir.write(name, corpus(size));
        }
        for format in ["--to csv", "--to csv --no-header --limit 3", "--to jsonl"] {
            let arguments = format!("solve a b c {COLUMNS} {format}");
            dir.run(&format!("{arguments} -q -o whole --summary whole.json")).ends(0);
            for &count in counts {
                let outputs = dir.run_shards(&arguments, count);
                let result = dir.run(&format!("merge -q {} -o merged --summary merged.json", outputs.join(" ")));
                assert_eq!((result.ends(0), dir.read("merged") == dir.read("whole")), (String::new(), true), "{count}");
                let (whole, merged) = (dir.json("whole.json"), dir.json("merged.json"));
                for figure in ["records", "rows", "clues", "branches", "not_all_listed", "limit", "resumed"] {
                    assert_eq!(whole[figure], merged[figure], "{figure} of {count} shards");
                }
                assert!(whole.as_object().unwrap().keys().eq(merged.as_object().unwrap().keys()));
            }
        }
    }
}

#[test]
fn the_times_of_shards_add_up_exactly() {
    let dir = TestDir::new();
    dir.write("in", corpus(20_000));
    let outputs = dir.run_shards("solve in --top 4", 3);
    let merged = dir.run(&format!("merge {} --summary merged.json", outputs.join(" ")));
    assert!(merged.err.starts_with("gridmill: 20,000 records in "), "{}", merged.err);
    let rows = merged.ends(0);
    let mut reader = csv::Reader::from_reader(rows.as_bytes());
    let read = |row: csv::StringRecord| -> (u64, bool) { (row[6].parse().unwrap(), &row[2] != "malformed") };
    let times = reader.records().map(|row| read(row.unwrap()));
    let mut times: Vec<u64> = times.filter(|(_, is_puzzle)| *is_puzzle).map(|(nanos, _)| nanos).collect();
    times.sort_unstable();
    let summary = dir.json("merged.json");
    assert_eq!(summary["nanos"]["total"], times.iter().sum::<u64>());
    assert_eq!(summary["nanos"]["max"], *times.last().unwrap());
    let median = times[times.len().div_ceil(2) - 1];
    let reported = summary["nanos"]["p50"].as_u64().unwrap();
    assert!((median..=median + median / 1000 + 1).contains(&reported), "{reported} for {median}");
    let buckets = summary["nanos_histogram"].as_array().unwrap();
    assert_eq!(buckets.iter().map(|bucket| bucket["puzzles"].as_u64().unwrap()).sum::<u64>() as usize, times.len());
    let slowest: Vec<u64> =
        summary["slowest"].as_array().unwrap().iter().map(|puzzle| puzzle["nanos"].as_u64().unwrap()).collect();
    assert_eq!(slowest, times.iter().rev().take(4).copied().collect::<Vec<_>>());
    let labels = outputs.iter().map(|name| dir.json(&format!("{name}.shard.json")));
    assert_eq!(labels.map(|label| label["records"].as_u64().unwrap()).collect::<Vec<_>>(), [8192, 4096, 7712]);
}

#[test]
fn compressed_shards_are_merged_and_metadata_among_the_names_is_skipped() {
    let dir = TestDir::new();
    dir.write("in", corpus(13_000));
    let whole = dir.run(&format!("solve in -q {COLUMNS}")).ends(0);
    for compress in ["gzip", "zstd", "xz", "bzip2"] {
        let mut names = dir.run_shards(&format!("solve in {COLUMNS} --compress {compress}"), 3);
        let labels: Vec<String> = names.iter().map(|name| format!("{name}.shard.json")).collect();
        names.extend(labels);
        assert!(dir.run(&format!("merge -q {}", names.join(" "))).ends(0) == whole, "{compress}");
    }
}

#[test]
fn a_shard_can_be_resumed() {
    let dir = TestDir::new();
    dir.write("in", corpus(25_000));
    let shard = format!("solve in - {COLUMNS} --shard 2/4");
    let run = CompleteRun::new(&dir, &shard, "");
    let label = dir.json("out.shard.json");
    for cut in [run.left.len() / 9, run.left.len() / 2, run.left.len()] {
        assert!(run.resumed(cut) == run.complete);
        let resumed = dir.json("out.shard.json");
        for figure in ["rows", "clues"] {
            assert!(!label["results"]["counts"][figure].is_null(), "{figure}");
            assert_eq!(resumed["results"]["counts"][figure], label["results"]["counts"][figure], "{figure}");
        }
        assert_eq!(resumed["records"], label["records"]);
    }
}

/// Frames end at the same records in one run and in merged shards.
#[test]
fn merged_shards_that_are_compressed_have_the_bytes_of_one_run() {
    let dir = TestDir::new();
    dir.write("in", corpus(21_000));
    let nine = "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..";
    dir.write("nine", format!("{nine}\n").repeat(5_000));
    for (command, compression) in [
        (format!("solve in {COLUMNS}"), "gzip"),
        (format!("solve in {COLUMNS} --to jsonl"), "bzip2"),
        ("convert in --to jsonl".to_owned(), "zstd"),
        ("rate nine --max-er 1.0 --only er".to_owned(), "zstd"),
    ] {
        dir.run(&format!("{command} -q --compress {compression} -o whole")).ends(0);
        let whole = fs::read(dir.path("whole")).unwrap();
        for shards in [&command, &format!("{command} --compress xz")] {
            let names = dir.run_shards(shards, 3).join(" ");
            dir.run(&format!("merge -q {names} -o merged --compress {compression}")).ends(0);
            assert!(fs::read(dir.path("merged")).unwrap() == whole, "{shards}, {compression}");
        }
    }
}

#[test]
fn a_finished_shard_is_not_run_again() {
    let dir = TestDir::new();
    dir.write("in", corpus(5000));
    dir.run("solve in -q -o out --shard 2/2").ends(0);
    let (rows, label) = (dir.read("out"), dir.read("out.shard.json"));
    let result = dir.run("solve in -o out --shard 2/2 --resume --strict --summary s.json");
    assert!(
        result.err.contains("this shard was finished by an earlier run") && result.err.contains("904 records"),
        "{}",
        result.err
    );
    result.ends(1);
    assert_eq!((dir.read("out") == rows, dir.read("out.shard.json") == label), (true, true), "times are the same");
    assert_eq!(dir.json("s.json")["records"], 904);
    // With another limit, it is another run.
    let result = dir.run("solve in -o out --shard 2/2 --resume --limit 3");
    assert!(result.err.contains("out.partial: nothing to resume, starting from the beginning"), "{}", result.err);
    result.ends(0);
    assert!(dir.read("out.shard.json") != label);
}

/// A file that was torn or edited after the run is not believed.
#[test]
fn a_damaged_shard_is_computed_again() {
    let dir = TestDir::new();
    dir.write("in", corpus(5000));
    let arguments = "solve in --columns line,status,solutions,solution -o out --shard 2/2";
    dir.run(&format!("{arguments} -q")).ends(0);
    let rows = dir.read("out");
    for damaged in [
        rows[..rows.len() - 200].to_owned(),
        rows.replacen(",unique,1,", ",none,0,", 1),
        String::new(),
        format!("{rows}\n"),
    ] {
        dir.write("out", damaged);
        let result = dir.run(&format!("{arguments} --resume"));
        assert!(result.err.contains("its output is damaged; it is computed again"), "{}", result.err);
        result.ends(0);
        assert!(dir.read("out") == rows);
    }
    let result = dir.run(&format!("{arguments} --resume"));
    assert!(result.err.contains("this shard was finished by an earlier run\n"), "{}", result.err);
}

#[test]
fn incomplete_or_inconsistent_shards_are_refused() {
    let dir = TestDir::new();
    dir.write("in", corpus(9000));
    dir.run_shards("solve in --columns line,status", 3);
    dir.run("solve in -q --columns line,status --limit 3 -o other --shard 2/3").ends(0);
    dir.run("solve in -q --columns line,status -o half --shard 2/2").ends(0);
    fs::copy(dir.path("part-2.out"), dir.path("copy")).unwrap();
    fs::copy(dir.path("part-2.out.shard.json"), dir.path("copy.shard.json")).unwrap();
    let (one, two, three) = ("part-1.out", "part-2.out", "part-3.out");
    let refused = |outputs: &str| {
        let error = dir.run(&format!("merge -q {outputs} -o merged")).fails();
        assert!(!dir.path("merged").exists());
        error.strip_prefix("gridmill: ").unwrap().to_owned()
    };
    for (outputs, words) in [
        (format!("{three} {one}"), "shard 2 of 3 is missing"),
        (format!("{one} {two}"), "shard 3 of 3 is missing"),
        (format!("{one} {two} copy {three}"), "copy and part-2.out are both shard 2/3"),
        (format!("{one} {one} {two} {three}"), "part-1.out is named twice; name each shard once"),
        (format!("{one} other {three}"), "part-1.out and other are of different runs: --limit was 3, is not given"),
        (format!("{one} half {three}"), "part-1.out and half are of different runs: the number of shards was 2, is 3"),
        (format!("{one} in {three}"), "in is not a finished shard: no .shard.json is next to it"),
        (format!("{one} nowhere {three}"), "nowhere is not a finished shard: no .shard.json is next to it"),
    ] {
        let way = "; to put files together, convert them with --keep all";
        assert_eq!(refused(&outputs).trim_end_matches(way), words);
    }
    let rows = dir.read(two);
    let all = format!("{one} {two} {three}");
    let damaged = "part-2.out is not as it was finished: it does not fit part-2.out.shard.json; \
                   run this shard again with --resume";
    for text in [
        format!("{rows}1,unique\n"),
        rows[..rows.len() - 1].to_owned(),
        rows.replacen("line,status", "line,statue", 1),
        rows.replacen("unique", "unicue", 1),
    ] {
        dir.write(two, text);
        assert_eq!(refused(&all), damaged);
    }
    dir.write(two, &rows).run(&format!("merge -q {all} -o merged")).ends(0);
    // An output that is written again without --shard is not a shard any more.
    dir.run("solve in -q --columns line,status -o part-2.out").ends(0);
    assert!(!dir.path("part-2.out.shard.json").exists());
    dir.write("part-2.out.shard.json", "{\"shard\":\"4/3\"}");
    let error = dir.run(&format!("merge -q {all}")).fails();
    assert!(error.contains("part-2.out.shard.json is damaged, or was not written by gridmill "), "{error}");
}

#[test]
fn a_validation_in_shards_has_the_same_rows() {
    let dir = TestDir::new();
    dir.write("in", corpus(9000)).write("other", UNIQUE);
    let arguments = "validate in -q --minimal --against other --fail-on all";
    let whole = dir.run(arguments).ends(1);
    let mut rows: Vec<String> = whole.lines().skip(1).map(str::to_owned).collect();
    let mut found = vec![];
    for number in 1..=3 {
        let report = dir.run(&format!("{arguments} --shard {number}/3 --summary s.json")).ends(1);
        let records = report.lines().count() - 1;
        assert_eq!(dir.json("s.json")["records"], json!(records));
        found.extend(report.lines().skip(1).map(str::to_owned));
    }
    rows.sort_unstable();
    found.sort_unstable();
    assert!(rows == found);
}
