//! `generate`: symmetric, patterned, minimal and distinct puzzles, and its summary.

use std::collections::HashSet;
use std::io::{BufRead, BufReader};

use crate::TestDir;

/// The cells of a puzzle that have clues.
fn clues(puzzle: &str) -> HashSet<(usize, usize)> {
    (0..81).filter(|&cell| puzzle.as_bytes()[cell] != b'.').map(|cell| (cell / 9, cell % 9)).collect()
}

/// Where a symmetry takes a cell, written here independently of the library.
type Map = fn((usize, usize)) -> (usize, usize);

const SYMMETRIES: [(&str, &[Map]); 7] = [
    ("rot180", &[|(row, column)| (8 - row, 8 - column)]),
    ("rot90", &[|(row, column)| (column, 8 - row)]),
    ("horizontal", &[|(row, column)| (8 - row, column)]),
    ("vertical", &[|(row, column)| (row, 8 - column)]),
    ("diagonal", &[|(row, column)| (column, row)]),
    ("anti-diagonal", &[|(row, column)| (8 - column, 8 - row)]),
    ("full", &[|(row, column)| (8 - row, column), |(row, column)| (column, row)]),
];

/// A pattern of 30 clues without a symmetry.
const PATTERN: &str = "x.x...x.x\n.x..x....\n..x|.x.|x..\n---+---+---\nx..#.1..x\n.*.x...x.\n..a..x..x\n.x..x..x.\nx..x..x.0\n._..x..x.\n";

#[test]
fn symmetric_puzzles_have_the_symmetry_and_one_solution() {
    let dir = TestDir::new();
    let mut all = String::new();
    for (name, maps) in SYMMETRIES {
        let puzzles = dir.run(&format!("generate -q -n 20 --symmetry {name} --seed 3")).ends(0);
        let others = dir.run(&format!("generate -q -n 20 --symmetry {name} --seed 3 --threads 5 --chunk 2")).ends(0);
        assert_eq!(puzzles, others, "{name}");
        for puzzle in puzzles.lines() {
            let clues = clues(puzzle);
            for map in maps {
                assert_eq!(clues.iter().map(|&cell| map(cell)).collect::<HashSet<_>>(), clues, "{name}: {puzzle}");
            }
        }
        all += &puzzles;
    }
    dir.run_on(all, "solve -q --strict").ends(0);
}

#[test]
fn machines_share_the_puzzles_of_a_seed() {
    let dir = TestDir::new();
    for options in ["--seed 3", "--seed 3 --er 2..3", "--seed 3 --size 4x4", "--seed 3 --clues 25 --with-solution"] {
        let all = dir.run(&format!("generate -q -n 12 {options} --to csv --no-header")).ends(0);
        let first = dir.run(&format!("generate -q -n 7 {options} --to csv --no-header")).ends(0);
        let second = dir.run(&format!("generate -q -n 5 --skip 7 {options} --to csv --no-header --threads 3")).ends(0);
        assert_eq!(all, first + &second, "{options}");
    }
    let error = dir.run("generate -q -n 1 --skip 18446744073709551615").fails();
    assert!(error.contains("and --skip leads beyond them"), "{error}");
}

#[test]
fn ranges_of_clues_and_minimal_puzzles_go_together() {
    let dir = TestDir::new();
    let number = |puzzle: &str| clues(puzzle).len();
    let puzzles = dir.run("generate -q -n 200 --clues 23..30").ends(0);
    let numbers: HashSet<usize> = puzzles.lines().map(number).collect();
    assert!(numbers.iter().all(|number| (23..=30).contains(number)) && numbers.len() > 5, "{numbers:?}");

    for options in ["--clues 25..26", "--clues 25 --symmetry rot180", "--symmetry diagonal", "--pattern pattern"] {
        let options = format!("-q -n 20 --minimal {options}");
        // A minimal puzzle of 24 clues is a pattern that has minimal puzzles.
        dir.write("pattern", dir.run("generate -q -n 1 --clues 24 --minimal --seed 9").ends(0));
        let puzzles = dir.run(&format!("generate {options}")).ends(0);
        assert!(!options.contains("25") || puzzles.lines().all(|puzzle| (25..=26).contains(&number(puzzle))));
        dir.write("minimal", puzzles).run("validate -q --minimal --fail-on all minimal").ends(0);
    }
    // Without --minimal, an orbit that is needed may have a clue that is not.
    dir.write("symmetric", dir.run("generate -q -n 20 --symmetry full").ends(0));
    dir.run("validate -q --minimal --fail-on not-minimal symmetric").ends(1);
}

