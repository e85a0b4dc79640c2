//! The puzzles that the files of a corpus share, and the order of the puzzles in each. The serial stage collects both.

use serde::Serialize;

use super::order::{TextOrder, TextTrend, ValueOrder, ValueTrend};
use crate::jobs::validate::note::TextStart;
use crate::jobs::validate::repeats::{DuplicateIndex, KeyIndex, Overlap, Spread};
use crate::jobs::validate::score::Classes;
use crate::lookup::Location;
use crate::puzzle::Size;
use crate::rating::Difficulty;

/// The order of the puzzles in each file.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct FileOrders {
    files: Vec<PuzzleOrder>,
}

#[derive(Clone, Debug, Default)]
struct PuzzleOrder {
    puzzles: u64,
    clues: ValueOrder,
    ratings: ValueOrder,
    texts: TextOrder,
}

impl FileOrders {
    /// Adds the next puzzle.
    pub(in super::super) fn add(&mut self, location: Location, clues: usize, start: TextStart, er: Option<Difficulty>) {
        let file = location.file();
        if self.files.len() <= file {
            self.files.resize_with(file + 1, PuzzleOrder::default);
        }
        let order = &mut self.files[file];
        order.puzzles += 1;
        order.clues.add(clues as u16);
        order.texts.add(start);
        if let Some(er) = er {
            order.ratings.add(er.tenths());
        }
    }
}

/// The order of the puzzles in a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FileOrder {
    /// The name of the file.
    pub file: String,
    /// The number of its puzzles.
    pub puzzles: u64,
    /// By the number of clues; `None` if it is the same for all.
    pub clues: Option<ValueTrend>,
    /// By ER; `None` if puzzles are not rated, or it is the same for all.
    pub ratings: Option<ValueTrend>,
    /// By text; `None` if all texts are the same.
    pub texts: Option<TextTrend>,
}

/// The overlap of two files, among the puzzles of a size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FilePair {
    /// The earlier file.
    pub first: String,
    /// The later file.
    pub second: String,
    /// The size of the puzzles.
    pub size: Size,
    /// Distinct puzzles.
    pub puzzles: Shared,
    /// Classes of puzzles; `None` if a file has none, for instance because the size has no classes.
    pub classes: Option<Shared>,
    /// Classes of solved grids; `None` if a file has none.
    pub grids: Option<Shared>,
}

/// The numbers of keys of some kind in two files, and in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shared {
    /// The keys of the earlier file.
    pub first: u64,
    /// The keys of the later file.
    pub second: u64,
    /// The keys in both files.
    pub both: u64,
    /// The records of the earlier file with a shared key.
    pub first_records: u64,
    /// The records of the later file with a shared key.
    pub second_records: u64,
}

/// The overlap of a file with another one, or with all other files together, among the puzzles of a size.
#[derive(Clone, Debug)]
pub(super) struct FileShare {
    pub(super) file: String,
    /// `None` for all other files together.
    pub(super) other: Option<String>,
    pub(super) size: Size,
    /// For puzzles, classes of puzzles and classes of solved grids: the keys of the file, and the shared keys.
    pub(super) kinds: [(Spread, Overlap); 3],
}

/// The classes of a size's solved grids, in one file or in all of them.
#[derive(Clone, Debug)]
pub(super) struct GridSpread {
    pub(super) size: Size,
    /// `None` for all files together.
    pub(super) file: Option<String>,
    pub(super) spread: Spread,
}

/// The results of the serial stage.
#[derive(Clone, Debug)]
pub(in super::super) struct CorpusKeys {
    /// For each size: puzzles, classes of puzzles, classes of solved grids.
    pub(super) sizes: [[Spread; 3]; Size::ALL.len()],
    pub(super) grids: Classes,
    /// For all files together, and for each of several files.
    pub(super) grid_spreads: Vec<GridSpread>,
    pub(super) order: Vec<FileOrder>,
    /// Every pair of the first files, the earlier one first.
    pub(super) pairs: Vec<[FileShare; 2]>,
    /// Each of several files with all other ones.
    pub(super) together: Vec<FileShare>,
    /// Whether some files are not compared, because the corpus has too many.
    pub(super) has_more_files: bool,
}

impl CorpusKeys {
    /// The results at the end of a run.
    pub(in super::super) fn new(index: &DuplicateIndex, orders: &FileOrders) -> CorpusKeys {
        let names: Vec<&str> = index.files.names().collect();
        let order = names.iter().zip(&orders.files).map(|(&name, order)| FileOrder {
            file: name.to_owned(),
            puzzles: order.puzzles,
            clues: order.clues.found(),
            ratings: order.ratings.found(),
            texts: order.texts.found(),
        });
        let counts = [&index.puzzles, &index.classes, &index.grids].map(KeyIndex::counts);
        let [_, _, grids] = &counts;
        let several = names.iter().zip(&grids.inputs).filter(|_| names.len() > 1);
        let grid_spreads =
            [(None, &grids.all)].into_iter().chain(several.map(|(&name, spreads)| (Some(name), spreads)));
        let grid_spreads = grid_spreads.flat_map(|(file, spreads)| {
            let file = file.map(str::to_owned);
            Size::ALL.map(|size| GridSpread { size, file: file.clone(), spread: spreads[size.index()] })
        });

        let share = |file: usize, other: Option<usize>, size: Size| {
            let kinds = counts.each_ref().map(|counts| {
                let spread = counts.inputs.get(file).map_or(Spread::default(), |spreads| spreads[size.index()]);
                (spread, counts.shared.get(&(file, other, size)).copied().unwrap_or_default())
            });
            let has_puzzles = kinds[0].0.records > 0;
            let other = other.map(|other| names[other].to_owned());
            has_puzzles.then(|| FileShare { file: names[file].to_owned(), other, size, kinds })
        };
        let of_all_sizes = |file| Size::ALL.iter().filter_map(move |&size| share(file, None, size));
        let compared = names.len().min(KeyIndex::MAX_INPUTS);
        let pairs = (0..compared).flat_map(|second| (0..second).map(move |first| (first, second)));
        let pairs = pairs.flat_map(|(first, second)| Size::ALL.map(|size| (first, second, size)));
        let pairs = pairs.filter_map(|(first, second, size)| {
            Some([share(first, Some(second), size)?, share(second, Some(first), size)?])
        });
        CorpusKeys {
            sizes: Size::ALL.map(|size| counts.each_ref().map(|counts| counts.all[size.index()])),
            grids: index.grids.classes(&index.files),
            grid_spreads: grid_spreads.collect(),
            order: order.collect(),
            pairs: pairs.collect(),
            together: (0..names.len()).filter(|_| names.len() > 2).flat_map(of_all_sizes).collect(),
            has_more_files: names.len() > compared,
        }
    }
}

impl FilePair {
    /// The overlap of two files.
    pub(super) fn new([first, second]: &[FileShare; 2]) -> FilePair {
        let [puzzles, classes, grids] = [0, 1, 2].map(|kind| {
            let [(one, overlap), (other, of_other)] = [first, second].map(|share| share.kinds[kind]);
            (one.keys > 0 && other.keys > 0).then_some(Shared {
                first: one.keys,
                second: other.keys,
                both: overlap.keys,
                first_records: overlap.records,
                second_records: of_other.records,
            })
        });
        let puzzles = puzzles.expect("both have puzzles");
        FilePair { first: first.file.clone(), second: second.file.clone(), size: first.size, puzzles, classes, grids }
    }
}
