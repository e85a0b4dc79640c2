//! Vectors of 32-bit words, one word a lane, with the operations of two searches: 9x9 (`lanes`) and, for rows of 16
//! bits, `planes`.
//!
//! An operation is a method, instead of a function of other methods, if some CPU has an instruction for it; the default
//! method is for the rest. `stack` moves lanes (`load`, `store`, `compress`, `expand`); `planes` works on halves and
//! exchanges lanes; `most_constrained` counts, and shifts each lane by its own distance; `propagate` and `rotate` rotate
//! rows of 27 bits.
//!
//! The engine knows no instruction set. It is generic over [`Vector`], and each type in this folder implements the
//! trait for one kind of CPU: sixteen lanes in [`avx512`], eight in [`avx2`], four in [`portable`].
//!
//! A value of a type proves that the CPU has its instructions: the first value comes from a `detect` function, which
//! asks the CPU; every other value is made from that one, so all operations are safe. They are `#[inline(always)]` and
//! carry no `#[target_feature]`; [`Vector::call`] compiles a [`Task`] that uses them with the instructions enabled.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// Implements operators of a type.
macro_rules! operators {
    ($type:ident: $($(#[$doc:meta])* $trait:ident $method:ident($self:ident $(, $other:ident)?) => $result:expr;)+) => {$(
        $(#[$doc])*
        impl $trait for $type {
            type Output = $type;
            #[inline(always)]
            fn $method($self $(, $other: $type)?) -> $type {
                $result
            }
        }
    )+};
}

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod x86;

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
pub(crate) mod portable;
#[cfg(test)]
pub(crate) mod tests;

/// Lanes of 32 bits. Each operation works on all of them at once.
pub(crate) trait Vector:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The number of lanes.
    const LANES: usize;

    /// Whether two dozen vectors fit into registers at the same time: then `propagate` merges two passes, to store
    /// less.
    const MANY_REGISTERS: bool = false;

    /// Runs `task` in a separate function, compiled for the instructions of this vector type.
    ///
    /// Implementations need `#[inline(never)]`: tasks call tasks, and each should stay a function of its own. The
    /// function with `#[target_feature]` cannot have the mark, as rustc ignores it there; its caller has it.
    fn call<T: Task>(self, task: T) -> T::Output;

    /// The same word in every lane.
    fn splat(self, word: u32) -> Self;

    /// The first words of a slice, one a lane. Panics if the slice is too short, as all methods with a slice do.
    fn load(self, words: &[u32]) -> Self;

    /// Writes the lanes to the start of a slice.
    fn store(self, words: &mut [u32]);

    /// The indices for [`compress`](Vector::compress) when these lanes are chosen.
    fn compress_indices(self, chosen: LaneSet) -> Self;

    /// Packs the chosen lanes, in order, into the lanes from 0 on. The lanes after them are undefined.
    fn compress(self, indices: Self) -> Self;

    /// Exchanges lanes at a distance, a power of two less than their number, with each other.
    ///
    /// The default method requires that the indices of [`compress`](Vector::compress) are numbers of lanes.
    #[inline(always)]
    fn exchange(self, distance: usize) -> Self {
        self.compress(self.load(&EXCHANGED[distance.trailing_zeros() as usize]))
    }

    /// The indices for [`expand`](Vector::expand) when these lanes are chosen.
    fn expand_indices(self, chosen: LaneSet) -> Self;

    /// Replaces the chosen lanes by the words of `packed`, from its lane 0 on.
    fn expand(self, chosen: LaneSet, indices: Self, packed: Self) -> Self;

    /// Each word shifted `N` bits up.
    fn shl<const N: u32>(self) -> Self;

    /// Each word shifted `N` bits down.
    fn shr<const N: u32>(self) -> Self;

    /// Each word shifted up by the number of bits, less than 32, in the same lane of `counts`.
    fn shl_each(self, counts: Self) -> Self;

    /// Each word shifted down by the number of bits, less than 32, in the same lane of `counts`.
    fn shr_each(self, counts: Self) -> Self;

    /// The sums of the lanes, wrapping.
    fn plus(self, other: Self) -> Self;

    /// The differences of the lanes, wrapping.
    fn minus(self, other: Self) -> Self;

    /// The smaller word of each lane, unsigned.
    fn min(self, other: Self) -> Self;

    /// Counts the bits that are set in the parts of each word; the type chooses the size of the parts. Such counts can
    /// be added before [`sum_of_counts`](Vector::sum_of_counts) adds up the parts.
    fn partial_counts(self) -> Self;

    /// The sums of [`partial_counts`](Vector::partial_counts), each less than 256.
    #[inline(always)]
    fn sum_of_counts(self) -> Self {
        // The parts are bytes.
        let halves = self.plus(self.shr::<8>());
        halves.plus(halves.shr::<16>()) & self.splat(0xFF)
    }

    /// The word of each lane where the word of `test` is not 0; 0 in the remaining lanes.
    fn where_any(self, test: Self) -> Self;

    /// All bits of these lanes; 0 in the remaining lanes.
    #[inline(always)]
    fn in_lanes(self, lanes: LaneSet) -> Self {
        self.splat(u32::MAX).where_any(self.load(&LANE_BITS) & self.splat(lanes.0))
    }

    /// The differences of the 16-bit halves of each lane, wrapping.
    #[inline(always)]
    fn minus_halves(self, other: Self) -> Self {
        let top = self.splat(TOP_OF_HALVES);
        (self | top).minus(other & !top) ^ ((self ^ !other) & top)
    }

    /// The smaller of the two 16-bit halves at each place, unsigned.
    #[inline(always)]
    fn min_halves(self, other: Self) -> Self {
        let difference = self.minus_halves(other);
        let is_less = (!self & other) | (!(self ^ other) & difference);
        is_less.spread_top_of_halves().select(self, other)
    }

    /// The 16-bit half at each place where the half of `test` is not 0; 0 at the remaining places.
    #[inline(always)]
    fn where_any_half(self, test: Self) -> Self {
        let below = self.splat(!TOP_OF_HALVES);
        self & (test | (test & below).plus(below)).spread_top_of_halves()
    }

    /// All bits of the halves whose highest bit is set; the remaining halves are 0.
    #[inline(always)]
    fn spread_top_of_halves(self) -> Self {
        let top = self & self.splat(TOP_OF_HALVES);
        top | top.minus(top.shr::<15>())
    }

    /// The lanes whose word has a bit.
    fn lanes_with_any(self) -> LaneSet;

    /// The bits that are set in at least two of three words.
    #[inline(always)]
    fn majority(self, b: Self, c: Self) -> Self {
        // Code that also needs `self | b | c` shares the inner `or`, which saves an operation.
        (self & b) | ((self | b) & c)
    }

    /// The bits of `yes` where `self` is set, of `no` where it is not.
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        ((yes ^ no) & self) ^ no
    }

    /// The low 27 bits of each word, rotated down by 9 and by 18 places. Bits 27 to 31 of the results are undefined.
    #[inline(always)]
    fn rotate_27(self) -> (Self, Self) {
        (self.shl::<18>() | self.shr::<9>(), self.shl::<9>() | self.shr::<18>())
    }

    /// The word of one lane.
    fn lane(&self, lane: usize) -> u32;

    /// Changes the word of one lane.
    fn set_lane(&mut self, lane: usize, word: u32);
}

