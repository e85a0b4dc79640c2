//! The classes of all solved grids of a size, and the expected classes of a uniform random sample of grids.
//!
//! A class with `a` automorphisms has `arrangements * side! / a` grids, so the numbers of classes by automorphisms give
//! the exact probability of each class. The tests recompute the numbers for 4x4 and 6x6, and check that the numbers for
//! 9x9 add up to all grids.

use crate::puzzle::Size;

/// The classes of all solved grids of a size.
#[derive(Clone, Copy, Debug)]
pub(super) struct Census {
    /// The isomorphisms of a grid, relabellings included.
    isomorphisms: u64,
    /// The number of solved grids.
    grids: f64,
    /// Pairs of a number of automorphisms, and the number of classes whose grids have it.
    classes: &'static [(u64, u64)],
}

const FOUR: Census = Census { isomorphisms: 128 * 24, grids: 288.0, classes: &[(16, 1), (32, 1)] };

const SIX: Census = Census {
    isomorphisms: 3456 * 720,
    grids: 28_200_960.0,
    classes: &[(1, 1), (2, 11), (4, 12), (6, 1), (8, 5), (12, 9), (24, 4), (36, 3), (72, 3)],
};

/// The number of grids: Felgenhauer and Jarvis, 2005. The numbers of classes: Russell and Jarvis, 2006.
const NINE: Census = Census {
    isomorphisms: 3_359_232 * 362_880,
    grids: 6_670_903_752_021_072_936_960.0,
    classes: &[
        (1, 5_472_170_387),
        (2, 548_449),
        (3, 7336),
        (4, 2826),
        (6, 1257),
        (8, 29),
        (9, 42),
        (12, 92),
        (18, 85),
        (27, 2),
        (36, 15),
        (54, 11),
        (72, 2),
        (108, 3),
        (162, 1),
        (648, 1),
    ],
};

impl Census {
    /// The classes of a size; `None` if unknown.
    pub(super) fn of(size: Size) -> Option<Census> {
        match size {
            Size::Four => Some(FOUR),
            Size::Six => Some(SIX),
            Size::Nine => Some(NINE),
            _ => None,
        }
    }

    /// The number of classes.
    pub(super) fn classes(&self) -> u64 {
        self.classes.iter().map(|&(_, classes)| classes).sum()
    }

    /// The probability of a single class of grids with this number of automorphisms.
    fn probability(&self, automorphisms: u64) -> f64 {
        self.isomorphisms as f64 / automorphisms as f64 / self.grids
    }

    /// The share of grids with more than one automorphism.
    pub(super) fn automorphic(&self) -> f64 {
        let several = self.classes.iter().filter(|&&(automorphisms, _)| automorphisms > 1);
        several.map(|&(automorphisms, classes)| classes as f64 * self.probability(automorphisms)).sum()
    }

    /// The expected number of distinct classes in a uniform random sample of `grids` grids.
    pub(super) fn expected_classes(&self, grids: u64) -> f64 {
        let seen = |&(automorphisms, classes): &(u64, u64)| {
            // 1 - (1 - p)^n, exact for the smallest p.
            let missed = grids as f64 * (-self.probability(automorphisms)).ln_1p();
            classes as f64 * -missed.exp_m1()
        };
        self.classes.iter().map(seen).sum()
    }

