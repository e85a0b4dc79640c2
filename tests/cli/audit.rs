//! `validate --audit`: corpora with the faults of published benchmarks raise the right alarms, good ones raise none.

use std::fmt::Write as _;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};

use crate::corpora::{corpus, isomorph};
use crate::{TestDir, data};

/// Puzzles with answers of a generator that shuffles one pattern, whose solutions are isomorphs of one grid. Blanks are
/// punched without a look at the solutions.
fn shuffled(puzzles: usize, blanks: usize, seed: u64) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut text = "puzzle,solution\n".to_owned();
    for _ in 0..puzzles {
        let mut lines = || {
            let mut bands = [0, 1, 2];
            bands.shuffle(&mut random);
            let mut lines = vec![];
            for band in bands {
                let mut band = [3 * band, 3 * band + 1, 3 * band + 2];
                band.shuffle(&mut random);
                lines.extend(band);
            }
            lines
        };
        let (rows, columns) = (lines(), lines());
        let mut digits = *b"123456789";
        digits.shuffle(&mut random);
        let cells =
            rows.iter().flat_map(|row| columns.iter().map(move |column| (3 * (row % 3) + row / 3 + column) % 9));
        let solution: Vec<u8> = cells.map(|digit: usize| digits[digit]).collect();
        let mut puzzle = solution.clone();
        let mut all: Vec<usize> = (0..81).collect();
        all.shuffle(&mut random);
        all[..blanks].iter().for_each(|&cell| puzzle[cell] = b'.');
        writeln!(text, "{},{}", String::from_utf8(puzzle).unwrap(), String::from_utf8(solution).unwrap()).unwrap();
    }
    text
}

/// The audit of a run as JSON. `arguments` name the inputs and other options.
fn audit(dir: &TestDir, arguments: &str) -> Value {
    dir.run(&format!("validate -q --audit --summary audit.json -o rows.csv {arguments}"));
    let summary: Value = serde_json::from_str(&dir.read("audit.json")).unwrap();
    summary["audit"].clone()
}

/// The names of its alarms.
fn alarms(audit: &Value) -> Vec<&str> {
    audit["alarms"].as_array().unwrap().iter().map(|alarm| alarm["alarm"].as_str().unwrap()).collect()
}

#[test]
fn a_shuffled_pattern_is_one_grid_with_several_solutions() {
    let dir = TestDir::new();
    dir.write("shuffled.csv", shuffled(2000, 45, 1));
    let result = dir.run("validate shuffled.csv --audit --fail-on audit -o rows.csv --summary s.json --report p.html");
    for words in [
        "% of the puzzles have several solutions but one stored answer",
        "alarm: all 2,000 solutions are isomorphs of one grid",
        "2,000 solutions in 1 of 5,472,730,538 classes of grids; a uniform sample shows 2,000",
        "alarm: 100 % of the solutions have automorphisms",
        "failed on audit",
    ] {
        assert!(result.err.contains(words), "{words}: {}", result.err);
    }
    result.ends(1);

    let summary: Value = serde_json::from_str(&dir.read("s.json")).unwrap();
    let found = &summary["audit"];
    assert_eq!(alarms(found), ["one-answer-of-several", "few-grids", "automorphic-grids"]);
    assert_eq!(summary["failed_on"], json!(["audit"]));
    // Of the published generator, 84 % had several.
    let several = found["sizes"][0]["several_answered"].as_u64().unwrap();
    assert!((1500..1800).contains(&several), "{several}");
    assert_eq!(summary["findings"]["multiple"], several);
    let uniformity = &found["sizes"][0]["grids"]["uniformity"];
    assert!(uniformity["bands"][5].as_f64().unwrap() > 100.0 && uniformity["effect"].as_f64().unwrap() > 1.0);
    assert!(uniformity["digits"].as_f64().unwrap().abs() < 5.0, "{uniformity}");
    assert_eq!(found["grids"]["largest"][0]["records"], 2000);
    assert_eq!(found["sizes"][0]["blanks_by_cell"].as_array().unwrap().len(), 81);

    let page = dir.read("p.html");
    for words in ["alarm: all 2,000 solutions are isomorphs of one grid", "id=\"blanks-by-cell\"", "id=\"grids\""] {
        assert!(page.contains(words), "{words}");
    }

    // Without answers, the grids of puzzles with several solutions are not known.
    let puzzles: Vec<String> = shuffled(400, 30, 2).lines().skip(1).map(|line| line[..81].to_owned()).collect();
    dir.write("puzzles.txt", puzzles.join("\n"));
    let found = audit(&dir, "puzzles.txt");
    assert!(alarms(&found).contains(&"few-grids"), "{found}");
    assert_eq!(found["sizes"][0]["grids"]["grids"], found["sizes"][0]["unique"]);
}

