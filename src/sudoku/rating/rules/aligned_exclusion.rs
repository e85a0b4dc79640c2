//! Finds aligned pair and triplet exclusions: combinations of digits of two or three cells that leave another cell
//! without a candidate.
//!
//! ```text
//!    a = {1,2,3}  x = {1,4}     .         If a is 1, then b cannot be 4 (x would have no digit) nor 5 (y).
//!    b = {4,5}    y = {1,5}     .         So a is not 1. Both a and b see x and y.
//! ```
//!
//! The base cells are a and b. The excluders are x and y: cells that all base cells see, with at most as many
//! candidates as there are base cells. A combination is excluded if two cells that see each other have the same digit,
//! or if it contains all digits of an excluder. A candidate is removed if all its combinations are excluded. Source:
//! Sudoku Explainer 1.2.1.

use super::super::candidates::Candidates;
use super::super::houses::{PEERS, peers_in_order};
use super::super::sets::{CellSet, DigitSet};
use super::super::step::Step;
use super::super::technique::Technique;

/// The cells that can take part.
struct EligibleCells {
    /// The cells that may be base cells.
    base: CellSet,
    /// The cells that may be excluders.
    excluders: CellSet,
    /// The cells with two candidates.
    two: CellSet,
}

impl EligibleCells {
    fn of(grid: &Candidates, degree: usize) -> EligibleCells {
        let sizes = grid.sizes();
        // Like the reference program, leave out cells that see a naked single.
        let by_singles = sizes.one.into_iter().fold(CellSet::EMPTY, |cells, single| cells.or(PEERS[single]));
        let base = sizes.two.or(sizes.three).or(sizes.more).without(by_singles);
        let excluders = if degree == 2 { sizes.two } else { sizes.two.or(sizes.three) };
        EligibleCells { base, excluders, two: sizes.two }
    }
}

/// Finds the first pair: by the later cell, then by the earlier one.
pub(in crate::sudoku::rating) fn find_pair(grid: &Candidates, step: &mut Step) -> bool {
    let field = EligibleCells::of(grid, 2);
    let near = NearTwo::of(grid, field.two);
    let mut best: Option<(usize, usize)> = None;

    for digit in 0..9 {
        // The cells that see a cell {digit,other} for each other digit that they have.
        let mut partners = field.base;
        for other in 0..9 {
            if other != digit {
                partners = partners.without(grid.cells(other).without(near.0[digit][other]));
            }
        }

        for partner in partners {
            for cell in excluded_by(grid, &field, digit, partner) {
                // With one excluder, the partner has the same two candidates: a naked pair, which comes before.
                if field.excluders.and(PEERS[cell]).and(PEERS[partner]).len() >= 2 {
                    let pair = (cell.max(partner), cell.min(partner));
                    best = Some(best.map_or(pair, |best| best.min(pair)));
                }
            }
        }
    }

    let Some((second, first)) = best else { return false };
    write(grid, &field, &[first, second], step);
    true
}

/// The cells that lose a digit because of a partner.
fn excluded_by(grid: &Candidates, field: &EligibleCells, digit: usize, partner: usize) -> CellSet {
    let mut cells = field.base.and(grid.cells(digit)).without(CellSet::of(partner));
    let digits = grid.digits(partner);
    if digits.contains(digit) {
        // The combination with this digit in both cells is excluded only if they see each other.
        cells = cells.and(PEERS[partner]);
    }
    for other in digits.without(DigitSet::of(digit)) {
        let excluders = field.two.and(grid.cells(digit)).and(grid.cells(other)).and(PEERS[partner]);
        cells = cells.and(peers_of_any(excluders));
    }
    cells
}

/// The cells that see one of the cells.
fn peers_of_any(cells: CellSet) -> CellSet {
    cells.into_iter().fold(CellSet::EMPTY, |peers, cell| peers.or(PEERS[cell]))
}

/// For each pair of digits, the cells that see a cell with these candidates.
struct NearTwo([[CellSet; 9]; 9]);

impl NearTwo {
    fn of(grid: &Candidates, two: CellSet) -> NearTwo {
        let mut near = [[CellSet::EMPTY; 9]; 9];
        for cell in two {
            let first = grid.digits(cell).first();
            let second = grid.digits(cell).without(DigitSet::of(first)).first();
            near[first][second] = near[first][second].or(PEERS[cell]);
            near[second][first] = near[first][second];
        }
        NearTwo(near)
    }
}

