//! Shards: disjoint parts of a corpus that separate runs, for instance on several machines, can process.
//!
//! Blocks of records are assigned to the shards in turn, counting over all inputs:
//!
//! ```text
//! records   0 .. 4095 | 4096 .. 8191 | 8192 .. 12287 | 12288 .. 16383 | ...
//! of shard     1/3         2/3            3/3              1/3
//! ```
//!
//! So the records of a shard are determined by its name, without counting all records first, and hard parts of a corpus
//! are spread over all shards. The [`Corpus`](crate::corpus::Corpus) reads one shard and skips the rest; the other code
//! does not know about shards.

use std::fmt;
use std::str::FromStr;

use crate::options::ParseError;

/// The number of consecutive records that are assigned to a shard at a time.
pub(crate) const BLOCK: u64 = 4096;

/// The largest number of shards.
const MAX_SHARDS: u32 = 1 << 20;

/// One of the parts of a corpus: shard K of N, written `K/N`, with K from 1 to N.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard {
    /// K - 1.
    index: u32,
    /// N.
    count: u32,
}

impl Shard {
    /// The complete corpus, as its only shard.
    pub const ONLY: Shard = Shard { index: 0, count: 1 };

    /// Shard `number` of `count`; `None` unless `number` is from 1 to `count`.
    pub const fn new(number: u32, count: u32) -> Option<Shard> {
        if number >= 1 && number <= count && count <= MAX_SHARDS {
            Some(Shard { index: number - 1, count })
        } else {
            None
        }
    }

    /// The number of the shard, from 1.
    pub const fn number(self) -> u32 {
        self.index + 1
    }

    /// The number of shards.
    pub const fn count(self) -> u32 {
        self.count
    }

    /// The number of records of this shard among the first `records` records of a corpus.
    pub const fn share(self, records: u64) -> u64 {
        let (index, count) = (self.index as u64, self.count as u64);
        // Each round gives every shard a block. In the last round, only some shards get one, or a part of one.
        let round = count * BLOCK;
        let after_start = (records % round).saturating_sub(index * BLOCK);
        records / round * BLOCK + if after_start < BLOCK { after_start } else { BLOCK }
    }
}

/// `2/8`.
impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number(), self.count)
    }
}

as_text!(Shard);

/// Reads `K/N`.
impl FromStr for Shard {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Shard, ParseError> {
        // `parse` accepts a plus sign, which is not part of the notation.
        let parse = |text: &str| text.parse::<u32>().ok().filter(|_| !text.starts_with('+'));
        let numbers = text.split_once('/').and_then(|(number, count)| parse(number).zip(parse(count)));
        let (number, count) = numbers.ok_or_else(|| ParseError::new("a shard is written K/N, such as 2/8"))?;
        if !(1..=MAX_SHARDS).contains(&count) {
            return Err(ParseError::new(format!("there have to be from 1 to {MAX_SHARDS} shards")));
        }
        Shard::new(number, count)
            .ok_or_else(|| ParseError::new(format!("shards are counted from 1 to {count}; there is no shard {number}")))
    }
}

/// The position in a corpus, for finding the records of one shard.
#[derive(Clone, Debug)]
pub(crate) struct ShardCursor {
    shard: Shard,
    /// The index of the next record in the corpus.
    next: u64,
    /// A span of records of the shard ends at each multiple of this number.
    block: u64,
}

/// A run of consecutive records that either all belong to a shard or all do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShardSpan {
    /// This number of records, which belong to the shard.
    Owned(u64),
    /// This number of records, which belong to other shards.
    Skipped(u64),
}

impl ShardCursor {
    /// A cursor at the first record of a corpus.
    pub(crate) fn new(shard: Shard) -> ShardCursor {
        ShardCursor { shard, next: 0, block: u64::MAX }
    }

    /// The same, with spans that end at each multiple of `block`, which divides [`BLOCK`].
    pub(crate) fn in_blocks(self, block: u64) -> ShardCursor {
        ShardCursor { block, ..self }
    }

    /// The longest span that starts at the next record.
    pub(crate) fn span(&self) -> ShardSpan {
        let Shard { index, count } = self.shard;
        let left_of_block = self.block - self.next % self.block;
        if count == 1 {
            return ShardSpan::Owned(left_of_block);
        }
        let round = u64::from(count) * BLOCK;
        let (offset, start) = (self.next % round, u64::from(index) * BLOCK);
        match offset {
            offset if offset < start => ShardSpan::Skipped(start - offset),
            offset if offset < start + BLOCK => ShardSpan::Owned(left_of_block.min(start + BLOCK - offset)),
            offset => ShardSpan::Skipped(round - offset + start),
        }
    }

    /// Advances by `records` records.
    pub(crate) fn advance(&mut self, records: u64) {
        self.next += records;
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
        /// Block `b` belongs to the shard with index `b` modulo `N`.
        #[test]
        fn blocks_are_assigned_in_turn(count in 1..6_u32, pick in 0..6_u32, steps in proptest::collection::vec(1..9000_u64, 1..30)) {
            let shard = Shard { index: pick % count, count };
            let is_owned = |record: u64| record / BLOCK % u64::from(count) == u64::from(shard.index);
            let mut cursor = ShardCursor::new(shard);
            let (mut next, mut share) = (0, 0);
            for step in steps {
                let (left, owned) = match cursor.span() {
                    ShardSpan::Owned(left) => (left, true),
                    ShardSpan::Skipped(left) => (left, false),
                };
                let step = step.min(left);
                prop_assert!((next..next + step).all(|record| is_owned(record) == owned));
                prop_assert!(count == 1 || is_owned(next + left) != owned);
                let blocks = cursor.clone().in_blocks(64);
                prop_assert!(!owned || blocks.span() == ShardSpan::Owned(64 - next % 64));
                share += if owned { step } else { 0 };
                next += step;
                cursor.advance(step);
                prop_assert_eq!(shard.share(next), share);
            }
        }
    }
}
