//! Lists solutions in lexicographic order with any engine.
//!
//! An engine finds solutions in the order of its own search. The lister fixes cells one after another, row by row, each
//! to the digits in ascending order, and asks the engine only whether that leaves a solution. It continues only if it
//! does, so no time is spent in parts of the tree without any. Digits that a [`matching`] excludes are skipped.

use super::{Bounds, Cost, Engine, Limit, SearchEnd, Verdict, Verdicts, matching};
use crate::puzzle::{Batch, Order};

/// Lists solutions with an engine of the caller. Each thread owns a lister, with its scratch memory.
#[derive(Debug)]
pub struct Lister {
    /// For each size, a batch of one puzzle.
    batches: [Batch; Order::ALL.len()],
    verdicts: Verdicts,
    /// The puzzle, with some of its blanks filled.
    fixed: Vec<u8>,
    /// The blanks that a list has filled, ascending.
    path: Vec<usize>,
    /// Whether a list has no more solutions.
    is_finished: bool,
}

/// The outcome of listing a puzzle's solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListOutcome {
    /// Whether there are more than were listed.
    pub more: bool,
    /// How the searches for them ended: whether the list is as long as it should be, or a search gave up.
    pub end: SearchEnd,
    /// The cost of finding them.
    pub cost: Cost,
}

/// A search did not find out whether there is a solution.
struct GaveUp;

impl Lister {
    /// A lister with empty memory.
    pub fn new() -> Lister {
        Lister {
            batches: Order::ALL.map(Batch::new),
            verdicts: Verdicts::new(),
            fixed: vec![],
            path: vec![],
            is_finished: true,
        }
    }

    /// Replaces `grid`, any solution of `puzzle`, by the lexicographically smallest one. The bounds hold for each search;
    /// their number of solutions means nothing here.
    pub fn smallest(
        &mut self,
        engine: &mut dyn Engine,
        order: Order,
        bounds: Bounds<'_>,
        puzzle: &[u8],
        grid: &mut [u8],
    ) -> ListOutcome {
        let bounds = Bounds { solutions: Limit::FIRST, ..bounds };
        let mut cost = Cost::default();
        self.fixed.clear();
        self.fixed.extend_from_slice(puzzle);
        for cell in (0..order.cells()).filter(|&cell| puzzle[cell] == 0) {
            for digit in 1..grid[cell] {
                if !self.try_digit(order, cell, digit) {
                    continue;
                }
                let verdict = self.ask(engine, order, bounds);
                cost += verdict.cost;
                if verdict.end == SearchEnd::GaveUp || bounds.is_stopped() {
                    return ListOutcome { more: false, end: SearchEnd::GaveUp, cost };
                }
                if let Some(smaller) = verdict.solution {
                    grid.copy_from_slice(smaller);
                    break;
                }
            }
            self.fixed[cell] = grid[cell];
        }
        ListOutcome { more: false, end: SearchEnd::Complete, cost }
    }

    /// Appends the first solutions of a puzzle to `listed`, at most `cap` of them. The bounds hold for each search; their
    /// number of solutions means nothing here.
    pub fn list(
        &mut self,
        engine: &mut dyn Engine,
        order: Order,
        bounds: Bounds<'_>,
        puzzle: &[u8],
        cap: Limit,
        listed: &mut Vec<u8>,
    ) -> ListOutcome {
        let mut cost = Cost::default();
        let room = usize::try_from(cap.get()).unwrap_or(usize::MAX).saturating_mul(order.cells());
        let full = listed.len().saturating_add(room);
        self.start(puzzle);
        while let Some(found) = self.find(engine, order, bounds, &mut cost) {
            let Ok(solutions) = found else { return ListOutcome { more: false, end: SearchEnd::GaveUp, cost } };
            if listed.len() >= full {
                return ListOutcome { more: true, end: SearchEnd::AtLimit, cost };
            }
            if solutions == 1 {
                listed.extend_from_slice(self.verdicts.get(0).solution.expect("one was counted"));
                self.advance(order);
            } else {
                self.deepen(order);
            }
        }
        ListOutcome { more: false, end: SearchEnd::Complete, cost }
    }

    /// Starts a list of the solutions of a puzzle, which [`next`](Lister::next) finds one by one.
    pub fn start(&mut self, puzzle: &[u8]) {
        self.fixed.clear();
        self.fixed.extend_from_slice(puzzle);
        self.path.clear();
        self.is_finished = false;
    }

    /// The next solution of the puzzle of size `order` that was given to [`start`](Lister::start).
    pub fn next(&mut self, engine: &mut dyn Engine, order: Order) -> Option<&[u8]> {
        let bounds = Bounds::new(Limit::UNIQUE);
        while let Some(Ok(solutions)) = self.find(engine, order, bounds, &mut Cost::default()) {
            if solutions == 1 {
                self.advance(order);
                return self.verdicts.get(0).solution;
            }
            self.deepen(order);
        }
        None
    }

    /// Advances until the fixed cells leave a solution, and returns their number, counted to two; or until a search gives
    /// up or is stopped.
    fn find(
        &mut self,
        engine: &mut dyn Engine,
        order: Order,
        bounds: Bounds<'_>,
        cost: &mut Cost,
    ) -> Option<Result<u64, GaveUp>> {
        let bounds = Bounds { solutions: Limit::UNIQUE, ..bounds };
        while !self.is_finished {
            let Verdict { solutions, end, cost: more, .. } = self.ask(engine, order, bounds);
            *cost += more;
            if end == SearchEnd::GaveUp || bounds.is_stopped() {
                return Some(Err(GaveUp));
            }
            if solutions > 0 {
                return Some(Ok(solutions));
            }
            self.advance(order);
        }
        None
    }

    /// Fixes the next blank cell as well.
    fn deepen(&mut self, order: Order) {
        let start = self.path.last().map_or(0, |&cell| cell + 1);
        let blank = (start..order.cells()).find(|&cell| self.fixed[cell] == 0);
        self.path.push(blank.expect("two solutions differ in a blank cell"));
        self.advance(order);
    }

    /// Changes the last cell on the path to its next digit; one that has no more digits is blank again and leaves it.
    fn advance(&mut self, order: Order) {
        while let Some(&cell) = self.path.last() {
            if (self.fixed[cell] + 1..=order.side() as u8).any(|digit| self.try_digit(order, cell, digit)) {
                return;
            }
            self.fixed[cell] = 0;
            self.path.pop();
        }
        self.is_finished = true;
    }

    /// Fixes a cell, and returns whether there may be a solution.
    fn try_digit(&mut self, order: Order, cell: usize, digit: u8) -> bool {
        self.fixed[cell] = digit;
        matching::can_fill_houses(order, &self.fixed, cell)
    }

    /// The engine's verdict on the fixed cells.
    fn ask(&mut self, engine: &mut dyn Engine, order: Order, bounds: Bounds<'_>) -> Verdict<'_> {
        let batch = &mut self.batches[order.index()];
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
