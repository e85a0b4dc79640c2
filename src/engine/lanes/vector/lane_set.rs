//! Sets of lanes, one bit each.

use std::ops::{BitAnd, BitOr, Not};

/// A set of lanes of a vector: bit `n` stands for lane `n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LaneSet(pub(crate) u32);

impl LaneSet {
    /// The first `lanes` lanes; `lanes` is less than 32.
    #[inline(always)]
    pub(crate) fn first(lanes: usize) -> LaneSet {
        LaneSet((1 << lanes) - 1)
    }

    /// One lane.
    #[inline(always)]
    pub(crate) const fn one(lane: usize) -> LaneSet {
        LaneSet(1 << lane)
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub(crate) fn contains(self, lane: usize) -> bool {
        self.0 >> lane & 1 == 1
    }

    /// The number of lanes in the set.
    #[inline(always)]
    pub(crate) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The lanes in ascending order.
    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let lane = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                lane
            })
        })
    }

    /// The lowest `count` lanes of the set, or all of them if there are fewer.
    #[inline(always)]
    pub(crate) fn lowest(self, count: usize) -> LaneSet {
        if count >= self.len() {
            return self;
        }
        let mut others = self.0;
        for _ in 0..count {
            others &= others - 1;
        }
        LaneSet(self.0 & !others)
    }
}

impl BitAnd for LaneSet {
    type Output = LaneSet;
    #[inline(always)]
    fn bitand(self, other: LaneSet) -> LaneSet {
        LaneSet(self.0 & other.0)
    }
}

impl BitOr for LaneSet {
    type Output = LaneSet;
    #[inline(always)]
    fn bitor(self, other: LaneSet) -> LaneSet {
        LaneSet(self.0 | other.0)
    }
}

/// All lanes that are not in the set, including those above the width of the vector.
impl Not for LaneSet {
    type Output = LaneSet;
    #[inline(always)]
    fn not(self) -> LaneSet {
        LaneSet(!self.0)
    }
}