#[test]
fn a_stored_answer_of_several_is_counted() {
    let dir = TestDir::new();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut text = "puzzle,solution\n".to_owned();
    // Minimal puzzles have several solutions without a clue.
    for (index, (puzzle, solution)) in corpus("-n 500 --minimal --size 4x4 --seed 5").into_iter().enumerate() {
        let mut puzzle = puzzle.into_bytes();
        if index % 4 == 0 && index < 496 {
            let clues: Vec<usize> = (0..16).filter(|&cell| puzzle[cell] != b'.').collect();
            puzzle[clues[random.random_range(0..clues.len())]] = b'.';
        }
        writeln!(text, "{},{solution}", String::from_utf8(puzzle).unwrap()).unwrap();
    }
    let result = dir.write("test.csv", &text).run("validate test.csv --audit -o rows.csv");
    let words = "alarm: 24.8 % of the puzzles have several solutions but one stored answer (124 of 500)";
    assert!(result.err.contains(words), "{}", result.err);

    // The same without answers, and with an answer that is none.
    let puzzles = text.lines().skip(1).map(|line| &line[..16]).collect::<Vec<_>>().join("\n") + "\n";
    let result = dir.write("test.txt", puzzles).run("validate test.txt --audit -o rows.csv");
    assert!(result.err.contains("alarm: 24.8 % of the puzzles have several solutions (124 of 500)"), "{}", result.err);
}

#[test]
fn leaks_between_the_inputs_are_found() {
    let dir = TestDir::new();
    let puzzles: Vec<String> = corpus("-n 1003 --clues 28 --seed 6").into_iter().map(|(puzzle, _)| puzzle).collect();
    let table = |puzzles: &[String]| format!("puzzle\n{}\n", puzzles.join("\n"));
    let mut test: Vec<String> = puzzles[..97].iter().zip(0..).map(|(puzzle, seed)| isomorph(puzzle, seed)).collect();
    test.extend_from_slice(&puzzles[1000..]);
    dir.write("train.csv", table(&puzzles[..1000]))
        .write("test.csv", table(&test))
        .write("other.csv", table(&test[97..]));
    let found = audit(&dir, "train.csv test.csv other.csv");
    let leak = |by: &str, file: &str, other: &str, count: u64, of: u64, sentence: &str| {
        json!({
            "alarm": "leak", "size": "9x9", "file": file, "other": other, "by": by, "count": count, "of": of,
            "expected": null, "effect": null, "sentence": sentence,
        })
    };
    let [of_classes, of_puzzles] = [
        "97 % of the classes of test.csv occur in train.csv (97 of 100)",
        "100 % of the different puzzles of other.csv occur in test.csv (3 of 3)",
    ];
    assert_eq!(found["alarms"][0], leak("classes", "test.csv", "train.csv", 97, 100, of_classes));
    assert_eq!(found["alarms"][1], leak("puzzles", "other.csv", "test.csv", 3, 3, of_puzzles));
    // The copies in test.csv are isomorphs of other puzzles, too.
    let repeated = "8.8 % of the different puzzles are isomorphs of another one (1,100 in 1,003 classes)";
    assert_eq!((alarms(&found)[2], &found["alarms"][2]["sentence"]), ("repeated-classes", &json!(repeated)));
    let none = json!({"first": 1000, "second": 100, "both": 0, "first_records": 0, "second_records": 0});
    assert_eq!(found["pairs"][0]["puzzles"], none);
    assert_eq!(found["pairs"].as_array().unwrap().len(), 3);
    let result = dir.run("validate train.csv test.csv --audit -o rows.csv");
    let words = "alarm: 97 % of the classes of test.csv occur in train.csv (97 of 100)";
    assert!(result.err.contains(words), "{}", result.err);

    let result = dir.run("validate train.csv other.csv --audit --fail-on audit,all -o rows.csv");
    assert!(result.err.contains("train.csv and other.csv share no puzzle and no class"), "{}", result.err);
    result.ends(0);
}

/// Puzzles whose solutions are isomorphs of one grid.
fn of_one_grid(solution: &str, puzzles: u64, random: &mut Xoshiro256PlusPlus) -> Vec<String> {
    let puzzle = |seed| {
        let mut puzzle = isomorph(solution, seed).into_bytes();
        for _ in 0..6 {
            puzzle[random.random_range(0..81)] = b'.';
        }
        String::from_utf8(puzzle).unwrap()
    };
    (0..puzzles).map(puzzle).collect()
}

