//! One stack for all lanes: roots, and nodes that any lane may take.
//!
//! With it, no lane is idle while there is work, a hard puzzle spreads over all lanes, and moving a node is cheap. The
//! price is that the order of the nodes depends on the other puzzles in the batch. That changes no verdict as long as
//! the complete tree of a puzzle is searched.
//!
//! ```text
//!               0                              len            PAGE
//!     row  0    word 0 of nodes, oldest first   |               |
//!     row  1    word 1                          |   space for   |
//!      ...                                      |   LANES more  |
//!     row 26    word 26                         |               |
//!     row 27    puzzle                          |               |
//! ```
//!
//! The lanes that branch append their words to a row (compress), the free lanes read words from its end (expand): two
//! instructions a row for all lanes.

use super::group::{LaneGroup, Splits};
use super::layout::{WORDS, triad, word};
use super::vector::{LaneSet, Vector};

/// Nodes of any puzzles, last in, first out.
///
/// It grows by pages of a fixed size: one check of the length of the top page covers the reads and writes of all rows.
pub(super) struct Stack {
    /// Full pages, the top page, then empty pages that are kept for reuse. There is always a top page.
    pages: Vec<Page>,
    /// The index of the top page.
    top: usize,
    /// The number of nodes in the top page.
    len: usize,
}

/// A fixed number of nodes, word by word.
struct Page {
    rows: Box<[[u32; PAGE]; ROWS]>,
    /// The number of nodes in it, valid while it is not the top page.
    len: usize,
}

/// The capacity of a page in nodes. Rows are an odd number of cache lines long, because addresses that are a multiple
/// of 4 KiB apart compete for the same places of the first-level cache.
const PAGE: usize = 31 * 16;

/// The row of the puzzle numbers.
const PUZZLE: usize = WORDS;

/// The number of rows.
const ROWS: usize = WORDS + 1;

impl Stack {
    /// An empty stack.
    pub(super) fn new() -> Stack {
        Stack { pages: vec![Page::new()], top: 0, len: 0 }
    }

    /// Removes all nodes and keeps the memory.
    pub(super) fn clear(&mut self) {
        (self.top, self.len) = (0, 0);
    }

    /// Chooses a top page with space for `lanes` more nodes. It is empty only if the stack is.
    #[inline(always)]
    fn choose_top(&mut self, lanes: usize) {
        while self.len == 0 && self.top > 0 {
            self.top -= 1;
            self.len = self.pages[self.top].len;
        }
        if self.len + lanes > PAGE {
            self.advance_top(lanes);
        }
    }

    /// Makes the next page the top page and moves `lanes` nodes there, enough to refill all lanes.
    #[cold]
    fn advance_top(&mut self, lanes: usize) {
        if self.top + 1 == self.pages.len() {
            self.pages.push(Page::new());
        }
        let (pages, next) = self.pages.split_at_mut(self.top + 1);
        let page = &mut pages[self.top];
        page.len = self.len - lanes;
        for (row, next) in page.rows.iter().zip(next[0].rows.iter_mut()) {
            next[..lanes].copy_from_slice(&row[page.len..self.len]);
        }
        self.top += 1;
        self.len = lanes;
    }

    /// Whether the top page has `nodes` nodes.
    #[inline(always)]
    pub(super) fn has(&self, nodes: usize) -> bool {
        self.len >= nodes
    }

    /// Pushes the nodes in some lanes of `group`.
    #[inline(always)]
    pub(super) fn push<V: Vector>(&mut self, group: &LaneGroup<V>, lanes: LaneSet) {
        self.choose_top(V::LANES);
        let indices = group.puzzle.compress_indices(lanes);
        let rows = &mut *self.pages[self.top].rows;
        for (row, word) in rows.iter_mut().zip(group.candidates.iter().chain([&group.puzzle])) {
            word.compress(indices).store(&mut row[self.len..]);
        }
        self.len += lanes.len();
    }

