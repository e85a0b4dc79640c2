//! Shards: parts of a corpus that several machines work on, and what becomes of their outputs.
//!
//! Records are dealt in blocks, round and round, over all inputs together:
//!
//! ```text
//! records   0 .. 4095 | 4096 .. 8191 | 8192 .. 12287 | 12288 .. 16383 | ...
//! of shard     1/3         2/3            3/3              1/3
//! ```
//!
//! So a shard is known by its name alone, without counting the records first, and hard stretches of a corpus are spread
//! over all shards. The [`Corpus`](crate::corpus::Corpus) deals while it reads; nobody behind it knows of shards.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How many records are dealt at a time.
pub const BLOCK: u64 = 4096;

/// The most shards that a corpus can be dealt to.
const MOST: u32 = 1 << 20;

/// One of the parts of a corpus: shard K of N, written `K/N`, with K from 1 to N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    /// K - 1.
    index: u32,
    /// N.
    count: u32,
}

impl Shard {
    /// The only shard of a corpus that is not dealt at all.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Shard `number` of `count`, counted from 1; `None` if there is no such shard.
    pub const fn new(number: u32, count: u32) -> Option<Shard> {
        if number >= 1 && number <= count && count <= MOST { Some(Shard { index: number - 1, count }) } else { None }
    }

    /// Which of the shards it is, from 1.
    pub const fn number(self) -> u32 {
        self.index + 1
    }

    /// How many shards there are.
    pub const fn count(self) -> u32 {
        self.count
    }

    /// How many of the first `records` records of a corpus are in this shard.
    pub const fn share(self, records: u64) -> u64 {
        let (index, count) = (self.index as u64, self.count as u64);
        let round = count * BLOCK;
        let begun = (records % round).saturating_sub(index * BLOCK);
        records / round * BLOCK + if begun < BLOCK { begun } else { BLOCK }
    }
}

/// `2/8`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number(), self.count)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Shard, ShardError> {
        text.parse()
    }
}

/// A text that names no shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// It is not of the form `K/N`.
    #[error("a shard is written K/N, such as 2/8")]
    Form,
    /// N is zero or too large.
    #[error("there have to be from 1 to {MOST} shards")]
    Count,
    /// K is not from 1 to N.
    #[error("shards are counted from 1 to {count}; there is no shard {number}")]
    Number {
        /// K.
        number: u32,
        /// N.
        count: u32,
    },
}

/// Reads `K/N`.
impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let (number, count) = text.split_once('/').ok_or(ShardError::Form)?;
        // A sign is no part of it, though numbers in general may have one.
        let whole = |text: &str| text.parse().ok().filter(|_| !text.starts_with('+')).ok_or(ShardError::Form);
        let (number, count): (u32, u32) = (whole(number)?, whole(count)?);
        if !(1..=MOST).contains(&count) {
            return Err(ShardError::Count);
        }
        Shard::new(number, count).ok_or(ShardError::Number { number, count })
    }
}

/// Where the dealing of a corpus to one shard has come to.
#[derive(Clone, Debug)]
pub(crate) struct ShardCursor {
    shard: Shard,
    /// How many records have been dealt, to any shard.
    dealt: u64,
}

/// Whose records come next, and how many of them before it is another's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardTurn {
    Ours(u64),
    Others(u64),
}

impl ShardCursor {
    /// The dealing to a shard, from the first record on.
    pub(crate) fn to(shard: Shard) -> ShardCursor {
        ShardCursor { shard, dealt: 0 }
    }

    pub(crate) fn turn(&self) -> ShardTurn {
        let Shard { index, count } = self.shard;
        if count == 1 {
            return ShardTurn::Ours(u64::MAX);
        }
        let round = u64::from(count) * BLOCK;
        let (place, start) = (self.dealt % round, u64::from(index) * BLOCK);
        match place {
            place if place < start => ShardTurn::Others(start - place),
            place if place < start + BLOCK => ShardTurn::Ours(start + BLOCK - place),
            place => ShardTurn::Others(round - place + start),
        }
    }

    /// Notes that so many records have been dealt.
    pub(crate) fn advance(&mut self, records: u64) {
        self.dealt += records;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn shards_are_read_as_they_are_printed() {
        for text in ["1/1", "2/8", "8/8", "1048576/1048576"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for (text, reason) in [
            ("", "a shard is written K/N, such as 2/8"),
            ("3", "a shard is written K/N, such as 2/8"),
            ("1/2/3", "a shard is written K/N, such as 2/8"),
            ("+1/2", "a shard is written K/N, such as 2/8"),
            ("a/2", "a shard is written K/N, such as 2/8"),
            ("/", "a shard is written K/N, such as 2/8"),
            ("1/0", "there have to be from 1 to 1048576 shards"),
            ("0/2", "shards are counted from 1 to 2; there is no shard 0"),
            ("3/2", "shards are counted from 1 to 2; there is no shard 3"),
        ] {
            assert_eq!(text.parse::<Shard>().unwrap_err().to_string(), reason, "{text}");
        }
    }

    proptest! {
        /// By the rule read aloud: block `b` belongs to the shard with index `b` modulo `N`.
        #[test]
        fn blocks_are_dealt_round_and_round(count in 1..6_u32, pick in 0..6_u32, steps in proptest::collection::vec(1..9000_u64, 1..30)) {
            let shard = Shard { index: pick % count, count };
            let ours = |record: u64| record / BLOCK % u64::from(count) == u64::from(shard.index);
            let mut deal = ShardCursor::to(shard);
            let (mut next, mut share) = (0, 0);
            for step in steps {
                let (left, turn) = match deal.turn() {
                    ShardTurn::Ours(left) => (left, true),
                    ShardTurn::Others(left) => (left, false),
                };
                let step = step.min(left);
                prop_assert!((next..next + step).all(|record| ours(record) == turn));
                prop_assert!(count == 1 || ours(next + left) != turn);
                share += if turn { step } else { 0 };
                next += step;
                deal.advance(step);
                prop_assert_eq!(shard.share(next), share);
            }
        }
    }
}
