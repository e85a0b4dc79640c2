//! The numbers of bands: the 416 classes of bands in the order of their smallest isomorphs, from 1.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::pairs::{Pairs, StepIndex};
use crate::puzzle::Grid;

/// For each step of a band that is looked up, the two orders of its rows: the upper row, the number of the step from the
/// upper to the lower row, and of the step from the upper to the third row. Steps 3 to 5 are the inverses of 0 to 2.
pub(super) const BAND_STARTS: [[[u8; 3]; 2]; 3] =
    [[[1, 0, 5], [0, 3, 4]], [[2, 1, 2], [0, 4, 3]], [[2, 2, 1], [1, 5, 0]]];

/// The steps of a band in both directions, for [`BAND_STARTS`].
pub(super) fn both_ways(pairs: &Pairs, [a, b, c]: [StepIndex; 3]) -> [StepIndex; 8] {
    [a, b, c, pairs.inverse(a), pairs.inverse(b), pairs.inverse(c), 0, 0]
}

/// The indices of three steps of a band: of rows 1 and 0, 2 and 0, 2 and 1, the upper row first. The next cell in a column
/// is `ROW` cells away, the next in a row is `COLUMN` cells away.
///
/// `places` has the columns of the digits in row 1 and in row 2, in tables of their own: with both in one number there
/// were fewer lookups, but a store had to wait for the one before, and a form took a tenth longer. It is scratch memory;
/// any byte is an index, so none has to be checked.
#[inline(never)]
pub(super) fn band_steps<const ROW: usize, const COLUMN: usize>(
    pairs: &Pairs,
    places: &mut [[u8; 256]; 2],
    cells: &[u8],
) -> [StepIndex; 3] {
    let cells = &cells[..=2 * ROW + 8 * COLUMN];
    let digit = |row: usize, column: usize| usize::from(cells[ROW * row + COLUMN * column]);
    let [middle, lowest] = places;
    for column in 0..9 {
        middle[digit(1, column)] = column as u8;
        lowest[digit(2, column)] = column as u8;
    }

    let index = |row: usize, places: &[u8; 256]| {
        let place = |column: usize| u32::from(places[digit(row, column)]);
        let code = |column| 9 * (9 * place(column) + place(column + 1)) + place(column + 2);
        pairs.index(code(0), code(3), code(6))
    };
    [index(0, middle), index(0, lowest), index(1, lowest)]
}

/// A class of bands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BandClass {
    /// The smallest band, row by row.
    pub(crate) smallest: [u8; 27],
    /// The number of bands with the first row 123456789.
    pub(crate) bands: u64,
}

/// The classes in the order of their numbers.
pub(crate) fn band_classes() -> Vec<BandClass> {
    let mut classes: BTreeMap<(u8, u8), BandClass> = BTreeMap::new();
    for (band, bands) in Pairs::get().bands() {
        // The first band of a class is the smallest.
        classes.entry(key(steps(&band))).or_insert(BandClass { smallest: band, bands: 0 }).bands += bands;
    }
    classes.into_values().collect()
}

/// The numbers of the bands of a 9x9 grid from the top, then of its stacks from the left.
pub(crate) fn band_numbers(grid: &Grid) -> [u16; 6] {
    /// The keys of all classes, ascending.
    static KEYS: LazyLock<Vec<(u8, u8)>> =
        LazyLock::new(|| band_classes().iter().map(|class| key(steps(&class.smallest))).collect());
    let (pairs, mut places) = (Pairs::get(), [[0; 256]; 2]);
    [0, 1, 2, 3, 4, 5].map(|n| {
        let steps = match n {
            0..3 => band_steps::<9, 1>(pairs, &mut places, &grid[27 * n..]),
            _ => band_steps::<1, 9>(pairs, &mut places, &grid[3 * (n - 3)..]),
        };
        KEYS.binary_search(&key(steps)).expect("each band has one of the keys") as u16 + 1
    })
}

/// The steps of a band.
fn steps(band: &[u8; 27]) -> [StepIndex; 3] {
    band_steps::<9, 1>(Pairs::get(), &mut [[0; 256]; 2], band)
}

/// The rank of the first two rows of the smallest isomorph of a band with these steps, and the number of the third row.
/// Keys compare like the smallest bands.
fn key(steps: [StepIndex; 3]) -> (u8, u8) {
    let pairs = Pairs::get();
    let steps = both_ways(pairs, steps);
    let orders = BAND_STARTS.as_flattened().iter().map(|[_, step, third]| {
        let [step, third] = [step, third].map(|step| steps[usize::from(*step)]);
        let rank = pairs.rank(step);
        (rank, pairs.third(rank, step, third).smallest)
    });
    orders.min().expect("there are six orders")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canon::Canonicaliser;

    /// The 416 classes are known from the first count of all Sudoku grids (Felgenhauer and Jarvis, 2005).
    #[test]
    fn there_are_416_classes_of_bands_in_ascending_order() {
        let classes = band_classes();
        assert_eq!(classes.len(), 416);
        assert!(classes.is_sorted_by(|a, b| a.smallest < b.smallest));
        assert_eq!(classes.iter().map(|class| class.bands).sum::<u64>(), 56 * 6_u64.pow(6));
    }

    #[test]
    fn the_first_band_of_a_form_has_the_lowest_number_of_all_bands() {
        let grids = [
            "593167248167842593824935176478356921352791684619284735246578319981623457735419862",
            "829153476647892351135674298298315764476289513351467982982531647513746829764928135",
        ];
        for grid in grids {
            let grid: Grid = grid.bytes().map(|digit| digit - b'0').collect::<Vec<_>>().try_into().unwrap();
            let form = Canonicaliser::new().of_unique(&grid, &grid).solution;
            let [first, others @ ..] = band_numbers(form[..].try_into().unwrap());
            assert_eq!(band_classes()[usize::from(first) - 1].smallest, form[..27]);
            assert!(others.iter().all(|&other| first <= other));
            let (mut numbers, mut of_form) = (band_numbers(&grid), band_numbers(form[..].try_into().unwrap()));
            numbers.sort_unstable();
            of_form.sort_unstable();
            assert_eq!(numbers, of_form);
        }
    }
}