#[test]
fn puzzles_of_a_pattern_have_its_clues_and_differ() {
    let dir = TestDir::new();
    dir.write("pattern", PATTERN);
    let puzzles = dir.run("generate -q -n 30 --pattern pattern --distinct").ends(0);
    let marks: String = PATTERN.chars().filter(|c| c.is_alphanumeric() || "._*#".contains(*c)).collect();
    let expected = clues(&marks.replace(['0', '_'], "."));
    assert!(puzzles.lines().count() == 30 && puzzles.lines().all(|puzzle| clues(puzzle) == expected), "{puzzles}");
    dir.write("puzzles", &puzzles).run("validate -q --isomorphs --fail-on all puzzles").ends(0);
    // A puzzle is a pattern, too.
    let first = puzzles.lines().next().unwrap();
    dir.write("pattern", first);
    assert!(dir.run("generate -q -n 3 --pattern pattern").ends(0).lines().all(|puzzle| clues(puzzle) == expected));
}

/// A search that takes longer than a second says so, where no bar shows it.
#[test]
fn a_long_search_says_what_it_is_doing() {
    let dir = TestDir::new();
    dir.write("pattern", PATTERN);
    let mut child = dir.start("generate -n 1 --pattern pattern --er 11.5.. --max-tries 4294967295 --threads 1");
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.contains(" gave no such puzzle so far; --max-tries bounds the search"), "{line}");
}

/// The same seed gives the same puzzles, so all of those in the other file come up again.
#[test]
fn known_puzzles_and_their_isomorphs_are_not_made_again() {
    let dir = TestDir::new();
    let first = dir.run("generate -q -n 60 --seed 4").ends(0);
    let lines: Vec<&str> = first.lines().collect();
    // Transposed, and with the digits renamed.
    let disguise = |puzzle: &&str| -> String {
        let digit = |cell: usize| puzzle.as_bytes()[cell % 9 * 9 + cell / 9];
        (0..81)
            .map(|cell| if digit(cell) == b'.' { '.' } else { char::from(b'1' + (digit(cell) - b'0') % 9) })
            .collect()
    };
    let old: Vec<String> = lines.iter().step_by(2).map(disguise).collect();
    dir.write("old.csv", format!("puzzle,n\n{}\n", old.join(",1\n") + ",1"));
    let run = dir.run("generate -n 60 --seed 4 --not-in old.csv --distinct");
    assert!(run.err.contains("; 30 isomorphs dropped: 66.7 % of the puzzles were new"), "{}", run.err);
    let made = run.ends(0);
    // The puzzles that are not in the other file, and then those of the next numbers.
    let kept: Vec<&str> = lines.iter().skip(1).step_by(2).copied().collect();
    assert_eq!(made.lines().take(30).collect::<Vec<_>>(), kept);
    assert_eq!(made.lines().count(), 60);
    assert_eq!(dir.run("generate -q -n 60 --seed 4 --not-in old.csv --distinct --threads 3 --chunk 7").ends(0), made);
    assert_eq!(
        dir.run("generate -q -n 90 --seed 4").ends(0).lines().skip(60).collect::<Vec<_>>(),
        made.lines().skip(30).collect::<Vec<_>>()
    );
    dir.write("made", made).run("validate -q made --against old.csv --isomorphs --fail-on all").ends(0);
}

#[cfg(all(unix, feature = "parquet"))]
#[test]
fn a_run_that_is_stopped_without_puzzles_leaves_no_file() {
    for name in ["out.parquet", "out.txt.gz"] {
        let dir = TestDir::new();
        let child = dir.start(&format!("generate -q -n 1 --clues 17 --max-tries 4e9 -o {name}"));
        dir.wait_for(&format!("{name}.partial.json"), 1);
        crate::signals::wait_for_work(&child, 300);
        crate::signals::send("INT", &child);
        let result = crate::signals::wait(child);
        assert_eq!(result.code, Some(130), "{}", result.err);
        assert_eq!(std::fs::read_dir(dir.path("")).unwrap().count(), 0, "{name}");
    }
}

#[test]
fn numbers_of_clues_may_have_an_exponent() {
    let dir = TestDir::new();
    let puzzles = dir.run("generate -q -n 3 --clues 2_8..3e1 --seed 1e1").ends(0);
    assert_eq!(dir.run("generate -q -n 3 --clues 28..30 --seed 10").ends(0), puzzles);
}