    /// Splits nodes of `group`, and gives its `free` lanes nodes from the stack. A free lane that gets no node loses
    /// its puzzle. Computes the triads of all nodes of the group.
    ///
    /// The first child of a split node stays in its lane. The second child is pushed here if its lane is in `pushed`.
    /// If `kept` is given, the second children of all lanes are written to it. Without either, no node is split.
    #[inline(always)]
    pub(super) fn refill<V: Vector>(
        &mut self,
        group: &mut LaneGroup<V>,
        splits: &impl Splits<V>,
        free: LaneSet,
        kept: Option<&mut [V; WORDS]>,
        pushed: LaneSet,
    ) {
        // The code is compiled once for each case, because storing fewer words takes less time.
        match kept {
            Some(kept) if pushed.is_empty() => self.refill_storing(group, splits, free, Some(kept), None),
            Some(kept) => self.refill_storing(group, splits, free, Some(kept), Some(pushed)),
            None => self.refill_storing(group, splits, free, None, Some(pushed)),
        }
    }

    /// [Refills](Self::refill) and stores only the second children that are needed.
    #[inline(always)]
    fn refill_storing<V: Vector>(
        &mut self,
        group: &mut LaneGroup<V>,
        splits: &impl Splits<V>,
        free: LaneSet,
        mut kept: Option<&mut [V; WORDS]>,
        pushed: Option<LaneSet>,
    ) {
        self.choose_top(V::LANES);
        let taken = free.len().min(self.len);
        let filled = free.lowest(taken);
        // Take nodes before new nodes overwrite their places, so that no load waits for a store just before it.
        self.len -= taken;
        let start = self.len;
        assert!(start <= PAGE - V::LANES);
        let rows = &mut *self.pages[self.top].rows;

        // Any value of the vector type proves that the CPU has its instructions.
        let puzzle = group.puzzle;
        let zero = puzzle.splat(0);
        let splitting = kept.is_some() || pushed.is_some_and(|pushed| !pushed.is_empty());
        let compress_indices = puzzle.compress_indices(pushed.unwrap_or(LaneSet::first(0)));
        let expand_indices = puzzle.expand_indices(filled);
        let mut columns = [zero; 9];
        // Everything happens in one pass over the words, because a node does not fit into the registers.
        for i in 0..3 {
            let mut row_triads = [zero; 3];
            for j in 0..3 {
                for d0 in 0..3 {
                    let candidates = &mut group.candidates[word(i, j, d0)];
                    let waiting = &mut rows[word(i, j, d0)][start..start + V::LANES];
                    let left = if splitting {
                        let (first, second) = splits.children(*candidates, i, j, d0);
                        if let Some(kept) = &mut kept {
                            kept[word(i, j, d0)] = second;
                        }
                        let left = first.expand(filled, expand_indices, puzzle.load(waiting));
                        if pushed.is_some() {
                            second.compress(compress_indices).store(waiting);
                        }
                        left
                    } else {
                        candidates.expand(filled, expand_indices, puzzle.load(waiting))
                    };
                    *candidates = left;
                    row_triads[d0] = row_triads[d0] | left;
                    columns[triad(j, d0)] = columns[triad(j, d0)] | left;
                }
            }
            for d0 in 0..3 {
                group.triads[0][triad(i, d0)] = row_triads[d0];
            }
        }
        group.triads[1] = columns;

        // The OR turns the number in each free lane into `NO_PUZZLE`, which stays if the stack has no node for the
        // lane.
        let waiting = &mut rows[PUZZLE][start..start + V::LANES];
        let old = puzzle | puzzle.in_lanes(free);
        group.puzzle = old.expand(filled, expand_indices, puzzle.load(waiting));
        if let Some(pushed) = pushed {
            puzzle.compress(compress_indices).store(waiting);
            self.len += pushed.len();
        }
        group.rounds = group.rounds & !puzzle.in_lanes(free);
    }

    /// Removes all nodes of `puzzle`.
    pub(super) fn remove(&mut self, puzzle: u32) {
        self.pages[self.top].len = self.len;
        self.pages[..=self.top].iter_mut().for_each(|page| page.remove(puzzle));
        self.len = self.pages[self.top].len;
    }
}

impl Page {
    fn new() -> Page {
        let rows = vec![[0; PAGE]; ROWS].into_boxed_slice();
        Page { rows: rows.try_into().expect("as many rows as were just made"), len: 0 }
    }

    /// Replaces the nodes of `puzzle` by the page's last nodes.
    fn remove(&mut self, puzzle: u32) {
        let mut place = 0;
        while place < self.len {
            if self.rows[PUZZLE][place] == puzzle {
                self.len -= 1;
                for row in self.rows.iter_mut() {
                    row[place] = row[self.len];
                }
            } else {
                place += 1;
            }
        }
    }
}
