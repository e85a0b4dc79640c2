//! Splits in the most constrained band: the rule with the fewest nodes.
//!
//! Among the six bands (three of rows, three of columns) each lane takes the most constrained one, with the fewest open
//! triads over all digits. A solved band has 27. In it, the first digit and line with two open triads is split on the
//! first triad: the digit is in it, or it is not. This is the branching rule of Tom Dillon's tdoku, reduced to counts
//! that all lanes can compute at once; it needs half as many nodes as the best of the simple rules that choose a cell.

use super::group::{LaneGroup, Splits};
use super::layout::{BAND, BOX, STACK};
use super::vector::{LaneSet, Vector};

/// Splits of triads: a triad has the digit, or it does not.
pub(super) struct MostConstrained<V> {
    /// All bits of the lanes that split row triads, by line and `d0`, then of the lanes that split column triads. Lines
    /// 1 and 2 suffice, as line 0 is never split.
    lanes: [[V; 6]; 2],
    /// The triad that has the digit in the first child and not in the second.
    triad: V,
    /// The line's other triads.
    others: V,
}

impl<V: Vector> Splits<V> for MostConstrained<V> {
    #[inline(always)]
    fn none(proof: V) -> Self {
        let zero = proof.splat(0);
        MostConstrained { lanes: [[zero; 6]; 2], triad: zero, others: zero }
    }

    #[inline(always)]
    fn find(&mut self, group: &LaneGroup<V>, moved: V) -> LaneSet {
        let proof = group.puzzle;
        let zero = proof.splat(0);
        let all = proof.splat(u32::MAX);

        // Find the best band: the low 4 bits of the key are its place, the bits above count its open triads.
        let rows = OpenTriadCounts::new(&group.triads[0]);
        let columns = OpenTriadCounts::new(&group.triads[1]);
        let mut best = all;
        for n in 0..3 {
            best = best.min(rows.key(BAND << (3 * n), 3 * n)).min(columns.key(STACK << n, COLUMNS | n));
        }
        let is_column = all.where_any(best & proof.splat(COLUMNS));
        let base = best & proof.splat(7);
        // From one triad of a line to the next: to the next stack in rows, to the next band in columns.
        let step = is_column.select(proof.splat(3), proof.splat(1));

        // The lines of the band, shifted so that the first triad of each is at the bits of BOX. Line 0 is left out: if
        // it is open, line 1 or 2 is open too. The candidates of digit d1 on line number n of these six are bit 9 * d1
        // + n.
        let two_steps = step.plus(step);
        let mut lines = [zero; 6];
        let mut with_two = zero;
        let mut with_three = zero;
        for (n, line) in lines.iter_mut().enumerate() {
            *line = is_column.select(group.triads[1][3 + n], group.triads[0][3 + n]).shr_each(base);
            let (first, second, third) = (*line, line.shr_each(step), line.shr_each(two_steps));
            let three = first & second & third;
            let two = first.majority(second, third) & !three;
            let place = proof.splat(n as u32);
            with_two = with_two | (two & proof.splat(BOX)).shl_each(place);
            with_three = with_three | (three & proof.splat(BOX)).shl_each(place);
        }
        let any_two = all.where_any(with_two);
        let digits = any_two.select(with_two, with_three);
        let digit = lowest_bit(digits) & !all.where_any(moved);

        // The open triads of that digit on that line.
        let mut line = zero;
        let mut first = zero;
        for (n, &candidates) in lines.iter().enumerate() {
            let chosen = digit & proof.splat(BOX << n);
            line = line | candidates.where_any(chosen);
            first = first | chosen.shr_each(proof.splat(n as u32));
        }
        let open = line & (first | first.shl_each(step) | first.shl_each(two_steps));
        let triad = lowest_bit(open);
        self.triad = triad.shl_each(base);
        self.others = (open & !triad).shl_each(base);
        let (of_row, of_column) = (digit & !is_column, digit & is_column);
        for n in 0..6 {
            self.lanes[0][n] = all.where_any(of_row & proof.splat(BOX << n));
            self.lanes[1][n] = all.where_any(of_column & proof.splat(BOX << n));
        }
        digit.lanes_with_any()
    }

    #[inline(always)]
    fn remove(&mut self, lanes: LaneSet) {
        let others = !self.triad.in_lanes(lanes);
        (self.triad, self.others) = (self.triad & others, self.others & others);
    }

    /// First child: the digit is in the triad. Second child: it is elsewhere on the line.
    #[inline(always)]
    fn children(&self, candidates: V, i: usize, j: usize, d0: usize) -> (V, V) {
        let [rows, columns] = &self.lanes;
        let lanes = match (i, j) {
            (0, 0) => return (candidates, candidates),
            (0, _) => columns[3 * j - 3 + d0],
            (_, 0) => rows[3 * i - 3 + d0],
            _ => rows[3 * i - 3 + d0] | columns[3 * j - 3 + d0],
        };
        (candidates & !(lanes & self.others), candidates & !(lanes & self.triad))
    }
}

/// The bit of a key that marks a band of columns.
const COLUMNS: u32 = 8;

/// The lowest bit of each word.
#[inline(always)]
fn lowest_bit<V: Vector>(x: V) -> V {
    x & x.splat(0).minus(x)
}

/// The sum of three bits at each place, as ones and twos.
#[inline(always)]
fn add<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    (a ^ b ^ c, a.majority(b, c))
}

/// For each bit, the number of nine words that have it, as a four-bit number with two fours in place of an eight.
struct OpenTriadCounts<V> {
    ones: V,
    twos: V,
    fours: [V; 2],
}

impl<V: Vector> OpenTriadCounts<V> {
    #[inline(always)]
    fn new(words: &[V; 9]) -> OpenTriadCounts<V> {
        let (one_a, two_a) = add(words[0], words[1], words[2]);
        let (one_b, two_b) = add(words[3], words[4], words[5]);
        let (one_c, two_c) = add(words[6], words[7], words[8]);
        let (ones, two_d) = add(one_a, one_b, one_c);
        let (two, four) = add(two_a, two_b, two_c);
        OpenTriadCounts { ones, twos: two ^ two_d, fours: [four, two & two_d] }
    }

    /// A key that is smaller the fewer bits there are under `mask`, if there are more than 27. Its low four bits are
    /// `place`.
    #[inline(always)]
    fn key(&self, mask: u32, place: u32) -> V {
        let mask = self.ones.splat(mask);
        let [low, high] = [self.fours[0] & mask, self.fours[1] & mask];
        let fours = low.partial_counts().plus(high.partial_counts());
        let twos = (self.twos & mask).partial_counts().plus(fours.plus(fours));
        let sum = (self.ones & mask).partial_counts().plus(twos.plus(twos)).sum_of_counts();
        // 27 or fewer wrap around to the largest keys.
        sum.shl::<4>().plus(sum.splat(place.wrapping_sub(28 << 4)))
    }
}