/// For each pair of digits p and q, the cells that may take part with a third digit: for such a candidate r, the cell
/// sees an excluder whose candidates are all among p, q and r.
struct Partners([[CellSet; 9]; 9]);

impl Partners {
    fn of(grid: &Candidates, field: &EligibleCells) -> Partners {
        let near = near_three(grid, field.excluders);
        let mut partners = [[field.base; 9]; 9];
        for p in 0..9 {
            for q in 0..p {
                let mut cells = field.base;
                for r in (0..9).filter(|&r| r != p && r != q) {
                    cells = cells.without(grid.cells(r).without(near[1 << p | 1 << q | 1 << r]));
                }
                partners[p][q] = cells;
                partners[q][p] = cells;
            }
        }
        Partners(partners)
    }

    /// The cells that may take part in removing a digit, and the digits that a partner may have then.
    fn of_digit(&self, digit: usize) -> (CellSet, [DigitSet; 81]) {
        let mut usable = [DigitSet::of(digit); 81];
        let mut all = CellSet::EMPTY;
        for other in (0..9).filter(|&other| other != digit) {
            let cells = self.0[digit][other];
            all = all.or(cells);
            for cell in cells {
                usable[cell].insert(other);
            }
        }
        (all, usable)
    }
}

/// For each set of three digits, the cells that see a cell with two or three of these digits as its only candidates.
fn near_three(grid: &Candidates, excluders: CellSet) -> [CellSet; 512] {
    let mut near = [CellSet::EMPTY; 512];
    let mut add = |digits: DigitSet, cell: usize| {
        let entry = &mut near[usize::from(digits.0)];
        *entry = entry.or(PEERS[cell]);
    };
    for cell in excluders {
        let digits = grid.digits(cell);
        if digits.len() == 3 {
            add(digits, cell);
        } else {
            DigitSet::ALL.without(digits).into_iter().for_each(|third| add(digits.or(DigitSet::of(third)), cell));
        }
    }
    near
}

/// Finds the first triplet, in the reference order: see [`Position`].
pub(in crate::sudoku::rating) fn find_triplet(grid: &Candidates, step: &mut Step) -> bool {
    let field = EligibleCells::of(grid, 3);
    let partners = Partners::of(grid, &field);
    let mut best: Option<Position> = None;

    for digit in 0..9 {
        let (cells, usable) = partners.of_digit(digit);
        for partner in cells {
            // Each pair of partners once, the lower cell first.
            let later = CellSet(!0 << partner << 1);
            let unusable = DigitSet::ALL.without(usable[partner]).into_iter();
            let others = unusable.fold(cells.and(later), |others, digit| others.without(grid.cells(digit)));

            for other in others {
                // Each partner must be able to take part with every digit of the other one. Most partners fail here,
                // before any combination is tried.
                if !grid.digits(partner).without(usable[other]).is_empty() {
                    continue;
                }
                for cell in excluded_by_two(grid, &field, digit, partner, other) {
                    let position = Position::of(&field, [cell, partner, other]);
                    best = best.into_iter().chain(position).min();
                }
            }
        }
    }

    let Some(Position { first, second, third, .. }) = best else { return false };
    write(grid, &field, &[first, second, third], step);
    true
}

/// The cells that lose a digit because of two partners.
fn excluded_by_two(grid: &Candidates, field: &EligibleCells, digit: usize, partner: usize, other: usize) -> CellSet {
    let both = field.excluders.and(PEERS[partner]).and(PEERS[other]);
    if both.len() < 2 {
        return CellSet::EMPTY;
    }

    let mut cells = field.base.and(grid.cells(digit)).without(CellSet::of(partner)).without(CellSet::of(other));
    for first in grid.digits(partner) {
        for second in grid.digits(other) {
            if first == second && PEERS[partner].contains(other) {
                continue;
            }

            // The cells that see an excluder without another digit, or a partner with this digit.
            let set: DigitSet = [digit, first, second].into_iter().collect();
            let mut excluded =
                peers_of_any(both.into_iter().filter(|&cell| grid.digits(cell).without(set).is_empty()).collect());
            if first == digit {
                excluded = excluded.or(PEERS[partner]);
            }
            if second == digit {
                excluded = excluded.or(PEERS[other]);
            }

            cells = cells.and(excluded);
            if cells.is_empty() {
                return cells;
            }
        }
    }
    cells.into_iter().filter(|&cell| both.and(PEERS[cell]).len() >= 2).collect()
}

/// The place of a triplet in the reference order. The reference program searches for two base cells as for pairs. The
/// third is an excluder of the first, in the order of the first's peers, or else an excluder of the second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    second: usize,
    first: usize,
    /// The index among the peers of the first cell, or 20 plus the index among the peers of the second.
    place: usize,
    third: usize,
}

