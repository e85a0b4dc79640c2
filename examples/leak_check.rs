//! Finds puzzles of a test set that are in the training set as well, perhaps with other digits, rows or columns.
//!
//! It reads two files with a puzzle in each line. Isomorphs share a class, so a table of the classes of one file is
//! enough. For files of millions, `gridmill validate TEST --against TRAIN --isomorphs` does the same with all threads.
//!
//! ```console
//! $ cargo run --example leak_check -- data/minimal.txt data/easy.txt
//! ```

use std::collections::HashMap;
use std::error::Error;
use std::{env, fs};

use gridmill::class;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = env::args().skip(1).collect();
    let [train, test] = &*paths else { return Err("give two files: the training set and the test set".into()) };

    let leaks = leaks(&fs::read_to_string(train)?, &fs::read_to_string(test)?)?;
    for (test_line, train_line) in &leaks {
        println!("{test}:{test_line} is an isomorph of {train}:{train_line}");
    }
    println!("{} leaks", leaks.len());
    Ok(())
}

/// The lines of `test` with a puzzle that has an isomorph in `train`, each with the line of the first one there.
pub(crate) fn leaks(train: &str, test: &str) -> Result<Vec<(usize, usize)>, Box<dyn Error>> {
    let mut known = HashMap::new();
    for (line, text) in (1..).zip(train.lines()) {
        known.entry(class(text)?).or_insert(line);
    }

    let mut leaks = vec![];
    for (line, text) in (1..).zip(test.lines()) {
        if let Some(&train_line) = known.get(&class(text)?) {
            leaks.push((line, train_line));
        }
    }
    Ok(leaks)
}