/// The maximum number of lanes of a vector.
pub(crate) const MAX_LANES: usize = 16;

/// For each distance, by its logarithm, the lanes that [`Vector::exchange`] takes. Lanes beyond the width of a vector
/// do no harm.
const EXCHANGED: [[u32; MAX_LANES]; 4] = {
    let (mut lanes, mut i) = ([[0; MAX_LANES]; 4], 0);
    while i < 4 * MAX_LANES {
        lanes[i / MAX_LANES][i % MAX_LANES] = (i % MAX_LANES) as u32 ^ 1 << (i / MAX_LANES);
        i += 1;
    }
    lanes
};

/// The highest bit of each half of a word.
const TOP_OF_HALVES: u32 = 0x8000_8000;

/// The bit of each lane in a [`LaneSet`].
const LANE_BITS: [u32; MAX_LANES] = {
    let mut bits = [0; MAX_LANES];
    let mut lane = 0;
    while lane < MAX_LANES {
        bits[lane] = LaneSet::one(lane).0;
        lane += 1;
    }
    bits
};

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

operators! {
    LaneSet:
    BitAnd bitand(self, other) => LaneSet(self.0 & other.0);
    BitOr bitor(self, other) => LaneSet(self.0 | other.0);
    /// All lanes that are not in the set, including those above the width of the vector.
    Not not(self) => LaneSet(!self.0);
}

/// A piece of work for [`Vector::call`] to compile for an instruction set.
pub(crate) trait Task {
    /// The result.
    type Output;

    /// Does the work.
    ///
    /// Implementations need `#[inline(always)]`, and so does every function that they call: only inlined code is
    /// compiled with the instruction set of the vector type. That rules out closures over vectors, and `map`, because
    /// closures are functions that cannot be marked.
    fn run(self) -> Self::Output;
}
