//! Counts records and puzzles of each input of a run, to report inputs without a puzzle.
//!
//! Such an input usually has a different format, or is the wrong file. All its rows are `malformed`, but a user may not
//! read the rows of a long run. Each worker counts the records that it parses. Checkpoints save the counts for a run
//! that is resumed.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, Origin, Shard};
use crate::format::{InputFormat, Malformed};
use crate::options::{Counted, OptionError};

/// The numbers of records of a run, by input.
#[derive(Debug, Default)]
pub(crate) struct InputTally {
    /// The names of all inputs of the run, in order.
    names: Vec<String>,
    shard: Option<Shard>,
    /// Whether no option names the format.
    is_guessed: bool,
    counts: Vec<InputCounts>,
}

/// The numbers of records of one input, or of a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputCounts {
    /// The name of the input, and the shard that was read.
    pub input: String,
    /// The number of its records.
    pub records: u64,
    /// The number of malformed ones among them.
    pub malformed: u64,
    /// The line of the first malformed record, and its fault.
    pub first: Option<(u64, String)>,
    /// The format, if it was guessed and no record confirms the guess.
    pub guess: Option<InputFormat>,
}

/// A worker that counts the records that it parses.
pub(crate) trait Tallied {
    /// Moves the counts out of the worker.
    fn take_tally(&mut self) -> InputTally;
}

impl InputTally {
    /// The tally of a run on a corpus, before its first record.
    pub(crate) fn new(corpus: &Corpus) -> InputTally {
        let origins = corpus.origins();
        let names = origins.iter().map(ToString::to_string).collect();
        let is_guessed = corpus.options().format.is_none() && !origins.contains(&Origin::Memory);
        InputTally { names, shard: corpus.selected_shard(), is_guessed, counts: vec![] }
    }

    /// Adds records of an input. `malformed` has the lines and faults of the malformed ones.
    pub(crate) fn add(
        &mut self,
        input: &str,
        format: InputFormat,
        records: usize,
        malformed: impl IntoIterator<Item = (u64, Malformed)>,
    ) {
        // The chunks of an input come one after another, so only the last entry can be of this input.
        if self.counts.last().is_none_or(|counts| counts.input != input) {
            self.counts.push(InputCounts { guess: Some(format), ..InputCounts::new(input, 0, 0) });
        }
        let counts = self.counts.last_mut().expect("it was pushed");
        counts.records += records as u64;
        for (line, reason) in malformed {
            counts.malformed += 1;
            counts.first.get_or_insert_with(|| (line, reason.to_string()));
            // It was read, though not for this job.
            if reason == Malformed::Pencilmarks {
                counts.guess = None;
            }
        }
        counts.guess = counts.guess.filter(|_| !counts.has_puzzle());
    }

    /// Adds the counts of further records. If both have records of the same input, `other` has the later ones.
    pub(crate) fn merge(&mut self, other: InputTally) {
        self.append(other.counts);
    }

    /// Adds saved counts.
    pub(crate) fn append(&mut self, others: Vec<InputCounts>) {
        for other in others {
            match self.counts.last_mut().filter(|counts| counts.input == other.input) {
                Some(counts) => counts.add(other),
                None => self.counts.push(other),
            }
        }
    }

    /// The counts, for saving.
    pub(crate) fn counts(&self) -> &[InputCounts] {
        &self.counts
    }

    /// The inputs, in order, each name once.
    pub(crate) fn by_input(&self) -> Vec<InputCounts> {
        // Add up by name: an input that is named twice is read twice.
        let mut by_name: HashMap<&str, InputCounts> = HashMap::new();
        for counts in &self.counts {
            let sum = by_name.entry(&counts.input);
            sum.and_modify(|sum| sum.add(counts.clone())).or_insert_with(|| counts.clone());
        }

        let mut seen = HashSet::new();
        let names = self.names.iter().map(String::as_str).filter(|&name| seen.insert(name));
        let counted = names.map(|name| by_name.remove(name).unwrap_or_else(|| InputCounts::new(name, 0, 0)));
        let shard = self.shard.map(|shard| format!(" in shard {shard}")).unwrap_or_default();
        let of_run = |InputCounts { input, guess, .. }: &mut InputCounts| {
            input.push_str(&shard);
            guess.take_if(|_| !self.is_guessed);
        };
        let mut inputs: Vec<InputCounts> = counted.collect();
        inputs.iter_mut().for_each(of_run);
        inputs
    }

    /// The inputs without a puzzle, in order. A shard may have no records of an input.
    pub(crate) fn without_puzzle(&self) -> impl Iterator<Item = InputCounts> {
        // An input without records is suspicious, unless its records are in other shards.
        let inputs = self.by_input().into_iter().filter(|input| !input.has_puzzle());
        inputs.filter(|input| input.records > 0 || self.shard.is_none())
    }
}

impl InputCounts {
    /// An input with these numbers of records, and of malformed ones.
    pub(crate) fn new(input: &str, records: u64, malformed: u64) -> InputCounts {
        InputCounts { input: input.to_owned(), records, malformed, first: None, guess: None }
    }

