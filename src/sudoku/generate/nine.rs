//! Draws 9x9 grids: all 6,670,903,752,021,072,936,960 with exactly the same probability, by rejection.
//!
//! A *split* puts the nine digits into three sets of three: the digits of a box by column, or by row. Splits of columns and
//! rows of a box *cross*: a set of one and a set of the other have one digit in common, which is the cell's. The boxes of a
//! band have a *trio* of splits by row: their sets number i hold all digits, because they are row i of the band. The boxes
//! of a stack have a trio of splits by column. So a grid is three trios by row and three by column that cross in each box.
//! Each split begins 56 trios, 36 splits cross it.
//!
//! ```text
//!     draw   trio by column   trio by column   trio by column     top boxes: the first split, in the first stack,
//!     ------------------------------------------------------     and any splits in the other stacks
//!     count  trios by row that cross them in the middle band
//!     count  trios by row that cross them in the bottom band     keep in proportion to the product; draw the rows
//! ```
//!
//! The number of trios by row that cross the splits of three boxes is at most 288, and 33 on average. A bound that depends on
//! two of the boxes is much tighter. So the first two stacks are drawn in proportion to the product of the bounds of their
//! bands, from a table; then the last stack is drawn, and 27 % of the draws are kept. The rows of the top band are drawn
//! with the last box. Names of digits and orders of columns, rows and stacks are those of the table: the caller's random
//! isomorphism makes all of them equally likely.

use std::array;
use std::sync::{LazyLock, OnceLock};

use rand_xoshiro::rand_core::Rng;

use crate::puzzle::Grid;
use crate::puzzle::random::{below, below_u64};

/// Three sets of three digits, as bits.
type Split = [u16; 3];

/// The number of a split, below [`SPLITS`].
type SplitNumber = u16;

/// The first split has the digits 1 to 3, 4 to 6 and 7 to 9.
const SPLITS: usize = 280;

/// The number of low bits that do not matter to the guide: it has some 14,000 entries.
const GUIDE_SHIFT: u32 = 26;

/// The smallest number that keeps the [keys](split_key) of all splits apart.
const SPLIT_KEYS: u64 = 7333;

const ALL_DIGITS: u16 = (1 << 9) - 1;

/// The number of orders of the rows of a band.
const ROW_ORDERS: u64 = 6;

/// Three splits whose sets at the same place have different digits.
#[derive(Clone, Copy, Debug, Default)]
struct Trio {
    splits: [Split; 3],
    numbers: [SplitNumber; 3],
}

/// The number of a trio: those that a split begins are [`TRIOS`] in a row.
type TrioNumber = u16;

/// The number of trios that a split begins.
const TRIOS: usize = 56;

/// The columns of the first two stacks, and the probability of drawing them.
#[derive(Clone, Copy, Debug)]
struct Start {
    stacks: [TrioNumber; 2],
    /// The splits of the second stack after the renaming that makes the split of the first stack the first one.
    second: [SplitNumber; 3],
    /// The largest product of the numbers of trios by row that cross the middle and the bottom band.
    bound: u32,
    /// The sum of the weights up to this start.
    end: u64,
}

/// The tables of splits.
#[derive(Debug)]
pub(super) struct NineGrids {
    splits: Vec<Split>,
    /// The number of each split, by its key.
    numbers: Vec<SplitNumber>,
    trios: Vec<Trio>,
    /// The splits that cross each split.
    crossing: Vec<Vec<SplitNumber>>,
    /// The new name of each digit that makes a split the first one.
    names: Vec<[u8; 9]>,
    /// The number of each split after the renaming by `names` of another one.
    renamed: Vec<[SplitNumber; SPLITS]>,
    /// The trios by row that cross two boxes of a band: the first split, and this one.
    rows: Vec<Vec<TrioNumber>>,
    /// The number of those that cross a third split in the third box.
    row_counts: Vec<OnceLock<[u16; SPLITS]>>,
    starts: Vec<Start>,
    /// Where the search for a start begins, by the highest bits of its number.
    guide: Vec<usize>,
}

