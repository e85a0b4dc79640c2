//! Lists solutions in lexicographic order with any engine.
//!
//! An engine finds solutions in the order of its own search. The lister asks for up to some thousand of them and sorts
//! them. If there are more, it fixes cells one after another, row by row, each to the digits in ascending order, until
//! the engine finds all remaining solutions. Digits that a [`matching`] excludes are skipped.

use std::num::NonZeroU64;

use super::{Bounds, Cost, Engine, Limit, SearchEnd, Verdict, Verdicts, matching};
use crate::puzzle::{Batch, Size};

/// Lists solutions with an engine of the caller. Each thread owns a lister, with its scratch memory.
#[derive(Debug)]
pub struct Lister {
    /// For each size, a batch of one puzzle.
    batches: [Batch; Size::ALL.len()],
    verdicts: Verdicts,
    /// The solutions in `verdicts` that are to be listed, in reverse order: the start of each as a number, and its
    /// index.
    found: Vec<(u128, usize)>,
    /// The puzzle, with some of its blanks filled.
    fixed: Vec<u8>,
    /// The blanks that are filled now, ascending.
    path: Vec<usize>,
    /// Whether the puzzle has no solutions but those in `found`.
    is_finished: bool,
    /// The maximum number of solutions that are found in one search.
    chunk: u64,
    /// With this number of filled blanks, a search is likely to find all solutions.
    depth: usize,
    /// The number of further blanks to fill after a search that has found too many solutions.
    step: usize,
}

/// The maximum number of solutions of one search. For 9x9 they take 330 kB, and the time to sort them is short.
const MAX_CHUNK: u64 = 4096;

/// The number of cells that are compared as one number: all cells of the smallest grid.
const KEY: usize = size_of::<u128>();

/// If a search finds less than one in `FEW` of the solutions that it could, fewer blanks are filled before the next
/// search.
const FEW: u64 = 16;

/// The outcome of listing a puzzle's solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListOutcome {
    /// Whether the puzzle has more solutions than were listed.
    pub more: bool,
    /// How the searches ended: the list is complete, reached its cap, or a search gave up.
    pub end: SearchEnd,
    /// The cost of all searches.
    pub cost: Cost,
}

/// The error of a search that did not find out whether there is a solution.
struct GaveUp;

impl Lister {
    /// A lister with empty memory.
    pub fn new() -> Lister {
        Lister {
            batches: Size::ALL.map(Batch::new),
            verdicts: Verdicts::keeping_all(),
            found: vec![],
            fixed: vec![],
            path: vec![],
            is_finished: true,
            chunk: 1,
            depth: 0,
            step: 1,
        }
    }

    /// Appends the first solutions of a puzzle to `listed`, at most `cap` of them. The bounds hold for each search;
    /// their number of solutions is ignored.
    pub fn list(
        &mut self,
        engine: &mut dyn Engine,
        size: Size,
        bounds: Bounds<'_>,
        puzzle: &[u8],
        cap: Limit,
        listed: &mut Vec<u8>,
    ) -> ListOutcome {
        let mut cost = Cost::default();
        self.start(puzzle);
        self.chunk = cap.get().min(MAX_CHUNK);

        let mut left = cap.get();
        loop {
            match self.find(engine, size, bounds, &mut cost) {
                Ok(Some(_)) if left == 0 => return ListOutcome { more: true, end: SearchEnd::AtLimit, cost },
                Ok(Some(solution)) => listed.extend_from_slice(solution),
                Ok(None) => return ListOutcome { more: false, end: SearchEnd::Complete, cost },
                Err(GaveUp) => return ListOutcome { more: false, end: SearchEnd::GaveUp, cost },
            }
            left -= 1;
        }
    }

    /// Starts to list the solutions of a puzzle for [`next`](Lister::next). The first searches ask for few solutions,
    /// later ones for more and more.
    pub fn start(&mut self, puzzle: &[u8]) {
        self.fixed.clear();
        self.fixed.extend_from_slice(puzzle);
        self.found.clear();
        self.path.clear();
        (self.is_finished, self.chunk, self.depth, self.step) = (false, 1, 0, 1);
    }

    /// The next solution of the puzzle of size `size` that was given to [`start`](Lister::start).
    pub fn next(&mut self, engine: &mut dyn Engine, size: Size) -> Option<&[u8]> {
        self.find(engine, size, Bounds::new(Limit::UNIQUE), &mut Cost::default()).ok().flatten()
    }

