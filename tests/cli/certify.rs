//! Passes and failures of test sets.

use serde_json::Value;

use super::TestDir;

/// A training set, a test set without leaks, and copies of the training set.
fn sets() -> TestDir {
    let dir = TestDir::new();
    dir.run("generate -q -n 30 --seed 1 --clues 30 --with-solution -o train.csv").ends(0);
    dir.run("generate -q -n 20 --seed 2 --clues 30 --with-solution -o test.csv").ends(0);
    dir.run("augment -q train.csv --copies 1 --seed 3 -o copies.csv").ends(0);
    dir
}

#[test]
fn a_certificate_is_a_page_an_object_and_an_exit_code() {
    let dir = sets();
    let page = dir.run("certify train.csv test.csv -q --summary out.json").ends(0);
    let expected = "\
passed: 20 records
  one solution              20  100 %
  right answer              20  100 %
  repeats training           0  0 %
  largest class of solutions: 5 %
";
    assert_eq!(page, expected);
    let found: Value = serde_json::from_str(&dir.read("out.json")).unwrap();
    assert_eq!((&found["passed"], &found["records"]), (&Value::Bool(true), &Value::from(20)));
    assert_eq!(found["scorecard"]["against_records"], 30);

    // The test set may be on standard input, and its puzzles are rated on request.
    let rated = dir.run_on(dir.read("test.csv"), "certify train.csv --ratings -q").ends(0);
    assert!(rated.starts_with("passed: 20 records\n") && rated.contains("\n  medium "), "{rated}");

    let failed = dir.run("certify train.csv copies.csv -q").ends(1);
    assert!(failed.contains("  repeats training          30  100 %\n"), "{failed}");
    assert!(failed.contains("\nfailure: 30 records: an isomorph is in the other corpus\n"), "{failed}");
}

#[test]
fn a_set_of_classes_stands_for_a_training_set_and_for_old_puzzles() {
    let dir = sets();
    dir.write("key", [7; 32]);
    dir.run("classes train.csv -q --class-key key -o train.classes").ends(0);
    let page = dir.run("certify train.classes test.csv --class-key key -q").ends(0);
    assert!(page.contains("\n  solutions of the training set: not compared"), "{page}");
    dir.run("certify train.classes copies.csv --class-key key -q").ends(1);
    let error = dir.run("certify train.classes test.csv -q").fails();
    assert!(error.contains("its classes are hashed with a key, which is not given"), "{error}");

    // A set says as much about old puzzles as these do.
    dir.run("generate -q -n 40 --seed 5 --size 4x4 -o old.txt").ends(0);
    dir.run("classes old.txt -q --class-key key -o old.classes").ends(0);
    let made = |old: &str| dir.run(&format!("generate -q -n 5 --seed 6 --size 4x4 --not-in {old}")).ends(0);
    assert_eq!(made("old.classes --class-key key"), made("old.txt"));
    assert_ne!(made("old.txt"), dir.run("generate -q -n 5 --seed 6 --size 4x4").ends(0));
    let error = dir.run("generate -q -n 5 --class-key key").fails();
    assert!(error.contains("--not-in"), "{error}");
}

#[test]
fn a_check_that_is_not_made_is_a_failure() {
    let dir = sets();
    dir.run("generate -q -n 2 --seed 1 --size 16x16 --clues 140 --with-solution -o large.csv").ends(0);
    let test = dir.read("test.csv");
    let puzzles = test.lines().map(|line| line.split(',').next().unwrap().to_owned() + "\n");
    dir.write("puzzles.csv", puzzles.collect::<String>());
    dir.write("broken.csv", dir.read("train.csv") + "x,1\n").write("empty.csv", "puzzle,solution\n");
    for (sets, failure) in [
        ("train.csv puzzles.csv", "20 records: without an answer"),
        ("train.csv test.csv puzzles.csv", "20 records: without an answer"),
        ("train.csv puzzles.csv test.csv", "20 records: without an answer"),
        (
            "broken.csv test.csv",
            "1 of 31 records of broken.csv is malformed; it is on line 32: 1 cell; a puzzle has 16, 36, 64, 81, 100, 144, \
             256 or 625",
        ),
        ("train.csv large.csv", "classes of 16x16 are not computed"),
        ("train.csv empty.csv", "there is no puzzle"),
    ] {
        let page = dir.run(&format!("certify {sets} -q")).ends(1);
        assert!(page.starts_with("failed: ") && page.contains(&format!("failure: {failure}\n")), "{sets}: {page}");
    }
    let error = dir.run("certify empty.csv test.csv -q").fails();
    assert!(error.contains("empty.csv has no records"), "{error}");
}
