//! Writes sets of classes, and looks for leaks through them.

use super::TestDir;

/// Twenty puzzles of a hidden set, and a training set of others with some isomorphs of these.
fn planted(dir: &TestDir, size: &str, clues: u32) -> Vec<bool> {
    let made = |count: u32, seed: u32| format!("generate -q -n {count} --size {size} --clues {clues} --seed {seed}");
    dir.run(&format!("{} -o hidden.txt", made(20, 1))).ends(0);
    dir.run("augment -q hidden.txt --copies 1 --seed 4 --columns puzzle --no-header -o copies.csv").ends(0);
    let others = dir.run(&made(60, 2)).ends(0);
    let copies = dir.read("copies.csv");

    // Every fourth puzzle is a copy.
    let (mut lines, mut is_planted) = (vec![], vec![]);
    let mut copies = copies.lines();
    for (number, other) in others.lines().enumerate() {
        let copy = if number % 4 == 3 { copies.next() } else { None };
        lines.push(copy.unwrap_or(other).to_owned());
        is_planted.push(copy.is_some());
    }
    dir.write("train.txt", lines.join("\n") + "\n");
    is_planted
}

#[test]
fn planted_isomorphs_are_found_and_no_others() {
    let dir = TestDir::new();
    dir.write("key", [7; 32]).write("other", [8; 32]);
    let is_planted = planted(&dir, "9x9", 26);
    for (key, name) in [("", "plain.classes"), ("--class-key key", "keyed.classes")] {
        let result = dir.run(&format!("classes hidden.txt {key} -o {name}"));
        assert!(result.err.contains("20 classes of 20 records in "), "{}", result.err);
        result.ends(0);

        let check = format!("validate train.txt --against {name} {key} --fail-on leak --columns findings,detail");
        let result = dir.run(&format!("{check} --no-header"));
        let summary = "in the 20 classes of 1 set: 0 as they are, 15 as isomorphs, 0 by their solution only";
        assert!(result.err.contains(summary), "{}", result.err);
        let rows = result.ends(1);
        for (row, is_planted) in rows.lines().zip(&is_planted) {
            let leak = format!("leak-isomorph,leak: isomorph of a puzzle of {name}");
            assert_eq!(row, if *is_planted { leak } else { ",".to_owned() });
        }
    }

    // A set hides the order of its puzzles, and with a key does not depend on anything else.
    let again = dir.run("classes hidden.txt --class-key other -o other.classes -q");
    again.ends(0);
    assert_ne!(dir.read_bytes("other.classes"), dir.read_bytes("keyed.classes"));
    dir.run("classes hidden.txt --threads 1 --chunk 1 -q -o again.classes").ends(0);
    assert_eq!(dir.read_bytes("again.classes"), dir.read_bytes("plain.classes"));
}

#[test]
fn a_corpus_and_a_set_are_looked_into_together() {
    let dir = TestDir::new();
    planted(&dir, "9x9", 26);
    dir.run("classes hidden.txt -q -o hidden.classes").ends(0);
    let own = dir.run("validate train.txt --against hidden.classes hidden.txt --columns detail --no-header -q");
    let rows = own.ends(1);
    assert_eq!(rows.matches("isomorph of hidden.txt:").count(), 15, "a corpus says more: {rows}");
    dir.run("validate hidden.txt --against hidden.classes --fail-on leak -q -o rows").ends(1);
    dir.run("validate train.txt --against hidden.classes --resume -o resumed.csv -q").ends(1);
}