/// Most puzzles of a test set share one grid with the training set, which is one class among many.
#[test]
fn alarms_count_records_as_well_as_classes() {
    let dir = TestDir::new();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
    let good = corpus("-n 950 --clues 28 --seed 11");
    let mut test = of_one_grid(&good[0].1, 300, &mut random);
    test.extend(good[400..550].iter().map(|(puzzle, _)| puzzle.clone()));
    test.shuffle(&mut random);
    let lines = |puzzles: &[String]| puzzles.join("\n") + "\n";
    let puzzles =
        |range: std::ops::Range<usize>| good[range].iter().map(|(puzzle, _)| puzzle.clone()).collect::<Vec<_>>();
    dir.write("test.txt", lines(&test)).write("train.txt", lines(&puzzles(0..400)));
    dir.write("more.txt", lines(&puzzles(550..950)));

    let leak = "66.7 % of the solutions of test.txt have isomorphs in train.txt (300 of 450)";
    let large = "66.7 % of the solutions of test.txt are isomorphs of one grid (300 of 450)";
    // Other files take no alarm away.
    for files in ["train.txt test.txt", "train.txt test.txt more.txt", "more.txt test.txt train.txt"] {
        let found = audit(&dir, files);
        assert_eq!(alarms(&found), ["leak", "few-grids", "large-class"], "{files}");
        let sentences = [0, 2].map(|alarm| &found["alarms"][alarm]["sentence"]);
        assert_eq!(sentences, [leak, large], "{files}");
        let few = &found["alarms"][1];
        assert_eq!((&few["file"], &few["count"], &few["of"]), (&json!("test.txt"), &json!(151), &json!(450)));
    }
    let found = audit(&dir, "test.txt");
    assert_eq!(alarms(&found), ["few-grids", "large-class"]);
    assert_eq!(found["sizes"][0]["grids"]["largest"], 300);
    let found = audit(&dir, "train.txt test.txt");
    assert_eq!(
        found["pairs"][0]["grids"],
        json!({
            "first": 400, "second": 151, "both": 1, "first_records": 1, "second_records": 300,
        })
    );

    let card = "--card card.md --report page.html --fail-on audit";
    let result = dir.run(&format!("validate train.txt test.txt --audit -o rows.csv {card}"));
    let words = [leak, large, "the largest class has 301"];
    for (place, text) in [("scorecard", &result.err), ("page", &dir.read("page.html")), ("card", &dir.read("card.md"))]
    {
        assert!(words[..2].iter().all(|words| text.contains(words)), "{place}: {text}");
        assert!(place == "card" || text.contains(words[2]), "{place}: {text}");
        assert!(!text.contains("not looked for"), "{place}: {text}");
    }
    result.ends(1);
}

/// Each of two files has a part of the test set that is too small for an alarm.
#[test]
fn a_leak_into_all_other_files_together_is_found() {
    let dir = TestDir::new();
    let good: Vec<String> = corpus("-n 1492 --clues 28 --seed 13").into_iter().map(|(puzzle, _)| puzzle).collect();
    let lines = |parts: &[&[String]]| parts.concat().join("\n") + "\n";
    let (test, others) = good.split_at(500);
    dir.write("test.txt", lines(&[test]));
    dir.write("a.txt", lines(&[&test[..4], &others[..496]])).write("b.txt", lines(&[&test[4..8], &others[496..]]));
    assert_eq!(audit(&dir, "test.txt a.txt")["alarms"], json!([]));
    let found = audit(&dir, "test.txt a.txt b.txt");
    let leak = "1.6 % of the different puzzles of test.txt occur in the other files (8 of 500)";
    assert_eq!((alarms(&found), &found["alarms"][0]["sentence"]), (vec!["leak"], &json!(leak)));
    assert_eq!(found["alarms"][0]["other"], Value::Null);
}