impl NineGrids {
    /// The tables, built by the first call.
    pub(super) fn get() -> &'static NineGrids {
        static GRIDS: LazyLock<NineGrids> = LazyLock::new(NineGrids::build);
        &GRIDS
    }

    /// Writes a grid of each class of isomorphs with the probability of the class.
    pub(super) fn fill(&self, rng: &mut impl Rng, grid: &mut Grid) {
        let (start, first, last, top) = loop {
            let start = self.start(rng);
            let top = self.trio(pick(rng, &self.rows[usize::from(start.second[0])]));
            let last = pick(rng, &self.crossing[usize::from(top.numbers[2])]);
            let last = &pick(rng, self.trios_of(last));
            let first = self.trio(start.stacks[0]);
            let count = |band: usize| {
                let third = self.renamed[usize::from(first.numbers[band])][usize::from(last.numbers[band])];
                u32::from(self.row_counts(usize::from(start.second[band]))[usize::from(third)])
            };
            if (below(rng, start.bound as usize) as u32) < count(1) * count(2) {
                break (start, first, *last, top);
            }
        };

        let stacks = [first, self.trio(start.stacks[1]), &last];
        for (band, cells) in grid.as_chunks_mut::<27>().0.iter_mut().enumerate() {
            let first = usize::from(first.numbers[band]);
            let third = self.renamed[first][usize::from(last.numbers[band])];
            let rows = if band == 0 { top } else { self.rows_that_cross(rng, start.second[band], third) };

            let columns = stacks.map(|stack| stack.splits[band]);
            for (digit, &name) in self.names[first].iter().enumerate() {
                for (stack, (columns, rows)) in columns.into_iter().zip(rows.splits).enumerate() {
                    cells[9 * place(rows, name) + 3 * stack + place(columns, digit as u8)] = digit as u8 + 1;
                }
            }
        }
    }

    /// Draws a trio by row that crosses the first split, this one and a third one.
    fn rows_that_cross(&self, rng: &mut impl Rng, second: SplitNumber, third: SplitNumber) -> &Trio {
        loop {
            let rows = self.trio(pick(rng, &self.rows[usize::from(second)]));
            if cross(rows.splits[2], self.splits[usize::from(third)]) {
                return rows;
            }
        }
    }

    /// The counts for two boxes of a band: the first split, and this one. They are counted when a grid needs them.
    fn row_counts(&self, second: usize) -> &[u16; SPLITS] {
        self.row_counts[second].get_or_init(|| {
            let mut counts = [0; SPLITS];
            for &trio in &self.rows[second] {
                let third = self.trio(trio).numbers[2];
                self.crossing[usize::from(third)].iter().for_each(|&third| counts[usize::from(third)] += 1);
            }
            counts
        })
    }

    fn trio(&self, number: TrioNumber) -> &Trio {
        &self.trios[usize::from(number)]
    }

    /// The trios that a split begins.
    fn trios_of(&self, split: SplitNumber) -> &[Trio] {
        &self.trios[TRIOS * usize::from(split)..][..TRIOS]
    }

    /// Draws the columns of the first two stacks.
    fn start(&self, rng: &mut impl Rng) -> &Start {
        let number = below_u64(rng, self.starts[self.starts.len() - 1].end);
        let mut index = self.guide[(number >> GUIDE_SHIFT) as usize];
        while self.starts[index].end <= number {
            index += 1;
        }
        &self.starts[index]
    }

    /// The number of grids that have this band at the top.
    pub(super) fn completions(&self, band: &[u8; 27]) -> u64 {
        // The digits of the columns of each box.
        let mut boxes = [[0; 3]; 3];
        for (cell, digit) in band.iter().enumerate() {
            boxes[cell % 9 / 3][cell % 3] |= 1 << (digit - 1);
        }
        let [first, second, third] = boxes.map(|columns| self.numbers[split_key(columns)]);
        let renamed = &self.renamed[usize::from(first)];
        let stacks = [0, renamed[usize::from(second)], renamed[usize::from(third)]].map(|split| self.trios_of(split));

        let mut sum = 0;
        for first in stacks[0] {
            let renamed = [1, 2].map(|band| &self.renamed[usize::from(first.numbers[band])]);
            let number = |trio: &Trio, n: usize| usize::from(renamed[n][usize::from(trio.numbers[n + 1])]);
            for second in stacks[1] {
                let [middle, bottom] = [0, 1].map(|n| self.row_counts(number(second, n)));
                for third in stacks[2] {
                    sum += u64::from(middle[number(third, 0)]) * u64::from(bottom[number(third, 1)]);
                }
            }
        }
        ROW_ORDERS * ROW_ORDERS * sum
    }

    fn build() -> NineGrids {
        let splits = splits();
        let mut numbers = vec![0; SPLIT_KEYS as usize];
        splits.iter().zip(0..).for_each(|(&split, number)| numbers[split_key(split)] = number);
        let number = |split: Split| numbers[split_key(split)];
        let sets: Vec<u16> = sets().collect();
        let trios: Vec<Trio> = splits.iter().flat_map(|&split| trios(split, &sets, number)).collect();
        let crossing = |split: Split| (0..).zip(&splits).filter(move |&(_, &other)| cross(split, other));
        let crossing: Vec<Vec<SplitNumber>> =
            splits.iter().map(|&split| crossing(split).map(|(number, _)| number).collect()).collect();

        let mut rows = vec![vec![]; SPLITS];
        for (trio, begun) in (0..).zip(&trios).filter(|(_, begun)| cross(splits[0], begun.splits[0])) {
            crossing[usize::from(begun.numbers[1])].iter().for_each(|&second| rows[usize::from(second)].push(trio));
        }
        let row_counts = vec![OnceLock::new(); SPLITS];

        let names: Vec<[u8; 9]> = splits.iter().copied().map(names).collect();
        let of_names = |names: &[u8; 9]| {
            let renamed = renamed_sets(names);
            array::from_fn(|split| number(splits[split].map(|set| renamed[usize::from(set)])))
        };
        let renamed = names.iter().map(of_names).collect();
        let (starts, guide) = (vec![], vec![]);
        let mut grids = NineGrids { splits, numbers, trios, crossing, names, renamed, rows, row_counts, starts, guide };
        grids.add_starts();
        grids
    }

    /// Adds the starts: one split for each way in which two splits can meet.
    fn add_starts(&mut self) {
        // These sums tell the ways apart.
        let meeting = |split: &Split| {
            let common = |set: u16| self.splits[0].map(|other| (set & other).count_ones().pow(2)).iter().sum::<u32>();
            split.map(common).iter().sum::<u32>()
        };
        let ways: Vec<u32> = self.splits.iter().map(meeting).collect();
        let first_of = |way| ways.iter().position(|other| other == way).expect("a way of the list");
        let largest = |way| *self.row_counts(first_of(way)).iter().max().expect("280 counts");
        let largest: Vec<u16> = ways.iter().map(largest).collect();

        let mut end: u64 = 0;
        for split in (0..SPLITS).filter(|&split| !ways[..split].contains(&ways[split])) {
            let of_way = ways.iter().filter(|&&way| way == ways[split]).count() as u64;
            for first in 0..TRIOS as TrioNumber {
                for second in (TRIOS * split..).take(TRIOS).map(|second| second as TrioNumber) {
                    let [of_first, of_second] = [first, second].map(|trio| self.trio(trio).numbers.map(usize::from));
                    let renamed = [0, 1, 2].map(|band| self.renamed[of_first[band]][of_second[band]]);
                    let [_, middle, bottom] = renamed.map(|split| u32::from(largest[usize::from(split)]));
                    let bound = middle * bottom;
                    end += of_way * self.rows[split].len() as u64 * u64::from(bound);
                    self.guide.resize(end.div_ceil(1 << GUIDE_SHIFT) as usize, self.starts.len());
                    self.starts.push(Start { stacks: [first, second], second: renamed, bound, end });
                }
            }
        }
    }
}

