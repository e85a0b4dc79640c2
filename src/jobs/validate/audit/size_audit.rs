//! What an audit finds of the puzzles of one size, beside what a uniform sample of grids would show.

use std::collections::BTreeMap;

use serde::Serialize;
use strum::VariantNames;

use super::as_text;
use super::cells::Unevenness;
use super::census::Census;
use super::counts::SizeCounts;
use super::files::CorpusKeys;
use crate::jobs::validate::key_index::Spread;
use crate::puzzle::{Size, Symmetry};

/// The puzzles of one size.
#[derive(Clone, Debug, Serialize)]
pub struct SizeAudit {
    /// The size.
    #[serde(serialize_with = "as_text")]
    pub size: Size,
    /// The number of puzzles.
    pub puzzles: u64,
    /// Different ones.
    pub distinct: u64,
    /// Those with several solutions.
    pub several: u64,
    /// Those with several solutions, but one full grid as their answer.
    pub several_answered: u64,
    /// Classes of puzzles; `None` if the size has no classes.
    pub classes: Option<u64>,
    /// Puzzles without a class, though the size has classes: finding it takes too much work.
    pub without_class: u64,
    /// Puzzles with one solution, whose automorphisms are known.
    pub unique: u64,
    /// Those of them with more than one automorphism: some isomorph of them is the puzzle itself.
    pub automorphic: u64,
    /// The solved grids: solutions, and answers to puzzles with several solutions. `None` if the size has no classes.
    pub grids: Option<GridAudit>,
    /// Puzzles by the symmetries of their clues. A puzzle may have several, and counts for each of them.
    pub symmetries: BTreeMap<&'static str, u64>,
    /// Puzzles whose clues have none of these symmetries.
    pub asymmetric: u64,
    /// How uneven blanks are distributed over the cells; `None` if all cells are blank, or none.
    pub blanks: Option<Unevenness>,
    /// How uneven the digits of solved grids are distributed over the cells; `None` without a grid.
    pub digits: Option<Unevenness>,
    /// The number of puzzles in which each cell is blank, row by row.
    pub blanks_by_cell: Vec<u64>,
    /// The number of solved grids with each digit in each cell: for each cell, row by row, the counts of 1, 2, ... The
    /// JSON does not have these hundreds of numbers.
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
    /// The grids whose class has several of them.
    pub repeated: u64,
    /// The grids of the largest class.
    pub largest: u64,
    /// All classes of the size; `None` if their number is not known.
    pub possible: Option<u64>,
    /// The number of classes that a uniform random sample of as many grids is expected to show, if that is known.
    pub expected: Option<f64>,
    /// An upper bound on the chance that such a sample shows as few classes.
    pub chance: Option<f64>,
    /// Grids with more than one automorphism.
    pub automorphic: u64,
    /// The share of such grids among all grids of the size, if that is known.
    pub expected_automorphic: Option<f64>,
    /// The smallest bands of the grids; `None` if they are not 9x9.
    pub bands: Option<BandAudit>,
}

/// The smallest bands of 9x9 grids.
///
/// A grid has six bands and stacks, each in one of 416 classes. The first band of its canonical form is the smallest of
/// the six, so it costs nothing to find. A class of bands that is the smallest in no grid of the corpus is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BandAudit {
    /// The classes that are the smallest band of some grid.
    pub classes: usize,
    /// All classes of bands.
    pub possible: usize,
    /// The grids with the most frequent of them.
    pub largest: u64,
}

/// All classes of bands of 9x9 grids.
const BANDS: usize = 416;

impl SizeAudit {
    /// The results of a run.
    pub(super) fn new(size: Size, counts: &SizeCounts, keys: &CorpusKeys) -> SizeAudit {
        let [puzzles, classes, grids] = keys.sizes[size.index()];
        // A size without classes has none; one with classes has as many as it has puzzles with a class.
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
        let bands = BandAudit {
            classes: counts.bands.len(),
            possible: BANDS,
            largest: counts.bands.values().copied().max().unwrap_or(0),
        };
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
            bands: (!counts.bands.is_empty()).then_some(bands),
        }
    }
}
