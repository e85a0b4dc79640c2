//! The exact share of each class of bands among the bands of all 9x9 grids, and the comparison of grids with these shares.

use serde::Serialize;

use super::nine::NineGrids;
use crate::canon::{BandClass, band_classes, band_numbers};
use crate::puzzle::Grid;

/// The number of classes of bands.
const CLASSES: usize = 416;

/// The minimum expected number of grids of a class that is compared. Rarer classes count as one.
const FEWEST: f64 = 1.0;

/// One of the 416 classes of bands; their numbers are in the order of the smallest bands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BandShare {
    /// The number, from 1.
    pub number: u16,
    /// The smallest band, row by row.
    pub smallest: [u8; 27],
    /// The number of bands in the class.
    pub bands: u64,
    /// The number of grids that have one of them at the top.
    pub completions: u64,
}

impl BandShare {
    /// The number of all 9x9 grids.
    pub const GRIDS: u128 = 6_670_903_752_021_072_936_960;

    /// All classes, in the order of their numbers; counted by each call, in some tenths of a second.
    ///
    /// ```
    /// use gridmill::generate::BandShare;
    ///
    /// let shares = BandShare::all();
    /// let grids = shares.iter().map(|share| u128::from(share.bands) * u128::from(share.completions)).sum::<u128>();
    /// assert_eq!((shares.len(), grids), (416, BandShare::GRIDS));
    /// ```
    pub fn all() -> Vec<BandShare> {
        let grids = NineGrids::get();
        let share = |(number, BandClass { smallest, bands })| BandShare {
            number,
            smallest,
            bands: bands * (1..=9).product::<u64>(),
            completions: grids.completions(&smallest),
        };
        (1..).zip(band_classes()).map(share).collect()
    }

    /// The probability that a band of a uniform grid is in the class.
    pub fn share(&self) -> f64 {
        self.bands as f64 * self.completions as f64 / BandShare::GRIDS as f64
    }
}

/// The numbers of grids by the class of each of their three bands and three stacks.
#[derive(Clone, Debug)]
pub struct BandCounts {
    /// One place after another.
    pub(crate) counts: Vec<u64>,
}

/// 9x9 grids, compared with a uniform random sample of as many grids. Each of their bands and stacks is in one of 416
/// classes, whose exact shares are known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Uniformity {
    /// All classes of bands.
    pub possible: usize,
    /// The expected number of classes at one place in a uniform sample.
    pub expected: f64,
    /// The numbers of classes that occur: of the bands from the top, then of the stacks from the left.
    pub classes: [usize; 6],
    /// For the same places, by how many standard deviations chi-square differs from its mean in a uniform sample; `None` for
    /// too few grids.
    pub bands: Option<[f64; 6]>,
    /// The root mean square of Cohen's w at these places, corrected for the size of the sample: the difference of the
    /// shares, 0 for uniform grids; `None` for too few grids.
    pub effect: Option<f64>,
    /// By how many standard deviations chi-square of the digits by cell differs from its mean in a uniform sample.
    pub digits: f64,
}

impl Default for BandCounts {
    fn default() -> BandCounts {
        BandCounts { counts: vec![0; 6 * CLASSES] }
    }
}

impl BandCounts {
    /// Counts a grid.
    pub fn add(&mut self, grid: &Grid) {
        for (counts, number) in self.counts.chunks_mut(CLASSES).zip(band_numbers(grid)) {
            counts[usize::from(number) - 1] += 1;
        }
    }

    /// Compares the grids with a uniform sample; `None` without grids. `digits` is chi-square of their digits by cell.
    pub fn compare(&self, digits: f64) -> Option<Uniformity> {
        let grids = self.counts[..CLASSES].iter().sum::<u64>();
        if grids == 0 {
            return None;
        }
        let (shares, count) = (BandShare::all(), grids as f64);
        let (common, rare): (Vec<usize>, Vec<usize>) =
            (0..CLASSES).partition(|&class| shares[class].share() * count >= FEWEST);
        let groups: Vec<Vec<usize>> =
            common.into_iter().map(|class| vec![class]).chain([rare]).filter(|group| !group.is_empty()).collect();
        let sum = |group: &Vec<usize>| group.iter().map(|&class| shares[class].share() * count).sum();
        let expected: Vec<f64> = groups.iter().map(sum).collect();

        // By how much chi-square of a place exceeds its mean.
        let freedom = groups.len() as f64 - 1.0;
        let excesses = [0, 1, 2, 3, 4, 5].map(|place| {
            let found = |group: &Vec<usize>| {
                group.iter().map(|&class| self.counts[place * CLASSES + class]).sum::<u64>() as f64
            };
            let parts =
                groups.iter().zip(&expected).map(|(group, expected)| (found(group) - expected).powi(2) / expected);
            parts.sum::<f64>() - freedom
        });
        // With small expectations, the variance is larger than twice the degrees of freedom (Haldane, 1937).
        let inverses = expected.iter().map(|expected| count / expected).sum::<f64>();
        let variance = 2.0 * freedom + (inverses - (freedom + 2.0).powi(2) + 3.0) / count;
        // Digits of cells depend on each other: they are the same with the probability 0 in a house, 1/6 if the cells share
        // only a band or a stack, and 1/9 if they share nothing.
        let of_digits = 8.0 * 81.0;
        let variance_of_digits = 2.0 * of_digits * (1.0 + 20.0 / 64.0 + 24.0 / 256.0);

        // All classes together are one group: nothing was compared.
        let is_tested = freedom > 0.0;
        Some(Uniformity {
            possible: CLASSES,
            expected: shares.iter().map(|share| -(count * (-share.share()).ln_1p()).exp_m1()).sum(),
            classes: [0, 1, 2, 3, 4, 5]
                .map(|place| self.counts[place * CLASSES..][..CLASSES].iter().filter(|&&grids| grids > 0).count()),
            bands: is_tested.then(|| excesses.map(|excess| excess / variance.sqrt())),
            effect: is_tested.then(|| (excesses.iter().sum::<f64>() / 6.0 / count).max(0.0).sqrt()),
            digits: (digits - of_digits) / variance_of_digits.sqrt(),
        })
    }
}