#[test]
fn repeats_orders_and_forms_are_found() {
    let dir = TestDir::new();
    let mut puzzles: Vec<String> = corpus("-n 600 --minimal --seed 7").into_iter().map(|(puzzle, _)| puzzle).collect();
    let lines = |puzzles: &[String]| puzzles.join("\n") + "\n";

    let copies: Vec<String> = puzzles[..200].iter().cycle().take(600).cloned().collect();
    assert_eq!(alarms(&audit(dir.write("in", lines(&copies)), "in")), ["few-grids", "repeated-puzzles"]);
    let isomorphs: Vec<String> = copies.iter().zip(0..).map(|(puzzle, seed)| isomorph(puzzle, seed)).collect();
    assert_eq!(alarms(&audit(dir.write("in", lines(&isomorphs)), "in")), ["few-grids", "repeated-classes"]);

    puzzles.sort_unstable();
    let found = audit(dir.write("in", lines(&puzzles)), "in");
    let order = &found["alarms"][0];
    assert_eq!((alarms(&found), &order["by"], &order["effect"]), (vec!["ordered"], &json!("text"), &json!(1.0)));
    puzzles.sort_by_key(|puzzle| puzzle.matches('.').count());
    let found = audit(dir.write("in", lines(&puzzles)), "in");
    let order = &found["alarms"][0];
    assert_eq!((&order["alarm"], &order["by"]), (&json!("ordered"), &json!("clues")));
    assert!(order["effect"].as_f64().unwrap() < -0.9, "{order}");
    assert!(order["sentence"].as_str().unwrap().contains("(rank correlation -0.9"), "{order}");

    // Canonical forms have the digits from 1 to 9 in the first row of the solution.
    let forms = dir.run("canon in -q --columns canonical --no-header").ends(0);
    let mut forms: Vec<&str> = forms.lines().collect();
    forms.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(8));
    let found = audit(dir.write("forms", forms.join("\n")), "forms");
    assert_eq!(alarms(&found), ["uneven-digits"]);
    let digits = &found["sizes"][0]["digits"];
    assert!(digits["cell"].as_u64().unwrap() < 9 && digits["share"] == 1.0, "{digits}");
    assert_eq!(found["alarms"][0]["effect"], digits["effect"]);
}

/// The corpora of the project and random ones of all kinds, with one exception: the puzzles of `easy.txt` stand in order
/// of their clues. `scripts/false-alarms` tries more and larger ones.
#[test]
fn good_corpora_raise_no_alarm() {
    let dir = TestDir::new();
    for name in ["minimal.txt", "with-answers.csv", "4x4.txt", "6x6.txt", "12x12.txt", "16x16.txt", "25x25.txt"] {
        let found = audit(&dir, &data(name));
        assert_eq!(found["alarms"], json!([]), "{name}");
    }
    let found = audit(&dir, &data("easy.txt"));
    assert_eq!((found["alarms"].as_array().unwrap().len(), &found["alarms"][0]["by"]), (1, &json!("clues")));

    for options in [
        "--minimal",
        "--clues 24..28",
        "--clues 32",
        "--clues 30 --symmetry rot180",
        "--minimal --size 4x4",
        "--clues 14 --size 6x6",
    ] {
        for (seed, puzzles) in [(1, 20), (2, 100), (3, 1000)] {
            dir.run(&format!("generate -q -n {puzzles} --seed {seed} {options} -o made")).ends(0);
            let found = audit(&dir, "made");
            // A thousand minimal puzzles of 4x4 repeat their classes, as any such corpus does.
            assert_eq!(found["alarms"], json!([]), "{options} --seed {seed}");
            let uniformity = &found["sizes"][0]["grids"]["uniformity"];
            assert_eq!(uniformity.is_null(), options.contains("--size"), "{options}");
            assert_eq!(uniformity["effect"].is_null(), uniformity["bands"].is_null(), "{options}: {uniformity}");
            if let (1000, Some(bands)) = (puzzles, uniformity["bands"].as_array()) {
                let mut deviations = bands.iter().chain([&uniformity["digits"]]).map(|number| number.as_f64().unwrap());
                assert!(deviations.all(|deviation| deviation.abs() < 4.0), "{options}: {uniformity}");
                assert!(uniformity["effect"].as_f64().unwrap() < 0.15, "{options}: {uniformity}");
            }
        }
    }
}

/// Sizes without classes are no good corpora by that: the audit says what it did not check.
#[test]
fn what_was_not_checked_is_said() {
    let dir = TestDir::new();
    let result = dir.run(&format!("validate {} --audit -o rows.csv", data("16x16.txt")));
    let words = "audit: no alarm, but not all was checked: classes of 16x16 are not computed";
    assert!(result.err.contains(words), "{}", result.err);
    let found = audit(&dir, &data("16x16.txt"));
    assert_eq!((&found["sizes"][0]["classes"], &found["sizes"][0]["grids"]), (&Value::Null, &Value::Null));

    // Puzzles with a conflict have no grid to examine.
    dir.write("conflicts.txt", format!("11{}\n1..1{}\n", ".".repeat(79), ".".repeat(77)));
    let result = dir.run("validate conflicts.txt --audit -o rows.csv");
    let words = "audit: no alarm, but not all was checked: 2 puzzles without a known solution";
    assert!(result.err.contains(words), "{}", result.err);

    // More files than are compared.
    let names: Vec<String> = (0..65).map(|number| format!("f{number}.txt")).collect();
    for name in &names {
        dir.write(name, format!("{}\n", crate::UNIQUE));
    }
    let result = dir.run(&format!("validate {} --audit -o rows.csv", names.join(" ")));
    assert!(result.err.contains("only the first 64 files are compared"), "{}", result.err);
}

