//! Aligned pair and triplet exclusion: combinations of digits of two or three cells that leave another cell without one.
//!
//! ```text
//!    a = {1,2,3}   .   x = {1,4}         If a is 1, then b cannot be 4 (x would have no digit) nor 5 (y).
//!        .         .   y = {1,5}         So a is not 1.
//!    b = {4,5}     .       .             a and b both see x and y.
//! ```
//!
//! The base cells are a and b, the excluders x and y: cells that all base cells see, with at most as many candidates as
//! there are base cells. A combination is excluded if two cells that see each other have the same digit, or if it
//! contains all digits of an excluder. A candidate that is in excluded combinations only is removed.
//! Source: Sudoku Explainer 1.2.1; aligned pair exclusion is by Rod Hagglund.

use super::super::candidates::Candidates;
use super::super::houses::{PEERS, peers_in_order};
use super::super::sets::{CellSet, DigitSet};
use super::super::step::Step;
use super::super::technique::Technique;

/// The cells that are concerned.
struct Field {
    /// The cells that may be base cells.
    base: CellSet,
    /// The cells that may be excluders.
    excluders: CellSet,
    /// The cells with two candidates.
    two: CellSet,
}

impl Field {
    fn of(grid: &Candidates, degree: usize) -> Field {
        let sizes = grid.sizes();
        // The yardstick leaves out cells that see a naked single.
        let by_singles = sizes.one.into_iter().fold(CellSet::EMPTY, |cells, single| cells.or(PEERS[single]));
        let base = sizes.two.or(sizes.three).or(sizes.more).without(by_singles);
        let excluders = if degree == 2 { sizes.two } else { sizes.two.or(sizes.three) };
        Field { base, excluders, two: sizes.two }
    }
}

/// Finds the first pair: by the later cell, then by the earlier one.
pub(in crate::rating) fn find_pair(grid: &Candidates, step: &mut Step) -> bool {
    let field = Field::of(grid, 2);
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
fn excluded_by(grid: &Candidates, field: &Field, digit: usize, partner: usize) -> CellSet {
    let mut cells = field.base.and(grid.cells(digit)).without(CellSet::of(partner));
    let digits = grid.digits(partner);
    if digits.contains(digit) {
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

/// For each three digits, the cells that see a cell with two or three of these candidates and no others.
struct NearThree(Box<[CellSet; 512]>);

impl NearThree {
    fn of(grid: &Candidates, excluders: CellSet) -> NearThree {
        let mut near = Box::new([CellSet::EMPTY; 512]);
        for cell in excluders {
            let digits = grid.digits(cell);
            if digits.len() == 3 {
                let entry = &mut near[usize::from(digits.0)];
                *entry = entry.or(PEERS[cell]);
            } else {
                for third in DigitSet::ALL.without(digits) {
                    let entry = &mut near[usize::from(digits.0) | 1 << third];
                    *entry = entry.or(PEERS[cell]);
                }
            }
        }
        NearThree(near)
    }

    fn get(&self, digits: DigitSet) -> CellSet {
        self.0[usize::from(digits.0)]
    }
}

/// Finds the first triplet, in the yardstick's order: see [`Position`].
pub(in crate::rating) fn find_triplet(grid: &Candidates, step: &mut Step) -> bool {
    let field = Field::of(grid, 3);
    let near_two = NearTwo::of(grid, field.two);
    let near_three = NearThree::of(grid, field.excluders);
    let mut best: Option<Position> = None;
    for partner in field.base {
        for digit in 0..9 {
            let others = partners(grid, &field, &near_two, &near_three, digit, partner);
            for other in others {
                for cell in excluded_by_two(grid, &field, digit, partner, other) {
                    if let Some(position) = Position::of(&field, [cell, partner, other]) {
                        if best.as_ref().is_none_or(|best| position < *best) {
                            best = Some(position);
                        }
                    }
                }
            }
        }
    }
    let Some(Position { first, second, third, .. }) = best else { return false };
    write(grid, &field, &[first, second, third], step);
    true
}

/// The later cells that, with `partner`, may exclude a digit from a third cell: for each combination of their digits
/// with it, both see an excluder, or the combination repeats a digit.
fn partners(
    grid: &Candidates,
    field: &Field,
    near_two: &NearTwo,
    near_three: &NearThree,
    digit: usize,
    partner: usize,
) -> CellSet {
    let later = CellSet(!0 << partner << 1);
    let mut others = field.base.and(later);
    let digits = grid.digits(partner).without(DigitSet::of(digit));
    for other in DigitSet::ALL.without(DigitSet::of(digit)) {
        let mut excluded = field.base;
        for own in digits {
            let near = if own == other {
                near_two.0[digit][other]
            } else {
                near_three.get([digit, other, own].into_iter().collect())
            };
            let near = if near.contains(partner) { near } else { CellSet::EMPTY };
            excluded = excluded.and(if own == other { near.or(PEERS[partner]) } else { near });
        }
        others = others.without(grid.cells(other).without(excluded));
        if others.is_empty() {
            break;
        }
    }
    others
}

/// The cells that lose a digit because of two partners.
fn excluded_by_two(grid: &Candidates, field: &Field, digit: usize, partner: usize, other: usize) -> CellSet {
    let both = field.excluders.and(PEERS[partner]).and(PEERS[other]);
    let mut cells = field.base.and(grid.cells(digit)).without(CellSet::of(partner)).without(CellSet::of(other));
    for first in grid.digits(partner) {
        for second in grid.digits(other) {
            if first == second && PEERS[partner].contains(other) {
                continue;
            }
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

/// Where the yardstick finds a triplet. It looks for two base cells as for pairs; the third is an excluder of the first,
/// in the order of the first's peers, or else of the second.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    second: usize,
    first: usize,
    /// The place among the peers of the first, or that among those of the second, 20 more.
    place: usize,
    third: usize,
}

impl Position {
    /// The first place where three cells are found.
    fn of(field: &Field, mut cells: [usize; 3]) -> Option<Position> {
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

/// Writes what the base cells exclude.
fn write(grid: &Candidates, field: &Field, cells: &[usize], step: &mut Step) {
    let excluders = cells.iter().fold(field.excluders, |excluders, &cell| excluders.and(PEERS[cell]));
    match cells.len() {
        2 => step.begin(Technique::AlignedPairExclusion, 62),
        _ => step.begin(Technique::AlignedTripletExclusion, 75),
    }
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
