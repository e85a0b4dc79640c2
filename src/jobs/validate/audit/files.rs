//! What the files of a corpus share, and in which order their puzzles are. The serial stage collects both.

use serde::Serialize;

use super::as_text;
use super::order::{TextOrder, TextStart, TextTrend, ValueOrder, ValueTrend};
use crate::jobs::first_seen::Location;
use crate::jobs::validate::duplicate_index::DuplicateIndex;
use crate::jobs::validate::key_index::KeyIndex;
use crate::jobs::validate::score::Classes;
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
    pub(in super::super) fn add(
        &mut self,
        location: Location,
        clues: usize,
        start: Option<TextStart>,
        er: Option<Difficulty>,
    ) {
        let file = location.file();
        if self.files.len() <= file {
            self.files.resize_with(file + 1, PuzzleOrder::default);
        }
        let order = &mut self.files[file];
        order.puzzles += 1;
        order.clues.add(clues as u16);
        if let Some(start) = start {
            order.texts.add(start);
        }
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
    /// By their number of clues; `None` if that is the same for all.
    pub clues: Option<ValueTrend>,
    /// By their ER; `None` if puzzles are not rated, or that is the same for all.
    pub ratings: Option<ValueTrend>,
    /// By their texts; `None` if they are all the same.
    pub texts: Option<TextTrend>,
}

/// What two files share of the puzzles of a size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FilePair {
    /// The earlier file.
    pub first: String,
    /// The later file.
    pub second: String,
    /// The size of the puzzles.
    #[serde(serialize_with = "as_text")]
    pub size: Size,
    /// Different puzzles.
    pub puzzles: Shared,
    /// Classes of puzzles; `None` if a file has none, as for sizes without classes.
    pub classes: Option<Shared>,
    /// Classes of solved grids; `None` if a file has none.
    pub grids: Option<Shared>,
}

/// How many of some things two files have, and share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shared {
    /// Those of the earlier file.
    pub first: u64,
    /// Those of the later file.
    pub second: u64,
    /// Those that are in both.
    pub both: u64,
}

/// What the serial stage knows of a corpus.
#[derive(Clone, Debug)]
pub(in super::super) struct CorpusKeys {
    /// For each size: different puzzles, classes of puzzles, classes of solved grids.
    pub(super) sizes: [[u64; 3]; Size::ALL.len()],
    pub(super) grids: Classes,
    pub(super) order: Vec<FileOrder>,
    /// `None` if there are too many files to compare.
    pub(super) pairs: Option<Vec<FilePair>>,
}

impl CorpusKeys {
    /// What is known at the end of a run.
    pub(in super::super) fn new(index: &DuplicateIndex, orders: &FileOrders) -> CorpusKeys {
        let names: Vec<&str> = index.files.names().collect();
        let order = names.iter().zip(&orders.files).map(|(&name, order)| FileOrder {
            file: name.to_owned(),
            puzzles: order.puzzles,
            clues: order.clues.found(),
            ratings: order.ratings.found(),
            texts: order.texts.found(),
        });
        CorpusKeys {
            sizes: Size::ALL.map(|size| [&index.puzzles, &index.classes, &index.grids].map(|keys| keys.len(size))),
            grids: index.grids.classes(&index.files),
            order: order.collect(),
            pairs: (names.len() <= KeyIndex::MAX_INPUTS).then(|| pairs(index, &names)),
        }
    }
}

/// Each two of the files, for each size of which both have puzzles.
fn pairs(index: &DuplicateIndex, names: &[&str]) -> Vec<FilePair> {
    let kinds = [&index.puzzles, &index.classes, &index.grids].map(|keys| (keys, keys.shared()));
    let mut pairs = vec![];
    for second in 1..names.len() {
        for (first, size) in (0..second).flat_map(|first| Size::ALL.map(|size| (first, size))) {
            let [puzzles, classes, grids] = [0, 1, 2].map(|kind| {
                let (keys, shared) = &kinds[kind];
                let [one, other] = [first, second].map(|file| keys.in_input(file, size));
                let both = shared.get(&(first, second, size)).copied().unwrap_or(0);
                (one > 0 && other > 0).then_some(Shared { first: one, second: other, both })
            });
            if let Some(puzzles) = puzzles {
                let [first, second] = [first, second].map(|file| names[file].to_owned());
                pairs.push(FilePair { first, second, size, puzzles, classes, grids });
            }
        }
    }
    pairs
}