#[test]
fn the_puzzles_before_a_failure_are_kept() {
    let dir = TestDir::new();
    // Nine of ten grids give a puzzle with 26 clues, but there is only one try for each puzzle.
    let all = dir.run("generate -q -n 3 --clues 26").ends(0);
    let error = dir.run("generate -q -n 5000 --clues 26 --max-tries 1 --threads 1 --chunk 1 -o out.txt").fails();
    assert!(error.contains("1 random grids gave no 9x9 puzzle with 26 clues; ask for more clues"), "{error}");
    assert!(error.ends_with("the rows so far are in out.txt.partial; resume with --resume"), "{error}");
    assert!(dir.read("out.txt.partial").starts_with(&all[..82]));

    // The puzzles do not depend on the number of tries.
    dir.run("generate -q -n 5000 --clues 26 --max-tries 100 -o out.txt --resume").ends(0);
    assert_eq!(dir.read("out.txt"), dir.run("generate -q -n 5000 --clues 26").ends(0));
}

/// Stopped while two threads work on chunks of one puzzle: the rows are the first ones, and resuming adds the rest.
#[cfg(unix)]
#[test]
fn a_stopped_run_has_the_first_puzzles_and_can_be_resumed() {
    let dir = TestDir::new();
    // A second of work for a fast machine, so that the signal comes before the end.
    let command = "generate -n 600 --clues 24 --seed 3 --skip 5 --with-solution -o out.csv";
    dir.run(&format!("{command} -q --summary whole.json")).ends(0);
    let whole = dir.read("out.csv");
    for time in [0, 100] {
        std::fs::remove_file(dir.path("out.csv")).unwrap();
        let child = dir.start(&format!("{command} --threads 2 --chunk 1"));
        dir.wait_for("out.csv.partial", 100);
        std::thread::sleep(std::time::Duration::from_millis(time));
        crate::signals::send("INT", &child);
        let stopped = crate::signals::wait(child);
        assert_eq!(stopped.code, Some(130), "{}", stopped.err);
        let last = "gridmill: stopped; the rows so far are in out.csv.partial; resume with --resume\n";
        assert!(stopped.err.ends_with(last), "{}", stopped.err);
        assert!(whole.starts_with(&dir.read("out.csv.partial")), "after {time} ms");

        let other = command.replace("--seed 3", "--seed 4 --resume");
        assert!(dir.run(&other).fails().contains("--seed was 3, is 4"));
        let resumed = dir.run(&format!("{command} --resume --chunk 7 --summary resumed.json"));
        assert!(resumed.err.contains("of them before; times and rates are of the others"), "{}", resumed.err);
        resumed.ends(0);
        assert!(dir.read("out.csv") == whole, "after {time} ms");
        let [whole, resumed] = ["whole.json", "resumed.json"]
            .map(|name| serde_json::from_str::<serde_json::Value>(&dir.read(name)).unwrap());
        for key in ["puzzles", "clues", "missed"] {
            assert_eq!(whole[key], resumed[key], "{key}");
        }
    }
}

/// A frame of a compressed output ends after each 2,048 puzzles, a block of a shard after each 4,096.
#[test]
fn merged_shards_are_one_run() {
    let dir = TestDir::new();
    for (options, name) in [("--columns puzzle,tries", "out.jsonl.gz"), ("--size 4x4", "out.txt")] {
        let command = format!("generate -n 9000 --grids --skip 7 {options}");
        dir.run(&format!("{command} -q -o {name} --summary whole.json")).ends(0);
        for shard in 1..=4 {
            let run =
                dir.run(&format!("{command} -q --shard {shard}/4 -o {shard}-{name} --chunk 999 --summary part.json"));
            run.ends(0);
            let part: serde_json::Value = serde_json::from_str(&dir.read("part.json")).unwrap();
            assert_eq!(part["puzzles"], [4096, 4096, 808, 0][shard - 1], "{name}");
        }
        dir.run(&format!("merge -q 1-{name} 2-{name} 3-{name} 4-{name} -o all-{name} --summary all.json")).ends(0);
        let [one, all] = [name, &format!("all-{name}")].map(|name| std::fs::read(dir.path(name)).unwrap());
        assert!(one == all, "{name}");
        let [one, all] =
            ["whole.json", "all.json"].map(|name| serde_json::from_str::<serde_json::Value>(&dir.read(name)).unwrap());
        assert_eq!([&one["clues"], &one["missed"]], [&all["clues"], &all["missed"]], "{name}");
    }
}

