//! Solutions in lexicographic order, by any engine that can find one.
//!
//! An engine finds solutions in the order that suits its search. Here cells are fixed one after another in row-major
//! order, each to the digits in ascending order, and the engine is only asked whether that leaves a solution: whatever
//! is fixed has one, so no time is spent in a part of the tree without any. Digits that plainly leave no solution are
//! not asked about; see [`matching`].

use std::ops::ControlFlow;

use super::{Cost, Engine, Limit, Verdict, Verdicts, matching};
use crate::puzzle::Batch;
use crate::puzzle::Order;

/// Lists solutions with somebody's engine. Each thread owns one, with its scratch memory.
#[derive(Debug)]
pub struct Lister {
    /// For each size a place for one puzzle.
    batches: [Batch; Order::ALL.len()],
    verdicts: Verdicts,
    /// The puzzle, with some of its blanks filled.
    fixed: Vec<u8>,
}

/// How a puzzle's solutions were listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListOutcome {
    /// Whether there are more than were listed.
    pub more: bool,
    /// What it took to find them.
    pub cost: Cost,
}

impl Lister {
    /// A lister with nothing in its memory.
    pub fn new() -> Lister {
        Lister { batches: Order::ALL.map(Batch::new), verdicts: Verdicts::new(), fixed: Vec::new() }
    }

    /// Turns `grid`, any solution of `puzzle`, into the lexicographically smallest one.
    pub fn smallest(&mut self, engine: &mut dyn Engine, order: Order, puzzle: &[u8], grid: &mut [u8]) -> Cost {
        let mut cost = Cost::default();
        self.fixed.clear();
        self.fixed.extend_from_slice(puzzle);
        for cell in (0..order.cells()).filter(|&cell| puzzle[cell] == 0) {
            for digit in 1..grid[cell] {
                if !self.try_digit(order, cell, digit) {
                    continue;
                }
                let verdict = self.ask(engine, order, Limit::FIRST);
                cost += verdict.cost;
                if let Some(smaller) = verdict.solution {
                    grid.copy_from_slice(smaller);
                    break;
                }
            }
            self.fixed[cell] = grid[cell];
        }
        cost
    }

    /// Appends the first solutions of a puzzle to `listed`, as many as `cap` says, and says whether there are more.
    pub fn list(
        &mut self,
        engine: &mut dyn Engine,
        order: Order,
        puzzle: &[u8],
        cap: Limit,
        listed: &mut Vec<u8>,
    ) -> ListOutcome {
        self.fixed.clear();
        self.fixed.extend_from_slice(puzzle);
        let mut cost = Cost::default();
        let room = usize::try_from(cap.get()).unwrap_or(usize::MAX).saturating_mul(order.cells());
        let full = listed.len().saturating_add(room);
        let more = self.descend(engine, order, 0, full, listed, &mut cost).is_break();
        ListOutcome { more, cost }
    }

    /// Lists the solutions that have the fixed cells, of which none from `start` on is ours; breaks when there is one
    /// more than there is room for.
    fn descend(
        &mut self,
        engine: &mut dyn Engine,
        order: Order,
        start: usize,
        full: usize,
        listed: &mut Vec<u8>,
        cost: &mut Cost,
    ) -> ControlFlow<()> {
        let verdict = self.ask(engine, order, Limit::UNIQUE);
        *cost += verdict.cost;
        match verdict.solution {
            Some(_) if listed.len() >= full => return ControlFlow::Break(()),
            Some(only) if verdict.solutions == 1 => listed.extend_from_slice(only),
            None => {}
            Some(_) => {
                let cell = (start..order.cells()).find(|&cell| self.fixed[cell] == 0).expect("two solutions differ");
                for digit in 1..=order.side() as u8 {
                    if self.try_digit(order, cell, digit) {
                        self.descend(engine, order, cell + 1, full, listed, cost)?;
                    }
                }
                self.fixed[cell] = 0;
            }
        }
        ControlFlow::Continue(())
    }

    /// Fixes a cell, and says whether that is worth asking the engine about.
    fn try_digit(&mut self, order: Order, cell: usize, digit: u8) -> bool {
        self.fixed[cell] = digit;
        matching::has_room(order, &self.fixed, cell)
    }

    /// The engine's verdict on the fixed cells.
    fn ask(&mut self, engine: &mut dyn Engine, order: Order, limit: Limit) -> Verdict<'_> {
        let batch = &mut self.batches[order.index()];
        batch.clear();
        batch.push(&self.fixed);
        engine.solve(batch, limit, &mut self.verdicts);
        self.verdicts.get(0)
    }
}

impl Default for Lister {
    fn default() -> Lister {
        Lister::new()
    }
}
