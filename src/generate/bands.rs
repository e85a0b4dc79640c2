//! The exact share of each class of bands among the bands of all 9x9 grids.

use super::nine::NineGrids;
use crate::canon::{BandClass, band_classes};

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