#[test]
fn generated_puzzles_are_unique_and_the_same_for_any_number_of_threads() {
    let dir = TestDir::new();
    let one = dir.run("generate -n 300 --seed 7 --clues 30 --threads 1").ends(0);
    assert_eq!(one.lines().count(), 300);
    assert!(one.lines().all(|puzzle| puzzle.len() == 81 && puzzle.matches('.').count() == 51));
    assert_eq!(dir.run("generate -n 300 --seed 7 --clues 30 --threads 8").ends(0), one);
    // A longer run starts with the shorter one.
    assert!(dir.run("generate -n 310 --seed 7 --clues 30").ends(0).starts_with(&one));
    assert_ne!(dir.run("generate -n 300 --seed 8 --clues 30").ends(0), one);
    dir.run_on(one, "solve -q --strict").ends(0);
}

#[test]
fn minimal_puzzles_of_every_size_come_with_their_solutions() {
    let dir = TestDir::new();
    for (options, side) in [("--size 4x4 -n 20", 4), ("-n 20 --minimal", 9), ("--size 16x16 -n 2 --clues 130", 16)] {
        dir.run(&format!("generate {options} --with-solution -o corpus.csv")).ends(0);
        let corpus = dir.read("corpus.csv");
        assert!(corpus.starts_with("puzzle,solution\n"));
        let rows = dir.run("solve -q --strict corpus.csv --columns solution --keep solution --no-header").ends(0);
        for row in rows.lines() {
            let (ours, theirs) = row.split_once(',').unwrap();
            assert_eq!((ours, ours.len()), (theirs, side * side));
        }
    }
}

#[test]
fn generate_reports_like_its_siblings() {
    let dir = TestDir::new();
    let result = dir.run("generate -n 40 --clues 23 --summary summary.json -o out.txt --simd portable");
    let note = result.err.clone();
    result.ends(0);
    assert!(note.contains("40 puzzles in ") && note.contains("23 clues; "), "{note}");
    let summary: serde_json::Value = serde_json::from_str(&dir.read("summary.json")).unwrap();
    assert_eq!((summary["puzzles"].as_u64(), summary["clues"]["23"].as_u64()), (Some(40), Some(40)));
    assert!(summary["missed"].as_u64() > Some(0), "{summary}");
    let quiet = dir.run("generate -n 40 --clues 23 -q --chunk 3");
    assert_eq!(quiet.err, "");
    assert_eq!(quiet.ends(0), dir.read("out.txt"));
}

#[test]
fn generate_says_how_many_clues_may_not_be_needed() {
    let dir = TestDir::new();
    let generate = |bound: &str| {
        let result = dir.run(&format!("generate -n 100 --max-branches {bound} --summary summary.json -o out.txt"));
        let note = result.err.clone();
        result.ends(0);
        let summary: serde_json::Value = serde_json::from_str(&dir.read("summary.json")).unwrap();
        (note, summary["undecided_clues"].as_u64().unwrap())
    };
    let (note, clues) = generate("0");
    assert!(clues > 1 && note.contains(&format!("; {clues} clues may not be needed: the checks")), "{note}");
    let (note, clues) = generate("none");
    assert!(clues == 0 && !note.contains("needed"), "{note}");
}

/// The columns of a rating.
const RATING: &str = "er,ep,ed,level,hardest,steps,techniques";

#[test]
fn generated_puzzles_need_the_techniques_that_were_asked_for() {
    let dir = TestDir::new();
    for (options, techniques, most) in [
        ("--technique x-wing --max-er 3.2", &["X-Wing"][..], 3.2),
        ("--technique Unique-Rectangle", &["Unique Rectangle type "], 20.0),
        ("--technique unique-rectangle-type-1 --er 4.5..5", &["Unique Rectangle type 1"], 5.0),
        ("--technique naked-pair,pointing --technique claiming", &["Naked Pair", "Pointing", "Claiming"], 20.0),
    ] {
        let run = dir.run(&format!("generate -n 5 --seed 2 {options}"));
        assert!(run.err.contains(" gave no such puzzle: one in "), "{}", run.err);
        let puzzles = run.ends(0);
        let rated = dir.run_on(&puzzles, "rate -q --no-header --columns er,techniques").ends(0);
        assert_eq!(rated.lines().count(), 5);
        for row in rated.lines() {
            let (er, counts) = row.split_once(',').unwrap();
            let steps = format!(";{counts}");
            assert!(techniques.iter().all(|name| steps.contains(&format!(";{name}"))), "{options}: {row}");
            assert!(er.parse::<f64>().unwrap() <= most, "{options}: {row}");
        }
        assert_eq!(dir.run(&format!("generate -q -n 5 --seed 2 {options} --threads 3 --chunk 1")).ends(0), puzzles);
    }
}

