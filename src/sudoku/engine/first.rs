//! Finds the lexicographically first solutions of many puzzles at once, with any engine.
//!
//! If the engine can search in lexicographic order, its first solution is the answer. Such a search is slow for some
//! puzzles, so it is bounded.
//!
//! If that search gives up, or the engine cannot search in this order, the engine finds any solution, and this is
//! *lowered* cell by cell, row by row: if the cells before leave a smaller digit for a cell, the engine looks for a
//! solution with that digit. All puzzles are lowered at the same time; each has one question in a batch for the engine.

use super::{Bounds, Cost, Engine, Limit, SearchEnd, Verdicts, matching};
use crate::puzzle::{Batch, Geometry, Size};

/// Searches for first solutions. Each thread owns one searcher, with its scratch memory.
#[derive(Debug)]
pub struct FirstSolutions {
    /// For each size, the puzzles with some of their blanks filled.
    questions: [Batch; Size::ALL.len()],
    verdicts: Verdicts,
    lowering: Vec<Lowering>,
    fixed: Vec<u8>,
}

/// The maximum number of branches of a search in lexicographic order. Most puzzles with a dozen solutions need ten, few
/// need more than this.
const IN_ORDER_BRANCHES: u64 = 64;

/// A puzzle whose first solution is not known yet: a known solution is lowered.
#[derive(Debug)]
struct Lowering {
    /// The index of the puzzle and of its solution.
    index: usize,
    /// The cell of the question: all cells before it are fixed.
    cell: usize,
    /// The digit of the question.
    digit: u8,
    /// For each row, column and box, the digits of its clues and of the cells before this one, bit `d` for digit `d`.
    taken: [[u32; Size::MAX_SIDE]; 3],
}

impl FirstSolutions {
    /// A searcher with empty memory.
    pub fn new() -> FirstSolutions {
        FirstSolutions {
            questions: Size::ALL.map(Batch::new),
            verdicts: Verdicts::new(),
            lowering: vec![],
            fixed: vec![],
        }
    }

    /// Replaces each grid, any solution of its puzzle, by the puzzle's first solution. `puzzles` and `grids` have the
    /// cells of the same number of puzzles of size `size`, one puzzle after another. Returns for each puzzle how its
    /// searches ended, and their cost. If they [gave up](SearchEnd::GaveUp), the grid is any solution.
    ///
    /// The bounds hold for each search; their number of solutions is ignored.
    pub fn find(
        &mut self,
        engine: &mut dyn Engine,
        size: Size,
        bounds: Bounds<'_>,
        puzzles: &[u8],
        grids: &mut [u8],
    ) -> Vec<(SearchEnd, Cost)> {
        let bounds = Bounds { solutions: Limit::FIRST, ..bounds };
        let cells = size.cells();
        let mut ends = vec![(SearchEnd::Complete, Cost::default()); puzzles.len() / cells];
        self.fixed.clear();
        self.fixed.extend_from_slice(puzzles);

        // Search in lexicographic order, all puzzles at once.
        let questions = &mut self.questions[size.index()];
        questions.clear();
        puzzles.chunks_exact(cells).for_each(|puzzle| questions.push(puzzle));
        let in_order = Bounds { max_branches: Some(IN_ORDER_BRANCHES), ..bounds };
        let is_in_order = engine.solve_in_order(questions, in_order, &mut self.verdicts);

        self.lowering.clear();
        for (index, grid) in grids.chunks_exact_mut(cells).enumerate() {
            if is_in_order {
                let verdict = self.verdicts.get(index);
                ends[index].1 += verdict.cost;
                if let Some(first) = verdict.solution {
                    grid.copy_from_slice(first);
                    continue;
                }
            }
            let fixed = &mut self.fixed[index * cells..][..cells];
            self.lowering.extend(Lowering::start(size, index, fixed).next(size, fixed, grid));
        }

        // Lower the remaining puzzles. In each round, every puzzle has one question: is there a smaller digit?
        while !self.lowering.is_empty() && !bounds.is_stopped() {
            questions.clear();
            for lowering in &self.lowering {
                questions.push(&self.fixed[lowering.index * cells..][..cells]);
            }
            engine.solve(questions, bounds, &mut self.verdicts);

            let mut verdicts = self.verdicts.iter();
            let (fixed, verdicts) = (&mut self.fixed, &mut verdicts);
            self.lowering = std::mem::take(&mut self.lowering)
                .into_iter()
                .filter_map(|lowering| {
                    let verdict = verdicts.next().expect("a verdict for each question");
                    let (end, cost) = &mut ends[lowering.index];
                    *cost += verdict.cost;
                    if verdict.end == SearchEnd::GaveUp {
                        *end = SearchEnd::GaveUp;
                        return None;
                    }

                    let place = lowering.index * cells..(lowering.index + 1) * cells;
                    let (fixed, grid) = (&mut fixed[place.clone()], &mut grids[place]);
                    if let Some(smaller) = verdict.solution {
                        grid.copy_from_slice(smaller);
                    }
                    lowering.next(size, fixed, grid)
                })
                .collect();
        }
        ends
    }
}

impl Default for FirstSolutions {
    fn default() -> FirstSolutions {
        FirstSolutions::new()
    }
}

impl Lowering {
    /// The state before the first question.
    fn start(size: Size, index: usize, puzzle: &[u8]) -> Lowering {
        let mut lowering = Lowering { index, cell: 0, digit: 0, taken: Default::default() };
        for (cell, &digit) in puzzle.iter().enumerate() {
            lowering.take(Geometry::of(size), cell, digit);
        }
        lowering
    }

    /// Records the digit of a fixed cell; 0 stands for a blank.
    fn take(&mut self, geometry: &Geometry, cell: usize, digit: u8) {
        for (house, taken) in houses(geometry, cell).into_iter().zip(&mut self.taken) {
            taken[house] |= 1 << digit;
        }
    }

    /// The next question: the next digit below the solution's digit in `grid`, in this cell or a later one, that may
    /// leave a solution. Writes it to `fixed` after the cells that it fixes. Returns `None` if there is no such digit:
    /// `grid` is the first solution.
    fn next(mut self, size: Size, fixed: &mut [u8], grid: &[u8]) -> Option<Lowering> {
        let geometry = Geometry::of(size);
        while self.cell < size.cells() {
            // In a clue's cell, both digits are equal from the start.
            if fixed[self.cell] != grid[self.cell] {
                let taken = houses(geometry, self.cell).into_iter().zip(&self.taken);
                let taken = taken.fold(0, |taken, (house, digits)| taken | digits[house]);
                while self.digit + 1 < grid[self.cell] {
                    self.digit += 1;
                    if taken >> self.digit & 1 == 0 {
                        fixed[self.cell] = self.digit;
                        if may_leave_solution(size, fixed, self.cell) {
                            return Some(self);
                        }
                    }
                }

                // No smaller digit is left: fix this cell.
                fixed[self.cell] = grid[self.cell];
                self.take(geometry, self.cell, grid[self.cell]);
            }
            (self.cell, self.digit) = (self.cell + 1, 0);
        }
        None
    }
}

/// Whether the houses of a cell still allow a solution. In small puzzles an engine finds out more in less time; in large
/// ones, a house that cannot be filled can cost it millions of guesses.
fn may_leave_solution(size: Size, fixed: &[u8], cell: usize) -> bool {
    size <= Size::Nine || matching::can_fill_houses(size, fixed, cell)
}

/// The numbers of the row, the column and the box of a cell.
fn houses(geometry: &Geometry, cell: usize) -> [usize; 3] {
    [geometry.row(cell), geometry.column(cell), geometry.box_of(cell)]
}