    /// Adds further records of the same input.
    fn add(&mut self, other: InputCounts) {
        self.records += other.records;
        self.malformed += other.malformed;
        self.first = [self.first.take(), other.first].into_iter().flatten().min_by_key(|&(line, _)| line);
        self.guess = self.guess.and(other.guess);
    }

    /// Whether any record is a puzzle.
    pub(crate) fn has_puzzle(&self) -> bool {
        self.malformed < self.records
    }

    /// The sentence about its malformed records, with the option that names another guess.
    pub fn error(&self) -> OptionError {
        let remedy = match self.guess {
            None => "",
            Some(InputFormat::Csv | InputFormat::Jsonl) => {
                "; name another format with `from`, or another column with `puzzle-column`"
            }
            Some(format) if format.is_typed() => "; name another column with `puzzle-column`",
            Some(_) => "; name another format with `from`",
        };
        OptionError::new(format!("{self}{remedy}"))
    }
}

/// `no record of in.txt is a puzzle: 12 records, all malformed; the first, on line 1: 80 cells; a puzzle has ...`
impl fmt::Display for InputCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let InputCounts { input, records, malformed, .. } = self;
        if *records == 0 {
            return write!(f, "{input} has no records");
        }
        let (counted, all) = (Counted(*records, "record"), if *records == 1 { "" } else { "all " });
        let (are, it) = if *malformed == 1 { ("is", "it is") } else { ("are", "the first,") };
        match self.guess {
            _ if self.has_puzzle() => write!(f, "{malformed} of {counted} of {input} {are} malformed")?,
            None => write!(f, "no record of {input} is a puzzle: {counted}, {all}malformed")?,
            Some(format) => {
                let from = if format.is_typed() { "" } else { " (guessed from its first 64 KiB)" };
                write!(f, "{input}: read as {format}{from}, and none of its {counted} is a puzzle")?;
            }
        }
        let Some((line, reason)) = &self.first else { return Ok(()) };
        write!(f, "; {it} on line {line}: {reason}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(names: &[&str], shard: Option<Shard>) -> InputTally {
        let names = names.iter().map(ToString::to_string).collect();
        InputTally { names, shard, is_guessed: true, counts: vec![] }
    }

    fn found(tally: &InputTally) -> Vec<String> {
        tally.without_puzzle().map(|input| input.to_string()).collect()
    }

    #[test]
    fn inputs_without_a_puzzle_are_named_in_order() {
        let add = |tally: &mut InputTally, input, records, malformed: &[(u64, Malformed)]| {
            tally.add(input, InputFormat::Lines, records, malformed.iter().copied());
        };
        let reason = |cells| Malformed::CellCount { cells };
        let names = ["empty", "one", "bad", "good", "marks", "bad"];
        let [mut first, mut second] = [tally(&names, None), InputTally::default()];
        add(&mut first, "good", 2, &[(1, reason(1))]);
        add(&mut first, "bad", 2, &[(8, reason(8)), (9, reason(9))]);
        add(&mut second, "bad", 1, &[(3, reason(3))]);
        add(&mut second, "bad", 1, &[(4, reason(4))]);
        add(&mut second, "good", 1, &[(7, reason(7))]);
        add(&mut second, "one", 1, &[(5, reason(5))]);
        // Pencilmark puzzles that a job does not take confirm the format.
        add(&mut second, "marks", 2, &[(1, reason(1)), (2, Malformed::Pencilmarks)]);
        first.merge(second);
        let cells = "cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625";
        let guess = "read as lines (guessed from its first 64 KiB), and none of its";
        let marks = "no record of marks is a puzzle: 2 records, all malformed; the first, on line 1: 1 cell";
        assert_eq!(
            found(&first),
            [
                "empty has no records".to_owned(),
                format!("one: {guess} 1 record is a puzzle; it is on line 5: 5 {cells}"),
                format!("bad: {guess} 4 records is a puzzle; the first, on line 3: 3 {cells}"),
                marks.to_owned() + cells.trim_start_matches("cells"),
            ]
        );
        let good = first.by_input().into_iter().find(|input| input.input == "good").unwrap();
        assert_eq!(
            good.to_string(),
            format!(
                "2 of 3 records of good are malformed; the first, on line 1: 1 {}",
                &cells.replacen("cells", "cell", 1)
            )
        );
        first.is_guessed = false;
        assert!(found(&first)[1].starts_with("no record of one is a puzzle: 1 record, malformed; it is on line 5: "));
    }

    #[test]
    fn a_shard_may_have_no_records() {
        let mut tally = tally(&["a", "b"], Shard::new(2, 3));
        tally.is_guessed = false;
        tally.add("b", InputFormat::Lines, 2, [(1, Malformed::MissingOrder), (2, Malformed::MissingOrder)]);
        let words = "no record of b in shard 2/3 is a puzzle: 2 records, all malformed; the first, on line 1: no order \
                     from 2 to 5, such as 3 or 2x3, in front of the cells";
        assert_eq!(found(&tally), [words]);
    }
}
