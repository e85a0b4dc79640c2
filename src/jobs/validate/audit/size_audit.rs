//! The results of an audit for the puzzles of one size, compared with a uniform sample of grids.

use std::collections::BTreeMap;

use serde::Serialize;
use strum::VariantNames;

use super::cells::Unevenness;
use super::census::Census;
use super::counts::SizeCounts;
use super::files::CorpusKeys;
use crate::generate::Uniformity;
use crate::jobs::validate::repeats::Spread;
use crate::puzzle::{Size, Symmetry};

/// The puzzles of one size.
#[derive(Clone, Debug, Serialize)]
pub struct SizeAudit {
    /// The size.
    pub size: Size,
    /// The number of puzzles.
    pub puzzles: u64,
    /// The number of distinct puzzles.
    pub distinct: u64,
    /// The puzzles with several solutions.
    pub several: u64,
    /// The puzzles with several solutions, but one full grid as their answer.
    pub several_answered: u64,
    /// Classes of puzzles; `None` if the size has no classes.
    pub classes: Option<u64>,
    /// The puzzles without a class, although the size has classes: finding it takes too much work.
    pub without_class: u64,
    /// The puzzles with one solution, whose automorphisms are known.
    pub unique: u64,
    /// Among these, the puzzles with more than one automorphism: they are isomorphs of themselves.
    pub automorphic: u64,
    /// The solved grids: solutions, and answers to puzzles with several solutions. `None` if the size has no classes.
    pub grids: Option<GridAudit>,
    /// Puzzles by the symmetries of their clues. A puzzle may have several, and counts for each of them.
    pub symmetries: BTreeMap<&'static str, u64>,
    /// Puzzles whose clues have none of these symmetries.
    pub asymmetric: u64,
    /// The unevenness of blanks over the cells; `None` if all cells are blank, or none.
    pub blanks: Option<Unevenness>,
    /// The unevenness of the digits of solved grids over the cells; `None` without grids.
    pub digits: Option<Unevenness>,
    /// For each cell, row by row, the number of puzzles where it is blank.
    pub blanks_by_cell: Vec<u64>,
    /// For each cell, row by row, the number of solved grids with a 1, with a 2, ... Left out of the JSON, since there
    /// are hundreds of numbers.
    #[serde(skip)]
    pub digits_by_cell: Vec<Vec<u64>>,
}

/// The solved grids of one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridAudit {
    /// The number of grids.
    pub grids: u64,
    /// Their classes.
    pub classes: u64,
    /// The grids that share their class with another grid.
    pub repeated: u64,
    /// The grids of the largest class.
    pub largest: u64,
    /// The number of all classes of the size; `None` if unknown.
    pub possible: Option<u64>,
    /// The expected number of classes in a uniform random sample of as many grids, if known.
    pub expected: Option<f64>,
    /// An upper bound for the probability that such a sample shows so few classes.
    pub chance: Option<f64>,
    /// Grids with more than one automorphism.
    pub automorphic: u64,
    /// The share of such grids among all grids of the size, if known.
    pub expected_automorphic: Option<f64>,
    /// The distance from a uniform sample; `None` without 9x9 grids.
    pub uniformity: Option<Uniformity>,
}

impl SizeAudit {
    /// The number of puzzles whose solution is known.
    pub(super) fn solved(&self) -> u64 {
        self.digits_by_cell[0].iter().sum()
    }

    /// The results of a run.
    pub(super) fn new(size: Size, counts: &SizeCounts, keys: &CorpusKeys) -> SizeAudit {
        let [puzzles, classes, grids] = keys.sizes[size.index()];
        // A size without classes has none; a size with classes has one for each puzzle with a class, or fewer.
        let has_classes = classes.keys > 0 || counts.without_class > 0 || counts.grids > 0;
        let cells = &counts.cells;
        SizeAudit {
            size,
            puzzles: cells.puzzles,
            distinct: puzzles.keys,
            several: counts.several,
            several_answered: counts.several_answered,
            classes: has_classes.then_some(classes.keys),
            without_class: counts.without_class,
            unique: counts.unique,
            automorphic: counts.automorphic,
            grids: has_classes.then(|| GridAudit::new(size, counts, grids)),
            symmetries: Symmetry::VARIANTS.iter().copied().zip(counts.symmetries).collect(),
            asymmetric: counts.asymmetric,
            blanks: cells.uneven_blanks(),
            digits: cells.uneven_digits(),
            blanks_by_cell: cells.blanks.clone(),
            digits_by_cell: cells.digits.chunks_exact(size.side()).map(<[u64]>::to_vec).collect(),
        }
    }
}

impl GridAudit {
    fn new(size: Size, counts: &SizeCounts, spread: Spread) -> GridAudit {
        let census = Census::of(size);
        GridAudit {
            grids: counts.grids,
            classes: spread.keys,
            repeated: spread.repeated,
            largest: spread.largest,
            possible: census.map(|census| census.classes()),
            expected: census.map(|census| census.expected_classes(counts.grids)),
            chance: census.map(|census| census.chance_of_so_few(counts.grids, spread.keys)),
            automorphic: counts.automorphic_grids,
            expected_automorphic: census.map(|census| census.automorphic()),
            uniformity: counts.cells.uneven_digits().and_then(|digits| counts.bands.compare(digits.chi_square)),
        }
    }
}