#[test]
fn a_set_that_cannot_be_used_is_no_pass() {
    let dir = TestDir::new();
    planted(&dir, "9x9", 26);
    dir.write("key", [7; 32]).write("other", [8; 32]).write("short", "abc").write("rubbish.txt", "x\ny\n");
    dir.run("classes hidden.txt --class-key key -q -o keyed.classes").ends(0);
    dir.run("classes hidden.txt -q -o plain.classes").ends(0);
    let mut damaged = dir.read_bytes("plain.classes");
    *damaged.last_mut().unwrap() ^= 1;
    dir.write("damaged.classes", damaged);
    // A key whose field has another name would be no key, and plain classes would not be found among hashed ones.
    let mut damaged = dir.read_bytes("keyed.classes");
    let name = damaged.windows(5).position(|name| name == b"\"key\"").unwrap();
    damaged[name + 3] ^= 1;
    dir.write("no-key.classes", damaged);
    for (options, message) in [
        ("--against keyed.classes", "keyed.classes: its classes are hashed with a key, which is not given"),
        ("--against keyed.classes --class-key other", "keyed.classes: its classes are hashed with another key"),
        ("--against plain.classes --class-key key", "its classes are not hashed with a key, but one is given"),
        ("--against damaged.classes", "damaged.classes: it is damaged"),
        ("--against no-key.classes", "no-key.classes: it is damaged"),
        ("--against no-key.classes --class-key key", "no-key.classes: it is damaged"),
        ("--against hidden.txt --class-key key", "--class-key is for sets of classes, and --against names none"),
        (
            "--against plain.classes --class-key short",
            "cannot use --class-key: short: a key needs at least 16 bytes, not 3",
        ),
        ("--against plain.classes --class-key missing", "cannot use --class-key: missing: "),
    ] {
        let error = dir.run(&format!("validate train.txt {options} -q")).fails();
        assert!(error.contains(message), "{options}: {error}");
    }
    let error = dir.run("classes rubbish.txt --from lines -q -o none.classes").fails();
    assert!(error.contains("the set would be incomplete: no record of rubbish.txt is a puzzle"), "{error}");
    let error = dir.run("classes hidden.txt -q -o hidden.txt").fails();
    assert!(error.contains("hidden.txt"), "{error}");

    // A set without classes would never show a leak.
    dir.run("generate -q -n 1 --size 16x16 --clues 140 -o large.txt").ends(0);
    dir.run("classes large.txt -q -o large.classes").ends(0);
    let error = dir.run("validate train.txt --against large.classes -q").fails();
    assert!(error.contains("large.classes: it has no classes, so that no leak could be found"), "{error}");
}

#[test]
fn a_key_is_not_overwritten() {
    let dir = TestDir::new();
    planted(&dir, "9x9", 26);
    dir.write("key", [7; 32]);
    dir.run("classes hidden.txt --class-key key -q -o keyed.classes").ends(0);
    let check = "validate train.txt --against keyed.classes --class-key key -q";
    for command in [
        "classes hidden.txt --class-key key -q -o key".to_owned(),
        "classes hidden.txt --class-key key -q -o other --summary key".to_owned(),
        format!("{check} -o key"),
        format!("{check} -o rows --accepts key"),
        format!("{check} -o rows --summary key"),
    ] {
        let error = dir.run(&command).fails();
        assert!(error.contains("key is an input, too"), "{command}: {error}");
        assert_eq!(dir.read_bytes("key"), [7; 32], "{command}");
    }
}

#[test]
fn a_set_may_be_compressed() {
    let dir = TestDir::new();
    planted(&dir, "9x9", 26);
    dir.run("classes hidden.txt -q -o plain.classes").ends(0);
    for name in ["a.classes.gz", "a.classes.zst"] {
        dir.run(&format!("classes hidden.txt -q -o {name}")).ends(0);
        assert_ne!(dir.read_bytes(name), dir.read_bytes("plain.classes"));
        let rows = dir.run(&format!("validate train.txt --against {name} --columns findings --no-header -q")).ends(1);
        assert_eq!(rows.matches("leak-isomorph").count(), 15, "{name}");
    }
}

#[test]
fn what_has_no_class_is_said() {
    let dir = TestDir::new();
    dir.run("generate -q -n 3 --size 16x16 --clues 140 -o large.txt").ends(0);
    dir.run("generate -q -n 4 --clues 30 -o nine.txt").ends(0);
    dir.write("in.txt", dir.read("nine.txt") + &dir.read("large.txt") + "rubbish\n");
    let result = dir.run("classes in.txt -o in.classes --summary summary.json --allow-malformed");
    assert!(result.err.contains("4 classes of 8 records in "), "{}", result.err);
    assert!(result.err.contains("3 puzzles without a class, which cannot be found through the set"), "{}", result.err);
    assert!(result.err.contains("1 record malformed"), "{}", result.err);
    result.ends(0);
    assert!(dir.read("summary.json").contains("\"without_class\": 3"), "{}", dir.read("summary.json"));
    let checked = dir.run("validate nine.txt --against in.classes -o rows --allow-malformed");
    for missing in ["3 puzzles of the sets' corpora cannot be found", "1 record of the sets' corpora cannot be found"] {
        assert!(checked.err.contains(missing), "{missing}: {}", checked.err);
    }
}