#[test]
fn a_technique_that_is_not_told_from_others_is_refused() {
    let dir = TestDir::new();
    for (name, wider) in [("skyscraper", "Turbot Fish"), ("full-house", "Hidden Single")] {
        let error = dir.run(&format!("generate -n 1 --technique {name}")).fails();
        assert!(
            error.contains(&format!("'{name}' is a kind of {wider}, and cannot be told from other kinds")),
            "{error}"
        );
    }
}

#[test]
fn a_rating_stands_beside_its_puzzle() {
    let dir = TestDir::new();
    let formats = [
        "csv",
        "jsonl",
        #[cfg(feature = "parquet")]
        "parquet",
    ];
    for (options, extension) in ["--level hard", "--technique x-wing", "--columns puzzle,solution,RATING"]
        .into_iter()
        .flat_map(|options| formats.map(|extension| (options, extension)))
    {
        let options = options.replace("RATING", RATING);
        dir.run(&format!("generate -q -n 6 {options} -o made.{extension}")).ends(0);
        let rated = format!("rate -q --no-header --to jsonl made.{extension} --columns {RATING} --keep {RATING}");
        let rows = dir.run(&rated).ends(0);
        assert_eq!(rows.lines().count(), 6);
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            for column in RATING.split(',') {
                let text = |name: &str| match &row[name] {
                    serde_json::Value::String(text) => text.clone(),
                    // Counts are an object in JSON and a text in tables.
                    serde_json::Value::Object(counts) => {
                        counts.iter().map(|(name, count)| format!("{name}:{count}")).collect::<Vec<_>>().join(";")
                    }
                    other => other.to_string(),
                };
                let (made, rated) = (text(&format!("input_{column}")), text(column));
                assert!(made == rated || made.parse::<f64>().ok() == rated.parse().ok(), "{options}: {row}");
            }
        }
    }
    // Without a wish for a rating, there is none.
    assert!(dir.run("generate -q -n 1 --to csv").ends(0).starts_with("puzzle\n"));
    assert!(dir.run("generate -q -n 1 --level easy --to csv").ends(0).starts_with(&format!("puzzle,{RATING}\n")));
}

/// A search for each clue of 25x25 that went to the usual bound would take hours. The last one has no kept clues.
#[test]
#[cfg(unix)]
fn large_puzzles_are_made_in_seconds() {
    let dir = TestDir::new();
    for options in [
        "--size 16x16",
        "--size 16x16 --symmetry rot180",
        "--size 25x25",
        "--size 25x25 --symmetry rot180",
        "--size 25x25 --clues 350",
    ] {
        let made = crate::signals::wait(dir.start(&format!("generate -n 1 {options}")));
        let keeps_clues = made.err.contains(" clues may not be needed: the checks took too many guesses");
        assert_eq!(keeps_clues, options.contains('5') && !options.contains("350"), "{options}: {}", made.err);
        dir.write("large.txt", made.ends(0));
        dir.run("solve -q large.txt --strict").ends(0);
    }
}

/// The grids of a seed are the solutions of its puzzles.
#[test]
fn grids_are_those_that_puzzles_are_made_from() {
    let dir = TestDir::new();
    for size in ["4x4", "6x6", "9x9"] {
        let grids = dir.run(&format!("generate -q -n 20 --grids --size {size} --columns puzzle,weight,tries")).ends(0);
        let solutions = dir.run(&format!("generate -q -n 20 --minimal --size {size} --columns solution")).ends(0);
        let expected: Vec<String> = solutions.lines().skip(1).map(|solution| format!("{solution},,1")).collect();
        assert_eq!(grids.lines().skip(1).collect::<Vec<_>>(), expected, "{size}");
    }
    dir.run("generate -n 1 --weighted --clues 30").ends(2);
    dir.run("generate -n 1 --unbiased --size 6x6").ends(2);
}