/// A generator that keeps or removes the same cells always is seen by these cells.
#[test]
fn cells_that_are_never_or_always_blank_are_named() {
    let dir = TestDir::new();
    let puzzles = shuffled(100, 45, 3);
    let lines: Vec<String> =
        puzzles.lines().skip(1).map(|line| format!("{}..{}", &line[82..83], &line[3..81])).collect();
    dir.write("fixed.txt", lines.join("\n"));
    let found = audit(&dir, "fixed.txt");
    let alarm = found["alarms"].as_array().unwrap().iter().find(|alarm| alarm["alarm"] == "uneven-blanks").unwrap();
    let sentence = alarm["sentence"].as_str().unwrap();
    assert!(sentence.ends_with("; never blank: r1c1; always blank: r1c2 r1c3"), "{sentence}");
}

/// A puzzle without a blank has one solution, but asks nothing.
#[test]
fn puzzles_without_a_blank_are_counted() {
    let dir = TestDir::new();
    dir.write("full.txt", format!("{}\n{}\n", crate::UNIQUE_SOLUTION, crate::UNIQUE));
    let result = dir.run("validate full.txt -o rows.csv");
    assert!(result.err.contains("1 puzzle without a blank: nothing is asked"), "{}", result.err);
}

#[test]
fn an_audit_depends_on_the_corpus_alone() {
    let dir = TestDir::new();
    dir.write("a.csv", shuffled(300, 45, 9)).write("b.csv", shuffled(300, 40, 10));
    let expected = audit(&dir, "a.csv b.csv --threads 1");
    for layout in ["--threads 2", "--threads 8 --chunk 7", "--threads 1 --chunk 1", "--engine dlx"] {
        assert_eq!(audit(&dir, &format!("a.csv b.csv {layout}")), expected, "{layout}");
    }
    // The rows are those of a run with classes.
    let rows = |options: &str| dir.run(&format!("validate -q a.csv {options}")).ends(1);
    assert_eq!(rows("--audit"), rows("--classes"));
    assert_eq!(rows("--audit --duplicates --isomorphs"), rows("--duplicates --isomorphs"));
}

#[test]
fn ratings_are_found_on_request() {
    let dir = TestDir::new();
    let found = audit(&dir, &format!("{} --audit-ratings", data("with-answers.csv")));
    let levels: u64 =
        found["ratings"]["levels"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!((levels, &found["alarms"]), (500, &json!([])));
    assert!(found["order"][0]["ratings"]["trend"].as_f64().unwrap().abs() < 0.2, "{found}");
    assert_eq!(audit(&dir, &data("with-answers.csv"))["ratings"], Value::Null);
}

/// A page says in words what was checked, and has no empty table.
#[test]
fn the_page_of_a_good_corpus_is_in_words() {
    let dir = TestDir::new();
    let inputs = format!("{} --against {}", data("with-answers.csv"), data("easy.txt"));
    dir.run(&format!("validate -q {inputs} --isomorphs -o rows.csv --report page.html")).ends(0);
    let page = dir.read("page.html");
    for words in [
        "all 500 records are sound: one solution, and no finding",
        "answers: 500 right, 0 wrong, 0 bad",
        "no puzzle, isomorph or solution is in the other corpus of 1,000 records",
        "500 classes: no two puzzles are isomorphic",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("id=\"findings\"") && !page.contains("id=\"audit\""));

    dir.run(&format!("validate -q {inputs} --audit -o rows.csv --report page.html")).ends(0);
    let page = dir.read("page.html");
    for part in ["audit: no alarm", "id=\"audit\"", "id=\"grids\"", "id=\"digits-by-cell\"", "id=\"symmetries\""] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn an_audit_of_nothing_is_no_pass() {
    let dir = TestDir::new();
    dir.write("empty.txt", "").write("rubbish.txt", "x\ny\n");
    for input in ["empty.txt", "rubbish.txt"] {
        let result = dir.run(&format!("validate {input} --from lines --audit --fail-on audit -o rows.csv"));
        assert!(result.err.contains("audit: no puzzle was found, so nothing was checked"), "{input}: {}", result.err);
        result.ends(1);
    }
}
