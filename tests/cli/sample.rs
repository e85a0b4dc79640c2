//! Takes samples, and checks their size, their order, and what they are taken from.

use std::collections::HashMap;
use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::{TestDir, UNIQUE, data};

/// A table with clues from 30 to 39, ratings and sources; its rows may be malformed.
fn table(rows: usize) -> String {
    let puzzles = TestDir::new().run("generate -n 50 --clues 30").ends(0);
    let puzzles: Vec<&str> = puzzles.lines().collect();
    let mut text = "puzzle,rating,source\r\n".to_owned();
    for row in 0..rows {
        let puzzle = if row % 10 == 9 { "no puzzle" } else { puzzles[row % puzzles.len()] };
        let rating = if row % 7 == 0 { String::new() } else { format!("{}.5", row % 100) };
        let source = ["forum", "\"book, old\"", "web"][(row % 10).saturating_sub(7)];
        write!(text, "{puzzle},{rating},{source}\r\n").unwrap();
    }
    text
}

#[test]
fn a_sample_is_the_same_for_any_threads_and_another_for_another_seed() {
    let dir = TestDir::new();
    let text = table(5000);
    dir.write("corpus.csv", &text);
    let sample = |options: &str| dir.run(&format!("sample -q corpus.csv -n 100 {options}")).ends(0);
    let expected = sample("--seed 7");
    let rows: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(expected.split_inclusive('\n').next(), Some(rows[0]));
    // As the documentation describes it: the records with the smallest hashes of their positions, in order.
    let hash = |position: usize| Sha256::digest(format!("7:{position}"))[..8].to_vec();
    let mut by_hash: Vec<(Vec<u8>, usize)> = (1..=5000).map(|position| (hash(position), position)).collect();
    by_hash.sort();
    let mut chosen: Vec<usize> = by_hash[..100].iter().map(|(_, position)| *position).collect();
    chosen.sort_unstable();
    assert_eq!(expected, rows[0].to_owned() + &chosen.iter().map(|&position| rows[position]).collect::<String>());
    for options in ["--threads 1", "--threads 3 --chunk 7", "--chunk 1"] {
        assert_eq!(sample(&format!("--seed 7 {options}")), expected, "{options}");
    }
    assert_ne!(sample("--seed 8"), expected);
    assert_eq!(dir.run_on(&text, "sample -q -n 100 --seed 7").ends(0), expected);
    // All of them, and none.
    assert_eq!(dir.run("sample -q corpus.csv -n 5000").ends(0), text);
    assert_eq!(dir.run("sample -q corpus.csv -n 9999").ends(0), text);
    assert_eq!(dir.run("sample -q corpus.csv -n 0").ends(0), rows[0]);
}

#[test]
fn only_records_that_meet_all_conditions_are_sampled() {
    let dir = TestDir::new();
    let text = table(1000);
    dir.write("corpus.csv", &text);
    let matching = |options: &[&str], meets: &dyn Fn(&str, Option<f64>, &str) -> bool| {
        let mut command = dir.command("sample corpus.csv -n 5000");
        for option in options {
            command.args(["--where", option]);
        }
        let output = command.output().unwrap();
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows = reader.records().zip(text.split_inclusive('\n').skip(1)).filter(|(row, _)| {
            let row = row.as_ref().unwrap();
            meets(&row[0], row[1].parse().ok(), &row[2])
        });
        let expected = rows.map(|(_, line)| line).collect::<String>();
        assert!(!expected.is_empty());
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            format!("puzzle,rating,source\r\n{expected}"),
            "{options:?}"
        );
        String::from_utf8(output.stderr).unwrap()
    };
    matching(&["rating>=50"], &|_, rating, _| rating.is_some_and(|rating| rating >= 50.0));
    matching(&["clues=30"], &|puzzle, _, _| puzzle.len() == 81);
    matching(&["source != forum"], &|_, _, source| source != "forum");
    matching(&["source='book, old'"], &|_, _, source| source == "book, old");
    matching(&["source=book, old"], &|_, _, source| source == "book, old");
    let both =
        |puzzle: &str, rating: Option<f64>, _: &str| puzzle.len() == 81 && rating.is_some_and(|rating| rating < 9.5);
    let shown = matching(&["clues<=30 && rating < 9.5"], &both);
    assert!(shown.contains(" matching records, of 1,000 records in all, in "), "{shown}");
    matching(&["clues<=30", "rating<9.5"], &both);
}

