//! The commands beside `solve`.

use crate::Place;

#[test]
fn generated_puzzles_are_unique_and_the_same_for_any_number_of_threads() {
    let place = Place::new();
    let one = place.run("generate -n 300 --seed 7 --clues 30 --threads 1").ends(0);
    assert_eq!(one.lines().count(), 300);
    assert!(one.lines().all(|puzzle| puzzle.len() == 81 && puzzle.matches('.').count() == 51));
    assert_eq!(place.run("generate -n 300 --seed 7 --clues 30 --threads 8").ends(0), one);
    // A longer run starts with the shorter one.
    assert!(place.run("generate -n 310 --seed 7 --clues 30").ends(0).starts_with(&one));
    assert_ne!(place.run("generate -n 300 --seed 8 --clues 30").ends(0), one);
    place.run_on(one, "solve -q --strict").ends(0);
}

#[test]
fn minimal_puzzles_of_every_size_come_with_their_solutions() {
    let place = Place::new();
    for (options, side) in [("--order 2 -n 20", 4), ("-n 20 --minimal", 9), ("--order 4 -n 2 --clues 130", 16)] {
        place.run(&format!("generate {options} --with-solution -o corpus.csv")).ends(0);
        let corpus = place.read("corpus.csv");
        assert!(corpus.starts_with("puzzle,solution\n"));
        let rows = place.run("solve -q --strict corpus.csv --columns solution --keep solution --no-header").ends(0);
        for row in rows.lines() {
            let (ours, theirs) = row.split_once(',').unwrap();
            assert_eq!((ours, ours.len()), (theirs, side * side));
        }
    }
}

#[test]
fn what_cannot_be_generated_is_an_error() {
    let place = Place::new();
    for arguments in ["generate -n 1 --clues 16", "generate -n 1 --clues 82", "generate -n 1 --order 2 --clues 3"] {
        let error = place.run(arguments).fails();
        assert!(error.contains("clues"), "{error}");
    }
}

#[test]
fn formats_are_listed_with_examples() {
    let page = Place::new().run("formats").ends(0);
    for name in ["lines:", "grids:", "ints:", "csv:", "jsonl:", "listing:"] {
        assert!(page.contains(name), "{name}");
    }
}

#[test]
fn completions_and_the_manual_page_know_every_option() {
    let place = Place::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.run(&format!("completions {shell}")).ends(0);
        assert!(script.contains("puzzle-column") && script.contains("with-solution"), "{shell}");
    }
    let page = place.run("man").ends(0);
    assert!(page.contains(".TH gridmill 1") && page.contains("puzzle\\-column") && page.contains("with\\-solution"));
}

#[test]
fn help_fits_on_a_page() {
    let place = Place::new();
    let help = place.run("solve -h").ends(0);
    assert!(help.lines().count() < 60 && help.lines().all(|line| line.chars().count() <= 110), "{help}");
    assert_eq!(place.run("--version").ends(0), format!("gridmill {}\n", env!("CARGO_PKG_VERSION")));
}
