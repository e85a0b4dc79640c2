//! Counts records and puzzles of each input of a run, to report inputs without a puzzle.
//!
//! Such an input usually has a different format, or is the wrong file. All its rows are `malformed`, but a user may not
//! read the rows of a long run. Each worker counts the records that it parses. Checkpoints save the counts for a run
//! that is resumed.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, Shard};
use crate::format::Malformed;

/// The numbers of records of a run, by input.
#[derive(Debug, Default)]
pub(crate) struct InputTally {
    /// The names of all inputs of the run, in order.
    names: Vec<String>,
    shard: Option<Shard>,
    counts: Vec<InputCounts>,
}

/// The numbers of records of one input, or of a part of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct InputCounts {
    input: String,
    records: u64,
    malformed: u64,
    /// The line of the first malformed record, and its fault.
    first: Option<(u64, String)>,
}

/// A worker that counts the records that it parses.
pub(crate) trait Tallied {
    /// Moves the counts out of the worker.
    fn take_tally(&mut self) -> InputTally;
}

/// An input, or a shard of it, without a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPuzzle {
    /// The name of the input.
    pub input: String,
    /// The shard that was read.
    pub shard: Option<Shard>,
    /// The number of its records.
    pub records: u64,
    /// The line of the first record, and its fault; `None` if there is no record.
    pub first: Option<(u64, String)>,
}

impl InputTally {
    /// The tally of a run on a corpus, before its first record.
    pub(crate) fn new(corpus: &Corpus) -> InputTally {
        let names = corpus.origins().iter().map(ToString::to_string).collect();
        InputTally { names, shard: corpus.selected_shard(), counts: vec![] }
    }

    /// Adds records of an input. `malformed` has the lines and faults of the malformed ones.
    pub(crate) fn add(&mut self, input: &str, records: usize, malformed: impl IntoIterator<Item = (u64, Malformed)>) {
        // The chunks of an input come one after another, so only the last entry can be of this input.
        if self.counts.last().is_none_or(|counts| counts.input != input) {
            self.counts.push(InputCounts { input: input.to_owned(), records: 0, malformed: 0, first: None });
        }
        let counts = self.counts.last_mut().expect("it was pushed");
        counts.records += records as u64;
        for (line, reason) in malformed {
            counts.malformed += 1;
            counts.first.get_or_insert_with(|| (line, reason.to_string()));
        }
    }

    /// Adds the counts of further records. If both have records of the same input, `other` has the later ones.
    pub(crate) fn merge(&mut self, other: InputTally) {
        self.append(other.counts);
    }

    /// Adds saved counts.
    pub(crate) fn append(&mut self, others: Vec<InputCounts>) {
        for other in others {
            match self.counts.last_mut().filter(|counts| counts.input == other.input) {
                Some(counts) => {
                    counts.records += other.records;
                    counts.malformed += other.malformed;
                    counts.first = earlier(counts.first.take(), other.first);
                }
                None => self.counts.push(other),
            }
        }
    }

    /// The counts, for saving.
    pub(crate) fn counts(&self) -> &[InputCounts] {
        &self.counts
    }

    /// The inputs without a puzzle, in order. A shard may have no records of an input.
    pub(crate) fn without_puzzle(&self) -> Vec<NoPuzzle> {
        // Add up by name: an input that is named twice is read twice.
        let mut by_name: HashMap<&str, NoPuzzle> = HashMap::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for counts in &self.counts {
            let name = &*counts.input;
            let sum = by_name.entry(name).or_insert_with(|| self.no_puzzle(name));
            sum.records += counts.records;
            sum.first = earlier(sum.first.take(), counts.first.clone());
            if counts.malformed < counts.records {
                seen.insert(name);
            }
        }
        // Inputs with a puzzle are in `seen`. Each other name enters it the first time, so it comes once.
        let others = self.names.iter().map(String::as_str).filter(|&name| seen.insert(name));
        let found = others.map(|name| by_name.remove(name).unwrap_or_else(|| self.no_puzzle(name)));
        // An input without records is suspicious, unless its records are in other shards.
        found.filter(|found| found.records > 0 || self.shard.is_none()).collect()
    }

    /// Whether any record is a puzzle.
    pub(crate) fn has_puzzle(&self) -> bool {
        self.counts.iter().any(|counts| counts.malformed < counts.records)
    }

    fn no_puzzle(&self, name: &str) -> NoPuzzle {
        NoPuzzle { input: name.to_owned(), shard: self.shard, records: 0, first: None }
    }
}

/// The first of two malformed records.
fn earlier(one: Option<(u64, String)>, other: Option<(u64, String)>) -> Option<(u64, String)> {
    [one, other].into_iter().flatten().min_by_key(|&(line, _)| line)
}

/// `no record of in.txt is a puzzle: 12 records, all malformed; the first, on line 1: 80 cells; a puzzle has ...`
impl fmt::Display for NoPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoPuzzle { input, records, .. } = self;
        let Some((line, reason)) = &self.first else { return write!(f, "{input} has no records") };
        write!(f, "no record of {input} ")?;
        if let Some(shard) = self.shard {
            write!(f, "in shard {shard} ")?;
        }
        match records {
            1 => write!(f, "is a puzzle: 1 record, malformed; it is on line {line}: {reason}"),
            _ => write!(f, "is a puzzle: {records} records, all malformed; the first, on line {line}: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(names: &[&str], shard: Option<Shard>) -> InputTally {
        InputTally { names: names.iter().map(ToString::to_string).collect(), shard, counts: vec![] }
    }

    fn found(tally: &InputTally) -> Vec<String> {
        tally.without_puzzle().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn inputs_without_a_puzzle_are_named_in_order() {
        let reason = |cells| Malformed::CellCount { cells };
        let [mut first, mut second] = [tally(&["empty", "one", "bad", "good", "bad"], None), InputTally::default()];
        first.add("good", 2, [(1, reason(1))]);
        first.add("bad", 2, [(8, reason(8)), (9, reason(9))]);
        second.add("bad", 1, [(3, reason(3))]);
        second.add("bad", 1, [(4, reason(4))]);
        second.add("good", 1, [(7, reason(7))]);
        second.add("one", 1, [(5, reason(5))]);
        first.merge(second);
        assert!(first.has_puzzle());
        assert_eq!(
            found(&first),
            [
                "empty has no records",
                "no record of one is a puzzle: 1 record, malformed; it is on line 5: 5 cells; a puzzle has 16, 36, 64, 81, 100, 144, 256 \
                 or 625",
                "no record of bad is a puzzle: 4 records, all malformed; the first, on line 3: 3 cells; a puzzle has \
                 16, 36, 64, 81, 100, 144, 256 or 625",
            ]
        );
    }

    #[test]
    fn a_shard_may_have_no_records() {
        let mut tally = tally(&["a", "b"], Shard::new(2, 3));
        tally.add("b", 2, [(1, Malformed::MissingOrder), (2, Malformed::MissingOrder)]);
        assert!(!tally.has_puzzle());
        let words = "no record of b in shard 2/3 is a puzzle: 2 records, all malformed; the first, on line 1: no order \
                     from 2 to 5, such as 3 or 2x3, in front of the cells";
        assert_eq!(found(&tally), [words]);
    }
}