#[test]
fn each_value_has_its_share_of_a_stratified_sample() {
    let dir = TestDir::new();
    dir.write("corpus.csv", table(1000));
    let run = dir.run("sample corpus.csv -n 50 --stratify source -o sample.csv --summary s.json");
    assert!(run.err.contains("50 of 1,000 records in"), "{}", run.err);
    run.ends(0);
    let mut counts: HashMap<String, u64> = HashMap::new();
    for row in csv::Reader::from_path(dir.path("sample.csv")).unwrap().records() {
        *counts.entry(row.unwrap()[2].to_owned()).or_default() += 1;
    }
    assert_eq!(counts, HashMap::from([("forum".into(), 40), ("book, old".into(), 5), ("web".into(), 5)]));
    // Those of each value with the smallest hashes.
    let text = dir.read("corpus.csv");
    let rows: Vec<&str> = text.split_inclusive('\n').collect();
    let mut by_hash: Vec<usize> = (1..=1000).collect();
    by_hash.sort_by_key(|position| Sha256::digest(format!("0:{position}"))[..8].to_vec());
    let mut chosen = vec![];
    for (value, size) in [("forum\r", 40), ("old\"\r", 5), ("web\r", 5)] {
        chosen.extend(by_hash.iter().filter(|&&position| rows[position].contains(value)).take(size));
    }
    chosen.sort_unstable();
    let expected = rows[0].to_owned() + &chosen.into_iter().map(|&position| rows[position]).collect::<String>();
    assert_eq!(dir.read("sample.csv"), expected);
    for options in ["--threads 1 --chunk 1", "--threads 3 --chunk 7"] {
        let again = dir.run(&format!("sample -q corpus.csv -n 50 --stratify source {options}")).ends(0);
        assert_eq!(again, expected, "{options}");
    }
    let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!(summary["values"][0], serde_json::json!({"value": "book, old", "matching": 100, "sampled": 5}));
    let all = dir.run("sample -q corpus.csv -n 2000 --stratify source").ends(0);
    assert_eq!(all, dir.read("corpus.csv"));
    let row = |number: usize| format!("x,{number}\n");
    let rows: String = (0..10_001).map(row).collect();
    let error = dir.run_on(format!("puzzle,id\n{rows}"), "sample -q -n 10 --stratify id").fails();
    assert!(error.contains("the column id has more than 10000 values"), "{error}");
    // In bins, they have few values.
    let row = |number: usize| format!("{UNIQUE},{number}\n");
    let rows: String = (0..10_001).map(row).collect();
    dir.write("many.csv", format!("puzzle,id\n{rows}"));
    let binned = dir.run("sample -q many.csv -n 100 --stratify id --bins 0,1000,10000 --summary s.json").ends(0);
    let in_first = binned.lines().skip(1).filter(|row| row.len() < UNIQUE.len() + 5).count();
    assert_eq!(in_first, 10);
    let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!(summary["values"][0], serde_json::json!({"value": "0..1000", "matching": 1000, "sampled": 10}));
    assert_eq!(summary["values"][1], serde_json::json!({"value": "1000..10000", "matching": 9001, "sampled": 90}));
}