    /// An upper bound for the probability that a uniform random sample of `grids` grids shows at most `classes`
    /// classes.
    ///
    /// The number of missing classes, or of grids whose class occurred before, is a sum of variables that are not
    /// positively correlated, so Chernoff's bound for a sum of Poisson variables holds.
    pub(super) fn chance_of_so_few(&self, grids: u64, classes: u64) -> f64 {
        let possible = grids.min(self.classes());
        let (found, mean) = (possible.saturating_sub(classes) as f64, possible as f64 - self.expected_classes(grids));
        let mean = mean.max(f64::MIN_POSITIVE);
        if found <= mean { 1.0 } else { (found - mean + found * (mean / found).ln()).exp() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Each grid of a small size with the first row in order, and the isomorphisms that generate all of them.
    fn enumerated(rows: usize, columns: usize) -> (Vec<Vec<u8>>, Vec<Vec<usize>>) {
        let side = rows * columns;
        let mut grids = vec![];
        let mut grid: Vec<u8> = (1..=side as u8).chain(std::iter::repeat_n(0, side * side - side)).collect();
        complete(rows, columns, side, &mut grid, &mut grids);

        let swaps = |lines: usize| {
            let in_order: Vec<usize> = (0..side).collect();
            let mut all = vec![];
            for line in (0..side - 1).filter(|line| line % lines != lines - 1) {
                let mut swapped = in_order.clone();
                swapped.swap(line, line + 1);
                all.push(swapped);
            }
            for start in (0..side - lines).step_by(lines) {
                let mut swapped = in_order.clone();
                swapped[start..start + 2 * lines].rotate_left(lines);
                all.push(swapped);
            }
            all
        };
        let cells =
            |cell: &dyn Fn(usize, usize) -> usize| (0..side * side).map(|at| cell(at / side, at % side)).collect();
        let mut isomorphisms: Vec<Vec<usize>> = vec![];
        isomorphisms.extend(swaps(rows).iter().map(|order| cells(&|row, column| order[row] * side + column)));
        isomorphisms.extend(swaps(columns).iter().map(|order| cells(&|row, column| row * side + order[column])));
        if rows == columns {
            isomorphisms.push(cells(&|row, column| column * side + row));
        }
        (grids, isomorphisms)
    }

    fn complete(rows: usize, columns: usize, cell: usize, grid: &mut Vec<u8>, grids: &mut Vec<Vec<u8>>) {
        let side = rows * columns;
        if cell == grid.len() {
            grids.push(grid.clone());
            return;
        }
        let (row, column) = (cell / side, cell % side);
        let shares_house = |other: usize| {
            let (r, c) = (other / side, other % side);
            r == row || c == column || (r / rows == row / rows && c / columns == column / columns)
        };
        for digit in 1..=side as u8 {
            if (0..cell).all(|other| grid[other] != digit || !shares_house(other)) {
                grid[cell] = digit;
                complete(rows, columns, cell + 1, grid, grids);
                grid[cell] = 0;
            }
        }
    }

    /// The number of grids with the first row in order, and the classes by the number of their automorphisms.
    fn counted(rows: usize, columns: usize, arrangements: u64) -> (usize, Vec<(u64, u64)>) {
        let side = rows * columns;
        let (grids, isomorphisms) = enumerated(rows, columns);
        let number: BTreeMap<&[u8], usize> = grids.iter().enumerate().map(|(index, grid)| (&**grid, index)).collect();
        let relabelled = |grid: &[u8], cells: &[usize]| -> Vec<u8> {
            let mut names = vec![0; side + 1];
            (1..).zip(&cells[..side]).for_each(|(name, &cell)| names[usize::from(grid[cell])] = name);
            cells.iter().map(|&cell| names[usize::from(grid[cell])]).collect()
        };
        let mut is_seen = vec![false; grids.len()];
        let mut classes = BTreeMap::new();
        for first in 0..grids.len() {
            let (mut reached, mut size) = (vec![first], 0);
            while let Some(index) = reached.pop() {
                if !std::mem::replace(&mut is_seen[index], true) {
                    size += 1;
                    reached.extend(isomorphisms.iter().map(|cells| number[&*relabelled(&grids[index], cells)]));
                }
            }
            if size > 0 {
                assert_eq!(arrangements % size, 0);
                *classes.entry(arrangements / size).or_insert(0) += 1;
            }
        }
        (grids.len(), classes.into_iter().collect())
    }

    #[test]
    fn the_classes_of_4x4_and_6x6_are_those_that_a_search_finds() {
        let (grids, classes) = counted(2, 2, 128);
        assert_eq!((grids * 24, &*classes), (288, FOUR.classes));
        let (grids, classes) = counted(2, 3, 3456);
        assert_eq!((grids * 720, &*classes), (28_200_960, SIX.classes));
    }

    /// A class with automorphisms has fewer grids.
    #[test]
    fn the_grids_of_all_classes_are_all_grids() {
        for (size, classes) in [(Size::Four, 2), (Size::Six, 49), (Size::Nine, 5_472_730_538)] {
            let census = Census::of(size).unwrap();
            assert_eq!(census.classes(), classes);
            let grids: f64 =
                census.classes.iter().map(|&(a, classes)| census.isomorphisms as f64 / a as f64 * classes as f64).sum();
            assert!((grids / census.grids - 1.0).abs() < 1e-14, "{size}: {grids}");
        }
    }

    #[test]
    fn samples_show_as_many_classes_as_expected() {
        let four = Census::of(Size::Four).unwrap();
        // One grid belongs to one class; the two classes have a third and two thirds of the grids.
        assert!((four.expected_classes(1) - 1.0).abs() < 1e-12);
        assert!((four.expected_classes(2) - (1.0 + 4.0 / 9.0)).abs() < 1e-12);
        assert!((four.automorphic() - 1.0).abs() < 1e-12);

        // n^2 / 2 / 5.472e9 collisions.
        let nine = Census::of(Size::Nine).unwrap();
        for grids in [1000_u64, 1_000_000, 10_000_000] {
            let collisions = grids as f64 - nine.expected_classes(grids);
            let about = (grids as f64).powi(2) / 2.0 / 5.472e9;
            assert!((collisions / about - 1.0).abs() < 0.01, "{grids}: {collisions}, {about}");
        }
        assert!(nine.automorphic() < 1e-4);
    }

    #[test]
    fn the_chance_bounds_the_true_one() {
        let four = Census::of(Size::Four).unwrap();
        // All in one class: (2/3)^n + (1/3)^n.
        for grids in [5, 20, 60] {
            let chance = (2.0_f64 / 3.0).powi(grids) + (1.0_f64 / 3.0).powi(grids);
            let bound = four.chance_of_so_few(grids as u64, 1);
            assert!(bound >= chance && bound < 3.0 * chance, "{grids}: {bound}, {chance}");
        }
        let nine = Census::of(Size::Nine).unwrap();
        assert!((nine.chance_of_so_few(1000, 1000) - 1.0).abs() < 1e-12);
        assert!(nine.chance_of_so_few(1000, 500) < 1e-300);
        assert!(nine.chance_of_so_few(10_000_000, 9_990_860) > 1e-3);
    }
}