impl Position {
    /// The first place where three cells are found.
    fn of(field: &EligibleCells, mut cells: [usize; 3]) -> Option<Position> {
        cells.sort_unstable();
        let [low, middle, high] = cells;
        [(low, middle, high), (low, high, middle), (middle, high, low)].into_iter().find_map(
            |(first, second, third)| {
                if !field.excluders.contains(third) {
                    return None;
                }
                let all = CellSet((1 << 81) - 1);
                let place = |cell| peers_in_order(cell, all).position(|peer| peer == third);
                let place = place(first).or_else(|| Some(20 + place(second)?))?;
                Some(Position { second, first, place, third })
            },
        )
    }
}

/// Writes the eliminations that the base cells allow.
fn write(grid: &Candidates, field: &EligibleCells, cells: &[usize], step: &mut Step) {
    let excluders = cells.iter().fold(field.excluders, |excluders, &cell| excluders.and(PEERS[cell]));
    step.begin(match cells.len() {
        2 => Technique::AlignedPairExclusion,
        _ => Technique::AlignedTripletExclusion,
    });

    for (index, &cell) in cells.iter().enumerate() {
        let mut removed = grid.digits(cell);
        each_combination(grid, cells, &mut Vec::new(), &mut |digits| {
            let set: DigitSet = digits.iter().copied().collect();
            if !is_repeated(cells, digits)
                && excluders.into_iter().all(|cell| !grid.digits(cell).without(set).is_empty())
            {
                removed.remove(digits[index]);
            }
        });
        step.eliminate_digits(cell, removed);
    }

    step.cells = cells.iter().copied().collect::<CellSet>().or(excluders);
    step.digits = cells.iter().fold(DigitSet::EMPTY, |digits, &cell| digits.or(grid.digits(cell)));
}

/// Gives each combination of the cells' candidates to `each`.
fn each_combination(grid: &Candidates, cells: &[usize], digits: &mut Vec<usize>, each: &mut impl FnMut(&[usize])) {
    let Some(&cell) = cells.get(digits.len()) else { return each(digits) };
    for digit in grid.digits(cell) {
        digits.push(digit);
        each_combination(grid, cells, digits, each);
        digits.pop();
    }
}

/// Whether two cells that see each other have the same digit.
fn is_repeated(cells: &[usize], digits: &[usize]) -> bool {
    (0..cells.len()).any(|a| (0..a).any(|b| digits[a] == digits[b] && PEERS[cells[a]].contains(cells[b])))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{found, position, with};
    use super::*;

    const PAIR: &str = "
        9 8 2 4 16 35 37 1357 56
        36 1 5 7 26 9 23 4 8
        7 36 4 126 8 35 9 1235 256
        346 9 8 5 236 7 2346 236 1
        2 36 7 16 136 4 5 8 9
        34 5 1 26 9 8 2346 236 7
        8 4 3 9 7 6 1 25 25
        5 2 9 8 4 1 67 67 3
        1 7 6 3 5 2 8 9 4";

    const TRIPLET: &str = "
        239 23 79 67 356 357 8 4 1
        368 368 67 9 1 4 2 57 35
        4 5 1 2 38 378 37 6 9
        3589 1 589 67 369 235789 4 258 25
        7 389 4 358 3589 23589 1 258 6
        568 68 2 1 4 58 9 3 7
        1569 469 3 45 2 159 67 79 8
        2589 7 589 3458 3589 6 35 1 234
        1258 2489 5689 3458 7 13589 356 29 234";

    /// If r3c8 were 3, each digit of r3c9 would leave r2c7, r3c6 or r3c2 without a candidate. If r2c7 has three digits,
    /// it keeps one.
    #[test]
    fn a_pair_is_excluded() {
        assert_eq!(found(&position(PAIR), find_pair).as_deref(), Some("Aligned Pair Exclusion|62|r3c8-3"));
        assert_eq!(found(&with(PAIR, &[("r2c7", "236")]), find_pair), None);
    }

    /// If r5c6 were 8, each combination of the other base cells would leave an excluder without a candidate.
    #[test]
    fn a_triplet_is_excluded() {
        assert_eq!(found(&position(TRIPLET), find_triplet).as_deref(), Some("Aligned Triplet Exclusion|75|r5c6-8"));
        assert_eq!(found(&with(TRIPLET, &[("r5c6", "2359")]), find_triplet), None);
    }
}