/// One of several things, each with the same probability.
fn pick<T: Copy>(rng: &mut impl Rng, things: &[T]) -> T {
    things[below(rng, things.len())]
}

/// The place of the set that has a digit.
fn place(split: Split, digit: u8) -> usize {
    usize::from(split[1] >> digit & 1 | (split[2] >> digit & 1) << 1)
}

/// All splits, in ascending order. The sets of each are in the order of their lowest digits.
fn splits() -> Vec<Split> {
    let mut splits = vec![];
    for first in sets().filter(|first| first & 1 != 0) {
        let left = ALL_DIGITS ^ first;
        let lowest = left & left.wrapping_neg();
        splits.extend(sets().filter(|set| set & first == 0 && set & lowest != 0).map(|set| [first, set, left ^ set]));
    }
    splits
}

/// A number that is different for all splits, whatever the order of their sets.
fn split_key(split: Split) -> usize {
    (split.iter().map(|&set| u64::from(set).pow(4)).sum::<u64>() % SPLIT_KEYS) as usize
}

/// All sets of three digits.
fn sets() -> impl Iterator<Item = u16> {
    (0..=ALL_DIGITS).filter(|set| set.count_ones() == 3)
}

/// The trios that a split begins.
fn trios(split: Split, sets: &[u16], number: impl Fn(Split) -> SplitNumber) -> Vec<Trio> {
    let apart = |from: u16| sets.iter().copied().filter(move |set| set & from == 0);
    let (mut trios, seconds) = (vec![], apart(split[1]).collect::<Vec<u16>>());
    for first in apart(split[0]) {
        for &second in seconds.iter().filter(|&second| second & first == 0) {
            let third = ALL_DIGITS ^ first ^ second;
            if third & split[2] != 0 {
                continue;
            }
            let middle = [first, second, third];
            let bottom = [0, 1, 2].map(|n| ALL_DIGITS ^ split[n] ^ middle[n]);
            let splits = [split, middle, bottom];
            trios.push(Trio { splits, numbers: splits.map(&number) });
        }
    }
    trios
}

/// Whether each set of a split has a digit in common with each set of another. It then has only one.
fn cross(split: Split, other: Split) -> bool {
    split.iter().all(|set| other.iter().all(|other| set & other != 0))
}

/// The new name of each digit that makes a split the first one.
fn names(split: Split) -> [u8; 9] {
    let mut names = [0; 9];
    let digits = split.into_iter().flat_map(|set| (0..9).filter(move |digit| set >> digit & 1 != 0));
    digits.zip(0..).for_each(|(digit, name)| names[digit] = name);
    names
}

/// Each set of digits after renaming.
fn renamed_sets(names: &[u8; 9]) -> [u16; 1 << 9] {
    let mut renamed = [0; 1 << 9];
    for set in 1..renamed.len() {
        renamed[set] = renamed[set & (set - 1)] | 1 << names[set.trailing_zeros() as usize];
    }
    renamed
}