    /// The next solution. Searches for more unless some are left; fails if a search gives up or is stopped.
    fn find(
        &mut self,
        engine: &mut dyn Engine,
        size: Size,
        bounds: Bounds<'_>,
        cost: &mut Cost,
    ) -> Result<Option<&[u8]>, GaveUp> {
        while self.found.is_empty() && !self.is_finished {
            if self.path.len() < self.depth && self.deepen(size) {
                continue;
            }

            let limit = Limit::UNIQUE.max(Limit::new(NonZeroU64::MIN.saturating_add(self.chunk)));
            let bounds = Bounds { solutions: limit, ..bounds };
            let Verdict { solutions, end, cost: more, .. } = self.ask(engine, size, bounds);
            *cost += more;
            if end == SearchEnd::GaveUp || bounds.is_stopped() {
                return Err(GaveUp);
            }

            // There are too many solutions to sort at once, and the engine chose some of them: fix more cells, twice as
            // many each time. In a large grid, a search of a part without solutions may take long or give up, so only
            // one more cell is fixed: the search just done showed that there are solutions.
            if end == SearchEnd::AtLimit {
                self.depth = self.path.len() + self.step;
                let is_quick = size <= Size::Nine && bounds.max_branches.is_none();
                self.step *= if is_quick { 2 } else { 1 };
                continue;
            }
            self.step = 1;
            // The parts are smaller than necessary: the next ones have one fixed cell less.
            if solutions < self.chunk / FEW {
                self.depth = self.path.len().saturating_sub(1);
            }

            // Nearly all solutions differ in the first cells that were blank. Comparing these as one number is quicker.
            let all = self.verdicts.all_solutions();
            let solution = |place: usize| &all[place * size.cells()..][..size.cells()];
            let blank = self.fixed.iter().position(|&digit| digit == 0).unwrap_or_default();
            let key = blank.min(size.cells() - KEY)..;
            let start = |place: usize| *solution(place)[key.clone()].first_chunk().expect("it has more cells");
            self.found.extend((0..solutions as usize).map(|place| (u128::from_be_bytes(start(place)), place)));
            // Descending, because solutions are taken from the end.
            self.found.sort_unstable_by(|&(one_start, one), &(other_start, other)| {
                other_start.cmp(&one_start).then_with(|| solution(other).cmp(solution(one)))
            });

            self.chunk = (2 * self.chunk).min(MAX_CHUNK);
            self.advance(size);
        }

        let cells = size.cells();
        Ok(self.found.pop().map(|(_, place)| &self.verdicts.all_solutions()[place * cells..][..cells]))
    }

    /// Fixes the next blank cell as well. Returns false if no cell is blank.
    fn deepen(&mut self, size: Size) -> bool {
        let start = self.path.last().map_or(0, |&cell| cell + 1);
        let blank = (start..size.cells()).find(|&cell| self.fixed[cell] == 0);
        self.path.extend(blank);
        if blank.is_some() {
            self.advance(size);
        }
        blank.is_some()
    }

    /// Changes the last cell on the path to its next digit. A cell without further digits becomes blank again and
    /// leaves the path.
    fn advance(&mut self, size: Size) {
        while let Some(&cell) = self.path.last() {
            if (self.fixed[cell] + 1..=size.side() as u8).any(|digit| self.try_digit(size, cell, digit)) {
                return;
            }
            self.fixed[cell] = 0;
            self.path.pop();
        }
        self.is_finished = true;
    }

    /// Fixes a cell, and returns whether there may be a solution.
    fn try_digit(&mut self, size: Size, cell: usize, digit: u8) -> bool {
        self.fixed[cell] = digit;
        matching::can_fill_houses(size, &self.fixed, cell)
    }

    /// The engine's verdict on the fixed cells.
    fn ask(&mut self, engine: &mut dyn Engine, size: Size, bounds: Bounds<'_>) -> Verdict<'_> {
        let batch = &mut self.batches[size.index()];
        batch.clear();
        batch.push(&self.fixed);
        engine.solve(batch, bounds, &mut self.verdicts);
        self.verdicts.get(0)
    }
}

impl Default for Lister {
    fn default() -> Lister {
        Lister::new()
    }
}