/// A record that does not fit into a chunk, and one without a line end.
#[test]
fn records_are_copied_completely() {
    let dir = TestDir::new();
    let long = format!("{}{}", "1".repeat(81), "x".repeat(3 << 20));
    let text = format!("1.3..........4.2\n{long}\n1...............\n{long}");
    dir.write("in.txt", &text);
    assert!(dir.run("sample -q in.txt -n 4").ends(0) == text);
    let lines = dir.run(&format!("sample -q {} -n 5 --from lines", data("easy.txt"))).ends(0);
    assert_eq!(lines.lines().count(), 5);
    dir.write("packed.txt", text);
    dir.run("sample -q in.txt -n 3 -o sample.txt.zst").ends(0);
    assert_eq!(dir.run("solve -q sample.txt.zst --columns status --no-header").ends(0).lines().count(), 3);
}

/// Three sound records, one without an answer, and three whose answers break a rule, change a clue, or are no grid.
#[test]
fn records_with_wrong_answers_are_left_out_of_samples() {
    let dir = TestDir::new();
    let made = dir.run("generate -q -n 3 --seed 5 --with-solution --to csv").ends(0);
    let own: Vec<(&str, &str)> = made.lines().skip(1).map(|row| row.split_once(',').unwrap()).collect();
    let blank = own[0].0.find('.').unwrap();
    let other = if &own[0].1[blank..=blank] == "1" { "2" } else { "1" };
    let broken = own[0].1[..blank].to_owned() + other + &own[0].1[blank + 1..];
    let sound = [own[0].1, own[1].1, own[2].1, ""].into_iter().zip([0, 1, 2, 0]);
    let sound = sound.map(|(answer, puzzle)| format!("{},{answer}\n", own[puzzle].0)).collect::<Vec<_>>().concat();
    let wrong = [&*broken, own[1].1, "12"].map(|answer| format!("{},{answer}\n", own[0].0)).concat();
    let header = "puzzle,solution\n";
    dir.write("corpus.csv", format!("{header}no puzzle,{broken}\n{wrong}{sound}"));
    let checked = format!("{header}no puzzle,{broken}\n{sound}");

    let run = dir.run("sample corpus.csv -n 100 --summary s.json");
    assert!(
        run.err.contains("5 of 8 records in ") && run.err.contains("; 3 records left out: wrong answer\n"),
        "{}",
        run.err
    );
    assert_eq!(run.ends(0), checked);
    let summary: serde_json::Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    assert_eq!((summary["matching"].as_u64(), summary["wrong_answers"].as_u64()), (Some(5), Some(3)));
    let all = dir.run("sample corpus.csv -n 100 --unchecked");
    assert!(all.err.contains("8 of 8 records in ") && !all.err.contains("wrong"), "{}", all.err);
    assert_eq!(all.ends(0), dir.read("corpus.csv"));
    // A column of another name, and conditions.
    dir.write("named.csv", dir.read("corpus.csv").replacen("solution", "mine", 1));
    assert_eq!(dir.run("sample -q named.csv -n 100").ends(0), dir.read("named.csv"));
    assert_eq!(
        dir.run("sample -q named.csv -n 100 --answer-column mine").ends(0),
        checked.replacen("solution", "mine", 1)
    );
    let none = dir.run("sample corpus.csv -n 100 --where clues<5");
    assert!(
        none.err.contains("0 of 0 matching records, of 8 records in all") && !none.err.contains("wrong"),
        "{}",
        none.err
    );
    none.ends(0);

    // Rows of Parquet files, with all their columns.
    dir.run("augment -q corpus.csv --copies 0 --original --unchecked --keep puzzle -o all.parquet").ends(0);
    let run = dir.run("sample all.parquet -n 100 -o sample.parquet");
    assert!(
        run.err.contains("3 of 5 records in ") && run.err.contains("; 2 records left out: wrong answer\n"),
        "{}",
        run.err
    );
    run.ends(0);
    let kept = dir.run("canon -q sample.parquet --columns line --keep input_puzzle --no-header").ends(0);
    let expected = (1..).zip(&own).map(|(line, (puzzle, _))| format!("{line},{puzzle}\n")).collect::<Vec<_>>().concat();
    assert_eq!(kept, expected);
}
