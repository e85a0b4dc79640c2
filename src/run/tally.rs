//! Counts records and puzzles for each input of a run, to name the inputs in which no record is a puzzle.
//!
//! Such an input usually has another format, or is the wrong file. Every row of it says `malformed`, but a user may not
//! read the rows of a long run. Each worker counts what it parses. The counts are in checkpoints, for a run that is resumed.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, Shard};
use crate::format::Malformed;

/// The records of a run by their inputs.
#[derive(Debug, Default)]
pub(crate) struct InputTally {
    /// The names of all inputs of the run, in order.
    names: Vec<String>,
    shard: Option<Shard>,
    counts: Vec<InputCounts>,
}

/// The records of one input, or some of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct InputCounts {
    input: String,
    records: u64,
    malformed: u64,
    /// The line of the first malformed record, and what is wrong with it.
    first: Option<(u64, String)>,
}

/// A worker that counts the records that it parses.
pub(crate) trait Tallied {
    /// Moves its counts out of it.
    fn take_tally(&mut self) -> InputTally;
}

/// An input, or a shard of it, in which no record is a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPuzzle {
    /// The name of the input.
    pub input: String,
    /// The shard that was read.
    pub shard: Option<Shard>,
    /// The number of its records.
    pub records: u64,
    /// The line of the first record, and what is wrong with it; `None` if there is no record.
    pub first: Option<(u64, String)>,
}

impl InputTally {
    /// The tally of a run on a corpus, before its first record.
    pub(crate) fn new(corpus: &Corpus) -> InputTally {
        let names = corpus.origins().iter().map(ToString::to_string).collect();
        InputTally { names, shard: corpus.selected_shard(), counts: vec![] }
    }

    /// Counts records of an input, of which some are malformed: for these, their lines and the reasons.
    pub(crate) fn add(&mut self, input: &str, records: usize, malformed: impl IntoIterator<Item = (u64, Malformed)>) {
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

    /// Adds the counts of other records: of later ones, if they are of the same input.
    pub(crate) fn merge(&mut self, other: InputTally) {
        self.append(other.counts);
    }

    /// Adds such counts.
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

    /// The counts, to be saved.
    pub(crate) fn counts(&self) -> &[InputCounts] {
        &self.counts
    }

    /// The inputs in which no record is a puzzle, in order. A shard may have no records of an input.
    pub(crate) fn without_puzzle(&self) -> Vec<NoPuzzle> {
        // An input that is read twice has its records twice.
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
        let others = self.names.iter().map(String::as_str).filter(|&name| seen.insert(name));
        let found = others.map(|name| by_name.remove(name).unwrap_or_else(|| self.no_puzzle(name)));
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
